"""Reports as pages: each is one file that needs no network, and that shows its text and pictures without scripts.

page       puts a template, the stylesheets, the scripts and the data of a page together
"""
