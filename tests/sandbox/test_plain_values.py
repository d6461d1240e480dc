"""Tests of how an error of a submission becomes the message of a report."""

from __future__ import annotations

import pytest

from autograder.student_process.plain_values import describe_fault


def test_a_message_names_no_folder_of_the_grader() -> None:
    with pytest.raises(ImportError) as raised:
        exec("from agents.base import Agent")
    assert str(raised.value.path) in str(raised.value)
    fault = describe_fault(raised.value, "ada.py", [], "the import")
    assert fault["message"] == "cannot import name 'Agent' from 'agents.base'"


def test_a_hostile_path_of_an_error_does_no_harm() -> None:
    class Hostile:
        def __format__(self, spec: str) -> str:
            raise SystemExit

    error = ImportError("a text")
    error.path = Hostile()  # type: ignore[assignment]
    assert isinstance(describe_fault(error, "ada.py", [], "the import")["message"], str | None)
