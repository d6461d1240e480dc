"""Every public function, class and method says what it returns, and every example in a docstring says what comes."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from tests.test_structure import MODULES

EXTRAS = {"numba": "fast", "distributed": "cluster"}


def public(owner: Any, module: str) -> Iterator[tuple[str, Any]]:
    """The public functions, classes and methods that a module defines."""
    for name, value in vars(owner).items():
        value = getattr(value, "__func__", getattr(value, "__wrapped__", value))
        if name.startswith("_") or getattr(value, "__module__", module) != module:
            continue
        if inspect.isclass(value):
            yield value.__qualname__, value
            yield from public(value, module)
        elif inspect.isfunction(value) or isinstance(value, property):
            yield f"{getattr(owner, '__qualname__', '')}.{name}".lstrip("."), (owner, name)


def text(value: Any) -> str | None:
    """The docstring of a class or of a member; a method without one has that of the method which it overrides."""
    if isinstance(value, tuple):
        owner, name = value
        return inspect.getdoc(getattr(owner, name))
    return value.__doc__


def loaded(module: str) -> ModuleType:
    """The module. The test is skipped if this needs an extra that is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        pytest.skip(f"needs the extra `{EXTRAS[error.name]}`")


@pytest.mark.parametrize("module", sorted(MODULES))
def test_everything_public_has_a_docstring(module: str) -> None:
    assert [name for name, value in public(loaded(module), module) if not text(value)] == []


@pytest.mark.parametrize("module", [name for name, path in MODULES.items() if ">>>" in path.read_text("utf-8")])
def test_the_examples(module: str) -> None:
    result = doctest.testmod(loaded(module))
    assert result.attempted
    assert not result.failed


def test_a_function_without_a_docstring_is_listed() -> None:
    class Bare:
        def method(self) -> None: ...

    assert [name for name, value in public(Bare, Bare.__module__) if not text(value)] == [
        "test_a_function_without_a_docstring_is_listed.<locals>.Bare.method"
    ]
