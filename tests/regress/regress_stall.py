"""A fan at a back pressure far above what it can reach loses its mass flow, and the program says that it stalls. The
same fan at its own back pressure, in as many iterations, has not settled and does not stall.
"""
import os
import re
import subprocess
import sys

from regress import *

sys.path.insert(0, os.path.join(SOURCE, "tools", "robustness"))
import design  # noqa: E402

top = folder("stall")
fan = next(case for case in design.twelve() if case["name"] == "fan_14")
for program, *arguments in design.build({**fan, "force": True}, top):
    made = subprocess.run([os.path.join(BIN, program), *arguments], cwd=top, capture_output=True, text=True)
    check(made.returncode == 0, f"{program}: {made.stderr}")


def march(pressure):
    out = os.path.join(top, f"out_{pressure}")
    keys = [f"output.folder={out}", "march.iterations=90", "stop.window=20"]
    r = run(os.path.join(top, "case.yaml"), options=keys + ([f"boundaries.outlet.p={pressure}"] if pressure else []), timeout=300)
    return r, run_json(out)


r, about = march(1.3e5)
check(about["state"] == "stalls" and "state       stalls" in r.out, f"a row that stalls: {about['state']}")
lost = re.search(r"the mass flow lies (\d+) % below its largest value after the start", r.out)
check(lost and 40 < int(lost.group(1)) < 70 and "take a lower pressure" in r.out, f"what is lost, and what helps: {r}")
check(about["settled"] is False and any("it stalls" in w for w in about["warnings"]), f"run.json: {about['warnings']}")
r, about = march(None)
check(about["state"] == "creeps" and "stalls" not in r.out, f"the same fan at its own pressure: {about['state']}")
finish()
