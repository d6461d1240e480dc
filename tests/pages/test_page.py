"""The frame of every page: what a browser may run in it, and that text stays text."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from autograder.pages.page import STATIC, TEMPLATES, joined, page
from autograder.report.escape import json_text
from pacman.picture.svg import FONT

HOSTILE = "</script><script>alert(1)</script>]]>\x1b[2J\u202eabc\ud800\0\"'<!--"


def test_only_the_script_and_the_style_of_the_page_may_run(folders: Path) -> None:
    (folders / "p.html").write_text("{{ name }}")
    (folders / "p.js").write_text("console.log(1 < 2 && 3);\n")
    text = page("p.html", "T", {"name": "x"}, data={"a": 1}, scripts=["p.js"])
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; ")
    for name, content in re.findall(r"<(style|script type=\"module\")>(.*?)</", text, re.DOTALL):
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{name.split()[0]}-src 'sha256-{digest}'" in policy
    assert "script-src 'none'" in page("p.html", "T", {"name": "x"}).replace("&#39;", "'")


def test_a_text_stays_a_text(folders: Path) -> None:
    (folders / "p.html").write_text('<p title="{{ name }}">{{ name }} {{ name | code }}')
    text = page("p.html", HOSTILE, {"name": HOSTILE}, data={"name": HOSTILE})
    assert (text.count("<script"), text.count("</script"), text.count("<!--")) == (1, 1, 0)
    assert "alert(1)" in text
    assert not re.search("[\0\x1b\u202e\ud800]", text)
    text.encode("utf-8")
    assert json.loads(re.search('id="data">(.*?)</script>', text)[1]) == {"name": HOSTILE}


def test_no_number_that_is_not_json() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_text(float("inf"))


def test_a_module_stands_after_those_that_it_imports(folders: Path) -> None:
    (folders / "a.js").write_text('import { b, c } from "./b.js";\nimport "./c.js";\nexport function a() {}\n')
    (folders / "b.js").write_text('import { c } from "./c.js";\nexport const b = c;\n')
    (folders / "c.js").write_text("export class c {}\nconst exported = 1;\n")
    assert joined(["a.js", "b.js"]) == "class c {}\nconst exported = 1;\nconst b = c;\nfunction a() {}\n"


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
    assert sum(text.count("\n") for text in scripts) <= 2500
