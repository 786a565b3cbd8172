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

# the heat flux of a profile goes into the gas, the one of the files into the wall; half of the wall has no data
out = os.path.join(top, "flux")
half = 0.5 * (least + most)
r = run(case, options=options(write("flux.csv", f"x_m,heat_flux_W_m2\n{least - 1},500\n{half},500\n"), out))
centre, values = faces(wall_file(out))
near(values["WallHeatFlux"], numpy.full(len(centre), -500.0), 1e-6 * 500, "heat flux")
check("of the area of the wall lies outside the places of the file" in r.out + r.err, f"no warning: {r}")

# a uniform profile gives the bits of the key T, with the other keys of the wall
both = []
for key in ("profile: blank.csv", "T: 350"):
    both.append(os.path.join(top, key[0]))
    run(case, options=VISCOUS + [f"boundaries.blade={{type: wall_viscous, velocity: [0, 0, 40], {key}}}",
                                 f"output.folder={both[-1]}"])
same_fields(*(snapshot(out, N) for out in both), "profile of one value against T")

# faults
for text, message in (("x_m,T_K\n0,300\n", "at least two lines"),
                      ("x_m,T_K\n0,300\n1,-1\n", ":3:3: T is -1 K, but must be above 0")):
    bad = write("bad.csv", text)
    r = annulus("check", case, options=options(bad, top))
    check(r.code == 2 and f"{bad}" in r.err and message in r.err, f"{message}: {r}")
finish()
