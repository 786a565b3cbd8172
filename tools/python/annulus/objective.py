"""Weighted sums, penalties and other formulas of figures, and their gradients from those of the figures by the chain rule."""
import ast
import math

from .errors import InputError
from .mesh_gradient import mesh_gradient
from .run import gradient

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}


def _name(node):
    """mass_in or rotor.efficiency; None for other nodes."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _name(node.value)
        return before and f"{before}.{node.attr}"
    return None


def _parsed(text):
    """The tree of a formula; `^` counts as a power."""
    try:
        return ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise InputError(f"'{text}' is no formula of figures, as 0.7*rotor.efficiency - 2*(mass_in - 20.2)^2: {error}") from None


def _figures(node, text, found):
    """Adds the figures of a formula, in their order."""
    name = _name(node)
    if name:
        if name not in found:
            found.append(name)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        _figures(node.left, text, found)
        _figures(node.right, text, found)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        _figures(node.operand, text, found)
    elif not (isinstance(node, ast.Constant) and type(node.value) in (int, float)):
        raise InputError(f"'{text}': {ast.unparse(node)} is neither a number nor a figure nor one of + - * / ^ and brackets")
    return found


def _times(weights, by):
    return {f: by * w for f, w in weights.items()}


def _sum(a, b):
    return {f: a.get(f, 0.0) + b.get(f, 0.0) for f in {**a, **b}}


def _evaluated(node, value):
    """A formula and its derivatives by the figures."""
    name = _name(node)
    if name:
        return value[name], {name: 1.0}
    if isinstance(node, ast.Constant):
        return float(node.value), {}
    if isinstance(node, ast.UnaryOp):
        a, da = _evaluated(node.operand, value)
        return (-a, _times(da, -1.0)) if isinstance(node.op, ast.USub) else (a, da)
    (a, da), (b, db) = _evaluated(node.left, value), _evaluated(node.right, value)
    sign = OPERATORS[type(node.op)]
    if sign in "+-":
        return (a + b, _sum(da, db)) if sign == "+" else (a - b, _sum(da, _times(db, -1.0)))
    if sign == "*":
        return a * b, _sum(_times(da, b), _times(db, a))
    if sign == "/":
        return a / b, _sum(_times(da, 1 / b), _times(db, -a / b**2))
    power = a**b
    if isinstance(power, complex):
        raise ValueError("the root of a negative number")
    return power, _sum(_times(da, b * a ** (b - 1) if b else 0.0), _times(db, power * math.log(a)) if db else {})


def weights_of(text, value):
    """The value of a formula of figures, and its derivative by each figure; value: {figure: number}."""
    try:
        return _evaluated(_parsed(text), value)
    except (ArithmeticError, ValueError) as error:
        raise InputError(f"'{text}' has no value or no derivative at {value}: {error}") from None


def objective(case_file, formula, to=(), **more):
    """A formula of figures, as "0.7*rotor.efficiency + 0.3*pressure_ratio - 2*(mass_in - 20.2)^2", and its gradient by keys of the case,
    of one call of `gradient`, which takes `to` and `more`; or, where `mesh` and `parameters` are given, of `mesh_gradient`, and by those
    parameters, too. Returns {"value": number, "gradient": {key: number or list}, "weights":
    {figure: derivative of the formula}, "figures": what `gradient` returns}. Gradients by nodes are those in nodes_FIGURE.cgns
    times the weights, added up."""
    names = _figures(_parsed(formula), formula, [])
    if not names:
        raise InputError(f"'{formula}' names no figure")
    figures = (mesh_gradient if "mesh" in more else gradient)(case_file, names, to=to, **more)
    value, weights = weights_of(formula, {f: figures[f]["value"] for f in names})
    total = {}
    for f in names:
        for key, by in figures[f]["gradient"].items():
            part = [weights.get(f, 0.0) * g for g in (by if isinstance(by, list) else [by])]
            part = [a + b for a, b in zip(total.get(key, [0.0] * len(part)), part)]
            total[key] = part
    first = figures[names[0]]["gradient"]
    return {"value": value, "gradient": {k: g if isinstance(first[k], list) else g[0] for k, g in total.items()}, "weights": weights,
            "figures": figures}
