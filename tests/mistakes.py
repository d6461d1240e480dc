"""Tables of mistakes in text files: each is a change of a right file, and the line that its author gets.

    cases/q1/tree.yaml
    -plies: 2
    +plys: 2
    = cases/q1/tree.yaml:3: unknown key 'plys': did you mean 'plies'?

A blank line ends a mistake, and `#` begins a comment. A change has the lines to take out (`-`), those to put in (`+`),
and those between which it is made; a file that is only put in is a new one. After `=` stands nothing if all is right.
"""

from __future__ import annotations

from pathlib import Path


def mistakes(path: Path) -> list[tuple[str, str, str]]:
    """The mistakes of a table: the file, the change, and the line."""
    found = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            file, *change, line = lines
            assert line.startswith("="), block
            found.append((file, "\n".join(change) + "\n", line[1:].strip()))
    return found


def changed(text: str, change: str) -> str:
    """The text after a change. The lines without `+` must stand in it once, together."""
    lines = change.splitlines(keepends=True)
    before = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
    after = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
    assert text.count(before) == 1, f"{text.count(before)} times:\n{before}"
    return text.replace(before, after)
