"""Asks a part that lost points small questions until it is known what its search does."""
