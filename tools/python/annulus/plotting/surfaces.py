"""tools/plot surfaces: walls of a run in space, coloured by a quantity, with periodic copies of the passage.

The view is parallel. Each face is sampled more finely than the pixels lie, and each pixel shows the sample that is nearest
to the eye. Values are constant in a face, as in the file.
"""
import os

import matplotlib
import numpy as np

from .. import surface
from ..cgns import File
from ..flow import Flow
from .bladetoblade import fit, turns_of
from .colours import colour_range
from .style import COLOURS, SCALES, InputError, add_output, bar_beside, figure, label_of, save


def add_parser(commands):
    parser = commands.add_parser("surfaces", help="walls of a run in space, coloured by a quantity")
    parser.add_argument("file", help="wall_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--field", default="Pressure", help="a field of the file (default: Pressure)")
    parser.add_argument("--family", nargs="+", help="boundaries (default: all of the file)")
    parser.add_argument("--copies", type=int, default=1, metavar="N", help="passages (default: 1)")
    parser.add_argument("--range", metavar="LO:HI", help="range of the colours (default: all)")
    parser.add_argument("--x-scale", default="mm", choices=SCALES, help="unit of the axes")
    parser.add_argument("--view", default="-1,0.6,0.4", metavar="X,Y,Z", help="direction towards the eye (default: -1,0.6,0.4)")
    parser.add_argument("--up", default="y", choices="xyz", help="axis that points upwards (default: y)")
    parser.add_argument("--colours", default=COLOURS, help=f"matplotlib colour map (default: {COLOURS})")
    add_output(parser, "surfaces.png")
    parser.set_defaults(run=run, newest="wall")


def turns(walls, copies):
    """Angles of the copies of a wall zone: a function of the zone. The rows are those of the snapshot or the mesh beside
    the walls; a wall zone is called BOUNDARY.ZONE."""
    if copies == 1:
        return lambda zone: [0.0]
    folder, name = os.path.split(walls.path)
    beside = [os.path.join(folder, other) for other in (name.replace("wall_", "flow_", 1), "grid.cgns")]
    found = next((path for path in beside if path != walls.path and os.path.exists(path)), None)
    if found is None:
        raise InputError(f"{walls.path}: neither {os.path.basename(beside[0])} nor grid.cgns lies beside it, which know how "
                         "the passage repeats; give --copies 1")
    rows = Flow(found).rows

    def of(zone):
        name = zone.name[len(zone.family()) + 1 :]
        row = next((row for row in rows if any(name == z.name for z in row.zones)), None)
        if row is None:  # the name was too long for the file
            own = [row for row in rows if any(patch.family == zone.family() for z in row.zones for patch in z.patches())]
            row = own[0] if len(own) == 1 else None
        if row is None or not row.sector:
            raise InputError(f"{walls.path}: how zone {zone.name} repeats around the axis is not known; give --copies 1")
        return turns_of(row, copies)

    return of


def faces(zone, field, angles):
    """Corners [n, 4, 3] of the faces of a zone and its copies, and a value for each."""
    x, y, z = zone.nodes()
    r, theta = np.hypot(y, z), np.arctan2(z, y)
    corners, values = [], zone.field(field).ravel()
    for angle in angles:
        nodes = np.stack([x, r * np.cos(theta + angle), r * np.sin(theta + angle)], -1)
        quads = np.stack([nodes[:-1, :-1], nodes[:-1, 1:], nodes[1:, 1:], nodes[1:, :-1]], 2)
        corners.append(quads.reshape(-1, 4, 3))
    return np.concatenate(corners), np.tile(values, len(angles))


def eye_of(text, up):
    """Unit vectors to the right, upwards and towards the eye, rows of a matrix."""
    try:
        x, y, z = (float(v) for v in text.split(","))
        towards = np.array([x, y, z])
        right = np.cross(np.eye(3)["xyz".index(up)], towards)
    except ValueError:
        raise InputError(f"--view takes three numbers, as -1,0.6,0.4, not '{text}'") from None
    if not np.linalg.norm(right) > 1e-6 * np.linalg.norm(towards):
        raise InputError(f"--view {text} looks along --up {up}")
    rows = np.array([right, np.cross(towards, right), towards])
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def shaded(colours, corners):
    """Colours [n, 3] of faces [n, 4, 3] seen along the last axis, darker the more they turn away from the light."""
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    normal *= np.where(normal[:, 2] < 0, -1, 1)[:, None]
    size = np.linalg.norm(normal, axis=1)
    light = np.clip(normal @ [-0.36, 0.48, 0.8] / np.where(size > 0, size, 1), 0, 1)
    return colours[:, :3] * (0.75 + 0.25 * light)[:, None]


def samples(corners, pixel):
    """(numbers of faces, points [n, m, 3]): groups of faces, sampled at distances of at most 0.7 pixel."""
    edges = np.linalg.norm(np.diff(corners[:, [0, 1, 2, 3, 0], :2], axis=1), axis=2)
    counts = [2 ** np.ceil(np.log2(np.clip(edges[:, n::2].max(axis=1) / (0.7 * pixel), 1, None))).astype(int) for n in (0, 1)]
    for nu, nv in sorted(set(zip(*counts))):
        here = np.flatnonzero((counts[0] == nu) & (counts[1] == nv))
        u, v = ((np.arange(n) + 0.5) / n for n in (nu, nv))
        u, v = (c.ravel() for c in np.meshgrid(u, v))
        weight = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], 1)  # [m, 4]
        for part in np.array_split(here, -(-len(here) * nu * nv // 2_000_000)):
            yield part, np.einsum("mc,fcx->fmx", weight, corners[part])


def image_of(corners, colours, low, shape, pixel):
    """RGBA [rows, columns, 4] of faces [n, 4, 3] in the axes of the eye, the lowest row first."""
    picture, nearest = np.zeros((*shape, 4)), np.full(shape, -np.inf)
    for part, points in samples(corners, pixel):
        colour = np.repeat(colours[part], points.shape[1], axis=0)
        points = points.reshape(-1, 3)
        at = ((points[:, :2] - low) / pixel).astype(int)
        order = np.argsort(points[:, 2], kind="stable")  # of several samples in a pixel the last one, the nearest, stays
        row, column, depth = at[order, 1], at[order, 0], points[order, 2]
        seen = depth > nearest[row, column]
        row, column, order = row[seen], column[seen], order[seen]
        nearest[row, column] = points[order, 2]
        picture[row, column] = np.column_stack([colour[order], np.ones(len(order))])
    return picture


def compass(ax, eye):
    """The directions of the machine's axes, in the lower left corner."""
    box = ax.inset_axes([0.0, 0.0, 0.16, 0.16])
    box.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5), aspect="equal", anchor="SW")
    box.axis("off")
    for n, name in enumerate("xyz"):
        x, y = eye[:2, n]
        box.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "->", "lw": 1, "shrinkA": 0, "shrinkB": 0})
        if np.hypot(x, y) > 0.15:
            box.text(1.35 * x, 1.35 * y, name, ha="center", va="center", fontsize=9)


def run(options):
    if options.copies < 1:
        raise InputError("--copies must be at least 1")
    eye = eye_of(options.view, options.up)
    walls = File(options.file, (2,))
    angles = turns(walls, options.copies)
    families = options.family or [None]
    zones = [zone for family in families for zone in surface.wall_zones(walls, family)]
    parts = [faces(zone, options.field, angles(zone)) for zone in zones]
    corners, values = (np.concatenate(found) for found in zip(*parts))
    if not np.all(np.isfinite(values)):
        raise InputError(f"{walls.path}: {options.field} holds values that are not finite")
    corners, ticks = SCALES[options.x_scale] * corners @ eye.T, colour_range(options.range, values)
    low, high = (f(corners[:, :, :2], axis=(0, 1)) for f in (np.min, np.max))
    pixel = (high - low).max() / 1400
    shape = tuple(((high - low) / pixel).astype(int)[::-1] + 1)
    colours = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(ticks[0], ticks[-1]), options.colours)
    picture = image_of(corners, shaded(colours.to_rgba(values), corners), low, shape, pixel)
    fig, ax = figure()
    ends = np.stack([low, low + pixel * np.array(shape[::-1])], 1)
    ax.imshow(picture, origin="lower", extent=ends.ravel(), interpolation="antialiased")
    margin = 0.03 * (high - low).max()
    ax.set(xlim=ends[0] + [-margin, margin], ylim=ends[1] + [-margin, margin])
    ax.set(xlabel=f"to the right ({options.x_scale})", ylabel=f"upwards ({options.x_scale})")
    fit(fig, ax)
    bar_beside(fig, ax, colours, label_of(options.field), ticks)
    compass(ax, eye)
    save(fig, options.output)
    print(f"{options.field} on {', '.join(sorted({z.family() for z in zones}))}: {values.min():.6g} to {values.max():.6g}, "
          f"{len(values)} faces")
