"""How the twenty practice trees were chosen: the files in `autograder/pages/predict/trees` come from `chosen_trees()`.

For each search the tool draws small random trees from a seed. A tree separates two misconceptions if they give two
different wrong answers to one of its questions; it names a misconception if one of its wrong answers fits only that one.
Greedily the tool takes the tree that separates and names the most that is new, for its size, until the search has its
share of the twenty. `UPDATE_TREES=1` writes the files and the table in the docs again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

from autograder.pages.predict.misconceptions import Misconception, is_same
from autograder.pages.predict.practice_trees import PracticeTree
from autograder.pages.predict.questions import Question
from autograder.pages.predict.situation import Answer
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.trace import CUTS, ExitReason

SEED = 11
CANDIDATES = 120
SHARES = {"minimax": 3, "expectimax": 3, "expectiminimax": 3, "alphabeta": 6, "star1": 2, "star2": 3}
MOST_LEAVES = 9
MOST_QUESTIONS = 10
SIZES = range(6, 16)
EARLY = 0.25
"""How often a leaf stands where an inner node could be."""
MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
ROWS: Mapping[str, Sequence[Sequence[Layer]]] = {
    "minimax": ((MAX, MIN), (MIN, MAX), (MAX, MIN, MAX)),
    "expectimax": ((MAX, CHANCE), (MAX, CHANCE, MAX)),
    "expectiminimax": ((MAX, CHANCE, MIN), (MAX, MIN, CHANCE), (MIN, CHANCE, MAX)),
    "alphabeta": ((MAX, MIN), (MAX, MIN, MAX), (MIN, MAX, MIN), (MAX, CHANCE), (MAX, MIN, CHANCE)),
    "star1": ((MAX, CHANCE), (MIN, CHANCE)),
    "star2": ((MAX, CHANCE, MIN),),
}
"""The layers of the trees of a search, from the root down."""
CHANCES = tuple(
    tuple(map(Fraction, text.split()))
    for text in ("1/2 1/2", "3/4 1/4", "1/4 3/4", "1/2 1/4 1/4", "1/4 1/4 1/2", "1/4 1/2 1/4")
)
BOUNDS = (-10.0, 10.0)
Name = tuple[str, str]
"""A misconception as a reader tells it apart: its name, and what the grader says of it."""
Gain = tuple[str, Name, Name]
WORTH = {"separates": 1, "shows": 4, "names": 6}


def chosen_trees(seed: int = SEED) -> list[PracticeTree]:
    """The twenty trees, from easy to hard."""
    return [tree for search in SHARES for tree in _chosen(search, Random(f"{seed} {search}"))]


def _chosen(search: str, rng: Random) -> list[PracticeTree]:
    candidates = _candidates(search, rng)
    gains = [_gains(candidate) for candidate in candidates]
    chosen: list[int] = []
    covered: set[Gain] = set()

    def worth(index: int) -> float:
        return sum(WORTH[what] for what, _, _ in gains[index] - covered) / (6 + candidates[index].tree.size())

    while len(chosen) < SHARES[search]:
        chosen.append(max((index for index in range(len(candidates)) if index not in chosen), key=worth))
        covered |= gains[chosen[-1]]
    return sorted((candidates[index] for index in chosen), key=lambda each: (each.tree.size(), str(each)))


def _candidates(search: str, rng: Random) -> list[PracticeTree]:
    """Random trees that are small, show what the search is about, and have not too many questions."""
    found: list[PracticeTree] = []
    while len(found) < CANDIDATES:
        bounds = BOUNDS if search.startswith("star") else None
        numbers = rng.sample(range(-8, 10), rng.choice((5, 7, 9)))
        tree = PracticeTree(search, _drawn(rng, rng.choice(ROWS[search]), numbers), bounds)
        reasons = {visit.why for visit in tree.recording().result.trace.visits}
        is_small = tree.tree.size() in SIZES and _leaves(tree.tree) <= MOST_LEAVES
        if is_small and _is_typical(search, reasons) and len(asked(tree)) <= MOST_QUESTIONS:
            found.append(tree)
    return found


def _is_typical(search: str, reasons: set[ExitReason]) -> bool:
    """True if a search for which a tree is meant does there what it is known for."""
    needed = {"alphabeta": CUTS, "star1": CUTS, "star2": (ExitReason.PROBED,)}.get(search)
    return ExitReason.BOUND not in reasons and (needed is None or not reasons.isdisjoint(needed))


def _leaves(tree: Outline) -> int:
    return sum(_leaves(branch) for _, branch in tree.branches) or 1


def _drawn(rng: Random, rows: Sequence[Layer], numbers: Sequence[float], name: str = "") -> Outline:
    """A random tree with these layers and numbers. The actions of the root are a, b, c; below a they are a1, a2, ..."""
    if not rows or (name and rng.random() < EARLY):
        return Outline(None, rng.choice(numbers))
    layer = rows[0]
    chances = rng.choice(CHANCES) if layer is CHANCE else ()
    width = len(chances) or rng.choice((2, 2, 3))
    actions = [_action(name, place) for place in range(width)]
    branches = tuple((action, _drawn(rng, rows[1:], numbers, action)) for action in actions)
    ends = all(branch.is_terminal for _, branch in branches)
    guess = rng.choice(numbers) if ends and rng.random() < 0.4 else None
    return Outline(layer, None, branches, chances, guess, "", bool(chances))


def _action(above: str, place: int) -> str:
    names = "123" if len(above) % 2 else "abc"
    return above + names[place]


# ---- what a set of trees separates


def name(misconception: Misconception) -> Name:
    """How a reader tells a misconception apart from others."""
    return misconception.name, misconception.sentence


@cache
def asked(tree: PracticeTree) -> list[Question]:
    """The questions of a tree."""
    return tree.questions()


def answers(trees: Sequence[PracticeTree]) -> dict[Name, dict[int, Answer]]:
    """For each misconception that shows in these trees, its wrong answers by the place of the question."""
    table: dict[Name, dict[int, Answer]] = {}
    for place, question in enumerate(question for tree in trees for question in asked(tree)):
        for wrong in question.wrong:
            for each in wrong.misconceptions:
                table.setdefault(name(each), {})[place] = wrong.answer
    return table


def _gains(tree: PracticeTree) -> set[Gain]:
    """The pairs that two wrong answers to one question separate, and what shows, alone or with others."""
    table = answers([tree])
    gains: set[Gain] = {("shows", each, each) for each in table}
    for one, other in combinations(sorted(table), 2):
        first, second = table[one], table[other]
        if any(not is_same(first[place], second[place]) for place in first.keys() & second.keys()):
            gains.add(("separates", one, other))
    for question in asked(tree):
        for wrong in question.wrong:
            if len(wrong.misconceptions) == 1:
                gains.add(("names", name(wrong.misconceptions[0]), name(wrong.misconceptions[0])))
    return gains


def are_separated(one: Mapping[int, Answer], other: Mapping[int, Answer]) -> list[int]:
    """The places of the questions to which two misconceptions give different answers, of which one may be right."""
    places = sorted(one.keys() | other.keys())
    return [each for each in places if each not in one or each not in other or not is_same(one[each], other[each])]
