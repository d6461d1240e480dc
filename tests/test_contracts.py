"""The contracts in docs/architecture.md: what a file has of them is as the page says."""

from __future__ import annotations

import ast

import pytest

from tests.paths import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
CODE = PAGE.partition("## Contracts")[2].partition("```python\n")[2].partition("```")[0]
Definition = ast.ClassDef | ast.FunctionDef
AGREED = ", agreed"


def contracts() -> dict[str, tuple[str, Definition]]:
    """Name -> the file that the comment above it names, and the definition on the page."""
    lines, found = CODE.splitlines(), {}
    for part in ast.parse(CODE).body:
        if isinstance(part, Definition):
            file = next(
                line[2:]
                for line in reversed(lines[: part.lineno])
                if line.startswith("# ") and line.endswith((".py", AGREED))
            )
            found[part.name] = (file, part)
    return found


def members(part: Definition) -> set[str]:
    """The fields and methods of a class, or the parameters of a function."""
    if isinstance(part, ast.FunctionDef):
        return {each.arg for each in (*part.args.posonlyargs, *part.args.args, *part.args.kwonlyargs)}
    names = {each.name for each in part.body if isinstance(each, ast.FunctionDef)}
    fields = (each for each in ast.walk(part) if isinstance(each, ast.AnnAssign))
    for field in fields:
        if isinstance(field.target, ast.Name):
            names.add(field.target.id)
        elif isinstance(field.target, ast.Attribute):
            names.add(field.target.attr)
    assigned = (target for each in ast.walk(part) if isinstance(each, ast.Assign) for target in each.targets)
    return names | {target.attr for target in assigned if isinstance(target, ast.Attribute)}


@pytest.mark.parametrize("name", contracts())
def test_a_contract_says_what_the_file_has(name: str) -> None:
    file, contract = contracts()[name]
    path = ROOT / file.removesuffix(AGREED)
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
    built = {part.name: part for part in tree.body if isinstance(part, Definition)}
    is_met = name in built and members(contract) <= members(built[name])
    if file.endswith(AGREED):
        assert not is_met, f"{name} is built: docs/architecture.md need not say 'agreed'"
    elif name in built:
        assert is_met, f"{file}: {name} and docs/architecture.md differ"


def test_the_page_has_the_contracts_of_all_rooms() -> None:
    rooms = {file.rpartition("/")[0] for file, _ in contracts().values()}
    assert {"pacman/record", "pacman/picture", "agents", "autograder/judge", "autograder/report"} <= rooms
