"""Why a search chose its action: how much better it is than the next best, and what follows after each of the two.

    why(report)        for example:
    East is 28 better than the next best, West. After West, ghost 1 East, ...: Pacman is caught on ply 7.

Everything comes from the report, so the sentences say what the search found, right or wrong. Ply 1 is the first move
from the searched position. The text has only ASCII characters, so every terminal can print it.
"""

from __future__ import annotations

from math import isfinite, isinf

from pacman.core.errors import agent_name, listed
from pacman.core.numbers import format_interval, format_number, format_probability
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.record.report import UNKNOWN, Interval, ReportNode, SearchReport
from pacman.record.trace import CUTS, ExitReason
from pacman.record.words import ROUNDING, node_in_words

MOVES = 3
"""A story names at most this many moves after the first one; "..." stands for the others."""


def why(report: SearchReport) -> str:
    """Why the search chose its action at the root of the report."""
    root, entry, action, numbers = report.root, report.entry(0), report.action, report.children(0)
    if root.is_terminal:
        return "The game is over here."
    if root.layer is Layer.CHANCE:
        return f"Nobody chooses here: the value is a mean. {_ascii(node_in_words(report, 0))}."
    if action is None or entry is None or entry.why is ExitReason.STOPPED:
        return f"The search chose no action{f' ({report.note})' if report.note else ''}."
    if len(root.actions()) == 1:
        sentences, other = [f"{action} is the only legal action."], None
    else:
        comparison, other = _comparison(report, action)
        unseen = [name for name, interval in report.root_intervals if interval == UNKNOWN and name != action]
        skipped = [f"The search stopped without a look at {listed(unseen)}."] if unseen else []
        sentences = [f"{comparison}.", *skipped]
    if other in numbers:
        sentences.append(_story(report, numbers[other], is_worst=True))
    if action in numbers:
        sentences.append(_story(report, numbers[action], is_worst=False))
    if report.note and len(root.actions()) > 1:
        sentences.append(f"The tree {report.note}.")
    return " ".join(sentences)


# ---- the comparison; all values are seen from the side of who moves at the root: larger is better


def _comparison(report: SearchReport, action: str) -> tuple[str, str | None]:
    """How much better the action is than the others; and the next best one, unless it is as good."""
    sign = 1 if report.root.layer is Layer.MAX else -1
    intervals = {name: _for_mover(interval, sign) for name, interval in report.root_intervals}
    own, root = intervals.pop(action), _for_mover(report.interval(0), sign)
    low, high = max(own[0], root[0]), min(own[1], root[1])  # the root has the value of its best action
    low, high = (low, high) if low <= high else own
    known = {name: interval for name, interval in intervals.items() if interval != UNKNOWN}

    def text(interval: Interval) -> str:
        return _ascii(format_interval(*_for_mover(interval, sign), report.decimals))

    def amount(difference: float, is_exact: bool) -> str:
        number = _ascii(format_number(difference, report.decimals)) if isfinite(difference) else "infinitely much"
        return number if is_exact else f"at least {number}"

    if not text((low, high)):
        return f"The search chose {action}, but shows no value of it", None
    if not known:
        return f"The value of {action} is {text((low, high))}", None
    better, other = max(known, key=lambda name: known[name][0]), max(known, key=lambda name: known[name][::-1])
    (best, most), (other_low, other_high) = known[better], known[other]
    if best > high + _tolerance(high, best):
        words = f"{better} is {amount(best - high, low == high and best == most)} better"
        return f"The search chose {action}, although its own values say that {words}", better
    margin = low - other_high if isfinite(low) and isfinite(other_high) else low if isinf(low) else -other_high
    is_exact = low == high and other_low == other_high
    every = len(known) > 1 and len(known) == len(report.root.actions()) - 1
    others = "every other action" if every else listed(list(known))
    if isinf(margin) or margin < -_tolerance(low, other_high):
        words = f"the value {text((low, high))}, for {other} {text(known[other])}"
        return f"The search found for {action} {words}", None
    if margin > _tolerance(low, other_high):
        mean = " on average" if any(layer.layer is Layer.CHANCE for layer in report.layers) else ""
        than = f"{mean}{'' if sign > 0 else ' for MIN'} than {f'the next best, {other}' if is_exact else others}"
        return f"{action} is {amount(margin, is_exact)} better{than}", other
    if not is_exact:
        return f"{action} is at least as good as {others}; the search needs to know no more", None
    equal, order = [name for name, interval in known.items() if interval == known[other]], list(report.root.actions())
    is_first = all(order.index(action) < order.index(name) for name in equal)
    rule = "the first in order wins" if is_first else "the search took this one"
    return f"{action} is as good as {listed(equal)}; {rule}", None


def _for_mover(interval: Interval, sign: int) -> Interval:
    """The interval from the side of who moves at the root. It is its own inverse."""
    return interval if sign > 0 else (-interval[1], -interval[0])


def _tolerance(*values: float) -> float:
    return ROUNDING * (1 + max((abs(value) for value in values if isfinite(value)), default=0.0))


# ---- the stories


def _story(report: SearchReport, number: int, is_worst: bool) -> str:
    """What the search expects from a successor of the root on, as a sentence.

    Where nobody chooses, it goes on with the outcome that is worst for who moves at the root, or the most probable one.
    If the search does not know the values of all outcomes, it is one case of several, and perhaps not the worst.
    """
    words, plies, has_chance = [report.nodes[number].action], 1, False
    case = "the worst case" if is_worst else "the most probable case"
    while (child := _next(report, number, is_worst)) is not None:
        node, chance = report.nodes[number], ""
        who = agent_name(node.node.mover) if isinstance(node.node, GameState) else node.node.layer.name
        if child.probability is not None and child.probability < 1:
            chance = f" ({'' if has_chance else 'probability '}{format_probability(child.probability)})"
            has_chance = True
            intervals = [report.interval(each) for each in node.children]
            if is_worst and (node.unseen or any(low != high for low, high in intervals)):
                case = "one case"
            if not is_worst and [share for _, share in node.node.outcomes()].count(child.probability) > 1:
                case = "one of the most probable cases"
        words.append(f"{who} {child.action}{chance}")
        number, plies = child.number, plies + 1
    moves = words if len(words) <= MOVES + 2 else [*words[: MOVES + 1], "..."]
    after = f"In {case} after" if has_chance else "After"
    return f"{after} {', '.join(moves)}: {_ending(report, number, plies)}."


def _next(report: SearchReport, number: int, is_worst: bool) -> ReportNode | None:
    """The successor that a story goes on with; None at its end."""
    node, entry = report.nodes[number], report.entry(number)
    if entry is None or (entry.why in (ExitReason.BOUND, ExitReason.PROBE_CUT, ExitReason.KNOWN) and not entry.action):
        return None
    children = [report.nodes[child] for child in node.children if report.interval(child) != UNKNOWN]
    if not children:
        return None
    if node.layer is Layer.CHANCE:
        if not is_worst:
            return max(children, key=lambda child: child.probability or 0.0)
        sign = 1 if report.root.layer is Layer.MAX else -1
        possible = [child for child in children if child.probability]
        return min(possible or children, key=lambda child: sign * _middle(report.interval(child.number)))
    actions = [report.steps[step].action for step in node.steps if report.steps[step].action is not None]
    if actions:
        return next((child for child in children if child.action == actions[-1]), None)
    end, side = (0, 1) if node.layer is Layer.MAX else (1, -1)
    return max(children, key=lambda child: side * report.interval(child.number)[end])


def _middle(interval: Interval) -> float:
    """One number for an interval: its middle, or its finite end."""
    low, high = interval
    return high if isinf(low) else low if isinf(high) else (low + high) / 2


def _ending(report: SearchReport, number: int, plies: int) -> str:
    """Where a story ends: at the end of the game, at the horizon, or where the search went no further."""
    state, entry = report.nodes[number].node, report.entry(number)
    value = _ascii(format_interval(*report.interval(number), report.decimals))
    if isinstance(state, GameState) and state.is_terminal:
        return f"Pacman {'is caught' if state.is_lose else 'wins'} on ply {plies}"
    if state.is_terminal:
        return f"the end on ply {plies} has the utility {value}" if value else f"the end is on ply {plies}"
    if not value:
        return f"the search shows no value on ply {plies}"
    if entry is not None and entry.why is ExitReason.LEAF:
        return f"the search ends on ply {plies} with the evaluation {value}"
    if entry is not None and entry.why is ExitReason.BOUND:
        return f"on ply {plies} the bounds [L, U] alone show that the value is {value}"
    no_further = ", and the search looked no further" if entry is not None and entry.why in CUTS else ""
    return f"on ply {plies} the value is {value}{no_further}"


def _ascii(words: str) -> str:
    """Words without signs that some terminals lack."""
    for sign, text in (("≤", "at most "), ("≥", "at least "), ("−", "-"), ("∞", "infinity"), ("×", "*")):
        words = words.replace(sign, text)
    return words
