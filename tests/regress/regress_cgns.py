"""Forms of CGNS files through the whole program: a file of version 4, names of nodes padded with blanks, a speed of
rotation in degrees per second, lengths by a conversion, a mesh of many zones. Each gives the same flow, bit for bit, as
the file that this program's own tools write, and the tools beside the program read it, too.
"""
import os
import resource
import subprocess

from regress import *

from cgns_nodes import characters, node, root

CASE = """case: duct
mesh: {mesh}
device: cpu
gas: {{gamma: 1.4, R: 287.05}}
march: {{iterations: 6}}
initial: {{p: 1.0e5, T: 300, mach: 0.3}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.1e5, T0: 300, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: wall_slip}}
  casing: {{type: wall_slip}}
output: {{folder: out, every: 0, history_every: 3}}
"""

top = folder("cgns")


def out_of(name):
    return os.path.join(top, name)


def tool(name, *options, code=0):
    made = subprocess.run([os.path.join(BIN, name), *options], cwd=top, capture_output=True, text=True, timeout=120)
    check(made.returncode == code, f"{name} {options}: {made}")
    return made


def info(name, code=DONE):
    r = annulus("info", out_of(name), timeout=120)
    check(r.code == code, f"info of {name}: {r}")
    return r.out + r.err


def changed(name, change):
    """A copy of the duct after a change of its nodes."""
    shutil.copy(out_of("duct.cgns"), out_of(name))
    with h5py.File(out_of(name), "r+") as f:
        change(f)
    return out_of(name)


def same_flow(name, np=1):
    run(case, np=np, options=[f"output.folder={out_of('out_' + name)}", f"mesh={out_of(name)}"])
    same_fields(snapshot(out_of("out"), 6), snapshot(out_of("out_" + name), 6), name)


def units(parent, length, angle, pad="\0"):
    words = (word.ljust(32, pad) for word in ("Kilogram", length, "Second", "Kelvin", angle))
    data = numpy.frombuffer("".join(words).encode(), numpy.int8).reshape(5, 32)
    node(parent, "DimensionalUnits", "DimensionalUnits_t", "C1", data)


def rates(f, rate, kind="f8", with_units=True):
    for zone in ("duct",):
        turns = node(f["Base/" + zone], "RotatingCoordinates", "RotatingCoordinates_t")
        node(turns, "RotationRateVector", "DataArray_t", "R8" if kind == "f8" else "R4",
             numpy.array([rate, 0, 0], kind))
        node(turns, "RotationCenter", "DataArray_t", "R8" if kind == "f8" else "R4", numpy.zeros(3, kind))
    if with_units:
        if "DimensionalUnits" in f["Base"]:
            del f["Base/DimensionalUnits"]
        units(f["Base"], "Meter", "Degree")


tool("mesh_duct", "-o", "duct.cgns", "-s", "24", "-n", "16,8,4", "-c", "1,0.9")
case = write_case(top, mesh=out_of("duct.cgns"), text=CASE)
run(case, options=[f"output.folder={out_of('out')}"])


# ---- a file of version 4, which the CGNS library 3.4 refuses: for every program that reads meshes
def version(f, number=4.2):
    f["CGNSLibraryVersion/ data"][...] = numpy.float32(number)


def pad(f):
    """Blanks behind the names of nodes: HDF5 keeps them."""
    f.move("Base/duct/GridCoordinates/CoordinateY", "Base/duct/GridCoordinates/CoordinateY  ")
    f["Base/duct/GridCoordinates/CoordinateY  "].attrs.modify("name", numpy.bytes_("CoordinateY  "))
    f.move("Base/duct", "Base/duct   ")
    f["Base/duct   "].attrs.modify("name", numpy.bytes_("duct   "))


changed("v4.cgns", version)
check("duct " in info("v4.cgns"), "info of a file of version 4")
same_flow("v4.cgns")
same_flow("v4.cgns", np=2)
changed("v9.cgns", lambda f: version(f, 9))
check("written by a newer CGNS library, of version 9.00" in info("v9.cgns", INPUT), "a version that is not known")
tool("mesh_axis", "--axis", "y", "v4.cgns", "-o", "z4.cgns")
tool("mesh_axis", "--axis", "z", "z4.cgns", "-o", "back4.cgns")
same_flow("back4.cgns")
tool("mesh_join", "row=v4.cgns", "-o", "joined.cgns")
tool("passage_copy", "v4.cgns", "-n", "2", "-o", "copied.cgns")
check("duct_p2" in info("copied.cgns"), "two passages of a file of version 4")

changed("padded.cgns", pad)
same_flow("padded.cgns")
same_flow("padded.cgns", np=2)  # each rank finds the arrays by itself


# ---- speeds and lengths
def centimetres(f):
    if "DimensionalUnits" in f["Base"]:
        del f["Base/DimensionalUnits"]
    for axis in "XYZ":
        array = f["Base/duct/GridCoordinates/Coordinate" + axis]
        data = array[" data"][...] * 128
        del array[" data"]
        array.create_dataset(" data", data=data)
        node(array, "DataClass", "DataClass_t", "C1", characters("NormalizedByDimensional"))
        node(array, "DataConversion", "DataConversion_t", "R8", numpy.array([1 / 128, 0]))


changed("scaled.cgns", centimetres)
check("length unit: 0.0078125 m" in info("scaled.cgns"), "the scale of DataConversion")
same_flow("scaled.cgns")

for kind in ("f4", "f8"):
    changed("rate.cgns", lambda f: rates(f, 6000, kind))
    check("turns at 104.72 rad/s (1000 rpm)" in info("rate.cgns"), f"6000 degrees/s as {kind}")
    r = annulus("init", out_of("rate.cgns"), "-o", "-", timeout=60)
    check(r.code == DONE and "rpm: 1000," in r.out, f"init: {r}")
    tool("mesh_axis", "--axis", "y", "rate.cgns", "-o", "rate_z.cgns")
    tool("mesh_axis", "--axis", "z", "rate_z.cgns", "-o", "rate_x.cgns")
    check("turns at 104.72 rad/s (1000 rpm)" in info("rate_x.cgns"), f"the same after mesh_axis as {kind}")


def no_unit(f):
    if "DimensionalUnits" in f["Base"]:
        del f["Base/DimensionalUnits"]
    rates(f, 30, with_units=False)


changed("rate_none.cgns", no_unit)
said = info("rate_none.cgns")
check("gives no unit of angles: RotationRateVector is taken as rad/s, which is 286.479 rpm" in said, said)


# ---- the Python package reads the same numbers
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
from annulus import cgns  # noqa: E402


def zone_of(name):
    return cgns.File(out_of(name)).zones[0]


plain = zone_of("duct.cgns").nodes()
check(all(numpy.array_equal(a, b) for a, b in zip(plain, zone_of("scaled.cgns").nodes())), "a conversion in Python")
check(zone_of("padded.cgns").name == "duct", "a padded name in Python")
check(abs(zone_of("rate.cgns").omega() - 104.719755) < 1e-5, f"degrees per second in Python: {zone_of('rate.cgns').omega()}")
check(zone_of("rate_none.cgns").omega() == 30, "rad/s in Python")


# ---- many zones
def chain(name, zones, n=3):
    """Zones of n x n x n cells in a row along x."""
    with root(out_of(name)) as f:
        node(f, "CGNSLibraryVersion", "CGNSLibraryVersion_t", "R4", numpy.array([3.4], "f4"))
        base = node(f, "Base", "CGNSBase_t", "I4", numpy.array([3, 3], "i4"))
        step = numpy.linspace(0, 1, n + 1)
        for z in range(zones):
            zone = node(base, f"z{z:04d}", "Zone_t", "I4", numpy.array([[n + 1] * 3, [n] * 3, [0] * 3], "i4"))
            node(zone, "ZoneType", "ZoneType_t", "C1", characters("Structured"))
            grid = node(zone, "GridCoordinates", "GridCoordinates_t")
            where = numpy.meshgrid(step, step, z + step, indexing="ij")  # k, j, i
            for axis, values in zip("XYZ", reversed(where)):
                node(grid, "Coordinate" + axis, "DataArray_t", "R8", values)
            conditions = node(zone, "ZoneBC", "ZoneBC_t")
            joins = node(zone, "ZoneGridConnectivity", "ZoneGridConnectivity_t")
            m = n + 1
            for d in range(3):
                for side in (0, 1):
                    low, high = [1, 1, 1], [m, m, m]
                    low[d] = high[d] = m if side else 1
                    other = z + (1 if side else -1)
                    if d == 0 and 0 <= other < zones:
                        one = node(joins, f"to{side}", "GridConnectivity1to1_t", "C1", characters(f"z{other:04d}"))
                        there = [[1 if side else m, 1, 1], [1 if side else m, m, m]]
                        node(one, "PointRange", "IndexRange_t", "I4", numpy.array([low, high], "i4"))
                        node(one, "PointRangeDonor", "IndexRange_t", "I4", numpy.array(there, "i4"))
                        node(one, "Transform", '"int[IndexDimension]"', "I4", numpy.array([1, 2, 3], "i4"))
                    else:
                        end = ("inlet", "outlet")[side] if d == 0 else "hub" if d == 1 else "casing"
                        kind = {"inlet": "BCInflowSubsonic", "outlet": "BCOutflowSubsonic"}.get(end, "BCWallInviscid")
                        name_of = end if d == 0 else f"{end}{side}"
                        bc = node(conditions, name_of, "BC_t", "C1", characters(kind))
                        node(bc, "FamilyName", "FamilyName_t", "C1", characters(end))
                        node(bc, "PointRange", "IndexRange_t", "I4", numpy.array([low, high], "i4"))


def processor_time(name):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    info(name)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


sizes = (60, 240)
for zones in sizes:
    chain(f"chain{zones}.cgns", zones)
spent = [processor_time(f"chain{zones}.cgns") for zones in sizes]
print("processor time of info:", spent)
check(spent[1] < 8 * max(spent[0], 0.05), f"the time to read a mesh grows faster than its zones: {spent}")
r = run(case, options=[f"output.folder={out_of('many')}", f"mesh={out_of('chain240.cgns')}", "output.every=3"])
check("in the background" in r.out, f"snapshots of a mesh of many zones: {r}")
one = run(case, options=[f"output.folder={out_of('waits')}", f"mesh={out_of('chain240.cgns')}", "output.every=3",
                         "output.background=no"])
for iteration in (3, 6):
    same_fields(snapshot(out_of("many"), iteration), snapshot(out_of("waits"), iteration), "in the background")
run(case, np=2, options=[f"output.folder={out_of('ranks')}", f"mesh={out_of('chain240.cgns')}"])
same_fields(snapshot(out_of("many"), 6), snapshot(out_of("ranks"), 6), "two ranks")
run(case, "--restart", snapshot(out_of("waits"), 3), np=2,
    options=[f"output.folder={out_of('again')}", f"mesh={out_of('chain240.cgns')}"])
same_fields(snapshot(out_of("many"), 6), snapshot(out_of("again"), 6), "continued from a snapshot of many zones")

finish()
