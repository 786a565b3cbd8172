#!/usr/bin/env python3
"""Mesh of a flat plate with a fine leading edge: plate.py FILE [--fine N] writes it in plane formatted PLOT3D.

Without N: 97 x 57 nodes. The plate reaches from x = 0 to 2 m (72 cells), symmetry from -0.3 m to 0 (24 cells); the first
cells on either side of the leading edge are 0.4 mm long and 10 um high.

N (1, 2, 4): 112 N x 72 N cells, for a model that knows the turbulence of the stream: symmetry from -0.06 m to 0 (16 N
cells), so that the turbulence decays little ahead of the plate, which has 96 N cells; the first are 0.1 mm / N long and
5 um / N high.

--upper FILE, with N: a channel between the plate and an upper wall of the contour in a CSV file (x_m, y_m), for the
pressure gradient that this wall makes: 128 N x 72 N cells from the first to the last place of the file; symmetry ahead of
the plate has 24 N cells, the first cells are 0.2 mm / N long and at most 5 um / N high.
"""
import argparse
import bisect
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools", "python", "annulus"))
from errors import InputError, columns, program  # noqa: E402


def grow(n, first, length, cap, ratio=1.2):
    """n cells from `first` on that fill `length`: geometric, or (cap) growing by `ratio` up to a largest size."""
    low, high = (first, length) if cap else (1.0001, 2.0)
    for _ in range(80):
        middle = 0.5 * (low + high)
        cells = [min(first * ratio**i, middle) if cap else first * middle**i for i in range(n)]
        low, high = (middle, high) if sum(cells) < length else (low, middle)
    nodes = [0.0]
    for cell in cells:
        nodes.append(nodes[-1] + cell)
    return nodes


def read_contour(name):
    """x and y of the file; y between them by cubic pieces with the slopes of the neighbours."""
    x, y = columns(name, "x_m", "y_m")
    if len(x) < 2 or any(b <= a for a, b in zip(x, x[1:])) or not x[0] < 0 < x[-1]:
        raise InputError(f"{name}: x_m has to grow from line to line, from a place ahead of the plate (below 0) on")
    last = len(x) - 1
    slope = [(y[min(i + 1, last)] - y[max(i - 1, 0)]) / (x[min(i + 1, last)] - x[max(i - 1, 0)]) for i in range(last + 1)]

    def height(place):
        i = min(max(bisect.bisect(x, place) - 1, 0), last - 1)
        h = x[i + 1] - x[i]
        t = (place - x[i]) / h
        return (y[i] * (1 + 2 * t) * (1 - t) ** 2 + h * slope[i] * t * (1 - t) ** 2
                + y[i + 1] * t * t * (3 - 2 * t) + h * slope[i + 1] * t * t * (t - 1))

    return x[0], x[-1], height


parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("--fine", type=int, choices=(1, 2, 4), default=0)
parser.add_argument("--upper")
o = parser.parse_args()
if o.upper and not o.fine:
    parser.error("--upper needs --fine")
with program("plate.py"):
    height = None
    if o.upper:
        n = o.fine
        start, end, height = read_contour(o.upper)
        x = [-v for v in reversed(grow(24 * n, 2e-4 / n, -start, False))]
        x += grow(104 * n, 2e-4 / n, end, True, 1.2 ** (1 / n))[1:]
        y = grow(72 * n, 5e-6 / n / 0.3, 1.0, False)
    elif o.fine:
        n = o.fine
        x = [-v for v in reversed(grow(16 * n, 1e-4 / n, 0.06, False))]
        x += grow(96 * n, 1e-4 / n, 2.0, True, 1.2 ** (1 / n))[1:]
        y = grow(72 * n, 5e-6 / n, 0.6, False)
    else:
        x = [-v for v in reversed(grow(24, 4e-4, 0.3, False))] + grow(72, 4e-4, 2.0, True)[1:]
        y = grow(56, 1e-5, 0.6, False)
    with open(o.file, "w", encoding="ascii") as f:
        f.write(f"1\n{len(x)} {len(y)}\n")
        f.writelines(f"{v:.16e}\n" for _ in y for v in x)
        f.writelines(f"{v * (height(u) if height else 1):.16e}\n" for v in y for u in x)
