"""Flows and tables for other libraries: PyVista (VTK) and xarray, which are imported when they are asked for."""
import importlib

import numpy as np

from .errors import InputError


def needed(name, what):
    """The module; InputError that says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(f"{what} need the Python package {name} (pip install {name}): {error}") from None


def turned(nodes, angle):
    """x, y, z of nodes turned about the axis, from y to z."""
    x, y, z = nodes
    c, s = np.cos(angle), np.sin(angle)
    return x, c * y - s * z, s * y + c * z


VECTORS = ("Momentum", "Velocity")


def grid_of(pyvista, flow, zone, fields, angle):
    """A zone as a structured grid with cell data, which VTK orders with i fastest, as CGNS does."""
    x, y, z = turned(zone.nodes(), angle)
    grid = pyvista.StructuredGrid(*(np.ascontiguousarray(c.T) for c in (x, y, z)))
    for name in fields:
        if name in VECTORS:
            parts = [flow.field(zone, name + axis) for axis in "XYZ"]
            grid.cell_data[name] = np.stack([p.ravel() for p in turned(parts, angle)], 1)
        else:
            grid.cell_data[name] = flow.field(zone, name).ravel()
    return grid


def to_pyvista(flow, fields=("Pressure", "MachRelative"), copies=1):
    """A pyvista.MultiBlock of one block for each row, which holds its zones.

    Rows stand where they stood at the time of the snapshot. copies: passages of each row, or "all" for the whole
    annulus; names of copied zones end with the number of the copy. Momentum and Velocity are vectors, which turn with
    the copies; all other names are those of Flow.field, and their components do not turn."""
    pyvista = needed("pyvista", "datasets of VTK")
    whole = pyvista.MultiBlock()
    for row in flow.rows:
        if copies != "all" and (copies < 1 or int(copies) != copies):
            raise InputError(f"copies: a whole number from 1 on, or \"all\", not {copies}")
        if not row.sector and copies != 1:
            raise InputError(f"{flow.file.path}: row '{row.name}' has no rotational periodicity, so it cannot be copied")
        count = round(2 * np.pi / row.sector) if copies == "all" else -(-int(copies) // row.passages)
        block = pyvista.MultiBlock()
        for n in range(count):
            for zone in row.zones:
                name = zone.name if n == 0 else f"{zone.name} {n + 1}"
                block.append(grid_of(pyvista, flow, zone, fields, row.turned + n * row.sector), name)
        whole.append(block, row.name)
    return whole


def table_to_xarray(table, index=None):
    """An xarray.Dataset of a run.Table with one dimension, and the units of the columns. index: the column that gives
    the coordinate (default: iteration if there is one)."""
    xarray = needed("xarray", "tables with coordinates")
    index = index or ("iteration" if "iteration" in table else None)
    if index is not None and index not in table:
        raise InputError(f"{table.path}: no column {index}")
    dimension = index or "line"
    columns = {name: (dimension, values, {"units": table.units[name]}) for name, values in table.items()}
    coordinates = {index: columns.pop(index)} if index else {}
    return xarray.Dataset(columns, coords=coordinates, attrs={"source": table.path})
