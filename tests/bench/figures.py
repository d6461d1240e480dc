"""The results of a benchmark: each figure has a number, its method and its goal."""

from __future__ import annotations

import gc
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from statistics import median, quantiles
from time import perf_counter


@dataclass(frozen=True)
class Figure:
    """One measured number. `spread` is the distance between its quartiles; it is 0 for a count."""

    name: str
    value: float
    unit: str
    method: str
    goal: str = ""
    spread: float = 0.0


@dataclass(frozen=True)
class Figures:
    """All figures of one run, and the machine on which they were measured."""

    machine: dict[str, str]
    repeats: int
    figures: tuple[Figure, ...]


LIBRARIES = ("numpy", "numba", "edq-pacai")
"""The libraries that can influence the figures; the report has their versions."""


def machine() -> dict[str, str]:
    """The machine and the versions of the interpreter and the libraries."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        **{name: _version(name) for name in LIBRARIES},
    }


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"


def interleaved(repeats: int, *calls: Callable[[], object]) -> list[list[float]]:
    """The seconds of each call, one row per call, `repeats` values per row.

    The calls alternate, so a slow phase of the machine affects all of them, and two rows can be divided repeat by
    repeat. Each call runs once before the measurement. The garbage collector is off during a measurement.
    """
    rows: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()  # fills caches and imports modules
    for _ in range(repeats):
        for row, call in zip(rows, calls, strict=True):
            gc.collect()
            gc.disable()
            row.append(seconds_of(call))
            gc.enable()
    return rows


def seconds_of(call: Callable[[], object]) -> float:
    """The seconds of one call."""
    start_time = perf_counter()
    call()
    return perf_counter() - start_time


def spread(values: Sequence[float]) -> float:
    """The distance between the quartiles; 0 for fewer than two values."""
    if len(values) < 2:
        return 0.0
    low, _, high = quantiles(values, n=4)
    return high - low


def timed(name: str, values: Sequence[float], unit: str, method: str, goal: str = "") -> Figure:
    """A figure with the median and the spread of the measured values."""
    return Figure(name, median(values), unit, method, goal, spread(values))


def report(figures: Figures) -> str:
    """The figures as text: two lines for the machine, then two lines per figure."""
    about = figures.machine
    versions = ", ".join(f"{name} {about[name]}" for name in LIBRARIES)
    lines = [
        f"{about['python']}, {about['system']}, {about['processor']}, {about['cores']} cores",
        f"{versions}; medians of {figures.repeats} interleaved repeats, ± the distance between the quartiles",
    ]
    for one in figures.figures:
        margin = f" ± {one.spread:.2g}" if one.spread else ""
        value = f"{one.value:,.0f}" if abs(one.value) >= 1000 else f"{one.value:.3g}"
        goal = f"   (goal: {one.goal})" if one.goal else ""
        lines += [f"{one.name}: {value}{margin} {one.unit}{goal}", f"    {one.method}"]
    return "\n".join(lines)


def python(*code: str) -> list[str]:
    """The command line of a new interpreter with these arguments."""
    return [sys.executable, *code]
