"""A scorecard as JSON with a version number. `scorecard.schema.json` describes it, and `load(dump(card)) == card`.

It holds the whole result, also of hidden cases: it is for programs and the course staff, not for students.
"""

from __future__ import annotations

import json
from typing import Any

from autograder.cases.yaml_file import adapter
from autograder.judge.points_as_text import rounded_down
from autograder.judge.scorecard import VERSION, Scorecard
from autograder.report.escape import json_text
from pacman.core.errors import InputError

_SCORECARD = adapter(Scorecard)


def dump(card: Scorecard) -> str:
    """The whole scorecard as JSON, with the points of each question and of the whole, and whether it is final."""
    values: dict[str, Any] = _SCORECARD.dump_python(card)
    for question, each in zip(card.questions, values["questions"], strict=True):
        each["earned"] = rounded_down(question.earned)
    points, earned = rounded_down(card.points), rounded_down(card.earned)
    sums = {"version": VERSION, "points": points, "earned": earned, "final": card.is_final}
    # Without lone surrogates (a file name may contain some): strict readers of JSON refuse them.
    whole = json.loads(json.dumps({**sums, **values}, ensure_ascii=False).encode("utf-8", "replace"))
    return json_text(whole, indent=2) + "\n"


def load(text: str) -> Scorecard:
    """The scorecard that `dump` wrote; InputError for any other text."""
    try:
        values = json.loads(text)
        version = values["version"]
        card: Scorecard | None = _SCORECARD.validate_python(values) if version == VERSION else None
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"not a scorecard: {str(error).splitlines()[0]}") from None
    if card is None:
        raise InputError(f"scorecard version: expected {VERSION}, got {version}")
    return card
