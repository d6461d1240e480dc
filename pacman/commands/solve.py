"""`python -m pacman solve`: what a search makes of drawn trees, or of a position of Pacman."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isinf, prod
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pacman import kernel
from pacman.core.errors import InputError, nearest
from pacman.core.natural_bounds import natural
from pacman.core.outline import Outline, number
from pacman.core.state import GameState, start
from pacman.core.trace import ExitReason, Trace
from pacman.core.tree import Node
from pacman.play.time_limit import call_with_time_limit
from pacman.search.algorithms import ALGORITHMS, AUTO, STARS, Options, SearchResult, recommended_algorithm, run_search
from pacman.search.bounds import Bounds, constant_bounds
from pacman.search.ordering import ORDERS
from pacman.view.diagram.tree import svg

ROUNDS = 2
LARGE = 100_000
"""Paths from which on the compiled search pays: it takes a second to load, as long as the readable one searches."""
Limits = tuple[float, float]


def solve(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE...", help="Drawn trees (outlines).")] = None,
    algorithm: Annotated[str, typer.Option(help=f"One of: {', '.join([*ALGORITHMS, AUTO])}.")] = "exhaustive",
    plies: Annotated[int | None, typer.Option(help="How far to look ahead; by default to the farthest leaf.")] = None,
    bounds: Annotated[Limits | None, typer.Option(metavar="L U", help="No value lies outside [L, U].")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Alpha-beta cuts when alpha > beta, not when equal.")
    ] = False,
    probes: Annotated[int | None, typer.Option(metavar="K", help="Moves that Star2.5 probes; by default 3.")] = None,
    cyclic: Annotated[bool, typer.Option("--cyclic", help="Probe one move of each outcome in every turn.")] = False,
    order: Annotated[str, typer.Option(help=f"Which actions come first: {', '.join(ORDERS)}.")] = "given",
    trace: Annotated[
        bool, typer.Option("--trace", help="Every node entered: its window, and why it was left.")
    ] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Every algorithm on the same tree.")] = False,
    layout: Annotated[
        str | None, typer.Option(help="Solve the start of a game on this layout, not a drawn tree.")
    ] = None,
    ghosts: Annotated[
        str, typer.Option(metavar="KIND,KIND,...", help="With --layout: random, directional, optimal.")
    ] = "",
    rounds: Annotated[
        int | None, typer.Option(help="With --layout: how many rounds to look ahead; by default 2.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Draw the one tree, and what the search saw of it, to this file."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Solve drawn trees: value, best action, and what the search had to touch."""
    rows: list[dict[str, Any]] = []
    failed = False
    try:
        limits = None if bounds is None else _bounds(*bounds)
        options = Options(bounds=limits, order=order, strict=strict, probes=probes, cyclic=cyclic)
        _check(algorithm, order, plies=plies, rounds=rounds, probes=probes)
        problems = _problems(files or [], layout, ghosts, plies, rounds, options)
        if picture is not None:
            _check_picture(picture, files or [], compare)
    except InputError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    for read in problems:
        try:
            problem = read()
            if compare:
                _print_comparison(problem.name, list(compared(problem)), as_json)
                continue
            found = solved(problem, algorithm, analyse=trace or picture is not None)
            if picture is not None:
                _draw(found, bounds, picture)
        except InputError as error:
            typer.echo(str(error), err=True)
            failed = True
            continue
        rows.append(row(problem, algorithm, found))
        if as_json:
            typer.echo(json.dumps(rows[-1] | ({"trace": list(trace_json(found.trace))} if trace else {})))
        elif trace:
            Console(soft_wrap=True).print(Text("\n".join(trace_lines(found.trace))))
    if rows and not as_json:
        _print(rows)
    if failed:
        raise typer.Exit(2)


# ---- what is asked


@dataclass(frozen=True)
class Problem:
    """One thing to solve: a node, how far to look, and what the search is told."""

    name: str
    node: Node
    plies: int
    options: Options


def _problems(
    files: list[Path], layout: str | None, ghosts: str, plies: int | None, rounds: int | None, options: Options
) -> list[Callable[[], Problem]]:
    """The problems, each made when it is its turn: so a good file is solved beside a bad one."""
    if layout is None and (ghosts or rounds is not None):
        raise InputError("--ghosts and --rounds are for a position: give its --layout")
    if layout is not None and files:
        raise InputError("give drawn trees or a --layout, not both")
    if layout is not None:
        return [partial(_start, layout, ghosts, plies, ROUNDS if rounds is None else rounds, options)]
    if not files:
        raise InputError("nothing to solve: give the files of drawn trees, or a --layout")
    return [partial(_tree, file, plies, options) for file in files]


def _start(layout: str, ghosts: str, plies: int | None, rounds: int, options: Options) -> Problem:
    """The first position of a game, with its natural bounds unless others are given."""
    state = start(layout, [ghost.strip() for ghost in ghosts.split(",")] if ghosts else None)
    options = replace(options, bounds=options.bounds or natural)
    return Problem(layout, state, rounds * len(state.layers) if plies is None else plies, options)


def _tree(file: Path, plies: int | None, options: Options) -> Problem:
    """The tree drawn in `file`; InputError names the file, and the line and column of what is wrong in it."""
    try:
        tree = Outline.parse(file.read_text(encoding="utf-8-sig"), str(file))
    except UnicodeDecodeError:
        raise InputError(f"{file}: not a text file; expected a drawn tree") from None
    except OSError as error:
        raise InputError(f"{file}: {(error.strerror or str(error)).lower()}") from None
    return Problem(str(file), tree, tree.height() if plies is None else plies, options)


def solved(problem: Problem, algorithm: str, analyse: bool = False) -> SearchResult:
    """What `algorithm` finds, by the compiled search where that pays, unless its trace is wanted too (`analyse`).

    InputError names the problem, and what is wrong with its tree.
    """
    node, plies = problem.node, problem.plies
    try:
        if not analyse and isinstance(node, GameState) and _is_large(node, plies):
            return _compiled(algorithm, node, plies, problem.options)
        return run_search(algorithm, node, plies, problem.options)
    except ValueError as error:
        first, _, tree = str(error).partition("\n")
        raise InputError(f"{problem.name}: {first}{' ' + tree.splitlines()[0].strip() if tree else ''}") from None


def _is_large(state: GameState, plies: int) -> bool:
    """True when the tree has some `LARGE` paths or more, by the actions that everyone has now."""
    order = state.round.order
    first = order.index(state.mover)
    ways = [len(state.actions(order[(first + ply) % len(order)])) for ply in range(plies)]
    return prod(ways) >= LARGE


def _compiled(algorithm: str, state: GameState, plies: int, options: Options) -> SearchResult:
    """What `run_search` finds, without the trace; the readable search answers what has no compiled form."""
    chosen = recommended_algorithm(state, plies, options.bounds) if algorithm == AUTO else algorithm
    kernel.prepare(chosen, partial(typer.echo, err=True))
    if kernel.is_available():
        try:
            # In a thread, so that Ctrl-C ends a search that would go on for hours.
            return call_with_time_limit(lambda name: kernel.run_search(name, state, plies, options), chosen, inf)
        except kernel.NotSupported:
            pass
    return run_search(chosen, state, plies, options)


def compared(problem: Problem) -> Iterator[SearchResult]:
    """What every algorithm finds on the same tree; the star searches only where there are bounds."""
    for algorithm in ALGORITHMS:
        if problem.options.bounds is not None or algorithm not in STARS:
            yield solved(problem, algorithm)


# ---- what is wrong with the options


def _check(algorithm: str, order: str, **counts: int | None) -> None:
    for kind, name, known in (("algorithm", algorithm, (*ALGORITHMS, AUTO)), ("order", order, ORDERS)):
        if name not in known:
            raise InputError(f"no {kind} '{name}': {nearest(name, known)}")
    for name, count in counts.items():
        least = 1 if name == "probes" else 0
        if count is not None and count < least:
            raise InputError(f"--{name} is {least} or more, not {count}")


def _bounds(low: float, high: float) -> Bounds:
    try:
        return constant_bounds(low, high)
    except ValueError:
        raise InputError(f"--bounds L U needs two finite numbers, L <= U, not {low:g} {high:g}") from None


def _check_picture(picture: Path, files: list[Path], compare: bool) -> None:
    if picture.suffix.lower() != ".svg":
        raise InputError(f"--picture {picture}: expected a file that ends in .svg")
    if compare:
        raise InputError("--picture draws one search: name its --algorithm, and leave out --compare")
    if len(files) != 1:
        raise InputError(f"--picture draws one drawn tree: give one file, not {len(files) or 'a --layout'}")


# ---- what is printed


def _draw(found: SearchResult, bounds: Limits | None, picture: Path) -> None:
    """Writes the picture of a drawn tree, and of what was found in it; InputError if it cannot be written."""
    try:
        picture.write_text(svg(found, bounds), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--picture {picture}: {(error.strerror or str(error)).lower()}") from None


def row(problem: Problem, algorithm: str, found: SearchResult) -> dict[str, Any]:
    """One answer, as `--json` writes it. `auto` also says what it took."""
    return {
        "file": problem.name,
        "algorithm": algorithm,
        **({"chosen": found.algorithm} if algorithm == AUTO else {}),
        "value": found.value,
        "action": found.action,
        **found.statistics.as_json(),
        "line": list(found.line),
    }


def trace_json(trace: Trace) -> Iterator[dict[str, Any]]:
    """Every node entered, in order; an open end of a window is null."""
    for visit in trace.visits:
        yield {
            "path": list(trace.path(visit.number)),
            "plies": visit.plies,
            "alpha": None if isinf(visit.alpha) else visit.alpha,
            "beta": None if isinf(visit.beta) else visit.beta,
            "why": visit.why.value,
            "value": visit.value,
            "action": visit.action,
            "never_seen": list(visit.unseen),
        }


def trace_lines(trace: Trace) -> Iterator[str]:
    """Every node entered, in order, two spaces a level, and the actions that were never seen."""
    yield "node                          window                   left with"
    for visit in trace.visits:
        path = trace.path(visit.number)
        name = "  " * len(path) + (path[-1] if path else "root")
        value = "" if visit.value is None else number(visit.value)
        why = "" if value and visit.why is ExitReason.VALUE else visit.why.value
        yield f"{name:<30}{f'({visit.alpha:g}, {visit.beta:g})':<25}{'  '.join(filter(None, (value, why)))}"
        for action in visit.unseen:
            yield f"{'  ' * (len(path) + 1) + action:<55}never seen"


def _print(rows: list[dict[str, Any]]) -> None:
    """The answers as a table; the rarer statistics stand in --json alone."""
    shown = ("file", "algorithm", "value", "action", "nodes", "leaves", "expanded", "generated", "cutoffs")
    _print_table([{name: row[name] for name in shown} for row in rows])
    for row in rows:
        if row["line"]:
            typer.echo(f"{row['file']}: {' '.join(row['line'])}")


def _print_comparison(name: str, founds: list[SearchResult], as_json: bool) -> None:
    rows = []
    for found in founds:
        answer = {"file": name, "algorithm": found.algorithm, "value": found.value, "action": found.action}
        took, full = found.statistics, founds[0].statistics.nodes
        rows.append(answer | {"nodes": took.nodes, "leaves": took.leaves, "saved": 1 - took.nodes / full})
    if as_json:
        for row in rows:
            typer.echo(json.dumps(row))
    else:
        _print_table([row | {"saved": f"{row['saved']:.0%}"} for row in rows])


def _print_table(rows: list[dict[str, Any]]) -> None:
    table = Table(*rows[0])
    for row in rows:
        cells = (
            "-" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in row.values()
        )
        table.add_row(*map(Text, cells))
    console = Console()
    if not console.is_terminal:  # into a file or a pipe nothing need be cut off
        console = Console(width=200)
    console.print(table)
