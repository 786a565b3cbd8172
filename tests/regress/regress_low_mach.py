"""An airfoil at Mach number 0.01 with default settings: as many cycles as at 0.15, and the same coefficients but for
compressibility (Prandtl and Glauert). Without preconditioning the march at 0.01 has not settled by then. The same without
viscosity in an implicit march, which diverges if its lines run along the wall."""
import math
import os
import subprocess
import sys

from regress import *

sys.path.insert(0, os.path.join(SOURCE, "tools", "robustness"))
import airfoil  # noqa: E402
import casefile  # noqa: E402

AROUND, WAKE, OFF, RE = 64, 16, 24, 3e6
top = folder("low_mach")
grid, mesh = os.path.join(top, "grid.p2d"), os.path.join(top, "mesh.cgns")
speed = 0.15 * math.sqrt(casefile.GAMMA * casefile.R * airfoil.T)
density = RE * casefile.viscosity(airfoil.T) / speed
airfoil.write_plot3d(grid, airfoil.c_mesh("0012", AROUND, WAKE, OFF, casefile.first_cell(speed, 1, density, airfoil.T, 2)))
made = subprocess.run([os.path.join(BIN, "mesh_plot3d"), grid, *airfoil.boundaries(AROUND, WAKE), "-o", mesh],
                      capture_output=True, text=True)
check(made.returncode == 0, f"mesh_plot3d: {made}")
case = os.path.join(top, "case.yaml")
with open(case, "w", encoding="ascii") as f:
    f.write(f"""case: airfoil
mesh: mesh.cgns
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.0, viscosity: sutherland}}
turbulence: {{model: sa}}
march: {{iterations: 150, residual_drop: 1e-5}}
reference: {{length: 1, mach: 0.15, reynolds: {RE}, alpha: 2}}
boundaries:
  far: {{type: farfield}}
  out: {{type: farfield}}
  wall: {{type: wall_viscous}}
  front: {{type: symmetry}}
  back: {{type: symmetry}}
output: {{folder: out, every: 0, history_every: 10}}
""")


def march(mach):
    out = os.path.join(top, f"out_{mach}")
    r = run(case, options=[f"reference.mach={mach}", f"output.folder={out}"], timeout=300)
    last = run_json(out)
    coefficients = last["coefficients"]
    return r, last["iteration"], coefficients["lift"]["all"], coefficients["drag"]["all"]


fast, cycles, lift, drag = march(0.15)
slow, cycles_slow, lift_slow, drag_slow = march(0.01)
for r in (fast, slow):
    check("preconditioned" in r.out and "has not settled" not in r.out, f"preconditioned and settled: {r}")
print(f"Mach number 0.15: {cycles} cycles, lift {lift}, drag {drag}; 0.01: {cycles_slow}, {lift_slow}, {drag_slow}")
check(cycles_slow <= 1.3 * cycles, f"cycles: {cycles} at Mach number 0.15, {cycles_slow} at 0.01")
glauert = math.sqrt(1 - 0.15**2)
check(abs(lift_slow / (lift * glauert) - 1) < 5e-3, f"lift: {lift} at Mach number 0.15, {lift_slow} at 0.01")
check(abs(drag_slow / drag - 1) < 1e-2, f"drag: {drag} at Mach number 0.15, {drag_slow} at 0.01")

grid_slip, case_slip = os.path.join(top, "slip.p2d"), os.path.join(top, "slip.yaml")
airfoil.write_plot3d(grid_slip, airfoil.c_mesh("0012", AROUND, WAKE, 16, 4e-3))
made = subprocess.run([os.path.join(BIN, "mesh_plot3d"), grid_slip,
                       *(b.replace("viscous", "slip") for b in airfoil.boundaries(AROUND, WAKE)), "-o",
                       os.path.join(top, "slip.cgns")], capture_output=True, text=True)
check(made.returncode == 0, f"mesh_plot3d: {made}")
with open(case) as f:
    text = f.read()
with open(case_slip, "w", encoding="ascii") as f:
    f.write(text.replace("mesh.cgns", "slip.cgns").replace("viscosity: sutherland", "viscosity: none").replace(
        "turbulence: {model: sa}\n", "").replace("iterations: 150", "method: implicit, iterations: 200").replace(
        f"reynolds: {RE}", "pressure: 1e5, temperature: 288").replace("wall_viscous", "wall_slip"))
slip = {}
for mach in (0.15, 0.01):
    out = os.path.join(top, f"slip_{mach}")
    r = run(case_slip, options=[f"reference.mach={mach}", f"output.folder={out}"], timeout=300)
    slip[mach] = run_json(out)
    check("preconditioned" in r.out and slip[mach]["state"] == "settled", f"without viscosity at Mach number {mach}: {r}")
lift, lift_slow = (slip[mach]["coefficients"]["lift"]["all"] for mach in (0.15, 0.01))
print(f"without viscosity: {slip[0.15]['iteration']} cycles, lift {lift}; {slip[0.01]['iteration']}, {lift_slow}")
check(slip[0.01]["iteration"] <= 1.3 * slip[0.15]["iteration"], f"cycles without viscosity: {slip}")
check(abs(lift_slow / (lift * glauert) - 1) < 5e-3, f"lift without viscosity: {lift}, {lift_slow}")
finish()
