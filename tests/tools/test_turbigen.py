"""The parts of tools/turbigen_annulus that need no turbigen: the mesh file, walls that patches leave, values of cells to nodes.

A sector of an annulus, r = 0.2 to 0.3 m, 20 passages, one zone of H form with a blade of no thickness between its periodic ends.
"""
import os
import shutil
import subprocess
import sys

try:
    import h5py  # noqa: F401
    import numpy as np
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.environ["AN_SOURCE"], "tools", "turbigen_annulus"))
from turbigen_annulus import mesh, process, transfer  # noqa: E402
from checks import check, finish  # noqa: E402

folder, program = sys.argv[1], os.path.abspath(sys.argv[2])
os.makedirs(folder, exist_ok=True)
PITCH = 2 * np.pi / 20


def sector(ni=13, nj=9, nk=9):
    i, j, k = np.meshgrid(np.linspace(0, 1, ni), np.linspace(0, 1, nj) ** 2, np.linspace(0, 1, nk), indexing="ij")
    r, t = 0.2 + 0.1 * j, PITCH * k
    return np.stack([0.2 * i, r * np.cos(t), r * np.sin(t)], -1)


def window(lo, hi):
    return np.array([lo, hi])


def zone():
    xyz = sector()
    ni, nj, nk = (n - 1 for n in xyz.shape[:3])
    patches = [("inlet", "BCInflowSubsonic", window((0, 0, 0), (0, nj, nk))),
               ("outlet", "BCOutflowSubsonic", window((ni, 0, 0), (ni, nj, nk)))]
    joins = []
    for low, high in ((0, 4), (8, ni)):
        first, last = window((low, 0, 0), (high, nj, 0)), window((low, 0, nk), (high, nj, nk))
        joins += [(first, "block1", last, [1, 2, 3], PITCH), (last, "block1", first, [1, 2, 3], -PITCH)]
    covered = [p[2] for p in patches] + [j[0] for j in joins]
    names = {(1, 0): "row1_hub", (1, 1): "row1_casing"}
    walls = list(mesh.walls(xyz.shape[:3], covered))
    check(len(walls) == 4, f"walls: hub, casing and both sides of the blade, not {walls}")
    patches += [(names.get((d, side), "row1_blade"), "BCWallViscous", w) for d, side, w in walls]
    return dict(name="block1", row="row1", xyz=xyz, patches=patches, joins=joins)


# rectangles cover what is free, once
free = np.ones((7, 5), bool)
free[2:4, 1:3] = False
seen = np.zeros(free.shape, int)
for (a, b), (c, d) in mesh.rectangles(free):
    seen[a:b, c:d] += 1
check(np.array_equal(seen, free.astype(int)), "rectangles do not cover the free cells once")

# the program reads the file
path = os.path.join(folder, "mesh.cgns")
mesh.write(path, [zone()])
said = subprocess.run([program, "info", path], capture_output=True, text=True)
for text in ("row1_blade", "row1_hub", "row1_casing", "inlet", "outlet", "-18 degrees about x (1/20 of the circle)"):
    check(text in said.stdout, f"annulus info does not say '{text}': {said.stdout} {said.stderr}")
check(said.returncode == 0, f"annulus info: {said.returncode} {said.stdout} {said.stderr}")

# a case that is run, restarted on a mesh that has moved, and refused
sections = {
    "case": "test", "mesh": "mesh.cgns", "device": "cpu", "gas": {"gamma": 1.4, "R": 287.05}, "march": {"iterations": 60},
    "rows": {"row1": {"zones": ["row1"], "omega": 0.0, "blades": 20}},
    "initial": {"p": 1.0e5, "T": 300, "mach": 0.3, "direction": [1, 0, 0]},
    "boundaries": {"inlet": {"type": "inlet_total", "p0": 1.05e5, "T0": 300, "direction": [1, 0, 0]},
                   "outlet": {"type": "outlet_static", "p": 1.0e5}, "row1_*": {"type": "wall_slip"}},
    "output": {"folder": process.OUT, "every": 0, "fields": ["Pressure", "Temperature"]},
}
process.write_case(folder, sections, "span, p0_Pa\n0, 1.05e5\n1, 1.06e5\n")
check(not process.run(folder, [program]), "the case diverged")
flow = process.snapshot(process.newest(folder), ["block1"])[0]
check(flow["Density"].shape == (12, 8, 8), f"fields are not [ni, nj, nk] of the cells: {flow['Density'].shape}")
check(np.all(flow["MomentumX"] > 0) and process.record(folder)["iteration"] == 60, "no flow")
later = os.path.join(folder, process.OUT, "flow_00009999.cgns")  # of an earlier run
open(later, "w").close()
check(process.newest(folder).endswith("flow_00000060.cgns"), f"the snapshot of the run is {process.newest(folder)}")
os.remove(later)
moved = os.path.join(folder, "moved")
shutil.rmtree(os.path.join(folder, "kept"), True)
os.makedirs(moved, exist_ok=True)
other = zone()
other["xyz"] = other["xyz"] * np.array([1.01, 1, 1])
mesh.write(os.path.join(moved, "mesh.cgns"), [other])
process.write_case(moved, {**sections, "boundaries": {**sections["boundaries"]}}, "span, p0_Pa\n0, 1.05e5\n1, 1.06e5\n")
check(not process.run(moved, [program], process.newest(folder), 70), "the restarted case diverged")
check(process.record(moved)["iteration"] == 70, f"the restart did not go on: {process.record(moved).get('iteration')}")
for command, text in (([program], "gamma"), ([os.path.join(folder, "none")], "cannot be started")):
    sections["gas"]["gamma"] = 0.5
    process.write_case(folder, sections)
    try:
        process.run(folder, command)
        check(False, f"nothing was refused with '{text}'")
    except RuntimeError as error:
        check(text in str(error), f"'{text}' is not in: {error}")

# batches: what was computed is found once, with the same key only
with open(os.path.join(folder, process.MARK), "w") as out:
    out.write("key")
check(process.computed(folder, "key") and not process.computed(folder, "key"), "a computed case is not found, or found twice")
kept = os.path.join(folder, "kept")
shutil.copytree(moved, os.path.join(kept, "run_1"))
shutil.rmtree(os.path.join(kept, "run_1", process.OUT))
check(process.batch([(os.path.join(kept, "run_1"), "key")], ["true"]) == 0, "a batch that computed nothing has computed a case")
shutil.copytree(os.path.join(moved, process.OUT), os.path.join(kept, "batch", "run_1"))
check(process.batch([(os.path.join(kept, "run_1"), "key")], ["true"]) == 1, "a case of a batch is not found")
check(process.computed(os.path.join(kept, "run_1"), "key"), "a case of a batch is not marked")
with open(os.path.join(folder, process.CASE)) as text:
    check(yaml.safe_load(text)["gas"]["R"] == 287.05, "the case file changes a number")
check(process.rounded({"a": [float(np.float32(1.33))]}) == {"a": [1.33]}, "single precision shows in the case file")

# nodes: a linear field is exact; the mean of the four nodes of a face is that of the cells on its both sides, also where k is periodic
xyz = sector()
i, j, k = np.meshgrid(*(np.arange(n) for n in xyz.shape[:3]), indexing="ij")
width = transfer.widths(xyz)
linear = 3.0 + 2 * xyz[..., 0]
found = transfer.to_nodes([transfer.cells_of(linear)], [width])[0]
check(np.abs(found - linear).max() < 1e-12, f"a field that is linear in x is off by {np.abs(found - linear).max():g}")


def together(nodes):
    nodes[0][:, :, 0] = nodes[0][:, :, -1] = 0.5 * (nodes[0][:, :, 0] + nodes[0][:, :, -1])
    return nodes


cells = transfer.cells_of(1.0 + (0.01 + (xyz[..., 1] ** 2 + xyz[..., 2] ** 2) ** 0.5 - 0.2) ** (1 / 7) + 0.2 * np.sin(2 * np.pi * k / 8))
nodes = transfer.to_nodes([cells], [width], together)[0]
check(np.array_equal(nodes[:, :, 0], nodes[:, :, -1]), "nodes on both sides of the periodic faces differ")
faces = 0.25 * (nodes[:, 1:, 1:] + nodes[:, :-1, 1:] + nodes[:, 1:, :-1] + nodes[:, :-1, :-1])[1:-1]
wanted = 0.5 * (cells[1:] + cells[:-1])
check(abs(faces.mean() / wanted.mean() - 1) < 2e-4, f"planes have another mean: {faces.mean() / wanted.mean() - 1:g}")
check(np.abs(faces - wanted).max() < 0.01, f"faces are off by {np.abs(faces - wanted).max():g}")
finish()
