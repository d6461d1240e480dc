"""The questions about a recorded search, with the answers: plain data for the page."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from autograder.pages.predict.answer_words import answer_text, why_right
from autograder.pages.predict.misconceptions import MISCONCEPTIONS, Misconception
from autograder.pages.predict.situations import Answer, Kind, Situation, is_same, situations
from autograder.pages.search import Event, Recording
from pacman.core.errors import listed
from pacman.core.tree_text import Outline
from pacman.record.steps import Kind as Happens

DULL = {"window-swapped"}
"""A misconception that shows everywhere: no question is asked only for it."""
FEW = 3
"""If more misconceptions than this fit a guess, the page does not name them."""


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer in a situation, and the misconceptions that give it."""

    situation: Situation
    answer: Answer
    misconceptions: tuple[Misconception, ...]

    @property
    def told(self) -> list[tuple[str, str]]:
        """Where the answer comes from, in words, each with what the grader says to such a program."""
        return [*dict.fromkeys((each.told(self.situation, self.answer), each.sentence) for each in self.misconceptions)]

    def as_data(self) -> dict[str, Any]:
        """Plain JSON values: what it tells about each misconception, or only its first words if too many fit."""
        told = self.told
        is_few = len(told) <= FEW
        return {
            "answer": _plain(self.answer),
            "names": list(dict.fromkeys(each.name for each in self.misconceptions)),
            "few": is_few,
            "told": [list(each) for each in told] if is_few else [[told[0][0], ""]],
        }


@dataclass(frozen=True)
class Question:
    """What the page asks in a situation: what comes next after the first `events` of the recording.

    `why` is the arithmetic behind the right answer.
    """

    situation: Situation
    events: int
    text: str
    why: str
    wrong: tuple[WrongAnswer, ...]

    @property
    def shown(self) -> str:
        """The right answer in words."""
        situation, right = self.situation, self.situation.right
        if situation.kind is Kind.CUT:
            rest = listed(situation.actions[situation.place :])
            return f"Yes: the search cuts, and never sees {rest}" if right else "No: the search goes on"
        return answer_text(right)

    def as_data(self) -> dict[str, Any]:
        """Plain JSON values; an infinite number is the text "inf" or "-inf"."""
        situation = self.situation
        rest = situation.actions[situation.place :]
        data: dict[str, Any] = {
            "kind": situation.kind.value,
            "node": situation.node,
            "event": self.events,
            "text": self.text,
            "answer": _plain(situation.right),
            "shown": self.shown,
            "why": self.why,
            "wrong": [each.as_data() for each in self.wrong],
        }
        if situation.kind is Kind.CUT:
            data["rest"] = list(rest)
        if situation.kind is Kind.ACTION:
            data["choices"] = [[action, action] for action in situation.actions]
        return data


def questions(tree: Outline, recording: Recording) -> list[Question]:
    """The questions about a recorded search of the whole `tree`, in the order of the search.

    A situation is asked if a misconception shows in it, and if no situation before it showed the same ones.
    """
    asked: set[tuple[object, ...]] = set()
    result = []
    for situation in situations(tree, recording):
        wrong = _wrong_answers(situation)
        shows = frozenset(each.name for answer in wrong for each in answer.misconceptions)
        key = (situation.kind, situation.layer, shows)
        if shows - DULL and key not in asked:
            asked.add(key)
            events = _events_before(situation, recording.events)
            why = why_right(situation, recording.events[events].words)
            result.append(Question(situation, events, _text(situation), why, wrong))
    return result


def _events_before(situation: Situation, events: tuple[Event, ...]) -> int:
    """How many events come before what the question asks for. A change of the window is not one of them."""
    kind = Happens.ENTER if situation.kind is Kind.WINDOW else Happens.VALUE
    place = next(i for i, each in enumerate(events) if each.visit == situation.mark and each.kind is kind)
    if situation.kind is not Kind.CUT:
        return place
    following = events[place + 1]
    return place + 1 + (situation.right is True and following.kind is not Happens.CUT)


def shown_state(recording: Recording, events: int) -> dict[str, Any]:
    """What the picture of the tree shows after the first `events`.

    These are the values, the windows with which the search entered nodes, the nodes that it has not entered yet
    (`later`), and those of them that it cannot enter any more (`closed`).
    Bounds that a node has raised or lowered since are missing: questions ask for them.
    """
    entered: set[int] = set()
    values: dict[int, str] = {}
    windows: dict[int, str] = {}
    closed: list[int] = []
    for event in recording.events[:events]:
        if event.kind is Happens.VALUE and recording.nodes[event.node].layer is not None:
            values[event.node] = event.label
        elif event.kind is Happens.ENTER and event.label:
            windows[event.node] = event.label
        entered.add(event.node)
        closed += event.closed
    later = [number for number in range(len(recording.nodes)) if number not in entered]
    return {"values": values, "windows": windows, "later": later, "closed": closed}


def _wrong_answers(situation: Situation) -> tuple[WrongAnswer, ...]:
    """The wrong answers that a misconception explains, each with all misconceptions that give it."""
    found: list[tuple[Answer, list[Misconception]]] = []
    for misconception in MISCONCEPTIONS:
        answer = misconception.answer(situation)
        if answer is None:
            continue
        same = next((each for known, each in found if is_same(known, answer)), None)
        if same is None:
            found.append((answer, [misconception]))
        else:
            same.append(misconception)
    return tuple(WrongAnswer(situation, answer, tuple(each)) for answer, each in found)


def _text(situation: Situation) -> str:
    """The question in words."""
    kind, name = situation.kind, situation.name
    node = f"the {situation.layer.name} node {name}" if situation.node else f"the root, a {situation.layer.name} node"
    last = situation.actions[situation.place - 1] if situation.values else ""
    if kind is Kind.VALUE:
        return f"The search leaves {node}. With which value?"
    if kind is Kind.ACTION:
        return f"The search is over, and the root is a {situation.layer.name} node. Which action does it return?"
    if kind is Kind.WINDOW:
        child = situation.actions[situation.place]
        return f"At {node}, the search enters the child {child}. With which window (alpha, beta)?"
    return f"At {node}, the child {last} has returned a value. Does the search leave the node now, by a cut?"


def _plain(answer: Answer) -> Any:
    """An answer as a JSON value."""
    if isinstance(answer, tuple):
        return [_plain(each) for each in answer]
    if isinstance(answer, float) and abs(answer) == inf:
        return "inf" if answer > 0 else "-inf"
    return answer
