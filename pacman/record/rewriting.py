"""Rewrites a Python file so that it reports its calls and returns to a `Watcher`.

Each function, method and lambda reports when it is called and what it returns, with the lines. What the code does stays
the same, and so do the lines of its tracebacks. A generator and a coroutine report nothing: they work later than they
return. What such a function calls reports as usual.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice
from types import CodeType
from typing import TypeVar

from pacman.record.watcher import (
    MAX_NAMES,
    MAX_STATEMENTS,
    WATCHER,
    Statement,
    StatementKind,
    WatchedFunction,
)

_CALL, _ERROR = "__call_of_watcher__", "__error_of_watcher__"  # names of this form are not mangled in a class
_TRANSPARENT = frozenset({"staticmethod", "classmethod", "property", "abstractmethod", "override", "setter", "getter"})
"""The decorators that call the function each time. Any other one may answer without a call, from a memory."""
Part = TypeVar("Part", bound=ast.AST)
_Definition = ast.FunctionDef | ast.Lambda


def watched_code(source: bytes | str, path: str, functions: list[WatchedFunction], file: str = "") -> CodeType:
    """The compiled code of a file that reports to the global name WATCHER; its functions are added to `functions`.

    `path` is its name in tracebacks, `file` in `functions`. SyntaxError as `compile`.
    """
    tree = _Rewriter(functions, file).visit(ast.parse(source, path))
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class _Rewriter(ast.NodeTransformer):
    """Puts the reports into a file. `open` are the numbers of the functions around the current line."""

    def __init__(self, functions: list[WatchedFunction], file: str) -> None:
        self.functions, self.file = functions, file
        self.open: list[int] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """The function with its reports. One with a decorator that may remember reports from outside of it too."""
        is_lazy = _is_generator(node)
        number = self._add(node, node.name)
        self.open.append(-1 if is_lazy else number)
        self.generic_visit(node)
        self.open.pop()
        if is_lazy:
            return node
        has_text = ast.get_docstring(node, clean=False) is not None
        text, body = node.body[:has_text], node.body[has_text:]
        _add_ends(body, node.lineno)
        enter = ast.Assign([ast.Name(_CALL, ast.Store())], _enter(number, node.args), lineno=node.lineno)
        report = ast.Expr(_report("raised", ast.Name(_CALL, ast.Load()), ast.Name(_ERROR, ast.Load())))
        handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), _ERROR, [report, ast.Raise()])
        guarded = ast.Try(body, [handler], [], [])
        node.body = [*text, _at(node.lineno, enter), _at(node.lineno, guarded)]
        if any(_name_of(decorator) not in _TRANSPARENT for decorator in node.decorator_list):
            outer = _at(node.lineno, _report("remembered", ast.Constant(number)))
            node.decorator_list.insert(0, outer)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """The lambda with its reports."""
        number = self._add(node, "lambda")
        self.open.append(number)
        self.generic_visit(node)
        self.open.pop()
        inner = _report("leave", _enter(number, node.args), ast.Constant(node.body.lineno), node.body)
        node.body = ast.copy_location(inner, node.body)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """The return, whose value passes through the watcher."""
        self.generic_visit(node)
        if self.open and self.open[-1] >= 0:
            node.value = _at(node.lineno, _leave(node.lineno, node.value or ast.Constant(None)))
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """The coroutine as it is."""
        return node

    def _add(self, node: _Definition, name: str) -> int:
        further = {id(node.args.vararg): "*", id(node.args.kwarg): "**"}
        names = tuple(further.get(id(each), "") + each.arg for each in _parameters(node.args))
        body = node.body if isinstance(node, ast.FunctionDef) else []
        statements = tuple(islice(_statements(body), MAX_STATEMENTS))
        place = node.lineno, node.end_lineno or node.lineno
        self.functions.append(WatchedFunction(name, *place, names, self.file, statements))
        return len(self.functions) - 1


def _statements(body: list[ast.stmt], loop: int = 0) -> Iterator[Statement]:
    """The tests, loops, assignments and returns of a body, in their order."""
    for node in body:
        end, inner, leaves = node.end_lineno or node.lineno, loop, False
        place = node.lineno, end, end, loop
        if isinstance(node, ast.For | ast.While):
            inner = node.lineno
            targets = [node.target] if isinstance(node, ast.For) else []
            yield Statement(StatementKind.LOOP, *place, leaves, _names(targets))
        if isinstance(node, ast.If | ast.While):
            leaves = isinstance(node, ast.While) or any(
                isinstance(each, ast.Return | ast.Break) for each in (*node.body, *node.orelse)
            )
            last = node.body[-1].end_lineno or node.lineno
            compared = tuple(ast.unparse(node.test).split(" "))
            names = _names([node.test])
            names = compared if len(compared) == 3 and {*names} == {*compared[::2]} else names
            yield Statement(StatementKind.TEST, node.lineno, last, end, inner, leaves, names)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield Statement(StatementKind.SET, *place, leaves, _names(targets))
        if isinstance(node, ast.Return):
            yield Statement(StatementKind.RETURN, *place, leaves, _names([node.value] if node.value else []))
        for part in ("body", "orelse", "finalbody"):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from _statements(getattr(node, part, []), inner if part == "body" else loop)
        for case in (*getattr(node, "cases", ()), *getattr(node, "handlers", ())):
            yield from _statements(case.body, loop)


def _names(nodes: Sequence[ast.AST]) -> tuple[str, ...]:
    """The variables in some nodes, and the attributes of `self`, in their order."""
    inside = [each for node in nodes for each in ast.walk(node)]
    names = [each.id for each in inside if isinstance(each, ast.Name)]
    names += [
        f"self.{each.attr}" for each in inside if isinstance(each, ast.Attribute) and _name_of(each.value) == "self"
    ]
    return tuple(dict.fromkeys(names))[:MAX_NAMES]


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters; the last ones hold the further arguments as a tuple and as a dictionary."""
    further = [each for each in (arguments.vararg, arguments.kwarg) if each]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *further]


def _enter(number: int, arguments: ast.arguments) -> ast.expr:
    return _report("enter", ast.Constant(number), *(ast.Name(each.arg, ast.Load()) for each in _parameters(arguments)))


def _leave(line: int, value: ast.expr) -> ast.expr:
    return _report("leave", ast.Name(_CALL, ast.Load()), ast.Constant(line), value)


def _add_ends(body: list[ast.stmt], line: int) -> None:
    """Adds a return of None at each end of a body, with the line of the last statement there."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        _add_ends(last.body, last.lineno)
        _add_ends(last.orelse, last.lineno)
    elif not isinstance(last, ast.Return | ast.Raise):
        end = last.lineno if last else line
        body.append(_at(end, ast.Return(_leave(end, ast.Constant(None)))))


def _report(method: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(WATCHER, ast.Load()), method, ast.Load()), list(arguments), [])


def _at(line: int, node: Part) -> Part:
    """The node; it and all new nodes inside, which have no line yet, are now at a line."""
    for each in ast.walk(node):
        if "lineno" in each._attributes and not hasattr(each, "lineno"):
            vars(each).update(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
    return node


def _name_of(decorator: ast.expr) -> str:
    """The last part of a decorator's name."""
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    if isinstance(decorator, ast.Attribute):
        return decorator.attr
    return decorator.id if isinstance(decorator, ast.Name) else ""


def _is_generator(function: ast.FunctionDef) -> bool:
    """True if the function itself, not one inside it, has a `yield`."""
    left: list[ast.AST] = list(function.body)
    while left:
        node = left.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            left += ast.iter_child_nodes(node)
    return False
