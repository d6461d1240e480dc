"""What whoever builds an upload decides, on its way to the platform: one file of the upload."""

from __future__ import annotations

from autograder.cases.marked import Strict

FILE = "settings.json"


class Settings(Strict):
    """`assignment` is its folder's name, `api` what submissions are written for, `minutes` the platform's time-out.

    `allow_unsafe`: grade behind whatever walls there are.
    """

    assignment: str
    api: str
    minutes: float
    allow_unsafe: bool
