"""Courses with Berkeley-style files: what a `multiAgents.py` written for that project calls, and its test files.

For graded code, inside the sandbox: `adapter` (the door), `shelf` (the modules that such a file imports), `position`
and `tree` (its game state), `board`, `containers`, `arithmetic`, `ghosts` (what the modules hold), `texts`.
For the grader: `terms` (its words for ours) and `convert` (its test files as our cases), with `testfile`, `graph`.
All of it is written from what such files call; none of it is that project's code.
"""
