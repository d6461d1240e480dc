"""Other course platforms and submission APIs: Gradescope, and Berkeley-style files."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from autograder.cases.case import Assignment
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
        api = import_module(f"autograder.platforms.{name}").API
    from autograder.cases import loading  # in a browser, this package has no YAML to load assignments

    assignments = loading.names()
    return api if api.assignment in assignments or len(assignments) != 1 else replace(api, assignment=assignments[0])


def default_assignment(api: str | None) -> str:
    """The name of the assignment that a command takes if it names none, by the API that it names."""
    return submission_api(api or NATIVE.name).assignment


def load_assignment(name: str | None, api: str | None, cases_of: str | None = None) -> tuple[Assignment, SubmissionApi]:
    """The assignment, and the API of its submissions: the one that is given, or else the one that it names.

    Without the criteria that this API cannot grade. With `cases_of`, only that question has its cases.
    """
    from autograder.cases import loading  # in a browser, this package has no YAML to load assignments

    loaded = loading.load(name or default_assignment(api), cases_of=cases_of)
    chosen = submission_api(api or loaded.api)
    return chosen.without_unsupported(loaded), chosen
