"""Speed, measured beside its yardsticks: `python -m pacman bench`."""

from pacman.bench.figures import Figure, Figures, report
from pacman.bench.run import AREAS, run

__all__ = ["AREAS", "Figure", "Figures", "report", "run"]
