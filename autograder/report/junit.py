"""A scorecard as JUnit XML for continuous integration: one suite per question, one test per case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from autograder.judge.points_as_text import percent, points_text
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.report.blocks import DRAWN, Block, Kind, case_blocks, fault_name, question_blocks
from autograder.report.escape import line, lines


def dump(card: Scorecard) -> str:
    """The public part of a scorecard. A case that lost points is a failure; a case without an answer is an error.

    An ungraded case is an error too. The property `final` is false if there is one, also if it is hidden.
    """
    is_final = card.is_final
    card = card.public()
    cases = [case for question in card.questions for case in question.cases]
    root = Element("testsuites", {"name": line(card.title), **_counts(cases)})
    for question in card.questions:
        _suite(root, card, question, is_final)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, card: Scorecard, question: QuestionScore, is_final: bool) -> None:
    suite = SubElement(root, "testsuite", {"name": line(f"{question.id} {question.title}"), **_counts(question.cases)})
    properties = SubElement(suite, "properties")
    values = {"earned": points_text(question.earned), "points": points_text(question.points), "level": line(card.level)}
    if not is_final:
        values["final"] = "false"
    if question.extra:
        values["extra"] = "true"
    if question.withheld:
        values["withheld"] = line(question.withheld)
    for name, value in values.items():
        SubElement(properties, "property", {"name": name, "value": value})
    for case in question.cases:
        _case(suite, line(f"{card.assignment}.{question.id}"), case)
    if texts := [*_lines(question_blocks(replace(question, withheld="")))]:
        SubElement(suite, "system-out").text = "\n".join(texts)


def _case(suite: Element, classname: str, case: CaseScore) -> None:
    name = line(case.id.partition("/")[2] or case.id)
    test = SubElement(suite, "testcase", {"classname": classname, "name": name, "time": f"{case.seconds:.3f}"})
    if case.fault or case.earned < 1:
        lost = ", ".join(each.criterion for each in case.lost)
        message = case.message or case.why or (f"lost: {lost}" if lost else case.shows)
        attributes = {"message": line(message), "type": line(fault_name(case.fault) or "lost")}
        earned = line(case.fault) if case.is_ungraded else f"earned: {percent(case.earned)}"
        miss = SubElement(test, "error" if case.fault else "failure", attributes)
        miss.text = "\n".join([earned, *_lines(case_blocks(case))])
    output = [*lines(case.output), *(map(line, case.notes) if case.earned == 1 else ())]
    if output:
        SubElement(test, "system-out").text = "\n".join(output)


def _lines(report: Iterable[Block]) -> Iterator[str]:
    """The lines of blocks, without what a test has in attributes or what is for a terminal."""
    for block in report:
        if block.kind in DRAWN:
            yield from lines(block.lines)
        elif block.kind is Kind.LOST:
            yield from (line(f"{name}: expected {expected}, got {got}") for name, expected, got in block.rows)
        elif block.kind not in (Kind.CASE, Kind.MESSAGE, Kind.COMMAND, Kind.PRINTED):
            yield from map(line, block.lines)


def _counts(cases: Sequence[CaseScore]) -> dict[str, str]:
    seconds = sum(case.seconds for case in cases)
    counts = {
        "tests": len(cases),
        "failures": sum(case.earned < 1 and not case.fault for case in cases),
        "errors": sum(bool(case.fault) for case in cases),
        "skipped": 0,
    }
    return {name: str(count) for name, count in counts.items()} | {"time": f"{seconds:.3f}"}
