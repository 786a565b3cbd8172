# packages: xarray==2026.9.0 h5py==3.16.0 PyYAML numpy==2.4.6 matplotlib python>=3.11
"""The history and averages over the pitch as datasets of xarray, with units, written to a file and read again."""
import sys

import annulus
import vane
import xarray

path, _ = vane.computed()
flow = annulus.Flow(path)
mean = annulus.pitch_average(flow, ["Pressure", "Entropy"]).to_xarray()
history = annulus.Run("vane").history.to_xarray()
print(mean, history)
middle = float(mean["Pressure"].sel(span=0.5, method="nearest").mean())
sys.exit(not (mean["Pressure"].attrs["units"] == "Pa" and 0.8e5 < middle < 1.1e5 and history["mass_in_kg_s"].attrs["units"] == "kg/s"
              and isinstance(mean, xarray.Dataset)))
