"""Convective and viscous fluxes in one pass give whole runs the bits of two passes.

On the emulated CUDA engine: explicit runs with each flux, implicit runs, and runs for which the kernel of one pass is
not built.
"""
import os

from regress import *

top = folder("one_pass")
case = write_case(top)
VISCOUS = ["device=emulated", "precision=single", "gpu.graph=off", "output.history_every=1", "gas.viscosity=sutherland",
           "gas.mu=1e-3", "boundaries.blade.type=wall_viscous", "turbulence.model=sa"]


def launches(name, one_pass, options, iterations, np=1):
    os.environ["AN_ONE_PASS"] = one_pass
    there = os.path.join(top, f"{name}{one_pass}_{np}")
    run(case, np=np, options=[*VISCOUS, f"output.folder={there}", f"march.iterations={iterations}", *options], timeout=200)
    return there, run_json(there)["launches"]


def compare(name, fewer, *options, iterations=3):
    """fewer: launches that one pass saves at least; 0: the run has no such pass."""
    two, many = launches(name, "0", options, iterations)
    one, few = launches(name, "1", options, iterations)
    same_fields(snapshot(two, iterations), snapshot(one, iterations), name)
    same_history(two, one, name)
    check(many - few >= fewer and (fewer or many == few), f"{name}: {many} and {few} launches")


for flux in ["jst", "roe", "matrix", "kep"]:
    compare(f"explicit_{flux}", 15, f"scheme.flux={flux}", "march.method=runge_kutta", "march.cfl=1")
compare("implicit", 6, "scheme.flux=roe", "march.cfl=20")
# on two ranks one pass waits for the ghosts of the gradients
compared = [launches("implicit", one_pass, ["scheme.flux=roe", "march.cfl=20"], 3, np=2) for one_pass in "01"]
for there, _ in compared:
    same_fields(snapshot(os.path.join(top, "implicit0_1"), 3), snapshot(there, 3), there)
check(compared[0][1] - compared[1][1] >= 6, f"two ranks: {compared}")
compare("two_stages", 3, "scheme.flux=roe", "march.cfl=20", "march.stages=2")
compare("low_mach", 0, "scheme.flux=roe", "scheme.low_mach=on")
compare("double", 0, "scheme.flux=roe", "precision=double")
# Explicit steps of one stage: the state that a stage writes is the one that its neighbours read.
del os.environ["AN_ONE_PASS"]
for kind, options in [("inviscid", ["device=cpu"]), ("viscous", VISCOUS[1:] + ["device=cpu"])]:
    there = []
    for tiles in [[], ["device=emulated", "gpu.graph=off"]]:
        there.append(os.path.join(top, f"one_stage_{kind}{len(there)}"))
        run(case, options=["precision=single", "output.history_every=1", "march.method=runge_kutta", "march.stages=1", "march.cfl=0.3",
                           "multigrid.levels=1", f"output.folder={there[-1]}", "march.iterations=3", *options, *tiles], timeout=200)
    same_fields(snapshot(there[0], 3), snapshot(there[1], 3), f"one stage, {kind}")
os.environ["AN_ONE_PASS"] = "2"
r = run(case, options=VISCOUS + [f"output.folder={top}/wrong"], expect=INPUT)
check("AN_ONE_PASS=2: must be 0 or 1" in r.err, r)
finish()
