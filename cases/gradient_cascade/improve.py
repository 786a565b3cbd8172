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

import h5py
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
    u = np.abs(x / AXIAL - CENTRES.reshape(-1, *[1] * x.ndim)) / SPACING
    return UNIT * np.where(u < 1, 2 / 3 - u**2 + u**3 / 2, np.clip(2 - u, 0, None) ** 3 / 6)


def coordinates(file):
    """Zone -> (x, y, the group of its coordinates) of an open CGNS file that this program or mesh_cascade has written."""
    base = file["Base"]
    grids = {zone: base[zone]["GridCoordinates"] for zone in base if "GridCoordinates" in base[zone]}
    return {zone: (g["CoordinateX/ data"][...], g["CoordinateY/ data"][...], g) for zone, g in grids.items()}


class Cascade:
    """Flows and gradients of designs, each computed once. A design is the vector of the amplitudes of the shapes."""

    def __init__(self, folder, size=0.4, say=print):
        self.folder, self.say, self.known = os.path.abspath(folder), say, {}
        self.newest = None  # Run of the design that was computed last
        os.makedirs(self.folder, exist_ok=True)
        self.case = shutil.copy(os.path.join(HERE, "case.yaml"), self.folder)
        self.mesh = os.path.join(self.folder, "cascade.cgns")
        np.savetxt(os.path.join(self.folder, "blade.dat"), profile(), fmt="%.9f")
        command = ["mesh_cascade", os.path.join(self.folder, "blade.dat"), "--pitch", str(0.8 * CHORD), "--inlet-angle", "50",
                   "--outlet-angle", "25", "--inlet-length", "0.06", "--outlet-length", "0.08", "--size", str(size), "--levels", "2",
                   "--growth", "1.35", "--y-plus", "1.5", "--reynolds", "3e5", "-o", self.mesh]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def moved_mesh(self, design, path):
        shutil.copy(self.mesh, path)
        with h5py.File(path, "r+") as file:
            for x, y, grid in coordinates(file).values():
                grid["CoordinateY/ data"][...] = y + np.tensordot(design, shapes(x), 1)

    def run(self, design):
        """The Run of a design; it starts from the flow of the design before, cell by cell."""
        key = tuple(np.round(design, 12))
        if key not in self.known:
            name, begun = f"design_{len(self.known)}", time.time()
            mesh = os.path.join(self.folder, name + ".cgns")
            self.moved_mesh(design, mesh)
            changes, more = {"mesh": mesh, "output.folder": os.path.join(self.folder, name)}, ()
            if self.newest:
                changes["march.iterations"] = self.newest.info["iteration"] + 1000
                more = ("--restart", self.newest.newest("flow"), "--other-mesh=cells")
            run = annulus.start(self.case, changes=changes, more=more).wait()
            if run.info["status"] != "converged":
                raise annulus.InputError(f"{run.folder}: the run has not settled: {run.info['message']}")
            self.known[key] = self.newest = run
            loss, angle = self.figures(design)
            self.say(f"{name}: loss {loss:.6f}, angle {angle:.4f} deg, {time.time() - begun:.1f} s", flush=True)
        return self.known[key]

    def figures(self, design):
        """Loss and flow angle in degrees behind the cascade, mixed out."""
        row = self.run(design).figures()["machine"]
        return np.array([row["loss_mixed_out"], row["alpha_out_mixed_out_deg"]])

    def gradients(self, design):
        """Gradients of both figures by the amplitudes, [2, shapes]: the sum of gradient times displacement over all nodes."""
        run = self.run(design)
        if not hasattr(run, "gradients"):
            begun = time.time()
            annulus.gradient(self.case, FIGURES, "boundaries.outlet.p", nodes=True,
                             changes={"mesh": os.path.join(self.folder, os.path.basename(run.folder) + ".cgns"), "output.folder": run.folder})
            run.gradients = np.zeros((2, len(CENTRES)))
            for total, figure in zip(run.gradients, FIGURES):
                with h5py.File(run.path(f"nodes_{figure}.cgns"), "r") as file:
                    for zone, (x, _, _) in coordinates(file).items():
                        along_y = file["Base"][zone]["FlowSolution/GradientY/ data"][...]
                        total += np.tensordot(shapes(x), along_y, x.ndim)
            self.say(f"{os.path.basename(run.folder)}: gradients, {time.time() - begun:.1f} s", flush=True)
        return run.gradients


def check(cascade, by=0.0067):
    """Prints the gradients beside central differences over amplitudes of +-by."""
    start = np.zeros(len(CENTRES))
    found = cascade.gradients(start)
    for n in (0, 2, 4):
        step = by * np.eye(len(start))[n]
        difference = (cascade.figures(start + step) - cascade.figures(start - step)) / (2 * by)
        for f, figure in enumerate(FIGURES):
            print(f"shape {n}, {figure}: gradient {found[f, n]:.6e}, by differences {difference[f]:.6e}, "
                  f"apart by {abs(found[f, n] / difference[f] - 1):.1e}", flush=True)


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
        return check(cascade)
    best = improve(cascade, args.steps)
    print(f"amplitudes {np.array2string(best, precision=3)}")
    report(cascade, best)
    print(f"{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
