"""A program for `test_pure`: judges a case of each kind while the modules on its command line are blocked."""
# ruff: noqa: E402

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder


class Blocked(MetaPathFinder):
    def find_spec(self, name, path, target=None):  # type: ignore[no-untyped-def]
        if name.partition(".")[0] in sys.argv[1:]:
            raise ImportError(f"{name} is blocked")


for loaded in set(sys.argv[1:]) & sys.modules.keys():
    del sys.modules[loaded]
sys.meta_path.insert(0, Blocked())

from pathlib import Path

from autograder.cases.case import Case, MatchInput, PositionInput, Question, Thresholds, TreeInput
from autograder.cases.reference import Reference, ReferenceCounts, ReferenceMove, nodes_digest
from autograder.judge import compare, explain_miss, scoring
from autograder.judge.diagnosis.asking import Reply
from autograder.judge.diagnosis.find_mistake import find_mistake
from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.judge.watched_run import WatchedRun
from autograder.judge.wrong_searches.mistakes import mistakes_by_name
from autograder.judge.wrong_searches.same_values import same_values
from autograder.judge.wrong_searches.search_model import SearchModel
from autograder.judge.wrong_searches.simulation import simulate
from pacman.core.layout import Layout
from pacman.core.state import start
from pacman.core.trace import CountedNode, Trace
from pacman.core.tree_text import Outline
from pacman.play.game import Result
from pacman.search import exhaustive


def searched(root, plies):
    trace = Trace()
    line = exhaustive(CountedNode(root, trace), plies)
    return line, trace


def reference(root, plies):
    line, trace = searched(root, plies)
    touched = ReferenceCounts(
        cut="none", expanded=len(trace.expanded), generated=trace.generated, nodes=nodes_digest(trace)
    )
    return Reference(digest="", moves=(ReferenceMove(value=line.value, best=(line.action,), touched=(touched,)),))


def judged(case, right, answer):
    verdict = compare.judge(case, right, answer)
    explanation = (
        explain_miss.explain(case, right, answer, verdict) if verdict.earned < 1 else explain_miss.Explanation("")
    )
    score = scoring.case_score(case, answer, verdict, explanation)
    print(case.id, f"{score.earned:.2f}", score.fault or score.why or "-", len(score.picture))
    return score


search = Question(
    id="q1",
    title="Minimax",
    part="MinimaxAgent",
    points=4,
    role="search",
    reference="exhaustive",
    criteria={"value": 2, "action": 1, "expanded": 1},
)
choice = Question(id="q2", title="Reflex", part="ReflexAgent", points=1, role="choice")
tree = Outline.parse("max\n  a: min\n    x: 3\n    y: 5\n  b: min\n    x: 2\n    y: 9")
case_input = TreeInput(shows="a tree", tree=str(tree), plies=2)
case = Case("tree", search, case_input, tree, "", Path("tree"), 1)
right = reference(tree, 2)
line, trace = searched(tree, 2)
good = Claim(line.value, "3", line.action, "a", trace.generated, trace, ())
wrong = Claim(9, "9", "b", "b", trace.generated, trace, ((("a",), 5), (("b",), 9)))
judged(case, right, Answer((good,)))
missed = judged(case, right, Answer((wrong,)))
judged(case, right, Answer(fault=Fault("raised", "KeyError: 3 (line 2)")))
minimum_as_maximum = SearchModel(**mistakes_by_name(Scope.of(search))["min-as-max"].change)


def ask(questions):
    """The replies of a search that takes MIN nodes for MAX nodes."""
    replies = []
    for each in questions:
        tree = ModelTree(each.tree, each.plies, each.evaluation_shift)
        result = simulate(minimum_as_maximum, tree, 10_000)
        trace, numbers = Trace(), {(): 0}
        for path in (tree.paths[number] for number in result.generated):
            numbers[path] = trace.generate(numbers[path[:-1]], path[-1])
        claim = Claim(result.value, str(result.value), result.action, "", trace.generated, trace, ())
        replies.append(Reply(claim))
    return replies


diagnosis = find_mistake(search, (), ask, lambda questions: [WatchedRun(None)] * len(questions), False, same_values)
print(diagnosis.mistakes, diagnosis.sentences[0], diagnosis.smallest.plies)
print(scoring.question_score(search, [missed]).earned)

board = Layout.parse("%%%%%\n%P.G%\n%%%%%")
state = start(board, ["optimal"])
position = PositionInput(shows="a position", layout=str(board), ghosts=("optimal",))
line, trace = searched(state, 2)
good = Claim(line.value, "", line.action, "", trace.generated, trace, ())
bad = Claim(0, "0", "Stop", "Stop", trace.generated, trace, ())
for claim in (good, bad):
    judged(Case("line", search, position, state, "", Path("line"), 1), reference(state, 2), Answer((claim,)))
accepting = PositionInput(shows="a choice", layout=str(board), ghosts=(), accept=("East",))
for action in ("East", "Stop"):
    judged(Case("choice", choice, accepting, state, "", Path("choice"), 1), None, Answer(action=action))
match = MatchInput(shows="games", layout=str(board), ghosts=("optimal",), games=2, steps=Thresholds(wins=(1, 2)))
results = (Result("win", 500, 9, 0, ()), Result("loss", -300, 9, 1, ()))
judged(Case("match", choice, match, state, "", Path("match"), 1), None, Answer(results=results))
