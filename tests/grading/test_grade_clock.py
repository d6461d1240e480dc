"""A submission's clock runs for the submission alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.ghosts import OptimalGhost
from autograder.cases import loading
from autograder.grading.grade import grade
from autograder.sandbox import Sandbox

ROOT = Path(__file__).parents[2]


def test_what_the_grader_compiles_is_compiled_before_a_match_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """An optimal ghost may take ten seconds for that, which is all that a case has."""
    events: list[str] = []
    session, prepare = Sandbox.session, OptimalGhost.prepare

    def noted_session(self: Sandbox, seconds: float) -> Any:
        events.append("clock starts")
        return session(self, seconds)

    def noted_prepare(self: OptimalGhost, *rest: Any) -> None:
        events.append("ready")
        prepare(self, *rest)

    monkeypatch.setattr(Sandbox, "session", noted_session)
    monkeypatch.setattr(OptimalGhost, "prepare", noted_prepare)
    card = grade(
        ROOT / "autograder" / "assignments" / "multiagent" / "solutions.py",
        loading.load("multiagent").only("q2", "10-nook"),
        1,
    )
    assert card.is_full
    *_, last, first_of_game = (index for index, event in enumerate(events) if event == "clock starts")
    assert "ready" in events[last:first_of_game]
