#!/usr/bin/env python3
"""Blade sections, hub and casing of the stage (README.md), as tables for mesh_row.

A section is the same curve, unrolled, at all radii: y(x) is the camber line, whose slope changes
linearly from inlet to outlet, with a half thickness h(s) across it, s from 0 to 1 along it:

    h = T/0.2 (0.2969 sqrt(s) - 0.1260 s - 0.3516 s^2 + 0.2843 s^3 - 0.1036 s^4) + E s

the four-digit thickness, closed at the end, and a half circle of radius E there. theta = y / r.
With --gap the rotor stands that far behind the stator, in metres (0.02), and the tables go to --folder.
"""
import argparse
import math
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools", "python", "annulus"))
try:
    from errors import program
except ImportError:  # a copy of this folder elsewhere
    from contextlib import nullcontext as program

HUB, CASING = 0.26, 0.34
ROWS = {  # first and last x, angles of the camber line at inlet and outlet, deg; T, E: m
    "stator": (0.000, 0.050, 0.0, 64.0, 0.0075, 0.0006),
    "rotor": (0.070, 0.115, 8.0, -64.0, 0.0065, 0.0006),
}
POINTS = 120  # of a side
ROUND = 9     # of the half circle


def section(x0, x1, inlet, outlet, thick, end):
    a, b = math.tan(math.radians(inlet)), math.tan(math.radians(outlet))
    chord = x1 - x0
    fine = 4000
    length = [0.0]
    for n in range(fine):
        slope = a + (b - a) * (n + 0.5) / fine
        length.append(length[-1] + chord / fine * math.hypot(1, slope))

    def at(s):  # point and direction of the camber line at part s of its length
        want, lo, hi = s * length[-1], 0, fine
        while hi - lo > 1:
            mid = (lo + hi) // 2
            lo, hi = (mid, hi) if length[mid] <= want else (lo, mid)
        t = (lo + (want - length[lo]) / (length[lo + 1] - length[lo])) / fine
        slope = a + (b - a) * t
        y = chord * (a * t + 0.5 * (b - a) * t * t)
        c = 1 / math.hypot(1, slope)
        return x0 + chord * t, y, c, slope * c

    def half(s):
        return (thick / 0.2 * (0.2969 * math.sqrt(s) - 0.1260 * s - 0.3516 * s**2 + 0.2843 * s**3
                               - 0.1036 * s**4) + end * s)

    upper, lower = [], []
    for n in range(POINTS):
        s = 0.5 * (1 - math.cos(math.pi * n / (POINTS - 1)))
        x, y, c, d = at(s)
        h = half(s)
        upper.append((x - h * d, y + h * c))
        lower.append((x + h * d, y - h * c))
    x, y, c, d = at(1)
    cap = []
    for n in range(1, ROUND):
        phi = math.pi * n / ROUND
        cap.append((x - end * d * math.cos(phi) + end * c * math.sin(phi),
                    y + end * c * math.cos(phi) + end * d * math.sin(phi)))
    return upper + cap + lower[:0:-1]  # from the nose along the upper side, around the end, and back


def write(folder, name, row):
    loop = section(*row)
    with open(os.path.join(folder, name + ".dat"), "w") as f:
        for n in range(5):
            r = HUB + (CASING - HUB) * n / 4
            f.write(f"section {n + 1}: x, r in metres, theta in radians\n")
            for x, y in loop:
                f.write(f"{x:.9f} {r:.6f} {y / r:.9f}\n")


def main():
    parser = argparse.ArgumentParser(description="Tables of the stage for mesh_row.")
    parser.add_argument("--gap", type=float, default=ROWS["rotor"][0] - ROWS["stator"][1])
    parser.add_argument("--folder", default=os.path.dirname(os.path.abspath(__file__)))
    options = parser.parse_args()
    folder, moved = options.folder, options.gap - (ROWS["rotor"][0] - ROWS["stator"][1])
    for name, row in ROWS.items():
        shift = moved if name == "rotor" else 0
        write(folder, name, (row[0] + shift, row[1] + shift, *row[2:]))
    for name, r in (("hub", HUB), ("casing", CASING)):
        with open(os.path.join(folder, name + ".dat"), "w") as f:
            f.write("# x, r in metres\n")
            for n in range(21):
                f.write(f"{-0.15 + 0.4 * n / 20:.6f} {r:.6f}\n")


if __name__ == "__main__":
    with program("make_blades.py"):
        main()
