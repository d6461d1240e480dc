"""Pages in a real Chromium, for tests: `open_page`, and checks of geometry and accessibility.

    def test_a_page(tmp_path, open_page):
        page = open_page(write_my_page(tmp_path), PHONE)
        no_overflow(page)
        no_overlap(page, "button, input")
        axe(page)

A test with `open_page` fails if the page logs an error, breaks its Content-Security-Policy, or asks for another file
than its own. It is skipped if there is no Chromium or no playwright.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Size = tuple[int, int]
PHONE, LAPTOP, PROJECTOR = (360, 740), (1280, 800), (1920, 1080)
SIZES: dict[str, Size] = {"phone": PHONE, "laptop": LAPTOP, "projector": PROJECTOR}
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ("--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync")
OpenPage = Callable[..., "Page"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a process. Its start takes longer than most tests."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_api.sync_playwright() as playwright:
        arguments = [*ARGUMENTS, *(["--no-sandbox"] if is_root else [])]
        chromium = playwright.chromium.launch(executable_path=program, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens an HTML file as a reader does: from the file system, without a network."""
    with checked_pages(browser) as opened:
        yield opened


@contextmanager
def checked_pages(browser: Browser) -> Iterator[OpenPage]:
    """The function behind `open_page`. At the end it raises AssertionError if a page made an error."""
    errors: list[str] = []
    contexts = []

    def opened(
        path: Path,
        size: Size = LAPTOP,
        *,
        scheme: Literal["light", "dark"] = "light",
        has_script: bool = True,
        reduced_motion: bool = False,
    ) -> Page:
        """The page of a file in a window of that size. `scheme` is the theme that the reader prefers."""
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            java_script_enabled=has_script,
            reduced_motion="reduce" if reduced_motion else "no-preference",
            offline=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        address = path.resolve().as_uri()
        listen(page, errors, lambda url: url.partition("#")[0] == address)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors, errors


def listen(page: Page, errors: list[str], is_own: Callable[[str], bool], is_complete: bool = True) -> None:
    """Adds to `errors` each address that a page asks for and that is neither its own nor data inside it.

    If the page is complete, also each error that it logs.
    """

    def ask(url: str) -> None:
        if not is_own(url) and not url.startswith(("data:", "blob:")):
            errors.append(f"the page asks for {url}")

    if is_complete:
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: ask(request.url))


def _check(page: Page, name: str, arguments: object = None) -> list[str]:
    """What a function of checks.js finds wrong in a page."""
    script = Path(__file__).with_name("checks.js").read_text(encoding="utf-8")
    found: list[str] = page.evaluate(f"(given) => {{\n{script}\nreturn {name}(given);\n}}", arguments)
    return found


def no_overlap(page: Page, selector: str, tolerance: float = 0.5) -> None:
    """Asserts that no two visible elements of `selector` overlap by more than `tolerance` pixels.

    An element may overlap with those that contain it.
    """
    assert not (pairs := _check(page, "overlaps", [selector, tolerance])), "\n".join(pairs)


def no_overflow(page: Page) -> None:
    """Asserts that the page is not wider than the window, and that no text reaches beyond its box or its picture.

    Boxes that the reader can scroll may have a wider content.
    """
    assert not (places := _check(page, "overflows")), "\n".join(places)


def no_broken_word(page: Page, selector: str, longest: int = 20) -> None:
    """Asserts that no word of up to `longest` characters in an element of `selector` goes on in the next line."""
    assert not (words := _check(page, "brokenWords", [selector, longest])), f"broken words: {words}"


def axe(page: Page) -> None:
    """Asserts that axe-core finds no violation of its accessibility rules."""
    sync_playwright = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra `browser`")
    found: list[dict[str, Any]] = sync_playwright.Axe().run(page).response["violations"]
    places = [f"{rule['id']}: {rule['help']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]
    assert not places, "\n".join(places)
