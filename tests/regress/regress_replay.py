"""Iterations that are recorded and replayed give, bit for bit, those that are launched one by one.

On the emulated CUDA engine, whose recordings are lists of operations: explicit and implicit runs,
with parameters that change from iteration to iteration and a snapshot in between, and runs that
cannot be recorded.
"""
import os
import re
import subprocess

from regress import *

top = folder("replay")
case = write_case(top)
given = write_case(folder("replay/given"), text=CASE.replace("cfl: 2, ", ""))
levels = os.path.join(top, "levels.cgns")
subprocess.run([os.path.join(BIN, "mesh_cascade"), os.path.join(SOURCE, "cases/ls89/blade.dat"),
                "--pitch=0.0575", "--inlet-angle=0", "--outlet-angle=-74", "--size=0.2", "--levels=3",
                "-o", levels], check=True, stdout=subprocess.DEVNULL)
SMALL = ["device=emulated", "output.history_every=3"]
VISCOUS = ["gas.viscosity=sutherland", "gas.mu=1e-3", "boundaries.blade.type=wall_viscous",
           "march.cfl=50"]


def compare(name, options, iterations, file=case, recorded=1, replayed=1, says="recorded", most=1000):
    """At least so many iterations recorded and replayed, at most so many recorded; run.json says so."""
    plain, replay = os.path.join(top, name + "_off"), os.path.join(top, name)
    options = SMALL + [f"march.iterations={iterations}", *options]
    run(file, options=[f"output.folder={plain}", "gpu.graph=off", *options], timeout=200)
    run(file, options=[f"output.folder={replay}", *options], timeout=200)
    same_fields(snapshot(plain, iterations), snapshot(replay, iterations), name)
    same_history(plain, replay, name)
    a, b = run_json(plain), run_json(replay)
    check(a["recorded"] == 0 and a["replayed"] == 0 and a["graph"] == "not wanted", f"{name}: {a}")
    check(recorded <= b["recorded"] <= most and b["replayed"] >= replayed and says in b["graph"],
          f"{name}: {b['graph']}, {b['recorded']} recorded, {b['replayed']} replayed")
    if recorded < replayed / 2:
        check(b["launches"] < a["launches"], f"{name}: {a['launches']} to {b['launches']} launches")


def tiles():
    """Shapes of tiles from the table, measured, and measured before: one answer; run.json names them."""
    os.environ["XDG_CACHE_HOME"] = os.path.join(top, "cache")
    for n, (choice, says) in enumerate([("table", "table, row of "), ("tune", "measured, kept in "),
                                        ("tune", "measured before, ")]):
        there = os.path.join(top, f"tiles{n}")
        run(case, options=[*SMALL, "march.iterations=3", f"output.folder={there}", f"gpu.tiles={choice}"],
            timeout=200)
        same_fields(snapshot(os.path.join(top, "tiles0"), 3), snapshot(there, 3), choice)
        check(run_json(there)["tiles"].startswith(says), run_json(there)["tiles"])
    r = run(case, options=["device=cpu", "gpu.tiles=tune", "march.iterations=1", f"output.folder={top}/untuned"])
    check("not tuned: this engine has none" in r.out, r.out)


tiles()
compare("steady", ["output.every=4"], 9, replayed=8)
RAMP = ["march.cfl_start=0.5", "march.cfl_ramp=4"]
compare("ramp", RAMP, 9, replayed=8, most=1)
compare("ramp_smoothed", [*RAMP, "march.residual_smoothing=jacobi"], 9, recorded=4, replayed=8)
# one recording for each slot: coarse levels while full multigrid starts the run, then steps with and without a known residual
compare("ramp_multigrid", [*VISCOUS, *RAMP, "turbulence.model=sa", "multigrid.levels=3", f"mesh={levels}"], 9,
        recorded=2, replayed=10, most=4)
compare("damped", [*VISCOUS, "scheme.flux=roe", "turbulence.model=sa", "march.damping=0.1",
                    "march.damping_window=4", "march.damping_start=3"], 9, recorded=3, replayed=7)
compare("fade", ["march.smooth_start=4", "scheme.flux=roe", "march.cfl=1"], 9, recorded=4, replayed=8)
compare("unsteady_given", ["march.mode=unsteady", "march.time_step=1e-7", "march.end_time=8.5e-7"], 9,
        file=given, replayed=5)
r = run(given, options=[*SMALL, "march.mode=unsteady", "march.time_step=1e-7", "march.end_time=8.5e-7",
                        "march.iterations=900000000", "output.history_every=1", f"output.folder={top}/left"])
left = [line.split()[-1] for line in r.out.splitlines() if re.match(r" +\d+ +\S+ +\S+ +\S+ +\S+", line)]
check(len(left) >= 9 and all(re.fullmatch(r"-|0:\d\d", w) for w in left),
      f"time left until march.end_time: {left}")
compare("unsteady", ["march.mode=unsteady", "march.cfl=1"], 5, recorded=0, replayed=0,
        says="time steps follow")
compare("dual", VISCOUS + ["march.mode=unsteady", "march.method=dual", "march.time_step=1e-6", "scheme.flux=roe",
                           "turbulence.model=sa", "march.inner_iterations=2"], 5, recorded=3, replayed=8)
compare("implicit", VISCOUS + ["turbulence.model=sa", "multigrid.levels=1"], 6, replayed=3)
compare("multigrid", VISCOUS + ["multigrid.levels=3", f"mesh={levels}"], 6, recorded=2, replayed=10)

r = run(case, options=["device=cpu", "march.iterations=4", f"output.folder={top}/cpu"])
check(run_json(os.path.join(top, "cpu"))["replayed"] == 0, f"the CPU engine replays: {r}")
r = run(case, np=2, options=["device=emulated", "march.iterations=4", f"output.folder={top}/ranks"])
check("other ranks" in run_json(os.path.join(top, "ranks"))["graph"], f"two ranks: {r}")
finish()
