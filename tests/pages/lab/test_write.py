"""The lab in Chromium: editor, report, printed text, drawn trees; and a browser or a site that fails."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.course.small_class import MINIMAX
from tests.pages.browser import SIZES, axe, no_overflow, no_overlap
from tests.pages.lab.conftest import OpenLab

if TYPE_CHECKING:
    from playwright.sync_api import Page

FILES = (
    *("python.zip", "assignment.json", "ace/ace.js", "pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.mjs"),
    *("pyodide/python_stdlib.zip", "pyodide/pyodide-lock.json"),
)
"""Files of the site whose absence the page can explain."""
WRONG = MINIMAX.replace("else min)", "else max)")
FAILS = f"""{MINIMAX.replace("lines =", "lines = 1 / 0 or")}

for i in range(1000):
    print("row", i)


def endless():
    sum(iter(int, 1))
"""
"""Fails in line 11, and prints a thousand lines. A loop in C executes no line, so nothing but the user ends it."""


def write(page: Page, text: str) -> None:
    """Replaces the text in the editor, as a student pastes it."""
    page.locator("#editor textarea").focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def run(page: Page) -> str:
    """Runs the open cases; the text of the report."""
    page.locator("#run").click()
    page.locator("#run[aria-disabled=true]").wait_for()
    page.locator("#run[aria-disabled=false]").wait_for(timeout=400_000)
    return page.locator("#report").inner_text()


@pytest.mark.slow("of the lab in a browser")
def test_a_student_mends_a_search(lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site)
    page.locator("body.ready").wait_for()
    write(page, "def search(:\n")
    assert "student.py:1: not valid Python" in run(page)
    write(page, f"for i in range(1000):\n    print('row', i)\n{WRONG}")
    report = run(page)
    assert "q2 Minimax 5/5" not in " ".join(report.split())
    assert "At MIN nodes, your search takes the largest value (line " in report
    line = int(re.findall(r"\(line (\d+)\)", report)[0])
    assert page.evaluate("ace.edit('editor').getCursorPosition().row") == line - 1
    assert page.locator("#editor .first-wrong").count() == 1
    page.locator("#printed summary").click()
    assert "row 999" in page.locator("#console").inner_text()
    no_overlap(page, "#report, #printed")
    write(page, MINIMAX)
    page.select_option("#question", "q2")
    report = " ".join(run(page).split())
    assert "q2 Minimax 5/5" in report
    assert "q3" not in report
    assert page.locator("#editor .first-wrong").count() == 0
    page.reload()
    page.locator("body.ready").wait_for()
    with page.expect_download() as download:
        page.locator("#download").click()
    assert Path(download.value.path()).read_text(encoding="utf-8") == MINIMAX
    axe(page)


@pytest.mark.slow("of the lab in a browser")
def test_the_next_run_begins_after_an_endless_loop(lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site)
    page.locator("body.ready").wait_for()
    write(page, f"{MINIMAX}\nprint('begin', flush=True)\nwhile True: pass\n")
    page.locator("#run").click()
    page.locator("#printed").wait_for()
    page.locator("#stop").click()
    page.get_by_text("You stopped it.").first.wait_for()
    write(page, "x = 1\n")
    assert "no part of the assignment in it" in run(page)


def every_size(page: Page) -> None:
    """Checks the part that is shown: at all sizes, in the light and in the dark theme."""
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        no_overflow(page)
        no_overlap(page, "button, input, select, label, textarea, nav a, h1, #state")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        axe(page)


def go_to(page: Page, part: str) -> None:
    """Opens a part of the lab."""
    page.locator("nav").get_by_text(part, exact=True).click()


@pytest.mark.slow("of the lab in a browser")
def test_a_tree_is_searched_by_an_algorithm_and_by_the_student(lab_site: Path, open_lab: OpenLab) -> None:
    """An error is a plain sentence, with the student's line in the console; after a stop, the next call runs."""
    page = open_lab(lab_site)
    page.locator("body.ready").wait_for()
    write(page, MINIMAX)
    go_to(page, "Tree")
    page.locator("#tree-outline").fill("max\n  a: 1\n  b: min\n    x: 0\n    y: 3")
    page.locator("#tree-search").select_option("own:MinimaxAgent")
    page.locator("#tree-other").select_option("alphabeta")
    show = page.locator("#tree button[type=submit]")
    show.click()
    page.locator("search-explorer .controls").wait_for()
    assert page.locator(".difference").inner_text().startswith("No difference: ")
    assert page.locator(".panel h2").all_inner_texts() == ["Your MinimaxAgent", "alphabeta"]
    page.keyboard.press("End")
    assert "value 1 by a" in page.locator(".counts").first.inner_text()
    every_size(page)
    for text in (FAILS, FAILS.replace("1 / 0", "endless()")):
        go_to(page, "Write")
        write(page, text)
        go_to(page, "Tree")
        show.click()
        page.locator("#console", has_text="row 999").wait_for()
        if text == FAILS:
            page.locator(".difference", has_text="ZeroDivisionError").wait_for()
            assert 'File "student.py", line 11, in search' in page.locator("#console").inner_text()
    page.locator("#stop[aria-disabled=false]").click()
    page.locator("#tree-problem").get_by_text("You stopped it.").wait_for()
    assert not page.locator("search-explorer").count()
    page.locator("#tree-search").select_option("alphabeta")
    show.click()
    page.locator("search-explorer .controls").wait_for()
    outline = page.locator("#tree-outline")
    outline.fill("max\n" + "".join(f"  a{number}: 1\n" for number in range(2_000)))
    show.click()
    page.get_by_text("the tree has more than 2,000 nodes; draw a smaller one").wait_for()


def test_the_page_fits_its_window(lab_site: Path, open_lab: OpenLab) -> None:
    for size in SIZES.values():
        page = open_lab(lab_site, size)
        page.locator("body.ready").wait_for()
        part, editor = page.locator(".unwritten").first.bounding_box(), page.locator("#editor").bounding_box()
        assert part
        assert editor
        assert editor["y"] < part["y"] < editor["y"] + editor["height"] - part["height"], "the first part is visible"
        assert page.evaluate("window.ace.edit('editor').getCursorPosition()")["row"] == 18, "the cursor is there"
        page.locator(".ace_scroller").evaluate("(text) => { text.style.visibility = 'hidden'; }")  # it scrolls
        no_overflow(page)
        no_overlap(page, "button, nav a, h1, #state")
    axe(page)


def test_a_file_is_opened(lab_site: Path, open_lab: OpenLab, tmp_path: Path) -> None:
    page = open_lab(lab_site)
    page.locator("body.ready").wait_for()
    file = tmp_path / "mine.py"
    file.write_text("x = 'from a file'\n", encoding="utf-8")
    page.locator("#upload-file").set_input_files(file)
    page.get_by_text("from a file").wait_for()
    for content, sentence in ((b"\xff\xfe\x00", "no text in UTF-8"), (b"#" * 1_000_001, "larger than 1 MB")):
        file.write_bytes(content)
        page.locator("#upload-file").set_input_files(file)
        page.get_by_text(f"mine.py: {sentence}. Your file is unchanged.").wait_for()
        assert page.get_by_text("from a file").is_visible()


NO_STORAGE = "Object.defineProperty(window, 'localStorage', {get() { throw new Error(); }})"
NO_WORKER = "window.Worker = class { constructor() { throw new Error('workers are blocked'); } }"


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("delete globalThis.WebAssembly", "This browser has no WebAssembly"),
        (NO_STORAGE, "download your file before you leave"),
        (NO_WORKER, "Python does not start: workers are blocked."),
    ],
    ids=["WebAssembly", "storage", "workers"],
)
def test_a_browser_without(before: str, sentence: str, lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site, before=before)
    page.locator("#problem").get_by_text(sentence).wait_for()
    if before == NO_WORKER:
        page.locator("body.ready").wait_for()
        page.locator("#run").click()
        page.locator("#report").get_by_text(sentence).wait_for()


@pytest.mark.parametrize("is_full_at_first", [True, False], ids=["full", "gets-full"])
def test_a_browser_with_a_full_storage(lab_site: Path, open_lab: OpenLab, is_full_at_first: bool) -> None:
    """One plain sentence, and the page keeps the text and the smallest trees until the reader leaves it."""
    page = open_lab(
        lab_site,
        before=f"""window.isFull = {str(is_full_at_first).lower()};
        const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (...pair) {{
          if (window.isFull) throw new DOMException("full", "QuotaExceededError");
          set.apply(this, pair);
        }};""",
    )
    page.locator("body.ready").wait_for()
    page.evaluate("window.isFull = true")
    write(page, "x = 'not kept'\n")
    assert "keeps no file for this page: download your file" in page.locator("#problem").inner_text()
    with page.expect_download() as download:
        page.locator("#download").click()
    assert Path(download.value.path()).read_text(encoding="utf-8") == "x = 'not kept'\n"
    kept = page.evaluate("import('./lab/kept.js').then((kept) => [kept.keep('a', '5'), kept.kept('a')])")
    assert kept == [False, "5"]


@pytest.mark.parametrize("name", FILES)
def test_a_site_with_a_missing_file(lab_site: Path, open_lab: OpenLab, tmp_path: Path, name: str) -> None:
    site = tmp_path / "site"
    shutil.copytree(lab_site, site)
    (site / name).unlink()
    page = open_lab(site, is_complete=False)
    problem = page.locator("#problem")
    problem.wait_for()
    assert name in problem.inner_text()


def test_what_python_returns_is_data(lab_site: Path, open_lab: OpenLab) -> None:
    """Only listed elements and attributes come into the page: no script, no frame and no link to elsewhere."""
    page = open_lab(lab_site)
    page.locator("body.ready").wait_for()
    hostile = (
        "<p class='x' contenteditable>a<script>bad()</script><img src='data:,'></p>"
        "<a href='javascript:bad()'>b</a><a href='#q1'>c</a><iframe srcdoc='f'></iframe>"
        "<svg viewBox='0 0 1 1'><foreignObject><p>d</p></foreignObject><path d='M0 0'/></svg>"
    )
    copied = page.evaluate(
        """(text) => import('./lab/copied.js').then(({ copied }) => {
          const box = document.createElement('div');
          box.append(...copied(text));
          return box.innerHTML;
        })""",
        hostile,
    )
    assert copied == '<p class="x">a</p><a href="#q1">c</a><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>'
