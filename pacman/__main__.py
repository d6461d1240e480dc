"""`python -m pacman`: play, watch, replay and film games, and hold the rules against recorded ones."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pacman import cli
from pacman.errors import InputError, nearest
from pacman.game import MAX_PLIES, Game, Result

app = typer.Typer(
    help=__doc__, no_args_is_help=True, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)


class Show(StrEnum):
    """How a game is shown."""

    window = "window"
    text = "text"
    none = "none"


LayoutOption = Annotated[str, typer.Option("--layout", "-l", help="A layout's name, or a .lay file.")]
GhostsOption = Annotated[
    str,
    typer.Option(
        "--ghosts",
        "-g",
        metavar="KIND,KIND,...",
        help="Each ghost in turn: random, directional, optimal or FILE.py:CLASS. By default all are random.",
    ),
]
ArgumentOption = Annotated[
    list[str], typer.Option("--pacman-arg", "-a", metavar="KEY=VALUE", help="An argument of Pacman's, as in rounds=3.")
]
RoundsOption = Annotated[int | None, typer.Option(help="How many rounds everyone who searches looks ahead.")]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same game; the next game takes the next seed.")]
GamesOption = Annotated[int, typer.Option("--games", "-n", help="How many games.")]
ViewOption = Annotated[Show, typer.Option("--view", "-v", help="Where to show it.")]
SpeedOption = Annotated[float, typer.Option(help="Rounds a second.")]
PliesOption = Annotated[int, typer.Option("--max-plies", help="A game is truncated after so many plies.")]
TimeoutOption = Annotated[
    float | None, typer.Option("--move-timeout", metavar="SECONDS", help="A slower move is a fault.")
]
SaveOption = Annotated[
    Path | None, typer.Option("--save", metavar="FILE", help="Record the game; several get FILE-1, FILE-2, ...")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a game.")]

SPEED = 5.0


@app.command()
def play(
    layout: LayoutOption = "smallish",
    pacman: Annotated[str, typer.Option("--pacman", "-p", help="Who plays; you, by default.")] = "keyboard",
    arguments: ArgumentOption = [],  # noqa: B006  # typer copies it
    ghosts: GhostsOption = "",
    rounds: RoundsOption = None,
    seed: SeedOption = 0,
    games: GamesOption = 1,
    view: ViewOption = Show.window,
    speed: SpeedOption = SPEED,
    max_plies: PliesOption = MAX_PLIES,
    move_timeout: TimeoutOption = None,
    save: SaveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play Pacman with the arrow keys, or let an agent play."""
    from agents.pacmen import KeyboardPacman
    from pacman.tally import tally

    if games < 1:
        raise InputError(f"--games {games}: at least 1 game is played")
    if max_plies < 1:
        raise InputError(f"--max-plies {max_plies}: at least 1 ply is played")
    if not 0 < speed < float("inf"):
        raise InputError(f"--speed {speed:g}: a speed is a positive number of rounds a second")
    if move_timeout is not None and not 0 < move_timeout < float("inf"):
        raise InputError(f"--move-timeout {move_timeout:g}: a time limit is a positive number of seconds")
    results: list[Result] = []
    for number in range(games):
        game = _game(layout, pacman, arguments, ghosts, rounds, seed + number, max_plies, move_timeout)
        player = game.agents[0]
        steer = player.press if isinstance(player, KeyboardPacman) else None
        if steer and view is Show.none:
            raise InputError("a keyboard player needs a view: --view window or --view text")
        finished = _show(game, view, speed, steer, _numbered(save, number, games), last=number == games - 1)
        if game.result is not None:
            results.append(game.result)
            typer.echo(json.dumps(game.result.as_json()) if as_json else _sentence(game.result))
        if not finished:
            break
    if games > 1 and results:
        total = tally(results)
        typer.echo(json.dumps(total.as_json()) if as_json else str(total))


@app.command()
def watch(
    layout: LayoutOption = "smallish",
    pacman: Annotated[str, typer.Option("--pacman", "-p", help="The agent to watch.")] = "expectiminimax",
    arguments: ArgumentOption = [],  # noqa: B006
    ghosts: GhostsOption = "",
    rounds: RoundsOption = None,
    seed: SeedOption = 0,
    games: GamesOption = 1,
    view: ViewOption = Show.window,
    speed: SpeedOption = SPEED,
    max_plies: PliesOption = MAX_PLIES,
    move_timeout: TimeoutOption = None,
    save: SaveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Watch an agent play."""
    play(layout, pacman, arguments, ghosts, rounds, seed, games, view, speed, max_plies, move_timeout, save, as_json)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A game recorded with --save.")],
    view: ViewOption = Show.window,
    speed: SpeedOption = SPEED,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded game again; the rules are run again, and must lead to the same positions."""
    from pacman.replay import Replay, ReplayError

    recorded = Replay.load(file)
    _show(recorded, view, speed)
    if recorded.result is not None:
        typer.echo(json.dumps(recorded.result.as_json()) if as_json else _sentence(recorded.result))
    if recorded.note:
        raise ReplayError(recorded.note)


@app.command()
def film(
    file: Annotated[Path, typer.Argument(help="A game recorded with --save.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="A .gif, .webp, or (the last position) .png.")],
) -> None:
    """Turn a recorded game into a moving picture."""
    from pacman.replay import Replay, ReplayError

    recorded = Replay.load(file)
    _film(recorded, out)
    typer.echo(f"{out}: {len(recorded.moves)} plies")
    if recorded.note:
        raise ReplayError(recorded.note)


@app.command()
def demo() -> None:
    """One game of a search agent: in a window where there is a display, otherwise as a picture."""
    from pacman.view.window import display_problem

    game = _game("smallish", "expectiminimax", ["evaluation=better_evaluation"], "random,optimal", None, 4, 600, None)
    if display_problem():
        out = Path("demo.gif")
        _film(game, out)
        typer.echo(f"No display here, so the game went into {out.resolve()}")
    else:
        _show(game, Show.window, SPEED)
    if game.result is not None:
        typer.echo(_sentence(game.result))


@app.command()
def conform(files: Annotated[list[Path], typer.Argument(help="Recordings, JSON lines, packed or plain.")]) -> int:
    """Hold the rules against games that another engine recorded; exit status 1 at the first difference."""
    from pacman.conform import conform as replayed

    status = 0
    for file in files:
        found = replayed(file)
        agreed = f"{file}: {found.games} games, {found.plies} plies agree"
        typer.echo(str(found.difference) if found.difference else agreed)
        status = status or (1 if found.difference else 0)
    return status


@app.command()
def layouts() -> None:
    """The layouts that come with the project."""
    from pacman.layout import Layout, names

    for name in names():
        layout = Layout.load(name)
        size = f"{layout.maze.width:2} x {layout.maze.height:2}"
        typer.echo(f"{name:12} {size}, {len(layout.ghosts)} ghosts, {layout.food.bit_count()} food")


@app.command()
def bench(
    areas: Annotated[list[str] | None, typer.Argument(help="What to measure; everything by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as JSON.")] = False,
    repeats: Annotated[int, typer.Option(help="Interleaved repeats; the medians are reported.")] = 7,
) -> None:
    """Measure the engine beside its yardsticks."""
    from pacman.bench import AREAS, report, run

    if repeats < 1:
        raise InputError(f"--repeats {repeats}: at least 1 repeat is measured")
    for area in areas or ():
        if area not in AREAS:
            raise InputError(f"nothing to measure called '{area}': {nearest(area, AREAS)}")
    figures = run(repeats, tuple(areas or AREAS))
    typer.echo(json.dumps(figures.as_json(), indent=2) if as_json else report(figures))


def _game(
    layout: str,
    pacman: str,
    arguments: list[str],
    ghosts: str,
    rounds: int | None,
    seed: int,
    max_plies: int,
    move_timeout: float | None,
) -> Game:
    """A game ready to be played; InputError for a name, an argument or a number that does not fit."""
    from agents import load
    from pacman.layout import Layout
    from pacman.state import start

    board = Layout.load(layout)
    kinds = [kind.strip() for kind in ghosts.split(",")] if ghosts else ["random"] * len(board.ghosts)
    look = [] if rounds is None else [f"rounds={rounds}"]
    player = load.pacman(pacman, [*arguments, *(look if load.takes(load.PACMEN, pacman, "rounds") else [])])
    spirits = [load.ghost(kind, look if load.takes(load.GHOSTS, kind, "rounds") else []) for kind in kinds]
    if rounds is not None and rounds < 1:
        raise InputError(f"--rounds {rounds}: a search looks at least 1 round ahead")
    counted = [f"{kind.rpartition(':')[2]} {number}" for number, kind in enumerate(kinds, 1)]
    return Game(
        start(board, spirits),
        [player, *spirits],
        [pacman.rpartition(":")[2], *counted],
        seed=seed,
        max_plies=max_plies,
        move_timeout=move_timeout,
    )


def _show(
    showing: Any, view: Show, speed: float, steer: Any = None, save: Path | None = None, last: bool = True
) -> bool:
    """Shows a game to its end, recording it to `save`; False when the viewer left early."""
    from pacman.replay import Recorder

    with ExitStack() as stack:
        if view is Show.window:
            from pacman.view.window import Window, display_problem

            if problem := display_problem():
                raise InputError(problem)
        if save is not None:
            stack.enter_context(Recorder(save, showing))
        if view is Show.none:
            for _ in showing:
                pass
            return True
        if view is Show.text:
            from pacman.view.text import Text

            return Text(sys.stdout, speed=speed, steer=steer).show(showing)
        return Window(speed=speed, steer=steer, hold_end=last).show(showing)


def _film(showing: Any, out: Path) -> None:
    from rich.progress import Progress

    from pacman.view.film import film

    with Progress(transient=True) as progress:
        task = progress.add_task("filming", total=None)
        film(showing, out, progress=lambda done, total: progress.update(task, completed=done, total=total))


def _numbered(save: Path | None, number: int, games: int) -> Path | None:
    return save if save is None or games == 1 else save.with_name(f"{save.stem}-{number + 1}{save.suffix}")


def _sentence(result: Result) -> str:
    if result.fault:
        return f"fault of {result.fault} (score {result.score}, seed {result.seed})"
    return f"{result.outcome}: score {result.score} after {result.plies} plies, seed {result.seed}"


if __name__ == "__main__":
    cli.run(app, "pacman")
