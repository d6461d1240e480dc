"""The turn loop, recordings, many games in worker processes, and the exact values of small boards."""
