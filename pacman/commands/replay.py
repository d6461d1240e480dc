"""`python -m pacman replay`: a recorded game once more."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands import options
from pacman.commands.output import print_result
from pacman.commands.search_choice import choose_search
from pacman.commands.view_choice import ViewKind, make_view
from pacman.play.recording import Replay, ReplayError
from pacman.view.protocol import After


def replay(
    file: Annotated[Path, typer.Argument(help="A game recorded with --save.")],
    view: options.ViewOption = ViewKind.window,
    speed: options.SpeedOption = None,
    hold: options.HoldOption = True,
    theme: options.ThemeOption = "dark",
    overlay: options.OverlayOption = "none",
    see: options.SeeOption = "exhaustive",
    rounds: options.RoundsOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Show a recorded game again; the rules are run again, and must lead to the same positions."""
    options.positive("--speed", speed, "rounds a second")
    recorded = Replay.load(file)
    with ExitStack() as stack:
        thinks = [choose_search(see, (), rounds)]
        shown = make_view(view, stack, speed=speed, theme=theme, overlay=overlay, hold=hold, thinks=thinks)
        while shown.show(recorded) is After.AGAIN:
            pass
    if recorded.result is not None:
        print_result(recorded.result, as_json)
    if recorded.note:
        raise ReplayError(recorded.note)
