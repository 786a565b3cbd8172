"""Passive scalars from the command line: bits do not depend on ranks and restarts, steady and unsteady; scalars.csv;
cases that are refused."""
import csv
import os

from regress import *

N = 12
SCALARS = ["scalars={Smoke: {schmidt: 0.7}, Dye: {initial: 0.25, schmidt_turbulent: 0.8}}",
           "boundaries.inlet.scalars=[1, 0.25]"]
TURBULENT = ["gas={viscosity: sutherland, mu: 1e-4}", "boundaries.blade.type=wall_viscous", "scheme.flux=roe",
             "turbulence={model: sa}", "march.cfl=20"]
KINDS = {"steady": [], "implicit": TURBULENT, "unsteady": ["march.mode=unsteady", "march.cfl=1"],
         "laminar": ["gas={viscosity: sutherland, mu: 1e-4}", "march.method=runge_kutta"]}

top = folder("scalars")
case = write_case(top)


def lines(out):
    with open(os.path.join(out, "scalars.csv"), encoding="utf-8") as f:
        return list(csv.DictReader(f))


for kind, more in KINDS.items():
    whole = os.path.join(top, kind)
    options = [*SCALARS, *more]
    r = run(case, options=[*options, f"output.folder={whole}", f"march.iterations={2 * N}"])
    check(r.code == DONE and "scalar      Smoke:" in r.out, f"{kind}: {r}")
    values = fields(snapshot(whole, 2 * N))
    smoke = numpy.concatenate([v.ravel() for n, v in values.items() if n.endswith("/Smoke")])
    dye = numpy.concatenate([v.ravel() for n, v in values.items() if n.endswith("/Dye")])
    check(0.02 < smoke.max() <= 1.01 and smoke.min() > -0.01, f"{kind}: Smoke is {smoke.min()} to {smoke.max()}")
    check(abs(dye - 0.25).max() < 1e-12, f"{kind}: a uniform scalar changed by {abs(dye - 0.25).max()}")
    rows = lines(whole)
    check([int(row["iteration"]) for row in rows] == list(range(0, 2 * N, 5)) + [2 * N], f"{kind}: {rows}")
    check(abs(float(rows[-1]["Smoke_in"]) - 1) < 1e-12, f"{kind}: {rows[-1]}")
    for ranks in (2, 4):
        out = os.path.join(top, f"{kind}_{ranks}")
        run(case, np=ranks, options=[*options, f"output.folder={out}", f"march.iterations={2 * N}"])
        same_fields(snapshot(whole, 2 * N), snapshot(out, 2 * N), f"{kind}, {ranks} ranks")
    halves = os.path.join(top, kind + "_halves")
    run(case, options=[*options, f"output.folder={halves}", f"march.iterations={N}"])
    run(case, "--restart", "latest", np=2, options=[*options, f"output.folder={halves}", f"march.iterations={2 * N}"])
    same_fields(snapshot(whole, 2 * N), snapshot(halves, 2 * N), f"{kind}, restarted")
    kept = [row for row in lines(halves) if int(row["iteration"]) != N]  # the end of the first half
    check(kept == rows and len(lines(halves)) == len(rows) + 1, f"{kind}: scalars.csv of halves: {lines(halves)}")

# Back to an earlier snapshot: lines of later iterations go, and a new run begins a new file.
run(case, "--restart", snapshot(halves, N), options=[*options, f"output.folder={halves}", f"march.iterations={N + 4}"])
check([int(row["iteration"]) for row in lines(halves)] == [0, 5, 10, 12, 15, 16], f"going back: {lines(halves)}")
run(case, options=["scalars={Smoke: {}}", f"output.folder={halves}", "march.iterations=4"])
check([int(row["iteration"]) for row in lines(halves)] == [0, 4] and "Dye_in" not in lines(halves)[0],
      f"a new run: {lines(halves)}")

# An engine that brings results behind the march: the sums of the flow and of five scalars share their faces.
many = ["scalars={" + ", ".join(f"y{n}: {{initial: 0.{n}}}" for n in range(1, 6)) + "}",
        "boundaries.inlet.scalars=[0.1, 0.2, 0.3, 0.4, 0.5]", "march.iterations=5"]
flows = {}
for device in ("cpu", "emulated"):
    out = os.path.join(top, device)
    run(case, options=[*many, f"output.folder={out}", f"device={device}"])
    flows[device] = [float(history(out)[-1][n]) for n in ("mass_in_kg_s", "mass_out_kg_s")]
    last = lines(out)[-1]
    check(all(abs(float(last[f"y{n}_in"]) - 0.1 * n) < 1e-9 for n in range(1, 6)), f"{device}: {last}")
check(all(abs(a / b - 1) < 1e-8 for a, b in zip(*flows.values())), f"mass flows: {flows}")

for options, text in ((["scalars={Density: {}}"], "another field of that name"),
                      (["scalars={a b: {}}"], "letters, digits and _ only"),
                      (["scalars={" + ", ".join(f"y{n}: {{}}" for n in range(9)) + "}"], "one too many: a case has at most 8"),
                      (["scalars={Smoke: {schmidt: 0}}"], "must be > 0"),
                      ([SCALARS[0], "boundaries.inlet.scalars=[1]"], "has 1 numbers, but the case has 2 scalars"),
                      ([SCALARS[0], "boundaries.blade={type: cooling, mass_flow: 1e-4, T0: 300, mach: 0.1}"],
                       "do not pass the cooling 'blade'")):
    r = run(case, options=options, expect=INPUT)
    check(text in r.err, f"{options} should be refused with '{text}': {r}")
finish()
