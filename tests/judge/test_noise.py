"""Nothing that a grading finds, and no choice of its report, hangs on the words of a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.judge.diagnosis.agents import WRONG, written
from tests.platforms.cs188_mistakes import SLIPS

ROOT = Path(__file__).parents[2]
EVERY = {"native": 12, "cs188": 7}
"""Each such row of the tables is graded."""
READ_AS_TEXT = ("node-overwritten?", "starts-from-evaluation")
"""They end in an exception of this project. As for one of Python, its usual cause is found by its text."""


@pytest.mark.slow("that grade or diagnose wrong searches")
@pytest.mark.parametrize("api", ["cs188", "native"])
def test_a_grading_says_the_same_without_words(tmp_path: Path, api: str) -> None:
    if api == "cs188":
        texts = [slip.source for slip in SLIPS]
    else:
        texts = [written(base, edits) for name, base, _, edits in WRONG if name not in READ_AS_TEXT]
    files = []
    for number, text in enumerate(texts[:: EVERY[api]]):
        files.append(tmp_path / f"{number}.py")
        files[-1].write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tests.judge.noise"]
    runs = [
        subprocess.Popen([*command, kind, api, *map(str, files)], cwd=ROOT, stdout=subprocess.PIPE)
        for kind in ("plain", "noise")
    ]
    plain, noise = (json.loads(run.communicate()[0]) for run in runs)
    sentences = [_taken(found, "sentences") for found in (plain, noise)]
    assert noise == plain
    assert all(one != other for one, other in zip(*sentences, strict=True))
    assert len(sentences[0]) == len(files)


def _taken(found: dict[str, Any], key: str) -> list[Any]:
    return [each.pop(key) for each in found.values()]
