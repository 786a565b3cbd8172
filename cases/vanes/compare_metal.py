#!/usr/bin/env python3
"""Wall temperatures of a run with conducting metal against the measurement: compare_metal.py [--points] OUT MEASURED.csv

OUT: output folder of c3x_108_metal.yaml, c3x_145_metal.yaml or markii_42_metal.yaml; MEASURED.csv: the table of that run,
such as c3x_run145_wall.csv.
For each side of the vane: number of measured points, mean difference (computed less measured) and root of the mean square, K.
--points prints every point: x over the axial chord, measured and computed temperature.
"""
import argparse
import csv
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools", "python"))
import numpy as np  # noqa: E402

from annulus.cgns import File  # noqa: E402
from annulus.errors import program, reading  # noqa: E402
from annulus.run import Run  # noqa: E402


def around(zones):
    """Centres (x, y), temperatures and pressures of the faces [4, n] of the wall, one after the other around the vane."""
    parts = []
    for zone in zones:
        x, y, _ = zone.nodes()
        corners = [0.25 * (c[..., :-1, :-1] + c[..., 1:, :-1] + c[..., :-1, 1:] + c[..., 1:, 1:]) for c in (x, y)]
        parts.append(np.array([v.reshape(-1) for v in (*corners, zone.stored("TemperatureWall"), zone.stored("Pressure"))]))
    faces = np.concatenate(parts, 1)
    left, order = set(range(faces.shape[1])), [int(np.argmin(faces[0]))]
    left.remove(order[0])
    while left:
        rest = np.fromiter(left, int)
        nearest = rest[np.argmin(np.hypot(*(faces[:2, rest] - faces[:2, order[-1]][:, None])))]
        order.append(int(nearest))
        left.remove(order[-1])
    return faces[:, order]


def sides(faces):
    """{side: (x over the axial chord, T)}; the side of lower pressure is the suction side."""
    x = (faces[0] - faces[0].min()) / np.ptp(faces[0])
    end = int(np.argmax(x))
    one, other = slice(0, end + 1), slice(end, None)
    suction, pressure = (one, other) if faces[3, one].mean() < faces[3, other].mean() else (other, one)
    found = {}
    for name, part in (("suction", suction), ("pressure", pressure)):
        order = np.argsort(x[part])
        found[name] = x[part][order], faces[2, part][order]
    return found


def measured(path):
    """{side: [(x over the axial chord, T)]}"""
    table = {}
    with reading(path), open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(line for line in f if not line.startswith("#")):
            if row["T_wall_K"]:
                table.setdefault(row["surface"], []).append((float(row["x_over_axial_chord"]), float(row["T_wall_K"])))
    return {side: np.array(sorted(points)).T for side, points in table.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", action="store_true")
    parser.add_argument("out")
    parser.add_argument("table")
    options = parser.parse_args()
    computed = sides(around(File(Run(options.out).newest("wall"), (2,)).zones))
    print("side       points   mean difference K   rms K   largest K")
    for side, (x, T) in measured(options.table).items():
        here = np.interp(x, *computed[side])
        off = here - T
        print(f"{side:10s} {len(x):6d} {off.mean():+15.1f} {np.sqrt((off**2).mean()):13.1f} {abs(off).max():9.1f}")
        for point in zip(x, T, here) if options.points else ():
            print("  x/c {:.4f}  measured {:.1f} K  computed {:.1f} K".format(*point))


with program("compare_metal.py"):
    main()
