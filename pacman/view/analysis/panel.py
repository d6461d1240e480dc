"""The panel beside the board: the top of the searched tree, folded by clicks and keys, and the search step by step.

    panel = Panel(theme)
    panel.show(study)                      a new study, or None while there is none; `status` says why
    panel.draw(canvas, box, unit)          every frame; an unchanged panel is one picture that is pasted
    panel.key("j"), panel.click(x, y), panel.scroll(rows)      True when it was for the panel
    panel.position                         what the board shows instead while the search is stepped through, or None

MAX is an up-triangle, MIN a down-triangle, CHANCE a circle with probabilities below it, a square an end or the
horizon. A branch that was pruned is struck through; the principal line is bold, and so is the entered node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pacman.core.state import GameState
from pacman.core.trace import ExitReason
from pacman.view.analysis.icons import mark
from pacman.view.analysis.number_text import claim, ends, thousands
from pacman.view.analysis.search_report import SearchReport
from pacman.view.analysis.tree_browser import Kind, TreeBrowser, TreeRow
from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.regions import Box
from pacman.view.picture.status_bars import clipped, plate
from pacman.view.theme import Colour, Theme, blend

# Heights and widths in units.
HEAD, FOOT, ROW, MARGIN = 5.7, 4.4, 1.8, 1.0
BUTTONS = 2.2
INDENT, LEAST_INDENT, ROW_ROOM = 1.15, 0.35, 15.5
"""A level is set in by so much, or less in a deep tree, so that its deepest row has room for its words."""
TITLE, LARGE, WORD, SMALL = 1.5, 2.3, 1.65, 1.3

KEYS = (
    ("J", "the next node of the search"),
    ("K", "the node before"),
    ("V", "on until this node is left"),
    ("G", "the whole search again"),
    ("Enter", "fold or open the node"),
    ("X", "fold as at first"),
)
"""(key, use) for the help panel."""
STEPS = (("K  back", "k"), ("J  next", "j"), ("V  over", "v"), ("G  all", "g"))
"""What stands on the buttons, and the keys that they are."""


LEFT = {
    ExitReason.VALUE: "all searched",
    ExitReason.KNOWN: "known from before",
    ExitReason.BOUND: "outside the window by its bounds",
}
"""Why a node was left, where the trace's word alone does not say it."""


class Panel:
    """The tree of one study at a time, drawn in one box; with buttons unless nobody can press them, as in a film."""

    def __init__(self, theme: Theme, *, has_buttons: bool = True) -> None:
        self.theme, self.has_buttons = theme, has_buttons
        self.browse: TreeBrowser | None = None
        self.status = "no search yet"
        self._top = 0
        self._room = 1
        self._indent = 0.0
        self._followed: tuple[object, ...] = ()
        self._box = Box(0, 0, 0, 0)
        self._lines: list[tuple[Box, TreeRow]] = []
        self._buttons: list[tuple[Box, str]] = []
        self._picture: tuple[tuple[object, ...], Canvas] | None = None
        self._changes = 0

    @property
    def position(self) -> GameState | None:
        """The entered node while the search is stepped through, None while it is looked at as a whole."""
        if self.browse is None or self.browse.step is None:
            return None
        node = self.browse.position
        return node if isinstance(node, GameState) else None

    def show(self, study: SearchReport | None, status: str = "thinking ...") -> None:
        """What to draw from now on, at no cost if it is the same; `status` stands in place of a study not yet there."""
        if study is None:
            if self.browse is not None or status != self.status:
                self.browse, self.status = None, status
                self._changes += 1
        elif self.browse is None or self.browse.study is not study:
            self.browse = TreeBrowser(study)
            self._top = 0
            self._changes += 1

    # ---- keys and clicks

    def key(self, name: str) -> bool:
        """Does what the key is for here; False when it is for nothing."""
        command = _COMMANDS.get(name)
        if command is None or self.browse is None:
            return False
        command(self.browse)
        self._changes += 1
        return True

    def click(self, x: float, y: float) -> bool:
        """A click on a node chooses it, one on its sign folds it; False outside the panel."""
        if not self._box.contains(x, y):
            return False
        if self.browse is not None:
            for box, name in self._buttons:
                if box.contains(x, y):
                    return self.key(name)
            for box, row in self._lines:
                if box.contains(x, y) and row.number is not None:
                    if x < self._sign_end(row) or row.number == self.browse.current:
                        self.browse.fold(row.number)
                    else:
                        self.browse.choose(row.number)
                    self._changes += 1
        return True

    def scroll(self, rows: int) -> bool:
        """Moves the rows up (positive) or down; False when there is nothing to move."""
        if self.browse is None:
            return False
        self._top = max(0, min(self._top + rows, len(self.browse.rows()) - self._room))
        self._changes += 1
        return True

    # ---- drawing

    def draw(self, canvas: Canvas, box: Box, unit: float) -> None:
        """Draws the panel into `box` of the canvas; `unit` is the height of small text."""
        if box.width < 1 or box.height < 1:
            return
        key = (box, unit, self._changes)
        if self._picture is None or self._picture[0] != key:
            picture = Canvas(round(box.width), round(box.height))
            picture.fill(self.theme.panel)
            self._box = box
            self._lines, self._buttons = [], []
            self._paint(picture, unit)
            self._picture = key, picture
        canvas.paste(self._picture[1], box.left, box.top)

    def _paint(self, picture: Canvas, unit: float) -> None:
        if self.browse is None:
            lines = _wrapped(self.status, WORD * unit, picture.width - 2 * MARGIN * unit)
            for place, line in enumerate(lines):
                y = picture.height / 2 + (place - (len(lines) - 1) / 2) * ROW * unit
                picture.text(line, picture.width / 2, y, WORD * unit, self.theme.muted, 0.5)
            return
        _head(picture, self.browse, unit, self.theme)
        rows = self.browse.rows()
        room = (picture.width / unit - ROW_ROOM) / max(1, self.browse.study.plies)
        self._indent = unit * max(LEAST_INDENT, min(INDENT, room))
        self._room = max(1, int((picture.height - (HEAD + self._foot_tall) * unit) / (ROW * unit)))
        self._follow(rows)
        for place, row in enumerate(rows[self._top : self._top + self._room]):
            y = (HEAD + ROW * place) * unit
            self._lines.append((Box(self._box.left, self._box.top + y, picture.width, ROW * unit), row))
            _row(picture, row, y, unit, self._indent, self.theme)
        self._bar(picture, len(rows), unit)
        self._foot(picture, self.browse, unit)

    def _follow(self, rows: list[TreeRow]) -> None:
        """Scrolls so far that the node that is looked at is seen, when it is another one than before."""
        assert self.browse is not None
        looked_at = (self.browse.study, self.browse.current, self.browse.step)
        if looked_at != self._followed:
            self._followed = looked_at
            at = next((place for place, row in enumerate(rows) if row.is_current), 0)
            ahead = min(2, self._room // 4)
            self._top = min(self._top, max(0, at - ahead))
            self._top = max(self._top, at + ahead + 1 - self._room)
        self._top = max(0, min(self._top, len(rows) - self._room))

    def _bar(self, picture: Canvas, rows: int, unit: float) -> None:
        """Says which part of the rows is seen, if it is not all of them."""
        if rows <= self._room:
            return
        tall = self._room * ROW * unit
        x, wide = picture.width - 0.45 * unit, 0.22 * unit
        picture.box(x, HEAD * unit, wide, tall, blend(self.theme.panel, self.theme.muted, 0.25), wide / 2)
        part = tall / rows
        picture.box(x, HEAD * unit + part * self._top, wide, part * self._room, self.theme.muted, wide / 2)

    @property
    def _foot_tall(self) -> float:
        return FOOT + (BUTTONS if self.has_buttons else 0.0)

    def _foot(self, picture: Canvas, browse: TreeBrowser, unit: float) -> None:
        """Where in the search this is, in words, as a bar, and as buttons."""
        theme, study, step = self.theme, browse.study, browse.step
        top = picture.height - self._foot_tall * unit
        picture.box(0, top, picture.width, max(1.0, 0.08 * unit), blend(theme.panel, theme.muted, 0.5))
        left, right = MARGIN * unit, picture.width - MARGIN * unit
        for place, words in enumerate(_told(browse)):
            colour = theme.muted if place else theme.text
            _fitted(picture, words, left, top + (1.1 + 1.45 * place) * unit, SMALL * unit, colour, right - left)
        y = top + 3.65 * unit
        steps = len(study.steps)
        part = 1.0 if step is None else (step + 1) / max(1, steps)
        picture.box(left, y, right - left, 0.35 * unit, blend(theme.panel, theme.muted, 0.3), 0.17 * unit)
        picture.box(left, y, (right - left) * part, 0.35 * unit, theme.pacman, 0.17 * unit)
        y += 1.65 * unit
        x = left
        for word, name in STEPS if self.has_buttons else ():
            wide = text_width(word, SMALL * unit) + 1.2 * unit
            if x + wide > right:
                break
            face, tall = blend(theme.panel, theme.muted, 0.22), round(1.9 * unit)
            picture.paste(plate(round(wide), tall, tall / 3, face, face, 0), x, y - 0.95 * unit)
            picture.text(word, x + wide / 2, y, SMALL * unit, theme.text, 0.5)
            self._buttons.append((Box(self._box.left + x, self._box.top + y - 0.95 * unit, wide, 1.9 * unit), name))
            x += wide + 0.5 * unit

    def _sign_end(self, row: TreeRow) -> float:
        """Where on the screen a row's sign ends, and its words begin."""
        unit = self._lines[0][0].height / ROW
        return self._box.left + MARGIN * unit + self._indent * row.depth + 1.6 * unit


_COMMANDS: Mapping[str, Callable[[TreeBrowser], None]] = {
    "j": TreeBrowser.forward,
    "k": TreeBrowser.back,
    "v": TreeBrowser.over,
    "g": lambda browse: browse.go(None),
    "return": lambda browse: browse.fold(browse.current),
    "x": TreeBrowser.fold_all,
}


# ---- the parts


def _head(picture: Canvas, browse: TreeBrowser, unit: float, theme: Theme) -> None:
    """Who searched, what it has found by now, and what it took in all."""
    study = browse.study
    left, room = MARGIN * unit, picture.width - 2 * MARGIN * unit
    _fitted(picture, study.title, left, 1.1 * unit, TITLE * unit, theme.muted, room)
    value = claim(*study.known(0, browse.step))
    if browse.step is None:
        found = f"{study.action or ''}  {value}"
    else:
        found = f"so far {value}" if value else "no value yet"
    _fitted(picture, found.strip(), left, 3.0 * unit, LARGE * unit, theme.text, room)
    cut = sum(layer.cut for layer in study.layers)
    took = f"{thousands(study.generated)} generated · {thousands(study.expanded)} expanded · {thousands(cut)} cut"
    words, colour = (f"{study.note}: {took}", theme.bad) if study.note else (took, theme.muted)
    _fitted(picture, words, left, 4.8 * unit, SMALL * unit, colour, room)


def _told(browse: TreeBrowser) -> tuple[str, str]:
    """The two lines below the tree: which step this is, and what is known of the node."""
    study, number = browse.study, browse.current
    seen, entry = study.nodes[number], study.entry(number, browse.step)
    steps = len(study.steps)
    place = (
        f"node {browse.step + 1} of {steps}"
        if browse.step is not None
        else f"the whole search, {steps} {'node' if steps == 1 else 'nodes'} entered"
    )
    way = " ".join(study.nodes[one].action for one in study.path(number)[1:]) or "the root"
    facts = [way]
    if entry is not None:
        if entry.plies and seen.layer and ends(entry.alpha, entry.beta):
            facts.append(ends(entry.alpha, entry.beta))
        if study.is_left(number, browse.step):
            is_horizon = entry.why is ExitReason.LEAF and seen.layer and not entry.plies
            facts.append("horizon" if is_horizon else LEFT.get(entry.why, entry.why.value))
    return place, "  ·  ".join(facts)


def _row(picture: Canvas, row: TreeRow, y: float, unit: float, indent: float, theme: Theme) -> None:
    middle = y + ROW * unit / 2
    faint = blend(theme.panel, theme.muted, 0.45)
    if row.is_current:
        picture.box(
            0.3 * unit, y, picture.width - 1.1 * unit, ROW * unit, blend(theme.panel, theme.text, 0.13), 0.4 * unit
        )
    _rails(picture, row, y, unit, indent, faint)
    sign, size = MARGIN * unit + indent * row.depth, round(1.25 * unit)
    x = sign + size + 0.45 * unit
    if row.kind is not Kind.MORE:
        colour = theme.agent(row.agent) if row.layer else theme.muted
        colour = colour if row.kind is Kind.SEEN else blend(theme.panel, colour, 0.35)
        picture.paste(mark(row.layer, size, colour), sign, middle - size / 2)
    ink = theme.text if row.kind is Kind.SEEN else blend(theme.panel, theme.muted, 0.8)
    word = row.action or "root"
    end = x + _fitted(picture, word, x, middle, WORD * unit, ink, picture.width - (MARGIN + 5.6) * unit - x)
    if row.kind is Kind.PRUNED:
        thick = max(2.0, 0.14 * unit)
        picture.box(x - 0.3 * unit, middle - thick / 2, end - x + 0.6 * unit, thick, theme.bad)
    right = picture.width - MARGIN * unit
    if row.value:
        ink = theme.readable(theme.pacman if row.on_line else theme.text, theme.panel)
        picture.spell(row.value, right, middle, WORD * unit, ink, 1.0)
    right -= max(5.2 * unit, text_width(row.value, WORD * unit) + 0.8 * unit)
    folded = row.kind is Kind.MORE or (row.below and not row.is_open and row.kind is Kind.SEEN)
    for small in (row.chance, f"+{thousands(row.below)}" if folded else ""):
        wide = 0.6 * unit + text_width(small, SMALL * unit)
        if small and end + wide < right:
            picture.spell(small, end + 0.6 * unit, middle, SMALL * unit, theme.muted)
            end += wide
    if row.window and end + 0.4 * unit < right - text_width(row.window, SMALL * unit):
        picture.spell(row.window, right, middle, SMALL * unit, theme.muted, 1.0)


def _rails(picture: Canvas, row: TreeRow, y: float, unit: float, indent: float, colour: Colour) -> None:
    """The lines from a node down to its successors."""
    thin = max(1.0, 0.09 * unit)
    for level, goes_on in enumerate(row.rails):
        x = (MARGIN + 0.62) * unit + indent * level
        own = level == len(row.rails) - 1
        if own:
            picture.box(x, y, thin, (ROW if goes_on else ROW / 2) * unit, colour)
            picture.box(x, y + ROW / 2 * unit, max(0.0, indent - 0.65 * unit), thin, colour)
        elif goes_on:
            picture.box(x, y, thin, ROW * unit, colour)


def _fitted(picture: Canvas, words: str, x: float, y: float, size: float, colour: Colour, room: float) -> int:
    """A line of text, cut at its end to the room there is; returns how wide it is."""
    words = clipped(words, size, room)
    at = 0
    for word in words.split(" "):  # words come again, and are kept; numbers are new each time
        if word:
            write = picture.spell if any(letter.isdigit() for letter in word) else picture.text
            write(word, x + (text_width(words[:at], size) if at else 0), y, size, colour)
        at += len(word) + 1
    return text_width(words, size)


def _wrapped(words: str, size: float, room: float) -> list[str]:
    """A text as lines that fit; a word that is too long is broken."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= room:
            lines[-1] = longer
            continue
        lines.append("")
        for letter in word:
            if lines[-1] and text_width(lines[-1] + letter, size) > room:
                lines.append("")
            lines[-1] += letter
    return [line for line in lines if line]
