"""Every scorecard that a test makes, held against the schemas of the reports that are read by programs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema

from autograder.judge.scorecard import Scorecard
from autograder.report import gradescope, junit
from autograder.report import json as report_json


@cache
def _validators() -> tuple[Any, Any]:
    platform = json.loads(Path(__file__).with_name("gradescope_schema.json").read_text(encoding="utf-8"))
    return tuple(jsonschema.validators.validator_for(schema)(schema) for schema in (report_json.schema(), platform))  # type: ignore[return-value]


def checked(card: Scorecard) -> Scorecard:
    """The same card; an error when one of its reports is not what its readers expect."""
    whole, platform = _validators()
    whole.validate(json.loads(report_json.dump(card)))
    platform.validate(json.loads(gradescope.dump(card)))
    ElementTree.fromstring(junit.dump(card))
    return card
