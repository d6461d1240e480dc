"""`python -m autograder schema`: prints a JSON schema, with which an editor checks the files of assignments."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Kind(StrEnum):
    """The kinds of files of an assignment."""

    assignment = "assignment"
    case = "case"


def schema(kind: Annotated[Kind, typer.Argument(metavar="FILE", help="The kind of file: assignment or case.")]) -> None:
    """Print the JSON schema of assignment.yaml or of a case, so that an editor can check a file while you write it.

    Editors that use yaml-language-server read the schema that the first line of a YAML file names, for example
    `# yaml-language-server: $schema=schemas/case.json`.

    \b
    Examples:
      python -m autograder schema case > case.json
      python -m autograder schema assignment > assignment.json
    """
    from autograder.cases.case import AnyInput, AssignmentInput
    from autograder.cases.yaml_file import json_schema

    typer.echo(json_schema(AssignmentInput if kind is Kind.assignment else AnyInput), nl=False)
