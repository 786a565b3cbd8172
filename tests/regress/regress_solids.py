"""Solids that conduct heat beside the gas: bits on ranks and after a restart, files, figures, faults of the case.

The gas flows through a sector of an annular duct; a ring of metal lies around it, whose mesh does not match, cooled from outside.
"""
import csv
import re

from regress import *

top = folder("solids")


def duct(name, *options):
    if not tool(top, os.path.join(BIN, "mesh_duct"), "-o", name, *options):
        finish()


duct("gas.cgns", "-n", "32,16,4", "-u", "0.4", "-c", "0.5", "-l", "0.4", "-f", "1e-4", "-s", "36")
duct("ring.cgns", "-n", "13,5,3", "-u", "0.5", "-c", "0.52", "-l", "0.4", "-s", "36")
duct("away.cgns", "-n", "13,5,3", "-u", "0.55", "-c", "0.57", "-l", "0.4", "-s", "36")

RING = """case: a ring of metal around a duct
mesh: gas.cgns
precision: double
device: cpu
gas: {gamma: 1.4, R: 287.0, viscosity: sutherland}
turbulence: {model: sa}
march: {iterations: 80}
initial: {p: 1.2e5, T: 800, mach: 0.3, direction: [1, 0, 0]}
boundaries:
  inlet: {type: inlet_total, p0: 1.3e5, T0: 820, direction: [1, 0, 0]}
  outlet: {type: outlet_static, p: 1.2e5}
  hub: {type: wall_viscous}
  casing: {type: wall_viscous}
solids:
  ring: {mesh: ring.cgns, metal: astm_310}
solid_walls:
  hub: {gas: casing}
  casing: {h: 400, T: 350}
output: {folder: out, history_every: 10, keep: 0}
"""


def case_of(name, text=RING, **change):
    for old, new in change.items():
        text = re.sub(rf"^  {old}: .*$" if new else rf"^  {old}: .*\n", f"  {old}: {new}" if new else "", text, count=1, flags=re.M)
    path = os.path.join(top, f"{name}.yaml")
    with open(path, "w") as f:
        f.write(text)
    return path


def temperatures(out, iteration):
    with h5py.File(os.path.join(top, out, f"solid_{iteration:08d}.cgns"), "r") as f:
        return {zone: group["FlowSolution"]["Temperature"][" data"][()] if "FlowSolution" in group else
                next(node for key, node in group.items() if isinstance(node, h5py.Group) and "Temperature" in node)["Temperature"][" data"][()]
                for zone, group in f["Solid"].items() if isinstance(group, h5py.Group) and "GridCoordinates" in group}


case = case_of("case")
ON_RANKS = ("mpi.multigrid_levels=1", "multigrid.levels=2")
out = {}
for ranks, threads in ((1, 1), (1, 2), (2, 1), (3, 1)):
    out[ranks, threads] = f"out_{ranks}_{threads}"
    r = run(case, np=ranks, threads=threads, options=(f"output.folder={out[ranks, threads]}", "march.iterations=45", *ON_RANKS))
    if r.code != DONE:
        finish()
first = os.path.join(top, out[1, 1])
for key in list(out)[1:]:
    other = os.path.join(top, out[key])
    what = f"{key[0]} ranks of {key[1]} threads against one"
    same_fields(snapshot(first, 45), snapshot(other, 45), what)
    same_history(first, other, what)
    a, b = temperatures(out[1, 1], 45), temperatures(out[key], 45)
    check(a.keys() == b.keys() and all(a[z].tobytes() == b[z].tobytes() for z in a), f"{what}: temperatures of the solid")

# ---- what the run says of the solid
T = numpy.concatenate([v.ravel() for v in temperatures(out[1, 1], 45).values()])
check(350 < T.min() < T.max() < 820 and T.max() - T.min() > 20, f"temperatures from {T.min()} to {T.max()}")
solids = {q.get("surface"): q for q in run_json(first).get("solids", [])}
check(list(solids) == [None, "hub", "casing", "inlet", "outlet"], f"run.json: {solids}")
check(abs(solids[None]["T_min_K"] - T.min()) < 1e-6 and abs(solids[None]["T_max_K"] - T.max()) < 1e-6, f"run.json: {solids[None]}")
check(solids["hub"]["heat_W"] > 0 > solids["casing"]["heat_W"] and solids["casing"]["h_W_m2_K"] == 400, f"run.json: {solids}")
check("solid       ring: 195 cells" in r.out and "the gas at wall casing" in r.out and "W into the solid" in r.out, f"the head and the end: {r.out}")

# ---- a solid of two zones that its mesh does not list in the order of their names: the ring, and another one that the gas does not touch
if not tool(top, os.path.join(BIN, "mesh_join"), "-o", "two.cgns", "z=ring.cgns", "a=away.cgns"):
    finish()
run(case_of("two", RING.replace("ring.cgns", "two.cgns").replace("  hub: {gas", "  z_hub: {gas").replace("  casing: {h: 400, T: 350}", "  z_casing: {h: 400, T: 350}\n  a_casing: {h: 400, T: 350}")),
    options=("output.folder=out_two", "march.iterations=45", *ON_RANKS))
found = listed(os.path.join(top, "out_two", "solid_00000045.cgns"), "Solid")
check(found == listed(os.path.join(top, "two.cgns")) == ["z_duct", "a_duct"], f"zones of solid_00000045.cgns: {found}")
ring, away = (temperatures("out_two", 45)[zone] for zone in ("z_duct", "a_duct"))
check(abs(ring - temperatures(out[1, 1], 45)["duct"]).max() < 0.5 and abs(away - 350).max() < 1, f"two rings: {ring.min()} to {ring.max()}, {away.min()} to {away.max()}")

# ---- a restart goes on with the same bits, also from the middle of an exchange: those that begin at iterations 30 and 70 end three iterations later
def options_of(folder, device, *more):
    return (f"output.folder={folder}", f"device={device}", *ON_RANKS, *more)


def restarts(device, last, stops):
    """The run from 0 to `last` against runs that stop and go on; stops: iterations, each with the number of ranks of both halves."""
    whole = os.path.join(top, f"out_whole_{device}")
    run(case, options=options_of(whole, device, f"march.iterations={last}"), timeout=200)
    for at, before, after in stops:
        half = os.path.join(top, f"out_half_{device}_{at}")
        run(case, np=before, options=options_of(half, device, f"march.iterations={at}"), timeout=200)
        run(case, "--restart", "latest", np=after, options=options_of(half, device, f"march.iterations={last}"), timeout=200)
        what = f"{device}: after a restart at iteration {at}"
        same_fields(snapshot(whole, last), snapshot(half, last), what)
        a, b = temperatures(whole, last), temperatures(half, last)
        check(all(a[z].tobytes() == b[z].tobytes() for z in a), f"{what}: temperatures of the solid")
    return whole


whole = restarts("cpu", 80, ((37, 1, 1), (31, 2, 1), (72, 1, 3), (33, 1, 1)))
restarts("emulated", 28, ((12, 1, 1), (24, 1, 1)))

# ---- another mesh of the solid: its temperatures begin anew, and the run says so
duct("coarse.cgns", "-n", "13,4,3", "-u", "0.5", "-c", "0.52", "-l", "0.4", "-s", "36")
duct("longer.cgns", "-n", "13,5,3", "-u", "0.5", "-c", "0.521", "-l", "0.4", "-s", "36")
for mesh in ("coarse", "longer"):
    shutil.rmtree(os.path.join(top, "out_anew"), ignore_errors=True)
    shutil.copytree(whole, os.path.join(top, "out_anew"))
    r = run(case_of("anew", RING.replace("ring.cgns", f"{mesh}.cgns")), "--restart", "latest", options=("output.folder=out_anew", "march.iterations=82", "multigrid.levels=2"))
    check("had no temperatures of solid 'ring' on this mesh" in r.out + r.err and "still have the temperatures of the start" in r.out + r.err, f"another mesh of the solid: {r}")

# ---- settled: the heat of both sides is the same
r = run(case, timeout=200, options=("output.folder=out_long", "march.iterations=900", "march.residual_drop=1e-7"))
solids = {q.get("surface"): q for q in run_json(os.path.join(top, "out_long"))["solids"]}
walls = {w["name"]: w for w in run_json(os.path.join(top, "out_long"))["walls"]}
check("converged" in r.out and "still change" not in r.out + r.err, f"settled: {r}")
check(abs(solids[None]["heat_W"]) < 1e-5 * solids["hub"]["heat_W"], f"heat of all surfaces: {solids}")
check(abs(walls["casing"]["heat"] / solids["hub"]["heat_W"] - 1) < 1e-5, f"heat of the gas {walls['casing']} and of the solid {solids['hub']}")
check(solids["casing"]["T_mean_K"] < solids["hub"]["T_mean_K"] < 820, f"temperatures: {solids}")

# ---- the emulated engine agrees
c = run(case, options=("output.folder=out_cpu", "march.iterations=28", *ON_RANKS))
a, b = temperatures("out_whole_emulated", 28), temperatures("out_cpu", 28)
check(all(abs(a[z] - b[z]).max() < 1e-6 for z in a) and max(numpy.ptp(a[z]) for z in a) > 1, "temperatures on the emulated engine")

# ---- tables: history.csv, the map of a line, a list of cases
last = history(os.path.join(top, "out_long"))[-1]
check(abs(float(last["ring_T_max_K"]) - solids[None]["T_max_K"]) < 0.01 and abs(float(last["ring_gas_heat_W"]) / solids["hub"]["heat_W"] - 1) < 1e-5, f"history.csv: {last}")
MAP = """map: {values: [1.2e5], iterations: 20}
multigrid: {levels: 2}
"""
with open(os.path.join(top, "list.csv"), "w") as f:
    f.write(f"name,case,command\nring,{case_of('map', RING + MAP)},map\n")
shutil.rmtree(os.path.join(top, "list"), ignore_errors=True)
if not tool(top, sys.executable, "-B", os.path.join(SOURCE, "tools", "plot"), "batch", "list.csv", "--program", os.path.join(BIN, "annulus")):
    finish()
points, cases = (list(csv.DictReader(open(os.path.join(top, "list", name)))) for name in (os.path.join("ring", "map.csv"), "batch.csv"))
last = history(os.path.join(top, "list", "ring"))[-1]
for column in ("T_max_K", "gas_heat_W"):
    values = [float(point["metal_" + column]) for point in (points[-1], cases[0])] + [float(last["ring_" + column])]
    check(values[0] == values[2] and abs(values[1] / values[0] - 1) < 1e-9, f"{column} of map.csv, batch.csv and history.csv: {values}")
check(points[-1]["speed"] == "1", f"map.csv: {points}")

# ---- an unsteady run keeps the temperatures
unsteady = ("output.folder=out_long", "march.mode=unsteady", "march.method=dual", "march.time_step=1e-5", "march.iterations=905", "march.residual_drop=0")
begin = int(re.findall(r"flow_(\d+)\.cgns", " ".join(sorted(os.listdir(os.path.join(top, "out_long")))))[-1])
for folder in [f"out_store_{ranks}" for ranks in (1, 2, 3)] + ["out_store_half"]:
    shutil.rmtree(os.path.join(top, folder), ignore_errors=True)
    shutil.copytree(os.path.join(top, "out_long"), os.path.join(top, folder))
r = run(case, "--restart", "latest", options=unsteady[:-2] + (f"march.iterations={begin + 3}", "march.residual_drop=0"))
a, b = temperatures("out_long", begin), temperatures("out_long", begin + 3)
check(all(a[z].tobytes() == b[z].tobytes() for z in a), "an unsteady run changed the solid")
r = run(case, options=("output.folder=out_new",) + unsteady[1:4] + ("march.iterations=3",), expect=INPUT)
check("without 'rho' and 'cp' keeps the temperatures of a steady run" in r.err, f"an unsteady run from nothing: {r}")

# ---- an unsteady run whose ring stores heat, from the moment at which its coolant becomes colder
def store(folder, steps, np=1):
    return run(case, "--restart", "latest", np=np, options=(f"output.folder={folder}",) + unsteady[1:4] + ON_RANKS + (
        f"march.iterations={begin + steps}", "solids.ring.rho=7900", "solids.ring.cp=500", "solid_walls.casing.T=250"))


for ranks in (1, 2, 3):
    r = store(f"out_store_{ranks}", 4, ranks)
store("out_store_half", 2)
store("out_store_half", 4)
one = temperatures("out_store_1", begin + 4)
for folder in ("out_store_2", "out_store_3", "out_store_half"):
    same_fields(snapshot(os.path.join(top, "out_store_1"), begin + 4), snapshot(os.path.join(top, folder), begin + 4), f"a ring that stores heat, {folder}")
    b = temperatures(folder, begin + 4)
    check(all(one[z].tobytes() == b[z].tobytes() for z in one), f"temperatures of a ring that stores heat, {folder}")
fall = max((a[z] - one[z]).max() for z in one)
rise = 400 * 100 * 4e-5 / (7900 * 500 * 0.002)  # of the outermost nodes: h dT t over the heat of half a cell, 0.02 m / 5 / 2
check(0.8 * rise < fall < 1.2 * rise, f"a ring that stores heat cools by {fall} K, {rise} K expected")
scale = 7900 * 500 * 0.01**2 / (6.811 + 0.020176 * 525)  # V / A: half of the thickness of the ring
said = [float(x) for x in re.findall(r"heat takes about (\S+) s to pass through it", r.out)]
check(len(said) >= 2 and abs(said[0] / scale - 1) < 0.01 and all(0.8 < x / scale < 1.25 for x in said), f"time of heat through the ring: {said}, {scale} expected")
check("stores heat: 3.95e+06 J/(m3 K)" in r.out and "but the run has covered only 4e-05 s" in r.out + r.err, f"a ring that stores heat: {r}")

# ---- gas and metal in one file, with a zone of more nodes than are kept in memory: it is read again after the metal
if tool(top, os.path.join(BIN, "mesh_cascade"), os.path.join(SOURCE, "cases", "ls89", "blade_points.dat"), "--solid", "--pitch", "0.0575", "--span", "0.005",
        "--rans", "--around", "576", "-o", "vane.cgns"):
    r = annulus("init", os.path.join(top, "vane.cgns"), "-o", os.path.join(top, "vane.yaml"))
    r = run(os.path.join(top, "vane.yaml"), options=("output.folder=out_vane", "march.iterations=2", "multigrid.levels=1", "stop.mass_flow=0", "stop.pressure_ratio=0"), timeout=120)
    check("the gas at wall blade" in r.out, f"a vane from init: {r}")

# ---- faults of the case
faults_of = (
    ("no metal", RING.replace(", metal: astm_310", ""), "'solids.ring' needs either 'metal' or 'conductivity'"),
    ("unknown metal", RING.replace("astm_310", "unobtainium"), "there is no metal 'unobtainium'; known: astm_310, hastelloy_x, inconel_718"),
    ("no conductivity", RING.replace("metal: astm_310", "conductivity: [5, -0.01]"), "the conductivity is"),
    ("range", RING.replace("metal: astm_310", "conductivity: [5], T_range: [900, 300]"), "T_range' must be two temperatures"),
    ("no cp", RING.replace("astm_310", "astm_310, rho: 7900"), "'solids.ring.rho' needs 'cp', too"),
    ("cp 0", RING.replace("astm_310", "astm_310, rho: 7900, cp: 0"), "'solids.ring.cp' is 0 J/(kg K), but must be > 0"),
    ("explicit", RING.replace("astm_310", "astm_310, rho: 7900, cp: 500").replace("iterations: 80", "iterations: 80, mode: unsteady, method: runge_kutta"),
     "a solid with 'rho' and 'cp' needs 'march.method: dual'"),
    ("no mesh", RING.replace("ring.cgns", "rings.cgns"), "'solids.ring'"),
    ("no base", RING.replace("mesh: ring.cgns, ", ""), "'solids.ring': "), ("no base named", RING.replace("mesh: ring.cgns, ", ""), "gas.cgns has no base 'Solid', but 'Base'"),
    ("two ways", RING.replace("{gas: casing}", "{gas: casing, heat_flux: 3}"), "'solid_walls.hub' needs one of"),
    ("h 0", RING.replace("{h: 400, T: 350}", "{h: 0, T: 350}"), "'solid_walls.casing.h' must be above 0"),
    ("mass flow 0", RING.replace("{h: 400, T: 350}", "{mass_flow: 0, T: 350}"), "'solid_walls.casing.mass_flow' must be above 0"),
    ("direction", RING.replace("{h: 400, T: 350}", "{h: 400, T: 350, direction: [1, 0, 0]}"), "direction' needs 'mass_flow'"),
    ("no gas there", RING.replace("  hub: {gas: casing}", "  hub: {gas: casing}\n  inlet: {gas: casing}"), "no part of the wall 'casing' of the gas lies on boundary 'inlet'"),
    ("no T", RING.replace("{h: 400, T: 350}", "{h: 400}"), "needs 'T', the temperature of the coolant"),
    ("no such wall", RING.replace("{gas: casing}", "{gas: shroud}"), "the mesh has no boundary 'shroud'"),
    ("not viscous", RING.replace("  casing: {type: wall_viscous}", "  casing: {type: wall_slip}"), "is not a viscous wall"),
    ("temperature", RING.replace("  casing: {type: wall_viscous}", "  casing: {type: wall_viscous, T: 500}"), "has a temperature or a heat flux of its own"),
    ("profile", RING.replace("  casing: {type: wall_viscous}", "  casing: {type: wall_viscous, profile: wall.csv}"), "has a temperature or a heat flux of its own"),
    ("apart", RING.replace("ring.cgns", "away.cgns"), "do not meet: 0.05"),
    ("two solids", RING.replace("solids:\n", "solids:\n  other: {mesh: longer.cgns, metal: astm_310}\n"), "the wall 'casing' of the gas touches two solids, 'other' and 'ring'"),
    ("no surface", RING.replace("  casing: {h: 400, T: 350}", "  case: {h: 400, T: 350}"), "'solid_walls.case' matches no boundary of a solid"),
    ("no level", RING.replace("  hub: {gas: casing}", "  hub: {heat_flux: 5}").replace("  casing: {h: 400, T: 350}\n", ""), "nothing gives it a temperature"),
    ("no solids", RING.replace("solids:\n  ring: {mesh: ring.cgns, metal: astm_310}\n", ""), "'solid_walls' needs 'solids'"),
)
for name, text, message in faults_of:
    r = annulus("run", case_of("fault", text), np=2 if name == "apart" else 1, options=("output.folder=out_fault",))
    check(r.code == INPUT and message in r.err, f"{name}: '{message}' expected: {r}")

# ---- no heat passes a surface with a heat flux of 0; a file of its own with a base Solid has the metal there
r = run(case_of("shut", RING.replace("  casing: {h: 400, T: 350}", "  casing: {h: 400, T: 350}\n  outlet: {heat_flux: 0}")),
        options=("output.folder=out_shut", "march.iterations=2", "multigrid.levels=2"))
r = run(case_of("own", RING.replace(
    "{mesh: ring.cgns, metal", "{mesh: vane.cgns, metal").replace("  hub: {gas: casing}", "  blade_metal: {T: 600}").replace("  casing: {h: 400, T: 350}\n", "")),
        options=("output.folder=out_own", "march.iterations=2", "multigrid.levels=2"))
check("blade_metal" in r.out and "touches the gas nowhere" in r.out + r.err, f"the base Solid of another file: {r}")

# ---- weak cooling: no temperature leaves the range of gas and coolants, with its margin
r = run(case_of("weak", RING.replace("h: 400", "h: 4").replace("iterations: 80", "iterations: 20")), options=("output.folder=out_weak", "multigrid.levels=2", "output.every=10"))
for n in (10, 20):
    T = numpy.concatenate([v.ravel() for v in temperatures("out_weak", n).values()])
    check(0.8 * 350 - 1e-6 <= T.min() and T.max() <= 1.25 * 820 + 1e-6, f"temperatures from {T.min()} to {T.max()} K after {n} iterations")

# ---- doubts
r = run(case_of("doubt", RING.replace("metal: astm_310", "conductivity: [10, 0.01], T_range: [500, 600]").replace("T: 350}", "T: 900}")),
        options=("output.folder=out_doubt", "march.iterations=30"))
r2 = run(case_of("celsius", RING.replace("T: 350}", "T: 160}")), options=("output.folder=out_celsius", "march.iterations=12", "multigrid.levels=2"))
check("if it is in degrees Celsius, give 433.15" in r2.out + r2.err, f"degrees Celsius: {r2}")
r2 = annulus("check", os.path.join(top, "celsius.yaml"))
check("solid_walls.casing.T is 0.195 times the highest temperature of the gas: 160 K beside 820 K" in r2.out + r2.err,
      f"check of a coolant: {r2}")
r2 = run(case_of("held", RING.replace("  casing: {h: 400, T: 350}", '  "cas*": {h: 400, T: 350}\n  casing: {T: 500}')), options=("output.folder=out_held", "march.iterations=12", "multigrid.levels=2"))
check("holds 'casing' at 500 K, in place of the coolant of 'cas*'" in r2.out + r2.err, f"a held surface: {r2}")
r2 = run(case_of("uneven", RING.replace("metal: astm_310", "conductivity: [0.002]")), options=("output.folder=out_uneven", "march.iterations=190", "multigrid.levels=2"))
check("solid 'ring' has not settled: the heat of its surfaces adds up to" in r2.out + r2.err, f"a solid that has not settled: {r2}")
for message in ("the highest temperature of the gas: 900 K beside 820 K", "its conductivity is known from 500 to 600 K only", "still change"):
    check(message in r.out + r.err, f"'{message}' expected: {r}")
finish()
