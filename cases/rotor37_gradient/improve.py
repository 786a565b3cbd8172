#!/usr/bin/env python3
"""Raises the efficiency of NASA Rotor 37 at the same mass flow and at no lower pressure ratio, by gradients of the adjoint and SciPy's
SLSQP.

Usage: improve.py FOLDER [--check] [--steps N] [--cells N] [--device NAME] [--minutes M]
  FOLDER        gets the mesh and the output of all runs
  --check       compares gradients with central differences of runs; nothing is improved
  --steps N     largest number of steps of SLSQP (default 8)
  --cells N     cells of the mesh (default 1e4), with wall functions
  --device NAME auto (default), cpu or cuda
  --minutes M   begins no further run or adjoint after this time, and reports the best design until then

All meshes are one mesh whose nodes turn about the axis, by cubic B-splines along the chord times polynomials along the span. Such a shift
bends the camber line and keeps the thickness along the circumference, the gap, and hub and casing. It depends on x and r only, so a
node and its periodic copy move alike. `annulus` and `mesh_row` are searched in the PATH.
"""
import argparse
import os
import shutil
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROTOR = os.path.join(HERE, "..", "rotor37")
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "python"))
import annulus  # noqa: E402

CENTRES = np.linspace(0, 1, 4)         # of the B-splines, over the chord in x
SPACING = CENTRES[1] - CENTRES[0]
UNIT = 6e-3                            # rad: 1.3 mm at mid-span; a shift of amplitude 1 at the centre of a spline is 2/3 of it
HUB, TIP = 0.178, 0.252                # m, radii between which the polynomials along the span change
FIGURES = ("efficiency", "mass_in", "pressure_ratio")
CHANGES = {"precision": "double", "stop": {}, "march.residual_drop": 1e-5, "march.damping": 0, "turbulence.wall_function": "auto"}


class OutOfTime(Exception):
    pass


class Rotor(annulus.Shapes):
    """Flows and gradients of designs. A design has an amplitude for each spline and each polynomial."""

    def __init__(self, folder, cells=1e4, device="auto", until=np.inf):
        os.makedirs(folder, exist_ok=True)
        folder, self.until = os.path.abspath(folder), until
        case, row, mesh = (os.path.join(folder, name) for name in ("case.yaml", "row.yaml", "rotor37.cgns"))
        shutil.copy(os.path.join(ROTOR, "case.yaml"), case)
        with open(row, "w") as text:
            text.write(f"base: {os.path.join(ROTOR, 'row.yaml')}\ncells: {cells:g}\nwalls: functions\nfirst_cell: 3.0e-5\n"
                       f"levels: {3 if cells > 5e4 else 2}\n")
        subprocess.run(["mesh_row", row, "-o", mesh], check=True, stdout=subprocess.DEVNULL)
        # the edges of the blade as polynomials of the radius
        x, y, z = annulus.mesh_nodes(mesh)["blade_o"][:, :, 0]
        radius = np.hypot(y, z).mean(1)
        self.edges = [np.polyfit(radius, x.min(1), 2), np.polyfit(radius, x.max(1), 2)]
        super().__init__(case, mesh, 3 * len(CENTRES), self.turned, self.by_amplitude, FIGURES, folder, {**CHANGES, "device": device})

    def angles(self, nodes):
        """Turn about the axis by an amplitude of 1 of each shape, [shapes, k, j, i], rad: cubic B-splines of x over 4 SPACING."""
        r = np.hypot(nodes[1], nodes[2])
        lead, trail = (np.polyval(edge, r) for edge in self.edges)
        h = np.clip((r - HUB) / (TIP - HUB), 0, 1)
        chordwise = annulus.cubic_spline(((nodes[0] - lead) / (trail - lead) - CENTRES.reshape(-1, 1, 1, 1)) / SPACING)
        return UNIT * np.concatenate([chordwise * along for along in ((1 - h) ** 2, 2 * h * (1 - h), h**2)])

    def turned(self, nodes, design):
        _, y, z = nodes
        angle = np.tensordot(design, self.angles(nodes), 1)
        c, s = np.cos(angle), np.sin(angle)
        return np.array([np.zeros_like(y), c * y - s * z - y, s * y + c * z - z])

    def by_amplitude(self, nodes):
        angles = self.angles(nodes)
        return np.stack([np.zeros_like(angles), -nodes[2] * angles, nodes[1] * angles], 1)

    def run(self, design):
        if time.time() > self.until and tuple(np.round(design, 12)) not in self.known:
            raise OutOfTime
        return super().run(design)

    def gradients(self, design):
        if time.time() > self.until and not hasattr(self.run(design), "gradients"):
            raise OutOfTime
        return super().gradients(design)


def improve(rotor, steps):
    """SLSQP from the blade as it is."""
    from scipy.optimize import minimize
    start = np.zeros(rotor.count)
    _, mass, ratio = rotor.figures(start)
    constraints = [{"type": "eq", "fun": lambda a: rotor.figures(a)[1] / mass - 1, "jac": lambda a: rotor.gradients(a)[1] / mass},
                   {"type": "ineq", "fun": lambda a: rotor.figures(a)[2] / ratio - 1, "jac": lambda a: rotor.gradients(a)[2] / ratio}]
    try:
        found = minimize(lambda a: 100 * (1 - rotor.figures(a)[0]), start, jac=lambda a: -100 * rotor.gradients(a)[0], method="SLSQP",
                         bounds=[(-1, 1)] * rotor.count, constraints=constraints, options={"maxiter": steps, "ftol": 5e-3})
        print(found.message)
    except OutOfTime:
        print("the time is over")
    except annulus.InputError as error:
        print(f"ended by a design that has no flow: {error}")


def report(rotor):
    """The best design whose mass flow is within 0.1 % and whose pressure ratio is at most 0.1 % lower."""
    first = rotor.figures(np.zeros(rotor.count))
    designs = [(np.array(key), rotor.figures(key)) for key in rotor.known]
    best, values = max((d for d in designs if abs(d[1][1] / first[1] - 1) < 1e-3 and d[1][2] / first[2] > 1 - 1e-3), key=lambda d: d[1][0])
    print(f"amplitudes {np.array2string(best, precision=3, max_line_width=200)}")
    print(f"efficiency {100 * first[0]:.3f} -> {100 * values[0]:.3f} %; mass flow {first[1]:.4f} -> {values[1]:.4f} kg/s; pressure ratio "
          f"{first[2]:.4f} -> {values[2]:.4f}; {len(designs)} designs on {rotor.newest.info['cells']} cells, the best is "
          f"design_{list(rotor.known).index(tuple(best))}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--cells", type=float, default=1e4)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--minutes", type=float, default=np.inf)
    args = parser.parse_args()
    begun = time.time()
    rotor = Rotor(args.folder, args.cells, args.device, begun + 60 * args.minutes)
    if args.check:
        return rotor.check((4, 5, 6), 0.01)
    improve(rotor, args.steps)
    report(rotor)
    print(f"{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
