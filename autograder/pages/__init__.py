"""Reports as pages: each is one file that needs no network, and that shows its text and pictures without scripts.

game_replay  a lost game as an element to step through
page         puts a template, the stylesheets, the scripts and the data of a page together
"""
