"""What people type as they know it from earlier versions, or from a course of Berkeley, in the words of today."""

from __future__ import annotations

import re
from argparse import ArgumentError, ArgumentParser
from collections.abc import Sequence

OPTIONS = {
    "watch": {"agent": ["-p", "--pacman"], "agents": ["--compare"]},
    "simulate": {"agent": ["-p", "--pacman"]},
    "film": {"agent": ["--see"], "rounds": ["--rounds"]},
    "replay": {"agent": ["--see"], "rounds": ["--rounds"]},
    "solve-exactly": {"agent": ["--agent"]},
}
"""The command -> the options that name its agent, several agents, and how far they search."""
DEFAULTS = {"watch": "expectiminimax", "simulate": "reflex", "film": "expectiminimax", "replay": "expectiminimax"}
"""The command -> whose options `-a` gives if the command line names no agent."""
FLAGS = ("--reload", "--lecture", "--hold", "--no-hold")
"""The options of games that have no value."""
NOT_OF_PLAY = re.compile(
    r"--(pacman|compare|games|json|max-plies|move-timeout|pacman-arg)(=|$)|--(reload|no-hold)$|-[pan]"
)
"""Options that `play` had too. With one of them it is `watch`, in which a person can play as well."""


def in_words_of_today(words: Sequence[str]) -> list[str]:
    """The words of a command line, with agents as arguments and the options of an agent behind its name.

    What it does not understand stays, so that the program says what is wrong.

    >>> in_words_of_today("watch -p my.py:MinimaxAgent -a depth=3,evalFn=better -l nook".split())
    ['watch', 'my.py:MinimaxAgent:depth=3:evalFn=better', '-l', 'nook']
    >>> in_words_of_today("watch --compare minimax,expectimax --seed 3 -a rounds=1".split())
    ['watch', 'minimax:rounds=1', 'expectimax:rounds=1', '--seed', '3']
    >>> in_words_of_today("film game.json --see alphabeta --rounds 2".split())
    ['film', 'game.json', '--see', 'alphabeta:rounds=2']
    """
    command, *rest = words or [""]
    person = ["keyboard"] if command == "play" and any(map(NOT_OF_PLAY.match, rest)) else []
    command = "watch" if person else command
    if command not in OPTIONS:
        return list(words)
    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("-a", "--pacman-arg", "--see-arg", dest="options", action="append", default=[])
    for part, names in OPTIONS[command].items():
        parser.add_argument(*names, dest=part)
    parser.set_defaults(agent="", agents="", rounds="")
    try:
        old, args = parser.parse_known_args([word for word in rest if (command, word) != ("film", "--side-by-side")])
    except ArgumentError:
        return list(words)
    pairs = [pair for value in old.options for pair in re.split(r",(?=\w+=)", value)]
    if not all("=" in pair for pair in pairs):
        return list(words)
    suffix = "".join(f":{pair}" for pair in [*pairs, *([f"rounds={old.rounds}"] if old.rounds else [])])
    agents = [name for name in [old.agent, *old.agents.split(",")] if name] or person
    (option, *others) = OPTIONS[command]["agent"]
    if not others:  # the agent is the value of an option, and no argument
        agent = old.agent or (DEFAULTS.get(command, "") if suffix else "")
        return [command, *args, *([option, agent + suffix] if agent else [])] if agent or not suffix else list(words)
    args = [*agents, *args]
    places = [at for at, word in enumerate(args) if word[:1] != "-" and (not at or _takes_nothing(args[at - 1]))]
    if suffix and not places:
        args, places = [DEFAULTS[command], *args], [0]
    return [command, *(word + suffix * (at in places) for at, word in enumerate(args))]


def _takes_nothing(word: str) -> bool:
    """True for a word after which no value of an option stands."""
    return word[:1] != "-" or "=" in word or word in FLAGS
