"""The yardstick measures the same search: the C program's value, action and counts are the kernel's."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numba")

from pacman.kernel.tables import ACTIONS
from tests.bench.kernel import RACES, Race, build, handed, in_c  # needs numba


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = build(tmp_path_factory.mktemp("c"))
    if made is None:
        pytest.skip("no C compiler here")
    return made


@pytest.mark.parametrize("race", [race for race in RACES if race.goal], ids=lambda race: f"{race.name}-{race.layout}")
def test_c_searches_what_the_kernel_searches(race: Race, program: Path) -> None:
    for plies in (1, 4, race.short):
        shorter = Race(race.name, race.layout, race.ghosts, plies, plies, race.goal)
        found = shorter.compiled(plies)
        theirs = in_c(program, race.name, 2, handed(shorter, shorter.state))
        assert (theirs.value, ACTIONS[theirs.action]) == found.line
        assert (theirs.leaves, theirs.generated) == (found.statistics.leaves, found.statistics.generated)
