"""The frequency at which one row passes the other appears at a probe behind their sliding plane, and in the modes of the walls.

Two ducts of 10 degrees (tools/programs/mesh_duct); a pattern of the total temperature, 36 around, stands at the inlet of the first;
the second turns at 300 rad/s. Its probe sees 36 x 300 / (2 pi) Hz: the amplitude there is that of the pattern within what
the coarse mesh takes away, and a hundred times that of the tones half a harmonic beside it. The probe of the
first row sees nothing of it. The run finds this frequency from the numbers of blades.
"""
import os
import subprocess
import sys

import h5py

from regress import *

sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
import annulus as python  # noqa: E402

STEPS, BEFORE, PERIODS = 16, 32, 2
F = 36 * 300 / (2 * numpy.pi)
CASE = """case: hot streaks that pass
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05, viscosity: constant, mu: 1e-4}}
scheme: {{flux: roe}}
march: {{mode: unsteady, method: dual, steps_per_passing: %d, iterations: %d}}
initial: {{p: 1.0e5, T: 300, velocity: [170, 0, 0]}}
rows:
  a: {{zones: ["a_*"], omega: 0, blades: 36}}
  b: {{zones: ["b_*"], omega: 300, blades: 36}}
boundaries:
  a_inlet: {{type: inlet_total, p0: 1.18e5, T0: 315, direction: [1, 0, 0], profile: streaks.csv}}
  b_outlet: {{type: outlet_static, p: 1.0e5}}
  a_outlet: {{type: sliding_plane, with: b_inlet}}
  b_inlet: {{type: sliding_plane, with: a_outlet}}
  "*_hub": {{type: wall_viscous, omega: 0}}
  "*_casing": {{type: wall_slip}}
probes:
  ahead: {{point: [%g, %g, %g]}}
  behind: {{point: [%g, %g, %g]}}
output: {{folder: out, every: 0, history_every: 1, modes: 1, modes_from: %d}}
"""


def tool(name, *options):
    made = subprocess.run([os.path.join(BIN, name), *options], cwd=top, capture_output=True, text=True, timeout=120)
    if not check(made.returncode == 0, f"{name}: {made}"):
        finish()


top = folder("passing")
for row in range(2):
    tool("mesh_duct", "-o", f"{row}.cgns", "-n", "6,4,12", "-l", "0.03", "-s", "36")
    with h5py.File(os.path.join(top, f"{row}.cgns"), "r+") as f:
        grid = f["Base/duct/GridCoordinates"]
        nodes = [grid[f"Coordinate{c}"][" data"] for c in "XYZ"]
        nodes[0][...] = nodes[0][...] - nodes[0][...].min() + 0.03 * row
        ends = [c[...] for c in nodes]
middle = [c.mean() for c in ends[1:]]
mesh = os.path.join(top, "two.cgns")
tool("mesh_join", "-o", mesh, "a=0.cgns", "b=1.cgns")
with open(os.path.join(top, "streaks.csv"), "w") as f:
    f.write("span,theta_deg,T0_K\n")
    for n in range(9):
        for span in (0, 1):
            f.write(f"{span},{n / 8 * 10:.9g},{315 + 6 * numpy.cos(2 * numpy.pi * n / 8):.9g}\n")
case = write_case(top, mesh=mesh, text=CASE % (
    STEPS, BEFORE + PERIODS * STEPS, 0.0275, *middle, 0.0325, *middle, BEFORE))
r = run(case)
check(f"b: 1 at {F:.6g} Hz" in r.out, f"the frequency that the run finds: {r}")
signals = python.signals(os.path.join(top, "out")).after((BEFORE + 0.5) / (STEPS * F))
behind, ahead = (python.modes(signals.time, signals[f"{name}.Temperature"], [F, 1.5 * F]).amplitude for name in ("behind", "ahead"))
check(3 < behind[0] < 6.1 and behind[1] < 0.05 * behind[0], f"behind the plane: {behind} K")
check(ahead[0] < 0.05 * behind[0], f"ahead of the plane: {ahead} K, behind it: {behind} K")
with h5py.File(os.path.join(top, "out", f"wall_{BEFORE + PERIODS * STEPS:08d}.cgns")) as f:
    found = []
    f.visititems(lambda name, node: found.append((name, node[" data"][()])) if name.endswith("Frequency1") else None)
check(found and all(numpy.allclose(v, F, rtol=1e-6) for _, v in found), f"the frequency of the walls: {found}")
finish()
