"""Figures of rows and of whole runs that cannot be, on a duct that turns: speeds, a mesh in the wrong unit, a flow
that has come to rest, and a restart with another speed; on a plate: long cells at its leading edge. The rules themselves: tests/unit/test_plausible.c. The rules on
boundaries: tests/regress/regress_guard.py."""
import math
import os
import re
import subprocess
import sys

from regress import *

TURNS = """case: duct that turns
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.0}}
rows:
  rotor: {{zones: ["*"], rpm: 2000, blades: 30}}
march: {{cfl: 1, iterations: 3}}
initial: {{p: 0.98e5, T: 287, mach: 0.2, direction: [1, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 101325, T0: 288.15, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: 0.95e5}}
  hub: {{type: wall_slip}}
  casing: {{type: wall_slip}}
output: {{folder: out, every: 0}}
"""

PLATE = """case: plate with transition
mesh: {mesh}
precision: double
device: cpu
gas: {{viscosity: constant, mu: 1.8e-5}}
turbulence: {{model: sa, transition: bcm}}
march: {{iterations: 2}}
initial: {{p: 1e5, T: 300, mach: 0.1, direction: [1, 0, 0]}}
boundaries:
  ends: {{type: farfield, p: 1e5, T: 300, mach: 0.1, direction: [1, 0, 0]}}
  smooth: {{type: symmetry}}
  plate: {{type: wall_viscous}}
output: {{folder: out, every: 0}}
"""

VORTEX = """case: vortex
mesh: {mesh}
device: cpu
gas: {{R: 1}}
scheme: {{flux: kep}}
march: {{mode: unsteady, iterations: 1}}
initial: {{pattern: taylor_green, p: 71.4, T: 71.4, mach: 0.1}}
output: {{folder: out, every: 0}}
"""

top = folder("doubts")


def duct(name, scale):
    """A case for a sector of the annulus from 0.5 to 1 m, 0.5 m long, times a factor."""
    where = folder(f"doubts/{name}")
    mesh = os.path.join(where, "duct.cgns")
    subprocess.run([os.path.join(BIN, "mesh_duct"), "-n", "8,8,2", "-s", "30", "-u", str(0.5 * scale), "-c", str(scale),
                    "-l", str(0.5 * scale), "-o", mesh], check=True, capture_output=True)
    return where, write_case(where, mesh, TURNS)


def warned(where, case, says, *options):
    """Is the run warned of at its start and at its end, and in run.json?"""
    r = run(case, options=[f"output.folder={where}/out", *options])
    check(r.out.count(f"warning     {says}") == 2, f"{says}: not at the start and at the end: {r}")
    check(any(says in w for w in run_json(f"{where}/out")["warnings"]), f"{says} is not in run.json")


def plate(name, ahead, behind, parts):
    """A plate from x = 0 to 0.3 m that ends in cells of 30 mm, between symmetry planes; its first cell is `behind`
    long, the one before it `ahead`. parts: blocks; the second one begins at the edge and is turned upside down."""
    where = folder(f"doubts/{name}")
    x = [-0.1, -ahead, 0, behind, 0.15, 0.24, 0.27, 0.3, 0.33, 0.4]
    y = [0, 1e-5, 1e-3, 0.05, 0.1]
    blocks = [[[(p, q) for p in x] for q in y]] if parts == 1 else \
        [[[(p, q) for p in x[:3]] for q in y], [[(p, q) for p in x[:1:-1]] for q in y[::-1]]]
    with open(f"{where}/grid", "w") as f:
        f.write(f"{parts}\n" + "".join(f"{len(rows[0])} {len(rows)}\n" for rows in blocks))
        for rows in blocks:
            f.writelines(f"{at[d]}\n" for d in (0, 1) for row in rows for at in row)
    faces = ["1:imin=ends", "1:jmax=ends"]
    faces += ["1:imax=ends", "1:jmin:1-3=smooth", "1:jmin:3-8=plate", "1:jmin:8-10=smooth"] if parts == 1 else \
        ["1:jmin=smooth", "2:imin=ends", "2:jmin=ends", "2:jmax:3-8=plate", "2:jmax:1-3=smooth"]
    subprocess.run([os.path.join(BIN, "mesh_plot3d"), "--join", *(f"--bc={face}" for face in faces), "-o", f"{where}/plate.cgns",
                    f"{where}/grid"], check=True, capture_output=True)
    return where, write_case(where, f"{where}/plate.cgns", PLATE)


# nothing is said of a row as it should be
where, case = duct("right", 1)
r = run(case, options=[f"output.folder={where}/out"])
check("plausible" not in r.out, f"a warning without a reason: {r}")

# speeds: refused above six times the speed of sound, doubtful above 800 m/s
for command in ("check", "run"):
    r = annulus(command, case, options=["rows.rotor.rpm=1e7"])
    check(r.code == INPUT and "times the speed of sound" in r.err and "a row turns" in r.err, f"{command} at 1e7 rpm: {r}")
warned(where, case, "a row turns with a tip speed of 837.8 m/s", "rows.rotor.rpm=-8000", "march.cfl=0.1")

# the mesh in millimetres, its file without a unit: 1000 times too large; and the other way round
for name, scale, length, radius in (("large", 1e3, "502.7 m long", "1000 m"), ("small", 1e-3, "0.0005027 m long", "0.001 m")):
    where, case = duct(name, scale)
    slow = f"rows.rotor.rpm={2000 / scale}"
    warned(where, case, f"the mesh is {length}", slow)
    warned(where, case, f"a row turns at a radius of {radius}", slow)

# a flow that has come to rest, which only the end of the run knows
where, case = duct("rest", 1)
still = ["rows.rotor.rpm=0", "boundaries.outlet.p=101324.999", "initial.mach=0", "initial.p=101325", "initial.T=288.15"]
r = run(case, options=[f"output.folder={where}/out", *still])
last = [line for line in r.out.splitlines() if line.startswith("warning ")][-2:]
check(r.out.strip().endswith("\n".join(last)) and any("hardly any gas flows" in line for line in last),
      f"a flow at rest without a word at the end: {r}")
check(re.search(r"^  loss +-$", r.out, re.M), f"a loss of gas at rest: {r}")
check(any("hardly any gas flows" in w for w in run_json(f"{where}/out")["warnings"]), "a flow at rest is not in run.json")

# a restart with another speed
where, case = duct("speed", 1)
out = f"output.folder={where}/out"
run(case, options=[out])
r = run(case, "--restart", "latest", options=[out, "march.iterations=4", "rows.rotor.rpm=2500"])
check(re.search(r"rows\.rotor\.omega: 209\.4\d* in the snapshot, 261\.7\d* now", r.out), f"another speed without a word: {r}")

# a plate whose leading edge lies between long cells: Re = rho u L / mu = 2.24e6 / m x L. Its trailing edge does not count,
# and without a model of transition the edges do not matter.
for parts in (1, 2):
    for ahead, behind, says in ((1e-4, 1e-4, None), (1e-2, 1e-4, "2.24e+04"), (1e-4, 2e-3, "4.48e+03")):
        where, case = plate(f"plate{parts}", ahead, behind, parts)
        for np in (1, parts):
            r = annulus("check", case, np=np)
            told = re.search(r"warning     wall 'plate' begins with cells whose Reynolds number is\s+(\S+);", r.out)
            check(r.code == DONE and (told[1] if told else None) == says, f"{ahead} m ahead, {behind} m behind: {r}")
    r = annulus("check", case, options=["turbulence.transition=none"])
    check(r.code == DONE and "begins with cells" not in r.out, f"a leading edge without transition: {r}")
warned(where, case, "wall 'plate' begins with cells whose Reynolds number is 4.48e+03")

# a vortex that fits into its box, and one whose waves do not end where the box repeats
where = folder("doubts/vortex")
box, mesh = os.path.join(where, "box.p3d"), os.path.join(where, "box.cgns")
subprocess.run([sys.executable, os.path.join(SOURCE, "cases", "taylor_green", "make_grid"), "--cells", "8", "-o", box],
               check=True, capture_output=True)
repeats = [word for d in ("{0},0,0", "0,{0},0", "0,0,{0}") for word in ("--periodic", "shift:" + d.format(repr(2 * math.pi)))]
subprocess.run([os.path.join(BIN, "mesh_plot3d"), box, *repeats, "-o", mesh], check=True, capture_output=True)
case = write_case(where, mesh, VORTEX)
for length, says in (("1", None), ("0.5", None), ("1.1", "0.0909"), ("2", "0.5")):
    r = annulus("check", case, options=[f"initial.length={length}"])
    told = re.search(r"warning     initial.pattern: an edge of the box around the mesh is\s+(\S+)\s+wave", r.out)
    check(r.code == DONE and (told[1] if told else None) == says, f"initial.length {length}: {r}")
finish()
