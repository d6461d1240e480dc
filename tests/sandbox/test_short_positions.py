"""Positions as short messages: in whole games, the restored position is the one that was sent."""

from __future__ import annotations

import json
from random import Random

import pytest

from autograder.student_process.short_positions import restore, shorten
from pacman import GameState, start


@pytest.mark.parametrize("layout", ["pantry", "smallish"])
def test_a_restored_position_is_the_same_as_one_that_is_read_from_text(layout: str) -> None:
    rng = Random(layout)
    first = GameState.parse(str(start(layout, ["random", "directional"])))
    for _ in range(5):
        state = first
        for _ in range(200):
            if state.is_terminal:
                break
            restored = restore(json.loads(json.dumps(shorten(state))), first)
            assert restored == state == GameState.parse(str(state))
            assert str(restored) == str(state)
            assert restored.layers == state.layers
            state = state.successor(rng.choice(state.actions()))
