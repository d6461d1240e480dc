"""Every example in a docstring of the three packages says what comes."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

EXTRAS = {"numba": "fast", "distributed": "cluster"}
ROOT = Path(__file__).parents[1]
FILES = (path for top in ("pacman", "agents", "autograder") for path in sorted((ROOT / top).rglob("*.py")))
EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in FILES if ">>>" in path.read_text("utf-8")
]


@pytest.mark.parametrize("module", [name.removesuffix(".__init__") for name in EXAMPLES])
def test_examples(module: str) -> None:
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        pytest.skip(f"needs the extra `{EXTRAS[error.name]}`")
    result = doctest.testmod(loaded)
    assert result.attempted
    assert not result.failed
