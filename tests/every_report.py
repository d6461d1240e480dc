"""The reports that students may read, and a check of each scorecard that a test makes against their schemas."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
from pydantic import TypeAdapter
from rich.console import Console

from autograder.judge.scorecard import VERSION, Scorecard
from autograder.report import gradescope, junit, markdown, terminal
from autograder.report import json as report_json


def schema() -> dict[str, Any]:
    """The JSON Schema of a scorecard as JSON, made from the dataclasses: what scorecard.schema.json has to say."""
    made = TypeAdapter(Scorecard).json_schema(mode="serialization")
    points = {"type": "number", "minimum": 0}
    _add(made["$defs"]["QuestionScore"], {"earned": points})
    final = {"type": "boolean", "description": "False if a case is ungraded: its `fault` is `ungraded`."}
    _add(made, {"version": {"const": VERSION}, "points": points, "earned": points, "final": final})
    for each in (made, *made["$defs"].values()):
        each["additionalProperties"] = False
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _add(described: dict[str, Any], properties: dict[str, Any]) -> None:
    described["properties"] = {**properties, **described["properties"]}
    described["required"] = [*properties, *described["required"]]


FOR_STUDENTS: Mapping[str, Callable[[Scorecard], str]] = {
    "gradescope": gradescope.dump,
    "junit": junit.dump,
    "markdown": markdown.dump,
}
"""The reports in files that students may read: each hides hidden cases, and makes all text harmless."""


def terminal_text(card: Scorecard, **options: bool) -> str:
    """The report in a terminal of 100 columns, without colours."""
    out = io.StringIO()
    terminal.render(card, Console(file=out, width=100, no_color=True), **options)
    return out.getvalue()


@cache
def validators() -> tuple[Any, Any]:
    """Those of a scorecard as JSON and of Gradescope's results. `jsonschema.validate` would check the schemas too."""
    platform = json.loads(Path(__file__).with_name("gradescope_schema.json").read_text(encoding="utf-8"))
    return tuple(jsonschema.validators.validator_for(each)(each) for each in (schema(), platform))  # type: ignore[return-value]


def checked(card: Scorecard) -> Scorecard:
    """The same card; an error when one of its reports is not what its readers expect."""
    whole, platform = validators()
    whole.validate(json.loads(report_json.dump(card)))
    platform.validate(json.loads(gradescope.dump(card)))
    ElementTree.fromstring(junit.dump(card))
    return card
