"""What a wrong search remembers, and which successors it generates without need."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.judge.examination.mistake_row import Change, Hypothesis
from autograder.judge.examination.questions import Scope


def memory(scope: Scope) -> Iterator[Hypothesis]:
    """Mistakes of searches that remember nodes."""
    hint = "A value belongs to a node and to the number of plies that were left there. What is the key of your table?"
    bounds = (
        "A value that was found in one window may be only a bound in another. What does your table store after a cut?"
    )
    yield Hypothesis(
        "memory-without-plies", "memory", "Your search stores the value of a position and uses it again with another "
        "number of plies left.", hint, ({"memory": "node"}, {"memory": "every node"})
    )  # fmt: skip
    yield Hypothesis("visited-once", "memory", "Your search does not search a position again that it has already "
                     "seen; it evaluates it instead.", "The same position can be reached in several ways, and each "
                     "way counts. Why does your search remember where it was?", ({"memory": "visited"},))  # fmt: skip
    if scope.prunes:
        yield Hypothesis("memory-of-bounds", "memory", "Your search stores values that are only bounds after a cut, "
                         "and uses them as exact values.", bounds, ({"memory": "node and plies"},))  # fmt: skip
    else:
        yield Hypothesis("remembers", "memory", "Your values and actions are right; your search remembers the values "
                         "of positions, so it generates fewer nodes than asked.",
                         "A table of values is a good idea, but this question counts the nodes of a search without "
                         "one.", ({"memory": "node and plies"},))  # fmt: skip
    yield Hypothesis("memory-by-score", "memory", "Your search stores values under a key that different positions "
                     "share.", hint, ({"memory": "score"}, {"memory": "plies"}))  # fmt: skip


def economy(scope: Scope) -> Iterator[Hypothesis]:
    """Searches with right values that generate other nodes, or generate them again."""
    rows: tuple[tuple[str, str, str, tuple[Change, ...]], ...] = (
        ("made-twice", "Your search generates every successor twice.", "Store a successor in a variable and use the "
         "variable. How often does your loop call `successor`?", ({"makes": "twice"},)),
        ("searched-twice", "Your search searches the same successor more than once, for example once for its action "
         "and once for its value.", "A search returns the value and the action together. How often do you call it "
         "for one child, and how often for a grandchild?", ({"searches": 2}, {"best_again": True})),
        ("other-order", "Your search looks at the actions in the opposite order.",
         "This question counts the nodes of a search that tries the actions in the order of `node.actions()`.",
         ({"order": "reversed"}, {"order": "reversed", "ties_max": "last", "ties_min": "last"})),
        ("ordered-by-evaluation", "Your search generates all successors of a node and tries those with the best "
         "evaluation first.", "This question counts the nodes of a search that tries the actions in the order of "
         "`node.actions()`.", ({"order": "best evaluation first"},)),
        ("ordered-by-name", "Your search tries the actions in the order of their names.",
         "This question counts the nodes of a search that tries the actions in the order of `node.actions()`.",
         ({"order": "by name"},)),
    )  # fmt: skip
    for name, sentence, hint, changes in rows:
        yield Hypothesis(name, "successors", sentence, hint, changes)
    yield Hypothesis("made-at-the-horizon", "successors", "Your search generates the successors of nodes at the "
                     "horizon too.", "With no plies left the successors do not matter. Where does your code test for "
                     "the horizon: before or after it generates successors?",
                     ({"makes": "also at the horizon"},))  # fmt: skip
    yield Hypothesis("deepens", "successors", "Your search deepens ply by ply and searches the whole tree again for "
                     "each depth.", "This question counts the nodes of one search.", ({"deepens": True},))  # fmt: skip
    if scope.prunes:
        yield Hypothesis("made-one-ahead", "successors", "Your search generates the next successor before it tests "
                         "for the cut.", "After which line does your loop know that the rest of the node does not "
                         "matter?", ({"makes": "one ahead"},))  # fmt: skip
    if scope.prunes:
        yield Hypothesis("made-before-cut", "successors", "Your search generates all successors of a node before it "
                         "looks at the first one, so a cut saves too little.",
                         "A cut saves only the successors that do not exist yet. When does your loop generate the "
                         "successor of the last action?", ({"makes": "all first"},))  # fmt: skip
    yield Hypothesis("node-overwritten", "successors", "Your search overwrites its node: it plays each action after "
                     "the previous one, not from the same position.", "`successor` returns a new position and does "
                     "not change the old one. From which position do you try the second action?",
                     ({"overwrites": True},))  # fmt: skip
