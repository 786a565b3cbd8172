"""cases/gust_cascade/compare on a field of known waves: each wave of sound is told apart from the others.

Three waves that do not decay leave the plates on either side with the amplitudes of theory, 20 % of the first one comes back
with a phase, and the slowest waves that decay are there, too. The probes are those that `prepare` puts into the case.
"""
import csv
import json
import os
import re
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from checks import check, finish

SOURCE = os.path.join(os.environ["AN_SOURCE"], "cases", "gust_cascade")
sys.path.insert(0, SOURCE)
import plate_cascade  # noqa: E402

folder = os.path.abspath(sys.argv[1])
made = subprocess.run([sys.executable, os.path.join(SOURCE, "prepare"), folder, "--mach", "0.7", "--stagger", "30", "--frequency", "5", "--steps", "20",
                       "--periods", "3", "--chord", "24", "--pitch", "24"], capture_output=True, text=True)
check(made.returncode == 0, f"prepare: {made.stderr}")
with open(os.path.join(folder, "set.json"), encoding="ascii") as file:
    set_ = json.load(file)
spacing, period = set_["spacing"], set_["period"]
theory = plate_cascade.Cascade(set_["mach"], np.radians(set_["stagger"]), spacing, set_["frequency"], np.radians(set_["phase"]))
forces = theory.gust()
x, eta = (np.array([probe[name] for probe in set_["probes"]]) for name in ("x", "eta"))
radius = set_["blades"] * spacing / (2 * np.pi)
pressure, counts = np.zeros(len(x), complex), {}
for upstream in (True, False):
    side = (x < 0) == upstream
    away, back = (theory.ahead, theory.behind) if upstream else (theory.behind, theory.ahead)
    waves = theory.sound(forces, upstream)
    counts[upstream] = len(waves)
    for n, (r, p, _) in enumerate(waves):
        q = int(np.flatnonzero(theory.r == r)[0])
        pressure[side] += p * np.exp(1j * (away[q] * x + theory.beta[q] * eta))[side]
        if n == 0:
            pressure[side] += 0.2 * p * np.exp(1j * (1 + back[q] * x + theory.beta[q] * eta))[side]
    for q in np.argsort(np.where(theory.cut_on, np.inf, abs(away.imag)))[:2]:
        pressure[side] += (0.3 + 0.1j) * np.exp(1j * (away[q] * x + theory.beta[q] * eta))[side]
check(min(counts.values()) >= 2, f"waves that do not decay: {counts}")
os.makedirs(os.path.join(folder, "out"), exist_ok=True)
time = period / set_["steps"] * np.arange(1, 3 * set_["steps"] + 1)
turn = np.exp(2j * np.pi * time / period)
gust, sigma = 2 * np.pi * set_["gust"], np.radians(set_["phase"])
with open(os.path.join(folder, "out", "history.csv"), "w", newline="") as file:
    lines = csv.writer(file)
    lines.writerow(("time_s", "lift", "moment"))
    lift, moment = (scale * gust * (turn * np.exp(1j * sigma) * value).real for scale, value in
                    ((1, theory.lift(forces)), (-1, theory.moment(forces))))
    lines.writerows(zip(time, lift, moment))
with h5py.File(os.path.join(folder, "out", "probes.h5"), "w") as file:
    value = np.zeros((len(time), len(x), 6))
    value[:, :, 4] = set_["density"] * set_["speed"] ** 2 * set_["gust"] * (turn[:, None] * pressure).real
    file["time"], file["value"] = time, value
    file["centre"] = np.stack([x, radius * np.cos(eta / radius), radius * np.sin(eta / radius)], 1)
done = subprocess.run([sys.executable, os.path.join(SOURCE, "compare"), folder], capture_output=True, text=True)
check(done.returncode == 0, f"compare: {done.stderr}")
found = {side: re.findall(rf"sound {side}, r (\S+) .*amplitude +(\S+) %  phase +(\S+) deg", done.stdout) for side in ("upstream", "downstream")}
for upstream, side in ((True, "upstream"), (False, "downstream")):
    check(len(found[side]) == counts[upstream], f"{side}: {found[side]}")
    for r, amplitude, phase in found[side]:
        check(abs(float(amplitude)) < 0.1 and abs(float(phase)) < 0.1, f"{side}, r {r}: off by {amplitude} %, {phase} degrees")
echoes = [float(v) for v in re.findall(r"comes back from the end +(\S+) %", done.stdout)]
wanted = [20.0] + [0.0] * (counts[True] - 1) + [20.0] + [0.0] * (counts[False] - 1)
check(len(echoes) == len(wanted) and np.allclose(echoes, wanted, atol=0.1), f"what comes back: {echoes}")
finish()
