"""How a wrong search cuts off branches, and which windows it passes on."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.judge.examination.mistake_row import Change, Hypothesis
from autograder.judge.examination.model_tree import CHANCE, MAX, MIN
from autograder.judge.examination.questions import Scope

CUT_HINT = "MAX already has 3 elsewhere, and MIN has found a 2 here. Does the rest of this node matter?"
NO_CUT_HINT = (
    "Is the test for a cut missing, or is it never true because a bound never changes or never arrives? Print alpha "
    "and beta at the marked node."
)
BOUNDS_HINT = (
    "alpha is what MAX already has on the path to this node, beta is what MIN already has. Follow both from the root "
    "through two calls: who may change which one, and what does each call pass on?"
)


def _cut_rules(scope: Scope) -> Iterator[Hypothesis]:
    """Searches that cut at equality where they must not, or the other way round."""
    other = "strict" if scope.cuts == "equal" else "equal"
    both: tuple[Change, ...] = ({"cuts": other}, {"cuts_max": f"value {other}", "cuts_min": f"value {other}"})
    if other == "strict":
        name = "strict-cut"
        sentence = "Your search cuts only when alpha > beta; in this question it should also cut when alpha == beta."
        hint = (
            "MAX has 3 elsewhere, and here MIN can make sure that MAX gets at most 3. Can the rest of this node still "
            "change MAX's choice?"
        )
    else:
        name = "equal-cut"
        sentence = "Your search cuts when alpha == beta; in this question it should cut only when alpha > beta."
        hint = "Read the question again: when does it allow a cut? What should happen when alpha and beta are equal?"
    yield Hypothesis(name, "windows", sentence, hint, both)
    tests = {"equal": "also when alpha == beta", "strict": "only when alpha > beta"}
    for layer, rest in ((MAX, MIN), (MIN, MAX)):
        sentence = (
            f"At {layer.value.upper()} nodes your search cuts {tests[other]}, but at {rest.value.upper()} nodes "
            f"{tests[scope.cuts or 'equal']}."
        )
        yield Hypothesis(
            f"{name}-at-{layer.value}", "windows", sentence, f"Compare the tests of your MAX and MIN nodes. {hint}",
            ({f"cuts_{layer.value}": other},
             {f"cuts_{layer.value}": f"value {other}", f"cuts_{rest.value}": f"value {scope.cuts}"})
        )  # fmt: skip


def windows(scope: Scope) -> Iterator[Hypothesis]:
    """Mistakes of an alpha-beta search."""
    value = {"cuts_max": f"value {scope.cuts}", "cuts_min": f"value {scope.cuts}"}
    yield from _cut_rules(scope)
    rows: tuple[tuple[str, str, str, tuple[Change, ...]], ...] = (
        ("no-cut", "Your search never cuts off a branch.", NO_CUT_HINT, ({"cuts": ""},)),
        ("no-cut-at-max", "Your search cuts at MIN nodes but never at MAX nodes.",
         NO_CUT_HINT, ({"cuts_max": "never"}, {"cuts_max": "never", "cuts_min": f"value {scope.cuts}"})),
        ("no-cut-at-min", "Your search cuts at MAX nodes but never at MIN nodes.", NO_CUT_HINT,
         ({"cuts_min": "never"}, {"cuts_min": "never", "cuts_max": f"value {scope.cuts}"})),
        ("alpha-never-raised", "In your search MAX nodes never raise alpha, so MIN nodes below them never cut.",
         BOUNDS_HINT, ({"updates_max": "nothing"}, {"updates_max": "nothing", **value})),
        ("alpha-never-raised", "In your search MAX nodes below the root never raise alpha, so nodes below them cut too "
         "little.", BOUNDS_HINT, ({"updates_max": "nothing", "updates_root": "own"},
                                  {"updates_max": "nothing", "updates_root": "own", **value})),
        ("beta-never-lowered", "In your search MIN nodes never lower beta, so MAX nodes below them never cut.",
         BOUNDS_HINT, ({"updates_min": "nothing"}, {"updates_min": "nothing", **value})),
        ("root-never-raises-alpha", "In your search the root never passes on what it has found: each of its children "
         "starts with the window (-inf, inf).", BOUNDS_HINT,
         ({"passes_root": "neither"}, {"passes_root": "neither", **value})),
        ("alpha-lost", "In your search alpha does not reach the nodes below, so MIN nodes never cut.",
         "Every node below a MAX node should know what MAX already has. Follow alpha from the root through two "
         "calls.",
         ({"passes_max": "beta", "passes_min": "beta"}, {"passes_max": "beta", "passes_min": "beta", **value})),
        ("beta-lost", "In your search beta does not reach the nodes below, so MAX nodes never cut.",
         "Every node below a MIN node should know what MIN already has. Where does your MIN node pass this on?",
         ({"passes_max": "alpha", "passes_min": "alpha"}, {"passes_max": "alpha", "passes_min": "alpha", **value})),
        ("alpha-lost-at-max", "In your search MAX nodes do not pass alpha on.", BOUNDS_HINT,
         ({"passes_max": "beta"}, {"passes_max": "beta", **value})),
        ("alpha-lost-at-min", "In your search MIN nodes do not pass alpha on.", BOUNDS_HINT,
         ({"passes_min": "beta"}, {"passes_min": "beta", **value})),
        ("beta-lost-at-max", "In your search MAX nodes do not pass beta on.", BOUNDS_HINT,
         ({"passes_max": "alpha"}, {"passes_max": "alpha", **value})),
        ("beta-lost-at-min", "In your search MIN nodes do not pass beta on.", BOUNDS_HINT,
         ({"passes_min": "alpha"}, {"passes_min": "alpha", **value})),
        ("alpha-reset", "In your search every MAX node starts again with alpha = -inf and forgets the alpha that it "
         "got.", BOUNDS_HINT, ({"enters_max": "beta"}, {"enters_max": "beta", **value})),
        ("beta-reset", "In your search every MIN node starts again with beta = inf and forgets the beta that it got.",
         BOUNDS_HINT, ({"enters_min": "alpha"}, {"enters_min": "alpha", **value})),
        ("both-reset", "In your search every node starts again with the window (-inf, inf).", BOUNDS_HINT,
         ({"enters_max": "neither", "enters_min": "neither"}, {"passes_max": "neither", "passes_min": "neither"})),
        ("alpha-reset-at-min", "In your search every MIN node starts with alpha = -inf and forgets the alpha that it "
         "got, so it never cuts.", BOUNDS_HINT, ({"enters_min": "beta"},)),
        ("window-reset", "In your search every MAX node starts again with the window (-inf, inf) and forgets what it "
         "got.", BOUNDS_HINT, ({"enters_max": "neither"}, {"enters_max": "neither", **value})),
        ("window-reset", "In your search every MIN node starts again with the window (-inf, inf) and forgets what it "
         "got.", BOUNDS_HINT, ({"enters_min": "neither"}, {"enters_min": "neither", **value})),
        ("beta-reset-at-max", "In your search every MAX node starts with beta = inf and forgets the beta that it "
         "got, so it never cuts.", BOUNDS_HINT, ({"enters_max": "alpha"},)),
        ("own-bound-only", "In your search a node passes down only the bound that it found itself and forgets the "
         "one from above, so there are no deep cuts.", "MAX has 5 at the root. Two layers below, another MAX node "
         "has 4. Which of the two numbers is the bound that counts?",
         ({"passes_max": "own alpha", "passes_min": "own beta"}, {"passes_max": "own", "passes_min": "own"},
          {"passes_max": "own alpha", "passes_min": "own beta", **value},
          {"passes_max": "own", "passes_min": "own", **value})),
        ("bound-overwritten", "Your search overwrites its bound with the last child's value, also if the bound was "
         "already better.", "A bound may only become tighter. What does your line do when the new value is worse "
         "than the old bound?",
         ({"updates_max": "set", "updates_min": "set"}, {"updates_max": "set"}, {"updates_min": "set"})),
        ("bound-forgotten", "Your search replaces a bound by the node's own best value, also if the bound from above "
         "was already tighter.", "A bound may only become tighter. What does your line do when this node's best "
         "value is worse than the old bound?",
         ({"updates_max": "set best", "updates_min": "set best"}, {"updates_max": "set best"},
          {"updates_min": "set best"})),
        ("bounds-exchanged", "Your search swaps alpha and beta: MAX nodes change beta and MIN nodes change alpha.",
         BOUNDS_HINT,
         ({"updates_max": "other", "updates_min": "other"},
          {"updates_max": "other", "updates_min": "other", **value},
          {"updates_max": "other best", "updates_min": "other best"})),
        ("window-swapped", "Your search passes alpha and beta on in the wrong order.",
         "In which order does your function take the two bounds, and in which order does your call pass them?",
         ({"passes_max": "swapped", "passes_min": "swapped"}, {"passes_max": "swapped"}, {"passes_min": "swapped"})),
        ("beta-changed-at-max", "At MAX nodes your search lowers beta; it should raise alpha.", BOUNDS_HINT,
         ({"updates_max": "other"}, {"updates_max": "other", **value}, {"updates_max": "set other"},
          {"updates_max": "other best"})),
        ("alpha-changed-at-min", "At MIN nodes your search raises alpha; it should lower beta.", BOUNDS_HINT,
         ({"updates_min": "other"}, {"updates_min": "other", **value}, {"updates_min": "set other"},
          {"updates_min": "other best"})),
        ("bound-loosened", "Your search moves a bound in the wrong direction.",
         "alpha may only rise and beta may only fall.",
         ({"updates_max": "wrong way"}, {"updates_min": "wrong way"},
          {"updates_max": "wrong way", "updates_min": "wrong way"})),
        ("cut-returns-bound", "After a cut your search returns a bound or an earlier value, not the value that "
         "it found.", "What do you know about the value of a node when you cut it off? Which number says that?",
         tuple({"cut_returns": how} for how in ("other bound", "other bound at max", "other bound at min"))),
        ("cut-returns-zero", "After a cut your search returns 0.", "What do you know about the value of a node when "
         "you cut it off? Which number says that?", ({"cut_returns": "zero"},)),
        ("window-through-chance", "Your search passes its window through a CHANCE node, but a mean needs the exact "
         "value of every outcome.", "One outcome is below alpha. Does this prove that the mean is below alpha?",
         ({"through_chance": True},)),
        ("window-shared", "In your search all nodes share one window: no node sets alpha and beta back when it "
         "returns.", "A bound holds only below the node that found it. Where are your alpha and beta stored?",
         ({"window_shared": True}, {"window_shared": True, **value})),
        ("fail-hard", "After a cut your search returns the bound, not the value that it found; so nodes above see "
         "equal values.", "Which number does your search return when it cuts, and what does the node above compare "
         "it with?", ({"hard": True},)),
        ("no-cut-above-horizon", "Your search does not cut at nodes with exactly one ply left.", CUT_HINT,
         ({"uncut": "nodes above the horizon"},)),
        ("window-lost-between-ghosts", "In your search a node gives a child of its own layer the window (-inf, inf), "
         "so below a second ghost there are fewer cuts.", BOUNDS_HINT, ({"resets_at_same_layer": True},)),
        ("margin", "Your search already cuts when alpha >= beta - 1.", "Two values may differ by less than 1. When "
         "is it certain that the rest of a node does not matter?",
         ({"cuts_max": "margin of 1", "cuts_min": "margin of 1"},)),
        ("window-starts-at-zero", "Your search starts with a window that has 0 as a bound.",
         "Which values are possible at the root? Which window contains all of them?",
         ({"window_alpha": 0.0}, {"window_beta": 0.0}, {"window_alpha": 0.0, "window_beta": 0.0},
          {"window_alpha": 0.0, "window_beta": 1000.0}, {"window_alpha": 0.0, "window_beta": 10000.0})),
    )  # fmt: skip
    for name, sentence, hint, changes in rows:
        yield Hypothesis(name, "windows", sentence, hint, changes)
    tests = {
        "own bound": "stops as soon as a value reaches the node's own bound ({own})",
        "own bound strict": "stops as soon as a value is better than the node's own bound ({own})",
        "own bound reversed": "stops as soon as its best value is not better than the node's own bound ({own})",
        "own bound reversed strict": "stops as soon as its best value is worse than the node's own bound ({own})",
        "reversed": "cuts in the wrong direction: it stops while its best value is still inside {other}",
        "reversed strict": "cuts in the wrong direction: it stops while its best value is still inside {other}",
        "window reversed": "cuts while alpha <= beta, so it stops after its first child",
        "right or own bound": "also stops when its best value is not better than the node's own bound ({own})",
        "always": "stops after its first child",
    }
    for test, words in tests.items():
        for layer, field, own, other in ((MAX, "cuts_max", "alpha", "beta"), (MIN, "cuts_min", "beta", "alpha")):
            sentence = f"At {layer.value.upper()} nodes your search {words.format(own=own, other=other)}."
            hint = (
                f"A {layer.value.upper()} node may stop when its value is too good for the opponent above. Which "
                f"bound is the opponent's: alpha or beta?"
            )
            yield Hypothesis("wrong-cut-test", "windows", sentence, hint, ({field: test},))
        sentence = (
            f"Your search {words.format(own='alpha at MAX, beta at MIN', other='the bound')}, at MAX and at MIN nodes."
        )
        yield Hypothesis("wrong-cut-test", "windows", sentence, BOUNDS_HINT, ({"cuts_max": test, "cuts_min": test},))


def chance_stops() -> Iterator[Hypothesis]:
    """Searches that leave a CHANCE node early."""
    own = {"passes_max": "own alpha", "passes_min": "own beta"}
    yield Hypothesis("chance-stops", "windows", "Your search leaves a CHANCE node when its sum so far is not better "
                     "than what MAX already has elsewhere.", "The outcomes that are missing can still change the "
                     "sum. What would you have to know about them?",
                     ({"chance_stops": "strict"}, {"chance_stops": "equal"}, {"chance_stops": "strict", **own},
                      {"chance_stops": "equal", **own}))  # fmt: skip


def unasked_cuts(scope: Scope) -> Iterator[Hypothesis]:
    """Searches that cut where the question asks for every node."""
    hint = "This question is about search without cuts. Which condition in your code leaves a loop early?"
    changes: tuple[Change, ...] = ({"cuts": "equal"}, {"cuts": "strict"})
    yield Hypothesis("cuts-unasked", "windows", "Your search cuts off branches, but in this question it should look "
                     "at every node.", hint, changes)  # fmt: skip
    if CHANCE in scope.layers:
        through = ({"cuts": "equal", "through_chance": True}, {"cuts": "strict", "through_chance": True})
        yield Hypothesis("window-through-chance", "windows", "Your search cuts off branches, and it passes its "
                         "window through a CHANCE node, but a mean needs the exact value of every outcome.",
                         "One outcome is below alpha. Does this prove that the mean is below alpha?",
                         through)  # fmt: skip
