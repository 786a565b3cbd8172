# packages: turbodash-core==0.8.7 python>=3.11,<3.14
"""A turbine stage of turbodash-core, as its files for TurboGrid; computed as the page shows. Argument: rotor (one row, from its files to
a map with three points) or stage (both rows as the package has positioned them, joined at a mixing plane)."""
import io
import os
import subprocess
import sys
import zipfile

from turbodash.apps.app_turbine import app
from turbodash.core.turbine import compute_turbine_performance
from turbodash.io.turbogrid import export_turbogrid_zip
from turbodash.io.turbogrid_assembly import export_turbogrid_assembly_zip

form = sys.argv[1]
design = compute_turbine_performance(app._assemble_cfg(dict(app.OVERALL_DEFAULTS, exit_pressure=2.5e5), [app.stage_defaults_for("axial")]))
speed = float(design["overall_performance"]["rotational_speed"])
archive = export_turbogrid_zip(design) if form == "rotor" else export_turbogrid_assembly_zip(design, row_gaps=[0.02])
zipfile.ZipFile(io.BytesIO(archive)).extractall("turbodash_" + form)


def call(*words):
    """What a program prints; ends where it fails."""
    made = subprocess.run(words, capture_output=True, text=True)
    print(made.stdout[-1500:], made.stderr[-500:])
    if made.returncode:
        sys.exit(f"{words[0]} ends with {made.returncode}")
    return made.stdout


def mesh(row):
    with open(f"turbodash_{row}.yaml", "w") as f:
        f.write(f"geometry: turbodash_{form}/stage_01/{row}/BladeGen.inf\ncells: 1.5e4\nfirst_cell: 5e-5\n")
    call("mesh_row", f"turbodash_{row}.yaml", "-o", f"turbodash_{row}.cgns")


def case(name, changes):
    """The case file that `init` writes, with what the user puts into it."""
    if os.path.exists(name + ".yaml"):
        os.remove(name + ".yaml")
    call("annulus", "init", name + ".cgns", "-o", name + ".yaml")
    with open(name + ".yaml") as f:
        text = f.read()
    for old, new in changes:
        if old not in text:
            sys.exit(f"`annulus init` does not write {old}")
        text = text.replace(old, new)
    with open(name + ".yaml", "w") as f:
        f.write(text)


outlet = ("p: 90000", "p: 2.5e5")
stop = ("stop: {", "stop: {efficiency: 1.0e-3, ")
start = ("p: 95000, T: 285", "p: 3.5e5, T: 550")
if form == "rotor":
    mesh("rotor")
    inlet = ("p0: 101325, T0: 288.15, direction: [1, 0, 0]", "p0: 4.76e5, T0: 599, direction: [0.34, 0, 0.94], axes: cylindrical")
    case("turbodash_rotor", [("rpm: 0", f"rpm: {speed:.7g}"), inlet, outlet, stop, start])
    options = ["--set", "device=cpu", "--set", "output.folder=out_turbodash_rotor"]
    settled = "settled" in call("annulus", "run", "turbodash_rotor.yaml", *options)
    said = call("annulus", "map", "turbodash_rotor.yaml", *options, "--set", "map={values: [2.4e5, 2.6e5, 2.8e5]}")
    sys.exit(not (settled and said.count("settled after") == 3))
for row in ("stator", "rotor"):
    mesh(row)
call("mesh_join", "stator=turbodash_stator.cgns", "rotor=turbodash_rotor.cgns", "-p", "stator_outlet=rotor_inlet", "-o", "turbodash_stage.cgns")
case("turbodash_stage", [('["rotor_*"], rpm: 0', f'["rotor_*"], rpm: {speed:.7g}'), ("p0: 101325, T0: 288.15", "p0: 5e5, T0: 600"), outlet, stop, start])
said = call("annulus", "run", "turbodash_stage.yaml", "--set", "device=cpu", "--set", "output.folder=out_turbodash_stage")
flow = float(said.split("machine, full annulus")[1].split("mass flow in, out")[1].split()[0])
print(flow, "kg/s; the design has", design["overall_performance"]["mass_flow_rate"])
sys.exit(not ("settled" in said and abs(flow / 10 - 1) < 0.15))
