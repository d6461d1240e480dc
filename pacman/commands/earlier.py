"""What people type as they know it from earlier versions, or from a course of Berkeley, in the words of today."""

from __future__ import annotations

import re
from collections.abc import Sequence

DEFAULTS = {"watch": "expectiminimax", "simulate": "reflex", "film": "expectiminimax", "replay": "expectiminimax"}
"""The command -> whose options `-a` gives if the command line names no agent."""
NAMES_AGENT = {"film": ("--see",), "replay": ("--see",), "solve-exactly": ("--agent",)}
OF_AGENT = ("-a", "--pacman-arg", "--see-arg")
FLAGS = ("--reload", "--lecture", "--hold", "--no-hold")
"""The options of games that have no value."""
ONLY_OF_WATCH = ("--compare", "--json", "--max-plies", "--move-timeout", "--reload", "--no-hold", *OF_AGENT)
"""Options that `play` had too. With one of them it is `watch`, in which a person can play as well."""


def in_words_of_today(words: Sequence[str]) -> list[str]:
    """The words of a command line, with the options of an agent behind its name, and agents one after the other.

    >>> in_words_of_today("watch -p my.py:MinimaxAgent -a depth=3,evalFn=better -l nook".split())
    ['watch', '-p', 'my.py:MinimaxAgent:depth=3:evalFn=better', '-l', 'nook']
    >>> in_words_of_today("watch --compare minimax,expectimax --seed 3".split())
    ['watch', 'minimax', 'expectimax', '--seed', '3']
    >>> in_words_of_today("film game.json --see alphabeta --rounds 2".split())
    ['film', 'game.json', '--see', 'alphabeta:rounds=2']
    """
    command, rest = (words[0], [part for word in words[1:] for part in _parts(word)]) if words else ("", [])
    if command == "play" and any(word in ONLY_OF_WATCH for word in rest):
        command = "watch"
        if not {"--pacman", "-p", "--compare"} & {*rest}:
            rest = ["--pacman", "keyboard", *rest]
    if command not in DEFAULTS | NAMES_AGENT:
        return list(words)
    names = NAMES_AGENT.get(command, ("--pacman", "-p"))
    taken = {*OF_AGENT, "--compare"} | ({"--rounds"} if command in ("film", "replay") else set())
    given, kept, agents = "", list[str](), list[str]()
    following = iter(rest)
    for word in following:
        if word == "--side-by-side" and command == "film":
            continue
        value = next(following, "") if word in taken else ""
        if word == "--compare":
            agents = value.split(",")
        elif word == "--rounds" and value:
            given += f":rounds={value}"
        elif word in OF_AGENT and "=" not in value:
            return list(words)  # the program says what is wrong
        elif value:
            given += "".join(f":{pair}" for pair in re.split(r",(?=\w+=)", value))
        else:
            kept.append(word)
    if given:
        places = [at + 1 for at, word in enumerate(kept[:-1]) if word in names]
        if command in ("watch", "simulate"):
            alone = (at for at, word in enumerate(kept) if word[:1] != "-" and (not at or _takes_nothing(kept[at - 1])))
            places = [*alone, *places]
        if not places:
            kept += [names[0], DEFAULTS.get(command, "reflex")]
            places = [len(kept) - 1]
        kept[places[0]] += given
    return [command, *agents, *kept]


def _takes_nothing(word: str) -> bool:
    """True for a word after which no value of an option stands."""
    return word[:1] != "-" or "=" in word or word in FLAGS


def _parts(word: str) -> list[str]:
    """An option and its value, also if they are one word, as in `--compare=minimax,expectimax` or `-adepth=3`."""
    if match := re.fullmatch(r"(--(?:compare|pacman-arg|see-arg|pacman|see|agent))=(.*)|(-a)(\w+=.*)", word):
        return [part for part in match.groups() if part is not None]
    return [word]
