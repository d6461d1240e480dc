"""Measures how many wrong searches the cases of an assignment find. The wrong ones are mutants of right searches."""
