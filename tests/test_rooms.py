"""docs/rooms.svg names the rooms that are there, and about how many lines they have."""

from __future__ import annotations

from tests.rooms_picture import PICTURE, lines_by_part, stated_lines


def test_the_picture_of_the_rooms_is_true() -> None:
    stated = stated_lines(PICTURE.read_text(encoding="utf-8"))
    real = {
        name.replace(".", "/") + (f"/{part}" if part else ""): lines
        for name, parts in lines_by_part().items()
        for part, lines in parts.items()
    }
    assert stated.keys() == real.keys(), "run python -m tests.rooms_picture"
    far = {name: (stated[name], lines) for name, lines in real.items() if abs(stated[name] - lines) > 100 + 0.1 * lines}
    assert not far, "run python -m tests.rooms_picture"
