"""What every test has: no display, no colours, and the same random examples in every run."""

from __future__ import annotations

import gc
import os

from hypothesis import settings

from tests.slow_tests import (
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_configure"]
__all__ += ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["NO_COLOR"] = "1"
os.environ["COLUMNS"] = "100"

# A run is never red by chance: examples are a function of the test, and none has to be quick on a busy machine.
settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("fixed")

# Programs that attack a grader, and files as students write them: read as text, never imported from here.
collect_ignore_glob = ["sandbox/hostile/*", "judge/pure_program.py"]


def pytest_collection_finish() -> None:
    """The objects of the imported modules stay: a garbage collection need not look at them again and again."""
    gc.collect()
    gc.freeze()
