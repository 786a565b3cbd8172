"""Makes the small mesh of the end-to-end tests: the vane LS89, three layers of cells."""
import os
import subprocess
import sys

from regress import BIN, MESH, ROOT, SOURCE

os.makedirs(ROOT, exist_ok=True)
make = [os.path.join(BIN, "mesh_cascade"), os.path.join(SOURCE, "cases/ls89/blade.dat"),
        "--pitch=0.0575", "--inlet-angle=0", "--outlet-angle=-74", "--levels=1"]
for name, more in ((MESH, ["--size=0.15", "--layers=3"]),
                   (os.path.join(ROOT, "flat.cgns"), ["--size=0.2"])):
    subprocess.run(make + more + ["-o", name], check=True, stdout=subprocess.DEVNULL)
    print(name)
sys.exit(0)
