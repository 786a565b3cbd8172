"""The start of several rows from a mean line, and what is said of rows before the first cycle. The turbine stage of cases/stage,
coarse: the angles that make_blades.py gave its blades, mass flows of the rows that agree from the first line on, without
a state of the case, on any number of ranks; where `initial.mean_line` is off, the uniform start. Speeds of the wrong sign, a
shaft of two speeds, a row that the flow meets from behind, pressures and mass flows that the rows do not reach. `annulus check` says
what it takes each row for: turbine or compressor, gap, tip Mach number, throat."""
import os
import re

from regress import *

top = folder("machine_start")
case = coarse_stage(top)
with open(case) as f:
    lines = [line for line in f if not line.startswith("initial:")]
bare = os.path.join(top, "bare.yaml")  # without a state to start from
with open(bare, "w") as f:
    f.writelines(lines)
implicit = ["march.method=implicit", "march.residual_smoothing=none", "march.smooth_start=0", "multigrid.levels=2",
            "march.cfl=2", "march.cfl_start=1", "output.history_every=1", "march.iterations=2"]


def rows_of(case, name, *more, np=1):
    """Mass flows of the rows at the first line of the table."""
    out = os.path.join(top, name)
    r = run(case, options=[f"output.folder={out}", *implicit, *more], np=np)
    table = re.findall(r"^ +(stator|rotor) +([\d.]+) kg/s", r.out, re.M)
    return {row: float(flow) for row, flow in table[:2]}, r


# ---- the start ----
flow, r = rows_of(bare, "bare")
check(len(flow) == 2 and abs(flow["rotor"] / flow["stator"] - 1) < 0.03 and 6.8 < flow["rotor"] < 8.6,
      f"mass flows of the rows at the start: {flow}, 8.1 kg/s expected: {r.out[:3000]}")
angles = {row: [float(x) for x in re.findall(r"-?[\d.]+", line)[:3]]
          for row, line in re.findall(r"^ +(stator|rotor): (flow in.*)$", r.out, re.M)}
for row, want in {"stator": (0, 0, 64), "rotor": (9, 8, -64)}.items():
    check(all(abs(a - b) < 4 for a, b in zip(angles.get(row, [99] * 3), want)), f"{row}: angles {angles}, {want} expected")
again, _ = rows_of(bare, "bare4", np=4)
check(again == flow, f"4 ranks: {again}, one: {flow}")
same_history(os.path.join(top, "bare"), os.path.join(top, "bare4"), "4 ranks against one")
# a mass flow that is wanted: the pressure of the outlet begins at that of the mean line, not at its key
wanted = ["boundaries.rotor_outlet={type: outlet_static, p: 0.95e5, mass_flow: 7}"]
less, r = rows_of(bare, "wanted", *wanted)
line = re.search(r"^mean line +([\d.]+) kg/s, outlet ([\d.]+) Pa", r.out, re.M)
check(line and abs(float(line[1]) - 7) < 1e-3 and 0.86e5 < float(line[2]) < 0.94e5, f"mean line of a mass flow: {r.out[:2000]}")
p = [float(x["back_pressure_Pa"]) for x in history(os.path.join(top, "wanted"))]
check(p and abs(p[0] / float(line[2]) - 1) < 0.01, f"the pressure of the outlet begins with {p}")
check(abs(less["rotor"] / 7 - 1) < 0.1, f"a mass flow of 7 kg/s: {less}")
far, r = rows_of(case, "far", "initial={p: 3e5, T: 500, mach: 0.9, direction: [0, 1, 0]}")
check(abs(far["rotor"] / far["stator"] - 1) < 0.03, f"a state far off: {far}")
uniform, r = rows_of(case, "uniform", "initial.mean_line=false", "multigrid.full=false")
check(abs(uniform["rotor"] / uniform["stator"] - 1) > 0.1, f"uniform start: {uniform}")
one = os.path.join(top, "one.yaml")
with open(one, "w") as f:
    f.writelines(line for line in lines if not line.startswith("  rotor: {zones"))
r = annulus("check", one)
check(r.code == INPUT and "initial.p" in r.err, f"one row needs a state: {r}")


# ---- what is said of rows ----
def says(words, *options, case=case):
    r = annulus("check", case, *[x for o in options for x in ("--set", o)])
    found = [line for line in r.out.splitlines() if line.startswith("warning")]
    if words is None:
        check(not found, f"{options}: {found}")
    for word in words or ():
        check(any(word in line for line in found), f"{options}: '{word}' is not in {found}: {r.err[-500:]}")


says(None)
says(["row 'rotor' (-2864.79 rpm): the blades point by", "the sign of the speed"], "rows.rotor.omega=-300")
says(["boundaries.rotor_outlet.p is 1.2", "behind row 'rotor'"], "boundaries.rotor_outlet.p=1.2e5")
says(["boundaries.rotor_outlet.mass_flow is", "times the mass flow that the rows pass", "is choked at about"],
     "boundaries.rotor_outlet={type: outlet_static, p: 0.87e5, mass_flow: 20}")

# three rows: a rotor where a stator should stand, which turns at another speed
with open(os.path.join(top, "rotor.dat")) as f:
    words = [line.split() for line in f]
with open(os.path.join(top, "second.dat"), "w") as f:
    f.writelines(" ".join([str(float(w[0]) + 0.1), *w[1:]] if len(w) == 3 else w) + "\n" for w in words)
with open(os.path.join(top, "three.yaml"), "w") as f:
    f.write("""hub: hub.dat
casing: casing.dat
columns: [x, r, theta]
inlet: -0.06
outlet: 0.245
cells: 3.0e4
walls: functions
first_cell: 2.0e-4
rows:
  - {name: stator, blades: 36, sections: stator.dat}
  - {name: rotor, blades: 45, rpm: 2865, sections: rotor.dat}
  - {name: second, blades: 45, rpm: 2865, sections: second.dat}
""")
tool(top, os.path.join(BIN, "mesh_row"), "three.yaml", "-o", "three.cgns")
r = annulus("init", os.path.join(top, "three.cgns"), "-o", "-")
check('"second_outlet": {type: outlet_static, p: 90000, radial_equilibrium: mid}' in r.out, f"the last row turns, so the flow leaves with swirl: {r}")
three = os.path.join(top, "three_case.yaml")
with open(three, "w") as f:
    f.write("".join(lines[:lines.index("boundaries:\n")]).replace("stage.cgns", "three.cgns").replace("\nmarch", """
  second: {zones: ["second_*"], omega: 300, blades: 45}

march""", 1) + """boundaries:
  stator_inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, 0]}
  second_outlet: {type: outlet_static, p: 0.8e5}
  "*_hub": {type: wall_viscous}
  "*_shroud": {type: wall_viscous}
  "*_blade": {type: wall_viscous}
""")
says(["row 'second': by the mean line the flow meets the blades at", "behind row 'rotor'"], case=three)
says(["row 'second' (2960.28 rpm): the speed differs by a part of 0.033", "row 'rotor' (2864.79 rpm)"],
     "rows.second.omega=310", case=three)

# ---- what the rows are taken for: the stage with a gap over its rotor ----
with open(os.path.join(top, "gap.yaml"), "w") as f:
    f.write("""hub: hub.dat
casing: casing.dat
columns: [x, r, theta]
inlet: -0.06
outlet: 0.19
cells: 2.4e4
walls: functions
first_cell: 2.0e-4
planes: sliding
rows:
  - {name: stator, blades: 36, sections: stator.dat, hub_gap: {leading: 6.0e-4, trailing: 1.0e-3}}
  - {name: rotor, blades: 45, rpm: 2865, sections: rotor.dat, tip_gap: 8.0e-4}
""")
tool(top, os.path.join(BIN, "mesh_row"), "gap.yaml", "-o", "gap.cgns")


def row_lines(*options, np=1):
    r = annulus("check", bare, *[x for o in ("mesh=gap.cgns", *options) for x in ("--set", o)], np=np)
    return dict(re.findall(r"^row +(\S+): (.*)$", r.out, re.M)), r


rows, r = row_lines()
check(list(rows) == ["stator", "rotor"], f"rows in the order of the flow: {rows}: {r.out[-1000:]} {r.err}")
stator, rotor = rows.get("stator", ""), rows.get("rotor", "")
check("tip Mach number" in r.out and "flow coefficient" not in r.out, f"the case gives no axial velocity: {r.out[-1500:]}")
check(stator.startswith("stator that accelerates the flow, 36 blades, gap"), f"stator: {rows}")
unequal = re.search(r"gap ([\d.]+) to ([\d.]+) mm \((stator_hub, stator_hub_tip|stator_hub_tip, stator_hub)\)", stator)
check(unequal and abs(float(unequal[1]) / 0.6 - 1) < 0.05 and abs(float(unequal[2]) / 1.0 - 1) < 0.05, f"0.6 to 1 mm: {stator}")
check(rotor.startswith("rotor of a turbine, 45 blades, 2864.79 rpm, tip"), rotor)
gap = re.search(r"gap ([\d.]+) mm \(rotor_tip, rotor_shroud\)", rotor)
tip = re.search(r"tip Mach number ([\d.]+) \(([\d.]+) m/s at ([\d.]+) m\)", rotor)
throat = re.search(r"throat ([\d.]+) m2, blades from ([-\d.]+) to ([-\d.]+) degrees, against their rotation", rotor)
check(gap and abs(float(gap[1]) / 0.8 - 1) < 0.03, f"a gap of 0.8 mm: {rotor}")
# the casing lies at 0.34 m, the tip 0.8 mm below it; sound at 300 K has 347.19 m/s
check(tip and abs(float(tip[3]) - 0.3392) < 2e-4 and abs(float(tip[2]) - 300 * 0.3392) < 0.1
      and abs(float(tip[1]) - 300 * 0.3392 / 347.19) < 1e-3, f"tip Mach number: {rotor}")
# pi (0.34^2 - 0.26^2) cos 64 degrees = 0.0661 m2, less the blades
check(throat and 0.055 < float(throat[1]) < 0.068 and abs(float(throat[3]) + 64) < 4, f"throat: {rotor}")
again, r = row_lines(np=3)
check(again == rows, f"3 ranks: {again}, one: {rows}")
rows, r = row_lines("rows.rotor.omega=-300")
check("-2864.79 rpm" in rows.get("rotor", "") and rows["rotor"].endswith("in the direction of their rotation"), f"the wrong way: {rows}")
finish()
