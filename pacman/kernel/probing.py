"""Star2 and Star2.5, compiled: `pacman.search.star2` with the same bounds everywhere, or with the natural ones.

What a probe finds is kept until its CHANCE node is left, as in the readable search. CHANCE nodes in a row, one below
the other, their outcomes and their outcomes' moves are one small tree, whose nodes are numbered as in a heap: the
`WIDEST` successors of node n from WIDEST * n + 1 on. `Probes` holds one such tree a ply.
Since a node may be entered twice, by a probe and for its own value, what was entered is written down in `Seen`.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from pacman.kernel.bounds import around
from pacman.kernel.jit import compiled, folded
from pacman.kernel.moves import action, make, options, unmake, worth
from pacman.kernel.outcomes import learn, mean, window
from pacman.kernel.stack import WHOLE, WIDEST, Block, enter, narrow, place, weigh
from pacman.kernel.tables import CHANCE, MAX, MIN, OUTCOME, Array, Board, Root, Seats, Terms

SEARCH, PROBE, JOIN, ASK, SETTLE = range(5)
"""What is done at a node of the stack: search a MAX or MIN node; probe the outcomes of a CHANCE node, or of one that
is an outcome itself, as if the two were joined; ask an outcome for some of its moves; search a CHANCE node's outcomes.
"""

UNKNOWN, MADE, KNOWN = range(3)
"""What a probe has left of a node: nothing; that it was made; an interval (of a CHANCE node: its outcomes')."""

ENTERED, SEARCHED, GENERATED = 0, WIDEST, 2 * WIDEST
"""Where the bits of a node's successors start in `Seen.bits`."""


class Probes(NamedTuple):
    """What probes have found; and for each ply of the stack its tree, its place in it, and how its probes stand.

    `tree` is -1 where a node belongs to none. `above` and `below` say from which sides it pays to bound the outcomes;
    `turn` counts the turns of probes; `before` are the successors made when the probe began, `number` is the node's
    number in the whole tree and `seen` its place in `Seen`.
    """

    lo: Array
    hi: Array
    state: Array
    doing: Array
    tree: Array
    place: Array
    above: Array
    below: Array
    turn: Array
    before: Array
    number: Array
    seen: Array


class Seen(NamedTuple):
    """The inner nodes of the whole tree that were met: a hash table of node numbers plus one, and of bits."""

    keys: Array
    bits: Array


class Touched(NamedTuple):
    """What Star2 found, and what it touched. `room` is False when `Seen` was too small: then nothing else counts."""

    value: float
    whole: bool
    action: int
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
    fits: bool
    room: bool


def probes(plies: int, drawn: int) -> Probes:
    """The memory for probes of a search `plies` deep where up to `drawn` CHANCE nodes come in a row."""
    depth, size = plies + 2, (WIDEST ** (drawn + 2) - 1) // (WIDEST - 1)
    fields: dict[str, Array] = {name: np.zeros(depth, np.int64) for name in Probes._fields}
    fields |= {"lo": np.zeros((depth, size)), "hi": np.zeros((depth, size)), "state": np.zeros((depth, size), np.uint8)}
    return Probes(**fields)


def seen(size: int) -> Seen:
    """An empty table; `size` is a power of two."""
    return Seen(np.zeros(size, np.int64), np.zeros(size, np.int32))


@compiled
def star2(
    board: Board, seats: Seats, first: int, root: Root, stack: Block, plies: int, weights: Array, terms: Terms,
    probed: Probes, met: Seen, asked: int, turns: int,
) -> Touched:  # fmt: skip
    """`pacman.search.star2`, with the whole window at the root.

    In each of `turns` turns it asks every outcome for `asked` of its moves.
    """
    rows, things, homes, walk, round = stack.rows, root.things, root.homes, stack.walk, seats.agent.size
    doing, tree, spot = probed.doing, probed.tree, probed.place
    place(rows, root)
    if plies == 0 or rows[0, OUTCOME]:
        value = worth(board, things, rows, 0, homes, weights)
        fits = terms.natural or terms.low <= value <= terms.high
        return Touched(value, True, -1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, fits, True)
    nodes, entries, leaves, expanded, generated, cutoffs = 1, 1, 0, 0, 0, 0
    asks, probe_cutoffs, known, deepest, fits, room = 0, 0, 0, 0, True, True
    depth, seat, filled = 0, first, 1
    lo, hi = around(board, seats, rows, 0, seat, plies, things, homes, walk, terms)
    probed.number[0], probed.seen[0], tree[0] = 0, find(met, 0), -1
    met.keys[probed.seen[0]] = 1
    begin(board, seats, stack, probed, 0, seat, plies, -inf, inf, lo, hi)
    back, value, whole = False, 0.0, 0
    while True:
        layer, count, kind, mine = seats.layer[seat], stack.options[depth], doing[depth], probed.seen[depth]
        row, base = tree[depth], WIDEST * spot[depth] + 1
        alpha, beta = stack.alpha[depth], stack.beta[depth]
        choice, went, done = -1, False, False

        # What the node in hand learns from the successor that was searched last.
        if back:
            back = False
            last = stack.tried[depth] - 1
            if kind == SEARCH:
                weigh(stack, depth, layer, value, whole)
                narrow(stack, depth, layer, value, False)
                alpha, beta = stack.alpha[depth], stack.beta[depth]
            else:
                learn(probed.lo, probed.hi, row, base + last, value, stack.below[depth], stack.above[depth])
                if kind == ASK:
                    probed.state[row, base + last] = KNOWN
                    if layer == MIN:
                        probed.hi[row, spot[depth]] = min(probed.hi[row, spot[depth]], probed.hi[row, base + last])
                    else:
                        probed.lo[row, spot[depth]] = max(probed.lo[row, spot[depth]], probed.lo[row, base + last])
                elif mean(stack.chance, depth, probed.hi, row, base, count) <= alpha:
                    value, done = mean(stack.chance, depth, probed.hi, row, base, count), True
                elif mean(stack.chance, depth, probed.lo, row, base, count) >= beta:
                    value, done = mean(stack.chance, depth, probed.lo, row, base, count), True

        # What comes next there: `choice`, to be searched in (a, b); or the node is done with.
        a, b = alpha, beta
        if kind == SEARCH:
            if stack.tried[depth] < stack.options[depth]:
                choice = stack.tried[depth]
                stack.tried[depth] = choice + 1
                if row >= 0 and probed.state[row, spot[depth]] != UNKNOWN and probed.state[row, base + choice] == KNOWN:
                    # A probe searched this move: its interval may be enough.
                    lo, hi = probed.lo[row, base + choice], probed.hi[row, base + choice]
                    if hi <= a or lo == hi or lo >= b:
                        value, whole, back = hi if hi <= a or lo == hi else lo, 0, True
                        entries += 1
                        known += 1
                        continue
            else:
                value, whole, done = stack.best[depth], stack.chosen[depth] & WHOLE, True
        elif kind == SETTLE and not done:
            if stack.tried[depth] < count:
                choice = stack.tried[depth]
                stack.tried[depth] = choice + 1
                a, b = window(stack.chance, probed.lo, probed.hi, depth, row, base, count, choice, alpha, beta)
                stack.below[depth], stack.above[depth] = a, b
            else:
                value, done = mean(stack.chance, depth, probed.lo, row, base, count), True
        elif kind == ASK:
            limit = min(count, asked * (probed.turn[depth] + 1))
            while choice < 0 and stack.tried[depth] < limit:
                if layer == MIN and probed.hi[row, spot[depth]] > alpha:
                    choice, b = stack.tried[depth], probed.hi[row, spot[depth]]
                elif layer == MAX and probed.lo[row, spot[depth]] < beta:
                    choice, a = stack.tried[depth], probed.lo[row, spot[depth]]
                stack.tried[depth] += 1
            stack.below[depth], stack.above[depth] = a, b
            went = choice < 0
        elif kind in (PROBE, JOIN):
            # One outcome after the other is made, bounded, and entered if it can be probed.
            inside, left = False, plies - depth - 1
            most = mean(stack.chance, depth, probed.hi, row, base, count)
            least = mean(stack.chance, depth, probed.lo, row, base, count)
            ended = most <= alpha or least >= beta or left == 0 or stack.tried[depth] == count
            ended |= not (probed.above[depth] or probed.below[depth])
            if not ended:
                number = base + stack.tried[depth]
                stack.tried[depth] += 1
                if probed.lo[row, number] == probed.hi[row, number]:
                    continue
                choice = number - base
                eaten = make(board, homes, things, rows, depth, seats.agent[seat], choice)
                after = seat + 1 if seat + 1 < round else 0
                if probed.state[row, number] == UNKNOWN:
                    probed.state[row, number] = MADE
                    generated += 1
                    expanded += generate(met, mine, choice)
                    if seats.layer[after] != CHANCE:
                        for move in range(WIDEST):
                            probed.state[row, WIDEST * number + 1 + move] = UNKNOWN
                terminal = rows[depth + 1, OUTCOME] != 0
                if not terminal:
                    lo, hi = around(board, seats, rows, depth + 1, after, left, things, homes, walk, terms)
                elif terms.natural:
                    lo = hi = worth(board, things, rows, depth + 1, homes, weights)
                else:
                    lo, hi = terms.low, terms.high
                probed.lo[row, number] = max(probed.lo[row, number], lo)
                probed.hi[row, number] = min(probed.hi[row, number], hi)
                if not terminal and probed.lo[row, number] != probed.hi[row, number]:
                    a, b = window(stack.chance, probed.lo, probed.hi, depth, row, base, count, choice, alpha, beta)
                    drawn = seats.layer[after] == CHANCE
                    inside = (
                        drawn
                        or (seats.layer[after] == MIN and probed.above[depth])
                        or (seats.layer[after] == MAX and probed.below[depth])
                    )
                    ended = not inside  # its sisters are mostly of the same kind
                if inside:
                    below = depth + 1
                    filled += follow(met, probed, depth, choice)
                    stack.eaten[below] = eaten
                    tree[below], spot[below] = row, number
                    enter(board, seats, stack, below, after)
                    stack.alpha[below], stack.beta[below] = a, b
                    probed.before[below] = generated
                    probed.turn[below] = probed.turn[depth]
                    probed.above[below], probed.below[below] = probed.above[depth], probed.below[depth]
                    if drawn:
                        doing[below] = JOIN
                        if probed.state[row, number] != KNOWN:
                            probed.state[row, number] = KNOWN
                            spread(stack, probed, below, lo, hi)
                    else:
                        doing[below] = ASK
                        stack.tried[below] = asked * probed.turn[depth]
                    depth, seat = below, after
                    if 2 * filled > met.keys.size:
                        room = False
                        break
                    continue
                unmake(things, rows, depth + 1, eaten)
                if not ended:
                    continue
            if kind == JOIN:
                own = spot[depth]
                most = mean(stack.chance, depth, probed.hi, row, base, count)
                least = mean(stack.chance, depth, probed.lo, row, base, count)
                probed.lo[row, own], probed.hi[row, own] = (
                    max(probed.lo[row, own], least),
                    min(probed.hi[row, own], most),
                )
                went = True
            else:
                probed.turn[depth] += 1
                stack.tried[depth] = 0
                if probed.turn[depth] < turns:
                    continue
                doing[depth] = SETTLE
                done, value = weighed(stack, probed, depth)
                whole = 0
                if not done:
                    continue
            choice = -1

        # Leave a node that was probed, or one whose value is known.
        if went:
            unmake(things, rows, depth, stack.eaten[depth])
            before = probed.before[depth]
            depth -= 1
            seat = seat - 1 if seat else round - 1
            if generated > before:
                entries += 1
                asks += 1
                nodes += mark(met, probed.seen[depth], ENTERED, stack.tried[depth] - 1)
            continue
        if done:
            ways = options(board, rows, depth, seats.agent[seat])
            why = left_by(met.bits[mine], ways, layer == CHANCE, value, alpha, beta)
            cutoffs += 1 if why > 0 else 0
            probe_cutoffs += 1 if why == 2 else 0
            known += 1 if why < 0 else 0
            if layer == CHANCE:
                whole = 0
            if depth == 0:
                stack.best[0] = value
                break
            unmake(things, rows, depth, stack.eaten[depth])
            depth -= 1
            seat = seat - 1 if seat else round - 1
            back = True
            continue

        # Enter the successor by `choice`.
        left, after = plies - depth - 1, seat + 1 if seat + 1 < round else 0
        eaten = make(board, homes, things, rows, depth, seats.agent[seat], choice)
        made_before = (
            row >= 0
            and (kind != SEARCH or probed.state[row, spot[depth]] != UNKNOWN)
            and probed.state[row, base + choice] != UNKNOWN
        )
        if not made_before:
            generated += 1
            expanded += generate(met, mine, choice)
        entries += 1
        deepest = max(deepest, depth + 1)
        nodes += mark(met, mine, ENTERED, choice)
        mark(met, mine, SEARCHED, choice)
        if left == 0 or rows[depth + 1, OUTCOME]:
            leaves += 1
            value, whole, back = worth(board, things, rows, depth + 1, homes, weights), WHOLE, True
            fits = terms.natural or terms.low <= value <= terms.high
            if kind == ASK:
                probed.lo[row, base + choice] = value if terms.natural else terms.low
                probed.hi[row, base + choice] = value if terms.natural else terms.high
            unmake(things, rows, depth + 1, eaten)
            if not fits:
                break
            continue
        lo, hi = around(board, seats, rows, depth + 1, after, left, things, homes, walk, terms)
        if kind == ASK:
            probed.lo[row, base + choice], probed.hi[row, base + choice] = lo, hi
        filled += follow(met, probed, depth, choice)
        if hi <= a or lo >= b:
            value, whole, back = hi if hi <= a else lo, WHOLE if terms.whole else 0, True
            ways = options(board, rows, depth + 1, seats.agent[after])
            why = left_by(met.bits[probed.seen[depth + 1]], ways, seats.layer[after] == CHANCE, value, a, b)
            cutoffs += 1 if why > 0 else 0
            probe_cutoffs += 1 if why == 2 else 0
            unmake(things, rows, depth + 1, eaten)
        else:
            stack.eaten[depth + 1] = eaten
            # An outcome keeps its place in the tree of its CHANCE node; what comes after a move starts anew.
            tree[depth + 1] = row if kind == SETTLE else -1
            spot[depth + 1] = base + choice
            depth, seat = depth + 1, after
            begin(board, seats, stack, probed, depth, seat, left, a, b, lo, hi)
        if 2 * filled > met.keys.size:
            room = False
            break
    while depth:  # it stopped in the middle: put everything back
        unmake(things, rows, depth, stack.eaten[depth])
        depth -= 1
    best = -1 if seats.layer[first] == CHANCE else action(board, rows, 0, seats.agent[first], stack.chosen[0] & ~WHOLE)
    whole = stack.chosen[0] & WHOLE
    return Touched(
        stack.best[0], whole != 0, best, nodes, entries, leaves, expanded, generated, cutoffs, asks, probe_cutoffs,
        known, deepest, fits, room,
    )  # fmt: skip


@folded
def begin(
    board: Board, seats: Seats, stack: Block, probed: Probes, depth: int, seat: int, left: int, alpha: float,
    beta: float, low: float, high: float,
) -> None:  # fmt: skip
    """Enters a node for its own value, in a window that its bounds [low, high] do not answer."""
    enter(board, seats, stack, depth, seat)
    layer = seats.layer[seat]
    if layer != CHANCE:
        # Nothing beats U for MAX or L for MIN: the first action that reaches it will do.
        stack.alpha[depth] = max(alpha, low) if layer == MIN else alpha
        stack.beta[depth] = min(beta, high) if layer == MAX else beta
        probed.doing[depth] = SEARCH
        return
    stack.alpha[depth], stack.beta[depth] = alpha, beta
    if probed.tree[depth] < 0:
        probed.tree[depth], probed.place[depth] = depth, 0
        probed.state[depth, 0] = MADE
    if probed.state[probed.tree[depth], probed.place[depth]] == KNOWN:
        # It was probed through: its outcomes' intervals are there, and no more is asked.
        probed.above[depth], probed.below[depth] = 0, 0
    else:
        spread(stack, probed, depth, low, high)
        probed.above[depth], probed.below[depth] = alpha > low, beta < high
    probed.doing[depth] = PROBE
    probed.turn[depth] = 0


@folded
def spread(stack: Block, probed: Probes, depth: int, low: float, high: float) -> None:
    """Of the outcomes of a CHANCE node nothing is known yet but its own bounds."""
    row, base = probed.tree[depth], WIDEST * probed.place[depth] + 1
    for choice in range(stack.options[depth]):
        probed.lo[row, base + choice], probed.hi[row, base + choice] = low, high
        probed.state[row, base + choice] = UNKNOWN


@folded
def weighed(stack: Block, probed: Probes, depth: int) -> tuple[bool, float]:
    """Whether what is known of its outcomes is enough to leave a CHANCE node, and with which value."""
    row, base, count = probed.tree[depth], WIDEST * probed.place[depth] + 1, stack.options[depth]
    most = mean(stack.chance, depth, probed.hi, row, base, count)
    if most <= stack.alpha[depth]:
        return True, most
    least = mean(stack.chance, depth, probed.lo, row, base, count)
    return least >= stack.beta[depth], least


@folded
def left_by(bits: int, ways: int, drawn: bool, value: float, alpha: float, beta: float) -> int:
    """How a node was left, from what was searched below it by then: `pacman.search.watch`.

    0 when all of it was searched, 1 by a cut, 2 by a cut of its probes, -1 when a value was known beforehand.
    """
    searched, made = bits >> SEARCHED & ((1 << WIDEST) - 1), bits >> GENERATED & ((1 << WIDEST) - 1)
    if searched == (1 << ways) - 1:
        return 0
    if searched:
        return 1
    if drawn and made:
        return 2
    return 1 if value <= alpha or value >= beta else -1


@folded
def find(met: Seen, number: int) -> int:
    """The place of a node in the table: where it stands, or would."""
    mixed = (number + 1) * -7046029254386353131
    place = (mixed ^ mixed >> 29) & (met.keys.size - 1)
    while met.keys[place] and met.keys[place] != number + 1:
        place = (place + 1) & (met.keys.size - 1)
    return int(place)


@folded
def follow(met: Seen, probed: Probes, depth: int, choice: int) -> int:
    """Looks the successor by `choice` up in the table; 1 if it was not there yet."""
    number = WIDEST * probed.number[depth] + choice + 1
    place = find(met, number)
    probed.number[depth + 1], probed.seen[depth + 1] = number, place
    if met.keys[place]:
        return 0
    met.keys[place] = number + 1
    return 1


@folded
def mark(met: Seen, place: int, what: int, choice: int) -> int:
    """Writes down that the successor by `choice` was ENTERED or SEARCHED; 1 the first time."""
    bit = 1 << (what + choice)
    if met.bits[place] & bit:
        return 0
    met.bits[place] |= bit
    return 1


@folded
def generate(met: Seen, place: int, choice: int) -> int:
    """Writes down that the successor by `choice` was made; 1 if it is the node's first."""
    first = met.bits[place] >> GENERATED == 0
    met.bits[place] |= 1 << (GENERATED + choice)
    return 1 if first else 0
