"""What the answers of a search prove without a model: which kinds of trees are right, and which are wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from autograder.cases.case import Case, PositionInput
from autograder.cases.truth import CaseTruth
from autograder.judge.diagnosis.asking import Reply
from autograder.judge.diagnosis.observation import Criteria, Observation, is_right
from autograder.judge.scorecard import Diagnosis
from autograder.judge.submission_answer import Answer
from autograder.student_process.fault_kind import FaultKind
from pacman.core.errors import counted, listed

T = TypeVar("T")
RANDOM = "Your search gives different answers to the same question."
RESULT_HINT = "Which value does your outermost function return: the action, the value, or both in one pair?"
RANDOM_HINT = "Look for `random`, `id()`, the order of a set, and anything that your code keeps from an earlier search."
REMEMBERS = (
    "Your search gives another answer if the same agent was asked other questions before: it keeps something from "
    "one search to the next."
)
NAMES = {RANDOM: "random-answers", REMEMBERS: "keeps-state"}
WRONG_RESULT = "wrong-result"


@dataclass(frozen=True)
class AnsweredCase:
    """A case that the student may see, the submission's answer, and the share of the case that it earned."""

    case: Case
    truth: CaseTruth
    answer: Answer
    earned: float = 1

    @property
    def is_position(self) -> bool:
        """True for a case with a position of Pacman."""
        return isinstance(self.case.input, PositionInput)

    @property
    def raised(self) -> str:
        """The exception that the answer ended with, as text; "" if there was none."""
        fault = self.answer.fault
        return fault.text if fault and fault.kind == FaultKind.RAISED else ""

    @property
    def advice(self) -> str:
        """What to write in place of the code that raised the exception."""
        return self.answer.fault.advice if self.answer.fault else ""


NOTHING = Diagnosis((), "", ())


SWAPPED = Diagnosis(
    ("Your search returns its pair the wrong way round: `Line(action, value)`.",),
    "A Line has the value first and the action second: `Line(value, action)`.",
    ("pair-swapped",),
)


def are_swapped(replies: Sequence[Reply]) -> bool:
    """True if most answers have an action where the value should be, and a number where the action should be."""
    answers = [reply for reply in replies if reply.claim]
    return sum(unswapped(reply) is not reply for reply in answers) > len(answers) / 2


def unswapped(reply: Reply) -> Reply:
    """The reply with the value and the action exchanged, if it has them the wrong way round."""
    claim = reply.claim
    if claim is None or claim.value is not None or claim.action is not None:
        return reply
    with suppress(ValueError):
        value = float(claim.choice.partition(" ")[0])
        if claim.value_text.startswith(("'", "None")):
            action = claim.value_text.rpartition("'")[0].removeprefix("'") or None
            exchanged = replace(claim, value=value, value_text=claim.choice, action=action, choice=claim.value_text)
            return replace(reply, claim=exchanged)
    return reply


def wrong_kind_of_action(replies: Sequence[Reply]) -> str:
    """A sentence if most answers have something that is no text where the action should be; else empty."""
    claims = [reply.claim for reply in replies if reply.claim]
    others = [each for each in claims if each.action is None and each.choice.partition(" ")[0] != "None"]
    if len(others) <= len(claims) / 2:
        return ""
    return f"Your search returns {others[0].choice} where an action such as 'West' should be."


def differ(one: Reply, other: Reply) -> bool:
    """True if two replies to the same question differ in value or generated nodes."""
    if one.claim is None or other.claim is None:
        return False
    first, second = one.claim, other.claim
    return (first.value, first.value_text, first.nodes) != (second.value, second.value_text, second.nodes)


def differ_in_action(one: Reply, other: Reply) -> bool:
    """True if two replies to the same question have different actions."""
    return one.claim is not None and other.claim is not None and one.claim.action != other.claim.action


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most `count` of the items, evenly spread."""
    step = max(1, len(items) // count) if count else 1
    return list(items[::step])[:count]


@dataclass(frozen=True)
class Raised:
    """The exception with which most of what fails ends: in sentences, with a hint, and its own `text`.

    `seen` are the answers to drawn trees that end with it.
    """

    sentences: tuple[str, ...]
    hint: str
    text: str
    seen: tuple[Observation, ...]


RAISED_HINT = "Look at the line that the error names: what does each name on it stand for at that moment?"
MARKED_HINT = "Look at the marked line: which of the variables that are shown has a value that you did not expect?"
"""What is said about an exception that has no usual cause: the second one if the variables are shown."""
TREE_HINT = (
    "Compute the value of each node of the smallest tree on paper, from the bottom up. Then print the value that your "
    "code computes for each node. Where do the two differ first?"
)
CASE_HINT = "Run the first failed case on its own, and print what your code computes for each node."
POSITION_HINT = (
    "What does a position of the game have that these trees do not have? For example many plies, the same position "
    "on two ways (does your code remember values?), a win or a loss in the middle of the search, and one agent that "
    "searches for move after move (does it keep something?)."
)
INFINITE_HINT = (
    "Your search returned an infinite value: of some node it looked at no successor. In a game, the end can come at a "
    "ghost's turn. Does each of your functions find out first that the game is over?"
)
ACTION_HINT = (
    "The values are right. Where does your search choose the action that it returns? At a leaf, at the horizon and at "
    "a CHANCE node nobody chooses, so the action there is None."
)
NODES_HINT = "This question counts nodes. Print the path of each node when your search generates it."
CASES_HINT = "What does the first failed case have that a small tree does not have? Begin at its marked node."


def exception(seen: Sequence[Observation], criteria: Criteria, failed: Sequence[AnsweredCase]) -> Raised | None:
    """The exception if most of what fails ends with one of this type; else None. Its line is the most frequent one."""
    drawn = [each for each in seen if each.is_drawn]
    faults = [each.fault for each in seen if each.fault]
    of_cases = [each for each in failed if each.raised]
    wrong_answers = sum(not is_right(each, criteria) for each in drawn) + len(failed)
    groups = Counter(map(_type_and_line, [*faults, *(each.raised for each in of_cases)]))
    if not groups:
        return None
    ((common, _),) = groups.most_common(1)
    kind = common.partition(" ")[0]
    if sum(times for group, times in groups.items() if group.partition(" ")[0] == kind) <= wrong_answers / 2:
        return None
    raised = [each for each in drawn if each.fault and _type_and_line(each.fault) == common]
    cases = [each for each in of_cases if _type_and_line(each.raised) == common]
    if raised:
        smallest = min(raised, key=lambda each: len(each.expected.numbers))
        text, hint = smallest.fault, smallest.advice
        sentence = f"Your search ends with {text} on {len(raised)} of {len(drawn)} small trees."
        return Raised((sentence,), hint, text, tuple(raised))
    text, hint = cases[0].raised, cases[0].advice
    rest = () if any(not is_right(each, criteria) for each in drawn) else (f"It is right on {len(drawn)} small trees.",)
    return Raised((f"Your search ends with {text} in {_ids(cases)}.", *rest), hint, text, ())


def is_same_fault(one: str, other: str) -> bool:
    """True if two texts of exceptions have the same type and name the same line."""
    return _type_and_line(one) == _type_and_line(other)


def _type_and_line(fault: str) -> str:
    line = re.search(r"\bline \d+", fault)
    return f"{fault.partition(':')[0]} {line[0] if line else ''}"


def _ids(cases: Sequence[AnsweredCase]) -> str:
    """The cases as a list: "the position q2/08-x", "the cases q2/01-a, q2/02-b and 3 more"."""
    what = "position" if all(each.is_position for each in cases) else "case"
    names = [each.case.id for each in cases[:3]]
    if len(cases) > len(names):
        names.append(f"{len(cases) - len(names)} more")
    return f"the {what}{'s' if len(cases) > 1 else ''} {listed(names)}"


def only_in_cases(trees: int, failed: Sequence[AnsweredCase]) -> tuple[str, str]:
    """What is known of a search that is right on all trees, and wrong in some cases: a sentence and a hint."""
    if not failed:
        return f"On {trees} small trees every answer of your search is right.", ""
    sentence = f"On {trees} small trees every answer of your search is right; it is wrong only in {_ids(failed)}."
    if any(claim.value_text.lstrip("-").startswith("inf") for each in failed for claim in each.answer.claims):
        return sentence, INFINITE_HINT
    return sentence, POSITION_HINT if all(each.is_position for each in failed) else CASES_HINT


def failures(seen: Sequence[Observation], values_only: Criteria, criteria: Criteria) -> tuple[str, str]:
    """How many drawn trees are wrong, and of which kind they are: a sentence and a hint."""
    drawn = [each for each in seen if each.is_drawn]
    wrong = [each for each in drawn if not is_right(each, values_only)]
    if not wrong:
        return _node_failures(drawn, criteria)
    on = f"on {len(wrong)} of {len(drawn)} small trees."
    if not criteria.value:
        return f"Your search returns a wrong action {on}", TREE_HINT
    if any(not is_right(each, replace(values_only, action=False)) for each in wrong):
        return f"Your search is wrong {on}", TREE_HINT
    return f"Every value is right, but the action is wrong {on}", ACTION_HINT


def _node_failures(drawn: Sequence[Observation], criteria: Criteria) -> tuple[str, str]:
    """What is wrong with the generated nodes, where every value and action is right."""
    answers = "Every value and every action is" if criteria.value else "Every action is"
    what = f"{answers} right on {len(drawn)} small trees, but your search generates "
    more = fewer = twice = other = 0
    for each in drawn:
        if each.claim is None or each.numbers is None or is_right(each, criteria):
            continue
        made, right = each.claim.generated, len(each.right.generated)
        more += made > right
        fewer += made < right
        twice += made > len(each.numbers)
        other += each.numbers != frozenset(each.right.generated)
    if twice and not other:
        return f"{what}some nodes more than once ({twice} of {len(drawn)} trees).", NODES_HINT
    counts = [f"{text} on {times}" for text, times in (("more", more), ("fewer", fewer)) if times]
    if not counts:
        return f"{what}other nodes than asked on {other} of them.", NODES_HINT
    again = f"; on {counted(twice, 'tree')} it generates some nodes more than once" if twice else ""
    return f"{what}other nodes than asked: {', '.join(counts)} of them{again}.", NODES_HINT
