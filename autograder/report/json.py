"""A scorecard as JSON, versioned. `load(dump(card)) == card`, and `scorecard.schema.json` describes what `dump` says.

The whole result, hidden cases and all: for programs and course staff, not for students.
"""

from __future__ import annotations

import json
from typing import Any

from autograder.cases.yaml_file import adapter
from autograder.judge.scorecard import VERSION, Scorecard
from autograder.report.points import rounded_down
from pacman.core.errors import InputError

_SCORECARD = adapter(Scorecard)


def dump(card: Scorecard) -> str:
    """The whole scorecard, with the sums that a reader would otherwise work out himself.

    Plain ASCII, and no angle brackets, so that it may stand in any page or log.
    """
    said: dict[str, Any] = _SCORECARD.dump_python(card)
    for question, each in zip(card.questions, said["questions"], strict=True):
        each["earned"] = rounded_down(question.earned)
    sums = {"version": VERSION, "points": card.points, "earned": rounded_down(card.earned)}
    # Without lone surrogates (a file name may hold some), which strict readers of JSON refuse.
    whole = json.loads(json.dumps({**sums, **said}, ensure_ascii=False).encode("utf-8", "replace"))
    text = json.dumps(whole, indent=2, ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e") + "\n"


def load(text: str) -> Scorecard:
    """The scorecard that `dump` wrote; InputError for anything else."""
    try:
        said = json.loads(text)
        if said["version"] != VERSION:
            raise InputError(f"a scorecard of version {said['version']}; this program reads version {VERSION}")
        card: Scorecard = _SCORECARD.validate_python(said)
        return card
    except (ValueError, TypeError, KeyError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"not a scorecard: {str(error).splitlines()[0]}") from None
