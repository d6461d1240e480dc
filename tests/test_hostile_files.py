"""Files that once hung a command or ended in a traceback: each is one line on stderr and exit status 2, at once."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import NamedTuple

import pytest

from pacman.core.tree_text import MAX_DEPTH, MAX_NODES, Outline
from tests.paths import ROOT
from tests.written_files import write_files

MEMORY = 300 << 20
WATCHDOG = 120  # seconds; each takes less than two on a quiet machine
RUN = f"""
import json, os, resource, runpy, signal, sys
import autograder.commands.grade, autograder.commands.hand_out, autograder.commands.check
import pacman.commands.recorded, pacman.commands.solve
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
for request in sys.stdin:
    *sys.argv, errors = json.loads(request)
    child = os.fork()
    if not child:
        signal.alarm({WATCHDOG})
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=sys.stderr, flush=True)
"""
"""Runs commands with little memory. Each is a copy of one process, because most of a command's time is its imports."""
LIMITS = "{seconds: 5, memory_mb: 512, output_kb: 64}"
QUESTION = "{id: q1, title: t, part: M, points: 1, role: search, reference: exhaustive, criteria: {value: 1}}"
ASSIGNMENT = f"title: t\nlimits: {LIMITS}\nquestions:\n  - {QUESTION}\n"
TREE = "kind: tree\nshows: s\nplies: 1\ntree: |\n  max\n    a: 1\n    b: 2\n"
POSITION = "kind: position\nshows: s\nlayout: nook\nghosts: [random]\n"
GAME = {"format": "pacman-game", "version": 1, "names": ["a"], "seed": 1, "move_timeout": None}
STATUS = "score=0 mover=0 outcome=playing pacman=1,1:Stop order=0"
ROOM = "%%%%%%%%\n%P.....%\n%......%\n%..12..%\n%......%\n%%%%%%%%"


def hall(width: int, height: int) -> str:
    """An empty room with walls around it."""
    inside = "%" + " " * (width - 2) + "%"
    return "\n".join(["%" * width, "%P." + inside[3:], *[inside] * (height - 3), "%" * width])


def alias_bomb() -> str:
    """A list of nine lists of nine lists, and so on: a few hundred bytes for 9**9 words."""
    rows = [f"b{level}: &a{level} [{','.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 9)]
    return "\n".join(["a: &a0 [x,x,x,x,x,x,x,x,x]", *rows, "kind: tree"]) + "\n"


TREES = {
    "probability 1e99999999": "chance\n  a @1e99999999: 1\n  b: 2\n",
    "probability 1e-300000000": "chance\n  a @1e-300000000: 1\n  b @0.5: 2\n",
    "a number of 900,000 digits": f"max\n  a: {'9' * 900_000}\n",
    "a fraction of 900,000 digits": f"max\n  a: 1/{'9' * 900_000}\n",
    "1,200 levels": "max\n" + "".join("  " * depth + "a: max\n" for depth in range(1, 1200)) + "  " * 1200 + "a: 1\n",
    "20,000 leaves": "max\n" + "".join(f"  a{index}: 1\n" for index in range(20_000)),
    "9,000 different denominators": "chance\n"
    + "".join(f"  a{index} @1/1{'0' * 40}{2 * index + 1}: 1\n" for index in range(9_000)),
    "10 MB": "max\n" + "  # nothing here\n" * 700_000,
}
CASES = {
    "an alias bomb": alias_bomb(),
    "a recursive mapping": "kind: tree\nx: &a {b: *a}\n",
    "100,000 nested lists": f"kind: {'[' * 100_000}\n",
    "nested mappings": "{a: " * 3000 + "1" + "}" * 3000 + "\n",
    "nested blocks": "".join("  " * depth + "a:\n" for depth in range(900)),
    "a tag on a word": "kind: !!bool x\n",
    "a date that is none": "kind: 2020-99-99\n",
    "an integer of 100,000 digits": f"kind: {'9' * 100_000}\n",
    "a key of 100,000 digits": f"{'9' * 100_000}: 1\n",
    "a list as a key": "? [a, b]\n: 1\n",
    "sexagesimals": f"kind: {':'.join(['1'] * 20_000)}\n",
    "a short sexagesimal": TREE + "weight: 1:30\n",
    "200,000 words": f"kind: [{'x,' * 200_000}]\n",
    "200,000 words, not YAML": f"kind: [{'x,' * 200_000}\n",
    "10 MB": "# nothing here\n" * 700_000 + TREE,
    "weight 1e308": TREE + "weight: 1.0e+308\n",
    "plies 1e15": TREE.replace("plies: 1", "plies: 1000000000000000"),
    "seconds 1e10": TREE + "seconds: 1.0e+10\n",
    "30 rounds": POSITION + "rounds: 30\n",
    "1e15 moves": POSITION + "moves: 1000000000000000\n",
    "a large layout": POSITION.replace("nook", "|\n  " + hall(500, 500).replace("\n", "\n  ")),
}
ASSIGNMENTS = {
    "memory 1e15": ASSIGNMENT.replace("memory_mb: 512", "memory_mb: 1000000000000000"),
    "output 1e15": ASSIGNMENT.replace("output_kb: 64", "output_kb: 1000000000000000"),
    "seconds 1e10": ASSIGNMENT.replace("seconds: 5", "seconds: 1.0e+10"),
    "points 1e308": ASSIGNMENT.replace("points: 1,", "points: 1.0e+308,"),
    "criteria 1e308": ASSIGNMENT.replace("value: 1}", "value: 1.0e+308}"),
}
LAYOUTS = {
    "3000 x 3000": hall(3000, 3000),
    "900 x 900": hall(900, 900),
    "a row of 500,000": hall(500_000, 3)[:900_000],
}


def header(width: int, height: int) -> str:
    """The first line of a recorded game, in an empty room."""
    return json.dumps({**GAME, "start": [*hall(width, height).split("\n"), STATUS]}) + "\n"


PLY = '{"ply":0,"agent":0,"action":"Stop","seconds":0.0,"check":CHECK}\n'
RECORDINGS: dict[str, Callable[[], str]] = {
    "an endless line": lambda: " " * 40_000_000,
    "20 MB of plies": lambda: header(5, 4) + PLY.replace("CHECK", "0") * 400_000,
    "newlines": lambda: "\n" * 15_000_000,
    "a large position": lambda: header(1000, 900),
    "nested lists": lambda: "[" * 1_000_000,
    "lists in a ply": lambda: header(5, 4) + PLY.replace("CHECK", f"[{'[],' * 5_000_000}1]"),
}


def game_test(depth: int) -> str:
    """A test of a game in Berkeley's format."""
    return (
        f'class: "PacmanGameTreeTest"\nalg: "ExpectimaxAgent"\nseed: "0"\ndepth: "{depth}"\n'
        f'max_points: "4"\nlayoutName: "room"\nlayout: """\n{ROOM}\n"""\n'
    )


TESTS = {"depth 30": game_test(30), "depth 999,999,999": game_test(999_999_999), "slow to read": "#" * 900_000 + "\n"}
SOLUTIONS = {
    name: f'optimalActions: """\n{moves}\n"""\n'
    for name, moves in {
        "deep lists": "[" * 50_000,
        "an infinite count": '[[["Stop"], 1e999]]',
        "a count of 100,000 digits": f'[[["Stop"], {"9" * 100_000}]]',
    }.items()
}


BESIDE = {"assignment.yaml": ASSIGNMENT, "cases/q1/01.yaml": TREE, "mine.py": "class M: pass\n"}


class Kind(NamedTuple):
    """Files of one kind: the name of such a file, the command that reads it, and what that command says.

    `{file}` and `{folder}` are the file and its folder. The first `fast` always run.
    """

    file: str
    command: str
    says: str
    texts: Mapping[str, str | Callable[[], str]]
    fast: int
    status: int = 2
    lines: int = 1


IMPORT = "autograder new-assignment ours --from {folder} --out {folder}/ours"
MOVES = "1-game.solution:2: expected a list of moves: [[[ACTION, ...], NUMBER OF STATES], ...]"
KINDS = {
    "tree": Kind("tree.txt", "pacman solve {file}", "^{file}(, line |: )", TREES, 3),
    "case": Kind("cases/q1/01.yaml", "autograder check {folder}", "^{file}:", CASES, 5),
    "assignment": Kind(
        *("assignment.yaml", "autograder grade {folder}/mine.py --assignment {folder}"),
        *("^{file}:.*less than or equal to", ASSIGNMENTS, 2),
    ),
    "layout": Kind("hostile.lay", "pacman solve --layout {file}", "too large", LAYOUTS, 3),
    "recorded game": Kind("game.json", "pacman replay {file} --view none", "^{file}:", RECORDINGS, 2),
    # One line about the test, and one that nothing is left to import.
    "test of Berkeley": Kind("1-game.test", IMPORT, "nothing imported", TESTS, 3, lines=2),
    # The test is imported without its solution, so the exit status is 1, as the command's help says.
    "solution of Berkeley": Kind("1-game.solution", IMPORT, re.escape(MOVES), SOLUTIONS, 3, status=1),
}
SLOW = pytest.mark.slow("of damaged files")
ROWS = [
    pytest.param(kind, name, marks=[SLOW] if number >= about.fast else [], id=f"{kind}: {name}")
    for kind, about in KINDS.items()
    for number, name in enumerate(about.texts)
]


Command = Callable[..., tuple[str, str]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    """Runs a command with little memory; its exit status, and what it says."""
    errors = tmp_path_factory.mktemp("run") / "errors"
    command = [sys.executable, "-c", RUN]
    with Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        requests, statuses = process.stdin, process.stderr

        def ask(*arguments: str) -> tuple[str, str]:
            errors.unlink(missing_ok=True)
            print(json.dumps([*arguments, str(errors)]), file=requests, flush=True)
            return statuses.readline().strip(), errors.read_text(encoding="utf-8")

        yield ask


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS limits memory on Linux only")
@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_a_hostile_file_is_one_line(run: Command, tmp_path: Path, kind: str, name: str) -> None:
    about, file = KINDS[kind], tmp_path / KINDS[kind].file
    text = about.texts[name]
    files = BESIDE if about.file.endswith(".yaml") else {"1-game.test": game_test(1)}
    files = {**files, about.file: text if isinstance(text, str) else text()}
    write_files(tmp_path, files)
    program, *words = about.command.format(file=file, folder=tmp_path).split(" ")
    status, said = run(program, *words)
    assert (status, said.count("\n")) == (str(about.status), about.lines), said[-2000:]
    assert max(map(len, said.splitlines())) < 1000
    assert not any(word in said for word in ("Traceback", "MemoryError", "RecursionError", "Errno"))
    last = said.splitlines()[-1].removeprefix(f"python -m {program}: ")
    assert re.search(about.says.replace("{file}", re.escape(str(file))), last), last


def test_the_largest_trees_are_read() -> None:
    deepest = "max\n" + "".join("  " * depth + "a: max\n" for depth in range(1, MAX_DEPTH)) + "  " * MAX_DEPTH + "a: 1"
    widest = "max\n" + "".join(f"  a{index}: 1\n" for index in range(MAX_NODES - 1))
    assert Outline.parse(deepest).height() == MAX_DEPTH
    assert Outline.parse(widest).size() == MAX_NODES
