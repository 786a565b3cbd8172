"""A cooled vane in space: gas and metal from mesh_row, one run until both have settled.

The C3X vane stands in an annulus, twisted, tapered and leaned, with its ten holes, which follow the sections (cases/vanes). Expected:

    annulus init finds the metal and its surfaces; the run settles
    heats of all surfaces add up to less than 1 % of the heat from the gas; the heat that the gas loses between inlet and
    outlet, m dh0, is that heat to 1 %
    metal between the temperatures of coolant and gas; the surfaces of both lie within 1 % of the chord
"""
import math
import re

from regress import *

top = folder("cooled_row")
VANES, PITCH, HEIGHT = 55, 0.11773, 0.0762
MIDDLE = VANES * PITCH / (2 * math.pi)


def table(name, columns):
    with open(os.path.join(SOURCE, "cases", "vanes", name)) as f:
        rows = [line.split(",") for line in f if line[0].isdigit()]
    return [[0.01 * float(v) for v in row[1:1 + columns]] for row in rows]


vane, holes = table("vane_c3x.csv", 2), table("holes_c3x.csv", 3)
front, back = min(x for x, _ in vane), max(x for x, _ in vane)
STATIONS = [k / 4 for k in range(5)]


def placed(x, y, s):
    """A point of the plane section at a share s of the height: x, r, theta; twisted by 6 degrees, tapered by 8 %, leaned by 5 degrees"""
    size, turn, r = 1 - 0.08 * (s - 0.5), math.radians(6) * (s - 0.5), MIDDLE + HEIGHT * (s - 0.5)
    dx, dy = size * (x - 0.5 * (front + back)), size * (y - 0.06)
    return (0.5 * (front + back) + dx * math.cos(turn) - dy * math.sin(turn), r,
            (0.06 + dx * math.sin(turn) + dy * math.cos(turn)) / MIDDLE + math.radians(5) * HEIGHT * (s - 0.5) / MIDDLE)


with open(os.path.join(top, "blade.dat"), "w") as f:
    for s in STATIONS:
        f.write("section\n" + "".join("%.10g %.10g %.10g\n" % placed(x, y, s) for x, y in vane))
for name, s in (("hub", 0), ("casing", 1)):
    with open(os.path.join(top, name + ".dat"), "w") as f:
        f.writelines(f"{front + 0.01 * k:.6g} {MIDDLE + HEIGHT * (s - 0.5):.9g}\n" for k in range(-12, 24))
with open(os.path.join(top, "row.yaml"), "w") as f:
    f.write(f"blades: {VANES}\nsections: blade.dat\ncolumns: [x, r, theta]\nhub: hub.dat\ncasing: casing.dat\n"
            f"inlet: {front - 0.08:.6g}\noutlet: {back + 0.09:.6g}\ncells: 1.2e4\nlevels: 3\nwalls: functions\nround_edges: yes\n"
            "first_cell: 3.0e-4\nholes:\n")
    for x, y, diameter in holes:
        points = ", ".join("[%.9g, %.9g, %.9g]" % (a, r, math.degrees(t)) for a, r, t in (placed(x, y, s) for s in STATIONS))
        f.write(f"  - {{points: [{points}], diameter: {0.96 * diameter:.6g}}}\n")
if not tool(top, os.path.join(BIN, "mesh_row"), "row.yaml", "-o", "vane.cgns"):
    finish()

# ---- a first case file
r = annulus("init", os.path.join(top, "vane.cgns"), "-o", os.path.join(top, "first.yaml"))
with open(os.path.join(top, "first.yaml")) as f:
    first = f.read()
check(r.code == DONE and '"blade_metal": {gas: "blade"}' in first and all(f'"hole_{k}": {{h:' in first for k in range(1, 11))
      and '# "solid_hub"' in first and '# "solid_shroud"' in first, f"annulus init: {r} {first}")

# ---- the run
CASE = """case: a cooled vane
mesh: vane.cgns
precision: double
device: cpu
gas: {gamma: 1.365, R: 287.0, prandtl: 0.70, viscosity: sutherland}
turbulence: {model: sa}
rows:
  vane: {zones: ["*"], rpm: 0, blades: 55}
march: {iterations: 600}
stop: {mass_flow: 2.0e-4, pressure_ratio: 2.0e-4}
initial: {p: 391686, T: 792, mach: 0.16, direction: [1, 0, 0]}
boundaries:
  inlet: {type: inlet_total, p0: 403800, T0: 792, direction: [1, 0, 0]}
  outlet: {type: outlet_static, p: 238800, radial_equilibrium: mid}
  blade: {type: wall_viscous}
  hub: {type: symmetry}
  shroud: {type: symmetry}
solids:
  vane: {metal: astm_310}
solid_walls:
  blade_metal: {gas: blade}
  "hole_*": {h: 1100, T: 400}
output: {folder: out, keep: 0}
"""
with open(os.path.join(top, "case.yaml"), "w") as f:
    f.write(CASE)
r = run(os.path.join(top, "case.yaml"), timeout=200)
result = run_json(os.path.join(top, "out"))
solids = {q.get("surface"): q for q in result["solids"]}
gas, total = solids["blade_metal"]["heat_W"], solids[None]["heat_W"]
coolants = [solids[f"hole_{k}"] for k in range(1, 11)]
lost = -result["rows"][0]["power_W"] / VANES
print(f"{result['cells']} cells, {result['iteration']} iterations, {result['seconds']:.1f} s: {gas:.2f} W into the metal, all surfaces "
      f"{total:.3f} W, the gas loses {lost:.2f} W; {solids[None]['T_min_K']:.1f} to {solids[None]['T_max_K']:.1f} K")
check("converged" in r.out, f"settled: {r}")
check(gas > 1000 and abs(total) < 0.01 * gas and all(q["heat_W"] < 0 for q in coolants), f"heats: {solids}")
check(abs(gas + sum(q["heat_W"] for q in coolants)) < 0.01 * gas, f"heats of gas and coolants: {solids}")
check(abs(lost / gas - 1) < 0.01, f"the gas loses {lost} W, the metal takes {gas} W")
check(400 < solids[None]["T_min_K"] < solids[None]["T_max_K"] < 792, f"temperatures: {solids[None]}")
apart = re.search(r"wall blade of the gas: \d+ faces, at most (\S+) m from the solid", r.out)
check(apart and float(apart.group(1)) < 1.5e-3, f"surfaces of gas and metal: {r.out}")
finish()
