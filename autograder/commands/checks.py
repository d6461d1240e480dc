"""The checks of an assignment: each yields its results one by one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from autograder.case_strength import drawn_cases, idlers, match_shares
from autograder.case_strength.trials import Task, Trial, earned_criteria, run_trials, search_cases
from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Question
from autograder.cases.right_answer import derive
from autograder.commands.shared.kit_check import problem_of_kit
from autograder.grading import grade as grading
from autograder.grading.submission_api import SubmissionApi
from autograder.judge.points_as_text import percent, points_text
from pacman.core.errors import InputError, counted, nearest
from pacman.play.worker_pool import WorkerPool, in_order

PARTS = 8
"""The wrong searches of a file are tried in so many parts; the progress is shown after each."""
KEYS_AT_ONCE = 10
"""The games are played with so many keys at once; the progress is shown after each."""
MOST_LINES, MOST_KINDS = 20, 10
"""So many lines about the wrong searches of a question that lose no points, and so many kinds of them, are shown."""
FULL_MARKS = 0.99
"""The solutions must get full marks with at least this share of the keys."""


@dataclass(frozen=True)
class Result:
    """The result of one check: what was checked, what came out, the details and the problems."""

    name: str
    text: str
    problems: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


def check_without_games(loaded: Assignment, name: str, api: SubmissionApi, jobs: int) -> Iterator[Result]:
    """The results of the checks that need no drawn games and no wrong searches, one by one."""
    yield _cases(loaded)
    yield _parts(loaded)
    yield _points(loaded, "solutions", api, jobs)
    yield _points(loaded, "stub", api, jobs)
    if loaded.styles or not changed_files(loaded):
        yield _styles(loaded, name, api)
    if questions := [question for question in loaded.questions if question.role != "evaluation"]:
        yield _idlers(loaded, questions, api)
    if any(question.hidden for question in loaded.questions):
        yield _hidden(api.without_unsupported(loaded), api)


def _cases(loaded: Assignment) -> Result:
    """Every case with a search has a right answer."""
    problems = []
    cases = [case for case in loaded.cases if case.has_truth]
    for case in cases:
        try:
            derive(case)
        except InputError as error:
            problems.append(str(error))
    return Result("cases", f"{len(cases) - len(problems)} of {len(cases)} have a right answer", tuple(problems))


def _parts(loaded: Assignment) -> Result:
    file = loaded.stub or loaded.solutions
    if file is None:
        return Result("parts", "not checked: the assignment names no stub and no solutions")
    try:
        loading.check_parts(loaded)
    except InputError as error:
        return Result("parts", f"not all in {file.name}", (str(error),))
    return Result("parts", f"all {len(loaded.questions)} in {file.name}")


def check_for_students(loaded: Assignment, api: SubmissionApi) -> Iterator[Result]:
    """The results for what students get of a whole assignment: handout and stub, if it has them, and the kit."""
    problems = list(_text_problems(loaded))
    if (loaded.folder / "handout.md").is_file():
        count = counted(len(loaded.questions), "question")
        yield Result("handout", f"differs from the {count}" if problems else f"fits the {count}", tuple(problems))
    kit, problem = problem_of_kit(loaded, api)
    yield Result("kit", kit, (problem,) if problem else ())


def _text_problems(loaded: Assignment) -> Iterator[str]:
    """Where the handout and the stub say something else than assignment.yaml: ids, parts, points, title."""
    ids = [question.id for question in loaded.questions]
    forms = "|".join({re.sub(r"\d+", r"\\d+", re.escape(each)) for each in ids if re.search(r"\d", each)}) or r"(?!)"
    handout = loaded.folder / "handout.md"
    for path in (handout, loaded.stub):
        for unknown in sorted(set(re.findall(rf"\b(?:{forms})\b", _text_of(path))) - set(ids)):
            yield f"{path}: names {unknown}, but the assignment has no question of this id: {nearest(unknown, ids)}"
    heading = re.search(r"^# (.*)", _text_of(handout), re.MULTILINE)
    if heading and heading[1].strip() != loaded.title:
        yield f"{handout}: the title is '{heading[1].strip()}', but that of the assignment '{loaded.title}'"
    for question in loaded.questions if handout.is_file() else ():
        rows = [row for row in _text_of(handout).splitlines() if re.search(rf"\b{re.escape(question.part)}\b", row)]
        if not rows:
            yield f"{handout}: does not name {question.part}, the part of {question.id}"
        cells = [[cell.strip() for cell in row.split("|")] for row in rows if row.startswith("|")]
        if cells and not any(points_text(question.points) in row for row in cells):
            yield f"{handout}: no row with {question.part} has its {points_text(question.points)} points"


def _text_of(path: Path | None) -> str:
    return path.read_text(encoding="utf-8") if path and path.is_file() else ""


def _points(loaded: Assignment, name: str, api: SubmissionApi, jobs: int) -> Result:
    """The solutions get full marks, a match then has steps that can be reached; or the stub gets no points."""
    file = loaded.stub if name == "stub" else loaded.solutions
    if file is None:
        return Result(name, "not checked: the assignment names none")
    card = grading.grade(file, loaded, jobs, api=api)
    cases = [case for question in card.questions for case in question.cases]
    if name == "stub":
        problems = [f"{case.id}: the stub earns points" for case in cases if case.earned]
    else:
        problems = [f"{case.id}: {case.message or 'points lost'}" for case in cases if case.earned < 1]
    return Result(name, f"{points_text(card.earned)} of {points_text(card.points)} points", tuple(problems))


def _styles(loaded: Assignment, name: str, api: SubmissionApi) -> Result:
    """Every style gets full marks in every question with a search."""
    if not loaded.styles:
        text = "none: copy solutions.py into the folder styles, and this command tries wrong searches made from it"
        return Result("styles", text)
    problems = []
    for file in loaded.styles:
        source = file.read_text(encoding="utf-8")
        for question in loaded.questions:
            for case, truth in search_cases(name, question.id):
                earned = earned_criteria(source, case, truth, api.name)
                lost = [criterion for criterion, share in earned.items() if share < 1]
                problems += [f"{file.name}: {case.id}: loses {', '.join(lost)}"] if lost else []
    return Result("styles", counted(len(loaded.styles), "file"), tuple(problems))


def _idlers(loaded: Assignment, questions: list[Question], api: SubmissionApi) -> Result:
    """Programs that compare nothing earn nearly nothing."""
    shares = {question.id: idlers.earned_shares(loaded, question, api) for question in questions}
    problems = [
        f"{question}: a program that returns {name} and compares nothing earns {percent(share)}; "
        f"expected at most {percent(idlers.MOST_EARNED)}"
        for question, each in shares.items()
        for name, share in each.items()
        if share > idlers.MOST_EARNED
    ]
    most = max(share for each in shares.values() for share in each.values())
    text = f"programs that compare nothing earn at most {percent(most)} of a question"
    return Result("idlers", text, tuple(problems))


def _hidden(loaded: Assignment, api: SubmissionApi) -> Result:
    """The cases that keys draw find the known mistakes that the public cases find, and let no idle program pass."""
    problems, details = [], []
    for question in (each for each in loaded.questions if each.hidden):
        own = loaded.of(question)
        try:
            lost, found = drawn_cases.strength(question, own)
            passing = drawn_cases.idle_programs(question, own, api.name)
        except InputError as error:
            problems.append(str(error))
            continue
        details.append(
            f"{question.id}: they find {found} of {lost} known mistakes that lose points in the public cases"
        )
        problems += [f"{question.id}: a program that returns {name} passes one of them" for name in passing]
    return Result("hidden", f"drawn with {counted(drawn_cases.KEYS, 'key')}", tuple(problems), tuple(details))


def check_games(
    loaded: Assignment, name: str, api: SubmissionApi, keys: int, agent: Path | None, jobs: int
) -> Iterator[Result]:
    """For each question with a match: with how many keys the agents of a file reach each goal."""
    questions = [each for each in loaded.questions if any(case.input.kind == "match" for case in loaded.of(each))]
    file = agent or loaded.solutions
    if file is None:
        if questions:
            yield Result("games", "not played: the assignment names no solutions; --agent FILE names another file")
        return
    for question, of_keys in _played(questions, name, api, keys, file, jobs):
        details = tuple(
            f"{case.name}: {', '.join(f'{goal} {percent(share)}' for goal, share in goals)}"
            for case in loaded.of(question)
            if not case.has_truth and (goals := list(match_shares.step_shares(case, of_keys)))
        )
        share = match_shares.full_share(of_keys)
        text = f"full marks with {percent(share)} of {counted(keys, 'key')}"
        is_enough = agent is not None or share >= FULL_MARKS
        problems = () if is_enough else (f"expected full marks with at least {percent(FULL_MARKS)} of the keys",)
        yield Result(f"{question.id} games", text, problems, details)


def reached_numbers(
    loaded: Assignment, name: str, api: SubmissionApi, keys: int, file: Path, jobs: int
) -> Iterator[tuple[Case, list[Mapping[str, float]]]]:
    """Each match with the wins, mean score and finished games of a file, key by key; empty if it cannot play it."""
    source = file.read_text(encoding="utf-8") if file.is_file() else ""
    playing = [each for each in loaded.questions if each.part in source or not source]
    for question in (each for each in loaded.questions if each not in playing):
        yield from ((case, []) for case in loaded.of(question) if case.input.kind == "match")
    questions = [each for each in playing if any(case.input.kind == "match" for case in loaded.of(each))]
    for question, of_keys in _played(questions, name, api, keys, file, jobs, match_shares.reached_with_key):
        for case in (each for each in loaded.of(question) if each.input.kind == "match"):
            yield case, [each[case.id] for each in of_keys]


def _played(
    questions: list[Question],
    name: str,
    api: SubmissionApi,
    keys: int,
    file: Path,
    jobs: int,
    measure: Callable[..., dict[str, float]] = match_shares.earned_with_key,
) -> Iterator[tuple[Question, list[match_shares.Earned]]]:
    """Each question with what the agents of a file earn in its games, key by key."""
    with WorkerPool(jobs) as pool, Console(stderr=True).status("playing games") as status:
        for question in questions:
            at_once = max(1, min(KEYS_AT_ONCE, keys // jobs))
            tasks = [
                match_shares.Task(name, api.name, question.id, file, start, min(start + at_once, keys), measure)
                for start in range(0, keys, at_once)
            ]
            of_keys: list[match_shares.Earned] = []
            for part in in_order(pool, [partial(match_shares.earned, task) for task in tasks], len(tasks)):
                of_keys += part
                status.update(f"{question.id}: games of {len(of_keys):,} of {counted(keys, 'key')}")
            yield question, of_keys


def changed_files(loaded: Assignment) -> tuple[Path, ...]:
    """The right files that `check_strength` changes: the styles; in this project's assignments the solutions."""
    is_own = loaded.name in loading.names() and loading.name_or_folder(loaded) == loaded.name
    return loaded.styles or ((loaded.solutions,) if is_own and loaded.solutions else ())


def check_strength(loaded: Assignment, name: str, api: SubmissionApi, most: int | None, jobs: int) -> Iterator[Result]:
    """For each question with a search: how many of the wrong searches lose points."""
    changed = changed_files(loaded)
    with WorkerPool(jobs) as pool, Console(stderr=True).status("changing right searches") as status:
        for question in (each for each in loaded.questions if each.role == "search"):
            tasks = [
                Task(name, api.name, question.id, file, part, PARTS, most) for file in changed for part in range(PARTS)
            ]
            trials, calls = list[Trial](), [partial(run_trials, task) for task in tasks]
            for done, part in enumerate(in_order(pool, calls, len(calls)), 1):
                trials += part
                status.update(f"{question.id}: {len(trials):,} wrong searches tried, {done} of {len(tasks)} parts")
            yield _summary(question.id, trials)
            lost, kept = drawn_cases.lost_and_kept(question, loaded.of(question), api.name)
            others = f"the others keep them, and new-case --distinguish NAME finds a tree: {', '.join(kept)}"
            text = f"{len(lost)} of {counted(len(lost) + len(kept), 'known mistake')} lose points"
            yield Result(question.id, text, (others,) if kept else ())


def _summary(question: str, trials: list[Trial]) -> Result:
    """The counts of the trials of a question, and the survivors by their kind: at most `MOST_LINES` lines."""
    count = Counter[str]()
    for trial in trials:
        count["differ"] += trial.differs
        count["lose"] += trial.differs and trial.loses
        count["wrong"] += trial.wrong_choice
        count["lose choice"] += trial.wrong_choice and trial.loses_choice
    choice = trials[0].choice if trials else "value"
    text = (
        f"{len(trials):,} changes; {count['differ']:,} differ on some tree, {count['lose']:,} of them lose points; "
        f"{count['wrong']:,} have a wrong {choice}, {count['lose choice']:,} of them lose {choice} points"
    )
    kinds: dict[str, list[Trial]] = {}
    for trial in (each for each in trials if each.survives):
        kinds.setdefault(_kind(trial), []).append(trial)
    survivors = sorted(kinds.values(), key=len, reverse=True)
    shown = survivors if len(survivors) <= MOST_KINDS else survivors[: MOST_KINDS - 1]
    lines_left, problems = MOST_LINES - min(len(survivors), MOST_KINDS), []
    for own in shown:
        smallest = min(own, key=lambda each: each.tree.count("\n"))
        lines = smallest.tree.rstrip("\n").splitlines()
        fits = len(lines) <= lines_left
        lines_left -= len(lines) if fits else 0
        problems.append("\n".join([_survivor(smallest, len(own), fits), *(lines if fits else ())]))
    if more := survivors[len(shown) :]:
        problems.append(f"and {sum(map(len, more)):,} wrong searches of {len(more)} more kinds")
    return Result(f"{question}", text, tuple(problems))


def _kind(trial: Trial) -> str:
    """The change that a wrong search makes, without its place."""
    return f"{trial.mutant.old} -> {trial.mutant.new}"


def _survivor(trial: Trial, count: int, with_tree: bool) -> str:
    """The line for the wrong searches of one kind, of which `trial` is one."""
    lost = f"loses no {trial.choice} points" if trial.loses else "loses nothing"
    mutant = trial.mutant
    where = f"{trial.file}.py:{mutant.line}"
    like = f"; {count - 1} more like it" if count > 1 else ""
    on_tree = "; it is wrong on this tree:" if with_tree else ""
    return f"{where}: {mutant.old} -> {mutant.new}: {lost}{like}{on_tree}"
