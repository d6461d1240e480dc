"""What a claim earns. Everything is compared here, on the grader's side, criterion by criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.cases.case import CRITERIA, Case, MatchInput, PositionInput
from autograder.cases.reference import (
    Move,
    Reference,
    ReferenceCounts,
    is_close,
    nodes_digest,
    reference_trace,
    searched_roots,
)
from autograder.judge.scorecard import Finding
from autograder.judge.submission_answer import Answer, Claim, Fault, clean
from pacman.core.outline import number
from pacman.core.tree import Node


@dataclass(frozen=True)
class Verdict:
    """What one case earned, from 0 to 1, and why. `missed` are the numbers of the moves with a miss, from 0.

    `notes` are what is worth saying and costs nothing by itself: another order, successors made again.
    """

    findings: tuple[Finding, ...]
    missed: tuple[int, ...] = ()
    fault: Fault | None = None
    notes: tuple[str, ...] = ()

    @property
    def earned(self) -> float:
        whole = sum(finding.weight for finding in self.findings)
        return sum(finding.weight * finding.earned for finding in self.findings) / whole


def judge(case: Case, reference: Reference | None, answer: Answer) -> Verdict:
    """The verdict on an answer. What came before a fault counts for nothing."""
    said, weights = case.input, case.question.criteria
    if isinstance(said, MatchInput):
        kinds = [name for name in ("wins", "mean_score", "seconds") if getattr(said.steps, name) is not None]
        if answer.fault:
            return Verdict(tuple(Finding(kind, 1, 0) for kind in kinds), fault=answer.fault)
        return Verdict(tuple(_steps(said, kind, answer) for kind in kinds))
    if reference is None:
        assert isinstance(said, PositionInput)
        assert said.accept is not None
        right = answer.action in said.accept
        got = "" if right else clean(answer.action, 40)
        action = Finding("action", 1, float(right), "" if right else _any_of(said.accept), got)
        return Verdict((action,), () if right or answer.fault else (0,), answer.fault)
    names = [name for name in CRITERIA if name in weights]
    if answer.fault:
        return Verdict(tuple(Finding(name, weights[name], 0) for name in names), fault=answer.fault)
    asked = list(zip(searched_roots(case, reference), reference.moves, answer.claims, strict=True))
    judged = [compare_search(case, root, plies, move, claim) for (root, plies), move, claim in asked]
    searched = [name for name in names if name != "time"]
    missed = tuple(index for index, each in enumerate(judged) if any(not each[name].earned for name in searched))
    findings = [_mean([each[name] for each in judged], weights[name]) for name in searched]
    if "time" in names:
        findings.append(_time(case, judged, answer, weights["time"]))
    return Verdict(tuple(findings), missed, notes=_notes(case, asked))


def is_right(case: Case, root: Node, plies: int, move: Move, claim: Claim) -> bool:
    """True when one search loses nothing but, perhaps, time."""
    each = compare_search(case, root, plies, move, claim)
    return all(each[name].earned for name in case.question.criteria if name != "time")


def _time(case: Case, judged: Sequence[dict[str, Finding]], answer: Answer, weight: float) -> Finding:
    """Earned within the target, by a right answer: a wrong one is not quick."""
    target = case.target_seconds
    assert target is not None
    right = all(each[name].earned for each in judged for name in ("value", "action") if name in case.question.criteria)
    if right and answer.seconds <= target:
        return Finding("time", weight, 1)
    return Finding(
        "time", weight, 0, f"at most {target:g} s", f"{answer.seconds:.2f} s{'' if right else ', but wrong'}"
    )


def _notes(case: Case, asked: Sequence[tuple[tuple[Node, int], Move, Claim]]) -> tuple[str, ...]:
    """Waste and order, of the first search that has something to say of each."""
    notes: dict[str, str] = {}
    for (root, plies), move, claim in asked:
        trace = claim.trace
        if trace is None:
            continue
        again = trace.generated - trace.distinct
        first = _first_again(trace.successors)
        if again > 0 and first is not None and "waste" not in notes:
            notes["waste"] = f"waste: {again:,} successors were made again, first {' > '.join(trace.path(first))}"
        elif not again and "order" not in notes:
            right = next((each for each in move.touched if each.nodes == nodes_digest(trace)), None)
            if right is not None:
                mine = reference_trace(root, plies, right.cut)
                pairs = zip(mine.paths(), trace.paths(), strict=False)  # a forged trace may name a node twice
                parted = next(((one, other) for one, other in pairs if one != other), None)
                if parted is not None:
                    due, came = map(" > ".join, parted)
                    notes["order"] = f"order: the same nodes; {came} came where {due} was due"
    return tuple(notes.values())


def _first_again(made: Sequence[int]) -> int | None:
    """The first node that was made a second time."""
    seen: set[int] = set()
    for node in made:
        if node in seen:
            return node
        seen.add(node)
    return None


def _mean(findings: Sequence[Finding], weight: float) -> Finding:
    """One criterion over all moves: one slip is one slip. The first miss is the one that is shown."""
    first = next((finding for finding in findings if not finding.earned), findings[0])
    earned = sum(finding.earned for finding in findings) / len(findings)
    return Finding(first.criterion, weight, earned, first.expected, first.got)


def compare_search(case: Case, root: Node, plies: int, move: Move, claim: Claim) -> dict[str, Finding]:
    """Every criterion for one search; where several traces are right, by the one that fits best."""
    same = claim.value is not None and is_close(claim.value, move.value, case.tolerance)
    chosen = claim.action in move.best if move.best else claim.action is None
    value = claim.value_text if claim.value is None else _shown(claim.value)
    choice = claim.choice if claim.action is None else clean(claim.action, 40)
    both = {
        "value": _finding("value", same, _shown(move.value), value),
        "action": _finding("action", chosen, _any_of(move.best), choice),
    }
    candidates = [_touched(root, plies, claim, right) for right in move.touched]
    return both | max(candidates, key=lambda pair: sum(finding.earned for finding in pair.values()))


def _touched(root: Node, plies: int, claim: Claim, right: ReferenceCounts) -> dict[str, Finding]:
    trace, others = claim.trace, ", but others"
    same_nodes = same_expanded = trace is not None and nodes_digest(trace) == right.nodes
    touched = expanded = "too many to say"
    generated = f"{claim.generated:,}"
    if trace is not None:
        touched, expanded = f"{trace.distinct + 1:,}", f"{len(trace.expanded):,}"
        if not same_nodes:
            touched += others if trace.distinct == right.generated else ""
            reference = reference_trace(root, plies, right.cut)
            mine = {reference.path(node) for node in reference.expanded}
            if len(mine) == len(trace.expanded):  # else not worth naming: a claim may be of any size
                same_expanded = mine == {trace.path(node) for node in trace.expanded}
                expanded += "" if same_expanded else others
    if trace is not None and claim.generated != trace.distinct:
        generated += f" ({claim.generated - trace.distinct:,} of them waste: made again)"
    elif claim.generated == right.generated and not same_nodes:
        generated += others
    once = same_nodes and claim.generated == right.generated
    return {
        "touched": _finding("touched", same_nodes, f"{right.generated + 1:,}", touched),
        "expanded": _finding("expanded", same_expanded, f"{right.expanded:,}", expanded),
        "generated": _finding("generated", once, f"{right.generated:,}", generated),
    }


def _steps(said: MatchInput, kind: str, answer: Answer) -> Finding:
    steps, results = getattr(said.steps, kind), answer.results
    wins = sum(result.outcome == "win" for result in results)
    if kind == "seconds":
        earned = sum(answer.seconds <= step for step in steps) / len(steps) if wins else 0.0
        missing = next((step for step in steps if answer.seconds > step or not wins), None)
        expected = "" if missing is None else f"at most {missing:g} s, and a win"
        return Finding("time", 1, earned, expected, f"{answer.seconds:.2f} s")
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


def _any_of(actions: Sequence[str]) -> str:
    return " or ".join(actions) or "None"
