"""Changed files of every kind: each is read, or refused with one line. Nothing else is raised."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from agents.ghosts import RandomGhost
from agents.pacmen import RandomPacman
from autograder.cases import loading
from autograder.cases.case import Limits, Question
from autograder.cases.right_answer import derive
from autograder.cases.yaml_file import read as read_yaml
from autograder.platforms import cs188_tests
from pacman.core.errors import InputError, printable
from pacman.core.layout import Layout, LayoutError
from pacman.core.state import GameState, start
from pacman.core.tree_text import Outline, OutlineError
from pacman.play.game import Game
from pacman.play.recording import Recorder, Replay, ReplayError
from tests.fuzz.inputs import check_refusal, edited, edited_bytes, edited_value, fuzz, result_or_refusal, written_file
from tests.paths import ROOT
from tests.written_files import write_files

SMALL_FILE = 6_000


def texts(pattern: str, folder: Path = ROOT) -> dict[str, str]:
    """The texts of all small files that match, by their paths in the folder."""
    files = [path for path in sorted(folder.glob(pattern)) if path.is_file() and path.stat().st_size < SMALL_FILE]
    assert files, pattern
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}


@fuzz(edited([*texts("layouts/*.lay").values()]))
def test_layouts(text: str) -> None:
    layout = result_or_refusal(lambda: Layout.parse(text, "fuzz.lay"), LayoutError)
    if layout is not None and len(layout.ghosts) <= 4:  # more ghosts cannot be drawn in every order
        assert Layout.parse(str(layout)).food == layout.food
        state = start(layout)
        assert state.is_terminal or [state.successor(action) for action in state.actions()]


@fuzz(edited([str(start(name)) for name in ("nook", "smallish")] + [str(start("nook", ["optimal"]))]))
def test_positions(text: str) -> None:
    try:
        state = GameState.parse(text)
    except ValueError:  # no user writes a position: only programs do
        return
    assert GameState.parse(str(state)) == state


OUTLINES = [
    *texts("docs/trees/*.txt").values(),
    "chance =Dice\n  a @1/4: 2\n  b @3/4: max ~-1.5\n    c: 5.5\n    d: -1e3\n",
]


@fuzz(edited(OUTLINES))
def test_outlines(text: str) -> None:
    tree = result_or_refusal(lambda: Outline.parse(text, "fuzz.txt"), OutlineError)
    if tree is not None:
        again = Outline.parse(str(tree))
        assert (again, again.size(), again.height()) == (tree, tree.size(), tree.height())


QUESTIONS = {question.id: question for question in loading.load("multiagent").questions}
CASES = [
    (Path(name).parent.name, text) for name, text in texts("autograder/assignments/multiagent/cases/*/*.yaml").items()
]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Question, str]:
    """A case, mostly with its own question."""
    owner, text = draw(st.sampled_from(CASES))
    return QUESTIONS[draw(st.sampled_from((owner, owner, owner, *QUESTIONS)))], draw(edited([text]))


@fuzz(cases())
def test_cases(case: tuple[Question, str]) -> None:
    question, text = case
    with written_file("fuzz.yaml", text) as path:
        loaded = result_or_refusal(lambda: loading.case_of(read_yaml(path), question, Limits()))
        is_small = loaded is not None and loaded.has_truth and getattr(loaded.input, "moves", 1) < 3
        if is_small and getattr(loaded.input, "rounds", 1) < 2 and "layout" not in text:
            result_or_refusal(lambda: derive(loaded))


@fuzz(edited([*texts("autograder/assignments/*/assignment.yaml").values()]))
def test_assignments(text: str) -> None:
    with written_file("assignment.yaml", text) as path:
        result_or_refusal(lambda: loading.load(str(path.parent), growing=True))


def recorded_game() -> list[Any]:
    """The lines of a short recorded game, as values."""
    with written_file("game.json") as path:
        game = Game(start("nook"), [RandomPacman(), RandomGhost()], ["a", "b"], 1, 12)
        with Recorder(path, game):
            game.play()
        return [json.loads(line) for line in path.read_bytes().splitlines()]


def as_lines(values: list[Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


GAME = recorded_game()
CHANGED = edited_value(GAME).filter(lambda each: isinstance(each, list)).map(as_lines)


@fuzz(CHANGED | edited_bytes(st.just(as_lines(GAME))))
def test_recordings(content: bytes) -> None:
    with written_file("game.json", content) as path:
        replay = result_or_refusal(lambda: Replay.load(path), ReplayError)
        if replay is not None:
            result_or_refusal(lambda: list(replay), ReplayError)


COURSE = texts("test_cases/**/*", ROOT / "tests" / "platforms" / "cs188" / "course")
TESTS = [name.removesuffix(".test") for name in COURSE if name.endswith(".test") and "game" not in Path(name).name]


@st.composite
def courses(draw: st.DrawFn) -> dict[str, str]:
    """One test of a course with its solution and CONFIG, one or two of them changed."""
    stem = draw(st.sampled_from(TESTS))
    names = [f"{stem}.test", f"{stem}.solution", f"{stem.rpartition('/')[0]}/CONFIG"]
    files = {name: COURSE[name] for name in names if name in COURSE}
    for name in draw(st.lists(st.sampled_from(sorted(files)), min_size=1, max_size=2)):
        files[name] = draw(edited([files[name]]))
    return files


@fuzz(courses(), divided_by=2)
def test_courses_of_cs188(files: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "course")
        write_files(top, files)
        imported = result_or_refusal(lambda: cs188_tests.convert(top))
        if imported is not None:
            for problem in imported.problems:
                check_refusal(InputError(problem))
            assert printable(imported.summary(top))
            result_or_refusal(lambda: cs188_tests.files(imported, Path(folder, "ours"), "Fuzzed"))


def test_a_message_cuts_the_long_text_that_it_quotes(tmp_path: Path) -> None:
    """Found by the fuzzers: messages of 5,000 characters, and one of several lines."""
    long = "9" * 5_000
    for text in (f"max\n  {long}\n", f"max {long}", f"max\n  {long}: 1\n  {long}: 2\n"):
        assert result_or_refusal(lambda text=text: Outline.parse(text), OutlineError) is None
    with written_file("case.yaml", f"kind: x{long}\n") as case:
        assert result_or_refusal(lambda: loading.case_of(read_yaml(case), QUESTIONS["q2"], Limits())) is None
    with written_file("game.json", as_lines([{**GAME[0], "version": long}, *GAME[1:]])) as game:
        assert result_or_refusal(lambda: Replay.load(game), ReplayError) is None
    write_files(tmp_path, {"long.test": f'class: "{long}"\n', "rows.test": 'class: """\na\nb\n"""\n'})
    problems = cs188_tests.convert(tmp_path).lines()[0]
    assert problems
    for problem in problems:
        check_refusal(InputError(problem))
