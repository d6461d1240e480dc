"""From which value a wrong search starts."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from autograder.judge.examination.mistake_row import Hypothesis
from autograder.judge.examination.questions import Scope

MADE_UP = (
    99, 100, 999, 1000, 9999, 10_000, 99_999, 100_000, 999_999, 10**6, 9_999_999, 10**7, 99_999_999, 10**8,
    999_999_999, 10**9, 500, 5000, 50_000, 10**10, 10**12, 2**31 - 1, 2**31, 1e4 + 1,
)  # fmt: skip
"""The numbers from which searches start instead of infinity."""


def starts(scope: Scope) -> Iterator[Hypothesis]:
    """Wrong first best values."""
    hint = "For every number that you choose, a real value can be larger. `math.inf` is larger than every value."
    zero = "What if every action is worth less than 0? Which start value is worse than every real value?"
    yield Hypothesis("no-action", "action", "Your search returns no action: `None` where the best action should be.",
                     "A search returns the value and the action together. Where do you store the action whose value "
                     "is the best, and does every branch return it?", ({"action": "none"},))  # fmt: skip
    if scope.in_rounds:
        yield from _root_starts(zero)
    yield Hypothesis("starts-at-zero", "starts", "At MAX nodes your search starts with 0 as its best value.", zero,
                     ({"max_start": 0.0}, {"max_start": 0.0, "default_action": "first"}))  # fmt: skip
    yield Hypothesis("starts-at-zero", "starts", "At MIN nodes your search starts with 0 as its best value.", zero,
                     ({"min_start": 0.0}, {"min_start": 0.0, "default_action": "first"}))  # fmt: skip
    yield Hypothesis("starts-at-zero", "starts", "Your search starts with 0 as its best value, at MAX and at MIN "
                     "nodes.", zero,
                     ({"max_start": 0.0, "min_start": 0.0},
                      {"max_start": 0.0, "min_start": 0.0, "default_action": "first"}))  # fmt: skip
    for where, start in (
        ("At MAX nodes your search starts from inf", {"max_start": inf}),
        ("At MIN nodes your search starts from -inf", {"min_start": -inf}),
        ("Your search starts from inf at MAX nodes and from -inf at MIN nodes", {"max_start": inf, "min_start": -inf}),
    ):
        yield Hypothesis("start-swapped", "starts", f"{where}: no value is better than this one.",
                         "Which start value is worse than every real value: `inf` or `-inf`?",
                         (start,) if scope.in_rounds else (start, {**start, "default_action": "first"}))  # fmt: skip
    for where, nodes in (("At MAX nodes", "max nodes"), ("At MIN nodes", "min nodes"), ("At all nodes", "every node")):
        yield Hypothesis("zero-as-nothing", "starts", f"{where} your search takes a best value of 0 as no value yet, "
                         "so the next action replaces it.", "Does your code ask `if not best` or `best or ...`? 0 "
                         "counts as false. Ask `best is None`.", ({"zero_is_none": nodes},))  # fmt: skip
    if not scope.in_rounds:
        yield from _root_starts(zero)
    for number in (0.0, -1.0):
        yield Hypothesis("starts-at-zero" if number == 0 else "starts-at-minus-one", "starts",
                         f"At MAX nodes below the root your search starts with {number:g} as its best value.", zero,
                         ({"max_start": number, "root_start": -inf},))  # fmt: skip
    for number in sorted(set(MADE_UP)):
        text = f"{number:,.0f}"
        for words, start in (
            (
                f"-{text} at MAX nodes and from about {text} at MIN nodes",
                {"max_start": -float(number), "min_start": float(number)},
            ),
            (f"-{text} at MAX nodes", {"max_start": -float(number)}),
            (f"{text} at MIN nodes", {"min_start": float(number)}),
        ):
            yield Hypothesis("finite-infinity", "starts", f"Your search starts from about {words} instead of infinity; "
                             "a real value can lie beyond that number.", hint,
                             (start, {**start, "window": float(number)}))  # fmt: skip
        yield Hypothesis("finite-infinity", "starts", f"Your search starts with a window of about (-{text}, {text}); "
                         "a real value can lie beyond these numbers.", hint,
                         ({"window": float(number)}, {"window": float(number), "uncut": "the root"},
                          {"window": float(number), "default_action": "first"}))  # fmt: skip
    yield Hypothesis("starts-from-evaluation", "starts", "Your search starts with the node's own evaluation as its "
                     "best value, so a node is never worth less to MAX (or more to MIN) than its own evaluation.",
                     "The evaluation of a node is a guess. What should it count once the children have been "
                     "searched?", ({"starts_from": "own evaluation"},))  # fmt: skip
    yield Hypothesis("first-child-not-searched", "starts", "Your search takes the evaluation of the first child as "
                     "its first best value, and does not search that child.",
                     "Which call gives you the value of the first child, and which one the values of the others?",
                     ({"starts_from": "first evaluation"},))  # fmt: skip
    for shares, nodes in (("every node", "nodes"), ("max nodes", "MAX nodes"), ("all but max nodes", "MIN nodes")):
        yield Hypothesis("best-shared", "starts", f"In your search all {nodes} share one best value, which is set "
                         "only once in a search.", "Each node needs a best value of its own. Where is yours stored, "
                         "and when is it set to its start value?", ({"shares_best": shares},))  # fmt: skip


def _root_starts(zero: str) -> Iterator[Hypothesis]:
    """Searches whose root starts from a number. Only the root's action shows in Berkeley-style files."""
    for number in (0.0, -1.0, -100.0, -999.0, -1000.0, -9999.0, -10_000.0, -99_999.0, -999_999.0):
        yield Hypothesis("root-starts-too-high", "starts", f"At the root your search starts with {number:g} as its "
                         "best value, so no action with a smaller value counts.", zero,
                         ({"root_start": number}, {"root_start": number, "default_action": "Stop"}))  # fmt: skip
