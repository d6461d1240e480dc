"""Every game and every search that a test has begun ends with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pacman.view.shown_search import ShownSearch
from pacman.view.timeline import Timeline


@pytest.fixture(autouse=True)
def stopped_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stops the threads of all time lines and of all searches of a test."""
    begun: list[Timeline | ShownSearch] = []

    def watched(kind: type[Timeline] | type[ShownSearch]) -> None:
        begin = kind.__init__

        def init(self: Any, *rest: Any, **more: Any) -> None:
            begin(self, *rest, **more)
            begun.append(self)

        monkeypatch.setattr(kind, "__init__", init)

    watched(Timeline)
    watched(ShownSearch)
    yield
    for each in begun:
        each.stop()
