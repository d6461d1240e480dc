"""`python -m autograder contest`: submissions of a class play the same games, in the sandbox; a page shows who won."""

from __future__ import annotations

import os
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from agents.pacmen import ScriptedPacman
from autograder.cases.case import Case, MatchInput, Thresholds
from autograder.cases.game_seeds import GameSeed, practice_seed
from autograder.cases.ghosts import players as ghosts_of
from autograder.commands.options import GradedAssignmentOption, GraderOptions, single
from pacman.commands.app import arg, opt
from pacman.commands.output import aside, check_new, write_new
from pacman.core.errors import InputError, counted, printable
from pacman.play.game import Game, Result
from pacman.play.series import HEADINGS, Duel

if TYPE_CHECKING:
    from autograder.course.intake.exports import Entry
    from autograder.course.intake.roster import Student
    from autograder.grading.grade import Grader

MOST_IN_FILM = 4
CELL, FILM_SECONDS = 16, 90.0
MOST_OF_NAME = 80


@dataclass
class Player:
    """A student's games: their results and all moves of each; or why there are none. The `name` is for people."""

    name: str
    problem: str = ""
    results: list[Result] = field(default_factory=list)
    moves: list[tuple[str, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class ContestOptions(GraderOptions):
    """How the submissions of a contest are run."""

    helpers: Annotated[list[Path] | None, opt("", None, "--with", hidden=True)] = None


def contest(
    export: Annotated[Path, arg("The submissions: a folder, or the zip that a platform exports.", "FOLDER")],
    out: Annotated[Path, opt("Write the page to this new file.", "FILE")] = Path("contest.html"),
    question: Annotated[
        list[str] | None,
        opt("Play with the part of this question, on the board of its last match. [default: the last]", "ID"),
    ] = None,
    games: Annotated[int, opt("Number of games.", "N", "--games", "-n", min=1)] = 20,
    assignment: GradedAssignmentOption = None,
    export_format: Annotated[str, opt("Read the submissions in this layout, as grade-all does.", "NAME")] = "",
    grading: ContestOptions = ContestOptions(),
) -> None:
    """Let the submissions of a class play the same games in the sandbox, and write a page with the ranking.

    The page has a table with wins and mean scores, and a film of the game in which the best four differ most.

    \b
    Examples:
      python -m autograder contest submissions/ --key course.key
      python -m autograder contest export.zip --export-format moodle --key course.key --question q1 --games 50
    """
    check_new("--out", out, ".html")
    grader, steps = grading.packed(assignment, f"{export}: ").unpack()
    seeds = grader.key.seeds("contest") if grader.key else practice_seed
    case = _match(grader, single(question or ()), games)
    from autograder.course.intake import submissions
    from autograder.pages.page import page
    from autograder.sandbox.work_folder import exits_in_order

    entries = list(submissions.find(export, export_format).entries())
    if len(entries) > 1:
        aside(f"{len(entries)} submissions play {counted(games, 'game')} each")
    names, play_one = names_of([entry.student for entry in entries]), partial(play, grader, case, seeds, steps.helpers)
    with exits_in_order(), ThreadPoolExecutor(grading.jobs or os.cpu_count() or 1) as pool:
        players = list(pool.map(play_one, entries, names))
    ranked = [player for player in players if not player.problem]
    absent = [f"{player.name}: {player.problem}" for player in players if player.problem]
    if not ranked:
        raise InputError(f"{export}: nobody can play: {'; '.join(absent[:1]) or 'there is no submission'}")
    table = Duel([player.name for player in ranked], [player.results for player in ranked])
    typer.echo(table)
    for line in absent:
        typer.echo(f"does not play: {line}")
    picture = film(case, seeds, [ranked[number] for number in table.ranking[:MOST_IN_FILM]])
    values = {
        "about": f"{case.question.part} of {counted(len(ranked), 'student')}, {counted(games, 'game')} each",
        "headings": ("student", *HEADINGS[1:]),
        "rows": table.rows,
        "absent": absent,
        "film": f"data:image/gif;base64,{b64encode(picture).decode('ascii')}",
    }
    write_new("--out", out, page("contest.html", "The contest", values))
    typer.echo(f"{out}: the page")


def _match(grader: Grader, question: str, games: int) -> Case:
    """The last public match of the question, or of the last question with one, with so many games and time for them."""
    assignment = grader.assignment.only(question or None)
    for case in reversed(assignment.cases):
        if isinstance(case.input, MatchInput) and not case.input.hidden:
            match = replace(case.input, games=games, steps=Thresholds(wins=(1,)))
            return replace(case, input=match, seconds=case.seconds * max(1, games / case.input.games))
    raise InputError(f"no match in {question or f'assignment {assignment.name!r}'}: name a --question that has one")


def names_of(students: Sequence[Student]) -> list[str]:
    """What the page calls these students: their names, with the id where several have the same name, or none.

    Students type their names on some platforms: so a name is cut, and capital letters do not make names different.
    """
    from autograder.course.intake.roster import compared

    counts = Counter(compared(each.name) for each in students)
    names = (each.name if each.name and counts[compared(each.name)] == 1 else each.named for each in students)
    return [printable(name)[:MOST_OF_NAME] for name in names]


def play(grader: Grader, case: Case, seeds: GameSeed, helpers: Mapping[str, bytes], entry: Entry, name: str) -> Player:
    """The games of one submission, in a sandbox of its own."""
    from autograder.grading.submission import check_import, find_candidate
    from autograder.sandbox import Sandbox, run_case
    from autograder.sandbox.submission_files import with_helpers

    player, path, assignment = Player(name), Path(entry.source), grader.assignment

    def keep(result: Result, moves: tuple[str, ...]) -> None:
        player.results.append(result)
        player.moves.append(moves)

    try:
        if entry.files is None:
            raise InputError(entry.problem or entry.failure)
        files = with_helpers(path, entry.files, helpers)
        with Sandbox(files, assignment.limits, grader.check, grader.api.named_for(assignment)) as sandbox:
            sandbox.main_file = find_candidate(path, sandbox, assignment, grader.api)
            fault = check_import(path, sandbox, assignment, grader.api)
            fault = fault or run_case.run(case, None, sandbox, seeds, keep).fault
            player.problem = printable(fault.text) if fault else ""
    except InputError as error:
        player.problem = printable(str(error))
    return player


def film(case: Case, seeds: GameSeed, players: Sequence[Player]) -> bytes:
    """A film of the game in which these players differ most, side by side. The ghosts move as they did."""
    from pacman.view.film import Film

    match = case.input
    assert isinstance(match, MatchInput)
    number = Duel([player.name for player in players], [player.results for player in players]).most_different
    films = []
    for player in players:
        ghosts = ghosts_of(case)
        agents = 1 + len(ghosts)
        pacman = ScriptedPacman(",".join(player.moves[number][::agents]))
        names = [player.name, *match.ghosts]
        films.append(Game(case.start, [pacman, *ghosts], names, seeds(case, number + 1), match.max_plies))
    with TemporaryDirectory() as folder:
        target = Path(folder) / "film.gif"
        Film(CELL, max_seconds=FILM_SECONDS).write(target, *films)
        return target.read_bytes()
