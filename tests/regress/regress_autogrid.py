"""Meshes laid out and named as AutoGrid writes them (autogrid_file.py), from the file to the flow: a row with a tip gap
in millimetres, whose periodic sides are connections and families at once; a rotor and a stator whose periodic sides and
whose interface are families alone. Both are turned with mesh_axis, read, checked and run.
"""
import os
import subprocess

from regress import *

import autogrid_file

CASE = """case: rows of another mesh generator
mesh: {mesh}
device: cpu
gas: {{gamma: 1.4, R: 287.05, viscosity: sutherland}}
turbulence: {{model: sa}}
march: {{iterations: 120}}
initial: {{p: 0.9e5, T: 290, mach: 0.4}}
rows: {{Rotor: {{zones: [Rotor], omega: 419, blades: 24}}{rows}}}
boundaries:
  Rotor_INFLOW: {{type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, 0]}}
  {last}_OUTFLOW: {{type: outlet_static, p: 0.91e5}}
  Rotor_SHROUD: {{type: wall_viscous, omega: 0}}
output: {{folder: out, every: 0, history_every: 20}}
"""
top = folder("autogrid")


def out_of(name):
    return os.path.join(top, name)


def rotor(**more):
    return autogrid_file.Row("Rotor", 24, more.pop("ends"), (-35, -25), around=8, cells=4, **more)


def stator():
    return autogrid_file.Row("Stator", 30, (0.06, 0.21), (14, 0), middle=0.12, around=8, cells=4)


def mesh(name, rows, axis="z", **options):
    """The file; its bases replace that of a file of the program, whose root they need."""
    path = out_of(f"{name}_z.cgns")
    subprocess.run([os.path.join(BIN, "mesh_duct"), "-o", path, "-s", "24", "-n", "4,4,4"], check=True, timeout=60)
    with h5py.File(path, "r+") as f:
        for base in [b for b in f if isinstance(f[b], h5py.Group) and f[b].attrs["label"].startswith(b"CGNSBase_t")]:
            del f[base]
        autogrid_file.write(f, rows, {"Rotor": 419.0, "Stator": 0.0}, **options)
    turned = out_of(f"{name}.cgns")
    made = subprocess.run([os.path.join(BIN, "mesh_axis"), path, "-o", turned], capture_output=True, text=True, timeout=60)
    check(made.returncode == 0, f"mesh_axis: {made}")
    return turned


def case(name, path, rows="", last="Rotor"):
    with open(out_of(f"{name}.yaml"), "w") as f:
        f.write(CASE.format(mesh=path, rows=rows, last=last))
    return out_of(f"{name}.yaml")


def figures(name, yaml, *options):
    run(yaml, options=[f"output.folder={out_of('out_' + name)}", *options], timeout=120)
    return {row["name"]: row for row in run_json(out_of("out_" + name))["rows"]}


STATOR = ", Stator: {zones: [Stator], omega: 0, blades: 30}"
PLANES = [("Rotor_stator_10_left", "Rotor_stator_10_right")]

# one row: millimetres, a gap, the PER families twice
one = mesh("one", [rotor(ends=(-0.09, 0.09), gap=4)], unit=1e-3, unit_name="Millimeter")
r = annulus("info", out_of("one_z.cgns"))
check(r.code == INPUT and "mesh_axis turns a mesh whose axis is y or z" in r.err, f"about z: {r}")
r = annulus("info", one)
check(r.code == DONE and "base 'Base#1', 3-D, 7 zones" in r.out and "length unit: 0.001 m" in r.out and
      "of these" in r.out and ", 0 left over" in r.out and "PER" not in r.out and "15 degrees about x (1/24" in r.out,
      f"one row: {r}")
check("left out: the bases 'Numeca_Base', 'meridional_base', 'tools_base'" in r.err and
      "the condition 'Rotor_PER1' is left out where its faces belong to connections" in r.err, f"one row: {r}")
yaml = case("one", one)
r = annulus("check", yaml)
check(r.code == DONE and "the case is ready to run" in r.out, f"check of one row: {r}")
row = figures("one", yaml)["Rotor"]
check(13 < row["mass_in_kg_s"] < 15 and abs(row["imbalance"]) < 2e-3, f"one row: {row}")
check(1.005 < row["pressure_ratio"] < 1.04 and row["power_W"] > 2e4, f"one row: {row}")
check(abs(row["torque_euler_Nm"] / row["torque_walls_Nm"] - 1) < 0.02, f"one row: {row}")
# without rows in the case, the family of the zones turns them
with open(yaml) as f:
    lines = [line for line in f if not line.startswith("rows:")]
with open(out_of("family.yaml"), "w") as f:
    f.writelines(lines)
r = annulus("check", out_of("family.yaml"))
check(r.code == DONE and "(117.32 m/s at 0.28 m)" in r.out, f"the speed of the family: {r}")

# two rows: everything by families; abutting connections beside those of the interface
two = mesh("two", [rotor(ends=(-0.09, 0.06)), stator()], planes=PLANES, periodic=False)
r = annulus("info", two)
check(r.code == DONE and "mixing plane with Rotor_stator_10_right" in r.out and
      "abutting Rotor_PER2, periodic, -15 degrees" in r.out and "abutting Stator_PER2, periodic, -12 degrees" in r.out and
      ", 0 left over" in r.out, f"two rows: {r}")
yaml = case("two", two, STATOR, "Stator")
r = annulus("check", yaml)
check(r.code == DONE and "the case is ready to run" in r.out, f"check of two rows: {r}")
rows = figures("two", yaml)
r = annulus("init", two, "-o", out_of("init.yaml"))
with open(out_of("init.yaml")) as f:
    text = f.read()
check('Rotor: {zones: ["Rotor_*"], rpm: 4001.155, blades: 24}' in text and "rpm: 0, blades: 30}" in text and
      '"Rotor_SHROUD": {type: wall_viscous, omega: 0}' in text and "radial_equilibrium" not in text, f"init: {r} {text}")
for name, row in rows.items():
    check(13 < row["mass_in_kg_s"] < 15 and abs(row["imbalance"]) < 2e-3, f"{name}: {row}")
check(abs(rows["Rotor"]["mass_out_kg_s"] / rows["Stator"]["mass_in_kg_s"] - 1) < 2e-3, f"{rows}")
check(rows["Rotor"]["power_W"] > 2e4 and abs(rows["Stator"]["power_W"]) < 0.03 * rows["Rotor"]["power_W"], f"{rows}")
check(abs(rows["Rotor"]["torque_euler_Nm"] / rows["Rotor"]["torque_walls_Nm"] - 1) < 0.02, f"{rows}")
# the same with periodic connections
joined = mesh("joined", [rotor(ends=(-0.09, 0.06)), stator()], planes=PLANES)
others = figures("joined", case("joined", joined, STATOR, "Stator"))
for name, row in rows.items():
    for figure in ("mass_in_kg_s", "pressure_ratio", "temperature_ratio"):
        check(abs(row[figure] / others[name][figure] - 1) < 2e-3, f"{name}, {figure}: {row} {others[name]}")

# what does not fit
r = annulus("info", out_of("two_z.cgns"))
check(r.code == INPUT and "'Rotor_PER1' (" in r.err and "mesh_axis turns a mesh" in r.err, f"about z: {r}")
finish()
