"""The differences between two folders of photographs, one line each."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path

SHORT = 70


def differences(before: Path, after: Path, shots: Collection[str]) -> Iterator[str]:
    """All differences of these shots: the file and the line, and what stood and stands there."""
    folders = [folder / shot for folder in (before, after) for shot in shots]
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    for name in sorted({path.relative_to(before if before in path.parents else after).as_posix() for path in files}):
        old, new = before / name, after / name
        if not old.exists() or not new.exists():
            yield " | ".join([name, *("there" if each.exists() else "no file" for each in (old, new))])
        elif old.read_bytes() == new.read_bytes():
            continue
        elif old.suffix == ".png":
            yield from (f"{name} | {words}" for words in pixels(old.read_bytes(), new.read_bytes()))
        else:
            texts = (each.read_text(encoding="utf-8").splitlines() for each in (old, new))
            yield from (f"{name}:{words}" for words in lines(*texts))


def lines(old: list[str], new: list[str]) -> Iterator[str]:
    """The lines that differ, in pairs as far as there are pairs, each from a little before the first other letter."""
    for tag, first, last, start, end in SequenceMatcher(None, old, new).get_opcodes():
        pairs = zip_longest(old[first:last], new[start:end], fillvalue="") if tag != "equal" else ()
        for number, (one, two) in enumerate(pairs, first + 1):
            other = next((place for place, (a, b) in enumerate(zip_longest(one, two)) if a != b), 0)
            begin = max(0, other - 20)
            yield " | ".join([str(number), one[begin:][:SHORT].strip(), two[begin:][:SHORT].strip()])


def pixels(old: bytes, new: bytes) -> Iterator[str]:
    """What differs between two pictures; nothing if all of their pixels are the same."""
    from PIL import Image, ImageChops

    one, two = (Image.open(io.BytesIO(data)).convert("RGB") for data in (old, new))
    if one.size != two.size:
        yield f"{one.size} | {two.size}"
    elif box := ImageChops.difference(one, two).getbbox():
        yield f"the pixels differ in the box {box}"
