"""Cases, questions and assignments as plain values, with the rules for which values fit together.

The same classes are the schema of an assignment's files: `autograder.cases.yaml_file` checks a file against them and
refuses a key that is not a field here. Nothing here reads a file, so the judge works without files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args
from unicodedata import normalize

from annotated_types import Ge, Gt, Le, Lt, MinLen

from pacman.core.errors import InputError, counted, nearest
from pacman.core.state import GameState
from pacman.core.tree_text import Outline

TOLERANCE = 1e-6
"""Two values are equal if they differ by at most this much plus this share of the expected value."""

Criterion = Literal["value", "action", "touched", "expanded", "generated"]
CRITERIA: tuple[str, ...] = get_args(Criterion)
Cut = Literal["equal", "strict"]
MATCH_KINDS = ("wins", "mean_score", "finished", "seconds")
AS_TEXT = {"due": "2026-11-22T23:59+01:00", "late_per_day": "10%"}
"""Texts for which somebody may write a number, each with an example."""
MAX_SECONDS = 3_600
"""The longest time limit: nobody waits an hour for one case, and the timers of some systems end at 24 days."""
MAX_MEMORY_MB = 65_536
"""The largest memory limit: 64 GB, more than a grading machine has."""
MAX_OUTPUT_KB = 65_536
"""The most printed output that is kept: 64 MB, because the grader holds it in its own memory."""
MAX_WEIGHT = 1_000_000
"""The most points or weight: sums of them stay exact in hundredths."""
MAX_DRAWN = 20
"""The most hidden cases that a key draws for a question."""
MAX_COUNT = 10_000
"""The most games, moves and rounds, and the deepest search, as many plies as a game may have."""
Count = Annotated[int, Ge(1), Le(MAX_COUNT)]
Reached = Annotated[int, Ge(0), Le(MAX_COUNT)]
Weight = Annotated[float, Gt(0), Le(MAX_WEIGHT)]
Points = Annotated[float, Ge(0), Le(MAX_WEIGHT)]
Seconds = Annotated[float, Gt(0), Le(MAX_SECONDS)]
Share = Annotated[float, Gt(0), Le(1)]


class StrictSchema:
    """The base of all schemas: unknown keys are refused, and no value is converted to another type."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "strict": True, "allow_inf_nan": False}


@dataclass(frozen=True, kw_only=True)
class CaseInput(StrictSchema):
    """The keys that every kind of case has. `shows` is the purpose of the case in one line.

    `seconds` replaces the assignment's time limit. Of a `hidden` case students learn only whether they passed it.
    """

    kind: str
    shows: str
    weight: Weight = 1
    seconds: Seconds | None = None
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class SearchInput(CaseInput):
    """The keys of every case with a search.

    `cut` says when alpha-beta cuts: `equal`, as soon as alpha == beta; `strict`, only when alpha > beta.
    """

    cut: Cut = "equal"


@dataclass(frozen=True, kw_only=True)
class TreeInput(SearchInput):
    """A case with one search of a drawn tree, `plies` deep.

    With `evaluation: other` only the agent's evaluation gives the numbers of the drawing, and the score of each node is
    the negative number. So a search that reads the score gets wrong values.
    """

    kind: Literal["tree"] = "tree"
    tree: str
    plies: Annotated[int, Ge(0), Le(MAX_COUNT)]
    evaluation: Literal["score", "other"] = "score"


@dataclass(frozen=True, kw_only=True)
class PositionInput(SearchInput):
    """A case with a line of play: `moves` searches by Pacman, each `rounds` deep, against ghosts seeded with `seed`.

    The line follows the moves of the right search; with `line`, it consists of these actions of all agents. In a
    question without a search, `accept` lists the right actions at the first position, and there is only this position.
    `stop: either` also accepts a search that never tries Pacman's Stop, as in courses with older files; it does not
    work with the criterion value.
    """

    kind: Literal["position"] = "position"
    layout: str
    ghosts: tuple[str, ...]
    seed: int = 0
    rounds: Count = 1
    moves: Count = 1
    stop: Literal["searched", "either"] = "searched"
    accept: Annotated[tuple[str, ...], MinLen(1)] | None = None
    line: Annotated[tuple[str, ...], MinLen(1)] | None = None


@dataclass(frozen=True, kw_only=True)
class Thresholds(StrictSchema):
    """The steps of a match. Every step that is reached earns the same share.

    `wins`, `mean_score` and `finished` (games that are won or lost) rise. `seconds` fall: they limit the time of the
    whole match on the grader's clock, and earn nothing unless a game is won. A match that stays below a `minimum`
    earns nothing; a minimum that is reached earns nothing by itself.
    """

    wins: Annotated[tuple[Reached, ...], MinLen(1)] | None = None
    mean_score: Annotated[tuple[float, ...], MinLen(1)] | None = None
    finished: Annotated[tuple[Reached, ...], MinLen(1)] | None = None
    seconds: Annotated[tuple[Seconds, ...], MinLen(1)] | None = None
    minimum: dict[Literal["wins", "mean_score", "finished"], float] = field(default_factory=dict)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of steps that there are."""
        return tuple(name for name in MATCH_KINDS if getattr(self, name) is not None)

    def __post_init__(self) -> None:
        if not self.kinds:
            raise ValueError("expected at least one of wins, mean_score, finished and seconds")
        for name in ("wins", "mean_score", "finished"):
            steps = getattr(self, name)
            if steps is not None and list(steps) != sorted(set(steps)):
                raise ValueError(f"{name}: expected rising numbers, each only once, as in [1, 2, 4]")
        if self.seconds is not None and list(self.seconds) != sorted(set(self.seconds), reverse=True):
            raise ValueError("seconds: expected falling numbers, each only once, as in [20, 10]")


@dataclass(frozen=True, kw_only=True)
class MatchInput(CaseInput):
    """A case with whole games, numbered from 1. The seed of a practice game comes from `seed` and its number.

    In a grading with a key, `seed` has no effect: see `autograder.cases.game_seeds`. `arguments` are those with which
    the agent is made, beside the rounds, as in {evalFn: careful}. A ghost is a kind of this project, or a class in a
    file in the assignment's folder, as in ghosts.py:WallFollower: code of the course, which the grader runs itself.
    """

    kind: Literal["match"] = "match"
    layout: str
    ghosts: tuple[str, ...]
    games: Count
    steps: Thresholds
    seed: int = 0
    rounds: Count = 1
    max_plies: Count = 2000
    arguments: dict[str, str | int | float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind, steps in (("wins", self.steps.wins), ("finished games", self.steps.finished)):
            if steps and steps[-1] > self.games:
                raise ValueError(f"steps: {steps[-1]} {kind} are impossible in {counted(self.games, 'game')}")


KINDS: dict[str, type[CaseInput]] = {"tree": TreeInput, "position": PositionInput, "match": MatchInput}
AnyInput = TreeInput | PositionInput | MatchInput


@dataclass(frozen=True, kw_only=True)
class Limits(StrictSchema):
    """The processor time, memory and printed output that one case may use.

    `submission_seconds` is the processor time that all cases of a submission may use together.
    """

    seconds: Seconds = 10
    submission_seconds: Seconds = 300
    memory_mb: Annotated[int, Ge(128), Le(MAX_MEMORY_MB)] = 1024
    output_kb: Annotated[int, Ge(1), Le(MAX_OUTPUT_KB)] = 64


@dataclass(frozen=True, kw_only=True)
class Drawn(StrictSchema):
    """Hidden cases that the course's key draws: `count` trees of the shape of the cases `like`, with other numbers."""

    like: Annotated[tuple[str, ...], MinLen(1)]
    count: Annotated[int, Ge(1), Le(MAX_DRAWN)] = 4


@dataclass(frozen=True, kw_only=True)
class Question(StrictSchema):
    """A part that the student writes, and its points.

    `part` is the name of a class or function in the submission. `role` says how it is called: the result of a `search`
    is compared with the right search, a `choice` only chooses actions, and for an `evaluation` the grader's own
    search calls the student's function at its leaves.

    The weights of `criteria` count in proportion to their sum. `expanded` compares the nodes with at least one
    generated successor, `generated` all generated nodes and that each was generated once, `touched` all generated nodes
    however often they were generated.

    With `order: any` a search may look at the actions in any order, remember values and search again. Then the criteria
    of nodes are limits: no node that an exhaustive search does not generate, and not too many of them (see
    `autograder.judge.compare`). With `all_or_nothing` the question earns nothing until all its cases are right.

    `requires` maps question ids to the share of their points (0 to 1) without which this question earns nothing. The
    points of an `extra` question are not in the total. `hidden` draws more cases (see `autograder.cases.hidden`).
    """

    id: str
    title: str
    part: str
    points: Points
    role: Literal["search", "choice", "evaluation"]
    reference: Literal["exhaustive", "alphabeta"] | None = None
    layers: Annotated[tuple[Literal["max", "min", "chance"], ...], MinLen(1)] | None = None
    criteria: dict[Criterion, Weight] = field(default_factory=dict)
    order: Literal["fixed", "any"] = "fixed"
    all_or_nothing: bool = False
    requires: dict[str, Share] = field(default_factory=dict)
    extra: bool = False
    hidden: Drawn | None = None

    @property
    def compares_value(self) -> bool:
        """True if the value of the root is compared. Berkeley-style searches return none."""
        return "value" in self.criteria

    def __post_init__(self) -> None:
        if self.role == "search" and self.reference is None:
            raise ValueError("`role: search` needs `reference: exhaustive` or `reference: alphabeta`")
        if self.role == "search" and not self.criteria:
            raise ValueError("role: search needs the key criteria, with weights, as in {value: 2, action: 1}")
        own = {"reference": self.reference, "criteria": self.criteria, "hidden": self.hidden}
        key = next((key for key, value in (own | {"order": self.order != "fixed"}).items() if value), "")
        if self.role != "search" and key:
            raise ValueError(f"the key {key} is only for role: search, but this question has role: {self.role}")


@dataclass(frozen=True, kw_only=True)
class AssignmentInput(StrictSchema):
    """The keys of assignment.yaml.

    Two values are equal if they differ by at most `tolerance` plus this share of the expected value. `stub` is the file
    that students start from, `solutions` the file with the answers; both are paths from the assignment's folder.
    Submissions have the form `api`: `native`, or `cs188` for files of the Berkeley project. `names` are those that a
    course gives to what such files use, each with the usual one, as in {is_won: isWin}.

    After the time `due`, each begun day takes the share `late_per_day` of the points, as in 10 %. `hidden_results` says
    when students see on Gradescope what hidden cases earn.
    """

    title: str
    api: Literal["native", "cs188"] = "native"
    due: str = ""
    late_per_day: str = ""
    hidden_results: Literal["visible", "after_due_date"] = "visible"
    stub: Path | None = None
    solutions: Path | None = None
    names: dict[str, str] = field(default_factory=dict)
    limits: Limits = Limits()
    tolerance: Annotated[float, Ge(0), Lt(1)] = TOLERANCE
    questions: Annotated[tuple[Question, ...], MinLen(1)]

    def __post_init__(self) -> None:
        try:
            zone = datetime.fromisoformat(self.due).tzinfo if self.due else self.due
        except ValueError as error:  # such as: day is out of range for month
            reason = "" if self.due in str(error) else f": {error}"
            raise ValueError(f"due: no such time: {self.due!r}{reason}; expected one as in {AS_TEXT['due']}") from None
        if zone is None:
            raise ValueError(f"due: expected a time with its zone, as in {AS_TEXT['due']}; got {self.due!r}")
        if self.late_per_day and not re.fullmatch(r"(100|[0-9]{1,2}(\.[0-9]+)?) ?%", self.late_per_day):
            raise ValueError(f"late_per_day: expected a share of the points, as in 10%; got {self.late_per_day!r}")
        if self.late_per_day and not self.due:
            raise ValueError("late_per_day: say with due from when on, as in due: 2026-11-22T23:59+01:00")


@dataclass(frozen=True)
class Case:
    """One case of one question, ready to run.

    `root` is the drawn tree or the first position. `source` is the file of the case, for messages. `ghost_files` are
    the names and texts of the files with the course's own ghosts.
    """

    name: str
    question: Question
    input: AnyInput
    root: Outline | GameState
    source: Path
    seconds: float
    tolerance: float = TOLERANCE
    ghost_files: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The question's id and the name of the case, as in `q2/01-figure`."""
        return f"{self.question.id}/{self.name}"

    @property
    def start(self) -> GameState:
        """The first position of a line of play or of a game."""
        assert isinstance(self.root, GameState)
        return self.root

    @property
    def has_truth(self) -> bool:
        """True if a search gives the right answer: in every case of a search, but no match."""
        return self.question.role == "search" and not isinstance(self.input, MatchInput)


@dataclass(frozen=True, kw_only=True)
class Assignment(AssignmentInput):
    """An assignment with its cases. The paths `stub` and `solutions` are whole; there may be no such files.

    `styles` are more files with right searches, which the command `check` grades. `answers` are the files that students
    must not see: styles, solutions and the notes for instructors.
    """

    name: str
    folder: Path
    cases: tuple[Case, ...]
    styles: tuple[Path, ...] = ()
    answers: tuple[Path, ...] = ()

    @property
    def points(self) -> float:
        """The points that can be earned, without those of extra questions."""
        return sum(question.points for question in self.questions if not question.extra)

    def of(self, question: Question) -> tuple[Case, ...]:
        """The cases of one question, in their order."""
        return tuple(case for case in self.cases if case.question == question)

    def only(self, questions: str | Sequence[str] | None, case: str | None = None) -> Assignment:
        """The assignment with only these questions, with one case, or with one case of a question.

        InputError for unknown names, and for a case of several questions.
        """
        ids = [questions] if isinstance(questions, str) else list(dict.fromkeys(questions or ()))
        if case is not None and len(ids) > 1:
            raise InputError("--case is of one question: give --question once, or leave it out")
        if case and "/" in case:
            owner, _, case = case.partition("/")
            if ids not in ([], [owner]):
                raise InputError(f"case '{owner}/{case}' is not in question '{ids[0]}'")
            ids = [owner]
        own = {normal(each.id) for each in self.questions}
        if unknown := [each for each in ids if normal(each) not in own]:
            known = nearest(unknown[0], [each.id for each in self.questions])
            if "," in unknown[0]:
                known = f"name each one by itself: {' '.join(f'--question {each}' for each in unknown[0].split(','))}"
            raise InputError(f"no question '{unknown[0]}' in assignment '{self.name}': {known}")
        chosen = tuple(each for each in self.questions if not ids or normal(each.id) in map(normal, ids))
        cases = tuple(each for each in self.cases if each.question in chosen)
        if case is not None:
            matches = tuple(each for each in cases if each.name == normal(case))
            if case.isdecimal():  # a report names cases by their numbers
                matches = matches or tuple(each for each in cases if each.name.startswith(f"{case}-"))
            if not matches:
                known = nearest(case, [each.name for each in cases])
                if of_it := [each.id for each in cases if normal(each.question.id) == normal(case)]:
                    known = f"it is a question: grade it with --question {case}, or name one case, as in {of_it[0]}"
                raise InputError(f"no case '{case}' in {ids[0] if ids else f'assignment {self.name!r}'}: {known}")
            owners = {each.question.id for each in matches}
            plain = {each.id: replace(each, hidden=None, requires={}) for each in chosen if each.id in owners}
            cases = tuple(replace(each, question=plain[each.question.id]) for each in matches)
            chosen = tuple(plain.values())
        return replace(self, questions=chosen, cases=cases)


# The names of files, questions and cases.


RESERVED = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\..*)?", re.IGNORECASE)
"""Names that Windows refuses for files."""
SEPARATORS = '/\\:*?"<>|'
MAX_NAME = 100


def normal(name: str) -> str:
    """`name` with each accented letter as one character. macOS may store the letter and the accent separately.

    >>> normal("fru\\u0308h") == "fr\\u00fch"
    True
    """
    return normalize("NFC", name)


def layout_path(layout: str, folder: Path) -> Path | None:
    """The file that a case of the assignment in `folder` names as its layout; None for a name and for a drawing.

    >>> layout_path("layouts/mine.lay", Path("week4")).as_posix(), layout_path("nook", Path("week4"))
    ('week4/layouts/mine.lay', None)
    """
    is_file = "\n" not in layout and (layout.endswith(".lay") or "/" in layout or "\\" in layout)
    return folder / layout if is_file else None


def name_problem(name: str) -> str:
    """What is wrong with the name of a file or folder; empty for a name that is safe on every system.

    Letters of any script, digits, spaces and most signs are allowed.

    >>> [name_problem(name) for name in ("Woche 4", "前缀", "a/b", "aux.yaml", "..")]
    ['', '', "contains '/'", 'is reserved by Windows', 'begins with a dot']
    """
    if not name:
        return "is empty"
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} characters"
    if not name.isprintable():
        return "contains a character that cannot be printed"
    sign = next((each for each in name if each in SEPARATORS), "")
    if sign:
        return f"contains '{sign}'"
    if name.startswith("."):
        return "begins with a dot"
    if name != name.strip() or name.endswith("."):
        return "begins or ends with a space, or ends with a dot"
    if name.startswith("-"):
        return "begins with '-', which starts an option on a command line"
    return "is reserved by Windows" if RESERVED.fullmatch(name) else ""
