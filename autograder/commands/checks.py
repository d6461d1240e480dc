"""The checks of an assignment, and of what students get of it: each yields its results one by one."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from autograder.case_strength import idlers, match_shares, trials
from autograder.case_strength.mutants import mutants
from autograder.case_strength.trials import CHOICE, KEYS, SOMETHING, Trial
from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Question
from autograder.cases.hidden import case_count
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth, searched_roots
from autograder.cases.yaml_file import read
from autograder.course.kit import STUBS, release
from autograder.grading.grade import grade
from autograder.judge.points_as_text import percent, points_text
from autograder.platforms import submission_api
from autograder.student_process.request_handler import with_names
from pacman.core.errors import InputError, counted, nearest
from pacman.environment import all_with
from pacman.play.worker_pool import WorkerPool, in_order
from pacman.search.algorithms import run_search

PARTS = 8
"""The wrong searches of a file are tried in so many parts; the progress is shown after each."""
KEYS_AT_ONCE = 10
"""The games are played with so many keys at once; the progress is shown after each."""
MOST_LINES, MOST_KINDS = 20, 10
"""So many lines about the wrong searches of a question that lose no points, and so many kinds of them, are shown."""
FULL_MARKS = 0.99
"""The solutions must get full marks with at least this share of the keys."""
ENOUGH = 0.9
"""At least this share of the changed searches that are wrong must lose points; the others are only shown."""


@dataclass(frozen=True)
class Result:
    """The result of one check: what was checked, what came out, the details and the problems."""

    name: str
    text: str
    problems: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


def check_without_games(assignment: Assignment, jobs: int) -> Iterator[Result]:
    """The results of the checks that need no drawn games and no wrong searches, one by one.

    InputError if a file that the assignment names is missing.
    """
    check_files(assignment)
    yield _cases(assignment)
    yield _parts(assignment)
    yield _points(assignment, "solutions", jobs)
    yield _points(assignment, "stub", jobs)
    if assignment.styles or not changed_files(assignment):
        yield _styles(assignment)
    if questions := [question for question in assignment.questions if question.role != "evaluation"]:
        yield _idlers(assignment, questions)
    if any(question.hidden for question in assignment.questions):
        yield _hidden(assignment)


def check_files(assignment: Assignment) -> None:
    """InputError if a file that the assignment names is missing."""
    file = read(assignment.folder / "assignment.yaml")
    for key, path in (("stub", assignment.stub), ("solutions", assignment.solutions)):
        if path and not path.is_file():
            names = [each.name for each in path.parent.glob("*.py")]
            raise file.error((key,), f"{key}: no such file: {file.data[key]}; {nearest(path.name, names)}")


def _cases(assignment: Assignment) -> Result:
    """Every case with a search has a right answer, and each question with searches has one that shows something."""
    problems, truths = list[str](), dict[str, list[tuple[Case, CaseTruth]]]()
    for case in (each for each in assignment.cases if each.has_truth):
        try:
            truths.setdefault(case.question.id, []).append((case, derive(case)))
        except InputError as error:
            problems.append(str(error))
    right = sum(map(len, truths.values()))
    text = f"{case_count(assignment)}; {right} of {right + len(problems)} with a search have a right answer"
    problems += [
        f"{path}: no case, because it is not in {assignment.folder / 'cases'}/QUESTION"
        for path in sorted([*assignment.folder.glob("*.y*ml"), *assignment.folder.glob("*/*.y*ml")])
        if path.name[0] != "." and re.search(r"^kind:", path.read_text(encoding="utf-8", errors="replace"), re.M)
    ]
    for question in (each for each in assignment.questions if each.id in truths):
        own = truths[question.id]
        if not any(plies for each in own for _, plies in searched_roots(*each)):
            problems.append(f"{question.id}: every case has plies: 0, so no search looks ahead")
        elif question.reference == "alphabeta" and not any(_has_cut(*each) for each in own):
            problems.append(f"{question.id}: alpha-beta cuts nothing in its cases, so a search without cuts is as good")
    return Result("cases", text, tuple(problems))


def _has_cut(case: Case, truth: CaseTruth) -> bool:
    """True if a right alpha-beta search of the case has fewer nodes than a search of all nodes."""
    return any(
        min(nodes.touched for nodes in move.touched) < run_search("exhaustive", root, plies).statistics.nodes
        for move, (root, plies) in zip(truth.moves, searched_roots(case, truth), strict=True)
    )


def _parts(assignment: Assignment) -> Result:
    file = assignment.stub or assignment.solutions
    if file is None:
        return Result("parts", "not checked: the assignment names no stub and no solutions")
    try:
        loading.check_parts(assignment)
    except InputError as error:
        return Result("parts", f"not all in {file.name}", (str(error),))
    return Result("parts", f"all {len(assignment.questions)} in {file.name}")


def _points(assignment: Assignment, name: str, jobs: int) -> Result:
    """The solutions get full marks, a match then has steps that can be reached; or the stub gets no points."""
    file = assignment.stub if name == "stub" else assignment.solutions
    if file is None:
        return Result(name, "not checked: the assignment names none")
    card = grade(file, assignment, jobs, api=submission_api(assignment.api))
    cases = [case for question in card.questions for case in question.cases]
    if name == "stub":
        problems = [f"{case.id}: the stub earns points" for case in cases if case.earned]
    else:
        problems = [f"{case.id}: {case.message or 'points lost'}" for case in cases if case.earned < 1]
    return Result(name, f"{points_text(card.earned)} of {points_text(card.points)} points", tuple(problems))


def _styles(assignment: Assignment) -> Result:
    """Every style gets full marks in every question with a search."""
    if not assignment.styles:
        text = "none: copy solutions.py into the folder styles, and this command tries wrong searches made from it"
        return Result("styles", text)
    problems, searches, api = [], trials.searches_of(assignment.cases), with_names(assignment.api, assignment.names)
    for file in assignment.styles:
        source = file.read_text(encoding="utf-8")
        for case, truth in searches:
            earned = trials.earned_criteria(source, case, truth, api)
            lost = [criterion for criterion, share in earned.items() if share < 1]
            problems += [f"{file.name}: {case.id}: loses {', '.join(lost)}"] if lost else []
    return Result("styles", counted(len(assignment.styles), "file"), tuple(problems))


def _idlers(assignment: Assignment, questions: list[Question]) -> Result:
    """Programs that compare nothing earn nearly nothing: by chance, what is right in one of several cases."""
    problems, highest = [], 0.0
    for question in questions:
        weights = [case.input.weight for case in assignment.of(question)]
        most = max(idlers.MOST_EARNED, max(weights) / sum(weights) if weights[1:] else 0)
        for name, share in idlers.earned_shares(assignment, question, submission_api(assignment.api)).items():
            highest = max(highest, share)
            if share > most:
                text = f"{question.id}: a program that returns {name} and compares nothing earns {percent(share)}"
                problems.append(f"{text}; expected at most {percent(most)}")
    return Result(
        "idlers", f"programs that compare nothing earn at most {percent(highest)} of a question", tuple(problems)
    )


def _hidden(assignment: Assignment) -> Result:
    """The cases that keys draw find the known mistakes that the public cases find, and let no idle program pass."""
    problems, details = [], []
    assignment = submission_api(assignment.api).without_unsupported(assignment)
    for question in (each for each in assignment.questions if each.hidden):
        own = assignment.of(question)
        try:
            lost, strong = trials.strength(question, own)
            passing = idlers.idle_programs(question, own)
        except InputError as error:
            problems.append(str(error))
            continue
        details.append(
            f"{question.id}: they find {strong} of {lost} known mistakes that lose points in the public cases"
        )
        problems += [f"{question.id}: a program that returns {name} passes one of them" for name in passing]
    return Result("hidden", f"drawn with {counted(KEYS, 'key')}", tuple(problems), tuple(details))


# ---- what students get


def check_for_students(assignment: Assignment) -> Iterator[Result]:
    """The results for what students get of a whole assignment: handout and stub, if it has them, and the kit."""
    problems = tuple(text_problems(assignment))
    if (assignment.folder / "handout.md").is_file():
        count = counted(len(assignment.questions), "question")
        yield Result("handout", f"differs from the {count}" if problems else f"fits the {count}", problems)
    yield _kit(assignment)


def text_problems(assignment: Assignment) -> Iterator[str]:
    """Where the handout and the stub say something else than assignment.yaml: ids, parts, points, title."""
    ids = [question.id for question in assignment.questions]
    forms = "|".join({re.sub(r"\d+", r"\\d+", re.escape(each)) for each in ids if re.search(r"\d", each)}) or r"(?!)"
    handout = assignment.folder / "handout.md"
    texts = {path: path.read_text(encoding="utf-8") for path in (handout, assignment.stub) if path and path.is_file()}
    for path, text in texts.items():
        for unknown in sorted(set(re.findall(rf"\b(?:{forms})\b", text)) - set(ids)):
            yield f"{path}: names {unknown}, but the assignment has no question of this id: {nearest(unknown, ids)}"
    if handout not in texts:
        return
    heading = re.search(r"^# (.*)", texts[handout], re.MULTILINE)
    if heading and heading[1].strip() != assignment.title:
        yield f"{handout}: the title is '{heading[1].strip()}', but that of the assignment '{assignment.title}'"
    for question in assignment.questions:
        names = "|".join(map(re.escape, loading.spellings(assignment, question.part)))
        rows = [row for row in texts[handout].splitlines() if re.search(rf"\b({names})\b", row)]
        if not rows:
            yield f"{handout}: does not name {question.part}, the part of {question.id}"
        cells = [[cell.strip() for cell in row.split("|")] for row in rows if row.startswith("|")]
        if cells and not any(points_text(question.points) in row for row in cells):
            yield f"{handout}: no row with {question.part} has its {points_text(question.points)} points"


def check_stub(assignment: Assignment) -> None:
    """InputError if the stub of an assignment earns points: it may contain an answer."""
    if assignment.stub is None:
        return
    earning = [problem.partition(":")[0] for problem in _points(assignment, "stub", 1).problems]
    if earning:
        more = f" and {len(earning) - 1} more" if earning[1:] else ""
        raise InputError(f"{assignment.stub}: the stub earns points in {earning[0]}{more}; take the answers out")


def _kit(assignment: Assignment) -> Result:
    """The kit grades the stub in an empty folder with the grader that is in it; without a stub, the solutions."""
    if all(case.input.hidden for case in assignment.cases):
        return Result("kit", "none: every case is hidden")
    try:
        content = release(assignment)
    except InputError as error:
        return Result("kit", "not made", (str(error),))
    file, name = assignment.stub or assignment.solutions, STUBS[assignment.api]
    if file is None:
        return Result("kit", "made, but not tried: the assignment names no stub and no solutions")
    with TemporaryDirectory() as place, zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(place)
        folder, elsewhere = Path(place) / assignment.name, Path(place) / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / name).write_bytes(file.read_bytes())
        words = [sys.executable, "-P", "-m", "autograder", "grade", name, "--json", "-", "--allow-unsafe"]
        run = subprocess.run(words, cwd=elsewhere, env=all_with(PYTHONPATH=str(folder)), capture_output=True)
    try:
        points = points_text(json.loads(run.stdout)["earned"])
    except (ValueError, KeyError):
        lines = run.stderr.decode("utf-8", "replace").strip().splitlines() or [
            "the grader in it ended without a message"
        ]
        return Result("kit", "does not grade", (lines[-1].replace(place, "KIT"),))
    return Result("kit", f"opens in an empty folder: {points} points for {file.name}")


# ---- games with drawn keys


def check_games(assignment: Assignment, keys: int, agent: Path | None, jobs: int) -> Iterator[Result]:
    """For each question with a match: with how many keys the agents of a file reach each goal."""
    file = agent or assignment.solutions
    if file is None:
        if any(_matches(assignment, each) for each in assignment.questions):
            yield Result("games", "not played: the assignment names no solutions; --agent FILE names another file")
        return
    for question, of_keys in _played(assignment, assignment.questions, keys, file, jobs):
        details = tuple(
            f"{case.name}: {', '.join(f'{goal} {percent(share)}' for goal, share in goals)}"
            for case in assignment.of(question)
            if not case.has_truth and (goals := list(match_shares.step_shares(case, of_keys)))
        )
        share = match_shares.full_share(of_keys)
        text = f"full marks with {percent(share)} of {counted(keys, 'key')}"
        is_enough = agent is not None or share >= FULL_MARKS
        problems = () if is_enough else (f"expected full marks with at least {percent(FULL_MARKS)} of the keys",)
        yield Result(f"{question.id} games", text, problems, details)


def reached_numbers(
    assignment: Assignment, keys: int, file: Path, jobs: int
) -> Iterator[tuple[Case, list[Mapping[str, float]]]]:
    """Each match with the wins, mean score and finished games of a file, key by key; none if it lacks the part."""
    source = file.read_text(encoding="utf-8") if file.is_file() else ""
    playing = [each for each in assignment.questions if each.part in source or not source]
    for question in (each for each in assignment.questions if each not in playing):
        yield from ((case, []) for case in _matches(assignment, question))
    for question, of_keys in _played(assignment, playing, keys, file, jobs):
        yield from ((case, [each[case.id] for each in of_keys]) for case in _matches(assignment, question))


def _matches(assignment: Assignment, question: Question) -> list[Case]:
    return [case for case in assignment.of(question) if case.input.kind == "match"]


def _played(
    assignment: Assignment, questions: Sequence[Question], keys: int, file: Path, jobs: int
) -> Iterator[tuple[Question, list[match_shares.Reached]]]:
    """Each question with a match, and what the agents of a file reach in its games, key by key."""
    at_once = max(1, min(KEYS_AT_ONCE, keys // jobs))
    parts = [range(start, min(start + at_once, keys)) for start in range(0, keys, at_once)]
    with WorkerPool(jobs) as pool, Console(stderr=True).status("playing games") as status:
        for question in (each for each in questions if _matches(assignment, each)):
            own = [case for case in assignment.of(question) if not case.has_truth]
            about = own, with_names(assignment.api, assignment.names), file
            of_keys: list[match_shares.Reached] = []
            for part in in_order(pool, [partial(match_shares.play, *about, part) for part in parts], len(parts)):
                of_keys += part
                status.update(f"{question.id}: games of {len(of_keys):,} of {counted(keys, 'key')}")
            yield question, of_keys


# ---- wrong searches


def changed_files(assignment: Assignment) -> tuple[Path, ...]:
    """The right files that `check_strength` changes: the styles; in this project's assignments the solutions."""
    is_own = assignment.name in loading.names() and loading.name_or_folder(assignment) == assignment.name
    return assignment.styles or ((assignment.solutions,) if is_own and assignment.solutions else ())


def check_strength(assignment: Assignment, most: int | None, jobs: int) -> Iterator[Result]:
    """For each question with a search: how many of the wrong searches lose points."""
    api = with_names(assignment.api, assignment.names)
    with WorkerPool(jobs) as pool, Console(stderr=True).status("changing right searches") as status:
        for question in (each for each in assignment.questions if each.role == "search"):
            own = trials.searches_of(assignment.of(question))
            randoms = trials.random_trees(question, [case for case, _ in own], api)
            calls, of_question = [], list[Trial]()
            for file in changed_files(assignment):
                every = list(mutants(file.read_text(encoding="utf-8"), question.part))
                thinned = every[:: ceil(len(every) / most) if most else 1]
                parts = (thinned[part::PARTS] for part in range(PARTS))
                calls += [partial(trials.run_trials, file.stem, part, own, randoms, api) for part in parts]
            for count, part in enumerate(in_order(pool, calls, len(calls)), 1):
                of_question += part
                wrong = f"{len(of_question):,} wrong searches tried"
                status.update(f"{question.id}: {wrong}, {count} of {len(calls)} parts")
            yield summary(question.id, of_question)
            lost, survivors = trials.lost_and_kept(question, own, randoms)
            others = f"the others keep them, and new-case --distinguish NAME finds a tree: {', '.join(survivors)}"
            text = f"{len(lost)} of {counted(len(lost) + len(survivors), 'known mistake')} lose points"
            yield Result(question.id, text, details=(others,) if survivors else ())


def summary(question: str, of_question: Sequence[Trial]) -> Result:
    """The counts of the trials of a question, and the survivors by their kind: at most `MOST_LINES` lines.

    Survivors are problems if they are many.
    """
    choice = of_question[0].choice if of_question else "value"
    (differ, lose), (wrong, lose_choice) = (
        (sum(each.wrong >= least for each in of_question), sum(each.lost >= least for each in of_question))
        for least in (SOMETHING, CHOICE)
    )
    text = (
        f"{len(of_question):,} changes; {differ:,} differ on some tree, {lose:,} of them lose points; "
        f"{wrong:,} have a wrong {choice}, {lose_choice:,} of them lose {choice} points"
    )
    kinds: dict[Any, list[Trial]] = {}
    for trial in (each for each in of_question if each.survives):
        kinds.setdefault((trial.mutant.old, trial.mutant.new), []).append(trial)
    survivors = sorted(kinds.values(), key=len, reverse=True)
    first_ones = survivors if len(survivors) <= MOST_KINDS else survivors[: MOST_KINDS - 1]
    lines_left, rows = MOST_LINES - min(len(survivors), MOST_KINDS), []
    for own in first_ones:
        smallest = min(own, key=lambda each: each.tree.count("\n"))
        lines = smallest.tree.rstrip("\n").splitlines()
        fits = len(lines) <= lines_left
        lines_left -= len(lines) if fits else 0
        rows.append("\n".join([_survivor(smallest, len(own), fits), *(lines if fits else ())]))
    if more := survivors[len(first_ones) :]:
        rows.append(f"and {sum(map(len, more)):,} wrong searches of {len(more)} more kinds")
    is_enough = differ - sum(map(len, survivors)) >= ENOUGH * differ
    return Result(question, text, details=tuple(rows)) if is_enough else Result(question, text, tuple(rows))


def _survivor(trial: Trial, count: int, with_tree: bool) -> str:
    """The line for the wrong searches of one kind, of which `trial` is one."""
    lost = f"loses no {trial.choice} points" if trial.lost else "loses nothing"
    mutant = trial.mutant
    like = f"; {count - 1} more like it" if count > 1 else ""
    on_tree = "; it is wrong on this tree:" if with_tree else ""
    return f"{trial.file}.py:{mutant.line}: {mutant.old} -> {mutant.new}: {lost}{like}{on_tree}"
