"""What a `.solution` says, held against our own search of the same tree. A contradiction is named by file and line."""

from __future__ import annotations

from autograder.platforms.cs188.graph import Graph, line_of
from autograder.platforms.cs188.testfile import TestFile
from pacman.core.outline import Outline
from pacman.core.trace import Counted, Trace
from pacman.core.tree import Node
from pacman.search import alphabeta, exhaustive

GENERATED = ("generated", "expanded")  # the newer name and the older one; both list every state that was touched


def touched(tree: Outline, plies: int, cut: str) -> set[str]:
    """The states that our search touches, the start among them: what that project calls generated, or expanded."""
    trace = Trace()
    if cut == "none":
        exhaustive(Counted(tree, trace), plies)
    else:
        alphabeta(Counted(tree, trace), plies, strict=cut == "strict")
    nodes: list[Outline] = [tree]
    for parent, action in zip(trace.parents[1:], trace.actions[1:], strict=True):
        nodes.append(nodes[parent].successor(action))
    return {node.name for node in nodes}


def best(tree: Node, plies: int) -> list[str]:
    """Every best action of MAX."""
    values = {action: exhaustive(tree.successor(action), plies - 1).value for action in tree.actions()}
    most = max(values.values())
    return [action for action, value in values.items() if value == most]


def check_owner(solution: TestFile, test: TestFile) -> None:
    """InputError when a solution says that it is another test's."""
    name = solution.belongs.replace("\\", "/").rpartition("/")[2]
    if name and name != test.path.stem:
        raise solution.error(1, f"this is the solution of {name}.test; expected that of {test.path.name}")


def agreed_cut(solution: TestFile, graph: Graph, tree: Outline, cuts: list[str]) -> str:
    """The one of `cuts` with which our search touches what the solution says; InputError when it is none of them."""
    said = solution.said("action")
    right = best(tree, graph.plies)
    action = said.text.strip()
    if action not in tree.actions():
        actions = ", ".join(tree.actions())
        raise solution.error(
            said.line, f"the solution of another test? '{action}' is no action of the start; expected one of {actions}"
        )
    if action not in right:
        found = " or ".join(right)
        raise solution.error(said.line, f"contradiction: the solution says {action}, our search finds {found}")
    field = next((name for name in GENERATED if name in solution.fields), GENERATED[0])
    listed = solution.said(field)
    names = set(listed.text.split())
    if strangers := sorted(names - graph.states):
        line = line_of(listed, strangers[0])
        raise solution.error(
            line, f"the solution of another test? {graph.file.path.name} has no state '{strangers[0]}'"
        )
    for cut in cuts:
        ours = touched(tree, graph.plies, cut)
        if names == ours:
            return cut
    ours = touched(tree, graph.plies, cuts[0])
    raise solution.error(listed.line, f"contradiction: {_difference(names, ours)}")


def _difference(theirs: set[str], ours: set[str]) -> str:
    parts = []
    for more, less, who in ((theirs, ours, "the solution"), (ours, theirs, "our search")):
        if only := sorted(more - less):
            parts.append(f"{who} alone touches {', '.join(only[:5])}{' ...' if len(only) > 5 else ''}")
    return "; ".join(parts)
