"""The house: imports point down, effects stay at the edge, and each heavy library is imported in one file."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# From the bottom up: each room may import from those before it. A folder stands for everything in it.
ORDER = [
    "pacman.errors", "pacman.layout", "pacman.rules", "pacman.layers", "pacman.notation", "pacman.state",
    "pacman.tree", "pacman.outline", "pacman.trace", "pacman.bounds", "pacman.search", "pacman.games", "pacman.bounded",
    "pacman.kernel", "pacman.game", "pacman.replay", "pacman.conform", "pacman.tally", "pacman.exact", "pacman.view",
    "pacman.cli",
    "agents.base", "agents.watched", "agents.ghosts", "agents.pacmen", "agents.student", "agents.solutions",
    "agents.perfect", "agents.load",
    "autograder.scorecard", "autograder.marked", "autograder.transport", "autograder.inside", "autograder.schema",
    "autograder.answer", "autograder.cases", "autograder.without", "autograder.reference", "autograder.compare",
    "autograder.handed_in", "autograder.sandbox", "autograder.dialogue", "autograder.mistakes", "autograder.diagnose",
    "autograder.style", "autograder.cs188", "autograder.submission", "autograder.scoring", "autograder.grade",
    "autograder.report", "autograder.gradescope", "autograder.solve", "autograder.record", "autograder.new_case",
    "autograder.doctor", "autograder.__main__",
    "pacman.simulate", "pacman.insight", "pacman.bench", "pacman.stage", "pacman.regret", "pacman.compare",
    "pacman.__main__",
]  # fmt: skip

FILES = sorted(path for room in ("pacman", "agents", "autograder") for path in (ROOT / room).rglob("*.py"))


def room(module: str) -> str | None:
    """The row of the table that a module belongs to; None for what is not ours."""
    found = [name for name in ORDER if module == name or module.startswith(name + ".")]
    return max(found, key=len) if found else None


def imports(path: Path) -> set[str]:
    """Every module that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    module = name_of(path)
    if module in ("pacman", "agents", "autograder"):
        return  # a package's front page names what is inside
    assert room(module), f"{module} has no row in the table"
    for imported in imports(path):
        if room(imported):
            assert ORDER.index(room(imported)) <= ORDER.index(room(module)), f"{module} imports {imported}"


def test_graded_code_shares_its_process_with_nothing_of_the_grader() -> None:
    """What runs behind the walls imports the line it talks on, the rules and the agents' base, and no more."""
    shared = {"autograder.inside", "autograder.transport", "agents.base", "agents", "pacman"}
    for path in (ROOT / "autograder" / "inside").glob("*.py"):
        for imported in imports(path):
            if imported.split(".")[0] in ("autograder", "agents", "pacman"):
                assert room(imported) in {*shared, *ORDER[: ORDER.index("pacman.bounds")], None}, f"{path}: {imported}"


def test_another_style_of_submissions_is_one_folder() -> None:
    """Only the command line names it; the grader and the sandbox find it by the name of its API."""
    users = {name_of(path) for path in FILES if any(i.startswith("autograder.cs188") for i in imports(path))}
    assert {user for user in users if not user.startswith("autograder.cs188")} <= {"autograder.__main__"}


@pytest.mark.parametrize(
    ("library", "file"), [("pygame", "pacman/view/picture/canvas.py"), ("numba", "pacman/kernel/jit.py")]
)
def test_a_heavy_library_is_imported_in_one_file(library: str, file: str) -> None:
    users = {
        path.relative_to(ROOT).as_posix() for path in FILES if any(i.split(".")[0] == library for i in imports(path))
    }
    assert users <= {file}


CENTRE = [path for path in FILES if name_of(path) in ORDER[: ORDER.index("pacman.bounded")] or "search" in path.parts]


@pytest.mark.parametrize("path", CENTRE, ids=name_of)
def test_the_centre_is_pure(path: Path) -> None:
    """No clock, no screen, no printing, and no random numbers but from a generator that is handed in."""
    clock = (
        {"time"} if name_of(path) == "pacman.search.deepening" else set()
    )  # its budget is time; a clock can be given
    assert not imports(path) & ({"time", "random", "sys", "os", "subprocess", "threading", "socket"} - clock)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Global), path
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "input", "open"), path


def test_importing_pacman_loads_nothing_heavy() -> None:
    heavy = {"pygame", "numba", "rich", "typer", "numpy", "yaml", "pydantic"}
    code = f"import sys, pacman; print(*sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""
