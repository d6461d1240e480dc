"""From which key the games of an assignment are drawn: a store remembers it, because another key means other games."""

from __future__ import annotations

from autograder.cases.case import MatchInput
from autograder.course.store import Store
from autograder.grading.grade import Grader
from pacman.core.errors import InputError

NO_KEY = (
    "graded without --key: these are practice games, and students can compute how their ghosts move; for games that "
    "count, make a key with new-key, and grade with --key into a new store"
)


def check_key(store: Store, grader: Grader, remembers: bool = True) -> str:
    """A warning if games are drawn without a key for the first time, else an empty text; `remembers` the key then.

    InputError if the store was graded with another key, without one, or with one that is missing now.
    """
    assignment = grader.assignment
    if not any(isinstance(case.input, MatchInput) for case in assignment.cases):
        return ""
    digest = grader.key.digest if grader.key else ""
    known = store.game_key(assignment.name)
    if known is None:
        if remembers:
            store.add_game_key(assignment.name, digest)
        return "" if digest else NO_KEY
    if known == digest:
        return ""
    if not known:
        problem = "the games are practice games; start again without --key, or grade into a new store"
    else:
        given = f"--key is the key {digest[:12]}" if digest else "there is no --key"
        problem = (
            f"the games are drawn from the key {known[:12]}, and {given}; name the file of the first key with --key"
        )
    raise InputError(f"store {store.name}: '{assignment.name}': {problem}")
