"""Three files with four wrong searches each: twelve kinds of mistakes, and two files that never end."""

from __future__ import annotations

from string import Template

_FILE = Template("""\
import random
from math import inf

from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
$loop
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best = None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value$discount
            if best is None or (value > best.value if node.layer is Layer.MAX else value < best.value):
                best = Line(value, action)
$return_early
        return best if best is None else Line($line)


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies, alpha=-inf, beta=inf):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best, chosen = (-inf if node.layer is Layer.MAX else inf), None
        if node.layer is Layer.MAX:
            alpha = $alpha
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1, alpha, beta).value
            if node.layer is Layer.MAX:
                if value > best or (value == best and $tie):
                    best, chosen = value, action
                alpha = max(alpha, best)
            else:
                if value < best:
                    best, chosen = value, action
                beta = $beta
            if alpha >= beta:
                break
        return Line(best, chosen)


class ExpectimaxAgent(SearchAgent):
    assumes = Layer.CHANCE

    def search(self, node, plies, above=-inf):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            best, chosen = -inf, None
            for action in node.actions():
                value = self.search(node.successor(action), plies - 1, best).value
                if value > best:
                    best, chosen = value, action
            return Line(best, chosen)
        total = 0
        for action, probability in node.outcomes():
            total += $term
            if $stop:
                break
        return Line(total$divided, None)


class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies):
        if $end:
            return Line(self.evaluate(node), None)
        if $chance:
            outcomes = [(p, self.search(node.successor(action), plies - 1).value) for action, p in node.outcomes()]
            return Line(sum($weight * value for p, value in outcomes), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: $key)
""")
_TERM = "probability * self.search(node.successor(action), plies - 1).value"
_RIGHT = {
    "loop": "",
    "discount": "",
    "return_early": "",
    "line": "best.value, best.action",
    "alpha": "alpha",
    "tie": "False",
    "beta": "min(beta, best)",
    "term": _TERM,
    "stop": "False",
    "divided": "",
    "end": "plies == 0 or node.is_terminal",
    "chance": "node.layer is Layer.CHANCE",
    "weight": "p",
    "key": "line.value",
}


def _file(**changes: str) -> str:
    return _FILE.substitute({**_RIGHT, **changes})


RIGHT = _file()
WRONG = {
    "bounds.py": _file(discount=" * 0.9", alpha="-inf", term=f"int({_TERM})", weight="p * p"),
    "ends.py": _file(return_early="            return best", tie="random.random() < 0.5", stop="total < above",
                     end="plies <= 1 or node.is_terminal"),
    "names.py": _file(line="best.action, best.value", beta="max(beta, best)", divided=" / len(node.actions())",
                      key="line.action"),
}  # fmt: skip
HANGS_IN_A_CASE = _file(loop="        while plies == 4 and 'c' in node.actions():\n            pass")
"""Never ends in one of the cases of `small`, and answers every question of an examination."""
HANGS_WHEN_EXAMINED = _file(
    discount=" * 0.9",
    loop="        while plies == 2 and node.layer is Layer.MAX and len(node.actions()) == 4:\n            pass",
)
"""Answers every case of `small`, and never ends in some questions of the examination."""
