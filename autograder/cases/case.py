"""What is asked: cases, the questions that hold them, and the assignment. Plain values, with what fits with what.

The same classes are the schema of an assignment's files: `autograder.cases.yaml_file` checks a file against them, and a
key that is not a field here is refused. Nothing here reads a file, so the judge can be used without any.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen

from pacman.core.errors import InputError, nearest
from pacman.core.outline import Outline
from pacman.core.state import GameState

CRITERIA = ("value", "action", "touched", "expanded", "generated", "time")
TOLERANCE = 1e-6
"""Two values are equal within this much, absolute, plus this share of the expected one."""

Criterion = Literal["value", "action", "touched", "expanded", "generated", "time"]
Cut = Literal["equal", "strict", "either"]
Positive = Annotated[int, Ge(1)]
Weight = Annotated[float, Gt(0)]
Seconds = Annotated[float, Gt(0)]
Share = Annotated[float, Gt(0), Le(1)]


class SchemaClass:
    """A schema that refuses unknown keys and converts nothing."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "strict": True, "allow_inf_nan": False}


@dataclass(frozen=True, kw_only=True)
class CaseInput(SchemaClass):
    """What every kind of case says. `shows` is its purpose in one line.

    `seconds` overrides the assignment's limit, `target_seconds` its question's target. Of a `hidden` case a student
    learns whether it was passed, and nothing else.
    """

    kind: str
    shows: str
    weight: Weight = 1
    seconds: Seconds | None = None
    target_seconds: Seconds | None = None
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class SearchInput(CaseInput):
    """`ties: first` makes the first best action the only right one; `cut` is when alpha-beta may leave a node.

    `equal`: as soon as alpha == beta; `strict`: when alpha > beta; `either`: the one that fits an answer better.
    """

    ties: Literal["any", "first"] = "any"
    cut: Cut = "equal"


@dataclass(frozen=True, kw_only=True)
class TreeInput(SearchInput):
    """One search of a drawn tree, `plies` deep."""

    kind: Literal["tree"] = "tree"
    tree: str
    plies: Annotated[int, Ge(0)]


@dataclass(frozen=True, kw_only=True)
class PositionInput(SearchInput):
    """A line of play: `moves` searches by Pacman, `rounds` deep each, against ghosts seeded with `seed`.

    The line follows the reference's moves. Where no search is asked for, `accept` lists the right actions at the
    first position, which is then the only one. `stop: either` also takes a search for right that leaves Pacman's Stop
    out, its move and what it touches alike, as courses with older files do; it cannot go with the criterion value.
    """

    kind: Literal["position"] = "position"
    layout: str
    ghosts: tuple[str, ...]
    seed: int = 0
    rounds: Positive = 1
    moves: Positive = 1
    stop: Literal["searched", "either"] = "searched"
    accept: Annotated[tuple[str, ...], MinLen(1)] | None = None


@dataclass(frozen=True, kw_only=True)
class Thresholds(SchemaClass):
    """Steps to reach; each one reached earns the same share.

    `wins` and `mean_score` ascend. `seconds` descend: the time of the whole match, on the grader's clock, which
    earns nothing unless a game is won.
    """

    wins: Annotated[tuple[Positive, ...], MinLen(1)] | None = None
    mean_score: Annotated[tuple[float, ...], MinLen(1)] | None = None
    seconds: Annotated[tuple[Seconds, ...], MinLen(1)] | None = None

    def __post_init__(self) -> None:
        if self.wins is None and self.mean_score is None and self.seconds is None:
            raise ValueError("give steps for wins, mean_score or seconds")
        for steps in (self.wins, self.mean_score):
            if steps is not None and list(steps) != sorted(set(steps)):
                raise ValueError("steps ascend")
        if self.seconds is not None and list(self.seconds) != sorted(set(self.seconds), reverse=True):
            raise ValueError("steps for seconds descend")


@dataclass(frozen=True, kw_only=True)
class MatchInput(CaseInput):
    """Whole games, numbered from 1 and seeded with `seed` and their number."""

    kind: Literal["match"] = "match"
    layout: str
    ghosts: tuple[str, ...]
    games: Positive
    steps: Thresholds
    seed: int = 0
    rounds: Positive = 1
    max_plies: Positive = 2000

    def __post_init__(self) -> None:
        if self.steps.wins and self.steps.wins[-1] > self.games:
            raise ValueError(f"steps: {self.steps.wins[-1]} wins cannot be reached in {self.games} games")


KINDS: dict[str, type[CaseInput]] = {"tree": TreeInput, "position": PositionInput, "match": MatchInput}
AnyInput = TreeInput | PositionInput | MatchInput


@dataclass(frozen=True, kw_only=True)
class Limits(SchemaClass):
    """What one case may use up."""

    seconds: Seconds = 10
    memory_mb: Annotated[int, Ge(128)] = 1024
    output_kb: Positive = 64


@dataclass(frozen=True, kw_only=True)
class Question(SchemaClass):
    """A part that the student writes, and what it is worth.

    `part` is its name in the submission; `role` is how it is called: a `search` is compared with the reference
    search, a `choice` only picks actions, an `evaluation` is put under a search of the grader's. The weights of
    `criteria` count in proportion to their sum. `expanded` are the nodes of which a successor was made, `generated`
    all that were made, each once, `touched` the same nodes however often they were made; `time` is earned by right
    answers within `target_seconds` a case. `requires` names questions, and the share of each one's points below which
    this one earns nothing. The points of an `extra` question are not in the total.
    """

    id: str
    title: str
    part: str
    points: Weight
    role: Literal["search", "choice", "evaluation"]
    reference: Literal["exhaustive", "alphabeta"] | None = None
    layers: Annotated[tuple[Literal["max", "min", "chance"], ...], MinLen(1)] | None = None
    criteria: dict[Criterion, Weight] = field(default_factory=dict)
    target_seconds: Seconds | None = None
    requires: dict[str, Share] = field(default_factory=dict)
    extra: bool = False

    def __post_init__(self) -> None:
        if (self.role == "search") != (self.reference is not None):
            raise ValueError("a search, and nothing else, needs a reference: exhaustive or alphabeta")
        if (self.role == "search") != bool(self.criteria):
            raise ValueError("a search, and nothing else, needs criteria and their weights")
        if set(self.criteria) == {"time"}:
            raise ValueError("criteria: time alone judges no answer; give weights for value, action, ... too")
        if ("time" in self.criteria) != (self.target_seconds is not None):
            raise ValueError("the criterion time, and nothing else, needs target_seconds")


@dataclass(frozen=True, kw_only=True)
class AssignmentInput(SchemaClass):
    """`tolerance`: values are equal within this much, absolute, plus this share of the expected value.

    `stub` is the file that students start from, `solutions` the one with the answers: paths from the assignment's
    folder.
    """

    title: str
    stub: str | None = None
    solutions: str | None = None
    limits: Limits = Limits()
    tolerance: Annotated[float, Ge(0), Lt(1)] = TOLERANCE
    questions: Annotated[tuple[Question, ...], MinLen(1)]


@dataclass(frozen=True)
class Case:
    """One case of one question, with everything that its input names made ready.

    `root` is the drawn tree, or the first position. `digest` changes with whatever the reference depends on.
    `source` is the file that it was read from, for messages.
    """

    name: str
    question: Question
    input: AnyInput
    root: Outline | GameState
    digest: str
    source: Path
    seconds: float
    tolerance: float = TOLERANCE

    @property
    def id(self) -> str:
        return f"{self.question.id}/{self.name}"

    @property
    def start(self) -> GameState:
        """The first position of a line of play or a game."""
        assert isinstance(self.root, GameState)
        return self.root

    @property
    def target_seconds(self) -> float | None:
        """How long a right answer may take to earn the criterion `time`."""
        return self.input.target_seconds or self.question.target_seconds

    @property
    def has_reference(self) -> bool:
        return self.question.role == "search" and not isinstance(self.input, MatchInput)


@dataclass(frozen=True)
class Assignment:
    """Questions and their cases. `stub` and `solutions` are files that need not be there."""

    name: str
    folder: Path
    title: str
    limits: Limits
    questions: tuple[Question, ...]
    cases: tuple[Case, ...]
    stub: Path | None = None
    solutions: Path | None = None

    def of(self, question: Question) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.question == question)

    def only(self, question: str | None, case: str | None) -> Assignment:
        """The assignment cut down to one question, one case, or a question's case; InputError for unknown names."""
        if case and "/" in case:
            inside, _, case = case.partition("/")
            if question not in (None, inside):
                raise InputError(f"case '{inside}/{case}' is not in question '{question}'")
            question = inside
        questions, cases = self.questions, self.cases
        if question is not None:
            questions = tuple(each for each in questions if each.id == question)
            if not questions:
                known = nearest(question, [each.id for each in self.questions])
                raise InputError(f"no question '{question}' in assignment '{self.name}': {known}")
        cases = tuple(each for each in cases if each.question in questions)
        if case is not None:
            chosen = tuple(each for each in cases if each.name == case)
            if not chosen:
                known = nearest(case, [each.name for each in cases])
                raise InputError(f"no case '{case}' in {question or f'assignment {self.name!r}'}: {known}")
            cases = chosen
            questions = tuple(each for each in questions if any(case.question == each for case in cases))
        return replace(self, questions=questions, cases=cases)
