"""Meshes of resolved film-cooling holes: of ten combinations of angle, pitch, diameter and length all cells are right-handed, their volume is
that of plate and pipe, all blocks meet one to one, and `annulus check` takes them without a doubt. A mesh with a moved edge, a hole
that is too short, and a shaped hole are refused.
"""
import os
import re
import shutil
import subprocess
import sys

try:
    import h5py  # noqa: F401
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from checks import check, finish

binaries, work = sys.argv[1:]
film = os.path.join(os.environ["AN_SOURCE"], "cases", "film")
sys.path[:0] = [film, os.path.join(os.environ["AN_SOURCE"], "tools", "python", "annulus")]
import resolved  # noqa: E402
from errors import InputError  # noqa: E402

shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
UP, DOWN, WALL = 12.0, 30.0, 0.004
# alpha in degrees, pitch and length in diameters, diameter in m
CASES = ((30, 3, 6, 0.005), (30, 2, 6, 0.005), (30, 6, 6, 0.009), (35, 3, 1.75, 0.0127), (35, 2.86, 7, 0.004), (45, 4, 3, 0.01), (60, 3, 6, 0.001),
         (60, 2.4, 0.6, 0.02), (90, 2, 0.5, 0.005), (90, 5, 6, 0.1))
CASE = """case: plate
mesh: plate.cgns
gas: {{viscosity: sutherland}}
turbulence: {{model: sst}}
initial: {{p: 1e5, T: 300, mach: 0.2, direction: [1, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 102828, T0: 302.4, direction: [1, 0, 0]}}
  coolant: {{type: inlet_total, p0: 101000, T0: 200, direction: [{0:.9g}, {1:.9g}, 0], mass_flow: {2:.9g}}}
  outlet: {{type: outlet_static, p: 1e5}}
  top: {{type: farfield, p: 1e5, T: 300, mach: 0.2, direction: [1, 0, 0]}}
  wall: {{type: wall_viscous}}
  hole: {{type: wall_viscous}}
"""


def tool(*words):
    return subprocess.run([os.path.join(binaries, words[0]), *words[1:]], cwd=work, capture_output=True, text=True, timeout=200)


def convert(blocks, m, d):
    resolved.write(os.path.join(work, "plate.p3d"), blocks, d)
    return tool("mesh_plot3d", "plate.p3d", "--join", *["--bc=" + b for b in resolved.boundaries(blocks, m)], "-o", "plate.cgns")


def volumes(what, blocks, alpha, pitch, length, m):
    total = 0
    for name, block in blocks.items():
        low, high = resolved.corner_volumes(block)
        check(low.min() > 0.2 * high.max(where=low == low.min(), initial=0) > 0, f"{what}: corners of {name}: {low.min()}")
        total += sum_of_faces(block)
    circle = resolved.section(numpy.radians(alpha), m)[1] * resolved.RADIUS
    half = 0.5 * abs((circle[:-1, 0] * circle[1:, 1] - circle[1:, 0] * circle[:-1, 1]).sum())
    x = [b[..., 0] for b in blocks.values()]
    wanted = 0.5 * pitch * (max(v.max() for v in x) - x[list(blocks).index("front")].min()) * 8 + half * length
    check(abs(total / wanted - 1) < 1e-9, f"{what}: volume {total}, not {wanted}")


def sum_of_faces(block):
    """Volume of a block by the divergence theorem over its six sides, cut into triangles about the middle of each face."""
    total = 0
    for axis in range(3):
        for end, sign in ((0, -1), (-1, 1)):
            p = numpy.take(block, end, axis)
            a, b, c, d = p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]
            m = 0.25 * (a + b + c + d)
            turn = sign if axis != 1 else -sign
            for q, r in ((a, b), (b, c), (c, d), (d, a)):
                total += turn * numpy.einsum("...l,...l", m, numpy.cross(q, r)).sum() / 6
    return total


for alpha, pitch, length, d in CASES:
    what = f"alpha {alpha}, P/D {pitch}, L/D {length}, D {d}"
    blocks = resolved.mesh(alpha, pitch, length, WALL, UP, DOWN, resolved.COARSE)
    volumes(what, blocks, alpha, pitch, length, resolved.COARSE)
    r = convert(blocks, resolved.COARSE, d)
    check(r.returncode == 0, f"{what}: mesh_plot3d: {r}")
    # ring with core in three parts, front and rear, and what is above the pipe; the core with the pipe in three parts; the band with three
    found = re.search(r"^interfaces +(\d+)$", r.stdout, re.M)
    check(found and int(found.group(1)) == (12 if "band" in blocks else 9), f"{what}: interfaces: {r.stdout}")
    r = tool("annulus", "info", "plate.cgns")
    check(r.returncode == 0 and re.search(r"\b0 left over", r.stdout), f"{what}: info: {r}")
    turn = numpy.radians(alpha)
    with open(os.path.join(work, "case.yaml"), "w", encoding="utf-8") as f:
        f.write(CASE.format(numpy.cos(turn), numpy.sin(turn), 50 * d * d))
    r = tool("annulus", "check", "case.yaml")
    check(r.returncode == 0 and "warning" not in r.stdout + r.stderr, f"{what}: check: {r}")

for alpha, pitch, length, d in CASES[::3]:
    volumes(f"fine, alpha {alpha}", resolved.mesh(alpha, pitch, length, WALL, UP, DOWN, resolved.FINE), alpha, pitch, length, resolved.FINE)

blocks = resolved.mesh(30, 3, 6, WALL, UP, DOWN, resolved.COARSE)
blocks["pipe"][:, 5, -1] += 0.01
check(convert(blocks, resolved.COARSE, 0.005).returncode == 0, "a moved node of the wall is no interface")
blocks["pipe"][:, 5, 0] += 0.01
r = convert(blocks, resolved.COARSE, 0.005)
check(r.returncode == 2 and "block_3" in r.stderr, f"a moved edge: {r}")
for bad in ((30, 3, 0.9), (90, 1.2, 6)):
    try:
        resolved.mesh(*bad, WALL, UP, DOWN, resolved.COARSE)
        check(False, f"{bad} is not refused")
    except InputError as error:
        check("not computed" in str(error), f"{bad}: {error}")

r = subprocess.run([sys.executable, "-B", os.path.join(film, "film.py"), "--bin", binaries, "--work", os.path.join(work, "curves"), "--resolved", "coarse",
                    "--check", "Sinha1991_Fig9c:1", "Saumweber2012_Fig10a:3", "Schroeder2014_Fig6:2"], capture_output=True, text=True)
check(r.returncode == 0 and len(re.findall("passes annulus check", r.stdout)) == 2 and
      "Schroeder2014_Fig6:2   not computed: resolved holes are cylindrical" in r.stdout, f"film.py: {r}")
finish()
