"""Fractions of the span, and surfaces at one of them: blade to blade.

The arrays of Row.layers run from hub to casing along their first axis (see order). Where the lines of a zone along it
reach from hub to casing, the span fraction is the meridional arc length over the whole one, along each line. A zone whose
lines are shorter than 0.4 of the lines of another zone at the same place is a clearance: it begins at one end wall. The
span fraction there, and in zones that are stacked along the span, is the distance from the hub over the sum of the
distances from hub and casing.
"""
import numpy as np

from .errors import InputError
from .meridian import through
from .surface import segment

SHORT = 0.4  # of the lines of another zone at the same place: a clearance


def arc(x, r):
    """Meridional length along the span from the first nodes on."""
    steps = np.hypot(np.diff(x, axis=0), np.diff(r, axis=0))
    return np.concatenate([np.zeros((1, *x.shape[1:])), np.cumsum(steps, axis=0)])


def nearest(x, r, cloud):
    """Distance of points from the nearest of a cloud [n, 2]."""
    points = np.stack([x.ravel(), r.ravel()], 1)
    found = np.empty(len(points))
    for at in range(0, len(points), 2000):
        part = points[at : at + 2000]
        found[at : at + 2000] = np.sqrt(((part[:, None] - cloud[None]) ** 2).sum(2).min(1))
    return found.reshape(x.shape)


def some(n, most):
    """At most so many of n indices, evenly spread."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(int))


def is_clearance(name, place, along):
    """place: zone name -> x, r of the nodes; along: zone name -> arc(x, r)."""
    x, r = (c[len(c) // 2].ravel() for c in place[name])
    mine = some(x.size, 40)
    points, own = np.stack([x[mine], r[mine]], 1), along[name][-1].ravel()[mine]
    least = own.min() / SHORT  # no shorter line makes a clearance of this zone
    for other in place:
        if other == name or along[other][-1].max() <= least:
            continue
        k, lines = some(len(along[other]), 24), some(along[other][-1].size, 150)
        x, r = (c.reshape(len(c), -1)[k][:, lines] for c in place[other])
        distance = np.hypot(points[:, 0, None] - x.ravel(), points[:, 1, None] - r.ravel())
        at = distance.argmin(axis=1)
        length = along[other][-1].ravel()[lines][at % len(lines)]
        beside = distance[np.arange(len(at)), at] < 0.2 * length
        if beside.mean() > 0.5 and np.median(own[beside] / length[beside]) < SHORT:
            return True
    return False


def joints(place, along):
    """Ends (name, 0 or -1) of zones that lie on the other end of another zone: zones that are stacked along the span."""
    names, found = list(place), set()
    ends = {(n, at): np.stack([c[at].ravel() for c in place[n]], 1) for n in names for at in (0, -1)}
    length = {n: along[n][-1].mean() for n in names}
    low, high = (np.array([[f(ends[n, at], axis=0) for at in (0, -1)] for n in names]) for f in (np.min, np.max))
    for m, name in enumerate(names):
        for at in (0, -1):
            own, other = (0, 1) if at == 0 else (1, 0)
            reach = 0.02 * length[name]
            near = np.flatnonzero(np.all((low[:, other] <= high[m, own] + reach) & (high[:, other] >= low[m, own] - reach), axis=1))
            middle = ends[name, at][some(len(ends[name, at]), 15)]
            for q in near:
                if names[q] == name or (name, at) in found:
                    continue
                apart = nearest(middle[:, 0], middle[:, 1], ends[names[q], -1 - at])
                if np.mean(apart < 0.02 * min(length[name], length[names[q]])) > 0.5:
                    found.add((name, at))
    return found


def span_of_row(flow, row):
    """Zone name -> span fraction of its nodes, [span, j, i] (of Row.layers)."""
    if row.span is None:
        row.span = span_fractions(flow, row)
    return row.span


def span_fractions(flow, row):
    place = {z.name: flow.nodes(z)[:2] for z in row.layers}
    along = {name: arc(x, r) for name, (x, r) in place.items()}
    inner = joints(place, along)
    whole = [name for name in place if not {(name, 0), (name, -1)} & inner]
    full = [name for name in whole if not is_clearance(name, place, along)]

    def cloud(at):
        here = [n for n in place if (n, at) not in inner and (n in full or n not in whole)]
        lines = [np.stack([np.concatenate([c[at][[0, -1]].ravel(), c[at][:, [0, -1]].ravel()]) for c in place[n]], 1) for n in here]
        return np.concatenate(lines) if lines else None

    ends = [cloud(0), cloud(-1)]
    found = {}
    for name, (x, r) in place.items():
        a = along[name]
        if name in full or ends[0] is None or ends[1] is None:
            found[name] = a / a[-1]
            continue
        if name in whole:  # a clearance
            at_hub = nearest(x[0], r[0], ends[0]).mean() < nearest(x[-1], r[-1], ends[1]).mean()
            hub = a if at_hub else nearest(x, r, ends[0])
            casing = nearest(x, r, ends[1]) if at_hub else a[-1] - a
        else:
            hub, casing = nearest(x, r, ends[0]), nearest(x, r, ends[1])
            if (name, 0) not in inner:
                hub[0] = 0
            if (name, -1) not in inner:
                casing[-1] = 0
        found[name] = hub / (hub + casing)
    return found


def take_along_k(s, target, *arrays):
    """Arrays [k, ...] by linear interpolation along k where s is `target`; the ends hold beyond."""
    if len(s) == 1:
        return [a[0] for a in arrays]
    above = np.clip((s < target).sum(axis=0), 1, len(s) - 1)[None]
    low, high = np.take_along_axis(s, above - 1, 0), np.take_along_axis(s, above, 0)
    part = np.clip((target - low) / np.where(high > low, high - low, 1), 0, 1)
    taken = []
    for a in arrays:
        first, second = np.take_along_axis(a, above - 1, 0), np.take_along_axis(a, above, 0)
        taken.append((first + part * (second - first))[0])
    return taken


class Piece:
    """A zone's part of a surface: x, r, theta of the nodes [j+1, i+1]; m: meridional arc length from the inlet in m,
    prime: m', the integral of dm / r; values: name -> [j, i]; `inside` [j, i]: where the zone reaches this span;
    walls: lines (x, r, theta), each [3, n]; line: the meridional Line of the whole surface."""

    def __init__(self, zone, row, nodes, values, inside, walls):
        self.zone, self.row, self.walls = zone, row, walls
        self.x, self.r, self.theta = nodes
        self.values, self.inside = values, inside

    def follow(self, line):
        self.line = line
        self.m = line.at(self.x, self.r)
        self.prime = line.prime_at(self.m)


def cells_of(s):
    s = 0.5 * (s[:, 1:] + s[:, :-1])
    return 0.5 * (s[:, :, 1:] + s[:, :, :-1])


def wall_lines(zone, s, target, nodes):
    """Of walls that stand across the span at this fraction, [3, n] each."""
    lines = []
    for patch in zone.patches():
        if not patch.is_wall or patch.direction == 2:
            continue
        reach = segment(s, patch)  # [k+1, n]
        low, high = reach[patch.lo[2]].mean(), reach[patch.hi[2]].mean()
        if low - 1e-9 <= target <= high + 1e-9:
            lines.append(segment(np.array(nodes), patch))
    return lines


def blade_to_blade(flow, fraction, fields=("MachRelative",)):
    """The surface at a span fraction: a list of Piece, one for each zone that reaches it. Angles of the
    zones of a row lie within half a turn of each other."""
    if not 0 <= fraction <= 1:
        raise InputError(f"a span fraction lies between 0 and 1, not at {fraction:g}")
    pieces = []
    for row in flow.rows:
        span, first = span_of_row(flow, row), None
        for zone in row.layers:
            s = span[zone.name]
            if not s.min() - 1e-9 <= fraction <= s.max() + 1e-9:
                continue
            x, r, theta = flow.nodes(zone)
            first = theta.mean() if first is None else first
            theta = theta - 2 * np.pi * np.round((theta.mean() - first) / (2 * np.pi))
            nodes = take_along_k(s, fraction, x, r, theta)
            edge = cells_of(s)
            inside = (edge[0] <= fraction + 1e-9) & (edge[-1] >= fraction - 1e-9)
            centre = 0.5 * (edge[1:] + edge[:-1])
            names = list(fields)
            values = take_along_k(centre, fraction, *(flow.field(zone, name) for name in names))
            walls = wall_lines(zone, s, fraction, nodes)
            pieces.append(Piece(zone, row, nodes, dict(zip(names, values)), inside, walls))
    if not pieces:
        raise InputError(f"{flow.file.path}: no zone reaches {100 * fraction:g} % of the span")
    line = line_of(flow, pieces, fraction)
    for piece in pieces:
        piece.follow(line)
    return pieces


def line_of(flow, pieces, fraction):
    """The meridional Line of a surface, in the direction of the flow in the middle of the span."""
    def reached(piece, c):
        nodes = np.pad(piece.inside, 1)
        return c[nodes[1:, 1:] | nodes[1:, :-1] | nodes[:-1, 1:] | nodes[:-1, :-1]]

    x, r = (np.concatenate([reached(p, getattr(p, name)) for p in pieces]) for name in ("x", "r"))
    line = through(x, r)
    start = flow.channel.lines[len(flow.channel.lines) // 2].points[0]
    ends = [np.hypot(*(line.points[n] - start)) for n in (0, -1)]
    return line if ends[0] <= ends[1] else line.reversed()
