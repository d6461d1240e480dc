"""What the commands are made of. Most of it is imported only when a command runs, so that `-h` is quick."""
