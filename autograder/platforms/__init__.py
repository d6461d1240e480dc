"""Other course platforms and styles of submission: Gradescope, and Berkeley-style files."""

from __future__ import annotations

from importlib import import_module

from autograder.grading.style import NATIVE, Style
from autograder.student_process.student import APIS
from pacman.core.errors import InputError, nearest


def style(api: str) -> Style:
    """The style of that name; InputError with the nearest one."""
    if api not in APIS:
        raise InputError(f"--api {api}: {nearest(api, APIS)}")
    if api == NATIVE.api:
        return NATIVE
    found: Style = import_module(f"autograder.platforms.{api}.style").STYLE
    return found
