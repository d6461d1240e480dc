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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    """`take` is called with an empty folder."""

    name: str
    take: Callable[[Path], Files]


# The inputs.


def inputs() -> dict[str, Any]:
    """The agents, with the options to grade them, and the trees."""
    from tests.judge.diagnosis.agents import RIGHT, WRONG, written

    agents: dict[str, dict[str, Any]] = {}

    def add(name: str, text: str, *options: str) -> None:
        agents[name] = {"text": text, "options": options}

    def add_files(paths: Iterable[Path], prefix: str, *options: str) -> None:
        for path in sorted(paths):
            add(f"{prefix}{path.stem}", path.read_text(encoding="utf-8"), *options)

    options = {"multiagent": (), "classic": ("--api", "cs188"), "warm-up": ("--assignment", "warm-up")}
    for name, more in options.items():
        add_files((ROOT / "autograder" / "assignments" / name).glob("solutions.py"), f"{name}-", *more)
        add_files((ROOT / "tests" / "submissions" / name).glob("*.py"), f"{name}-", *more)
    add("stub", (ROOT / "agents" / "student.py").read_text(encoding="utf-8"))
    add_files([ROOT / "docs" / "one_ply_short.py"], "")
    shared = next((each for each in SHARED if each.is_dir()), None)
    if shared is None:
        print("left out: the agents of ../shared/agents, which is not there")
    for folder in shared.glob("*/") if shared else ():
        add_files(folder.glob("*.py"), f"{folder.name}-")
    for number, (names, base, question, edits) in enumerate(WRONG):
        add(f"test-{number:02}-{slug(names)}", written(base, edits), "--question", question.split()[0])
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
    grade = [*program("autograder", "grade", name, "--jobs", "1"), *agent["options"]]
    files: Files = {"report.txt": run([*grade, "--show-hidden", "--json", "card.json", *words], folder)}
    if reports:
        files["short.txt"] = run(grade, folder)
    return {**files, **new_files(folder, ["card.json", *more])}


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
            if path.suffix == ".json":
                text = normal(flat(text))
            files[slug(name)] = markup(text) if path.suffix in (".html", ".svg") else text
    return files


def markup(text: str) -> str:
    """HTML or SVG with one element a line. A script and a style are one line each, the data of a page many."""

    def part(match: re.Match[str]) -> str:
        if "json" in match[1]:
            return f"{match[1]}\n{flat(match[2])}\n{match[3]}"
        return f"{match[1]}{sha256(match[2].encode()).hexdigest()[:12]}, {len(match[2])} characters{match[3]}"

    text = re.sub(r"(<(?:script|style)[^>]*>)(.*?)(</(?:script|style)>)", part, text, flags=re.S)
    text = re.sub(r"sha256-[\w+/=]+", "sha256-...", text)
    return re.sub(r">\s*<", ">\n<", text)


# Commands.


def names_of_files(folder: Path) -> set[str]:
    """The names of the files in a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in paths}


def outputs(folder: Path, commands: Sequence[str], text: str = "") -> Files:
    """Some commands one after another, with the files that they make; `text` is typed. They find the docs in `docs`."""
    if any("docs/" in command for command in commands):
        shutil.copytree(ROOT / "docs", folder / "docs")
    before = names_of_files(folder)
    files: Files = {}
    for command in commands:
        words = shlex.split(command)
        how = [str(PLAYER), "{}"] if words[0] == "pacman" else ["-m"]  # a clock that stands still, also in recordings
        files[f"{slug(command, files)}.txt"] = run([sys.executable, *how, *words], folder, text=text)
    return {**files, **new_files(folder, sorted(names_of_files(folder) - before))}


def helps(folder: Path, of: str) -> Files:
    """The help of a program and of each of its commands."""
    front = run(program(of, "--help"), folder)
    commands = re.findall(r"^  ([a-z][a-z0-9-]+)  ", front, re.M)
    return {"help.txt": front, **{f"{each}.txt": run(program(of, each, "--help"), folder) for each in commands}}


# Keys.


@dataclass(frozen=True)
class Scene:
    """A program, the keys that it gets, the size of its window or terminal, commands before, and variables."""

    words: str
    keys: Sequence[str]
    size: tuple[int, int]
    before: Sequence[str]
    variables: Mapping[str, str]


def typed(folder: Path, scene: Scene) -> Files:
    """The screens of a program in a terminal, after each key."""
    outputs(folder, scene.before)
    shown = screens([*shlex.split(scene.words), "--view", "text"], scene.keys, folder, scene.size, **scene.variables)
    return {f"{number:02}-{key_name(key)}.txt": text for number, (key, text) in enumerate(shown)}


def pressed(folder: Path, scene: Scene) -> Files:
    """The pictures of a window, after each key, and what the program printed."""
    outputs(folder, scene.before)
    (folder / "pictures").mkdir()
    script = json.dumps({"keys": scene.keys, "pictures": str(folder / "pictures"), "size": scene.size})
    printed = run([sys.executable, str(PLAYER), script, *shlex.split(scene.words)], folder, variables=scene.variables)
    pictures = sorted((folder / "pictures").iterdir())
    return {**{path.name: path.read_bytes() for path in pictures}, "printed.txt": printed}


def shots(kept: Mapping[str, Any]) -> Iterator[Shot]:
    """Everything, the slowest first."""
    from tests.photographs.browser import written

    rows: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("scenes.yaml").read_text(encoding="utf-8"))
    names, agents = rows["names"], kept["agents"]

    def full(text: str) -> str:
        return re.sub(r"{([A-Z]+)}", lambda match: full(str(names[match[1]])), text)

    def shot(name: str, take: Callable[..., Files], **options: Any) -> Shot:
        return Shot(name, partial(take, **options))

    students = [agents[each]["text"] for each in rows["class"] if each in agents]
    for name, commands in rows["pages"].items():
        yield shot(f"pages/{name}", written, commands=list(map(full, commands)), agents=agents, students=students)
    for kind, take in (("windows", pressed), ("terminals", typed)):
        for name, (words, keys, size, *more) in rows[kind].items():
            before, variables = more[0] if more else (), more[1] if more[1:] else {}
            script = [key.replace("_", " ") if len(key) > 1 else key for key in full(keys).split()]
            scene = Scene(full(words), script, size, list(map(full, before)), variables)
            yield shot(f"{kind}/{name}", take, scene=scene)
    for name, agent in agents.items():
        yield shot(f"grades/{name}", report, agent=agent, reports=name in rows["all_reports"])
    for options in rows["solve"]:
        yield shot(f"solve/{slug(options)}", solved, trees=kept["trees"], options=options.split())
    drawn = {name: text for name, text in kept["trees"].items() if name.startswith(("trees-", "docs-"))}
    for algorithm in ("exhaustive", "alphabeta", "star1", "star2"):
        yield shot(f"svg/{algorithm}", pictures_of_trees, trees=drawn, algorithm=algorithm)
    for name, commands in rows["outputs"].items():
        yield shot(f"outputs/{name}", outputs, commands=list(map(full, commands)), text=rows["typed"].get(name, ""))
    for name in ("pacman", "autograder"):
        yield shot(f"help/{name}", helps, of=name)
