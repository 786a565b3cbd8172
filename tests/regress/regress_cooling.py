"""Cooling and bleed end to end, on a sector of an annular duct (tools/programs/mesh_duct): viscous walls, implicit marches
with multigrid and single precision; ranks, restarts and the CUDA engine's code give the same bits; the machine's
balance counts both; what cannot be is refused in plain words.
"""
import os
import subprocess

from regress import *

CASE = """case: cooled duct
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05, viscosity: sutherland}}
turbulence: {{model: sa}}
march: {{iterations: 12}}
multigrid: {{levels: 2}}
initial: {{p: 1.0e5, T: 300, mach: 0.2}}
rows: {{rotor: {{zones: ["*"], omega: 200, blades: 24}}}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.05e5, T0: 300, direction: [1, 0, 0], non_reflecting: true, control_every: 3}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: cooling, mass_flow: 0.9, T0: 350, mach: 0.4}}
  casing: {{type: bleed, mass_flow: 0.6}}
output: {{folder: out, every: 0, history_every: 4}}
"""

top = folder("cooling")
mesh = os.path.join(top, "duct.cgns")
made = subprocess.run([os.path.join(BIN, "mesh_duct"), "-o", mesh, "-s", "24", "-n", "16,8,4"], capture_output=True,
                      text=True, timeout=60)
if not check(made.returncode == 0, f"mesh_duct: {made}"):
    finish()
case = write_case(top, mesh=mesh, text=CASE)


def out_of(name):
    return os.path.join(top, name)


for np in (1, 2, 4):
    r = run(case, np=np, options=[f"output.folder={out_of(str(np))}"])
    check("coolant in, bleed out             0.9          0.6 kg/s" in r.out, f"table: {r}")
    check("cooling     hub: 0.9 kg/s of the annulus, 0.0375 of the mesh (1/24), through " in r.out, f"start: {r}")
    if np > 1:
        same_history(out_of("1"), out_of(str(np)), f"{np} ranks against one")
        same_fields(snapshot(out_of("1"), 12), snapshot(out_of(str(np)), 12), f"{np} ranks against one")
run(case, options=[f"output.folder={out_of('again')}", "march.iterations=5"])
run(case, "--restart", "latest", np=2, options=[f"output.folder={out_of('again')}"])
same_fields(snapshot(out_of("1"), 12), snapshot(out_of("again"), 12), "restart")
run(case, "--device", "emulated", options=[f"output.folder={out_of('emulated')}"])
same_fields(snapshot(out_of("1"), 12), snapshot(out_of("emulated"), 12), "emulated engine")

# the Mach number from the pressure of the wall: ranks, a restart
supply = os.path.join(top, "supply.yaml")
with open(case) as f, open(supply, "w") as g:
    g.write(f.read().replace("mach: 0.4", "p0: 1.1e5, control_every: 4"))
run(supply, options=[f"output.folder={out_of('supply')}"])
check(history(out_of("supply"))[-1] != history(out_of("1"))[-1], "p0 has no effect")
run(supply, np=2, options=[f"output.folder={out_of('supply2')}", "march.iterations=6"])
run(supply, "--restart", "latest", options=[f"output.folder={out_of('supply2')}"])
same_fields(snapshot(out_of("supply"), 12), snapshot(out_of("supply2"), 12), "p0: ranks and restart")
# a line is that of its own step, also where the next step changes the jets before the line is taken
run(supply, options=[f"output.folder={out_of('every')}", "output.every=4"])
check(history(out_of("every")) == history(out_of("supply")), "history.csv depends on output.every")
often = ["output.history_every=2", "boundaries.hub.control_every=1", "boundaries.inlet.control_every=1"]
run(supply, options=[f"output.folder={out_of('often')}", *often])
run(supply, options=[f"output.folder={out_of('seldom')}", *often, "output.history_every=6"])
same_fields(snapshot(out_of("often"), 12), snapshot(out_of("seldom"), 12), "output.history_every changes the flow")
lines = [history(out_of("often"))[3::3], history(out_of("seldom"))[1:]]
for line in lines[0] + lines[1]:
    del line["residual_drop"]  # over the largest residual that was seen
check(lines[0] == lines[1], "history.csv depends on output.history_every")
walls = os.path.join(top, "walls.yaml")
with open(case) as f, open(walls, "w") as g:
    g.writelines(line.split("{")[0] + "{type: wall_viscous}\n" if "mass_flow" in line else line for line in f)
often = ["output.history_every=2", "boundaries.inlet.control_every=1"]
run(walls, options=[f"output.folder={out_of('means')}", *often])
run(walls, options=[f"output.folder={out_of('means6')}", *often, "output.history_every=6"])
same_fields(snapshot(out_of("means"), 12), snapshot(out_of("means6"), 12), "non-reflecting inlet: output.history_every")

# a restart that asks for cooling by p0 and a non-reflecting inlet anew begins with pressures and means of its flow
plain = os.path.join(top, "plain.yaml")
with open(case) as f, open(plain, "w") as g:
    g.writelines(line.split("{")[0] + "{type: wall_viscous}\n" if "mass_flow" in line else
                 line.replace(", non_reflecting: true, control_every: 3", "") for line in f)
seen = []
for start in ("1e5", "0.8e5"):
    where = out_of(f"anew{start}")
    run(plain, options=[f"output.folder={where}", "march.iterations=6"])
    far_off = [f"output.folder={where}", f"initial.p={start}", "boundaries.hub.control_every=1000",
               "boundaries.inlet.control_every=1000", "gas.mu=1.7e-5"]
    run(supply, "--restart", "latest", options=[*far_off, "march.iterations=7"])
    with h5py.File(snapshot(where, 7)) as f:
        record = bytes(f["Base/Annulus/ data"][...].astype("u1")).decode()
    control = {line.split()[3]: float.fromhex(line.split()[2]) for line in record.splitlines()
               if line.startswith("control")}
    seen.append({name: v for name, v in control.items() if name.startswith(("cooling", "inlet"))})
check(len(seen[0]) > 20, f"controls: {seen[0]}")
check(0.9e5 < seen[0]["cooling.hub.p"] < 1.2e5 and abs(seen[0]["cooling.hub.p"] - 1e5) > 10,
      f"pressure of the hub: {seen[0]['cooling.hub.p']}")
for name, v in seen[0].items():
    check(abs(seen[1][name] - v) < 1e-6 * abs(v) + 1e-3, f"{name} depends on the initial state: {v}, {seen[1][name]}")

# a converged flow: what comes in goes out, of the mesh and of the annulus; single precision near it
far = ["march.iterations=400", "march.cfl=20", "output.history_every=50", "boundaries.inlet.control_every=5"]
run(case, options=[f"output.folder={out_of('far')}", *far], timeout=200)
last = {key: float(value) for key, value in history(out_of("far"))[-1].items() if value}
check(abs(last["imbalance"]) < 1e-6 and abs(last["machine_imbalance"]) < 1e-6, f"imbalance: {last['imbalance']}")
check(abs(last["mass_in_kg_s"] * 24 / last["machine_mass_in_kg_s"] - 1) < 1e-9, "mass flow of the annulus")
check(last["machine_coolant_kg_s"] == 0.9 and last["machine_bleed_kg_s"] == 0.6, "coolant, bleed")
heat = last["machine_mass_in_kg_s"] * 1004.675 * 300
check(abs(last["machine_power_W"] - last["machine_power_walls_W"]) < 2e-4 * heat,
      f"power {last['machine_power_W']}, of walls {last['machine_power_walls_W']}")
run(walls, options=[f"output.folder={out_of('plain')}", *far], timeout=200)
plain = {key: float(value) for key, value in history(out_of("plain"))[-1].items() if value}
check(last["machine_temperature_ratio"] > plain["machine_temperature_ratio"], "coolant that is hotter heats")
run(case, options=[f"output.folder={out_of('single')}", *far, "precision=single"], timeout=200)
single = float(history(out_of("single"))[-1]["machine_mass_out_kg_s"])
check(abs(single / last["machine_mass_out_kg_s"] - 1) < 1e-4, f"single precision: {single}")

for options, words in (
        (["boundaries.hub={type: cooling, mass_flow: 1, T0: 300, mach: 0.3, direction: [0, -1, 0]}"],
         "boundary 'hub': the direction of the cooling points out of the gas on 64 of its faces"),
        (["boundaries.hub.mass_flow=0"], "'boundaries.hub.mass_flow' is 0 kg/s, but must be > 0"),
        (["boundaries.hub.mach=-1"], "'boundaries.hub.mach' is -1, but must be >= 0 and <= 3"),
        (["boundaries.hub.frame=absolut"], "absolut"),
        (["boundaries.hub.p0=1e5"], "'boundaries.hub' needs either 'mach' or 'p0'"),
        (["boundaries.hub.mach=0"], "'boundaries.hub' needs either 'mach' or 'p0'"),
        (["stop.efficiency=1e-3", "monitors.performance=off", "stop.window=8"],
         "the rule would never hold; set monitors.performance"),
        (["boundaries.casing.T0=300"], "T0")):
    r = annulus("check", case, options=options, timeout=60)
    check(r.code == INPUT and words in r.err, f"{options}: {r}")
# rules on figures that the case does not have
rest = ["stop.window=8", "stop.efficiency=1e-3", "rows.rotor.omega=0"]
r = annulus("check", case, options=rest)
check(r.code == INPUT and "'stop.efficiency': no row and no wall turns" in r.err, f"nothing turns: {r}")
# an unsteady run of the case keeps the mass flows of cooling and bleed; that of an outlet belongs to the steady march
r = annulus("check", case, options=["march.mode=unsteady", "march.iterations=4"])
check("boundaries.casing.mass_flow" not in r.err and "boundaries.hub.mass_flow" not in r.err and "is missing" not in r.err, f"{r}")
r = annulus("check", walls, options=[*rest, "boundaries.hub.omega=10"])
check(r.code == DONE, f"a wall turns: {r}")
shut = [os.path.join(top, f"shut{n}.yaml") for n in range(2)]
for n in range(2):
    with open(case) as f, open(shut[n], "w") as g:
        g.writelines(line.split("{")[0] + "{type: wall_slip}\n" if "outlet:" in line or "inlet:" in line and n else line
                     for line in f)
r = annulus("check", shut[0], options=["stop.window=8", "stop.pressure_ratio=1e-3"])
check(r.code == INPUT and "'stop.pressure_ratio' needs an inlet and an outlet" in r.err, f"one end open: {r}")
r = annulus("check", shut[1], options=["stop.window=8", "stop.mass_flow=1e-3"])
check(r.code == INPUT and "of which there are none" in r.err, f"no end open: {r}")
r = annulus("help-case", "boundaries.NAME.frame")
check("the row raises the total temperature" in " ".join(r.out.split()), f"help: {r}")

for options, words in ((["-n", "1,8"], "at least 3 sectors and 2 cells"), (["-u", "2"], "the hub has to lie below"),
                       (["-n", "a"], "expected numbers above 0"), (["-s", "24,3"], "at most 1 numbers")):
    made = subprocess.run([os.path.join(BIN, "mesh_duct"), "-o", "no.cgns", *options], capture_output=True, text=True,
                          cwd=top, timeout=60)
    check(made.returncode == 2 and words in made.stderr, f"mesh_duct {options}: {made}")
finish()
