"""The C program of the benchmark is the same search as the kernel: same value, action and counts."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numba")

from pacman.kernel.position_tables import ACTIONS
from tests.bench.kernel import RACES, Race, build, c_input, run_c  # needs numba


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    executable = build(tmp_path_factory.mktemp("c"))
    if executable is None:
        pytest.skip("no C compiler installed")
    return executable


@pytest.mark.parametrize("race", [race for race in RACES if race.goal], ids=lambda race: f"{race.name}-{race.layout}")
def test_the_c_program_returns_the_results_of_the_kernel(race: Race, program: Path) -> None:
    for plies in (1, 4, race.short):
        shorter = Race(race.name, race.layout, race.ghosts, plies, plies, race.goal)
        compiled = shorter.compiled(plies)
        in_c = run_c(program, race.name, 2, c_input(shorter, shorter.state))
        assert (in_c.value, ACTIONS[in_c.action]) == compiled.line
        assert (in_c.leaves, in_c.generated) == (compiled.statistics.leaves, compiled.statistics.generated)
