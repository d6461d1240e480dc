"""A search as a page to step through.

events             the steps of a recorded search, and what they say about its nodes
record             runs a search of the project and returns its events
student_recording  the events of a student's search, from what its process has sent
event_hook         the hook that notices the steps while the search runs
event_words        each step in words, with its arithmetic
page_data          the events of several searches in one order, as numbers and texts for the script of the page
page_of_search     the page; its script, with the slider, is pages/static/search-explorer.js
"""
