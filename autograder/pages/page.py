"""Makes a page: one HTML file with its stylesheet, its script and its data inside, which loads nothing.

A Content-Security-Policy with the hashes of the stylesheet and of the script lets a browser run and apply nothing else.
So a template has no `style` attribute and no `onclick`, and the text of a student stays text.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.judge.points_as_text import percent, points_text
from autograder.report.blocks import capitalized
from autograder.report.escape import json_text, line, lines
from pacman.core.errors import counted, printable
from pacman.picture.colours import page_style

FOLDER = Path(__file__).resolve().parent
TEMPLATES, STATIC = FOLDER / "templates", FOLDER / "static"
_IMPORT = re.compile(r'^import [^;"]*"\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(async )?(function|class|const|let)\b)", re.MULTILINE)


def page(
    template: str,
    title: str,
    values: Mapping[str, object],
    data: object = None,
    scripts: Sequence[str] = (),
    styles: Sequence[str] = (),
) -> str:
    """The text of a page around the content that the template, a file in `templates`, makes of `values` and `title`.

    `scripts` and `styles` are files in `static`: modules, with those that they import, and the stylesheets besides
    `page.css` and the colours of pictures. A script finds `data`, which must be plain JSON values, as the text of the
    element `#data`.

    A text among the values is shown as text, without characters that are not visible. Only `{{ picture | safe }}` puts
    markup in a page: use it for the pictures of `pacman.picture`, and for nothing that contains a student's text.
    """
    style = "".join((_static("page.css"), page_style(), *map(_static, styles)))
    script = joined(scripts)
    sources = {
        "script-src": f"'sha256-{_hash(script)}'" if script else "'none'",
        "style-src": f"'sha256-{_hash(style)}'",
    }
    policy = {"default-src": "'none'", **sources, "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}
    frame = {
        "title": title,
        "kind": template.removesuffix(".html"),
        "content": Markup(markup(template, {**values, "title": title}).rstrip("\n")),
        "policy": "; ".join(f"{name} {source}" for name, source in policy.items()),
        "style": Markup(style),
        "script": Markup(script),
        "data": Markup("" if data is None else json_text(data, is_ascii=False)),
    }
    return markup("base.html", frame)


def markup(template: str, values: Mapping[str, object]) -> str:
    """The text that a template gives for these values, for a page of this module or for another page.

    A template has filters: `code` is `with_code`, `points` is `points_text`, others have the names of functions.
    """
    return _environment().get_template(template).render(values)


def joined(scripts: Sequence[str]) -> str:
    """The modules, and before each one those that it imports, as one module. All their names share one scope.

    A module imports another one with a line such as `import { step } from "./steps.js";`.
    """
    texts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in texts:
            return
        texts[name] = ""  # its place comes later: a circle of imports ends here
        text = _static(name)
        for module in _IMPORT.findall(text):
            add(module)
        del texts[name]
        texts[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    for name in scripts:
        add(name)
    return "".join(texts.values())


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    environment.filters.update(code=with_code, line=line, points=points_text, percent=percent)
    environment.filters.update(capitalized=capitalized, counted=counted, lines=lines)
    return environment


def _visible(value: object) -> object:
    """A value of a template as it is shown: markup unchanged, any other text without invisible characters."""
    return value if isinstance(value, Markup) else printable(str(value))


def with_code(text: str) -> Markup:
    """A text for a page: what stands between backticks is code.

    >>> print(with_code("use `max` & not <min>"))
    use <code>max</code> &amp; not &lt;min&gt;
    """
    parts = re.split("`([^`]+)`", printable(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part) for number, part in enumerate(parts)
    )
