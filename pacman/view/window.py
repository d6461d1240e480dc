"""Games in a window, and a searched tree alone: it gives keys and the mouse to the player, and paints what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime
from math import isclose
from pathlib import Path

from pacman.core.errors import reason_of
from pacman.core.files import whole_file
from pacman.core.layout import Maze
from pacman.core.numbers import format_interval
from pacman.picture.bars import (
    SENTENCES_HEIGHT,
    BoardDrawing,
    Message,
    TimelineBar,
    clipped,
    draw_help,
    draw_message,
    draw_sentences,
    fit_text,
)
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import DARK, Theme, blend
from pacman.picture.moment import VisibleState
from pacman.picture.overlays import draw_paths
from pacman.picture.paint import paint
from pacman.picture.screen_regions import LIST, MESSAGE, NOWHERE, TIMELINE, Box, Regions, small_text
from pacman.record.report import SearchReport
from pacman.record.rows import TREE_HELP
from pacman.view import After, ViewedGame
from pacman.view.controls import Keyboard
from pacman.view.panel import Panel
from pacman.view.player import Player
from pacman.view.screen import Event, Key, Mouse, Screen, delayed_interrupts, frequent_thread_switches
from pacman.view.shown_search import ASKS, FOCUS_KEY, SHOWS, ShownSearch
from pacman.view.timeline import Track

FPS = 60
LONGEST_FRAME = 0.1
QUIET_SECONDS, REST_SECONDS, LONGEST_REST = 0.3, 0.03, 2.0
"""After so long without a change the window only looks for events, so often, and draws again after so long."""
READY = Message("an arrow key or Space starts", "READY!", "H  shows all keys")
READY_TO_LOOK = replace(READY, text="Space starts, . goes one ply on")
PAUSED = Message("Space continues", "Paused")
ANSWERED = Message("Space goes on to Pacman's next move", "Quiz")
SCROLL_ROWS = 2
FACTS = 26
"""The width of the score and the other facts at the top left, in units."""
STRIP = 1.9
"""The height of the strip of different choices, in units."""


# ---- the pictures of games


class Pane:
    """The picture of one game; it keeps where everything is, for the mouse. The panel of a film has no buttons."""

    def __init__(self, track: Track, theme: Theme, *, has_buttons: bool = True) -> None:
        self.track, self.theme = track, theme
        self.panel = Panel(theme, track.search, has_buttons=has_buttons) if track.search else None
        self.regions = Regions.fit(1, 1, track.game.start.maze)
        """The regions of the latest frame."""

    @property
    def open_panel(self) -> Panel | None:
        """The panel of an open tree."""
        return self.panel if self.panel and self.panel.search.form else None

    @property
    def trouble(self) -> str:
        """The reason why the board shows no search, or "". An open panel, or the end of the game, comes first."""
        search = self.track.search
        return search.error if search and not self.regions.panel.width and not self.track.is_over else ""

    def fit(self, width: int, height: int, *, is_single: bool, has_timeline: bool) -> Regions:
        """The regions of a picture of that size."""
        search, maze = self.track.search, self.track.game.start.maze
        panel = search.form if search and is_single else None
        strips = search.has_words + bool(search.overlay and search.overlay.has_strip) if search else 0
        words = SENTENCES_HEIGHT * strips
        return Regions.fit(width, height, maze, timeline=has_timeline, is_part=not is_single, panel=panel, words=words)

    def draw(self, canvas: Canvas, visible: VisibleState, regions: Regions, message: Message | None = None) -> None:
        """Paints the game at a moment, with its search and a message below the board."""
        search, self.regions = self.track.search, regions
        node = search.position if search else None
        report, overlay = (search.report, search.overlay) if search and not search.hides_values else (None, None)
        if node is not None:
            moment = replace(visible, before=node, after=node, fraction=1.0, mover=node.mover)
            visible = replace(moment, result=None, rising_points=())
        board = BoardDrawing(canvas, visible, self.theme, regions)

        def decorate(is_below: bool) -> None:
            """The result of the search, or the paths of all agents from its root to the current node of the tree."""
            if search and node is not None and search.browser and is_below:
                draw_paths(board, search.browser.report.places_to(search.browser.current))
            elif overlay and report and node is None and overlay.is_below_agents == is_below:
                overlay.draw(board, report)

        if message is None and self.trouble:
            message = Message(self.trouble)
        paint(board, decorate, message)
        if search and regions.words.height and (words := search.words):
            place = regions.words._replace(height=SENTENCES_HEIGHT * regions.unit)
            draw_sentences(canvas, place, regions.unit, words, self.theme.text)
        if self.panel:
            self.panel.draw(canvas, regions.panel, regions.unit)

    def draw_name(self, canvas: Canvas) -> None:
        """Draws Pacman's name and the layout at the top right, in letters that fit; or only the name."""
        unit, bar, theme = self.regions.unit, self.regions.bar, self.theme
        name, layout, room = self.track.game.names[0], self.track.layout, bar.width - FACTS * unit
        words, sizes = f"{name} on {layout}", (2.5 * unit, 2.1 * unit, 1.7 * unit)
        words = words if layout and text_width(words, sizes[-1]) < room else name
        size, (line,) = fit_text(words, sizes, room, 0)
        ink = theme.readable(theme.pacman, theme.background)
        canvas.text(line, bar.right - 1.6 * unit, bar.height / 2, size, ink, 1.0)


def grid(width: int, height: int, mazes: Sequence[Maze]) -> list[Box]:
    """One box for each maze, side by side and below each other, so that the smallest cell is as large as possible.

    On a tie the grid with fewer empty places wins, then the one with fewer rows.

    >>> maze = Maze.of(["%%%%%%%%%%%%%%%%%%%%", "%                  %", "%%%%%%%%%%%%%%%%%%%%"])
    >>> [(box.left, box.top) for box in grid(1200, 800, [maze, maze])]
    [(0, 0), (0, 400)]
    """
    count = len(mazes)

    def merit(columns: int) -> tuple[int, int, int]:
        rows = -(-count // columns)
        parts = [Regions.fit(width // columns, height // rows, maze, timeline=False, is_part=True) for maze in mazes]
        return min(part.cell for part in parts), -(columns * rows - count), -rows

    columns = max(range(1, count + 1), key=merit)
    across, down = width // columns, height // -(-count // columns)
    return [Box(number % columns * across, number // columns * down, across, down) for number in range(count)]


def draw_differences(canvas: Canvas, bar: TimelineBar, player: Player, theme: Theme) -> None:
    """Draws a strip above a time line, with the same pixels for a ply: marks are where Pacman's choices differ.

    Above a time line without a height, as in a film, it also says how far the games are.
    """
    plies, unit, slider = player.differences(), bar.unit, bar.slider
    middle, size, left = bar.box.top - STRIP * unit / 2, 1.35 * unit, bar.box.left + 0.9 * unit
    canvas.box(slider.left, middle - 0.42 * unit, slider.width, 0.84 * unit, blend(theme.background, theme.muted, 0.16))
    for number, ply in enumerate(plies):
        x = round(bar.pixel(ply, player.ply_count))
        width, half = (3, 0.42 * unit) if number else (max(4, round(0.3 * unit)), 0.7 * unit)
        colour = blend(theme.background, theme.text, 0.55) if number else theme.readable(theme.pacman, theme.background)
        canvas.box(x - width // 2, middle - half, width, 2 * half, colour)
    if not bar.box.height:
        done = bar.pixel(player.ply, player.ply_count) - slider.left
        canvas.box(slider.left, bar.box.top - 0.22 * unit, done, 0.22 * unit, theme.pacman)
    canvas.text(clipped("choices differ", size, slider.left - left - 0.6 * unit), left, middle, size, theme.muted)
    text = f"first: round {plies[0] // len(player.state.layers) + 1}" if plies else "the same so far"
    right = bar.box.right - 1.6 * unit
    canvas.text(clipped(text, size, right - slider.right), right, middle, size, theme.text, 1.0)


def draw_several(
    canvas: Canvas, panes: Sequence[Pane], player: Player, message: Message | None = None, *, has_timeline: bool = True
) -> Box:
    """Draws several games in a grid beside the open tree, and below them the strip of their choices.

    Below that is the time line, with a place for the message above. Returns the box of the time line.
    """
    unit, theme = small_text(canvas.width, canvas.height), panes[0].theme
    canvas.fill(theme.background)
    aside = round(LIST.beside * canvas.width) if any(pane.open_panel for pane in panes) else 0
    foot = 0 if canvas.height < 18 * unit else round((STRIP + (MESSAGE + TIMELINE) * has_timeline) * unit)
    panel = Box(canvas.width - aside, 0, aside, canvas.height - foot)
    thick, bright = max(1, round(0.12 * unit)), theme.readable(theme.pacman, theme.background)
    boxes = grid(canvas.width - aside, canvas.height - foot, [pane.track.game.start.maze for pane in panes])
    for pane, box in zip(panes, boxes, strict=True):
        left, top, across, down = (round(side) for side in box)
        part = canvas.subcanvas(left, top, across, down)
        pane.draw(part, player.visible(pane.track), pane.fit(across, down, is_single=False, has_timeline=False))
        pane.draw_name(part)
        canvas.box(*box, bright if pane.open_panel else theme.panel, edge=thick)
        if pane.open_panel:
            pane.open_panel.draw(canvas, panel, unit)
    if not foot:
        return NOWHERE
    height = TIMELINE * unit * has_timeline
    line = Box(0, canvas.height - height, canvas.width, height)
    bar = TimelineBar(line, unit)
    if has_timeline:
        bar.draw(canvas, player.status(), theme)
    draw_differences(canvas, bar, player, theme)
    if message:
        place = Box(0, line.top - (STRIP + MESSAGE) * unit, canvas.width, MESSAGE * unit)
        draw_message(canvas, place, unit, message, theme)
    return line


# ---- the window


@dataclass(eq=False)
class Window:
    """Shows the games of a player in a window that can be resized; several games side by side.

    The window stays open for the next game, until the viewer leaves or `close`. Pictures go into the folder `pictures`.
    `screen` opens the window. InputError if there is no display.
    """

    player: Player = field(default_factory=Player)
    _: KW_ONLY
    theme: Theme = DARK
    size: tuple[int, int] | None = None
    pictures: Path = Path()
    screen: Callable[[tuple[int, int] | None, str, bool], Screen] = Screen

    def __post_init__(self) -> None:
        self._screen: Screen | None = None
        self._rest_seconds = 0.0
        """How long the picture has not been drawn."""
        self._is_scrubbing = False
        self._bar: TimelineBar | None = None
        """The time line in the latest frame; None if the window has no space for it."""

    def show(self, *games: ViewedGame) -> After:
        """Shows the games until they end or the viewer stops; returns the viewer's choice of what comes next."""
        player, first = self.player, games[0]
        names = first.names if len(games) == 1 else [" and ".join(game.names[0] for game in games)]
        title = f"Pacman: {', '.join(names)} (seed {first.seed})"
        if self._screen is None:
            self._screen = self.screen(self.size, title, player.is_full)
        self._screen.title(title)
        player.begin(*games)
        self.keyboard = Keyboard(player)
        self.panes = [Pane(track, self.theme) for track in player.tracks]
        after = After.LEAVE
        try:
            with frequent_thread_switches(), delayed_interrupts() as check:
                after = self._run(self._screen, check)
        finally:
            player.stop()
            if after is After.LEAVE:
                self.close()
        return after

    def close(self) -> None:
        """Closes the window."""
        if self._screen is not None:
            self._screen.close()
            self._screen = None

    def _run(self, screen: Screen, check: Callable[[], None]) -> After:
        """Shows the games; returns the viewer's choice of what comes next. Each frame calls `check`; it may raise."""
        player = self.player
        while True:
            check()
            for event in screen.events():
                player.quiet_seconds = 0.0
                self.handle_event(event)
            if player.is_full != screen.is_full:
                screen.toggle_full_screen()
            if player.after is not None:
                return player.after
            if player.quiet_seconds >= QUIET_SECONDS and self._rest_seconds < LONGEST_REST:
                slept = screen.sleep(REST_SECONDS)  # the picture cannot change without an event
                self._rest_seconds += slept
                player.rest(slept)
                if slept:
                    continue
            self._rest_seconds = 0.0
            self.draw(screen.canvas())
            player.tick(min(screen.flip(FPS), LONGEST_FRAME))

    # ---- the input of the viewer

    def handle_event(self, event: Event) -> None:
        """Gives a key to the player, or does what the mouse requests."""
        player = self.player
        match event:
            case "closed":
                player.after = After.LEAVE
            case Key(name, repeated):
                self.keyboard.press(player, name, repeated=repeated)
            case Mouse("press", x, y):
                self._click(x, y)
            case Mouse("drag", x, _) if self._is_scrubbing:
                self._scrub(x)
            case Mouse("release"):
                self._is_scrubbing = False
            case Mouse("wheel", x, y, steps):
                panels = [pane.open_panel for pane in self.panes if pane.open_panel]
                if any(panel.scroll(x, y, -SCROLL_ROWS * steps) for panel in panels):
                    return
                player.step() if steps < 0 else player.jump(lambda track: track.ply - 1)

    def _click(self, x: float, y: float) -> None:
        """Handles a click on a button, the time line, the panel or the board; an open help panel closes."""
        player, bar = self.player, self._bar
        strip = STRIP * bar.unit if bar and not player.is_single else 0.0
        if player.help_page is not None:
            player.help_page = None
        elif bar and bar.box._replace(top=bar.box.top - strip, height=bar.box.height + strip).contains(x, y):
            control = self.keyboard.control(bar.key(x, y) or "")
            if control is not None:
                control.run(player)
            elif x > bar.slider.left - bar.unit:
                self._is_scrubbing = True
                self._scrub(x)
        elif any(pane.open_panel.click(x, y) for pane in self.panes if pane.open_panel):
            player.pause()
        elif self.panes[0].regions.board_area.contains(x, y) or not player.is_single:
            player.play_or_pause()

    def _scrub(self, x: float) -> None:
        """Shows the ply that the slider has at `x`."""
        if bar := self._bar:
            self.player.jump(lambda track: bar.ply(x, self.player.ply_count))

    # ---- the picture

    def draw(self, canvas: Canvas) -> None:
        """Draws the next frame: the games, the time line, notices, the help panel."""
        player, unit = self.player, small_text(canvas.width, canvas.height)
        player.follow_games()
        if player.is_single:
            (pane,) = self.panes
            visible = player.visible(pane.track, self.keyboard.hints)
            regions = pane.fit(canvas.width, canvas.height, is_single=True, has_timeline=True)
            pane.draw(canvas, visible, regions, self.message())
            line = regions.timeline
        else:
            line = draw_several(canvas, self.panes, player, self.message())
        self._bar = TimelineBar(line, unit) if line.height else None
        if player.is_picture_due:
            player.is_picture_due = False
            player.show_message(save_picture(canvas, self.pictures, player.ply))
        if (page := player.help_page) is not None:
            keys = self.keyboard.help(player.searches)
            player.help_page = page if draw_help(canvas, unit, keys, self.theme, page) else None

    def message(self) -> Message | None:
        """The message below the board: a new one, READY, what is wrong with a saved file or a search, or Paused."""
        player, colour = self.player, self.theme.pacman
        if player.message_seconds > 0 and player.message:
            return Message(player.message)
        if player.is_ready and player.quiz != ASKS:
            return replace(READY if self.player.steer else READY_TO_LOOK, colour=colour)
        if error := player.file_error or (self.panes[0].trouble if player.is_single else ""):
            return Message(error)
        if player.quiz == ASKS:  # the question says what the keys do now
            return None
        if player.quiz == SHOWS:
            return replace(ANSWERED, colour=colour)
        return replace(PAUSED, colour=colour) if player.shows_pause and player.is_paused else None


def save_picture(canvas: Canvas, folder: Path, ply: int) -> str:
    """Writes a picture of the window to a new file; returns a message with its name, or with the error."""
    name = f"pacman-{datetime.now():%Y-%m-%d-%H%M%S}-ply-{ply}.png"
    try:
        with whole_file(folder / name, is_new=True) as file:
            file.write(canvas.png())
    except OSError as error:
        return f"cannot save the picture: {reason_of(error)}"
    return f"saved {name}"


def right_values(report: SearchReport, right: SearchReport) -> dict[int, str]:
    """By the number of each node in `report` whose final value is wrong, the right value as text."""
    numbers, values = {0: 0}, dict[int, str]()
    for node in report.nodes:
        if node.number and node.parent in numbers and node.action in (there := right.children(numbers[node.parent])):
            numbers[node.number] = there[node.action]
    for number, other in numbers.items():
        (low, high), (least, most) = report.interval(number), right.interval(other)
        if low == high and least == most and not isclose(low, least):
            values[number] = format_interval(least, most, right.decimals)
    return values


# ---- a searched tree alone, to step through: for example a drawn tree, which has no board

TREE_SIZE, TREE_FPS = (900, 800), 30
TREE_HINT = "H  all keys"
TREE_KEYS = {
    "TREE": [*TREE_HELP, FOCUS_KEY],
    "WINDOW": [("H or ?", "hide or show these keys"), ("F", "full screen on or off"), ("Q or Esc", "close the window")],
}


def show_tree(
    report: SearchReport,
    right: SearchReport | None = None,
    open_screen: Callable[[tuple[int, int], str], Screen] = Screen,
) -> None:
    """Shows the tree of a report until the viewer closes the window (also with Q, or Esc outside the full screen).

    A value that is not that of the `right` search is in another colour. The keys are those of the panel, F for full
    screen, and H or ? for all keys. InputError if there is no display.
    """
    search, help_page = ShownSearch(lambda state: report, form=LIST), -1
    search.right = right_values(report, right) if right else {}
    search.show(report)
    panel, screen = Panel(DARK, search), open_screen(TREE_SIZE, f"Pacman: {report.title}")
    try:
        with delayed_interrupts() as check:
            while True:
                check()
                for event in screen.events():
                    match event:
                        case "closed" | Key("q", _):
                            return
                        case Key("h" | "?", False):
                            help_page += 1
                        case Key("escape", False) | Mouse("press") if help_page >= 0:
                            help_page = -1
                        case Key("escape", False) if not screen.is_full:
                            return
                        case Key("f" | "escape", False):
                            screen.toggle_full_screen()
                        case Key(name, _):
                            search.key(name)
                        case Mouse("press", x, y):
                            panel.click(x, y)
                        case Mouse("wheel", x, y, steps):
                            panel.scroll(x, y, -SCROLL_ROWS * steps)
                canvas = screen.canvas()
                unit = small_text(canvas.width, canvas.height)
                panel.draw(canvas, Box(0, 0, canvas.width, canvas.height), unit)
                if help_page >= 0 and not draw_help(canvas, unit, TREE_KEYS, DARK, help_page):
                    help_page = -1
                if help_page < 0:
                    canvas.text(TREE_HINT, canvas.width - unit, 1.1 * unit, 1.3 * unit, DARK.muted, 1.0)
                screen.flip(TREE_FPS)
    finally:
        screen.close()
