"""From the options to a window, to text or to no view; and, for `--reload`, when to load the agents again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from math import inf
from pathlib import Path

from agents import load
from pacman.commands.options import ViewKind, ViewOptions
from pacman.core.errors import InputError
from pacman.picture.colours import theme
from pacman.record.report import Analyse
from pacman.view import SPEED, After, Reload, Steer, View, ViewedGame


class NoView:
    """Plays games without showing them."""

    def show(self, *games: ViewedGame) -> After:
        """Plays each game to its end."""
        for game in games:
            for _ in game:
                pass
        return After.NEXT


def make_view(
    options: ViewOptions,
    stack: ExitStack,
    thinks: Sequence[Analyse],
    *,
    steer: Steer | None = None,
    renews: bool = False,
    reload: Reload | None = None,
    hold: bool = True,
) -> View:
    """The view of that kind; `stack` closes it. InputError for a window without a display, or a person without view."""
    from pacman.picture.overlays import overlay_name

    colours, overlay = theme(options.theme), overlay_name(options.overlay)
    if options.view is ViewKind.none:
        if steer:
            raise InputError(
                "--view none: a person needs to see the game; use --view window or text, or let an agent play: watch"
            )
        return NoView()
    from pacman.view.player import BANNER_SECONDS, Player

    player = Player(
        options.speed or SPEED,
        steer,
        analysers=thinks,
        overlay=overlay,
        lecture=options.lecture,
        can_start_games=renews,
        end_seconds=inf if hold else BANNER_SECONDS,
        reload=reload,
    )
    if options.view is ViewKind.text:
        from pacman.view.terminal import Text

        text = Text(player, has_pauses=options.speed is not None, theme=colours)
        stack.callback(text.close)
        return text
    from pacman.view.screen import open_display
    from pacman.view.window import Window

    open_display()
    window = Window(player, theme=colours, close_at_end=False)
    stack.callback(window.close)
    return window


class Reloader:
    """Called now and then: None while no file has changed, "" after the changed files were loaded, else the error.

    `create` creates the agents from their files; it raises InputError if a file has a mistake. The files are those of
    the agents, and the files in their folders that they import.
    """

    def __init__(self, files: Iterable[str], create: Callable[[], None]) -> None:
        self._files = [Path(file) for file in files]
        self._create = create
        self._before = self._stamps()

    def __call__(self) -> str | None:
        """What has changed since the last call; a file that is missing for a moment has not changed."""
        self._before = self._stamps() | self._before  # files that were imported since the last call are not new
        now = {path: _stamp(path) for path in self._before}
        if now == self._before or None in now.values():
            return None
        load.forget_files(self._files)
        try:
            self._create()
        except InputError as error:
            return str(error)
        finally:
            self._before = now
        return ""

    def _stamps(self) -> dict[Path, tuple[int, int] | None]:
        """When each file was changed last, and its size; None for a missing file."""
        return {path: _stamp(path) for path in (*self._files, *load.imported_files(self._files))}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
