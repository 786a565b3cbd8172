"""Blade surfaces unrolled: the walls of a blade over the arc length from the leading edge and the radius."""
import os

import numpy as np

from .errors import InputError
from .flow import Flow
from .meridian import through
from .order import STEEP
from .surface import chain, middle, wall_zones


class Side:
    """One closed line of faces for each layer along the span. s [k, n]: arc length in m along the surface from the
    leading edge, positive on the side where theta is larger; x, r [k, n] in m; span [k, n]: fraction of the meridional
    arc length from hub to tip; values [k, n]; turns: does the blade turn (see meridian)?"""

    def __init__(self, s, x, r, span, values, turns):
        self.s, self.x, self.r, self.span, self.values, self.turns = s, x, r, span, values, turns


def flow_beside(walls):
    """The Flow of the snapshot of the same iteration in the folder of a file of walls; None without one."""
    if not hasattr(walls, "flow"):
        folder, name = os.path.split(walls.path)
        snapshot = os.path.join(folder, name.replace("wall_", "flow_", 1))
        walls.flow = Flow(snapshot) if name.startswith("wall_") and os.path.exists(snapshot) else None
    return walls.flow


def span_beside(zone):
    """(axis along the span, is it from casing to hub?) of a surface, as the snapshot beside it knows; None if it does not."""
    flow, name = flow_beside(zone.base), zone.name[len(zone.family()) + 1 :]
    whole = next((z for z in flow.zones if z.name == name), None) if flow else None
    if whole is None:
        return None
    order, found = flow.orders()[name], set()
    for patch in whole.patches():
        d = patch.direction
        across = [(d + 1) % 3, (d + 2) % 3]  # the program's order of a patch
        if patch.family == zone.family() and tuple(patch.hi[a] - patch.lo[a] for a in across) == zone.cells:
            span = 2 - order.axes[0]
            found.add(1 - across.index(span) if span in across else None)
    return (found.pop(), order.flips[0]) if len(found) == 1 and None not in found else None


def spanwise_first(zone, *fields):
    """Nodes x, r, theta and fields of a surface with the span along the first axis, from the hub on. Lines around a blade
    are closed. Where none are, the snapshot beside the file tells the span, or else r changes most along it. The hub is at
    the smaller radius; where the ends hardly differ in radius, it is where the snapshot has it."""
    x, y, z = (np.array(c) for c in zone.nodes())
    values = [zone.field(name) for name in fields]

    def gap(axis):  # between the ends of lines, over their lengths
        c = np.stack([np.moveaxis(q, axis, 0) for q in (x, y, z)])
        return (np.linalg.norm(c[:, 0] - c[:, -1], axis=0) / np.linalg.norm(np.diff(c, axis=1), axis=0).sum(axis=0)).mean()

    r = np.hypot(y, z)
    changes = [np.abs(np.diff(r, axis=axis)).sum() for axis in (0, 1)]
    closed = [gap(axis) < 0.05 for axis in (0, 1)]
    known = None
    if closed[0] != closed[1]:
        transposed = closed[0]
    else:
        known = span_beside(zone)
        transposed = known[0] == 1 if known else changes[0] < changes[1]
    if transposed:
        x, y, z, r, values = x.T, y.T, z.T, r.T, [v.T for v in values]
    rise = r[-1].mean() - r[0].mean()
    if abs(rise) < STEEP * np.hypot(x[-1] - x[0], r[-1] - r[0]).mean():
        known = known or span_beside(zone)
        rise = -known[1] if known and known[0] == int(transposed) else rise
    theta = np.arctan2(z, y)
    theta = np.unwrap(np.unwrap(theta, axis=1), axis=0)
    if rise < 0:
        x, r, theta, values = x[::-1], r[::-1], theta[::-1], [v[::-1] for v in values]
    return (x, r, theta), values


def span_of(x, r):
    """Fractions of the meridional arc length along the first axis, at nodes."""
    along = np.concatenate([np.zeros((1, x.shape[1])), np.cumsum(np.hypot(np.diff(x, axis=0), np.diff(r, axis=0)), axis=0)])
    return along / along[-1]


def blades_of(zones):
    """Walls of several passages sorted into blades: lists of zones, where each zone of a later blade is one of the first
    blade turned around the axis."""
    firsts, blades = [], []
    for zone in zones:
        x, y, z = zone.nodes()
        r, theta = np.hypot(y, z), np.arctan2(z, y)
        near = 1e-5 * np.hypot(np.ptp(x), np.ptp(r))
        for first in firsts:
            if first["x"].shape == x.shape and max(np.abs(first["x"] - x).max(), np.abs(first["r"] - r).max()) < near:
                turned = np.exp(1j * (theta - first["theta"]))
                if r.max() * np.abs(turned - turned.mean()).max() < near:
                    first["copies"] += 1
                    break
        else:
            first = {"x": x, "r": r, "theta": theta, "copies": 1}
            firsts.append(first)
        if first["copies"] > len(blades):
            blades.append([])
        blades[first["copies"] - 1].append(zone)
    return blades


def chosen_blade(walls, zones, number):
    """The zones of one blade, counted from 1."""
    blades = blades_of(zones)
    if not 1 <= number <= len(blades):
        raise InputError(f"{walls.path}: no blade {number}; the file has {len(blades)}")
    return blades[number - 1]


def course(walls, zones):
    """The meridional Line of a blade in the middle of its span, in the direction of the skin friction, or in that of the channel of
    the snapshot beside the file of walls where the blade turns or the walls have no friction."""
    x, r, tau = [], [], []
    for zone in zones:
        known = zone.field_names()
        names = [n for n in ("SkinFrictionX", "SkinFrictionY", "SkinFrictionZ") if n in known]
        (xs, rs, theta), friction = spanwise_first(zone, *names)
        k = friction[0].shape[0] // 2 if friction else (len(xs) - 1) // 2
        x.append(0.25 * (xs[k, 1:] + xs[k, :-1] + xs[k + 1, 1:] + xs[k + 1, :-1]))
        r.append(0.25 * (rs[k, 1:] + rs[k, :-1] + rs[k + 1, 1:] + rs[k + 1, :-1]))
        if len(names) == 3:
            angle = 0.5 * (theta[k, 1:] + theta[k, :-1])
            tau.append((friction[0][k], friction[1][k] * np.cos(angle) + friction[2][k] * np.sin(angle)))
    line = through(np.concatenate(x), np.concatenate(r))
    if (line.turns or len(tau) < len(x)) and flow_beside(walls):
        channel = flow_beside(walls).channel
        m = channel.lines[len(channel.lines) // 2].at(*line.points[[0, -1]].T)
        return line if m[0] <= m[1] else line.reversed()
    if len(tau) == len(x):
        return line.along(np.concatenate(x), np.concatenate(r), *(np.concatenate([t[c] for t in tau]) for c in (0, 1)))
    return line if line.turns or line.points[0, 0] <= line.points[-1, 0] else line.reversed()


def position(x, r, blade):
    """Along one section of a blade whose course is given, downstream: x, or -x where the flow goes that way, or the meridional arc
    length if the blade turns."""
    if not blade.turns:
        return np.asarray(x) * (1.0 if blade.points[-1, 0] >= blade.points[0, 0] else -1.0)
    line = through(x, r)
    start = blade.points[0]
    backwards = np.hypot(*(line.points[0] - start)) > np.hypot(*(line.points[-1] - start))
    return (line.reversed() if backwards else line).at(x, r)


def layers_of(zone, field):
    """Nodes x, r, theta and span in the middle of each layer along the span, and values."""
    (x, r, theta), (value,) = spanwise_first(zone, field)
    return [0.5 * (c[1:] + c[:-1]) for c in (x, r, theta, span_of(x, r))], value


def unroll(walls, family, field="Pressure", blade=1):
    """A blade of a family in a file of walls (cgns.File of dimension 2): a list of Side. blade: which one, from 1 on, where
    the file has several passages."""
    zones = chosen_blade(walls, wall_zones(walls, family), blade)
    line, parts = course(walls, zones), [layers_of(zone, field) for zone in zones]
    found = []
    for count in sorted({len(value) for _, value in parts}):  # zones with the same layers go on into each other
        same = [p for p in parts if len(p[1]) == count]
        lines = []
        for k in range(count):
            pieces = []
            for (x, r, theta, span), value in same:
                nodes = np.array([x[k], r[k] * theta[k], r[k]])
                pieces.append((nodes, middle(nodes), 0.5 * (span[k, 1:] + span[k, :-1]), value[k]))
            lines.append(chain(pieces))
        if len({tuple(len(c[3]) for c in contours) for contours in lines}) != 1:
            raise InputError(f"{walls.path}: the walls of '{family}' do not follow each other in the same way at all spans")
        for n in range(len(lines[0])):
            found.append(side_of([contours[n] for contours in lines], line))
    return found


def side_of(contours, blade):
    """Layers of one contour, each begun at its leading edge."""
    s, x, r, spans, values = [], [], [], [], []
    for nodes, centre, span, value in contours:
        steps = np.linalg.norm(np.diff(nodes, axis=1), axis=0)
        at = np.concatenate([[0], np.cumsum(steps)])
        place = position(nodes[0], nodes[2], blade)
        lead = int(place.argmin())
        length, closed = at[-1], np.linalg.norm(nodes[:, 0] - nodes[:, -1]) < 1e-6 * at[-1]
        here = 0.5 * (at[1:] + at[:-1]) - at[lead]
        if closed:  # both ways from the leading edge, up to the trailing edge
            here = np.where(here < 0, here + length, here)
            trail = (at[int(place.argmax())] - at[lead]) % length
            here = np.where(here > trail, here - length, here)
        elif not np.any(here > 0):
            here = -here
        order = np.argsort(here)
        here, centre, span, value = here[order], centre[:, order], span[order], value[order]
        if np.any(here < 0) and centre[1][here > 0].mean() < centre[1][here < 0].mean():
            here, centre, span, value = -here[::-1], centre[:, ::-1], span[::-1], value[::-1]
        s.append(here), x.append(centre[0]), r.append(centre[2]), spans.append(span), values.append(value)
    return Side(*(np.array(q) for q in (s, x, r, spans, values)), blade.turns)
