"""The modules and game states that a Berkeley-style `multiAgents.py` imports and calls.

Written from what such files use. `adapter` is the entry point, `compatibility_modules` has the modules that such a file
imports, `position` and `tree` are its game states, and `util`, `board` and `ghosts` are the contents of the modules.
"""
