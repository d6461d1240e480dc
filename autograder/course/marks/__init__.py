"""What a course takes out of a store: marks, the class board, files for other programs; and what it erases."""
