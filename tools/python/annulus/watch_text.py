"""A run in the terminal: figures as tables, residuals and mass flows as sparklines, as wide as the terminal."""
import math
import os
import shutil
import sys
import textwrap
import time

from .errors import InputError
from .watching import Watched

BLOCKS = "▁▂▃▄▅▆▇█"
ASCII = "_.-~=+*#"


def numbers_of(values):
    return [v for v in values if v is not None and math.isfinite(v)]


def sparkline(values, width, blocks=BLOCKS, late=False):
    """At most `width` characters; each stands for the mean of its share of the values. A value that is no
    number is a blank. late: the last nine tenths of the values set the scale, so that the swings of a
    start do not flatten what follows."""
    known = numbers_of(values[len(values) // 10 :] if late else values) or numbers_of(values)
    if not known or width < 1:
        return ""
    shares = min(width, len(values))
    low, high, line = min(known), max(known), ""
    for n in range(shares):
        part = values[n * len(values) // shares : (n + 1) * len(values) // shares]
        part = numbers_of(part)
        if not part:
            line += " "
            continue
        height = (sum(part) / len(part) - low) / (high - low) if high > low else 0.5
        line += blocks[min(len(blocks) - 1, max(0, int(height * len(blocks))))]
    return line


def logarithms(values):
    return [math.log10(v) if v is not None and v > 0 else None for v in values]


def shown(value):
    return "-" if value is None else f"{value:.5g}" if isinstance(value, (int, float)) else str(value)


def columns(lines, width):
    """A table: cells of equal width, as many columns as fit; the first column to the left."""
    if not lines:
        return []
    sizes = [max(len(line[n]) for line in lines) for n in range(len(lines[0]))]
    while len(sizes) > 2 and sum(sizes) + 2 * len(sizes) - 2 > width:
        sizes.pop()
    cells = lambda line: [c.ljust(s) if n == 0 else c.rjust(s) for n, (c, s) in enumerate(zip(line, sizes))]  # noqa: E731
    return ["  ".join(cells(line))[:width] for line in lines]


def curve(name, values, width, blocks, logarithmic):
    known = [v for v in values if v is not None]
    if not known:
        return []
    tail = f" {shown(known[0])} -> {shown(known[-1])}" if width >= 60 else f" {shown(known[-1])}"
    line = sparkline(logarithms(values) if logarithmic else values, width - 15 - len(tail), blocks, not logarithmic)
    return [f"{name:<14} {line}{tail}"[:width]] if line else []


def wrapped(text, width):
    return textwrap.wrap(text, width) or [""]


def screen(state, width=80, blocks=BLOCKS):
    """The lines of the terminal, none longer than its width."""
    last = f" of {state['last']}" if isinstance(state.get("last"), int) and state["last"] else ""
    head = f"{state['status']}, iteration {state['iteration']}{last}"
    if state["time"] is not None:
        head += f", {shown(state['time'])} s" + (f" of {shown(state['end_time'])} s" if state["end_time"] else "")
    if state["rate"]:
        head += f", {state['rate']:.4g} iterations/s"
    if state.get("cfl"):
        head += f", CFL {state['cfl']:.4g}"
    if state["status"] == "no run":
        head = state["status"]
    lines = [state["title"] or state["folder"], *wrapped(head, width)]
    if state["message"]:
        lines += wrapped(state["message"], width)
    history = state["history"]
    if history["iteration"]:
        lines.append("")
        for name in ("density", "energy", "turbulence"):
            lines += curve(name, history.get("residual_" + name, []), width, blocks, True)
        through = (("mass in, kg/s", "mass_in"), ("mass out, kg/s", "mass_out"), ("p0 ratio", "pressure_ratio"),
                   ("efficiency", "efficiency"))
        for name, column in (("lift", "lift"), ("drag", "drag")) if "lift" in history else through:
            lines += curve(name, history.get(column, []), width, blocks, False)
    if state["figures"]:
        rows = state["rows"] or ["value"]
        table = [["figure", "unit", *rows]]
        table += [[f["text"], f["unit"], *(shown(v) for v in f["values"])] for f in state["figures"]]
        lines += ["", *columns(table, width)]
    if state["snapshots"]:
        lines += ["", f"newest of {len(state['snapshots'])} snapshots: {state['snapshots'][-1]}"]
    for text in state["warnings"]:
        lines += wrapped("warning: " + text, width)
    return [line[:width] for line in lines]


def alphabet(stream):
    """Characters of sparklines that the terminal can show."""
    try:
        BLOCKS.encode(getattr(stream, "encoding", None) or "ascii")
        return BLOCKS
    except (UnicodeEncodeError, LookupError):
        return ASCII


def watch(folder, once=False, every=1.0, stream=None):
    """Draws the screen anew when the folder has changed, until the run has ended. Without a terminal each
    new state is one line."""
    stream = stream or sys.stdout
    watched, seen = Watched(folder), None
    blocks, moves = alphabet(stream), stream.isatty() and not once
    while True:
        begun = time.time()
        state = watched.state()
        if state["status"] == "no run":
            raise InputError(f"{folder}: {state['message']}")
        took = time.time() - begun
        size = shutil.get_terminal_size((80, 24))
        now = (state["iteration"], state["status"], len(state["snapshots"]), size)
        if now != seen:
            lines = screen(state, size.columns, blocks)
            if blocks is ASCII:
                lines = [line.encode("ascii", "replace").decode() for line in lines]
            if moves:
                stream.write("\033[H\033[2J" + "\n".join(lines[: size.lines - 1]) + "\n")
            elif once:
                stream.write("\n".join(lines) + "\n")
            else:
                stream.write(lines[1] + os.linesep)
            stream.flush()
            seen = now
        if once or not state["alive"]:
            return
        time.sleep(max(every, min(4 * took, 10)))  # a long history takes its time to read: the run may need the same cores
