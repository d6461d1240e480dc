"""`python -m pacman solve`: what a search makes of drawn trees, or of a position of Pacman."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf, prod
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pacman import kernel
from pacman.core.bounds import natural
from pacman.core.errors import InputError, nearest
from pacman.core.outline import Outline, number
from pacman.core.state import GameState, start
from pacman.core.trace import Trace, Visit, Why
from pacman.core.tree import Node
from pacman.play.bounded import bounded
from pacman.search.algorithms import ALGORITHMS, AUTO, STARS, Found, Options, advised, find
from pacman.search.bounds import Bounds, everywhere
from pacman.search.ordering import ORDERS
from pacman.view.diagram.tree import svg

FileArguments = Annotated[list[Path] | None, typer.Argument(metavar="FILE...", help="Drawn trees (outlines).")]
AlgorithmOption = Annotated[str, typer.Option(help=f"One of: {', '.join([*ALGORITHMS, AUTO])}.")]
PliesOption = Annotated[int | None, typer.Option(help="How far to look ahead; by default to the farthest leaf.")]
BoundsOption = Annotated[tuple[float, float] | None, typer.Option(metavar="L U", help="No value lies outside [L, U].")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Alpha-beta cuts when alpha > beta, not when equal.")]
ProbesOption = Annotated[int | None, typer.Option(metavar="K", help="Moves that Star2.5 probes; by default 3.")]
CyclicOption = Annotated[bool, typer.Option("--cyclic", help="Probe one move of each outcome in every turn.")]
OrderOption = Annotated[str, typer.Option(help=f"Which actions come first: {', '.join(ORDERS)}.")]
TraceOption = Annotated[bool, typer.Option("--trace", help="Every node entered: its window, and why it was left.")]
CompareOption = Annotated[bool, typer.Option("--compare", help="Every algorithm on the same tree.")]
LayoutOption = Annotated[str | None, typer.Option(help="Solve the start of a game on this layout, not a drawn tree.")]
GhostsOption = Annotated[
    str, typer.Option(metavar="KIND,KIND,...", help="With --layout: random, directional, optimal.")
]
RoundsOption = Annotated[int | None, typer.Option(help="With --layout: how many rounds to look ahead; by default 2.")]
PictureOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE.svg", help="Draw the one tree, and what the search saw of it, to this file."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]

ROUNDS = 2
LARGE = 100_000
"""Paths from which on the compiled search pays: it takes a second to load, as long as the readable one searches."""


def solve(
    files: FileArguments = None,
    algorithm: AlgorithmOption = "exhaustive",
    plies: PliesOption = None,
    bounds: BoundsOption = None,
    strict: StrictOption = False,
    probes: ProbesOption = None,
    cyclic: CyclicOption = False,
    order: OrderOption = "given",
    trace: TraceOption = False,
    compare: CompareOption = False,
    layout: LayoutOption = None,
    ghosts: GhostsOption = "",
    rounds: RoundsOption = None,
    picture: PictureOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve drawn trees: value, best action, and what the search had to touch."""
    rows: list[dict[str, Any]] = []
    failed = False
    try:
        options = Options(
            bounds=None if bounds is None else _bounds(*bounds),
            order=order,
            strict=strict,
            probes=probes,
            cyclic=cyclic,
        )
        _check(algorithm, options, plies, rounds)
        problems = _problems(files or [], layout, ghosts, plies, rounds)
        if picture is not None:
            _check_picture(picture, files or [], compare)
    except InputError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    for read in problems:
        try:
            problem = read()
            if compare:
                table = list(compared(problem, options))
                _print_comparison(problem.name, table, as_json)
                continue
            found = solved(problem, algorithm, options, watched=trace or picture is not None)
            if picture is not None:
                draw(problem, found, bounds, picture)
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


@dataclass(frozen=True)
class Problem:
    """One thing to solve: a node, and how far to look."""

    name: str
    node: Node
    plies: int
    bounds: Bounds | None = None


class _File:
    """A drawn tree, read when it is its turn."""

    def __init__(self, file: Path, plies: int | None) -> None:
        self.file, self.plies = file, plies

    def __call__(self) -> Problem:
        tree = read_outline(self.file)
        return Problem(str(self.file), tree, tree.height() if self.plies is None else self.plies)


class _Start:
    """The first position of a game, its ghosts and its natural bounds."""

    def __init__(self, layout: str, ghosts: str, plies: int | None, rounds: int | None) -> None:
        state = start(layout, [ghost.strip() for ghost in ghosts.split(",")] if ghosts else None)
        rounds = ROUNDS if rounds is None else rounds
        self.problem = Problem(layout, state, rounds * len(state.layers) if plies is None else plies, natural)

    def __call__(self) -> Problem:
        return self.problem


def _problems(
    files: list[Path], layout: str | None, ghosts: str, plies: int | None, rounds: int | None
) -> list[_File | _Start]:
    if layout is None and (ghosts or rounds is not None):
        raise InputError("--ghosts and --rounds are for a position: give its --layout")
    if layout is not None and files:
        raise InputError("give drawn trees or a --layout, not both")
    if layout is not None:
        return [_Start(layout, ghosts, plies, rounds)]
    if not files:
        raise InputError("nothing to solve: give the files of drawn trees, or a --layout")
    return [_File(file, plies) for file in files]


def solved(problem: Problem, algorithm: str, options: Options, watched: bool = False) -> Found:
    """What `algorithm` finds, by the compiled search where that pays, unless its trace is wanted too (`watched`).

    InputError names the problem, and what is wrong with its tree.
    """
    if options.bounds is None:
        options = replace(options, bounds=problem.bounds)
    try:
        if not watched and isinstance(problem.node, GameState) and _is_large(problem.node, problem.plies):
            return _compiled(algorithm, problem.node, problem.plies, options)
        return find(algorithm, problem.node, problem.plies, options)
    except ValueError as error:
        first, _, node = str(error).partition("\n")
        raise InputError(f"{problem.name}: {first}{' ' + node.splitlines()[0].strip() if node else ''}") from None


def _is_large(state: GameState, plies: int) -> bool:
    """True when the tree has some `LARGE` paths or more, by the actions that everyone has now."""
    order = state.round.order
    first = order.index(state.mover)
    ways = [len(state.actions(order[(first + ply) % len(order)])) for ply in range(plies)]
    return prod(ways) >= LARGE


def _compiled(algorithm: str, state: GameState, plies: int, options: Options) -> Found:
    """What `find` finds, without the trace; the readable search answers what has no compiled form."""
    chosen = advised(state, plies, options.bounds) if algorithm == AUTO else algorithm
    kernel.prepare(chosen, aside)
    if kernel.is_there():
        try:
            # In a thread, so that Ctrl-C ends a search that would go on for hours.
            return bounded(lambda name: kernel.find(name, state, plies, options), chosen, inf)
        except kernel.Unsuited:
            pass
    return find(chosen, state, plies, options)


def compared(problem: Problem, options: Options) -> Iterator[Found]:
    """What every algorithm finds on the same tree; the star searches only where there are bounds."""
    known = options.bounds is not None or problem.bounds is not None
    for algorithm in ALGORITHMS:
        if known or algorithm not in STARS:
            yield solved(problem, algorithm, options)


def draw(problem: Problem, found: Found, bounds: tuple[float, float] | None, picture: Path) -> None:
    """Writes a drawn tree, and what was found in it, to the file `picture`; InputError if it cannot be written."""
    assert isinstance(problem.node, Outline)
    try:
        picture.write_text(svg(problem.node, found, bounds), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--picture {picture}: {(error.strerror or str(error)).lower()}") from None


def row(problem: Problem, algorithm: str, found: Found) -> dict[str, Any]:
    """One answer, as `--json` writes it. `auto` also says what it took."""
    statistics = found.statistics.as_json()
    return {
        "file": problem.name,
        "algorithm": algorithm,
        **({"chosen": found.algorithm} if algorithm == AUTO else {}),
        "value": found.value,
        "action": found.action,
        **statistics,
        "line": list(found.line),
    }


def trace_json(trace: Trace) -> Iterator[dict[str, Any]]:
    """Every node entered, in order; an open end of a window is null."""
    for visit in trace.visits:
        yield {
            "path": list(trace.path(visit.number)),
            "plies": visit.plies,
            "alpha": visit.alpha if abs(visit.alpha) != float("inf") else None,
            "beta": visit.beta if abs(visit.beta) != float("inf") else None,
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
        window = f"({visit.alpha:g}, {visit.beta:g})"
        yield f"{name:<30}{window:<25}{_reason(visit)}"
        for action in visit.unseen:
            yield f"{'  ' * (len(path) + 1) + action:<55}never seen"


def _reason(visit: Visit) -> str:
    if visit.value is None:
        return visit.why.value
    value = number(visit.value)
    return value if visit.why is Why.VALUE else f"{value}  {visit.why.value}"


def read_outline(file: Path) -> Outline:
    """The tree drawn in `file`; InputError names the file, and the line and column of what is wrong in it."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{file}: not a text file; expected a drawn tree") from None
    except OSError as error:
        raise InputError(f"{file}: {(error.strerror or str(error)).lower()}") from None
    return Outline.parse(text, str(file))


def aside(line: str) -> None:
    typer.echo(line, err=True)


def _bounds(low: float, high: float) -> Bounds:
    try:
        return everywhere(low, high)
    except ValueError:
        raise InputError(f"--bounds L U needs two finite numbers, L <= U, not {low:g} {high:g}") from None


def _check(algorithm: str, options: Options, plies: int | None, rounds: int | None) -> None:
    if algorithm not in (*ALGORITHMS, AUTO):
        raise InputError(f"no algorithm '{algorithm}': {nearest(algorithm, [*ALGORITHMS, AUTO])}")
    if options.order not in ORDERS:
        raise InputError(f"no order '{options.order}': {nearest(options.order, ORDERS)}")
    for name, count in (("plies", plies), ("rounds", rounds)):
        if count is not None and count < 0:
            raise InputError(f"--{name} is 0 or more, not {count}")
    if options.probes is not None and options.probes < 1:
        raise InputError(f"--probes is 1 or more, not {options.probes}")


def _check_picture(picture: Path, files: list[Path], compare: bool) -> None:
    if picture.suffix.lower() != ".svg":
        raise InputError(f"--picture {picture}: expected a file that ends in .svg")
    if compare:
        raise InputError("--picture draws one search: name its --algorithm, and leave out --compare")
    if len(files) != 1:
        raise InputError(f"--picture draws one drawn tree: give one file, not {len(files) or 'a --layout'}")


def _print(rows: list[dict[str, Any]]) -> None:
    """The answers as a table; the rarer statistics stand in --json alone."""
    shown = ("file", "algorithm", "value", "action", "nodes", "leaves", "expanded", "generated", "cutoffs")
    _table(shown, ([row[name] for name in shown] for row in rows))
    for row in rows:
        if row["line"]:
            typer.echo(f"{row['file']}: {' '.join(row['line'])}")


def _print_comparison(name: str, founds: list[Found], as_json: bool) -> None:
    full = founds[0].statistics.nodes
    header = ("file", "algorithm", "value", "action", "nodes", "leaves", "saved")
    cells = [
        [name, f.algorithm, f.value, f.action, f.statistics.nodes, f.statistics.leaves, 1 - f.statistics.nodes / full]
        for f in founds
    ]
    if as_json:
        for row in cells:
            typer.echo(json.dumps(dict(zip(header, row, strict=True))))
    else:
        _table(header, ([*row[:-1], f"{row[-1]:.0%}"] for row in cells))


def _table(header: Iterable[str], rows: Iterable[list[Any]]) -> None:
    table = Table(*header)
    for row in rows:
        table.add_row(
            *(Text("-" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell)) for cell in row)
        )
    console = Console()
    if not console.is_terminal:  # into a file or a pipe nothing need be cut off
        console = Console(width=200)
    console.print(table)
