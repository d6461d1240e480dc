"""The commands of `python -m pacman`, and what both programs are made of: `app`, `options`, `target` and `output`."""
