"""Assignments, cases, and what is right in them. No other package of the grader uses YAML."""
