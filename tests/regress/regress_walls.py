"""What a viscous run says of its walls: wall files, history.csv, run.json and the table at the end.

The vane with a viscous blade: the same bits on one and on four ranks, which cut it, no error of cgnscheck, sums of
the file's fields = those told, forces.csv the same as history.csv, tidied with the snapshots, set aside and continued by a restart.
"""
import csv
import os
import shutil
import subprocess

from regress import *

N = 20
VISCOUS = ["gas={viscosity: sutherland, mu: 1e-3}", "march.method=runge_kutta", "march.cfl=1",
           f"march.iterations={N}", "boundaries.blade={type: wall_viscous, T: 300}", "output.wall_forces=true"]
WALL = ["wall_force_x_N", "wall_force_y_N", "wall_force_z_N", "wall_friction_x_N",
        "wall_friction_y_N", "wall_friction_z_N", "wall_torque_Nm", "wall_heat_W", "wall_yplus_max"]

top = folder("walls")
case = write_case(top)


def wall_file(out, iteration=N):
    return os.path.join(out, f"wall_{iteration:08d}.cgns")


def areas(path):
    """{'zone': area vectors [3, nj, ni]} of the faces, and their centres."""
    found = {}
    with h5py.File(path, "r") as f:
        for name, zone in f["Base"].items():
            if not isinstance(zone, h5py.Group) or "GridCoordinates" not in zone:
                continue
            x = numpy.array([zone["GridCoordinates"]["Coordinate" + c][" data"][()] for c in "XYZ"])
            a, b = x[:, 1:, 1:] - x[:, :-1, :-1], x[:, 1:, :-1] - x[:, :-1, 1:]
            found[name] = 0.5 * numpy.cross(a, b, axis=0)
    return found


def table(out):
    with open(os.path.join(out, "forces.csv")) as f:
        return f.read()


outs = {}
for precision in ("double", "single"):
    for np in (1, 4):
        out = outs[precision, np] = os.path.join(top, f"{precision}_{np}")
        r = run(case, np=np, options=VISCOUS + [f"precision={precision}", f"output.folder={out}"])
        check("\nwall  " in r.out and "\nblade " in r.out, f"no table of walls: {r}")
    what = f"{precision}, four ranks against one"
    check(table(outs[precision, 1]) == table(outs[precision, 4]), f"{what}: forces.csv")
    if same_fields(wall_file(outs[precision, 1]), wall_file(outs[precision, 4]), what):
        same_history(outs[precision, 1], outs[precision, 4], what)
        check(run_json(outs[precision, 1])["walls"] == run_json(outs[precision, 4])["walls"],
              f"{what}: run.json")

out = outs["double", 1]
values, area = fields(wall_file(out)), areas(wall_file(out))
want = {"Pressure", "SkinFrictionX", "SkinFrictionY", "SkinFrictionZ", "SkinFrictionMagnitude",
        "WallHeatFlux", "TemperatureWall", "YPlus", "HeatTransferCoefficient", "StantonNumber"}
check({n.split("/")[1] for n in values} == want, f"fields {sorted(values)}")
wall, last = run_json(out)["walls"][0], history(out)[-1]
check(len(run_json(out)["walls"]) == 1 and wall["name"] == "blade", f"run.json: {wall}")


def integral(name, scale=True):
    return sum((values[f"{z}/{name}"] * (numpy.linalg.norm(a, axis=0) if scale else a)).sum(
        axis=(-2, -1)) for z, a in area.items())


def near(a, b, scale, what, tolerance=1e-6):
    check(abs(a - b) <= tolerance * scale, f"{what}: {a} and {b}")


told = sum(numpy.linalg.norm(a, axis=0).sum() for a in area.values())
near(wall["area"], told, told, "area")
near(wall["friction"][0], integral("SkinFrictionX"), abs(wall["friction"][0]), "friction")
near(wall["heat"], integral("WallHeatFlux"), abs(wall["heat"]), "heat")
near(wall["yplus_max"], max(v.max() for n, v in values.items() if n.endswith("YPlus")),
     wall["yplus_max"], "y+")
for n, v in values.items():
    if n.endswith("TemperatureWall"):
        check(abs(v - 300).max() < 1e-9, f"{n} from {v.min()} to {v.max()}, not 300")
pressure = integral("Pressure", scale=False)
turned = 1 if pressure[1] * wall["force"][1] > 0 else -1  # patches have no side
for c in range(2):
    near(wall["force"][c] - wall["friction"][c], turned * pressure[c],
         numpy.abs(pressure).max(), f"pressure force {c}")
check(wall["heat"] < 0 or wall["heat"] > 0, "no heat: no proof")
told = wall["force"] + wall["friction"] + [wall["torque_x"], wall["heat"], wall["yplus_max"]]
for name, v in zip(WALL, told):
    near(float(last[name]), v, max(abs(v), 1e-12), name, 1e-9)

# forces.csv: a line for each of history.csv, with the same figures of the only wall
lines = list(csv.DictReader(table(out).splitlines()))
check([q["iteration"] for q in lines] == [q["iteration"] for q in history(out)], f"lines of forces.csv: {lines}")
for q, h in zip(lines, history(out)):
    check(q["time_s"] == "0" and q["blade_power_W"] in ("0", "-0"), f"steady, at rest: {q}")
    for name in WALL[:8]:
        near(float(q[name.replace("wall", "blade")]), float(h[name]), abs(float(h[name])), name, 1e-8)

if shutil.which("cgnscheck"):
    r = subprocess.run(["cgnscheck", "-w2", wall_file(out)], capture_output=True, text=True,
                       timeout=60)
    check(r.returncode == 0 and "ERROR" not in r.stdout + r.stderr, f"cgnscheck: {r.stdout[-800:]}")

# the distance from the walls, without a turbulence model and without viscosity
LENGTH = "/TurbulentDistance"
found = {}
for kind, options in (("laminar", VISCOUS), ("inviscid", ["march.iterations=2"])):
    for np in (1, 2):
        away = os.path.join(top, f"{kind}_{np}")
        names = "[TurbulentDistance, YPlus, Entropy, Mach]" if kind == "laminar" else "[TurbulentDistance]"
        run(case, np=np, options=options + [f"output.folder={away}", f"output.fields={names}"])
        found[kind, np] = snapshot(away, N if kind == "laminar" else 2)
    same_fields(found[kind, 1], found[kind, 2], f"{kind}, two ranks against one, fields of walls")
    distance = {n: v for n, v in fields(found[kind, 1]).items() if n.endswith(LENGTH)}
    check(distance and all(0 < v.min() and v.max() < 10 for v in distance.values()),
          f"{kind}: distance from the walls: {[(v.min(), v.max()) for v in distance.values()]}")

first = max(v.max() for n, v in values.items() if n.endswith("YPlus"))
whole = max(v.max() for n, v in fields(found["laminar", 1]).items() if n.endswith("/YPlus"))
check(whole > first > 0, f"y+ of all cells up to {whole}, of the walls up to {first}")
same_fields(wall_file(outs["double", 1]), wall_file(os.path.join(top, "laminar_1")), "walls with a field y+")
plain = fields(snapshot(outs["double", 1], N))
for n, v in fields(found["laminar", 1]).items():
    check(n not in plain or (v == plain[n]).all(), f"{n} differs in a run that writes y+")

# as many wall files as snapshots; a restart goes on with the same bits and sets later ones aside
halves = os.path.join(top, "halves")
few = [f"output.folder={halves}", "output.every=4", "output.keep=2"]
run(case, options=VISCOUS + few)
names = sorted(n for n in os.listdir(halves) if n.startswith("wall_"))
check(names == ["wall_00000016.cgns", "wall_00000020.cgns"], f"keep 2: {names}")
check(table(halves) == table(outs["double", 1]), "forces.csv of a run with more snapshots")
os.rename(wall_file(halves), os.path.join(top, "whole.cgns"))
shutil.copy(wall_file(halves, 16), wall_file(halves, 18))
run(case, "--restart", snapshot(halves, 16), np=2, options=VISCOUS + few)
names = sorted(n for n in os.listdir(halves) if n.startswith("wall_"))
check(names == ["wall_00000016.cgns", "wall_00000018.cgns.old", "wall_00000020.cgns"],
      f"restart: {names}")
same_fields(os.path.join(top, "whole.cgns"), wall_file(halves), "restart")
check(table(halves) == table(outs["double", 1]), "forces.csv after a restart")

# written by the thread that writes the snapshot
thread = ["output.background=yes", "output.every=4", "output.keep=0"]
for np in (1, 2):
    back = os.path.join(top, f"back_{np}")
    run(case, np=np, options=VISCOUS + thread + [f"output.folder={back}"])
    same_fields(wall_file(outs["double", 1]), wall_file(back), f"walls in the background, {np} ranks")
    same_fields(wall_file(os.path.join(top, "back_1"), 12), wall_file(back, 12), f"an earlier file, {np} ranks")

# not asked for, or nothing to tell
quiet = os.path.join(top, "quiet")
run(case, options=VISCOUS + [f"output.folder={quiet}", "output.walls=false"])
check(not os.path.exists(wall_file(quiet)), "output.walls: false")
check(run_json(quiet)["walls"] == run_json(out)["walls"], "output.walls: false: run.json")
inviscid = os.path.join(top, "inviscid")
r = run(case, options=["output.wall_forces=true", "gas.viscosity=sutherland", "march.iterations=1"], expect=INPUT)
check("'output.wall_forces' needs viscous walls" in r.err, f"forces without viscous walls: {r}")
run(case, options=[f"output.folder={inviscid}", "march.iterations=2"])
check(not os.path.exists(wall_file(inviscid, 2)), "a wall file of an inviscid run")
wall, last = run_json(inviscid)["walls"][0], history(inviscid)[-1]
check(len(run_json(inviscid)["walls"]) == 1 and wall["name"] == "blade", f"slip walls in run.json: {wall}")
check(wall["yplus_max"] is None and last[WALL[-1]] == "", f"y+ of a slip wall: {wall}")
told = wall["force"] + wall["friction"] + [wall["torque_x"], wall["heat"]]
for name, v in zip(WALL, told):
    near(float(last[name]), v, max(abs(v), 1e-12), f"slip walls: {name}", 1e-9)
turn = float(last["machine_force_axial_N_m"]) / float(last["machine_force_tangential_N_m"])
near(wall["force"][0] / wall["force"][1], turn, abs(turn), "direction of the force on a slip wall", 1e-9)
r = annulus("run", case, options=["output.walls=true"])
check(r.code == INPUT and "'output.walls' needs viscous flow" in r.err, f"inviscid: {r}")
finish()
