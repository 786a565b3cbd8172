"""Gradients of `annulus adjoint` in machines whose meshes come from the program's own generators: by the back pressure and by a shape
that moves the nodes, against central differences of figures of flows that Newton's steps have settled.

Usage: regress_gradient_rows.py BIN CASE

  vane          LS89 in one layer of cells, inviscid, Roe, isentropic Mach number 1.13 behind it: a shock on the suction side
  rotor37       NASA Rotor 37 with a gap, Spalart-Allmaras with wall functions, Roe

The shape moves nodes along the pitch, by a bump over the blade that depends on x (vane) or on the place along the duct (rows), so that
periodic copies move alike. Errors are |gradient / difference - 1|. CASES has those that are allowed, the table of docs/validation.md
those that were found. The largest displacements and steps of the pressure are chosen such that terms of third
order and rounding are alike.
"""
from regress import *

top = folder("gradient_" + sys.argv[2])

VANE = """case: LS89, inviscid, transonic
mesh: mesh.cgns
precision: double
device: cpu
gas: {gamma: 1.4, R: 287.0}
scheme: {flux: roe}
march: {method: implicit, iterations: 1500, residual_drop: 1.0e-9}
initial: {p: 1.2e5, T: 400, mach: 0.2, direction: [1, 0, 0]}
boundaries:
  inlet: {type: inlet_total, p0: 1.596e5, T0: 420, direction: [1, 0, 0]}
  outlet: {type: outlet_static, p: 0.72e5}
  blade: {type: wall_slip}
  hub: {type: symmetry}
  shroud: {type: symmetry}
output: {folder: out, every: 0, history_every: 20}
"""
ROW = """case: {name}
mesh: mesh.cgns
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05, viscosity: sutherland}}
turbulence: {{model: sa, wall_function: auto}}
scheme: {{flux: {flux}}}
rows:
  rotor: {{zones: ["*"], rpm: {rpm}, blades: {blades}}}
march: {{method: implicit, iterations: 600, residual_drop: 1.0e-8}}
stop: {{}}
initial: {{p: {p}, T: 280, mach: 0.4, direction: [1, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 101325, T0: 288.15, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: {back}}}
  hub: {{type: wall_viscous}}
  hub_up: {{type: wall_viscous, omega: 0}}
  hub_down: {{type: wall_viscous, omega: 0}}
  blade: {{type: wall_viscous}}
  tip: {{type: wall_viscous}}
  shroud: {{type: wall_viscous, omega: 0}}
output: {{folder: out, every: 0, history_every: 10}}
"""
ROTOR37 = {"name": "Rotor 37", "rpm": -17188.7, "blades": 36, "p": 0.9e5, "back": 1.1e5}


def mesh_vane():
    return tool(top, os.path.join(BIN, "mesh_cascade"), "--pitch", "0.0575", "--size", "0.25", "--levels", "2", "--wall-spacing", "4e-4",
                "--inlet-angle", "0", "--shift", "0.5", "-o", "mesh.cgns", os.path.join(SOURCE, "cases", "ls89", "blade.dat"))


def mesh_row(name, first_cell):
    """The row of a case with walls by functions on few cells."""
    source = os.path.join(SOURCE, "cases", name)
    with open(os.path.join(source, "row.yaml")) as f:
        lines = [line for line in f if line.split(":")[0] not in ("walls", "first_cell", "levels")]
    for file in os.listdir(source):
        if file.endswith(".dat"):
            shutil.copy(os.path.join(source, file), top)
    with open(os.path.join(top, "row.yaml"), "w") as f:
        f.write("".join(lines) + f"walls: functions\nfirst_cell: {first_cell}\nlevels: 2\n")
    return tool(top, os.path.join(BIN, "mesh_row"), "row.yaml", "--cells", "1e4", "-o", "mesh.cgns")


def bump(s, low, high):
    """From 0 to 1 and back between two places, smooth."""
    return numpy.where((s > low) & (s < high), numpy.sin(numpy.pi * (s - low) / (high - low)) ** 4, 0)


def shift_vane(x, y, z, by):
    return x, y + by * bump(x, 0.002, 0.036), z


def turned(y, z, angle):
    c, s = numpy.cos(angle), numpy.sin(angle)
    return c * y - s * z, s * y + c * z


def shift_axial(x, y, z, by):
    r = numpy.hypot(y, z)
    return x, *turned(y, z, by * bump(x, 0.0, 0.03) * (r / 0.2))


ROW_FIGURES = ("mass_in", "efficiency", "pressure_ratio", "rotor.torque_walls")
# how to make the mesh; the case; figures; the shape and its amplitude; step of the back pressure, Pa; what is allowed: mass flow and
# forces, figures that are small differences
CASES = {
    "vane": (mesh_vane, VANE, ("mass_in", "loss_mixed_out", "alpha_out_mixed_out", "force_tangential"), shift_vane, 1e-8, 1.0, (1e-6, 1e-5)),
    "rotor37": (lambda: mesh_row("rotor37", 3e-5), ROW.format(flux="roe", **ROTOR37), ROW_FIGURES, shift_axial, 1e-7, 1.0,
                (3e-5, 3e-5)),
}
make, text, figures, shift, amplitude, pressure, allowed = CASES[sys.argv[2]]


def moved(path, by):
    """The mesh with its nodes moved; returns the displacement of each zone's nodes, [3, ...]."""
    shutil.copy(os.path.join(top, "mesh.cgns"), path)
    found = {}
    with h5py.File(path, "r+") as f:
        for zone in f["Base"]:
            if "GridCoordinates" not in f["Base"][zone]:
                continue
            grid = [f["Base"][zone]["GridCoordinates"][f"Coordinate{c}/ data"] for c in "XYZ"]
            old = [g[...] for g in grid]
            new = shift(*old, by)
            found[zone] = numpy.array([n - o for n, o in zip(new, old)])
            for g, values in zip(grid, new):
                g[...] = values
    return found


def adjoint(out, *more, options=()):
    """The settled figures with their gradients, from the newest snapshot in a folder."""
    of = [word for figure in figures for word in ("--of", figure)]
    began = time.time()
    r = annulus("adjoint", case, *of, "--to", "boundaries.outlet.p", "--settle", *more, threads=2, timeout=3000,
                options=("output.folder=" + out, *options))
    if not check(r.code == DONE, str(r)):
        finish()
    print("".join(line + "\n" for line in r.out.splitlines() if line.split(" ")[0] in ("residual", "matrix", "adjoint", "warning", "newton"))
          + f"{time.time() - began:.0f} s", flush=True)
    with open(os.path.join(out, "adjoint.json")) as f:
        return json.load(f)["figures"]


def compare(by, gradient, figure, low, high, step):
    difference = (high[figure]["value"] - low[figure]["value"]) / (2 * step)
    error = abs(gradient / difference - 1)
    small = any(word in figure for word in ("efficiency", "pressure_ratio", "loss"))
    print(f"{by}: {figure} = {low[figure]['value']:.8g}: gradient {gradient:.9g}, difference {difference:.9g}: error {error:.1e}", flush=True)
    check(error < allowed[small], f"{by}: {figure}: error {error:.1e}")


if not make():
    finish()
case = write_case(top, "mesh.cgns", text.replace("{", "{{").replace("}", "}}"))
out = os.path.join(top, "out")
r = run(case, threads=2, timeout=3000, options=("output.folder=" + out,))
print("\n".join(line for line in r.out.splitlines() if "cells" in line or "state" in line or "machine" in line), flush=True)
if r.code != DONE:
    finish()
snapshot = sorted(f for f in os.listdir(out) if f.startswith("flow_"))[-1]
base = adjoint(out, "--nodes")

back = [float(line.split("p: ")[1].split("}")[0]) for line in text.splitlines() if "outlet_static" in line][0]
side = []
for sign in (-1, 1):
    folder_ = os.path.join(top, f"pressure_{sign}")
    side.append(adjoint(folder_, "--restart", os.path.join(out, snapshot), options=(f"boundaries.outlet.p={back + sign * pressure!r}",)))
for figure in figures:
    compare("p", base[figure]["gradient"]["boundaries.outlet.p"], figure, *side, pressure)

side, unit = [], 0.01 * amplitude
for sign in (-1, 1):
    mesh, folder_ = os.path.join(top, f"moved_{sign}.cgns"), os.path.join(top, f"moved_{sign}")
    moved(mesh, sign * amplitude)
    last = int(snapshot[5:13])
    options = ("mesh=" + mesh, "output.folder=" + folder_)
    run(case, "--restart", os.path.join(out, snapshot), "--other-mesh=cells", threads=2, timeout=600,
        options=options + (f"march.iterations={last + 5}",))
    side.append(adjoint(folder_, options=options[:1]))
displacement = moved(os.path.join(top, "unit.cgns"), unit)
for figure in figures:
    with h5py.File(os.path.join(out, f"nodes_{figure}.cgns"), "r") as f:
        gradient = sum((f["Base"][zone][f"FlowSolution/Gradient{c}/ data"][...] * d[n]).sum() / unit
                       for zone, d in displacement.items() for n, c in enumerate("XYZ"))
    compare("shape", gradient, figure, *side, amplitude)
finish()
