# packages: pyvista==0.49.1 vtk==9.7.1 h5py==3.16.0 PyYAML numpy==2.4.6
"""A snapshot as a dataset of PyVista: combine() has each cell once, and their volume is that of the mesh."""
import sys

import annulus
import vane
import numpy as np

path, exact = vane.computed()
flow = annulus.Flow(path)
data = flow.to_pyvista(("Pressure",))
whole = data.combine()
volume = np.abs(whole.compute_cell_sizes()["Volume"]).sum()
print(whole.n_cells, volume, exact)
sys.exit(not (whole.n_cells == sum(flow.field(zone, "Pressure").size for zone in flow.zones) and abs(volume / exact - 1) < 0.01))
