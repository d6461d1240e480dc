"""Submissions come in: the layouts of five platforms, and the students of a course."""
