"""No answer that is wrong without a word: one folder for one run, the mesh and the keys that a
restart belongs to, and files that vanish or change while a run goes on."""
import glob
import os
import re
import shutil
import time

from regress import *

top = folder("guard")
case = write_case(top)


def out_of(name):
    return os.path.join(top, name)


def is_there(path, seconds=30):
    end = time.time() + seconds
    while not os.path.exists(path) and time.time() < end:
        time.sleep(0.02)
    return check(os.path.exists(path), f"{path} does not appear")


def stop(p, out):
    """Asks a run to stop and returns its result."""
    open(os.path.join(out, "STOP"), "w").close()
    return wait(p)


# two runs in one folder: the second is refused, the first goes on
out = out_of("one")
long = ["march.iterations=1000000", f"output.folder={out}"]
first = start(["run", case], options=long)
is_there(os.path.join(out, "history.csv"))
second = annulus("run", case, options=["march.iterations=3", f"output.folder={out}"])
check(second.code == INPUT and "is in use: process " in second.err, f"a second run: {second}")
check(not os.path.exists(snapshot(out, 3)), "the second run wrote a snapshot")
r = stop(first, out)
check(r.code == STOPPED, f"the first of two runs: {r}")
check(not os.path.exists(os.path.join(out, ".annulus.lock")), "the lock is left behind")

# a killed run leaves its lock and half a file: the next one takes over with a message
first = start(["run", case], options=long)
is_there(os.path.join(out, ".annulus.lock"))
first.kill()
wait(first)
open(os.path.join(out, "flow_00000007.cgns.0123456789abcdef.tmp"), "w").close()
r = run(case, options=["march.iterations=3", f"output.folder={out}"])
check("is taken over: that process has ended" in r.out, f"a stale lock: {r}")
check(not glob.glob(out + "/*.tmp"), f"temporary files of a killed run: {os.listdir(out)}")

# parents that cannot be made are named
r = run(case, options=[f"output.folder={case}/a/b"], expect=INPUT)
check(f"'{case}' is not a folder" in r.err, f"a file as parent: {r}")

# the mesh is scaled, cut off or removed while a run goes on: nothing of it reaches the results
def scaled(path, factor, coordinates="XYZ"):
    with h5py.File(path, "r+") as f:
        def scale(name, node):
            if isinstance(node, h5py.Dataset) and "/Coordinate" in name and \
                    name.split("/")[-2][-1] in coordinates:
                node[...] = node[...] * factor
        f.visititems(scale)


def nodes(path):
    found = {}
    with h5py.File(path, "r") as f:
        f.visititems(lambda name, node: found.update({name.split("/", 1)[1]: node[...]})
                     if isinstance(node, h5py.Dataset) and "/Coordinate" in name else None)
    return found


def record(path):
    with h5py.File(path, "r") as f:
        return bytes(f["Base/Annulus/ data"][...].astype("uint8")).decode()


own = os.path.join(top, "own.cgns")
own_case = os.path.join(folder("guard/own"), "case.yaml")
with open(own_case, "w") as f:
    f.write(CASE.format(mesh=own))
right = None
for name, change in (("scaled", lambda: (os.rename(shutil.copy(MESH, own + ".new"), own),
                                          scaled(own, 2))),
                     ("cut", lambda: os.truncate(own, 20000)),
                     ("removed", lambda: os.remove(own))):
    shutil.copy(MESH, own)
    out = out_of(name)
    p = start(["run", own_case], np=2, mpirun=True,
              options=["march.iterations=1000000", f"output.folder={out}"])
    is_there(os.path.join(out, "run.json"))
    change()
    r = stop(p, out)
    check(r.code == STOPPED, f"mesh {name}: {r}")
    word = "removed" if name == "removed" else "changed or replaced"
    check(f"own.cgns was {word} after" in r.out, f"mesh {name} without a word: {r}")
    check(any(word in w for w in run_json(out)["warnings"]), f"mesh {name}: no warning in run.json")
    grid = nodes(os.path.join(out, "grid.cgns"))
    right = right or grid
    check(sorted(grid) == sorted(right) and all((grid[n] == right[n]).all() for n in right),
          f"mesh {name}: grid.cgns has other coordinates")
reference = nodes(MESH)
for n in reference:
    # three layers of one 3-D mesh: the same numbers as in the file
    check((right[n] == reference[n]).all(), f"{n} of grid.cgns is not that of the mesh")

# a divergence has its place from memory
text = CASE.replace("cfl: 2, ", "mode: unsteady, time_step: 1e-3, ")
for np in (1, 2):
    shutil.copy(MESH, own)
    where = folder(f"guard/place{np}")
    p = start(["run", write_case(where, own, text)], np=np, mpirun=True)
    end = time.time() + 30
    while not os.path.exists(where + "/out/run.json") and time.time() < end:
        time.sleep(0.0005)
    os.truncate(own, 20000)
    r = wait(p)
    place = re.search(r"at x = (\S+), y = (\S+), z = (\S+) m", r.err)
    check(r.code == DIVERGED and place, f"a divergence without its mesh: {r}")
    if place:
        x = [float(v) for v in place.groups()]
        points = [numpy.concatenate([v.ravel() for n, v in reference.items() if n.split("/")[-2] ==
                                     f"Coordinate{c}"]) for c in "XYZ"]
        check(all(v.min() < w < v.max() for v, w in zip(points, x)) and any(x),
              f"the place {x} is not in the mesh")

# a snapshot goes on with its own coordinates only, or says so from then on
out = out_of("restart")
where = f"output.folder={out}"
run(case, options=["march.iterations=3", where])
shutil.copy(MESH, own)
scaled(own, 2, "X")  # the pitch stays
r = annulus("run", own_case, "--restart", snapshot(out, 3), options=["march.iterations=6", where])
check(r.code == INPUT and "other coordinates" in r.err, f"a restart on a scaled mesh: {r}")
r = run(own_case, "--restart", snapshot(out, 3), "--other-mesh", np=2,
        options=["march.iterations=6", where])
check("warning     the flow of iteration 3 was computed with other coordinates" in r.out,
      f"--other-mesh without a word: {r}")
check("warning = the flow of iteration 3" in record(snapshot(out, 6)), "the snapshot lacks its warning")
check(os.path.exists(os.path.join(out, "grid.cgns.old")), "the old coordinates are gone")
r = run(own_case, "--restart", "latest", options=["march.iterations=7", where])
check("the flow of iteration 3" in r.out, f"the warning is lost with the second restart: {r}")
copy = os.path.join(top, "copy.cgns")
shutil.copy(MESH, copy)
r = run(case, "--restart", snapshot(out, 3), options=["march.iterations=4", where, f"mesh={copy}"])
check("other coordinates" not in r.out, f"a copy of the mesh: {r}")

# keys that differ from those of the snapshot are told, those that make no sense refused
out = out_of("keys")
where = f"output.folder={out}"
run(case, options=["march.iterations=3", where])
same = run(case, "--restart", "latest", options=["march.iterations=4", where])
check("in the snapshot" not in same.out, f"keys that are the same: {same}")
for key, old, new in (("boundaries.outlet.p", "82350", "90000"), ("scheme.flux", "jst", "roe"),
                      ("precision", "double", "single"), ("gas.viscosity", "none", "sutherland")):
    r = run(case, "--restart", snapshot(out, 4),
            options=["march.iterations=5", f"output.folder={out}2", f"{key}={new}"])
    check(f"{key}: {old} in the snapshot, {new} now" in r.out, f"{key} without a word: {r}")
r = run(case, "--restart", snapshot(out, 4), options=[
    "march.iterations=5", f"output.folder={out}2", "march.mode=unsteady"])
check("march.mode: steady in the snapshot, unsteady now" in r.out, f"unsteady without a word: {r}")
for key, value in (("gas.gamma", "1.3"), ("gas.R", "300")):
    r = annulus("run", case, "--restart", snapshot(out, 4),
                options=["march.iterations=5", f"output.folder={out}3", f"{key}={value}"])
    check(r.code == INPUT and f"'{key}' is {value}" in r.err, f"another gas: {r}")

# the output folder is removed while a run goes on: made again, the flow is kept
for np in (1, 2):
    out = out_of(f"gone{np}")
    p = start(["run", case], np=np, mpirun=True,
              options=["march.iterations=1000000", "march.wall_time=10", f"output.folder={out}"])
    is_there(os.path.join(out, "run.json"))
    shutil.rmtree(out)
    r = wait(p)
    check("was removed during the run and made again" in r.out, f"a removed folder: {r}")
    check(len(glob.glob(out + "/flow_*.cgns")) == 1 and os.path.exists(out + "/grid.cgns") and
          os.path.exists(out + "/history.csv"), f"a removed folder on {np} ranks: {r}")
    again = run(case, "--restart", "latest", np=np, options=[
        f"march.iterations={run_json(out)['iteration'] + 2}", f"output.folder={out}"])
    check("was removed" not in again.out, f"after a removed folder: {again}")

# figures that cannot be, or that are a wrong unit: refused, or told at the start and at the end
few = ["march.iterations=4", f"output.folder={out_of('doubt')}"]
r = run(case, options=few + ["boundaries.outlet.p=2e5"], expect=INPUT)
check("boundaries.outlet.p is 1.253 times the largest total pressure" in r.err, f"a high back pressure: {r}")
r = annulus("check", case, options=["boundaries.outlet.p=2e5"])
check(r.code == INPUT and "is 1.253 times" in r.err and "ready" not in r.out, f"check of a high back pressure: {r}")
r = annulus("check", case, options=["boundaries.inlet.T0=20"])
check(r.code == DONE and r.out.count("warning     boundaries.inlet.T0 is 20 K") == 1, f"check of a cold inlet: {r}")
for options, says in ((["boundaries.inlet.T0=20"], "boundaries.inlet.T0 is 20 K"),
                      (["boundaries.outlet.p=0.8"], "boundaries.outlet.p is 0.8 Pa")):
    r = run(case, options=few + ["march.cfl=0.1"] + options, expect=DONE)
    check(r.out.count(f"warning     {says}") == 2, f"{says}: not at the start and at the end: {r}")
    check(any(says in w for w in run_json(out_of("doubt"))["warnings"]), f"{says} is not in run.json")
closed = CASE.replace("{{type: inlet_total, p0: 1.596e5, T0: 420, direction: [1, 0, 0]}}",
                      "{{type: wall_slip}}").replace("{{type: outlet_static, p: 0.8235e5}}",
                                                     "{{type: wall_slip}}")
r = run(write_case(folder("guard/closed"), MESH, closed), options=few)
check("no boundary lets gas in or out" in r.out, f"walls only: {r}")
r = run(case, options=few + ["stop.force=1e-3", "boundaries.blade={type: symmetry}"], expect=INPUT)
check("'stop.force': there is no wall" in r.err, f"forces without walls: {r}")
r = run(case, options=few)
check(r.out.strip().splitlines()[-1].startswith("warning     the flow has not settled in 4 iterations"),
      f"an unsettled end: {r}")
differ = "mass flows in and out differ by"
check(differ in r.out.strip().splitlines()[-1], f"an unsettled end says nothing of the mass flows: {r}")
check(run_json(out_of("doubt"))["settled"] is False, "run.json does not say that the flow has not settled")
check(run_json(out_of("doubt"))["state"] == "creeps" and "state       creeps" in r.out, f"the state of an unsettled flow: {r}")
check(run_json(out_of("doubt"))["last"]["efficiency"] is None, "a cascade has an efficiency")
far = "{{type: farfield, p: 1.2e5, T: 400, mach: 0.15, direction: [1, 0, 0]}}"
body = CASE.replace("{{type: inlet_total, p0: 1.596e5, T0: 420, direction: [1, 0, 0]}}", far).replace(
    "{{type: outlet_static, p: 0.8235e5}}", far)
r = run(write_case(folder("guard/far"), MESH, body), options=few)
check("the flow has not settled in 4 iterations" in r.out and differ not in r.out, f"an unsettled end between far fields: {r}")
r = run(case, options=few + ["march.residual_drop=0.99"])
check("not settled" not in r.out and run_json(out_of("doubt"))["settled"] is True and
      run_json(out_of("doubt"))["state"] == "settled", f"a settled end: {r}")

# old profiles go with old snapshots
r = run(case, options=["march.iterations=6", f"output.folder={out_of('profiles')}", "output.every=1",
                       "output.keep=2", "monitors.stations=[-0.02, 0.05]"])
left = glob.glob(out_of("profiles") + "/profile_*.csv")
check(len(left) == 2, f"profiles of removed snapshots: {left}")
finish()
