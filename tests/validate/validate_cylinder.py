"""Vortex shedding of a cylinder at Re 100 with dual time: Strouhal number, mean drag, amplitude of lift.

    tests/validate/validate_cylinder.py BIN FOLDER

The case of cases/cylinder on its 192 x 128 cells, 90 steps a period, about 25 periods from the start. Figures of other codes:
St 0.1643 (Williamson 1989), mean drag coefficient 1.32 to 1.37, amplitude of lift 0.31 to 0.35. This mesh gives 0.1632,
288 x 192 cells with half the time step 0.1640 (cases/cylinder/README.md); the bound is that of this mesh.
"""
import os
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cases", "cylinder")
BOUNDS = {"strouhal_number": (0.1625, 0.167), "drag_mean": (1.31, 1.38), "lift_amplitude": (0.31, 0.35)}
bin_folder, work = (os.path.abspath(a) for a in sys.argv[1:3])
os.makedirs(work, exist_ok=True)


def run(*command):
    return subprocess.run(command, cwd=work, check=True, capture_output=True, text=True).stdout


run(os.path.join(SOURCE, "make_grid"), "-o", "cylinder.p2dfmt")
run(os.path.join(bin_folder, "mesh_plot3d"), "cylinder.p2dfmt", "--join", "--bc", "1:jmin=wall:wall_viscous",
    "--bc", "1:jmax=far:farfield", "-o", "cylinder.cgns")
run(os.path.join(bin_folder, "annulus"), "run", os.path.join(SOURCE, "case.yaml"), "--set",
    f"mesh={work}/cylinder.cgns", "--set", f"output.folder={work}/out", "--set", "march.end_time=2.4")
out = run(os.path.join(SOURCE, "strouhal"), os.path.join(work, "out", "history.csv"), "--part", "0.3")
print(out, end="")
figure = {line.split()[0]: float(line.split()[1]) for line in out.splitlines()}
bad = [name for name, (least, most) in BOUNDS.items() if not least <= figure[name] <= most]
for name in bad:
    print(f"FAULT: {name} is {figure[name]}, expected {BOUNDS[name]}")
sys.exit(bool(bad))
