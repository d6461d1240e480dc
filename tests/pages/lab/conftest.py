"""The lab in a real Chromium, for tests: a site that is built once, and `open_lab`, which opens a served site.

LAB_PYODIDE and LAB_ACE name the folders of the npm packages `pyodide` and `ace-builds`; `.ci/run` sets them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.cases import loading
from autograder.cases.case import Assignment
from autograder.pages.lab.site import compile_modules, write_site
from autograder.platforms import load_assignment
from tests.pages.browser import LAPTOP, Size, listen
from tests.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OpenLab = Callable[..., "Page"]
SECONDS = 8.0
"""The time limit of a case of `small`. One of the tests waits for it."""
PACKAGES = {"LAB_PYODIDE": "pyodide", "LAB_ACE": "ace-builds"}


@pytest.fixture(scope="session")
def packages() -> dict[str, Path]:
    """The folders of the two npm packages, by variable."""
    missing = [f"{name} (npm pack {package})" for name, package in PACKAGES.items() if not os.environ.get(name)]
    if missing:
        pytest.skip(f"needs the folders of npm packages, unpacked: {', '.join(missing)}")
    return {name: Path(os.environ[name]) for name in PACKAGES}


@pytest.fixture(scope="session")
def lab_site(packages: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lab of the assignment `multiagent`, with compiled modules. Tests must not change it."""
    site = tmp_path_factory.mktemp("lab")
    write_site(loading.load("multiagent"), packages["LAB_PYODIDE"], packages["LAB_ACE"], site)
    if shutil.which("node"):
        assert compile_modules(site) == ""
    return site


def small(name: str = "multiagent") -> Assignment:
    """Some trees and positions of an assignment, with a short time limit: a whole run takes a second."""
    assignment = load_assignment(name, None)[0]
    cases = [case for case in assignment.cases if case.question.role == "search" and case.input.kind != "match"][::3]
    questions = tuple(question for question in assignment.questions if question.role == "search")
    questions = tuple(replace(question, requires={}) for question in questions)
    by_id = {question.id: question for question in questions}
    return replace(
        assignment,
        questions=questions,
        cases=tuple(replace(case, question=by_id[case.question.id], seconds=SECONDS) for case in cases),
    )


@pytest.fixture(scope="session")
def small_site(packages: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lab of the assignment `small`, without compiled modules. Tests must not change it."""
    site = tmp_path_factory.mktemp("small-lab")
    write_site(small(), packages["LAB_PYODIDE"], packages["LAB_ACE"], site)
    return site


@pytest.fixture
def open_lab(browser: Browser) -> Iterator[OpenLab]:
    """Serves a site as `lab --serve` does, and opens its page: `page = open_lab(site)`.

    The test fails if the page logs an error, breaks its policy, or asks for anything that is not on the site. A script
    `before` runs before those of the page. If the site is not complete, the page may log errors.
    """
    errors: list[str] = []
    with ExitStack() as stack:

        def opened(site: Path, size: Size = LAPTOP, before: str = "", is_complete: bool = True) -> Page:
            address = stack.enter_context(served(site))
            context = browser.new_context(viewport={"width": size[0], "height": size[1]})
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(120_000)  # two Pythons start, beside other tests
            listen(page, errors, lambda url: url.startswith(address), is_complete)
            if before:
                page.add_init_script(before)
            page.goto(address)
            return page

        yield opened
    assert not errors, errors


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a site, which the command serves."""
    command = [sys.executable, "-m", "autograder", "lab", "--serve", str(site), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[0]
        finally:
            server.terminate()
