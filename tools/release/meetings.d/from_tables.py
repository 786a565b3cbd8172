# packages: pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1 h5py==3.16.0 PyYAML numpy==2.4.6 python>=3.11
"""Walls of a run as CSV and Parquet, and its history: pandas and polars read the same numbers, with units in the names of the columns."""
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl

import annulus
import vane

path, _ = vane.computed()
walls = annulus.Run("vane").newest("wall")
table = annulus.wall_table(annulus.File(walls, (2,)))
good = True
for end in ("csv", "parquet"):
    name = "walls." + end
    annulus.write_table(table, name)
    a = pd.read_csv(name) if end == "csv" else pd.read_parquet(name)
    b = pl.read_csv(name) if end == "csv" else pl.read_parquet(name)
    numbers = [c for c in a.columns if c.endswith(("_m", "_m2", "_Pa"))]
    good &= len(numbers) > 4 and list(a.columns) == b.columns and len(a) == b.height > 100
    good &= all(np.allclose(a[c], b[c].to_numpy()) and np.issubdtype(a[c].dtype, np.floating) for c in numbers)
    print(name, len(a), list(a.columns), good)
history = os.path.join("vane", "history.csv")
good &= len(pd.read_csv(history)) == pl.read_csv(history).height > 0
sys.exit(not good)
