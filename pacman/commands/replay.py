"""`python -m pacman replay`: shows a recorded game again, and lets somebody else play on from one of its positions."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands import options
from pacman.commands.output import ResultWriter, files_in, warn_no_sandbox
from pacman.commands.view_choice import ViewKind, ViewOptions, make_view
from pacman.core.errors import InputError

FromOption = Annotated[
    int | None,
    typer.Option(
        "--from", min=0, metavar="PLY", help="Begin at the position after PLY plies; with --agent, play on there."
    ),
]
AgentOption = Annotated[
    str,
    typer.Option(
        "--agent",
        metavar="AGENT",
        help="Agent that plays on as Pacman: keyboard (you), or an agent with its options, as in minimax:rounds=3 or "
        "FILE.py:CLASS (runs without a sandbox). In the window, the key U uses it. "
        f"Default for U: {options.SUCCESSOR}.",
    ),
]
PlayOnSeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="Random seed of who plays on. Default: the recording's.")
]
KeepOption = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Record the game of who plays on in FILE. Default: beside the recording, as game-branch-1.json, ...",
    ),
]


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
    first_ply: FromOption = None,
    agent: AgentOption = "",
    seed: PlayOnSeedOption = None,
    save: KeepOption = None,
    json_file: options.JsonOption = None,
) -> None:
    """Show a recorded game again, and check that its moves give the recorded result.

    A person or another agent can play on from any position. That game gets a file of its own, game-branch-1.json.

    \b
    Examples:
      python -m pacman replay game.json
      python -m pacman replay game.json --overlay values --see alphabeta --rounds 3
      python -m pacman replay game.json --from 40 --agent minimax:rounds=3
      python -m pacman replay game.json --view none --json -
    """
    from agents import load
    from pacman.commands.games import KEYBOARD, PlayOn
    from pacman.commands.search_choice import DEFAULT, choose_search
    from pacman.play.recording import GameLine, Replay, ReplayError, branch_files
    from pacman.view.view_protocol import After

    if lecture and view is not ViewKind.window:
        raise InputError("--lecture needs a window: leave out --view")
    view_options = ViewOptions(view, speed, theme, overlay, lecture, hold)
    recording = Replay.load(file)
    with ExitStack() as stack:
        writer = stack.enter_context(ResultWriter(json_file))
        thinks = [choose_search(see or DEFAULT, see_arguments, rounds)]
        name, arguments = options.agent_and_options(agent)
        warn_no_sandbox([see, *files_in(see_arguments), name, *files_in(arguments)])
        if name == KEYBOARD and view is ViewKind.none:
            raise InputError("--agent keyboard: a person needs to see the game; use --view window or text")
        successor = agent if name not in ("", KEYBOARD) else options.SUCCESSOR
        load.make_pacman(*options.agent_and_options(successor))  # an error is reported before a window opens
        viewer = make_view(view_options, stack, thinks)
        play_on = PlayOn(stack, successor, files=branch_files(file, save), seed=seed)
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
