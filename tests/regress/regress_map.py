"""`annulus map`: a speed line in one go, halved steps toward stall, the same on two ranks, and one that was
cut goes on where it was; implicit points end the ramp of the CFL number. The tiny LS89; an outlet at the inlet's total pressure stalls.
"""
import csv
import glob
import os
import shutil
import time

from regress import *

top = folder("map")
MAP = "map={values: [1.0e5, 1.6e5], least_step: 0.3e5, first_iterations: 2500, iterations: 2500}"
RULES = ["stop={window: 100, mass_flow: 0.03}", "march.mass_imbalance=0.03", "output.history_every=20"]
case = write_case(top, text=CASE.replace("iterations: 40", "iterations: 40, smooth_start: 300"))


def annulus_map(out, np=1, expect=DONE, more=()):
    r = annulus("map", case, np=np, timeout=200, options=[MAP, *RULES, f"output.folder={out}", *more])
    check(r.code == expect, f"exit code {expect} expected: {r}")
    return r


whole, cut = os.path.join(top, "whole"), os.path.join(top, "cut")
r = annulus_map(whole)
points = map_points(whole)
check([float(p["setting"]) for p in points] == [1.0e5, 1.6e5, 1.3e5], f"settings: {points}")
check([p["outcome"] in ("settled", "unsettled") for p in points] == [True, False, True], f"outcomes: {points}")
check("map         done: 3 points" in r.out, f"end: {r}")
flow = [float(p["mass_out_kg_s"]) for p in (points[0], points[2])]
check(flow[0] > 1.05 * flow[1] > 0, f"mass flows {flow}")
check(float(points[2]["back_pressure_Pa"]) == 1.3e5, "back pressure")
numbers = [int(row["iteration"]) for row in history(whole)]
check(numbers == sorted(set(numbers)), "history.csv goes back")
for p in (points[0], points[2]):
    check(os.path.exists(os.path.join(whole, p["snapshot"])), f"snapshot of {p}")
check(points[1]["snapshot"] == "", "a snapshot of a point that stalled")

# a cascade: no efficiency, but losses, angles and forces; and how much still moves
for p in (points[0], points[2]):
    check(p["efficiency"] == p["torque_walls_Nm"] == "", f"efficiency of a cascade: {p}")
    check(0 < float(p["loss_mixed_out"]) < 0.5 and -85 < float(p["alpha_out_mixed_out_deg"]) < -60, f"cascade: {p}")
    check(abs(float(p["p0_in_Pa"]) / 1.596e5 - 1) < 0.02 and float(p["force_axial_N_m"]) > 0, f"cascade: {p}")
    check(0 <= float(p["mass_flow_moved"]) < 0.03 and 0 < float(p["residual_drop"]) < 1, f"what moves: {p}")
check("eff." not in "".join(l for l in r.out.splitlines() if l.startswith("map ")) and ", angle -" in r.out, f"lines: {r}")

# nothing left to do; then cut after the first and after the second point
r = annulus_map(whole)
check("goes on after 3 points" in r.out and map_points(whole) == points, f"again: {r}")
for n in (1, 2):
    shutil.rmtree(cut, ignore_errors=True)
    shutil.copytree(whole, cut)
    with open(os.path.join(whole, "map.csv")) as f:
        text = f.readlines()
    with open(os.path.join(cut, "map.csv"), "w") as f:
        f.writelines(text[: 1 + n] + [text[1 + n][:40]])  # the torn line of a run that was killed
    r = annulus_map(cut, np=n)
    check(f"goes on after {n} points" in r.out, f"cut: {r}")
    check(map_points(cut) == points, f"cut after {n}:\n  {map_points(cut)}\n  {points}")
    same_fields(os.path.join(whole, points[2]["snapshot"]), os.path.join(cut, points[2]["snapshot"]), "cut")

# the map.csv of an older version lacks the last columns, and goes on; one with other columns is put aside, in plain words
NEW = ",speed,choked_row"
shutil.rmtree(cut, ignore_errors=True)
shutil.copytree(whole, cut)
with open(os.path.join(whole, "map.csv")) as f:
    text = f.readlines()
check(text[0].endswith(NEW + "\n") and all(line.endswith(",1,\n") for line in text[1:]), f"columns of map.csv: {text}")
with open(os.path.join(cut, "map.csv"), "w") as f:
    f.writelines([text[0].replace(NEW, ""), *[line.replace(",1,\n", "\n") for line in text[1:3]]])
r = annulus_map(cut)
check("goes on after 2 points" in r.out and map_points(cut) == points, f"an old map.csv: {r} {map_points(cut)}")
with open(os.path.join(cut, "map.csv"), "w") as f:
    f.writelines([text[0].replace("pressure_ratio", "ratio"), *text[1:]])
r = annulus_map(cut, more=["map.values=[1.0e5]"])
check("has the columns of another version: it is kept as map.csv.old" in r.out and os.path.exists(cut + "/map.csv.old"),
      f"a map.csv of other columns: {r}")

# while a snapshot is written by a thread the next point is on its way: the same lines and fields
back = os.path.join(top, "background")
annulus_map(back, more=["output.background=yes"])
check([{**p, "seconds": "", "case_hash": ""} for p in map_points(back)] == [{**p, "seconds": "", "case_hash": ""} for p in points],
      f"in the background:\n  {map_points(back)}\n  {points}")
for p in (points[0], points[2]):
    same_fields(os.path.join(whole, p["snapshot"]), os.path.join(back, p["snapshot"]), "in the background")

# another case begins anew
r = annulus_map(cut, more=["boundaries.inlet.T0=430", "map.values=[1.0e5]"])
check("goes on" not in r.out and len(map_points(cut)) == 1 and os.path.exists(os.path.join(cut, "map.csv.old")),
      f"another case: {r}")

# a first point that does not stand ends the map with 3; settings of other kinds
r = annulus_map(os.path.join(top, "bad"), expect=DIVERGED, more=["map.values=[1.6e5]", "map.first_iterations=400"])
check("the first point of the line, 160000," in r.err, f"first point: {r}")
out = os.path.join(top, "flow")
annulus_map(out, more=["map.vary=mass_flow", "map.values=[0.028]", "map.first_iterations=2000",
                       "boundaries.outlet.p=1.2e5", "monitors.stations=[-0.01, 0.05]"])
with open(glob.glob(out + "/profile_*.csv")[-1], newline="") as f:
    last = [row for row in csv.DictReader(f) if not row["band"]][-1]
for name in ("pressure_ratio", "temperature_ratio"):
    check(abs(float(map_points(out)[0]["stations_" + name]) / float(last[name]) - 1) < 1e-8, f"{name} of stations: {last}")
check(points[0]["stations_pressure_ratio"] == "", "stations of a case without")
check(abs(float(map_points(out)[0]["mass_out_kg_s"]) / 0.028 - 1) < 0.03, f"mass flow: {map_points(out)}")
# a first point that has not settled, but stands over the window of the rules: older lines have the way to it
out = os.path.join(top, "stands")
r = annulus_map(out, more=["map.values=[1.0e5]", "map.first_iterations=1260", "output.history_every=5",
                           "stop={window: 20, mass_flow: 1.0e-9}"])
check([p["outcome"] for p in map_points(out)] == ["unsettled"], f"a point that stands: {r}")
# implicit: every point after the first begins in the last quarter of the ramp of the CFL number
out = os.path.join(top, "ramp")
r = annulus_map(out, more=["march.method=implicit", "march.smooth_start=0", "march.cfl=20", "march.cfl_start=2",
                           "march.cfl_ramp=40", "scheme.flux=roe", "output.history_every=20", "march.mass_imbalance=0.9",
                           "stop={window: 60, mass_flow: 0.9}", "map.values=[1.0e5, 1.02e5]"])
if r.code == DONE:
    cfl = {int(row["iteration"]): float(row["cfl"]) for row in history(out)}
    second = int(map_points(out)[0]["iteration"])
    for n, value in cfl.items():
        wanted = 2 * 10 ** (min(n - second + 30 if n > second else n, 40) / 40)
        check(abs(value / wanted - 1) < 1e-6, f"CFL number of iteration {n}, second point from {second}: {value}")
# the output folder is removed after the first point: map.csv has all points all the same
out = os.path.join(top, "removed")
p = start(["map", case], options=[MAP, *RULES, f"output.folder={out}", "march.method=implicit", "march.smooth_start=0",
                                  "march.cfl=20", "scheme.flux=roe", "march.mass_imbalance=0.9",
                                  "stop={window: 60, mass_flow: 0.9}", "map.values=[1.0e5, 1.01e5, 1.02e5]"])
for _ in range(600):
    if os.path.exists(out + "/map.csv") and len(map_points(out)) > 0:
        break
    time.sleep(0.1)
shutil.rmtree(out, ignore_errors=True)
r = wait(p, 120)
check(r.code == DONE and "was removed during the run" in r.out, f"a folder that was removed: {r}")
if r.code == DONE:
    check([float(q["setting"]) for q in map_points(out)] == [1.0e5, 1.01e5, 1.02e5], f"map.csv: {map_points(out)}")
for options, words in (
        (["map.values=[]"], "'map' needs 'values', or 'from', 'to' and 'step'"),
        (["map.outlet=exit"], "'map.outlet': there is no outlet_static named 'exit'"),
        (["map.vary=throttle"], "'map.vary: throttle' needs 'throttle_mass_flow' of outlet 'outlet'"),
        (["boundaries.outlet.mass_flow=1"], "needs an outlet without mass_flow or throttle")):
    r = annulus_map(os.path.join(top, "bad"), expect=INPUT, more=options)
    check(words in r.err, f"{options}: {r}")
finish()
