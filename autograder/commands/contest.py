"""`python -m autograder contest`: submissions of a class play the same games, in the sandbox; a page shows who won."""

from __future__ import annotations

import os
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.commands.options import (
    AllowUnsafeOption,
    GradedAssignmentOption,
    GraderOptions,
    ImpliedApiOption,
    JobsOption,
    single,
)
from pacman.commands.app import arg, opt
from pacman.commands.output import aside, check_new, write_new
from pacman.core.errors import InputError, counted, printable

if TYPE_CHECKING:
    from autograder.cases.case import Case
    from autograder.cases.game_seeds import GameSeed
    from autograder.course.intake.exports import Entry
    from autograder.course.intake.roster import Student
    from autograder.grading.grade import Grader
    from pacman.play.game import Result

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


def contest(
    export: Annotated[Path, arg("The submissions: a folder, or the zip that a platform exports.", "FOLDER")],
    key: Annotated[Path, opt("Draw the ghosts from the key in this file.", "FILE")],
    out: Annotated[Path, opt("Write the page to this new file.", "FILE")] = Path("contest.html"),
    question: Annotated[
        list[str] | None,
        opt("Play with the part of this question, on the board of its last match. [default: the last]", "ID"),
    ] = None,
    games: Annotated[int, opt("Number of games.", "N", "--games", "-n", min=1)] = 20,
    assignment: GradedAssignmentOption = None,
    api: ImpliedApiOption = None,
    export_format: Annotated[str, opt("Read the submissions in this layout, as grade-all does.", "NAME")] = "",
    allow_unsafe: AllowUnsafeOption = False,
    jobs: JobsOption = 0,
) -> None:
    """Let the submissions of a class play the same games in the sandbox, and write a page with the ranking.

    The page has a table with wins and mean scores, and a film of the game in which the best four differ most.

    \b
    Examples:
      python -m autograder contest submissions/ --key course.key
      python -m autograder contest export.zip --export-format moodle --key course.key --question q1 --games 50
    """
    check_new("--out", out, ".html")
    from autograder.course.intake import submissions
    from autograder.pages.page import page
    from autograder.sandbox.work_folder import exits_in_order
    from pacman.play.series import HEADINGS, Duel

    grader = GraderOptions(None, api, key, allow_unsafe, jobs).packed(assignment, f"{export}: ").unpack()[0]
    case = _match(grader, single(question or ()), games)
    assert grader.key is not None
    seeds = grader.key.seeds("contest")
    entries = list(submissions.find(export, export_format).entries())
    if len(entries) > 1:
        aside(f"{len(entries)} submissions play {counted(games, 'game')} each")
    with exits_in_order(), ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        names = names_of([entry.student for entry in entries])
        players = list(pool.map(lambda entry, name: play(grader, case, seeds, entry, name), entries, names))
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
    from autograder.cases.case import MatchInput, Thresholds

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


def play(grader: Grader, case: Case, seeds: GameSeed, entry: Entry, name: str) -> Player:
    """The games of one submission, in a sandbox of its own."""
    from autograder.grading.submission import check_import, find_candidate
    from autograder.sandbox import Sandbox, run_case

    player, files = Player(name), entry.files
    if files is None:
        return replace(player, problem=printable(entry.problem or entry.failure))

    def keep(result: Result, moves: tuple[str, ...]) -> None:
        player.results.append(result)
        player.moves.append(moves)

    path = Path(entry.source)
    try:
        api = grader.api.named_for(grader.assignment)
        with Sandbox(files, grader.assignment.limits, grader.check, api) as sandbox:
            sandbox.main_file = find_candidate(path, sandbox, grader.assignment, grader.api)
            fault = check_import(path, sandbox, grader.assignment, grader.api)
            fault = fault or run_case.run(case, None, sandbox, seeds, keep).fault
    except InputError as error:
        return replace(player, problem=printable(str(error)))
    return replace(player, problem=printable(fault.text)) if fault else player


def film(case: Case, seeds: GameSeed, players: Sequence[Player]) -> bytes:
    """A film of the game in which these players differ most, side by side. The ghosts move as they did."""
    from agents.pacmen import ScriptedPacman
    from autograder.cases.case import MatchInput
    from autograder.cases.ghosts import players as ghosts_of
    from pacman.play.game import Game
    from pacman.play.series import Duel
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
