"""Support for courses with Berkeley-style files: reports about a `multiAgents.py`, and the import of its test files.

All of it is written from what such files call and contain; none of it is code of that project. The modules:

submission_api              what the grader says about such files, in the words of that project
folder_conversion           a folder of tests becomes an assignment
case_conversion             one test becomes one case
testfile, graph             the content of a test file, and of the game graph in it
solution_check              compares a `.solution` with our own searches
first_files                 the stub and the handout of the new assignment

The modules that graded code imports are in `agents.cs188`.
"""
