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
    for speed, frames in ((4, 5), (2, 10)):
        film = Film(4, speed=speed).write(tmp_path / "game.gif", Replay.load(recording))
        assert film == 1 + frames * rounds + 50


def test_a_film_with_a_size_a_theme_and_an_overlay(recording: Path, tmp_path: Path) -> None:
    plain, drawn = tmp_path / "plain.png", tmp_path / "drawn.png"
    Film(size=(640, 360), theme=LIGHT, max_seconds=0.5).write(plain, Replay.load(recording))
    search = choose_search("expectimax", rounds=1)
    Film(size=(640, 360), theme=LIGHT, max_seconds=0.5, analyse=search, overlay="values").write(
        drawn, Replay.load(recording)
    )
    with Image.open(plain) as without, Image.open(drawn) as overlaid:
        assert without.size == overlaid.size == (640, 360)
        assert without.getpixel((1, 100)) == LIGHT.background
        assert without.tobytes() != overlaid.tobytes()


@needs_ffmpeg
def test_an_mp4_has_every_frame(recording: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    frames = Film(cell=16).write(path, Replay.load(recording))
    result = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "gray", "-"], capture_output=True
    )
    assert result.stderr == b""
    pixels = len(result.stdout) / frames
    assert pixels == int(pixels)
    assert path.read_bytes().index(b"moov") < path.read_bytes().index(b"mdat")  # it can play before it is fully loaded


def test_missing_ffmpeg_is_reported_before_the_film_is_drawn(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film.shutil, "which", lambda name: None)
    with pytest.raises(InputError, match="an .mp4 needs ffmpeg, .* or write a .gif or a .webp"):
        Film().write(tmp_path / "game.mp4", Replay.load(recording))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
def test_the_error_of_ffmpeg_is_reported(recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "ffmpeg"
    broken.write_text("#!/bin/sh\necho first >&2\necho 'Unknown encoder libx264' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(film.shutil, "which", lambda name: str(broken))
    with pytest.raises(InputError, match="ffmpeg could not write the film: Unknown encoder libx264"):
        Film(cell=16).write(tmp_path / "game.mp4", Replay.load(recording))
    assert not (tmp_path / "game.mp4").exists()


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


def test_games_side_by_side_are_one_film(recording: Path, tmp_path: Path) -> None:
    out = tmp_path / "both.png"
    one, other = Replay.load(recording), Replay.load(recording)
    Film(cell=16).write(tmp_path / "one.png", one)
    Film(cell=16).write(out, one, other)
    with Image.open(tmp_path / "one.png") as alone, Image.open(out) as both:
        assert both.size == (2 * alone.width, alone.height + STRIP)
        assert both.crop((alone.width, 0, both.width, alone.height)).tobytes() == alone.tobytes()
    frames = Film(size=(640, 240)).write(tmp_path / "both.gif", one, other)
    with Image.open(tmp_path / "both.gif") as moving:
        assert moving.size == (640, 240)
        assert getattr(moving, "n_frames", 0) == frames


def test_a_film_is_as_long_as_its_longest_game(recording: Path, tmp_path: Path) -> None:
    lines = recording.read_bytes().splitlines(keepends=True)
    (tmp_path / "short.json").write_bytes(b"".join(lines[:5]))
    short = Replay.load(tmp_path / "short.json")
    longer = Film().write(tmp_path / "one.gif", Replay.load(recording))
    assert Film().write(tmp_path / "both.gif", short, Replay.load(recording)) == longer
