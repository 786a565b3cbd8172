"""tools/plot b2b: a quantity on the surface at a fraction of the span, unrolled, with periodic copies.

Axes: x and r_m theta, where r_m is the mean radius of the surface, so that angles are those of the machine
at r_m. Rows are copied by their own pitch.
"""
import matplotlib.tri as tri
import numpy as np

from ..errors import InputError
from ..flow import Flow
from ..span import blade_to_blade
from . import surface
from .contours import colour_range, corner_average
from .style import COLOURS, SCALES, add_picture_options, bar_beside, figure, save, window


def add_parser(commands):
    parser = commands.add_parser("b2b", help="a quantity from blade to blade at a fraction of the span")
    add_options(parser)
    add_picture_options(parser, "MachRelative", "b2b.png")
    parser.add_argument("--levels", type=int, default=41, help="contour levels (default: 41)")
    parser.add_argument("--lines", type=int, default=0, help="draw about N iso-lines too")
    parser.add_argument("--zoom", metavar="X0:X1,Y0:Y1", help="window in the unit of the axes")
    parser.set_defaults(run=run, newest="flow")


def add_options(parser):
    parser.add_argument("--span", type=float, default=0.5, help="fraction from hub to casing (default: 0.5)")
    parser.add_argument("--copies", type=int, default=2, metavar="N", help="passages (default: 2)")


def cells_of(pieces, field, radius, copies):
    """x, y of the nodes, quads [n, 4], values [n] of all copies."""
    xs, ys, quads, values, offset = [], [], [], [], 0
    for piece in pieces:
        nj, ni = piece.values[field].shape
        corner = (np.arange(nj)[:, None] * (ni + 1) + np.arange(ni)[None, :])[piece.inside]
        quad = np.stack([corner, corner + 1, corner + ni + 2, corner + ni + 1], 1)
        for copy in range(copies):
            xs.append(piece.x.ravel())
            ys.append(radius * (piece.theta + copy * piece.row.pitch).ravel())
            quads.append(quad + offset)
            values.append(piece.values[field][piece.inside])
            offset += piece.x.size
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(quads), np.concatenate(values)


def blades(pieces, radius, copies):
    """Outlines [2, n] of what stands across the span, chained over zones."""
    lines = {}
    for piece in pieces:
        for x, _, theta in piece.walls:
            line = np.array([x, radius * theta, 0 * x])
            lines.setdefault(piece.row.name, (piece.row, []))[1].append((line, surface.middle(line)))
    for row, found in lines.values():
        for contour in surface.chain(found):
            for copy in range(copies):
                yield contour[0][:2] + np.array([[0.0], [radius * copy * row.pitch]])


def draw(ax, pieces, field, copies, scale, colours=COLOURS, levels=41, lines=0, limits=None):
    """Fills the axes; returns what a colour bar needs, and its ticks."""
    radius = float(np.mean([p.r.mean() for p in pieces]))
    x, y, quads, values = cells_of(pieces, field, radius, copies)
    if not np.all(np.isfinite(values)):
        raise InputError(f"{field} holds values that are not finite")
    extent = max(np.ptp(x), np.ptp(y))
    x, y, quads, smooth = corner_average(x, y, quads, values, extent)
    ticks = colour_range(limits, values)
    below, above = values.min() < ticks[0], values.max() > ticks[-1]
    grid = tri.Triangulation(scale * x, scale * y, np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))
    image = ax.tricontourf(
        grid, smooth, np.linspace(ticks[0], ticks[-1], levels), cmap=colours,
        extend=("neither", "min", "max", "both")[below + 2 * above],
    )
    if lines:
        at = np.linspace(ticks[0], ticks[-1], lines + 2)[1:-1]
        ax.tricontour(grid, smooth, at, colors="k", linewidths=0.3)
    for line in blades(pieces, radius, copies):
        px, py = scale * line
        if np.hypot(px[0] - px[-1], py[0] - py[-1]) < 1e-4 * scale * extent:
            ax.fill(px, py, color="#e4e4e4", zorder=2)
        ax.plot(px, py, color="black", lw=0.8, zorder=3)
    ax.set_aspect("equal")
    ax.set_xlim(scale * x.min(), scale * x.max())
    ax.set_ylim(scale * y.min(), scale * y.max())
    return image, ticks, radius


def run(options):
    if options.copies < 1 or options.levels < 2:
        raise InputError("--copies must be at least 1 and --levels at least 2")
    flow = Flow(options.snapshot)
    if options.copies > 1 and not all(row.pitch for row in flow.rows):
        raise InputError(f"{options.snapshot}: no rotational periodicity; give --copies 1")
    pieces = blade_to_blade(flow, options.span, (options.field,))
    scale = SCALES[options.x_scale]
    fig, ax = figure()
    image, ticks, radius = draw(
        ax, pieces, options.field, options.copies, scale, options.colours, options.levels, options.lines, options.range
    )
    if options.zoom:
        x0, x1, y0, y1 = window(options.zoom)
        ax.set_xlim(x0, x1)
        ax.set_ylim(y0, y1)
    fit(fig, ax)
    bar_beside(fig, ax, image, flow.label(options.field), ticks)
    ax.set_xlabel(f"x ({options.x_scale})")
    ax.set_ylabel(rf"$r_m\,\theta$ ({options.x_scale}), $r_m$ = {scale * radius:.4g} {options.x_scale}")
    ax.set_title(f"{100 * options.span:g} % span", loc="left")
    save(fig, options.output)
    values = np.concatenate([p.values[options.field][p.inside] for p in pieces])
    print(f"{options.field} at {100 * options.span:g} % span: {values.min():.6g} to {values.max():.6g}, {len(pieces)} zones")


def fit(fig, ax, longest=7.2):
    """The figure in the shape of the axes, so that nothing around them is empty."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    aspect = (y1 - y0) / (x1 - x0)
    width, height = (longest, longest * aspect) if aspect < 1.2 else (longest / aspect, longest)
    fig.set_size_inches(max(width, 2.6) + 1.6, max(height, 2.0) + 0.9)
