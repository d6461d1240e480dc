"""Which modules Python has imported, and how it looks for others: to restore them after code that changes them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple, Self


class ImportState(NamedTuple):
    """The modules that Python has, and the lists that say where and how it looks for others."""

    modules: dict[str, ModuleType]
    settings: tuple[list[Any], list[Any], list[Any]]

    @classmethod
    def now(cls) -> Self:
        """A copy of the present state."""
        return cls(dict(sys.modules), (sys.path[:], sys.path_hooks[:], sys.meta_path[:]))

    def restore(self, forgets: Callable[[ModuleType], bool] = lambda module: True) -> None:
        """Makes this the present state again. A module that was imported since then stays unless `forgets` is true."""
        for name in sys.modules.keys() - self.modules.keys():
            if forgets(sys.modules[name]):
                del sys.modules[name]
        sys.modules.update(self.modules)
        sys.path[:], sys.path_hooks[:], sys.meta_path[:] = self.settings
        sys.path_importer_cache.clear()
