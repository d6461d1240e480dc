"""Every game that a test has begun ends with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pacman.view.timeline import Track


@pytest.fixture(autouse=True)
def stopped_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stops the threads of all time lines of a test."""
    begun, begin = list[Track](), Track.__init__

    def init(self: Track, *rest: Any, **more: Any) -> None:
        begin(self, *rest, **more)
        begun.append(self)

    monkeypatch.setattr(Track, "__init__", init)
    yield
    for each in begun:
        each.stop()
