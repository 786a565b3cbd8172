"""mesh_duct: straight pieces at the ends, first cells at hub and casing, and what it refuses; an inlet profile
over the whole span of a duct whose first cells are lower than the arc of a cell rises over its chord."""
import os
import subprocess

import h5py
import numpy

from regress import BIN, check, finish, folder

where = folder("duct")


def duct(*options):
    return subprocess.run([os.path.join(BIN, "mesh_duct"), *options], cwd=where, capture_output=True, text=True, timeout=60)


def nodes(name):
    """x and the radius, [along][across], of the first layer."""
    with h5py.File(os.path.join(where, name)) as f:
        x, y, z = (f[f"Base/duct/GridCoordinates/Coordinate{c}/ data"][0].T for c in "XYZ")
    return x, numpy.hypot(y, z)


made = duct("-u", "0.5,0.4", "-c", "0.6,0.8", "-l", "1", "--straight", "0.2,0.3", "--first", "1e-4", "-n", "60,24,2", "-o", "a.cgns")
if check(made.returncode == 0, f"mesh_duct: {made}"):
    x, r = nodes("a.cgns")
    check(abs(x.min() + 0.2) < 1e-12 and abs(x.max() - 1.3) < 1e-12, f"ends at {x.min()} and {x.max()}")
    ahead, behind = x[:, 0] <= 0, x[:, 0] >= 1
    check(ahead.sum() > 5 and behind.sum() > 5, "there are nodes in the straight pieces")
    for part, hub, casing in ((ahead, 0.5, 0.6), (behind, 0.4, 0.8)):
        check(numpy.abs(r[part, 0] - hub).max() < 1e-12 and numpy.abs(r[part, -1] - casing).max() < 1e-12,
              "the radii of a straight piece are constant")
    step = numpy.diff(r[0])
    check(abs(step[0] - 1e-4) < 1e-8 and abs(step[-1] - 1e-4) < 1e-8, f"first cells {step[0]}, {step[-1]}")
    ratio = step[1:12] / step[:11]
    check(ratio.min() > 1.05 and ratio.max() / ratio.min() < 1 + 1e-6, f"ratios of neighbours from {ratio.min()} to {ratio.max()}")
    check(numpy.abs(step - step[::-1]).max() < 1e-12, "hub and casing have the same cells")
for options in (("--first", "0.02"), ("--first", "1e-4", "-n", "8,9,2"), ("--straight", "-1")):
    made = duct("-o", "no.cgns", *options)
    check(made.returncode == 2 and not os.path.exists(os.path.join(where, "no.cgns")), f"mesh_duct {options}: {made}")
made = duct("-o", "even.cgns", "-n", "8,5,2")
if check(made.returncode == 0, f"mesh_duct: {made}"):
    x, r = nodes("even.cgns")
    check(numpy.ptp(numpy.diff(r[0])) < 1e-12 and abs(x.min()) < 1e-15, "without these options the cells are even")

CASE = """case: duct
mesh: arc.cgns
gas: {gamma: 1.4, R: 287.0}
march: {iterations: 2}
initial: {p: 1.0e5, T: 300, mach: 0.3, direction: [1, 0, 0]}
boundaries:
  inlet: {type: inlet_total, p0: 1.06e5, T0: 305, direction: [1, 0, 0], profile: inlet.csv}
  outlet: {type: outlet_static, p: 1.0e5}
output: {folder: out, every: 0}
"""
made = duct("-u", "0.5", "-c", "0.6", "-s", "12", "--first", "1e-4", "-n", "8,24,2", "-o", "arc.cgns")
if check(made.returncode == 0, f"mesh_duct: {made}"):
    for name, text in (("case.yaml", CASE), ("inlet.csv", "span,swirl_deg\n0,10\n1,20\n")):
        with open(os.path.join(where, name), "w") as f:
            f.write(text)
    run = subprocess.run([os.path.join(BIN, "annulus"), "run", "case.yaml", "--device", "cpu"], cwd=where, capture_output=True,
                         text=True, timeout=60)
    check(run.returncode == 0, f"a profile from span 0 to 1 covers faces below the hub's arc: {run.stderr[-300:]}")
finish()
