"""The page of a student: what is on its first screen, what is folded, what it leaves out, and that it stays small."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.judge.scorecard import PRACTICE_NOTE, CaseScore, Diagram, QuestionScore
from autograder.pages.student_page import student_page
from tests.pages.browser import OpenPage
from tests.pages.report_cards import card, lost_match, student_card, wrong_search
from tests.report.test_formats import EVIL, hostile


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    file.write_text(student_page(student_card(), "Ada Lovelace"), encoding="utf-8")
    return file


def test_it_says_and_draws_the_same_without_script(report: Path, open_page: OpenPage) -> None:
    page = open_page(report, has_script=False)
    text = re.sub(r"\s+", " ", page.locator("main").inner_text())
    for part in (
        "Multi-agent search: ",
        "Your search leaves a MIN node after its first child.",
        "python -m autograder case q3/01-figure --agent my.py",
        "Lost points: wins in 1 case, mean score in 1 case.",
    ):
        assert part in text
    assert page.locator("svg.board").count() >= 3  # the first and the last position of the game; positions of q3
    pictures = page.evaluate(
        "[...document.querySelectorAll('svg')].map((svg) =>"
        " [svg.getAttribute('role'), svg.querySelector('title')?.textContent, svg.querySelector('desc')?.textContent])"
    )
    assert len(pictures) >= 7
    assert all(role == "img" and title and description for role, title, description in pictures)
    smallest = next(words for _, _, words in pictures if "not seen" in words)
    assert re.search(r"a: min 0, .*yours: 3\n", smallest)
    assert page.locator(".points li").all_inner_texts() == ["q1 Reflex agent 0/4", "q3 Alpha-beta 3.45/5"]
    page.get_by_role("link", name="q3 Alpha-beta").press("Enter")
    assert page.url.endswith("#question-2")


def test_one_mistake_is_on_the_first_screen_and_on_at_most_four_sheets(tmp_path: Path, open_page: OpenPage) -> None:
    """Points, sentence, line and tree. 15 cases of a question show the mistake; those after the first are folded."""
    file = tmp_path / "report.html"
    file.write_text(student_page(card(wrong_search("q3", "no cuts", most=14))), encoding="utf-8")
    page, plain = open_page(file, (1366, 768)), open_page(file, has_script=False)
    shown = ["h1", ".points", ".sentence >> nth=0", ".lines mark.marked", "section svg >> nth=0"]
    boxes = [page.locator(each).bounding_box() for each in shown]
    assert [box["y"] + box["height"] < 768 for box in boxes if box] == [True] * 5, boxes
    assert page.locator(".lines mark.marked").inner_text().strip() == "return best"
    articles = plain.locator("article")
    assert articles.count() > 10
    assert [each.is_visible() for each in articles.all()] == [True, *[False] * (articles.count() - 1)]
    plain.get_by_text(f"{articles.count() - 1} more cases").click()
    assert articles.last.is_visible()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 4


def test_on_paper_no_text_is_lost(report: Path, open_page: OpenPage) -> None:
    page = open_page(report)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 660, "height": 990})  # the column of A4 inside its margins
    lost = "[...document.querySelectorAll('pre, .frame')].filter((e) => e.scrollWidth > e.clientWidth + 1).length"
    assert page.evaluate(lost) == 0


SECRET = Diagram("max { secret: 1 }", notes=("secret",))


def test_hidden_cases_stay_hidden() -> None:
    secret = CaseScore("q2/secret", "tree", "a secret", 1, 0, why="secret why", diagram=SECRET, hidden=True)
    secret = replace(secret, diagram=lost_match().cases[0].diagram, output="secret", case_command="secret")
    text = student_page(card(QuestionScore("q2", "Minimax", 5, (secret, secret))))
    assert "secret" not in text
    assert "game-replay" not in text
    assert "0 of 2 hidden cases passed." in text


def test_the_note_about_practice_cases_is_no_warning() -> None:
    passed = card(QuestionScore("q2", "Minimax", 5, (CaseScore("q2/a", "tree", "", 1, 1),)))
    text = student_page(replace(passed, notes=("left out: a link", PRACTICE_NOTE)))
    assert re.search(rf'<p class="wrong">left out: a link</p>\s*<p>{re.escape(PRACTICE_NOTE)}</p>', text)


def test_a_question_without_an_answer_has_points_and_no_section() -> None:
    """The first lines say already which parts the file does not define."""
    message = "the file defines no class MinimaxAgent"
    missing = CaseScore("q2/a", "tree", "", 1, 0, fault="missing part", message=message)
    text = student_page(card(QuestionScore("q2", "Minimax", 5, (missing,), part="MinimaxAgent")))
    assert "<section" not in text
    assert "the file does not define: MinimaxAgent" in text
    assert re.search(r'q2 Minimax <span class="number">0/5', text)


def test_a_page_is_small_and_says_what_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = card(*[wrong_search("q2", "short"), wrong_search("q3", "no cuts"), lost_match()] * 5)
    texts = student_page(whole), student_page(hostile(EVIL[:-1] * 30))
    assert all(len(text.encode()) < 300_000 for text in texts)
    assert "More cases lost points: " in texts[1]
    one = student_page(student_card())
    assert "not drawn in this page" not in one
    assert student_page(student_card()) == one
    monkeypatch.setattr("autograder.pages.student_page.MOST_PICTURES", 20_000)
    assert re.search(
        r"\d+ more pictures are not drawn in this page. Run these cases to see them.", student_page(student_card())
    )
