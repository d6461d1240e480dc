"""A searched tree alone in a window, to step through: for example a drawn tree, which has no board."""

from __future__ import annotations

from collections.abc import Callable

from pacman.picture.colours import DARK
from pacman.picture.notices import draw_help_panel
from pacman.picture.screen_regions import Box, small_text
from pacman.record.report import SearchReport
from pacman.record.rows import TREE_HELP
from pacman.view.panel import FOCUS_KEY, Panel
from pacman.view.screen import Click, Closed, Key, Screen, Wheel, delayed_interrupts

SIZE = (900, 800)
FPS = 30
HINT = "H  all keys"
WINDOW_KEYS = (
    ("H or ?", "hide or show these keys"),
    ("F", "full screen on or off"),
    ("Q or Esc", "close the window"),
)
SCROLL_ROWS = 2


def show_tree(report: SearchReport, open_screen: Callable[[tuple[int, int], str], Screen] = Screen) -> None:
    """Shows the tree of a report until the viewer closes the window (also with Q, or Esc outside the full screen).

    The keys are those of the panel, F for full screen, and H or ? for all keys. InputError if there is no display.
    """
    panel, is_help_open = Panel(DARK), False
    panel.show(report)
    screen = open_screen(SIZE, f"Pacman: {report.title}")
    try:
        with delayed_interrupts() as check:
            while True:
                check()
                for event in screen.events():
                    match event:
                        case Closed() | Key("q", _):
                            return
                        case Key("h" | "?", False):
                            is_help_open = not is_help_open
                        case Key("escape", False) | Click() if is_help_open:
                            is_help_open = False
                        case Key("escape", False) if not screen.is_full:
                            return
                        case Key("f" | "escape", False):
                            screen.toggle_full_screen()
                        case Key(name, _):
                            panel.key(name)
                        case Click(x, y):
                            panel.click(x, y)
                        case Wheel(steps, _, _):
                            panel.scroll(-SCROLL_ROWS * steps)
                canvas = screen.canvas()
                unit = small_text(canvas.width, canvas.height)
                panel.draw(canvas, Box(0, 0, canvas.width, canvas.height), unit)
                if is_help_open:
                    draw_help_panel(canvas, unit, [("TREE", [*TREE_HELP, FOCUS_KEY]), ("WINDOW", WINDOW_KEYS)], DARK)
                else:
                    canvas.text(HINT, canvas.width - unit, 1.1 * unit, 1.3 * unit, DARK.muted, 1.0)
                screen.flip(FPS)
    finally:
        screen.close()
