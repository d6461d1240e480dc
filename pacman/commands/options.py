"""The options of several commands, each once: a field of a dataclass, with its help, its check and its completion.

A command of either program has parameters of these types; `pacman.commands.app` makes an option of each field. The
fields stand in the order of the help: what most people use comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from glob import escape, glob
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Annotated, Any

from typer import Context

from pacman.commands.app import Completion, opt
from pacman.core.errors import InputError, nearest
from pacman.core.files import read_text
from pacman.picture.colours import THEMES
from pacman.play.game import MAX_PLIES
from pacman.search.algorithms import ALGORITHMS, AUTO, SAME, Options
from pacman.search.bounds import constant_bounds
from pacman.search.ordering import GIVEN, ORDERS
from pacman.view import SPEED

UNATTENDED = ("simulate", "duel", "solve-exactly")
"""The commands in which nobody is at the keyboard."""
KEYBOARD = "keyboard"
"""The agent that a person steers."""
MOST_AGENTS = 4
"""The most games side by side: more boards would be too small to see."""
ROUNDS = 2
"""The search depth on a board, in rounds, unless the user names another one."""
AGENT_NAMES = (
    "random, greedy, reflex, minimax, alphabeta, expectimax, expectiminimax, perfect (only small boards), "
    "scripted (fixed moves: scripted:actions=East,North,...), or FILE.py:CLASS (runs without a sandbox). Its options "
    "follow it: minimax:rounds=3:evaluation=my.py:better"
)
GHOST_NAMES = "random, directional (mostly towards Pacman), optimal (minimises the score)"
AGENT_HELP = f"Agent that plays Pacman: {AGENT_NAMES}."
_GHOSTS = f"ne kind per ghost, for example random,optimal. Kinds: {GHOST_NAMES}"


class ViewKind(StrEnum):
    """How a game is shown."""

    window = "window"
    text = "text"
    none = "none"


def _check_json_file(file: Path | None) -> Path | None:
    """The file of `--json FILE`. InputError if the next option stands in its place, as in `--json --view none`."""
    if file is not None and str(file).startswith("--"):
        raise InputError(f"--json {file}: expected a file name, or - for stdout")
    return file


_OVERLAY = """Show the search on the board: values (of the actions), line (the moves that the search expects), \
heat (where nodes were expanded), layers (node counts for MAX, CHANCE and MIN), or none."""
_LECTURE = """Show the search tree in large type, as a textbook draws it (key E). A film then waits before each move \
of Pacman, first without the values."""
_SEE = f"""Search to show: an algorithm ({", ".join(ALGORITHMS)}), or an agent that searches (FILE.py:CLASS runs \
without a sandbox); with options, as in minimax:rounds=3. Default: expectiminimax."""
_ALGORITHM = f"Search to use: {', '.join(ALGORITHMS)}, or {AUTO} (chooses for you)."
_SEED = "Random seed of the first game. Each next game uses the next number."
_SPEED = f"Speed, in rounds per second. Default: {SPEED:g}; no pauses if the text goes to a file."

JsonOption = Annotated[
    Path | None, opt("Write the results as JSON; - means stdout.", "FILE", "--json", callback=_check_json_file)
]
JobsOption = Annotated[int, opt("Do N things at the same time; 0 uses all cores.", "N", "--jobs", "-j", min=0)]
SeedOption = Annotated[int, opt("Random seed. The same seed gives the same game.", "N", "--seed")]
SeriesSeedOption = Annotated[int, opt(_SEED, "N", "--seed")]
GamesOption = Annotated[int, opt("Number of games.", "N", "--games", "-n", min=1)]
AlgorithmOption = Annotated[str, opt(_ALGORITHM, "NAME", "--algorithm")]
SeeOption = Annotated[str, opt(_SEE, "SEARCH", "--see")]
OverlayOption = Annotated[str, opt(_OVERLAY, "NAME", "--overlay")]
LectureOption = Annotated[bool, opt(_LECTURE, None, "--lecture")]
ThemeOption = Annotated[str, opt(f"Colours: {', '.join(THEMES)}.", "NAME", "--theme")]


@dataclass(frozen=True)
class BoardOptions:
    """Where Pacman plays, and against whom."""

    layout: Annotated[str, opt("Layout: a name from `layouts`, or a .lay file.", "NAME", "--layout", "-l")] = "smallish"
    ghosts: Annotated[
        str,
        opt(
            f"O{_GHOSTS}, or FILE.py:CLASS (runs without a sandbox). Default: all random.",
            *("KIND,KIND,...", "--ghosts", "-g"),
        ),
    ] = ""

    @property
    def kinds(self) -> list[str]:
        """The kinds of ghosts; none if the user names none."""
        return kinds(self.ghosts)


@dataclass(frozen=True)
class GameOptions(BoardOptions):
    """A board, and how far the agents look ahead."""

    rounds: Annotated[
        int | None, opt(f"Search depth of every agent that searches, in rounds. Default: {ROUNDS}.", "N", min=1)
    ] = None


@dataclass(frozen=True)
class PositionOptions:
    """How to search a layout; a tree has nothing of this."""

    ghosts: Annotated[
        str, opt(f"With a layout: o{_GHOSTS}. Default: all random.", "KIND,KIND,...", "--ghosts", "-g")
    ] = ""
    rounds: Annotated[int | None, opt(f"With a layout: search depth in rounds. Default: {ROUNDS}.", "N", min=0)] = None

    def __post_init__(self) -> None:
        _ = self.kinds  # InputError for a wrong list

    @property
    def kinds(self) -> list[str]:
        """The kinds of ghosts; none if the user names none."""
        return kinds(self.ghosts)


@dataclass(frozen=True)
class SearchOptions:
    """How to search a tree or a position."""

    plies: Annotated[
        int | None, opt("Search depth in plies. Default: the whole tree; of a layout, --rounds.", "N", min=0)
    ] = None
    bounds: Annotated[
        tuple[float, float] | None, opt("Lowest and highest possible value, for example -10 10.", "L U")
    ] = None
    strict: Annotated[bool, opt("Cut only if alpha > beta, not if they are equal (alphabeta).", None, "--strict")] = (
        False
    )
    order: Annotated[str, opt(f"Order of the actions: {', '.join(ORDERS)}.", "NAME")] = GIVEN
    probes: Annotated[
        int | None, opt("Moves of each outcome that star2.5 looks at first.", "N", min=1, hidden=True)
    ] = None

    def __post_init__(self) -> None:
        check_name("move order", self.order, ORDERS)
        _ = self.options  # InputError unless the bounds are finite and in order

    @property
    def options(self) -> Options:
        """The options of a search."""
        try:
            bounds = constant_bounds(*self.bounds) if self.bounds else None
        except ValueError:
            text = " ".join(f"{bound:g}" for bound in self.bounds or ())
            problem = "expected two finite numbers L U with L <= U, for example --bounds -10 10"
            raise InputError(f"--bounds {text}: {problem}") from None
        return Options(bounds=bounds, order=self.order, strict=self.strict, probes=self.probes)


@dataclass(frozen=True)
class SeriesOptions:
    """Which games to play."""

    games: GamesOption = 1
    seed: SeriesSeedOption = 0
    max_plies: Annotated[int, opt("End a game after N plies.", "N", min=1)] = MAX_PLIES


@dataclass(frozen=True)
class ViewOptions:
    """How to show games."""

    overlay: OverlayOption = "none"
    view: Annotated[
        ViewKind,
        opt("Where to show the game: in a window, as text in this terminal, or not at all.", None, "--view", "-v"),
    ] = ViewKind.window
    speed: Annotated[float | None, opt(_SPEED, "N")] = None
    lecture: LectureOption = False
    theme: ThemeOption = "dark"

    def __post_init__(self) -> None:
        check_positive("--speed", self.speed, "rounds per second")
        if self.lecture and self.view is not ViewKind.window:
            raise InputError("--lecture needs a window: leave out --view")

    def check_person(self, agent: str) -> None:
        """InputError if this agent is a person, who would see nothing."""
        if agent == KEYBOARD and self.view is ViewKind.none:
            advice = "use --view window or text, or let an agent play: watch"
            raise InputError(f"--view none: a person needs to see the game; {advice}")


def check_positive(option: str, number: float | None, unit: str) -> None:
    """InputError unless `number` is finite and above 0, or missing; it names the option and the unit."""
    if number is not None and not 0 < number < inf:
        raise InputError(f"{option} {number:g}: expected a positive number of {unit}")


def check_name(kind: str, name: str, known: Any) -> None:
    """InputError for a name that is not known, with the nearest one."""
    if name not in known:
        raise InputError(f"no {kind} '{name}': {nearest(name, known)}")


def check_algorithm(name: str, *more: str) -> None:
    """InputError for a search that does not exist; a command can know `more` of them."""
    check_name("algorithm", name, (*ALGORITHMS, AUTO, *SAME, *more))


def kinds(text: str) -> list[str]:
    """The kinds of ghosts in a text such as "random, optimal"; none for an empty text."""
    names = [kind.strip() for kind in text.split(",")] if text else []
    if "" in names:
        raise InputError(f"--ghosts '{text}': expected kinds and commas, as in random,optimal")
    return names


# ---- what a shell completes


def one_of(place: str) -> Completion:
    """Completes one of the names in a collection, which is given as MODULE:NAME, or that the function there returns."""
    return lambda ctx, incomplete: list(_names(place))


def _names(place: str) -> Iterable[str]:
    module, _, name = place.partition(":")
    names = getattr(import_module(module), name)
    return names() if callable(names) else names  # type: ignore[no-any-return]


def _list_of_ghosts(ctx: Context, incomplete: str) -> list[str]:
    """Completes the last name of a list such as "random,optimal"."""
    before = incomplete[: incomplete.rfind(",") + 1]
    return [before + name for name in _names("agents.load:GHOSTS")]


def _pacmen(ctx: Context, incomplete: str) -> list[str]:
    """The registered agents that the command accepts; Python files; after FILE.py: its classes, read as text."""
    from agents.load import PACMEN

    file, colon, _ = incomplete.partition(":")
    if colon:
        try:
            return [f"{file}:{name}" for name in re.findall(r"^class (\w+)", read_text(Path(file)), re.M)]
        except (InputError, OSError, UnicodeDecodeError):
            return []
    names = [name for name in PACMEN if name != KEYBOARD or ctx.info_name not in UNATTENDED]
    return [*names, *sorted(glob(f"{escape(incomplete)}*.py"))]


def _trees(ctx: Context, incomplete: str) -> list[str]:
    """What `solve` has a name for: layouts and files with trees."""
    return [*_names("pacman.core.layout:names"), *sorted(glob(f"{escape(incomplete)}*.txt"))]


VALUES: dict[str, Completion] = {
    "agent": _pacmen,
    "agents": _pacmen,
    "algorithm": lambda ctx, incomplete: [*ALGORITHMS, AUTO],
    "ghosts": _list_of_ghosts,
    "layout": one_of("pacman.core.layout:names"),
    "name": one_of("pacman.commands.game:GAMES"),
    "order": lambda ctx, incomplete: [*ORDERS],
    "overlay": one_of("pacman.picture.overlays:OVERLAYS"),
    "see": one_of("agents.analysis:searches"),
    "targets": _trees,
    "theme": lambda ctx, incomplete: [*THEMES],
}
"""The completion of each parameter that has a set of names, by the name of the parameter in the command's function.

It reads names only, never imports the file of an agent, and imports no more than it needs, because it must be quick.
"""
