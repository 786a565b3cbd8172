"""A run that starts from a snapshot of another mesh, by position: finer cells, other clustering, blocks that are cut elsewhere
around the axis, and a mesh that reaches beyond; the same bits on any number of ranks, and what is refused.

A sector of 10 degrees of a duct (tools/programs/mesh_duct) with swirl; its flow is the same in all meshes but for their error.
"""
import os
import subprocess

import numpy

from regress import *

DUCT = """case: a duct
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05, viscosity: sutherland}}
turbulence: {{model: sa}}
march: {{method: implicit, cfl: 10, iterations: 60}}
initial: {{p: 1.0e5, T: 300, velocity: [150, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.18e5, T0: 315, direction: [1, 0, 0], profile: inlet.csv}}
  outlet: {{type: outlet_static, p: 1.0e5, mass_flow: 60}}
  hub: {{type: wall_viscous}}
  casing: {{type: wall_slip}}
output: {{folder: out, every: 0, history_every: 1}}
"""
top = folder("onto")


def duct(name, cells, length="0.06", turn=0.0, move=None):
    """A mesh of the duct, turned about the axis by degrees, with its x changed by a function."""
    path = os.path.join(top, name)
    made = subprocess.run([os.path.join(BIN, "mesh_duct"), "-o", path, "-n", cells, "-l", length, "-s", "36"],
                          capture_output=True, text=True, timeout=120)
    if not check(made.returncode == 0, f"mesh_duct: {made}"):
        finish()
    with h5py.File(path, "r+") as f:
        x, y, z = (f[f"Base/duct/GridCoordinates/Coordinate{c}/ data"] for c in "XYZ")
        v = (y[...] + 1j * z[...]) * numpy.exp(1j * numpy.radians(turn))
        y[...], z[...] = v.real, v.imag
        x[...] = (move or (lambda q: q))(x[...] - x[...].min())
    return path


def theta(path):
    """The angle of a row of cells around the axis, and the momentum around the axis there."""
    with h5py.File(path) as f:
        grid = h5py.File(os.path.join(os.path.dirname(path), "grid.cgns"))["Base/duct/GridCoordinates"]
        y, z = (grid[f"Coordinate{c}/ data"][...] for c in "YZ")
        middle = lambda a: (a[1:, 1:, 1:] + a[:-1, :-1, :-1]) / 2
        v = f["Base/duct/FlowSolution/MomentumY/ data"][...] + 1j * f["Base/duct/FlowSolution/MomentumZ/ data"][...]
        turned = v * numpy.conj(middle(y) + 1j * middle(z))
        return turned.imag / numpy.hypot(middle(y), middle(z))


def start(mesh, out, *more, np=1, options=()):
    return annulus("run", case, f"--restart={source}", *more, np=np,
                   options=[f"mesh={mesh}", f"output.folder={os.path.join(top, out)}", "march.iterations=1", *options])


coarse = duct("coarse.cgns", "12,8,8")
case = write_case(top, mesh=coarse, text=DUCT)
with open(os.path.join(top, "inlet.csv"), "w") as f:
    f.write("span,swirl_deg\n0,20\n1,25\n")
run(case, options=[f"output.folder={os.path.join(top, 'coarse')}"])
source = snapshot(os.path.join(top, "coarse"), 60)
before = history(os.path.join(top, "coarse"))[-1]

fine = duct("fine.cgns", "20,12,12")
r = start(fine, "refused")
check(r.code == INPUT and "zone 'duct' has 12 x 8 x 8 cells there and 20 x 12 x 12 in the mesh; with --other-mesh its flow is "
      "interpolated to this mesh by position" in r.err, f"no --other-mesh: {r}")
r = start(fine, "refused", "--other-mesh=cells")
check(r.code == INPUT and "zone 'duct' has 12 x 8 x 8 cells there" in r.err, f"cells: {r}")
r = annulus("run", case, f"--restart={source}", "--other-mesh=nearest")
check(r.code == INPUT and "--other-mesh is cells or position, not 'nearest'" in r.err, f"nearest: {r}")

# finer; other clustering of as many cells; cut elsewhere around the axis
meshes = {"fine": (fine, ["--other-mesh"]),
          "clustered": (duct("clustered.cgns", "12,8,8", move=lambda x: 0.06 * (x / 0.06) ** 1.3), ["--other-mesh=position"]),
          "turned": (duct("turned.cgns", "12,8,8", turn=4.0), ["--other-mesh=position"])}
for name, (mesh, more) in meshes.items():
    r = start(mesh, name, *more)
    check(r.code == DONE and "interpolated by position, " in r.out and "iterations count from 0" in r.out, f"{name}: {r}")
    check("outlet: p goes on from" in r.out, f"{name}: the pressure at the outlet: {r}")
    first = history(os.path.join(top, name))[0]
    for key, most in (("mass_in_kg_s", 5e-3), ("mass_out_kg_s", 5e-3), ("pressure_ratio", 2e-3)):
        off = abs(float(first[key]) / float(before[key]) - 1)
        check(off < most, f"{name}: {key} {first[key]} after the start, {before[key]} before: {off}")
    around = theta(snapshot(os.path.join(top, name), 1)).mean() / theta(source).mean()
    check(abs(around - 1) < 0.01, f"{name}: swirl {around}")
check("all cells lie in the mesh of the snapshot" in r.out or "lie outside of the mesh" in r.out, f"reach: {r}")

# the same bits on two ranks
r = start(fine, "ranks", "--other-mesh", np=2)
same_fields(snapshot(os.path.join(top, "fine"), 1), snapshot(os.path.join(top, "ranks"), 1), "two ranks")

# the same mesh, by position: the same flow to rounding
r = start(coarse, "same", "--other-mesh=position", options=["march.iterations=1"])
check("all cells lie in the mesh of the snapshot" in r.out, f"the same mesh: {r}")

# a mesh that reaches beyond, and one elsewhere
r = start(duct("long.cgns", "20,12,12", length="0.09"), "long", "--other-mesh")
check(r.code == DONE and "cells (35 %) lie outside" in r.out and "0.0278 m away at most, at x = 0.08775 m" in r.out
      and "is it the same row, at the same place" in " ".join(r.out.split()), f"beyond: {r}")
r = start(duct("away.cgns", "20,12,12", move=lambda x: x + 1), "away", "--other-mesh")
check(r.code == INPUT and "no cell of this mesh lies in the mesh of the snapshot" in r.err, f"elsewhere: {r}")
with open(os.path.join(top, "damaged.cgns"), "wb") as f:
    f.write(open(source, "rb").read()[:5000])
source = os.path.join(top, "damaged.cgns")
r = start(fine, "damaged", "--other-mesh")
check(r.code == INPUT and "damaged.cgns" in r.err and "interpolated" not in r.err, f"damaged: {r}")
finish()
