"""A search as a page to step through.

events          the steps of a recorded search, and what they say about its nodes
record          runs a search of the project and returns its events
student         the events of a student's search, from what its process has sent
event_hook      the hook that notices the steps while the search runs
words           each step in words, with its arithmetic
page_data       the events of several searches in one order, as the numbers and texts that the script of the page reads
page_of_search  the page
"""
