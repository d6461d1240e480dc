"""The zip for students: what is in it, that nothing else is, that pip installs it, and that it grades."""

from __future__ import annotations

import ast
import io
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from configparser import ConfigParser
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.cases.yaml_file import parse
from autograder.course.kit import SEARCHES, layout_files, pyproject, readme, release
from autograder.course.new_assignment import small_assignment
from autograder.pages.lab.site import ACE, PYODIDE
from autograder.platforms import submission_api
from autograder.student_process.request_handler import APIS
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course.small_class import write_files
from tests.empty_environment import environment, install, make_environment
from tests.paths import ROOT, SOLUTIONS
from tests.test_structure import imports

NAMES = loading.names()
TOP = {"README.md", "LICENSE", "pyproject.toml", "my.py", "handout.md"}
FOR_STAFF = {
    "solutions", "styles", "instructors", "case_strength", "course", "tests", "gradescope",
    "check", "new_case", "new_assignment", "release", "zip_file", "kit", "hand_out",
    "student", "new_agent", "cs188_files", "cs188_tests", "cs188_check",
}  # fmt: skip
NOT_FOR_STAFF = {"autograder/report/gradescope.py", "autograder/pages/search.py"}
"""Files with the name of a tool for staff: a report, and what records a search for a page."""
SECRET = "nobody may read this"
Kits = dict[str, dict[str, bytes]]


def files(content: bytes) -> dict[str, bytes]:
    """The files of a release, without the name of the folder around them."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def kits() -> Kits:
    """The files of the release of each assignment of the project."""
    return {name: files(release(loading.load(name))) for name in NAMES}


def test_a_release_has_no_file_for_staff_and_the_same_bytes_again(kits: Kits) -> None:
    for name, kit in kits.items():
        public = {"assignment.yaml", *(f"cases/{case.id}.yaml" for case in loading.load(name).cases)}
        for path in kit:
            inside = path.removeprefix(f"autograder/assignments/{name}/")
            names = {Path(part).stem for part in Path(path).parts}
            assert not names & FOR_STAFF or path in NOT_FOR_STAFF or path.startswith("pacman/record/"), path
            assert inside in public or path in TOP or (ROOT / path).is_file(), path
            assert path in TOP or path.startswith(("pacman/", "agents/", "layouts/", "autograder/")), path
            assert not path.startswith("autograder/assignments/") or inside in public, path
    assert files(release(loading.load("warm-up"))) == kits["warm-up"]


def week(folder: Path, **changes: str) -> Path:
    """A new assignment in `folder`, with other texts for some files; the keys stand for names, with _ for a dot."""
    own = {name.replace("_", "."): text for name, text in changes.items()}
    return write_files(folder / "week", small_assignment("week") | own)


def test_a_release_has_no_hidden_case_and_no_question_that_has_only_those(tmp_path: Path) -> None:
    """q1 has a hidden case; q2, which q1 requires, has only one."""
    folder = week(tmp_path)
    read = {name: (folder / name).read_text(encoding="utf-8") for name in ("assignment.yaml", "solutions.py")}
    hidden = (folder / "cases/q1/01-by-hand.yaml").read_text(encoding="utf-8")
    hidden = re.sub("shows: .*", f"shows: {SECRET}\nhidden: true", hidden)
    settings = read["assignment.yaml"]
    second = settings[settings.index("  - id: q1") :].replace("q1", "q2")
    changed = {f"cases/{name}.yaml": hidden for name in ("q1/03-secret", "q2/01-secret")}
    changed |= {"instructors.md": f"# {SECRET}\n", "solutions.py": f"# {SECRET}\n{read['solutions.py']}"}
    write_files(folder, changed | {"assignment.yaml": f"{settings}    requires: {{q2: 0.5}}\n{second}"})
    folder = folder.rename(tmp_path / "Woche 4")
    kit = files(release(loading.load(str(folder))))
    assert {path for path, content in kit.items() if SECRET.encode() in content} == set()
    place = "autograder/assignments/Woche 4"
    assert {path for path in kit if path.startswith(place)} == {
        f"{place}/{name}" for name in ("assignment.yaml", "cases/q1/01-by-hand.yaml", "cases/q1/02-nook.yaml")
    }
    rules = "\n\nHand in by 2026-11-22T23:59Z. Each late day takes 10% of the points.\n"
    dated = replace(loading.load(str(folder)), due="2026-11-22T23:59Z", late_per_day="10%")
    assert rules in readme(dated)
    keys = parse(kit[f"{place}/assignment.yaml"].decode(), Path("assignment.yaml")).data
    assert set(keys) == {"title", "questions"}
    assert [(question["id"], "requires" in question) for question in keys["questions"]] == [("q1", False)]
    about = kit["README.md"].decode()
    assert "further cases" in about
    assert "q2" not in about
    loaded = loading.load("multiagent")
    secret = tuple(replace(case, input=replace(case.input, hidden=True)) for case in loaded.cases)
    assert layout_files(loaded).keys() > layout_files(replace(loaded, cases=secret)).keys() == set()


@pytest.mark.parametrize("command", ["release", "lab"])
@pytest.mark.parametrize("form", ["", "# {}", "class Old:\n    def search(self, node, plies):\n        {}"])
def test_a_stub_with_an_answer_does_not_go_out(command: str, form: str, tmp_path: Path) -> None:
    """As the solution itself, in a comment, and in a class that earns no points."""
    folder, out = week(tmp_path), str(tmp_path / "out.zip")
    solutions, stub = ((folder / name).read_text(encoding="utf-8") for name in ("solutions.py", "stub.py"))
    answer = solutions[solutions.index("if plies == 0") :].rstrip()
    lines = [line.strip() for line in answer.split("\n")]
    old = form.format("\n# ".join(lines) if "#" in form else answer)
    (folder / "stub.py").write_text(f"{stub}\n\n{old}\n" if form else solutions, encoding="utf-8")
    parts = dict.fromkeys((*PYODIDE, *(f"src-min-noconflict/{name}" for name in ACE)), "")
    packages = str(write_files(tmp_path / "packages", parts))
    words = ["release", str(folder), "--out", out]
    if command == "lab":
        words = ["lab", "--assignment", str(folder), "--pyodide", packages, "--ace", packages, "--out", out]
    done = run_here("autograder", *words)
    problem = f"{folder}/stub.py: the stub earns points in q1/01-by-hand and 1 more; take the answers out"
    if form:
        name = "my.py" if command == "release" else "student.py"
        problem = f"{name}: contains the answer MinimaxAgent.search of {folder}/solutions.py; take it out"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"python -m autograder: {problem}\n")
    assert not Path(out).exists()


def test_a_handout_with_an_answer_or_from_outside_and_a_broken_case_do_not_go_out(tmp_path: Path) -> None:
    """But a function that the stub gives is no answer."""
    folder = week(tmp_path)

    def refused(match: str) -> None:
        with pytest.raises(InputError, match=match):
            release(loading.load(str(folder)))

    given = "\n\ndef order(node):\n    actions = sorted(node.actions(), key=len)\n    actions.reverse()\n"
    given += "    return [action for action in actions if action != 'a name that is long']\n"
    for name in ("stub.py", "solutions.py"):
        (folder / name).write_text((folder / name).read_text(encoding="utf-8") + given, encoding="utf-8")
    assert "my.py" in files(release(loading.load(str(folder))))
    (folder / "handout.md").write_text((folder / "solutions.py").read_text(encoding="utf-8"), encoding="utf-8")
    refused(r"handout.md: contains the answer MinimaxAgent.search of .*solutions.py")
    (tmp_path / "private.txt").write_text("secret", encoding="utf-8")
    (folder / "handout.md").unlink()
    (folder / "handout.md").symlink_to(tmp_path / "private.txt")
    refused(r"handout.md: a link that leads out of the folder of the assignment")
    (folder / "handout.md").unlink()
    case = folder / "cases/q1/01-by-hand.yaml"
    text = case.read_text(encoding="utf-8")
    case.write_text(re.sub(r" ~-?\d+", "", text.replace("plies: 2", "plies: 1")), encoding="utf-8")
    refused(r"01-by-hand\.yaml: node West: this min node has no score")
    case.write_text(text.replace("min ", "mni ", 1), encoding="utf-8")
    refused(r"01-by-hand\.yaml, line ")


def test_all_that_a_release_uses_is_in_it(kits: Kits) -> None:
    """Every module that it imports, and every template and file of its pages."""
    kit = kits["multiagent"]
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in kit}
    libraries = {"pygame", "numpy", "yaml", "pydantic", "pydantic_core", "annotated_types", "typer", "rich", "PIL"}
    libraries |= {"jinja2", "markupsafe", "numba", "llvmlite", "msvcrt"}
    for path in (path for path in kit if path.endswith(".py") and path not in TOP):
        for module in imports(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            top = module.split(".")[0]
            if top in ("pacman", "agents", "autograder", "layouts"):
                is_file = (ROOT / module.replace(".", "/")).with_suffix(".py").is_file()
                is_there = module in modules or (not is_file and module.rpartition(".")[0] in modules)
                is_there |= (path, module) == ("autograder/commands/options.py", "autograder.course.job")  # staff
                assert is_there, f"{path} imports {module}: add it to KIT in autograder/shipped.py"
            else:
                assert top in sys.stdlib_module_names | libraries, f"{path} imports {module}"
    text = "".join(content.decode() for path, content in kit.items() if path.startswith("autograder/pages/"))
    pages = {path.name for folder in ("templates", "static") for path in (ROOT / "autograder/pages" / folder).iterdir()}
    left_out = (set(re.findall(r"[\w-]+\.(?:html|js|css)", text)) & pages) - {Path(path).name for path in kit}
    assert left_out <= {"class_board.html", "lab.html", "lecture_board.html", "refused_page.html"}


def test_pip_does_not_take_a_release_for_the_program_of_the_teacher_and_finds_its_packages() -> None:
    """With the same name, pip would replace it. In an environment with both, Python takes the first of the alphabet."""
    ours, theirs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8")), tomllib.loads(pyproject())
    assert theirs["project"]["name"] > ours["project"]["name"]
    settings = ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")
    assert {*theirs["project"]["dependencies"]} <= {*settings["options"]["install_requires"].strip().split("\n")}


def test_a_kit_that_is_not_installed_says_so_in_one_line() -> None:
    """The modules of this process stand in for an empty environment: `typer` is missing in it."""
    code = "import sys; sys.modules['typer'] = None; import autograder.__main__"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    line = "a package is missing (typer); first type in this folder: python -m pip install -e .\n"
    assert (done.returncode, done.stderr) == (2, line)


def test_the_list_of_searches_is_complete(kits: Kits) -> None:
    """A function that calls itself and makes successors is a search, or one of those below."""
    others = {
        "autograder/pages/search.py",  # numbers the nodes of a drawing
        "autograder/cases/right_answer.py",  # looks for a node without an evaluation
        "agents/cs188/tree.py",  # counts the rounds of a tree
        "pacman/picture/tree.py",  # counts and places the nodes of a drawing
    }
    kit = {path: text for path, text in kits["multiagent"].items() if path.endswith(".py") and path not in TOP}
    found = {path for path, text in kit.items() if any(map(is_search, ast.walk(ast.parse(text))))}
    assert {*SEARCHES} <= {*kit}
    assert found - {*SEARCHES} == others
    assert {"pacman/search/exhaustive.py", "pacman/search/alphabeta.py"} <= found
    listed = run_here("autograder", "release", "--list").stdout
    assert all(f"  {path} " in listed for path in SEARCHES)


def is_search(node: ast.AST) -> bool:
    """True for a function that calls itself, or a method `visit`, and that calls `.successor()`."""
    if not isinstance(node, ast.FunctionDef) or node.name in ("successor", "__init__"):
        return False
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
    return "successor" in names and bool({node.name, "visit"} & names)


def test_the_only_assignment_of_a_release_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for names, expected in (
        (NAMES, ["multiagent", "classic"]),
        (["warm-up"], ["warm-up", "warm-up"]),
        ([], ["multiagent", "classic"]),  # an upload for Gradescope
    ):
        monkeypatch.setattr(loading, "names", lambda names=names: names)
        assert [submission_api(name).assignment for name in ("native", "cs188")] == expected
    assert {*APIS} == {"native", "cs188"}


def test_the_readme_shows_commands_for_the_files_of_the_assignment(kits: Kits) -> None:
    first = {name: re.findall(r"^    (python .*)", kit["README.md"].decode(), re.M) for name, kit in kits.items()}
    install = "python -m pip install -e ."
    assert first["warm-up"] == first["multiagent"] == [install, "python -m autograder grade my.py"]
    assert first["classic"] == [install, "python -m autograder grade multiAgents.py"]
    assert {name for name, kit in kits.items() if "my.py" in kit} == {"multiagent", "warm-up"}
    assert all("handout.md" in kit for kit in kits.values())
    assert "agents/student.py" not in kits["multiagent"]["my.py"].decode()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, kits: Kits) -> tuple[Path, Path]:
    """An interpreter of an empty environment with the release of multiagent, and a folder with two files to grade.

    The folder is not that of the release, so every file comes from the environment, as pip installed it.
    """
    home = tmp_path_factory.mktemp("student")
    write_files(home / "kit", kits["multiagent"])
    interpreter = make_environment(home / "env")
    install(interpreter, "--no-build-isolation", ".", folder=home / "kit")
    (home / "work").mkdir()
    (home / "kit" / "my.py").rename(home / "work" / "my.py")
    shutil.copy(SOLUTIONS, home / "work" / "right.py")
    shutil.rmtree(home / "kit")
    return interpreter, home / "work"


def run(installed: tuple[Path, Path], *arguments: str, **variables: str) -> tuple[int, str]:
    """The exit status and the output of `python -m ARGUMENTS` in the student's folder."""
    done = subprocess.run(
        [str(installed[0]), "-m", *arguments], cwd=installed[1], env=environment(COLUMNS="120", **variables),
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


SLOW = pytest.mark.slow("of a release")
TREE = "max { a: 3; b: min { x: 2; y: 8 } }"
FIGURE = "q2/01-figure"
GRADER = {"grade", "case", "doctor", "explain", "practice"}


@SLOW
def test_a_release_grades_with_its_own_commands(installed: tuple[Path, Path]) -> None:
    status, report = run(installed, "autograder", "grade", "right.py")
    assert (status, bool(re.search(r"total +30/30", report))) == (0, True), report
    for program, expected in (("autograder", GRADER), ("pacman", {"watch", "play", "solve"})):
        status, text = run(installed, program, "--help")
        assert status == 0
        commands = text.partition("Options:\n")[2].partition("\n\n")[2]
        listed = {line.split()[0] for line in commands.splitlines() if line[:2] == "  " != line[1:3]}
        assert expected <= listed
        assert {name.replace("-", "_") for name in listed} & FOR_STAFF == set()
    line = {"COMP_WORDS": "pacman-grade grade my.py --case q2/01", "COMP_CWORD": "4"}
    variables = environment(_PACMAN_GRADE_COMPLETE="complete_bash", **line)
    script = installed[0].with_name("pacman-grade")
    done = subprocess.run([script], cwd=installed[1], env=variables, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{FIGURE}\n", "")


@SLOW
def test_a_release_plays_and_writes_pictures_and_pages(installed: tuple[Path, Path]) -> None:
    (installed[1] / "tree.txt").write_text("max\n  a: 3\n  b: 4\n", encoding="utf-8")
    for words, expected, text in (
        (["autograder", "grade", "my.py", "--question", "q2"], 1, r"total +0/5"),
        (["autograder", "case", FIGURE, "--agent", "right.py"], 0, ""),
        (["autograder", "case", TREE, "--agent", "right.py:MinimaxAgent"], 0, ""),
        (["pacman", "watch", "--view", "none", "--layout", "nook"], 0, "score"),
        (["pacman", "solve", "tree.txt", "--picture", "tree.svg"], 0, ""),
        (["autograder", "explain", TREE, "--algorithm", "exhaustive", "--predict", "--out", "1.html"], 0, ""),
        (["autograder", "explain", FIGURE, "--agent", "right.py:MinimaxAgent", "--out", "2.html"], 0, ""),
        (["autograder", "practice", "--out", "3.html"], 0, ""),
    ):
        status, report = run(installed, *words)
        assert (status, bool(re.search(text, report))) == (expected, True), report
    for name, start in (("tree.svg", "<svg"), *((f"{number}.html", "<script") for number in (1, 2, 3))):
        assert start in (installed[1] / name).read_text(encoding="utf-8")


@SLOW
@pytest.mark.skipif(sys.platform == "win32", reason="it stands in for Windows elsewhere")
def test_it_grades_without_the_modules_that_only_posix_has(installed: tuple[Path, Path], tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("stand_in_for_windows.py"), tmp_path / "sitecustomize.py")
    for words, expected, texts in (
        (["autograder", "grade", "right.py", "--case", FIGURE], 0, (f"{FIGURE}  100 %", "sandbox: limits")),
        (["autograder", "grade", "my.py", "--case", FIGURE], 1, (f"{FIGURE}  0 %",)),
        (["pacman", "watch", "--view", "none", "--layout", "nook"], 0, ()),
    ):
        # Without locks, other graders of this machine would take its folders for those of one that was killed.
        status, report = run(installed, *words, PYTHONPATH=str(tmp_path), TMPDIR=str(tmp_path))
        assert (status, [text for text in texts if text not in report]) == (expected, []), report
