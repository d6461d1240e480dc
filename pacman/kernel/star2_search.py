"""Star2 and Star2.5, compiled: `pacman.search.star2` with the same bounds everywhere, or with the natural ones.

What a probe finds is kept until its CHANCE node is left, as in the readable search. CHANCE nodes in a row, one below
the other, their outcomes and their outcomes' moves are one small tree. `Probes` holds one such tree a ply.
Since a node may be entered twice, by a probe and for its own value, what was entered is written down in a table.

At each node of the stack one thing is done, again and again: `next_move`, `next_probe`, `next_asked` or `next_outcome`
says what comes next there, and `star2` does that.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from pacman.kernel import constants, node
from pacman.kernel.arrays import Answer, Choice, Probes, Work
from pacman.kernel.constants import CHANCE, ENTRIES, GENERATED, MAX, MIN, OUTCOME, WHOLE, WIDEST
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import make, options, unmake, worth
from pacman.kernel.natural_bounds import bounds, leaf_bounds

SEARCH, PROBE, JOIN, ASK, SETTLE = range(5)
"""What is done at a node of the stack: search a MAX or MIN node; probe the outcomes of a CHANCE node, or of one that
is an outcome itself, as if the two were joined; ask an outcome for some of its moves; search a CHANCE node's outcomes.
"""

UNKNOWN, MADE, KNOWN = range(3)
"""What a probe has left of a node: nothing; that it was made; an interval (of a CHANCE node: its outcomes')."""

ENTERED, SEARCHED, GENERATED_BITS = 0, WIDEST, 2 * WIDEST
"""Where the bits of a node's successors start in `Probes.bits`."""

STAY, TRY, DOWN, LEARN, LEAVE, RETURN, STOP = range(7)
"""What comes next: look at the node again; try a successor; go on at the successor, which was entered; take in the
successor's value; leave the node with its value; return from a probe of it; stop, since a leaf lies outside its bounds.
"""


class Step(NamedTuple):
    """What comes next at a node, and for LEARN and LEAVE the value, with WHOLE if it is the score of a leaf.

    What to TRY is the action counted last in `stack.tried`, in the window (`stack.below`, `stack.above`).
    """

    what: int
    value: float
    whole: int


@compiled
def star2(work: Work, probes: Probes, plies: int) -> Answer:
    """`pacman.search.star2`, with the whole window at the root, which is the node of `work.turns` at 0."""
    position, stack, counts = work.position, work.stack, work.counts
    for field in range(counts.size):
        counts[field] = 0
    counts[constants.NODES] = counts[ENTRIES] = 1
    if plies == 0 or position.rows[0, OUTCOME]:
        counts[constants.LEAVES] = 1
        return node.root_leaf(work)
    probes.number[0], probes.seen[0], probes.tree[0] = 0, find(probes, 0), -1
    probes.keys[probes.seen[0]] = 1
    counts[constants.FILLED] = 1
    lo, hi = bounds(work, 0)
    begin(work, probes, 0, -inf, inf, lo, hi)
    depth, value, whole, learns, over, fitting = 0, 0.0, 0, False, False, True
    while 2 * counts[constants.FILLED] <= probes.keys.size and not over:
        doing = probes.doing[depth]
        if learns:
            take(work, probes, depth, doing, value, whole)
        if doing == SEARCH:
            step = next_move(work, probes, depth)
        elif doing == SETTLE:
            step = next_outcome(work, probes, depth)
        elif doing == ASK:
            step = next_asked(work, probes, depth)
        else:
            step = next_probe(work, probes, depth, doing, plies)
        if step.what == TRY:
            step = follow(work, probes, depth, plies, doing)
        value, whole, learns = step.value, step.whole, step.what == LEARN
        if step.what == DOWN:
            depth += 1
        elif step.what == RETURN:
            unmake(position, depth, stack.eaten[depth])
            before = probes.before[depth]
            depth -= 1
            if counts[GENERATED] > before:
                counts[ENTRIES] += 1
                counts[constants.PROBES] += 1
                mark_entered(work, probes, depth, stack.tried[depth] - 1)
        elif step.what == LEAVE:
            count_exit(work, probes, depth, value, stack.alpha[depth], stack.beta[depth])
            if depth == 0:
                stack.best[0], over = value, True
            else:
                unmake(position, depth, stack.eaten[depth])
                depth -= 1
                learns = True
        elif step.what == STOP:
            over, fitting = True, False
    return node.answer(work, depth, 0, fitting, over)


@folded
def take(work: Work, probes: Probes, depth: int, doing: int, value: float, whole: int) -> None:
    """Takes in the value of the successor that was tried last."""
    stack, layer, last = work.stack, work.turns.layer[depth], work.stack.tried[depth] - 1
    if doing == SEARCH:
        node.weigh(work, depth, layer, value, whole)
        node.narrow(stack, depth, layer, value, False)
        return
    here = outcomes(work, probes, depth)
    node.learn(here, last, value, stack.below[depth], stack.above[depth])
    if doing == ASK:
        row, own, move = here.row, probes.place[depth], here.base + last
        probes.state[row, move] = KNOWN
        if layer == MIN:
            here.hi[row, own] = min(here.hi[row, own], here.hi[row, move])
        else:
            here.lo[row, own] = max(here.lo[row, own], here.lo[row, move])


@folded
def next_move(work: Work, probes: Probes, depth: int) -> Step:
    """At a MAX or MIN node: its moves one by one, those that a probe has searched if that is not enough."""
    stack, row, own = work.stack, probes.tree[depth], probes.place[depth]
    choice, alpha, beta = stack.tried[depth], stack.alpha[depth], stack.beta[depth]
    if choice == stack.options[depth]:
        return Step(LEAVE, stack.best[depth], stack.chosen[depth] & WHOLE)
    stack.tried[depth] = choice + 1
    stack.below[depth], stack.above[depth] = alpha, beta
    if row >= 0 and probes.state[row, own] != UNKNOWN:
        move = WIDEST * own + 1 + choice
        if probes.state[row, move] == KNOWN:
            lo, hi = probes.lo[row, move], probes.hi[row, move]
            if hi <= alpha or lo == hi or lo >= beta:
                work.counts[ENTRIES] += 1
                work.counts[constants.TABLE_HITS] += 1
                return Step(LEARN, hi if hi <= alpha or lo == hi else lo, 0)
    return Step(TRY, 0.0, 0)


@folded
def next_outcome(work: Work, probes: Probes, depth: int) -> Step:
    """At a CHANCE node that was probed: its outcomes one by one, until what is known of them is enough."""
    stack, here = work.stack, outcomes(work, probes, depth)
    choice, alpha, beta = stack.tried[depth], stack.alpha[depth], stack.beta[depth]
    enough, value = node.settled(here, alpha, beta)
    if enough or choice == here.size:
        return Step(LEAVE, value, 0)
    stack.tried[depth] = choice + 1
    stack.below[depth], stack.above[depth] = node.window(here, choice, alpha, beta)
    return Step(TRY, 0.0, 0)


@folded
def next_asked(work: Work, probes: Probes, depth: int) -> Step:
    """At an outcome that is probed: the moves that are asked for in this turn, as long as they can narrow it."""
    stack, row, own = work.stack, probes.tree[depth], probes.place[depth]
    alpha, beta = stack.alpha[depth], stack.beta[depth]
    limit = min(stack.options[depth], probes.asked * (probes.turn[depth] + 1))
    while stack.tried[depth] < limit:
        stack.tried[depth] += 1
        if work.turns.layer[depth] == MIN:
            beta = probes.hi[row, own]
        else:
            alpha = probes.lo[row, own]
        if alpha < beta:
            stack.below[depth], stack.above[depth] = alpha, beta
            return Step(TRY, 0.0, 0)
    return Step(RETURN, 0.0, 0)


@folded
def next_probe(work: Work, probes: Probes, depth: int, doing: int, plies: int) -> Step:
    """At a CHANCE node before its outcomes are searched: one after the other is made, bounded, and probed if it can be.

    The first that is of no kind to probe ends the turn, since its sisters are mostly of the same kind.
    """
    stack, here = work.stack, outcomes(work, probes, depth)
    sided = probes.above[depth] or probes.below[depth]
    more = sided and depth + 1 < plies and stack.tried[depth] < here.size
    if more and not node.settled(here, stack.alpha[depth], stack.beta[depth])[0]:
        what = probe(work, probes, depth, here)
        if what != RETURN:
            return Step(what, 0.0, 0)
    if doing == JOIN:
        row, own = here.row, probes.place[depth]
        here.lo[row, own] = max(here.lo[row, own], node.least(here))
        here.hi[row, own] = min(here.hi[row, own], node.most(here))
        return Step(RETURN, 0.0, 0)
    probes.turn[depth] += 1
    stack.tried[depth] = 0
    if probes.turn[depth] == probes.turns:
        probes.doing[depth] = SETTLE
    return Step(STAY, 0.0, 0)


@folded
def probe(work: Work, probes: Probes, depth: int, here: node.Outcomes) -> int:
    """Makes and bounds the next outcome: DOWN if it was entered, STAY if it is no matter, RETURN if that is no use."""
    position, stack = work.position, work.stack
    row, choice, after, layer = here.row, stack.tried[depth], depth + 1, work.turns.layer[depth + 1]
    number = here.base + choice
    stack.tried[depth] = choice + 1
    if here.lo[row, number] == here.hi[row, number]:
        return STAY
    eaten = make(position, depth, work.turns.agent[depth], choice)
    if probes.state[row, number] == UNKNOWN:
        probes.state[row, number] = MADE
        mark_made(work, probes, depth, choice)
        if layer != CHANCE:
            for move in range(WIDEST):
                probes.state[row, WIDEST * number + 1 + move] = UNKNOWN
    terminal = position.rows[after, OUTCOME] != 0
    if terminal:
        lo, hi = leaf_bounds(work, worth(position, after, work.weights))
    else:
        lo, hi = bounds(work, after)
    here.lo[row, number] = max(here.lo[row, number], lo)
    here.hi[row, number] = min(here.hi[row, number], hi)
    if terminal or here.lo[row, number] == here.hi[row, number]:
        unmake(position, after, eaten)
        return STAY
    if (layer == MIN and not probes.above[depth]) or (layer == MAX and not probes.below[depth]):
        unmake(position, after, eaten)
        return RETURN
    locate(work, probes, depth, choice)
    stack.alpha[after], stack.beta[after] = node.window(here, choice, stack.alpha[depth], stack.beta[depth])
    stack.eaten[after] = eaten
    probes.tree[after], probes.place[after] = row, number
    probes.before[after] = work.counts[GENERATED]
    probes.turn[after] = probes.turn[depth]
    probes.above[after], probes.below[after] = probes.above[depth], probes.below[depth]
    node.enter(work, after, after)
    if layer != CHANCE:
        probes.doing[after] = ASK
        stack.tried[after] = probes.asked * probes.turn[depth]
        return DOWN
    probes.doing[after] = JOIN
    if probes.state[row, number] != KNOWN:
        probes.state[row, number] = KNOWN
        spread(work, probes, after, lo, hi)
    return DOWN


@folded
def follow(work: Work, probes: Probes, depth: int, plies: int, doing: int) -> Step:
    """Tries a successor: makes it, and enters it unless it is a leaf or its bounds answer."""
    position, stack, counts, after = work.position, work.stack, work.counts, depth + 1
    choice, alpha, beta = stack.tried[depth] - 1, stack.below[depth], stack.above[depth]
    row, own = probes.tree[depth], probes.place[depth]
    move = WIDEST * own + 1 + choice
    eaten = make(position, depth, work.turns.agent[depth], choice)
    probed = row >= 0 and (doing != SEARCH or probes.state[row, own] != UNKNOWN)
    if not probed or probes.state[row, move] == UNKNOWN:
        mark_made(work, probes, depth, choice)
    counts[ENTRIES] += 1
    counts[constants.DEPTH] = max(counts[constants.DEPTH], after)
    mark_entered(work, probes, depth, choice)
    mark(probes, depth, SEARCHED, choice)
    if after == plies or position.rows[after, OUTCOME]:
        counts[constants.LEAVES] += 1
        value = worth(position, after, work.weights)
        if doing == ASK:
            probes.lo[row, move], probes.hi[row, move] = leaf_bounds(work, value)
        unmake(position, after, eaten)
        return Step(LEARN if node.fits(work, value) else STOP, value, WHOLE)
    lo, hi = bounds(work, after)
    if doing == ASK:
        probes.lo[row, move], probes.hi[row, move] = lo, hi
    locate(work, probes, depth, choice)
    if hi <= alpha or lo >= beta:
        value = hi if hi <= alpha else lo
        count_exit(work, probes, after, value, alpha, beta)
        unmake(position, after, eaten)
        return Step(LEARN, value, WHOLE if work.terms.whole else 0)
    stack.eaten[after] = eaten
    # An outcome keeps its place in the tree of its CHANCE node; what comes after a move starts anew.
    probes.tree[after], probes.place[after] = row if doing == SETTLE else -1, move
    begin(work, probes, after, alpha, beta, lo, hi)
    return Step(DOWN, 0.0, 0)


@folded
def begin(work: Work, probes: Probes, depth: int, alpha: float, beta: float, low: float, high: float) -> None:
    """Enters a node for its own value, in a window that its bounds [low, high] do not answer."""
    node.enter(work, depth, depth)
    layer = work.turns.layer[depth]
    node.open_window(work.stack, depth, layer, alpha, beta, low, high)
    if layer != CHANCE:
        probes.doing[depth] = SEARCH
        return
    if probes.tree[depth] < 0:
        probes.tree[depth], probes.place[depth] = depth, 0
        probes.state[depth, 0] = MADE
    if probes.state[probes.tree[depth], probes.place[depth]] == KNOWN:
        # It was probed through: its outcomes' intervals are there, and no more is asked.
        probes.above[depth], probes.below[depth] = 0, 0
    else:
        spread(work, probes, depth, low, high)
        probes.above[depth], probes.below[depth] = alpha > low, beta < high
    probes.doing[depth] = PROBE
    probes.turn[depth] = 0


@folded
def outcomes(work: Work, probes: Probes, depth: int) -> node.Outcomes:
    """The outcomes of a CHANCE node, or the moves of an outcome, in their tree."""
    row, base = probes.tree[depth], WIDEST * probes.place[depth] + 1
    return node.Outcomes(work.position.chance, probes.lo, probes.hi, depth, row, base, work.stack.options[depth])


@folded
def spread(work: Work, probes: Probes, depth: int, low: float, high: float) -> None:
    """Of the outcomes of a CHANCE node nothing is known yet but its own bounds."""
    row, base = probes.tree[depth], WIDEST * probes.place[depth] + 1
    for place in range(base, base + work.stack.options[depth]):
        probes.lo[row, place], probes.hi[row, place] = low, high
        probes.state[row, place] = UNKNOWN


@folded
def count_exit(work: Work, probes: Probes, depth: int, value: float, alpha: float, beta: float) -> None:
    """Counts how a node is left, by what was searched below it so far: `pacman.search.tracing`."""
    bits, every = probes.bits[probes.seen[depth]], (1 << WIDEST) - 1
    searched, made = bits >> SEARCHED & every, bits >> GENERATED_BITS & every
    if searched == (1 << options(work.position, depth, work.turns.agent[depth])) - 1:
        return
    by_probes = work.turns.layer[depth] == CHANCE and made and not searched
    if searched or by_probes or value <= alpha or value >= beta:
        work.counts[constants.CUTOFFS] += 1
        work.counts[constants.PROBE_CUTOFFS] += 1 if by_probes else 0
    else:
        work.counts[constants.TABLE_HITS] += 1


@folded
def find(probes: Probes, number: int) -> int:
    """The place of a node in the table: where it stands, or would."""
    mixed, keys = (number + 1) * -7046029254386353131, probes.keys
    place = (mixed ^ mixed >> 29) & (keys.size - 1)
    while keys[place] and keys[place] != number + 1:
        place = (place + 1) & (keys.size - 1)
    return int(place)


@folded
def locate(work: Work, probes: Probes, depth: int, choice: Choice) -> None:
    """Looks the successor by `choice` up in the table, and puts it there if it is new."""
    number = WIDEST * probes.number[depth] + choice + 1
    place = find(probes, number)
    probes.number[depth + 1], probes.seen[depth + 1] = number, place
    if not probes.keys[place]:
        probes.keys[place] = number + 1
        work.counts[constants.FILLED] += 1


@folded
def mark(probes: Probes, depth: int, what: int, choice: Choice) -> int:
    """Writes down that the successor by `choice` was ENTERED, SEARCHED or made; the bits of all before that."""
    place = probes.seen[depth]
    before = probes.bits[place]
    probes.bits[place] = before | 1 << (what + choice)
    return int(before)


@folded
def mark_entered(work: Work, probes: Probes, depth: int, choice: Choice) -> None:
    """Writes down that the successor by `choice` was entered, and counts it the first time."""
    if not mark(probes, depth, ENTERED, choice) >> (ENTERED + choice) & 1:
        work.counts[constants.NODES] += 1


@folded
def mark_made(work: Work, probes: Probes, depth: int, choice: Choice) -> None:
    """Writes down and counts that the successor by `choice` was made; the first one expands the node."""
    work.counts[constants.GENERATED] += 1
    if mark(probes, depth, GENERATED_BITS, choice) >> GENERATED_BITS == 0:
        work.counts[constants.EXPANDED] += 1
