"""Blade rows end to end, on a coarse passage of Rotor 37: figures of rows in history.csv, run.json and
the table, the same on 1, 2 and 4 ranks; rules on figures that settle, restarts included.
"""
import math
import os
import subprocess

from regress import *

ROTOR = """case: coarse rotor
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.0, viscosity: sutherland}}
scheme: {{flux: jst}}
turbulence: {{model: sa}}
rows:
  rotor: {{zones: ["*"], rpm: -17188.7, blades: 36}}
march: {{method: runge_kutta, cfl: 1.5, cfl_start: 0.2, cfl_ramp: 500, smooth_start: 500, iterations: 10}}
multigrid: {{levels: 1}}
initial: {{p: 0.9e5, T: 280, mach: 0.45, direction: [1, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 101325, T0: 288.15, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: wall_viscous}}
  blade: {{type: wall_viscous}}
  tip: {{type: wall_viscous}}
  shroud: {{type: wall_viscous, omega: 0}}
output: {{folder: out, every: 0, history_every: 5}}
"""

top = folder("rows")
mesh = rotor_input(top)
made = subprocess.run([os.path.join(BIN, "mesh_row"), os.path.join(top, "row.yaml"), "--cells", "1e4", "-o",
                       mesh], capture_output=True, text=True, timeout=120)
if not check(made.returncode == 0, f"mesh_row: {made.stdout[-500:]} {made.stderr[-500:]}"):
    finish()
case = write_case(top, mesh=mesh, text=ROTOR)


def out_of(name):
    return os.path.join(top, name)


# figures of rows, on any number of ranks
for np in (1, 2, 4):
    r = run(case, np=np, options=[f"output.folder={out_of(str(np))}"])
    check("\n  rotor " in r.out and "\nrotor, full annulus (36 times the mesh)" in r.out, f"table: {r}")
    check("\nmachine, full annulus" not in r.out, f"one row is the machine, and has one table: {r}")
    # the flow in and out differ by two thirds: its torques are of different flows
    check(" N m, walls      - %" in r.out, f"torque of walls before the flow balances: {r}")
    if np > 1:
        same_history(out_of("1"), out_of(str(np)), f"{np} ranks against one")
        check(run_json(out_of("1"))["rows"] == run_json(out_of(str(np)))["rows"], f"{np} ranks: run.json")
last, rows = history(out_of("1"))[-1], run_json(out_of("1"))["rows"]
check([q["name"] for q in rows] == ["rotor", "machine"] and rows[0]["sectors"] == 36, f"{rows}")
for q in rows:
    for key in ("mass_in_kg_s", "pressure_ratio", "efficiency", "torque_walls_Nm", "alpha_out_deg", "loss"):
        text = last[f"{q['name']}_{key}"]
        if q[key] is None or not text:  # no efficiency: pressure and work have no physical relation yet
            check(key == "efficiency" and q[key] is None and not text, f"{q['name']} {key}: '{text}', {q[key]}")
            continue
        value = float(text)
        check(math.isclose(value, q[key], rel_tol=1e-9, abs_tol=1e-12), f"{q['name']} {key}: {value}, {q[key]}")
# of the annulus, and what the machine's columns say of the mesh
check(math.isclose(float(last["rotor_mass_in_kg_s"]), 36 * float(last["mass_in_kg_s"]), rel_tol=1e-9), "36 sectors")
check(math.isclose(float(last["rotor_pressure_ratio"]), float(last["pressure_ratio"]), rel_tol=1e-9), "ratio of p0")
# torque on the gas is what walls feel, of 36 passages, the other way round
walls = sum(w["torque_x"] for w in run_json(out_of("1"))["walls"])
check(math.isclose(rows[0]["torque_walls_Nm"], -36 * walls, rel_tol=1e-9), "torque")
check(rows[0]["power_walls_W"] > 0 and rows[1]["power_walls_W"] == rows[0]["power_walls_W"], "power")
order = [rows[0]["out"][k]["p0_Pa"] for k in ("mass", "entropy")]
check(order[0] > order[1] > 0, f"p0 by mass and by entropy: {order}")

# a terminal of 80 columns, and one of 120: tables of rows, machine and walls
for columns in (80, 120):
    r = on_terminal(columns, "run", case, options=["march.iterations=1", f"output.folder={out_of('terminal')}",
                                                   "monitors.stations=[-0.01, 0.05]"])
    long = too_wide(r, columns, ("mesh  ", "case  ", "output  ", "snapshot  ", "start  ", "march  "))
    check(r.code == DONE and not long and "\n  rotor " in r.out and "friction x" in r.out and "relative angle in, out" in r.out,
          f"lines of more than {columns} columns: {long}: {r}")

# not asked for
run(case, options=[f"output.folder={out_of('off')}", "monitors.performance=off", "march.iterations=1"])
check("rows" not in run_json(out_of("off")) and "rotor_loss" not in history(out_of("off"))[-1], "off")

# rules on figures that settle: three lines of the table within any bound, at iteration 10; a line is
# known one step later
figures = ["stop.window=10", "stop.mass_flow=1", "stop.pressure_ratio=1", "march.iterations=30"]
r = run(case, options=[f"output.folder={out_of('open')}", *figures]) # more than 1 % of the mass flow stays in the rotor
check("finished at iteration 30 " in r.out and float(history(out_of("open"))[-1]["imbalance"]) > 0.01, f"mass flows differ: {r}")
rule = [*figures, "march.mass_imbalance=1"]
r = run(case, options=[f"output.folder={out_of('stop')}", *rule])
check("converged at iteration 11 " in r.out, f"three lines: {r}")
# a restart remembers the lines before it
run(case, options=[f"output.folder={out_of('again')}", *rule, "march.iterations=7"])
r = run(case, "--restart", "latest", options=[f"output.folder={out_of('again')}", *rule])
check("converged at iteration 11 " in r.out, f"restart: {r}")
same_fields(snapshot(out_of("stop"), 11), snapshot(out_of("again"), 11), "stopped by a rule")
r = run(case, options=[f"output.folder={out_of('not')}", *rule, "stop.mass_flow=1e-9", "march.iterations=15"])
check("finished at iteration 15 " in r.out, f"a rule that does not hold: {r}")
r = annulus("check", case, options=["stop.mass_flow=1e-3", "stop.window=2"])
check(r.code == INPUT and "0 lines of the table" in r.err and "must be 1 to 63 lines" in r.err, f"window: {r}")
r = annulus("check", case, options=["stop.mass_flow=1e-3", "march.mode=unsteady", "march.method=auto",
                                    "march.end_time=1", "march.smooth_start=0", "march.cfl_ramp=0",
                                    "march.cfl_start=1.5"])
check(r.code == INPUT and "'stop' needs 'march.mode: steady'" in r.err, f"unsteady: {r}")
# a spanwise profile at the inlet, radial equilibrium at the outlet: restarts, ranks, what is refused
with open(os.path.join(top, "inlet.csv"), "w") as f:
    f.write("# boundary layers\nspan,p0_Pa,swirl_deg,viscosity_ratio\n0,98000,2,10\n0.1,101325,0,3\n0.9,101325,0,3\n"
            "1,97000,-2,10\n")
ends = ["boundaries.inlet={profile: inlet.csv, non_reflecting: true, control_every: 3}",
        "boundaries.outlet={radial_equilibrium: mid, non_reflecting: true, control_every: 2, mass_flow: 20}"]
whole, halves = out_of("ends"), out_of("ends_halves")
r = run(case, options=[f"output.folder={whole}", *ends])
check("profile     inlet: " in r.out and "p0 (Pa) 97000 to 101325, swirl (deg) -2 to 2" in r.out, f"profile: {r}")
run(case, options=[f"output.folder={halves}", *ends, "march.iterations=5"], np=2)
run(case, "--restart", "latest", options=[f"output.folder={halves}", *ends])
same_fields(snapshot(whole, 10), snapshot(halves, 10), "profile and radial equilibrium")
check(history(whole) == history(halves), "profile and radial equilibrium: history.csv")
plain = fields(snapshot(out_of("1"), 10))
check(any(v.tobytes() != plain[n].tobytes() for n, v in fields(snapshot(whole, 10)).items()), "no effect")
for text, words in (
        ("span,p0_Pa\n0.2,1e5\n1,1e5\n", "the profile covers span 0.2 to 1, but inlet 'inlet' has faces from 0.0"),
        ("span,p0_Pa\n0,1e5\n0,1e5\n", "bad.csv:3: span has to rise from line to line"),
        ("span,p0\n0,1e5\n1,1e5\n", "column 'p0' has no unit: write p0_Pa, or another of Pa"),
        ("p0_Pa\n1e5\n1e5\n", "a profile needs one column span or radius_m"),
        ("span,p0_Pa\n0,1e5\n1,x\n", "bad.csv:3:3: 'x' is not a number"),
        ("span,p0_Pa\n0,1e5\n1\n", "bad.csv:3: the line has 1 cells, the header 2"),
        ("span,p0_Pa\n0,1e5\n", "a profile has at least two lines of numbers"),
        ("radius_m,T0_K\n0,-1\n1,300\n", "bad.csv:2: T0 is -1 K, must be above 0"),
        ("span,pitch_deg\n0,190\n1,0\n", "bad.csv:2: swirl is 0 degrees and pitch 190, must be")):
    with open(os.path.join(top, "bad.csv"), "w") as f:
        f.write(text)
    r = annulus("check", case, options=["boundaries.inlet.profile=bad.csv"])
    check(r.code == INPUT and words in r.err, f"{words}: {r}")
r = annulus("check", case, options=["boundaries.inlet={profile: inlet.csv, direction: [-1, 0, 0]}"])
check(r.code == DONE, f"the profile's direction counts: {r}")
with open(os.path.join(top, "bad.csv"), "w") as f:
    f.write("span,p0_Pa\n0,1e5\n1,1e5\n")
r = annulus("check", case, options=["boundaries.inlet={profile: bad.csv, direction: [-1, 0, 0]}"])
check(r.code == INPUT and "the flow points out of inlet 'inlet'" in r.err, f"out of the inlet: {r}")
r = annulus("check", case, options=["initial.direction=[-1, 0, 0.2]"])
check(r.code == INPUT and "the flow at the start leaves through inlet 'inlet': its mass flow there is -" in r.err,
      f"negative mass flow: {r}")
r = annulus("check", case, options=["boundaries.inlet.direction=[-1, 0, 0]"], np=2)
check(r.code == INPUT and "inlet 'inlet': the direction [-1, 0, 0] points out of the mesh" in r.err,
      f"direction: {r}")
r = annulus("check", case, options=["boundaries.inlet.profile=none.csv"])
check(r.code == INPUT and "none.csv' cannot be read" in r.err, f"no file: {r}")
r = annulus("check", case, options=["boundaries.inlet.profile=inlet.csv", "turbulence.model=mixing_length",
                                    "turbulence.length=0.01"])
check(r.code == INPUT and "viscosity_ratio needs 'turbulence.model: sa'" in r.err, f"viscosity ratio: {r}")
finish()
