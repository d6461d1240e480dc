"""A real window on a real (virtual) display, with a person's keys: start, turn, pause, step back, picture, leave."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from pacman.core.layout import Layout
from pacman.play.recording import Replay
from pacman.view.picture.regions import Regions
from pacman.view.picture.timeline_bar import TimelineBar

ROOT = Path(__file__).parents[2]
SECONDS = 60.0
"""Longer than anything takes on a busy machine; what is waited for comes within one."""

pytestmark = pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool")


@pytest.fixture
def display() -> Iterator[str]:
    """A display of its own; the server picks a free number."""
    ours, theirs = os.pipe()
    # Without -noreset the server starts anew whenever its last client leaves, and a client that comes then is lost.
    command = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[theirs], stderr=subprocess.DEVNULL)
    os.close(theirs)
    try:
        with os.fdopen(ours) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(SECONDS)


class Window:
    """A program with a window, and somebody who presses its keys."""

    def __init__(self, display: str, folder: Path, arguments: list[str]) -> None:
        hidden = ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY")
        self.environment = {key: value for key, value in os.environ.items() if key not in hidden}
        self.environment |= {"DISPLAY": display, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "pacman", *arguments]
        self.program = subprocess.Popen(
            command, cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def do(self, *words: str) -> str:
        command = ["xdotool", *words]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=SECONDS)
        return done.stdout.strip()

    def wait(self) -> None:
        """Until the window is there and has the keyboard."""

        def is_there() -> bool:
            assert self.program.poll() is None, self.end()
            self.do("search", "--onlyvisible", "--name", "^Pacman: ", "windowfocus")  # no window manager does it
            return self.do("getwindowfocus", "getwindowname").startswith("Pacman: ")

        until(is_there)

    def press(self, *keys: str) -> bool:
        """Presses them, one after another; False, so that it can be tried `until` it has worked."""
        for key in keys:
            self.do("key", key)
        return False

    def end(self) -> tuple[int, str, str]:
        out, err = self.program.communicate(timeout=SECONDS)
        return self.program.returncode, out, err


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def moves(file: Path) -> list[dict[str, object]]:
    lines = file.read_text().splitlines() if file.exists() else []
    return [json.loads(line) for line in lines if line.startswith('{"ply"')]


def turns(file: Path) -> list[object]:
    """What Pacman did."""
    return [move["action"] for move in moves(file) if move["agent"] == 0]


def pictures(folder: Path) -> dict[int, Path]:
    """The pictures that were saved, by the ply that they say they show."""
    return {int(path.stem.rpartition("-")[2]): path for path in folder.glob("*.png")}


def test_a_person_plays_in_a_window(display: str, tmp_path: Path) -> None:
    recording = tmp_path / "game.json"
    arguments = ["play", "--layout", "meadow", "--speed", "8", "--seed", "3", "--save", "game.json"]
    window = Window(display, tmp_path, arguments)
    try:
        window.wait()
        until(lambda: len(moves(recording)) >= 3)
        until(lambda: window.press("Left") or "West" in turns(recording))
        window.press("space", "p")
        until(lambda: len(pictures(tmp_path)) == 1)  # keys come in order: by now it is paused
        time.sleep(0.5)
        made = len(moves(recording))
        time.sleep(0.5)
        assert len(moves(recording)) == made, "it is not paused"
        window.press("comma", "comma", "p")
        until(lambda: len(pictures(tmp_path)) == 2)
        window.press("q")
        assert window.end() == (0, "", "")
    finally:
        window.program.kill()
    back, shown = sorted(pictures(tmp_path))
    assert back == shown - 2
    with Image.open(pictures(tmp_path)[back]) as image:
        assert image.size == (1280, 800)
        assert len(image.convert("RGB").getcolors(1 << 20)) > 100
    assert len(moves(recording)) == made  # the recording of a game that was left is whole up to there


def test_the_mouse_scrubs_and_an_interrupt_ends_it_clean(display: str, tmp_path: Path) -> None:
    arguments = ["watch", "--layout", "meadow", "--pacman", "random", "--speed", "8", "--save", "game.json"]
    window = Window(display, tmp_path, arguments)
    try:
        window.wait()
        until(lambda: len(moves(tmp_path / "game.json")) >= 9)
        frame = Regions.fit(1280, 800, Layout.load("meadow").maze)
        line = TimelineBar(frame.timeline, frame.unit).line
        place = str(round(line.left)), str(round(line.top + line.height / 2))
        window.do("mousemove", "--window", window.do("getwindowfocus"), *place, "click", "1")
        time.sleep(0.3)
        window.press("p")
        until(lambda: list(pictures(tmp_path)) == [0])
        window.program.send_signal(signal.SIGINT)
        status, out, err = window.end()
    finally:
        window.program.kill()
    assert (status, out, err) == (130, "", "")
    assert "is incomplete" in Replay.load(tmp_path / "game.json").note
