"""Programs that attack the grader. Each must end as its table says, without harm to the honest question.

Elsewhere: programs that foretell ghosts (tests/grading/test_game_key.py), that carry a hidden case's content out
(test_hidden_cases.py), that take all threads or memory (tests/grading/test_ungraded.py), and hostile archives
(test_submission_files.py).
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

from autograder.cases import loading
from autograder.grading.grade import grade
from autograder.platforms import submission_api
from autograder.report import json as report_json
from autograder.sandbox import SandboxCheck
from pacman.core.errors import InputError
from tests.every_report import checked
from tests.paths import SOLUTIONS
from tests.sandbox.hostile.attacks import ATTACKS, SHORT_ATTACKS
from tests.sandbox.hostile.whole_submissions import WHOLE
from tests.sandbox.hostile_lab import SECONDS, Outcome, assert_no_traces, grade_attack, run_attack, safe_sandbox

pytestmark = pytest.mark.usefixtures("short_diagnoses")

# The value in a claim without a fault is right, the action never is.
PROGRAMS = ATTACKS | SHORT_ATTACKS
TIME = ("time", "no answer within")
AT_IMPORT = {"01_sys_exit_import", "02_os_exit_import", "32_raise_rlimits", "40_env_argv", "64_fake_clock"}

# These need much time before they end. Their time limit is shorter, and may be over first.
SLOW = {"22_memory_bomb", "25_disk_bomb", "64_fake_clock"}
SLOW_SECONDS = 5

# These end at their time limit. They all run at once. Only the attacked case has so little time.
ENDLESS = ["recursion without a limit", *(name for name, (end, _) in PROGRAMS.items() if end == TIME)]
ENDLESS_SECONDS = 1

# What an attack is allowed to get: its own pipe and arguments, and constants of the standard library.
LOOT = {
    "34_read_expected_from_disk": "secrets.py",
    "35_gc_walk": "HIDDEN",
    "40_env_argv": "argv",
}


@pytest.fixture
def check() -> SandboxCheck:
    return safe_sandbox()


def assert_outcome(outcome: Outcome, end: tuple[str, str] | None, at_import: bool, may_be_late: bool = False) -> None:
    """Fails unless the attacked case ends as it must and the honest case has full points."""
    attacked = outcome.attacked
    if end is not None and not (may_be_late and attacked.fault == "time"):
        kind, text = end
        assert attacked.fault == kind, attacked.message
        assert text in attacked.message
    assert attacked.earned < 1, "the attack earned points"
    assert len(attacked.message) <= 400
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", attacked.message + attacked.output)
    if at_import and attacked.fault:
        assert outcome.honest.message == attacked.message  # both are in the same file
    else:
        assert outcome.honest.earned == 1, outcome.honest.message


def assert_loot(outcome: Outcome, name: str) -> None:
    """Fails if the attack reports that it got more than it is allowed to get."""
    for line in outcome.attacked.output.splitlines():
        if line.startswith("loot: "):
            loot = ast.literal_eval(line.removeprefix("loot: "))
            assert all(key.endswith(LOOT.get(name, "nothing")) for key in loot), loot


@pytest.mark.slow("that attack the sandbox", keep=8)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in ENDLESS])
def test_a_hostile_program_ends_as_its_table_says(
    name: str, check: SandboxCheck, tmp_path: Path, skip_diagnoses: Callable[[], None]
) -> None:
    """Most programs also attack the diagnosis, whose processes start like those of the cases."""
    (end, text), at_import = PROGRAMS[name], name in AT_IMPORT
    if "search(state):\n    call(" in text or "search(state):\n    open(" in text:
        skip_diagnoses()  # the walls stop a call there too
    outcome = run_attack(tmp_path, text, check, at_import, SLOW_SECONDS if name in SLOW else SECONDS)
    assert_outcome(outcome, end, at_import, name in SLOW)
    assert_loot(outcome, name)


@pytest.mark.slow("that attack the sandbox")
def test_programs_that_never_answer_lose_only_their_own_case(check: SandboxCheck, tmp_path: Path) -> None:
    def grade_one(name: str) -> Outcome:
        place = tmp_path / name
        place.mkdir()
        return grade_attack(place, PROGRAMS[name][1], check, seconds=ENDLESS_SECONDS)

    with assert_no_traces(), ThreadPoolExecutor(len(ENDLESS)) as pool:
        outcomes = dict(zip(ENDLESS, pool.map(grade_one, ENDLESS), strict=True))
    for name, outcome in outcomes.items():
        assert_outcome(outcome, PROGRAMS[name][0], at_import=False)
        assert_loot(outcome, name)


@pytest.mark.slow("that attack the sandbox", keep=2)
@pytest.mark.parametrize("name", WHOLE)
def test_a_hostile_submission_earns_only_what_is_right(name: str, check: SandboxCheck, tmp_path: Path) -> None:
    """A neighbour's right file, a link and a private file are beside it. Nothing of them is in the report."""
    api_name, case, most, text, submission = WHOLE[name]
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    (downloads / "bob.py").write_text(SOLUTIONS.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "private.txt").write_text("PRIVATE", encoding="utf-8")
    (downloads / "secret.py").symlink_to(tmp_path / "private.txt")
    (downloads / "eve.py").write_text(submission, encoding="utf-8")
    api = submission_api(api_name)
    assignment = loading.load(api.assignment).only(None, case)
    refusal = ""
    with assert_no_traces():
        try:
            card = checked(grade(downloads / "eve.py", assignment, 1, sandbox_check=check, api=api))
        except InputError as error:
            refusal = str(error)
    if refusal:
        assert (most, "\n" in refusal) == (0, False)
        assert text in refusal
        return
    assert card.earned == pytest.approx(most)
    assert card.is_final
    report = report_json.dump(card)
    assert text in report
    assert "PRIVATE" not in report
    assert "bob" not in report
