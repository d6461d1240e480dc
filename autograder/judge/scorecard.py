"""The whole result of grading one submission, as plain values that can be written, read and compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pacman.core.errors import counted

VERSION = 5
HIDDEN = "hidden"
"""The kind of a hidden case in the results that a student sees."""
UNGRADED = "ungraded"
"""The fault of a case on which the grader itself failed. It has no points yet, and the scorecard is not final."""
PRACTICE_NOTE = "some hidden cases are drawn for practice; a course draws others with its key (--key FILE)"


@dataclass(frozen=True)
class Finding:
    """One criterion: the share that was earned (0 to 1) and, for a lost share, what was expected and what came."""

    criterion: str
    weight: float
    earned: float
    expected: str = ""
    got: str = ""


@dataclass(frozen=True)
class NodeRow:
    """What a drawing of a tree says about the node at the end of a path: the right value, and the submission's.

    Both are text: a number, a bound, or for example "pruned". The `window` is "" if there is none. The row `differs` if
    no right search returns the submission's value, or if only one of the two searches has seen the node. The `kind` of
    the node is its layer, or for example "win leaf"; below a CHANCE node it has a `probability`.
    """

    path: tuple[str, ...]
    expected: str
    got: str
    window: str = ""
    differs: bool = False
    kind: str = ""
    probability: str = ""


@dataclass(frozen=True)
class Diagram:
    """What a picture of a case is made from. `start` is a tree in outline or a position, as text; "" if none is drawn.

    Of a tree that is searched some `plies` deep, `rows` say what is right and what the submission did; `marked` is the
    path of the first wrong node, and `cut` says how the right alpha-beta cuts, "equal" or "strict" ("" if it makes all
    nodes). Of the game with the number `game`, `moves` are the actions of all agents in order, with a space between two
    of them. `games` are all games of a match: number, outcome, score and plies. `values` are those that the submission
    gives the actions in the position, or before the last move of the game; None if it gives none. `notes` are sentences
    to show beside the picture.
    """

    start: str
    plies: int = 0
    rows: tuple[NodeRow, ...] = ()
    marked: tuple[str, ...] | None = None
    game: int = 0
    moves: str = ""
    games: tuple[tuple[int, str, int, int], ...] = ()
    values: tuple[tuple[str, float], ...] | None = None
    cut: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class WrongStep:
    """The first wrong step of a search, in the student's own code.

    `line` of `file` ("" for the file that was handed in) broke a rule in `function`, at the `node` of the smallest tree
    with this `layer` ("" at the end of the game) and so many plies left. The lines `also` decide about it. `code` are
    the lines around with their numbers, `columns` and `rows` a table of the successors of the node. `words` say what
    was expected there and what the code did; `proof` says what the search answers with the right value in this place,
    and `extent` at how many other nodes the same happens; both may be empty.
    """

    file: str
    line: int
    function: str
    node: str
    layer: str
    plies_left: int
    words: str
    proof: str = ""
    extent: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    code: tuple[tuple[int, str], ...] = ()
    also: tuple[int, ...] = ()

    @property
    def place(self) -> str:
        """Where it is, for a heading: "line 31, in min_value, at node Stop (MIN, 1 ply left)"."""
        file = f"{self.file}, " if self.file else ""
        kind = f"{self.layer}, {counted(self.plies_left, 'ply')} left" if self.layer else "the end of the game"
        return f"{file}line {self.line}, in {self.function}, at {self.node} ({kind})"


@dataclass(frozen=True)
class Diagnosis:
    """What the diagnosis of a part found out about its search.

    `sentences` say what is wrong, the first one first. `mistakes` are their names, for counting; there are none if no
    mistake predicts all answers. `hint` is a question that leads to the mistake. `smallest` is the smallest tree (or a
    position) on which the submission fails; `command` runs the submission on it, and is "" if there is no short one.
    `step` is the first wrong step of the search on this tree, if one was seen.
    """

    sentences: tuple[str, ...]
    hint: str
    mistakes: tuple[str, ...]
    smallest: Diagram | None = None
    step: WrongStep | None = None
    command: str = ""


@dataclass(frozen=True)
class CaseScore:
    """The score of one case. `earned` is from 0 to 1.

    A fault has a `message`, and a `fault_detail` that is equal in cases with the same cause; of a part that is not
    written, it is the name. `at_import` is True if the file could not be imported. A miss has `why` and a `diagram`.
    `case_command` runs the case again; for a lost game of a match, `command` shows that game again. `notes` are remarks
    that cost no points. A `hidden` case earns all or nothing. A student sees only how many of them there are and how
    many were passed: see `Scorecard.public`.
    """

    id: str
    kind: str
    shows: str
    weight: float
    earned: float
    lost: tuple[Finding, ...] = ()
    fault: str = ""
    message: str = ""
    why: str = ""
    output: str = ""
    seconds: float = 0.0
    hidden: bool = False
    notes: tuple[str, ...] = ()
    command: str = ""
    case_command: str = ""
    diagram: Diagram | None = None
    fault_detail: str = ""
    at_import: bool = False

    @property
    def is_ungraded(self) -> bool:
        """True if the grader itself failed on this case."""
        return self.fault == UNGRADED

    def with_commands(self, rewrite: Callable[[str], str]) -> CaseScore:
        """The score with its commands rewritten, also those in its advice."""
        command, case_command, why = map(rewrite, (self.command, self.case_command, self.why))
        return replace(self, command=command, case_command=case_command, why=why)


@dataclass(frozen=True)
class QuestionScore:
    """The score of one question. A question with a `withheld` reason earns nothing, whatever its cases earned.

    The points of an `extra` question are not in the total. `part` is the class or the function that it grades.
    """

    id: str
    title: str
    points: float
    cases: tuple[CaseScore, ...]
    diagnosis: Diagnosis | None = None
    extra: bool = False
    withheld: str = ""
    part: str = ""

    @property
    def share(self) -> float:
        """The share of the points that was earned: the mean of the cases, by their weights."""
        if self.withheld:
            return 0
        total_weight = sum(case.weight for case in self.cases)
        return sum(case.weight * case.earned for case in self.cases) / total_weight

    @property
    def earned(self) -> float:
        """The points that were earned."""
        return self.points * self.share

    @property
    def is_full(self) -> bool:
        """True if the question earned all its points."""
        return not self.withheld and all(case.earned == 1 for case in self.cases)


@dataclass(frozen=True)
class Scorecard:
    """The scores of all questions of one submission. `level` says how it was sandboxed, `seconds` how long it took.

    `notes` say which of its files were ignored. `key_digest` is the SHA-256 of the key from which the games came; it is
    empty for practice games. The results of two gradings can be compared only if it is the same. `hidden_seconds` is
    the part of the seconds for hidden cases.
    """

    assignment: str
    title: str
    submission: str
    level: str
    questions: tuple[QuestionScore, ...]
    seconds: float
    notes: tuple[str, ...] = ()
    key_digest: str = ""
    hidden_seconds: float = 0.0

    @property
    def conditions(self) -> str:
        """How it was graded, for people: the level of the sandbox, and the key of the games if there is one."""
        return f"{self.level}; games drawn from key {self.key_digest[:12]}" if self.key_digest else self.level

    @property
    def points(self) -> float:
        """The points that can be earned, without those of extra questions."""
        return sum(question.points for question in self.questions if not question.extra)

    @property
    def earned(self) -> float:
        """The points that were earned, with those of extra questions."""
        return sum(question.earned for question in self.questions)

    @property
    def is_full(self) -> bool:
        """True if every question earned all its points."""
        return all(question.is_full for question in self.questions)

    @property
    def is_final(self) -> bool:
        """False if a case is ungraded. Then somebody has to grade again before the points count."""
        return not any(case.is_ungraded for question in self.questions for case in question.cases)

    def public(self) -> Scorecard:
        """The scorecard that a student may see. Of hidden cases it shows only how many were passed and failed."""
        seconds = round(self.seconds - self.hidden_seconds, 3)
        questions = tuple(_public(question) for question in self.questions)
        return replace(self, questions=questions, seconds=seconds, hidden_seconds=0.0)

    def with_commands(self, rewrite: Callable[[str], str]) -> Scorecard:
        """The scorecard with its commands rewritten, for example to the form in which its reader starts the grader."""

        def rewritten(found: Diagnosis) -> Diagnosis:
            return replace(found, hint=rewrite(found.hint), command=rewrite(found.command))

        cases = [tuple(case.with_commands(rewrite) for case in question.cases) for question in self.questions]
        diagnoses = [question.diagnosis and rewritten(question.diagnosis) for question in self.questions]
        rows = zip(self.questions, cases, diagnoses, strict=True)
        questions = tuple(replace(question, cases=some, diagnosis=found) for question, some, found in rows)
        return replace(self, questions=questions)


def _public(question: QuestionScore) -> QuestionScore:
    """The question with anonymous hidden cases: the passed ones first, then the failed ones, all with one weight."""
    hidden = [case for case in question.cases if case.hidden]
    passed = sum(case.earned == 1 for case in hidden)
    anonymous = [
        CaseScore(
            f"{question.id}/hidden-{number + 1}",
            HIDDEN,
            "a hidden case",
            sum(case.weight for case in hidden) / len(hidden),
            earned=float(number < passed),
            hidden=True,
        )
        for number in range(len(hidden))
    ]
    return replace(question, cases=(*(case for case in question.cases if not case.hidden), *anonymous))
