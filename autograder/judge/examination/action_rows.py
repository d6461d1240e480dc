"""Which action a wrong search returns, and which children it leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.judge.examination.mistake_row import Change, Hypothesis
from autograder.judge.examination.model_tree import CHANCE, MAX, MIN
from autograder.judge.examination.questions import Scope
from autograder.judge.examination.search_model import Decider


def actions(scope: Scope) -> Iterator[Hypothesis]:
    """Wrong actions, and actions that are left out."""
    by_name = "What does `max` compare if you give it a dictionary or pairs that begin with the name?"
    rows: tuple[tuple[str, str, str, tuple[Change, ...]], ...] = (
        ("last-of-ties", "Of equally good actions, your search takes the last one, not the first.",
         "A later action must be better, not only equally good. In alpha-beta, an action that was cut off can look "
         "equally good: what do you know about its value?",
         ({"ties_max": "last"}, {"ties_max": "last", "ties_min": "last"}, {"ties_min": "last"})),
        ("action-from-below", "Your search returns the action that its child would take, not its own action.",
         "The search of a child returns the child's own action. Which action leads from here to that child?",
         ({"action": "child"},)),
        ("action-of-last-loop", "The action is always the last one that your loop tried, not the best one.",
         "After the loop, what does the loop variable hold? Store the action at the moment when its value becomes "
         "the best.", ({"action": "last"},)),
        ("first-action", "The action is always the first one, not the best one.",
         "Where do you store the action whose value is the best so far?", ({"action": "first"},)),
        ("action-by-evaluation", "The action is the one with the best evaluation after one move.",
         "The action must lead to the child with the best searched value.", ({"action": "by evaluation"},)),
        ("action-overwritten", "Your search keeps the action in one place that every node overwrites, so the root "
         "returns the action of the node that wrote last.", "Who writes to the variable with the action, besides the "
         "root?", ({"action": "last written"},)),
        ("last-value", "Your search returns the value of the last action that it tried, not the best value.",
         "After the loop, which variable holds the best value, and which one do you return?",
         ({"returns_last": "every node"}, {"returns_last": "every node", "action": "last"})),
        *(
            (
                "last-value",
                f"At {layer} nodes your search returns the value of the last action that it tried, not the best value.",
                "After the loop, which variable holds the best value, and which one do you return?",
                ({"returns_last": nodes},),
            )
            for layer, nodes in (("MAX", "max nodes"), ("MIN", "min nodes"))
        ),
        ("last-name", "Your search chooses among the actions by their names, not by their values.", by_name,
         ({"compares": "names"},)),
        *(
            (
                "last-name",
                f"At {layer} nodes your search chooses among the actions by their names, not by their values.",
                by_name,
                ({"compares": "names", "compares_at": f"{layer.lower()} nodes"},),
            )
            for layer in ("MAX", "MIN")
        ),
        ("best-line-shared", "Your search keeps the best line in one variable that every node below overwrites.",
         "Each node needs a best line of its own. What is in your variable after the search of the first child?",
         ({"one_best": True},)),
        ("no-action-at-min", "At MIN nodes your search returns no action: `None` where the action with the smallest "
         "value should be.", "A ghost's node can be the root too. Where do you store the action at a MIN node?",
         ({"action": "none at min"},)),
        ("stops-when-good-enough", "At MAX nodes your search stops at the first value above 0.",
         "Can a later action be worth even more than the first good one?", ({"enough": 0.0},)),
        ("compares-text", "Your search compares values as text, so that 9 counts as more than 12.",
         "What do `str(9) > str(12)` and `9 > 12` give?", ({"compares": "text"},)),
        ("compares-size", "Your search compares values without their signs.", "Which is better for MAX: -5 or 3?",
         ({"compares": "absolute"},)),
        ("compares-size", "At MAX nodes your search compares values without their signs.",
         "Which is better for MAX: -5 or 3?", ({"compares": "absolute", "compares_at": "max nodes"},)),
        ("action-of-largest", "At a MIN node your search returns the action with the largest value; the value that "
         "it returns is right.", "Which action leads to the value that a MIN node returns? Where do you look it up?",
         ({"action": "largest"},)),
        ("action-at-chance", "At CHANCE nodes your search returns an action; it should return None, because nobody "
         "chooses there.", "A CHANCE node can be the root too. Which action does your search return there?",
         tuple({"chance_action": how} for how in ("first", "last", "most likely", "best", "worst"))),
        ("first-child-only", "Whatever action its loop tries, your search goes on with the first child of the node.",
         "Inside the loop, which action do you pass to `successor`?",
         ({"searches_only": "first"}, {"searches_only": "first", "ties_max": "last", "ties_min": "last"})),
        ("last-child-only", "Whatever action its loop tries, your search goes on with the last child of the node.",
         "Inside the loop, which action do you pass to `successor`?",
         ({"searches_only": "last"}, {"searches_only": "last", "ties_max": "last", "ties_min": "last"})),
    )  # fmt: skip
    for name, sentence, hint, changes in rows:
        yield Hypothesis(name, "action", sentence, hint, changes)
    yield from _children_left_out()


def _children_left_out() -> Iterator[Hypothesis]:
    """Searches that do not look at some children."""
    loop = (
        "Print the actions that your loop tries at one node, beside `node.actions()`. Does a `return`, a slice or "
        "a test for a cut end the loop early?"
    )
    stop = "Stop is an action like every other one. Which actions does your loop leave out?"
    outcome = (
        "Every outcome counts in the mean. Does your code leave some out, or store them in a dictionary in which equal "
        "keys overwrite one another?"
    )
    rare = "At CHANCE nodes your search leaves out unlikely outcomes."
    rows: list[tuple[str, str, str, tuple[str, ...]]] = [
        ("stop-dropped", "Your search leaves out the action Stop.", stop, ("stop", "stop beside others")),
        ("stop-dropped", "At MAX nodes your search leaves out the action Stop.", stop, ("max's stop",)),
        ("stop-dropped", "At the root your search leaves out the action Stop.", stop, ("root's stop",)),
        ("", "Your search looks only at the first action of every node.", loop, ("all but first",)),
        ("first-ghost-only", "Your search tries the actions of the first ghost only; for every other ghost it takes "
         "the first action.", loop, ("all but first of later ghosts",)),
        ("", "Your search looks only at the last action of every node.", loop, ("all but last",)),
        ("", "Your search leaves out the first action of every node that has others.", loop, ("first",)),
        ("", "Your search leaves out the last action of every node that has others.", loop, ("last",)),
        ("", "At the root your search looks only at the first action.", loop, ("all but first at the root",)),
        ("", "At CHANCE nodes your search looks only at the first outcome, and returns its probability times its "
         "value.", "How often does the loop at your CHANCE node run? Is a `return` inside it?",
         ("all but first of chance",)),
    ]  # fmt: skip
    for layer in (MAX, MIN, CHANCE):
        where = f"At {layer.value.upper()} nodes your search"
        if layer is not CHANCE:
            only = f"{where} looks only at the first action."
            rows.append(("", only, loop, (f"all but first of {layer.value}",)))
        rows += [
            ("", f"{where} leaves out the {k} action.", loop, (f"{k} of {layer.value}",)) for k in ("first", "last")
        ]
    rows += [
        ("", "Below the root your search looks only at the first action of every node.", loop,
         ("all but first below the root",)),
        ("", rare, outcome, ("outcomes below 0.1", "outcomes below 0.2", "outcomes below 0.25")),
        ("", "At CHANCE nodes your search keeps only one of the outcomes that have the same probability.", outcome,
         ("outcomes of equal probability",)),
        ("", "Your search looks only at the first two actions of every node.", loop, ("all but first two",)),
    ]  # fmt: skip
    for name, sentence, hint, skips in rows:
        changes = tuple({"skips": skip} for skip in skips)
        yield Hypothesis(name or "children-left-out", "children", sentence, hint, changes)
    yield Hypothesis(
        "children-left-out", "children", "At CHANCE nodes your search looks only at the first outcome, and takes its "
        "value.", "How often does the loop at your CHANCE node run? Is a `return` inside it?",
        ({"skips": "all but first of chance", "deciders": (Decider(CHANCE, "everywhere", "first"),)},)
    )  # fmt: skip
