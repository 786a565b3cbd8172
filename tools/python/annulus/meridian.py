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
LEVELS = 9      # lines of a channel between hub and casing


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


class Channel:
    """The duct of a flow: LEVELS lines from hub to casing, and the place of nodes between its inlet (0) and its outlet
    (1), measured as a fraction of the length of the line through them."""

    def __init__(self, flow):
        from .span import span_of_row, take_along_k

        self.flow, self.spans, self.lines = flow, np.linspace(0, 1, LEVELS), []
        self.span = {}
        for row in flow.rows:
            self.span.update(span_of_row(flow, row))
        nodes = {zone.name: flow.nodes(zone)[:2] for zone in flow.zones}
        for fraction in self.spans:
            parts = []
            for zone in flow.zones:
                s = self.span[zone.name]
                if s.min() - 1e-9 <= fraction <= s.max() + 1e-9:
                    x, r = take_along_k(s, fraction, *nodes[zone.name])
                    reaches = (s[0] <= fraction + 1e-9) & (fraction - 1e-9 <= s[-1])
                    parts.append((x[reaches], r[reaches]))
            self.lines.append(through(*(np.concatenate([part[c] for part in parts]) for c in (0, 1))))
        start = self._downstream(self.lines[LEVELS // 2]).points[0]
        self.lines = [
            line if np.hypot(*(line.points[0] - start)) <= np.hypot(*(line.points[-1] - start)) else line.reversed()
            for line in self.lines
        ]

    def points(self, spans, places):
        """x, r of the duct at fractions of the span and of the length, [s, a] each."""
        grid = np.array([line.point(places) for line in self.lines])  # [level, a, 2]
        s = np.asarray(spans) * (LEVELS - 1)
        low = np.clip(s.astype(int), 0, LEVELS - 2)
        part = (s - low)[:, None, None]
        found = (1 - part) * grid[low] + part * grid[low + 1]
        return found[..., 0], found[..., 1]

    def _downstream(self, line):
        """The line from inlets to outlets, as the boundaries of the file say, or else in the direction of the flow."""
        from .flow import middle

        ends = {"BCInflow": [], "BCOutflow": []}
        for zone in self.flow.zones:
            for patch in zone.patches():
                kind = next((name for name in ends if patch.kind.startswith(name)), None)
                if kind:
                    x, r, _ = self.flow.nodes(zone)
                    at = -1 if patch.side else 0
                    ends[kind].append(line.at(*(c.take(at, 2 - patch.direction) for c in (x, r))).mean())
        if all(ends.values()) and np.mean(ends["BCInflow"]) != np.mean(ends["BCOutflow"]):
            return line if np.mean(ends["BCInflow"]) < np.mean(ends["BCOutflow"]) else line.reversed()
        parts = []
        for zone in self.flow.zones:
            x, r, _ = self.flow.nodes(zone)
            k = zone.cells[2] // 2
            speed = [self.flow.field(zone, name)[k] for name in ("VelocityX", "VelocityRadius")]
            parts.append([q.ravel() for q in (*(middle(c[k : k + 2])[0] for c in (x, r)), *speed)])
        return line.along(*(np.concatenate([part[c] for part in parts]) for c in range(4)))

    @property
    def turns(self):
        return self.lines[LEVELS // 2].turns

    def place(self, zone):
        """Of the nodes of a zone, [k+1, j+1, i+1]: 0 at the inlet of the duct, 1 at its outlet."""
        x, r, _ = self.flow.nodes(zone)
        s = np.clip(self.span[zone.name], 0, 1) * (LEVELS - 1)
        low = np.clip(s.astype(int), 0, LEVELS - 2)
        found = np.zeros(x.shape)
        for n in range(LEVELS - 1):
            here = low == n
            if here.any():
                a, b = (self.lines[n + c].at(x[here], r[here]) / self.lines[n + c].length for c in (0, 1))
                found[here] = a + (s[here] - n) * (b - a)
        return found
