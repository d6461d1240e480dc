"""Other course platforms and submission APIs: Gradescope, and Berkeley-style files."""

from __future__ import annotations

from importlib import import_module

from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.student_process.request_handler import APIS
from pacman.core.errors import InputError, nearest


def submission_api(name: str) -> SubmissionApi:
    """The submission API of that name; InputError with the nearest name if there is none."""
    if name not in APIS:
        raise InputError(f"--api: no API '{name}': {nearest(name, APIS)}")
    if name == NATIVE.name:
        return NATIVE
    api: SubmissionApi = import_module(f"autograder.platforms.{name}.submission_api").API
    return api
