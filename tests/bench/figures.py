"""What a benchmark says: a number, how it was found, and what was hoped for."""

from __future__ import annotations

import gc
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from statistics import median, quantiles
from time import perf_counter


@dataclass(frozen=True)
class Figure:
    """One measured number. `spread` is the distance between its quartiles, 0 where it was counted, not timed."""

    name: str
    value: float
    unit: str
    method: str
    goal: str = ""
    spread: float = 0.0


@dataclass(frozen=True)
class Figures:
    """All figures of a run, and the machine that they were measured on."""

    machine: dict[str, str]
    repeats: int
    figures: tuple[Figure, ...]


LIBRARIES = ("numpy", "numba", "open_spiel", "edq-pacai")
"""What the figures may depend on."""


def machine() -> dict[str, str]:
    """The machine, and the versions of what ran on it."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "compiler": _compiler(),
        **{name: _version(name) for name in LIBRARIES},
    }


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def _compiler() -> str:
    """The first line that the C compiler says of itself."""
    command = compiler()
    if command is None:
        return "none"
    return subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout.partition("\n")[0]


def compiler() -> str | None:
    """The C compiler of this machine."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"


def interleaved(repeats: int, *calls: Callable[[], object]) -> list[list[float]]:
    """Seconds of each call, `repeats` times, taken in turns so that a slow moment of the machine hits all alike.

    A pair of rows can be divided repeat by repeat. The collector is off while the clock runs.
    """
    rows: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()  # what is worked out once, or imported, is not what we measure
    for _ in range(repeats):
        for row, call in zip(rows, calls, strict=True):
            gc.collect()
            gc.disable()
            began = perf_counter()
            call()
            row.append(perf_counter() - began)
            gc.enable()
    return rows


def spread(values: Sequence[float]) -> float:
    """The distance between the quartiles."""
    if len(values) < 2:
        return 0.0
    low, _, high = quantiles(values, n=4)
    return high - low


def timed(name: str, values: Sequence[float], unit: str, method: str, goal: str = "") -> Figure:
    """The figure of many measured values: their median."""
    return Figure(name, median(values), unit, method, goal, spread(values))


def report(figures: Figures) -> str:
    """The figures as lines for people."""
    found = figures.machine
    versions = ", ".join(f"{name} {found[name]}" for name in LIBRARIES)
    lines = [
        f"{found['python']}, {found['system']}, {found['processor']}, {found['cores']} cores; {found['compiler']}",
        f"{versions}; medians of {figures.repeats} interleaved repeats, ± the distance between the quartiles",
    ]
    for one in figures.figures:
        give = f" ± {one.spread:.2g}" if one.spread else ""
        value = f"{one.value:,.0f}" if abs(one.value) >= 1000 else f"{one.value:.3g}"
        goal = f"   (goal: {one.goal})" if one.goal else ""
        lines += [f"{one.name}: {value}{give} {one.unit}{goal}", f"    {one.method}"]
    return "\n".join(lines)


def python(*code: str) -> list[str]:
    """The command that runs some code in a new interpreter."""
    return [sys.executable, *code]
