"""A run that diverges says where, keeps its last good snapshot, ends with 3 and never hangs."""
import glob
import os
import re

from regress import *

top = folder("diverge")
case = write_case(top)
TELLS = (r"diverged at iteration (\d+): .*(density|momentum [xyz]|energy|pressure) is \S+ in zone '\w+', "
         r"cell \(\d+, \d+, \d+\), at x = [-+.\de]+, y = [-+.\de]+, z = [-+.\de]+ m")

os.makedirs(os.path.join(top, "given"))
given = write_case(os.path.join(top, "given"), text=CASE.replace("cfl: 2, ", ""))

for name, np, which, more in (
        ("one", 1, case, ["march.cfl=900"]), ("four", 4, case, ["march.cfl=900"]),
        ("single", 2, case, ["march.cfl=900", "precision=single"]),
        ("roe", 2, case, ["march.cfl=900", "scheme.flux=roe"]),
        ("unsteady", 2, given, ["march.mode=unsteady", "march.time_step=1e-3"])):
    out = os.path.join(top, name)
    r = run(which, np=np, expect=DIVERGED,
            options=["output.history_every=3", f"output.folder={out}", *more])
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
        options=[*good, "march.cfl=900", "march.iterations=400", "output.keep=2"])
check(snapshot(out, 20) in r.err, f"the last good snapshot is not named: {r}")
left = sorted(glob.glob(out + "/flow_*.cgns"))
check(snapshot(out, 20) in left, f"snapshots left: {left}")
for path in left:
    check(all(numpy.isfinite(v).all() for v in fields(path).values()), f"{path} is not finite")
run(case, "--restart", snapshot(out, 20), np=2, options=[*good, "march.iterations=40"])
finish()
