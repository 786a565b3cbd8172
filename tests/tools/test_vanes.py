"""compare.py of cases/vanes on a run with the same coefficient everywhere: bias and rms are those of this number against the report, and the
measurement belongs to the name of the case, which effective.yaml has in quotes."""
import csv
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(77)  # skipped

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASE = os.path.join(ROOT, "cases", "vanes")
H, T0, P0, T = 900.0, 800.0, 3e5, 600.0
checks = faults = 0


def check(good, what):
    global checks, faults
    checks += 1
    if not good:
        faults += 1
        print(f"FAULT: {what}")


def make(folder, case):
    """A round blade of 80 faces in a run of that name."""
    os.makedirs(folder)
    with open(os.path.join(folder, "effective.yaml"), "w", encoding="utf-8") as f:
        f.write(f'# The case as it is run: every key with its value.\ncase: {case}\nboundaries:\n  inlet:\n    p0: {P0}\n    T0: {T0}\n')
    angle = numpy.linspace(0, 2 * numpy.pi, 81)
    node = 0.1 * numpy.array([numpy.cos(angle), numpy.sin(angle)])
    with h5py.File(os.path.join(folder, "wall_00000001.cgns"), "w") as f:
        zone = f.create_group("Base/blade")
        for c, x in zip("XY", node):
            zone[f"GridCoordinates/Coordinate{c}/ data"] = numpy.stack([x, x])
        for name, value in (("WallHeatFlux", H * (T0 - T)), ("TemperatureWall", T), ("Pressure", 0.9 * P0)):
            zone[f"FlowSolution/{name}/ data"] = numpy.full((1, 80), value)


def compare(folder):
    return subprocess.run([sys.executable, os.path.join(CASE, "compare.py"), folder], capture_output=True, text=True, timeout=60)


def wanted(name, side):
    with open(os.path.join(CASE, f"{name}_wall.csv"), encoding="utf-8") as f:
        rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
    known = [float(r["h_W_m2_K"]) for r in rows if r["surface"] == side and r["h_W_m2_K"].strip()]
    error = H / numpy.array(known) - 1
    return f"  h, all: bias {100 * error.mean():+.1f} %, rms {100 * (error ** 2).mean() ** 0.5:.1f} %, {len(known)} points"


with tempfile.TemporaryDirectory() as work:
    for n, (case, name) in enumerate((('"C3X, run 108"', "c3x_run108"), ("C3X vane run 145", "c3x_run145"), ('"Mark II, run 42"', "markii_run42"))):
        folder = os.path.join(work, str(n))
        make(folder, case)
        r = compare(folder)
        check(r.returncode == 0, f"{case}: {r.stderr}")
        for side in ("suction", "pressure"):
            check(f"{side} side:\n{wanted(name, side)}\n" in r.stdout, f"{case}, {side}: {wanted(name, side)} in {r.stdout}")
    make(os.path.join(work, "other"), '"LS89"')
    r = compare(os.path.join(work, "other"))
    check(r.returncode != 0 and "Traceback" not in r.stderr and "markii_runLS89" in r.stderr, f"another case: {r}")
print(f"{checks} checks, {faults} faults")
sys.exit(faults > 0)
