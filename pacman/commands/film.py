"""`python -m pacman film`: recorded games as moving pictures, or still ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from pacman.commands import options
from pacman.commands.output import progress_bar
from pacman.commands.play import MOST
from pacman.commands.search_choice import choose_search
from pacman.core.errors import InputError
from pacman.play.recording import Replay, ReplayError
from pacman.view.analysis.overlay import overlay_name
from pacman.view.film.film import film as write_film
from pacman.view.picture.notices import ply_text
from pacman.view.protocol import ViewedGame
from pacman.view.speed import SPEED
from pacman.view.theme import theme as theme_named

OutOption = Annotated[
    Path,
    typer.Option(
        "--out", "-o", help="A .gif, .webp or .mp4, or a .png of the last moment; several get OUT-1, OUT-2, ..."
    ),
]


def film(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Games recorded with --save.")],
    out: OutOption,
    cell: Annotated[int, typer.Option(help="The size of a cell, in pixels.")] = 24,
    size: Annotated[str, typer.Option(metavar="WIDTHxHEIGHT", help="The size of the picture instead.")] = "",
    speed: Annotated[float, typer.Option(help="Rounds a second.")] = SPEED,
    seconds: Annotated[float | None, typer.Option(help="Cut the film, or take the picture, after so long.")] = None,
    theme: options.ThemeOption = "dark",
    overlay: options.OverlayOption = "none",
    tree: Annotated[bool, typer.Option("--tree", help="Show the searched tree beside the board.")] = False,
    see: options.SeeOption = "exhaustive",
    rounds: options.RoundsOption = None,
    beside: Annotated[bool, typer.Option("--beside", help="All games beside one another, in one film.")] = False,
) -> None:
    """Turn recorded games into moving pictures, or still ones."""
    if not 4 <= cell <= 200:
        raise InputError(f"--cell {cell}: 4 to 200 pixels were expected")
    if not 0.1 <= speed <= 1000:
        raise InputError(f"--speed {speed:g}: 0.1 to 1000 rounds a second were expected")
    options.positive("--seconds", seconds, "seconds")
    how = {
        "cell": cell,
        "size": picture_size(size),
        "speed": speed,
        "max_seconds": seconds,
        "theme": theme_named(theme),
        "analyse": choose_search(see, (), rounds) if overlay_name(overlay) != "none" or tree else None,
        "overlay": overlay,
        "tree": tree,
    }
    if beside and (tree or len(files) > MOST):
        raise InputError(f"--beside films up to {MOST} games, without --tree")
    notes = []
    films = [files] if beside else [[file] for file in files]
    for number, together in enumerate(films, 1):
        recorded = [Replay.load(file) for file in together]
        target = out if len(films) == 1 else out.with_stem(f"{out.stem}-{number}")
        frames = film_games(recorded, target, **how)
        plies = max(len(one.moves) for one in recorded)
        typer.echo(f"{target}: {frames} frame{'s' * (frames != 1)} of {ply_text(plies)}")
        notes += [one.note for one in recorded if one.note]
    if notes:
        raise ReplayError("; ".join(notes))


def film_games(showings: Sequence[ViewedGame], out: Path, **how: Any) -> int:
    """Films games behind a progress bar; returns the number of frames."""
    first, *others = showings
    with progress_bar("filming") as update:
        return write_film(
            first, out, beside=others, progress=lambda done, total: update(completed=done, total=total), **how
        )


def picture_size(words: str) -> tuple[int, int] | None:
    """A size as in 1280x720, made even as films need it; None for ""."""
    if not words:
        return None
    wide, _, high = words.lower().partition("x")
    if not (wide.isdecimal() and high.isdecimal() and 64 <= int(wide) <= 7680 and 64 <= int(high) <= 4320):
        raise InputError(f"--size '{words}': expected WIDTHxHEIGHT in pixels, as in 1280x720, from 64x64 to 7680x4320")
    return int(wide) // 2 * 2, int(high) // 2 * 2
