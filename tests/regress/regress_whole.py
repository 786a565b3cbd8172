"""Replicated levels (mpi.whole_below): coarse multigrid levels that every rank computes completely give, bit for bit,
the answer of one rank.

Small cases of tools/pinned with more levels, on two to four ranks, and with restarts; on the emulated CUDA
engine, too. With the argument `all`, or names, other cases are tried.
"""
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys

from regress import *

loader = importlib.machinery.SourceFileLoader("pinned", os.path.join(SOURCE, "tools", "pinned"))
pinned = importlib.util.module_from_spec(importlib.util.spec_from_loader("pinned", loader))
sys.dont_write_bytecode = True
loader.exec_module(pinned)

FULL = "multigrid={levels: 2, cycle: w, full: true}"
DEEP = "multigrid={levels: 3, cycle: w, full: true}"
# case of tools/pinned: settings, ranks
CASES = {
    "full-multigrid": ([FULL], (3, 4)),
    "sst-segments": ([DEEP], (2,)),
    "mixing-length": ([FULL], (2,)),
    "mixing-plane": ([FULL, "boundaries.blade_outlet.radial_equilibrium=hub"], (4,)),
    "scalars": ([FULL, *pinned.CP, "gas={fraction: Smoke, fraction_R: 290, fraction_cp: [1080, -0.45, 1.2e-3]}"], (2,)),
    "sliding-plane": ([FULL], (2,)),
    "inlet-pattern": ([FULL], (2,)),
}

top = folder("whole")
pinned.write_profiles(top)
names = sys.argv[2:] or list(CASES)
if names == ["all"]:
    names = list(pinned.CASES)
for mesh in sorted({pinned.CASES[name][0] for name in names}):
    if mesh in ("duct", "fine"):  # those of tools/pinned can be cut with two levels, not with three
        subprocess.run([os.path.join(BIN, "mesh_duct"), "-o", os.path.join(top, mesh + ".cgns"), "-n", "32,16,4",
                        "-s", "24", "-l", "0.3", "-u", "0.5,0.56", "-c", "0.8,0.78"], check=True,
                       stdout=subprocess.DEVNULL)
    else:
        pinned.make_mesh(BIN, top, mesh)


def compare(name, settings, ranks, device=()):
    mesh, iterations, own = pinned.CASES[name]
    case = pinned.write_case(top, name, mesh, iterations)
    own = [s for s in own if not s.startswith("multigrid")]
    one = os.path.join(top, f"{name}_1")
    options = [*own, *settings, *device, "output.history_every=1"]
    r = run(case, options=[*options, f"output.folder={one}"])
    check("computed whole" not in r.out, f"{name}: one rank has no replicated levels: {r}")
    for np in ranks:
        for below in (0, 10000000) if name in ("full-multigrid", "mixing-plane") else (10000000,):
            there = os.path.join(top, f"{name}_{np}_{below}")
            what = f"{name}, {np} ranks, whole_below {below}"
            r = run(case, np=np, options=[*options, f"output.folder={there}", f"mpi.whole_below={below}"])
            if r.code != DONE:
                return
            check(("computed whole by every rank" in r.out) == (below > 0), f"{what}: {r}")
            last = max(f for f in os.listdir(one) if f.startswith("flow_"))
            same_fields(os.path.join(one, last), os.path.join(there, last), what)
            same_history(one, there, what)


# the emulated CUDA engine: ghost cells travel by the host, and nothing is recorded, or peer to peer
if not sys.argv[2:]:
    for transport in ("staged", "peer"):
        compare("mixing-length", [FULL], (2,), ["device=emulated", "precision=single", "march.iterations=5",
                                                 f"mpi.transport={transport}"])
def restart(name, settings):
    """Half of the iterations on two ranks, the rest on four."""
    mesh, iterations, own = pinned.CASES[name]
    case, there = os.path.join(top, f"{name}.yaml"), os.path.join(top, f"{name}_restart")
    options = [*(s for s in own if not s.startswith("multigrid")), *settings, "output.history_every=1",
               f"output.folder={there}", "mpi.whole_below=10000000"]
    run(case, np=2, options=[*options, f"march.iterations={iterations // 2}"])
    run(case, "--restart", "latest", np=4, options=options)
    same_fields(snapshot(os.path.join(top, f"{name}_1"), iterations), snapshot(there, iterations), f"{name}, restart")


for name in names:
    large = pinned.CASES[name][0] in ("duct", "fine")
    compare(name, *CASES.get(name, ([DEEP if large else FULL], (2,))))
if "mixing-plane" in names:
    restart("mixing-plane", CASES["mixing-plane"][0])
if not sys.argv[2:]:
    # the estimate of the memory counts cells of replicated levels
    case = os.path.join(top, "mixing-length.yaml")
    settings = [*(s for s in pinned.CASES["mixing-length"][2] if not s.startswith("multigrid")), FULL]
    memory = []
    for below in (0, 10000000):
        r = annulus("check", case, np=2, options=[*settings, f"mpi.whole_below={below}"])
        memory.append(float(re.search(r"memory +(\S+) MB", r.out)[1]))
    check(1.02 * memory[0] < memory[1] < 1.3 * memory[0], f"estimates of the memory: {memory}")
finish()
