"""Whole submissions that answer the grader by hand, or look for what is beside them.

For each: API, case, points of 5, a part of the report, and the program. Right values and actions are no secret: any
search of the tree that is not counted finds them (docs/sandbox.md).
"""

from tests.sandbox.hostile.attacks import BY_HAND

TAKE_OVER = BY_HAND + r"""
from agents.base import SearchAgent
from pacman import GameState, Layer, Line, Outline

def root_of(asked):
    return Outline.parse(asked["tree"]) if "tree" in asked else GameState.parse(asked["position"])

def best(node, plies):
    '''The value and the action of any node; nobody counts.'''
    if plies == 0 or node.is_terminal:
        return node.score, None
    if node.layer is Layer.CHANCE:
        return sum(p * best(node.successor(action), plies - 1)[0] for action, p in node.outcomes()), None
    found = [(best(node.successor(a), plies - 1)[0], a) for a in node.actions()]
    return (max if node.layer is Layer.MAX else min)(found, key=lambda pair: pair[0])
"""

WHOLE = {
    # Attack: 2,000 right values of the root and a trace that is too short, so that the grader explains a miss 2,000 times.
    # Must:   value and action are right, as any search may find them; the nodes earn nothing; explaining searches once.
    "a2_values_dos": (*("native", "q2/09-two-ghosts", 5 * 5 / 7, "generated nodes"), TAKE_OVER + r"""
def reply(asked):
    root = root_of(asked)
    value, action = best(root, asked["plies"])
    first = root.actions()[0]
    return {"value": value, "value_text": str(value), "action": action, "choice": str(action), "generated": 1,
            "trace": {"names": ["", first], "parents": [0, 0], "actions": [0, 1], "made": [1]},
            "values": [[0, value]] * 2000}

class MinimaxAgent(SearchAgent):
    def search(self, node, plies): take_over(reply)
"""),
    # Attack: a trace of 200,000 nodes, 99 levels deep, that obeys every limit on messages.
    # Must:   value and action are right, as any search may find them; the trace is only counted and earns nothing.
    "a3_trace_bomb": (*("native", "q2/09-two-ghosts", 5 * 5 / 7, "too many to compare"), TAKE_OVER + r"""
N, DEEP = 200_000, 99
PARENTS = [0, *range(DEEP)]
PARENTS += [DEEP - 1] * (N - len(PARENTS))
TRACE = {"names": ["", *("n%d" % i for i in range(40))], "parents": PARENTS, "actions": [0] + [1] * (N - 1),
         "made": list(range(1, N))}

def reply(asked):
    root = root_of(asked)
    value, action = best(root, asked["plies"])
    return {"value": value, "value_text": "x", "action": action, "choice": "x", "generated": 1, "trace": TRACE,
            "values": [[N - 1, value]] * 2000}

class MinimaxAgent(SearchAgent):
    def search(self, node, plies): take_over(reply)
"""),
    # Attack: a link beside the named file leads to a private file; the program prints what it finds in its folder.
    # Must:   the folder holds the named file only.
    "b2_beside_symlink": (*("native", "q2/01-figure", 0, ""), r"""
import os
from agents.base import SearchAgent
from pacman import Line
HERE = os.path.dirname(__file__)
class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        for name in sorted(os.listdir(HERE)):
            if name != os.path.basename(__file__):
                print(name, open(os.path.join(HERE, name)).read()[:60].replace("\n", "|"))
        return Line(0, None)
"""),
    # Attack: a Berkeley-style file inherits every class from a neighbour's file.
    # Must:   the neighbour's file cannot be imported; one line says so.
    "d1_cs188_beside": (*("cs188", "q2/01-won-ends", 0, "imports 'bob', which is not available in the sandbox"), r"""
import bob
class MinimaxAgent(bob.MinimaxAgent): pass
"""),
}
