"""Why a search chose its action: how much better it is than the next best, and what follows after each of the two.

    why(report).words        for example:
    East is 28 better than the next best, West. After West, ghost 1 East, ...: Pacman is caught on ply 7.

Everything comes from the report, so the sentences say what the search found, right or wrong. Ply 1 is the first move
from the searched position. The text has only ASCII characters, so every terminal can print it.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Story:
    """What the search expects after an action: the actions from the root, and where they end.

    At a node where nobody chooses, the story takes the outcome that is worst for who moves at the root, or for the
    chosen action the most probable one. `interval` is what the search knows about the value at the last node.
    """

    actions: tuple[str, ...]
    node: int
    interval: Interval
    ending: str
    words: str
    is_lost: bool = False
    """True if Pacman is caught at the end."""


@dataclass(frozen=True)
class Why:
    """The comparison of the chosen action with the next best, and the stories of both.

    `margin` is how much better the action is for who moves at the root; at least so much if it is not `is_exact`. It
    is negative if the search chose a worse action. All three are None if there is nothing to compare with.
    """

    words: str
    action: str | None = None
    other: str | None = None
    margin: float | None = None
    is_exact: bool = False
    other_story: Story | None = None
    story: Story | None = None


def why(report: SearchReport) -> Why:
    """Why the search chose its action at the root of the report."""
    root = report.root
    if root.is_terminal:
        return Why("The game is over here.")
    if root.layer is Layer.CHANCE:
        return Why(f"Nobody chooses here: the value is a mean. {_ascii(node_in_words(report, 0))}.")
    entry = report.entry(0)
    if report.action is None or entry is None or entry.why is ExitReason.STOPPED:
        reason = f" ({report.note})" if report.note else ""
        return Why(f"The search chose no action{reason}.")
    action = report.action
    numbers = report.children(0)
    story = _story(report, numbers[action], is_worst=False) if action in numbers else None
    if len(root.actions()) == 1:
        return Why(" ".join([f"{action} is the only legal action.", *_sentences(story)]), action, story=story)
    comparison, other, margin, is_exact = _comparison(report, action)
    has_other_story = other in numbers and margin != 0
    other_story = _story(report, numbers[other], is_worst=True) if other is not None and has_other_story else None
    sentences = [comparison, *_sentences(other_story), *_sentences(story, other_story)]
    if report.note:
        sentences.append(f"The tree {report.note}.")
    return Why(" ".join(sentences), action, other, margin, is_exact, other_story, story)


# ---- the comparison


def _comparison(report: SearchReport, action: str) -> tuple[str, str | None, float | None, bool]:
    """The first sentence, the next best action, and the margin (see `Why`)."""
    sign = 1 if report.root.layer is Layer.MAX else -1
    intervals = {name: _for_mover(interval, sign) for name, interval in report.root_intervals}
    low, high = _intersection(intervals.pop(action), _for_mover(report.interval(0), sign))
    unseen = [name for name, interval in intervals.items() if interval == UNKNOWN]
    known = {name: interval for name, interval in intervals.items() if interval != UNKNOWN}
    skipped = f" The search stopped without a look at {listed(unseen)}." if unseen else ""
    value = _ascii(format_interval(*_for_mover((low, high), sign), report.decimals))
    nothing = None, None, False
    if not value:
        return f"The search chose {action}, but shows no value of it.{skipped}", *nothing
    if not known:
        return f"The value of {action} is {value}.{skipped}", *nothing
    other = max(known, key=lambda name: (known[name][1], known[name][0]))
    other_low, other_high = known[other]
    better = max(known, key=lambda name: known[name][0])
    best = known[better][0]
    if best > high + _tolerance(high, best):
        is_exact = low == high and best == known[better][1]
        least = "" if is_exact else "at least "
        amount = _ascii(format_number(best - high, report.decimals)) if isfinite(best - high) else "infinitely much"
        words = f"The search chose {action}, although its own values say that {better} is {least}{amount} better."
        return words + skipped, better, high - best, is_exact
    margin = low - other_high if isfinite(low) and isfinite(other_high) else low if isinf(low) else -other_high
    is_exact = low == high and other_low == other_high
    if isinf(margin) or margin < -_tolerance(low, other_high):
        known_other = _ascii(format_interval(*_for_mover(known[other], sign), report.decimals))
        return f"The search found for {action} the value {value}, for {other} {known_other}.{skipped}", *nothing
    if margin <= _tolerance(low, other_high):
        return _tie(report, action, other, known, is_exact) + skipped, other, 0.0, is_exact
    amount = _ascii(format_number(margin, report.decimals))
    mean = " on average" if any(layer.layer is Layer.CHANCE for layer in report.layers) else ""
    for_whom = "" if sign > 0 else " for MIN"
    if is_exact:
        return f"{action} is {amount} better{mean}{for_whom} than the next best, {other}.{skipped}", other, margin, True
    words = f"{action} is at least {amount} better{mean}{for_whom} than {_all_others(report, known)}."
    return words + skipped, other, margin, False


def _all_others(report: SearchReport, known: dict[str, Interval]) -> str:
    if len(known) == 1:
        return next(iter(known))
    return "every other action" if len(known) == len(report.root.actions()) - 1 else listed(list(known))


def _tie(report: SearchReport, action: str, other: str, known: dict[str, Interval], is_exact: bool) -> str:
    """The sentence for an action that is as good as another one, or perhaps as good."""
    actions = list(report.root.actions())
    if not is_exact:
        return f"{action} is at least as good as {_all_others(report, known)}; the search needs to know no more."
    equal = [name for name, interval in known.items() if interval == known[other]]
    words = f"{action} is as good as {listed(equal)}"
    if all(actions.index(action) < actions.index(name) for name in equal):
        return f"{words}; the first in order wins."
    return f"{words}; the search took this one."


def _intersection(one: Interval, other: Interval) -> Interval:
    """The values in both intervals; the first interval if there are none. The root has the value of its best action."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else one


def _for_mover(interval: Interval, sign: int) -> Interval:
    """The interval from the side of who moves at the root: larger is better. It is its own inverse."""
    low, high = interval
    return (low, high) if sign > 0 else (-high, -low)


def _tolerance(*values: float) -> float:
    return ROUNDING * (1 + max((abs(value) for value in values if isfinite(value)), default=0.0))


# ---- the stories


def _story(report: SearchReport, number: int, is_worst: bool) -> Story:
    """What the search expects from a successor of the root on."""
    actions, words = [report.nodes[number].action], []
    sign = 1 if report.root.layer is Layer.MAX else -1
    cases = {"worst"} if is_worst else {"most probable"}
    has_chance = is_tied = False
    while (child := _next(report, number, sign if is_worst else 0)) is not None:
        is_chance = child.probability is not None and child.probability < 1
        words.append(_move(report.nodes[number], child, "" if has_chance else "probability "))
        if is_chance:
            has_chance = True
            if is_worst and not _are_exact(report, report.nodes[number]):
                cases.add("one")
            chances = [report.nodes[each].probability for each in report.nodes[number].children]
            is_tied = is_tied or chances.count(child.probability) > 1
        actions.append(child.action)
        number = child.number
    ending = _ending(report, number, len(actions))
    moves = words if len(words) <= MOVES + 1 else [*words[:MOVES], "..."]
    if "one" in cases:
        case = "in one case "
    elif is_tied and not is_worst:
        case = "in one of the most probable cases "
    else:
        case = f"in the {cases.pop()} case "
    after = f"{case if has_chance else ''}after {', '.join([actions[0], *moves])}"
    text = f"{after[0].upper()}{after[1:]}: {ending}."
    state = report.nodes[number].node
    is_lost = isinstance(state, GameState) and state.is_lose
    return Story(tuple(actions), number, report.interval(number), ending, text, is_lost)


def _are_exact(report: SearchReport, node: ReportNode) -> bool:
    """True if the search made all successors and knows the exact value of each."""
    intervals = [report.interval(child) for child in node.children]
    return not node.unseen and all(low == high for low, high in intervals)


def _next(report: SearchReport, number: int, sign: int) -> ReportNode | None:
    """The successor that a story goes on with; None at its end. `sign` is 0 for the most probable outcome."""
    node, entry = report.nodes[number], report.entry(number)
    if entry is None or (entry.why in (ExitReason.BOUND, ExitReason.PROBE_CUT, ExitReason.KNOWN) and not entry.action):
        return None
    children = [report.nodes[child] for child in node.children if report.interval(child) != UNKNOWN]
    if not children:
        return None
    if node.layer is Layer.CHANCE:
        if not sign:
            return max(children, key=lambda child: child.probability or 0.0)
        possible = [child for child in children if child.probability]
        return min(possible or children, key=lambda child: sign * _middle(report.interval(child.number)))
    chosen = [report.steps[step].action for step in node.steps if report.steps[step].action is not None]
    if chosen:
        return next((child for child in children if child.action == chosen[-1]), None)
    end, side = (0, 1) if node.layer is Layer.MAX else (1, -1)
    return max(children, key=lambda child: side * report.interval(child.number)[end])


def _middle(interval: Interval) -> float:
    """One number for an interval: its middle, or its finite end."""
    low, high = interval
    return high if isinf(low) else low if isinf(high) else (low + high) / 2


def _move(parent: ReportNode, child: ReportNode, word: str) -> str:
    """A move in words: who moves, the action, and its probability, after `word`, if nobody chooses."""
    if isinstance(parent.node, GameState):
        who = agent_name(parent.node.mover)
    else:
        who = parent.layer.name if parent.layer else ""
    chance = ""
    if child.probability is not None and child.probability < 1:
        chance = f" ({word}{format_probability(child.probability)})"
    return f"{who} {child.action}{chance}"


def _ending(report: SearchReport, number: int, plies: int) -> str:
    """Where a story ends: at the end of the game, at the horizon, or where the search went no further."""
    node, entry, interval = report.nodes[number], report.entry(number), report.interval(number)
    value = _ascii(format_interval(*interval, report.decimals))
    state = node.node
    if state.is_terminal:
        if isinstance(state, GameState) and state.is_lose:
            return f"Pacman is caught on ply {plies}"
        if isinstance(state, GameState) and state.is_win:
            return f"Pacman wins on ply {plies}"
        return f"the end on ply {plies} has the utility {value}" if value else f"the end is on ply {plies}"
    if not value:
        return f"the search shows no value on ply {plies}"
    if entry is not None and entry.why is ExitReason.LEAF:
        return f"the search ends on ply {plies} with the evaluation {value}"
    if entry is not None and entry.why is ExitReason.BOUND:
        return f"on ply {plies} the bounds [L, U] alone show that the value is {value}"
    if entry is not None and entry.why in CUTS:
        return f"on ply {plies} the value is {value}, and the search looked no further"
    return f"on ply {plies} the value is {value}"


def _sentences(story: Story | None, before: Story | None = None) -> list[str]:
    """The sentence of a story, if there is one; "Even" if it has no better ending than the story before it."""
    if story is None:
        return []
    is_even = before is not None and before.is_lost and story.is_lost
    return [f"Even {story.words[0].lower()}{story.words[1:]}" if is_even else story.words]


def _ascii(words: str) -> str:
    """Words without signs that some terminals lack."""
    for sign, text in (("≤", "at most "), ("≥", "at least "), ("−", "-"), ("∞", "infinity"), ("×", "*")):
        words = words.replace(sign, text)
    return words
