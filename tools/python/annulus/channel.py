"""The duct of a flow in the plane of x and r: lines from its inlet to its outlet, and where along them nodes lie."""
import numpy as np

from .cells import middle
from .meridian import through
from .span import span_of_row, take_along_k

LEVELS = 9  # lines of a channel between hub and casing


class Channel:
    """The duct of a flow: LEVELS lines from hub to casing, and the place of nodes between its inlet (0) and its outlet
    (1), measured as a fraction of the length of the line through them."""

    def __init__(self, flow):
        self.flow, self.spans, self.lines = flow, np.linspace(0, 1, LEVELS), []
        self.span = {}
        for row in flow.rows:
            self.span.update(span_of_row(flow, row))
        self.layers = flow.layers
        nodes = {zone.name: flow.nodes(zone)[:2] for zone in self.layers}
        for fraction in self.spans:
            parts = []
            for zone in self.layers:
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
        ends = {"BCInflow": [], "BCOutflow": []}
        for zone in self.layers:
            for patch in zone.patches():
                kind = next((name for name in ends if patch.kind.startswith(name)), None)
                if kind:
                    x, r, _ = self.flow.nodes(zone)
                    at = -1 if patch.side else 0
                    ends[kind].append(line.at(*(c.take(at, 2 - patch.direction) for c in (x, r))).mean())
        if all(ends.values()) and np.mean(ends["BCInflow"]) != np.mean(ends["BCOutflow"]):
            return line if np.mean(ends["BCInflow"]) < np.mean(ends["BCOutflow"]) else line.reversed()
        parts = []
        for zone in self.layers:
            x, r, _ = self.flow.nodes(zone)
            k = zone.cells[2] // 2
            speed = [self.flow.field(zone, name)[k] for name in ("VelocityX", "VelocityRadius")]
            parts.append([q.ravel() for q in (*(middle(c[k : k + 2])[0] for c in (x, r)), *speed)])
        return line.along(*(np.concatenate([part[c] for part in parts]) for c in range(4)))

    @property
    def turns(self):
        return self.lines[LEVELS // 2].turns

    def place(self, zone):
        """Of the nodes of a zone of Flow.layers, [span, j, i]: 0 at the inlet of the duct, 1 at its outlet."""
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

    def place_of_layer(self, zone, end=None):
        """The same of one layer of nodes, [j, i], in a fraction of the time: the first (end = 0, on the hub) or the last one (end = -1, on
        the casing), or that in the middle of the zone, which then counts as one at mid-span."""
        line = self.lines[LEVELS // 2 if end is None else end]
        x, r, _ = self.flow.nodes(zone)
        at = len(x) // 2 if end is None else end
        return line.at(x[at], r[at]) / line.length
