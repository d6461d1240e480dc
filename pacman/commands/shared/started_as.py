"""How the user started this process, and command lines in that form.

Every text of the project names commands in one fixed form: `python -m autograder grade my.py`. This form works in each
environment. Results in a store, JSON, the pages of a class, an upload for Gradescope and the zip for students keep it,
so they do not depend on how a worker was started. Only what goes to the person who started the program is rewritten
here: a process that was started as `pacman-grade` or `pacman-search` names these.
"""

from __future__ import annotations

import re
import sys
from pathlib import PurePath

SCRIPTS = {"pacman": "pacman-search", "autograder": "pacman-grade"}
"""The name of each program's script, by its module."""
_MODULE = re.compile(rf"python -m ({'|'.join(SCRIPTS)})(?!\.?\w)")


def as_started(text: str) -> str:
    """The text with its commands in the form in which this process was started.

    >>> as_started("Grade it: python -m autograder grade my.py")
    'Grade it: python -m autograder grade my.py'
    """
    return _MODULE.sub(lambda match: SCRIPTS[match[1]], text) if started_as_script() else text


def started_as_script() -> bool:
    """True if the user started this process as one of the scripts."""
    return PurePath(sys.argv[0]).stem in SCRIPTS.values()
