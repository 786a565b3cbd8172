"""A map that is stopped within a point continues within this point: lines of map.csv and history.csv, snapshots and the
number of iterations are those of the map that was not stopped. A signal comes while a line of history.csv is written, so that
the march stops at a known iteration: within a point, at the line that ends a point, between two points, several times, within
a point of the search toward stall. A map that was killed continues from a snapshot that was asked for within the point. The
tiny LS89, on 1 and 2 ranks.
"""
import os
import shutil
import signal
import subprocess

from regress import *

top = folder("stopped_map")
case = write_case(top)
LIBRARY = os.path.join(top, "fault_library.so")
subprocess.run(["cc", "-std=gnu11", "-shared", "-fPIC", "-O2", os.path.join(SOURCE, "tests", "support", "fault_library.c"),
                "-o", LIBRARY, "-ldl"], check=True)
EVERY = ["output.history_every=1"]  # the march stops while a line of the table is under way
STALL = ["march.smooth_start=200", "stop={window: 60, mass_flow: 0.02}", "march.mass_imbalance=0.02",
         "map={values: [1.0e5, 1.05e5, 1.6e5], least_step: 0.2e5, first_iterations: 1500, iterations: 1500}"]
IMPLICIT = ["march.method=implicit", "march.cfl=20", "march.cfl_start=2", "march.cfl_ramp=40", "march.cfl_window=5",
            "scheme.flux=roe", "march.mass_imbalance=0.9", "stop={window: 60, mass_flow: 0.9}"]


def annulus_map(out, options, np=1, writes=0, number=signal.SIGTERM, expect=(DONE,)):
    """The map in folder `out`; writes: so many times history.csv is written before the signal comes."""
    fault = {"LD_PRELOAD": LIBRARY, "AN_FAULT": f"write:{writes}", "AN_FAULT_PATH": "history.csv",
             "AN_FAULT_SIGNAL": str(int(number))} if writes else {}
    os.environ.update(fault)
    p = start(["map", case], np=np, options=[*EVERY, *options, f"output.folder={out}"])
    for name in fault:
        del os.environ[name]
    r = wait(p, 200)
    check(r.code in expect, f"exit code {expect} expected: {r}")
    return r


def stops_at(out, options, at, since=0, np=1):
    """Stops the map at iteration `at`; since: the iteration at which it was stopped before."""
    r = annulus_map(out, options, np, at - since + 2, expect=(STOPPED,))
    check(f"iteration {at}" in r.err, f"the map stops at {at}: {r}")
    return r


def same_map(whole, out, what):
    check(map_points(whole) == map_points(out), f"{what}: map.csv:\n  {map_points(whole)}\n  {map_points(out)}")
    same_history(whole, out, what)
    for point in map_points(whole):
        if point["snapshot"]:
            same_fields(os.path.join(whole, point["snapshot"]), os.path.join(out, point["snapshot"]), what)


def unfinished(out):
    rows = [row for row in map_points(out) if row["outcome"] == "unfinished"]
    return (int(rows[-1]["point"]), int(rows[-1]["iterations"]), rows[-1]["snapshot"]) if rows else None


whole, out = os.path.join(top, "whole"), os.path.join(top, "out")
annulus_map(whole, STALL)
points = map_points(whole)
check([p["outcome"] for p in points] == ["settled", "settled", "stalled", "stalled"], f"points: {points}")
first, second = (int(p["iteration"]) for p in points[:2])

# within the first point and within the second, once and twice; at the line that ends a point, after it
for stops in ([100, first + 70, second - 1], [first - 1], [first]):
    what = f"stopped at {stops}"
    shutil.rmtree(out, ignore_errors=True)
    since = 0
    for at in stops:
        stops_at(out, STALL, at, since)
        point = int(at >= first)
        done = at - (first if point else 0)
        row = (point, done, f"flow_{at:08d}.cgns") if done else None
        check(unfinished(out) == row, f"{what}: line {unfinished(out)}, {row} expected")
        since = at
    r = annulus_map(out, STALL)
    words = f"goes on at iteration {done} of flow_{since:08d}.cgns"
    check((words in r.out) == (done > 0), f"{what}: {r}")
    same_map(whole, out, what)
    check(not unfinished(out), f"{what}: {map_points(out)}")

# in points toward stall, of which the second one begins at an earlier iteration than the first one ends
for point, writes in ((2, second + 150), (3, second + 260)):
    shutil.rmtree(out, ignore_errors=True)
    annulus_map(out, STALL, writes=writes, expect=(STOPPED,))
    at = unfinished(out)
    if not check(at and at[0] == point, f"stopped in point {point} after {writes} writes: {at}"):
        continue
    annulus_map(out, STALL)
    same_map(whole, out, f"stopped in point {point} after {at[1]} iterations")

# killed within the second point, after a snapshot had been asked for in it; and without one
shutil.rmtree(out, ignore_errors=True)
stops_at(out, STALL, first)
open(os.path.join(out, "SNAPSHOT"), "w").close()
annulus_map(out, STALL, writes=60, number=signal.SIGKILL, expect=(-signal.SIGKILL,))
row = unfinished(out)
check(row and row[:2] == (1, 1), f"a snapshot within the second point: {row}")
r = annulus_map(out, STALL)
check("goes on at iteration 1 of" in r.out, f"continues from the snapshot: {r}")
same_map(whole, out, "killed after a snapshot")
shutil.rmtree(out, ignore_errors=True)
stops_at(out, STALL, first + 30)
os.remove(os.path.join(out, unfinished(out)[2]))
annulus_map(out, STALL)
same_map(whole, out, "the snapshot was removed")

# a map of other settings does not take up the point
shutil.rmtree(out, ignore_errors=True)
stops_at(out, STALL, 50)
r = annulus_map(out, [*STALL, "map.values=[1.1e5]", "map.first_iterations=10", "march.smooth_start=0"], expect=(DIVERGED,))
check("goes on" not in r.out, f"another map: {r}")

# implicit: the ramp and the controller of the CFL number, controlled pressures
for name, more in (("pressure", ["map.values=[1.0e5, 1.01e5, 1.02e5]"]),
                   ("flow", ["map={vary: mass_flow, values: [0.028, 0.027]}", "boundaries.outlet.p=1.2e5"]),
                   ("throttle", ["map={vary: throttle, values: [1, 1.2]}",
                                 "boundaries.outlet={p: 1.2e5, throttle_mass_flow: 0.02, control_every: 4}"])):
    options = [*IMPLICIT, *more, "march.smooth_start=0"]
    whole = os.path.join(top, name)
    annulus_map(whole, options)
    points = map_points(whole)
    if not check(len(points) > 1 and points[0]["outcome"] == "settled", f"{name}: {points}"):
        continue
    first, second = (int(p["iteration"]) for p in points[:2])
    for np, stops in ((1, [first - 1, first + 15, second - 1]), (2, [first - 1, first + 15])):
        shutil.rmtree(out, ignore_errors=True)
        since = 0
        for at in stops:
            stops_at(out, options, at, since, np)
            since = at
        annulus_map(out, options, 3 - np)
        same_map(whole, out, f"{name}: stopped at {stops} on {np} ranks")
finish()
