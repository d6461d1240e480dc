"""Remembers the points of the last run in a file on this machine: "last run 12.5, now 17 of 30"."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.judge.points_as_text import points_text, rounded_down
from autograder.judge.scorecard import Scorecard
from pacman import environment
from pacman.commands.shared.whole_file import whole_file

FILE = "last-runs.json"
MAX_RUNS = 200
"""How many submissions are remembered: the ones that were graded last."""


def cache_folder(values: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path | None:
    """The user's folder for files that may be lost; None in continuous integration or without a home folder."""
    values = environment.variables() if values is None else values
    return None if values.get("CI") else environment.cache_folder(values, platform)


def compare_with_last_run(card: Scorecard, submission: Path, folder: Path) -> str:
    """The points of the last run and of this one; "" for the first run. Keeps the points of this one in `folder`.

    A file that cannot be read or written is no error: then nothing is remembered.
    """
    key = f"{submission.resolve()}:{card.assignment}"
    runs = _read(folder / FILE)
    last = runs.pop(key, None)
    runs[key] = rounded_down(card.earned)
    _write(folder / FILE, dict(list(runs.items())[-MAX_RUNS:]))
    if type(last) not in (int, float):
        return ""
    return f"last run {points_text(last)}, now {points_text(card.earned)} of {points_text(card.points)}"


def _read(path: Path) -> dict[str, Any]:
    try:
        runs = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return runs if isinstance(runs, dict) else {}


def _write(path: Path, runs: dict[str, Any]) -> None:
    with suppress(OSError, UnicodeError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(json.dumps(runs, indent=1).encode())
