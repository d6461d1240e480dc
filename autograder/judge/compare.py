"""Compares a submission's answer with the right one, criterion by criterion, on the grader's side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.cases.case import CRITERIA, Case, MatchInput, PositionInput, Thresholds
from autograder.cases.truth import (
    CaseTruth,
    RightMove,
    RightNodes,
    is_close,
    least_nodes,
    right_trace,
    searched_roots,
)
from autograder.judge.scorecard import Finding
from autograder.judge.submission_answer import Answer, Claim, Fault, clean
from pacman.core.errors import IllegalAction
from pacman.core.state import GameState
from pacman.core.tree import Node
from pacman.core.tree_text import number
from pacman.record.trace import Trace

COSTLESS = "costs no points"


@dataclass(frozen=True)
class Verdict:
    """What one case earned, from 0 to 1, and why.

    `missed_searches` are the numbers of the searches that lost something, from 0. `notes` are remarks that cost no
    points: the nodes came in another order, or successors were generated again.
    """

    findings: tuple[Finding, ...]
    missed_searches: tuple[int, ...] = ()
    fault: Fault | None = None
    notes: tuple[str, ...] = ()

    @property
    def earned(self) -> float:
        """The share of the case that was earned, from 0 to 1: the mean of the criteria, by their weights."""
        total_weight = sum(finding.weight for finding in self.findings)
        return sum(finding.weight * finding.earned for finding in self.findings) / total_weight


def judge(case: Case, truth: CaseTruth | None, answer: Answer) -> Verdict:
    """The verdict on an answer. An answer with a fault earns nothing, whatever came before the fault."""
    case_input, weights = case.input, case.question.criteria
    if isinstance(case_input, MatchInput):
        if answer.fault:
            return Verdict(tuple(Finding(kind, 1, 0) for kind in case_input.steps.kinds), fault=answer.fault)
        reached = tuple(_match_steps(case_input, kind, answer) for kind in case_input.steps.kinds)
        below = tuple(_below_minimum(case_input.steps, answer))
        too_few = {each.criterion for each in below}
        others = (replace(each, earned=0.0) for each in reached if each.criterion not in too_few)
        return Verdict((*below, *others) if below else reached)
    if truth is None:
        assert isinstance(case_input, PositionInput)
        assert case_input.accept is not None
        is_accepted = answer.action in case_input.accept
        got = "" if is_accepted else clean(answer.action, 40)
        expected = "" if is_accepted else _any_of(case_input.accept)
        finding = Finding("action", 1, float(is_accepted), expected, got)
        return Verdict((finding,), () if is_accepted or answer.fault else (0,), answer.fault)
    names = [name for name in CRITERIA if name in weights]
    if answer.fault:
        return Verdict(tuple(Finding(name, weights[name], 0) for name in names), fault=answer.fault)
    searches = list(zip(searched_roots(case, truth), truth.moves, answer.claims, strict=True))
    comparisons = [compare_search(case, root, plies, move, claim) for (root, plies), move, claim in searches]
    missed = tuple(index for index, each in enumerate(comparisons) if any(not each[name].earned for name in names))
    findings = [_mean([each[name] for each in comparisons], weights[name]) for name in names]
    return Verdict(tuple(findings), missed, notes=_notes(case, searches))


def _notes(case: Case, searches: Sequence[tuple[tuple[Node, int], RightMove, Claim]]) -> tuple[str, ...]:
    """At most one note on repeated successors and one on the order of the nodes, each for the first search with it."""
    notes: dict[str, str] = {}
    for (root, plies), move, claim in searches:
        trace = claim.trace
        if trace is None:
            continue
        repeated = trace.generated - trace.distinct
        first = first_repeated(trace.successors)
        if repeated > 0 and first is not None and "waste" not in notes:
            count = f"{repeated:,} successor{'s were' if repeated > 1 else ' was'} generated again"
            label = "waste" if "generated" in case.question.criteria else f"waste ({COSTLESS})"
            notes["waste"] = f"{label}: {count}; the first: {' > '.join(trace.path(first))}"
        elif not repeated and "order" not in notes:
            right = next((each for each in move.touched if each.nodes == claim.nodes), None)
            if right is not None:
                ordered = right_trace(root, plies, right.cut)
                pairs = zip(ordered.paths(), trace.paths(), strict=False)  # a forged trace may name a node twice
                difference = next(((one, other) for one, other in pairs if one != other), None)
                if difference is not None:
                    expected, got = map(" > ".join, difference)
                    notes["order"] = (
                        f"order ({COSTLESS}): the same nodes in another order; expected {expected}, got {got}"
                    )
    return tuple(notes.values())


def first_repeated(successors: Sequence[int]) -> int | None:
    """The first node that was generated a second time; None if there is none."""
    seen: set[int] = set()
    for node in successors:
        if node in seen:
            return node
        seen.add(node)
    return None


def _mean(findings: Sequence[Finding], weight: float) -> Finding:
    """One criterion over all searches of a case: the mean share, with the texts of the first miss."""
    first = next((finding for finding in findings if not finding.earned), findings[0])
    earned = sum(finding.earned for finding in findings) / len(findings)
    return Finding(first.criterion, weight, earned, first.expected, first.got)


def compare_search(case: Case, root: Node, plies: int, move: RightMove, claim: Claim) -> dict[str, Finding]:
    """The finding of every criterion for one search. If several traces are right, the one that fits best counts.

    If its value is wrong, a search earns nothing. If no value is compared, a right action of a search that generated
    enough nodes stands for the value. A search that returns no action where MAX or MIN must choose one earns nothing.
    """
    has_value = case.question.compares_value
    same_value = claim.value is not None and is_close(claim.value, move.value, case.tolerance)
    is_best = claim.action in move.best if move.best else claim.action is None
    least = 0 if not plies or root.is_terminal else min(least_nodes(root, plies, each.cut) for each in move.touched)
    is_idle = claim.trace is not None and claim.trace.distinct < least
    value = claim.value_text if claim.value is None else _value_text(claim.value)
    action = claim.choice if claim.action is None else clean(claim.action, 40)
    made = f"{claim.trace.distinct if claim.trace else 0:,}"
    if claim.trace and claim.generated != claim.trace.distinct:
        made += f" ({claim.generated:,} with repetitions)"
    few = f", but too few nodes: {made}, expected at least {least:,}"
    both = {
        "value": _finding("value", same_value, _value_text(move.value), value),
        "action": _finding("action", is_best, _any_of(move.best), action),
    }
    compare_nodes = _limited if case.question.order == "any" else _touched
    candidates = [compare_nodes(root, plies, claim, right) for right in move.touched]
    if "touched" in case.question.criteria and isinstance(root, GameState) and claim.trace is not None:
        candidates += _remembered(root, plies, claim.trace, move.touched)
    nodes = max(candidates, key=lambda findings: sum(finding.earned for finding in findings.values()))
    if is_idle and case.question.order == "any":
        nodes = {name: _finding(name, False, f"at least {least:,} generated nodes", made) for name in nodes}
    if move.best and claim.action is None:
        reason = ", but no action"
    elif has_value:
        reason = "" if same_value else ", but wrong value"
    else:
        reason = few if is_best and is_idle else "" if is_best else ", but wrong action"
    every = both | nodes
    if not reason:
        return {name: Finding(name, 1, 1) if each.earned else each for name, each in every.items()}
    return {
        name: Finding(name, 1, 0, each.expected, f"{each.got}{reason}") if each.earned else each
        for name, each in every.items()
    }


def _touched(root: Node, plies: int, claim: Claim, right: RightNodes) -> dict[str, Finding]:
    """The findings for touched, expanded and generated, against one right trace."""
    trace, others = claim.trace, ", but other nodes"
    same_nodes = same_expanded = trace is not None and claim.nodes == right.nodes
    touched = expanded = "too many to compare"
    generated = f"{claim.generated:,}"
    if trace is not None:
        touched, expanded = f"{trace.distinct + 1:,}", f"{len(trace.expanded):,}"
        if not same_nodes:
            touched += others if trace.distinct == right.generated else ""
            if len(trace.expanded) == right.expanded:  # only then they can be the same
                searched = right_trace(root, plies, right.cut)
                paths = {searched.path(node) for node in searched.expanded}
                same_expanded = paths == {trace.path(node) for node in trace.expanded}
                expanded += "" if same_expanded else others
    if trace is not None and claim.generated != trace.distinct:
        generated += f" ({claim.generated - trace.distinct:,} of them repeated)"
    elif claim.generated == right.generated and not same_nodes:
        generated += others
    once = same_nodes and claim.generated == right.generated
    return {
        "touched": _finding("touched", same_nodes, f"{right.touched:,}", touched),
        "expanded": _finding("expanded", same_expanded, f"{right.expanded:,}", expanded),
        "generated": _finding("generated", once, f"{right.generated:,}", generated),
    }


def _remembered(
    root: GameState, plies: int, trace: Trace, rights: Sequence[RightNodes]
) -> Iterator[dict[str, Finding]]:
    """The findings of a search of positions that generates the same ones as a right search, but equal ones only once.

    Nothing for any other search.
    """
    states = _states(root, trace)
    for right in rights:
        if trace.distinct < right.generated and states == _states(root, right_trace(root, plies, right.cut)):
            yield {name: Finding(name, 1, 1) for name in ("touched", "expanded", "generated")}


def _states(root: GameState, trace: Trace) -> tuple[set[GameState], set[GameState]]:
    """The different positions in a trace, and those of which a successor was generated; none for an illegal action."""
    states = [root]
    try:
        for parent, action in trace.edges():
            states.append(states[parent].successor(action))
    except IllegalAction:
        return set(), set()
    return set(states), {states[node] for node in trace.expanded}


def _limited(root: Node, plies: int, claim: Claim, right: RightNodes) -> dict[str, Finding]:
    """The findings for touched, expanded and generated, where any order of the nodes is right.

    Every node must be one of those that the exhaustive search generates. If the right search cuts, a search may
    generate half of the nodes that it leaves out. `generated` also limits repetitions: iterative deepening without cuts
    generates the most.
    """
    trace = claim.trace
    if trace is not None and claim.nodes == right.nodes and claim.generated == right.generated:
        counts = {name: f"{getattr(right, name):,}" for name in ("touched", "expanded", "generated")}
        return {name: Finding(name, 1, 1, count, count) for name, count in counts.items()}
    full = right_trace(root, plies, "none")
    paths = list(full.paths())
    deepening = sum(plies - len(path) + 1 for path in paths)
    most, most_expanded = (right.generated + len(paths)) // 2, (right.expanded + len(full.expanded)) // 2
    touched = expanded = "too many to compare"
    few = few_expanded = False
    generated = f"{claim.generated:,}"
    if trace is not None:
        outside = {*trace.paths()} - {*paths}
        where = "below the horizon" if any(len(path) > plies for path in outside) else "not in the right tree"
        note = f", some of them {where}" if outside else ""
        touched, expanded = f"{trace.distinct + 1:,}{note}", f"{len(trace.expanded):,}{note}"
        few = not outside and trace.distinct <= most
        few_expanded = not outside and len(trace.expanded) <= most_expanded
        generated += note or (f" ({trace.distinct:,} different ones)" if claim.generated != trace.distinct else "")
    limits = f"at most {most:,} different ones, {deepening:,} in all" if few else f"at most {most:,}"
    return {
        "touched": _finding("touched", few, f"at most {most + 1:,}", touched),
        "expanded": _finding("expanded", few_expanded, f"at most {most_expanded:,}", expanded),
        "generated": _finding("generated", few and claim.generated <= deepening, limits, generated),
    }


def _match_steps(match: MatchInput, kind: str, answer: Answer) -> Finding:
    """The share of a match's steps of one kind that was reached. Each step weighs the same, whatever its kind."""
    steps, results = getattr(match.steps, kind), answer.results
    wins = sum(result.outcome == "win" for result in results)
    if kind == "seconds":
        earned = sum(answer.seconds <= step for step in steps) / len(steps) if wins else 0.0
        next_step = next((step for step in steps if answer.seconds > step or not wins), None)
        expected = "" if next_step is None else f"at most {next_step:g} s, with at least 1 win"
        return Finding("time", len(steps), earned, expected, f"{answer.seconds:.2f} s")
    number_reached, got = reached(kind, answer)
    earned = sum(number_reached >= step for step in steps) / len(steps)
    next_step = next((step for step in steps if number_reached < step), None)
    expected = "" if next_step is None else f"at least {number(next_step)} for the next step"
    return Finding(kind, len(steps), earned, expected, got)


def reached(kind: str, answer: Answer) -> tuple[float, str]:
    """The number of wins or of finished games, or the mean score, also as text."""
    results = answer.results
    if kind == "mean_score":
        mean = sum(result.score for result in results) / len(results)
        return mean, f"{mean:,.1f}"
    outcomes = ("win",) if kind == "wins" else ("win", "loss")
    count = sum(result.outcome in outcomes for result in results)
    return float(count), f"{count} of {len(results)}"


def _below_minimum(steps: Thresholds, answer: Answer) -> Iterator[Finding]:
    """A finding for each minimum that was missed: then the case earns nothing."""
    for kind, least in steps.minimum.items():
        number_reached, got = reached(kind, answer)
        if number_reached < least:
            yield Finding(kind, 1, 0.0, f"at least {number(least)}; with less the case earns nothing", got)


def _finding(criterion: str, is_earned: bool, expected: str, got: str) -> Finding:
    return Finding(criterion, 1, float(is_earned), expected, got)


def _value_text(value: float) -> str:
    """A value for people: whole numbers without a point, others with nine digits."""
    return number(value) if value == int(value) else f"{value:.9g}"


def _any_of(actions: Sequence[str]) -> str:
    return " or ".join(actions) or "None"
