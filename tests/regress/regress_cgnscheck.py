"""cgnscheck, the checker that comes with the CGNS library, finds no error in a snapshot."""
import os
import shutil
import subprocess

from regress import *

if not shutil.which("cgnscheck"):
    print("skipped: cgnscheck is not there")
    sys.exit(77)
top = folder("cgnscheck")
case = write_case(top)
for name, np, more in (("two", 2, []), ("single", 4, ["precision=single", "output.fields=[]"]),
                       ("unsteady", 1, ["march.mode=unsteady"])):
    out = os.path.join(top, name)
    run(case, np=np, options=[f"output.folder={out}", "march.iterations=4", *more])
    r = subprocess.run(["cgnscheck", "-w2", snapshot(out, 4)], capture_output=True, text=True,
                       timeout=60)
    lines = [line for line in (r.stdout + r.stderr).split("\n")
             if "ERROR" in line or "WARNING" in line]
    errors = [line for line in lines if "ERROR" in line]
    check(r.returncode == 0 and not errors, f"{name}: {r.returncode} " + "\n".join(errors))
    for line in sorted(set(lines)):
        print(name, line.strip())
finish()
