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
from pacman.picture.colours import DARK, LIGHT
from pacman.picture.screen_regions import Regions
from pacman.play.game import Game
from pacman.play.recording import Recorder, Replay
from pacman.view import film
from pacman.view.film import STRIP, Film
from tests.view.fake_screen import CORRIDOR, corridor

needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="needs ffmpeg")
END = 4
"""The frames of the end of a GIF in these tests."""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "game.json"
    game = Game(start("nook"), [GreedyPacman(), RandomGhost()], ["greedy", "random 1"], seed=3, max_plies=12)
    with Recorder(path, game):
        game.play()
    return path


@pytest.fixture(autouse=True)
def short_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "END_SECONDS", END / film.FPS[".gif"])


@pytest.mark.parametrize("suffix", [".gif", ".webp", ".png", pytest.param(".mp4", marks=needs_ffmpeg)])
def test_a_recording_gives_the_same_film_byte_for_byte(recording: Path, tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    search = choose_search("expectimax", rounds=1)
    for path in (first, second):
        frames = Film(16, max_seconds=0.4, analyse=search, overlay="line").write(path, Replay.load(recording))
    assert (data := first.read_bytes()) == second.read_bytes()
    if suffix == ".mp4":
        command = ["ffmpeg", "-v", "error", "-i", str(first), "-f", "rawvideo", "-pix_fmt", "gray", "-"]
        result = subprocess.run(command, capture_output=True)
        assert (result.stderr, len(result.stdout) % frames) == (b"", 0)
        assert data.index(b"moov") < data.index(b"mdat"), "it can play before it is fully loaded"


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_film_has_every_frame_with_the_painted_pixels(tmp_path: Path, suffix: str) -> None:
    """At 5 rounds a second, as in a window: 5 plies are 10 frames, with the start before and the end after them."""
    path, reports = tmp_path / f"a{suffix}", list[tuple[int, int]]()
    frames = Film(cell=20, speed=5).write(path, corridor(), progress=lambda done, of: reports.append((done, of)))
    assert frames == 1 + 10 + END
    assert reports == [(number, frames) for number in range(1, frames + 1)]
    total, (x, y) = 0, Regions.around(20, start(CORRIDOR).maze, 2).middle(1.5, 1, 3)
    with Image.open(path) as image:
        for number in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(number)
            image.load()
            total += image.info["duration"]
            if number == 2 and suffix == ".gif":  # half of the first round
                assert image.convert("RGB").getpixel((round(x - 6), round(y))) == DARK.pacman
    assert total == frames * 50
    assert Film(cell=4, speed=2.5).write(path, corridor()) == 1 + 20 + END
    assert Film(cell=12, max_seconds=0.2).write(path, corridor()) == 4


def test_a_picture_shows_the_end_with_a_size_and_a_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "END_SECONDS", 2.5)
    path = tmp_path / "game.png"
    assert Film(size=(640, 360), theme=LIGHT).write(path, corridor()) == 1
    with Image.open(path) as image:
        assert image.size == (640, 360)
        assert image.getpixel((1, 100)) == LIGHT.background
        assert LIGHT.bad in {colour for _, colour in image.convert("RGB").getcolors(1 << 20) or ()}, "LOST"


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
    mine, out, pictures = tmp_path / "mine.py", tmp_path / "see.png", []
    mine.write_text(
        "from agents.searchers import Minimax\nclass Mine(Minimax):\n    pass\ndef much(node):\n    return 77.0\n"
    )

    def see(*words: str) -> str:
        out.unlink(missing_ok=True)
        result = CliRunner().invoke(app, ["film", str(recording), "--out", str(out), *words])
        return str(result.exception) if result.exception else ""

    for options in ("", f":evaluation={mine}:much"):
        assert see("--see", f"{mine}:Mine{options}", "--overlay", "values", "--seconds", "0.1") == ""
        pictures.append(out.read_bytes())
    assert pictures[0] != pictures[1]
    advice = f"name the agent that uses it, as in {mine}:Mine:evaluation=much"
    assert see("--see", f"{mine}:much") == f"{mine}: 'much' is a function, not an agent: {advice}"
    assert see("--see", "minimax") == (
        "--see minimax: says whose search to show; add --overlay values or --tree to show it"
    )
    assert not out.exists()


def test_games_side_by_side_are_one_film_as_long_as_its_longest_game(recording: Path, tmp_path: Path) -> None:
    one, other, frames = Replay.load(recording), Replay.load(recording), []
    (tmp_path / "short.json").write_bytes(b"".join(recording.read_bytes().splitlines(keepends=True)[:5]))
    for name, games in (("one", [one]), ("both", [one, other]), ("short", [Replay.load(tmp_path / "short.json"), one])):
        Film(cell=16, speed=40).write(tmp_path / f"{name}.png", *games)
        frames.append(Film(size=(320, 120), speed=40).write(tmp_path / f"{name}.gif", *games))
    assert len(set(frames)) == 1
    with Image.open(tmp_path / "one.png") as alone, Image.open(tmp_path / "both.png") as both:
        assert both.size == (2 * alone.width, alone.height + STRIP)
        halves = [both.crop((left, 0, left + alone.width, alone.height)) for left in (0, alone.width)]
        assert halves[0].tobytes() == halves[1].tobytes() != alone.tobytes(), "each with the name of its agent"
    with Image.open(tmp_path / "both.gif") as moving:
        assert (moving.size, getattr(moving, "n_frames", 0)) == ((320, 120), frames[0])


def test_a_film_for_a_lecture_waits_before_each_move_of_pacman(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "LECTURE_SECONDS", 0.4)
    options = {"size": (480, 360), "analyse": choose_search("minimax", rounds=1), "speed": 10}
    frames = [
        Film(**options, **{kind: True}).write(tmp_path / "a.gif", corridor())  # type: ignore[arg-type]
        for kind in ("lecture", "tree")
    ]
    assert frames[0] - frames[1] == 3 * 8, "0.4 seconds at 20 frames per second, for three moves of Pacman"
