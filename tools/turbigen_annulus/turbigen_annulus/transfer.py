"""Values of cells to the nodes of their zone, so that integrals over the planes i = const of the nodes are those of the flow.

turbigen integrates over faces between nodes. A plane i = const gets the mean of the cells on its both sides, which is the flux of a
central scheme; the nodes of the plane are then such that the mean of the four nodes of a face is the value of the face. The
values have to be those that are conserved: linear interpolation of a velocity times that of a density is not their product.
"""
import numpy as np

CORRECTIONS = 4  # of the nodes of a plane; further ones changed averages of a stage by less than 0.01 %


def _means(nodes, axes):
    """Means of neighbours along these axes."""
    for axis in axes:
        nodes = np.moveaxis(nodes, axis, 0)
        nodes = np.moveaxis(0.5 * (nodes[1:] + nodes[:-1]), 0, axis)
    return nodes


def cells_of(nodes):
    """Means of the eight nodes of each cell: [ni, nj, nk] to [ni - 1, nj - 1, nk - 1]."""
    return _means(nodes, range(3))


def widths(xyz):
    """Widths of the cells along i, j and k, m, each [ni - 1, nj - 1, nk - 1]; xyz: [ni, nj, nk, 3]."""
    edges = [np.linalg.norm(np.diff(xyz, axis=axis), axis=-1) for axis in range(3)]
    return [_means(edges[axis], [a for a in range(3) if a != axis]) for axis in range(3)]


def _spread(array, axes):
    """To the nodes along these axes, from what is between them: half of both neighbours, at the ends the last one."""
    for axis in axes:
        array = np.moveaxis(array, axis, 0)
        array = np.concatenate([array[:1], 0.5 * (array[1:] + array[:-1]), array[-1:]])
        array = np.moveaxis(array, 0, axis)
    return array


def _interpolated(values, h, axis, halves):
    """Cells of widths h to nodes along an axis: linear, or (halves) the mean of both sides; at the ends on the line through the last
    two centres."""
    if values.shape[axis] == 1:
        return np.repeat(values, 2, axis)
    h, v = np.moveaxis(h, axis, 0), np.moveaxis(values, axis, 0)
    inner = 0.5 * (v[1:] + v[:-1]) if halves else (v[1:] * h[:-1] + v[:-1] * h[1:]) / (h[1:] + h[:-1])
    first = v[:1] + (v[:1] - v[1:2]) * h[:1] / (h[:1] + h[1:2])
    last = v[-1:] + (v[-1:] - v[-2:-1]) * h[-1:] / (h[-1:] + h[-2:-1])
    return np.moveaxis(np.concatenate([first, inner, last]), 0, axis)


def _plane(faces, width):
    """Nodes of the planes i = const from their faces, without corrections."""
    nodes = _interpolated(faces, _spread(width[1], [0]), 1, False)
    return _interpolated(nodes, _spread(width[2], [0, 1]), 2, False)


def to_nodes(values, width, together=lambda nodes: nodes):
    """Nodes [ni, nj, nk] of each block from its cells; values, width: of each block. together(list of nodes): makes nodes equal that
    lie on each other, in place of those given. No node lies beyond the cells by more than a twentieth of their range."""
    faces = [_interpolated(v, w[0], 0, True) for v, w in zip(values, width)]
    nodes = together([_plane(f, w) for f, w in zip(faces, width)])
    for _ in range(CORRECTIONS):
        nodes = together([n + _spread(f - _means(n, [1, 2]), [1, 2]) for n, f in zip(nodes, faces)])
    return [_within(n, v) for n, v in zip(nodes, values)]


def _within(nodes, values):
    lowest, highest = values.min(), values.max()
    room = 0.05 * (highest - lowest)
    return np.clip(nodes, lowest - room, highest + room)
