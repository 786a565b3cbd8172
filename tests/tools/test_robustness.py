"""tools/robustness: the design of the cases, the rules by which runs are judged, and the tables."""
import collections
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time

try:
    import numpy
except ImportError:
    print("skipped: Python's numpy is not there")
    sys.exit(77)
sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tools", "robustness"))
import airfoil  # noqa: E402
import cascade  # noqa: E402
import design  # noqa: E402
import execute  # noqa: E402
import gradients  # noqa: E402
import judge  # noqa: E402
import row  # noqa: E402
import stage  # noqa: E402
import table  # noqa: E402

faults = 0


def check(good, what):
    global faults
    if not good:
        faults += 1
        print("FAULT: " + what, flush=True)


# --- the design
cases = design.cases()
names = [c["name"] for c in cases]
check(len(cases) >= 120 and len(set(names)) == len(cases), "at least 120 cases, each with a name of its own")
check(json.dumps(cases) == json.dumps(design.cases()), "the design is the same every time")
for family, (_, _, n) in design.FAMILIES.items():
    own = [c for c in cases if c["family"] == family]
    check(len(own) == n, f"{family}: {len(own)} cases")
    for name, values in design.FACTORS.items():
        count = collections.Counter(c[name] for c in own)
        check(min(count[v] for v in values) >= n // len(values), f"{family}: {name} is balanced: {dict(count)}")
first = collections.Counter(c["family"] for c in cases[:40])
check(all(abs(first[f] - 40 * n / len(cases)) <= 1.5 for f, (_, _, n) in design.FAMILIES.items()),
      f"the first 40 cases are a fair sample: {dict(first)}")
for name, values in design.FACTORS.items():
    count = collections.Counter(c[name] for c in cases[:40])
    check(all(abs(count[v] - 40 / len(values)) <= 6 for v in values), f"the first 40 cases: {name} {dict(count)}")
points = collections.Counter(c["values"]["point"] for c in cases if c["family"] == "fan")
check(set(points) == set(range(5)) and min(points.values()) == 3, f"five back pressures, three fans each: {points}")
alphas = sorted(c["values"]["alpha"] for c in cases if c["family"] == "airfoil")
check(alphas[0] < 0.6 and alphas[-1] > 15.4 and max(numpy.diff(alphas)) < 1.2, "angles of attack from 0 to 16 degrees, without a gap")
default = design.cases(design.SEED)
check(json.dumps(default) == json.dumps(cases), "the seed by default")
others = design.cases(design.SEED + 1)
check(not {c["name"] for c in others} & set(names) and all(str(design.SEED + 1) in c["name"] for c in others),
      "cases of another seed have names of their own")
check(not any(a["values"] == b["values"] for a, b in zip(cases, others)) and
      [c["family"] for c in cases] == [c["family"] for c in others], "another seed: other numbers, the same families")
check(len(design.twelve()) == 12 and len({c["family"] for c in design.twelve()}) >= 8, "twelve tiny cases of most families")

# --- the generators
with tempfile.TemporaryDirectory() as folder:
    for case in cases:
        commands = design.build(case, folder)
        with open(os.path.join(folder, "case.yaml"), encoding="ascii") as f:
            text = f.read()
        check(commands and commands[-1][-1] == "mesh.cgns" or "mesh.cgns" in commands[-1], f"{case['name']}: makes mesh.cgns")
        march = next(line for line in text.splitlines() if line.startswith("march:"))
        keys = {part.split(":")[0].strip() for part in march[len("march: {"):-1].split(",")}
        check(keys <= {"iterations", "residual_drop"}, f"{case['name']}: {march}")
        check(not any(word in text for word in ("scheme:", "multigrid:", "nan", "inf")), f"{case['name']}: default settings, finite values")
    for digits in ("0012", "6606", "2424", "23024", "25009"):
        around, wake, off, _ = airfoil.SIZES["s"]
        x, y = airfoil.c_mesh(digits, around, wake, off, 2e-5)
        area = (x[1:, 1:] - x[:-1, :-1]) * (y[1:, :-1] - y[:-1, 1:]) - (y[1:, 1:] - y[:-1, :-1]) * (x[1:, :-1] - x[:-1, 1:])
        check((area > 0).all() or (area < 0).all(), f"NACA {digits}: no cell of the C mesh is folded")
        check(numpy.allclose(numpy.stack([x, y])[:, 0, :wake], numpy.stack([x, y])[:, 0, :-wake - 1:-1], atol=0),
              f"NACA {digits}: both sides of the cut have the same nodes")

m, p = cascade.exit_mach(50.0, 0.6, 30.0, 0.05)
total = 1 - 0.05 * (1 - 1.072**-3.5)
check(abs(p - total * (1 + 0.2 * m * m) ** -3.5) < 1e-12, "static pressure from the exit Mach number")
check(abs(0.6 * 1.072**-3 * math.cos(math.radians(50)) - total * m * (1 + 0.2 * m * m) ** -3 * math.cos(math.radians(30))) < 1e-9,
      "the mass flow of a compressor cascade is the same at inlet and outlet")
for case in cases:
    if case["family"] in ("fan", "compressor"):
        rotor = row.Compressor(case["values"])
        pressures = [row.Compressor({**case["values"], "point": n}).back_pressure() for n in range(5)]
        check(pressures == sorted(pressures), f"{case['name']}: back pressures rise from choke to stall")
        a, b = rotor.relative(rotor.mean)
        check(1 - math.cos(a) / math.cos(b) + 0.5 * math.cos(a) * (math.tan(a) - math.tan(b)) / rotor.solidity() < 0.6,
              f"{case['name']}: diffusion factor")
    if case["family"] == "stage" and case["values"]["kind"] == "compressor":
        rotor = row.Compressor(case["values"])
        blade = stage.stator(rotor, case["values"])[0]
        into, out = blade["angles"](0.5)
        check(rotor.row()[0]["rpm"] < 0 and into < out < 0.1, f"{case['name']}: the stator meets the swirl of its rotor")

# --- the judge
HEAD = ("iteration,residual_drop,mass_in_kg_s,mass_out_kg_s,imbalance,pressure_ratio,efficiency,wall_force_x_N,wall_force_y_N,"
        "wall_torque_Nm,wall_friction_x_N")


def story(folder, figure, drop, cycles=400, name="out", start=0, **run):
    """Writes the history and run.json of a made-up run, whose figures all are `figure(iteration)`."""
    out = os.path.join(folder, name)
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "history.csv"), "w", encoding="ascii") as f:
        f.write(HEAD + "\n")
        for n in range(start + 10, start + cycles + 1, 10):
            v = figure(n)
            f.write(f"{n},{drop},{v},{v},0,{v},0.9,{v},{v},{v},{v}\n")
    with open(os.path.join(out, "run.json"), "w", encoding="ascii") as f:
        json.dump({"settled": True, "warnings": [], "iteration": start + cycles, "last": {"mass_in_kg_s": 1.0, "pressure_ratio": 1.0,
                   "efficiency": 0.9, "imbalance": 0.0}, **run}, f)


def outcome(figure, drop, code=0, late=False, family="fan", **run):
    with tempfile.TemporaryDirectory() as folder:
        story(folder, figure, drop, **run)
        if run.get("snapshot"):
            open(os.path.join(folder, "out", run["snapshot"]), "w").close()
        return judge.first_verdict(code, late, folder, family, "double")["outcome"]


still, swing, drift = (lambda n: 1.0), (lambda n: 1 + 0.02 * math.sin(n / 9)), (lambda n: 1 + 1e-3 * n)
fall = lambda n: 1 - 5e-4 * n  # noqa: E731
told = {"settled": False, "warnings": ["the flow has not settled"]}
for wanted, got in (
        ("settled", outcome(still, 1e-5)),
        ("settled_loose", outcome(swing, 1e-5)),
        ("settled_loose", outcome(still, 1e-2)),
        ("unsettled", outcome(swing, 1e-2, **told)),
        ("unsaid", outcome(still, 1e-5, **told)),
        ("unsteady", outcome(swing, 1e-2, settled=False, warnings=["it swings"], state="swings", period=57.0, swings="with a period")),
        ("unsteady", outcome(swing, 1e-2, settled=False, warnings=["it swings"], state="swings", swings="irregular, no single period")),
        ("unsettled", outcome(drift, 1e-2, settled=False, warnings=["it swings"], state="swings", swings="irregular, no single period")),
        ("unsettled", outcome(swing, 1e-2, state="swings", period=None, **told)),
        ("stalls", outcome(fall, 1e-2, state="stalls", **told)),
        ("unsettled", outcome(fall, 1e-2, state="creeps", **told)),
        ("unsettled", outcome(swing, 1e-2, state="stalls", **told)),
        ("unsettled", outcome(lambda n: 1.0 if n < 40 else swing(n) - 0.5, 1e-2, state="stalls", **told)),
        ("unsettled", outcome(fall, 1e-2, state="stalls", family="turbine_cascade", **told)),
        ("silent", outcome(swing, 1e-2, settled=None)),
        ("silent", outcome(still, 1e-5, last={"mass_in_kg_s": -1.0, "pressure_ratio": 1.0})),
        ("silent", outcome(still, 1e-5, last={"mass_in_kg_s": 1.0, "pressure_ratio": 1.1, "efficiency": 1.3})),
        ("silent", outcome(still, 1e-5, family="diffuser", last={"mass_in_kg_s": 1.0, "pressure_ratio": 1.1})),
        ("diverged", outcome(swing, 1.0, code=3)),
        ("diverged_usable", outcome(swing, 1.0, code=3, snapshot="flow_1.cgns")),
        ("refused", outcome(still, 1.0, code=2)),
        ("failed", outcome(still, 1.0, code=-11)),
        ("time", outcome(still, 1e-5, code=4, late=True))):
    check(got == wanted, f"judged {got}, wanted {wanted}")

for wanted, later in (("settled", still), ("settled_loose", lambda n: 1.003), ("silent", lambda n: 1.02 if n > 700 else 1.0),
                      ("silent", lambda n: math.nan)):
    with tempfile.TemporaryDirectory() as folder:
        story(folder, lambda n: 1.0 if n > 350 else 0.98, 1e-5)
        story(folder, later, 1e-5, name="more", start=400)
        before = judge.first_verdict(0, False, folder, "bump", "double")
        check(before["outcome"] == "settled_loose", f"a run shorter than its window is {before['outcome']}")
        got = {**before, **judge.later_verdict(before, folder, "bump", "double")}["outcome"]
        check(got == wanted, f"after a continuation {got}, wanted {wanted}")

# --- continuations: of every run that calls itself settled; a result without the continuation that is wanted is not kept
with tempfile.TemporaryDirectory() as folder:
    case = cases[0]
    everything, sample, nothing = (execute.Runner(folder, folder, "cpu", 60, how, None) for how in ("all", "sample", "none"))
    check(all(everything.wants_more(c, {"outcome": "settled"}) for c in cases), "all settled runs are continued")
    some = sum(sample.wants_more(c, {"outcome": "settled"}) for c in cases)
    check(len(cases) / 6 < some < len(cases) / 3 and all(sample.wants_more(c, {"outcome": "settled_loose"}) for c in cases), f"a sample: {some}")
    check(not everything.wants_more(case, {"outcome": "unsettled"}), "a run that has not settled is continued")
    os.makedirs(nothing.folder(case))
    nothing.keep(case, {"outcome": "settled"})
    check(nothing.kept(case) and not everything.kept(case), "a result without its continuation")
    nothing.keep(case, {"outcome": "settled", "later_seconds": 1.0})
    check(everything.kept(case), "a result with its continuation")
    nothing.keep(case, {"outcome": "unsettled"})
    check(everything.kept(case), "a result that needs no continuation")

# --- gradients: figures of each kind of case, what became of an adjoint, memory of several side by side
for case in cases:
    figures, settings = gradients.wanted(case)
    vane, family = case["values"].get("kind") == "vane", case["family"]
    plain = {"airfoil": "lift", "turbine_cascade": "loss_mixed_out", "compressor_cascade": "loss_mixed_out", "diffuser": "pressure_ratio",
             "annular_diffuser": "pressure_ratio", "bump": "pressure_ratio"}
    check(len(figures) == 2 and figures[0] == plain.get(family, "loss" if vane else "efficiency"), f"{case['name']}: figures {figures}")
    check(not any(s.startswith(("march", "scheme", "multigrid", "boundaries")) for s in settings), f"{case['name']}: by default but for {settings}")

GOOD = {"figures": {"lift": {"value": 1.0, "gradient": {"boundaries.far.T": 2.0, "boundaries.far.direction": [1.0, 0.0, 2.0]}}},
        "matrix_check": 1e-6, "newton_steps": 2, "gmres_iterations": 200}
KINK = {**GOOD, "matrix_check": 2e-3}
HOLE = {**GOOD, "figures": {"lift": {"value": 1.0, "gradient": {"boundaries.far.direction": [1.0, None, 2.0]}}}}
SLIDES = "annulus: error: case.yaml: boundary 'a' is of type sliding_plane, which the adjoint does not know yet: it takes rows"
for wanted, code, late, log, report in (
        ("converged", 0, False, "", GOOD), ("converged", 0, False, "", KINK), ("failed", 0, False, "", HOLE), ("failed", 0, False, "", {}),
        ("failed", 0, False, "", {"figures": {"lift": {"value": 1.0, "gradient": {}}}}),
        ("refused", 2, False, SLIDES, {}), ("refused", 2, False, "annulus: error: 'x' is not a figure of this run; figures are lift", {}),
        ("refused", 2, False, "annulus: error: 'efficiency' has no value in this flow (as an efficiency without work)", {}),
        ("refused", 2, False, "annulus: error: the matrix of 5 cells, its factors and the vectors for 2 figures at once need 3 GB", {}),
        ("residual", 2, False, "annulus: error: flow_1.cgns: the flow is not settled: its largest residual", {}),
        ("failed", 2, False, "annulus: error: case.yaml:3: unknown key", {}), ("failed", -11, False, "matrix", {}), ("failed", 1, False, "out of memory", {}),
        ("gmres", 3, False, "annulus: error: the adjoint of 'x' does not converge: after 2000 iterations of GMRES its residual", {}),
        ("failed", 3, False, "annulus: error: singular", {}), ("time", 4, True, "", {})):
    got = gradients.verdict(code, late, log, report)
    check(got["outcome"] == wanted, f"an adjoint judged {got}, wanted {wanted}")
    check(got["outcome"] == "converged" or late or code == 0 or got["message"] in log, f"its message: {got}")
check(gradients.verdict(0, False, "", KINK)["kink"] and not gradients.verdict(0, False, "", GOOD)["kink"], "adjoints at a kink")

room, order = gradients.Room(10.0), []


def hold(name, amount, seconds):
    with room.take(amount):
        order.append("+" + name)
        time.sleep(seconds)
        order.append("-" + name)


one = threading.Thread(target=hold, args=("a", 6.0, 0.2))
one.start()
time.sleep(0.05)
two = threading.Thread(target=hold, args=("b", 5.0, 0.0))
two.start()
hold("c", 4.0, 0.0)
one.join()
two.join()
check(order == ["+a", "+c", "-c", "-a", "+b", "-b"] and room.used == 0, f"adjoints that share memory: {order}")
hold("larger than all", 11.0, 0.0)

FAKE = """#!/bin/sh
echo "$@" >> commands
[ "$1" = adjoint ] || exit 9
mkdir -p out
ls out/adjoint_old* 2>/dev/null && echo "annulus: error: an older file" && exit 1
cat > out/adjoint.json <<'END'
%s
END
"""
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "annulus"), "w", encoding="ascii") as f:
        f.write(FAKE % json.dumps(GOOD))
    os.chmod(os.path.join(folder, "annulus"), 0o755)
    case = next(c for c in cases if c["family"] == "airfoil")
    runner = execute.Runner(folder, os.path.join(folder, "work"), "cpu", 60, "none", None, ["scheme.flux=roe"], 60.0)
    without = execute.Runner(folder, os.path.join(folder, "work"), "cpu", 60, "none", None)
    os.makedirs(os.path.join(runner.folder(case), "out"))
    open(os.path.join(runner.folder(case), "out", "adjoint_old_00000001.cgns"), "w").close()
    runner.keep(case, {"outcome": "settled", "cells": 100})
    kept = runner.kept(case)
    check(runner.wants_gradients(kept) and not without.wants_gradients(kept), "gradients of a result that has none")
    check(not runner.wants_gradients({"outcome": "unsettled"}), "gradients of a run that has not settled")
    runner.add_gradients(case, "cpu", kept)
    kept = runner.kept(case)
    check(kept["adjoint"]["outcome"] == "converged" and not runner.wants_gradients(kept), f"gradients are kept: {kept}")
    with open(os.path.join(runner.folder(case), "commands"), encoding="ascii") as f:
        said = f.read().split()
    check(said == ["adjoint", "case.yaml", "--device", "cpu", "--set", "scheme.flux=roe", *gradients.command(case)], f"command: {said}")

# --- the tables
results = [{"case": c, "outcome": o, "cycles": 100, "seconds": 2.0, "message": "a | b"}
           for c, o in zip(cases, ["settled", "silent", "settled", "unsteady"])]
text = table.markdown(results, 8.0)
check("| **all** | 4 | 2 | 1 | 1 | 3 (75 %) |" in text, "totals:\n" + "\n".join(table.totals(results, lambda c: c["family"])))
check(all(line.count("|") == 13 for line in text.split("## Cases")[1].splitlines() if line.startswith("|")), "columns of the cases")
check("Gradients" not in text and math.isnan(table.adjoint_share(results)), "no part on gradients where none were asked for")
more = [dict(results[0], adjoint={**gradients.verdict(0, False, "", KINK), "seconds": 1.0}), results[1],
        dict(results[2], adjoint={"outcome": "gmres", "message": "a | b", "seconds": 2.0})]
part = table.markdown(more, 8.0).split("## Gradients")[1].split("## Cases")[0]
check("| **all** | 2 | 1 | 1 | 1 | 50 % |" in part and table.adjoint_share(more) == 50, f"totals of gradients: {part}")
check(all(line.count("|") == len(table.ADJOINT_HEAD) + 1 for line in part.splitlines() if line.startswith("| " + results[0]["case"]["name"])), part)
mended = [more[0], results[1], dict(results[2], adjoint=more[0]["adjoint"])]
text = table.compare(more, mended)
check(f"{results[2]['case']['name']}: gmres before, converged after" in text and "converged: 1 before, 2 after" in text, text)
again = [dict(r, outcome="settled", cycles=50) for r in results]
text = table.compare(results, again)
check("| silent | 1 | 0 |" in text and "geometric mean of the 2 cases settled in both: 0.50" in text, text)
other = [dict(r, case={**r["case"], "size": "x"}) for r in again]
check("0 cases are the same" in table.compare(results, other), "cases of another definition are not compared")

# --- a reader of the list that goes away, as of `--list | head`
read, write = os.pipe()
os.close(read)
done = subprocess.run([sys.executable, "-B", os.path.join(TOP, "tools", "robustness", "suite"), "--list"], stdout=write, stderr=subprocess.PIPE, text=True)
check(done.returncode == 141 and not done.stderr, f"--list into a closed pipe: {done}")
print(f"{faults} faults")
sys.exit(1 if faults else 0)
