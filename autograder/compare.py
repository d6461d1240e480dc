"""What a claim earns. Everything is compared here, on the grader's side, criterion by criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.answer import Answer, Claim, Fault, clean
from autograder.cases import CRITERIA, Case, MatchInput, PositionInput
from autograder.reference import Move, Reference, close, nodes, roots, trace_of
from pacman.game import Result
from pacman.outline import number
from pacman.tree import Node


@dataclass(frozen=True)
class Finding:
    """One criterion: the share of it that was earned (0 to 1), and, where it is not all, what came instead."""

    criterion: str
    weight: float
    earned: float
    expected: str = ""
    got: str = ""


@dataclass(frozen=True)
class Verdict:
    """What one case earned, from 0 to 1, and why. `missed` are the numbers of the moves with a miss, from 0."""

    case: Case
    findings: tuple[Finding, ...]
    missed: tuple[int, ...] = ()
    fault: Fault | None = None

    @property
    def earned(self) -> float:
        whole = sum(finding.weight for finding in self.findings)
        return sum(finding.weight * finding.earned for finding in self.findings) / whole


def judge(case: Case, reference: Reference | None, answer: Answer) -> Verdict:
    """The verdict on an answer. What came before a fault counts for nothing."""
    said, weights = case.input, case.question.criteria
    if isinstance(said, MatchInput):
        kinds = [name for name in ("wins", "mean_score") if getattr(said.steps, name) is not None]
        if answer.fault:
            return Verdict(case, tuple(Finding(kind, 1, 0) for kind in kinds), fault=answer.fault)
        return Verdict(case, tuple(_steps(said, kind, answer.results) for kind in kinds))
    if reference is None:
        assert isinstance(said, PositionInput)
        assert said.accept is not None
        right = answer.action in said.accept
        got = "" if right else clean(answer.action, 40)
        action = Finding("action", 1, float(right), "" if right else _any_of(said.accept), got)
        return Verdict(case, (action,), () if right or answer.fault else (0,), answer.fault)
    names = [name for name in CRITERIA if name in weights]
    if answer.fault:
        return Verdict(case, tuple(Finding(name, weights[name], 0) for name in names), fault=answer.fault)
    asked = list(zip(roots(case, reference), reference.moves, answer.claims, strict=True))
    judged = [_compare(case, root, plies, move, claim) for (root, plies), move, claim in asked]
    missed = tuple(index for index, findings in enumerate(judged) if any(not findings[name].earned for name in names))
    return Verdict(case, tuple(_mean([each[name] for each in judged], weights[name]) for name in names), missed)


def _mean(findings: Sequence[Finding], weight: float) -> Finding:
    """One criterion over all moves: one slip is one slip. The first miss is the one that is shown."""
    first = next((finding for finding in findings if not finding.earned), findings[0])
    earned = sum(finding.earned for finding in findings) / len(findings)
    return Finding(first.criterion, weight, earned, first.expected, first.got)


def _compare(case: Case, root: Node, plies: int, move: Move, claim: Claim) -> dict[str, Finding]:
    """Every criterion for one search; where several traces are right, by the one that fits best."""
    found = {
        "value": _finding(
            "value", claim.value is not None and close(claim.value, move.value), _shown(move.value), _claimed(claim)
        ),
        "action": _finding(
            "action",
            claim.action in move.best if move.best else claim.action is None,
            _any_of(move.best),
            claim.choice if claim.action is None else clean(claim.action, 40),
        ),
    }
    candidates = [_touched(case, root, plies, move, claim, index) for index in range(len(move.touched))]
    return found | max(candidates, key=lambda pair: sum(finding.earned for finding in pair.values()))


def _touched(case: Case, root: Node, plies: int, move: Move, claim: Claim, index: int) -> dict[str, Finding]:
    right = move.touched[index]
    same_nodes = claim.trace is not None and nodes(claim.trace) == right.nodes
    same_expanded = same_nodes
    expanded = "too many to say"
    if claim.trace is not None:
        expanded = _count(len(claim.trace.expanded))
        if not same_nodes:
            _, trace = trace_of(case, root, plies, right.cut)
            mine = {trace.path(node) for node in trace.expanded}
            same_expanded = mine == {claim.trace.path(node) for node in claim.trace.expanded}
            if not same_expanded and len(mine) == len(claim.trace.expanded):
                expanded += ", but others"
    generated = f"{claim.generated:,}"
    if claim.trace is not None and claim.generated != claim.trace.distinct:
        generated += f" ({claim.generated - claim.trace.distinct:,} of them again)"
    elif claim.generated == right.generated and not same_nodes:
        generated += ", but others"
    once = same_nodes and claim.generated == right.generated
    return {
        "expanded": _finding("expanded", same_expanded, _count(right.expanded), expanded),
        "generated": _finding("generated", once, f"{right.generated:,}", generated),
    }


def _steps(said: MatchInput, kind: str, results: Sequence[Result]) -> Finding:
    steps = getattr(said.steps, kind)
    wins = sum(result.outcome == "win" for result in results)
    reached = float(wins) if kind == "wins" else sum(result.score for result in results) / len(results)
    earned = sum(reached >= step for step in steps) / len(steps)
    got = f"{wins} of {len(results)}" if kind == "wins" else f"{reached:,.1f}"
    missing = next((step for step in steps if reached < step), None)
    return Finding(kind, 1, earned, "" if missing is None else f"at least {number(missing)} for the next step", got)


def _finding(criterion: str, right: bool, expected: str, got: str) -> Finding:
    return Finding(criterion, 1, 1) if right else Finding(criterion, 1, 0, expected, got)


def _shown(value: float) -> str:
    """A value for people: whole numbers without a point, others with nine digits."""
    return number(value) if value == int(value) else f"{value:.9g}"


def _claimed(claim: Claim) -> str:
    return claim.said if claim.value is None else _shown(claim.value)


def _any_of(actions: Sequence[str]) -> str:
    return " or ".join(actions) or "None"


def _count(number: int) -> str:
    return f"{number:,}"
