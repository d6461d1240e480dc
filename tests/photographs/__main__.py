"""Takes photographs of the views, and compares them with earlier ones.

    python -m tests.photographs take FOLDER             all of them, some minutes
    python -m tests.photographs compare FOLDER          takes them again, into FOLDER.now
    python -m tests.photographs compare FOLDER OTHER    compares two folders and takes nothing
    python -m tests.photographs compare FOLDER --only windows/ --only terminals/search

Both folders stay, so that a person can open two pictures side by side. Exit status of `compare`: 1 if there is a
difference.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path

from tests.photographs.shots import Files, Shots, shots

SHORT = 70


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.photographs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("take", "compare"))
    parser.add_argument("folder", type=Path, help="the photographs before")
    parser.add_argument("now", type=Path, nargs="?", help="with compare: photographs that are there already")
    parser.add_argument("--only", action="append", metavar="TEXT", help="only shots whose names contain this text")
    words = parser.parse_args()
    wanted = {name: take for name, take in shots().items() if any(each in name for each in words.only or [""])}
    if words.what == "take":
        take_all(words.folder, wanted)
        return 0
    now: Path = words.now or words.folder.with_name(words.folder.name + ".now")
    if words.now is None:
        take_all(now, wanted)
    return compare(words.folder, now, wanted)


def take_all(folder: Path, wanted: Shots) -> None:
    """Takes the shots, two at the same time, and writes their files."""

    def take(name: str) -> None:
        shutil.rmtree(folder / name, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="photographed-") as place:
            files: Files = wanted[name](Path(place))
        for file, data in files.items():
            (folder / name / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / file).write_bytes(data if isinstance(data, bytes) else data.encode())

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(take, wanted))


def compare(before: Path, now: Path, names: Collection[str]) -> int:
    """Prints the differences of these shots; returns 1 if there is one."""
    lines = list(differences(before, now, names))
    print(*lines, f"{len(names)} shots compared: {len(lines)} differences", sep="\n")
    return int(bool(lines))


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


if __name__ == "__main__":
    sys.exit(main())
