"""Flows and tables for other programs: PyVista (VTK), xarray and Parquet, whose packages are imported when they are asked for,
and CSV."""
import csv
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


# Unit behind the name of a column, for fields of wall files whose names begin so.
WALL_UNITS = (("SkinFriction", "_Pa"), ("Pressure", "_Pa"), ("TemperatureWall", "_K"), ("WallHeatFlux", "_W_m2"),
              ("HeatTransferCoefficient", "_W_m2_K"), ("ArcLength", "_m"))


def wall_table(walls):
    """Columns of a wall file (a cgns.File of surfaces), a line for each face: names of wall and zone, the middle of the face, its
    area, and the fields. Names end with the unit."""
    parts = []
    for zone in walls.zones:
        nodes = np.stack(zone.nodes(), -1)
        corners = nodes[:-1, :-1], nodes[:-1, 1:], nodes[1:, 1:], nodes[1:, :-1]
        middle = sum(corners) / 4
        area = np.linalg.norm(np.cross(corners[2] - corners[0], corners[3] - corners[1]), axis=-1) / 2
        x, y, z = np.moveaxis(middle, -1, 0)
        part = {"wall": np.full(area.shape, zone.family()), "zone": np.full(area.shape, zone.name), "x_m": x, "y_m": y, "z_m": z,
                "radius_m": np.hypot(y, z), "theta_deg": np.degrees(np.arctan2(z, y)), "area_m2": area}
        for name in zone.field_names():
            end = next((unit for start, unit in WALL_UNITS if name.startswith(start)), "")
            part[name + end] = zone.field(name)
        parts.append({name: values.ravel() for name, values in part.items()})
    if not parts:
        raise InputError(f"{walls.path}: there is no wall in the file")
    names = [name for name in parts[0] if all(name in part for part in parts)]
    return {name: np.concatenate([part[name] for part in parts]) for name in names}


def write_table(columns, path):
    """Writes columns, name -> array, as CSV, or as Parquet where the name ends with .parquet."""
    if path.endswith(".parquet"):
        pyarrow, parquet = needed("pyarrow", "files of Parquet"), needed("pyarrow.parquet", "files of Parquet")
        parquet.write_table(pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()}), path)
        return
    with open(path, "w", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(columns)
        text = [[v if isinstance(v, str) else "" if np.isnan(v) else f"{v:.9g}" for v in values.tolist()] for values in columns.values()]
        lines.writerows(zip(*text))


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
