"""The lab: a page in which a student writes a search, runs the open cases and plays, with Python in the browser.

in_browser   grades a file in this process, without a sandbox: what the page's worker calls
"""
