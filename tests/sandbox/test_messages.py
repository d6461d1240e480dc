"""The messages between the grader and a student's process: limits, encodings, and positions in a few numbers."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.student_process.messages import MAX_BRACKETS, MAX_ITEMS, BadFrame, decode, restore, shorten
from pacman import GameState, start
from tests.paths import ROOT

WATCHDOG_SECONDS = 120

# Each of these has almost 8 MiB. A scanner that starts again at every quote or backslash needs hours for some of them.
LARGE_FRAMES = """
from autograder.student_process.messages import BadFrame, decode
SIZE = 8_000_000
FRAMES = (
    b'{"x":"' + b'\\\\"' * (SIZE // 2),
    b'{"x":"' + b"\\\\" * SIZE,
    b'"' * SIZE,
    b'"a' * (SIZE // 2),
    b"[" * SIZE,
    b'{"":' * (SIZE // 4),
    b"[" + b"0," * (SIZE // 2),
    b" " * SIZE,
    b'{"x":' + b"9" * SIZE + b"}",
)
for frame in FRAMES:
    try:
        decode(frame)
    except BadFrame:
        print("refused")
"""


def test_large_hostile_frames_are_refused_in_linear_time() -> None:
    command = [sys.executable, "-c", LARGE_FRAMES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=WATCHDOG_SECONDS, check=True)
    assert done.stdout.split() == ["refused"] * 9


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-8-sig", "latin-1"]
)
def test_a_frame_in_another_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(BadFrame):
        decode('{"n":1,"x":"é"}'.encode(encoding))
    assert decode('{"n":1,"x":"é"}'.encode()) == {"n": 1, "x": "é"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"x":' + "[" * 8 + "]" * 8 + "}", "nested too deeply"),
        ('{"x":[' + "[]," * (MAX_BRACKETS // 2) + "0]}", "more values than"),
        ("{" + ",".join(f'"{key}":0' for key in range(MAX_BRACKETS)) + "}", "more values than"),
        ('{"x":[' + "0," * (MAX_ITEMS + 1) + "0]}", "more values than"),
        ('{"x":[' + '""' * (MAX_ITEMS + 1) + "]}", "more values than"),
        ('["a"]', "not a JSON object"),
    ],
)
def test_a_frame_above_a_limit_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadFrame, match=problem):
        decode(text.encode())


strings = st.text('"\\[]{},:a\né', max_size=12)


@given(st.dictionaries(strings, st.one_of(strings, st.integers(-9, 9), st.lists(strings, max_size=3)), max_size=4))
def test_what_is_in_strings_does_not_count(message: dict[str, object]) -> None:
    more = {**message, "long": '[{,:"\\' * MAX_BRACKETS}
    for is_ascii in (True, False):
        assert decode(json.dumps(more, ensure_ascii=is_ascii).encode()) == more


@pytest.mark.parametrize("layout", ["pantry", "smallish"])
def test_a_restored_position_is_the_same_as_one_that_is_read_from_text(layout: str) -> None:
    rng = Random(layout)
    first = GameState.parse(str(start(layout, ["random", "directional"])))
    for _ in range(5):
        state = first
        for _ in range(200):
            if state.is_terminal:
                break
            restored = restore(json.loads(json.dumps(shorten(state))), first)
            assert restored == state == GameState.parse(str(state))
            assert str(restored) == str(state)
            assert restored.layers == state.layers
            state = state.successor(rng.choice(state.actions()))


@pytest.mark.parametrize("sign", ["", "-"])
def test_integers_have_at_most_thirty_digits_and_eight_levels_are_read(sign: str) -> None:
    assert decode(f'{{"x":[0,{sign}{"9" * 30}]}}'.encode())["x"][1] == int(sign + "9" * 30)
    with pytest.raises(BadFrame, match="too many digits"):
        decode(f'{{"x":[0,{sign}{"9" * 31}]}}'.encode())
    assert decode(b'{"x":' + b"[" * 7 + b"]" * 7 + b"}")
    assert decode(f'{{"x":{"9" * 31}.5,"y":0.{"3" * 40},"z":{"1" * 31}e2}}'.encode())["y"] == pytest.approx(1 / 3)
    assert decode(f'{{"x":0.{"3" * 398}}}'.encode())
    with pytest.raises(BadFrame, match="too many digits"):
        decode(f'{{"x":0.{"3" * 399}}}'.encode())
