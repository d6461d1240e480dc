"""Asks a part of a submission small questions about trees, and says what its search does. Pure."""
