"""The practice page in Chromium: right and wrong guesses, the keyboard, saved answers, and how it looks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.pages.practice import practice_page
from tests.command_line import run_here
from tests.pages.browser import PHONE, OpenPage, axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

BLOCKED = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('blocked'); }});"


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("practice") / "practice.html"
    path.write_text(practice_page(), encoding="utf-8")
    return path


@pytest.fixture
def page(practice: Path, open_page: OpenPage) -> Page:
    return open_page(practice)


def exercises(page: Page) -> list[dict[str, Any]]:
    data = json.loads(page.locator("#data").text_content() or "")
    found: list[dict[str, Any]] = data["predict"]["exercises"]
    return found


def go_to(page: Page, is_wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The first question that a test wants, shown as a reader does it: by the list of trees, then by the button."""
    number, index, question = next(
        (number, index, question)
        for number, exercise in enumerate(exercises(page))
        for index, question in enumerate(exercise["questions"])
        if is_wanted(question)
    )
    if page.locator("select").is_visible():
        page.select_option("select", str(number))
    for _ in range(index):
        page.click("text=Next question")
    return question


def enter(page: Page, question: dict[str, Any], answer: Any) -> None:
    """Fills an answer in and presses the button."""
    if question["kind"] == "value":
        page.fill("input[name=value]", str(answer))
    elif question["kind"] == "window":
        page.fill("input[name=alpha]", str(answer[0]))
        page.fill("input[name=beta]", str(answer[1]))
    elif question["kind"] == "cut":
        page.check(f"input[value={'yes' if answer else 'no'}]")
        for action in question["choices"] if answer else ():
            page.check(f"input[name=unseen][value='{action}']")
    else:
        page.check(f"input[value='{answer}']")
    page.click("form button")


def says(page: Page) -> str:
    return page.locator(".says").inner_text()


def test_every_right_answer_is_right_and_every_picture_shows_what_the_search_knows(page: Page) -> None:
    enter(page, {"kind": "value"}, 123.25)  # the right answer is then the second one
    rows = page.evaluate(Path(__file__).with_name("answer_all.js").read_text(encoding="utf-8"))
    assert len(rows) > 80
    for row in rows:
        question = row["question"]
        assert question["text"] in row["text"]
        assert row["says"] == f"Right: {question['shown']}.\n\n{question['why']}"
        assert row["current"] == [question["node"]]
        assert row["values"] == question["values"]
        assert (row["unseen"], row["later"]) == (sorted(question["closed"]), question["later"])
    assert page.locator(".progress").inner_text() == f"{len(rows)} of {len(rows)} questions done"
    assert page.evaluate("document.querySelector('progress').value") == len(rows)
    done = f"All questions are done.\n\nYou answered {len(rows) - 1} of {len(rows)} right at the first try."
    assert says(page).startswith(done)
    axe(page)
    page.reload()
    assert says(page).startswith(done)
    page.select_option("select", "3")
    assert "Question 1 of" in page.locator("legend").inner_text()
    page.click("text=Start again")
    assert "Question 1 of" in page.locator("legend").inner_text()
    last = exercises(page)[-1]["questions"][-1]  # after the last question come those that are left
    go_to(page, lambda question: question == last)
    page.click("text=Show the answer")
    page.click("text=Next question")
    assert exercises(page)[0]["questions"][0]["text"] in page.locator("legend").inner_text()


MISTAKES = (
    "min-as-max", "equal-chances", "alpha-never-raised", "both-reset", "no-cut", "fail-hard", "chance-stops",
    "last-of-ties",
)  # fmt: skip


def test_a_wrong_guess_is_told_its_mistake(page: Page) -> None:
    """If the page knows one."""
    enter(page, {"kind": "value"}, 123.25)
    assert says(page) == "That is not right.\n\nIt fits no mistake that this page knows. Try again."
    for mistake in MISTAKES:

        def of_mistake(question: dict[str, Any], mistake: str = mistake) -> list[dict[str, Any]]:
            return [wrong for wrong in question["wrong"] if mistake in wrong["names"] and len(wrong["sentences"]) <= 3]

        question = go_to(page, of_mistake)
        wrong = of_mistake(question)[0]
        enter(page, question, wrong["answer"])
        text = says(page)
        assert text.startswith("That is not right.")
        assert all(sentence in text for sentence in wrong["sentences"])
        assert question["why"] not in text
        saved = page.evaluate("JSON.parse(localStorage.getItem(localStorage.key(0)))")
        assert saved[-1]["fits"] == wrong["names"]


def test_ways_to_write_a_number(page: Page) -> None:
    """What is no number is said plainly."""
    for text in ("", "three", "1/0", "5,5", "1e3", "--3"):
        enter(page, {"kind": "value"}, text)
        expected = f"The page cannot read “{text}” as a number." if text else "There is no number yet."
        assert says(page) == f"{expected} Write a number such as 5, -3, 2.5, 1/2 or inf."
        assert page.evaluate("document.activeElement.name") == "value"
        assert page.evaluate("localStorage.length") == 0
    for is_wanted, text in (
        *((range(1, 9), text) for text in ("{}", " {}.0 ", "{}.00", "{}/1", "+{}")),
        (range(-9, 0), "−{}"),
    ):
        question = go_to(page, lambda each, wanted=is_wanted: each["kind"] == "value" and each["answer"] in wanted)
        enter(page, question, text.format(abs(int(question["answer"]))))
        assert says(page).startswith("Right")
    question = go_to(page, lambda each: each["kind"] == "window" and "inf" in each["answer"])
    words = {"inf": "Infinity", "-inf": "−∞"}
    enter(page, question, [words.get(each, each) for each in question["answer"]])
    assert says(page).startswith("Right")


def test_a_cut_needs_all_branches_that_are_left(page: Page) -> None:
    question = go_to(page, lambda each: each["kind"] == "cut" and each["answer"] and len(each["choices"]) > 1)
    for choice, sentence in (
        ("", "Choose one of the answers first."),
        ("input[value=yes]", "Mark the branches that are never seen."),
        (f"input[name=unseen][value='{question['choices'][0]}']", "That is half right."),
    ):
        if choice:
            page.check(choice)
        page.click("form button")
        assert says(page).startswith(sentence)
    enter(page, question, True)
    assert says(page).startswith("Right: Yes")


def test_the_keyboard_is_enough(page: Page) -> None:
    question = exercises(page)[0]["questions"][0]
    page.focus("input[name=value]")
    page.keyboard.type("123.25")
    page.keyboard.press("Enter")
    assert says(page).startswith("That is not right.")
    page.keyboard.press("Control+A")
    page.keyboard.type(str(question["answer"]))
    page.keyboard.press("Enter")
    assert says(page).startswith("Right")
    page.keyboard.press("Enter")  # on "Next question", which has the focus now
    assert exercises(page)[0]["questions"][1]["text"] in page.locator("legend").inner_text()
    assert page.evaluate("document.activeElement.matches('form input')")


def test_answers_are_saved(page: Page) -> None:
    """A browser that keeps nothing says so."""
    question = exercises(page)[0]["questions"][0]
    enter(page, question, 123.25)
    enter(page, question, question["answer"])
    page.click("text=Next question")
    page.click("text=Show the answer")
    with page.expect_download() as download:
        page.click("text=Save my answers")
    assert download.value.suggested_filename == "search-predictions.json"
    saved = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    rows = [(each["question"], each["guess"], each["right"], each["done"]) for each in saved["answers"]]
    assert rows == [(0, "123.25", False, False), (0, str(question["answer"]), True, True), (1, None, False, True)]
    page.reload()
    assert "Question 3 of" in page.locator("legend").inner_text()
    page.click("text=Start again")
    page.reload()
    assert page.locator(".progress").inner_text().startswith("0 of ")
    page.context.add_init_script(BLOCKED)
    page.reload()
    assert "does not keep your answers: save them" in page.locator(".foot").inner_text()
    enter(page, question, question["answer"])
    assert says(page).startswith("Right")


TREE = "max { a: chance { x: 3; y: 3; z: 4 }; b: min { b1: 2; b2: 9; b3: 1 }; <i>: min { c1: 14; c2: 5; c3: 2 } }"


def test_predict_on_a_page_that_explains_a_tree(tmp_path: Path, open_page: OpenPage) -> None:
    """The two scripts share one scope, and the keys of the explorer leave the fields of the questions alone."""
    out = tmp_path / "tree.html"
    options = ("--algorithm", "alphabeta", "--predict", "--out", str(out))
    assert run_here("autograder", "explain", TREE, *options).returncode == 0
    page = open_page(out, PHONE)
    question = go_to(page, lambda each: each["kind"] == "action")
    assert page.locator("form .choice").all_inner_texts() == ["a", "b", "<i>"]
    enter(page, question, question["answer"])
    assert says(page).startswith("Right")
    step = page.locator("search-explorer input[type=range]").input_value()
    page.focus("form input >> nth=0")
    for key in ("ArrowRight", "End", "Home", "ArrowDown"):
        page.keyboard.press(key)
    assert page.locator("search-explorer input[type=range]").input_value() == step
    page.click("text=Start again")
    question = go_to(page, lambda each: each["kind"] == "value" and each["answer"] == pytest.approx(10 / 3))
    for text, verdict in (("3.3", "That is not right."), ("3.33", "Right")):
        enter(page, question, text)
        assert says(page).startswith(verdict)


def test_the_command_writes_the_page(practice: Path, tmp_path: Path, open_page: OpenPage) -> None:
    """Without scripts, the trees and the answers are there."""
    out = tmp_path / "out.html"
    result = run_here("autograder", "practice", "--out", str(out))
    assert (result.returncode, result.stdout) == (0, f"{out}: written\n")
    assert out.read_text(encoding="utf-8") == practice.read_text(encoding="utf-8")
    page = open_page(out, PHONE, has_script=False)
    assert page.locator("svg").count() == page.locator("details.answers summary").count() == 15
    assert "Without scripts the page cannot ask." in page.locator("main").inner_text()
