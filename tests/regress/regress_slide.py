"""One and a half stages whose planes the mesh makes mixing planes: an unsteady run with sliding planes starts from the steady flow by
`march.planes: sliding`, bit for bit as with the types of all boundaries written out. A bleed and a leakage over the rotor, from one stator
to the other, go on in it. Turning a stator about the axis (`clocking`) changes nothing between mixing planes, and something between sliding
planes."""
import os
import shutil

from regress import *

top = folder("slide")
shutil.copy(os.path.join(SOURCE, "cases", "stage", "make_blades.py"), top)
tool(top, sys.executable, "make_blades.py")
with open(os.path.join(top, "stator.dat")) as f:
    words = [line.split() for line in f]
with open(os.path.join(top, "second.dat"), "w") as f:  # a stator behind the rotor, in the mirror
    f.writelines(" ".join([str(float(w[0]) + 0.135), w[1], str(-float(w[2]))] if len(w) == 3 else w) + "\n" for w in words)
ROWS = """hub: hub.dat
casing: casing.dat
columns: [x, r, theta]
inlet: -0.06
outlet: 0.24
cells: 1.6e4
walls: functions
first_cell: 4.0e-4
levels: 2
rows:
  - {name: s1, blades: 36, sections: stator.dat}
  - {name: r1, blades: 36, rpm: 2865, sections: rotor.dat, hub_parts: three}
"""
CASE = """case: one and a half stages
mesh: here.cgns
device: cpu
gas: {gamma: 1.4, R: 287.05, viscosity: sutherland}
turbulence: {model: sa}
march: {iterations: 12}
rows:
  s1: {zones: ["s1_*"], rpm: 0, blades: 36}
  r1: {zones: ["r1_*"], rpm: 2865, blades: 36}
  s2: {zones: ["s2_*"], rpm: 0, blades: 36}
boundaries:
  s1_inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, 0]}
  s2_outlet: {type: outlet_static, p: 0.86e5}
  r1_hub_up: {type: bleed, mass_flow: 0.03}
  r1_hub_down: {type: wall_viscous}
  "*_hub": {type: wall_viscous}
  "*_blade": {type: wall_viscous}
  "*_shroud": {type: wall_viscous, omega: 0}
leakages:
  over: {from: s1_shroud, from_x: [0.052, 0.0595], to: s2_shroud, to_x: [0.1256, 0.132], clearance: 4.0e-4, fins: 2}
output: {folder: out, every: 0, history_every: 1}
"""
for name, more in (("here", ""), ("turned", ", clocking: 4")):
    with open(os.path.join(top, name + ".yaml"), "w") as f:
        f.write(ROWS + "  - {name: s2, blades: 36, sections: second.dat" + more + "}\n")
    tool(top, os.path.join(BIN, "mesh_row"), name + ".yaml", "-o", name + ".cgns")
case = os.path.join(top, "case.yaml")
with open(case, "w") as f:
    f.write(CASE)


def march(name, *options, restart=None):
    out = os.path.join(top, name)
    r = run(case, *(("--restart", restart) if restart else ()), options=[f"output.folder={out}", *options], timeout=400 * PATIENCE)
    return out, r


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * abs(b)


def machine_of(out):
    return {q["name"]: q for q in run_json(out)["rows"]}["machine"]


here, r = march("here")
check("mixing" in r.out or "mean line" in r.out, f"a steady run: {r.out[:1500]}")
turned, r = march("turned", "mesh=turned.cgns")
for figure in ("mass_in_kg_s", "pressure_ratio", "temperature_ratio"):
    check(close(machine_of(turned)[figure], machine_of(here)[figure], 1e-6),
          f"a stator turned between mixing planes, {figure}: {machine_of(turned)[figure]}, {machine_of(here)[figure]}")

slide = ["march.mode=unsteady", "march.method=dual", "march.steps_per_passing=40", "march.iterations=14"]
start = os.path.join(here, "flow_00000012.cgns")
by_key, r = march("by_key", "march.planes=sliding", *slide, restart=start)
check(r.out.count("\nsliding     ") == 2 and "the sides turn past each other" in r.out, f"two sliding planes: {r.out[:3000]}")
check("passed over" not in r.err or "mass_flow" not in r.err, f"a bleed keeps its mass flow: {r.err}")
pairs = (("s1_outlet", "r1_inlet"), ("r1_outlet", "s2_inlet"))
types = [f"boundaries.{a}={{type: sliding_plane, with: {b}}}" for pair in pairs for a, b in (pair, pair[::-1])]
by_types, r = march("by_types", *types, *slide, restart=start)
same_history(by_key, by_types, "planes by march.planes against types written out")
j = run_json(by_key)
rows = {q["name"]: q for q in j["rows"]}
check(close(rows["r1"]["bleed_kg_s"], 0.03, 1e-6), f"bleed: {rows['r1']}")
leak = j["leakages"][0]["mass_flow_kg_s"]
check(0.02 < leak < 0.06 and close(rows["s1"]["bleed_kg_s"], leak, 1e-6) and close(rows["s2"]["coolant_kg_s"], leak, 1e-6),
      f"leakage from s1 to s2: {j['leakages']} {rows}")
other, r = march("other", "mesh=turned.cgns", "march.planes=sliding", *slide, restart=os.path.join(turned, "flow_00000012.cgns"))
check(not close(machine_of(other)["torque_walls_Nm"], machine_of(by_key)["torque_walls_Nm"], 1e-6),
      f"a stator turned between sliding planes: {machine_of(other)}")
finish()
