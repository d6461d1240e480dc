"""`python -m pacman replay`: shows a recorded game again."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands import options
from pacman.commands.output import ResultWriter, files_in, warn_no_sandbox
from pacman.commands.search_choice import DEFAULT, choose_search
from pacman.commands.view_choice import ViewKind, make_view
from pacman.core.errors import InputError
from pacman.play.recording import Replay, ReplayError
from pacman.view.view_protocol import After


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Game recorded with --save.")],
    view: options.ViewOption = ViewKind.window,
    speed: options.SpeedOption = None,
    hold: options.HoldOption = True,
    theme: options.ThemeOption = "dark",
    overlay: options.OverlayOption = "none",
    lecture: options.LectureOption = False,
    see: options.SeeOption = "",
    see_arguments: options.SeeArgumentOption = [],  # noqa: B006  # typer copies it
    rounds: options.SearchRoundsOption = None,
    json_file: options.JsonOption = None,
) -> None:
    """Show a recorded game again, and check that its moves still give the recorded positions.

    \b
    Examples:
      python -m pacman replay game.json
      python -m pacman replay game.json --overlay values --see alphabeta --rounds 3
      python -m pacman replay game.json --view none --json -
    """
    options.check_positive("--speed", speed, "rounds per second")
    if lecture and view is not ViewKind.window:
        raise InputError("--lecture needs a window: leave out --view")
    recording = Replay.load(file)
    with ExitStack() as stack:
        writer = stack.enter_context(ResultWriter(json_file))
        thinks = [choose_search(see or DEFAULT, see_arguments, rounds)]
        warn_no_sandbox([see, *files_in(see_arguments)])
        viewer = make_view(
            view, stack, speed=speed, theme=theme, overlay=overlay, lecture=lecture, hold=hold, thinks=thinks
        )
        while viewer.show(recording) is After.AGAIN:
            pass
        if recording.result is not None:
            writer.result(recording.result)
    if recording.note:
        raise ReplayError(recording.note)
