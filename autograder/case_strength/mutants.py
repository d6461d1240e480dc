"""Wrong searches made of a right one: mutants of a file, which are copies with one small change in one part."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

MADE_UP = ("0", "99", "9999", "9999999")
"""The numbers that a mutant uses in place of infinity."""
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.Div),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.Mod: (ast.FloorDiv,),
}
OTHER_FUNCTION = {"max": ("min",), "min": ("max",), "sum": ("max", "min")}
OTHER_LAYERS = {"MAX": ("MIN", "CHANCE"), "MIN": ("MAX", "CHANCE"), "CHANCE": ("MAX", "MIN")}
SCORE = {"evaluate": "{}.score", "evaluationFunction": "{}.getScore()"}
"""The call of an evaluation, and the score that it would be with the default evaluation."""


@dataclass(frozen=True)
class Mutant:
    """A changed copy of a file: the line of the change, the old and the new code there, and the whole new text."""

    line: int
    old: str
    new: str
    source: str


def mutants(source: str, part: str) -> Iterator[Mutant]:
    """Every mutant of the code of `part`: of the class, of its base classes, and of the functions that it names."""
    tree = ast.parse(source)
    texts = [ast.unparse(statement) for statement in tree.body]
    texts_so_far = {"\n".join(texts)}
    for definition in _definitions(tree, part):
        place = tree.body.index(definition)
        for parent in ast.walk(definition):
            for name, value in ast.iter_fields(parent):
                for line, old_text, new_text, changed in _changes(parent, name, value, definition):
                    setattr(parent, name, changed)
                    text = "\n".join([*texts[:place], ast.unparse(definition), *texts[place + 1 :]])
                    setattr(parent, name, value)
                    if text not in texts_so_far and old_text != new_text:
                        texts_so_far.add(text)
                        yield Mutant(line, old_text, new_text, text)


def _changes(parent: ast.AST, name: str, value: Any, definition: ast.stmt) -> Iterator[tuple[int, str, str, Any]]:
    """Each change of the field `name` of a node: its line, the old and the new code there, and the new value."""
    children = value if isinstance(value, list) else [value]
    for index, child in enumerate(children):
        for new in _replacements(child, parent, name, definition) if isinstance(child, ast.AST) else ():
            changed = [*children[:index], new, *children[index + 1 :]] if isinstance(value, list) else new
            yield getattr(child, "lineno", 0), _text(child), _text(new), changed
    if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
        yield from _other_blocks(value)


def _definitions(tree: ast.Module, part: str) -> list[ast.stmt]:
    """The class `part` and every definition at top level that it names, directly or not."""
    known = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    names, definitions = [part], list[ast.stmt]()
    while names:
        node = known.pop(names.pop(), None)
        if node is not None:
            definitions.append(node)
            names += [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    return definitions


def _text(node: ast.AST) -> str:
    """The first line of the code of a node."""
    return ast.unparse(node).partition("\n")[0] if not isinstance(node, ast.operator | ast.cmpop) else ""


def _replacements(node: ast.AST, parent: ast.AST, name: str, definition: ast.stmt) -> Iterator[ast.AST]:
    """What a mutant has in place of `node`, which is the field `name` of `parent`."""
    yield from _other_operators(node)
    yield from _other_values(node, name)
    yield from _other_names(node, parent, name, definition)
    if isinstance(node, ast.Call):
        yield from _calls(node)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.ctx, ast.Load):
        for index_text in ("0", "1", "-1"):
            yield ast.Subscript(node.value, _expression(index_text), node.ctx)
    if name == "iter":
        for part in ("[1:]", "[:1]", "[:2]", "[::-1]"):
            yield _expression(f"list({ast.unparse(node)}){part}")
    if isinstance(node, ast.Return) and node.value is not None:
        yield ast.Return(ast.Constant(None))
    if isinstance(node, ast.Break):
        yield ast.Continue()


def _other_operators(node: ast.AST) -> Iterator[ast.AST]:
    """The node with another operator, or with one of its operands alone."""
    match node:
        case ast.Compare(left, [operator], [right]):
            for comparison in COMPARISONS.get(type(operator), ()):
                yield ast.Compare(left, [comparison()], [right])
            if isinstance(right, ast.Constant) and right.value == 0:
                for other in (2, 3):  # another agent decides in the same way
                    yield _expression(f"{ast.unparse(left)} in (0, {other})")
        case ast.BoolOp(bool_operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(bool_operator, ast.And) else ast.And(), values)
            for index in range(len(values)):
                rest = values[:index] + values[index + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(bool_operator, rest)
        case ast.UnaryOp():
            yield node.operand
        case ast.BinOp():
            for arithmetic in ARITHMETIC.get(type(node.op), ()):
                yield ast.BinOp(node.left, arithmetic(), node.right)
            yield node.left
            yield node.right
        case ast.AugAssign():
            for arithmetic in ARITHMETIC.get(type(node.op), ()):
                yield ast.AugAssign(node.target, arithmetic(), node.value)
            yield ast.Assign([node.target], node.value, lineno=node.lineno)


def _other_values(node: ast.AST, name: str) -> Iterator[ast.AST]:
    """Other numbers and conditions in place of the node, which is the field `name`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
        yield _expression(repr(node.value - 1))
    if _is_infinity(node):
        yield from map(_expression, MADE_UP)
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
        yield ast.IfExp(node.test, node.orelse, node.body)
    if name == "test":
        yield ast.Constant(True)
        yield ast.Constant(False)


def _other_names(node: ast.AST, parent: ast.AST, name: str, definition: ast.stmt) -> Iterator[ast.AST]:
    """Other variables, layers, methods and functions in place of the node."""
    is_called = isinstance(parent, ast.Call) and name == "func"
    arguments = len(parent.args) if isinstance(parent, ast.Call) else 0
    match node:
        case ast.Name(variable, ast.Load()):
            names = list(OTHER_FUNCTION.get(variable, ()))
            if name in ("args", "left", "right", "value", "comparators", "elts"):
                names += _variables(definition, node)
            if is_called:
                names += _functions(definition, arguments)
            yield from (ast.Name(each, ast.Load()) for each in names)
        case ast.Attribute(ast.Name(owner), attribute):
            names = list(OTHER_LAYERS.get(attribute, ())) if owner == "Layer" else []
            if owner == "self" and is_called:
                names += _functions(definition, arguments + 1)
            yield from (ast.Attribute(node.value, each, node.ctx) for each in names)


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    """A call with its arguments exchanged or left out, with its first argument in its place, or made twice."""
    for index in range(len(node.args) - 1):
        swapped = [*node.args]
        swapped[index : index + 2] = swapped[index + 1], swapped[index]
        yield ast.Call(node.func, swapped, node.keywords)
    for index in range(len(node.args)):
        yield ast.Call(node.func, node.args[:index] + node.args[index + 1 :], node.keywords)
    if node.keywords:
        yield ast.Call(node.func, node.args, [])
    if len(node.args) == 2 and isinstance(node.func, ast.Name) and node.func.id in ("max", "min"):
        yield node.args[0]
        yield node.args[1]
    function = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if function in SCORE and len(node.args) == 1:
        yield _expression(SCORE[function].format(ast.unparse(node.args[0])))
        yield ast.Constant(0)
    if function in ("successor", "generateSuccessor", "getNextState"):
        text = ast.unparse(node)
        yield _expression(f"({text}, {text})[1]")
        yield _expression(ast.unparse(node.func.value))  # type: ignore[attr-defined]
    if function in ("isWin", "isLose"):
        yield ast.Constant(False)


def _other_blocks(block: list[ast.stmt]) -> Iterator[tuple[int, str, str, list[ast.stmt]]]:
    """The block with one statement deleted, and with the statement after a loop moved into the loop."""
    for index, statement in enumerate(block):
        before, after = block[:index], block[index + 1 :]
        is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not (is_docstring or isinstance(statement, ast.FunctionDef | ast.ClassDef)):
            yield statement.lineno, _text(statement), "(deleted)", [*before, ast.Pass(), *after]
        if isinstance(statement, ast.If):
            yield statement.lineno, _text(statement), "(always)", [*before, *statement.body, *after]
        if isinstance(statement, ast.For) and after:
            inside = deepcopy(statement)
            inside.body = [*inside.body, after[0]]
            new_line = f"{_text(after[0])}  (inside the loop)"
            yield after[0].lineno, _text(after[0]), new_line, [*before, inside, *after]


def _is_infinity(node: ast.AST) -> bool:
    """True for `inf`, `math.inf`, a name such as INFINITY, and float("inf"), with or without a sign."""
    text = ast.unparse(node).lower() if isinstance(node, ast.Name | ast.Attribute | ast.Call) else ""
    return text in ("inf", "math.inf", "infinity", "float('inf')", "float('-inf')")


def _variables(definition: ast.stmt, node: ast.Name) -> list[str]:
    """The other parameters and variables of the innermost function in which `node` stands."""
    functions = [each for each in ast.walk(definition) if isinstance(each, ast.FunctionDef)]
    inner = [each for each in functions if any(inside is node for inside in ast.walk(each))]
    if not inner:
        return []
    stores = [each.id for each in ast.walk(inner[-1]) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    names = dict.fromkeys([argument.arg for argument in inner[-1].args.args] + stores)
    return [name for name in names if name not in ("self", node.id, "_")] if node.id in names else []


def _functions(definition: ast.stmt, parameters: int) -> list[str]:
    """The functions inside a definition that take this number of parameters."""
    functions = [each for each in ast.walk(definition) if isinstance(each, ast.FunctionDef)]
    return [each.name for each in functions if len(each.args.args) == parameters]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
