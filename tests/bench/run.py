"""The areas that can be measured, and one run over some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tests.bench.engine import engine
from tests.bench.figures import Figure, Figures, machine
from tests.bench.grade import grade
from tests.bench.growth import growth
from tests.bench.kernel import compiled, games
from tests.bench.search import search
from tests.bench.view import view

AREAS: Mapping[str, Callable[[int], Iterator[Figure]]] = {
    "engine": engine,
    "growth": growth,
    "search": search,
    "kernel": compiled,
    "games": games,
    "view": view,
    "grade": grade,
}


def run(repeats: int, areas: tuple[str, ...] = tuple(AREAS)) -> Figures:
    """Every figure of some areas, medians of `repeats`."""
    return Figures(machine(), repeats, tuple(figure for area in areas for figure in AREAS[area](repeats)))
