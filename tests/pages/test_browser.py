"""The checks of pages see what they must see: small pages with one fault each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pages.browser import PHONE, axe, checked_pages, no_broken_word, no_overflow, no_overlap

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

POLICY = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"""
GOOD = "<main><h1>A page</h1><p>Words</p></main>"
WIDE = "<p style='width: 500px'>Words</p>"
BROKEN = "<p style='width: 40px; overflow-wrap: anywhere'>a b Expectiminimax</p>"


@pytest.mark.parametrize(
    ("check", "body", "message"),
    [
        *((check, GOOD, "") for check in (no_overflow, axe, partial(no_overlap, selector="h1, p, main"))),
        (no_overflow, f"<div style='overflow-x: auto'>{WIDE}</div>", ""),
        (partial(no_broken_word, selector="p", longest=13), BROKEN, ""),
        (no_overflow, WIDE, "the page is 508 pixels wide, the window 360"),
        (no_overflow, f"<main style='overflow: hidden'>{WIDE}</main>", "has a content of 500 pixels"),
        (no_overflow, "<svg width='99' height='20'><text x='90' y='15'>Words</text></svg>", "beyond its picture"),
        (no_overflow, "<p style='position: absolute; left: -40px'>Words</p>", "reaches beyond the window"),
        (
            partial(no_overlap, selector="p"),
            "<p>One</p><p style='margin-top: -30px'>Two</p>",
            '<p> "One" and <p>',
        ),
        (partial(no_broken_word, selector="p"), BROKEN, "broken words: .*Expectiminimax"),
        (axe, f"{GOOD}<svg role='img' width='9' height='9'></svg>", "svg-img-alt"),
        (bool, f"{POLICY}<script>1</script>", "violates the following Content Security Policy"),
        (bool, "<script>throw new Error('a mistake')</script>", "a mistake"),
        (bool, "<img src='other.png' alt=''>", "the page asks for file:.*other.png"),
    ],
)
def test_a_fault_is_seen_and_no_other(
    check: Callable[[Page], object], body: str, message: str, tmp_path: Path, browser: Browser
) -> None:
    """The first five are no faults. The last three are errors of the page itself, which every page is tested for."""
    path, head = tmp_path / "page.html", '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A</title>'
    path.write_text(f"{head}{body}</html>", encoding="utf-8")
    expected = pytest.raises(AssertionError, match=message) if message else nullcontext()
    with expected, checked_pages(browser) as opened:
        check(opened(path, PHONE))
