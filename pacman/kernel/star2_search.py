"""The compiled Star2 and Star2.5: the same searches as `pacman.search.star2`, with constant or natural bounds.

The search stores the results of a probe until it leaves the CHANCE node, as the Python search does. Consecutive CHANCE
nodes, their outcomes and the moves of their outcomes form one small tree; `Probes` has one such tree per ply.
A node can be entered twice, once by a probe and once for its own value. So a table stores which nodes were entered.

Each node on the stack has one task at a time. For that task `next_move`, `next_probe`, `next_probe_move` or
`next_outcome` returns the next step, and `star2` executes it.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from pacman.kernel import constants, node
from pacman.kernel.arrays import Answer, Choice, Probes, Work
from pacman.kernel.constants import CHANCE, ENTRIES, GENERATED, IS_SCORE, MAX, MIN, OUTCOME, WIDEST
from pacman.kernel.jit import compiled, inlined
from pacman.kernel.moves import count_actions, evaluate, make, unmake
from pacman.kernel.natural_bounds import bounds, leaf_bounds

SEARCH_MOVES, PROBE_OUTCOMES, PROBE_NESTED, PROBE_MOVES, SEARCH_OUTCOMES = range(5)
"""The task at a node of the stack.

- SEARCH_MOVES: search the moves of a MAX or MIN node.
- PROBE_OUTCOMES: probe the outcomes of a CHANCE node.
- PROBE_NESTED: probe the outcomes of a CHANCE node that is an outcome of another one, as if the two were one node.
- PROBE_MOVES: search some moves of an outcome, as a probe.
- SEARCH_OUTCOMES: search the outcomes of a CHANCE node.
"""

UNKNOWN, IS_GENERATED, HAS_INTERVAL = range(3)
"""What a probe has stored for a node: nothing; that it was generated; an interval (CHANCE node: of its outcomes)."""

ENTERED_BITS, SEARCHED_BITS, GENERATED_BITS = 0, WIDEST, 2 * WIDEST
"""The first bits of three groups in `Probes.bits`; each group has one bit per successor."""

REPEAT, FOLLOW, ENTER, USE_VALUE, LEAVE, END_PROBE, STOP = range(7)
"""The kinds of steps.

- REPEAT: ask for the next step at the same node.
- FOLLOW: generate and follow a successor.
- ENTER: continue at the successor, which was just entered.
- USE_VALUE: use the value of the successor.
- LEAVE: leave the node with its value.
- END_PROBE: end the probe of the node.
- STOP: stop the search, since a leaf lies outside its bounds.
"""


class Step(NamedTuple):
    """The next step at a node. For USE_VALUE and LEAVE it has a value; `is_score` is IS_SCORE for the score of a leaf.

    FOLLOW follows the action before `stack.next_choice`, in the window (`stack.child_alpha`, `stack.child_beta`).
    """

    kind: int
    value: float
    is_score: int


@compiled
def star2(work: Work, probes: Probes, plies: int) -> Answer:
    """The result of Star2 with a full window at the root, whose turn is the first one of `work.turns`."""
    position, stack, counts = work.position, work.stack, work.counts
    for field in range(counts.size):
        counts[field] = 0
    counts[constants.NODES] = counts[ENTRIES] = 1
    if plies == 0 or position.rows[0, OUTCOME]:
        counts[constants.LEAVES] = 1
        return node.root_leaf(work)
    probes.number[0], probes.slot[0], probes.tree[0] = 0, find_slot(probes, 0), -1
    probes.keys[probes.slot[0]] = 1
    counts[constants.FILLED] = 1
    lo, hi = bounds(work, 0)
    enter_node(work, probes, 0, -inf, inf, lo, hi)
    depth, value, is_score, has_new_value, is_over, is_within_bounds = 0, 0.0, 0, False, False, True
    while 2 * counts[constants.FILLED] <= probes.keys.size and not is_over:
        task = probes.task[depth]
        if has_new_value:
            use_value(work, probes, depth, task, value, is_score)
        if task == SEARCH_MOVES:
            step = next_move(work, probes, depth)
        elif task == SEARCH_OUTCOMES:
            step = next_outcome(work, probes, depth)
        elif task == PROBE_MOVES:
            step = next_probe_move(work, probes, depth)
        else:
            step = next_probe(work, probes, depth, task, plies)
        if step.kind == FOLLOW:
            step = generate_successor(work, probes, depth, plies, task)
        value, is_score, has_new_value = step.value, step.is_score, step.kind == USE_VALUE
        if step.kind == ENTER:
            depth += 1
        elif step.kind == END_PROBE:
            unmake(position, depth, stack.eaten[depth])
            generated_before = probes.generated_before[depth]
            depth -= 1
            if counts[GENERATED] > generated_before:
                counts[ENTRIES] += 1
                counts[constants.PROBES] += 1
                mark_entered(work, probes, depth, stack.next_choice[depth] - 1)
        elif step.kind == LEAVE:
            count_exit(work, probes, depth, value, stack.alpha[depth], stack.beta[depth])
            if depth == 0:
                stack.value[0], is_over = value, True
            else:
                unmake(position, depth, stack.eaten[depth])
                depth -= 1
                has_new_value = True
        elif step.kind == STOP:
            is_over, is_within_bounds = True, False
    return node.answer(work, depth, 0, is_within_bounds, is_over)


@inlined
def use_value(work: Work, probes: Probes, depth: int, task: int, value: float, is_score: int) -> None:
    """Uses the value of the last successor for the node at `depth`."""
    stack, layer, last = work.stack, work.turns.layer[depth], work.stack.next_choice[depth] - 1
    if task == SEARCH_MOVES:
        node.add_value(work, depth, layer, value, is_score)
        node.narrow_window(stack, depth, layer, value, False)
        return
    chance_node = outcomes(work, probes, depth)
    node.tighten_interval(chance_node, last, value, stack.child_alpha[depth], stack.child_beta[depth])
    if task == PROBE_MOVES:
        row, own, move = chance_node.row, probes.tree_node[depth], chance_node.base + last
        probes.state[row, move] = HAS_INTERVAL
        if layer == MIN:
            chance_node.hi[row, own] = min(chance_node.hi[row, own], chance_node.hi[row, move])
        else:
            chance_node.lo[row, own] = max(chance_node.lo[row, own], chance_node.lo[row, move])


@inlined
def next_move(work: Work, probes: Probes, depth: int) -> Step:
    """The next step at a MAX or MIN node: its next move; if a probe's interval is enough, no search of the move."""
    stack, row, own = work.stack, probes.tree[depth], probes.tree_node[depth]
    choice, alpha, beta = stack.next_choice[depth], stack.alpha[depth], stack.beta[depth]
    if choice == stack.action_count[depth]:
        return Step(LEAVE, stack.value[depth], stack.best_choice[depth] & IS_SCORE)
    stack.next_choice[depth] = choice + 1
    stack.child_alpha[depth], stack.child_beta[depth] = alpha, beta
    if row >= 0 and probes.state[row, own] != UNKNOWN:
        move = WIDEST * own + 1 + choice
        if probes.state[row, move] == HAS_INTERVAL:
            lo, hi = probes.lo[row, move], probes.hi[row, move]
            if hi <= alpha or lo == hi or lo >= beta:
                work.counts[ENTRIES] += 1
                work.counts[constants.TABLE_HITS] += 1
                return Step(USE_VALUE, hi if hi <= alpha or lo == hi else lo, 0)
    return Step(FOLLOW, 0.0, 0)


@inlined
def next_outcome(work: Work, probes: Probes, depth: int) -> Step:
    """The next step at a CHANCE node after its probes: its next outcome, or LEAVE once the bounds are enough."""
    stack, chance_node = work.stack, outcomes(work, probes, depth)
    choice, alpha, beta = stack.next_choice[depth], stack.alpha[depth], stack.beta[depth]
    is_enough, value = node.check_outcomes(chance_node, alpha, beta)
    if is_enough or choice == chance_node.size:
        return Step(LEAVE, value, 0)
    stack.next_choice[depth] = choice + 1
    stack.child_alpha[depth], stack.child_beta[depth] = node.window(chance_node, choice, alpha, beta)
    return Step(FOLLOW, 0.0, 0)


@inlined
def next_probe_move(work: Work, probes: Probes, depth: int) -> Step:
    """The next step in the probe of an outcome: the next move of this turn that can narrow the outcome's interval."""
    stack, row, own = work.stack, probes.tree[depth], probes.tree_node[depth]
    alpha, beta = stack.alpha[depth], stack.beta[depth]
    limit = min(stack.action_count[depth], probes.moves_per_turn * (probes.turn[depth] + 1))
    while stack.next_choice[depth] < limit:
        stack.next_choice[depth] += 1
        if work.turns.layer[depth] == MIN:
            beta = probes.hi[row, own]
        else:
            alpha = probes.lo[row, own]
        if alpha < beta:
            stack.child_alpha[depth], stack.child_beta[depth] = alpha, beta
            return Step(FOLLOW, 0.0, 0)
    return Step(END_PROBE, 0.0, 0)


@inlined
def next_probe(work: Work, probes: Probes, depth: int, task: int, plies: int) -> Step:
    """The next step at a CHANCE node before the search of its outcomes: generate, bound and probe its next outcome.

    The first outcome of a layer that is useless to probe ends the turn, since its siblings mostly have the same layer.
    """
    stack, chance_node = work.stack, outcomes(work, probes, depth)
    has_use = probes.needs_upper[depth] or probes.needs_lower[depth]
    has_next = has_use and depth + 1 < plies and stack.next_choice[depth] < chance_node.size
    if has_next and not node.check_outcomes(chance_node, stack.alpha[depth], stack.beta[depth])[0]:
        kind = probe(work, probes, depth, chance_node)
        if kind != END_PROBE:
            return Step(kind, 0.0, 0)
    if task == PROBE_NESTED:
        row, own = chance_node.row, probes.tree_node[depth]
        chance_node.lo[row, own] = max(chance_node.lo[row, own], node.lower_mean(chance_node))
        chance_node.hi[row, own] = min(chance_node.hi[row, own], node.upper_mean(chance_node))
        return Step(END_PROBE, 0.0, 0)
    probes.turn[depth] += 1
    stack.next_choice[depth] = 0
    if probes.turn[depth] == probes.turns:
        probes.task[depth] = SEARCH_OUTCOMES
    return Step(REPEAT, 0.0, 0)


@inlined
def probe(work: Work, probes: Probes, depth: int, chance_node: node.Outcomes) -> int:
    """Generates and bounds the next outcome.

    Returns ENTER if it was entered, REPEAT if it needs no probe, and END_PROBE if a probe of its layer is useless.
    """
    position, stack = work.position, work.stack
    row, choice, after, layer = chance_node.row, stack.next_choice[depth], depth + 1, work.turns.layer[depth + 1]
    number = chance_node.base + choice
    stack.next_choice[depth] = choice + 1
    if chance_node.lo[row, number] == chance_node.hi[row, number]:
        return REPEAT
    eaten = make(position, depth, work.turns.agent[depth], choice)
    if probes.state[row, number] == UNKNOWN:
        probes.state[row, number] = IS_GENERATED
        mark_generated(work, probes, depth, choice)
        if layer != CHANCE:
            for move in range(WIDEST):
                probes.state[row, WIDEST * number + 1 + move] = UNKNOWN
    is_terminal = position.rows[after, OUTCOME] != 0
    if is_terminal:
        lo, hi = leaf_bounds(work, evaluate(position, after, work.weights))
    else:
        lo, hi = bounds(work, after)
    chance_node.lo[row, number] = max(chance_node.lo[row, number], lo)
    chance_node.hi[row, number] = min(chance_node.hi[row, number], hi)
    if is_terminal or chance_node.lo[row, number] == chance_node.hi[row, number]:
        unmake(position, after, eaten)
        return REPEAT
    if (layer == MIN and not probes.needs_upper[depth]) or (layer == MAX and not probes.needs_lower[depth]):
        unmake(position, after, eaten)
        return END_PROBE
    add_to_table(work, probes, depth, choice)
    stack.alpha[after], stack.beta[after] = node.window(chance_node, choice, stack.alpha[depth], stack.beta[depth])
    stack.eaten[after] = eaten
    probes.tree[after], probes.tree_node[after] = row, number
    probes.generated_before[after] = work.counts[GENERATED]
    probes.turn[after] = probes.turn[depth]
    probes.needs_upper[after], probes.needs_lower[after] = probes.needs_upper[depth], probes.needs_lower[depth]
    node.enter(work, after, after)
    if layer != CHANCE:
        probes.task[after] = PROBE_MOVES
        stack.next_choice[after] = probes.moves_per_turn * probes.turn[depth]
        return ENTER
    probes.task[after] = PROBE_NESTED
    if probes.state[row, number] != HAS_INTERVAL:
        probes.state[row, number] = HAS_INTERVAL
        set_outcome_bounds(work, probes, after, lo, hi)
    return ENTER


@inlined
def generate_successor(work: Work, probes: Probes, depth: int, plies: int, task: int) -> Step:
    """Generates a successor, and enters it unless it is a leaf or its bounds are enough; returns the next step."""
    position, stack, counts, after = work.position, work.stack, work.counts, depth + 1
    choice, alpha, beta = stack.next_choice[depth] - 1, stack.child_alpha[depth], stack.child_beta[depth]
    row, own = probes.tree[depth], probes.tree_node[depth]
    move = WIDEST * own + 1 + choice
    eaten = make(position, depth, work.turns.agent[depth], choice)
    has_probe = row >= 0 and (task != SEARCH_MOVES or probes.state[row, own] != UNKNOWN)
    if not has_probe or probes.state[row, move] == UNKNOWN:
        mark_generated(work, probes, depth, choice)
    counts[ENTRIES] += 1
    counts[constants.DEPTH] = max(counts[constants.DEPTH], after)
    mark_entered(work, probes, depth, choice)
    mark(probes, depth, SEARCHED_BITS, choice)
    if after == plies or position.rows[after, OUTCOME]:
        counts[constants.LEAVES] += 1
        value = evaluate(position, after, work.weights)
        if task == PROBE_MOVES:
            probes.lo[row, move], probes.hi[row, move] = leaf_bounds(work, value)
        unmake(position, after, eaten)
        return Step(USE_VALUE if node.is_within_bounds(work, value) else STOP, value, IS_SCORE)
    lo, hi = bounds(work, after)
    if task == PROBE_MOVES:
        probes.lo[row, move], probes.hi[row, move] = lo, hi
    add_to_table(work, probes, depth, choice)
    if hi <= alpha or lo >= beta:
        value = hi if hi <= alpha else lo
        count_exit(work, probes, after, value, alpha, beta)
        unmake(position, after, eaten)
        return Step(USE_VALUE, value, IS_SCORE if work.settings.bounds_are_scores else 0)
    stack.eaten[after] = eaten
    # An outcome stays in the tree of its CHANCE node; the node after a move starts a new tree.
    probes.tree[after], probes.tree_node[after] = row if task == SEARCH_OUTCOMES else -1, move
    enter_node(work, probes, after, alpha, beta, lo, hi)
    return Step(ENTER, 0.0, 0)


@inlined
def enter_node(work: Work, probes: Probes, depth: int, alpha: float, beta: float, low: float, high: float) -> None:
    """Enters a node for its own value, in a window that its bounds [low, high] alone do not cut."""
    node.enter(work, depth, depth)
    layer = work.turns.layer[depth]
    node.open_window(work.stack, depth, layer, alpha, beta, low, high)
    if layer != CHANCE:
        probes.task[depth] = SEARCH_MOVES
        return
    if probes.tree[depth] < 0:
        probes.tree[depth], probes.tree_node[depth] = depth, 0
        probes.state[depth, 0] = IS_GENERATED
    if probes.state[probes.tree[depth], probes.tree_node[depth]] == HAS_INTERVAL:
        # A probe has already stored the intervals of its outcomes, so no more probes are needed.
        probes.needs_upper[depth], probes.needs_lower[depth] = 0, 0
    else:
        set_outcome_bounds(work, probes, depth, low, high)
        probes.needs_upper[depth], probes.needs_lower[depth] = alpha > low, beta < high
    probes.task[depth] = PROBE_OUTCOMES
    probes.turn[depth] = 0


@inlined
def outcomes(work: Work, probes: Probes, depth: int) -> node.Outcomes:
    """The outcomes of a CHANCE node, or the moves of an outcome, in their tree."""
    row, base = probes.tree[depth], WIDEST * probes.tree_node[depth] + 1
    return node.Outcomes(work.position.chance, probes.lo, probes.hi, depth, row, base, work.stack.action_count[depth])


@inlined
def set_outcome_bounds(work: Work, probes: Probes, depth: int, low: float, high: float) -> None:
    """Sets the interval of every outcome of a CHANCE node to the node's bounds, with the state UNKNOWN."""
    row, base = probes.tree[depth], WIDEST * probes.tree_node[depth] + 1
    for place in range(base, base + work.stack.action_count[depth]):
        probes.lo[row, place], probes.hi[row, place] = low, high
        probes.state[row, place] = UNKNOWN


@inlined
def count_exit(work: Work, probes: Probes, depth: int, value: float, alpha: float, beta: float) -> None:
    """Counts a cutoff, a probe cutoff or a table hit when a node is left, by the rules of `pacman.search.tracing`."""
    bits, full_group = probes.bits[probes.slot[depth]], (1 << WIDEST) - 1
    search_bits, generation_bits = bits >> SEARCHED_BITS & full_group, bits >> GENERATED_BITS & full_group
    if search_bits == (1 << count_actions(work.position, depth, work.turns.agent[depth])) - 1:
        return
    is_probe_cutoff = work.turns.layer[depth] == CHANCE and generation_bits and not search_bits
    if search_bits or is_probe_cutoff or value <= alpha or value >= beta:
        work.counts[constants.CUTOFFS] += 1
        work.counts[constants.PROBE_CUTOFFS] += 1 if is_probe_cutoff else 0
    else:
        work.counts[constants.TABLE_HITS] += 1


@inlined
def find_slot(probes: Probes, number: int) -> int:
    """The slot of a node in the table, or the free slot for it if the table does not contain it."""
    product, keys = (number + 1) * -7046029254386353131, probes.keys
    slot = (product ^ product >> 29) & (keys.size - 1)
    while keys[slot] and keys[slot] != number + 1:
        slot = (slot + 1) & (keys.size - 1)
    return int(slot)


@inlined
def add_to_table(work: Work, probes: Probes, depth: int, choice: Choice) -> None:
    """Finds the slot of the successor by `choice`, and adds the successor to the table if it is new."""
    number = WIDEST * probes.number[depth] + choice + 1
    slot = find_slot(probes, number)
    probes.number[depth + 1], probes.slot[depth + 1] = number, slot
    if not probes.keys[slot]:
        probes.keys[slot] = number + 1
        work.counts[constants.FILLED] += 1


@inlined
def mark(probes: Probes, depth: int, group: int, choice: Choice) -> int:
    """Sets the bit of the successor by `choice` in a group such as ENTERED_BITS; returns all bits before the change."""
    slot = probes.slot[depth]
    old_bits = probes.bits[slot]
    probes.bits[slot] = old_bits | 1 << (group + choice)
    return int(old_bits)


@inlined
def mark_entered(work: Work, probes: Probes, depth: int, choice: Choice) -> None:
    """Marks the successor by `choice` as entered, and counts it as a node the first time."""
    if not mark(probes, depth, ENTERED_BITS, choice) >> (ENTERED_BITS + choice) & 1:
        work.counts[constants.NODES] += 1


@inlined
def mark_generated(work: Work, probes: Probes, depth: int, choice: Choice) -> None:
    """Marks and counts the successor by `choice` as generated; its first successor expands the node."""
    work.counts[constants.GENERATED] += 1
    if mark(probes, depth, GENERATED_BITS, choice) >> GENERATED_BITS == 0:
        work.counts[constants.EXPANDED] += 1
