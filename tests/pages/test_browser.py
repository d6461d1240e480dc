"""The checks of pages see what they must see: small pages with one fault each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pages.browser import PHONE, OpenPage, axe, checked_pages, no_broken_word, no_overflow, no_overlap

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

POLICY = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"""
GOOD = "<main><h1>A page</h1><p>Words</p></main>"
WIDE = "<p style='width: 500px'>Words</p>"
BROKEN = "<p style='width: 40px; overflow-wrap: anywhere'>a b Expectiminimax</p>"


def write(folder: Path, body: str) -> Path:
    path = folder / "page.html"
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>'
    path.write_text(f"{head}{body}</html>", encoding="utf-8")
    return path


def test_a_good_page_passes(tmp_path: Path, open_page: OpenPage) -> None:
    """Also one with what may be wide or broken."""
    page = open_page(write(tmp_path, GOOD), PHONE, scheme="dark")
    assert page.evaluate("innerWidth") == PHONE[0]
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    no_overflow(page)
    no_overlap(page, "h1, p, main")
    axe(page)
    no_overflow(open_page(write(tmp_path, f"<div style='overflow-x: auto'>{WIDE}</div>"), PHONE))
    no_broken_word(open_page(write(tmp_path, BROKEN)), "p", longest=13)


@pytest.mark.parametrize(
    ("check", "body", "message"),
    [
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
def test_a_fault_is_seen(
    check: Callable[[Page], object], body: str, message: str, tmp_path: Path, browser: Browser
) -> None:
    """The last three are errors of the page itself, which every test with `open_page` sees."""
    with pytest.raises(AssertionError, match=message), checked_pages(browser) as opened:
        check(opened(write(tmp_path, body), PHONE))
