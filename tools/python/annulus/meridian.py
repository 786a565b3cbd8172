"""Meridional lines: the course of a surface or of a duct in the plane of x and r, whatever its direction.

    m    arc length along the line, m
    m'   integral of dm / r, without a unit. In the plane of m' and theta angles are those in space.

A machine turns if its meridional lines are steeper than 45 degrees on more than a tenth of their length. Positions
in such a machine are measured along these lines, because x does not order them.
"""
import numpy as np

from .errors import InputError

BINS = 150      # of the extent of a cloud of points, for the line through it
POINTS = 200    # of a line that is divided anew


class Line:
    """points [n, 2]: x and r in m, from the inlet to the outlet; m [n]: arc length; prime [n]: m'."""

    def __init__(self, points):
        self.points = np.asarray(points, float)
        self.steps = np.diff(self.points, axis=0)
        self.lengths = np.hypot(*self.steps.T)
        self.m = np.concatenate([[0], np.cumsum(self.lengths)])
        r = np.maximum(0.5 * (self.points[1:, 1] + self.points[:-1, 1]), 1e-12)
        self.prime = np.concatenate([[0], np.cumsum(self.lengths / r)])

    @property
    def length(self):
        return self.m[-1]

    @property
    def turns(self):
        """Is more than a tenth of the line steeper than 45 degrees?"""
        steep = np.abs(self.steps[:, 1]) > np.abs(self.steps[:, 0])
        return self.lengths[steep].sum() > 0.1 * self.length

    def reversed(self):
        return Line(self.points[::-1])

    def along(self, x, r, vx, vr):
        """The line in the direction in which most of a flow goes: vx, vr are parts of the flow at the points x, r."""
        m = self.at(x, r)
        n = np.clip(np.searchsorted(self.m, m.ravel()) - 1, 0, len(self.lengths) - 1)
        ahead = self.steps[n] / self.lengths[n, None]
        return self if np.nansum(ahead[:, 0] * np.ravel(vx) + ahead[:, 1] * np.ravel(vr)) >= 0 else self.reversed()

    def at(self, x, r):
        """m of the points of the line that are nearest to x, r; the line goes on straight beyond its ends."""
        p = np.stack([np.ravel(x), np.ravel(r)], 1).astype(float)
        found = np.empty(len(p))
        for low in range(0, len(p), 20000):
            part = p[low : low + 20000]
            near = ((part**2).sum(1)[:, None] - 2 * part @ self.points.T + (self.points**2).sum(1)).argmin(1)
            best, where = np.full(len(part), np.inf), np.empty(len(part))
            for segment in (near - 1, near):
                n = np.clip(segment, 0, len(self.lengths) - 1)
                offset = part - self.points[n]
                t = (offset * self.steps[n]).sum(1) / self.lengths[n] ** 2
                t = np.clip(t, np.where(n == 0, -np.inf, 0), np.where(n == len(self.lengths) - 1, np.inf, 1))
                distance = ((offset - t[:, None] * self.steps[n]) ** 2).sum(1)
                nearer = distance < best
                best = np.where(nearer, distance, best)
                where = np.where(nearer, self.m[n] + t * self.lengths[n], where)
            found[low : low + 20000] = where
        return found.reshape(np.shape(x))

    def prime_at(self, m):
        """m' of arc lengths m, straight on beyond the ends."""
        inside = np.interp(m, self.m, self.prime)
        r = np.maximum(self.points[:, 1], 1e-12)
        return inside + np.minimum(m, 0) / r[0] + np.maximum(m - self.length, 0) / r[-1]

    def point(self, fraction):
        """x, r at fractions of the length."""
        m = np.asarray(fraction) * self.length
        return np.stack([np.interp(m, self.m, self.points[:, c]) for c in (0, 1)], -1)


def thinned(x, r):
    """Means of the points in each square of a fine grid."""
    p = np.stack([np.ravel(x), np.ravel(r)], 1).astype(float)
    size = np.ptp(p, axis=0).max() / BINS
    if not size > 0:
        raise InputError("a meridional line needs points at different x or r")
    key = np.floor((p - p.min(axis=0)) / size).astype(np.int64)
    _, index, count = np.unique(key[:, 0] * (BINS + 2) + key[:, 1], return_inverse=True, return_counts=True)
    p = np.stack([np.bincount(index.ravel(), p[:, c]) / count for c in (0, 1)], 1)
    kept = [p[0]]
    for point in p[1:]:  # squares whose points are the same but for rounding
        if min(np.hypot(*(point - other)) for other in kept[-2 * BINS :]) > 0.01 * size:
            kept.append(point)
    return np.array(kept)


def tree(p):
    """Parents of points in the minimum spanning tree that grows from the first of them, and the order of growth."""
    n = len(p)
    parent, order = np.zeros(n, int), [0]
    distance = ((p - p[0]) ** 2).sum(1)
    distance[0] = np.inf
    inside = np.zeros(n, bool)
    inside[0] = True
    for _ in range(n - 1):
        new = int(distance.argmin())
        inside[new] = True
        order.append(new)
        reach = ((p - p[new]) ** 2).sum(1)
        nearer = ~inside & (reach < distance)
        parent[nearer], distance[nearer] = new, reach[nearer]
        distance[new] = np.inf
    return parent, order


def farthest(p):
    """The path of the spanning tree from the first point to the one that is farthest along the tree."""
    parent, order = tree(p)
    way = np.zeros(len(p))
    for n in order[1:]:
        way[n] = way[parent[n]] + np.hypot(*(p[n] - p[parent[n]]))
    path = [int(way.argmax())]
    while path[-1]:
        path.append(int(parent[path[-1]]))
    return path


def through(x, r):
    """The Line through a cloud of points of a surface of revolution: the longest path of its minimum spanning tree,
    which orders the points of a duct that turns back, too. Its direction is that of growing x + r of its ends."""
    p = thinned(x, r)
    if len(p) < 2:
        raise InputError("a meridional line needs points at different x or r")
    end = farthest(p)[0]
    p = np.concatenate([p[end : end + 1], np.delete(p, end, axis=0)])
    points = p[farthest(p)]
    return Line(points if points[-1].sum() >= points[0].sum() else points[::-1])
