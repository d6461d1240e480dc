"""Reads YAML files and checks them against a schema; every error names file, line and key.

Only this file uses YAML and pydantic. The schemas themselves are plain dataclasses (`autograder.cases.case`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast, get_args, get_type_hints

import yaml
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from autograder.cases.case import AS_TEXT
from pacman.core.errors import InputError, counted, nearest, one_line, reason_of
from pacman.core.files import read_text

Place = tuple[str | int, ...]
S = TypeVar("S")

MAX_DEPTH = 20
"""The deepest list or mapping. The schemas need five levels; a parser recurses, and too deep a file would crash it."""
MAX_ITEMS = 50_000
"""The most words, lists and mappings in a file. No file of an assignment comes near: a drawn tree is one word."""
MAX_NUMBER_LENGTH = 40
"""The longest number, in characters: reading it takes time with the square of its length."""
MAX_PROBLEM = 600
"""The longest message about a file, in characters."""


@dataclass(frozen=True)
class YamlFile:
    """A YAML file as plain values. `lines` gives the line of each key, from 1."""

    path: Path
    data: Any
    lines: dict[Place, int]

    def line(self, place: Place) -> int:
        """The line of a key, or of the nearest key around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def error(self, place: Place, problem: str) -> InputError:
        """The error for a problem at `place`, as "file:line: problem". A problem that quotes a long value is cut.

        A question has its id in it, and not its place in the list.
        """
        match place:
            case ("questions", int(number), *_):
                own = self.data["questions"][number]
                name = own.get("id") if isinstance(own, dict) else None
                problem = problem.replace(f"questions.{number}", str(name or f"question {number + 1}"), 1)
        return InputError(f"{self.path}:{self.line(place)}: {one_line(problem, MAX_PROBLEM, str)}")

    def validate(self, schema: type[S]) -> S:
        """The file as a value of a dataclass; InputError for the first key or value that does not fit."""
        if not isinstance(self.data, dict):
            raise self.error((), f"expected a mapping with the keys {', '.join(_keys(schema))}")
        try:
            # Through JSON, because a strict schema accepts a JSON list as a tuple, but not a Python list.
            value: S = adapter(cast(Any, schema)).validate_json(json.dumps(self.data))
            return value
        except ValidationError as error:
            # Unknown keys first: a misspelt key is also a missing key, and "unknown" is the better message.
            first = min(error.errors(), key=lambda problem: problem["type"] != _UNKNOWN)
            place = tuple(step for step in first["loc"] if step != "[key]")
            field = ".".join(map(str, place))
            if first["type"] == _UNKNOWN:
                known = nearest(str(place[-1]), _fields(schema, place[:-1]))
                raise self.error(place, f"unknown key '{field}': {known}") from None
            if first["type"] == "missing":
                raise self.error(place[:-1], f"the key '{field}' is missing") from None
            problem = _plain(first)
            if first["type"] == "string_type" and field in AS_TEXT:
                problem = f"expected a text, as in {AS_TEXT[field]}"
            if (inner := (*place, problem.partition(":")[0])) in self.lines:  # a rule for values that names a key
                place = inner
            got = "" if isinstance(first["input"], dict | list) else f", not {one_line(first['input'])}"
            if isinstance(first["input"], str) and re.fullmatch(r"[-+]?\d+e[-+]?\d+", first["input"]):
                got += " (in YAML a number with an exponent needs a decimal point, as in 1.0e-6)"
            raise self.error(place, f"{field}: {problem}{got}" if field else problem) from None


@cache
def adapter(schema: Any) -> TypeAdapter[Any]:
    """The pydantic adapter that reads and writes values of a dataclass, as Python values and as JSON."""
    return TypeAdapter(schema)


def json_schema(schema: Any) -> str:
    """The JSON schema of a dataclass, or of a union of them, as JSON: an editor checks a YAML file with it."""
    content = {"$schema": "https://json-schema.org/draft/2020-12/schema", **adapter(schema).json_schema()}
    for each in content.get("$defs", {}).values():  # a key with only one value says which schema a file has
        constants = [key for key, value in each.get("properties", {}).items() if "const" in value]
        each["required"] = [*constants, *each.get("required", ())]
    return json.dumps(content, indent=2) + "\n"


_UNKNOWN = "unexpected_keyword_argument"
_MESSAGES = {
    "dict_type": "expected a mapping, as in {one: 1, two: 2}",
    "dataclass_type": "expected a mapping",
    "tuple_type": "expected a list",
    "bool_type": "expected true or false",
    "int_type": "expected a whole number",
    "too_short": "expected at least 1 item",
}


def _plain(details: ErrorDetails) -> str:
    """The message of a pydantic error in the words of YAML."""
    message = details["msg"].removeprefix("Value error, ")
    message = message.replace("Input should be", "expected").replace("a valid ", "a ")
    message = message.replace("expected greater", "expected a number greater")
    message = message.replace("expected less", "expected a number less")
    return _MESSAGES.get(details["type"], message)


def read(path: Path) -> YamlFile:
    """The YAML file at `path`; InputError if it is missing, is not YAML or has the same key twice."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: cannot be read: not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
    return parse(text, path)


def parse(text: str, path: Path) -> YamlFile:
    """The YAML in `text`; errors name `path`, the file of the text."""
    try:
        return _read(FAST, text, path)
    except yaml.YAMLError:
        pass  # read again, with the parser whose errors have the same text on every machine
    try:
        return _read(yaml.SafeLoader, text, path)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        problem = f"{error.problem}"
        if problem == "mapping values are not allowed here":
            problem += " (put a text that contains a colon in quotes, and the drawing of a tree below `key: |`)"
        if "'\\t'" in problem:
            problem = "a tab; YAML wants spaces"
        elif problem.startswith("expected <") and mark:
            problem = _wrong_indentation(mark, error.context_mark)
        raise InputError(f"{where}: not valid YAML: {problem}") from None
    except yaml.YAMLError as error:  # a character that YAML does not allow
        raise InputError(f"{path}: not valid YAML: {str(error).splitlines()[0]}") from None


def _wrong_indentation(mark: yaml.Mark, above: yaml.Mark | None) -> str:
    """What is wrong with the blanks at the beginning of a line; `above` begins the list or mapping around it."""
    begins = f"this line begins with {counted(mark.column, 'blank')}"
    if above is None:
        return f"{begins}; expected as many as the first line has"
    if above.column == mark.column:
        return f"an item of a list where line {above.line + 1} has a key; put more blanks before its '-'"
    return f"{begins}; expected {above.column}, as line {above.line + 1} has, or as many as the line above"


def plain_yaml(content: bytes, path: Path) -> Any:
    """The value of a YAML file of another program, without a schema; tags are dropped, times stay text. InputError."""
    try:
        return yaml.load(content, _TEXTS)
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        raise InputError(f"{path}: not valid YAML: {one_line(error, to_text=str)}") from None


FAST: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser of the C library, four times as fast, if PyYAML was built with it."""
_TEXTS: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads every value as text, list or mapping, whatever its tag says."""


def _read(loader_class: type[yaml.SafeLoader], text: str, path: Path) -> YamlFile:
    _check_size(loader_class, text, path)
    loader = loader_class(text)
    try:
        root = loader.get_single_node()
        lines: dict[Place, int] = {(): 1}
        data = None if root is None else _value(loader, root, (), lines, path)
    finally:
        loader.dispose()
    return YamlFile(path, data, lines)


def _check_size(loader_class: type[yaml.SafeLoader], text: str, path: Path) -> None:
    """InputError for a file that is too deep or too large, or that has an alias, which can stand for a huge value."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, loader_class)):
        problem = ""
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            problem = f"an alias (*{one_line(event.anchor, 40, str)}) is not supported; write the value again"
        elif depth > MAX_DEPTH:
            problem = f"lists and mappings are too deep; expected at most {MAX_DEPTH} levels"
        elif count > MAX_ITEMS:
            problem = f"the file is too large; expected at most {MAX_ITEMS:,} words, lists and mappings"
        if problem:
            assert event.start_mark is not None
            raise InputError(f"{path}:{event.start_mark.line + 1}: {problem}")


_PREFIX = "tag:yaml.org,2002:"


def _value(loader: yaml.SafeLoader, node: yaml.Node, place: Place, lines: dict[Place, int], path: Path) -> Any:
    lines.setdefault(place, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        mapping: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key, line = key_node.value, key_node.start_mark.line + 1
            if key_node.tag != _PREFIX + "str" or not isinstance(key, str):
                got = one_line(key, to_text=str) if isinstance(key, str) else "a list or mapping"
                raise InputError(f"{path}:{line}: expected a word as a key, not {got}")
            if key in mapping:
                raise InputError(f"{path}:{line}: duplicate key '{key}'; remove one of them")
            lines[(*place, key)] = line
            mapping[key] = _value(loader, value_node, (*place, key), lines, path)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_value(loader, item, (*place, index), lines, path) for index, item in enumerate(node.value)]
    if node.tag == _PREFIX + "timestamp":
        return node.value  # a date is text here
    if node.tag.removeprefix(_PREFIX) not in ("null", "bool", "int", "float", "str"):
        tag = node.tag.removeprefix(_PREFIX)
        problem = f"YAML reads this value as the type '{tag}'; expected text, a number or a list (put text in quotes)"
        raise InputError(f"{path}:{lines[place]}: {problem}")
    if node.tag.endswith((":int", ":float")):
        if len(node.value) > MAX_NUMBER_LENGTH:
            problem = f"a number of {len(node.value):,} characters; expected at most {MAX_NUMBER_LENGTH}"
            raise InputError(f"{path}:{lines[place]}: {problem}")
        if ":" in node.value:  # YAML 1.1 would count 1:30 in sixties, as 90
            problem = f"cannot read {node.value} as a number; for a text, put it in quotes"
            raise InputError(f"{path}:{lines[place]}: {problem}")
    try:
        return loader.construct_object(node, deep=True)
    except (ValueError, LookupError, ArithmeticError):
        raise InputError(f"{path}:{lines[place]}: cannot read this value as {node.tag.removeprefix(_PREFIX)}") from None


def _keys(schema: type) -> list[str]:
    return [each.name for each in fields(schema)]


def _fields(schema: type, place: Place) -> list[str]:
    """The keys that `schema` has at `place`."""
    for step in place:
        if isinstance(step, str) and step in _keys(schema):
            inner = _inner(get_type_hints(schema)[step])
            if inner is None:
                return []
            schema = inner
    return _keys(schema)


def _inner(annotation: Any) -> type | None:
    """The schema inside an annotation such as `tuple[Question, ...]` or `Limits | None`."""
    if is_dataclass(annotation):
        return annotation if isinstance(annotation, type) else None
    return next((schema for part in get_args(annotation) if (schema := _inner(part))), None)


def write(value: Any) -> str:
    """A mapping as the text of a YAML file: keys in order, inner values on one line if they fit, texts as blocks."""
    return str(
        yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    )


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines below a `|`, and tuples as lists."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(tuple, _Dumper.represent_list)
