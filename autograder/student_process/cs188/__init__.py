"""The modules and game states that a Berkeley-style `multiAgents.py` imports and calls.

Written from what such files use:

cs188_api                    creates and calls the parts of such a file
compatibility_modules      the modules that it imports; their contents are also in `util` and `board`
pacman_state, tree_state   its game states; `base_state` is what both have in common
"""
