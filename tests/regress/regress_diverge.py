"""A run that diverges says where, keeps its last good snapshot, ends with 3 and never hangs."""
import glob
import os
import re

from regress import *

top = folder("diverge")
TELLS = (r"diverged at iteration (\d+): .*(density|momentum [xyz]|energy|pressure) is \S+ in zone '\w+', "
         r"cell \(\d+, \d+, \d+\), at x = [-+.\de]+, y = [-+.\de]+, z = [-+.\de]+ m")

# The program bounds what a CFL number can do, so the step is given.
text = CASE.replace("cfl: 2, ", "mode: unsteady, time_step: 1e-7, ")
case = write_case(top, text=text)

for name, np, more in (("one", 1, []), ("four", 4, []), ("single", 2, ["precision=single"]),
                       ("roe", 2, ["scheme.flux=roe"])):
    out = os.path.join(top, name)
    r = run(case, np=np, expect=DIVERGED,
            options=["march.time_step=1e-3", "output.history_every=3", f"output.folder={out}", *more])
    if r.code != DIVERGED:
        continue
    check(re.search(TELLS, r.err), f"{name}: the place is not named: {r}")
    check(r.err.count("diverged at") == 1, f"{name}: said more than once: {r}")
    info = run_json(out)
    check(info["status"] == "diverged" and info["exit_code"] == DIVERGED, f"{name}: {info}")
    check(not glob.glob(out + "/flow_*"), f"{name}: a diverged state was written")

# Diverging after a good part: the last good snapshot stays, is named, and restarts.
out = os.path.join(top, "later")
good = [f"output.folder={out}", "output.every=10"]
run(case, options=[*good, "march.iterations=20"])
r = run(case, "--restart", "latest", np=4, expect=DIVERGED,
        options=[*good, "march.time_step=1e-3", "march.iterations=400", "output.keep=2"])
check(snapshot(out, 20) in r.err, f"the last good snapshot is not named: {r}")
left = sorted(glob.glob(out + "/flow_*.cgns"))
check(snapshot(out, 20) in left, f"snapshots left: {left}")
for path in left:
    check(all(numpy.isfinite(v).all() for v in fields(path).values()), f"{path} is not finite")
run(case, "--restart", snapshot(out, 20), np=2, options=[*good, "march.iterations=40"])

# An explicit march from a pressure seven times that of the outlet: the message says what helps, and that helps.
steady = write_case(folder("diverge/abrupt"))
abrupt = ["initial.p=6e5", f"output.folder={os.path.join(top, 'abrupt', 'out')}"]
r = run(steady, options=abrupt, expect=DIVERGED)
check("too abrupt for an explicit march" in r.err and "march.cfl_start: 0.5" in r.err and "march.cfl_ramp: 100" in r.err,
      f"no advice: {r}")
check("march.cfl_ramp: 100" in run_json(os.path.join(top, "abrupt", "out"))["message"], "run.json has no advice")
run(steady, options=[*abrupt, "march.cfl_start=0.5", "march.cfl_ramp=100", "march.iterations=120"])
finish()
