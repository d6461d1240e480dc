"""Derives again whether the sentences of an examination are true, from other trees than those of the examination."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from math import isclose
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import Question
from autograder.judge.examination import evidence
from autograder.judge.examination.asking import Ask, Reply, TreeQuestion
from autograder.judge.examination.examine import AnsweredCase, examine
from autograder.judge.examination.hypotheses import Hypothesis, hypotheses
from autograder.judge.examination.mistake_row import combined
from autograder.judge.examination.model_tree import ModelTree
from autograder.judge.examination.questions import Scope, agents_of, random_questions, topic_questions
from autograder.judge.examination.search_model import SearchModel
from autograder.judge.examination.simulation import TooManySuccessors, simulate
from autograder.judge.scorecard import Examination
from autograder.judge.submission_answer import Answer
from pacman.search import exhaustive
from tests.in_process_asking import ask_here

SEED = "other trees than those of the examination"
SWAPPED = "pair-swapped"
CHANGING = "random-answers"
FRESH = 80
MAX_SUCCESSORS = 5_000
RIGHT_VALUES = "Every value and every action is right on "
RAISED = "Your search ends with "


@dataclass
class Examined:
    """An examination, everything that it asked, and the answers of the same part to FRESH other trees."""

    scope: Scope
    question: Question
    result: Examination | None = None
    asked: list[tuple[TreeQuestion, Reply]] = field(default_factory=list)
    fresh: list[tuple[TreeQuestion, Reply]] = field(default_factory=list)


@cache
def unanswered_cases(name: str, question: str) -> Sequence[AnsweredCase]:
    """The cases of a question of an assignment, with their references and without answers."""
    assignment = loading.load(name)
    return tuple(
        AnsweredCase(case, loading.load_reference(assignment, case), Answer())
        for case in assignment.cases
        if case.has_reference and case.question.id == question
    )


@cache
def _fresh_questions(scope: Scope) -> Sequence[TreeQuestion]:
    """Trees with other random numbers than those of the examination."""
    return random_questions(scope, SEED, FRESH)


def examined(path: Path, question: Question, api: str = "native") -> Examined:
    """The examination of a part without answers to cases, then its answers to FRESH other trees."""
    in_rounds = api == "cs188"
    cases = unanswered_cases("classic" if in_rounds else "multiagent", question.id)
    cut = next(getattr(each.case.input, "cut", "equal") for each in cases)
    seen = Examined(Scope.of(question, in_rounds, cut), question)

    def recorded(ask: Ask) -> Ask:
        def asking(questions: Sequence[TreeQuestion]) -> Sequence[Reply]:
            replies = ask(questions)
            seen.asked += zip(questions, replies, strict=True)
            return replies

        return asking

    with ask_here(path, question.part, api) as ask:
        seen.result = examine(question, cases, recorded(ask), in_rounds)
        others = _fresh_questions(seen.scope)
        seen.fresh = list(zip(others, ask(others), strict=True))
    return seen


def untrue_sentences(seen: Examined) -> list[str]:
    """The sentences of an examination that the answers do not bear out; none if all is well."""
    examination = seen.result
    if examination is None or not examination.sentences:
        return []
    names = [name for name in examination.mistakes if name != SWAPPED]
    sentences = list(examination.sentences)
    if SWAPPED in examination.mistakes:
        sentences.pop(0)
    while sentences and sentences[0].startswith(RAISED):
        if not _is_counted_rightly(sentences[0], seen):
            return sentences[:1]
        sentences.pop(0)
    if CHANGING in names:
        return [] if _answers_change(seen) else sentences
    if not names:
        return [] if all(_is_counted_rightly(sentence, seen) for sentence in sentences) else sentences
    is_partial = evidence.MORE in sentences
    said = sentences[: len(names)]
    return [] if _foretelling_model(seen, said, names, is_partial) else said


def _foretelling_model(
    seen: Examined, sentences: Sequence[str], names: Sequence[str], is_partial: bool
) -> SearchModel | None:
    """A model with a change for each sentence that foretells the answers to the other trees, if there is one."""
    rows = [
        [row for row in hypotheses(seen.scope) if (row.name, row.sentence) == pair]
        for pair in zip(names, sentences, strict=True)
    ]
    fresh = [each for each in seen.fresh if each[1].claim or (each[1].fault and each[1].fault.kind == "raised")]
    for chosen in product(*rows):
        for model in _models(seen.scope, chosen):
            if all(_is_foretold(model, question, reply, seen, is_partial) for question, reply in fresh):
                return model
    return None


def _models(scope: Scope, rows: Sequence[Hypothesis]) -> Iterator[SearchModel]:
    """Every model with one change of each row, in every style of writing."""
    for changes in product(*(row.changes for row in rows)):
        for cuts in ("own", f"value {scope.cuts}") if scope.prunes else ("own",):
            for hard, first in product((False, True) if scope.prunes else (False,), (True, False)):
                base = SearchModel(cuts=scope.cuts, hard=hard, is_first_better=first)
                if cuts != "own":
                    base = replace(base, cuts_max=cuts, cuts_min=cuts)
                yield combined(base, *changes)


def _is_foretold(model: SearchModel, question: TreeQuestion, reply: Reply, seen: Examined, is_partial: bool) -> bool:
    tree = _model_tree(question, seen)
    try:
        result = simulate(model, tree, MAX_SUCCESSORS)
    except TooManySuccessors:
        return False
    if reply.claim is None:
        assert reply.fault is not None
        return bool(result.error) and reply.fault.text.startswith(result.error)
    claim = evidence.unswapped(reply.claim) if seen.result and SWAPPED in seen.result.mistakes else reply.claim
    if result.error or claim.action != result.action:
        return False
    criteria = seen.question.criteria
    if "value" in criteria and not (
        claim.value_text.startswith(f"{float(result.value)} ")
        if claim.value is None
        else isclose(claim.value, result.value, rel_tol=1e-9, abs_tol=1e-9)
    ):
        return False
    if is_partial:
        return True
    if seen.question.order == "any":
        made = {tree.paths[number] for number in result.generated}
        return _has_other_nodes(question, reply, seen) == _is_too_much(
            made, len(result.generated), _right_nodes(tree, seen), tree
        )
    if "generated" in criteria and claim.generated != len(result.generated):
        return False
    if claim.trace is None or not {"generated", "expanded", "touched"} & criteria.keys():
        return True
    return {claim.trace.path(number) for number in claim.trace.successors} == {
        tree.paths[number] for number in result.generated
    }


def _answers_change(seen: Examined) -> bool:
    """True if the part gave two answers to one question, with other random numbers or after other questions.

    An agent that is kept has the number of rounds and the evaluation with which it was made.
    """
    answers = defaultdict(set)
    made_with = (1, 0.0)
    for question, reply in seen.asked:
        if not question.keeps_instance:
            made_with = question.rounds, question.evaluation_shift
        if claim := reply.claim:
            key = str(question.tree), question.plies, made_with
            answers[key].add((claim.value_text, claim.action, claim.nodes))
    return any(len(each) > 1 for each in answers.values())


def _is_counted_rightly(sentence: str, seen: Examined) -> bool:
    """True if the numbers and kinds of trees in a sentence are those of the answers."""
    asked = seen.asked[: len(topic_questions(seen.scope)) + 200]
    asked = [each for each in asked if each[1].claim or (each[1].fault and each[1].fault.kind == "raised")]
    wrong = [not _is_right(*each, seen) for each in asked]
    numbers = [int(number) for number in re.findall(r"\d+", sentence)]
    if sentence.startswith(RAISED):
        kind, line = _type_and_line(sentence.removeprefix(RAISED))
        faults = [reply.fault.text for _, reply in asked if reply.fault]
        raised = [each for each in faults if _type_and_line(each) == (kind, line)]
        return numbers[-2:] == [len(raised), len(asked)]
    if "generate" in sentence:
        counts = [sum(wrong), *_other_counts(asked, seen), len(asked)]
        return not any(wrong) and all(number in counts for number in numbers)
    if "these layers" in sentence:
        counted = Counter(_layers(question) for question, _ in asked)
        bad = Counter(_layers(question) for (question, _), is_wrong in zip(asked, wrong, strict=True) if is_wrong)
        found = re.findall(r"((?:MAX|MIN|CHANCE)[A-Z >]*) \((\d+) of (\d+) trees?\)", sentence)
        return bool(found) and all((bad[each], counted[each]) == (int(some), int(all_)) for each, some, all_ in found)
    if sentence.startswith("It is wrong on "):
        inside, of_kind, outside, others = (
            int(number) for pair in re.findall(r"(\d+) of (\d+)", sentence.replace("none", "0")) for number in pair
        )
        return (inside + outside, of_kind + others) == (sum(wrong), len(asked))
    return numbers == [sum(wrong), len(asked)] or (not any(wrong) and numbers[:1] == [len(asked)])


def _type_and_line(text: str) -> tuple[str, str]:
    line = re.search(r"line (\d+)", text)
    return text.partition(":")[0], line[1] if line else ""


def _other_counts(asked: Sequence[tuple[TreeQuestion, Reply]], seen: Examined) -> list[int]:
    """On how many trees a search generates more or fewer nodes than asked, the same ones again, or other ones."""
    more = fewer = again = other = 0
    for question, reply in asked:
        if reply.claim is None or reply.claim.trace is None or not _has_other_nodes(question, reply, seen):
            continue
        right = _right_nodes(_model_tree(question, seen), seen)
        more += reply.claim.generated > len(right)
        fewer += reply.claim.generated < len(right)
        again += reply.claim.generated > reply.claim.trace.distinct
        other += {reply.claim.trace.path(number) for number in reply.claim.trace.successors} != right
    return [more, fewer, again, other]


def _layers(question: TreeQuestion) -> str:
    """The layers of a tree down to the horizon, if all nodes of the same depth have the same layer; else empty."""
    row, layers = [question.tree], []
    for _ in range(question.plies):
        row = [node for node in row if not node.is_terminal]
        if len({node.layer for node in row}) > 1:
            return ""
        layers += [row[0].layer.value.upper()] if row else []
        row = [branch for node in row for _, branch in node.branches]
    return " > ".join(layers)


def _is_right(question: TreeQuestion, reply: Reply, seen: Examined) -> bool:
    """True if the value, where it counts, and the action are right."""
    claim = reply.claim
    if claim is None:
        return False
    if seen.result and SWAPPED in seen.result.mistakes:
        claim = evidence.unswapped(claim)
    tree = _Shifted(question)
    best = tree.best_actions()
    if "value" in seen.question.criteria and not (
        claim.value is not None and isclose(claim.value, tree.value, rel_tol=1e-6, abs_tol=1e-6)
    ):
        return False
    return claim.action in best


def _has_other_nodes(question: TreeQuestion, reply: Reply, seen: Examined) -> bool:
    """True if the part generated other successors than the right search, or some of them more than once."""
    claim = reply.claim
    if claim is None or claim.trace is None:
        return False
    tree = _model_tree(question, seen)
    paths = _right_nodes(tree, seen)
    made = [claim.trace.path(number) for number in claim.trace.successors]
    if seen.question.order == "any":
        return _is_too_much(set(made), claim.generated, paths, tree)
    return set(made) != paths or ("generated" in seen.question.criteria and claim.generated != len(paths))


def _model_tree(question: TreeQuestion, seen: Examined) -> ModelTree:
    length = agents_of(question.tree) if seen.scope.in_rounds else 0
    return ModelTree(question.tree, question.plies, question.evaluation_shift, question.rounds, length)


def _right_nodes(tree: ModelTree, seen: Examined) -> set[tuple[str, ...]]:
    """The paths of the successors that the right search generates."""
    right = simulate(SearchModel(cuts=seen.scope.cuts), tree, MAX_SUCCESSORS)
    return {tree.paths[number] for number in right.generated}


def _is_too_much(made: set[tuple[str, ...]], count: int, right: set[tuple[str, ...]], tree: ModelTree) -> bool:
    """True if a search is below the horizon, or generates more successors than iterative deepening."""
    return not made <= right or count > sum(tree.plies - len(path) + 1 for path in right)


class _Shifted:
    """The right value and the best actions of a question, by the reference search."""

    def __init__(self, question: TreeQuestion) -> None:
        self.root, self.plies, self.shift = question.tree, question.plies, question.evaluation_shift
        self.line = exhaustive(self.root, self.plies, lambda node: node.score + self.shift)
        self.value = self.line.value

    def best_actions(self) -> set[str | None]:
        """Every action with the best value; only None at a chance node, an end or the horizon."""
        if self.line.action is None:
            return {None}
        return {
            action
            for action in self.root.actions()
            if isclose(
                exhaustive(self.root.successor(action), self.plies - 1, lambda node: node.score + self.shift).value,
                self.value,
                rel_tol=1e-6,
            )
        }
