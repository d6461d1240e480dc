"""Reports of a scorecard: for a terminal, Markdown, JSON, JUnit and Gradescope."""
