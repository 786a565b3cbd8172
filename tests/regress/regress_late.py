"""What does not make the march wait: figures of the table, which are read while the next step runs, and
snapshots, which threads write while it goes on. Neither changes a bit of a run. And what is refused
before anything runs: devices without enough memory.
"""
import glob
import random
import subprocess

from regress import *

top = folder("late")
case = write_case(top)
levels = os.path.join(top, "levels.cgns")
subprocess.run([os.path.join(BIN, "mesh_cascade"), os.path.join(SOURCE, "cases/ls89/blade.dat"),
                "--pitch=0.0575", "--inlet-angle=0", "--outlet-angle=-74", "--size=0.2", "--levels=3",
                "-o", levels], check=True, stdout=subprocess.DEVNULL)
RANS = ["gas.viscosity=sutherland", "gas.mu=1e-3", "boundaries.blade.type=wall_viscous",
        "march.cfl=50", "multigrid.levels=3", f"mesh={levels}", "march.iterations=12"]


def out_of(name):
    return os.path.join(top, name)


def go(name, options, np=1, expect=DONE, args=()):
    r = run(case, *args, options=[f"output.folder={out_of(name)}", *options], np=np, expect=expect,
            timeout=200)
    return r


# ---- a line for every iteration changes nothing, and says what sparse lines say
for model in ("sa", "sst"):
    options = RANS + [f"turbulence.model={model}"]
    go(model + "_12", options + ["output.history_every=12"])
    go(model + "_5", options + ["output.history_every=5"])
    same_fields(snapshot(out_of(model + "_12"), 12), snapshot(out_of(model + "_5"), 12), model)
    for engine, np in (("cpu", 1), ("cpu", 3), ("emulated", 1)):
        name = f"{model}_{engine}_{np}"
        some = options if engine == "cpu" else options + ["march.iterations=4"]
        go(name, some + ["output.history_every=1", f"device={engine}"], np=np)
        lines = history(out_of(name))
        check([int(l["iteration"]) for l in lines] == list(range(len(lines))), f"{name}: {lines}")
        if engine == "cpu":
            same_fields(snapshot(out_of(model + "_12"), 12), snapshot(out_of(name), 12), name)
            check(lines[12] == history(out_of(model + "_12"))[-1], f"{name}: the last line")
            check(lines == history(out_of(f"{model}_cpu_1")), f"{name}: lines of other ranks")
        else:
            check(lines == history(out_of(f"{model}_cpu_1"))[:5], f"{name}: {lines}")

# ---- rules on figures: all ranks stop at the same iteration, one behind the line
for np in (1, 2):
    name = f"rule_{np}"
    go(name, ["march.residual_drop=0.5", "march.iterations=1000", "output.history_every=1"], np=np)
    lines, info = history(out_of(name)), run_json(out_of(name))
    met = [int(l["iteration"]) for l in lines if float(l["residual_drop"]) <= 0.5]
    check(info["status"] == "converged" and met and info["iteration"] == met[0] + 1,
          f"{name}: {info['status']} at {info['iteration']}, met at {met[:3]}")
check(history(out_of("rule_1")) == history(out_of("rule_2")), "rules on one and two ranks")

# ---- snapshots in the background
EVERY = ["march.iterations=60", "output.every=20", "output.history_every=10", "output.keep=0"]
go("front", EVERY + ["output.background=no"])
for engine, np in (("cpu", 1), ("cpu", 3), ("emulated", 1)):
    name = f"back_{engine}_{np}"
    some = EVERY if engine == "cpu" else ["march.iterations=4", "output.every=2"]
    go(name, some + ["output.background=yes", f"device={engine}"], np=np)
    info = run_json(out_of(name))
    check(info["snapshot_how"] == "in the background" and info["snapshot_bytes_per_s"] > 0 and
          info["snapshot_iterations"] > 0, f"{name}: the march went on meanwhile: {info}")
    check(not glob.glob(out_of(name) + "/*.tmp"), f"{name}: something half written is left")
    for at in (20, 40, 60) if engine == "cpu" else ():
        same_fields(snapshot(out_of("front"), at), snapshot(out_of(name), at), f"{name} at {at}")
check(run_json(out_of("front"))["snapshot_how"] == "while the march waits: not wanted otherwise" and
      run_json(out_of("front"))["snapshot_iterations"] == 0, "front: the march waits")
r = go("back_cpu_3", ["march.iterations=67"], np=2, args=("--restart", "latest"))
go("front", ["march.iterations=67"], args=("--restart", "latest"))
same_fields(snapshot(out_of("front"), 67), snapshot(out_of("back_cpu_3"), 67), "continued")

# ---- killed while snapshots are written, again and again


def kill(p):
    """Ranks have process groups of their own, and would go on for a moment."""
    for pid in below(p.pid) + [p.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


dice, newest = random.Random(6), 0
for n in range(4):
    p = start(["run", case, *(["--restart", "latest"] if newest else [])], np=2,
              options=(f"output.folder={out_of('killed')}", "march.iterations=1000000",
                       "output.every=3", "output.history_every=3", "output.background=yes"))
    until(lambda: iterations_done(out_of("killed")) >= newest + 9 + dice.randint(0, 9), 60)
    time.sleep(dice.random() * 0.05)
    kill(p)
    wait(p, 20)
    newest = max([int(f[-13:-5]) for f in glob.glob(out_of("killed") + "/flow_*.cgns")], default=0)
    check(newest > 0, f"killed {n} times: no snapshot")
go("killed", [f"march.iterations={newest + 2}"], args=("--restart", "latest"))
go("unkilled", [f"march.iterations={newest + 2}", "output.history_every=50"])
same_fields(snapshot(out_of("unkilled"), newest + 2), snapshot(out_of("killed"), newest + 2),
            f"killed 4 times, up to iteration {newest}")

# ---- how fast coordinates are read; ranks other than 0 read them without the library
check(run_json(out_of("back_cpu_3"))["mesh_bytes_per_s"] > 0, "the speed of reading the mesh")

# ---- what cannot run is refused before it does
os.environ["AN_DEVICE_BYTES"] = "100000"
r = go("memory", [], expect=INPUT)
check("the run needs at least" in r.err and "are free: use more devices" in r.err, f"memory: {r}")
os.environ["AN_DEVICE_BYTES"] = "100000000"
r = go("memory", ["march.iterations=1"])
del os.environ["AN_DEVICE_BYTES"]
finish()
