"""A real window on a virtual display (Xvfb), with keys and clicks: play, pause, step back, save a picture, quit."""

from __future__ import annotations

import json
import os
import re
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
from pacman.picture.bars import TimelineBar
from pacman.picture.screen_regions import Regions
from pacman.play.recording import Replay
from pacman.view.screen import opening_size
from tests.paths import ROOT

SECONDS = 60.0
"""A limit that is long enough for a busy machine; usually a second is enough."""

pytestmark = pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool")


@pytest.fixture
def display() -> Iterator[str]:
    """A new display; the server chooses a free number."""
    our_end, their_end = os.pipe()
    # Without -noreset the server restarts when its last client leaves, and then loses a client that comes just then.
    command = ["Xvfb", "-displayfd", str(their_end), "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[their_end], stderr=subprocess.DEVNULL)
    os.close(their_end)
    try:
        with os.fdopen(our_end) as number_file:
            number = number_file.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(SECONDS)


class Window:
    """A program with a window, and a person who presses its keys."""

    def __init__(self, display: str, folder: Path, arguments: list[str]) -> None:
        hidden = ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY")
        self.environment = {key: value for key, value in os.environ.items() if key not in hidden}
        # Mesa prints a line where the home folder of the user in /etc/passwd cannot be written.
        self.environment |= {"DISPLAY": display, "PYTHONPATH": str(ROOT), "MESA_SHADER_CACHE_DISABLE": "true"}
        command = [sys.executable, "-m", "pacman", *arguments]
        self.program = subprocess.Popen(
            command, cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def do(self, *words: str) -> str:
        command = ["xdotool", *words]
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=SECONDS)
        return result.stdout.strip()

    def wait(self) -> None:
        """Waits until the window is visible and has the keyboard."""

        def has_keyboard() -> bool:
            assert self.program.poll() is None, self.end()
            self.do(
                "search", "--onlyvisible", "--name", "^Pacman: ", "windowfocus"
            )  # there is no window manager to do it
            return self.do("getwindowfocus", "getwindowname").startswith("Pacman: ")

        until(has_keyboard)

    def press(self, *keys: str) -> bool:
        """Presses the keys one after another. Returns False, so that `until` can repeat it until it has worked."""
        for key in keys:
            self.do("key", key)
        return False

    def end(self) -> tuple[int, str, str]:
        out, err = self.program.communicate(timeout=SECONDS)
        return self.program.returncode, out, err


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "the condition never became true"
        time.sleep(0.05)


def moves(file: Path) -> list[dict[str, object]]:
    lines = file.read_text().splitlines() if file.exists() else []
    return [json.loads(line) for line in lines if line.startswith('{"ply"')]


def turns(file: Path) -> list[object]:
    """The actions of Pacman."""
    return [move["action"] for move in moves(file) if move["agent"] == 0]


def pictures(folder: Path) -> dict[int, Path]:
    """The saved pictures, by the ply in their names."""
    return {int(path.stem.rpartition("-")[2]): path for path in folder.glob("*.png")}


def test_a_person_plays_in_a_window(display: str, tmp_path: Path) -> None:
    """Keys, pictures, a click on the slider, and an interrupt without a traceback."""
    recording = tmp_path / "game.json"
    arguments = ["play", "--layout", "meadow", "--speed", "8", "--seed", "3", "--save", "game.json"]
    window = Window(display, tmp_path, arguments)
    try:
        window.wait()
        until(lambda: window.press("Left") or "West" in turns(recording))
        window.press("space", "p")
        until(lambda: len(pictures(tmp_path)) == 1)  # keys come in order, so the game is paused now
        time.sleep(0.5)
        move_count = len(moves(recording))
        time.sleep(0.5)
        assert len(moves(recording)) == move_count, "the game is not paused"
        window.press("comma", "comma", "p")
        until(lambda: len(pictures(tmp_path)) == 2)
        back, latest = sorted(pictures(tmp_path))
        assert back == latest - 2
        regions = Regions.fit(*opening_size((1400, 900)), Layout.load("meadow").maze)
        slider = TimelineBar(regions.timeline, regions.unit).slider
        place = str(round(slider.left)), str(round(slider.top + slider.height / 2))
        window.do("mousemove", "--window", window.do("getwindowfocus"), *place, "click", "1")
        time.sleep(0.3)
        window.press("p")
        until(lambda: 0 in pictures(tmp_path))
        window.program.send_signal(signal.SIGINT)
        status, out, err = window.end()
    finally:
        window.program.kill()
    with Image.open(pictures(tmp_path)[back]) as image:  # a picture is whole when the program has ended
        assert image.size == opening_size((1400, 900))
        assert len(image.convert("RGB").getcolors(1 << 20)) > 100
    assert (status, out) == (130, "")
    assert re.fullmatch(r"stopped: score -?\d+ after \d+ plies, seed 3; recorded in game.json\n", err)
    assert len(moves(recording)) == move_count  # the recording is complete up to the end of the program
    assert "is incomplete" in Replay.load(recording).note
