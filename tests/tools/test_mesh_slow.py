"""A section whose radius is three times too large leaves mesh_row with a search of minutes: the section is named before it
begins, and from a few seconds on the program says what it does. The program is stopped as soon as both have been said.
"""
import os
import re
import subprocess
import sys

from checks import check, finish

program, source, folder = sys.argv[1:4]
os.makedirs(folder, exist_ok=True)
for name in ("rotor.csv", "row.yaml"):
    with open(os.path.join(source, "cases", "angles", name), encoding="utf-8") as f:
        text = f.read()
    if name == "rotor.csv":
        check(text.count("0.35,") == 1, f"{name} has another form")
        text = text.replace("0.35,", "1.05,")
        number = 1 + next(n for n, line in enumerate(text.split("\n")) if "1.05," in line)
    text = re.sub(r"machine: .*\n", "", text)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)

run = subprocess.Popen([program, "row.yaml", "-o", "row.cgns"], cwd=folder, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
said = []
for line in run.stderr:
    said.append(line.strip())
    if line.startswith("after "):
        break
run.kill()
run.wait()
check(said and said[0].startswith(f"rotor.csv:{number}: warning: section 3, at r = 1.05 m, is 15 times as far from section 2, at r = 0.3 m")
      and said[0].endswith("is its radius right?"), f"the section is not named first: {said}")
check(said and re.match(r"after \d+ s: (makes|searches|smooths) \w+", said[-1]), f"nothing is said of the search: {said}")
finish()
