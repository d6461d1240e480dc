"""`<game-replay>` in Chromium: keys, slider, buttons, words, and the board at every ply."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agents.load import make_ghost, make_pacman
from autograder.pages.game_player import SCRIPT, STYLE, GamePlayer, game_replay
from autograder.pages.page import page
from pacman import Game, start
from pacman.play.recording import Recorder
from tests.pages.browser import PHONE, OpenPage, axe, no_overflow

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOARD = "%%%%%%%%\n%P.o..G%\n%%%%%%%%"
MOVES = ["East", "West", "West", "West", "Stop", "West", "Stop", "West", "Stop", "West"]
END = "Ply 10 of 10. Ghost 1 goes West and catches Pacman: the game is lost. Score −495."


@pytest.fixture
def replay_page(tmp_path: Path) -> Path:
    """A page with a lost game and the one move of a second game."""
    one = game_replay(start(BOARD, ["optimal"]), MOVES)
    two = game_replay(start("%%%%%%\n%o.G %\n%P   %\n%%%%%%"), ["North"])
    text = page("game_player.html", "Two games", {"game": one + two}, scripts=[SCRIPT], styles=[STYLE])
    (file := tmp_path / "replay.html").write_text(text, "utf-8")
    return file


def words(page: Page) -> str:
    return page.locator("game-replay .status").first.inner_text()


def places(page: Page) -> list[list[float]]:
    """x, y of Pacman and of the ghost on the first board, in its pixels, as the browser computes them."""
    script = """() => [...document.querySelector("game-replay .first").querySelectorAll(".agent")]
      .sort((one, other) => one.dataset.agent - other.dataset.agent)
      .map((agent) => { const to = new DOMMatrix(agent.style.transform); return [to.e, to.f]; })"""
    return page.evaluate(script)


def test_keys_buttons_and_slider_step_through_the_game(replay_page: Path, open_page: OpenPage) -> None:
    page = open_page(replay_page, reduced_motion=True)
    frames = json.loads(unescape(re.search(r'json">(.*?)</script>', replay_page.read_text("utf-8"))[1]))
    first = page.locator("game-replay").first
    slider = first.get_by_role("slider", name="Ply")
    assert words(page) == "Ply 0 of 10. Score 0."
    first.get_by_role("button", name="Forward").click()
    for ply in range(1, 11):
        assert words(page) == frames["words"][ply]
        assert [number for place in places(page) for number in place] == frames["places"][ply]
        page.keyboard.press("ArrowRight")  # the focus stays on the button, also at the end
    assert words(page) == END
    for press, ply in (
        *((lambda key=key: page.keyboard.press(key), ply) for key, ply in (("Home", 0), ("End", 10), ("ArrowLeft", 9))),
        *(
            (first.get_by_role("button", name=name).click, ply)
            for name, ply in (("First", 0), ("Last", 10), ("Back", 9), ("Forward", 10))
        ),
        (lambda: slider.fill("3"), 3),
        (lambda: slider.press("ArrowRight"), 4),
    ):
        press()
        assert words(page).startswith(f"Ply {ply} of 10.")
    assert slider.get_attribute("aria-valuetext") == "Ply 4 of 10"
    assert page.locator("game-replay .status").nth(1).inner_text() == "Ply 0 of 1. Score 0."


def test_the_board_loses_food_scares_ghosts_and_shows_the_loss(replay_page: Path, open_page: OpenPage) -> None:
    page = open_page(replay_page, reduced_motion=True)
    first = page.locator("game-replay").first
    picture = first.locator(".first svg")

    def dots(kind: str) -> int:
        return (picture.locator(f".{kind}").get_attribute("d") or "").count("M")

    def order() -> list[str]:
        return picture.locator(".agent").evaluate_all("all => all.map((agent) => agent.dataset.agent)")

    assert (dots("food"), dots("capsules"), order()) == (3, 1, ["1", "0"])
    assert not picture.locator(".ring").is_visible()
    slider = first.get_by_role("slider")
    slider.fill("1")
    assert (dots("food"), dots("capsules")) == (2, 1)
    slider.fill("10")
    assert picture.locator(".ring").is_visible()
    assert order() == ["0", "1"]
    assert picture.locator(".caption").text_content() == "score −495"
    assert picture.locator("title").text_content() == END
    slider.fill("0")
    assert (dots("food"), order()) == (3, ["1", "0"])
    assert not picture.locator(".ring").is_visible()


def test_a_game_plays_only_when_the_reader_says_so(replay_page: Path, open_page: OpenPage) -> None:
    page = open_page(replay_page)
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # from here on, only `run_for` moves the page's clock
    first = page.locator("game-replay").first
    page.clock.run_for(5000)
    assert words(page) == "Ply 0 of 10. Score 0."
    first.get_by_role("button", name="Forward").focus()
    page.keyboard.press("Home")
    first.get_by_role("button", name="Play").click()
    page.clock.run_for(600)
    assert words(page).startswith("Ply 2 of 10.")
    assert first.locator(".status").get_attribute("aria-live") == "off"
    first.get_by_role("button", name="Pause").click()
    page.clock.run_for(5000)
    assert words(page).startswith("Ply 2 of 10.")
    assert first.locator(".status").get_attribute("aria-live") == "polite"
    first.get_by_role("slider").press(" ")
    page.clock.run_for(5000)
    assert words(page) == END
    first.get_by_role("button", name="Play").click()  # from the first ply again
    first.get_by_role("button", name="Forward").click()
    page.clock.run_for(5000)
    assert words(page).startswith("Ply 1 of 10.")
    assert first.get_by_role("button", name="Play").is_visible()


def test_without_script_a_reader_sees_both_ends(replay_page: Path, open_page: OpenPage) -> None:
    """Paper shows this ply and the last one. A scared ghost looks scared. On a phone, the buttons stand in one row."""
    page, plain = open_page(replay_page, PHONE), open_page(replay_page, has_script=False)
    first, second = page.locator("game-replay").first, page.locator("game-replay").nth(1)
    captions = plain.locator("game-replay").first.locator("figcaption").all()
    assert [caption.inner_text() for caption in captions] == ["Ply 0 of 10. Score 0.", END]
    assert (plain.locator("game-replay").first.locator("svg:visible, .ring:visible").count()) == 3
    assert plain.locator("button:visible").count() == 0
    looks = [second.locator(f".first .look-{look}") for look in ("calm", "scared")]
    assert [look.is_visible() for look in looks] == [True, False]
    second.get_by_role("slider").fill("1")
    assert [look.is_visible() for look in looks] == [False, True]
    assert second.locator(".first .heading").get_attribute("transform") == "rotate(270)", "Pacman looks up"
    assert len({round(button.bounding_box()["y"]) for button in first.get_by_role("button").all()}) == 1
    first.get_by_role("slider").fill("1")
    assert first.locator("svg:visible").count() == 1
    page.emulate_media(media="print")
    captions = [caption.inner_text() for caption in first.locator("figcaption:visible").all()]
    assert captions == ["Ply 1 of 10. Pacman goes East and eats food. Score 9.", END]
    assert first.locator("button:visible, input:visible, .status:visible").count() == 0


def test_a_game_plays_in_a_notebook(tmp_path: Path, open_page: OpenPage) -> None:
    """Its page is in a frame, and asks for nothing else. A recording of the game gives the same page."""
    game = Game(start("nook", ["random"]), [make_pacman("alphabeta"), make_ghost("random")], ["alphabeta", "random"])
    with Recorder(tmp_path / "game.json", game):
        player = GamePlayer(game)
    assert GamePlayer(tmp_path / "game.json").page == player.page
    file = tmp_path / "notebook.html"
    html = f"<!doctype html><html lang='en'><title>A notebook</title><main><h1>A game</h1>{player._repr_html_()}</main>"
    file.write_text(html, encoding="utf-8")
    page = open_page(file, PHONE)
    frame = page.frame_locator("iframe")
    slider = frame.get_by_role("slider", name="Ply")
    slider.press("End")
    assert f"Ply {len(player.moves)} of {len(player.moves)}." in frame.get_by_role("status").inner_text()
    slider.press("ArrowLeft")
    assert f"Ply {len(player.moves) - 1} of" in frame.get_by_role("status").inner_text()
    no_overflow(page)
    assert page.frames[1].evaluate("document.documentElement.scrollHeight <= innerHeight")
    axe(page)
