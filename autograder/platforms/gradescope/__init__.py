"""Gradescope: `build` makes the upload, and `run` grades a submission on the platform."""
