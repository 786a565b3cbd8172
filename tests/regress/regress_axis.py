"""Meshes about another axis, as AutoGrid writes them: the file of a machine about z is refused with the name of the
tool that turns it, mesh_axis turns it without changing a number, and the run gives the same bits as the mesh about x.

"""
import os
import subprocess

from regress import *

CASE = """case: turned duct
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05}}
march: {{method: implicit, iterations: 6, cfl: 20}}
initial: {{p: 1.0e5, T: 300, mach: 0.3}}
rows: {{rotor: {{zones: ["*"], omega: 200, blades: 24}}}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.1e5, T0: 300, direction: [1, 0, 0.4], axes: cylindrical}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: wall_slip}}
  casing: {{type: wall_slip}}
output: {{folder: out, every: 0, history_every: 3}}
"""

top = folder("axis")


def out_of(name):
    return os.path.join(top, name)


def tool(name, *options, code=0):
    made = subprocess.run([os.path.join(BIN, name), *options], cwd=top, capture_output=True, text=True, timeout=60)
    check(made.returncode == code, f"{name} {options}: {made}")
    return made


def datasets(name):
    found = {}
    with h5py.File(out_of(name)) as f:
        f.visititems(lambda path, node: found.update({path: node[()]}) if isinstance(node, h5py.Dataset) else None)
    return found


def same(a, b):
    a, b = datasets(a), datasets(b)
    return sorted(a) == sorted(b) and all(numpy.array_equal(a[k], b[k]) for k in a)


def nodes(group, name, label, kind, data):
    node = group.create_group(name, track_order=True)
    for key, text, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        node.attrs.create(key, numpy.bytes_(text), dtype=f"S{size}")
    node.attrs.create("flags", numpy.array([1], dtype="i4"))
    node.create_dataset(" data", data=data)
    return node


tool("mesh_duct", "-o", "x.cgns", "-s", "24", "-n", "16,8,4", "-c", "1,0.9")
for axis, back in (("y", "z"), ("z", "y")):
    # a machine about x, taken for one about y, turns about z; the other way round brings it back
    made = tool("mesh_axis", "--axis", axis, "x.cgns", "-o", f"{back}.cgns")
    words = f"x.cgns: warning: 'RotationAngle' turns about x, not about {axis}: the mesh needs no turning"
    check(made.stderr.strip() == words, f"a mesh about x: {made}")
    made = tool("mesh_axis", "--axis", axis, f"{back}.cgns", "-o", "no.cgns")
    check(f"turns about {back}, not about {axis}: give the other --axis" in made.stderr, f"a mesh about {back}: {made}")
    os.remove(out_of("no.cgns"))
    made = tool("mesh_axis", "--axis", back, f"{back}.cgns", "-o", "again.cgns")
    check(not made.stderr, f"a mesh about {back}: {made}")
    check(same("x.cgns", "again.cgns"), f"{axis} and back: other numbers")
    x, z = datasets("x.cgns"), datasets(f"{back}.cgns")
    where = "Base/duct/GridCoordinates/Coordinate{}/ data"
    check(numpy.array_equal(x[where.format("X")], z[where.format(back.upper())]), "the axis is another one")
    # right-handed: r x e_theta is along the axis as before, so that a positive angle stays one
    angle = "Base/duct/ZoneGridConnectivity/join0/GridConnectivityProperty/Periodic/RotationAngle/ data"
    check(z[angle]["xyz".index(back)] == x[angle][0] and sum(abs(z[angle])) == abs(x[angle][0]), f"angle {z[angle]}")
    r = annulus("info", out_of(f"{back}.cgns"), timeout=60)
    check(r.code == INPUT and "mesh_axis turns a mesh whose axis is y or z" in r.err, f"info: {r}")

case = write_case(top, mesh=out_of("x.cgns"), text=CASE)
run(case, options=[f"output.folder={out_of('out_x')}"])
run(case, options=[f"output.folder={out_of('out_z')}", f"mesh={out_of('again.cgns')}"])
same_fields(snapshot(out_of("out_x"), 6), snapshot(out_of("out_z"), 6), "the turned mesh")

# a solution's vectors turn with the mesh; only names that come in threes change
with h5py.File(out_of("x.cgns"), "r+") as f:
    zone = f["Base/duct"]
    flow = nodes(zone, "Extra", "UserDefinedData_t", "R8", numpy.zeros(1))
    for k, name in enumerate(("VelocityX", "VelocityY", "VelocityZ", "IndexX")):
        nodes(flow, name, "DataArray_t", "R8", numpy.full(3, float(k)))
    for k, name in enumerate(("BladeX", "BladeY", "BladeZ")):
        nodes(zone, name, "UserDefinedData_t", "R8", numpy.full(1, float(k)))
tool("mesh_axis", "x.cgns", "-o", "three.cgns")
z = datasets("three.cgns")
check([z[f"Base/duct/Extra/Velocity{d}/ data"][0] for d in "XYZ"] == [2, 0, 1] and
      z["Base/duct/Extra/IndexX/ data"][0] == 3, "arrays of vectors")
check([z[f"Base/duct/Blade{d}/ data"][0] for d in "XYZ"] == [0, 1, 2], "nodes that are no arrays keep their names")

# a file that is cut short: the tools say it in lines that are not empty
with open(out_of("x.cgns"), "rb") as whole, open(out_of("cut.cgns"), "wb") as f:
    f.write(whole.read()[:20000])
for name, options in (("mesh_join", ("a=x.cgns", "b=cut.cgns")), ("passage_copy", ("cut.cgns", "-n", "2"))):
    made = tool(name, *options, "-o", "no.cgns", code=2)
    check("cut.cgns: error: is damaged" in made.stderr and all(line.split(":", 1)[1].strip() for line in made.stderr.splitlines()),
          f"{name} of a file that is cut short: {made}")

with open(out_of("text.cgns"), "w") as f:
    f.write("no CGNS file")
for options, words in ((["--axis", "x", "x.cgns", "-o", "no.cgns"], "--axis is 'x', but must be y or z"),
                       (["x.cgns"], "give a mesh and --output FILE"), (["none.cgns", "-o", "no.cgns"], "cannot be opened"),
                       (["x.cgns", "-o", "x.cgns"], "is the mesh itself"), (["text.cgns", "-o", "no.cgns"], "is no CGNS file")):
    made = tool("mesh_axis", *options, code=2)
    check(words in made.stderr and not os.path.exists(out_of("no.cgns")), f"{options}: {made}")
finish()
