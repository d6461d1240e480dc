"""A week of a large course, replayed: how long a submission waits for its grading, by the number of workers.

The sizes are those of a real course; the times to grade are measured on this machine, the order is drawn from a seed.
A submission waits until a worker is free, first come, first served. A worker here is one process, alone on its machine,
so a submission with late answers takes its worker a second time.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from autograder.cases import loading
from autograder.course.grade_class import Progress, grade_class
from autograder.course.intake import submissions as exported
from autograder.course.job import PackedGrader
from autograder.course.store import Store
from autograder.grading.grade import Grader
from tests.bench.course import SHARES, write_class
from tests.bench.figures import Figure, percentile

STUDENTS, SUBMISSIONS, SEED = 933, 18_655, 1
HOUR, WEEK = 3600.0, 7 * 24 * 3600.0
IN_WORST_HOUR = 0.1
MEASURED = 24
"""So many that one of them is an endless loop."""
WORKERS = (1, 2, 3, 4, 8)


@dataclass(frozen=True)
class Cost:
    """What a submission costs a worker. `is_late`: some answers did not come in time: it contains an endless loop."""

    seconds: float
    is_late: bool


def arrivals(rng: Random) -> list[float]:
    """When the submissions of a week arrive, in seconds: a tenth in the last hour, the others evenly before it."""
    rush = round(SUBMISSIONS * IN_WORST_HOUR)
    before = (rng.uniform(0, WEEK - HOUR) for _ in range(SUBMISSIONS - rush))
    return sorted([*before, *(rng.uniform(WEEK - HOUR, WEEK) for _ in range(rush))])


def draw(costs: Sequence[Cost], count: int, rng: Random) -> list[float]:
    """Seconds of `count` submissions, drawn from measured ones; the share of endless loops is that of the class."""
    late = [cost.seconds for cost in costs if cost.is_late]
    others = [cost.seconds for cost in costs if not cost.is_late]
    return [rng.choice(late if rng.random() < SHARES["loop"] / 100 else others) for _ in range(count)]


def waits(arrived: Sequence[float], seconds: Iterable[float], workers: int) -> list[float]:
    """How long each submission waits until a worker begins with it."""
    free = [0.0] * workers
    found = []
    for arrival, cost in zip(arrived, seconds, strict=True):
        start = max(arrival, heapq.heappop(free))
        heapq.heappush(free, start + cost)
        found.append(start - arrival)
    return found


def measure(count: int) -> list[Cost]:
    """The cost of each of `count` submissions for multiagent, graded one by one in this process.

    It is the time on a machine that does nothing else: the processor time of a sandbox is not known when it has ended.
    """
    costs: list[Cost] = []
    starts = [0.0]

    def note(progress: Progress) -> None:
        starts.append(perf_counter())
        steps = store.case_results(left[len(costs)].id, graded_by.runner)
        is_late = any(step.content and (step.content.get("fault") or [""])[0] == "time" for step in steps)
        costs.append(Cost(starts[-1] - starts[-2], is_late))

    assignment = loading.load("multiagent")
    packed = PackedGrader.of(Grader.of(assignment, 1))
    _, graded_by = packed.unpack()
    with tempfile.TemporaryDirectory() as name, Store.open(str(Path(name) / "week.db"), create=True) as store:
        folder = write_class(Path(name) / "class", count)
        for entry in exported.find(folder).entries():
            store.add_submission(entry.student, assignment.name, entry.files, entry.received, entry.source)
        left = list(store.submissions(assignment.name))
        starts[:] = [perf_counter()]
        grade_class(store, left, packed, _one_thread, 1, on_progress=note)
    return costs


@contextmanager
def _one_thread() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as executor:
        yield executor


def week(repeats: int) -> Iterator[Figure]:
    """The cost of a submission, and the waits of a week. Measured once, so `repeats` is not used."""
    costs = measure(MEASURED)
    for name, some in (("submission", False), ("submission with an endless loop", True)):
        seconds = [cost.seconds for cost in costs if cost.is_late == some]
        method = f"mean of {len(seconds)} of multiagent; slowest {max(seconds):.1f} s"
        yield Figure(f"a {name}", sum(seconds) / len(seconds), "s", method)
    yield from replay(costs)


def replay(costs: Sequence[Cost]) -> Iterator[Figure]:
    """The waits of a week, at the 95th percentile of the week and of its worst hour."""
    arrived = arrivals(Random(SEED))
    drawn = draw(costs, SUBMISSIONS, Random(SEED))
    for workers in WORKERS:
        found = waits(arrived, drawn, workers)
        worst = [wait for arrival, wait in zip(arrived, found, strict=True) if arrival >= WEEK - HOUR]
        text = f"{SUBMISSIONS:,} submissions of {STUDENTS} students; in the worst hour {percentile(worst, 95):,.0f} s"
        yield Figure(f"wait at the 95th percentile, workers: {workers}", percentile(found, 95), "s", text)
