"""Play, watch, record and film games; simulate and solve them; measure how fast all of it is."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands import cli, regret
from pacman.commands.stage import (
    Cast,
    Looks,
    Programme,
    Show,
    aside,
    at_least_one,
    filmed,
    picture_size,
    positive,
    progress_bar,
    sentence,
    view_of,
)
from pacman.core.errors import InputError
from pacman.core.layout import Layout, names
from pacman.core.state import start
from pacman.play.game import MAX_PLIES, Result
from pacman.view.pace import SPEED
from pacman.view.protocol import After

app = typer.Typer(
    help=__doc__, no_args_is_help=True, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)


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
SpeedOption = Annotated[float | None, typer.Option(help="Rounds a second.")]
PliesOption = Annotated[int, typer.Option("--max-plies", help="A game is truncated after so many plies.")]
TimeoutOption = Annotated[
    float | None, typer.Option("--move-timeout", metavar="SECONDS", help="A slower move is a fault.")
]
SaveOption = Annotated[
    Path | None, typer.Option("--save", metavar="FILE", help="Record the game; several get FILE-1, FILE-2, ...")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a game.")]

ThemeOption = Annotated[str, typer.Option(help="dark, light or colour-blind.")]
OverlayOption = Annotated[
    str, typer.Option(help="What of the search is drawn on the board: none, values, line, heat or layers.")
]
SeeOption = Annotated[
    str, typer.Option("--see", metavar="SEARCH", help="Whose search an overlay shows: an agent's, or one of `solve`.")
]
CompareOption = Annotated[
    str, typer.Option("--compare", metavar="AGENT,AGENT", help="These beside one another, on the same seed, instead.")
]
HoldOption = Annotated[bool, typer.Option("--hold/--no-hold", help="Keep the window open when the game is over.")]


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
    speed: SpeedOption = None,
    hold: HoldOption = True,
    theme: ThemeOption = "dark",
    overlay: OverlayOption = "none",
    max_plies: PliesOption = MAX_PLIES,
    move_timeout: TimeoutOption = None,
    save: SaveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play Pacman with the arrow keys, or let an agent play."""
    from pacman.commands.insight import insight_of
    from pacman.play.tally import tally

    at_least_one("--games", games, "game")
    at_least_one("--max-plies", max_plies, "ply")
    positive("--speed", speed, "rounds a second")
    positive("--move-timeout", move_timeout, "seconds")
    cast = Cast(layout, pacman, tuple(arguments), ghosts, rounds)
    cast.game(seed, max_plies, move_timeout)  # what does not fit is said before a window opens
    programme = Programme(cast, seed, games, max_plies, move_timeout, save)
    results: list[Result] = []
    with ExitStack() as stack:
        looks = Looks(speed, theme, hold and games == 1, overlay)
        think = insight_of(pacman, arguments, rounds) if view is Show.window else None
        shown = view_of(view, looks, stack, cast.steer, True, think)
        for result in programme.play(shown):
            results.append(result)
            typer.echo(json.dumps(result.as_json()) if as_json else sentence(result))
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
    speed: SpeedOption = None,
    hold: HoldOption = True,
    theme: ThemeOption = "dark",
    overlay: OverlayOption = "none",
    max_plies: PliesOption = MAX_PLIES,
    move_timeout: TimeoutOption = None,
    save: SaveOption = None,
    as_json: JsonOption = False,
    compare: CompareOption = "",
) -> None:
    """Watch an agent play, or several beside one another."""
    if compare:
        from pacman.commands.compare import compared

        if games != 1:
            raise InputError("--compare shows one game of each agent: leave out --games")
        looks, cast = Looks(speed, theme, hold, overlay), Cast(layout, pacman, tuple(arguments), ghosts, rounds)
        for name, result in compared(cast, compare, seed, max_plies, move_timeout, view, looks, save):
            typer.echo(json.dumps({"pacman": name} | result.as_json()) if as_json else f"{name}: {sentence(result)}")
        return
    limits = (max_plies, move_timeout, save, as_json)
    play(layout, pacman, arguments, ghosts, rounds, seed, games, view, speed, hold, theme, overlay, *limits)


@app.command(short_help="Show a recorded game again.")
def replay(
    file: Annotated[Path, typer.Argument(help="A game recorded with --save.")],
    view: ViewOption = Show.window,
    speed: SpeedOption = None,
    hold: HoldOption = True,
    theme: ThemeOption = "dark",
    overlay: OverlayOption = "none",
    see: SeeOption = "exhaustive",
    rounds: RoundsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded game again; the rules are run again, and must lead to the same positions."""
    from pacman.commands.insight import insight
    from pacman.play.replay import Replay, ReplayError

    positive("--speed", speed, "rounds a second")
    recorded = Replay.load(file)
    with ExitStack() as stack:
        think = insight(see, (), rounds)
        shown = view_of(view, Looks(speed, theme, hold, overlay), stack, think=think)
        while shown.show(recorded) is After.AGAIN:
            pass
    if recorded.result is not None:
        typer.echo(json.dumps(recorded.result.as_json()) if as_json else sentence(recorded.result))
    if recorded.note:
        raise ReplayError(recorded.note)


@app.command()
def film(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Games recorded with --save.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="A .gif, .webp or .mp4, or a .png of the last moment; several get OUT-1, OUT-2, ..."
        ),
    ],
    cell: Annotated[int, typer.Option(help="The size of a cell, in pixels.")] = 24,
    size: Annotated[str, typer.Option(metavar="WIDTHxHEIGHT", help="The size of the picture instead.")] = "",
    speed: Annotated[float, typer.Option(help="Rounds a second.")] = SPEED,
    seconds: Annotated[float | None, typer.Option(help="Cut the film, or take the picture, after so long.")] = None,
    theme: ThemeOption = "dark",
    overlay: OverlayOption = "none",
    tree: Annotated[bool, typer.Option("--tree", help="Show the searched tree beside the board.")] = False,
    see: SeeOption = "exhaustive",
    rounds: RoundsOption = None,
    beside: Annotated[bool, typer.Option("--beside", help="All games beside one another, in one film.")] = False,
) -> None:
    """Turn recorded games into moving pictures, or still ones."""
    from pacman.commands.compare import MOST
    from pacman.commands.insight import insight
    from pacman.play.replay import Replay, ReplayError
    from pacman.view.insight.overlay import overlay as known
    from pacman.view.theme import theme as named

    if not 4 <= cell <= 200:
        raise InputError(f"--cell {cell}: 4 to 200 pixels were expected")
    if not 0.1 <= speed <= 1000:
        raise InputError(f"--speed {speed:g}: 0.1 to 1000 rounds a second were expected")
    positive("--seconds", seconds, "seconds")
    looks = {"cell": cell, "size": picture_size(size), "speed": speed, "max_seconds": seconds, "theme": named(theme)}
    think = insight(see, (), rounds) if known(overlay) != "none" or tree else None
    if beside and (tree or len(files) > MOST):
        raise InputError(f"--beside films up to {MOST} games, without --tree")
    notes = []
    reels = [files] if beside else [[file] for file in files]
    for number, reel in enumerate(reels, 1):
        recorded, *others = map(Replay.load, reel)
        target = out if len(reels) == 1 else out.with_stem(f"{out.stem}-{number}")
        frames = filmed(recorded, target, **looks, think=think, overlay=overlay, tree=tree, beside=others)
        plies = max(len(one.moves) for one in (recorded, *others))
        typer.echo(f"{target}: {frames} frames of {plies} plies")
        notes += [one.note for one in (recorded, *others) if one.note]
    if notes:
        raise ReplayError("; ".join(notes))


@app.command(short_help="Watch a game of a search agent.")
def demo() -> None:
    """One game of a search agent: in a window where there is a display, otherwise as a picture."""
    from pacman.commands.insight import insight
    from pacman.view.picture.canvas import demand_display
    from pacman.view.window.window import Window

    pacman = "expectiminimax"
    game = Cast("smallish", pacman, (), "random,optimal").game(seed=2)
    try:
        demand_display()
    except InputError:
        out = Path("demo.gif")
        filmed(game, out)
        typer.echo(f"No display here, so the game went into {out.resolve()}")
    else:
        Window(hold_end=False, thinks=[insight(pacman)]).show(game)
    if game.result is not None:
        typer.echo(sentence(game.result))


@app.command(short_help="Play tic-tac-toe, pig or minesweeper against a search.")
def game(
    name: Annotated[str, typer.Argument(help="tictactoe, pig or minesweeper.")],
    seed: Annotated[int, typer.Option(help="The dice and the mines.")] = 0,
) -> None:
    """Play another game against the same searches, in the terminal."""
    from random import Random

    from pacman.commands.game import run

    run(name, sys.stdin, sys.stdout, Random(seed))


@app.command(short_help="Hold the rules against another engine's games.")
def conform(files: Annotated[list[Path], typer.Argument(help="Recordings, JSON lines, packed or plain.")]) -> int:
    """Hold the rules against games that another engine recorded; exit status 1 at the first difference."""
    from pacman.play.conform import conform as replayed

    status = 0
    for file in files:
        found = replayed(file)
        typer.echo(str(found) if found.difference else f"{file}: {found}")
        status = status or (1 if found.difference else 0)
    return status


@app.command(short_help="Play many games at once, and sum them up.")
def simulate(
    layout: LayoutOption = "smallish",
    pacman: Annotated[str, typer.Option("--pacman", "-p", help="Who plays.")] = "reflex",
    arguments: ArgumentOption = [],  # noqa: B006
    ghosts: GhostsOption = "",
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 10_000,
    seed: SeedOption = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="How many workers; 0 is one a core.")] = 0,
    max_plies: PliesOption = MAX_PLIES,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Play many games at once, and sum them up; the same sums for any number of workers."""
    from pacman.commands.simulate import Plan, simulate
    from pacman.kernel import COMPILING, must_compile

    kinds = tuple(kind.strip() for kind in ghosts.split(",")) if ghosts else ()
    plan = Plan(layout, pacman, kinds, games, seed, tuple(arguments), max_plies)
    plan.check()
    if must_compile("games.play"):
        aside(COMPILING)
    with progress_bar() as progress:
        task = progress.add_task("games", total=games)
        total = simulate(plan, jobs, lambda done: progress.update(task, advance=done))
    typer.echo(json.dumps(total.as_json()) if as_json else str(total))


@app.command("solve-exactly", short_help="The true value of a small board.")
def solve_exactly(
    layout: LayoutOption = "nook",
    ghosts: GhostsOption = "",
    states: Annotated[int, typer.Option(help="Refuse a board with more positions.")] = 2_000_000,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="All values, as numpy arrays (.npz).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """The true value of a small board, and of each first action, under perfect play."""
    from pacman.play.exact import as_json as told
    from pacman.play.exact import prepare, report, solve

    at_least_one("--states", states, "position")
    kinds = [kind.strip() for kind in ghosts.split(",")] if ghosts else None
    root = start(Layout.load(layout), kinds)
    prepare(aside)
    solution = solve(root, states)
    if save is not None:
        solution.save(save)
    typer.echo(json.dumps(told(solution)) if as_json else report(solution))


app.command("regret", short_help="What an agent gives away against perfect play.")(regret.command)


@app.command()
def layouts() -> None:
    """The layouts that come with the project."""
    for name in names():
        layout = Layout.load(name)
        size = f"{layout.maze.width:2} x {layout.maze.height:2}"
        typer.echo(f"{name:12} {size}   ghosts {len(layout.ghosts)}   food {layout.food.bit_count():3}")


if __name__ == "__main__":
    cli.run(app, "pacman")
