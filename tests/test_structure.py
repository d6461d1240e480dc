"""The house: imports between packages point down, effects stay at the edge, a heavy library has one home."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import ModuleType

import pytest

from autograder import __main__ as autograder_program
from autograder.student_process.allowed_imports import FILES as GRADED_FILES
from pacman import __main__ as pacman_program
from tests.paths import ROOT

TABLE = [
    {name: (int(lines), int(files)) for name, lines, files in re.findall(r"^(\w\S*) +(\d+) +(\d+)$", part, re.M)}
    for part in (ROOT / "tests" / "rooms.txt").read_text(encoding="utf-8").split("\n\n")
]
"""The parts of rooms.txt: the rooms, what stands beside their order, the tests. Name -> (most lines, most files)."""
ROOMS = tuple(name.replace("/", ".") for name in TABLE[0])
"""From the bottom up: a room may import from those before it."""
PURE = ("pacman.core", "pacman.record", "pacman.search", "pacman.games", "autograder.judge")
HEAVY = {
    "pygame": "pacman/picture/canvas.py",
    "numba": "pacman/compiled/jit.py",
    "numpy": ("pacman/compiled", "pacman/play/exact.py"),
    "yaml": "autograder/cases",
    "pydantic": "autograder/cases",
    "sqlalchemy": "autograder/course/store.py",
    "distributed": "autograder/course/cluster.py",
    "jinja2": ("autograder/pages/page.py", "autograder/course/kit.py"),
    "markupsafe": "autograder/pages",
}
ENVIRONMENT = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv", "expanduser", "home"}
ANSWERS = "autograder/assignments"
COMMANDS = sorted(
    {f"pacman.commands.{where.partition(':')[0]}" for where, _ in pacman_program.COMMANDS.values()}
    | {f"autograder.{where.partition(':')[0]}" for where, _ in autograder_program.COMMANDS.values()}
)
SLOW_TO_LOAD = {*HEAVY, "PIL", "rich", "autograder.judge.wrong_searches"}
MOST_MODULES = 52
"""The most of our modules that importing the module of a command loads. `explain` loads most: it names all searches."""


def sources() -> dict[str, Path]:
    """Every module of the three packages but the answers, which are data: module -> file."""
    files = (path for top in ("pacman", "agents", "autograder") for path in (ROOT / top).rglob("*.py"))
    found = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in files}
    return {name.removesuffix(".__init__"): path for name, path in found.items() if ANSWERS not in path.as_posix()}


MODULES = sources()
PACKAGES = {name for name, path in MODULES.items() if path.name == "__init__.py"}


TEXTS = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items()}
TREES = {name: ast.parse(text) for name, text in TEXTS.items()}


def imports(tree: ast.AST, at_once: bool = False, for_types: bool = False) -> set[str]:
    """Every module that a file imports, wherever in it; those for types alone only if `for_types`.

    With `at_once`, those in a function do not count.
    """
    found, left = set[str](), [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in (f"{node.module}.{alias.name}" for alias in node.names):
                found.add(name if name in MODULES else node.module)
        elif isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING" and not for_types:
            left += node.orelse
        elif not (at_once and isinstance(node, ast.FunctionDef)):
            left += ast.iter_child_nodes(node)
    return found


def package(module: str) -> str:
    """The innermost package that a module is in; a package is in itself. A command line is beside its package."""
    while module not in PACKAGES and not module.endswith(".__main__"):
        module = module.rpartition(".")[0]
    return module


def graph(modules: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """Package -> the other packages that its modules import."""
    edges: dict[str, set[str]] = {package(name): set() for name in modules}
    for name, imported in modules.items():
        for target in imported:
            if target in MODULES and package(target) != package(name):
                edges[package(name)].add(package(target))
    return edges


def room(module: str) -> str | None:
    """The innermost room that a module is in; None for a front page such as `pacman`, and for what is not ours."""
    around = [name for name in ROOMS if f"{module}.".startswith(f"{name}.")]
    return max(around, key=len, default=None)


IMPORTS = {name: imports(tree) for name, tree in TREES.items()}
IMPORTS_AT_ONCE = {name: imports(tree, at_once=True) for name, tree in TREES.items()}


def loaded_with(module: str, imports: Mapping[str, set[str]] = IMPORTS_AT_ONCE) -> set[str]:
    """Every module that Python loads when it imports one of ours, with the packages around each.

    With `IMPORTS`, also those that a function imports when it runs.
    """
    loaded: set[str] = set()
    new = {module}
    while new:
        loaded |= new
        around = {parent for name in new for parent in accumulate(name.split("."), "{}.{}".format)}
        new = around.union(*(imports.get(name, ()) for name in new)) - loaded
    return loaded


def test_no_packages_import_each_other_in_a_circle() -> None:
    TopologicalSorter(graph(IMPORTS)).prepare()


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even for their types. The front of a package may import its modules."""
    edges = {name: imports(tree, for_types=True) & MODULES.keys() - PACKAGES - {name} for name, tree in TREES.items()}
    TopologicalSorter(edges).prepare()


@pytest.mark.parametrize("module", [name for name in MODULES if room(name)])
def test_imports_point_down(module: str) -> None:
    here = room(module)
    assert here is not None
    for imported in IMPORTS[module]:
        there = room(imported)
        assert there is None or ROOMS.index(there) <= ROOMS.index(here), f"{module} imports {imported}"


def test_only_the_commands_of_the_grader_import_views_and_commands() -> None:
    """A grader on a server needs none of a window, and what both programs are made of is for programs."""
    programs = ("pacman.view", "pacman.commands")
    below = {name for name in MODULES if (room(name) or "").startswith("autograder.") and name not in COMMANDS}
    importing = {name for name in below if any(room(imported) in programs for imported in IMPORTS[name])}
    assert {name for name in importing if room(name) != "autograder.commands"} == set()


def test_games_are_played_without_searches() -> None:
    for module in MODULES:
        if room(module) == "pacman.play":
            assert not {name for name in IMPORTS[module] if room(name) == "pacman.search"}, module


def test_every_module_is_in_a_room() -> None:
    fronts = {"pacman", "pacman.__main__", "pacman.program_imports", "pacman.environment"}
    fronts |= {"autograder", "autograder.__main__", "autograder.shipped"}
    assert {name for name in MODULES if not room(name)} == fronts


def test_the_front_of_a_package_names_modules_that_are_there() -> None:
    """In the tables of the docstrings: the names of modules, then two spaces or more, then what they are for."""
    named = {
        f"{package}.{name.rstrip('/')}"
        for package in PACKAGES
        for line in (ast.get_docstring(TREES[package]) or "").splitlines()
        if (row := re.match(r"([a-z_0-9]+/?(?:, [a-z_0-9]+/?)*) {2,}\S", line))
        for name in row[1].split(", ")
    }
    assert len(named) > 30
    assert named - MODULES.keys() == set()


def test_nothing_imports_the_answers() -> None:
    for module, imported in IMPORTS.items():
        assert not [name for name in imported if name.startswith("autograder.assignments")], module


def test_the_process_of_graded_code_has_only_its_files() -> None:
    """Each of these files imports nothing of ours but others of them, where it imports at once."""
    held = {path.relative_to(ROOT).as_posix() for pattern in GRADED_FILES for path in ROOT.glob(pattern)}
    for name, path in MODULES.items():
        if path.relative_to(ROOT).as_posix() in held:
            for imported in IMPORTS[name] & MODULES.keys():
                assert MODULES[imported].relative_to(ROOT).as_posix() in held, f"{name} imports {imported}"


@pytest.mark.parametrize(("library", "homes"), HEAVY.items())
def test_a_heavy_library_has_its_home(library: str, homes: str | tuple[str, ...]) -> None:
    users = {
        MODULES[name].relative_to(ROOT).as_posix()
        for name, imported in IMPORTS.items()
        if any(each.split(".")[0] == library for each in imported)
    }
    assert {user for user in users if not user.startswith(homes)} == set()


@pytest.mark.parametrize("module", [name for name in MODULES if room(name) in PURE])
def test_the_centre_is_pure(module: str) -> None:
    """No clock, file or screen, no printing, and no random numbers but from a generator that is handed in."""
    # The budget of deepening is time (a clock can be given); a layout's name is a file's; one module reads and
    # writes users' files, another imports them; a watcher reads the frames of the code that it watches; a diagnosis
    # asks questions from generators with fixed seeds.
    allowed = {
        "pacman.search.deepening": {"time"},
        "pacman.core.layout": {"open"},
        "pacman.core.files": {"os", "open"},
        "pacman.record.program": {"os", "sys"},
        "pacman.record.watcher": {"sys"},
        "autograder.judge.diagnosis.questions": {"random"},
    }.get(module, set())
    effects = {"time", "random", "sys", "os", "subprocess", "threading", "socket"} - allowed
    assert not IMPORTS[module] & effects
    for node in ast.walk(TREES[module]):
        assert not isinstance(node, ast.Global), module
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "input", "open"} - allowed, module


def test_one_file_knows_the_environment_variables() -> None:
    """And `program_imports`, which sets one and must import nothing."""
    users = {
        name
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in ENVIRONMENT)
        or (isinstance(node, ast.alias) and node.name in ENVIRONMENT)
    }
    assert users == {"pacman.environment", "pacman.program_imports"}


@pytest.mark.parametrize("module", [name for name in MODULES if room(name) == "autograder.judge"])
def test_the_judge_needs_no_library_no_terminal_and_no_process(module: str) -> None:
    """Nor does anything that it imports, at once or when it runs."""
    assert not loaded_with(module, IMPORTS) & {*HEAVY, "rich", "typer", "subprocess"}


@pytest.mark.parametrize("module", COMMANDS)
def test_the_help_of_a_command_loads_little(module: str) -> None:
    """`-h` imports the module of the command: what only its work needs is imported in a function."""
    loaded = loaded_with(module)
    assert not loaded & SLOW_TO_LOAD
    assert len(loaded & MODULES.keys()) <= MOST_MODULES


def test_a_slow_import_behind_others_is_seen() -> None:
    assert {"sqlalchemy", "yaml"} <= loaded_with("autograder.course.grade")


def test_importing_pacman_loads_nothing_heavy() -> None:
    heavy = {"pygame", "numba", "rich", "typer", "numpy", "yaml", "pydantic"}
    code = f"import sys, pacman; pacman.Game, pacman.alphabeta; print(*sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""


# ---- lines


MOST_IN_A_FUNCTION = 60
"""Lines below the `def`, with the docstring."""
LONG_FUNCTIONS = {"pacman.compiled.searches"}
"""The compiled search is one loop over a stack."""


def row(path: Path) -> str:
    """The row of the table of rooms that a Python file of this project counts in."""
    place = path.relative_to(ROOT)
    if place.parts[0] == "tests":
        return "/".join(place.parts[:2]) if len(place.parts) > 2 else "tests"
    module = ".".join(place.with_suffix("").parts)
    return ANSWERS if ANSWERS in place.as_posix() else (room(module) or place.parts[0]).replace(".", "/")


def test_fewer_lines_are_not_got_by_golfing() -> None:
    """Docstrings and blank lines keep their share; ruff sees to it that a line has one statement."""
    lines = [line for text in TEXTS.values() for line in text.splitlines()]
    nodes = (node for tree in TREES.values() for node in ast.walk(tree))
    owners = (node for node in nodes if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef))
    texts = (node.body[0] for node in owners if ast.get_docstring(node, clean=False) is not None)
    in_docstrings = sum((text.end_lineno or text.lineno) - text.lineno + 1 for text in texts)
    assert in_docstrings >= 0.12 * len(lines)
    assert sum(not line.strip() for line in lines) >= 0.15 * len(lines)


def test_no_function_is_long() -> None:
    found = {
        (name, node.name)
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (node.end_lineno or 0) - node.body[0].lineno >= MOST_IN_A_FUNCTION and name not in LONG_FUNCTIONS
    }
    assert found == set()


# ---- examples


EXTRAS = {"numba": "fast", "distributed": "cluster"}


def loaded(module: str) -> ModuleType:
    """The module. The test is skipped if this needs an extra that is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        pytest.skip(f"needs the extra `{EXTRAS[error.name]}`")


@pytest.mark.parametrize("module", [name for name, text in TEXTS.items() if ">>>" in text])
def test_the_examples(module: str) -> None:
    result = doctest.testmod(loaded(module))
    assert result.attempted
    assert not result.failed
