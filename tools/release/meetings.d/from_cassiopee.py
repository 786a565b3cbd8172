# packages: cassiopee==4.1 numpy==2.4.6 python>=3.12,<3.13
"""cassiopee.cgns: a sector of a duct, with joints, periodic joints and boundaries that Cassiopee finds, in the form that the argument names:
plain (two zones), blocks (four), turned, handed, families, merged, hdf.

The wheel of Cassiopee 4.1 lacks its module KCore (findings/cassiopee-kcore.sh). The few names of KCore that are needed here stand below.
"""
import sys
import types

kcore = types.ModuleType("KCore")
kcore.Dist = types.ModuleType("KCore.Dist")
kcore.Dist.EDOUBLEINT = False
kcore.isNamePresent = lambda array, name: array[0].split(",").index(name) if name in array[0].split(",") else -1
kcore.kcore, kcore.__path__ = kcore, []
kcore.Vector = types.ModuleType("KCore.Vector")
sys.modules.update({"KCore": kcore, "KCore.kcore": kcore, "KCore.Dist": kcore.Dist, "KCore.Vector": kcore.Vector})

import Connector.PyTree as X  # noqa: E402
import Converter.Internal as I  # noqa: E402
import Converter.PyTree as C  # noqa: E402
import Generator.PyTree as G  # noqa: E402
import Transform.PyTree as T  # noqa: E402
import numpy as np  # noqa: E402

whole = G.cart((0, 0, 0), (0.4 / 20, 0.1 / 4, 20.0 / 6), (21, 5, 7))  # x, r - 0.2 m, angle in degrees
x, r, t = (I.getNodeFromName(whole, "Coordinate" + axis)[1] for axis in "XYZ")
radius, angle = 0.2 + r, np.radians(t)
r[...], t[...] = radius * np.cos(angle), radius * np.sin(angle)
form = sys.argv[1]
cuts = {"blocks": [((1, 1, 1), (9, -1, 4)), ((1, 1, 4), (9, -1, -1)), ((9, 1, 1), (-1, 3, -1)), ((9, 3, 1), (-1, -1, -1))]}
parts = [T.subzone(whole, *cut) for cut in cuts.get(form, [((1, 1, 1), (9, -1, -1)), ((9, 1, 1), (-1, -1, -1))])]
if form == "merged":
    parts = T.merge([T.subzone(whole, (1, 1, 1), (5, -1, -1)), T.subzone(whole, (5, 1, 1), (9, -1, -1))]) + parts[1:]
for number, zone in enumerate(parts):
    zone[0] = f"part{number}"
    for axis, low, high, names in ((0, 0.0, 0.4, ("inlet", "outlet")), (1, 0.2, 0.3, ("hub", "casing"))):
        x, y, z = (I.getNodeFromName(zone, "Coordinate" + c)[1] for c in "XYZ")
        values = x if axis == 0 else np.hypot(y, z)
        for end, name, at in ((0, names[0], low), (-1, names[1], high)):
            if np.allclose(np.take(values, end, axis=axis), at):
                kind = {"inlet": "BCInflowSubsonic", "outlet": "BCOutflowSubsonic"}.get(name, "BCWallInviscid")
                C._addBC2Zone(zone, name, f"FamilySpecified:{name}" if form == "families" else kind, "ij"[axis] + ("max" if end else "min"))
if form == "turned":
    T._reorder(parts[0], (2, 3, 1))
    T._reorder(parts[1], (3, 1, 2))
if form == "handed":
    T._reorder(parts[1], (1, -2, 3))
tree = C.newPyTree(["Base", 3, parts])
if form == "families":
    for name, kind in (("inlet", "BCInflowSubsonic"), ("outlet", "BCOutflowSubsonic"), ("hub", "BCWallInviscid"), ("casing", "BCWallInviscid")):
        C._addFamily2Base(tree, name, bndType=kind)
tree = X.connectMatch(tree, dim=3)
tree = X.connectMatchPeriodic(tree, rotationCenter=[0.0, 0.0, 0.0], rotationAngle=[20.0, 0.0, 0.0], dim=3)
C.convertPyTree2File(tree, "cassiopee.cgns", "bin_hdf" if form == "hdf" else "bin_cgns")
