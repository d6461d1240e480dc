"""Mistakes of an alpha-beta search: how it cuts off branches, and which windows it passes on."""

from __future__ import annotations

from autograder.judge.diagnosis.model_tree import CHANCE, MIN
from autograder.judge.wrong_searches.search_model import WITH_CUTS, Change, Mistake

NO_CUT = (
    "Is the test for a cut missing, or is it never true because a bound never changes or never arrives? Print alpha "
    "and beta at the marked node."
)
BOUNDS = (
    "alpha is what MAX already has on the path to this node, beta is what MIN already has. Follow both from the root "
    "through two calls: who may change which one, and what does each call pass on?"
)
TIGHTER = "A bound may only become tighter. What does your line do when the new value is worse than the old bound?"
VALUE = "What do you know about the value of a node when you cut it off? Which number says that?"
SHOULD_CUT = (
    "MAX has 3 elsewhere, and here MIN can make sure that MAX gets at most 3. Can the rest of this node still change "
    "MAX's choice?"
)
SHOULD_NOT_CUT = "Read the question again: when does it allow a cut? What should happen when alpha and beta are equal?"
TESTS = "Compare the tests of your MAX and MIN nodes."
STOP = "may stop when its value is too good for the opponent above. Which bound is the opponent's: alpha or beta?"
EQUAL, STRICT = ("equal",), ("strict",)
ROWS: tuple[tuple[str, str, str, Change, tuple[str, ...]], ...] = (
    ("strict-cut", "Your search cuts only when alpha > beta; in this question it should also cut when alpha == beta.",
     SHOULD_CUT, {"cuts": "strict"}, EQUAL),
    ("strict-cut-at-max", "At MAX nodes your search cuts only when alpha > beta, but at MIN nodes also when alpha == "
     "beta.", f"{TESTS} {SHOULD_CUT}", {"cuts_max": "strict"}, EQUAL),
    ("strict-cut-at-min", "At MIN nodes your search cuts only when alpha > beta, but at MAX nodes also when alpha == "
     "beta.", f"{TESTS} {SHOULD_CUT}", {"cuts_min": "strict"}, EQUAL),
    ("equal-cut", "Your search cuts when alpha == beta; in this question it should cut only when alpha > beta.",
     SHOULD_NOT_CUT, {"cuts": "equal"}, STRICT),
    ("equal-cut-at-max", "At MAX nodes your search cuts also when alpha == beta, but at MIN nodes only when alpha > "
     "beta.", f"{TESTS} {SHOULD_NOT_CUT}", {"cuts_max": "equal"}, STRICT),
    ("equal-cut-at-min", "At MIN nodes your search cuts also when alpha == beta, but at MAX nodes only when alpha > "
     "beta.", f"{TESTS} {SHOULD_NOT_CUT}", {"cuts_min": "equal"}, STRICT),
    ("no-cut", "Your search never cuts off a branch.", NO_CUT, {"cuts": ""}, WITH_CUTS),
    ("no-cut-at-max", "Your search cuts at MIN nodes but never at MAX nodes.", NO_CUT, {"cuts_max": "never"},
     WITH_CUTS),
    ("no-cut-at-min", "Your search cuts at MAX nodes but never at MIN nodes.", NO_CUT, {"cuts_min": "never"},
     WITH_CUTS),
    ("alpha-never-raised", "In your search MAX nodes never raise alpha, so MIN nodes below them never cut.", BOUNDS,
     {"updates_max": "nothing"}, WITH_CUTS),
    ("beta-never-lowered", "In your search MIN nodes never lower beta, so MAX nodes below them never cut.", BOUNDS,
     {"updates_min": "nothing"}, WITH_CUTS),
    ("alpha-lost", "In your search alpha does not reach the nodes below, so MIN nodes never cut.", "Every node below a "
     "MAX node should know what MAX already has. Follow alpha from the root through two calls.",
     {"passes_max": "beta", "passes_min": "beta"}, WITH_CUTS),
    ("beta-lost", "In your search beta does not reach the nodes below, so MAX nodes never cut.", "Every node below a "
     "MIN node should know what MIN already has. Where does your MIN node pass this on?",
     {"passes_max": "alpha", "passes_min": "alpha"}, WITH_CUTS),
    ("alpha-lost-at-max", "In your search MAX nodes do not pass alpha on.", BOUNDS, {"passes_max": "beta"}, WITH_CUTS),
    ("alpha-lost-at-min", "In your search MIN nodes do not pass alpha on.", BOUNDS, {"passes_min": "beta"}, WITH_CUTS),
    ("beta-lost-at-max", "In your search MAX nodes do not pass beta on.", BOUNDS, {"passes_max": "alpha"}, WITH_CUTS),
    ("beta-lost-at-min", "In your search MIN nodes do not pass beta on.", BOUNDS, {"passes_min": "alpha"}, WITH_CUTS),
    ("alpha-reset", "In your search every MAX node starts again with alpha = -inf and forgets the alpha that it got.",
     BOUNDS, {"enters_max": "beta"}, WITH_CUTS),
    ("beta-reset", "In your search every MIN node starts again with beta = inf and forgets the beta that it got.",
     BOUNDS, {"enters_min": "alpha"}, WITH_CUTS),
    ("both-reset", "In your search every node starts again with the window (-inf, inf).", BOUNDS,
     {"passes_max": "neither", "passes_min": "neither"}, WITH_CUTS),
    ("alpha-reset-at-min", "In your search every MIN node starts with alpha = -inf and forgets the alpha that it got, "
     "so it never cuts.", BOUNDS, {"enters_min": "beta"}, WITH_CUTS),
    ("window-reset", "In your search every MAX node starts again with the window (-inf, inf) and forgets what it got.",
     BOUNDS, {"enters_max": "neither"}, WITH_CUTS),
    ("beta-reset-at-max", "In your search every MAX node starts with beta = inf and forgets the beta that it got, so "
     "it never cuts.", BOUNDS, {"enters_max": "alpha"}, WITH_CUTS),
    ("own-bound-only", "In your search a node passes down only the bound that it found itself and forgets the one from "
     "above, so there are no deep cuts.", "MAX has 5 at the root. Two layers below, another MAX node has 4. Which of "
     "the two numbers is the bound that counts?", {"passes_max": "own", "passes_min": "own"}, WITH_CUTS),
    ("bound-overwritten", "Your search overwrites its bound with the last child's value, also if the bound was already "
     "better.", TIGHTER, {"updates_max": "set", "updates_min": "set"}, WITH_CUTS),
    ("bound-forgotten", "Your search replaces a bound by the node's own best value, also if the bound from above was "
     "already tighter.", TIGHTER, {"updates_max": "set best", "updates_min": "set best"}, WITH_CUTS),
    ("bounds-exchanged", "Your search swaps alpha and beta: MAX nodes change beta and MIN nodes change alpha.", BOUNDS,
     {"updates_max": "other", "updates_min": "other"}, WITH_CUTS),
    ("window-swapped", "Your search passes alpha and beta on in the wrong order.", "In which order does your function "
     "take the two bounds, and in which order does your call pass them?",
     {"passes_max": "swapped", "passes_min": "swapped"}, WITH_CUTS),
    ("beta-changed-at-max", "At MAX nodes your search lowers beta; it should raise alpha.", BOUNDS,
     {"updates_max": "other"}, WITH_CUTS),
    ("alpha-changed-at-min", "At MIN nodes your search raises alpha; it should lower beta.", BOUNDS,
     {"updates_min": "other"}, WITH_CUTS),
    ("bound-loosened", "Your search moves a bound in the wrong direction.", "alpha may only rise and beta may only "
     "fall.", {"updates_max": "wrong way"}, WITH_CUTS),
    ("cut-returns-bound", "After a cut your search returns a bound or an earlier value, not the value that it found.",
     VALUE, {"cut_returns": "own bound"}, WITH_CUTS),
    ("cut-returns-zero", "After a cut your search returns 0.", VALUE, {"cut_returns": "zero"}, WITH_CUTS),
    ("window-shared", "In your search all nodes share one window: no node sets alpha and beta back when it returns.",
     "A bound holds only below the node that found it. Where are your alpha and beta stored?", {"window_shared": True},
     WITH_CUTS),
    ("fail-hard", "After a cut your search returns the bound, not the value that it found; so nodes above see equal "
     "values.", "Which number does your search return when it cuts, and what does the node above compare it with?",
     {"hard": True}, WITH_CUTS),
    ("margin", "Your search already cuts when alpha >= beta - 1.", "Two values may differ by less than 1. When is it "
     "certain that the rest of a node does not matter?", {"cuts_max": "margin of 1", "cuts_min": "margin of 1"},
     WITH_CUTS),
    ("window-starts-at-zero", "Your search starts with a window that has 0 as a bound.", "Which values are possible at "
     "the root? Which window contains all of them?", {"window_alpha": 0.0}, WITH_CUTS),
    ("wrong-cut-test", "At MAX nodes your search stops as soon as a value reaches the node's own bound (alpha).",
     f"A MAX node {STOP}", {"cuts_max": "own bound"}, WITH_CUTS),
    ("wrong-cut-test", "At MIN nodes your search stops as soon as a value reaches the node's own bound (beta).",
     f"A MIN node {STOP}", {"cuts_min": "own bound"}, WITH_CUTS),
    ("wrong-cut-test", "At MAX nodes your search stops as soon as its best value is not better than the node's own "
     "bound (alpha).", f"A MAX node {STOP}", {"cuts_max": "own bound reversed"}, WITH_CUTS),
    ("wrong-cut-test", "At MIN nodes your search stops as soon as its best value is not better than the node's own "
     "bound (beta).", f"A MIN node {STOP}", {"cuts_min": "own bound reversed"}, WITH_CUTS),
    ("cuts-unasked", "Your search cuts off branches, but in this question it should look at every node.", "This "
     "question is about search without cuts. Which condition in your code leaves a loop early?", {"cuts": "equal"},
     ("",)),
)  # fmt: skip
WINDOW_MISTAKES = (
    *(Mistake(*row[:4], (MIN,), row[4]) for row in ROWS),
    *(Mistake(
        "window-through-chance", "Your search passes its window through a CHANCE node, but a mean needs the exact "
        "value of every outcome.", "One outcome is below alpha. Does this prove that the mean is below alpha?",
        {**more, "through_chance": True}, (MIN, CHANCE), cuts)
        for more, cuts in (({}, WITH_CUTS), ({"cuts": "equal"}, ("",)))),
)  # fmt: skip
