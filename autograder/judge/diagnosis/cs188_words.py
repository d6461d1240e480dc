"""Says the hints of an examination in the words of a Berkeley-style file, which has states and agents."""

from __future__ import annotations

from autograder.judge.diagnosis.evidence import POSITION_HINT

WORDS: tuple[tuple[str, str], ...] = (
    (
        POSITION_HINT,
        "In these trees getLegalActions gives the same actions for every agent, in a game it does not. Do you pass the "
        "agentIndex? Do the ghosts move in the order 1, 2, ...? Does your agent keep something on self from one call "
        "of getAction to the next?",
    ),
    (
        "`plies` is the number of single moves to look ahead. The ghosts' moves count too. Which of your recursive "
        "calls pass on the same number that they received?",
        "`self.depth` counts rounds: Pacman and every ghost move once in each. Which of your recursive calls pass on "
        "the same depth that they received?",
    ),
    (
        "Draw a tree of two plies. At every node, write how many plies are left. With how many plies left is a node "
        "evaluated? With how many plies left does your search still look at its successors?",
        "Take `self.depth` = 1 and one ghost. Write down each call with its depth and agentIndex. At which call do you "
        "evaluate, and has the ghost moved by then?",
    ),
    (
        "At a CHANCE node nobody chooses. The value is the sum of probability times value over `node.outcomes()`. ",
        "Here a ghost moves at random, each legal action with the same probability: add up the values of all "
        "successors, then divide by the number of actions. ",
    ),
    ("Which line of your code runs at this CHANCE node?", "Which line of your code does this for a ghost?"),
    ("Which line of your code runs at this MIN node?", "Which line of your code runs for this ghost?"),
    ("at a node where `is_terminal` is True", "in a state where isWin() or isLose() is True"),
    ("Which node do you pass to `evaluate`", "Which state do you pass to `self.evaluationFunction`"),
    ("Where do you call `evaluate`?", "Where do you call `self.evaluationFunction`?"),
    ("Ask the node: `node.layer`.", "Agent 0 is Pacman, and after the last ghost Pacman moves again."),
    ("The child says who decides there: `node.layer`.", "The agentIndex of the child says who moves there."),
    ("The node says who decides: `node.layer`.", "The agentIndex says who moves."),
    ("which action do you pass to `successor`?", "which action do you pass to `generateSuccessor`?"),
    ("How often does your loop call `successor`?", "How often does your loop call `generateSuccessor`?"),
    ("`successor` returns a new position", "`generateSuccessor` returns a new state"),
    ("beside `node.actions()`", "beside `state.getLegalActions(agentIndex)`"),
    ("in the order of `node.actions()`", "in the order of `state.getLegalActions(agentIndex)`"),
    ("Does your loop change its own `plies`?", "Does your loop change its own depth?"),
    (
        "A search returns the value and the action together. Where do you store the action whose value is the best, "
        "and does every branch return it?",
        "`getAction` returns an action. Where do you store the action whose value is the best, and does every way "
        "through `getAction` return it?",
    ),
    (
        "A search returns the value and the action together. How often do you call it",
        "How often does your code search a child",
    ),
    ("for one child, and how often for a grandchild", "to get its value, and how often a grandchild"),
    ("no plies are left", "no rounds are left"),
    ("With no plies left", "With no rounds left"),
    ("With 0 plies left", "With no rounds left"),
    ("before all plies are used", "before `self.depth` rounds are over"),
    ("has used up its plies", "has used up its rounds"),
    ("Follow the number of plies that are left", "Follow the depth"),
    ("at which nodes do you test for 0", "at which agent do you test for the end"),
    ("the number of plies that were left there", "the depth and the agent there"),
    ("how many are left for the second branch", "how many are left for the second one"),
)
"""Words of the examination, and those of a Berkeley-style file. The longer ones come first."""


def in_cs188_words(text: str) -> str:
    """The text with the names of a Berkeley-style file.

    >>> in_cs188_words("With two ghosts, who moves at the third ply? Ask the node: `node.layer`.")
    'With two ghosts, who moves at the third ply? Agent 0 is Pacman, and after the last ghost Pacman moves again.'
    """
    for ours, theirs in WORDS:
        text = text.replace(ours, theirs)
    return text
