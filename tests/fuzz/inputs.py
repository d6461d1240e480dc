"""What all fuzzers share: how many inputs they try, and how they change valid inputs a little.

FUZZ_INPUTS is the number of inputs per fuzzer. With FUZZ_SEED the inputs are random, and the same seed gives the same
inputs; without it they are the same in every run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from pacman.core.errors import InputError, printable

INPUTS = int(os.environ.get("FUZZ_INPUTS") or 30)
SEED = os.environ.get("FUZZ_SEED")
MOST_CHARACTERS = 1_000
"""The longest message for a user, in characters."""
T = TypeVar("T")

# Numbers, signs and characters at which readers have failed: in this project, or in others.
WORDS = (
    "", " ", "\t", "\n", "\r", "\x00", "\x1b[2J", "\x85", "\u2028", "\u202e", "\ud800", "\ufeff", "é", "漢", "٣", "²",
    "0", "-0", "-1", "1", "7", "1e5", "1e999", "1e-999", "nan", "inf", "-Infinity", "9" * 20, "9" * 5_000, "0x1F",
    "1_000", "1:30", "1/0", "1/3", "0.1", "true", "null", "~", "=", ":", "::", "@", "#", "%", "%%%", "P", "G", "4", ".",
    "o", "[", "]", "[" * 30, "{", "}", "(", ")", '"', '"""', "'", "\\", "/", "../", "-", "- ", "? ", "|", ">", "&a ",
    "*a", "<<: ", "!!python/name:os.system ", "!!binary ", "---\n", "...\n", "West", "Stop", "max", "chance", "  ",
    "max: 1", "a" * 300, ",", ";", "$", "`", "<b>",
)  # fmt: skip

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(-(10**40), 10**40),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(st.characters(codec=None), max_size=8),
)
VALUES = st.recursive(
    SCALARS,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), part),
    max_leaves=6,
)


def fuzz(*strategies: Any, divided_by: int = 1) -> Callable[[T], T]:
    """Runs a test with INPUTS inputs, or a part of them if one input takes long."""

    def decorate(test: Any) -> Any:
        chosen = settings(
            max_examples=max(1, INPUTS // divided_by),
            derandomize=SEED is None,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate,),  # making a failing input smaller can take minutes
        )
        changed = chosen(given(*strategies)(test))
        return changed if SEED is None else seed(int(SEED))(changed)

    return decorate


@st.composite
def edited(draw: st.DrawFn, sources: Sequence[str], most: int = 4) -> str:
    """One of the texts after up to `most` small changes of its characters or lines."""
    text = draw(st.sampled_from(sources))
    for _ in range(draw(st.integers(0, most))):
        if draw(st.booleans()):
            lines = text.split("\n")
            here, there = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            change = draw(st.sampled_from(("swap", "repeat", "delete", "indent")))
            if change == "swap":
                lines[here], lines[there] = lines[there], lines[here]
            elif change == "repeat":
                lines.insert(here, lines[there])
            elif change == "delete":
                del lines[here]
            else:
                lines[here] = draw(st.sampled_from(("  ", " ", "\t", "    "))) + lines[here]
            text = "\n".join(lines)
        else:
            start = draw(st.integers(0, len(text)))
            end = min(len(text), start + draw(st.sampled_from((0, 0, 1, 1, 2, 5, 40))))
            text = text[:start] + draw(st.sampled_from(WORDS)) + text[end:]
    return text


@st.composite
def edited_bytes(draw: st.DrawFn, sources: st.SearchStrategy[bytes], most: int = 4) -> bytes:
    """One of the byte strings after up to `most` small changes."""
    content = bytearray(draw(sources))
    for _ in range(draw(st.integers(0, most))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from((0, 1, 1, 2, 4, 100))))
        content[start:end] = draw(st.binary(max_size=6))
    return bytes(content)


@st.composite
def edited_value(draw: st.DrawFn, value: Any, most: int = 3) -> Any:
    """A value of lists, mappings and scalars after up to `most` changes; the given value stays as it is."""
    for _ in range(draw(st.integers(0, most))):
        value = _changed(draw, value)
    return value


def _changed(draw: st.DrawFn, value: Any) -> Any:
    if not (isinstance(value, dict | list) and value and draw(st.integers(0, 9))):
        return draw(VALUES)
    place = draw(st.sampled_from(sorted(value, key=str) if isinstance(value, dict) else range(len(value))))
    copy, change = value.copy(), draw(st.integers(0, 8))
    if change == 0:
        del copy[place]
    elif change == 1 and isinstance(copy, list):
        copy.insert(place, draw(st.just(copy[place]) | VALUES))
    elif change == 1:
        copy[draw(st.sampled_from(WORDS))] = draw(VALUES)
    else:
        copy[place] = _changed(draw, value[place])
    return copy


def check_refusal(error: InputError) -> None:
    """Fails unless the message of an error is one short line that can be shown."""
    text = str(error)
    assert 0 < len(text) <= MOST_CHARACTERS, text[:2_000]
    assert "\n" not in text, text
    assert printable(text).strip()


def result_or_refusal(action: Callable[[], Any], kind: type[InputError] = InputError) -> Any:
    """The result of an action; None if it was refused with a line for the user."""
    try:
        return action()
    except kind as refusal:
        check_refusal(refusal)
        return None


@contextmanager
def written_file(name: str, content: str | bytes = b"") -> Iterator[Path]:
    """A file in a folder of its own. A text may have lone surrogates, which then are no valid UTF-8."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        yield path
