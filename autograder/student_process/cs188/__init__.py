"""What a `multiAgents.py` imports and calls, for graded code in Berkeley style; written from what such files use."""
