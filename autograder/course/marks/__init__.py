"""What a course takes out of a store: marks, tables and reports for platforms, and the class board."""
