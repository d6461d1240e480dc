"""A scorecard as JSON, versioned. `load(dump(card)) == card`."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from autograder.scorecard import VERSION, Scorecard
from pacman.errors import InputError

_SCORECARD = TypeAdapter(Scorecard)


def dump(card: Scorecard) -> str:
    """The whole scorecard, with the sums that a reader would otherwise work out himself."""
    said: dict[str, Any] = _SCORECARD.dump_python(card, mode="json")
    for question, each in zip(card.questions, said["questions"], strict=True):
        each["earned"] = round(question.earned, 6)
    sums = {"version": VERSION, "points": card.points, "earned": round(card.earned, 6)}
    return json.dumps({**sums, **said}, indent=2, ensure_ascii=True) + "\n"


def load(text: str) -> Scorecard:
    """The scorecard that `dump` wrote; InputError for anything else."""
    try:
        said = json.loads(text)
        if said["version"] != VERSION:
            raise InputError(f"a scorecard of version {said['version']}; this program reads version {VERSION}")
        return _SCORECARD.validate_python(said)
    except (ValueError, TypeError, KeyError, ValidationError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"not a scorecard: {str(error).splitlines()[0]}") from None
