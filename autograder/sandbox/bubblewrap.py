"""The command line for bubblewrap, which starts a process in its own namespaces with only the files that it needs.

The process has no network, sees no other process and has no /proc. https://github.com/containers/bubblewrap
"""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from autograder.sandbox.import_bundle import interpreter, readable_paths

PROGRAM = "bwrap"


def wrap_command(command: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """The command line that runs `command` in bubblewrap. It can read Python, its libraries and `folders` only.

    All of them keep their usual paths. An ordinary user needs a user namespace for this; processes inside cannot make
    another one. Root needs none, and gives up its rights inside (see `autograder.student_process.walls.drop_rights`).
    """
    user = [] if os.geteuid() == 0 else ["--unshare-user", "--disable-userns"]
    library = Path(sysconfig.get_path("stdlib")).resolve()
    # Mounts the whole library once and hides the installed packages in it, instead of one mount per module.
    masked = [library / name for name in ("site-packages", "dist-packages") if (library / name).is_dir()]
    others = [path for path in (*readable_paths(), interpreter(), *folders) if path.parent != library]
    # Makes the parent folders here: those that bubblewrap makes can be entered by root only.
    parents = sorted({parent for place in (library, *others) for parent in place.parents if len(parent.parts) > 1})
    parents = [parent for parent in parents if not any(parent.is_relative_to(place) for place in (library, *others))]
    return [
        *(PROGRAM, *user, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *("--die-with-parent", "--new-session"),
        *(word for place in parents for word in ("--perms", "0755", "--dir", str(place))),
        *_bind_options(library),
        *(word for place in masked for word in ("--tmpfs", str(place))),
        *(word for place in others for word in _bind_options(place)),
        *("--remount-ro", "/", "--chdir", "/", "--"),
        *command,
    ]


def _bind_options(place: Path) -> tuple[str, str, str]:
    """The options that mount `place` at the same path: read-only, or as a device."""
    option = "--dev-bind" if place.is_char_device() else "--ro-bind"
    return option, str(place), str(place)
