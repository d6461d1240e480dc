"""`python -m pacman replay` and `film`: recorded games, shown again, played on by somebody else, or as films."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pacman.commands.app import arg, opt
from pacman.commands.options import (
    MOST_AGENTS,
    BoardOptions,
    JsonOption,
    LectureOption,
    OverlayOption,
    SeeOption,
    ThemeOption,
    ViewOptions,
    check_positive,
)
from pacman.commands.play import HoldOption
from pacman.core.errors import InputError, counted
from pacman.view import SPEED

if TYPE_CHECKING:
    from pacman.view import ViewedGame
    from pacman.view.film import Film

FromOption = Annotated[
    int | None, opt("Begin at the position after PLY plies; with --agent, play on there.", "PLY", "--from", min=0)
]
AgentOption = Annotated[
    str,
    opt(
        "Agent that plays on as Pacman: keyboard (you), or an agent with its options, as in minimax:rounds=3 or "
        "FILE.py:CLASS (runs without a sandbox). In the window, the key U uses it. Default for U: expectiminimax.",
        "AGENT",
    ),
]
KeepOption = Annotated[
    Path | None,
    opt("Record the game of who plays on in FILE. Default: beside the recording, as game-branch-1.json, ...", "FILE"),
]
SizeOption = Annotated[str, opt("Size of the whole picture, in pixels. Default: as the board.", "WIDTHxHEIGHT")]
SecondsOption = Annotated[float | None, opt("Stop the film after N seconds; a .png shows its last frame.", "N")]


def replay(
    file: Annotated[Path, arg("Game recorded with --save.", "FILE")],
    see: SeeOption = "",
    view: ViewOptions = ViewOptions(),
    first_ply: FromOption = None,
    agent: AgentOption = "",
    save: KeepOption = None,
    hold: HoldOption = True,
    json_file: JsonOption = None,
) -> None:
    """Show a recorded game again, and check that its moves give the recorded result.

    A person or another agent can play on from any position. That game gets a file of its own, game-branch-1.json.

    \b
    Examples:
      python -m pacman replay game.json
      python -m pacman replay game.json --overlay values --see alphabeta:rounds=3
      python -m pacman replay game.json --from 40 --agent minimax:rounds=3
      python -m pacman replay game.json --view none --json -
    """
    from agents import load
    from agents.analysis import choose_search
    from pacman.commands.games import SUCCESSOR, GameSetup, PlayOn, make_view
    from pacman.commands.output import ResultWriter, warn_no_sandbox
    from pacman.play.recording import GameLine, Replay, ReplayError, branch_files
    from pacman.view import After

    recording = Replay.load(file)
    with ExitStack() as stack:
        writer = stack.enter_context(ResultWriter(json_file))
        thinks = [choose_search(see)]
        warn_no_sandbox([see, agent])
        view.check_person(agent)
        load.make_pacman(agent or SUCCESSOR)  # an error is reported before a window opens
        viewer = make_view(view, stack, thinks, hold=hold)
        play_on = PlayOn(stack, GameSetup(BoardOptions(), agent or SUCCESSOR), branch_files(file, save))
        line, lines = GameLine(recording), []
        if first_ply is not None:
            line.go_to(first_ply)
            if line.ply != first_ply:
                raise InputError(f"--from {first_ply}: expected a ply from 0 to {len(line.plies)}")
        if agent:
            line = play_on.play_on(line, agent)
            lines = [line]
        after = After.AGAIN
        while after is After.AGAIN:
            after, more = play_on.show(viewer, line)
            lines += more
            line = GameLine(recording)
        if recording.result is not None:
            writer.result(recording.result)
        for each in lines:
            if each.result is not None:
                writer.played_on(each, each.result)
    if recording.note:
        raise ReplayError(recording.note)


def film(
    files: Annotated[list[Path], arg("Games recorded with --save; several are side by side.", "FILE")],
    out: Annotated[
        Path,
        opt("File to write: .gif, .webp or .mp4, or .png for one picture.", "FILE", "--out", "-o"),
    ],
    overlay: OverlayOption = "none",
    see: SeeOption = "",
    size: SizeOption = "",
    seconds: SecondsOption = None,
    speed: Annotated[float, opt("Speed, in rounds per second.", "N")] = SPEED,
    tree: Annotated[bool, opt("Show the search tree next to the board.", None, "--tree")] = False,
    lecture: LectureOption = False,
    theme: ThemeOption = "dark",
) -> None:
    """Make a film or a picture of a recorded game, or of several side by side.

    \b
    Examples:
      python -m pacman film game.json --out game.gif
      python -m pacman film game.json --out game.png --seconds 9 --overlay values --see expectimax
      python -m pacman film game.json --out game.gif --tree --see my.py:Mine:evaluation=better_evaluation
      python -m pacman film game.json --out game.mp4 --lecture --see alphabeta --size 1920x1080 --seconds 60
      python -m pacman film one.json two.json --out both.mp4
    """
    from agents.analysis import choose_search
    from pacman.commands.output import check_writable, warn_no_sandbox
    from pacman.picture.colours import theme as theme_named
    from pacman.picture.overlays import overlay_name
    from pacman.play.recording import Replay, ReplayError
    from pacman.view.film import Film

    if not 0.1 <= speed <= 1000:
        raise InputError(f"--speed {speed:g}: expected 0.1 to 1000 rounds per second")
    check_positive("--seconds", seconds, "seconds")
    shows_search = overlay_name(overlay) != "none" or tree or lecture
    search = choose_search(see)  # an unknown name is an error in any case
    if see and not shows_search:
        raise InputError(f"--see {see}: says whose search to show; add --overlay values or --tree to show it")
    if len(files) > 1 and (tree or lecture or len(files) > MOST_AGENTS):
        raise InputError(
            f"{len(files)} recordings side by side: expected at most {MOST_AGENTS}, no --tree and no --lecture"
        )
    warn_no_sandbox([see])
    settings = Film(
        size=picture_size(size),
        speed=speed,
        max_seconds=seconds,
        theme=theme_named(theme),
        analyse=search,
        overlay=overlay,
        tree=tree,
        lecture=lecture,
    )
    check_writable(out)
    recordings = [Replay.load(file) for file in files]
    frames = film_games(recordings, out, settings)
    plies = max(len(recording.moves) for recording in recordings)
    typer.echo(f"{out}: {counted(frames, 'frame')} of {counted(plies, 'ply')}")
    if notes := [recording.note for recording in recordings if recording.note]:
        raise ReplayError("; ".join(notes))


def film_games(games: Sequence[ViewedGame], out: Path, settings: Film) -> int:
    """Films games with a progress bar. Returns the number of frames."""
    from pacman.commands.output import progress_bar

    with progress_bar("filming") as update:
        return settings.write(out, *games, progress=lambda count, total: update(completed=count, total=total))


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
