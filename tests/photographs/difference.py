"""The differences between two folders of photographs, one line each, and the list of those that are right."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from tests.photographs.run import normal

EXPECTED = Path(__file__).with_name("expected.txt")
SHORT = 70


class Difference(NamedTuple):
    """What differs: the file and the line, and what stood and stands there."""

    what: str
    before: str
    after: str

    @property
    def short(self) -> str:
        """Cut to what a person reads: both texts from a little before the first letter that differs."""
        common = next((n for n, (a, b) in enumerate(zip_longest(self.before, self.after)) if a != b), 0)
        start = max(0, common - 20)
        texts = ("..." * bool(start and text) + text[start : start + SHORT]
                 for text in (self.before, self.after))  # fmt: skip
        return " | ".join((self.what, *texts))


class Expected:
    """The differences that are right, from a file with `PATTERN  ## REASON` a line; lines that begin with # are not."""

    def __init__(self, file: Path = EXPECTED) -> None:
        self.rows: list[tuple[re.Pattern[str], str]] = []
        self.counts: Counter[str] = Counter()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                pattern, found, reason = line.rpartition("  ## ")
                if not found:
                    raise SystemExit(f"{file.name}, line {number}: expected PATTERN, two blanks, ##, a blank, REASON")
                self.rows.append((re.compile(pattern.strip()), f"line {number}: {reason}"))

    def has(self, difference: Difference) -> bool:
        """True if a row matches `FILE:LINE | BEFORE | AFTER`; it is counted."""
        reason = next((reason for pattern, reason in self.rows if pattern.search(" | ".join(difference))), None)
        self.counts.update([reason] if reason else [])
        return reason is not None


def differences(before: Path, after: Path, taken: Collection[str]) -> Iterator[Difference]:
    """All differences, for the shots that were `taken` now."""
    names = {
        path.relative_to(folder).as_posix()
        for folder in (before, after)
        for shot in taken
        for path in (folder / shot).rglob("*")
        if path.is_file()
    }
    for name in sorted(names):
        old, new = before / name, after / name
        if not old.exists() or not new.exists():
            yield Difference(name, *("there" if each.exists() else "no file" for each in (old, new)))
        elif old.read_bytes() == new.read_bytes():
            continue
        elif old.suffix in (".png", ".gif"):
            if words := pixels(old.read_bytes(), new.read_bytes()):
                yield Difference(name, *words)
        else:
            # Once more without what is volatile: photographs can be older than a row of `VOLATILE`.
            texts = (normal(each.read_text(encoding="utf-8")).splitlines() for each in (old, new))
            yield from lines(name, *texts)


def lines(name: str, old: list[str], new: list[str]) -> Iterator[Difference]:
    """The lines that differ, in pairs as far as there are pairs."""
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > 4000)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag != "equal":
            pairs = zip_longest(old[first:last], new[start:end], fillvalue="")
            for number, (before, after) in enumerate(pairs, first + 1):
                yield Difference(f"{name}:{number}", before.strip(), after.strip())


def pixels(old: bytes, new: bytes) -> tuple[str, str] | None:
    """What differs between two pictures or films; None if all of their pixels are the same."""
    from PIL import Image, ImageChops, ImageSequence

    frames = [
        [frame.convert("RGBA") for frame in ImageSequence.Iterator(Image.open(io.BytesIO(data)))] for data in (old, new)
    ]
    kinds = [f"{len(each)} frames of {each[0].size[0]}x{each[0].size[1]}" for each in frames]
    if kinds[0] != kinds[1]:
        return kinds[0], kinds[1]
    for number, (one, two) in enumerate(zip(*frames, strict=True)):
        if one.tobytes() != two.tobytes():
            changed = ImageChops.difference(one.convert("RGB"), two.convert("RGB"))
            box = changed.getbbox() or (0, 0, 0, 0)
            count = sum(1 for pixel in changed.convert("L").tobytes() if pixel)
            return f"frame {number}", f"{count} pixels differ in the box {box}"
    return None
