"""Other course platforms and styles of submission: Gradescope, and Berkeley-style files."""

from __future__ import annotations

from importlib import import_module

from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.student_process.student import APIS
from pacman.core.errors import InputError, nearest


def style(api: str) -> SubmissionApi:
    """The style of that name; InputError with the nearest one."""
    if api not in APIS:
        raise InputError(f"--api {api}: {nearest(api, APIS)}")
    if api == NATIVE.api:
        return NATIVE
    found: SubmissionApi = import_module(f"autograder.platforms.{api}.submission_api").STYLE
    return found
