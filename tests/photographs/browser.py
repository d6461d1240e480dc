"""Pages as files, and as a reader sees them in Chromium: the text after the scripts have run, and a picture."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.photographs.run import normal
from tests.photographs.shots import Files, new_files, outputs, slug

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
STEPS = (*["ArrowRight"] * 25, "ArrowDown", "ArrowUp", "d", "End", "ArrowLeft", "Home",
         *["Answer", "Show the answer", "Next question"] * 4)  # fmt: skip
"""Keys of an explorer, and buttons of a page with questions."""


def written(folder: Path, commands: Sequence[str], agents: Mapping[str, Any], students: Sequence[str]) -> Files:
    """What commands print, the pages that they write, and these pages in a browser."""
    (folder / "class").mkdir()
    for name, agent in agents.items():
        (folder / f"{name}.py").write_text(agent["text"], encoding="utf-8")
    for number, text in enumerate(students):
        (folder / "class" / f"student{number}.py").write_text(text, encoding="utf-8")
    files = outputs(folder, commands)
    if (folder / "site").is_dir():  # the lab: its page, and the names of its files
        names = sorted(path.relative_to(folder).as_posix() for path in (folder / "site").rglob("*") if path.is_file())
        files = {name: data for name, data in files.items() if not name.startswith("site")}
        return {**files, **new_files(folder, ["site/index.html"]), "site.txt": "\n".join(names)}
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
    return {**files, **opened(folder, pages)}


def opened(folder: Path, names: Sequence[str]) -> Files:
    """The pages in Chromium; none without it."""
    chromium = next(filter(None, map(shutil.which, PROGRAMS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        return {"no-browser.txt": "left out: no Chromium, or no playwright\n"}
    files: Files = {}
    arguments = ["--disable-gpu", "--hide-scrollbars", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce", offline=True
        )
        for name in names:
            page = context.new_page()
            page.goto((folder / name).resolve().as_uri())
            files[f"{slug(name)}.png"] = page.screenshot()
            texts = [page.inner_text("body")]
            for step in STEPS:
                press(page, step)
                texts.append(page.inner_text("body"))
            files[f"{slug(name)}.seen.txt"] = normal(sections(texts), folder)
            files[f"{slug(name)}.end.png"] = page.screenshot()
            page.close()
        browser.close()
    return files


def press(page: Any, step: str) -> None:
    """Presses a key, or a button if the page has it; every field gets a 1 first."""
    if step[0].islower() or re.fullmatch(r"Arrow\w+|End|Home", step):
        page.keyboard.press(step)
        return
    button = page.get_by_role("button", name=step, exact=True).first
    if button.is_visible():
        for field in page.locator("input[type=text]:visible").all():
            field.fill("1")
        for box in page.locator("input[type=radio]:visible").all()[:1]:
            box.check()
        button.click()


def sections(texts: Sequence[str]) -> str:
    """The first text, and after each key the lines that are new."""
    shown = f"{texts[0]}\n"
    for step, before, after in zip(STEPS, texts, texts[1:], strict=False):
        lines = set(before.splitlines())
        if after != before:
            shown += f"--- {step}\n" + "".join(f"{line}\n" for line in after.splitlines() if line not in lines)
    return re.sub(r"\n{3,}", "\n\n", shown)
