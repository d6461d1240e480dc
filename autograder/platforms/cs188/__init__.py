"""Courses with Berkeley-style files: what a `multiAgents.py` written for that project calls, and its test files.

All of it is written from what such files call and say; none of it is that project's code. In the sandbox, for graded
code: `adapter` is the door, `shelf` has the modules that such a file imports, `position` and `tree` are its game state,
`board`, `containers`, `arithmetic` and `ghosts` what the modules hold. On the grader's side: `terms` and `remark` say
things in that project's words; `command` imports its test files by `convert` (a folder), `kinds` (a test), `testfile`,
`graph` (what they say), `held` and `replay` (held against our searches).
"""
