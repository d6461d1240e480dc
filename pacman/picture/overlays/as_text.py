"""What a terminal shows of an overlay: the words below the board, and the colours of cells."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import log

from pacman.core.errors import agent_name
from pacman.core.numbers import format_integer, format_interval
from pacman.core.state import Place
from pacman.picture.game_events import Cell
from pacman.picture.theme import Colour, Theme, blend
from pacman.record.report import SearchReport


def value_words(report: SearchReport) -> list[str]:
    """Each action of the root with its value; the chosen one in brackets."""
    words = [(action, format_interval(*interval, report.decimals) or "?") for action, interval in report.root_intervals]
    return [f"[{action} {word}]" if action == report.action else f"{action} {word}" for action, word in words]


def heat_words(report: SearchReport) -> list[str]:
    """What the colours of the cells mean."""
    most = max((sum(counts.values()) for counts in report.heat), default=0)
    return ["the brighter a cell, the more nodes were expanded there", f"most by one agent: {format_integer(most)}"]


def layer_words(report: SearchReport) -> list[str]:
    """The counts of each layer of the look-ahead."""
    return [
        f"{layer.layer.name}{'' if layer.agent is None else f' {agent_name(layer.agent)}'}: "
        f"{format_integer(layer.generated)} generated, {format_integer(layer.expanded)} expanded, "
        f"{format_integer(layer.cut)} cut"
        for layer in report.layers
    ]


def line_words(report: SearchReport) -> list[str]:
    """The moves of the principal line, each with its agent where it is not Pacman."""
    state = report.root
    moves = []
    for action in report.line:
        agent = getattr(state, "mover", 0)
        moves.append(f"{agent_name(agent)} {action}" if agent else action)
        state = state.successor(action)
    return moves or ["no line: the search chose no action"]


def line_tints(report: SearchReport, theme: Theme) -> dict[Cell, Colour]:
    """The cells of the principal line."""
    return path_tints(report.line_places, theme)


def path_tints(paths: tuple[tuple[Place, ...], ...], theme: Theme) -> dict[Cell, Colour]:
    """The cells of the path of each agent, in a dark shade of its colour; Pacman's are the last."""
    tints: dict[Cell, Colour] = {}
    for agent in reversed(range(len(paths))):
        shade = blend(theme.background, theme.agent(agent), 0.4)
        tints |= {(round(x), round(y)): shade for x, y in paths[agent][1:]}
    return tints


def heat_tints(report: SearchReport, theme: Theme) -> dict[Cell, Colour]:
    """The cells where nodes were expanded, in the colour of the agent with the most of them there."""
    totals: dict[Cell, Counter[int]] = defaultdict(Counter)
    for agent, counts in enumerate(report.heat):
        for (x, y), count in counts.items():
            totals[round(x), round(y)][agent] += count
    most = max((counts.total() for counts in totals.values()), default=1)
    return {
        cell: blend(
            theme.background,
            theme.agent(max(counts, key=lambda agent: counts[agent])),
            0.12 + 0.5 * log(1 + counts.total()) / log(1 + most),
        )
        for cell, counts in totals.items()
    }
