"""Games that count are drawn from a key: who knows everything but the key can foretell no ghost."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.cases.game_seeds import GameKey
from autograder.report import json as report_json
from autograder.sandbox import ProcessSession
from pacman.play.game import Game
from tests.command_line import run_here
from tests.every_report import FOR_STUDENTS
from tests.graded import graded, graded_case, graded_text
from tests.paths import SOLUTIONS

KEY = GameKey(hashlib.sha256(b"a key for tests").digest())


def recorded(monkeypatch: pytest.MonkeyPatch) -> tuple[list[tuple[str, dict[str, Any]]], list[int]]:
    """Two lists that the next gradings fill: all requests to the student's process, and the seeds of all games."""
    requests, seeds = list[tuple[str, dict[str, Any]]](), list[int]()
    ask: Callable[..., dict[str, Any]] = ProcessSession.ask
    begin = Game.__post_init__

    def recording_ask(self: ProcessSession, question: str, **arguments: Any) -> dict[str, Any]:
        requests.append((question, arguments))
        return ask(self, question, **arguments)

    def recording_begin(self: Game) -> None:
        seeds.append(self.seed)
        begin(self)

    monkeypatch.setattr(ProcessSession, "ask", recording_ask)
    monkeypatch.setattr(Game, "__post_init__", recording_begin)
    return requests, seeds


@pytest.mark.parametrize("key", [KEY, None], ids=["with a key", "in practice"])
def test_no_seed_goes_to_the_students_process_or_into_a_report(
    key: GameKey | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests, seeds = recorded(monkeypatch)
    card = graded(SOLUTIONS, "q1", "04-nook", key=key)
    assert (card.earned > 0, len(seeds)) == (True, 12)
    sent = {question: set(arguments) for question, arguments in requests}
    assert (sent["begin"], "seed" in sent["load_part"]) == (set(), False)
    assert sent["choose"] <= {"position", "later_position"}
    texts = [dump(card) for dump in (report_json.dump, *FOR_STUDENTS.values())]
    assert not any("seed" in text for text in texts)
    if key is not None:
        for text in (*texts, repr(requests)):
            assert not [seed for seed in seeds if str(seed) in text or f"{seed:x}" in text]
            assert key.text.strip() not in text
        assert key.digest not in repr(requests)


def test_every_game_with_a_key_is_another_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The seed depends on key, submission, case and number; only the same of all gives the same game."""
    _, seeds = recorded(monkeypatch)
    other_file = tmp_path / "solutions.py"
    other_file.write_bytes(SOLUTIONS.read_bytes() + b"# another one\n")
    nook, other_key = "q1/04-nook", GameKey(bytes(32))
    for path, case, key in (
        *((SOLUTIONS, nook, KEY), (SOLUTIONS, "q1/05-pillars", KEY), (SOLUTIONS, nook, other_key)),
        *((other_file, nook, KEY), (SOLUTIONS, nook, KEY)),
    ):
        graded_case(path, case, key=key)
    assert len(set(seeds)) == len(seeds) - 12 == 12 + 5 + 12 + 12
    assert min(seeds) >> 200, "a seed has 256 random bits"
    assert seeds[-12:] == seeds[:12]


def test_an_agent_gets_the_same_random_numbers_with_every_key(tmp_path: Path) -> None:
    text = "import numpy, random\nfrom agents.base import BaseAgent\nclass ReflexAgent(BaseAgent):\n"
    text += "    def choose(self, state):\n"
    text += "        print(self.rng.random(), random.random(), numpy.random.random())\n        return 'Nowhere'\n"
    pairs = ("q1/04-nook", KEY), ("q1/04-nook", None), ("q1/05-pillars", KEY)
    (output,) = {graded_text(tmp_path, text, case, key=key).output for case, key in pairs}
    assert re.fullmatch(r"0\.\d+ 0\.\d+ 0\.\d+", output)


def test_the_result_names_the_key_by_its_digest(tmp_path: Path) -> None:
    file, report = tmp_path / "course.key", tmp_path / "result.json"
    file.write_text(KEY.text, encoding="utf-8")
    done = run_here(
        "autograder", "grade", str(SOLUTIONS), "--case", "q1/04-nook", "--key", str(file), "--json", str(report)
    )
    assert done.stderr == ""
    assert f"games drawn from key {KEY.digest[:12]};" in done.stdout.replace("\n", " ")
    text = report.read_text(encoding="utf-8")
    assert json.loads(text)["key_digest"] == report_json.load(text).key_digest == KEY.digest
    practice = graded(SOLUTIONS, None, "q1/04-nook")
    assert (practice.key_digest, practice.conditions) == ("", practice.level)


def test_a_new_key_is_a_private_file_that_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "course.key"
    options = "autograder", "gradescope", "warm-up", "--key", str(file), "--out"
    done = run_here(*options, str(tmp_path / "a.zip"))
    line = f"{file}: a new key; keep it secret, and use it for the whole course\n"
    assert (done.returncode, done.stderr) == (0, line)
    assert os.name != "posix" or stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    again = run_here(*options, str(tmp_path / "b.zip"))
    assert (again.returncode, again.stderr, file.read_bytes()) == (0, "", before)
    missed = run_here("autograder", "grade", str(SOLUTIONS), "--key", str(tmp_path / "cours.key"))
    problem = f"--key {tmp_path / 'cours.key'}: no such file: did you mean 'course.key'?\n"
    assert (missed.returncode, missed.stderr) == (2, f"python -m autograder: {problem}")
    key = GameKey.load(file)
    assert (key.text.encode(), key.secret.hex() in repr(key)) == (before, False)
    assert GameKey.new() != GameKey.new()


NO_KEY = "not a key; expected one line of 64 hexadecimal digits"
TOO_LARGE = "the file is too large; expected at most 1,000 bytes"
NO_KEYS = (b"", b"12" * 31, b"12" * 33, b"xy" * 32, b"12" * 16 + b"\n" + b"12" * 16, "１２".encode() * 32, b"\xff" * 32)


@pytest.mark.parametrize("command", [["grade", "mine.py"], ["gradescope", "--out", "a.zip"]], ids=lambda each: each[0])
def test_a_bad_key_is_one_line(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for content, problem in (*((content, NO_KEY) for content in NO_KEYS), (b"12" * 1000, TOO_LARGE)):
        Path("bad.key").write_bytes(content)
        done = run_here("autograder", *command, "--key", "bad.key")
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"python -m autograder: bad.key: {problem}\n")
        assert not Path("a.zip").exists()
