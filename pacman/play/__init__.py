"""Games and what comes of them: the turn loop, recordings, tallies, and the exact values of small boards."""
