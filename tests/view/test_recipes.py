"""The recipes of CONTRIBUTING.md for an overlay and for a key: a new row is in every view, and nothing else changes.

The lists that are written by hand, of ghosts, agents, overlays and keys, have every name.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest

from agents import load
from agents.analysis import choose_search
from pacman.commands import options
from pacman.core.rounds import MODELS
from pacman.core.state import start
from pacman.picture import overlays
from pacman.picture.bars import BoardDrawing
from pacman.picture.canvas import Canvas
from pacman.picture.colours import DARK
from pacman.picture.moment import VisibleState
from pacman.picture.overlays import NONE, OVERLAYS
from pacman.picture.screen_regions import Regions
from pacman.record.rows import TREE_KEYS
from pacman.view import controls
from pacman.view.controls import CONTROLS
from pacman.view.player import Player
from tests.mistakes import changed
from tests.paths import ROOT
from tests.test_docs import BLOCK
from tests.view.fake_screen import FakeScreen, Script, corridor, make_text, make_window
from tests.view.test_text import Terminal


def followed(title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that a recipe changes, as it is after the changes. The project still has the old one."""
    _, _, recipe = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition(f"\n## {title}\n")
    path = tmp_path / "changed_by_the_recipe.py"
    for kind, block in BLOCK.findall(recipe.partition("\n## ")[0]):
        first, _, change = block.partition("\n")
        if kind == "diff":
            path = path if path.exists() else Path(path.write_bytes((ROOT / first[2:]).read_bytes()) and path)
            path.write_text(changed(path.read_text("utf-8"), change), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    return module


def documented(page: str) -> set[str]:
    """The words in the first cells of the tables of a page."""
    cells = re.findall(r"^\| (.+?) \|", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.M)
    return {word.strip("`*") for cell in cells for word in re.split(r" (?:and|or) |, |:? ", cell)}


def test_a_new_overlay_is_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = followed("Add an overlay", tmp_path, monkeypatch).OVERLAYS
    assert list(new) == [*OVERLAYS, "sizes"]
    monkeypatch.setitem(OVERLAYS, "sizes", new["sizes"])
    analyse = choose_search("alphabeta", rounds=1)
    file = StringIO()
    make_text(file, analysers=[analyse], overlay="sizes").show(corridor())
    assert re.findall(r"\nsizes +(.*)", file.getvalue())[-1] == "West 1  Stop 1  East 0"
    screen = FakeScreen({5: "o " * (len(OVERLAYS) - 1), 9: "q"})
    view = make_window(screen, analysers=[analyse])
    view.show(corridor())
    assert view.player.searches[0].name == "sizes"
    drawn: list[str] = []
    monkeypatch.setattr(Canvas, "text", lambda canvas, text, *rest: drawn.append(text))
    report = analyse(state := start("nook"))
    frame = Regions.fit(640, 400, state.maze)
    new["sizes"].draw(BoardDrawing(Canvas(640, 400), VisibleState(state, state), DARK, frame), report)
    assert drawn == [str(report.nodes[child].below) for child in report.nodes[0].children]


def test_a_new_key_is_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, new = (
        row for row in followed("Add a key", tmp_path, monkeypatch).CONTROLS if row.description == "go to the middle"
    )
    monkeypatch.setattr(controls, "CONTROLS", (*CONTROLS, new))
    terminal, screen = Terminal(), FakeScreen({200: "5", 210: "q"})
    view = make_window(screen)
    plies: list[int] = []
    monkeypatch.setattr(Player, "stop", lambda self: plies.append(self.ply))
    view.show(corridor())
    assert plies == [2], "the game has five plies"
    keys = Script(k1="space", k9=".", k99=".", k199=".", k399="5", k409="h", k419="q")
    make_text(terminal, keys=keys).show(corridor())
    assert "ply 1 of 3" in terminal.getvalue()
    assert "5  go to the middle" in terminal.getvalue()
    assert ("5", "go to the middle") in controls.Keyboard(view.player).help()["TIME"]


def names_in(text: str) -> list[str]:
    """The names in a help text such as "random, perfect (only small boards), or FILE.py:CLASS (in this process)"."""
    return [name for name in re.sub(r" \(.*?\)", "", text).split(", ") if not name.startswith("or ")]


def test_the_docs_and_the_help_have_every_overlay_ghost_agent_and_key() -> None:
    assert set(OVERLAYS) - {NONE} <= documented("see-the-search.md")
    (option,) = options.OverlayOption.__metadata__
    listed = ", ".join(f"{each.name} ({each.summary})" for each in overlays.TABLE)
    assert option.help == f"Show the search on the board: {listed}, or none."
    assert names_in(options.GHOST_NAMES) == list(load.GHOSTS)
    (row,) = re.findall(r"^\| `--ghosts` \| (.+) \|", (ROOT / "docs" / "play.md").read_text(encoding="utf-8"), re.M)
    assert re.findall(r"`(\w+)`", row) == list(load.GHOSTS)
    assert {name: load.make_ghost(name).model for name in MODELS} == MODELS
    assert sorted(["keyboard", *names_in(options.AGENT_NAMES)]) == sorted(load.PACMEN)
    keys = {word for control in CONTROLS for word in control.keys_text.split()} - {"Left", "Right", "Up", "Down"}
    assert keys | set(load.PACMEN) <= documented("play.md")
    assert {key.text for key in TREE_KEYS} <= documented("see-the-search.md")
