"""What every test has: no display, no colours, Python's usual settings, and the same random examples in every run.

`@pytest.mark.slow("why")` marks a slow test, which a run leaves out; at its end it says how many `make test-all` adds.
With `keep=2`, the first two cases of a parametrised test are always run. `--all` runs everything; so does a test that
is named on the command line.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import settings

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "NO_COLOR": "1", "COLUMNS": "100"}
for name in ("COLORTERM", "DISPLAY", "WAYLAND_DISPLAY", "CI", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"):
    os.environ.pop(name, None)
sys.dont_write_bytecode = False  # Python's usual setting, which some machines change

# A run is never red by chance: examples are a function of the test, and none has to be quick on a busy machine.
settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("fixed")

# Programs that attack a grader: read as text, never imported from here.
collect_ignore_glob = ["sandbox/hostile/*"]

LEFT_OUT = pytest.StashKey[Counter[str]]()


def pytest_collection_finish() -> None:
    """The objects of the imported modules stay: a garbage collection need not look at them again and again."""
    gc.collect()
    gc.freeze()


# ---- slow tests


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the slow tests too")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is slow."""
    if config.getoption("--all") or any("::" in argument for argument in config.args):
        return
    cases: Counter[str] = Counter()
    kept, left = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        mark = item.get_closest_marker("slow")
        if mark is None:
            kept.append(item)
            continue
        cases[item.nodeid.partition("[")[0]] += 1
        if cases[item.nodeid.partition("[")[0]] <= mark.kwargs.get("keep", 0):
            kept.append(item)
        else:
            left.append(item)
            config.stash[LEFT_OUT][mark.args[0]] += 1
    items[:] = kept
    if left:
        config.hook.pytest_deselected(items=left)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist reports to the process that prints."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes the report of a worker. Each worker collects all tests, so one report is enough."""
    node.config.stash[LEFT_OUT] = Counter(node.workeroutput.get("left_out", {}))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says how many tests were left out, by reason."""
    left_out = config.stash[LEFT_OUT]
    if left_out:
        reasons = "; ".join(f"{count} {why}" for why, count in left_out.most_common())
        terminalreporter.section("slow tests", "-")
        terminalreporter.write_line(f"`make test-all` (or `pytest --all`) adds {left_out.total()} tests: {reasons}")
