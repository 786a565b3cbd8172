#!/usr/bin/env python3
"""Lowers the loss of a compressor cascade at the same flow angle behind it, by gradients of the adjoint and SciPy's SLSQP.

Usage: improve.py FOLDER [--check] [--steps N] [--size F]
  FOLDER      gets the profile, the meshes and the output of all runs
  --check     compares the gradients with central differences of runs; nothing is improved
  --steps N   largest number of steps of SLSQP (default 8)
  --size F    factor on the numbers of cells (default 0.4)

All meshes are one mesh whose nodes move along y, by a sum of cubic B-splines of x. Such a shift bends the camber line and keeps the
thickness along y. It hardly changes the areas of cells, because the shift is nearly linear across a cell. A node and its periodic
copy have the same x, so they move alike. `annulus` and `mesh_cascade` are searched in the PATH.
"""
import argparse
import os
import shutil
import subprocess
import sys
import time
from math import atan, cos, pi, radians, sin, sqrt

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "python"))
import annulus  # noqa: E402

CHORD, TURN, STAGGER = 0.1, radians(30), radians(30)    # m; turning of the circular camber line, and angle of its chord from x
THICKNESS, EDGE = 0.05, 0.005                           # largest half thickness and radius of the trailing edge, over the chord
AXIAL = CHORD * cos(STAGGER)
CENTRES = np.linspace(0, 1, 6)                          # of the B-splines, over the axial chord
SPACING = CENTRES[1] - CENTRES[0]
UNIT = 0.03 * CHORD                                     # m; a shift of amplitude 1 at the centre of a spline is 2/3 of it
FIGURES = ("loss_mixed_out", "alpha_out_mixed_out")


def half_thickness(s):
    """Round at the nose as a root, and closed by an ellipse over the last EDGE of the chord."""
    def open_end(q):
        return THICKNESS * sqrt(q) * (1 - q) / 0.3849 + EDGE * q
    return open_end(s) if s <= 1 - EDGE else open_end(1 - EDGE) * sqrt(max(0.0, 1 - ((s - 1 + EDGE) / EDGE) ** 2))


def profile():
    """Points of the first blade, [n, 2], m."""
    radius, points, n = 0.5 / sin(TURN / 2), [], 300
    share = [0.5 * (1 - cos(pi * i / n)) for i in range(n + 1)]
    for side, shares in ((1, share[::-1]), (-1, share[1:-1])):
        for s in shares:
            root = sqrt(radius**2 - (s - 0.5) ** 2)
            slope, t = atan((0.5 - s) / root), side * half_thickness(s)
            x, y = s - t * sin(slope), root - radius * cos(TURN / 2) + t * cos(slope)
            points.append((x * cos(STAGGER) - y * sin(STAGGER), x * sin(STAGGER) + y * cos(STAGGER)))
    return CHORD * np.array(points)


def shapes(x):
    """Displacement along y by an amplitude of 1 of each shape, [shapes, *x.shape], m: cubic B-splines over 4 SPACING."""
    return UNIT * annulus.cubic_spline((x / AXIAL - CENTRES.reshape(-1, *[1] * x.ndim)) / SPACING)


def move(nodes, design):
    """Displacement of nodes, along y."""
    return np.array([np.zeros_like(nodes[0]), np.tensordot(design, shapes(nodes[0]), 1), np.zeros_like(nodes[0])])


def by(nodes):
    """Its derivative by the amplitudes."""
    along_y = shapes(nodes[0])
    return np.stack([np.zeros_like(along_y), along_y, np.zeros_like(along_y)], 1)


class Cascade(annulus.Shapes):
    """Flows and gradients of designs, each computed once. A design is the vector of the amplitudes of the shapes."""

    def __init__(self, folder, size=0.4):
        os.makedirs(folder, exist_ok=True)
        case, mesh = shutil.copy(os.path.join(HERE, "case.yaml"), folder), os.path.join(os.path.abspath(folder), "cascade.cgns")
        super().__init__(case, mesh, len(CENTRES), move, by, FIGURES, folder)
        np.savetxt(os.path.join(folder, "blade.dat"), profile(), fmt="%.9f")
        command = ["mesh_cascade", os.path.join(folder, "blade.dat"), "--pitch", str(0.8 * CHORD), "--inlet-angle", "50",
                   "--outlet-angle", "25", "--inlet-length", "0.06", "--outlet-length", "0.08", "--size", str(size), "--levels", "2",
                   "--growth", "1.35", "--y-plus", "1.5", "--reynolds", "3e5", "-o", mesh]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def improve(cascade, steps):
    """SLSQP from the blade as it is; the best design."""
    from scipy.optimize import minimize
    start = np.zeros(len(CENTRES))
    loss, angle = cascade.figures(start)
    wanted = {"type": "eq", "fun": lambda a: cascade.figures(a)[1] - angle, "jac": lambda a: cascade.gradients(a)[1]}
    found = minimize(lambda a: cascade.figures(a)[0] / loss, start, jac=lambda a: cascade.gradients(a)[0] / loss, method="SLSQP",
                     bounds=[(-1, 1)] * len(start), constraints=wanted, options={"maxiter": steps, "ftol": 2e-3})
    print(found.message)
    return found.x


def report(cascade, best):
    (loss, angle), (new_loss, new_angle) = cascade.figures(np.zeros(len(best))), cascade.figures(best)
    print(f"loss {loss:.6f} -> {new_loss:.6f}, {100 * (new_loss / loss - 1):+.1f} %; angle {angle:.3f} -> {new_angle:.3f} deg; "
          f"{len(cascade.known)} designs on {cascade.newest.info['cells']} cells", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--size", type=float, default=0.4)
    args = parser.parse_args()
    begun = time.time()
    cascade = Cascade(args.folder, args.size)
    if args.check:
        return cascade.check((0, 2, 4), 0.0067)
    best = improve(cascade, args.steps)
    print(f"amplitudes {np.array2string(best, precision=3)}")
    report(cascade, best)
    print(f"{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
