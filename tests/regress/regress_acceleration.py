"""An airfoil near its largest lift, on a coarse mesh: without mixing the march stays in a limit cycle, with
it the flow settles. Mixed cycles have the same bits on any number of ranks and after a restart. Sweeps of the
turbulence across the lines make it settle sooner, and march.cfl_finest acts.
"""
import math
import os
import re
import shlex
import subprocess
import sys

from regress import *

sys.path.insert(0, os.path.join(SOURCE, "tools", "robustness"))
import airfoil  # noqa: E402
import casefile  # noqa: E402

AROUND, WAKE, OFF, LAST, MIDDLE, LATER = 40, 12, 16, 250, 185, 222
# the march swings with these keys, and settles by itself or nearly so without them
STALLS = ("march.cfl_finest=0", "turbulence.across=false", "turbulence.sweeps=2")

top = folder("acceleration")
airfoil.write_plot3d(os.path.join(top, "mesh.xyz"), airfoil.c_mesh("2412", AROUND, WAKE, OFF, 4e-5))
made = subprocess.run([os.path.join(BIN, "mesh_plot3d"), *airfoil.boundaries(AROUND, WAKE), "-o", "mesh.cgns",
                       "mesh.xyz"], cwd=top, capture_output=True, text=True)
check(made.returncode == 0, f"mesh_plot3d: {made.stderr}")
speed, angle = 0.2 * math.sqrt(casefile.GAMMA * casefile.R * airfoil.T), math.radians(16)
flow = {"p": 3e6 * casefile.viscosity(airfoil.T) / speed * casefile.R * airfoil.T, "T": airfoil.T, "mach": 0.2,
        "direction": [math.cos(angle), math.sin(angle), 0]}
side, far = {"type": "symmetry"}, {"type": "farfield", **flow}
case = os.path.join(top, "case.yaml")
with open(case, "w") as f:
    f.write(casefile.text("airfoil", "mesh.cgns", {"precision": "double", "model": "sa"}, flow,
                          {"far": far, "out": far, "wall": {"type": "wall_viscous"}, "front": side, "back": side},
                          flows=False))


def march(name, last=LAST, np=1, restart=(), options=(), of=case):
    out = os.path.join(top, name)
    r = run(of, *restart, np=np, timeout=400,
            options=[f"output.folder={out}", f"march.iterations={last}", "output.every=37", *STALLS, *options])
    return out, r


def drops(out):
    """Residual over its largest at the lines of the last 40 iterations."""
    lines = [(int(line["iteration"]), float(line["residual_drop"])) for line in history(out)]
    return [drop for at, drop in lines if at > lines[-1][0] - 40]


# from a case file with keys that only a steady march has
with open(case) as f:
    text = f.read()
steady = os.path.join(top, "steady.yaml")
with open(steady, "w") as f:
    f.write(text.replace("march: {", "multigrid: {levels: 0}\nmarch: {method: implicit, cfl_min: 8, acceleration: none, "
                         "residual_drop: 1e-8, "))
plain, r = march("plain", of=steady)
check("cycles are mixed" not in r.out, f"cycles are mixed without being asked for: {r}")
stalled = min(drops(plain))
check(stalled > 3e-4, f"without mixing the march should stall: {drops(plain)}")
about = run_json(plain)
check(about["state"] == "swings" and "state       swings" in r.out, f"a limit cycle: {about}")
check(about["period"] and 45 < about["period"] < 60, f"the period is about 50 iterations: {about['period']}")
lift = about["figures"]["force_y_N"]
check(0.02 * lift["mean"] < lift["amplitude"] < 0.05 * lift["mean"], f"lift of the limit cycle: {lift}")
last = r.out.strip().splitlines()[-1]
check(last.startswith("warning     the flow swings with a period of") and "force_y_N" in last, f"the last line: {last}")

# the command that is printed starts an unsteady run from there
command = re.search(r"annulus (run .*)$", last)
check(command, f"no command in {last}")
words = shlex.split(command.group(1).replace("time_step=SECONDS", "time_step=1e-4").replace("SECONDS", "2e-4"))
unsteady = run(*words[1:], timeout=400)
check("belong to its steady march" in unsteady.err and "march.cfl_min" in unsteady.err,
      f"which keys are passed over: {unsteady.err}")
about = run_json(plain)
check(about["last"]["time_s"] >= 1.99e-4 and about["iteration"] > LAST, f"the unsteady run: {about['last']}")

mixed, r = march("mixed", options=["march.acceleration=auto"])
check("cycles are mixed" in r.out, f"the march has stalled, and its cycles are not mixed: {r}")
check(drops(mixed)[-1] < 0.1 * stalled, f"mixed: {drops(mixed)}, plain: {stalled}")

across, _ = march("across", last=100, options=["march.acceleration=none", "turbulence.across=true"])
turbulence = [next(float(line["residual_turbulence"]) for line in history(out) if int(line["iteration"]) == 100)
              for out in (across, plain)]
check(turbulence[0] < 0.7 * turbulence[1], f"turbulence with sweeps across the lines, without: {turbulence}")
ranks, _ = march("across_2", last=37, np=2, options=["march.acceleration=none", "turbulence.across=true"])
same_fields(snapshot(across, 37), snapshot(ranks, 37), "sweeps across the lines on two ranks")

finest = [fields(snapshot(march(f"finest_{cfl}", last=2, options=[f"march.cfl_finest={cfl}"])[0], 2))
          for cfl in (0, 1000, 10)]
density = next(name for name in finest[0] if name.endswith("Density"))
check((finest[0][density] == finest[1][density]).all(), "march.cfl_finest as large as march.cfl changes the flow")
check((finest[0][density] != finest[2][density]).any(), "march.cfl_finest does nothing")

ranks, _ = march("ranks", last=MIDDLE, np=2, options=["march.acceleration=auto"])
same_fields(snapshot(mixed, MIDDLE), snapshot(ranks, MIDDLE), "two ranks while cycles are mixed")
names = fields(snapshot(ranks, MIDDLE)).keys()
check(any("Mixing" in n for n in names), f"the snapshot holds no mixed cycles: {sorted(names)}")
march("ranks", last=LATER, restart=("--restart", "latest"), options=["march.acceleration=auto"])
same_fields(snapshot(mixed, LATER), snapshot(ranks, LATER), "a restart while cycles are mixed")

ended, r = march("ended", restart=("--restart", snapshot(mixed, MIDDLE)),
                 options=["march.acceleration=auto", "stop.window=20", "stop.force=0.5"])
names = fields(snapshot(ended, run_json(ended)["iteration"])).keys()
check("converged" in r.out and not any("Mixing" in n for n in names), f"a settled flow keeps its cycles: {sorted(names)}, {r}")

_, r = march("damped", last=2, options=["march.acceleration=auto", "march.damping=0.05"])
check("cycles are not mixed" in r.out and "march.damping" in r.out, f"damping goes without a word: {r}")
finish()
