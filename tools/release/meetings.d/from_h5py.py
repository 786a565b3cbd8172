# packages: h5py==3.16.0 numpy==2.4.6 python>=3.10
"""HDF5 2.0, in the wheel of h5py, reads what a run writes, without the Python package of this program: cells of a snapshot and faces of
the walls, with names of fields and a checksum that agree."""
import glob
import os
import subprocess
import sys

import h5py
import numpy as np


def labelled(node, label):
    return [c for c in node.values() if isinstance(c, h5py.Group) and c.attrs.get("label") == label]


with open("vane.csv", "w") as out:
    out.write("x, r, axial_chord, beta_1, beta_2, thickness\n0, 0.26, 0.04, 0, 60, 0.1\n0, 0.34, 0.04, 0, 60, 0.1\n")
subprocess.run(["mesh_row", "--from-angles", "vane.csv", "--blades", "36", "--cells", "1e4", "--first-cell", "1e-4", "-o", "vane.cgns"],
               check=True, stdout=sys.stderr)
with open("vane_h5py.yaml", "w") as out:
    out.write("""case: vane
mesh: vane.cgns
device: cpu
gas: {gamma: 1.4, R: 287.05, viscosity: sutherland}
turbulence: {model: sa}
march: {iterations: 5}
initial: {p: 0.95e5, T: 300, mach: 0.2, direction: [1, 0, 0]}
boundaries:
  inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, 0]}
  outlet: {type: outlet_static, p: 0.95e5}
output: {folder: vane_h5py, every: 0, fields: [Pressure, Mach]}
""")
subprocess.run(["annulus", "run", "vane_h5py.yaml"], check=True, stdout=sys.stderr)
good = h5py.version.hdf5_version_tuple[0] >= 2
for path, fields in ((glob.glob("vane_h5py/flow_*.cgns")[0], {"Pressure", "Mach", "Density"}), (glob.glob("vane_h5py/wall_*.cgns")[0], {"Pressure"})):
    with h5py.File(path) as f:
        base, = labelled(f, b"CGNSBase_t")
        zones = labelled(base, b"Zone_t")
        for zone in zones:
            nodes = zone[" data"][0]
            solution = labelled(zone, b"FlowSolution_t")[0]
            values = {name: child[" data"][...] for name, child in solution.items() if isinstance(child, h5py.Group) and " data" in child}
            grid = zone["GridCoordinates"]
            grid = grid[" link"] if grid.attrs["type"] == b"LK" else grid  # of a snapshot: grid.cgns has it
            coordinates = grid["CoordinateX/ data"].shape
            good &= fields <= set(values) and coordinates[::-1] == tuple(nodes) and np.isfinite(values["Pressure"]).all()
            good &= values["Pressure"].shape[::-1] == tuple(zone[" data"][1]) and 0.8e5 < values["Pressure"].mean() < 1.1e5
        print(path, len(zones), "zones", good)
sys.exit(not good)
