"""What is asked, and what is right: cases and references, read from YAML and checked. The one room with YAML in it."""
