# packages: pyCGNS==6.3.5 h5py==3.16.0 PyYAML numpy==2.4.6
"""pyCGNS loads a snapshot: its zones have the sizes, coordinates and pressures that this program's own reader gives."""
import os
import sys

import annulus
import CGNS.MAP
import CGNS.PAT.cgnsutils as cgu
import numpy as np
import vane

path, _ = vane.computed()
tree = CGNS.MAP.load(path, flags=CGNS.MAP.S2P_DEFAULT | CGNS.MAP.S2P_FOLLOWLINKS, lksearch=[os.path.dirname(path)])[0]  # coordinates: grid.cgns
flow = annulus.Flow(path)
good = len(cgu.getAllNodesByTypeSet(tree, ["Zone_t"])) == len(flow.zones)
for zone in flow.zones:
    there = next(p for p in cgu.getAllNodesByTypeSet(tree, ["Zone_t"]) if p.endswith("/" + zone.name))
    x = cgu.getNodeByPath(tree, there + "/GridCoordinates/CoordinateX")[1]
    solution = [c for c in cgu.getNodeByPath(tree, there)[2] if c[3] == "FlowSolution_t"][0]
    pressure = next(c[1] for c in solution[2] if c[0] == "Pressure")
    good &= np.array_equal(x.T, zone.nodes()[0]) and np.allclose(pressure.T, flow.field(zone, "Pressure"), rtol=1e-6)
print(len(flow.zones), "zones", good)
sys.exit(not good)
