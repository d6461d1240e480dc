"""What is photographed: each shot has a name, and returns files by name.

The agents and trees of a shot come from the inputs that `take` has kept, so that `compare` gives the same ones to the
present program, wherever they are by then.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from tests.photographs.player import key_name
from tests.photographs.run import ROOT, flat, normal, program, run
from tests.photographs.terminal import PLAYER, screens

Files = dict[str, str | bytes]
SHARED = ROOT.parent / "shared" / "agents", ROOT.parents[1] / "shared" / "agents"


@dataclass(frozen=True)
class Shot:
    """`take` is called with an empty folder; `is_quick` if the shot is also one of `--quick`."""

    name: str
    take: Callable[[Path], Files]
    is_quick: bool = False


# The inputs.


def inputs() -> dict[str, Any]:
    """The agents, with the options to grade them, and the trees."""
    assignments = ROOT / "autograder" / "assignments"
    agents: dict[str, dict[str, Any]] = {}

    def add(name: str, path: Path | str, *options: str, is_quick: bool = False) -> None:
        text = path if isinstance(path, str) else path.read_text(encoding="utf-8")
        agents[name] = {"text": text, "options": options, "is_quick": is_quick}

    options = {"multiagent": (), "classic": ("--api", "cs188"), "warm-up": ("--assignment", "warm-up")}
    for assignment, more in options.items():
        styles = (assignments / assignment / "styles", ROOT / "tests" / "submissions" / assignment)
        found = [
            *(assignments / assignment).glob("solutions.py"),
            *(p for each in styles for p in sorted(each.glob("*.py"))),
        ]
        for number, path in enumerate(found):
            add(f"{assignment}-{path.stem}", path, *more, is_quick=number < 2)
    add("stub", ROOT / "agents" / "student.py", is_quick=True)
    add("one_ply_short", ROOT / "docs" / "one_ply_short.py", is_quick=True)
    shared = next((each for each in SHARED if each.is_dir()), None)
    if shared is None:
        print("left out: the agents of ../shared/agents, which is not there")
    for folder in shared.glob("*/") if shared else ():
        for number, path in enumerate(sorted(folder.glob("*.py"))):
            add(f"{folder.name}-{path.stem}", path, is_quick=number % 8 == 0)
    try:
        from tests.judge.diagnosis.agents import RIGHT, WRONG, written
    except ImportError:
        print("left out: the agents of tests/judge/diagnosis/agents.py")
    else:
        for number, (names, base, question, edits) in enumerate(WRONG):
            text = written(base, edits)
            add(f"test-{number:02}-{slug(names)}", text, "--question", question.split()[0], is_quick=number % 20 == 0)
        for name, (base, question) in RIGHT.items():
            add(f"test-right-{slug(name)}", written(base), "--question", question)
    return {"agents": agents, "trees": trees()}


def trees() -> dict[str, str]:
    """Every drawn tree, by a name that does not change when its file moves."""
    found = {}
    for path in sorted([*(ROOT / "docs").rglob("*.txt"), *(ROOT / "autograder").rglob("*.txt")]):
        if re.match(r"(#.*\n)*(max|min|chance)\b", text := path.read_text(encoding="utf-8")):
            found[f"{path.parent.name}-{path.name}"] = text
    for path in sorted((ROOT / "autograder" / "assignments").glob("*/cases/*/*.yaml")):
        if text := yaml.safe_load(path.read_text(encoding="utf-8")).get("tree", ""):
            found["-".join((path.parents[2].name, path.parent.name, f"{path.stem}.txt"))] = text
    return found


def slug(text: str, used: Collection[str] = ()) -> str:
    """A file's name without its ending; not one of those that are `used`."""
    name = re.sub(r"[^\w.+-]+", "_", text)[:100].strip("_")
    while f"{name}.txt" in used:
        name += "+"
    return name


# What is graded and solved.


def report(folder: Path, agent: Mapping[str, Any], reports: bool) -> Files:
    """The whole report of an agent, and its scorecard."""
    name = "multiAgents.py" if "cs188" in agent["options"] else "agent.py"
    (folder / name).write_text(agent["text"], encoding="utf-8")
    more = {"card.md": "--markdown", "card.xml": "--junit", "gradescope.json": "--gradescope"} if reports else {}
    words = [word for pair in more.items() for word in reversed(pair)]
    text = run(
        program(
            "autograder",
            "grade",
            name,
            "--show-hidden",
            "--jobs",
            "1",
            "--json",
            "card.json",
            *agent["options"],
            *words,
        ),
        folder,
    )
    shown = run(program("autograder", "grade", name, "--jobs", "1", *agent["options"]), folder) if reports else ""
    return {"report.txt": text, **({"short.txt": shown} if reports else {}), **new_files(folder, ["card.json", *more])}


def solved(folder: Path, trees: Mapping[str, str], options: Sequence[str]) -> Files:
    """What `solve` says of every tree, one line each; the bounds are the smallest round ones that hold all numbers."""
    groups: dict[int, list[str]] = {}
    for name, text in trees.items():
        (folder / name).write_text(text, encoding="utf-8")
        numbers = [abs(float(each)) for each in re.findall(r"[:~] ?(-?[\d.]+)", text)]
        groups.setdefault(next(10**n for n in range(1, 20) if 10**n >= max(numbers)), []).append(name)
    text = ""
    for bound, names in sorted(groups.items()):
        limits = ["--bounds", str(-bound), str(bound)] if "star" in " ".join(options) or "--compare" in options else []
        text += run(program("pacman", "solve", *names, *options, *limits), folder)
    return {"solved.txt": text}


def pictures_of_trees(folder: Path, trees: Mapping[str, str], algorithm: str) -> Files:
    """Drawings of trees."""
    for name, text in trees.items():
        (folder / name).write_text(text, encoding="utf-8")
        bounds = ["--bounds", "-100", "100"] if "star" in algorithm else []
        picture = ["--picture", f"{name[:-4]}.svg"]
        run(program("pacman", "solve", name, "--algorithm", algorithm, *bounds, *picture), folder)
    return new_files(folder, [path.name for path in sorted(folder.glob("*.svg"))])


def new_files(folder: Path, names: Sequence[str]) -> Files:
    """The files of these names as they are photographed."""
    files: Files = {}
    for name in names:
        path = folder / name
        if not path.is_file():
            files[slug(name)] = "no file\n"
        elif path.suffix in (".png", ".gif"):
            files[slug(name)] = path.read_bytes()
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                files[f"{slug(name)}.txt"] = "\n".join(sorted(archive.namelist())) + "\n"
        elif path.suffix not in (".db", ".key", ".webp", ".mp4", ".wasm", ".pyc"):
            text = normal(path.read_text(encoding="utf-8", errors="replace"), folder)
            files[f"{slug(name)}"] = (
                normal(flat(text))
                if path.suffix == ".json"
                else markup(text)
                if path.suffix in (".html", ".svg")
                else text
            )
    return files  # fmt: skip


def markup(text: str) -> str:
    """HTML or SVG with one element a line. A script and a style are one line each, the data of a page many."""

    def part(match: re.Match[str]) -> str:
        if "json" in match[1]:
            return f"{match[1]}\n{flat(match[2])}\n{match[3]}"
        return f"{match[1]}{sha256(match[2].encode()).hexdigest()[:12]}, {len(match[2])} characters{match[3]}"

    text = re.sub(r"(<(?:script|style)[^>]*>)(.*?)(</(?:script|style)>)", part, text, flags=re.S)
    text = re.sub(r"sha256-[\w+/=]+", "sha256-...", text)
    return re.sub(r">\s*<", ">\n<", text)


# The commands of the documentation.

BLOCK = re.compile(r"```(console|sh|yaml|diff|python)\n(.*?)```", re.S)
CHECKOUT = (
    "agents",
    "autograder",
    "docs",
    "layouts",
    "pacman",
    "tests",
    "setup.cfg",
    "LICENSE",
    "README.md",
    "CONTRIBUTING.md",
)
CODE = re.compile(r"(tests|pacman|autograder|agents|try/source)/.*")
"""Files that are no photograph: the code that a page changes, or unpacks."""


def followed(folder: Path, page: str) -> Files:
    """Does in a copy of the checkout what a page says. Each command is a file, and so is each file that it makes."""
    skipped = shutil.ignore_patterns("__pycache__", ".*", "photographs")
    for name in CHECKOUT:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=skipped)
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    before = stamps(folder)
    files: Files = {}
    text = (ROOT / page).read_text(encoding="utf-8")
    changes_code = re.search(r"```diff|>>? (autograder|layouts|pacman|agents)/", text)
    code = folder if changes_code else ROOT  # the compiled search of a copy is compiled again
    for kind, block in BLOCK.findall(text):
        first, _, rest = block.partition("\n")
        if kind == "console":
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                shoot(files, folder, code, part.partition("\n")[0])
        elif kind == "sh":
            lines = block.splitlines()
            is_plain = all(re.match(r"(pacman|autograder|python|mkdir|cp)\b", line) for line in lines)
            for command in lines if is_plain else [f"set -e\n{block}"]:
                shoot(files, folder, code, command)
        elif file := re.fullmatch(r"# ([\w./-]+\.\w+)", first):
            path = folder / file[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(patched(path, rest) if kind == "diff" else rest, encoding="utf-8")
    new = sorted(name for name, stamp in stamps(folder).items() if before.get(name) != stamp)
    made = [name for name in new if not CODE.match(name) and (folder / name).stat().st_size < 2_000_000]
    return {**files, **{f"files/{name}": data for name, data in new_files(folder, made).items()}}


def shoot(files: Files, folder: Path, code: Path, command: str) -> None:
    """Adds the output of a command, by its words. A shown game is short."""
    shown = r"(?m)^(pacman-search (?:play|watch)\b(?!.*--view )[^|#\n]*)"
    command = re.sub(r"(?m)^pacman-search play\b", "pacman-search watch keyboard", command)
    command = re.sub(shown, r"\1 --speed 1000 --max-plies 12 --no-hold ", command)
    files[f"{slug(command, files)}.txt"] = f"$ {command}\n{run(command, folder, code)}"


def stamps(folder: Path) -> dict[str, tuple[float, int]]:
    """When each file was written, and its size."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): (path.stat().st_mtime, path.stat().st_size) for path in paths}


def patched(path: Path, change: str) -> str:
    """The text of a file after a change that a page shows; the same text if its lines are not there."""
    lines = change.splitlines(keepends=True)
    before = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
    after = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
    return path.read_text(encoding="utf-8").replace(before, after)


NOTEBOOK = """
import ast, re, sys
names = {}
for number, block in enumerate(re.findall(r"```python\\n(.*?)```", open(sys.argv[1], encoding="utf-8").read(), re.S)):
    *body, last = ast.parse(block).body
    is_value = isinstance(last, ast.Expr)
    exec(compile(ast.Module(body if is_value else [*body, last], []), "block", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "block", "eval"), names) if is_value else None
    for kind in ("svg", "html"):
        if draw := getattr(value, f"_repr_{kind}_", None):
            open(f"{number}.{kind}", "w", encoding="utf-8").write(draw())
    print(number, value)
"""


def notebook(folder: Path, page: str) -> Files:
    """The blocks of Python of a page, and what they draw in a notebook."""
    text = run([sys.executable, "-c", NOTEBOOK, str(ROOT / page)], folder)
    return {"blocks.txt": text, **new_files(folder, [path.name for path in sorted(folder.iterdir()) if path.is_file()])}


def outputs(folder: Path, commands: Sequence[str], text: str = "") -> Files:
    """Some commands one after another, with the files that they make; `text` is typed. They find the docs in `docs`."""
    if any("docs/" in command for command in commands):
        shutil.copytree(ROOT / "docs", folder / "docs")
    before = stamps(folder)
    files: Files = {}
    for command in commands:
        words = shlex.split(command)
        how = [str(PLAYER), "{}"] if words[0] == "pacman" else ["-m"]  # a clock that stands still, also in recordings
        files[f"{slug(command, files)}.txt"] = run([sys.executable, *how, *words], folder, text=text)
    return {**files, **new_files(folder, sorted(stamps(folder).keys() - before))}


def helps(folder: Path, of: str) -> Files:
    """The help of a program and of each of its commands."""
    front = run(program(of, "--help"), folder)
    commands = re.findall(r"^  ([a-z][a-z0-9-]+)  ", front, re.M)
    return {"help.txt": front, **{f"{each}.txt": run(program(of, each, "--help"), folder) for each in commands}}


# Keys.


def typed(
    folder: Path,
    words: str,
    keys: Sequence[str],
    size: tuple[int, int],
    before: Sequence[str],
    variables: dict[str, str],
) -> Files:
    """The screens of a program in a terminal, after each key."""
    outputs(folder, before)
    shown = screens([*shlex.split(words), "--view", "text"], keys, folder, size, **variables)
    return {f"{number:02}-{key_name(key)}.txt": text for number, (key, text) in enumerate(shown)}


def pressed(
    folder: Path,
    words: str,
    keys: Sequence[str],
    size: tuple[int, int],
    before: Sequence[str],
    variables: dict[str, str],
) -> Files:
    """The pictures of a window, after each key, and what the program printed."""
    outputs(folder, before)
    (folder / "pictures").mkdir()
    script = json.dumps({"keys": keys, "pictures": str(folder / "pictures"), "size": size})
    printed = run([sys.executable, str(PLAYER), script, *shlex.split(words)], folder, variables=variables)
    pictures = sorted((folder / "pictures").iterdir())
    return {**{path.name: path.read_bytes() for path in pictures}, "printed.txt": printed}


def shots(kept: Mapping[str, Any]) -> Iterator[Shot]:
    """Everything, the slowest first."""
    from tests.photographs.browser import written

    rows: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("scenes.yaml").read_text(encoding="utf-8"))
    names, agents = rows["names"], kept["agents"]

    def full(text: str) -> str:
        return re.sub(r"{([A-Z]+)}", lambda match: full(str(names[match[1]])), text)

    def shot(name: str, take: Callable[..., Files], is_quick: bool = False, **options: Any) -> Shot:
        return Shot(name, partial(take, **options), is_quick or any(re.match(each, name) for each in rows["quick"]))

    docs = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
    for page in ("README.md", "CONTRIBUTING.md", *docs):
        if re.search(r"```(console|sh)\n", (ROOT / page).read_text(encoding="utf-8")):
            yield shot(f"commands/{slug(page)}", followed, page=page)
    for name, commands in rows["pages"].items():
        students = [agents[each]["text"] for each in rows["class"] if each in agents]
        yield shot(f"pages/{name}", written, commands=list(map(full, commands)), agents=agents, students=students)
    for kind, take in (("windows", pressed), ("terminals", typed)):
        for name, (words, keys, size, *more) in rows[kind].items():
            first = list(map(full, more[0])) if more else []
            script = [key.replace("_", " ") if len(key) > 1 else key for key in full(keys).split()]
            variables = more[1] if len(more) > 1 else {}
            yield shot(
                f"{kind}/{name}", take, words=full(words), keys=script, size=size, before=first, variables=variables
            )
    for name, agent in agents.items():
        yield shot(f"grades/{name}", report, agent["is_quick"], agent=agent, reports=name in rows["all_reports"])
    for options in rows["solve"]:
        yield shot(f"solve/{slug(options)}", solved, trees=kept["trees"], options=options.split())
    drawn = {name: text for name, text in kept["trees"].items() if name.startswith(("trees-", "docs-"))}
    for algorithm in ("exhaustive", "alphabeta", "star1", "star2"):
        yield shot(f"svg/{algorithm}", pictures_of_trees, trees=drawn, algorithm=algorithm)
    for name, commands in rows["outputs"].items():
        yield shot(f"outputs/{name}", outputs, commands=list(map(full, commands)), text=rows["typed"].get(name, ""))
    yield shot("notebook", notebook, page="docs/notebook.md")
    for name in ("pacman", "autograder"):
        yield shot(f"help/{name}", helps, of=name)
