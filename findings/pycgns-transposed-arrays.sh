#!/usr/bin/env bash
# pyCGNS 6.3.5 transposes arrays in row-major (C) order when it saves them, without a warning.
# CGNS.MAP.save takes a tree of numpy arrays. An array of shape (ni, nj, nk) in column-major order is stored right. The
# same array, equal to the first in every element, but in numpy's default row-major order, is stored with its axes
# reversed: the file then holds a zone of ni x nj x nk vertices with coordinates of nk x nj x ni, and reading the file
# again gives other arrays than were saved. Nothing is raised or printed.
#
# Output seen:
#   pyCGNS 6.3.5
#   order F: saved (4, 3, 2), in the file (i first) (4, 3, 2), loaded (4, 3, 2), equal: True
#   order C: saved (4, 3, 2), in the file (i first) (2, 3, 4), loaded (2, 3, 4), equal: False
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check pyCGNS==6.3.5 h5py==3.16.0 numpy==2.4.6; } || exit 2
cd "$work"

venv/bin/python -W error - <<'PYTHON' || exit 1
import sys
from importlib.metadata import version

import CGNS.MAP
import CGNS.PAT.cgnslib as cgl
import CGNS.PAT.cgnsutils as cgu
import h5py
import numpy as np

PATH = "/Base/Zone/GridCoordinates/CoordinateX"
shape = 4, 3, 2


def result(order):
    tree = cgl.newCGNSTree()
    base = cgl.newCGNSBase(tree, "Base", 3, 3)
    zone = cgl.newZone(base, "Zone", np.array([[n, n - 1, 0] for n in shape], order="F"), "Structured")
    grid = cgl.newGridCoordinates(zone, "GridCoordinates")
    for name, values in zip("XYZ", np.indices(shape, dtype=float)):
        cgl.newDataArray(grid, "Coordinate" + name, np.array(values, order=order))
    saved = cgu.getNodeByPath(tree, PATH)[1]
    CGNS.MAP.save(order + ".cgns", tree)
    with h5py.File(order + ".cgns") as f:
        stored = f[PATH + "/ data"].shape[::-1]  # HDF5 names the slowest dimension first
    loaded = cgu.getNodeByPath(CGNS.MAP.load(order + ".cgns")[0], PATH)[1]
    equal = np.array_equal(saved, loaded)
    print(f"order {order}: saved {saved.shape}, in the file (i first) {stored}, loaded {loaded.shape}, equal: {equal}")
    return saved.shape, stored, loaded.shape, equal


print("pyCGNS", version("pyCGNS"))
right = result("F") == (shape, shape, shape, True)
turned = result("C") == (shape, shape[::-1], shape[::-1], False)
sys.exit(not (right and turned))
PYTHON
