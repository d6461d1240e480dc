"""The frame of every page: what a browser may run in it, and that text stays text."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest

from autograder.pages.page import STATIC, TEMPLATES, joined, page
from autograder.pages.student_page import refused_page
from autograder.report.escape import json_text
from pacman.picture.svg import FONT

HOSTILE = "</script><script>alert(1)</script>]]>\x1b[2J\u202eabc\ud800\0\"'<!--"
REFUSED = {"student": HOSTILE, "reason": HOSTILE, "adjustments": [HOSTILE], "is_refused": True}


def test_only_the_script_and_the_style_of_the_page_may_run() -> None:
    text = page("refused_page.html", "T", REFUSED, data={"a": 1}, scripts=["predict.js"])
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; ")
    for name, content in re.findall(r"<(style|script type=\"module\")>(.*?)</", text, re.DOTALL):
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{name.split()[0]}-src 'sha256-{digest}'" in policy
    assert "script-src 'none'" in page("refused_page.html", "T", REFUSED).replace("&#39;", "'")


def test_a_text_stays_a_text() -> None:
    text = page("refused_page.html", HOSTILE, REFUSED, data={"name": HOSTILE})
    assert (text.count("<script"), text.count("</script"), text.count("<!--")) == (1, 1, 0)
    assert text.count("alert(1)") == 6
    assert not re.search("[\0\x1b\u202e\ud800]", text)
    text.encode("utf-8")
    assert json.loads(re.search('id="data">(.*?)</script>', text)[1]) == {"name": HOSTILE}
    with pytest.raises(ValueError, match="JSON"):
        json_text(float("inf"))


def test_who_handed_in_nothing_is_not_asked_to_mend_it() -> None:
    advice = "The grader could not run this submission"
    assert advice in refused_page("T", "no Python file")
    assert advice not in refused_page("T", "no submission", is_refused=False)


def test_a_module_stands_once_after_those_that_it_imports() -> None:
    script = joined(["predict.js", "search-explorer.js"])
    parts = ["function make(", "function kept(", "function readNumber(", "class SearchPredict "]
    assert [script.count(part) for part in parts] == [1] * 4
    assert parts == sorted(parts, key=script.index)


def test_no_file_of_a_page_has_what_the_policy_forbids() -> None:
    for file in STATIC.glob("*.js"):
        text = joined([file.name])
        assert not re.search(r"^\s*(import|export)\b|</script|<!--", text, re.MULTILINE | re.IGNORECASE)
        assert "http" not in text.replace("http://www.w3.org/", "")
    for file in TEMPLATES.glob("*.html"):
        assert not re.search(r"\sstyle=|\son\w+=|javascript:|https?:", file.read_text(encoding="utf-8"))


def test_a_page_has_one_typeface() -> None:
    """That of its pictures; code has the other one. No stylesheet names a third."""
    styles = "\n".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("*.css"))
    fonts = re.findall(r"^\s*font(?:-family)?:([^;]*)|[;{] *font(?:-family)?:([^;}]*)", styles, re.MULTILINE)
    used = {re.sub(r"^.*(?=var)", "", "".join(font)).strip() for font in fonts}
    assert used == {"var(--text)", "var(--code)"}
    stack = re.search(r"--text: ([^;]*);", styles)
    assert stack
    assert stack[1].replace('"', "'") == FONT


def test_the_javascript_of_all_pages_stays_small() -> None:
    """Searches, judge and parser exist once, in Python: a page only shows what they found."""
    scripts = [path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js")]
    assert sum(text.count("\n") for text in scripts) <= 1293
