"""Other course platforms and submission APIs: Gradescope, and Berkeley-style files."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.student_process.request_handler import APIS
from pacman.core.errors import InputError, nearest


def submission_api(name: str) -> SubmissionApi:
    """The submission API of that name; InputError with the nearest name if there is none.

    If this project has only one assignment (a release for students), that is the default assignment of every API.
    """
    if name not in APIS:
        raise InputError(f"--api: no API '{name}': {nearest(name, APIS)}")
    api: SubmissionApi = NATIVE
    if name != NATIVE.name:
        api = import_module(f"autograder.platforms.{name}.submission_api").API
    from autograder.cases import loading  # in a browser, this package has no YAML to load assignments

    assignments = loading.names()
    return api if api.assignment in assignments or len(assignments) != 1 else replace(api, assignment=assignments[0])


def default_api(assignment: str) -> SubmissionApi:
    """The API whose files have this assignment as their default; this project's own for any other assignment."""
    apis = [submission_api(name) for name in APIS]
    return next((api for api in apis if api.assignment == assignment), apis[0])
