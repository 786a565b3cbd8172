"""A time step of the dual march whose inner iterations diverge ends the run, also where all numbers stay finite.

The coarse mesh of cases/cylinder_des from a sudden start: with multigrid and the flux `matrix` the inner iterations of the fifth step
leave 2e5 times their first residual, and without this rule the run ended as done with a lift of -3e9. On one level, as the case has it,
ten steps give forces as they are at a sudden start.
"""
import glob
import os
import subprocess

from regress import *

top = folder("inner")
source = os.path.join(SOURCE, "cases", "cylinder_des")
for command in ([sys.executable, os.path.join(source, "make_grid"), "--cells", "48", "60", "6", "-o", "cylinder.p3dfmt"],
                [os.path.join(BIN, "mesh_plot3d"), "cylinder.p3dfmt", "--join", "--periodic", "shift:0,0,2",
                 "--bc", "1:jmin=wall:wall_viscous", "--bc", "1:jmax=far:farfield", "-o", "cylinder.cgns"]):
    done = subprocess.run(command, cwd=top, capture_output=True, text=True)
    check(done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}")
with open(os.path.join(source, "case.yaml")) as f:
    text = f.read()
case = os.path.join(top, "case.yaml")
with open(case, "w") as f:
    f.write(text)
common = ["device=cpu", "march.end_time=0.003", "output.every=0", "output.means_from=5", "output.modes_from=5"]

r = run(case, options=[*common, "multigrid.levels=0", f"output.folder={top}/many"], expect=DIVERGED, timeout=900)
check("diverged at iteration 5: the inner iterations of this time step left" in r.err, f"not told: {r}")
check(not glob.glob(f"{top}/many/flow_*"), "a diverged state was written")
out = f"{top}/one"
run(case, options=[*common, f"output.folder={out}"], timeout=900)
lift = float(history(out)[-1]["lift"])
check(abs(lift) < 20, f"lift {lift}")
finish()
