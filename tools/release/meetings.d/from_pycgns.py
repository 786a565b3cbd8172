# packages: pyCGNS==6.3.5 numpy==2.4.6
"""pycgns.cgns: a sector of a duct with periodic sides. Arguments: order of the arrays (F or C), nodes along i,j,k."""
import sys

import CGNS.MAP
import CGNS.PAT.cgnslib as cgl
import numpy as np

order, (ni, nj, nk) = sys.argv[1], (int(n) for n in sys.argv[2].split(","))


def corners(lo, hi):
    return np.array([lo, hi], dtype=np.int32).T.copy(order="F")


tree = cgl.newCGNSTree()
base = cgl.newCGNSBase(tree, "Base", 3, 3)
zone = cgl.newZone(base, "duct", np.array([[n, n - 1, 0] for n in (ni, nj, nk)], order="F", dtype=np.int32), "Structured")
grid = cgl.newGridCoordinates(zone, "GridCoordinates")
i, j, k = np.meshgrid(*(np.linspace(0, 1, n) for n in (ni, nj, nk)), indexing="ij")
r, t = 0.2 + 0.1 * j, np.radians(20 * k)
for name, values in zip("XYZ", (0.4 * i, r * np.cos(t), r * np.sin(t))):
    cgl.newDataArray(grid, "Coordinate" + name, np.array(values, order=order))
conditions = cgl.newZoneBC(zone)
for name, kind, lo, hi in (("inlet", "BCInflowSubsonic", (1, 1, 1), (1, nj, nk)), ("outlet", "BCOutflowSubsonic", (ni, 1, 1), (ni, nj, nk)),
                           ("hub", "BCWallInviscid", (1, 1, 1), (ni, 1, nk)), ("casing", "BCWallInviscid", (1, nj, 1), (ni, nj, nk))):
    cgl.newBC(conditions, name, corners(lo, hi), kind)
joints = cgl.newZoneGridConnectivity(zone)
near, far = corners((1, 1, 1), (ni, nj, 1)), corners((1, 1, nk), (ni, nj, nk))
for name, here, there, angle in (("first", near, far, 20), ("last", far, near, -20)):
    joint = cgl.newGridConnectivity1to1(joints, name, "duct", here, there, np.array([1, 2, 3], dtype=np.int32))
    turn = np.array([np.radians(angle), 0, 0], dtype="f4")
    cgl.newPeriodic(cgl.newGridConnectivityProperty(joint), np.zeros(3, "f4"), turn, np.zeros(3, "f4"))
CGNS.MAP.save("pycgns.cgns", tree)
