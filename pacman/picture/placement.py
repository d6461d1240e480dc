"""Where to put a text so that it hides no agent: the free place that is nearest to the place that it should have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from pacman.core.rules import STEPS, STOP
from pacman.core.state import places_of
from pacman.picture.moment import VisibleState
from pacman.picture.screen_regions import Box, Regions
from pacman.picture.sprites import BODY_RADIUS

GAP = 2.0
"""The pixels between a text and an agent."""


def agent_boxes(visible: VisibleState, regions: Regions) -> list[Box]:
    """The boxes in which the agents are from the beginning to the end of the present glide, Pacman's first.

    A ghost that is eaten has two boxes: it disappears in one and appears in the other.
    """
    boxes = []
    rows, half = visible.after.maze.height, BODY_RADIUS * regions.cell
    before = visible.before if visible.fraction < 1 else visible.after
    for places in zip(places_of(before), places_of(visible.after), strict=True):
        (x, y), (to_x, to_y) = pixels = [regions.middle(*place, rows) for place in places]
        if abs(to_x - x) + abs(to_y - y) > 1.1 * regions.cell:
            boxes += [Box(x - half, y - half, 2 * half, 2 * half) for x, y in pixels]
        else:
            left, top = min(x, to_x) - half, min(y, to_y) - half
            boxes.append(Box(left, top, max(x, to_x) + half - left, max(y, to_y) + half - top))
    return boxes


@lru_cache(maxsize=64)
def value_boxes(
    widths: tuple[tuple[str, float], ...],
    height: float,
    regions: Regions,
    middle: tuple[float, float],
    mover: int,
    agents: tuple[Box, ...],
) -> dict[str, Box]:
    """The box of each value (action, width) around the mover at the pixel `middle`: on the side of its action.

    No box is over another or over one of the `agents`, as far as there is room. Stop has no side: its value has the
    nearest free place.
    """
    (x, y), aside, boxes = middle, 0.6 * regions.cell, dict[str, Box]()
    for action, width in sorted(widths, key=lambda row: row[0] == STOP):
        dx, dy = STEPS[action]
        wish_x, wish_y = x + dx * (aside + width / 2), y - (dy or -(action == STOP)) * (aside + height / 2)
        wish = Box(wish_x - width / 2, wish_y - height / 2, width, height)

        def is_on_its_side(box: Box, dx: int = dx, dy: int = dy) -> bool:
            across, up = box.left + box.width / 2 - x, y - box.top - box.height / 2
            return across * dx + up * dy >= abs(up * dx) + abs(across * dy)

        others, area = tuple(boxes.values()), regions.board_area
        boxes[action] = (
            free_box(wish, area, (*agents, *others), is_on_its_side)
            or free_box(wish, area, (*agents, *others))
            or free_box(wish, area, (agents[mover], *others))
            or free_box(wish, area, others)
            or wish
        )
    return boxes


def free_box(
    wish: Box, area: Box, obstacles: Sequence[Box], accepts: Callable[[Box], bool] = lambda box: True
) -> Box | None:
    """The box of the same size as `wish` that is nearest to it, inside `area`, and touches no obstacle.

    `accepts` can reject a box. None if there is no such box.

    >>> free_box(Box(0, 0, 4, 2), Box(0, 0, 10, 10), [Box(3, 0, 3, 3)])
    Box(left=0, top=5.0, width=4, height=2)
    """
    width, height = wish.width, wish.height
    if width > area.width or height > area.height:
        return None
    left, top = min(max(wish.left, area.left), area.right - width), min(max(wish.top, area.top), area.bottom - height)
    lefts, tops = {left}, {top}
    for box in obstacles:
        lefts |= {box.left - GAP - width, box.right + GAP}
        tops |= {box.top - GAP - height, box.bottom + GAP}
    # The nearest free box of all touches the area's sides, the obstacles or the wish.
    boxes = [
        Box(left, top, width, height)
        for left in lefts
        if area.left <= left <= area.right - width
        for top in tops
        if area.top <= top <= area.bottom - height
    ]
    boxes.sort(key=lambda box: (abs(box.left - wish.left) + abs(box.top - wish.top), box))
    return next((box for box in boxes if accepts(box) and not any(box.meets(other) for other in obstacles)), None)
