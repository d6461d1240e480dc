"""The turn loop, recordings, statistics of many games, and the exact values of small boards."""
