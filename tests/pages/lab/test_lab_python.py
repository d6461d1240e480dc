"""Python in a browser: it says what the grader says, and an endless loop ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.documented_commands import ROOT
from tests.pages.lab.conftest import OpenLab

if TYPE_CHECKING:
    from playwright.sync_api import Page

SOLUTIONS = ROOT / "autograder/assignments/multiagent/solutions.py"
GRADE = """async ([files, key]) => {
  const { Lab } = await import("./lab/python.js");
  window.lab ??= await Lab.start();
  const lab = await window.lab;
  const steps = [];
  let printed = "";
  const start = performance.now();
  const result = await lab.call("grade", { files }, {
    onStep: (name) => steps.push(name), onPrint: (text) => { printed += text; },
  });
  return { ...result, steps, printed, seconds: (performance.now() - start) / 1000 };
}"""


def grade(page: Page, *files: Path) -> dict[str, Any]:
    """The result of a run of the open cases in the browser."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    result: dict[str, Any] = page.evaluate(GRADE, [texts, ""])
    return result


@pytest.mark.slow
def test_the_solutions_get_all_points(lab_site: Path, open_lab: OpenLab) -> None:
    result = grade(open_lab(lab_site), SOLUTIONS)
    assert (result["earned"], result["points"]) == (30, 30)
    assert "30 of 30 points" in result["html"]
