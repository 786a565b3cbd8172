"""Passages side by side (tools/programs/passage_copy): a run of one passage of a coarse Rotor 37 goes on as three, and
as five, which do not go into the 36 of the annulus, with the same residual, three or five times the mass flow of
the mesh and the same rows; the full annulus closes; what cannot be copied is refused.
"""
import csv
import os
import resource
import shutil
import signal
import subprocess

import h5py
import numpy

from regress import *

ROTOR = """case: coarse rotor
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.0, viscosity: sutherland}}
scheme: {{flux: jst}}
turbulence: {{model: sa}}
rows:
  rotor: {{zones: ["*"], rpm: -17188.7, blades: 36}}
march: {{method: runge_kutta, cfl: 1.5, cfl_start: 0.2, cfl_ramp: 500, smooth_start: 500, iterations: 40}}
multigrid: {{levels: 1}}
initial: {{p: 0.9e5, T: 280, mach: 0.45, direction: [1, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 101325, T0: 288.15, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: 1.0e5, radial_equilibrium: hub}}
  hub: {{type: wall_viscous}}
  blade: {{type: wall_viscous}}
  tip: {{type: wall_viscous}}
  shroud: {{type: wall_viscous, omega: 0}}
output: {{folder: out, every: 0, history_every: 1, wall_forces: true}}
"""

top = folder("copy")
mesh = rotor_input(top)


def tool(name, *options):
    return subprocess.run([os.path.join(BIN, name), *options], cwd=top, capture_output=True, text=True, timeout=120)


def forces(out):
    """The last line of forces.csv."""
    with open(os.path.join(out, "forces.csv"), newline="") as f:
        return list(csv.DictReader(f))[-1]


made = tool("mesh_row", "row.yaml", "--cells", "1e4", "-o", mesh)
if not check(made.returncode == 0, f"mesh_row: {made.stdout[-500:]} {made.stderr[-500:]}"):
    finish()
case = write_case(top, mesh=mesh, text=ROTOR)
one = os.path.join(top, "one")
run(case, options=[f"output.folder={one}"])
for precision, n in (("double", 3), ("single", 3), ("five", 5)):
    many, base = os.path.join(top, precision), one
    if precision == "single":
        base = os.path.join(top, "one_single")
        run(case, options=[f"output.folder={base}", "precision=single"])
    made = tool("passage_copy", mesh, "-n", str(n), "-o", f"{precision}.cgns", "-s", snapshot(base, 40), "-f", many)
    check(made.returncode == 0, f"passage_copy: {made}")
    more = [f"march.iterations={42 if n == 3 else 43}", f"precision={precision.replace('five', 'double')}"]
    run(case, "--restart", "latest", options=[f"output.folder={base}", *more])
    run(case, "--restart", "latest", np=2, options=[f"output.folder={many}", f"mesh={precision}.cgns", *more])
    a, b = history(base)[-1], history(many)[-1]
    near = 1e-3 if precision == "single" else 1e-9
    for name, factor in (("residual_density", 1), ("residual_energy", 1), ("residual_turbulence", 1),
                         ("mass_in_kg_s", n), ("mass_out_kg_s", n), ("rotor_mass_in_kg_s", 1),
                         ("rotor_power_W", 1), ("rotor_power_walls_W", 1), ("machine_power_W", 1),
                         ("rotor_pressure_ratio", 1), ("rotor_torque_walls_Nm", 1), ("wall_torque_Nm", n)):
        x, y = float(a[name]), float(b[name])
        check(abs(y / (factor * x) - 1) < near, f"{precision}: {name}: {y} of {n} passages, {x} of one")
    # each copy of the blade has the torque and the power of the one
    p, q = forces(base), forces(many)
    check(p["iteration"] == q["iteration"], f"{precision}: lines of forces.csv: {p} {q}")
    for m in range(1, n + 1):
        for name in ("force_x_N", "friction_x_N", "torque_Nm", "power_W"):
            x, y = float(p["blade_" + name]), float(q.get(f"blade_p{m}_{name}", "nan"))
            check(x != 0 and abs(y / x - 1) < near, f"{precision}: {name} of blade {m}: {y}, {x} of one")
        check(q.get(f"shroud_p{m}_power_W") in ("0", "-0"), f"{precision}: power of a wall at rest: {q}")
    check(abs(float(p["blade_power_W"]) / float(p["blade_torque_Nm"]) / (-17188.7 * numpy.pi / 30) - 1) < 1e-8,
          f"{precision}: power over torque: {p}")
    check(run_json(many)["rows"][0]["sectors"] == 36 / n, f"sectors: {run_json(many)['rows'][0]}")
    if n != 3:
        continue
    # the second copy is the first, turned by a pitch
    with h5py.File(snapshot(many, 42)) as f:
        zones = [z for z in f["Base"] if z.endswith("_p1")]
        check(len(zones) > 1, f"zones: {list(f['Base'])}")
        angle, worst = numpy.radians(10), 0
        for z in zones:
            of = [f[f"Base/{z[:-1]}{n}/FlowSolution"] for n in (1, 2)]
            v = [[q[f"Momentum{c}/ data"][...].astype(float) for c in "YZ"] for q in of]
            turned = (v[0][0] * numpy.cos(angle) - v[0][1] * numpy.sin(angle),
                      v[0][0] * numpy.sin(angle) + v[0][1] * numpy.cos(angle))
            worst = max(worst, *(abs(p - q).max() for p, q in zip(turned, v[1])))
        check(worst < (1e-8 if precision == "double" else 0.05), f"{precision}: momentum of copies differs by {worst}")

# a flow of other nodes is refused: the copy would have the checksum of the mesh in hand
moved = os.path.join(top, "moved.cgns")
shutil.copy(mesh, moved)
with h5py.File(moved, "r+") as f:
    base = next(f[name] for name in f if f[name].attrs.get("label", b"") == b"CGNSBase_t")
    zone = next(base[name] for name in base if base[name].attrs.get("label", b"") == b"Zone_t")
    x = zone["GridCoordinates/CoordinateX/ data"]
    x[-1, -1, -1] += 1e-7
made = tool("passage_copy", moved, "-n", "3", "-o", "moved_3.cgns", "-s", snapshot(one, 40), "-f", os.path.join(top, "moved"))
check(made.returncode == 2 and "other coordinates" in made.stderr, f"a snapshot of another mesh: {made}")
check(not os.path.exists(os.path.join(top, "moved", "flow_00000040.cgns")), "a snapshot of another mesh is copied")

# the full annulus closes one to one
made = tool("passage_copy", mesh, "-o", "full.cgns")
check(made.returncode == 0, f"full: {made}")
r = annulus("info", os.path.join(top, "full.cgns"))
check("periodic" not in r.out and "0 left over" in r.out, f"full annulus: {r}")
r = annulus("check", case, options=["mesh=full.cgns", "rows.rotor.blades=0"])
check(r.code == DONE, f"full annulus: {r}")

for options, words in ((["-n", "40"], "the annulus holds 36 passages of zone"),
                       (["-n", "20"], "are more than half a turn"),
                       (["-n", "3", "-n", "passage=20"], "are more than half a turn"), (["-n", "3", "-n", "x=4"], "is called 'x'"),
                       (["-n", "x=0"], "expected 1 to 10000"),
                       (["-n", "0"], "expected 1 to 10000"), (["-n", "4294967297"], "expected 1 to 10000"),
                       (["-s", "x"], "go together"), (["-o", mesh], "it would be written over"),
                       (["-s", snapshot(one, 40), "-f", one], "it would be written over"),
                       (["-s", snapshot(one, 40), "-f", "x", "-o", snapshot(one, 40)], "it would be written over")):
    made = tool("passage_copy", mesh, "-o", "no.cgns", *options)
    check(made.returncode == 2 and words in made.stderr, f"{options}: {made}")
check(not os.path.exists(os.path.join(top, "no.cgns")), "a copy that was refused left a mesh")
# the duct takes no numbers but such as make one
for options in (["-n", ""], ["-n", "4,"], ["-n", "4,4,4,4"], ["-n", "4.5"], ["-n", "2e6"], ["-s", "1e10"], ["-u", "inf"],
                ["-l", "nan"], ["-c", "1,,2"], ["-l", "0.5,"]):
    made = tool("mesh_duct", "-o", "duct.cgns", *options)
    check(made.returncode == 2 and options[1] in made.stderr, f"mesh_duct {options}: {made}")
check(not os.path.exists(os.path.join(top, "duct.cgns")), "a duct that was refused left a mesh")
made = tool("mesh_duct", "-o", "duct.cgns", "-n", "4", "-c", "1,1.2")
check(made.returncode == 0, f"mesh_duct: {made}")


# a disk that is full: the reason, exit code 1, nothing left behind, and what was there stays
def full(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


before = open(os.path.join(top, "duct.cgns"), "rb").read()
for name, options in (("mesh_duct", ["-n", "16,16,8"]), ("mesh_join", [f"a={mesh}"]),
                      ("mesh_row", ["row.yaml", "--cells", "1e4"])):
    for size in (0, 4000, 30000):
        made = subprocess.run([os.path.join(BIN, name), *options, "-o", "duct.cgns"], cwd=top, capture_output=True,
                              text=True, timeout=120, preexec_fn=lambda: full(size))
        check(made.returncode == 1 and ("duct.cgns" in made.stderr), f"{name}, {size} bytes: {made}")
check(open(os.path.join(top, "duct.cgns"), "rb").read() == before, "a write that failed left another mesh")
check(not [f for f in os.listdir(top) if f.endswith(".part")], f"left behind: {os.listdir(top)}")

# outputs over inputs, under whatever name
os.symlink("row.yaml", os.path.join(top, "other.cgns"))
shutil.copy(os.path.join(SOURCE, "cases", "ls89", "blade.dat"), os.path.join(top, "profile.dat"))
with open(os.path.join(top, "grid.xyz"), "w") as f:
    f.write("1\n2 2\n0 1 0 1\n0 0 1 1\n")
for command in (["mesh_row", "row.yaml", "--cells", "1e4", "-o", "other.cgns"],
                ["mesh_row", "row.yaml", "--cells", "1e4", "-o", "blade.dat"],
                ["mesh_cascade", "profile.dat", "--pitch", "0.0575", "-o", "profile.dat"],
                ["mesh_cascade", "profile.dat", "--pitch", "0.0575", "--plot", "profile.dat"],
                ["mesh_plot3d", "grid.xyz", "-o", "grid.xyz"]):
    made = tool(*command)
    check(made.returncode == 2 and "would be written over" in made.stderr, f"{command}: {made}")
finish()
