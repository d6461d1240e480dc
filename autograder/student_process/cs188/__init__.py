"""What a `multiAgents.py` imports and calls, for graded code in Berkeley style; written from what such files use.

`adapter` is the door, `shelf` has the modules that such a file imports, `position` and `tree` are its game state,
`util`, `board` and `ghosts` what the modules hold.
"""
