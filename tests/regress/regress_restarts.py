"""Runs that are interrupted and continued many times, on another number of ranks each time, give
the fields of the run that was not, bit for bit; with constant cp and with cp(T).

regress_restarts.py BIN [restarts [most ranks [engine]]]; 8 restarts on up to 4 ranks take seconds.
"""
import random

from regress import *

RESTARTS = int(sys.argv[2]) if len(sys.argv) > 2 else 8
RANKS = int(sys.argv[3]) if len(sys.argv) > 3 else 4
ENGINE = sys.argv[4] if len(sys.argv) > 4 else "cpu"

GASES = {"gamma": CASE,
         "cp": CASE.replace("gamma: 1.4", "cp: [1026.6, -0.25355, 7.3476e-4], T_range: [250, 700]")}


def restarts(gas, text):
    top = folder(f"restarts_{gas}")
    case = write_case(top, text=text)
    dice = random.Random(20)
    straight, broken = os.path.join(top, "straight"), os.path.join(top, "broken")
    fixed = [f"device={ENGINE}", "precision=single", "output.keep=2"]
    ends = []
    for n in range(RESTARTS + 1):
        ends.append((ends[-1] if ends else 0) + dice.randint(1, 3))

    run(case, options=fixed + [f"output.folder={straight}", f"march.iterations={ends[-1]}"],
        timeout=600)
    used = []
    for n, end in enumerate(ends):
        used.append(dice.randint(1, RANKS))
        r = run(case, *(["--restart", "latest"] if n else []), np=used[-1], timeout=120,
                options=fixed + [f"output.folder={broken}", f"march.iterations={end}"])
        if r.code != DONE:
            return
    same_fields(snapshot(straight, ends[-1]), snapshot(broken, ends[-1]),
                f"{gas}: {RESTARTS} restarts on {min(used)} to {max(used)} ranks")


for gas, text in GASES.items():
    restarts(gas, text)
finish()
