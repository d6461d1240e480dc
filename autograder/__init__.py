"""Grades search agents: cases in, a scorecard out. A submission runs in a process of its own and only makes claims."""
