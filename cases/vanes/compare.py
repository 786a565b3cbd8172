#!/usr/bin/env python3
"""Heat transfer and pressure of a vane against the measurement: compare.py FOLDER [MEASURED]

FOLDER: output of a run of this folder; the last wall_*.cgns is read, and p0 and T0 from effective.yaml. MEASURED: c3x_run108 (by
default from the name of the case), c3x_run145 or markii_run42. The coefficient is h = q / (T0 - T_wall), as in the report. Arc lengths
run from the foremost point of the vane. Transition on the suction side begins where h is least, and ends where h first reaches
95 % of its mean behind that place; laminar points lie ahead of the measured beginning, turbulent ones behind both ends.
"""
import csv
import glob
import os
import re
import sys

import h5py
import numpy

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "tools", "python", "annulus"))
from errors import InputError, program, reading  # noqa: E402

ARC = {"c3x": {"suction": 0.17782, "pressure": 0.13723}, "markii": {"suction": 0.15935, "pressure": 0.12949}}  # m, of the report


def given(text, key):
    found = re.search(rf"\b{key}: *([-+0-9.eE]+)", text)
    if not found:
        raise InputError(f"effective.yaml has no number '{key}'")
    return float(found.group(1))


def sides(folder):
    """{side: (arc length, heat flux, temperature, pressure)} of the faces, p0, T0 and the name of the case."""
    case = os.path.join(folder, "effective.yaml")
    with reading(case), open(case, encoding="utf-8") as f:
        text = f.read()
    walls = sorted(glob.glob(os.path.join(folder, "wall_*.cgns")))
    if not walls:
        raise InputError(f"{folder}: no wall_NNNNNNNN.cgns")
    with reading(walls[-1]), h5py.File(walls[-1], "r") as f:
        zones = [z for z in f["Base"].values() if isinstance(z, h5py.Group) and "GridCoordinates" in z]
        if len(zones) != 1:
            raise InputError(f"{walls[-1]}: {len(zones)} patches, expected the one of mesh_cascade")
        x = numpy.array([zones[0][f"GridCoordinates/Coordinate{c}/ data"][()] for c in "XY"])
        found = [zones[0][f"FlowSolution/{n}/ data"][()].ravel() for n in ("WallHeatFlux", "TemperatureWall", "Pressure")]
    node = (x[:, 0, :] if x.shape[1] == 2 else x[:, :, 0]).T[:-1]
    front, rear, count, out = node[:, 0].argmin(), node[:, 0].argmax(), len(node), []
    for step in (1, -1):
        order = [front]
        while order[-1] != rear:
            order.append((order[-1] + step) % count)
        arc = numpy.concatenate([[0], numpy.cumsum(numpy.hypot(*numpy.diff(node[order], axis=0).T))])
        face = order[:-1] if step == 1 else order[1:]
        out.append((arc[-1], (0.5 * (arc[1:] + arc[:-1]), *(v[face] for v in found))))
    out.sort(key=lambda side: -side[0])
    name = re.search(r'^case: *"?(.*?)"?$', text, re.M).group(1)
    return {"suction": out[0][1], "pressure": out[1][1]}, given(text, "p0"), given(text, "T0"), name


def measured(name, what, column):
    """{side: [n, 2] arc length in m and value}, by rising arc length."""
    path = os.path.join(HERE, f"{name}_{what}.csv")
    found = {"suction": [], "pressure": []}
    with reading(path), open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            if row[column].strip():
                found[row["surface"]].append((float(row["s_over_arc"]) * ARC[name.split("_")[0]][row["surface"]], float(row[column])))
    return {side: numpy.array(sorted(lines)) for side, lines in found.items()}


def ends(s, h, first, last):
    """Arc lengths where h is least between two places, and where it first reaches 95 % of its mean behind."""
    inside = (s > first) & (s < last)
    begin = numpy.flatnonzero(inside)[h[inside].argmin()]
    behind = h[begin:]
    level = 0.95 * behind[s[begin:] < 3 * last].mean()
    return s[begin], s[begin + (behind >= level).argmax()]


def say(what, error):
    if len(error):
        print(f"  {what}: bias {100 * error.mean():+.1f} %, rms {100 * (error ** 2).mean() ** 0.5:.1f} %, {len(error)} points")


def main(folder, name=None):
    found, p0, t0, case = sides(folder)
    if name is None:
        name = ("c3x" if "C3X" in case else "markii") + "_run" + case.split()[-1]
    known_h, known_p = measured(name, "wall", "h_W_m2_K"), measured(name, "pressure", "p_over_p01")
    for side, (s, q, t, p) in found.items():
        length = ARC[name.split("_")[0]][side]
        h, known = q / (t0 - t), known_h[side]
        error = numpy.interp(known[:, 0], s, h) / known[:, 1] - 1
        print(f"{side} side:")
        say("h, all", error)
        if side == "suction":
            range_ = 0.08 * length, 0.4 * length
            here, there = ends(s, h, *range_), ends(known[:, 0], known[:, 1], *range_)
            say("h, laminar part", error[known[:, 0] <= there[0]])
            say("h, turbulent part", error[known[:, 0] >= max(here[1], there[1])])
            for what, a, b in (("begins", here[0], there[0]), ("ends", here[1], there[1])):
                print(f"  transition {what} at s/arc {a / length:.3f}, measured {b / length:.3f}")
        known = known_p[side]
        difference = numpy.interp(known[:, 0], s, p) / p0 - known[:, 1]
        print(f"  p/p01: bias {difference.mean():+.4f}, rms {(difference ** 2).mean() ** 0.5:.4f}, {len(difference)} points")


if not 2 <= len(sys.argv) <= 3:
    sys.exit(print(__doc__, file=sys.stderr) or 2)
with program("compare.py"):
    main(*sys.argv[1:])
