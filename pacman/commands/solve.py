"""`python -m pacman solve`: runs one search, or all, on trees and on the first positions of layouts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf, isinf
from pathlib import Path
from typing import Annotated, Any

import typer

from pacman.commands.app import arg, opt, print_error
from pacman.commands.options import AlgorithmOption, JsonOption, PositionOptions, SearchOptions, check_algorithm
from pacman.commands.output import ResultWriter, aside
from pacman.commands.target import Target, find_target, is_layout
from pacman.core.errors import InputError
from pacman.core.files import write_file
from pacman.core.state import GameState
from pacman.core.tree_text import EXAMPLE, number
from pacman.record.trace import ExitReason, Trace
from pacman.search.algorithms import ALGORITHMS, AUTO, SAME, STARS, SearchResult, run_search

COLUMNS = ("file", "algorithm", "value", "action", "nodes", "leaves", "expanded", "generated", "cutoffs")
"""What the table of results has. Only --json has all statistics."""


def solve(
    targets: Annotated[
        list[str] | None,
        arg(
            f"Text files with trees, trees in one line ({EXAMPLE}), - for the standard input, or layouts.",
            "TREE|LAYOUT",
        ),
    ] = None,
    algorithm: AlgorithmOption = "exhaustive",
    trace: Annotated[
        bool,
        opt("Print each node that the search enters: window, value, and why the search leaves it.", None, "--trace"),
    ] = False,
    explain: Annotated[
        bool,
        opt("Say why this action: how much better it is than the next best, and what follows each.", None, "--why"),
    ] = False,
    compare: Annotated[
        bool, opt("Run every algorithm on the same tree, and compare their nodes.", None, "--compare")
    ] = False,
    picture: Annotated[
        Path | None, opt("Draw the tree, and what the search saw of it, to this file.", "FILE.svg")
    ] = None,
    search: SearchOptions = SearchOptions(),
    position: PositionOptions = PositionOptions(),
    json_file: JsonOption = None,
    layout: Annotated[str | None, opt("", "NAME", "--layout", "-l", hidden=True)] = None,
) -> None:
    """Run a search on a tree or a position: value, best action, and how many nodes the search needs.

    \b
    Examples:
      python -m pacman solve tree.txt
      python -m pacman solve tree.txt --algorithm star2 --bounds 0 20 --trace
      python -m pacman solve tree.txt --algorithm alphabeta --why
      python -m pacman solve tree.txt --compare --bounds 0 20
      python -m pacman solve tree.txt --algorithm alphabeta --picture tree.svg
      python -m pacman solve smallish --ghosts optimal,random --rounds 3 --algorithm auto --json -
    """
    check_algorithm(algorithm)
    targets = [*(targets or []), *([layout] if layout else [])]
    if not targets:
        raise InputError(f"nothing to solve: give a tree (such as {EXAMPLE}), a file with one, or a layout")
    if picture is not None:
        _check_picture(picture, targets, compare)
    if explain and compare:
        raise InputError("--why explains one search: name its --algorithm, and leave out --compare")
    rows, reasons, has_failed = list[dict[str, Any]](), list[str](), False
    with ResultWriter(json_file) as writer:
        for text in targets:
            try:  # an error in one target does not stop the others
                target = find_target(text, search, position)
                if compare:
                    _write_comparison(target, writer)
                    continue
                result = solve_target(target, algorithm, analyse=trace or explain or picture is not None)
                if picture is not None:
                    from pacman.picture.tree import svg

                    write_file(picture, svg(result, search.bounds).encode("utf-8"), "--picture")
                    aside(f"{picture}: written")
            except InputError as error:
                print_error("pacman", str(error))
                has_failed = True
                continue
            rows.append(_row(target, algorithm, result))
            details: dict[str, Any] = {"trace": list(_trace_json(result.trace))} if trace else {}
            if explain:
                details["why"] = _reason(target, result)
                reasons.append(f"{target.name}: {details['why']}")
            writer.json(rows[-1] | details)
            if trace:
                writer.text("\n".join(_trace_lines(result.trace)))
        if rows and writer.prints_text:
            _print_table([{name: row[name] for name in COLUMNS} for row in rows])
            for line in [*(f"{row['file']}: {' '.join(row['line'])}" for row in rows if row["line"]), *reasons]:
                writer.text(line)
    if has_failed:
        raise typer.Exit(2)


def solve_target(target: Target, algorithm: str, analyse: bool = False) -> SearchResult:
    """The result of `algorithm`. With `analyse` it has a trace; without, a large search of a position is compiled.

    InputError names the target, and what is wrong with its tree.
    """
    node, plies, options = target.node, target.plies, target.options
    algorithm = SAME.get(algorithm, algorithm)
    try:
        if isinstance(node, GameState) and not analyse:
            from pacman import compiled
            from pacman.play.own_code import call_with_time_limit

            # In a thread, so that Ctrl-C can end a search that would take hours.
            search = partial(compiled.run_search, algorithm, plies=plies, options=options)
            return call_with_time_limit(search, node, inf)
        return run_search(algorithm, node, plies, options)
    except ValueError as error:
        raise target.error(error) from None


def _check_picture(picture: Path, targets: list[str], compare: bool) -> None:
    if picture.suffix.lower() != ".svg":
        raise InputError(f"--picture {picture}: expected a file that ends in .svg")
    if compare:
        raise InputError("--picture draws one search: name its --algorithm, and leave out --compare")
    if len(targets) != 1 or is_layout(targets[0]):
        raise InputError(f"--picture draws one tree: give one, not {targets[0] if len(targets) == 1 else len(targets)}")


# ---- the output


def _reason(target: Target, result: SearchResult) -> str:
    """Why the search chose its action."""
    from pacman.record.report import report_from_trace
    from pacman.record.why import why

    return why(report_from_trace(result.root, target.plies, result.trace, line=result.line))


def _row(target: Target, algorithm: str, result: SearchResult) -> dict[str, Any]:
    """One result, as `--json` writes it. For `auto` it includes the algorithm that was chosen."""
    return {
        "file": target.name,
        "algorithm": algorithm,
        **({"chosen": result.algorithm} if algorithm == AUTO else {}),
        "value": result.value,
        "action": result.action,
        **result.statistics.as_json(),
        "line": list(result.line),
    }


def _trace_json(trace: Trace) -> Iterator[dict[str, Any]]:
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


def _trace_lines(trace: Trace) -> Iterator[str]:
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


def _write_comparison(target: Target, writer: ResultWriter) -> None:
    """Writes the results of all algorithms on the same tree; of the star searches only if there are bounds."""
    rows, full = list[dict[str, Any]](), 0
    for algorithm in ALGORITHMS:
        if target.options.bounds is not None or algorithm not in STARS:
            result = solve_target(target, algorithm)
            nodes, full = result.statistics.nodes, full or result.statistics.nodes
            answer = {"file": target.name, "algorithm": result.algorithm, "value": result.value}
            counts = {"nodes": nodes, "leaves": result.statistics.leaves, "saved": 1 - nodes / full}
            rows.append(answer | {"action": result.action} | counts)
            writer.json(rows[-1])
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
