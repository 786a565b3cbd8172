"""A map of two speeds of the turbine stage of cases/stage, coarse, by one command: a folder for each line, one map.csv with the
column speed, settings above the total pressure of the inlet that follow from the speed, walls that turn; a map that is cut
goes on; mass flows as settings; and the picture with a line for each speed."""
import os
import shutil

from regress import *

top = folder("speeds")
case = coarse_stage(top)
with open(case) as f:
    lines = [line for line in f if not line.startswith("initial:")]
with open(case, "w") as f:
    f.writelines(lines)
RULES = ["march.method=implicit", "march.residual_smoothing=none", "march.smooth_start=0", "multigrid.levels=2", "march.cfl=10",
         "output.history_every=2", "march.mass_imbalance=0.9", "stop={window: 4, mass_flow: 0.9}"]


def maps(out, *more, expect=DONE):
    r = annulus("map", case, timeout=200, options=[*RULES, f"output.folder={out}", *more])
    check(r.code == expect, f"exit code {expect} expected: {r}")
    return r


def same(a, b):
    clock = ("seconds",)
    return [{k: v for k, v in p.items() if k not in clock} for p in a] == [{k: v for k, v in p.items() if k not in clock} for p in b]


SPEEDS = ["map={speeds: [0.5, 1], values: [0.86e5, 1.1e5], iterations: 12}"]
whole = os.path.join(top, "whole")
r = maps(whole, *SPEEDS)
points = map_points(whole)
k = 0.4 / 1.4
above = 1e5 * (1 + 0.25 * (1.1 ** k - 1)) ** (1 / k)  # at half the speed a quarter of the rise of enthalpy
check([float(p["speed"]) for p in points] == [0.5, 0.5, 1, 1], f"speeds: {points}")
check(all(abs(float(p["setting"]) - want) < 1e-6 * want for p, want in zip(points, (0.86e5, above, 0.86e5, 1.1e5))),
      f"settings: {[p['setting'] for p in points]}, {above} at half the speed")
for p in points:
    check(not p["snapshot"] or os.path.exists(os.path.join(whole, p["snapshot"])), f"snapshot: {p['snapshot']}")
check(points[0]["snapshot"].startswith("speed_0.5/") and points[2]["snapshot"].startswith("speed_1/"), f"snapshots: {points}")
check("line 1 of 2: 0.5 of the speed" in r.out and "line 2 of 2: 1 of the speed" in r.out, f"lines: {r}")
with open(os.path.join(whole, "speed_0.5", "effective.yaml")) as f:
    text = f.read()
check("omega: 150" in text and "speeds:" not in text.replace("speeds: []", ""), f"the case of a line: {text}")

# the second line alone is that of a map without speeds
alone = os.path.join(top, "alone")
maps(alone, "map={values: [0.86e5, 1.1e5], iterations: 12}")
one = map_points(alone)
check([float(p["speed"]) for p in one] == [1, 1], f"one speed: {one}")
same_fields(os.path.join(alone, one[0]["snapshot"]), os.path.join(whole, points[2]["snapshot"]), "line of full speed")

# cut after the first point: goes on
cut = os.path.join(top, "cut")
shutil.copytree(whole, cut)
shutil.rmtree(os.path.join(cut, "speed_1"))
with open(os.path.join(whole, "speed_0.5", "map.csv")) as f:
    text = f.readlines()
with open(os.path.join(cut, "speed_0.5", "map.csv"), "w") as f:
    f.writelines(text[:2])
r = maps(cut, *SPEEDS)
check("goes on after 1 points" in r.out and same(points, map_points(cut)), f"cut: {map_points(cut)}: {r}")

# mass flows grow with the speed
flow = os.path.join(top, "flow")
maps(flow, "map={vary: mass_flow, speeds: [0.8], values: [7.5], iterations: 60}")
check(abs(float(map_points(flow)[0]["setting"]) - 6) < 1e-9, f"mass flow: {map_points(flow)}")
r = maps(os.path.join(top, "bad"), "map={speeds: [0], values: [0.86e5]}", expect=INPUT)
check("map.speeds" in r.err, f"speed 0: {r}")
still = os.path.join(top, "supersonic.yaml")  # pressures cannot follow the speed where no inlet has a p0
with open(still, "w") as f:
    f.writelines(line.replace("inlet_total, p0: 1.0e5, T0: 300", "inlet_supersonic, p: 1.0e5, T: 300, mach: 1.5") for line in lines)
r = annulus("map", still, options=[*RULES, "initial={p: 1.0e5, T: 300}", "map={speeds: [0.5, 1], values: [0.86e5]}",
                                   f"output.folder={os.path.join(top, 'bad')}"])
check(r.code == INPUT and "no inlet_total has a p0" in r.err, f"a supersonic inlet: {r}")
finish()
