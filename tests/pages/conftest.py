"""The fixtures of tests that open pages."""

from tests.pages.browser import browser, open_page

__all__ = ["browser", "open_page"]
