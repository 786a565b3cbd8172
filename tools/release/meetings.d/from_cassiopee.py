# packages: cassiopee==4.1 numpy==2.4.6 python>=3.12,<3.13
"""cassiopee.cgns: a sector of a duct in two zones, with joints, periodic joints and boundaries that Cassiopee finds.

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
first, second = T.subzone(whole, (1, 1, 1), (9, -1, -1)), T.subzone(whole, (9, 1, 1), (-1, -1, -1))
first[0], second[0] = "front", "rear"
first = C.addBC2Zone(first, "inlet", "BCInflowSubsonic", "imin")
second = C.addBC2Zone(second, "outlet", "BCOutflowSubsonic", "imax")
for zone in (first, second):
    C._addBC2Zone(zone, "hub", "BCWallInviscid", "jmin")
    C._addBC2Zone(zone, "casing", "BCWallInviscid", "jmax")
tree = C.newPyTree(["Base", 3, [first, second]])
tree = X.connectMatch(tree, dim=3)
tree = X.connectMatchPeriodic(tree, rotationCenter=[0.0, 0.0, 0.0], rotationAngle=[20.0, 0.0, 0.0], dim=3)
C.convertPyTree2File(tree, "cassiopee.cgns", "bin_cgns")
