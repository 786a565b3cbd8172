"""Mesh of a plate with one resolved cylindrical hole, half a pitch between planes of symmetry, in structured blocks joined one to one.

Lengths are in diameters. x runs along the stream, y off the plate, z from the plane through the axis of the hole to the middle
between two holes; the centre of the exit is the origin. Seen from above (half of the hole):

    +----------------------------------------------+  z = half
    |                     band                     |
    +---------+------------------------+-----------+
    |         | \\        ring        / |           |
    |  front  |   \\   +--------+   /   |   rear    |
    |         |      |  core  |       |           |
    +---------+------+--------+-------+-----------+  z = 0

core and the inner cells of ring fill the hole: they continue below the plate, along the axis of the hole, to the inlet of the coolant
at its end; the ring below the plate is the block pipe. Where the pitch is small there is no band.
"""
import numpy
from errors import InputError

RADIUS = 0.5
# side, top: cells across half of the core and along it; inside, outside: in the ring on both sides of the edge of the hole. In D: edge, the
# cells at this edge; growth and long, cells along the plate behind the ring; off, the largest ones off the plate up to 1.5 D; pipe,
# along the hole. up: growth off the walls. Numbers of cells along the blocks are multiples of `multiple`, for multigrid
FINE = {"side": 16, "top": 24, "inside": 8, "outside": 16, "edge": 0.008, "first": 0.08, "growth": 1.06, "long": 0.8, "up": 1.2, "off": 0.08,
        "pipe": 0.2, "multiple": 8}
COARSE = {"side": 8, "top": 12, "inside": 4, "outside": 8, "edge": 0.02, "first": 0.16, "growth": 1.15, "long": 2.0, "up": 1.3, "off": 0.16,
          "pipe": 0.4, "multiple": 4}


def stretched(cells, length, multiple):
    """Nodes from 0 to `length`, of cells whose sizes the function `cells` of the place gives; their number is a multiple."""
    size, end = [], 0.0
    while end < length or len(size) % multiple:
        size.append(cells(end, size[-1] if size else 0.0))
        end += size[-1]
    return numpy.concatenate([[0], numpy.cumsum(numpy.array(size) * length / end)])


def geometric(first, n, length):
    """Nodes from 0 to `length` of n cells that grow from `first` by one ratio; n equal ones where `first` is larger than those."""
    low, high = 1.0, 4.0
    for _ in range(60):
        ratio = 0.5 * (low + high)
        total = first * n if ratio - 1 < 1e-12 else first * (ratio ** n - 1) / (ratio - 1)
        low, high = (low, ratio) if total > length else (ratio, high)
    nodes = numpy.concatenate([[0], numpy.cumsum(ratio ** numpy.arange(n))])
    return nodes * length / nodes[-1]


def transfinite(west, east, south, north):
    """Coons patch of four sides: west and east [nk, 2], south and north [ni, 2]; returns [ni, nk, 2]."""
    u = numpy.linspace(0, 1, len(south))[:, None, None]
    v = numpy.linspace(0, 1, len(west))[None, :, None]
    corners = (1 - u) * (1 - v) * south[0] + u * (1 - v) * south[-1] + (1 - u) * v * north[0] + u * v * north[-1]
    return (1 - u) * west[None] + u * east[None] + (1 - v) * south[:, None] + v * north[:, None] - corners


def section(alpha, m):
    """The hole in the plane normal to its axis, in radii: core [2 ways], and the unit circle and the outline of the core, from the
    upstream end of the symmetry plane to the downstream one; with the angle of the corners of the core."""
    corner = numpy.radians(30 + 15 * numpy.sin(alpha) ** 2)
    angle = numpy.concatenate([numpy.linspace(numpy.pi, numpy.pi - corner, m["side"] + 1)[:-1],
                               numpy.linspace(numpy.pi - corner, corner, m["top"] + 1), numpy.linspace(corner, 0, m["side"] + 1)[1:]])
    circle = numpy.stack([numpy.cos(angle), numpy.sin(angle)], -1)
    wide, high = numpy.cos(corner), numpy.sin(corner)
    up = numpy.linspace(0, high, m["side"] + 1)
    box = numpy.concatenate([numpy.stack([-wide + 0 * up, up], -1)[:-1],
                             numpy.stack([numpy.linspace(-wide, wide, m["top"] + 1), numpy.full(m["top"] + 1, high)], -1),
                             numpy.stack([wide + 0 * up, up[::-1]], -1)[1:]])
    outline = 0.6 * (0.5 * box + 0.5 * circle)
    n = m["side"]
    south = numpy.stack([numpy.linspace(outline[0, 0], outline[-1, 0], m["top"] + 1), numpy.zeros(m["top"] + 1)], -1)
    core = transfinite(outline[:n + 1], outline[:-n - 2:-1], south, outline[n:-n])
    return core, circle, outline


def plan(alpha, half, front, rear, m):
    """Blocks in the plane of the plate, {name: [i, k, (x, z)]}: i runs downstream, k away from z = 0 or from the axis of the hole."""
    to_plate = RADIUS * numpy.array([1 / numpy.sin(alpha), 1.0])
    core, circle, outline = (s * to_plate for s in section(alpha, m))
    gap = 0.8
    x = RADIUS / numpy.sin(alpha) + gap
    z = half if half <= 1.25 else 1.0
    n, t = m["side"], m["top"]
    along, across = numpy.linspace(-x, x, t + 1), numpy.linspace(0, z, n + 1)
    frame = numpy.concatenate([numpy.stack([numpy.full(n + 1, -x), across], -1)[:-1], numpy.stack([along, numpy.full(t + 1, z)], -1),
                               numpy.stack([numpy.full(n + 1, x), across[::-1]], -1)[1:]])
    inner = geometric(m["edge"] / RADIUS, m["inside"], 0.4)  # from the edge inwards, in radii
    inner = 1 - inner[::-1] / inner[-1]
    within = outline[:, None] + (circle - outline)[:, None] * inner[None, :, None]
    # lines leave the edge of the hole along its normal and bend to the frame
    normal = circle / to_plate ** 2
    normal /= numpy.linalg.norm(normal, axis=1)[:, None]
    away = frame - circle
    reach = numpy.linalg.norm(away, axis=1)[:, None]
    s = geometric(m["edge"] / gap, m["outside"], 1.0)[None, :, None]
    start = 0.5 * (normal * reach + away)
    beyond = circle[:, None] + s * start[:, None] + s ** 2 * (away - start)[:, None]
    blocks = {"core": core, "ring": numpy.concatenate([within, beyond[:, 1:]], 1)}
    place = {"front": -x - front[::-1], "rear": x + rear}
    for name, line in place.items():
        blocks[name] = numpy.stack(numpy.broadcast_arrays(line[:, None], across[None]), -1)
    if z < half:
        wide = stretched(lambda at, last: min(max(across[1], 1.15 * last), 0.25), half - z, m["multiple"])
        line = numpy.concatenate([place["front"][:-1], along, place["rear"][1:]])
        blocks["band"] = numpy.stack(numpy.broadcast_arrays(line[:, None], (z + wide)[None]), -1)
    return blocks


def mesh(alpha_deg, pitch, length, wall, upstream, downstream, m):
    """Blocks {name: [i, j, k, (x, y, z)]} with j away from the plate; the plate begins at x = -upstream, and the hole is as long as
    `length` along its axis. wall: height of the first cell on the plate."""
    alpha, multiple = numpy.radians(alpha_deg), m["multiple"]
    if length <= RADIUS / numpy.tan(alpha) + 0.1:
        raise InputError(f"not computed: a hole of {length:g} D at {alpha_deg:g} degrees has no length on its short side")
    if pitch < 1.5:
        raise InputError(f"not computed: the mesh needs a pitch of 1.5 D, not {pitch:g} D")
    x = RADIUS / numpy.sin(alpha) + 0.8
    front = stretched(lambda at, last: max(m["first"], 1.22 * last), max(upstream - x, 1.0), multiple)
    rear = stretched(lambda at, last: min(max(m["first"], m["growth"] * last), m["long"]), downstream - x, multiple)
    y = stretched(lambda at, last: min(max(wall, m["up"] * last), m["off"] if at < 1.5 else 0.8), 8.0, multiple)
    s = stretched(lambda at, last: min(max(wall, m["up"] * last), m["pipe"]), length, multiple)[::-1] / length
    blocks = {}
    for name, p in plan(alpha, 0.5 * pitch, front, rear, m).items():
        flat = numpy.stack([p[..., 0], 0 * p[..., 0], p[..., 1]], -1)[:, None]
        blocks[name] = flat + y[None, :, None, None] * numpy.array([0, 1, 0])
        if name in ("core", "ring"):
            inside = flat[:, :, :m["inside"] + 1] if name == "ring" else flat
            # a line of the pipe begins at the inlet, a plane normal to the axis, and ends on the plate
            far = length + inside[..., :1] * numpy.cos(alpha)
            below = inside - s[None, :, None, None] * far * numpy.array([numpy.cos(alpha), numpy.sin(alpha), 0])
            if name == "ring":
                blocks["pipe"] = below
            else:
                blocks[name] = numpy.concatenate([below, blocks[name][:, 1:]], 1)
    return blocks


def boundaries(blocks, m):
    """The options --bc of mesh_plot3d, with numbers of blocks and nodes from 1."""
    number = {name: 1 + i for i, name in enumerate(blocks)}
    k = blocks["ring"].shape[2]
    n, t = m["side"], m["top"]
    found = [f"{number[b]}:jmax=top:farfield" for b in ("core", "ring", "front", "rear", "band") if b in blocks]
    found += [f"{number[b]}:jmin=wall:wall_viscous" for b in ("front", "rear", "band") if b in blocks]
    found += [f"{number[b]}:kmin=front:symmetry" for b in ("core", "front", "rear")]
    found += [f"{number[b]}:{end}=front:symmetry" for b in ("ring", "pipe") for end in ("imin", "imax")]
    found += [f"{number[b]}:imin=inlet:inlet" for b in ("front", "band") if b in blocks]
    found += [f"{number[b]}:imax=outlet:outlet" for b in ("rear", "band") if b in blocks]
    found += [f"{number[b]}:jmin=coolant:inlet" for b in ("core", "pipe")]
    found += [f"{number['pipe']}:kmax=hole:wall_viscous", f"{number['ring']}:jmin:1-{2 * n + t + 1},{m['inside'] + 1}-{k}=wall:wall_viscous"]
    if "band" in blocks:
        found.append(f"{number['band']}:kmax=back:symmetry")
    else:
        found += [f"{number['front']}:kmax=back:symmetry", f"{number['rear']}:kmax=back:symmetry",
                  f"{number['ring']}:kmax:{n + 1}-{n + t + 1},1-{blocks['ring'].shape[1]}=back:symmetry"]
    return found


def corner_volumes(block):
    """Least and largest volume of the eight corners of each cell: the triple products of the edges there."""
    def edge(axis):
        return numpy.diff(block, axis=axis)
    a, b, c = edge(0), edge(1), edge(2)
    low, high = None, None
    for i in (slice(None, -1), slice(1, None)):
        for j in (slice(None, -1), slice(1, None)):
            for k in (slice(None, -1), slice(1, None)):
                v = numpy.einsum("...l,...l", numpy.cross(a[:, j, k], b[i, :, k]), c[i, j])
                low = v if low is None else numpy.minimum(low, v)
                high = v if high is None else numpy.maximum(high, v)
    return low, high


def write(path, blocks, scale):
    """An unformatted PLOT3D file."""
    with open(path, "wb") as f:
        for part in [numpy.array([len(blocks)], "<i4"), numpy.array([b.shape[:3] for b in blocks.values()], "<i4").ravel()] + \
                [(scale * b).transpose(3, 2, 1, 0).ravel().astype("<f8") for b in blocks.values()]:
            size = numpy.array([part.nbytes], "<i4").tobytes()
            f.write(size + part.tobytes() + size)
