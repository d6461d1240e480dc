"""What people type as they know it from earlier versions, or from a course of Berkeley, in the words of today."""

from __future__ import annotations

import re
from collections.abc import Sequence

DEFAULTS = {"watch": "expectiminimax", "simulate": "reflex", "film": "expectiminimax", "replay": "expectiminimax"}
"""The command -> whose options `-a` gives if the command line names no agent."""
AGENTS = {"watch": "", "simulate": "", "film": "--see", "replay": "--see", "solve-exactly": "--agent"}
"""The command -> the option that names its agent; empty where the agent is an argument."""
OF_AGENT = ("-a", "--pacman-arg", "--see-arg")
FLAGS = ("--reload", "--lecture", "--hold", "--no-hold")
"""The options of games that have no value."""
NOT_OF_PLAY = (
    *("--pacman", "-p", "--compare", "--games", "-n", "--json", "--max-plies", "--move-timeout", "--reload"),
    *("--no-hold", *OF_AGENT),
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
    command, rest = (words[0], [part for word in words[1:] for part in _parts(word)]) if words else ("", [])
    if command == "play" and not {*NOT_OF_PLAY}.isdisjoint(rest):
        command = "watch"
        rest += [] if {"--pacman", "-p", "--compare"} & {*rest} else ["--pacman", "keyboard"]
    if command not in AGENTS:
        return list(words)
    option = AGENTS[command]
    own_words = {*OF_AGENT} | ({"--rounds"} if command in ("film", "replay") else set())
    own_words |= set() if option else {"--pacman", "-p"} | ({"--compare"} if command == "watch" else set())
    suffix, args, agents = "", list[str](), list[str]()
    following = iter(rest)
    for word in following:
        if word == "--side-by-side" and command == "film":
            continue
        if word not in own_words:
            args.append(word)
            continue
        value = next(following, "")
        if not value or (word in OF_AGENT and "=" not in value):
            return list(words)
        if word in ("--pacman", "-p", "--compare"):
            agents += value.split(",") if word == "--compare" else [value]
        elif word == "--rounds":
            suffix += f":rounds={value}"
        else:
            suffix += "".join(f":{pair}" for pair in re.split(r",(?=\w+=)", value))
    args = [*agents, *args]
    if not suffix:
        return [command, *args]
    if option:
        places = [at for at in range(1, len(args)) if args[at - 1] == option]
    else:
        places = [at for at, word in enumerate(args) if word[:1] != "-" and (not at or _takes_nothing(args[at - 1]))]
    if not places and command in DEFAULTS:
        args = [*args, option, DEFAULTS[command]] if option else [DEFAULTS[command], *args]
        places = [len(args) - 1 if option else 0]
    for at in places:
        args[at] += suffix
    return [command, *args] if places else list(words)


def _takes_nothing(word: str) -> bool:
    """True for a word after which no value of an option stands."""
    return word[:1] != "-" or "=" in word or word in FLAGS


def _parts(word: str) -> list[str]:
    """An option and its value, also if they are one word, as in `--compare=minimax,expectimax` or `-adepth=3`."""
    if match := re.fullmatch(
        r"(--(?:compare|pacman-arg|see-arg|pacman|see|agent|games|json|max-plies|move-timeout))=(.*)|(-a)(\w+=.*)", word
    ):
        return [part for part in match.groups() if part is not None]
    return [word]
