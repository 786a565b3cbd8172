"""A snapshot by itself: its interfaces with their periodicity and, with output.embed_grid, its coordinates. Moved to another folder it is a whole mesh; without its coordinates it says where they are.
"""
from regress import *


def text(node):
    return bytes(node[" data"][...].astype("u1").reshape(-1)).decode(errors="replace")


top = folder("embed")
case = write_case(top)
for name, more in (("linked", []), ("embedded", ["output.embed_grid=true"])):
    run(case, options=["march.iterations=1", f"output.folder={os.path.join(top, name)}", *more])
linked, embedded = (snapshot(os.path.join(top, name), 1) for name in ("linked", "embedded"))
same_fields(linked, embedded, "the flow beside embedded coordinates")
check(os.path.getsize(embedded) > os.path.getsize(linked) + 24 * 2472, "the coordinates take no room")

alone = os.path.join(top, "alone")
os.makedirs(alone)
for path, name in ((linked, "linked.cgns"), (embedded, "embedded.cgns")):
    shutil.copy(path, os.path.join(alone, name))
with h5py.File(os.path.join(alone, "embedded.cgns")) as f, h5py.File(os.path.join(top, "embedded", "grid.cgns")) as grid:
    zones = [z for z in f["Base"] if "ZoneBC" in f["Base"][z]]
    check(zones, "no zones")
    for zone in zones:
        for axis in "XYZ":
            name = f"Base/{zone}/GridCoordinates/Coordinate{axis}/ data"
            check(f[name][...].tobytes() == grid[name][...].tobytes(), f"{name} is not that of grid.cgns")
    check(listed(MESH) == list(zones) != sorted(zones), f"zones of the mesh {listed(MESH)}, of the snapshot {zones}")
    check("in this file" in text(f["Base/Coordinates"]), text(f["Base/Coordinates"]))
with h5py.File(os.path.join(alone, "linked.cgns")) as f:
    said = text(f["Base/Coordinates"])
    check("grid.cgns" in said and "output.embed_grid: true" in said, f"what a snapshot without its grid says: {said}")

# the same interfaces as the mesh: `annulus info` reads the snapshot as one
wanted, found = (annulus("info", path) for path in (MESH, os.path.join(alone, "embedded.cgns")))
hashes = [[line for line in r.out.split("\n") if "topology hash" in line] for r in (wanted, found)]
check(wanted.code == found.code == DONE and "periodic" in found.out and hashes[0] and hashes[0] == hashes[1], f"{wanted}\n{found}")
r = annulus("info", os.path.join(alone, "linked.cgns"))
check(r.code == INPUT and "grid.cgns" in r.err, f"a snapshot that lost its grid.cgns: {r}")
check(annulus("run", case, options=["march.iterations=1", "output.embed_grid=perhaps"]).code == INPUT, "embed_grid: perhaps")

# a run goes on from it
run(case, "--restart", embedded, options=["march.iterations=2", f"output.folder={os.path.join(top, 'embedded')}"])
finish()
