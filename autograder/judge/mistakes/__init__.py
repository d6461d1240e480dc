"""Known mistakes: wrong searches that are run beside a submission's, to say which one it does."""
