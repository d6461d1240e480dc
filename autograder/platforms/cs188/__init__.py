"""Courses with Berkeley-style files: what the grader says of a `multiAgents.py`, and how its test files are imported.

All of it is written from what such files call and say; none of it is that project's code. `terms` and `style` say
things in that project's words. `convert` imports a folder of tests: `kinds` one test, `testfile` and `graph` what it
says, `agreement` whether our searches agree. What graded code calls is in `autograder.student_process.cs188`.
"""
