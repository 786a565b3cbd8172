"""Signals of unsteady runs, of known content: p(t) = 1e5 + 300 cos(2 pi f t + 40 deg) + 50 cos(4 pi f t - 100 deg) +
noise at a probe, in steps of uneven length, two rows of 24 and 36 blades of which one turns at 6000 rpm. Expected:
amplitudes within 0.1 %, phases within 0.1 deg, the mean within 0.01 Pa; averages over the period on the curve; a drift
shows as a change from period to period. Faulty files and options are refused. A film has as many pages as snapshots."""
import os
import shutil
import subprocess
import sys

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy as np
    import yaml  # noqa: F401
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SOURCE = os.environ["AN_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
import annulus  # noqa: E402
from checks import check, finish  # noqa: E402

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
plot = [sys.executable, os.path.join(SOURCE, "tools", "plot")]
F = 24 * 6000 / 60  # the rotor's 24 blades pass the stator


def curve(t):
    return 1e5 + 300 * np.cos(2 * np.pi * F * t + np.radians(40)) + 50 * np.cos(4 * np.pi * F * t - np.radians(100))


def says(text, arguments, code=0):
    done = subprocess.run([*plot, *arguments], capture_output=True, text=True)
    said = done.stdout + done.stderr
    check(done.returncode == code and text in said and "Traceback" not in said, f"{arguments}: {done.returncode}, not "
                                                                                f"'{text}': {said}")


random = np.random.default_rng(1)
steps = 1 / (80 * F) * (1 + 0.2 * random.uniform(-1, 1, 500))
time = 0.013 + np.cumsum(steps)
values = np.zeros((500, 2, 6))
values[:, 0, 4] = curve(time)
values[:, 1, 4] = curve(time) + 4e4 * (time - time[0])  # drifts by 17 Pa in a period
with h5py.File("probes.h5", "w") as f:
    f["iteration"], f["time"], f["value"] = np.arange(500), time, values
    f["name"] = np.array(["near", "far"], dtype=h5py.string_dtype())
    f["point"] = f["centre"] = np.zeros((2, 3))
with open("forces.csv", "w") as out:
    out.write("iteration,time_s,blade_force_x_N,blade_torque_Nm\n")
    out.writelines(f"{n},{t:.17g},{0.01 * curve(t):.17g},{2 * n}\n" for n, t in enumerate(time))
with open("effective.yaml", "w") as out:
    out.write("mesh: m.cgns\nrows:\n  stator: {zones: [a], rpm: 0, blades: 36}\n  rotor: {zones: [b], rpm: -6000, blades: 24}\n")

s = annulus.signals(".")
check(s.path.endswith("probes.h5") and len(s) == 12 and s.units["near.Pressure"] == "Pa", f"{s.path}: {list(s)}")
passing = annulus.passing_frequencies(annulus.Run(".").case)
check(abs(passing["rotor", "stator"] - F) < 1e-9 and abs(passing["stator", "rotor"] - 1.5 * F) < 1e-9, str(passing))
m = annulus.modes(s.time, s["near.Pressure"], [F, 2 * F])
check(abs(m.mean - 1e5) < 1e-2 and m.rest < 1e-6, f"mean {m.mean}, rest {m.rest}")
check(np.allclose(m.amplitude, [300, 50], rtol=1e-3) and np.allclose(m.phase, [40, -100], atol=0.1), f"{m.amplitude} {m.phase}")
alone = annulus.modes(s.time, s["near.Pressure"], [F])
check(abs(alone.rest - 50 / np.sqrt(2)) < 1, f"what one harmonic leaves is the other: {alone.rest}")
phase, mean, rms = annulus.phase_average(s.time, s["near.Pressure"], 1 / F, 40)
check(len(phase) == 40 and np.max(np.abs(mean - curve(phase / F))) < 15 and np.max(rms) < 25, f"{mean - curve(phase / F)}")
check(annulus.period_change(s.time, s["near.Pressure"], 1 / F) < 0.02, "the near probe is periodic")
check(abs(annulus.period_change(s.time, s["far.Pressure"], 1 / F) - 4e4 / F / (300 / np.sqrt(2))) < 0.02, "the far one drifts")
check(np.isnan(annulus.period_change(s.time[:100], s["far.Pressure"][:100], 1 / F)), "two periods are needed")
f, size = annulus.spectrum(s.time, s["near.Pressure"])
check(abs(f[np.argmax(size)] - F) < f[0] and abs(size.max() - 300) < 15, f"spectrum: {f[np.argmax(size)]}, {size.max()}")
forces = annulus.signals("forces.csv")
check(list(forces) == ["blade_force_x_N", "blade_torque_Nm"] and forces.units["blade_force_x_N"] == "N", str(list(forces)))
for wrong, frequencies in (("too short", [10]), ("above 0", [-1]), ("too long", [60 * F])):
    try:
        annulus.modes(s.time, s["near.Pressure"], frequencies)
        check(False, f"frequencies {frequencies} were taken")
    except annulus.InputError as error:
        check(wrong in str(error), f"{frequencies}: {error}")

says("2400 Hz (blades of rotor pass stator), the last 6 periods", ["signals", ".", "--names", "near.Pressure,near.Density"])
with open("signals.csv") as text:
    rows = [line.strip().split(",") for line in text]
row = dict(zip(rows[0], next(r for r in rows if r[0] == "near.Pressure")))
check(abs(float(row["amplitude_1"]) - 300) < 0.5 and abs(float(row["phase_2_deg"]) + 100) < 0.3, str(row))
says("has the 1 of 2 columns", ["signals", ".", "--names", "near.Pressure,near.Density"])
says("2400 Hz (given)", ["signals", "forces.csv", "--frequency", "2400", "-o", "f.png"])
for name in ("signals.png", "f.png"):
    with open(name, "rb") as picture:
        check(picture.read(4) == b"\x89PNG", f"{name} is no PNG")
says("no column 'x.*'", ["signals", ".", "--names", "x.*"], 2)
says("shorter than", ["signals", ".", "--frequency", "10"], 2)
with open("steady.csv", "w") as out:
    out.write("iteration,time_s,mass_in_kg_s\n1,0,3\n2,0,3\n")
says("the run is steady", ["signals", "steady.csv"], 2)

# Films of snapshots that another test wrote, faster from one to the next
shutil.rmtree("out", ignore_errors=True)
os.makedirs("out")
says("at least two snapshots", ["film", "out", "b2b"], 2)
for n in range(3):
    name = f"out/flow_{n:08d}.cgns"
    shutil.copy(os.path.join(sys.argv[2], "bend.cgns"), name)
    with h5py.File(name, "r+") as f:
        found = []
        f.visit(lambda path: found.append(path) if "/Momentum" in path and path.endswith("/ data") else None)
        check(len(found) > 0, "no momentum in bend.cgns")
        for path in found:
            f[path][...] *= 1 + 0.1 * n
says("wrote out/film.gif", ["film", "out", "b2b", "--field", "Mach"])
check(Image.open("out/film.gif").n_frames == 3, f"{Image.open('out/film.gif').n_frames} pages")
says("ends with .gif or .mp4", ["film", "out", "-o", "a.avi", "b2b"], 2)
finish()
