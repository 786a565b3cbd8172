"""Several mixing planes of many layers in one mesh (tools/programs/mesh_duct, mesh_join): more values steer the run than one
page of a record holds; snapshots keep them all and restarts go on bit for bit.
"""
import os
import subprocess

import h5py

from regress import *

ROWS, LAYERS = 5, 80
CASE = """case: rows in a duct
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05}}
scheme: {{flux: roe}}
march: {{method: runge_kutta, cfl: 1, iterations: 4}}
multigrid: {{levels: 1}}
initial: {{p: 1.0e5, T: 300, mach: 0.2}}
boundaries:
  r0_inlet: {{type: inlet_total, p0: 1.05e5, T0: 300, direction: [1, 0, 0]}}
  r4_outlet: {{type: outlet_static, p: 1.0e5}}
  "*_hub": {{type: wall_slip}}
  "*_casing": {{type: wall_slip}}
output: {{folder: out, every: 0, history_every: 1}}
"""

top = folder("planes")


def tool(name, *options):
    made = subprocess.run([os.path.join(BIN, name), *options], cwd=top, capture_output=True, text=True, timeout=120)
    if not check(made.returncode == 0, f"{name}: {made}"):
        finish()


planes = []
for row in range(ROWS):
    tool("mesh_duct", "-o", f"{row}.cgns", "-n", f"4,{LAYERS},2", "-l", "0.1", "-s", "36")
    with h5py.File(os.path.join(top, f"{row}.cgns"), "r+") as f:
        x = f["Base/duct/GridCoordinates/CoordinateX/ data"]
        x[...] = x[...] + 0.1 * row
    planes += ["-p", f"r{row - 1}_outlet=r{row}_inlet"] if row else []
mesh = os.path.join(top, "rows.cgns")
tool("mesh_join", "-o", mesh, *[f"r{row}={row}.cgns" for row in range(ROWS)], *planes)
case = write_case(top, mesh=mesh, text=CASE)
whole, halves = os.path.join(top, "whole"), os.path.join(top, "halves")
run(case, options=[f"output.folder={whole}"])
run(case, options=[f"output.folder={halves}", "march.iterations=2"], np=2)
with h5py.File(snapshot(halves, 2)) as f:
    record = bytes(f["Base/Annulus/ data"][...].astype("u1")).decode()
count = sum(line.startswith("control = ") and " mixing." in line for line in record.splitlines())
check(count == (ROWS - 1) * LAYERS * 15, f"{count} values of mixing planes")
run(case, "--restart", "latest", options=[f"output.folder={halves}"])
same_fields(snapshot(whole, 4), snapshot(halves, 4), "restart")
check(history(whole) == history(halves), "history.csv")
finish()
