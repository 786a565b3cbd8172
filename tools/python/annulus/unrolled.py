"""Blade surfaces unrolled: the walls of a blade over the arc length from the leading edge and the radius."""
import numpy as np

from .errors import InputError


class Side:
    """One closed line of faces for each layer along the span. s [k, n]: arc length in m along the surface from the
    leading edge (the node of least x), positive on the side where theta is larger; x, r [k, n] in m; values [k, n]."""

    def __init__(self, s, x, r, values):
        self.s, self.x, self.r, self.values = s, x, r, values


def layers_of(zone, field):
    """Nodes x, r, theta and values with the span along the first axis."""
    x, y, z = (np.array(c) for c in zone.nodes())
    r, theta, value = np.hypot(y, z), np.arctan2(z, y), zone.field(field)
    if np.abs(np.diff(r, axis=0)).sum() < np.abs(np.diff(r, axis=1)).sum():
        x, r, theta, value = x.T, r.T, theta.T, value.T
    theta = np.unwrap(np.unwrap(theta, axis=1), axis=0)
    if r[0].mean() > r[-1].mean():
        x, r, theta, value = x[::-1], r[::-1], theta[::-1], value[::-1]
    return [0.5 * (c[1:] + c[:-1]) for c in (x, r, theta)], value


def unroll(walls, family, field="Pressure"):
    """The blade of a family in a file of walls (cgns.File of dimension 2): a list of Side."""
    from .plotting.surface import chain, middle, wall_zones

    parts = [layers_of(zone, field) for zone in wall_zones(walls, family)]
    found = []
    for count in sorted({len(value) for _, value in parts}):  # zones with the same layers go on into each other
        same = [p for p in parts if len(p[1]) == count]
        lines = []
        for k in range(count):
            pieces = []
            for (x, r, theta), value in same:
                line = np.array([x[k], r[k] * theta[k], r[k]])
                pieces.append((line, middle(line), value[k]))
            lines.append(chain(pieces))
        if len({tuple(len(c[2]) for c in line) for line in lines}) != 1:
            raise InputError(f"{walls.path}: the walls of '{family}' do not follow each other in the same way at all spans")
        for n in range(len(lines[0])):
            found.append(side_of([line[n] for line in lines]))
    return found


def side_of(contours):
    """Layers of one contour, each begun at its leading edge."""
    s, x, r, values = [], [], [], []
    for nodes, centre, value in contours:
        steps = np.linalg.norm(np.diff(nodes, axis=1), axis=0)
        at = np.concatenate([[0], np.cumsum(steps)])
        lead = int(nodes[0].argmin())
        length, closed = at[-1], np.linalg.norm(nodes[:, 0] - nodes[:, -1]) < 1e-6 * at[-1]
        here = 0.5 * (at[1:] + at[:-1]) - at[lead]
        if closed:  # both ways from the leading edge, up to the trailing edge
            here = np.where(here < 0, here + length, here)
            trail = (at[int(nodes[0].argmax())] - at[lead]) % length
            here = np.where(here > trail, here - length, here)
        order = np.argsort(here)
        here, centre, value = here[order], centre[:, order], value[order]
        if closed and centre[1][here > 0].mean() < centre[1][here < 0].mean():
            here, centre, value = -here[::-1], centre[:, ::-1], value[::-1]
        s.append(here), x.append(centre[0]), r.append(centre[2]), values.append(value)
    return Side(*(np.array(q) for q in (s, x, r, values)))
