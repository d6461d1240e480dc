"""What is photographed: the rows of scenes.yaml. Each shot runs programs in an empty folder, and returns files."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from tests.photographs.player import MARK, key_name
from tests.photographs.terminal import Terminal

ROOT = Path(__file__).parents[2]
PLAYER, SCENES = Path(__file__).with_name("player.py"), Path(__file__).with_name("scenes.yaml")
SECONDS = 400
TYPED = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "space": " ", "return": "\r", "escape": "\x1b", "tab": "\t", "backspace": "\x7f",
}  # fmt: skip
VOLATILE = (
    (re.compile(r"(?:/private)?/tmp/[\w./-]*photographed-\w+"), "HERE"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b"), "N s"),
)
"""What differs from run to run, and what stands in its place."""
Files = dict[str, str | bytes]
Shots = Mapping[str, Callable[[Path], Files]]


def normal(text: str) -> str:
    """A text without what is volatile, and without blanks at the ends of lines."""
    for pattern, place in VOLATILE:
        text = pattern.sub(place, text)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def command(script: Mapping[str, Any], words: str) -> list[str]:
    """The words that start a program with this script of its clock and its keys."""
    return [sys.executable, str(PLAYER), json.dumps(script), *shlex.split(words)]


def environment(**more: str) -> dict[str, str]:
    """The variables of a plain user: English, 100 columns, no colours, no screen."""
    kept = {name: os.environ[name] for name in ("HOME", "TMPDIR", "PATH") if name in os.environ}
    return {
        **kept, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1", "TERM": "xterm",
        "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
        "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1", **more,
    }  # fmt: skip


def run(words: Sequence[str], folder: Path, variables: Mapping[str, str] = {}) -> str:
    """Both outputs of a program, and its exit status."""
    done = subprocess.run(
        words, cwd=folder, env=environment(**variables), capture_output=True, encoding="utf-8", timeout=SECONDS
    )
    return normal(f"{done.stdout}{done.stderr}exit status {done.returncode}\n")


def pressed(folder: Path, words: str, keys: Sequence[str], size: Sequence[int], **variables: str) -> Files:
    """The pictures of a window, after each key, and what the program printed."""
    (pictures := folder / "pictures").mkdir()
    printed = run(command({"keys": keys, "pictures": str(pictures), "size": size}, words), folder, variables)
    return {**{path.name: path.read_bytes() for path in sorted(pictures.iterdir())}, "printed.txt": printed}


def typed(folder: Path, words: str, keys: Sequence[str], size: Sequence[int], **variables: str) -> Files:
    """The screens of a program in a terminal, after each key."""
    shown = screens(command({"keys": keys}, f"{words} --view text"), keys, folder, size, variables)
    return {f"{number:02}-{key_name(key)}.txt": normal(text) for number, (key, text) in enumerate(shown)}


def screens(
    words: Sequence[str], keys: Sequence[str], folder: Path, size: Sequence[int], variables: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """(key, screen) before the first key, after each key, and at the end of the program."""
    import fcntl
    import pty
    import struct
    import termios

    terminal, names, waiting, place = Terminal(*size), ["start", *keys, "q"], b"", 0
    values = {**environment(), "COLORTERM": "truecolor", **variables}
    values = {name: value for name, value in values.items() if value and name not in ("COLUMNS", "LINES")}
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        os.chdir(folder)
        os.execve(words[0], words, values)
    part = b" "
    while part:
        try:
            part = os.read(master, 1 << 16)
        except OSError:  # the program has ended
            part = b""
        waiting += part
        while MARK.encode() in waiting:
            shown, _, waiting = waiting.partition(MARK.encode())
            terminal.write(shown.decode())
            yield names[place], terminal.text()
            place = min(place + 1, len(names) - 1)
            os.write(master, TYPED.get(names[place], names[place]).encode())
    terminal.write(waiting.decode("utf-8", "replace"))
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(master)
    yield "end", f"{terminal.text()}\nexit status {status}"


def after(folder: Path, before: Sequence[str], take: Callable[[Path], Files]) -> Files:
    """A shot in a folder in which some commands have run before."""
    for words in before:
        run(command({}, words), folder)
    return take(folder)


def shots() -> Shots:
    """Everything, by name."""
    rows: dict[str, Any] = yaml.safe_load(SCENES.read_text(encoding="utf-8"))
    by_name: dict[str, Callable[[Path], Files]] = {}

    def full(text: str) -> str:
        return re.sub(r"{([A-Z]+)}", lambda match: full(str(rows["names"][match[1]])), text)

    for kind, take in (("windows", pressed), ("terminals", typed)):
        for name, (words, keys, size, *more) in rows[kind].items():
            script = [key.replace("_", " ") if len(key) > 1 else key for key in full(keys).split()]
            before, variables = more[0] if more else (), more[1] if more[1:] else {}
            scene = partial(take, words=full(words), keys=script, size=size, **variables)
            by_name[f"{kind}/{name}"] = partial(after, before=list(map(full, before)), take=scene)
    return by_name
