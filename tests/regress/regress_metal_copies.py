"""The metal of blades in meshes that mesh_join and passage_copy make: two rows of vanes with coolant holes, of 55 and of 50 vanes.

Expected: names of zones and boundaries, coordinates (copies turned by one pitch each), areas of surfaces, metal that the solver takes up
where the gas is, the same heat into the metal of each copy.
"""
import math

from regress import *

top = folder("metal_copies")
PITCH, HEIGHT = 0.11773, 0.02
MIDDLE = 55 * PITCH / (2 * math.pi)


def row(name, blades, shift):
    """A vane of the section of C3X, with two holes, `shift` m downstream: NAME.cgns."""
    with open(os.path.join(SOURCE, "cases", "vanes", "vane_c3x.csv")) as f:
        vane = [[0.01 * float(v) for v in line.split(",")[1:3]] for line in f if line[0].isdigit()]
    with open(os.path.join(SOURCE, "cases", "vanes", "holes_c3x.csv")) as f:
        holes = [[0.01 * float(v) for v in line.split(",")[1:4]] for line in f if line[0].isdigit()][2:5:2]
    front, back = (shift + f(x for x, _ in vane) for f in (min, max))
    with open(os.path.join(top, name + ".dat"), "w") as f:
        for s in (-0.5, 0.5):
            f.write("section\n" + "".join("%.10g %.10g %.10g\n" % (x + shift, MIDDLE + HEIGHT * s, y / MIDDLE) for x, y in vane))
    for wall, s in (("hub", -0.5), ("casing", 0.5)):
        with open(os.path.join(top, f"{name}_{wall}.dat"), "w") as f:
            f.writelines(f"{front + 0.01 * k:.6g} {MIDDLE + HEIGHT * s:.9g}\n" for k in range(-12, 24))
    with open(os.path.join(top, name + ".yaml"), "w") as f:
        f.write(f"blades: {blades}\nsections: {name}.dat\ncolumns: [x, r, theta]\nhub: {name}_hub.dat\ncasing: {name}_casing.dat\n"
                f"inlet: {front - 0.06:.6g}\noutlet: {back + 0.06:.6g}\ncells: 1.0e4\nlevels: 2\nwalls: functions\nround_edges: yes\n"
                "first_cell: 4.0e-4\nholes:\n")
        for x, y, diameter in holes:
            end = f"[{x + shift:.9g}, {math.degrees(y / MIDDLE):.9g}]"
            f.write(f"  - {{hub: {end}, casing: {end}, diameter: {diameter:.6g}}}\n")
    return tool(top, os.path.join(BIN, "mesh_row"), name + ".yaml", "-o", name + ".cgns")


def zones(name, base):
    """Of a base of a file: nodes of each zone [3, k, j, i], and the names of families."""
    with h5py.File(os.path.join(top, name), "r") as f:
        if base not in f:
            return {}, []
        groups = {key: group for key, group in f[base].items() if isinstance(group, h5py.Group)}
        return ({key: numpy.stack([g["GridCoordinates"]["Coordinate" + c][" data"][()] for c in "XYZ"]) for key, g in groups.items() if "GridCoordinates" in g},
                sorted(key for key, g in groups.items() if g.attrs["label"].rstrip(b"\0") == b"Family_t"))


def turned(x, angle):
    c, s = math.cos(angle), math.sin(angle)
    return numpy.stack([x[0], c * x[1] - s * x[2], s * x[1] + c * x[2]])


if not (row("first", 55, 0) and row("second", 50, 0.2)):
    finish()

# ---- mesh_join: names of rows in front, coordinates as they are; a row without metal adds none
if not tool(top, os.path.join(BIN, "mesh_join"), "-o", "both.cgns", "a=first.cgns", "b=second.cgns"):
    finish()
both, families = zones("both.cgns", "Solid")
apart = {f"{name}_{key}": x for name, file in (("a", "first"), ("b", "second")) for key, x in zones(file + ".cgns", "Solid")[0].items()}
check(len(apart) > 4 and both.keys() == apart.keys() and all(both[z].tobytes() == apart[z].tobytes() for z in apart), f"mesh_join: zones {sorted(both)} of the metal")
check([f"{row}_{name}" in families for row in "ab" for name in ("blade_metal", "hole_1", "hole_2", "solid_hub")] == 8 * [True], f"mesh_join: families {families}")
tool(top, os.path.join(BIN, "mesh_duct"), "-o", "duct.cgns", "-n", "8,4,4", "-u", "0.4", "-c", "0.5", "-l", "0.4", "-s", "36")
tool(top, os.path.join(BIN, "mesh_join"), "-o", "with_duct.cgns", "d=duct.cgns", "a=first.cgns")
check(sorted(zones("with_duct.cgns", "Solid")[0]) == sorted(z for z in apart if z.startswith("a_")), "mesh_join: a row without metal first")
tool(top, os.path.join(BIN, "mesh_join"), "-o", "ducts.cgns", "d=duct.cgns", "e=duct.cgns")
check(zones("ducts.cgns", "Solid") == ({}, []), "mesh_join: rows without metal")

# ---- passage_copy: as many copies of the metal as of the gas beside it, turned by its pitch
if not tool(top, os.path.join(BIN, "passage_copy"), "both.cgns", "-n", "2", "-n", "b=3", "-o", "copies.cgns"):
    finish()
copies, _ = zones("copies.cgns", "Solid")
expected = {f"{z}_p{n + 1}": turned(x, n * 2 * math.pi / (55 if z.startswith("a_") else 50)) for z, x in both.items() for n in range(2 if z.startswith("a_") else 3)}
check(copies.keys() == expected.keys(), f"passage_copy: zones {sorted(copies)} of the metal")
check(all(abs(copies[z] - expected[z]).max() < 1e-12 for z in copies if z in expected), "passage_copy: nodes of the metal")

# ---- the solver takes them up; each copy gets the same heat
CASE = """case: vanes
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.365, R: 287.0, prandtl: 0.70, viscosity: sutherland}}
turbulence: {{model: sa}}
march: {{iterations: 36}}
multigrid: {{levels: 2}}
initial: {{p: 391686, T: 792, mach: 0.16, direction: [1, 0, 0]}}
boundaries:
  "*inlet": {{type: inlet_total, p0: 403800, T0: 792, direction: [1, 0, 0]}}
  "*outlet": {{type: outlet_static, p: 238800}}
  "*blade": {{type: wall_viscous}}
  "*hub": {{type: wall_slip}}
  "*shroud": {{type: wall_slip}}
solids:
  vane: {{metal: astm_310}}
solid_walls:
{walls}output: {{folder: {folder}, history_every: 12, keep: 0}}
"""


def heats(mesh, rows):
    """Area and heat of the surface of each row."""
    name = mesh.split(".")[0]
    walls = "".join(f'  {row}blade_metal: {{gas: {row}blade}}\n' for row in rows) + '  "*hole_*": {h: 1500, T: 400}\n'
    path = os.path.join(top, name + "_case.yaml")
    with open(path, "w") as f:
        f.write(CASE.format(mesh=mesh, walls=walls, folder="out_" + name))
    r = run(path, timeout=200)
    found = {q.get("surface"): q for q in run_json(os.path.join(top, "out_" + name))["solids"]} if r.code == DONE else {}
    return [(found[row + "blade_metal"]["area_m2"], found[row + "blade_metal"]["heat_W"]) for row in rows] if found else None


one, joined, many = heats("first.cgns", [""]), heats("both.cgns", ["a_", "b_"]), heats("copies.cgns", ["a_", "b_"])
if one and joined and many:
    check(abs(joined[0][0] / one[0][0] - 1) < 1e-12 and abs(joined[0][1] / one[0][1] - 1) < 5e-3 and one[0][1] > 0, f"mesh_join: area and heat {joined} beside {one}")
    for k, n in ((0, 2), (1, 3)):
        check(abs(many[k][0] / joined[k][0] - n) < 1e-9 and abs(many[k][1] / joined[k][1] - n) < 5e-3 * n, f"passage_copy: area and heat {many} beside {joined}")
finish()
