"""What the files of an assignment may say: one schema a kind of file. Units, defaults, and what fits with what."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from autograder.cases.marked import Strict

CRITERIA = ("value", "action", "touched", "expanded", "generated", "time")
TOLERANCE = 1e-6
"""Two values are equal within this much, absolute, plus this share of the expected one."""

Criterion = Literal["value", "action", "touched", "expanded", "generated", "time"]
Cut = Literal["equal", "strict", "either"]
Positive = Annotated[int, Field(ge=1)]
Weight = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=0, le=1)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9_-]+$")]


class CaseInput(Strict):
    """What every kind of case says. `shows` is its purpose in one line.

    `seconds` overrides the assignment's limit, `target_seconds` its question's target. Of a `hidden` case a student
    learns whether it was passed, and nothing else.
    """

    shows: str
    weight: Weight = 1
    seconds: Seconds | None = None
    target_seconds: Seconds | None = None
    hidden: bool = False


class SearchInput(CaseInput):
    """`ties: first` makes the first best action the only right one; `cut` is when alpha-beta may leave a node.

    `equal`: as soon as alpha == beta; `strict`: when alpha > beta; `either`: the one that fits an answer better.
    """

    ties: Literal["any", "first"] = "any"
    cut: Cut = "equal"


class TreeInput(SearchInput):
    """One search of a drawn tree, `plies` deep."""

    kind: Literal["tree"]
    tree: str
    plies: Annotated[int, Field(ge=0)]


class PositionInput(SearchInput):
    """A line of play: `moves` searches by Pacman, `rounds` deep each, against ghosts seeded with `seed`.

    The line follows the reference's moves. Where no search is asked for, `accept` lists the right actions at the
    first position, which is then the only one. `stop: either` also takes a search for right that leaves Pacman's Stop
    out, its move and what it touches alike, as courses with older files do; it cannot go with the criterion value.
    """

    kind: Literal["position"]
    layout: str
    ghosts: list[str]
    seed: int = 0
    rounds: Positive = 1
    moves: Positive = 1
    stop: Literal["searched", "either"] = "searched"
    accept: Annotated[list[str], Field(min_length=1)] | None = None


class Thresholds(Strict):
    """Steps to reach; each one reached earns the same share.

    `wins` and `mean_score` ascend. `seconds` descend: the time of the whole match, on the grader's clock, which
    earns nothing unless a game is won.
    """

    wins: Annotated[list[Positive], Field(min_length=1)] | None = None
    mean_score: Annotated[list[float], Field(min_length=1)] | None = None
    seconds: Annotated[list[Seconds], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def in_order(self) -> Thresholds:
        if self.wins is None and self.mean_score is None and self.seconds is None:
            raise ValueError("give steps for wins, mean_score or seconds")
        for steps in (self.wins, self.mean_score):
            if steps is not None and list(steps) != sorted(set(steps)):
                raise ValueError("steps ascend")
        if self.seconds is not None and self.seconds != sorted(set(self.seconds), reverse=True):
            raise ValueError("steps for seconds descend")
        return self


class MatchInput(CaseInput):
    """Whole games, numbered from 1 and seeded with `seed` and their number."""

    kind: Literal["match"]
    layout: str
    ghosts: list[str]
    games: Positive
    steps: Thresholds
    seed: int = 0
    rounds: Positive = 1
    max_plies: Positive = 2000

    @model_validator(mode="after")
    def reachable(self) -> MatchInput:
        if self.steps.wins and self.steps.wins[-1] > self.games:
            raise ValueError(f"steps: {self.steps.wins[-1]} wins cannot be reached in {self.games} games")
        return self


KINDS = {"tree": TreeInput, "position": PositionInput, "match": MatchInput}
AnyInput = TreeInput | PositionInput | MatchInput


class Limits(Strict):
    """What one case may use up."""

    seconds: Seconds = 10
    memory_mb: Annotated[int, Field(ge=128)] = 1024
    output_kb: Positive = 64


class Question(Strict):
    """A part that the student writes, and what it is worth.

    `part` is its name in the submission; `role` is how it is called: a `search` is compared with the reference
    search, a `choice` only picks actions, an `evaluation` is put under a search of the grader's. The weights of
    `criteria` count in proportion to their sum. `expanded` are the nodes of which a successor was made, `generated`
    all that were made, each once, `touched` the same nodes however often they were made; `time` is earned by right
    answers within `target_seconds` a case. `requires` names questions, and the share of each one's points below which
    this one earns nothing. The points of an `extra` question are not in the total.
    """

    id: Name
    title: str
    part: str
    points: Weight
    role: Literal["search", "choice", "evaluation"]
    reference: Literal["exhaustive", "alphabeta"] | None = None
    layers: Annotated[list[Literal["max", "min", "chance"]], Field(min_length=1)] | None = None
    criteria: dict[Criterion, Weight] = Field(default_factory=dict)
    target_seconds: Seconds | None = None
    requires: dict[str, Share] = Field(default_factory=dict)
    extra: bool = False

    @model_validator(mode="after")
    def complete(self) -> Question:
        if (self.role == "search") != (self.reference is not None):
            raise ValueError("a search, and nothing else, needs a reference: exhaustive or alphabeta")
        if (self.role == "search") != bool(self.criteria):
            raise ValueError("a search, and nothing else, needs criteria and their weights")
        if set(self.criteria) == {"time"}:
            raise ValueError("criteria: time alone judges no answer; give weights for value, action, ... too")
        if ("time" in self.criteria) != (self.target_seconds is not None):
            raise ValueError("the criterion time, and nothing else, needs target_seconds")
        return self


class AssignmentInput(Strict):
    """`tolerance`: values are equal within this much, absolute, plus this share of the expected value."""

    title: str
    limits: Limits = Limits()
    tolerance: Annotated[float, Field(ge=0, lt=1)] = TOLERANCE
    questions: Annotated[list[Question], Field(min_length=1)]
