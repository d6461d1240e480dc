"""A window on the screen, what its viewer does (keys, clicks, the mouse wheel, Ctrl-C), and frames in time."""

from __future__ import annotations

import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal

from pacman.core.errors import InputError
from pacman.environment import set_default, setting, variables
from pacman.picture.canvas import Canvas, Point, pygame_library

NO_DISPLAY = (
    "no display: cannot open a window here; use --view text to see the game in this terminal. To make a film, record "
    "the game with --view none --save game.json, then: python -m pacman film game.json --out game.gif"
)


@dataclass(frozen=True)
class Key:
    """A pressed key: "left", "space", "escape", ... or the character that it types.

    `repeated` is True if the key has stayed down since its last report.
    """

    name: str
    repeated: bool = False


@dataclass(frozen=True)
class Mouse:
    """The viewer pressed or released the left button, or moved the mouse while it was down, or turned the wheel.

    `what` is "press", "release", "drag" or "wheel", at a pixel; `steps` of the wheel away from the viewer are positive.
    """

    what: str
    x: float
    y: float
    steps: int = 0


Event = Key | Mouse | Literal["closed", "exposed"]
"""Besides keys and the mouse: the viewer closed the window, or it changed in another way and must be drawn again."""
INVISIBLE_DRIVERS = ("dummy", "offscreen")
"""SDL drivers without a visible screen; the screen size that they report is not real."""
SWITCH_SECONDS = 0.0005
"""The time after which an agent's thread lets the window run; Python's default is a third of a frame."""
REPEAT_AFTER, REPEAT_EVERY = 350, 50
"""The milliseconds before a key that stays down repeats, and between its repeats."""


def open_display() -> None:
    """Connects to the display. InputError if there is none, or if a variable names one that does not answer.

    Without a display SDL would try for seconds, and then draw an invisible window, so only real drivers are offered.
    """
    values = variables()
    is_chosen = not sys.platform.startswith("linux") or "SDL_VIDEODRIVER" in values
    drivers = ",".join(driver for name, driver in DRIVERS.items() if values.get(name))
    if not is_chosen and not drivers:
        raise InputError(NO_DISPLAY)
    pygame = pygame_library()
    try:
        with nullcontext() if is_chosen else setting("SDL_VIDEODRIVER", drivers):
            pygame.display.init()
    except pygame.error as error:
        raise InputError(f"{NO_DISPLAY} ({error})") from None


DRIVERS = {"WAYLAND_DISPLAY": "wayland", "DISPLAY": "x11"}
"""The drivers of SDL on Linux, by the variable that names their display; the first that works is used."""
DESKTOP, HEIGHT = 0.94, 0.9
"""The largest fractions of a screen's width and height that a window takes; its frame and the desktop's bars need the
rest."""
WIDEST, LARGEST = 16 / 9, (2400, 1350)
"""The largest ratio of a window's sides, and its largest size, unless a program asks for another one."""
WITHOUT_SCREEN = 1280, 800
"""The size of a window whose screen is not real."""


def opening_size(desktop: tuple[int, int]) -> tuple[int, int]:
    """The size of a new window on a screen of that size.

    >>> opening_size((1366, 768)), opening_size((1080, 1920)), opening_size((3840, 2160))
    ((1228, 691), (1015, 1350), (2400, 1350))
    """
    height = min(int(HEIGHT * desktop[1]), LARGEST[1])
    return min(int(DESKTOP * desktop[0]), int(WIDEST * height), LARGEST[0]), height


class Screen:
    """A window that can be resized. Its canvas has the pixels of the screen. InputError if there is no display.

    Its `size` fits the screen, or is the given one, if the screen is not smaller. If it `is_full`, it fills the screen.
    """

    def __init__(self, size: tuple[int, int] | None, title: str, is_full: bool = False) -> None:
        # Without it Windows draws the window small and then enlarges it.
        set_default("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
        open_display()
        pygame = pygame_library()
        try:
            is_real = pygame.display.get_driver() not in INVISIBLE_DRIVERS
            desktop = pygame.display.get_desktop_sizes()[0]
            fitting = opening_size(desktop) if is_real else WITHOUT_SCREEN
            if size is not None:
                fitting = (min(size[0], fitting[0]), min(size[1], fitting[1])) if is_real else size
            first = desktop if is_full and is_real else fitting  # without a window manager nothing else fills it
            self._windowed_size = fitting
            self._window = pygame.Window(title, first, resizable=True, allow_high_dpi=True, fullscreen_desktop=is_full)
            self._surface = self._window.get_surface()
        except pygame.error as error:
            raise InputError(f"{NO_DISPLAY} ({error})") from None
        pygame.key.set_repeat(REPEAT_AFTER, REPEAT_EVERY)
        self._clock = pygame.time.Clock()
        self._keys_down: set[int] = set()
        self.is_full = is_full

    def title(self, title: str) -> None:
        """Changes the title of the window."""
        self._window.title = title

    def canvas(self) -> Canvas:
        """The canvas for the next frame, as large as the window is now."""
        self._surface = self._window.get_surface()
        return Canvas(*self._surface.get_size(), surface=self._surface)

    def toggle_full_screen(self) -> None:
        """Changes between a window and the full screen."""
        self.is_full = not self.is_full
        if self.is_full:
            self._windowed_size = self._window.size
            self._window.set_fullscreen(True)
        else:
            self._window.set_windowed()
            self._window.size = self._windowed_size

    def flip(self, fps: float) -> float:
        """Shows the canvas and waits for the next frame; returns the seconds since the last frame."""
        self._window.flip()
        return float(self._clock.tick(fps)) / 1000

    def sleep(self, seconds: float) -> float:
        """Sleeps between two looks at the events; returns the seconds slept, 0 if this screen never sleeps.

        SDL's own wait looks a thousand times a second, which takes thirteen times as much of a processor.
        """
        time.sleep(seconds)
        return seconds

    def events(self) -> list[Event]:
        """The events since the last call."""
        return [event for each in pygame_library().event.get() if (event := self._event(each))]

    def _event(self, event: Any) -> Event | None:
        pygame, kind = pygame_library(), event.type
        if kind in (pygame.QUIT, pygame.WINDOWCLOSE):
            return "closed"
        if kind == pygame.KEYDOWN:
            typed = event.unicode
            is_character = len(typed) == 1 and typed.isprintable() and typed != " "
            repeated = event.key in self._keys_down
            self._keys_down.add(event.key)
            return Key(typed.lower() if is_character else pygame.key.name(event.key), repeated)
        if kind == pygame.KEYUP:
            self._keys_down.discard(event.key)
        if kind == pygame.WINDOWFOCUSLOST:
            self._keys_down.clear()
        if kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button == 1:
            return Mouse("press" if kind == pygame.MOUSEBUTTONDOWN else "release", *self._pixel(event.pos))
        if kind == pygame.MOUSEMOTION and event.buttons[0]:
            return Mouse("drag", *self._pixel(event.pos))
        if kind == pygame.MOUSEWHEEL and event.y:
            return Mouse("wheel", *self._pixel(pygame.mouse.get_pos()), event.y)
        if pygame.WINDOWSHOWN <= kind <= pygame.WINDOWLEAVE:
            return "exposed"
        return None

    def _pixel(self, point: Point) -> Point:
        """A point of the window as a point of the canvas, which has more pixels on a high-density screen."""
        scale = self._surface.get_width() / self._window.size[0]
        return point[0] * scale, point[1] * scale

    def close(self) -> None:
        """Closes the window."""
        self._window.destroy()
        pygame_library().display.quit()


@contextmanager
def frequent_thread_switches() -> Iterator[None]:
    """In this context threads switch more often, and the garbage collector ignores the objects that exist already.

    At the end both settings are restored.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # a full collection would examine all libraries, for the time of two frames
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)


@contextmanager
def delayed_interrupts() -> Iterator[Callable[[], None]]:
    """In this context an interrupt (Ctrl-C) is raised only by the yielded function, or at the end of the context.

    The drawing library could otherwise lose it. Outside the main thread, which gets no interrupts, nothing changes.
    """
    signals: list[int] = []

    def raise_interrupt() -> None:
        if signals:
            signals.clear()
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield raise_interrupt
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: signals.append(number))
    try:
        yield raise_interrupt
    finally:
        signal.signal(signal.SIGINT, before)
    raise_interrupt()
