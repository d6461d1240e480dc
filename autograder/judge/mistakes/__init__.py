"""Known mistakes: wrong searches run on the same cases, to find the mistake that a submission makes."""
