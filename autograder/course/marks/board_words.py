"""The words of a class board. A sentence of a diagnosis may quote a student's program; the board is for the class.

So the board says nothing that is not made of words of this project: what an exception or an object says is left out.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from functools import lru_cache

from autograder.judge.diagnosis.step_words import FROM_VALUES
from autograder.judge.diagnosis.steps import Breach
from autograder.judge.wrong_searches import LAYER_HINTS, by_name
from pacman.core.errors import one_line

FAULT = "fault: "
"""How the kinds of faults begin in `Result.mistakes`."""
_COUNTS = ((re.compile(r" \((?:\d+ of \d+|line \d+)[^)]*\)"), ""), (re.compile(r"\d+ of \d+"), "some"))
_ENDS, _RETURNS = "Your search ends with ", "Your search returns "
_TEXT = """
a action actions after all an and answer answers are asked at before but by case cases chance different each ends equal
every fewer from generated generates horizon in is it largest layer layers leaf left less lose loses made max min more
most never no node nodes none not of on once one only order other others position positions question questions returns
right root same search small smallest some than that the them there these to tree trees twice value values where which
win wins with wrong your
"""
"""What a sentence without a name may consist of, besides numbers and the ids of cases."""
_WORDS = frozenset(_TEXT.split())
_ANY = {"layer": "", "at": "", "at_or_layer": "", "left": "plies", "bound": "alpha or beta",
        "leaf": "the end of the game or a node with no plies left"}  # fmt: skip
"""What the summary of a wrong step says where it says more about one search."""
SHARED = {
    "last-value": "At some nodes, your search returns the value of the last action that it tried, not the best value.",
    "starts-at-zero": "Your search starts with 0 as its best value.",
    "wrong-cut-test": "In its test for a cut, your search compares with the node's own bound, not with the opponent's.",
    "wrong-stored-value": "Your search takes a wrong value for a node that it does not search.",
}
"""One sentence for a name that several mistakes share, each with a sentence of its own."""
_WORD = re.compile(r"[^\s,;:.()>]+")
_OURS = re.compile(r"\d+|q\d+/[\w-]+")


@lru_cache(10_000)
def general(name: str) -> str:
    """The name of a mistake, or a sentence without numbers that differ and without words that a student wrote.

    >>> general("ply-short"), general("It is wrong on trees with MIN > MAX (3 of 8 questions).")
    ('ply-short', 'It is wrong on trees with MIN > MAX.')
    >>> general("Your search ends with ValueError: call Bob (line 7) on 3 of 8 small trees.")
    'Your search ends with ValueError.'
    """
    if " " not in name or name.startswith(FAULT):
        return name
    if name.startswith(_ENDS):
        kind = name.removeprefix(_ENDS).partition(":")[0].split(" ")[0]
        return f"{_ENDS}{kind if _is_known_exception(kind) else 'an exception'}."
    for pattern, text in _COUNTS:
        name = pattern.sub(text, name)
    name = one_line(name, to_text=str)
    if all(word.lower() in _WORDS or _OURS.fullmatch(word) for word in _WORD.findall(name)):
        return name
    if name.startswith(_RETURNS):
        return f"{_RETURNS}something else where an action should be."
    return "Its answers are wrong in a way that has no name."


def texts_of(sentences: Sequence[str], hint: str) -> tuple[str, str]:
    """Of what is said about a mistake that has a name, the first sentence that quotes nothing, and the hint.

    If all sentences quote something, the first one in general words. The hint may then be about an exception.
    """
    for sentence in sentences:
        if not _may_quote(sentence):
            return general_row(sentence), hint
    first = general(sentences[0])
    return first, "" if first.startswith(_ENDS) else hint


def general_texts(name: str) -> tuple[str, str]:
    """A sentence and a hint that are true for every search with this mistake; empty for a name that is not known.

    >>> general_texts("last-value")[0]
    'At some nodes, your search returns the value of the last action that it tried, not the best value.'
    >>> general_texts("wrong-value-at-min")[0]
    "At some MIN nodes, your search returns a value that is not the smallest of its successors' values."
    """
    for layer, chosen in FROM_VALUES.items():
        if name == f"wrong-value-at-{layer.value}":
            at = f"At some {layer.name} nodes"
            summary = Breach.RESULT.words.summary.format(at_or_some=at, chosen_short=chosen)
            return f"{summary}.", LAYER_HINTS[layer]
    for breach in Breach:
        if breach.words.name == name:
            summary = SHARED.get(name) or f"{breach.words.summary.format_map(_ANY)}."
            return " ".join(summary.split()), breach.words.hint
    row = by_name().get(name)
    return (SHARED.get(name) or general_row(row.sentence), row.hint) if row else ("", "")


def general_row(sentence: str) -> str:
    """A sentence of a row of mistakes, without the numbers that differ from student to student."""
    for pattern, text in _COUNTS:
        sentence = pattern.sub(text, sentence)
    return one_line(sentence, to_text=str)


def _may_quote(sentence: str) -> bool:
    """True for a sentence about an exception or an object of the student's program."""
    return sentence.startswith(_ENDS) or (sentence.startswith(_RETURNS) and "where an action" in sentence)


def _is_known_exception(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)
