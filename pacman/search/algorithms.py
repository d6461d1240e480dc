"""The searches by name, and `run_search`, which runs any of them and also returns the line and the statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pacman.core.errors import InputError, nearest
from pacman.core.tree import Evaluation, Layer, Node, score
from pacman.record.trace import CUTS, CountedNode, ExitReason, Path, Trace
from pacman.search.alphabeta import AlphaBeta
from pacman.search.base import Hook, Search, check_plies
from pacman.search.bounds import Bounds
from pacman.search.exhaustive import Exhaustive
from pacman.search.ordering import GIVEN, OrderedNode, make_order
from pacman.search.star1 import Star1
from pacman.search.star2 import Star2
from pacman.search.tracing import TracingHook

STAR25_PROBES = 3


@dataclass(frozen=True)
class Options:
    """The options of a search. The star searches need `bounds`. Only alpha-beta uses `strict`."""

    evaluate: Evaluation = score
    bounds: Bounds | None = None
    order: str = GIVEN
    strict: bool = False
    probes: int | None = None

    def needed_bounds(self, name: str) -> Bounds:
        """The bounds of these options. InputError if there are none."""
        if self.bounds is None:
            raise InputError(f"{name} needs bounds [L, U] on every value: give both, or use alphabeta")
        return self.bounds


DEFAULT = Options()

STARS = ("star1", "star2", "star2.5")
ALGORITHMS = ("exhaustive", "alphabeta", *STARS)
AUTO = "auto"
SAME = dict.fromkeys(("minimax", "expectimax", "expectiminimax"), "exhaustive")
"""Other names of a search: what textbooks and agents call it, by the layers of their games."""
DEEPENING = "deepening"
"""The name of iterative deepening. It is no search of `run_search`, because it runs many."""


def make_search(name: str, options: Options, hooks: Sequence[Hook] = ()) -> Search:
    """The search with this name. InputError for an unknown name, and for a star search without bounds."""
    name = SAME.get(name, name)
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
    return Star2(bounds, options.evaluate, probes, hooks)


def recommended_algorithm(node: Node, plies: int, bounds: Bounds | None) -> str:
    """The name of the algorithm that usually enters the fewest nodes. The name `auto` selects it.

    Without chance nodes or without bounds, this is alpha-beta. With both, it is Star2 if a MIN node is below a chance
    node, and Star1 if not. The function looks at one branch only, because the layers are usually the same in all.
    """
    below_chance = False
    while plies and not node.is_terminal:
        if below_chance and node.layer is Layer.MIN:
            return "star2"
        below_chance |= bounds is not None and node.layer is Layer.CHANCE
        # The first action often ends the game (a leaf beside a subtree), so follow the first one that does not.
        successors = [node.successor(action) for action in node.actions()]
        node = next((successor for successor in successors if not successor.is_terminal), successors[0])
        plies -= 1
    return "star1" if below_chance else "alphabeta"


@dataclass(frozen=True)
class Statistics:
    """The counts of a search.

    - `nodes`: different nodes that the search entered, with the root.
    - `entries`: all entries into nodes. A node can be entered twice, for example by a probe and later by the search,
      or by a table that answers for it. Papers count entries.
    - `leaves`: nodes that the search evaluated.
    - `expanded`: nodes with at least one generated successor.
    - `generated`: generated successors, repetitions included.
    - `cutoffs`: nodes that the search left early. `probe_cutoffs`: those of them that it left after probes.
    - `probes`: probed outcomes.
    - `table_hits`: entries that a table answered.
    - `depth`: the greatest depth of an entered node.
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
        """The counts of a traced search."""
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
        """The counts by their names."""
        return asdict(self)


@dataclass(frozen=True)
class SearchResult:
    """The result of a search from `root`: the value, the best action, the principal line, the statistics and trace."""

    algorithm: str
    value: float
    action: str | None
    line: Path
    statistics: Statistics
    trace: Trace
    root: Node


def run_search(name: str, node: Node, plies: int, options: Options = DEFAULT) -> SearchResult:
    """The result of the search `name` (or `auto`) on `node`, with a trace. For the value alone, call the search itself.

    The principal line takes the best action at MAX and MIN nodes and the most probable outcome (the first on a tie) at
    chance nodes, down to a leaf or to the horizon. If only a bound answered at a node, the node is searched again to
    complete the line.

    >>> from pacman.core.tree_text import Outline
    >>> result = run_search("alphabeta", Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100"), plies=2)
    >>> result.value, result.line, result.statistics.nodes
    (3, ('a',), 4)
    """
    check_plies(plies)
    algorithm = recommended_algorithm(node, plies, options.bounds) if name == AUTO else name
    trace = Trace()
    hooks: list[Hook] = [TracingHook(trace)]
    ordered_node = node
    if options.order != GIVEN:
        order = make_order(options.order)
        hooks.insert(0, order)
        ordered_node = OrderedNode(node, order)
    root = CountedNode(ordered_node, trace)
    value, action = make_search(algorithm, options, hooks).visit(root, plies)
    statistics = Statistics.of(trace)
    actions: dict[int | None, str | None] = {visit.number: visit.action for visit in trace.visits}

    def choose(node: Node, path: Path) -> str | None:
        """The action that the search chose there, or that a new search chooses if there is none."""
        number: int | None = root.number
        for action in path:
            number = None if number is None else trace.number(number, action)
        return actions.get(number) or make_search(algorithm, options).visit(node, plies - len(path)).action

    line = principal_line(ordered_node, plies, choose)
    return SearchResult(algorithm, value, action, line, statistics, trace, node)


def principal_line(node: Node, plies: int, choose: Callable[[Any, Path], str | None]) -> Path:
    """The principal line from `node`: `choose(node, path)` at MAX and MIN nodes, and the most probable outcomes."""
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
