"""Whole machines from tables of blades to a converged flow (label long): a turbine stage whose rotor has cut-off
trailing edges and a leakage over its shroud, and a compressor rotor with a tip gap before a cantilevered stator with a gap
over a turning hub. Mass and energy of rows and machine balance to 1e-6 of what flows through. The moment of momentum of
the turbine's rotor balances to 1e-6 with the torque of the cavity, which is 2e-3 of it; those of the compressor's rows
balance to 1e-3, because the scheme conserves Cartesian momentum and leaves the truncation error of its moment.
"""
import math
import os
import shutil
import subprocess

from regress import *

top = folder("machines")


def tool(*command):
    made = subprocess.run(command, cwd=top, capture_output=True, text=True, timeout=600)
    if not check(made.returncode == 0, f"{command[0]}: {made.stdout[-500:]} {made.stderr[-500:]}"):
        finish()
    return made.stdout


def text(name, words):
    with open(os.path.join(top, name), "w") as f:
        f.write(words)


def row(name, cells):
    return tool(os.path.join(BIN, "mesh_row"), f"{name}.yaml", "--cells", str(cells), "-o", f"{name}.cgns")


def balance(name, iterations, moment, turning):
    """Runs a case to the end; checks mass, energy, and the moment of the row `turning`. Returns the contents of run.json, and its rows by name."""
    out = os.path.join(top, f"out_{name}")
    r = run(os.path.join(top, f"{name}.yaml"), options=[f"output.folder={out}", f"march.iterations={iterations}",
                                                        "march.residual_drop=1e-9", "output.history_every=20"],
            timeout=3000 * PATIENCE)
    j = run_json(out)
    rows = {q["name"]: q for q in j["rows"]}
    windage = sum(q["windage_W"] for q in j.get("leakages", []))
    torque = sum(q["torque_N_m"] for q in j.get("leakages", []))
    for q in rows.values():
        heat = q["mass_in_kg_s"] * 1004.675 * 288
        own = windage if q["name"] in (turning, "machine") else 0
        check(abs(q["imbalance"]) < 1e-6, f"{name}, {q['name']}: mass in and out differ by {q['imbalance']}: {r.out[-2000:]}")
        check(abs(q["power_W"] - q["power_walls_W"] - own) < 1e-6 * heat,
              f"{name}, {q['name']}: power {q['power_W']}, of walls {q['power_walls_W']}, heat {heat}")
    m = rows[turning]
    check(abs(m["torque_euler_Nm"] - m["torque_walls_Nm"] - torque) < moment * abs(m["torque_walls_Nm"]),
          f"{name}: torque {m['torque_euler_Nm']}, of walls {m['torque_walls_Nm']}, of the cavity {torque}")
    return j, rows


def cut_edges(name, angle, share):
    """Cuts the trailing edges of all sections off, across the direction `angle`, rad, of the gas there."""
    out, section = [], []

    def flush():
        along = [x * math.cos(angle) + r * t * math.sin(angle) for x, r, t in section]
        end = max(along) - share * (max(along) - min(along)) if along else 0
        out.extend("%.9f %.6f %.9f\n" % p for p, v in zip(section, along) if v <= end)
        section.clear()

    with open(os.path.join(top, name)) as f:
        for line in f:
            if line.startswith("section"):
                flush()
                out.append(line)
            else:
                section.append(tuple(map(float, line.split())))
    flush()
    text(name, "".join(out))


# a turbine stage: blunt trailing edges, a shroud
source = os.path.join(SOURCE, "cases", "stage")
for name in ("make_blades.py", "stator.yaml", "rotor.yaml", "case.yaml"):
    shutil.copy(os.path.join(source, name), top)
tool(sys.executable, "make_blades.py")
cut_edges("rotor.dat", math.radians(-60), 0.02)
row("stator", 12000)
report = row("rotor", 12000)
check("cut-off edge         kept in 5 sections" in report, f"mesh_row: {report}")
tool(os.path.join(BIN, "mesh_join"), "-o", "stage.cgns", "--plane", "stator_outlet=rotor_inlet", "stator=stator.cgns",
     "rotor=rotor.cgns")
with open(os.path.join(top, "case.yaml")) as f:
    lines = [line for line in f if not line.startswith(("march:", "multigrid:", "scheme:")) and "mixing_plane" not in line]
text("turbine.yaml", "".join(lines) + """multigrid: {levels: 3}
leakages:
  shroud: {from: rotor_shroud, from_x: [0.0615, 0.068], to: rotor_shroud, to_x: [0.112, 0.125], clearance: 6.0e-4, fins: 2,
           swirl: fraction, swirl_fraction: 0.5, windage: 400}
""")
j, rows = balance("turbine", 1500, 1e-6, "rotor")
leak = j["leakages"][0]
m = rows["rotor"]
check(0.002 < leak["mass_flow_kg_s"] / m["mass_in_kg_s"] < 0.03, f"leakage: {leak}")
check(abs(leak["mass_flow_kg_s"] * (leak["h0_to_J_kg"] - leak["h0_from_J_kg"]) / 400 - 1) < 1e-4, f"windage: {leak}")
check(abs(leak["torque_N_m"] / leak["mass_flow_kg_s"] / (leak["moment_to_m2_s"] - leak["moment_from_m2_s"]) - 1) < 1e-9,
      f"torque: {leak}")

# a compressor stage: a tip gap, and a cantilevered stator over the hub of the rotor
source = os.path.join(SOURCE, "cases", "tfd4ac")
for name in ("hub.crv", "shroud.crv", "1_Rotor1_Blade.inf", "1_Rotor1_Blade.crv", "2_Stator1_Vane.inf", "2_Stator1_Vane.crv"):
    shutil.copy(os.path.join(source, name), top)
text("rows.yaml", """inlet: 0.08
outlet: 0.27
cells: 2.4e4
walls: functions
first_cell: 1.5e-4
levels: 3
rows:
  - {name: R1, geometry: 1_Rotor1_Blade.inf, tip_gap_fraction: 0.01}
  - {name: S1, geometry: 2_Stator1_Vane.inf, hub_gap_fraction: 0.01}
""")
tool(os.path.join(BIN, "mesh_row"), "rows.yaml", "-o", "rows.cgns")
text("compressor.yaml", """case: rotor with a tip gap and a cantilevered stator
mesh: rows.cgns
device: cpu
gas: {gamma: 1.4, R: 287.05, viscosity: sutherland}
turbulence: {model: sa}
rows:
  R1: {zones: ["R1_*"], omega: 1400, blades: 23}
  S1: {zones: ["S1_*"], omega: 0, blades: 30}
initial: {p: 0.88e5, T: 288, mach: 0.4, direction: [1, 0, 0]}
boundaries:
  R1_inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, 0]}
  R1_shroud: {type: wall_viscous, omega: 0}
  S1_hub: {type: wall_viscous, omega: 1400}
  S1_outlet: {type: outlet_static, p: 1.0e5}
output: {folder: out, every: 0}
""")
j, rows = balance("compressor", 1700, 1e-3, "R1")
check(10 < rows["machine"]["mass_in_kg_s"] < 11 and 1.1 < rows["machine"]["pressure_ratio"] < 1.25, f"compressor: {rows}")
check(100 < rows["S1"]["power_walls_W"] < 500, f"the hub works on the gas below the stator: {rows['S1']}")
finish()
