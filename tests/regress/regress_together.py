"""A map of two speeds whose lines are cut into chains: the same rows and fields computed one after the other and by `annulus map
--together`, each line as it is alone; what is stopped or killed goes on; a search that follows the chains; a chain whose first point is
not kept."""
import glob
import os
import re
import signal

from regress import *

top = folder("together")
case = write_case(top)
RULES = ["march.mass_imbalance=0.9", "stop={window: 20, mass_flow: 0.9}"]
plot = os.path.join(top, "annulus-plot")
os.symlink(os.path.join(SOURCE, "tools", "plot"), plot)
os.environ["PATH"] = os.pathsep.join([top, os.path.dirname(sys.executable), os.environ["PATH"]])


def arguments(out, *more):
    return ["map", case, *(word for o in (*RULES, f"output.folder={out}", *more) for word in ("--set", o))]


def maps(out, *more, expect=DONE, options=()):
    r = wait(start([*arguments(out, *more), *options]), 200)
    check(r.code == expect, f"exit code {expect} expected: {r}")
    return r


def rows(out):
    with open(os.path.join(out, "map.csv"), newline="") as f:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(f)]


def same(a, b, what):
    one, two = rows(a), rows(b)
    check(one == two, f"{what}: rows of map.csv\n  {one}\n  {two}")
    for row in one:
        if row["snapshot"]:
            same_fields(os.path.join(a, row["snapshot"]), os.path.join(b, row["snapshot"]), what)


VALUES = "values: [0.80e5, 0.85e5, 0.90e5, 0.95e5], iterations: 60"
BOTH = "map={speeds: [0.5, 1], chains: 2, %s}" % VALUES

# ---- one after the other, and together; a second call of either computes nothing
whole, together = os.path.join(top, "whole"), os.path.join(top, "both")
r = maps(whole, BOTH)
points = rows(whole)
check([(p["speed"], p["point"]) for p in points] == [(s, str(n)) for s in ("0.5", "1") for n in range(4)], f"points: {points}")
check([p["snapshot"].rsplit("/", 1)[0] for p in points[4:]] == ["speed_1/chain_1"] * 2 + ["speed_1/chain_2"] * 2, f"snapshots: {points}")
check("nothing turns in this case" in r.out, f"speeds of a cascade: {r}")
with open(os.path.join(whole, "map.csv")) as f, open(os.path.join(whole, "speed_1", "chain_1", "map.csv")) as g:
    check(f.readline() == g.readline(), "columns of a map and of a chain")
r = maps(together, BOTH, options=["--together"])
same(whole, together, "together")
check("speed_0.5/chain_2: point 1: setting" in r.out and re.search(r"done: 8 points in \S*map\.csv", r.out), f"together: {r}")
with open(os.path.join(together, "speed_1", "effective.yaml")) as f:
    check("chains: 2" in f.read(), "the case of a line")
times = {path: os.stat(path).st_mtime_ns for path in glob.glob(os.path.join(together, "**", "history.csv"), recursive=True)}
check(len(times) == 4, f"histories: {times}")
for options in ([], ["--together"]):
    r = maps(together, BOTH, options=options)
    check("map         point" not in r.out and all(os.stat(path).st_mtime_ns == t for path, t in times.items()), f"a second call: {r}")
same(whole, together, "a second call")

ranks = os.path.join(top, "ranks")
r = wait(start(arguments(ranks, BOTH), np=2), 200)
check(r.code == DONE, f"two ranks: {r}")
same(whole, ranks, "two ranks")

shared = os.path.join(top, "shared")
r = wait(start([*arguments(shared, BOTH), "--together"], np=2, mpirun=True), 200)
check(r.code == DONE and r.out.count("done: 8 points") == 1, f"two processes of a launcher: {r}")
same(whole, shared, "two processes of a launcher")

# ---- each line, and each chain, as it is alone
for name, settings in (("speed_1/chain_2", "values: [0.90e5, 0.95e5]"), ("speed_1/chain_1", "values: [0.80e5, 0.85e5]")):
    alone = os.path.join(top, "alone" + name[-1])
    maps(alone, "map={%s, iterations: 60}" % settings)
    check(rows(alone) == rows(os.path.join(together, name)), f"{name} alone")
    same_fields(os.path.join(alone, rows(alone)[1]["snapshot"]), os.path.join(together, name, rows(alone)[1]["snapshot"]), name)

# ---- a point that is not kept ends its chain, and the line searches on behind it (what it finds there is kept by rules as loose as these); a first point that is not kept is computed from its neighbour
SEARCH = "least_step: 1.4e5, iterations: 60}"
WANT = {"within": [("80000", True, "chain_1"), ("90000", True, "chain_1"), ("100000", True, "chain_2"), ("400000", False, ""), ("250000", True, "")],
        "first": [("80000", True, "chain_1"), ("90000", True, "chain_2"), ("170000", True, "")]}
for name, chains, values in (("within", 2, "[0.80e5, 0.90e5, 1.00e5, 4.00e5]"), ("first", 3, "[0.80e5, 0.90e5, 1.70e5]")):
    setting = "map={chains: %d, values: %s, %s" % (chains, values, SEARCH)
    one, two = os.path.join(top, name), os.path.join(top, name + "_together")
    maps(one, setting)
    maps(two, setting, options=["--together"])
    same(one, two, name)
    found = [(p["setting"], p["outcome"] in ("settled", "unsettled"), p["snapshot"].rpartition("/")[0]) for p in rows(one)]
    check(found == WANT[name], f"{name}: {found}")

# ---- killed and stopped: the parts end with it, and the same command goes on
LONG = ["map={speeds: [0.5, 1], chains: 2, %s}" % VALUES.replace("60", "1000"), "stop={window: 600, mass_flow: 0.9}", "output.history_every=20"]
long, cut = os.path.join(top, "long"), os.path.join(top, "cut")
maps(long, *LONG, options=["--together"])
p = start([*arguments(cut, *LONG), "--together"])
check(until(lambda: iterations_done(os.path.join(cut, "speed_0.5", "chain_1")) >= 50, 60), "the map does not run")
r = wait(start([*arguments(cut, *LONG), "--together"]))
check(r.code == INPUT and f"process {p.pid} on" in r.err, f"two maps in one folder: {r}")
parts = [pid for pid in below(p.pid)]
p.kill()
wait(p)
check(parts and until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in parts), 30), f"parts go on: {parts}")
for number in (1, 2):
    at = os.path.join(cut, f"speed_{number / 2:g}", "chain_2")
    before = iterations_done(at)
    p = start([*arguments(cut, *LONG), "--together"])
    check(until(lambda: iterations_done(at) >= before + 20, 60), "the map does not go on")
    p.send_signal((signal.SIGINT, signal.SIGTERM)[number - 1])
    r = wait(p)
    check(r.code == STOPPED and "the same command goes on" in r.out, f"stopped: {r}")
r = maps(cut, *LONG, options=["--together"])
same(long, cut, "cut")

# ---- from Python
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
os.environ.update(environment())
import annulus as an  # noqa: E402

python = os.path.join(top, "python")
changes = {"march.mass_imbalance": 0.9, "stop": {"window": 20, "mass_flow": 0.9}, "map.chains": 2, "map.iterations": 20, "output.folder": python}
table = an.speed_line(case, [0.80e5, 0.85e5], annulus=ANNULUS, changes=changes, together=True)
check(list(table["setting"]) == [0.80e5, 0.85e5] and os.path.exists(os.path.join(python, "chain_2", "run.log")),
      f"annulus.speed_line: {len(table)} points, {os.listdir(python)}")

# ---- what is refused
for options, words in ((["--together", "--progress"], "--progress does not go with --together"), (["--part", "3"], "the map has 2 lines"),
                       (["--part", "x"], "--part is LINE"), (["--together", "--set", "march.cfI=1"], "unknown key 'cfI'")):
    r = maps(os.path.join(top, "bad"), BOTH, options=options, expect=INPUT)
    check(words in r.err, f"'{words}' is not said: {r}")
check("goes with `annulus map`" in run(case, "--together", expect=INPUT).err, "run --together")
finish()
