"""Programs that attack the grader. Each must end as its table says, without harm to the honest question.

Elsewhere: programs that foretell ghosts (tests/grading/test_game_key.py), that carry a hidden case's content out
(test_hidden_cases.py), that take all threads or memory (tests/grading/test_ungraded.py), and hostile archives
(test_submission_files.py). What one wall refuses by itself is in test_sandbox.py, and replies of a wrong form are in
test_reader.py and tests/fuzz.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("these walls exist only on Linux", allow_module_level=True)

from autograder.sandbox import SandboxCheck
from tests.sandbox.hostile.attacks import ATTACKS, SHORT_ATTACKS
from tests.sandbox.hostile_lab import SECONDS, Outcome, assert_no_traces, grade_attack, safe_sandbox

pytestmark = pytest.mark.usefixtures("short_diagnoses")

# The value in a claim without a fault is right, the action never is.
PROGRAMS = ATTACKS | SHORT_ATTACKS
AT_IMPORT = {"01_sys_exit_import", "02_os_exit_import", "32_raise_rlimits", "40_env_argv", "64_fake_clock"}

# These need much time before they end. Their time limit is shorter, and may be over first.
SLOW = {"22_memory_bomb", "25_disk_bomb", "64_fake_clock"}
SLOW_SECONDS = 5

# These end at their time limit. They all run at once. Only the attacked case has so little time.
TIME = ("time", "no answer within")
ENDLESS = ["recursion without a limit", *(name for name, (end, _) in PROGRAMS.items() if end == TIME)]
ENDLESS_SECONDS = 1

# What an attack is allowed to get: its own arguments, and constants of the standard library.
LOOT = {"34_read_expected_from_disk": "secrets.py", "35_gc_walk": "HIDDEN", "40_env_argv": "argv"}


@pytest.fixture
def check() -> SandboxCheck:
    return safe_sandbox()


def assert_outcome(outcome: Outcome, name: str) -> None:
    """Fails unless the attacked case ends as it must, without loot, and the honest case has full points."""
    attacked, (end, _) = outcome.attacked, PROGRAMS[name]
    if end is not None and not (name in SLOW and attacked.fault == "time"):
        kind, text = end
        assert attacked.fault == kind, attacked.message
        assert text in attacked.message
    assert attacked.earned < 1, "the attack earned points"
    assert len(attacked.message) <= 400
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", attacked.message + attacked.output)
    if name in AT_IMPORT and attacked.fault:
        assert outcome.honest.message == attacked.message  # both are in the same file
    else:
        assert outcome.honest.earned == 1, outcome.honest.message
    for line in attacked.output.splitlines():
        if line.startswith("loot: "):
            loot = ast.literal_eval(line.removeprefix("loot: "))
            assert all(key.endswith(LOOT.get(name, "nothing")) for key in loot), loot


@pytest.mark.slow("that attack the sandbox", keep=4)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in ENDLESS])
def test_a_hostile_program_ends_as_its_table_says(
    name: str, check: SandboxCheck, tmp_path: Path, skip_diagnoses: Callable[[], None]
) -> None:
    """Most programs also attack the diagnosis, whose processes start like those of the cases."""
    text, seconds = PROGRAMS[name][1], SLOW_SECONDS if name in SLOW else SECONDS
    if "search(state):\n    call(" in text or "search(state):\n    open(" in text:
        skip_diagnoses()  # the walls stop a call there too
    with assert_no_traces():
        outcome = grade_attack(tmp_path, text, check, name in AT_IMPORT, seconds)
    assert_outcome(outcome, name)


@pytest.mark.slow("that attack the sandbox")
def test_programs_that_never_answer_lose_only_their_own_case(check: SandboxCheck, tmp_path: Path) -> None:
    def grade_one(name: str) -> Outcome:
        (tmp_path / name).mkdir()
        return grade_attack(tmp_path / name, PROGRAMS[name][1], check, seconds=ENDLESS_SECONDS)

    with assert_no_traces(), ThreadPoolExecutor(len(ENDLESS)) as pool:
        outcomes = dict(zip(ENDLESS, pool.map(grade_one, ENDLESS), strict=True))
    for name, outcome in outcomes.items():
        assert_outcome(outcome, name)
