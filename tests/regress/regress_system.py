"""One run through all libraries in half a minute, for systems on which the long tests would take hours.

A box with a viscous wall, turbulent and implicit, in both precisions: two ranks write a snapshot half way, one rank
restarts from it, and the fields are, bit for bit, those of one run. `tools/plot` draws the convergence. The checksum of
the fields goes to regress/system/checksum.txt; tools/dev/matrix compares it between systems. Wall functions are off, because
they call atan2f of the C library, which gives other last bits from glibc 2.41 on.
"""
import hashlib

import regress
from regress import *

HALF, ALL = 10, 20
BOX = """case: box with a viscous wall
mesh: {mesh}
device: cpu
gas: {{gamma: 1.4, R: 287.0, viscosity: sutherland, mu: 1e-4}}
scheme: {{flux: roe}}
turbulence: {{model: sa, wall_function: off}}
march: {{method: implicit, cfl: 20}}
multigrid: {{levels: 2}}
initial: {{p: 1.0e5, T: 300, mach: 0.3, direction: [1, 0, 0]}}
boundaries:
  imin: {{type: inlet_total, p0: 1.1e5, T0: 310, direction: [1, 0, 0]}}
  imax: {{type: outlet_static, p: 1.0e5}}
  jmin: {{type: wall_viscous}}
  '*': {{type: symmetry}}
output: {{every: 0, history_every: 5}}
"""

top = folder("system")
box = os.path.join(top, "box.cgns")
subprocess.run([os.path.join(BIN, "regress_box"), box, "16", "12", "8"], check=True)
case = write_case(top, box, BOX)
total = hashlib.sha256()
for precision in ("double", "single"):
    whole, halves = (os.path.join(top, f"{precision}_{name}") for name in ("whole", "halves"))
    options = [f"precision={precision}", f"march.iterations={ALL}"]
    run(case, options=[*options, f"output.folder={whole}"])
    run(case, np=2, options=[*options, f"march.iterations={HALF}", f"output.folder={halves}"])
    run(case, "--restart", "latest", options=[*options, f"output.folder={halves}"])
    if same_fields(snapshot(whole, ALL), snapshot(halves, ALL), precision):
        for name, values in sorted(fields(snapshot(whole, ALL)).items()):
            moved = values.max() > values.min()
            check(moved or name.endswith("MomentumZ"), f"{precision}: {name} is uniform, its checksum would prove nothing")
            total.update(values.tobytes())
    picture = os.path.join(top, f"{precision}.png")
    done = subprocess.run([sys.executable, "-B", os.path.join(SOURCE, "tools", "plot"), "convergence", whole, "-o", picture],
                          capture_output=True, text=True)
    if "No module named 'matplotlib'" in done.stderr:
        print("no matplotlib: no picture")
    else:
        check(done.returncode == 0 and os.path.getsize(picture) > 10000, f"plot: {done.stdout}{done.stderr}")
if not regress.faults:
    with open(os.path.join(top, "checksum.txt"), "w") as f:
        f.write(total.hexdigest()[:12] + "\n")
    print(f"fields {total.hexdigest()[:12]}")
finish()
