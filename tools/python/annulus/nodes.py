"""Nodes of meshes, as programs that change a shape need them: read, moved, and multiplied by the gradients of a figure.

All nodes of a zone are one array [3, k, j, i] of x, y and z in m; zones are told apart by their names.
"""
import os
import shutil

import h5py
import numpy as np

from .cgns import COORDINATES, File, children, reading
from .errors import InputError


def mesh_nodes(path):
    """{name of the zone: its nodes} of a mesh or a snapshot."""
    return {zone.name: np.array(zone.nodes()) for zone in File(path).zones}


def node_gradient(folder, figure):
    """{name of the zone: (nodes, gradient)} from nodes_FIGURE.cgns, which `annulus adjoint --nodes` writes into the output folder of a
    run. The gradient is that of the figure by x, y and z of each node, [3, k, j, i], in the figure's unit per metre."""
    file = File(os.path.join(os.fspath(folder), f"nodes_{figure}.cgns"))
    return {zone.name: (np.array(zone.nodes()), np.array([zone.at_nodes("Gradient" + c) for c in "XYZ"])) for zone in file.zones}


def move_nodes(mesh, path, displacement):
    """Writes a copy of a mesh with its nodes moved. displacement(nodes): of the nodes of a zone, [3, k, j, i], in m; or of all zones,
    {name of the zone: array}. Where nodes have periodic copies, the copies have to move alike."""
    mesh, path = os.fspath(mesh), os.fspath(path)
    nodes = mesh_nodes(mesh)
    by = {zone: np.asarray(displacement(x) if callable(displacement) else displacement[zone]) for zone, x in nodes.items()}
    for zone, x in nodes.items():
        if by[zone].shape != x.shape or not np.all(np.isfinite(by[zone])):
            raise InputError(f"{mesh}: zone {zone}: a displacement has {x.shape} finite numbers, not {by[zone].shape}")
    try:
        shutil.copyfile(mesh, path)
    except (OSError, shutil.SameFileError) as error:
        raise InputError(f"{path}: cannot be written: {error}") from None
    with reading(path, "the mesh"), h5py.File(path, "r+") as file:
        for base in children(file, "CGNSBase_t"):
            for zone, group in children(base[1], "Zone_t"):
                if zone not in nodes:
                    continue
                grid = children(group, "GridCoordinates_t")[0][1]
                for n, name in enumerate(COORDINATES):
                    stored = grid[name][" data"]
                    old = stored[...]
                    size = unit_of(nodes[zone][n], old)
                    stored[...] = old + by[zone][n] / size


def unit_of(metres, stored):
    """Metres in a unit of the stored numbers."""
    at = np.unravel_index(np.argmax(np.abs(stored)), stored.shape)
    return metres[at] / stored[at] if stored[at] else 1.0


def along(gradient, displacement):
    """The change of a figure by a small displacement of nodes: the sum of gradient times displacement over all nodes of all zones, of
    what `node_gradient` returns and {name of the zone: array} or displacement(nodes)."""
    return sum(float(np.sum(g * (displacement(x) if callable(displacement) else displacement[zone]))) for zone, (x, g) in gradient.items())
