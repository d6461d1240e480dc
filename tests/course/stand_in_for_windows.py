"""Stands in for Windows on Linux, as `sitecustomize`: no module that only POSIX has, and sys.platform says win32."""

import importlib
import sys
import sysconfig
from contextlib import suppress
from types import ModuleType

POSIX_ONLY = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"}


class Refusal:
    """Finds no module that only POSIX has."""

    def find_spec(self, name, path=None, target=None):
        if name in POSIX_ONLY:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)


# These modules read sys.platform when they are imported, and then need what this machine really has.
for name in ("asyncio", "ctypes", "multiprocessing", "tempfile", "pydantic.fields", "rich.console", "typer"):
    importlib.import_module(name)
with suppress(ModuleNotFoundError):  # older versions of typer have no such module
    importlib.import_module("typer._adapters")
sysconfig.get_config_vars()
for name in POSIX_ONLY:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Refusal())
sys.modules["msvcrt"] = ModuleType("msvcrt")
sys.platform = "win32"
