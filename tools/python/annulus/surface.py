"""The contour of a wall in one layer of cells: face centres in order, with a value per face.

Zones come from order.layered, so that layers are counted along the span whatever direction of the mesh runs there.
"""
import numpy as np

from .errors import InputError
from .order import layered


def layer_index(cells, cut):
    """'k=mid' or 'k=N' (0-based cell layer) -> N, for a zone of these cells."""
    axis, _, value = cut.partition("=")
    if axis != "k" or not value:
        raise InputError(f"--cut {cut}: expected k=mid or k=N")
    if value == "mid":
        return cells[2] // 2
    try:
        k = int(value)
    except ValueError:
        raise InputError(f"--cut {cut}: expected k=mid or k=N")
    if not 0 <= k < cells[2]:
        raise InputError(f"--cut {cut}: layers go from 0 to {cells[2] - 1}")
    return k


def layer_nodes(zone, k):
    """Coordinates in the middle of layer k: [3, nj+1, ni+1]."""
    return np.array([0.5 * (c[k] + c[k + 1]) for c in zone.nodes()])


def segment(nodes, patch, offset=0):
    """Nodes [3, n+1] of a patch's line in the layer, `offset` nodes away from its face."""
    if patch.direction == 0:
        i = offset if patch.side == 0 else nodes.shape[2] - 1 - offset
        return nodes[:, patch.lo[1] : patch.hi[1] + 1, i]
    j = offset if patch.side == 0 else nodes.shape[1] - 1 - offset
    return nodes[:, j, patch.lo[0] : patch.hi[0] + 1]


def cell_line(values, patch, offset):
    """Values [nj, ni] of the cells `offset` cells away from a patch's face."""
    if patch.direction == 0:
        i = offset if patch.side == 0 else values.shape[1] - 1 - offset
        return values[patch.lo[1] : patch.hi[1], i]
    j = offset if patch.side == 0 else values.shape[0] - 1 - offset
    return values[j, patch.lo[0] : patch.hi[0]]


def middle(points):
    return 0.5 * (points[:, 1:] + points[:, :-1])


def wall_value(zone, patch, k, nodes, values):
    """Wall value by the line through the first two cell centres, and the face centres [3, n].

    With distances d1, d2 of the centres from the wall: v_w = v1 + (v1 - v2) d1 / (d2 - d1)."""
    lines = [segment(nodes, patch, offset) for offset in range(3)]
    face = middle(lines[0])
    v1, v2 = (cell_line(values, patch, offset) for offset in (0, 1))
    d1 = np.linalg.norm(0.5 * (middle(lines[0]) + middle(lines[1])) - face, axis=0)
    d2 = np.linalg.norm(0.5 * (middle(lines[1]) + middle(lines[2])) - face, axis=0)
    return face, v1 + (v1 - v2) * d1 / (d2 - d1)


def patch_matches(patch, family):
    return patch.direction < 2 and (patch.is_wall if family is None else patch.family == family)


def chain(pieces):
    """Joins (nodes, face centres, values) of patches whose ends meet into longer contours."""
    pieces = list(pieces)
    if not pieces:
        return []
    extent = max(np.ptp(p[0], axis=1).max() for p in pieces)
    meets = lambda a, b: np.linalg.norm(a - b) < 1e-6 * extent  # noqa: E731
    flip = lambda p: tuple(a[..., ::-1] for a in p)  # noqa: E731
    done = []
    while pieces:
        current = pieces.pop(0)
        grown = True
        while grown:
            grown = False
            for n, other in enumerate(pieces):
                end, start = current[0][:, -1], current[0][:, 0]
                if meets(end, other[0][:, -1]) or meets(start, other[0][:, 0]):
                    other = flip(other)
                if meets(end, other[0][:, 0]):
                    parts = (current, other)
                elif meets(start, other[0][:, -1]):
                    parts = (other, current)
                else:
                    continue
                current = (np.hstack([parts[0][0], parts[1][0][:, 1:]]),) + tuple(
                    np.concatenate([a, b], axis=-1) for a, b in zip(parts[0][1:], parts[1][1:])
                )
                pieces.pop(n)
                grown = True
                break
        done.append(current)
    return done


def row(zone, axis, fields, cut="k=mid"):
    """One row of faces of a surface zone, across the direction in which coordinate `axis` (0, 1, 2)
    is most constant: nodes [3, n+1] in the middle of the row, face centres [3, n], fields [n]."""
    nodes = np.array(zone.nodes())
    values = [zone.field(name) for name in fields]
    across = np.abs(np.diff(nodes[axis], axis=0)).sum(), np.abs(np.diff(nodes[axis], axis=1)).sum()
    if across[1] < across[0]:  # the row runs along j
        nodes, values = np.swapaxes(nodes, 1, 2), [v.T for v in values]
    if not rises(nodes):
        nodes, values = nodes[:, ::-1], [v[::-1] for v in values]
    k = layer_index((0, 0, nodes.shape[1] - 1), cut)
    line = 0.5 * (nodes[:, k] + nodes[:, k + 1])
    return line, middle(line), [v[k] for v in values]


def rises(nodes):
    """Do rows [3, row, n] follow each other outwards, or along z where the radius says nothing?"""
    first, last = nodes[:, 0].mean(axis=1), nodes[:, -1].mean(axis=1)
    step, radius = last - first, np.hypot(*last[1:]) - np.hypot(*first[1:])
    return (radius if abs(radius) > 0.5 * np.linalg.norm(step) else step[2] or step[1]) >= 0


def wall_zones(file, family):
    """The surface zones of one family; None: all."""
    zones = [zone for zone in file.zones if family in (None, zone.family())]
    if not zones:
        known = ", ".join(file.families())
        raise InputError(f"{file.path}: no wall of family '{family}'; has: {known}")
    return zones


def outlines(file, cut, family=None):
    """Node polylines [3, n] of walls (or of one family) in the layer."""
    pieces = []
    for zone in layered(file):
        patches = [p for p in zone.patches() if patch_matches(p, family)]
        if not patches:
            continue
        nodes = layer_nodes(zone, layer_index(zone.cells, cut))
        for patch in patches:
            line = segment(nodes, patch)
            pieces.append((line, middle(line)))
    return [contour[0] for contour in chain(pieces)]
