"""Every scorecard that a test makes, held against the schemas of the reports that are read by programs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
from pydantic import TypeAdapter

from autograder.judge.scorecard import VERSION, Scorecard
from autograder.report import gradescope, junit
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
