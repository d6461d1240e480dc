"""A search as a page to step through.

events          the steps of a recorded search, and what they say about its nodes
record          runs a search of the project and returns its events
student         the events of a student's search, from what its process has sent
event_hook      the hook that notices the steps while the search runs
words           each step in words, with its arithmetic
steps           puts the events of several searches in one order
page_data       the events as the numbers and texts that the script of the page reads
page_of_search  the page
"""
