"""What from_vtk.py, from_pyvista.py and from_paraview.py read: a run of a vane with few iterations."""
import os
import subprocess
import sys

import numpy as np

def computed():
    """Path of the snapshot of a vane, with walls beside it, and the volume of its cells, m3."""
    import annulus

    if not os.path.exists("vane.cgns"):
        with open("vane.csv", "w") as out:
            out.write("x, r, axial_chord, beta_1, beta_2, thickness\n0, 0.26, 0.04, 0, 60, 0.1\n0, 0.34, 0.04, 0, 60, 0.1\n")
        subprocess.run(["mesh_row", "--from-angles", "vane.csv", "--blades", "36", "--cells", "1e4", "--first-cell", "1e-4",
                        "-o", "vane.cgns"], check=True, stdout=sys.stderr)
    with open("vane.yaml", "w") as out:
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
output: {folder: vane, every: 0, fields: [Pressure, Mach]}
""")
    subprocess.run(["annulus", "run", "vane.yaml"], check=True, stdout=sys.stderr)
    path = os.path.join("vane", "flow_00000005.cgns")
    flow = annulus.Flow(path)
    return path, float(sum(np.abs(volumes(*zone.nodes())).sum() for zone in flow.zones))


def volumes(x, y, z):
    """Of the cells of a zone, from the products of their edges: second order."""
    at = np.stack([x, y, z], -1)
    edges = []
    for axis in range(3):
        d = np.diff(at, axis=axis)
        for other in range(3):
            if other != axis:
                d = 0.5 * (np.take(d, range(1, d.shape[other]), other) + np.take(d, range(d.shape[other] - 1), other))
        edges.append(d)
    return np.einsum("...i,...i", edges[0], np.cross(edges[1], edges[2]))
