"""Films of recordings: equal bytes each time, sizes, themes, overlays, several games, and ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from agents.analysis import choose_search
from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman import start
from pacman.__main__ import app
from pacman.core.errors import InputError
from pacman.picture.colours import LIGHT
from pacman.play.game import Game
from pacman.play.recording import Recorder, Replay
from pacman.view import film
from pacman.view.film import STRIP, Film

needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="needs ffmpeg")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "game.json"
    game = Game(start("nook"), [GreedyPacman(), RandomGhost()], ["greedy", "random 1"], seed=3, max_plies=12)
    with Recorder(path, game):
        game.play()
    return path


@pytest.mark.parametrize("suffix", [".gif", ".webp", ".png", pytest.param(".mp4", marks=needs_ffmpeg)])
def test_a_recording_gives_the_same_film_byte_for_byte(recording: Path, tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    options = {"cell": 16, "overlay": "line", "max_seconds": 1.5}
    for path in (first, second):
        Film(**options, analyse=choose_search("expectimax", rounds=1)).write(path, Replay.load(recording))  # type: ignore[arg-type]
    assert first.read_bytes() == second.read_bytes()


def test_speed_is_in_rounds_per_second_as_in_a_window(recording: Path, tmp_path: Path) -> None:
    rounds = len(Replay.load(recording).moves) / 2
    lengths = [Film(4, speed=speed).write(tmp_path / "game.gif", Replay.load(recording)) for speed in (4, 2)]
    assert lengths == [1 + 5 * rounds + 50, 1 + 10 * rounds + 50]


def test_a_film_with_a_size_a_theme_and_an_overlay(recording: Path, tmp_path: Path) -> None:
    pictures, path = [], tmp_path / "game.png"
    for more in ({}, {"analyse": choose_search("expectimax", rounds=1), "overlay": "values"}):
        Film(size=(640, 360), theme=LIGHT, max_seconds=0.5, **more).write(path, Replay.load(recording))  # type: ignore[arg-type]
        with Image.open(path) as image:
            assert image.size == (640, 360)
            assert image.getpixel((1, 100)) == LIGHT.background
            pictures.append(image.tobytes())
    assert pictures[0] != pictures[1]


@needs_ffmpeg
def test_an_mp4_has_every_frame(recording: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    frames = Film(cell=16).write(path, Replay.load(recording))
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "gray", "-"]
    result = subprocess.run(command, capture_output=True)
    assert (result.stderr, len(result.stdout) % frames) == (b"", 0)
    assert path.read_bytes().index(b"moov") < path.read_bytes().index(b"mdat")  # it can play before it is fully loaded


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
def test_missing_ffmpeg_and_its_error_are_reported(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "ffmpeg"
    broken.write_text("#!/bin/sh\necho first >&2\necho 'Unknown encoder libx264' >&2\nexit 1\n")
    broken.chmod(0o755)
    for program, message in (
        (None, "an .mp4 needs ffmpeg, .* or write a .gif or a .webp"),
        (str(broken), "ffmpeg could not write the film: Unknown encoder libx264"),
    ):
        monkeypatch.setattr(film.shutil, "which", lambda name, program=program: program)
        with pytest.raises(InputError, match=message):
            Film(cell=16).write(tmp_path / "game.mp4", Replay.load(recording))
    assert list(tmp_path.iterdir()) == [broken]


def test_see_takes_the_options_of_an_agent_and_needs_something_to_show(recording: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from agents.searchers import Minimax\nclass Mine(Minimax):\n    pass\ndef much(node):\n    return 77.0\n"
    )
    out = tmp_path / "see.png"

    def see(*words: str) -> str:
        out.unlink(missing_ok=True)
        result = CliRunner().invoke(app, ["film", str(recording), "--out", str(out), *words])
        return str(result.exception) if result.exception else ""

    pictures = []
    for options in ("", f":evaluation={mine}:much"):
        assert see("--see", f"{mine}:Mine{options}", "--overlay", "values", "--seconds", "0.1") == ""
        pictures.append(out.read_bytes())
    assert pictures[0] != pictures[1]
    assert see("--see", "minmax") == "no search 'minmax': did you mean 'minimax'? (or FILE.py:CLASS)"
    assert see("--see", "minimax") == (
        "--see minimax: says whose search to show; add --overlay values or --tree to show it"
    )
    assert not out.exists()


def test_games_side_by_side_are_one_film_as_long_as_its_longest_game(recording: Path, tmp_path: Path) -> None:
    one, other, frames = Replay.load(recording), Replay.load(recording), []
    (tmp_path / "short.json").write_bytes(b"".join(recording.read_bytes().splitlines(keepends=True)[:5]))
    for name, games in (("one", [one]), ("both", [one, other]), ("short", [Replay.load(tmp_path / "short.json"), one])):
        Film(cell=16).write(tmp_path / f"{name}.png", *games)
        frames.append(Film(size=(640, 240)).write(tmp_path / f"{name}.gif", *games))
    assert len(set(frames)) == 1
    with Image.open(tmp_path / "one.png") as alone, Image.open(tmp_path / "both.png") as both:
        assert both.size == (2 * alone.width, alone.height + STRIP)
        assert both.crop((alone.width, 0, both.width, alone.height)).tobytes() == alone.tobytes()
    with Image.open(tmp_path / "both.gif") as moving:
        assert (moving.size, getattr(moving, "n_frames", 0)) == ((640, 240), frames[0])
