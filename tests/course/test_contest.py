"""`contest`: submissions of a class play the same games in the sandbox; who cannot play is named with the reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.cases import loading
from autograder.cases.case import MatchInput
from autograder.cases.game_seeds import GameKey
from autograder.commands.contest import _match, names_of
from autograder.course.intake.roster import Student
from pacman.play.game import Game
from pacman.view.film import Film
from tests.command_line import run_here
from tests.written_files import write_files

GOOD = """\
from agents.base import ReflexBase


class ReflexAgent(ReflexBase):
    def evaluate_action(self, state, action):
        return {}
"""
BROKEN = GOOD.format("1 / 0")
TEXTS = {
    "class/ada": GOOD.format("-state.successor(action).score"),
    "class/bob": GOOD.format("state.successor(action).score"),
    "class/eve": BROKEN,
    "class/zed": "x = (\n",
    "broken/eve": BROKEN,
}


def test_a_page_names_people_and_adds_the_id_where_a_name_is_not_enough() -> None:
    named = {"4711": "Ada", "4712": "Bob", "4713": "bob", "eve": "", "5": "x" * 9999}
    assert names_of([Student(*each) for each in named.items()]) == ["Ada", "4712 (Bob)", "4713 (bob)", "eve", "x" * 80]


def test_a_hidden_match_is_not_shown_and_more_games_than_the_case_has_get_more_time() -> None:
    loaded = loading.load("multiagent").only("q6")
    last = next(case for case in reversed(loaded.cases) if isinstance(case.input, MatchInput))
    hidden = replace(last, name="99-secret", input=replace(last.input, hidden=True))
    grader: Any = SimpleNamespace(assignment=replace(loaded, cases=(*loaded.cases, hidden)))
    few, many = (_match(grader, "q6", games * last.input.games) for games in (1, 10))
    assert (few.name, few.seconds, many.seconds) == (last.name, last.seconds, 10 * last.seconds)


OPTIONS = ["--assignment", "multiagent", "--question", "q1", "--games", "1", "--allow-unsafe", "--jobs", "1"]


def contest(*words: str) -> tuple[int, list[str]]:
    done = run_here("autograder", "contest", *words)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def test_the_page_has_the_ranking_a_film_and_who_does_not_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a mistake of the user is one line."""
    monkeypatch.chdir(tmp_path)
    files = {f"{student}/student.py": text for student, text in TEXTS.items()}
    write_files(tmp_path, {"course.key": GameKey.new().text, **files})
    words = ["--key", "course.key", *OPTIONS]
    films, write = list[Game](), Film.write
    monkeypatch.setattr(Film, "write", lambda film, out, *games: films.extend(games) or write(film, out, *games))
    status, lines = contest("class", *words)
    assert (status, lines[0]) == (0, "1 game of each agent")
    assert [line.split()[0] for line in lines[1:4]] == ["agent", "bob", "ada"]
    assert [each.result and each.result.score for each in films] == [float(line.split()[2]) for line in lines[2:4]]
    assert lines[4].startswith("does not play: eve: game 1, ply 0: ZeroDivisionError")
    assert lines[5].startswith("does not play: zed: ")
    text = (tmp_path / "contest.html").read_text(encoding="utf-8")
    assert text.index(">bob<") < text.index(">ada<")
    assert 'src="data:image/gif;base64,' in text
    assert "ZeroDivisionError" in text
    (tmp_path / "contest.html").rename("old.html")
    for wrong, line in (
        (["class", *words, "--out", "old.html"], "--out old.html: this file exists already; choose another name"),
        (["class", *words, "--out", "page.txt"], "--out page.txt: expected a name that ends in .html"),
        (["class", *words[:2], "--assignment", "warm-up", "--allow-unsafe"], "no match in assignment 'warm-up'"),
        (["class", *words, "--question", "q9"], "--question: this command takes one question, not q1 and q9"),
        (["class", "--key", "none.key", *OPTIONS], "--key none.key: no such file: did you mean 'course.key'?"),
        (["broken", *words], "broken: nobody can play: eve: game 1, ply 0: ZeroDivisionError"),
        (["nowhere", *words], "nowhere"),
    ):
        status, lines = contest(*wrong)
        assert (status, len(lines)) == (2, 1), lines
        assert line in lines[0]
    assert contest("class", *words[2:], "--out", "practice.html")[0] == 0
    (tmp_path / "practice.html").unlink()
    assert sorted(path.name for path in tmp_path.glob("*.html")) == ["old.html"]
