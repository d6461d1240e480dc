"""What whoever builds an upload decides, on its way to the platform: one file of the upload."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.cases.case import Strict
from autograder.cases.marked import adapter

FILE = "settings.json"


@dataclass(frozen=True)
class Settings(Strict):
    """`assignment` is its folder's name, `api` what submissions are written for, `minutes` the platform's time-out.

    `allow_unsafe`: grade behind whatever walls there are.
    """

    assignment: str
    api: str
    minutes: float
    allow_unsafe: bool


def dump(settings: Settings) -> str:
    return adapter(Settings).dump_json(settings, indent=2).decode() + "\n"


def load(folder: Path) -> Settings:
    """The settings of an unpacked upload."""
    settings: Settings = adapter(Settings).validate_json((folder / FILE).read_text(encoding="utf-8"))
    return settings
