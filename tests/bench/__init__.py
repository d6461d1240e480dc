"""Benchmarks: `make bench` measures the speed of the project and compares it with yardsticks."""
