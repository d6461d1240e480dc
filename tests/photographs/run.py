"""Runs a program as a user does, and removes from its output what differs from run to run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).with_name("scripts"), ROOT / "tests" / "scripts"
"""The first one with a program counts."""
SECONDS = 400

VOLATILE = (
    (re.compile(r"(?:/private)?/tmp/[\w./-]*photographed-\w+"), "HERE"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ms|s|µs|seconds|minutes)\b"), "N s"),
    (re.compile(r"\bin \d+ min\b"), "in N min"),
    (re.compile(r"sandbox: [^;\n\\]*;"), "sandbox: ...;"),
    (re.compile(r"^(?:numba is not installed; |compiling fast code ).*\n", re.M), ""),
    (re.compile(r"20\d\d-[01]\d-[0-3]\d(?:[T -]\d\d[:.]?\d\d(?:[:.]?\d\d)?(?:\.\d+)?(?:Z|\+\d\d:?\d\d)?)?"), "DATE"),
    (re.compile(r"(\"(?:\w*seconds|peak_mb|memory_mb)\": ?)(?:\[[^\]]*\]|[-\d.e]+)"), r"\1N"),
    (re.compile(r"(execution_time = |leaderboard\.1\.value = |\"sum\": ?)[\d.]+"), r"\1N"),
    (re.compile(r"(\btime=\")[\d.]+"), r"\1N"),
    (re.compile(r"(key[_ ](?:digest|sha256)?:?\"?:? ?\"?)[0-9a-f]{8,64}"), r"\1KEY"),
    (re.compile(r"(pid|port|:)(?<=pid) ?\d+"), r"\1 N"),
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:N"),
    (re.compile(r"0x[0-9a-f]{8,}"), "0xN"),
)  # fmt: skip
"""What is volatile, and what stands in its place."""


def normal(text: str, folder: Path | None = None) -> str:
    """A text without what is volatile, and without blanks at the ends of lines."""
    for path, name in ((folder, "HERE"), (ROOT, "CHECKOUT"), (Path(sys.prefix), "PYTHON"), (Path.home(), "HOME")):
        text = text.replace(str(path), name) if path else text
    for pattern, place in VOLATILE:
        text = pattern.sub(place, text)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def environment(code: Path = ROOT, **more: str) -> dict[str, str]:
    """The variables of a plain user: English, 100 columns, no colours, no screen."""
    kept = {name: os.environ[name] for name in ("HOME", "TMPDIR") if name in os.environ}
    path = os.pathsep.join((*map(str, SCRIPTS), str(Path(sys.executable).parent), os.environ["PATH"]))
    return {
        **kept, "PATH": path, "PYTHONPATH": str(code), "LANG": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1",
        "TERM": "xterm", "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
        "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1", **more,
    }  # fmt: skip


def run(
    command: str | list[str],
    folder: Path,
    code: Path = ROOT,
    text: str = "",
    variables: Mapping[str, str] | None = None,
) -> str:
    """Both outputs of a command, and its exit status."""
    try:
        done = subprocess.run(
            command, shell=isinstance(command, str), cwd=folder, env=environment(code, **(variables or {})),
            capture_output=True, text=True, input=text, timeout=SECONDS, encoding="utf-8", errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s\n"
    return normal(f"{done.stdout}{done.stderr}exit status {done.returncode}\n", folder)


def program(name: str, *arguments: str) -> list[str]:
    """The words that start `python -m NAME`."""
    return [sys.executable, "-m", name, *arguments]


def flat(text: str) -> str:
    """JSON as lines, one for each number or text, with its path: a change inside is one line."""
    lines: list[str] = []

    def add(value: Any, path: str) -> None:
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
        if pairs is None or not value:
            if "seconds" not in path.rpartition(".")[2]:
                lines.append(f"{path.lstrip('.')} = {json.dumps(value, ensure_ascii=False)}")
            return
        for key, each in pairs:
            name = each["id"] if isinstance(value, list) and isinstance(each, dict) and "id" in each else key
            add(each, f"{path}.{name}")

    try:
        add(json.loads(text), "")
    except ValueError:  # one object a line, or no JSON
        return text
    return "\n".join(lines)
