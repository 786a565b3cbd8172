"""Surfaces cut through the cells of a flow: planes, surfaces of revolution, any level set.

Each cell is divided into six tetrahedra, and the surface f = 0 cuts triangles and quadrangles out of them; f is
linear along the edges of the cells. The division is that of the program's own stations.
"""
import numpy as np

from .errors import InputError

TETRAHEDRA = np.array([[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]])
# corners of a tetrahedron that stand first are behind the surface; edges from them to those ahead, in an
# order around the polygon
EDGES = {1: ((0, 1), (0, 2), (0, 3)), 2: ((0, 2), (0, 3), (1, 3), (1, 2)), 3: ((0, 3), (1, 3), (2, 3))}


def corners_of(shape, cells):
    """Flat numbers of the nodes of cells, [n, 8]: corner c lies at (i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))."""
    k, j, i = np.unravel_index(cells, tuple(n - 1 for n in shape))
    c = np.arange(8)
    return np.ravel_multi_index(
        (k[:, None] + (c >> 2), j[:, None] + (c >> 1 & 1), i[:, None] + (c & 1)), shape
    )


class Piece:
    """A zone's part of the cut. cell [n]: flat number of the cell of each triangle; `from`, `to` [n, 3]: flat
    numbers of the nodes of the edges that its corners lie on; part [n, 3]: of the way along them."""

    def __init__(self, zone, row, level):
        shape = level.shape
        low, high = extremes(level)
        cells = np.flatnonzero((low < 0) & (0 <= high))
        self.zone, self.row = zone, row
        self.nodes = corners_of(shape, cells)  # of the cells that are cut
        values = level.ravel()
        found = []
        for tetrahedron in TETRAHEDRA:
            node = self.nodes[:, tetrahedron]
            behind = values[node] < 0
            order = np.argsort(~behind, axis=1, kind="stable")
            node, count = np.take_along_axis(node, order, 1), behind.sum(axis=1)
            for m, edges in EDGES.items():
                here = np.flatnonzero(count == m)
                for n in range(1, len(edges) - 1):
                    fan = (edges[0], edges[n], edges[n + 1])
                    first = np.stack([node[here, a] for a, _ in fan], 1)
                    second = np.stack([node[here, b] for _, b in fan], 1)
                    found.append((cells[here], first, second))
        self.cell = np.concatenate([f[0] for f in found])
        self.first, self.second = (np.concatenate([f[n] for f in found]) for n in (1, 2))
        a, b = values[self.first], values[self.second]
        self.part = -a / (b - a)

    def at_corners(self, node_values):
        """Of values at nodes [k+1, j+1, i+1]: at the corners of the triangles, [n, 3]."""
        flat = node_values.ravel()
        return flat[self.first] + self.part * (flat[self.second] - flat[self.first])

    def of_cells(self, cell_values):
        """Of values of cells [k, j, i]: of the triangles, [n]."""
        return cell_values.ravel()[self.cell]


def extremes(level):
    """Least and largest value at the corners of each cell, flat."""
    found = []
    for pick in (np.minimum, np.maximum):
        v = level
        for axis in range(3):
            low, high = [slice(None)] * 3, [slice(None)] * 3
            low[axis], high[axis] = slice(None, -1), slice(1, None)
            v = pick(v[tuple(low)], v[tuple(high)])
        found.append(v.ravel())
    return found


class Cut:
    """pieces: one for each zone that is cut; points(piece): corners x, y, z in m, [n, 3, 3]."""

    def __init__(self, flow, level, what="the surface", rows=None):
        """level(x, y, z): the function that is zero on the surface, of arrays of nodes. rows: those that are cut; default:
        all."""
        self.flow, self.pieces = flow, []
        for row in flow.rows if rows is None else rows:
            for zone in row.zones:
                piece = Piece(zone, row, np.asarray(level(*zone.nodes())))
                if len(piece.cell):
                    self.pieces.append(piece)
        if not self.pieces:
            raise InputError(f"{flow.file.path}: {what} does not cut the mesh")

    def points(self, piece):
        return np.stack([piece.at_corners(c) for c in piece.zone.nodes()], 2)

    def areas(self, piece):
        """Vectors normal to the triangles, as long as their areas in m2, [n, 3]; their sides are not ordered."""
        p = self.points(piece)
        return 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])

    def field(self, piece, name):
        """A quantity in the cells that the triangles lie in, [n]."""
        return piece.of_cells(self.flow.field(piece.zone, name))

    def smooth(self, piece, name):
        """A quantity at the corners of the triangles, [n, 3]: linear between nodes, whose values are means of
        the cells around them within the zone."""
        return piece.at_corners(to_nodes(self.flow.field(piece.zone, name)))

    def area(self):
        """m2, of what is meshed."""
        return sum(float(np.linalg.norm(self.areas(p), axis=1).sum()) for p in self.pieces)

    def integral(self, name):
        """Of a quantity over the area."""
        return sum(float((np.linalg.norm(self.areas(p), axis=1) * self.field(p, name)).sum()) for p in self.pieces)

    def mean(self, name):
        """By area."""
        return self.integral(name) / self.area()


def to_nodes(cells):
    """Values at nodes [k+1, j+1, i+1]: means of the cells around each of them."""
    total = np.pad(cells, 1, mode="edge")
    for axis in range(3):
        low, high = [slice(None)] * 3, [slice(None)] * 3
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        total = 0.5 * (total[tuple(low)] + total[tuple(high)])
    return total


def plane(flow, point=(0, 0, 0), normal=(1, 0, 0)):
    """The plane through a point (m) with this normal."""
    n = np.asarray(normal, float)
    length = np.linalg.norm(n)
    if not length > 0:
        raise InputError("the normal of a plane is not zero")
    n = n / length
    offset = float(np.dot(n, point))
    return Cut(flow, lambda x, y, z: n[0] * x + n[1] * y + n[2] * z - offset, "the plane")


def revolution(flow, line):
    """The surface that a line of points (x, r) in m makes about the axis; it goes on straight beyond its ends."""
    line = np.asarray(line, float)
    if line.ndim != 2 or line.shape[0] < 2 or line.shape[1] != 2 or not np.all(np.diff(line, axis=0).any(axis=1)):
        raise InputError("a surface of revolution needs at least two different points x, r")

    def level(x, y, z):
        r = np.hypot(y, z)
        best, side = np.full(x.shape, np.inf), np.zeros(x.shape)
        last = len(line) - 2
        for n, (a, b) in enumerate(zip(line, line[1:])):
            along = b - a
            at = ((x - a[0]) * along[0] + (r - a[1]) * along[1]) / along.dot(along)
            at = np.clip(at, -np.inf if n == 0 else 0, np.inf if n == last else 1)
            dx, dr = x - a[0] - at * along[0], r - a[1] - at * along[1]
            distance = np.hypot(dx, dr)
            nearer = distance < best
            best = np.where(nearer, distance, best)
            side = np.where(nearer, along[0] * dr - along[1] * dx, side)
        return np.copysign(best, side)

    return Cut(flow, level, "the surface of revolution")
