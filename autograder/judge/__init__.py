"""Judges answers: (case, truth, answer) -> verdict -> explanation -> score.

Everything here is pure: it uses no process, clock, file, YAML or terminal.
"""
