"""A random stream that depends only on seed, agent and counter, so games can be played in any order on any machine.

The n-th number is the finalizer of SplitMix64 (Steele, Lea & Flood 2014) at key + n * GOLDEN. `Stream` is the form
for Python agents; `pacman.compiled.games` draws the same numbers in compiled code.
"""

from __future__ import annotations

from random import Random
from typing import Self

GOLDEN = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD = (1 << 64) - 1


def mix(word: int) -> int:
    """The finalizer of SplitMix64: a 64-bit number in which each bit depends on every bit of `word`.

    >>> hex(mix(GOLDEN))  # the first output of SplitMix64 from 0
    '0xe220a8397b1dcdaf'
    """
    word = (word ^ word >> 30) * FIRST & WORD
    word = (word ^ word >> 27) * SECOND & WORD
    return word ^ word >> 31


def key(seed: int, agent: int) -> int:
    """The key at which the stream of one agent in one game starts."""
    return mix(mix(seed & WORD) + agent + 1 & WORD)


class Stream(Random):
    """The stream as a `random.Random`. It has no `getrandbits`, so that `choice` also draws only with `random()`.

    >>> Stream.of(7, 0).random() == Stream.of(7, 0).random() != Stream.of(7, 1).random()
    True
    """

    key = 0
    counter = 0

    @classmethod
    def of(cls, seed: int, agent: int) -> Self:
        """The stream of `agent` in the game with this seed."""
        stream = cls()
        stream.key = key(seed, agent)
        stream.counter = 0
        return stream

    def random(self) -> float:
        """The next number x with 0 <= x < 1; a multiple of 2 ** -53."""
        self.counter += 1
        return (mix(self.key + self.counter * GOLDEN & WORD) >> 11) / (1 << 53)
