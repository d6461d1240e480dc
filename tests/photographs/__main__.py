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
import shutil
import sys
import tempfile
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.photographs.difference import differences
from tests.photographs.shots import Files, Shots, shots


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


if __name__ == "__main__":
    sys.exit(main())
