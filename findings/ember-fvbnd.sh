#!/usr/bin/env bash
# ember-cfd 0.4.5 writes a FIELDVIEW boundary file that does not fit the PLOT3D grid that it writes in the same call.
# Grid.write_plot3d(grid, boundaries) reverses the direction k of the nodes ("for proper volume orientation"), but not the
# indices of the boundaries: a patch at the first k stands at the last k of the grid. The last node of a direction is
# written as 0, which is no index in a file that counts from 1. ember's own reader undoes both.
#
# Output seen:
#   ember-cfd 0.4.5
#   block 25 x 13 x 13, boundary region_0_periodic_0: I 1 to 9, J 1 to 0, K 1 to 1
#   angle of the patch in ember 5.80645 degrees, of the nodes k = 1 in the file -5.80645 degrees
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs Python 3.12 with venv, as python3.12 or $PYTHON.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ "${PYTHON:-python3.12}" -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check ember-cfd==0.4.5; } || exit 2
cd "$work"

venv/bin/python - 2>python.log <<'PYTHON' || { cat python.log >&2; exit 1; }
import sys
from importlib.metadata import version

import ember.cases
import numpy as np

print("ember-cfd", version("ember-cfd"))
grid = ember.cases.build_duct_grid(ncell=25 * 13 * 13, nj=13, nk=13, periodic_k="hmesh")
block = grid[0]
patch = next(p for p in block.patches if type(p).__name__ == "PeriodicPatch")
assert patch.kst == patch.ken == 0
grid.write_plot3d("duct.xyz", "duct.fvbnd")
with open("duct.fvbnd") as f:
    lines = [line.split() for line in f.read().splitlines()]
number = next(n for n, words in enumerate(lines) if words[0].startswith("region_0_periodic_0"))
part = next(words for words in lines[lines.index(["BOUNDARIES"]) + 1:] if words[0] == str(number))
with open("duct.xyz") as f:
    numbers = np.array(f.read().split()[4:], float)
ni, nj, nk = block.shape
x, y, z = numbers.reshape(3, nk, nj, ni)
print(f"block {ni} x {nj} x {nk}, boundary {lines[number][0]}: "
      + ", ".join(f"{d} {part[2 + 2 * n]} to {part[3 + 2 * n]}" for n, d in enumerate("IJK")))
inside = np.degrees(float(np.arctan2(block.z[0, 0, 0], block.y[0, 0, 0])))
written = np.degrees(np.arctan2(z[0, 0, 0], y[0, 0, 0]))
print(f"angle of the patch in ember {inside:.6g} degrees, of the nodes k = 1 in the file {written:.6g} degrees")
sys.exit(not (part[6:8] == ["1", "1"] and part[5] == "0" and abs(inside + written) < 1e-4 < abs(inside)))
PYTHON
