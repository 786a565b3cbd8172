# packages: vtk==9.7.1 h5py==3.16.0 PyYAML numpy==2.4.6
"""VTK's reader opens a snapshot of a vane: its cells, their volume and the pressure are those of the file."""
import sys

import annulus
import vane
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

path, exact = vane.computed()
reader = vtk.vtkCGNSReader()
reader.SetFileName(path)
reader.UpdateInformation()
reader.EnableAllBases()
reader.EnableAllCellArrays()
reader.Update()
walk, cells, volume, pressure = reader.GetOutput().NewIterator(), 0, 0.0, []
while not walk.IsDoneWithTraversal():
    grid = walk.GetCurrentDataObject()
    sizes = vtk.vtkCellSizeFilter()
    sizes.SetInputData(grid)
    sizes.Update()
    cells += grid.GetNumberOfCells()
    volume += np.abs(vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Volume"))).sum()
    pressure.append(vtk_to_numpy(grid.GetCellData().GetArray("Pressure")))
    walk.GoToNextItem()
flow = annulus.Flow(path)
own = np.concatenate([flow.field(zone, "Pressure").ravel() for zone in flow.zones])
print(cells, volume, exact)
sys.exit(not (cells == own.size and abs(volume / exact - 1) < 0.01 and np.allclose(np.sort(own), np.sort(np.concatenate(pressure)), rtol=1e-6)))
