"""The command line for bubblewrap: a process in namespaces of its own, with a file system that holds what it reads.

No network, no view of other processes, no /proc. https://github.com/containers/bubblewrap
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from autograder.sandbox.import_bundle import python, readable

PROGRAM = "bwrap"


def is_available() -> bool:
    return shutil.which(PROGRAM) is not None


def wrap_command(command: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """`command` run by bubblewrap; it can read Python, its libraries and `folders`, each at its own place.

    An ordinary user needs a user namespace for it, in which no further ones can be made. Root needs none, and gives
    up his rights inside (see `autograder.student_process.walls.drop_rights`).
    """
    user = [] if os.geteuid() == 0 else ["--unshare-user", "--disable-userns"]
    library = Path(sysconfig.get_path("stdlib")).resolve()
    # The library at once, and what is installed in it masked: one mount, and not one for each module.
    masked = [library / name for name in ("site-packages", "dist-packages") if (library / name).is_dir()]
    others = [path for path in (*readable(), python(), *folders) if path.parent != library]
    # Left to itself, bubblewrap makes the folders above a place so that root alone passes through.
    above = sorted({parent for place in (library, *others) for parent in place.parents if len(parent.parts) > 1})
    above = [parent for parent in above if not any(parent.is_relative_to(place) for place in (library, *others))]
    return [
        *(PROGRAM, *user, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *("--die-with-parent", "--new-session"),
        *(word for place in above for word in ("--perms", "0755", "--dir", str(place))),
        *_bound(library),
        *(word for place in masked for word in ("--tmpfs", str(place))),
        *(word for place in others for word in _bound(place)),
        *("--remount-ro", "/", "--chdir", "/", "--"),
        *command,
    ]


def _bound(place: Path) -> tuple[str, str, str]:
    how = "--dev-bind" if place.is_char_device() else "--ro-bind"
    return how, str(place), str(place)
