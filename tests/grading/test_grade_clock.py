"""The time limit of a submission counts only the submission's time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.ghosts import OptimalGhost
from autograder.cases import loading
from autograder.grading.grade import grade
from autograder.sandbox import Sandbox

ROOT = Path(__file__).parents[2]


def test_the_grader_compiles_its_ghosts_before_a_match_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling an optimal ghost may take ten seconds, the whole time limit of a case."""
    events: list[str] = []
    session, prepare = Sandbox.session, OptimalGhost.prepare

    def recording_session(self: Sandbox, seconds: float) -> Any:
        events.append("clock starts")
        return session(self, seconds)

    def recording_prepare(self: OptimalGhost, *rest: Any) -> None:
        events.append("ready")
        prepare(self, *rest)

    monkeypatch.setattr(Sandbox, "session", recording_session)
    monkeypatch.setattr(OptimalGhost, "prepare", recording_prepare)
    card = grade(
        ROOT / "autograder" / "assignments" / "multiagent" / "solutions.py",
        loading.load("multiagent").only("q2", "10-nook"),
        1,
    )
    assert card.is_full
    *_, last, first_of_game = (index for index, event in enumerate(events) if event == "clock starts")
    assert "ready" in events[last:first_of_game]
