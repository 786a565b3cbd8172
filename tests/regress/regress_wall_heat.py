"""Walls with a profile of their temperature or heat flux: each face has the value of the file at its own centre.

The vane with a viscous blade: wall files against the interpolation in Python; the same bits on one, two and three
ranks, and after a restart; a warning where the wall reaches beyond the data; one error for each fault of the input.
"""
import csv
import os

from regress import *

N = 12
top = folder("wall_heat")
case = write_case(top)
VISCOUS = ["gas={viscosity: sutherland, mu: 1e-3}", f"march.iterations={N}", "multigrid.levels=1"]


def options(profile, out, *more):
    return VISCOUS + [f"boundaries.blade={{type: wall_viscous, profile: {profile}}}", f"output.folder={out}", *more]


def write(name, text):
    path = os.path.join(top, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def faces(path):
    """Centres of the faces [n, 3] and values of a field of a wall file: {'name': [n]}."""
    centre, found = [], {}
    with h5py.File(path, "r") as f:
        for zone in f["Base"].values():
            if not isinstance(zone, h5py.Group) or "GridCoordinates" not in zone:
                continue
            x = numpy.array([zone["GridCoordinates"]["Coordinate" + c][" data"][()] for c in "XYZ"])
            x = 0.25 * (x[:, 1:, 1:] + x[:, :-1, 1:] + x[:, 1:, :-1] + x[:, :-1, :-1])
            centre.append(x.reshape(3, -1).T)
            for name, data in zone["FlowSolution"].items():
                if isinstance(data, h5py.Group) and " data" in data:
                    found.setdefault(name, []).append(data[" data"][()].ravel())
    return numpy.concatenate(centre), {name: numpy.concatenate(v) for name, v in found.items()}


def wall_file(out, iteration=N):
    return os.path.join(out, f"wall_{iteration:08d}.cgns")


def near(a, b, tolerance, what):
    check(len(a) == len(b) and numpy.abs(a - b).max() <= tolerance, f"{what}: {numpy.abs(a - b).max()}")


# by x: the temperature of the wall in the files is that of the profile
out = os.path.join(top, "x")
run(case, options=options(write("blank.csv", "x_m,T_K\n-10,350\n10,350\n"), out, "march.iterations=1"))
centre, _ = faces(wall_file(out, 1))
x = centre[:, 0]
least, most = x.min(), x.max()
at = numpy.linspace(least, most, 7)
T = 350 + 40 * numpy.sin(numpy.arange(7.0))
by_x = write("x.csv", "x_mm,T_C\n" + "".join(f"{1000 * a:.12g},{t - 273.15:.12g}\n" for a, t in zip(at, T)))
outs = {}
for np in (1, 2, 3):
    outs[np] = os.path.join(top, f"x_{np}")
    r = run(case, np=np, options=options(by_x, outs[np]))
    check("profile     blade:" in r.out and "7 lines by x, T (K)" in r.out, f"{r}")
    check("lies outside" not in r.out + r.err, f"{r}")
centre, values = faces(wall_file(outs[1]))
near(values["TemperatureWall"], numpy.interp(centre[:, 0], at, T), 1e-9, "temperature by x")
for np in (2, 3):
    same_fields(wall_file(outs[1]), wall_file(outs[np]), f"{np} ranks against one")
    same_fields(snapshot(outs[1], N), snapshot(outs[np], N), f"{np} ranks against one")

# a restart goes on with the same bits
out = os.path.join(top, "restart")
run(case, options=options(by_x, out, f"march.iterations={N // 2}"))
run(case, "--restart", "latest", np=2, options=options(by_x, out))
same_fields(snapshot(outs[1], N), snapshot(out, N), "restart")
same_fields(wall_file(outs[1]), wall_file(out), "walls after a restart")

# by side: the arc length over that of the side, from the foremost to the rearmost node of the blade
with h5py.File(wall_file(outs[1]), "r") as f:
    zones = [z for z in f["Base"].values() if isinstance(z, h5py.Group) and "GridCoordinates" in z]
    check(len(zones) == 1, f"{len(zones)} patches")
    node = numpy.array([zones[0]["GridCoordinates"]["Coordinate" + c][" data"][()] for c in "XY"])
node = node[:, 0, :].T if node.shape[1] < node.shape[2] else node[:, :, 0].T
node = node[:-1]  # closed
front, rear = node[:, 0].argmin(), node[:, 0].argmax()
sides = []
for step in (1, -1):
    order = [front]
    while order[-1] != rear:
        order.append((order[-1] + step) % len(node))
    p = node[order]
    s = numpy.concatenate([[0], numpy.cumsum(numpy.hypot(*numpy.diff(p, axis=0).T))])
    sides.append((s[-1], p, s))
sides.sort(key=lambda q: -q[0])  # the suction side is the longer one here
arc = numpy.linspace(0, 1, 9)
by_side = [T[:1].repeat(9) + 30 * numpy.cos(5 * arc), 320 + 50 * arc]


def lines(name, at):
    return f"side,{name},T_K\n" + "".join(f"{side},{a:.15g},{t:.15g}\n" for side, place, values in
                                          zip(("suction", "pressure"), at, by_side) for a, t in zip(place, values))


files = {"arc": lines("arc", [arc, arc]), "arc_mm": lines("arc_mm", [1000 * arc * q[0] for q in sides]),
         "axial_chord": lines("axial_chord", [arc, arc])}
for name, text in files.items():
    for np in (1, 2, 3):
        outs[np] = os.path.join(top, f"{name}_{np}")
        r = run(case, np=np, options=options(write(name + ".csv", text), outs[np]))
        check("of each side, T (K)" in r.out and "outside" not in r.out + r.err, f"{r}")
    for np in (2, 3):
        same_fields(wall_file(outs[1]), wall_file(outs[np]), f"{name}, {np} ranks against one")
    centre, values = faces(wall_file(outs[1]))
    arcs = values["ArcLength"]
    found = 0
    for (length, p, s), want in zip(sides, by_side):
        for m in range(len(p) - 1):
            middle = 0.5 * (p[m] + p[m + 1])
            here = numpy.hypot(*(centre[:, :2] - middle).T) < 1e-9
            at = ((middle[0] - node[front, 0]) / (node[rear, 0] - node[front, 0]) if name == "axial_chord"
                  else 0.5 * (s[m] + s[m + 1]) / length)
            found += here.sum()
            sign = 1 if length == sides[0][0] else -1
            near(arcs[here], numpy.full(here.sum(), sign * 0.5 * (s[m] + s[m + 1])), 1e-9, "ArcLength")
            near(values["TemperatureWall"][here], numpy.full(here.sum(), numpy.interp(at, arc, want)), 1e-7,
                 f"temperature by {name}")
    check(found == len(centre), f"{found} of {len(centre)} faces by {name}")
r = run(case, options=options(write("span.csv", files["arc"].replace("arc,", "span,arc,").replace(
    "\nsuction", "\nsuction,0.5").replace("\npressure", "\npressure,0.5")), os.path.join(top, "span")))
same_fields(wall_file(os.path.join(top, "arc_1")), wall_file(os.path.join(top, "span")), "one span against none")

# the heat flux of a profile goes into the gas, the one of the files into the wall; half of the wall has no data
out = os.path.join(top, "flux")
half = 0.5 * (least + most)
r = run(case, options=options(write("flux.csv", f"x_m,heat_flux_W_m2\n{least - 1},500\n{half},500\n"), out))
centre, values = faces(wall_file(out))
near(values["WallHeatFlux"], numpy.full(len(centre), -500.0), 1e-6 * 500, "heat flux")
check("64.1 % of the area of the wall lies outside the places of the file" in r.out + r.err, f"no warning: {r}")
r = annulus("check", case, options=options(write("far.csv", f"x_m,T_K\n{most + 1},300\n{most + 2},310\n"), os.path.join(top, "far")))
check(r.code == INPUT and "100 % of the area of the wall lies outside" in r.err, f"nothing of the wall: {r}")
r = annulus("check", case, options=options(write("other.csv", lines("arc_m", [1.3 * arc * q[0] for q in sides])), os.path.join(top, "far")))
check(r.code == DONE and "reach to 1.3 times the length of their side" in r.out + r.err, f"another blade: {r}")

# heat transfer coefficient and Stanton number, by each reference; CASE: T0 420 K, p0 1.596e5 Pa, outlet 0.8235e5 Pa
HOT = [*VISCOUS, "boundaries.blade={type: wall_viscous, T: 300}"]
adiabatic = os.path.join(top, "adiabatic")
r = run(case, options=[*VISCOUS, "boundaries.blade={type: wall_viscous}", f"output.folder={adiabatic}"])
_, cool = faces(wall_file(adiabatic))
check("HeatTransferCoefficient" not in cool and "coefficient h of" not in r.out, "adiabatic walls have no coefficient")
R, gamma = 287.0, 1.4
cp = gamma * R / (gamma - 1)
edge = 420 * (0.8235e5 / 1.596e5) ** (1 - 1 / gamma)
flux = 0.8235e5 / (R * edge) * numpy.sqrt(2 * cp * (420 - edge)) * cp
for name, value, says in ((None, None, "420 K, T0 of inlet 'inlet'"), ("T0_inlet", None, "420 K, T0 of inlet"), ("176.85 degC", 450, "450 K"),
                          ("recovery", None, "the recovery temperature, by T0 420 K"),
                          (wall_file(adiabatic), cool["TemperatureWall"], "the adiabatic wall temperatures of")):
    out = os.path.join(top, "reference")
    r = run(case, np=2, options=[*HOT, f"output.folder={out}"] + ([f"output.heat_reference={name}"] if name else []))
    check(f"heat        coefficient h of wall files: by {says}" in r.out and "rho u cp =" in r.out, f"{name}: {r}")
    _, v = faces(wall_file(out))
    T = 420 if value is None else value
    if name == "recovery":
        outside = 420 * (numpy.minimum(v["Pressure"], 1.596e5) / 1.596e5) ** (1 - 1 / gamma)
        T = outside + 0.72 ** (1 / 3) * (420 - outside)
    want = v["WallHeatFlux"] / (T - v["TemperatureWall"])
    near(v["HeatTransferCoefficient"], want, 1e-9 * numpy.abs(want).max(), f"coefficient by {name}")
    near(v["StantonNumber"], want / flux, 1e-6 * numpy.abs(want).max() / flux, f"Stanton number by {name}")
for name, message in (("-3", "'output.heat_reference' is -3 K, but must be > 0"), ("nowhere.cgns", "nowhere.cgns cannot be read as"),
                      (snapshot(adiabatic, N), "has no patch 'blade.blade_o'")):
    r = annulus("run", case, options=[*HOT, f"output.heat_reference={name}", f"output.folder={top}/bad"])
    check(r.code == 2 and message in r.err, f"{name}: {r}")

# a uniform profile gives the bits of the key T, with the other keys of the wall
both = []
for key in ("profile: blank.csv", "T: 350"):
    both.append(os.path.join(top, key[0]))
    run(case, options=VISCOUS + [f"boundaries.blade={{type: wall_viscous, velocity: [0, 0, 40], {key}}}",
                                 f"output.folder={both[-1]}"])
same_fields(*(snapshot(out, N) for out in both), "profile of one value against T")

# faults
for text, message in (("x_m,T_K\n0,300\n", "at least two lines"),
                      ("side,arc,T_K\nsuction,0,300\npressure,2,300\n", ":3:10: arc is 2, but must be"),
                      ("x_m,T_K\n0,300\n1,-1\n", ":3:3: T is -1 K, but must be above 0")):
    bad = write("bad.csv", text)
    r = annulus("check", case, options=options(bad, top))
    check(r.code == 2 and f"{bad}" in r.err and message in r.err, f"{message}: {r}")
r = annulus("check", case, options=VISCOUS + [f"boundaries.hub={{type: wall_viscous, profile: {top}/arc.csv}}"])
check(r.code == 2 and "arc.csv: wall 'hub' has no places by axial_chord, arc, side or span: the wall" in r.err, f"{r}")
finish()
