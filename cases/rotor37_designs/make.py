#!/usr/bin/env python3
"""Rebuilds 200 designs around NASA Rotor 37 as variations of cases/rotor37: make.py FOLDER [CELLS].

Each design of designs_200.csv has 36 parameters: of three sections (hub, mid-span, tip) chord, metal angles, stagger, wedge
angles and four points of a Bezier curve of the thickness; of the stacking line two Bezier curves of three points. What a
design has more than the datum blade (row 0) is done to the blade of cases/rotor37. The law of the camber line, the
fixed points of the thickness and the point that is stacked are not known, so that ranks may be compared, not values.
FOLDER gets the files of the rows and designs.csv with the computed results of the source.
"""
import csv
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = ("MASS_FLOW", "TOT_PRES_RATIO", "C_ISEN_EFF_TOT2TOT", "TORQUE")
# angles and tangential lengths of the source run against theta of cases/rotor37
SIGN = -1


def bezier(points):
    """Values of a Bezier curve of three points at hub, mid-span and tip."""
    a, b, c = points
    return a, 0.25 * a + 0.5 * b + 0.25 * c, c


def variation(design, datum):
    """Columns for annulus.designs."""
    line = {}
    for k, at in enumerate(("0", "0.5", "1")):
        def more(name):
            return float(design[f"SECTION{k + 1}_{name}"]) - float(datum[f"SECTION{k + 1}_{name}"])
        chord = float(design[f"SECTION{k + 1}_CHORD"]) / float(datum[f"SECTION{k + 1}_CHORD"])
        stagger = SIGN * more("STAGGERANGLE")
        line.update({
            f"chord@{at}": chord, f"stagger@{at}": stagger,
            f"inlet_angle@{at}": SIGN * more("INLETANGLE") - stagger,
            f"outlet_angle@{at}": SIGN * more("EXITANGLE") - stagger,
            f"inlet_wedge@{at}": more("LEWEDGEANGLE"), f"outlet_wedge@{at}": more("TEWEDGEANGLE"),
            f"thickness@{at}": 1 / chord})  # lengths, not shares of the chord
        for p in range(4):
            line[f"thickness_point_{p + 1}@{at}"] = more(f"THICKNESS_POINT{p + 3}") / chord
    for name, key, sign in (("RTHETA_STACKING_CURVE", "lean", SIGN), ("Z_STACKING_CURVE", "sweep", 1)):
        moved = bezier([float(design[f"{name}_POINT{p}"]) - float(datum[f"{name}_POINT{p}"]) for p in (1, 2, 3)])
        line.update({f"{key}@{at}": sign * v for at, v in zip(("0", "0.5", "1"), moved)})
    return line


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[0])
    sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "python"))
    import annulus
    with open(os.path.join(HERE, "designs_200.csv"), newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    cells = sys.argv[2] if len(sys.argv) == 3 else "2e5"
    lines = [{"name": f"design{int(d['design']):03d}", "cells": cells, **variation(d, table[0]),
              **{name.lower(): d[name] for name in RESULTS}} for d in table]
    annulus.designs(os.path.join(HERE, "..", "rotor37", "row.yaml"), lines, sys.argv[1])


if __name__ == "__main__":
    main()
