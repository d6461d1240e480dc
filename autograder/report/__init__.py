"""A scorecard for its readers: people at a terminal, programs."""
