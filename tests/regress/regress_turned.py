"""Zones with one cell in their first direction: the program turns them so that this direction comes last, and nobody sees
it but by the time. The mesh of the vane, whose one layer of cells lies in k, is written anew with its directions exchanged
in all zones and in some, so that the layer comes first there: the runs give the same bits, snapshots and grid files have
the order of the mesh, and a restart goes on.
"""
import os
import shutil
import time

from regress import *

VISCOUS = CASE.replace("R: 287.0}}", "R: 287.0, viscosity: sutherland}}").replace("type: wall_slip", "type: wall_viscous") \
    .replace("every: 0,", "every: 0, walls: true,")
top = folder("turned")


def out_of(name):
    return os.path.join(top, name)


def turned(direction):
    """The new number, from 1, of a direction or its negative."""
    return (abs(direction) % 3 + 1) * (1 if direction > 0 else -1)


def exchange(name, chosen):
    """The mesh with new i, j, k = old k, i, j in the zones that `chosen` says."""
    path = out_of(name + ".cgns")
    shutil.copy(FLAT, path)

    def put(node, values):
        kind = node[" data"].dtype
        del node[" data"]
        node.create_dataset(" data", data=numpy.ascontiguousarray(values).astype(kind))

    def ranges(node, yes):
        if yes:
            put(node, node[" data"][()][:, [2, 0, 1]])

    count = 0
    with h5py.File(path, "r+") as f:
        base = next(f[b] for b in f if isinstance(f[b], h5py.Group) and f[b].attrs["label"].startswith(b"CGNSBase_t"))
        zones = [z for z in base if isinstance(base[z], h5py.Group) and base[z].attrs["label"].startswith(b"Zone_t")]
        for n, z in enumerate(zones):
            zone, mine = base[z], chosen(n)
            count += mine
            if mine:
                put(zone, zone[" data"][()][:, [2, 0, 1]])
                for axis in "XYZ":
                    x = zone["GridCoordinates/Coordinate" + axis]
                    put(x, x[" data"][()].transpose(1, 2, 0))
            for bc in (zone["ZoneBC"].values() if "ZoneBC" in zone else ()):
                ranges(bc["PointRange"], mine)
            for c in zone["ZoneGridConnectivity"].values():
                donor = bytes(c[" data"][()].astype("u1")).decode().strip("\0 ")
                other = chosen(zones.index(donor))
                way = [int(d) for d in c["Transform/ data"][()]]
                way = [turned(d) for d in way] if other else way
                put(c["Transform"], [way[2], way[0], way[1]] if mine else way)
                ranges(c["PointRange"], mine)
                ranges(c["PointRangeDonor"], other)
    check(count > 0, f"{name}: no zone is exchanged")
    return path, {z: chosen(n) for n, z in enumerate(zones)}


def as_before(found, exchanged):
    return {name: value.transpose(2, 0, 1) if exchanged[name.split("/")[0]] else value for name, value in found.items()}


def same(a, b, exchanged, what):
    x, y = fields(a), as_before(fields(b), exchanged)
    check(len(x) >= 5 and x.keys() == y.keys() and all(numpy.array_equal(x[n], y[n]) for n in x), what)


def coordinates(path):
    found = {}
    with h5py.File(path, "r") as f:
        f.visititems(lambda name, node: found.update({name.split("/")[-4] + name.split("/")[-2]: node[()]})
                     if name.endswith("/ data") and "/GridCoordinates/Coordinate" in name else None)
    return found


FLAT = os.path.join(ROOT, "flat.cgns")  # one layer of cells, in k
case = write_case(top, mesh=FLAT, text=VISCOUS)
whole = out_of("whole")
run(case, options=[f"output.folder={whole}"])
for name, chosen in (("all", lambda n: True), ("some", lambda n: n % 2 == 0)):
    mesh, exchanged = exchange(name, chosen)
    r = annulus("check", case, options=[f"mesh={mesh}"])
    check(r.code == DONE and " imin  cells j 1.." in r.out and " k 1..1" in r.out if name == "some" else r.code == DONE,
          f"check: {r}")
    if name == "all":
        check(" in direction " in r.out and " in direction i" not in r.out,
              f"the limit of the levels names another direction than the file: {r}")
        check(" i 1..1" in r.out and " k 1..1:" not in r.out, f"check has other directions than the file: {r}")
    for np in (1, 2):
        out = out_of(f"{name}{np}")
        run(case, np=np, options=[f"mesh={mesh}", f"output.folder={out}"])
        same(snapshot(whole, 40), snapshot(out, 40), exchanged, f"{name}, {np} ranks")
        same_history(whole, out, f"{name}, {np} ranks")
    half = out_of(f"{name}_half")
    run(case, options=[f"mesh={mesh}", f"output.folder={half}", "march.iterations=20"])
    run(case, "--restart", "latest", np=2, options=[f"mesh={mesh}", f"output.folder={half}"])
    same(snapshot(whole, 40), snapshot(half, 40), exchanged, f"{name}, restart")
    x, y = coordinates(mesh), coordinates(os.path.join(half, "grid.cgns"))
    check(len(x) > 3 and x.keys() == y.keys() and all(x[n].shape == y[n].shape and numpy.abs(x[n] - y[n]).max() < 1e-12 for n in x),
          f"{name}: grid.cgns has another order than the mesh")
    x, y = fields(os.path.join(whole, "wall_00000040.cgns")), fields(os.path.join(half, "wall_00000040.cgns"))
    check(len(x) > 2 and x.keys() == y.keys() and all(numpy.array_equal(x[n], y[n]) for n in x), f"{name}: wall files differ")
finish()
