"""`python -m autograder check`: checks that an assignment grades right and wrong submissions as it should."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands.app import arg, opt
from pacman.commands.options import JobsOption

RIGHT, PROBLEMS = 0, 1


def check(
    assignment: Annotated[str, arg("The assignment to check: a name, or a folder.", "ASSIGNMENT")] = "multiagent",
    question: Annotated[
        list[str] | None, opt("Check only this question, for example q2; can be repeated.", "ID")
    ] = None,
    mutants: Annotated[
        int | None, opt("Try at most N wrong searches for each question; 0 tries none.", "N", min=0)
    ] = None,
    keys: Annotated[int, opt("Play the games of each match with N drawn keys; 0 plays none.", "N", min=0)] = 20,
    agent: Annotated[
        Path | None,
        opt("Play these games with the agents in FILE instead of the solutions. Only a file that you trust.", "FILE"),
    ] = None,
    jobs: JobsOption = 0,
) -> None:
    """Check an assignment: right submissions get full marks, and wrong ones do not.

    It checks the cases, the parts, the solutions, the stub, the styles, whether the ids, parts, points and the title
    in handout and stub are those of the assignment, and whether the kit grades the stub in an empty folder. A style
    is a file in the folder styles/ with right searches. Then it changes one detail at a time in each style (in the
    assignments of this project: in the solutions) and grades these wrong searches. It lists those that differ from
    the right search on some tree and lose no points (or, with a wrong value, no points for the value) by their kind,
    each with a line of code and, where there is room, such a tree. They are problems if less than 90 % of the wrong
    searches lose points. It also tries the mistakes that the grader knows.

    It also plays the games of each match with other ghosts, and counts with how many keys each goal is reached. The
    solutions must get full marks with at least 99 % of the keys.

    All of it takes several minutes. Exit status: 0 no problem, 1 problems.

    \b
    Examples:
      python -m autograder check multiagent
      python -m autograder check week4 --question minimax --mutants 50
      python -m autograder check multiagent --question q6 --mutants 0 --keys 1000 --agent mine.py
    """
    from autograder.cases import loading
    from autograder.commands import checks
    from pacman.core.errors import counted

    content = loading.load(assignment).only(question)
    workers, problems = jobs or os.cpu_count() or 1, 0
    for result in chain(
        checks.check_without_games(content, workers),
        () if question else checks.check_for_students(content),
        checks.check_games(content, keys, agent, workers) if keys else (),
        checks.check_strength(content, mutants, workers) if checks.changed_files(content) and mutants != 0 else (),
    ):
        typer.echo(f"{result.name:<10}  {result.text}")
        for problem in (*result.details, *result.problems):
            typer.echo("\n".join(f"  {line}".rstrip() for line in problem.splitlines()))
        problems += len(result.problems)
    typer.echo(counted(problems, "problem"))
    raise typer.Exit(PROBLEMS if problems else RIGHT)
