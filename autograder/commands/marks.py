"""Commands about the marks in a store: gradebook, feedback, board, adjust, show."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from autograder.commands.options import AssignmentOption, StoreOption
from autograder.course.intake.roster import compared, first_names
from autograder.course.marks import feedback as reports
from autograder.course.marks.feedback import ENDINGS, page_name
from autograder.course.marks.tables import FORMATS, Format, csv_text
from autograder.judge.points_as_text import percent, points_phrase, points_text
from autograder.judge.scorecard import Scorecard
from autograder.shipped import zip_bytes
from pacman.commands.app import arg, as_started, opt
from pacman.commands.output import STDOUT, aside, check_new, check_one_printed, write_new
from pacman.core.errors import InputError, counted, nearest, printable

if TYPE_CHECKING:
    from autograder.course.marks.board import Board
    from autograder.course.marks.marks import Late, Mark
    from autograder.course.store import Store

MOST_POINTS = 1_000_000
MOST_REASONS = 5
"""How many reasons are printed. The plain table has all of them."""
MOST_MISTAKES, MOST_CASES = 10, 8
OF_FILES = (".pdf", ".html", ".md", ".csv", ".txt")
"""How the name of a folder with reports does not end."""

FormatName = Literal["plain", "canvas", "moodle"]
StudentArgument = Annotated[str, arg("The student: the id in the store.", "STUDENT")]


@dataclass(frozen=True)
class RuleOptions:
    """Which submission of a student counts, and what late days cost."""

    attempt: Annotated[
        Literal["best", "last"],
        opt("Of several submissions of a student, count the best one or the last one.", "RULE", "--attempt"),
    ] = "last"
    due: Annotated[
        str | None,
        opt(
            "Count late days after this time, as in 2026-11-22T23:59+01:00. [default: `due` of the assignment]", "TIME"
        ),
    ] = None
    late_per_day: Annotated[
        str | None,
        opt(
            "Take this share of the points for each late day, as in 10%. [default: `late_per_day` of the assignment]",
            "SHARE",
        ),
    ] = None

    def late(self, store: Store, assignment: str) -> Late:
        """The late rule of an assignment of the store. InputError if an option cannot be read."""
        from autograder.course.marks.marks import late_of

        return late_of(store, assignment, self.due, self.late_per_day)


def gradebook(
    store: StoreOption,
    out: Annotated[Path, opt("Write the table to this new file; - prints it.", "FILE.csv", "--out", "-o")],
    assignment: AssignmentOption = None,
    format_name: Annotated[
        FormatName,
        opt(
            f"Write a table for people (plain), or for a platform: {', '.join(list(FORMATS)[1:])}.", "NAME", "--format"
        ),
    ] = "plain",
    rule: RuleOptions = RuleOptions(),
    out_of: Annotated[
        float | None, opt("Count full points as N points, as the platform does. [default: as they are]", "N")
    ] = None,
    id_column: Annotated[
        str | None,
        opt(
            "Put the ids of students into this column. "
            + " ".join(f"For {name}: {', '.join(row.id_columns)}." for name, row in FORMATS.items() if row.id_columns)
            + " [default: by the form of the ids]",
            "NAME",
        ),
    ] = None,
    column: Annotated[
        str | None,
        opt(
            'Name of the assignment on the platform, as in "Project 2 (1234)". [default: the name in the store]', "NAME"
        ),
    ] = None,
) -> None:
    """Write the marks of a class as a table (CSV).

    Every student of the store is in the table. Who has no submission, or none that could be graded, has 0 points and a
    reason. Without --assignment, the table has all assignments of the store.

    \b
    Examples:
      python -m autograder gradebook --store class.db --out marks.csv
      python -m autograder gradebook --store class.db --attempt best --due 2026-11-22T23:59+01:00 --out marks.csv
      python -m autograder gradebook --store class.db --due 2026-11-22T23:59+01:00 --late-per-day 10% --out marks.csv
      python -m autograder gradebook --store class.db --assignment multiagent --format canvas --out canvas.csv
    """
    writer, is_plain = _format(format_name, id_column, column), format_name == "plain"
    if out_of is not None and not 0 < out_of <= MOST_POINTS:
        raise InputError(f"--out-of {out_of:g}: expected a number above 0, at most {MOST_POINTS:,}")
    check_new("--out", out)
    from autograder.course.marks.marks import chosen_assignments, marks
    from autograder.course.store import Store

    with Store.open(store) as database:
        names = chosen_assignments(database, assignment)
        if column and len(names) > 1:
            raise InputError(f"--column {column}: choose one assignment with --assignment: {', '.join(names)}")
        late = {name: rule.late(database, name) for name in names}
        if not is_plain and rule.due and not all(each.per_day for each in late.values()):
            problem = f"a table for {format_name} has no column for late days"
            raise InputError(f"--due: {problem}; use --format plain, or say with --late-per-day what they cost")
        rows = [row for name in names for row in marks(database, name, rule.attempt, late[name], out_of)]
        known, maximum = database.fact(writer.fact), database.fact("worksheet maximum") or ""
    _check_maximum(format_name, rows)
    strangers = dict.fromkeys(row.student for row in rows if not (is_plain or row.student.is_listed))
    rows = [row for row in rows if row.student not in strangers]
    students = [row.student for row in rows]
    place = id_column or writer.likely_id_column(students)
    if place == "Identifier" and len(names) > 1:
        raise InputError("a grading worksheet has one assignment: choose it with --assignment, or use --id-column")
    columns = {name: column or name for name in names}
    write_new("--out", out, csv_text(writer.table(rows, place, columns, known)))
    if place == "Identifier" and not known:
        aside(
            "the headings are English; for those of your Moodle, give grade-all its grading worksheet as the --roster"
        )
    if place == "Identifier" and known:
        _tell_maximum(maximum, rows)
    if id_column and (others := writer.unlikely_ids(place, students)):
        aside(f"these ids do not look like those of the column {place}: {first_names(others)}")
    if (rule.due or rule.late_per_day) and any(each.per_day for each in late.values()):
        aside("show and board do not know --due and --late-per-day; in assignment.yaml, they hold for all commands")
    warnings = dict.fromkeys(line for name in names for line in late[name].warnings(students, name))
    heading = known[1] if place == "Identifier" and known else place  # in the language of the course
    for line in (*_summary(rows, heading, late), *warnings):
        aside(line)
    if strangers:
        who = first_names([each.named for each in strangers])
        aside(f"left out: {counted(len(strangers), 'student')} not in the roster: {who}")


def _tell_maximum(maximum: str, rows: Sequence[Mark]) -> None:
    """Says in one line that Moodle's worksheet has another maximum grade than the table, if it has."""
    number = maximum.replace(",", ".")
    if rows and re.fullmatch(r"[0-9]+(\.[0-9]+)?", number) and abs(float(number) - rows[0].points) > 1e-9:
        most, full = points_text(float(number)), points_text(rows[0].points)
        choice = f"set the maximum grade to {full} in Moodle, or use --out-of {most}"
        aside(f"the worksheet has the maximum grade {most}, and full points are {full} in this table: {choice}")


def _format(name: str, id_column: str | None, column: str | None) -> Format:
    """The format with this name. InputError if it has no such column."""
    for option, value in (("--id-column", id_column), ("--column", column)):
        if value and name == "plain":
            raise InputError(f"{option}: only for the format of a platform, as --format canvas")
    columns = FORMATS[name].id_columns
    if id_column and id_column not in columns:
        raise InputError(f"--id-column: {name} has no column '{id_column}': {nearest(id_column, columns)}")
    return FORMATS[name]


def _check_maximum(format_name: str, rows: Sequence[Mark]) -> None:
    """InputError if a table for a platform would have several maxima for an assignment."""
    for name in {row.assignment for row in rows if format_name != "plain"}:
        every = sorted(row.points for row in rows if row.assignment == name)
        if len(most := dict.fromkeys(map(points_text, every))) > 1:
            command = as_started("python -m autograder regrade")
            problem = f"{name} has results of {' and '.join(most)} possible points"
            raise InputError(f"--format {format_name}: {problem}; make them equal with {command}, or use --out-of")


def _kind(reason: str) -> str:
    """A reason without its file and its details, so that equal ones can be counted: PLACE: WHAT: DETAILS.

    >>> _kind("ada/ada.py:1: not valid Python: '(' was never closed"), _kind("no submission")
    ('not valid Python', 'no submission')
    >>> _kind("two: several files define parts of the assignment (a.py, b.py); name the one to grade")
    'several files define parts of the assignment'
    """
    from autograder.grading.submission import IMPORT

    what = IMPORT if reason.startswith(IMPORT) else reason.split(": ")[:2][-1]
    return what.split(";")[0].partition(" (")[0]


def _summary(rows: list[Mark], id_column: str, late: Mapping[str, Late]) -> list[str]:
    """What somebody who imports the table should know, one line each."""
    from autograder.course.records import NOT_GRADED

    lines = []
    for name in dict.fromkeys(row.assignment for row in rows):
        own = [row for row in rows if row.assignment == name]
        reasons = Counter(_kind(row.why_none) for row in own if row.why_none and not row.notes)
        lines.append(f"{name}: {counted(len(own), 'student')}, {sum(not row.reason for row in own)} with a grade")
        lines += [
            f"  {count} {NOT_GRADED}: 0 points until grade-all has a result; its summary names what it cannot read"
            if reason == NOT_GRADED
            else f"  {count} with 0 points: {reason}"
            for reason, count in reasons.most_common(MOST_REASONS)
        ]
        if len(reasons) > MOST_REASONS:
            rest = sum(count for _, count in reasons.most_common()[MOST_REASONS:])
            lines.append(f"  {rest} with 0 points for other reasons")
        if len({row.result.version for row in own if row.result}) > 1:
            command = as_started("python -m autograder regrade")
            lines.append(
                "  these marks come from different versions of the assignment or of the grader; make them equal with: "
                f"{command}"
            )
    if unknown := [
        row.student.named for row in rows if row.late is None and row.number and late[row.assignment].per_day
    ]:
        who = first_names(unknown)
        lines.append(f"{counted(len(unknown), 'submission')} without a time of receipt: taken as not late: {who}")
    if id_column:
        lines.append(f"students are found by the column {id_column}; --id-column chooses another one")
    return lines


def feedback(
    store: StoreOption,
    out: Annotated[Path, opt("Write to this folder, or to this new zip.", "DIR|FILE.zip", "--out", "-o")] = Path(
        "feedback.zip"
    ),
    assignment: AssignmentOption = None,
    format_name: Annotated[
        FormatName | None,
        opt(
            f"Name the files for {' or '.join(list(FORMATS)[1:])}, or by the students' ids (plain). [default: for a "
            "zip, the platform that the submissions came from; else plain]",
            "NAME",
            "--format",
        ),
    ] = None,
    form: Annotated[
        Literal["page", "markdown"],
        opt("Write each report as a page for a browser (page), or markdown.", "FORM", "--as"),
    ] = "page",
    rule: RuleOptions = RuleOptions(),
) -> None:
    """Write what each student may see, one file a student: to a folder, or as a zip that a platform takes.

    A report has no hidden case. Who could not be graded gets the reason. The names for moodle and canvas come from
    their own exports, so grade those with grade-all.

    \b
    Examples:
      python -m autograder feedback --store class.db --out pages
      python -m autograder feedback --store class.db --format moodle --out feedback.zip
      python -m autograder feedback --store class.db --format canvas --attempt best --out feedback.zip
      python -m autograder feedback --store class.db --as markdown
    """
    if out.suffix == ".zip":
        check_new("--out", out)
    elif (out.exists() and not out.is_dir()) or out.suffix in OF_FILES:
        raise InputError(f"--out {out}: this is a file; expected a folder, or the name of a zip")
    elif not out.parent.is_dir():
        raise InputError(f"--out {out}: cannot be written: no folder {out.parent}")

    files: dict[str, bytes] = {}
    unnamed, index = list[str](), [["id", "name", "login", "file"]]
    from autograder.course.marks.marks import single_assignment
    from autograder.course.store import Store

    with Store.open(store) as database:
        name = single_assignment(database, assignment)
        format_name = _platform(database.fact(f"format {name}"), format_name, out)
        late = rule.late(database, name)
        title = next((card.title for _, card in reports.feedback(database, name, "best", late) if card), name)
        for mark, card in reports.feedback(database, name, rule.attempt, late):
            place = FORMATS[format_name].file_name(mark.student, mark.attempt.source, ENDINGS[form])
            if not place or place in files:
                unnamed.append(mark.student.label)
                continue
            files[place] = report(mark, card, form, title).encode("utf-8", "replace")
            index.append([mark.student.key, mark.student.name, " ".join(mark.student.also), place])
        without = len(database.students()) - len(files) - len(unnamed)
    if not files:
        raise InputError(f"store {store}: no report has a name for {format_name}; grade the export of {format_name}")
    count = len(files)
    if format_name == "plain":
        files["index.csv"] = csv_text(index).encode("utf-8", "replace")
    if out.suffix == ".zip":
        write_new("--out", out, zip_bytes(files))
    else:
        reports.write_folder(out, files)
    typer.echo(f"{printable(str(out))}: reports of {counted(count, 'student')} for {name}")
    if without:
        typer.echo(f"left out: {counted(without, 'student')} without a submission that was graded")
    if unnamed:
        who = f"{counted(len(unnamed), 'student')} whose number in {format_name} is not known"
        typer.echo(f"left out: {who}: {first_names(unnamed)}")


def _platform(source: FormatName | None, name: FormatName | None, out: Path) -> FormatName:
    """How the files are named. InputError for another platform than the one that the submissions came from."""
    if name is None:
        return source if source and source in FORMATS and out.suffix == ".zip" else "plain"
    if name != "plain" and source in FORMATS and source not in ("plain", name):
        raise InputError(f"--format {name}: the submissions came from {source}; use --format {source} or plain")
    return name


def report(mark: Mark, card: Scorecard | None, form: str, title: str) -> str:
    """The text of a report: a page for a browser, or Markdown. Without a scorecard, it says why there is none.

    `title` is that of the assignment.
    """
    from autograder.course.marks.marks import NO_SUBMISSION
    from autograder.pages.student_page import refused_page, student_page
    from autograder.report import blocks, escape, markdown

    change, student = (mark.earned - mark.attempt.earned, mark.notes), mark.student.name or mark.student.key
    if card is not None:
        return markdown.dump(card, *change) if form == "markdown" else student_page(card, student, *change)
    reason = "; ".join(filter(None, (mark.told, mark.late_note)))
    if form == "page":
        return refused_page(title, reason, student, *change, mark.reason != NO_SUBMISSION)
    heading = f"# {escape.prose(title)}: not graded, {points_phrase(mark.earned)}"
    notes = (escape.prose(f"{blocks.ADJUSTED}{note}") for note in mark.notes)
    return "\n\n".join([heading, escape.prose(reason), *notes]) + "\n"


def board(
    store: StoreOption,
    assignment: AssignmentOption = None,
    json: Annotated[Path | None, opt("Write the board as JSON to this new file; - prints only that.", "FILE")] = None,
    html: Annotated[Path | None, opt("Write the board as a page to this new file.", "FILE")] = None,
    lecture: Annotated[
        Path | None, opt("Write a page to show in a lecture, without names, to this new file.", "FILE")
    ] = None,
) -> None:
    """Show what a class knows by now: mistakes, hard questions, and what to say in the next lecture.

    A mistake counts once for each student. It is overcome if the last submission that was graded does not have it.

    \b
    Examples:
      python -m autograder board --store class.db
      python -m autograder board --store class.db --html board.html
      python -m autograder board --store class.db --lecture monday.html
      python -m autograder board --store class.db --assignment multiagent --json board.json
    """
    files = {"--json": json, "--html": html, "--lecture": lecture}
    check_one_printed(files)
    for option, file in files.items():
        if file is not None:
            check_new(option, file)

    from autograder.course.marks.board import common_mistakes, dump, load_board
    from autograder.course.marks.marks import single_assignment
    from autograder.course.store import Store
    from autograder.pages.class_board import class_board, lecture_board

    with Store.open(store) as database:
        summary = load_board(database, single_assignment(database, assignment))
        common = common_mistakes(database, summary) if lecture else []
    if json is not None:
        write_new("--json", json, dump(summary))
    if html is not None or lecture is not None:
        if html is not None:
            write_new("--html", html, class_board(summary))
        if lecture is not None:
            write_new("--lecture", lecture, lecture_board(summary, common))
    if STDOUT not in (json, html, lecture):
        _print_board(summary)


def _print_board(summary: Board) -> None:
    """Prints the tables of the board and what to say in the next lecture."""
    from rich.console import Console
    from rich.text import Text

    from autograder.report import escape
    from autograder.report.terminal import plain_table

    console, mistakes, cases = Console(highlight=False), summary.mistakes, summary.flat_cases

    def print_table(title: str, rows: Sequence[Sequence[str]], *headings: str) -> None:
        console.print(Text(f"\n{title}", style="bold"))
        console.print(plain_table(*headings, rows=rows) if rows else Text("none", style="dim"))

    console.print(Text(escape.line(summary.assignment), style="bold"))
    console.print(Text(summary.overview))
    questions = [
        (row.question, row.title, points_text(row.points), percent(row.average), str(row.full), str(row.none))
        for row in summary.questions
    ]
    headings = ("", "question", "points>", "average>", "all points>", "no points>")
    print_table("questions, the hardest first", questions, *headings)
    rows = [
        (row.question or "all", row.title, str(row.students), str(row.now), str(row.overcome), row.since[:10])
        for row in mistakes[:MOST_MISTAKES]
    ]
    headings = ("", "what", "had it>", "have it now>", "overcame it>", "since")
    print_table("mistakes, facts and faults", rows, *headings)
    if len(mistakes) > MOST_MISTAKES:
        console.print(Text(f"and {len(mistakes) - MOST_MISTAKES} more (see --json)", style="dim"))
    flat = [(row.case, percent(row.earned)) for row in cases[:MOST_CASES]]
    flat += [(f"and {len(cases) - MOST_CASES} more", "")] if len(cases) > MOST_CASES else []
    print_table("cases that tell nobody apart", flat, "case", "everybody earns>")
    console.print(Text("\nto say in the next lecture", style="bold"))
    for number, saying in enumerate(summary.sayings, 1):
        console.print(Text(f"{number}. {escape.line(saying.text, 600)}"))
        console.print(Text(f"   (chosen: {saying.rule})", style="dim"))


def adjust(
    student: StudentArgument,
    question: Annotated[str, arg("The question, as in q2.", "QUESTION")],
    store: StoreOption,
    points: Annotated[str | None, arg("The points that the question has now, as in 4.5.", "[POINTS]")] = None,
    reason: Annotated[str, opt("Why: it stands in tables and on the page.", "TEXT")] = "",
    undo: Annotated[bool, opt("Undo it: the points of the grader count again.", None, "--undo")] = False,
    assignment: AssignmentOption = None,
) -> None:
    """Give a student other points in a question, whatever the grader says, and say why.

    The points stay when the class is graded again and in later attempts, until you adjust them again or undo it. The
    plain table of gradebook and the reports of feedback show them with the reason.

    \b
    Examples:
      python -m autograder adjust ada q2 4.5 --reason "right, but a ply short" --store class.db
      python -m autograder adjust ada q2 --undo --store class.db
    """
    if undo == (points is not None):
        raise InputError("choose one of POINTS and --undo")
    if points is not None and not reason.strip():
        raise InputError("adjust: give the --reason, as in --reason 'an appeal: the search is right'")

    from autograder.course.marks.marks import find_student, single_assignment
    from autograder.course.store import Store

    with Store.open(store) as database:
        name = single_assignment(database, assignment)
        known = find_student(database, student)
        results = database.last_results(name).values()
        most = {each: own[1] for result in results for each, own in result.questions.items()}
        if question not in most and not undo:
            raise InputError(f"store {database.name}: no question '{question}' in {name}: {nearest(question, most)}")
        before = {each.question: each for each in database.adjustments(name).get(compared(known.key), ())}
        if undo and question not in before:
            raise InputError(f"store {database.name}: '{student}' has no adjustment in {question} of {name}")
        number = None
        if points is not None:
            number = float(points) if re.fullmatch(r"\d+(\.\d*)?|\.\d+", points) else -1.0
            if not 0 <= number <= most[question]:
                expected = f"expected a number from 0 to {points_text(most[question])}, as {question} has"
                raise InputError(f"POINTS {printable(points)}: {expected}; with a point, as in 4.5")
        database.add_adjustment(known.key, name, question, number, " ".join(printable(reason).split()))
    what = "the points of the grader count again" if number is None else points_phrase(number)
    typer.echo(f"{printable(known.label)}, {name}, {question}: {what}")


def show(
    student: StudentArgument,
    store: StoreOption,
    assignment: AssignmentOption = None,
) -> None:
    """Show what a store knows about one student: the name, the attempts, the points, and what the staff adjusted.

    \b
    Examples:
      python -m autograder show ada --store class.db
      python -m autograder show ada --store class.db --assignment multiagent
    """
    from autograder.course.marks.marks import chosen_assignments, find_student, late_of, marks
    from autograder.course.store import Store

    with Store.open(store) as database:
        known = find_student(database, student)
        lines = [", ".join(filter(None, (known.key, known.name, known.section)))]
        for name in chosen_assignments(database, assignment):
            late = late_of(database, name)
            every = marks(database, name, "last", late)
            row = next(each for each in every if compared(each.student.key) == compared(known.key))
            lines.append(f"{name}: {points_text(row.earned)} of {points_text(row.most)} points")
            lines += [f"  due for this student: {row.extended}"] if row.extended else []
            for number, each in enumerate(row.attempts, 1):
                when = f", handed in {late.in_zone(each.received)}" if each.received else ""
                most = each.result.points if each.result else row.most
                why = f": {each.result.why_none}" if each.result and each.result.why_none else ""
                result = each.reason or f"{points_text(each.earned)} of {points_text(most)} points by the grader{why}"
                file = database.files(each.work).requested_file if each.work else ""
                file = "" if each.source.endswith(file) else f"/{file} (chosen with --file)"
                lines.append(f"  attempt {number}: {result}, from {each.source}{file}{when}")
            lines += [f"  adjusted by the course staff: {note}" for note in row.notes]
            lines += [f"  {row.late_note}"] if row.late_note else []
            if not row.number:
                lines.append(f"  {row.reason}")
                continue
            place = f"--store {shlex.quote(store)} --assignment {shlex.quote(name)} --out pages"
            command = as_started(f"python -m autograder feedback {place}")
            lines.append(f"  the report: {command} ({page_name(known.key)})")
    for line in lines:
        typer.echo(printable(line))
