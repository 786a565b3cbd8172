"""Leakage past a seal end to end, on sectors of annular ducts (tools/programs/mesh_duct): the mass flow is that of the seal's
formula; what leaves comes back, in one row and between rows of different passage counts; ranks, restarts and the
CUDA engine's code give the same bits; what cannot be is refused in plain words.
"""
import math
import os
import shutil
import subprocess

from regress import *

CASE = """case: shrouded duct
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05}}
march: {{method: implicit, iterations: 12, cfl: 20}}
multigrid: {{levels: 2}}
initial: {{p: 1.0e5, T: 300, mach: 0.3}}
rows: {{rotor: {{zones: ["*"], omega: 200, blades: 24}}}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.1e5, T0: 300, direction: [1, 0, 0.4], axes: cylindrical}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: wall_slip}}
  casing: {{type: wall_slip}}
leakages:
  shroud: {{from: casing, from_x: [0.05, 0.13], to: casing, to_x: [0.4, 0.45], clearance: 2.0e-3, fins: 3,
           control_every: 4}}
output: {{folder: out, every: 0, history_every: 4}}
"""
CP = 1.4 / 0.4 * 287.05

top = folder("leakage")


def out_of(name):
    return os.path.join(top, name)


def duct(name, *options):
    made = subprocess.run([os.path.join(BIN, "mesh_duct"), "-o", out_of(name), *options], capture_output=True, text=True,
                          timeout=60)
    return check(made.returncode == 0, f"mesh_duct: {made}")


if not duct("duct.cgns", "-s", "24", "-n", "16,8,4", "-c", "1,0.9"):
    finish()
case = write_case(top, mesh=out_of("duct.cgns"), text=CASE)

# millimetres in place of metres are warned of; what is right is not
for key, value, words in (("clearance", 2, "leakages.shroud.clearance is 3.97 times the length of the mesh"),
                          ("radius", 900, "times the largest radius of the mesh; plausible: at most 1"), ("radius", 0.9, None)):
    r = annulus("check", case, options=[f"leakages.shroud.{key}={value}"])
    said = " ".join((r.out + r.err).split())
    check(r.code == DONE and (words in said if words else "plausible" not in said), f"{key} {value}: {r}")

for np in (1, 2):
    r = run(case, np=np, options=[f"output.folder={out_of(str(np))}"])
    check("leakage     shroud: from 'casing', " in r.out and "a seal of 3 fins, 0.002 m" in r.out, f"start: {r}")
    if np > 1:
        same_history(out_of("1"), out_of(str(np)), f"{np} ranks against one")
        same_fields(snapshot(out_of("1"), 12), snapshot(out_of(str(np)), 12), f"{np} ranks against one")
run(case, options=[f"output.folder={out_of('again')}", "march.iterations=6"])
run(case, "--restart", "latest", np=2, options=[f"output.folder={out_of('again')}"])
same_fields(snapshot(out_of("1"), 12), snapshot(out_of("again"), 12), "restart")
run(case, "--device", "emulated", options=[f"output.folder={out_of('emulated')}"])
same_fields(snapshot(out_of("1"), 12), snapshot(out_of("emulated"), 12), "emulated engine")
run(case, options=[f"output.folder={out_of('lines')}", "output.history_every=5", "output.every=5"])
same_fields(snapshot(out_of("1"), 12), snapshot(out_of("lines"), 12), "output.history_every changes the flow")

# seven leakages over one casing, more ends than the mesh has windows of boundaries
many = out_of("many.yaml")
with open(many, "w") as f:
    f.write(CASE.format(mesh=out_of("duct.cgns")).replace("output: ", "".join(
        f"  more{n}: {{from: casing, from_x: [0.15, 0.22], to: casing, to_x: [0.28, 0.38], mass_flow: 0.1}}\n"
        for n in range(6)) + "output: "))
for np in (1, 2):
    run(many, np=np, options=[f"output.folder={out_of(f'many{np}')}"])
same_fields(snapshot(out_of("many1"), 12), snapshot(out_of("many2"), 12), "seven leakages: 2 ranks against one")
check(len(run_json(out_of("many1"))["leakages"]) == 7, "seven leakages in run.json")


def settled(name, *options, of=case):
    run(of, options=[f"output.folder={out_of(name)}", "march.iterations=400", "output.history_every=100", *options],
        timeout=200)
    j = run_json(out_of(name))
    return j, {row["name"]: row for row in j["rows"]}, j["leakages"][0]


def martin(p0, T0, p, area, fins):
    x = p / p0
    return area * p0 / math.sqrt(287.05 * T0) * math.sqrt((1 - x * x) / (fins - math.log(x)))


# the seal; mass, energy and moment of momentum come back
j, rows, leak = settled("seal")
m = rows["rotor"]
p1, p2 = leak["p_from_Pa"], leak["p_to_Pa"]
radius = 1 - 0.1 * 0.09 / 0.5  # of the middle of the part that the gas leaves through
flow = martin(p1, leak["h0_from_J_kg"] / CP, p2, 2 * math.pi * radius * 2e-3 * 0.7, 3)
check(p1 > 1.02 * p2 and not leak["chokes"], f"{leak}")
check(abs(leak["mass_flow_kg_s"] / flow - 1) < 2e-2, f"seal: {leak}, {flow}")
check(abs(m["imbalance"]) < 1e-9, f"mass: {m['imbalance']}")
heat = m["mass_in_kg_s"] * CP * 300
check(abs(m["power_W"]) < 1e-9 * heat, f"energy: {m['power_W']}")
check(abs(leak["h0_to_J_kg"] / leak["h0_from_J_kg"] - 1) < 1e-9, f"{leak}")
check(leak["moment_from_m2_s"] > 20 and abs(leak["moment_to_m2_s"] / leak["moment_from_m2_s"] - 1) < 1e-9, f"{leak}")
plain = m["torque_euler_Nm"]  # 0 but for the error of the scheme
_, _, half = settled("half", "leakages.shroud.clearance=1e-3", "leakages.shroud.radius=0.982",
                     "leakages.shroud.discharge=0.5", "leakages.shroud.carry_over=1.4")
check(abs(half["mass_flow_kg_s"] / martin(half["p_from_Pa"], half["h0_from_J_kg"] / CP, half["p_to_Pa"],
                                          2 * math.pi * 0.982e-3 * 0.7, 3) - 1) < 1e-9, f"{half}")
# swirl of the shroud, windage: what the cavity's walls put in goes out with the gas
_, rows, leak = settled("swirl", "leakages.shroud.swirl=fraction", "leakages.shroud.swirl_fraction=0.5",
                        "leakages.shroud.windage=5e3", "leakages.shroud.clearance=8e-3")
m = rows["rotor"]
torque = leak["mass_flow_kg_s"] * (leak["moment_to_m2_s"] - leak["moment_from_m2_s"])
check(abs(leak["moment_to_m2_s"] / (0.5 * 200 * 0.906 ** 2) - 1) < 1e-2, f"{leak}")
check(abs(torque - leak["torque_N_m"]) < 1e-6 * abs(torque) and torque > 20, f"{leak}")
check(abs(m["torque_euler_Nm"] - plain - torque) < 0.03 * torque, f"{m['torque_euler_Nm']}, {plain}, {torque}")
check(abs(m["power_W"] - 5e3) < 1e-9 * heat and abs(m["imbalance"]) < 1e-9, f"windage: {m['power_W']}")
# a part of what enters
_, rows, leak = settled("fraction", "leakages.shroud.clearance=0", "leakages.shroud.fins=1",
                        "leakages.shroud.mass_fraction=0.02")
check(abs(leak["mass_flow_kg_s"] / rows["rotor"]["mass_in_kg_s"] / 0.02 - 1) < 1e-9, f"{leak}, {rows}")
check(abs(rows["rotor"]["imbalance"]) < 1e-9, f"{rows}")

# without rows in the case: the mesh file turns its zone, and the swirl is a part of that speed
shutil.copy(out_of("duct.cgns"), out_of("turns.cgns"))
with h5py.File(out_of("turns.cgns"), "r+") as f:
    parent = f["Base/duct"]
    for node, label, kind, data in (("RotatingCoordinates", "RotatingCoordinates_t", "MT", None),
                                    ("RotationCenter", "DataArray_t", "R4", numpy.zeros(3, "f4")),
                                    ("RotationRateVector", "DataArray_t", "R4", numpy.array([200, 0, 0], "f4"))):
        group = (parent if data is None else parent["RotatingCoordinates"]).create_group(node, track_order=True)
        for key, text, size in (("name", node, 33), ("label", label, 33), ("type", kind, 3)):
            group.attrs.create(key, numpy.bytes_(text), dtype=f"S{size}")
        group.attrs.create("flags", numpy.array([1], dtype="i4"))
        if data is not None:
            group.create_dataset(" data", data=data)
with open(out_of("turns.yaml"), "w") as f:
    f.writelines(line for line in CASE.format(mesh=out_of("turns.cgns")).splitlines(True) if not line.startswith("rows:"))
run(out_of("turns.yaml"), options=[f"output.folder={out_of('turns')}", "leakages.shroud.swirl=fraction",
                                   "leakages.shroud.swirl_fraction=0.5"])
leak = run_json(out_of("turns"))["leakages"][0]
check(abs(leak["moment_to_m2_s"] / (0.5 * 200 * 0.906 ** 2) - 1) < 1e-2, f"rotation of the mesh file: {leak}")

# two rows of different passage counts
two = out_of("two.yaml")
duct("one.cgns", "-s", "24", "-n", "8,8,4", "-l", "0.25")
duct("other.cgns", "-s", "30", "-n", "8,8,4", "-l", "0.25")
with h5py.File(out_of("other.cgns"), "r+") as f:
    found = []
    f.visit(lambda name: found.append(name) if name.endswith("CoordinateX/ data") else None)
    for name in found:
        f[name][...] += 0.25
subprocess.run([os.path.join(BIN, "mesh_join"), "-o", out_of("two.cgns"), "--plane", "a_outlet=b_inlet",
                f"a={out_of('one.cgns')}", f"b={out_of('other.cgns')}"], check=True, timeout=60)
with open(two, "w") as f:
    f.write(f"""case: two rows
mesh: {out_of("two.cgns")}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05}}
march: {{method: implicit, iterations: 400, cfl: 20}}
initial: {{p: 1.0e5, T: 300, mach: 0.3}}
rows: {{a: {{zones: ["a_*"], omega: 0, blades: 24}}, b: {{zones: ["b_*"], omega: 200, blades: 30}}}}
boundaries:
  a_inlet: {{type: inlet_total, p0: 1.1e5, T0: 300, direction: [1, 0, 0.4], axes: cylindrical}}
  b_outlet: {{type: outlet_static, p: 1.0e5}}
  "*_hub": {{type: wall_slip}}
  "*_casing": {{type: wall_slip}}
leakages:
  back: {{from: b_casing, from_x: [0.4, 0.45], to: a_hub, to_x: [0.1, 0.16], mass_flow: 2, swirl: fraction,
         swirl_fraction: 0.3}}
output: {{folder: out, every: 0, history_every: 50}}
""")
_, rows, leak = settled("two", of=two)
a, b, machine = rows["a"], rows["b"], rows["machine"]
check(leak["mass_flow_kg_s"] == 2 and a["sectors"] == 24 and b["sectors"] == 30, f"{leak}")
check(abs(a["coolant_kg_s"] - 2) < 1e-9 and abs(b["bleed_kg_s"] - 2) < 1e-9, f"{a}, {b}")
check(machine["coolant_kg_s"] == 0 and machine["bleed_kg_s"] == 0, f"{machine}")
for row in (a, b, machine):
    check(abs(row["imbalance"]) < 1e-6, f"{row['name']}: {row['imbalance']}")
    check(abs(row["power_W"]) < 1e-6 * row["mass_in_kg_s"] * CP * 300, f"{row['name']}: {row['power_W']}")
check(abs(leak["moment_to_m2_s"] / (0.3 * 200 * 0.25) - 1) < 1e-2, f"{leak}")

# a seal between them: a line of history.csv has the same figures whether the run ends with it or goes on
between = out_of("between.yaml")
with open(two) as f:
    text = f.read()
with open(between, "w") as f:
    f.write(text[:text.index("  back:")] + "  seal: {from: a_casing, from_x: [0.05, 0.13], to: b_casing, to_x: [0.4, 0.45], "
            "clearance: 4.0e-3}\n" + text[text.index("output: "):])
lines = []
for steps in (20, 40):
    run(between, options=[f"output.folder={out_of(f'between{steps}')}", f"march.iterations={steps}", "output.history_every=10"])
    lines.append([line for line in history(out_of(f"between{steps}")) if line["iteration"] == "20"])
check(len(lines[0]) == 1 and float(lines[0][0]["a_bleed_kg_s"]) > 0 and lines[0] == lines[1], f"line of iteration 20: {lines}")

# ends exchanged: no gas passes, and the run says so
r = run(case, options=[f"output.folder={out_of('turned')}", "march.iterations=40", "leakages.shroud.from_x=[0.4, 0.45]",
                       "leakages.shroud.to_x=[0.05, 0.13]"])
check("leakage 'shroud' passes no gas: the pressure is " in r.out + r.err, f"turned: {r}")
# likewise where the gas had flowed: its mass flow halves at each look, and the windage over it does not grow
back = [f"output.folder={out_of('back')}", "leakages.shroud.control_every=1", "leakages.shroud.windage=5e3"]
run(case, options=[*back, "march.iterations=20"])
run(case, "--restart", "latest", options=[*back, "march.iterations=320", "output.history_every=100",
                                         "leakages.shroud.from_x=[0.4, 0.45]", "leakages.shroud.to_x=[0.05, 0.13]"])
leak = run_json(out_of("back"))["leakages"][0]
check(leak["mass_flow_kg_s"] < 1e-60 and abs(leak["h0_to_J_kg"] / leak["h0_from_J_kg"] - 1) < 1e-6, f"windage of no gas: {leak}")

name = "leakages.shroud"
for options, words in (
        ([f"{name}.to=shrowd"], "'leakages.shroud.to': the mesh has no boundary 'shrowd'"),
        ([f"{name}.from=inlet"], "'leakages.shroud.from': the boundary 'inlet' is a inlet_total, but must be a wall"),
        ([f"{name}.from_x=[0.051, 0.052]"], "'leakages.shroud': no face of the wall 'casing' has its centre in the part"),
        ([f"{name}.to_x=[0.1, 0.3]"], "that the gas leaves through and comes back through overlap"),
        ([f"{name}.from_x=[0.2, 0.1]"], "'leakages.shroud.from_x' must be two numbers"),
        ([f"{name}.mass_flow=1"], "'leakages.shroud' needs one of 'mass_flow', 'mass_fraction' and 'clearance'"),
        ([f"{name}.clearance=0"], "'leakages.shroud' needs one of"),
        ([f"{name}.swirl_fraction=0.3"], "'leakages.shroud.swirl_fraction' needs 'swirl: fraction'"),
        ([f"{name}.speed_of=stator"], "'leakages.shroud.speed_of': there is no row 'stator'"),
        ([f"{name}.speed_of=rotor"], "'leakages.shroud.speed_of' needs 'swirl: fraction'"),
        ([f"{name}.clearance=0", f"{name}.mass_flow=1"], "'leakages.shroud.fins' needs 'clearance'"),
        ([f"{name}.fins=0"], "fins"),
        (["scalars={dye: {}}"], "passive scalars do not pass a leakage")):
    r = annulus("check", case, options=options, timeout=60)
    check(r.code == INPUT and words in r.err, f"{options}: {r}")
r = annulus("check", two, options=["leakages.back.from=a_hub", "leakages.back.to=nothing"])
check(r.code == INPUT and "no boundary 'nothing'" in r.err, f"pair missing: {r}")
finish()
