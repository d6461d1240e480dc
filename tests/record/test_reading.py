"""The reader of watched searches says no wrong number, and most right ones, for searches in the ways students write.

The folder `variants` has such searches, with the value, the plies and the window of each node in `truth.json`: a twin
of each search, which the watcher has no part in, wrote them down.
"""

from __future__ import annotations

import json
from collections import Counter
from math import isinf
from pathlib import Path
from typing import Any

import pytest

from pacman.core.tree_text import Outline
from pacman.record.calls import Calls, is_near
from pacman.record.reading import find_reading, read
from pacman.record.watcher import WatchedNode, Watcher
from tests.record.test_watcher import Trace, rewritten

FOLDER = Path(__file__).parent / "variants"
TRUTH: dict[str, Any] = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))


def watched(file: str) -> list[tuple[Outline, int, Trace, Watcher]]:
    """The record of each search of a variant."""
    text, records = (FOLDER / file).read_text(encoding="utf-8"), []
    for search in TRUTH[file]["searches"]:
        names, watcher = rewritten(text)
        root, trace = Outline.parse(search["tree"]), Trace(watcher)
        watcher.start(trace)
        try:
            names[TRUTH[file]["class"]]().search(WatchedNode(root, trace), search["plies"])
        except Exception:  # some wrong searches raise one; the record ends there
            assert not TRUTH[file]["right"]
        watcher.stop()
        records.append((root, search["plies"], trace, watcher))
    return records


def is_same(one: Any, other: Any) -> bool:
    """True if two numbers, or two windows, are equal but for rounding."""
    if isinstance(one, tuple):
        return all(is_same(*pair) for pair in zip(one, other, strict=True))
    return other is not None and is_near(float(one), float(other))


def judge(said: Any, truth: Any, also: Any) -> str:
    """What the reader said about a node: "right", "none", "wrong", or "free" where the code has no such number."""
    if said is None:
        return "free" if truth is None else "none"
    if truth is not None and is_same(said, truth):
        return "right"
    nothing = isinstance(said, tuple) and truth is None and all(map(isinf, said))
    return "free" if nothing or any(is_same(said, each) for each in also) else "wrong"


@pytest.fixture(scope="module")
def counts() -> dict[str, Counter[tuple[str, str]]]:
    """For each variant how often the reader said what about values, plies and windows."""
    found: dict[str, Counter[tuple[str, str]]] = {}
    for file, truth in TRUTH.items():
        records = [
            Calls(trace.nodes(root), plies, trace, watcher.events, watcher.functions)
            for root, plies, trace, watcher in watched(file)
        ]
        find_reading(records)
        found[file] = Counter()
        for record, search in zip(records, truth["searches"], strict=True):
            last = {"/".join(visit.path): visit for visit in sorted(record.visits, key=lambda each: each.end)}
            for path, node in search["nodes"].items():
                visit = last.get(path)
                value, window = (visit.value, visit.window) if visit else (None, None)
                plies = visit.plies if visit else None
                found[file]["value", judge(value, node["value"], node.get("also", ()))] += 1
                found[file]["plies", judge(plies, node["plies"], ())] += node["plies"] is not None
                found[file]["window", judge(window, node["window"], node.get("also_windows", ()))] += 1
    return found


@pytest.mark.parametrize("file", TRUTH)
def test_no_wrong_number_is_said(counts: dict[str, Counter[tuple[str, str]]], file: str) -> None:
    assert {kind: counts[file][kind, "wrong"] for kind in ("value", "plies", "window")} == {
        "value": 0,
        "plies": 0,
        "window": 0,
    }


@pytest.mark.parametrize(
    ("is_right", "kind", "least"), [(True, "value", 0.95), (False, "value", 0.95), (True, "window", 0.6)]
)
def test_most_numbers_are_said(
    counts: dict[str, Counter[tuple[str, str]]], is_right: bool, kind: str, least: float
) -> None:
    total: Counter[tuple[str, str]] = sum(
        (counts[file] for file, truth in TRUTH.items() if truth["right"] == is_right), Counter()
    )
    assert total[kind, "right"] >= least * (total[kind, "right"] + total[kind, "none"])


def test_a_record_becomes_a_trace_with_windows_and_values() -> None:
    root, plies, recorded, watcher = watched("003_window_tuple.py")[0]
    trace = read(root, plies, recorded, watcher.events, watcher.functions)
    assert trace.successors == recorded.successors
    truth = TRUTH["003_window_tuple.py"]["searches"][0]["nodes"]
    for visit in trace.visits:
        node = truth["/".join(trace.path(visit.number))]
        assert is_same((visit.alpha, visit.beta), node["window"])
        assert visit.value is not None
        assert is_same(visit.value, node["value"])
        assert visit.plies == node["plies"]
