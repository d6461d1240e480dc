"""A real window on a virtual display (Xvfb), with keys and a click: play, pause, go back, save a picture."""

from __future__ import annotations

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

pytestmark = [
    pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool"),
    pytest.mark.slow("that draw a window"),
]


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


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "the condition never became true"
        time.sleep(0.05)


def test_a_person_plays_in_a_window(display: str, tmp_path: Path) -> None:
    """Keys reach the game, a click the time line, and an interrupt ends the program without a traceback."""
    recording = tmp_path / "game.json"
    hidden = ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    # Mesa prints a line where the home folder of the user in /etc/passwd cannot be written.
    environment |= {"DISPLAY": display, "PYTHONPATH": str(ROOT), "MESA_SHADER_CACHE_DISABLE": "true"}
    words = ["play", "--layout", "meadow", "--speed", "8", "--seed", "3", "--save", "game.json"]
    program = subprocess.Popen(
        [sys.executable, "-m", "pacman", *words],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip

    def pictures() -> dict[int, Path]:
        """The saved pictures, by the ply in their names."""
        return {int(path.stem.rpartition("-")[2]): path for path in tmp_path.glob("*.png")}

    def do(*words: str) -> str:
        command = ["xdotool", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS).stdout.strip()

    def has_keyboard() -> bool:
        assert program.poll() is None, program.communicate()
        do("search", "--onlyvisible", "--name", "^Pacman: ", "windowfocus")  # no window manager does it
        return do("getwindowfocus", "getwindowname").startswith("Pacman: ")

    def goes_west() -> bool:
        do("key", "Left")
        return recording.exists() and '"agent":0,"action":"West"' in recording.read_text()

    try:
        until(has_keyboard)
        until(goes_west)
        do("key", "space")
        regions = Regions.fit(*opening_size((1400, 900)), Layout.load("meadow").maze)
        slider = TimelineBar(regions.timeline, regions.unit).slider
        place = str(round(slider.left)), str(round(slider.top + slider.height / 2))
        do("mousemove", "--window", do("getwindowfocus"), *place, "click", "1")
        do("key", "p")
        until(lambda: 0 in pictures())
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=SECONDS)
    finally:
        program.kill()
    with Image.open(pictures()[0]) as image:  # a picture is whole when the program has ended
        assert image.size == opening_size((1400, 900))
        assert len(image.convert("RGB").getcolors(1 << 20)) > 100
    assert (program.returncode, out) == (130, "")
    assert re.fullmatch(r"stopped: score -?\d+ after \d+ plies, seed 3; recorded in game.json\n", err)
    assert "is incomplete" in Replay.load(recording).note
