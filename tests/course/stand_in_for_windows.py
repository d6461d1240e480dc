"""Stands in for Windows on Linux, as `sitecustomize`: no module that only POSIX has, and sys.platform says win32."""

import importlib
import os
import subprocess
import sys
import sysconfig
from contextlib import suppress
from types import ModuleType, SimpleNamespace

POSIX_ONLY = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"}


class Refusal:
    """Finds no module that only POSIX has."""

    def find_spec(self, name, path=None, target=None):
        if name in POSIX_ONLY:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)


class Popen(subprocess.Popen):
    """Starts a process that inherits the handles of `startupinfo`."""

    def __init__(self, *arguments, startupinfo=None, **options):
        handles = startupinfo.lpAttributeList["handle_list"] if startupinfo else ()
        super().__init__(*arguments, pass_fds=handles, **options)


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
sys.modules["msvcrt"].get_osfhandle = lambda descriptor: descriptor
subprocess.STARTUPINFO, subprocess.Popen = SimpleNamespace, Popen
os.set_handle_inheritable = os.set_inheritable
sys.platform = "win32"
