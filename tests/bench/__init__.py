"""Speed, measured beside its yardsticks: `make bench`."""

from tests.bench.figures import Figure, Figures, report
from tests.bench.run import AREAS, run

__all__ = ["AREAS", "Figure", "Figures", "report", "run"]
