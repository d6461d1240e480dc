"""The searches by name, and one way to run any of them that also tells the whole line and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer
from pacman.core.trace import CUTS, CountedNode, ExitReason, Path, Trace
from pacman.core.tree import Evaluation, Node, score
from pacman.search.alphabeta import AlphaBeta
from pacman.search.base import Hook, Search, check_plies
from pacman.search.bounds import Bounds, declared_bounds
from pacman.search.exhaustive import Exhaustive
from pacman.search.ordering import GIVEN, OrderedNode, order_named
from pacman.search.star1 import Star1
from pacman.search.star2 import Star2
from pacman.search.tracing import TracingHook

STAR25_PROBES = 3


@dataclass(frozen=True)
class Options:
    """What the searches can be told. `bounds` are needed by the star searches, `strict` is alpha-beta's alone."""

    evaluate: Evaluation = score
    bounds: Bounds | None = None
    order: str = GIVEN
    strict: bool = False
    probes: int | None = None
    cyclic: bool = False

    def needed_bounds(self, name: str) -> Bounds:
        """The bounds given, or those that the evaluation declares; InputError if there are none."""
        bounds = self.bounds or declared_bounds(self.evaluate)
        if bounds is None:
            raise InputError(f"{name} needs bounds [L, U] on every value: give both, or use alphabeta")
        return bounds


DEFAULT = Options()


STARS = ("star1", "star2", "star2.5")
ALGORITHMS = ("exhaustive", "alphabeta", *STARS)
AUTO = "auto"


def make_search(name: str, options: Options, hooks: Sequence[Hook] = ()) -> Search:
    """The search of that name; InputError for an unknown one, or for a star search without bounds."""
    if name not in ALGORITHMS:
        raise InputError(f"no algorithm '{name}': {nearest(name, [*ALGORITHMS, AUTO])}")
    if name == "exhaustive":
        return Exhaustive(options.evaluate, hooks)
    if name == "alphabeta":
        return AlphaBeta(options.evaluate, options.strict, hooks)
    bounds = options.needed_bounds(name)
    if name == "star1":
        return Star1(bounds, options.evaluate, hooks)
    probes = options.probes or (STAR25_PROBES if name == "star2.5" else 1)
    return Star2(bounds, options.evaluate, probes, options.cyclic, hooks)


def recommended_algorithm(node: Node, plies: int, bounds: Bounds | None) -> str:
    """The algorithm that enters the fewest nodes as a rule: what `auto` means.

    Without a chance node, or without bounds, that is alpha-beta; with both Star1, and Star2 once a MIN node lies
    below a chance node. Looks along the first branches only, since layers are mostly the same in all.
    """
    below_chance = False
    while plies and not node.is_terminal:
        if below_chance and node.layer is Layer.MIN:
            return "star2"
        below_chance |= bounds is not None and node.layer is Layer.CHANCE
        # The first action is often the end of the game (a leaf drawn beside a subtree): take one that goes on.
        successors = [node.successor(action) for action in node.actions()]
        node = next((successor for successor in successors if not successor.is_terminal), successors[0])
        plies -= 1
    return "star1" if below_chance else "alphabeta"


@dataclass(frozen=True)
class Statistics:
    """What a search touched.

    `nodes` were entered, the root included; `entries` counts again a node that is entered again, as when an
    outcome was probed and is then searched, or a table answers for it, which is how papers count. `leaves` were
    evaluated; `expanded` had a successor made, `generated` counts those successors, repeats included. `cutoffs`
    nodes were left early, `probe_cutoffs` of them by probes;
    `probes` outcomes were probed; `table_hits` were answered by a table; `depth` is the greatest one entered.
    """

    nodes: int
    entries: int
    leaves: int
    expanded: int
    generated: int
    cutoffs: int
    probes: int
    probe_cutoffs: int
    table_hits: int
    depth: int

    @classmethod
    def of(cls, trace: Trace) -> Statistics:
        why = [visit.why for visit in trace.visits]
        entered = {visit.number for visit in trace.visits}
        depths = [0]
        for parent in trace.parents[1:]:
            depths.append(depths[parent] + 1)
        return cls(
            nodes=len(entered),
            entries=len(trace.visits),
            leaves=why.count(ExitReason.LEAF),
            expanded=len(trace.expanded),
            generated=trace.generated,
            cutoffs=sum(reason in CUTS for reason in why),
            probes=why.count(ExitReason.PROBED),
            probe_cutoffs=why.count(ExitReason.PROBE_CUT),
            table_hits=why.count(ExitReason.KNOWN),
            depth=max(depths[number] for number in entered),
        )

    def as_json(self) -> dict[str, int]:
        return asdict(self)


@dataclass(frozen=True)
class SearchResult:
    """What a search found from `root`: the value, the first action, the whole principal line, and what it took."""

    algorithm: str
    value: float
    action: str | None
    line: Path
    statistics: Statistics
    trace: Trace
    root: Node


def run_search(name: str, node: Node, plies: int, options: Options = DEFAULT) -> SearchResult:
    """Runs the search of that name (or `auto`) on `node`, watched. For the value alone, call the search itself.

    The line follows the chosen action at MAX and MIN nodes and the most probable one (the first on a tie) at
    chance nodes, to a leaf or the horizon. Where a bound alone answered, it is searched again to complete the line.

    >>> from pacman.core.outline import Outline
    >>> result = run_search("alphabeta", Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100"), plies=2)
    >>> result.value, result.line, result.statistics.nodes
    (3, ('a',), 4)
    """
    check_plies(plies)
    options = replace(options, bounds=options.bounds or declared_bounds(options.evaluate))
    chosen = recommended_algorithm(node, plies, options.bounds) if name == AUTO else name
    trace = Trace()
    hooks: list[Hook] = [TracingHook(trace)]
    ordered = node
    if options.order != GIVEN:
        order = order_named(options.order)
        hooks.insert(0, order)
        ordered = OrderedNode(node, order)
    root = CountedNode(ordered, trace)
    value, action = make_search(chosen, options, hooks).visit(root, plies)
    statistics = Statistics.of(trace)
    actions: dict[int | None, str | None] = {visit.number: visit.action for visit in trace.visits}

    def choose(node: Node, path: Path) -> str | None:
        """What the search chose there, or chooses now if it did not say."""
        number: int | None = root.number
        for action in path:
            number = None if number is None else trace.number(number, action)
        return actions.get(number) or make_search(chosen, options).visit(node, plies - len(path)).action

    return SearchResult(chosen, value, action, principal_line(ordered, plies, choose), statistics, trace, node)


def principal_line(node: Node, plies: int, choose: Callable[[Any, Path], str | None]) -> Path:
    """The actions expected from `node` on: what `choose` says of each node and the path to it, or the likeliest."""
    line: Path = ()
    while len(line) < plies and not node.is_terminal:
        if node.layer is Layer.CHANCE:
            action: str | None = max(node.outcomes(), key=lambda outcome: outcome[1])[0]
        else:
            action = choose(node, line)
        assert action is not None
        line = (*line, action)
        node = node.successor(action)
    return line
