"""The fixtures of tests that make pages, and that open them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.pages import page as pages
from autograder.pages.page import STATIC, TEMPLATES
from tests.pages.browser import browser, open_page

__all__ = ["browser", "folders", "open_page"]


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for the templates and the static files of a test, beside the real ones."""
    for folder in (TEMPLATES, STATIC):
        for file in filter(Path.is_file, folder.iterdir()):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(pages, "TEMPLATES", tmp_path)
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    pages._environment.cache_clear()
    yield tmp_path
    pages._environment.cache_clear()
