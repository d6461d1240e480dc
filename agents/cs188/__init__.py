"""The modules and game states that a Berkeley-style `multiAgents.py` imports and calls.

Written from what such files use:

modules         the modules that it imports; their contents are also in `util` and `board`
agent           such a class as an agent of ours
position, tree  its game states; `base_state` is what both have in common
"""
