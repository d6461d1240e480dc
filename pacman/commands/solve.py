"""`python -m pacman solve`: runs one search, or all, on trees in text files or on the first position of a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isinf
from pathlib import Path
from typing import Annotated, Any

import typer

from pacman.commands.app import print_error
from pacman.commands.options import JsonOption, ghosts_option, kinds
from pacman.commands.output import ResultWriter, aside, warn_of_layout
from pacman.core.errors import InputError, nearest
from pacman.core.files import write_file
from pacman.core.state import GameState, start
from pacman.core.tree import Node
from pacman.core.tree_text import EXAMPLE, Outline, number
from pacman.play.own_code import call_with_time_limit
from pacman.record.trace import ExitReason, Trace
from pacman.search.algorithms import ALGORITHMS, AUTO, SAME, STARS, Options, SearchResult, run_search
from pacman.search.bounds import Bounds, constant_bounds, natural
from pacman.search.ordering import ORDERS

ROUNDS = 2
Limits = tuple[float, float]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Cut only if alpha > beta, not if they are equal (alphabeta).")
]
OrderOption = Annotated[
    str, typer.Option("--order", metavar="NAME", help=f"Order of the actions: {', '.join(ORDERS)}.")
]


def solve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help=f"Text files with trees, or trees in one line ({EXAMPLE})."),
    ] = None,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm", metavar="NAME", help=f"Search to use: {', '.join(ALGORITHMS)}, or {AUTO} (chooses for you)."
        ),
    ] = "exhaustive",
    plies: Annotated[
        int | None,
        typer.Option(
            "--plies", metavar="N", help="Search depth in plies. Default: the whole tree; with --layout, see --rounds."
        ),
    ] = None,
    bounds: Annotated[
        Limits | None,
        typer.Option("--bounds", metavar="L U", help="Lowest and highest possible value, for example -10 10."),
    ] = None,
    strict: StrictOption = False,
    probes: Annotated[
        int | None,
        typer.Option(
            "--probes",
            metavar="N",
            help="How many moves to probe after each outcome of chance. Default: 1 (star2), 3 (star2.5).",
        ),
    ] = None,
    order: OrderOption = "given",
    trace: Annotated[
        bool,
        typer.Option(
            "--trace", help="Print each node that the search enters: window, value, and why the search leaves it."
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--why", help="Say why this action: how much better it is than the next best, and what follows each."
        ),
    ] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Run every algorithm on the same tree, and compare their nodes.")
    ] = False,
    layout: Annotated[
        str | None,
        typer.Option(
            "--layout", "-l", metavar="NAME", help="Search the first position of this layout instead of a tree."
        ),
    ] = None,
    ghosts: Annotated[str, ghosts_option(beginning="With --layout: one")] = "",
    rounds: Annotated[
        int | None, typer.Option("--rounds", metavar="N", help=f"With --layout: depth in rounds. Default: {ROUNDS}.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", metavar="FILE.svg", help="Draw the tree, and what the search saw of it, to this file."
        ),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Run a search on a tree or a position: value, best action, and how many nodes the search needs.

    \b
    Examples:
      python -m pacman solve tree.txt
      python -m pacman solve tree.txt --algorithm star2 --bounds 0 20 --trace
      python -m pacman solve tree.txt --algorithm alphabeta --why
      python -m pacman solve tree.txt --compare --bounds 0 20
      python -m pacman solve tree.txt --algorithm alphabeta --picture tree.svg
      python -m pacman solve --layout smallish --ghosts optimal,random --rounds 3 --algorithm auto --json -
    """
    from rich.console import Console
    from rich.text import Text

    limits = None if bounds is None else read_bounds(*bounds)
    options = Options(bounds=limits, order=order, strict=strict, probes=probes)
    check_names_and_counts(algorithm, order, plies=plies, rounds=rounds, probes=probes)
    problems = _problems(files or [], layout, ghosts, plies, rounds, options)
    if picture is not None:
        _check_picture(picture, files or [], compare)
    if explain and compare:
        raise InputError("--why explains one search: name its --algorithm, and leave out --compare")
    rows: list[dict[str, Any]] = []
    reasons: list[str] = []
    has_failed = False
    with ResultWriter(json_file) as writer:
        for read in problems:
            try:
                problem = read()
                if compare:
                    _write_comparison(problem.name, list(compare_algorithms(problem)), writer)
                    continue
                result = solve_problem(problem, algorithm, analyse=trace or explain or picture is not None)
                if picture is not None:
                    _draw(result, bounds, picture)
            except InputError as error:
                print_error("pacman", str(error))
                has_failed = True
                continue
            rows.append(row(problem, algorithm, result))
            details: dict[str, Any] = {"trace": list(trace_json(result.trace))} if trace else {}
            if explain:
                details["why"] = _reason(problem, result)
                reasons.append(f"{problem.name}: {details['why']}")
            writer.json(rows[-1] | details)
            if trace and writer.prints_text:
                Console(soft_wrap=True).print(Text("\n".join(trace_lines(result.trace))))
        if rows and writer.prints_text:
            _print(rows, reasons)
    if has_failed:
        raise typer.Exit(2)


# ---- the problems


@dataclass(frozen=True)
class Problem:
    """A node to solve, the search depth in plies, and the options of the search."""

    name: str
    node: Node
    plies: int
    options: Options


def _problems(
    files: list[Path], layout: str | None, ghosts: str, plies: int | None, rounds: int | None, options: Options
) -> list[Callable[[], Problem]]:
    """Functions that read one problem each: so an error in one file does not stop the others."""
    if layout is None and (ghosts or rounds is not None):
        raise InputError("--ghosts and --rounds are for a position: add --layout")
    if layout is not None and files:
        raise InputError("give files with trees or a --layout, not both")
    if layout is not None:
        return [partial(position_problem, layout, ghosts, plies, ROUNDS if rounds is None else rounds, options)]
    if not files:
        raise InputError(f"nothing to solve: give files with trees (such as {EXAMPLE}), or a --layout")
    return [partial(_tree, file, plies, options) for file in files]


def position_problem(layout: str, ghosts: str, plies: int | None, rounds: int, options: Options) -> Problem:
    """The first position of a game on that layout. Its bounds are the natural ones, unless the options have others."""
    state = start(layout, kinds(ghosts) or None)
    warn_of_layout(layout)
    options = replace(options, bounds=options.bounds or natural)
    return Problem(layout, state, rounds * len(state.layers) if plies is None else plies, options)


def _tree(file: Path, plies: int | None, options: Options) -> Problem:
    tree = Outline.parse(str(file)) if "{" in str(file) else Outline.load(file)
    return Problem(str(file), tree, tree.height() if plies is None else plies, options)


def solve_problem(problem: Problem, algorithm: str, analyse: bool = False) -> SearchResult:
    """The result of `algorithm`. With `analyse` it has a trace; without, the search is compiled where that pays.

    InputError names the problem, and what is wrong with its tree.
    """
    node, plies, algorithm = problem.node, problem.plies, SAME.get(algorithm, algorithm)
    try:
        if not analyse and isinstance(node, GameState):
            return _search_position(algorithm, node, plies, problem.options)
        return run_search(algorithm, node, plies, problem.options)
    except ValueError as error:
        raise search_error(problem.name, error) from None


def search_error(name: str, error: ValueError) -> InputError:
    """What is wrong with the tree called `name`, on one line, when a search of it raised `error`."""
    first, _, tree = str(error).partition("\n")
    return InputError(f"{name}: {first}{' ' + tree.splitlines()[0].strip() if tree else ''}")


def _search_position(algorithm: str, state: GameState, plies: int, options: Options) -> SearchResult:
    """The result of `run_search` without its trace: compiled if the search is large and the kernel supports it."""
    from pacman import compiled

    name = compiled.compiled_name(algorithm, state, plies, options)
    nodes = compiled.expected_nodes(name, state, plies)
    if name in compiled.COMPILED and compiled.load(name, nodes, aside):
        try:
            # In a thread, so that Ctrl-C can end a search that would take hours.
            return call_with_time_limit(lambda search: compiled.run_search(search, state, plies, options), name, inf)
        except compiled.NotSupported:
            pass
    return run_search(name, state, plies, options)


def compare_algorithms(problem: Problem) -> Iterator[SearchResult]:
    """The result of every algorithm on the same tree; of the star searches only if there are bounds."""
    for algorithm in ALGORITHMS:
        if problem.options.bounds is not None or algorithm not in STARS:
            yield solve_problem(problem, algorithm)


# ---- errors in the options


def check_names_and_counts(algorithm: str, order: str, **counts: int | None) -> None:
    """InputError for an algorithm or a move order that does not exist, and for a count that is too small."""
    for kind, name, known in (("algorithm", algorithm, (*ALGORITHMS, AUTO, *SAME)), ("move order", order, ORDERS)):
        if name not in known:
            raise InputError(f"no {kind} '{name}': {nearest(name, known)}")
    for name, count in counts.items():
        least = 1 if name == "probes" else 0
        if count is not None and count < least:
            raise InputError(f"--{name} {count}: expected {least} or more")


def read_bounds(low: float, high: float) -> Bounds:
    """The bounds that the option --bounds gives. InputError unless they are finite and low <= high."""
    try:
        return constant_bounds(low, high)
    except ValueError:
        raise InputError(
            f"--bounds {low:g} {high:g}: expected two finite numbers L U with L <= U, for example --bounds -10 10"
        ) from None


def _check_picture(picture: Path, files: list[Path], compare: bool) -> None:
    if picture.suffix.lower() != ".svg":
        raise InputError(f"--picture {picture}: expected a file that ends in .svg")
    if compare:
        raise InputError("--picture draws one search: name its --algorithm, and leave out --compare")
    if len(files) != 1:
        raise InputError(f"--picture draws one tree: give one file, not {len(files) or 'a --layout'}")


# ---- the output


def _draw(result: SearchResult, bounds: Limits | None, picture: Path) -> None:
    """Writes the picture of a tree, and of what the search saw of it. InputError if the file cannot be written."""
    from pacman.picture.tree import svg

    write_file(picture, svg(result, bounds).encode("utf-8"), "--picture")


def _reason(problem: Problem, result: SearchResult) -> str:
    """Why the search chose its action."""
    from pacman.record.report import report_from_trace
    from pacman.record.why import why

    return why(report_from_trace(result.root, problem.plies, result.trace, line=result.line))


def row(problem: Problem, algorithm: str, result: SearchResult) -> dict[str, Any]:
    """One result, as `--json` writes it. For `auto` it includes the algorithm that was chosen."""
    return {
        "file": problem.name,
        "algorithm": algorithm,
        **({"chosen": result.algorithm} if algorithm == AUTO else {}),
        "value": result.value,
        "action": result.action,
        **result.statistics.as_json(),
        "line": list(result.line),
    }


def trace_json(trace: Trace) -> Iterator[dict[str, Any]]:
    """Each node that the search entered, in order. An infinite end of a window is null."""
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
    """Each node that the search entered, in order, indented by its depth; and the actions that it never saw."""
    yield "node                          window                   value, reason for leaving"
    for visit in trace.visits:
        path = trace.path(visit.number)
        name = "  " * len(path) + (path[-1] if path else "root")
        value = "" if visit.value is None else number(visit.value)
        why = "" if value and visit.why is ExitReason.VALUE else visit.why.value
        yield f"{name:<30}{f'({visit.alpha:g}, {visit.beta:g})':<25}{'  '.join(filter(None, (value, why)))}"
        for action in visit.unseen:
            yield f"{'  ' * (len(path) + 1) + action:<55}never seen"


def _print(rows: list[dict[str, Any]], reasons: list[str]) -> None:
    """Prints the results as a table, then the lines of play and the reasons. Only --json has all statistics."""
    columns = ("file", "algorithm", "value", "action", "nodes", "leaves", "expanded", "generated", "cutoffs")
    _print_table([{name: row[name] for name in columns} for row in rows])
    for row in rows:
        if row["line"]:
            typer.echo(f"{row['file']}: {' '.join(row['line'])}")
    for reason in reasons:
        typer.echo(reason)


def _write_comparison(name: str, results: list[SearchResult], writer: ResultWriter) -> None:
    rows = []
    for result in results:
        answer = {"file": name, "algorithm": result.algorithm, "value": result.value, "action": result.action}
        counts, full = result.statistics, results[0].statistics.nodes
        rows.append(answer | {"nodes": counts.nodes, "leaves": counts.leaves, "saved": 1 - counts.nodes / full})
    for row in rows:
        writer.json(row)
    if writer.prints_text:
        _print_table([row | {"saved": f"{row['saved']:.0%}"} for row in rows])


def _print_table(rows: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*rows[0])
    for row in rows:
        cells = (
            "-" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in row.values()
        )
        table.add_row(*map(Text, cells))
    console = Console()
    if not console.is_terminal:  # in a file or a pipe no column needs to be cut
        console = Console(width=200)
    console.print(table)
