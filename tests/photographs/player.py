"""Runs `python -m PROGRAM` with a clock that stands still between two looks at the keys, and presses a script's keys.

It changes the library under the program and not the program: `time`, `pygame.time`, `pygame.Window`. So a view can be
written anew, as long as its main thread waits with `time.sleep` or with pygame's clock. Each wait is a tick. Before a
tick the other threads have done all their work, so each tick shows the same on every machine, however busy.

    python player.py '{"keys": ["space", "."], "ticks": 12, "pictures": "FOLDER", "size": [800, 500]}' pacman watch ...

With "pictures" the keys go to a window, which is saved after each key. With "keys" alone the process has a terminal: a
mark in its output says when a key is due, and who reads the output types the key. Without, only the clock is still.
"""

from __future__ import annotations

import datetime
import json
import os
import queue
import runpy
import select
import subprocess  # noqa: F401  keeps the real clock, like `threading`
import sys
import threading
import time
from pathlib import Path
from typing import Any

MARK = "\x1b]photograph\x07"
REAL_SLEEP = time.sleep
FRAME = 1 / 60


class FixedDate(datetime.datetime):
    """A date that stands still: names of saved files have it."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> FixedDate:
        return cls(2026, 1, 2, 3, 4, 5, tzinfo=tz)


class PatientQueue(queue.SimpleQueue[Any]):
    """The main thread waits in it until the other threads have nothing to do, not for so many real seconds."""

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        if timeout is not None and threading.current_thread() is threading.main_thread():
            wait_for_threads()
            return super().get(block=False)
        return super().get(block, timeout)


class Player:
    """Counts the ticks. After `ticks` of them it looks, and presses the next key."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.keys: list[str] | None = script.get("keys")
        self.ticks: int = script.get("ticks", 12)
        self.folder = Path(script["pictures"]) if "pictures" in script else None
        self.size = script.get("size")
        self.window: Any = None
        self.now, self.count, self.due, self.pressed = 1000.0, 0, self.ticks, -1

    def tick(self, seconds: float) -> None:
        """Time passes; when a key is due, it looks, and presses the key."""
        self.now += seconds
        wait_for_threads()
        self.count += 1
        if self.keys is None or self.count < self.due or (self.folder and self.window is None):
            return
        self.due, self.pressed = self.count + self.ticks, self.pressed + 1
        if self.pressed > len(self.keys) + 5:
            os._exit(99)  # the program does not end
        if self.folder:
            import pygame

            before = ["start", *self.keys, *["end"] * 6][self.pressed]
            pygame.image.save(self.window.get_surface(), self.folder / f"{self.pressed:02}-{key_name(before)}.png")
            self.press(self.keys[self.pressed] if self.pressed < len(self.keys) else "close")
        else:
            for stream in (sys.__stdout__, sys.__stderr__):
                stream.flush()  # type: ignore[union-attr]
            os.write(1, MARK.encode())
            select.select([0], [], [], 60)

    def press(self, key: str) -> None:
        """Gives an event to the window: a key, `wait 60`, `resize 640 480`, or `click .5 .9` in parts of the window."""
        import pygame

        word, *numbers = key.split()
        place = [round(float(n) * side) for n, side in zip(numbers, self.window.size, strict=False)]
        if word == "wait":
            self.due = self.count + int(numbers[0])
        elif word == "resize":
            self.window.size = tuple(map(int, numbers))
        elif word == "close":
            pygame.event.post(pygame.event.Event(pygame.QUIT))
        elif word == "click":
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                pygame.event.post(pygame.event.Event(kind, pos=place, button=1))
        else:
            code = ord(key) if len(key) == 1 else pygame.key.key_code(key)
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                text = key if len(key) == 1 else ""
                pygame.event.post(pygame.event.Event(kind, key=code, unicode=text, mod=0, scancode=0))

    def take_over(self) -> None:
        """Puts this player's clock in the place of the real one."""

        def sleep(seconds: float) -> None:
            if threading.current_thread() is threading.main_thread():
                self.tick(seconds)
            else:
                REAL_SLEEP(seconds)

        sys.setswitchinterval(1000)  # a thread that has begun to work is not interrupted
        sys.setswitchinterval = lambda interval: None
        time.sleep = sleep  # type: ignore[assignment]
        time.monotonic = time.perf_counter = lambda: self.now
        datetime.datetime = FixedDate  # type: ignore[misc]
        queue.SimpleQueue = PatientQueue  # type: ignore[misc]
        if self.folder is None:
            return
        import pygame

        player = self

        class Clock:
            def tick(self, fps: float = 60) -> float:
                player.tick(FRAME)
                return 1000 * FRAME

        class Window(pygame.Window):
            def __init__(self, title: str, size: tuple[int, int], **more: Any) -> None:
                super().__init__(title, tuple(player.size or size), **more)
                player.window = self
                player.count, player.due = 0, player.ticks

            def destroy(self) -> None:
                player.window = None
                super().destroy()

        pygame.time.Clock = Clock  # type: ignore
        pygame.Window = Window  # type: ignore


def key_name(key: str) -> str:
    """A key in the name of a file."""
    return "".join(letter if letter.isalnum() else f"_{ord(letter):x}" for letter in key)


def wait_for_threads() -> None:
    """Waits until the other threads of this process do nothing, however long the machine lets them wait."""
    before: dict[str, str] | None = None
    same = 0
    while same < 2:
        REAL_SLEEP(0.001)
        now = work_done()
        if not now:
            return
        same = same + 1 if now == before and "running" not in now.values() else 0
        before = now


def work_done() -> dict[str, str]:
    """The processor time of each other thread, in nanoseconds; "running" if it runs or waits for a processor."""
    done = {}
    for thread in threading.enumerate():
        if thread is threading.main_thread():
            continue
        folder = f"/proc/self/task/{thread.native_id}"
        try:
            with open(f"{folder}/stat") as stat, open(f"{folder}/schedstat") as spent:
                is_running = stat.read().rpartition(")")[2].split()[0] in "RD"
                done[folder] = "running" if is_running else spent.read().split()[0]
        except OSError:
            continue  # the thread has ended
    return done


if __name__ == "__main__":
    script, program, *arguments = sys.argv[1:]
    Player(json.loads(script)).take_over()
    sys.argv = [program, *arguments]
    sys.path[0] = os.getcwd()
    sys.path.insert(0, os.environ["PYTHONPATH"])
    runpy.run_module({"pacman-search": "pacman"}.get(program, program), run_name="__main__", alter_sys=True)
