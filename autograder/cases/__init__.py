"""Assignments, cases and references: read from YAML and checked. No other package of the grader uses YAML."""
