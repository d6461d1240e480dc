"""`python -m pacman replay`: shows a recorded game again, and lets somebody else play on from one of its positions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pacman.commands.shared import options
from pacman.commands.shared.output import ResultWriter, files_in, result_text, warn_no_sandbox
from pacman.commands.shared.view_choice import ViewKind, ViewOptions, make_view
from pacman.core.errors import InputError

if TYPE_CHECKING:
    from pacman.play.game_lines import GameLine, GameTree
    from pacman.play.recording import Recorder, Replay

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
BranchSeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="Random seed of new branches. Default: the recording's.")
]
KeepOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write the recording with its new branches to FILE instead."),
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
    branch: options.BranchOption = 0,
    seed: BranchSeedOption = None,
    save: KeepOption = None,
    json_file: options.JsonOption = None,
) -> None:
    """Show a recorded game again, and check that its moves still give the recorded positions.

    A person or another agent can play on from any position. The branch is kept in the recording, beside the main line.

    \b
    Examples:
      python -m pacman replay game.json
      python -m pacman replay game.json --overlay values --see alphabeta --rounds 3
      python -m pacman replay game.json --from 40 --agent minimax:rounds=3
      python -m pacman replay game.json --view none --json -
    """
    from pacman.commands.shared.game_setup import KEYBOARD, Branching
    from pacman.commands.shared.search_choice import DEFAULT, choose_search
    from pacman.play.recording import Recorder, Replay, ReplayError
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
        viewer = make_view(view_options, stack, thinks)
        tree = recorded_tree(recording)
        line = tree.lines[recording.line(branch).number]
        recorders: list[Recorder] = []

        def recorder() -> Recorder:
            if not recorders:
                recorders.append(stack.enter_context(Recorder(save or file, None, recording)))
            return recorders[0]

        branching = Branching(agent if name not in ("", KEYBOARD) else options.SUCCESSOR, recorder=recorder, seed=seed)
        if first_ply is not None:
            line.go_to(first_ply)
            if line.ply != first_ply:
                raise InputError(f"--from {first_ply}: expected a ply from 0 to {len(line.plies)}")
        if agent:
            if name == KEYBOARD and view is ViewKind.none:
                raise InputError("--agent keyboard: a person needs to see the game; use --view window or text")
            line = branching.branch(tree, line, line.ply, agent)
        while branching.show(viewer, tree, line) is After.AGAIN:
            line.ply, line.is_playing = 0, True
        for each in tree.lines if view is ViewKind.none and not agent else tree.lines[len(recording.all_lines) :]:
            if each is not line:
                deque(each, maxlen=0)  # every line is checked, also those that were not shown
        write_results(writer, [each for each in tree.lines if each is line or each.number])
    notes = [each.note for each in recording.all_lines if each.note]
    if notes:
        raise ReplayError("; ".join(notes))


def write_results(writer: ResultWriter, lines: Iterable[GameLine]) -> None:
    """Writes how each line of play ended, if it did; a branch with its label."""
    for line in lines:
        if line.result is not None:
            is_branch = {"branch": line.number, "from": line.fork, "pacman": line.names[0]} if line.number else {}
            writer.text(f"{line.label}: {result_text(line.result)}" if is_branch else result_text(line.result))
            writer.json(is_branch | line.result.as_json())


def recorded_tree(recording: Replay) -> GameTree:
    """The main line and the branches of a recording."""
    from pacman.play.game_lines import GameLine, GameTree

    tree = GameTree(GameLine(recording))
    for each in recording.branches:
        assert each.parent is not None
        line = tree.add(GameLine(each, tree.lines[each.parent.number], each.fork, has_past=True))
        line.ply = 0
    return tree
