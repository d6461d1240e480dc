"""Other course platforms and styles of submission: Gradescope, and Berkeley-style files."""
