"""The page of a student: in Chromium at every size, in light and dark, without script, on paper, with hostile text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.judge.scorecard import CaseScore, QuestionScore
from autograder.pages.student_page import student_page
from tests.pages.browser import PHONE, SIZES, OpenPage, Size, axe, no_broken_word, no_overflow, no_overlap
from tests.pages.report_cards import card, hostile_card, lost_match, student_card, wrong_search

BLOCKS = "h1, h2, h3, main p, pre, table, figure, .controls"


def write(folder: Path, text: str) -> Path:
    file = folder / "report.html"
    file.write_text(text, encoding="utf-8", newline="\n")
    return file


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("pages"), student_page(student_card(), "Ada Lovelace"))


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_nothing_overlaps_or_overflows(report: Path, size: Size, open_page: OpenPage) -> None:
    page = open_page(report, size)
    no_overflow(page)
    no_overlap(page, BLOCKS)
    no_overlap(page, ".tree text")


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_words_in_tables_stay_whole(tmp_path: Path, size: Size, open_page: OpenPage) -> None:
    found = wrong_search("q5", "short")
    long = "A node is never worth less to MAX, or more to MIN, than its own evaluation, and the search never cuts. " * 2
    assert found.diagnosis
    found = replace(found, diagnosis=replace(found.diagnosis, sentences=(long,)))
    page = open_page(write(tmp_path, student_page(card(found, wrong_search("q3", "no cuts"), lost_match()))), size)
    no_broken_word(page, "th, td, .points li")
    no_overflow(page)
    assert "q5 Expectiminimax" in page.locator(".points").inner_text()
    assert "Lost points: wins in 1 case, mean score in 1 case." in page.locator("main").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(report: Path, scheme: str, open_page: OpenPage) -> None:
    axe(open_page(report, PHONE, scheme=scheme))


def test_without_script_it_says_and_draws_the_same(report: Path, open_page: OpenPage) -> None:
    page = open_page(report, has_script=False)
    text = page.locator("main").inner_text()
    assert "Multi-agent search: " in text
    assert "Your search leaves a MIN node after its first child." in text
    assert "python -m autograder case q3/01-figure --agent my.py" in re.sub(r"\s+", " ", text)
    assert page.locator("svg.board").count() >= 3  # the first and the last position of the game; positions of q3
    assert page.locator("svg.board").first.is_visible()
    no_overflow(page)


def test_the_links_lead_to_the_questions(report: Path, open_page: OpenPage) -> None:
    page = open_page(report)
    assert page.locator(".points li").all_inner_texts() == ["q1 Reflex agent 0/4", "q3 Alpha-beta 3.45/5"]
    page.get_by_role("link", name="q3 Alpha-beta").press("Enter")
    assert page.evaluate("location.hash") == "#question-2"


@pytest.fixture(scope="module")
def one_mistake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report about one mistake, which 15 cases of a question show."""
    return write(tmp_path_factory.mktemp("pages"), student_page(card(wrong_search("q3", "no cuts", most=14))))


def test_the_first_screen_has_points_sentence_line_and_tree(one_mistake: Path, open_page: OpenPage) -> None:
    page = open_page(one_mistake, (1366, 768))
    shown = ["h1", ".points", ".sentence >> nth=0", ".lines mark", "section svg >> nth=0"]
    boxes = [page.locator(each).bounding_box() for each in shown]
    assert [box["y"] + box["height"] < 768 for box in boxes if box] == [True] * 5, boxes
    assert page.locator(".lines mark").inner_text().strip() == "return best"


def test_cases_after_the_first_are_folded(one_mistake: Path, open_page: OpenPage) -> None:
    page = open_page(one_mistake, has_script=False)
    articles = page.locator("article")
    assert articles.count() > 10
    assert [each.is_visible() for each in articles.all()] == [True, *[False] * (articles.count() - 1)]
    page.get_by_text(f"{articles.count() - 1} more cases").click()
    assert articles.last.is_visible()


def test_one_mistake_needs_at_most_four_sheets_of_paper(one_mistake: Path, open_page: OpenPage) -> None:
    assert len(re.findall(rb"/Type\s*/Page\b", open_page(one_mistake).pdf(prefer_css_page_size=True))) <= 4


def test_every_picture_has_words(report: Path, open_page: OpenPage) -> None:
    page = open_page(report, has_script=False)
    pictures = page.evaluate(
        "[...document.querySelectorAll('svg')].map((svg) =>"
        " [svg.getAttribute('role'), svg.querySelector('title')?.textContent, svg.querySelector('desc')?.textContent])"
    )
    assert len(pictures) >= 7
    assert all(role == "img" and title and description for role, title, description in pictures)
    smallest = next(words for _, _, words in pictures if "not seen" in words)
    assert re.search(r"a: min 0, .*yours: 3\n", smallest)


def test_a_lost_game_can_be_stepped_through(report: Path, open_page: OpenPage) -> None:
    page = open_page(report)
    page.get_by_role("button", name="Last").click()
    assert "the game is lost" in page.get_by_role("status").inner_text()


def test_on_paper_no_text_is_lost(report: Path, open_page: OpenPage) -> None:
    page = open_page(report)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 660, "height": 990})  # the column of A4 inside its margins
    assert not page.get_by_role("button").first.is_visible()
    no_overflow(page)
    lost = page.evaluate(
        "[...document.querySelectorAll('pre, .frame')].filter((e) => e.scrollWidth > e.clientWidth + 1).length"
    )
    assert lost == 0
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")


def test_hidden_cases_stay_hidden() -> None:
    secret = CaseScore("q2/secret", "tree", "a secret", 1, 0, why="secret why", picture=("secret",), hidden=True)
    secret = replace(secret, diagram=lost_match().cases[0].diagram, output="secret", case_command="secret")
    text = student_page(card(QuestionScore("q2", "Minimax", 5, (secret, secret))))
    assert "secret" not in text
    assert "game-replay" not in text
    assert "0 of 2 hidden cases passed." in text


def test_a_question_without_an_answer_has_points_and_no_section() -> None:
    """The first lines say already which parts the file does not define."""
    missing = CaseScore(
        "q2/a", "tree", "", 1, 0, fault="missing part", message="the file defines no class MinimaxAgent"
    )
    text = student_page(card(QuestionScore("q2", "Minimax", 5, (missing,), part="MinimaxAgent")))
    assert "<section" not in text
    assert "the file does not define: MinimaxAgent" in text
    assert re.search(r'q2 Minimax <span class="number">0/5', text)


@pytest.mark.parametrize("size", [PHONE, SIZES["laptop"]], ids=["phone", "laptop"])
def test_hostile_text_is_text(tmp_path: Path, size: Size, open_page: OpenPage) -> None:
    text = student_page(hostile_card(), "<script>alert(0)</script>\u202e\x00\ud800")
    page = open_page(write(tmp_path, text), size)
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    assert page.locator("script").count() == 0
    assert page.locator("main img, [onclick], [onerror]").count() == 0
    assert "<script>alert(0)</script>" in page.locator("main").inner_text()
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text)
    no_overflow(page)


def test_a_hostile_page_is_accessible(tmp_path: Path, open_page: OpenPage) -> None:
    axe(open_page(write(tmp_path, student_page(hostile_card(10), "Ada"))))


def test_a_page_is_small() -> None:
    questions = [wrong_search("q2", "short"), wrong_search("q3", "no cuts"), lost_match()]
    whole = card(*questions * 5)
    assert len(student_page(whole).encode()) < 300_000
    text = student_page(hostile_card(600))
    assert len(text.encode()) < 300_000
    assert "More cases lost points: " in text
    one = student_page(card(wrong_search("q3", "no cuts")))
    assert "not drawn in this page" not in one


def test_a_page_says_how_many_pictures_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.pages.student_page.MOST_PICTURES", 20_000)
    text = student_page(student_card())
    assert re.search(r"\d+ more pictures are not drawn in this page. Run these cases to see them.", text)


def test_the_same_card_gives_the_same_page() -> None:
    assert student_page(student_card()) == student_page(student_card())
