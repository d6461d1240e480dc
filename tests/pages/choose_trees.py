"""How the twenty practice trees were chosen: the files in `autograder/pages/predict/trees` come from `chosen_trees`.

For each search the tool draws small random trees from a seed. A tree separates two misconceptions if they give
different answers to one of its questions, of which one may be right; it names one if that is the only one that fits
some wrong answer. Greedily the tool takes the tree that separates and names the most that is new, for its size, until
the search has its share of the twenty. The first tree has MAX at its root, no negative number and few plies.
`UPDATE_TREES=1` writes the files and the table in the docs again.
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
from autograder.pages.predict.words import answer_text
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.trace import CUTS, ExitReason

SEEDS = {"minimax": 1, "expectimax": 1, "expectiminimax": 1, "alphabeta": 3, "star1": 2, "star2": 1}
"""The first seeds, from 1 up, with which the trees of a search separate every pair of misconceptions that they show."""
CANDIDATES = 60
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
WORTH = {"separates": 3, "confronts": 1, "shows": 4, "names": 6}


def chosen_trees(search: str, seed: int) -> list[PracticeTree]:
    """The trees of one search, from easy to hard. The first one is among the easiest that there are."""
    easy = _candidates(search, Random(f"{seed} easy {search}"), _easy_rows(search), range(1, 10))
    candidates = [*easy, *_candidates(search, Random(f"{seed} {search}"), ROWS[search], range(-8, 10))]
    names = sorted({name for candidate in candidates for name in answers([candidate])})
    gains = [_gains(candidate, names) for candidate in candidates]
    chosen: list[int] = []
    covered: set[Gain] = set()

    def worth(index: int) -> float:
        return sum(WORTH[what] for what, _, _ in gains[index] - covered) / (6 + candidates[index].tree.size())

    while len(chosen) < SHARES[search]:
        among = range(len(candidates)) if chosen else range(len(easy))
        chosen.append(max((index for index in among if index not in chosen), key=worth))
        covered |= gains[chosen[-1]]
    return sorted((candidates[index] for index in chosen), key=difficulty)


def difficulty(tree: PracticeTree) -> tuple[bool, bool, int, int, str]:
    """A key that is less for an easier tree: MAX at the root, no negative numbers, few plies, few nodes."""
    root = tree.tree
    return root.layer is not MAX, "-" in str(root), root.height(), root.size(), str(root)


def _easy_rows(search: str) -> Sequence[Sequence[Layer]]:
    """The layers of the trees with MAX at the root and the fewest plies."""
    rows = [row for row in ROWS[search] if row[0] is MAX]
    return [row for row in rows if len(row) == min(map(len, rows))]


def _candidates(
    search: str, rng: Random, rows: Sequence[Sequence[Layer]], range_of_numbers: Sequence[int]
) -> list[PracticeTree]:
    """Random trees that are small, show what the search is about, and have not too many questions."""
    found: list[PracticeTree] = []
    while len(found) < CANDIDATES:
        bounds = BOUNDS if search.startswith("star") else None
        numbers = rng.sample(range_of_numbers, rng.choice((5, 7, 9)))
        tree = PracticeTree(search, _drawn(rng, rng.choice(rows), numbers), bounds)
        is_small = tree.tree.size() in SIZES and _leaves(tree.tree) <= MOST_LEAVES
        if is_small and _is_typical(tree) and len(asked(tree)) <= MOST_QUESTIONS:
            found.append(tree)
    return found


def _is_typical(tree: PracticeTree) -> bool:
    """True if a search for which a tree is meant does there what it is known for."""
    reasons = {visit.why for visit in tree.result().trace.visits}
    needed = {"alphabeta": CUTS, "star1": CUTS, "star2": (ExitReason.PROBED,)}.get(tree.search)
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


def _gains(tree: PracticeTree, names: Sequence[Name]) -> set[Gain]:
    """Which of these misconceptions the tree shows, which it names alone, and which pairs it separates.

    A pair is confronted if both give a wrong answer to the same question, and two different ones.
    """
    table = answers([tree])
    gains: set[Gain] = {("shows", each, each) for each in table}
    for one, other in combinations(names, 2):
        first, second = table.get(one, {}), table.get(other, {})
        if are_separated(first, second):
            gains.add(("separates", one, other))
        if any(not is_same(first[place], second[place]) for place in first.keys() & second.keys()):
            gains.add(("confronts", one, other))
    for question in asked(tree):
        for wrong in question.wrong:
            if len(wrong.misconceptions) == 1:
                gains.add(("names", name(wrong.misconceptions[0]), name(wrong.misconceptions[0])))
    return gains


def are_separated(one: Mapping[int, Answer], other: Mapping[int, Answer]) -> list[int]:
    """The places of the questions to which two misconceptions give different answers, of which one may be right."""
    places = sorted(one.keys() | other.keys())
    return [each for each in places if each not in one or each not in other or not is_same(one[each], other[each])]


# ---- the table in the docs

HEAD = """# What the practice trees separate

The page of `pacman-grade practice` has twenty trees. For each search there is a table: a row for each mistake
that a wrong answer can come from, and a column for each tree. A cell has the wrong answers that come from the mistake,
by the number of the question. So two mistakes are told apart by every tree whose cells differ.

A test writes this page with `UPDATE_TREES=1`.
"""


def table_text(trees: Sequence[PracticeTree]) -> str:
    """The table of all misconceptions and trees, as Markdown."""
    parts = [HEAD]
    for search in SHARES:
        mine = [(number, tree) for number, tree in enumerate(trees, 1) if tree.search == search]
        tables = [answers([tree]) for _, tree in mine]
        parts.append(f"\n## {search}\n\n| mistake | {' | '.join(f'tree {number}' for number, _ in mine)} |")
        parts.append(f"\n|---|{'---|' * len(mine)}\n")
        for each in sorted({name for table in tables for name in table}):
            cells = (_cell(table.get(each, {})) for table in tables)
            label = f"{each[1]} (`{each[0]}`)" if each[1] else f"`{each[0]}`"
            parts.append(f"| {label} | {' | '.join(cells)} |\n")
    return "".join(parts)


def _cell(wrong: Mapping[int, Answer]) -> str:
    return ", ".join(f"{place + 1}: {answer_text(answer)}" for place, answer in sorted(wrong.items()))
