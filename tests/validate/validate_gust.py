"""Flat plates in a gust against linear theory: lift and moment of a plate (cases/gust_cascade).

    tests/validate/validate_gust.py BIN FOLDER

Mach number 0.5, no stagger, 16 x 12 cells in a passage, 36 steps a period, 4 periods. `compare` has a line for each of them
with its difference from theory. No sound is cut on.
"""
import os
import re
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cases", "gust_cascade")
BOUNDS = {"lift": (2.0, 2.0), "moment": (2.0, 2.0)}  # %, degrees
bin_folder, work = (os.path.abspath(a) for a in sys.argv[1:3])
environment = {**os.environ, "PATH": bin_folder + os.pathsep + os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]}
out = subprocess.run([os.path.join(SOURCE, "run"), work, "--mach", "0.5", "--stagger", "0", "--chord", "16", "--pitch", "12",
                      "--edge", "0.15", "--wall", "0.3", "--steps", "36", "--periods", "4", "--cells", "28", "24", "--ahead", "1.5", "--behind",
                      "1.5"], check=True, capture_output=True, text=True, env=environment).stdout
print(out, end="")
found = {line.split()[0]: [float(x) for x in re.findall(r"amplitude +(\S+) %  phase +(\S+) deg", line)[0]]
         for line in out.splitlines() if line.split()[0] in BOUNDS}
bad = [name for name, most in BOUNDS.items() if any(not abs(x) <= y for x, y in zip(found[name], most))]
for name in bad:
    print(f"FAULT: {name} differs by {found[name]} (%, degrees), at most {BOUNDS[name]}")
sys.exit(bool(bad))
