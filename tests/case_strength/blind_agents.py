"""Agents that do not see something: copies of right files, each with a few changes."""

from __future__ import annotations

from collections.abc import Mapping

from tests.paths import ROOT

ASSIGNMENTS = ROOT / "autograder" / "assignments"
RIGHT = {
    "multiagent": ASSIGNMENTS / "multiagent" / "solutions.py",
    "classic": ASSIGNMENTS / "classic" / "styles" / "agent_index.py",
}
"""For each assignment, a file with a good reflex agent and a good evaluation."""

Changes = tuple[tuple[str, str], ...]

BLIND: Mapping[str, Mapping[str, Changes]] = {
    "multiagent": {
        "ignores ghosts": (("in state.ghosts:", "in ():"),),
        "ignores danger": (("elif not ghost.timer and distance <= 3:", "elif False:"),),
        "ignores scared ghosts": (
            (" - 20.0 * state.capsule_mask.bit_count()", ""),
            ("if ghost.timer > 2 * distance:", "if False:"),
        ),
        "ignores capsules": (
            (" - 20.0 * state.capsule_mask.bit_count()", ""),
            ("if ghost.timer > 2 * distance:", "if False:"),
            ("elif not ghost.timer and distance", "elif distance"),
        ),
    },
    "classic": {
        "ignores ghosts": (
            ("in zip(newGhostStates, newScaredTimes):", "in ():"),
            ("in currentGameState.getGhostStates():", "in ():"),
        ),
        "ignores danger": (
            ("in zip(newGhostStates, newScaredTimes):", "in ():"),
            ("elif distance < 2:", "elif False:"),
        ),
    },
}
"""For each assignment, what an agent does not see, and the changes that make it so."""


def blind_agent(assignment: str, name: str) -> str:
    """The text of a file whose reflex agent and evaluation do not see something."""
    text = RIGHT[assignment].read_text(encoding="utf-8")
    for old, new in BLIND[assignment][name]:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text
