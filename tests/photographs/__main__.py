"""Takes photographs of the product, and compares them with earlier ones.

    python -m tests.photographs take FOLDER             all of them, at most 10 minutes on two cores
    python -m tests.photographs compare FOLDER          takes them again, into FOLDER.now
    python -m tests.photographs compare FOLDER OTHER    compares two folders and takes nothing
    python -m tests.photographs compare FOLDER --only windows/ --only grades/wrong

Both folders stay, so that a person can open two pictures side by side. Exit status of `compare`: 0 if every difference
stands in expected.txt, 1 if not.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.photographs.difference import Expected, differences
from tests.photographs.shots import Shot, inputs, shots

INPUTS, SECONDS = "inputs.json", "seconds.json"


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.photographs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("take", "compare"))
    parser.add_argument("folder", type=Path, help="the photographs before")
    parser.add_argument("now", type=Path, nargs="?", help="with compare: photographs that are there already")
    parser.add_argument("--only", action="append", metavar="TEXT", help="only shots whose names contain this text")
    parser.add_argument("--jobs", type=int, default=2, help="shots at the same time (2)")
    parser.add_argument("--most", type=int, default=200, help="print so many differences (200)")
    words = parser.parse_args()
    folder: Path = words.folder

    def is_wanted(name: str) -> bool:
        return not words.only or any(each in name for each in words.only)

    now = words.now or folder.with_name(folder.name + ".now")
    if words.what == "take":
        folder.mkdir(parents=True, exist_ok=True)
        kept = read(folder / INPUTS) if words.only and (folder / INPUTS).exists() else inputs()
        (folder / INPUTS).write_text(json.dumps(kept, indent=1), encoding="utf-8")
        take(folder, [shot for shot in shots(kept) if is_wanted(shot.name)], words.jobs)
        return 0
    if words.now is None:
        if not words.only:
            shutil.rmtree(now, ignore_errors=True)
        now.mkdir(parents=True, exist_ok=True)
        take(now, [shot for shot in shots(read(folder / INPUTS)) if is_wanted(shot.name)], words.jobs)
    return compare(folder, now, {name for name in {*taken(folder), *taken(now)} if is_wanted(name)}, words.most)


def read(file: Path) -> Any:
    """The JSON of a file of the photographs."""
    return json.loads(file.read_text(encoding="utf-8"))


def taken(folder: Path) -> dict[str, float]:
    """The shots of a folder, with their seconds."""
    return dict(read(folder / SECONDS)) if (folder / SECONDS).exists() else {}


def take(folder: Path, wanted: Sequence[Shot], jobs: int) -> None:
    """Takes the shots, some at the same time, and writes their files and their seconds."""
    start = time.monotonic()
    spent: dict[str, float] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for name, seconds in pool.map(lambda shot: take_one(folder, shot), wanted):
            spent[name] = seconds
            (folder / SECONDS).write_text(json.dumps({**taken(folder), name: seconds}, indent=1), encoding="utf-8")
    print(f"{folder}: {len(wanted)} shots in {time.monotonic() - start:.0f} s, {sum(spent.values()):.0f} s one by one")


def take_one(folder: Path, shot: Shot) -> tuple[str, float]:
    """Takes one shot in a folder of its own; returns its name and its seconds."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="photographed-") as place:
        try:
            files = shot.take(Path(place))
        except Exception as error:  # a shot that fails is a photograph too
            files = {"failed.txt": f"{type(error).__name__}: {error}\n"}
            print(f"{shot.name}: {type(error).__name__}: {error}", file=sys.stderr)
    shutil.rmtree(folder / shot.name, ignore_errors=True)
    for name, data in files.items():
        path = folder / shot.name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return shot.name, round(time.monotonic() - start, 1)


def compare(before: Path, now: Path, names: Collection[str], most: int) -> int:
    """Prints the differences that are not expected, then how many of each kind there are."""
    expected = Expected()
    new = [each for each in differences(before, now, names) if not expected.has(each)]
    for difference in new[:most]:
        print(difference.short)
    if len(new) > most:
        print(f"... and {len(new) - most} more (--most)")
    for reason, count in expected.counts.items():
        print(f"expected: {count} by {reason}")
    shot_names = {name for name in names if any(each.what.startswith(f"{name}/") for each in new)}
    print(f"{len(names)} shots compared: {len(new)} differences that are not expected, in {len(shot_names)} shots")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
