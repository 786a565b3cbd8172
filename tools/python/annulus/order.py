"""Which index direction of a zone is the span, and at which of its ends the hub lies: the one place of this rule.

Meshes number their zones in any order, so that i, j or k may run along the span, from the hub or from the casing. All
tools work on zones whose arrays are [span, j, i], from hub to casing (cgns.Zone.ordered).

Annular meshes. The span is the direction in which the sum of these three is least:

    the faces' normals:  mean square of their part around the axis; 0 for surfaces of revolution
    the walls:           less the part of a face at the zone's ends that is a wall and a surface of revolution
    the flow:            mean square of the cosine between the normals and the flow, both in the plane of x and r

The flow is read only if the first two leave a doubt. The hub is the wall of smaller radius. A zone whose ends hardly
differ in radius (a radial duct) has its hub where its neighbours have theirs; without a neighbour that has an answer the
names of the boundaries give it, and at last x, which is larger at the hub.

Plane meshes. The span is across x and the pitch, which is the translation across x that is nearest to y, as the program has
it (solver/level/flow_axes.h); without a translation it is z. It begins where its coordinate is least.
"""
import numpy as np

CLOSED = ("BCWall", "BCSymmetry")  # types of boundaries that nothing flows through
CLEAR = 0.3     # the flow is not asked where the best direction leads by so much
STEEP = 0.3     # of the length between the ends of a zone: a difference in radius that tells the hub
HUB, CASING = ("hub",), ("casing", "shroud", "tip")  # parts of names


class Order:
    """axes: the axes of the file's arrays [k, j, i] that become the first, second and third one; flips: those of the new
    ones that are reversed."""

    def __init__(self, axes=(0, 1, 2), flips=(False, False, False)):
        self.axes, self.flips = tuple(axes), tuple(bool(f) for f in flips)

    def of(self, array):
        """An array in the file's order, seen in this one."""
        turned = np.transpose(array, self.axes)
        return turned[tuple(slice(None, None, -1) if f else slice(None) for f in self.flips)]

    def cells(self, sizes):
        """ni, nj, nk in this order of those of the file."""
        return tuple(sizes[2 - self.axes[2 - d]] for d in range(3))

    def window(self, direction, side, lo, hi, sizes):
        """The same of a patch of the file: direction and limits are those of i, j, k."""
        low, high = [0, 0, 0], [0, 0, 0]
        for d in range(3):
            old = 2 - self.axes[2 - d]
            low[d], high[d] = lo[old], hi[old]
            if self.flips[2 - d] and old != direction:
                low[d], high[d] = sizes[old] - hi[old], sizes[old] - lo[old]
        new = 2 - self.axes.index(2 - direction)
        return new, int(side) ^ int(self.flips[2 - new]), np.array(low), np.array(high)

    def reversed(self):
        """The same with the span the other way."""
        return Order(self.axes, (not self.flips[0], *self.flips[1:]))


FILE = Order()


def is_closed(patch):
    return patch.kind.startswith(CLOSED)


def faces(nodes, axis, at):
    """Of the faces of one layer of nodes [3, k, j, i] across an axis: area vectors [3, a, b] and their middles."""
    c = np.take(nodes, at, axis + 1)
    area = 0.5 * np.cross(c[:, 1:, 1:] - c[:, :-1, :-1], c[:, 1:, :-1] - c[:, :-1, 1:], axis=0)
    return area, 0.25 * (c[:, 1:, 1:] + c[:, 1:, :-1] + c[:, :-1, 1:] + c[:, :-1, :-1])


def around(area, middle):
    """Square of the area of faces, and of its part around the axis."""
    r2 = np.maximum(middle[1] ** 2 + middle[2] ** 2, 1e-300)
    return (area**2).sum(0), (area[2] * middle[1] - area[1] * middle[2]) ** 2 / r2


def measures(zone, nodes, closed):
    """For each axis: mean square of the normals' part around the axis, and the largest part of a face at the zone's ends
    that is a wall and a surface of revolution."""
    turned, walls = np.zeros(3), np.zeros(3)
    patches = [patch for patch in zone.patches() if closed(patch)]
    for axis in range(3):
        last = nodes.shape[axis + 1] - 1
        sums = np.zeros(2)
        for at in sorted({0, last // 2, last}):
            size2, part2 = around(*faces(nodes, axis, at))
            size = np.sqrt(size2)
            sums += size.sum(), (part2 / np.maximum(size, 1e-300)).sum()
            if at not in (0, last):
                continue
            flat = size - part2 / np.maximum(size, 1e-300)  # the part that is a surface of revolution
            found = np.zeros(flat.shape, bool)
            for patch in patches:
                if patch.direction == 2 - axis and bool(patch.side) == bool(at):
                    a, b = (d for d in (2, 1, 0) if d != patch.direction)
                    found[patch.lo[a] : patch.hi[a], patch.lo[b] : patch.hi[b]] = True
            walls[axis] = max(walls[axis], flat[found].sum() / max(size.sum(), 1e-300))
        turned[axis] = sums[1] / max(sums[0], 1e-300)
    return turned, walls


def passing(nodes, velocity):
    """For each axis: mean square of the cosine between the normals of its faces and the flow, in the plane of x and r."""
    found = np.zeros(3)
    for axis in range(3):
        at = nodes.shape[axis + 1] // 2
        area, middle = faces(nodes, axis, at)
        v = np.take(np.array(velocity), min(at, velocity[0].shape[axis] - 1), axis + 1)
        r = np.maximum(np.hypot(middle[1], middle[2]), 1e-300)
        radial = [(q[1] * middle[1] + q[2] * middle[2]) / r for q in (area, v)]
        through = (area[0] * v[0] + radial[0] * radial[1]) ** 2
        whole = (area**2).sum(0) * (v[0] ** 2 + radial[1] ** 2)
        found[axis] = np.nansum(through) / max(np.nansum(whole), 1e-300)
    return found


def is_around(nodes, axis):
    """Do the lines along an axis go around the machine, at one x and r?"""
    steps = np.diff(nodes, axis=axis + 1)
    along = np.hypot(np.diff(nodes[0], axis=axis), np.diff(np.hypot(nodes[1], nodes[2]), axis=axis))
    return along.sum() < 0.1 * np.linalg.norm(steps, axis=0).sum()


def span_axis(zone, nodes, closed, velocity):
    """The axis along the span, and the two others: the one around the machine first if only that one is, else as in the
    file."""
    turned, walls = measures(zone, nodes, closed)
    cost = turned - walls
    best, second = np.sort(cost)[:2]
    if second - best < CLEAR and velocity is not None:
        v = velocity(zone)
        cost = cost + passing(nodes, v) if v is not None else cost
    axis = int(np.argmin(np.where(cost < cost.min() + 1e-6, np.arange(3) - 3, 0)))  # of equal ones the first
    first, second = (a for a in range(3) if a != axis)
    return axis, (second, first) if is_around(nodes, second) and not is_around(nodes, first) else (first, second)


class Ends:
    """Both ends of a zone along its span in the plane of x and r: some points [2][n, 2], and the names there."""

    def __init__(self, zone, nodes, axis, closed):
        layers = [np.take(nodes, at, axis + 1) for at in (0, -1)]
        pick = [np.unique(np.linspace(0, n - 1, min(n, 4)).astype(int)) for n in layers[0].shape[1:]]
        self.points = [np.stack([c[0], np.hypot(c[1], c[2])], -1)[np.ix_(*pick)].reshape(-1, 2) for c in layers]
        apart = self.points[1] - self.points[0]
        length = np.hypot(*apart.T).mean()
        self.rise, self.along = (apart.mean(axis=0)[::-1] / length) if length > 0 else (0.0, 0.0)
        self.names = [[p.family.lower() for p in zone.patches() if p.direction == 2 - axis and p.side == at and closed(p)]
                      for at in (0, 1)]

    def named(self):
        """1: the names tell that the hub is at the first end; -1: at the last one; 0: they tell nothing."""
        hub, casing = ([any(part in name for name in names for part in parts) for names in self.names] for parts in (HUB, CASING))
        return int(hub[0] or casing[1]) - int(hub[1] or casing[0])


def apart(a, b):
    """Least distance of the points of two sets."""
    return float(np.sqrt(((a[:, None] - b[None]) ** 2).sum(2).min()))


def hubs(ends):
    """For each Ends: does the hub lie at its last end?"""
    rise = np.array([e.rise for e in ends])
    last = rise < 0
    known = np.abs(rise) > STEEP
    if not known.any():  # no zone has ends that differ in radius
        named = np.array([e.named() for e in ends])
        first = int(np.argmax(named != 0)) if named.any() else 0
        last[first] = named[first] < 0 if named.any() else ends[first].along > 0
        known[first] = True
    pairs = np.full((len(ends), 2), np.inf)  # distances if the hub lies at the first end, and at the last one

    def meet(n, m):
        """Of a zone n from another m that has its hub."""
        hub, casing = ends[m].points[::-1] if last[m] else ends[m].points
        a, b = ends[n].points
        pairs[n] = np.minimum(pairs[n], (apart(a, hub) + apart(b, casing), apart(b, hub) + apart(a, casing)))

    waiting = [n for n in range(len(ends)) if not known[n]]
    for n in waiting:
        for m in np.flatnonzero(known):
            meet(n, m)
    while waiting:
        n = min(waiting, key=lambda m: pairs[m].min())
        waiting.remove(n)
        last[n] = pairs[n][1] < pairs[n][0]
        for m in waiting:
            meet(m, n)
    return last


def of_annulus(zones, closed=is_closed, velocity=None):
    """Zone name -> Order of all zones of an annular mesh. closed(patch): does nothing flow through it? velocity(zone):
    u, v, w of its cells or None."""
    axes, ends = {}, []
    for zone in zones:
        nodes = np.array(zone.nodes())
        axes[zone.name] = axis, _ = span_axis(zone, nodes, closed, velocity)
        ends.append(Ends(zone, nodes, axis, closed))
    return {name: Order((axis, *others), (flip, False, False)) for (name, (axis, others)), flip in zip(axes.items(), hubs(ends))}


def plane_axes(file):
    """x, the pitch and the span of a plane mesh, rows of a matrix; None where these are x, y and z."""
    across = [t / np.linalg.norm(t) for t, _ in file.periodics() if np.hypot(*t[1:]) > 1e-6 * np.linalg.norm(t) > 0]
    if not across:
        return None
    pitch = max(across, key=lambda t: round(abs(t[1]), 9))
    if abs(pitch[1]) >= abs(pitch[2]):
        return None
    return np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


def of_plane(zone, axes=None):
    """Order of a zone of a plane mesh. axes: plane_axes."""
    span = np.array([0, 0, 1.0]) if axes is None else axes[2]
    steps = [np.diff(np.array(zone.nodes()), axis=axis + 1).reshape(3, -1) for axis in range(3)]
    share = [np.abs(span @ d).sum() / max(np.linalg.norm(d, axis=0).sum(), 1e-300) for d in steps]
    axis = int(np.argmax(np.asarray(share) > max(share) - 1e-6))
    return Order((axis, *(a for a in range(3) if a != axis)), ((span @ steps[axis]).sum() < 0, False, False))


def layered(file, annular=False):
    """Zones of a cgns.File with their layers of cells across the span; the coordinates of plane meshes are those of
    plane_axes. annular: is a mesh without any periodicity so?"""
    periodic = file.periodic()
    if annular if periodic is None else np.any(periodic[1]):
        orders = of_annulus(file.zones)
        return [zone.ordered(orders[zone.name]) for zone in file.zones]
    axes = plane_axes(file)
    return [zone.ordered(of_plane(zone, axes), axes) for zone in file.zones]
