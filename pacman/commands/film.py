"""`python -m pacman film`: makes films or pictures of recorded games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pacman.commands import options
from pacman.commands.output import files_in, progress_bar, warn_no_sandbox
from pacman.commands.play import MOST
from pacman.core.errors import InputError, counted
from pacman.view.view_protocol import SPEED

if TYPE_CHECKING:
    from pacman.view.film import Film
    from pacman.view.view_protocol import ViewedGame

OutOption = Annotated[
    Path,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="File to write: .gif, .webp or .mp4, or .png for one picture. "
        "Several films go to NAME-1.gif, NAME-2.gif, ...",
    ),
]


def film(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Games recorded with --save.")],
    out: OutOption,
    cell: Annotated[int, typer.Option("--cell", metavar="N", help="Size of one cell, in pixels.")] = 24,
    size: Annotated[
        str,
        typer.Option("--size", metavar="WIDTHxHEIGHT", help="Size of the whole picture, in pixels (replaces --cell)."),
    ] = "",
    speed: Annotated[float, typer.Option("--speed", metavar="N", help="Speed, in rounds per second.")] = SPEED,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="N", help="Stop the film after N seconds; a .png shows its last frame."),
    ] = None,
    theme: options.ThemeOption = "dark",
    overlay: options.OverlayOption = "none",
    tree: Annotated[bool, typer.Option("--tree", help="Show the search tree next to the board.")] = False,
    lecture: Annotated[
        bool,
        typer.Option(
            "--lecture",
            help="Show the search tree in large type; wait before each move of Pacman, first without the values.",
        ),
    ] = False,
    see: options.SeeOption = "",
    see_arguments: options.SeeArgumentOption = [],  # noqa: B006  # typer copies it
    rounds: options.SearchRoundsOption = None,
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", help="Put all games side by side into one film.")
    ] = False,
) -> None:
    """Make films or pictures of recorded games.

    \b
    Examples:
      python -m pacman film game.json --out game.gif
      python -m pacman film game.json --out game.png --seconds 9 --overlay values --see expectimax
      python -m pacman film game.json --out game.gif --tree --see my.py:Mine -a evaluation=better_evaluation
      python -m pacman film game.json --out game.mp4 --lecture --see alphabeta --size 1920x1080 --seconds 60
      python -m pacman film one.json two.json --side-by-side --out both.mp4
    """
    from pacman.commands.search_choice import DEFAULT, choose_search
    from pacman.picture.colours import theme as theme_named
    from pacman.picture.overlays import overlay_name
    from pacman.play.recording import Replay, ReplayError
    from pacman.view.film import Film

    if not 4 <= cell <= 200:
        raise InputError(f"--cell {cell}: expected 4 to 200 pixels")
    if not 0.1 <= speed <= 1000:
        raise InputError(f"--speed {speed:g}: expected 0.1 to 1000 rounds per second")
    options.check_positive("--seconds", seconds, "seconds")
    shows_search = overlay_name(overlay) != "none" or tree or lecture
    search = choose_search(see or DEFAULT, see_arguments, rounds)  # an unknown name is an error in any case
    if (see or see_arguments) and not shows_search:
        problem = "says whose search to show; add --overlay values or --tree to show it"
        raise InputError(f"--see {see or DEFAULT}: {problem}")
    warn_no_sandbox([see, *files_in(see_arguments)])
    settings = Film(
        cell,
        picture_size(size),
        speed,
        seconds,
        theme_named(theme),
        search if shows_search else None,
        overlay,
        tree,
        lecture,
    )
    if side_by_side and (tree or lecture or len(files) > MOST):
        raise InputError(f"--side-by-side: expected at most {MOST} games, no --tree and no --lecture")
    notes = []
    films = [files] if side_by_side else [[file] for file in files]
    for number, together in enumerate(films, 1):
        recordings = [Replay.load(file) for file in together]
        target = out if len(films) == 1 else out.with_stem(f"{out.stem}-{number}")
        frames = film_games(recordings, target, settings)
        plies = max(len(recording.moves) for recording in recordings)
        typer.echo(f"{target}: {counted(frames, 'frame')} of {counted(plies, 'ply')}")
        notes += [recording.note for recording in recordings if recording.note]
    if notes:
        raise ReplayError("; ".join(notes))


def film_games(games: Sequence[ViewedGame], out: Path, settings: Film) -> int:
    """Films games with a progress bar. Returns the number of frames."""
    with progress_bar("filming") as update:
        return settings.write(out, *games, progress=lambda done, total: update(completed=done, total=total))


def picture_size(text: str) -> tuple[int, int] | None:
    """The width and height in a text such as "1280x720", rounded down to even numbers for films. None for ""."""
    if not text:
        return None
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 64 <= int(width) <= 7680 and 64 <= int(height) <= 4320):
        raise InputError(
            f"--size '{text}': expected WIDTHxHEIGHT in pixels, for example 1280x720, from 64x64 to 7680x4320"
        )
    return int(width) // 2 * 2, int(height) // 2 * 2
