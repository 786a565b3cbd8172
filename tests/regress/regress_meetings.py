"""CGNS files as programs beside this one write them (gmsh, pyCGNS, Cassiopee), made here with h5py from a mesh of this
program: each gives the flow of that mesh bit for bit, or is refused in a sentence that says what to do. The programs
themselves: tools/release/meetings.
"""
import os

from regress import *

from cgns_nodes import characters, node

top = folder("meetings")
plain = os.path.join(top, "plain.cgns")
shutil.copy(MESH, plain)
case = write_case(top, mesh=plain)
run(case, options=["march.iterations=4", f"output.folder={os.path.join(top, 'plain')}"])


def zones(f):
    return {name: z for name, z in f["Base"].items() if z.attrs.get("label") == b"Zone_t"}


def children(zone, what, label):
    return [c for c in zone.get(what, {}).values() if isinstance(c, h5py.Group) and c.attrs.get("label") == label]


def text(n):
    return n[" data"][...].tobytes().decode()


def put(n, data, kind="C1"):
    del n[" data"]
    n.create_dataset(" data", data=data)


def reverse(f, name):
    """Runs the direction k of a zone the other way round, in the file."""
    zone = zones(f)[name]
    nk = zone[" data"][0, 2]
    for axis in "XYZ":
        data = zone[f"GridCoordinates/Coordinate{axis}/ data"]
        data[...] = data[...][::-1]
    for b in children(zone, "ZoneBC", b"BC_t"):
        turn(b["PointRange/ data"], nk)
    for other, z in zones(f).items():
        for c in children(z, "ZoneGridConnectivity", b"GridConnectivity1to1_t"):
            transform = c["Transform/ data"][...]
            if other == name:
                turn(c["PointRange/ data"], nk)
                transform[2] = -transform[2]
            if text(c) == name:
                turn(c["PointRangeDonor/ data"], nk)
                transform[abs(transform) == 3] *= -1
            c["Transform/ data"][...] = transform


def turn(points, nk):
    p = points[...]
    p[:, 2] = nk + 1 - p[:, 2]
    points[...] = p


def changed(name, change):
    path = os.path.join(top, name + ".cgns")
    shutil.copy(plain, path)
    with h5py.File(path, "r+") as f:
        change(f)
    return path


def same(name, change, *says, np=1):
    path = changed(name, change)
    r = annulus("info", path)
    check(r.code == DONE and all(w in r.out + r.err for w in says), f"{name}: {r}")
    hashes = [annulus("info", p).out.split("topology hash ")[1].split()[0] for p in (plain, path)]
    check(hashes[0] == hashes[1], f"{name}: another topology: {r}")
    lists = [sorted(annulus("info", p).out.split("boundaries: ")[1].splitlines()[1:-1]) for p in (plain, path)]
    check(lists[0] == lists[1], f"{name}: other boundaries: {r}")
    run(case, np=np, options=["march.iterations=4", f"mesh={path}", f"output.folder={os.path.join(top, name)}"])
    same_fields(snapshot(os.path.join(top, "plain"), 4), snapshot(os.path.join(top, name), 4), name)


def refused(name, change, *says):
    r = annulus("info", changed(name, change))
    check(r.code == INPUT and all(w in r.out + r.err for w in says), f"{name}: {r}")


# ---- left-handed zones, as gmsh makes them: one, and all
same("one_reversed", lambda f: reverse(f, "blade_o"), "zone 'blade_o'", "left-handed: its direction k is reversed")
same("all_reversed", lambda f: [reverse(f, name) for name in zones(f)], "left-handed: its direction k is reversed", np=2)


# ---- donor ranges that count upward whatever the transform says, as Cassiopee writes them
def sorted_donors(f):
    reverse(f, "blade_o")
    for z in zones(f).values():
        for c in children(z, "ZoneGridConnectivity", b"GridConnectivity1to1_t"):
            here, there = c["PointRange/ data"][...], c["PointRangeDonor/ data"][...]
            for a, t in enumerate(c["Transform/ data"][...]):
                if here[0, a] > here[1, a]:
                    here[:, a] = here[::-1, a]
                    there[:, abs(t) - 1] = there[::-1, abs(t) - 1]
            c["PointRange/ data"][...], c["PointRangeDonor/ data"][...] = here, numpy.sort(there, axis=0)


same("sorted_donors", sorted_donors, "its donor range counts upward where the transform")


# ---- donors whose names have a blank in place of a line (gmsh), and conditions of type Null on joints
def blank_donors(f):
    for z in zones(f).values():
        for c in children(z, "ZoneGridConnectivity", b"GridConnectivity1to1_t"):
            put(c, characters(text(c).replace("_", " ")))


def null_on_joint(f):
    blank_donors(f)
    zone = f["Base/inlet_h"]
    bc = node(zone["ZoneBC"], "S00002", "BC_t", "C1", characters("Null"))
    joint = zone["ZoneGridConnectivity/match_3a"]
    node(bc, "PointRange", "IndexRange_t", "I4", joint["PointRange/ data"][...])


same("blank_donors", blank_donors, "the donor zone 'blade o' does not exist: zone 'blade_o' is taken")
same("null_on_joint", null_on_joint, "the condition 'S00002' is left out where its faces belong to connections")


def two_alike(f):
    """Two zones that the name could mean."""
    blank_donors(f)
    f.move("Base/passage_up", "Base/inlet-h")
    f["Base/inlet-h"].attrs.modify("name", numpy.bytes_("inlet-h"))


refused("two_alike", two_alike, "the donor zone 'inlet h' does not exist")


# ---- arrays in row-major order (pyCGNS), and its family `Null` of conditions without one
def transposed(f):
    for axis in "XYZ":
        n = f[f"Base/inlet_h/GridCoordinates/Coordinate{axis}"]
        data = n[" data"][...].T
        del n[" data"]
        n.create_dataset(" data", data=data)


def null_families(f):
    """As without families: boundaries by the names of the conditions, which are those of the families here."""
    for z in zones(f).values():
        for b in children(z, "ZoneBC", b"BC_t"):
            family = text(b["FamilyName"])
            put(b, characters(text(f[f"Base/{family}/FamBC"])))
            put(b["FamilyName"], characters("Null"))


# ---- families in families, named by path (with or without the base), and the type of a family around them
def family_tree(f, path="Walls/{}", typed=True):
    walls = node(f["Base"], "Walls", "Family_t")
    for name in ("hub", "shroud"):
        f.move(f"Base/{name}", f"Base/Walls/{name}")
        if not typed:
            del f[f"Base/Walls/{name}/FamBC"]
    if not typed:
        node(walls, "FamBC", "FamilyBC_t", "C1", characters("BCSymmetryPlane"))
    for z in zones(f).values():
        for b in children(z, "ZoneBC", b"BC_t"):
            if text(b["FamilyName"]) in ("hub", "shroud"):
                put(b["FamilyName"], characters(path.format(text(b["FamilyName"]))))


def alike(f):
    """Two families of one name, in different ones."""
    for row, name, kind in (("rotor", "hub", "BCWallViscous"), ("stator", "shroud", "BCWallInviscid")):
        f.move(f"Base/{name}", f"Base/{row}_old")
        del f[f"Base/{row}_old"]
        inner = node(node(f["Base"], row, "Family_t"), "wall", "Family_t")
        node(inner, "FamBC", "FamilyBC_t", "C1", characters(kind))
        for z in zones(f).values():
            for b in children(z, "ZoneBC", b"BC_t"):
                if text(b["FamilyName"]) == name:
                    put(b["FamilyName"], characters(f"{row}/wall"))


same("family_tree", family_tree)
same("family_paths", lambda f: family_tree(f, "Base/Walls/{}"))
same("family_names", lambda f: family_tree(f, "{}"))
same("family_around", lambda f: family_tree(f, typed=False))
r = annulus("info", changed("alike", alike))
lines = [line.split() for line in r.out.splitlines()]
check(["rotor_wall", "wall_viscous"] in lines and ["stator_wall", "wall_slip"] in lines, f"two families of one name: {r}")

def circle(f):
    """A family that stands in itself."""
    node(f["Base/hub"], "hub", "", "LK")
    f["Base/hub/hub/ link"] = h5py.SoftLink("/Base/hub")


refused("circle", circle, "families in families, more than 8 deep")
refused("transposed", transposed, "in the opposite order: save the array in column-major order (NumPy: order='F')")
same("null_families", null_families)

# ---- PLOT3D with a file of FIELDVIEW as ember writes them: two rows, 0 for the last node, planes that are called mixing
def sector(begin, end, blades):
    """x, y and z of a block, the last direction around the axis."""
    x, r, t = numpy.meshgrid(numpy.linspace(begin, end, 9), [0.2, 0.25, 0.3], numpy.linspace(0, 2 * numpy.pi / blades, 5), indexing="ij")
    return [v.ravel(order="F") for v in (x, r * numpy.cos(t), r * numpy.sin(t))]


with open(os.path.join(top, "ember.xyz"), "w") as f:
    f.write("2\n9 3 5\n9 3 5\n")
    numpy.savetxt(f, numpy.concatenate([*sector(0, 0.1, 36), *sector(0.1, 0.2, 40)]))
PARTS = ["periodic_0 1 1 0 1 0 1 1", "periodic_1 1 1 0 1 0 0 0", "inlet_0 1 1 1 1 0 1 0", "mixing_0 1 0 0 1 0 1 0", "periodic_2 2 1 0 1 0 1 1",
         "periodic_3 2 1 0 1 0 0 0", "mixing_1 2 1 1 1 0 1 0", "outlet_0 2 0 0 1 0 1 0"]
with open(os.path.join(top, "ember.fvbnd"), "w") as f:
    f.write("\n".join(["FVBND 1 4", *("region_0_" + part.split()[0] for part in PARTS), "BOUNDARIES",
                       *(f"{n} {part.split(' ', 1)[1]} F 0" for n, part in enumerate(PARTS, 1))]) + "\n")
tool(top, os.path.join(BIN, "mesh_plot3d"), "ember.xyz", "--fvbnd", "ember.fvbnd", "--periodic", "turn:10", "--periodic", "turn:9",
     "--bc", "1:jmin=hub", "--bc", "2:jmin=hub", "--rest", "casing:wall_viscous", "-o", "ember.cgns")
r = annulus("init", os.path.join(top, "ember.cgns"), "-o", "-")
check('"region_0_mixing_0": {type: mixing_plane, with: "region_0_mixing_1"}' in r.out and "blades: 40" in r.out and
      '"region_0_outlet_0": {type: outlet_static' in r.out and "neither mesh nor name" not in r.out, f"rows of ember: {r}")

# ---- the page lists the meetings that tools/release/meetings tries
listed = subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "release", "meetings"), "--list"], capture_output=True, text=True)
with open(os.path.join(SOURCE, "docs", "guide", "working-with.md")) as page:
    text = page.read()
check(listed.returncode == 0 and listed.stdout and listed.stdout in text, "docs/guide/working-with.md has another table of meetings")
finish()
