"""The contracts in docs/architecture.md: what a file has of them is as the page says."""

from __future__ import annotations

import ast
import re

import pytest

from tests.paths import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
CODE = PAGE.partition("## Contracts")[2].partition("```python\n")[2].partition("```")[0]
FILES = re.findall(r"(?m)^# (\S+\.py)\n((?:(?!^# \S+\.py$).*\n?)*)", CODE)
Definition = ast.ClassDef | ast.FunctionDef


def definitions(code: str) -> list[Definition]:
    return [part for part in ast.parse(code).body if isinstance(part, Definition)]


def members(part: Definition) -> set[str]:
    """The fields and methods of a class, or the parameters of a function."""
    if isinstance(part, ast.FunctionDef):
        return {each.arg for each in (*part.args.posonlyargs, *part.args.args, *part.args.kwonlyargs)}
    names = {each.name for each in part.body if isinstance(each, ast.FunctionDef)}
    for each in ast.walk(part):
        targets = (
            each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, ast.AnnAssign) else []
        )
        names |= {
            t.id if isinstance(t, ast.Name) else t.attr for t in targets if isinstance(t, ast.Name | ast.Attribute)
        }
    return names


@pytest.mark.parametrize(("file", "code"), FILES, ids=[file for file, _ in FILES])
def test_a_contract_says_what_the_file_has(file: str, code: str) -> None:
    built = {part.name: part for part in definitions((ROOT / file).read_text(encoding="utf-8"))}
    for contract in definitions(code):
        assert members(contract) <= members(built[contract.name]), f"{file}: {contract.name} and the page differ"


def test_the_page_has_contracts() -> None:
    assert len(FILES) >= 8
