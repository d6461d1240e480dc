"""Where a wrong answer comes from, and why the right one is right: sentences with the numbers of the situation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograder.pages.explorer.words import EXTREMES
from autograder.pages.predict.situation import Answer, Kind, Situation, Step
from pacman.core.layers import Layer
from pacman.core.words import listed
from pacman.view.analysis.number_text import format_number, format_probability, format_window

Tell = Callable[[Situation, Answer], str]
MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
COUNTS = {
    MAX: "at a MAX node the largest value counts",
    MIN: "at a MIN node the smallest value counts",
    CHANCE: "at a CHANCE node each value counts with its probability",
}


def numbers(values: Sequence[float]) -> str:
    """Some numbers as a list."""
    return listed([format_number(each) for each in values])


def answer_text(answer: Answer) -> str:
    """A number, a window, or the name of a choice."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, tuple):
        return format_window(*answer)
    return answer if isinstance(answer, str) else format_number(answer)


def window_now(situation: Situation) -> tuple[float, float]:
    """The window of the node after the children that the search has seen."""
    alpha, beta = situation.window
    if situation.layer is MAX:
        alpha = max([alpha, *situation.values])
    elif situation.layer is MIN:
        beta = min([beta, *situation.values])
    return alpha, beta


def weighted_sum(situation: Situation, values: Sequence[float]) -> str:
    """The sum of the products, as it is written.

    The probabilities are those of the first outcomes.
    """
    pairs = zip(situation.probabilities, values, strict=False)
    return " + ".join(f"{format_probability(chance)} * {format_number(value)}" for chance, value in pairs)


# ---- right answers


def why_right(situation: Situation, told: str) -> str:
    """The arithmetic behind the right answer. `told` is what the explorer says about the event."""
    layer, right = situation.layer, situation.right
    if situation.kind is Kind.CUT and right is True:
        return f"{told}."
    if situation.star is not None and not (situation.kind is Kind.VALUE and not situation.others):
        return _why_right_at_star(situation)
    if situation.kind is Kind.VALUE:
        if not situation.others:
            return f"{told}."
        rest = listed(situation.actions[situation.place :])
        seen = f"{layer.name}: {EXTREMES[layer]} of {numbers(situation.values)} is {answer_text(right)}"
        return f"{seen}; the search has cut {rest} off, so only what it has seen counts."
    if situation.kind is Kind.ACTION:
        best = max(situation.values) if layer is MAX else min(situation.values)
        first = "; of equal actions the first one wins" if situation.values.count(best) > 1 else ""
        seen = f"{layer.name}: {EXTREMES[layer]} of {numbers(situation.values)} is {format_number(best)}"
        return f"{seen}, the value of {right}{first}."
    alpha, beta = window_now(situation)
    if situation.kind is Kind.WINDOW:
        return _window_right(situation, alpha, beta)
    if layer is CHANCE:
        return "One outcome does not bound the mean, so alpha-beta never leaves a CHANCE node early."
    test = f"alpha {format_number(alpha)} < beta {format_number(beta)}"
    return f"{test}: the window is still open, so the search goes on."


def _window_right(situation: Situation, alpha: float, beta: float) -> str:
    layer, above = situation.layer, format_window(*situation.window)
    if layer is CHANCE:
        return "A mean needs the exact value of every outcome, so alpha-beta gives each outcome the window (−∞, ∞)."
    now = format_window(alpha, beta)
    if not situation.values:
        return f"No child has a value yet, so the first child gets the window of its parent: {above}."
    best = format_number(max(situation.values) if layer is MAX else min(situation.values))
    bound, old = ("alpha", situation.window[0]) if layer is MAX else ("beta", situation.window[1])
    other = "beta" if layer is MAX else "alpha"
    return (
        f"{bound} is the {EXTREMES[layer]} of {format_number(old)}, from above, and {best}, the best child so far; "
        f"{other} does not change: {now}."
    )


def _why_right_at_star(situation: Situation) -> str:
    star = situation.star
    assert star is not None
    highs, lows = [hi for _, hi in star.intervals], [lo for lo, _ in star.intervals]
    high = sum(p * each for p, each in zip(situation.probabilities, highs, strict=True))
    low = sum(p * each for p, each in zip(situation.probabilities, lows, strict=True))
    alpha, beta = situation.window
    most = f"the mean is at most {weighted_sum(situation, highs)} = {format_number(high)}"
    least = f"the mean is at least {weighted_sum(situation, lows)} = {format_number(low)}"
    above = f"{most}; alpha is {format_number(alpha)}"
    below = f"{least}; beta is {format_number(beta)}"
    near = 1e-9 * max(1.0, abs(high), abs(low))
    if situation.kind is Kind.WINDOW:
        p = situation.probabilities[situation.place]
        own = star.intervals[situation.place]
        return (
            f"Without this outcome the mean is at most {format_number(high - p * own[1])} and at least "
            f"{format_number(low - p * own[0])}. Alpha is {format_number(alpha)} and beta {format_number(beta)}: "
            f"what is missing to each, divided by {format_probability(p)}, and inside "
            f"[{format_number(own[0])}, {format_number(own[1])}], gives {answer_text(situation.right)}."
        )
    if high <= alpha + near:
        end = "" if situation.kind is not Kind.VALUE else f" It returns this bound, {answer_text(situation.right)}."
        return f"Each outcome counts with the most that it can be worth: {above}, so the search leaves the node.{end}"
    if low >= beta - near:
        end = "" if situation.kind is not Kind.VALUE else f" It returns this bound, {answer_text(situation.right)}."
        return f"Each outcome counts with the least that it can be worth: {below}, so the search leaves the node.{end}"
    if situation.right == Step.GO_ON:
        return f"Star2 first probes one move of every outcome, and it cannot leave the node yet: {above}; {below}."
    return f"The mean can still lie inside the window: {above}; {below}. So the search goes on."


# ---- wrong answers


def of_values(phrase: str) -> Tell:
    """The guess is something that one can compute from the children's values."""
    return lambda s, guess: f"{answer_text(guess)} is {phrase.format(numbers(s.values))}; {COUNTS[s.layer]}."


def with_other_signs(s: Situation, guess: Answer) -> str:
    """The guess is the largest of the values with the opposite sign."""
    negated = numbers([-each for each in s.values])
    return (
        f"{answer_text(guess)} is the largest of {negated}, the values with the opposite sign; here every value is "
        f"MAX's, so no sign changes."
    )


def with_signs_of_leaves(s: Situation, guess: Answer) -> str:
    """The guess is what comes out if all leaves have the opposite sign."""
    negated = numbers([-each for each in s.values])
    what = f"the {EXTREMES[s.layer]} of {negated}" if s.layer is not CHANCE else f"the weighted mean of {negated}"
    signs = "the leaves with the opposite sign; a leaf says what it is worth to MAX"
    return f"{answer_text(guess)} is {what}, {signs}."


def without_signs(s: Situation, guess: Answer) -> str:
    """The guess is the best value if signs do not count."""
    return f"{answer_text(guess)} is the {EXTREMES[s.layer]} of {numbers(s.values)} only if signs do not count."


def child_value(place: int, word: str) -> Tell:
    """The guess is the value of the first or the last child."""
    return lambda s, guess: (
        f"{answer_text(guess)} is the value of {s.actions[: len(s.values)][place]}, the {word} child that the search "
        f"has seen; {COUNTS[s.layer]}."
    )


def started_at_zero(s: Situation, guess: Answer) -> str:
    """The guess is 0, which no child has."""
    have = "they have" if len(s.values) > 1 else "the only one has"
    return (
        f"No child that the search has seen has the value {answer_text(guess)}: {have} {numbers(s.values)}; "
        f"{COUNTS[s.layer]}."
    )


def evaluated_early(s: Situation, guess: Answer) -> str:
    """The guess is the node's evaluation."""
    return (
        f"{answer_text(guess)} is the evaluation of this node, ~{answer_text(guess)}; the search has one more ply, and "
        f"the children are worth {numbers(s.values)}."
    )


def bound_returned(s: Situation, guess: Answer) -> str:
    """The guess is alpha or beta, not the value that the search found."""
    name = "alpha" if guess == s.window[0] else "beta"
    return (
        f"{answer_text(guess)} is {name}; this search returns the value that it found, {answer_text(s.right)}, also if "
        f"it lies outside the window {format_window(*s.window)}."
    )


def zero_after_cut(s: Situation, guess: Answer) -> str:
    """The guess is 0, after a cut."""
    return f"After the cut the search returns the value that it found, not {answer_text(guess)}."


def all_children(s: Situation, guess: Answer) -> str:
    """The guess is the best of all children, also of those that were cut off."""
    rest = listed(s.actions[s.place :])
    every = numbers([*s.values, *s.others])
    return (
        f"{answer_text(guess)} is the {EXTREMES[s.layer]} of {every}; the search has cut {rest} off and never sees it."
    )


# actions


def action_of(phrase: str) -> Tell:
    """The guess is the action of a child that is not the best one."""

    def tell(s: Situation, guess: Answer) -> str:
        value = format_number(s.values[s.actions.index(str(guess))])
        return f"{guess} has the value {value}, {phrase.format(numbers(s.values))}; {COUNTS[s.layer]}."

    return tell


def later_tie(s: Situation, guess: Answer) -> str:
    """The guess is an action that is as good as an earlier one."""
    best = s.values[s.actions.index(str(guess))]
    ties = [action for action, value in zip(s.actions, s.values, strict=False) if value == best]
    return f"{listed(ties)} have the same value, {format_number(best)}; the first of them wins."


# windows


def window_told(words: str) -> Tell:
    """The guess is a window with a wrong bound."""

    def tell(s: Situation, guess: Answer) -> str:
        own = {MAX: "alpha", MIN: "beta", CHANCE: ""}[s.layer]
        alpha, beta = s.window
        best = (max if s.layer is MAX else min)(s.values) if s.values and s.layer is not CHANCE else None
        return words.format(
            guess=answer_text(guess),
            layer=s.layer.name,
            own=own,
            above=format_window(alpha, beta),
            alpha=format_number(alpha),
            beta=format_number(beta),
            best="" if best is None else format_number(best),
            last=format_number(s.values[-1]) if s.values else "",
        )

    return tell


# cuts


def cut_told(words: str) -> Tell:
    """The guess is wrong about a cut."""

    def tell(s: Situation, guess: Answer) -> str:
        alpha, beta = window_now(s)
        own, other = ("alpha", "beta") if s.layer is MAX else ("beta", "alpha")
        total = sum(p * v for p, v in zip(s.probabilities, s.values, strict=False))
        best = (max if s.layer is MAX else min)(s.values)
        return words.format(
            layer=s.layer.name,
            alpha=format_number(alpha),
            beta=format_number(beta),
            own=own,
            other=other,
            bound=format_number(s.window[0] if s.layer is MAX else s.window[1]),
            best=format_number(best),
            sum=format_number(total),
        )

    return tell
