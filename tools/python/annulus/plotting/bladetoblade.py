"""tools/plot b2b: a quantity on the surface at a fraction of the span, unrolled, with periodic copies.

Axes: x and r_m theta, where r_m is the mean radius of the surface, so that angles are those of the machine at r_m. In
a machine that turns, r_m m' takes the place of x. Rows are copied by the sector that is meshed, and stand where they
stood at the time of the snapshot.
"""
import matplotlib.tri as tri
import numpy as np

from ..errors import InputError
from ..flow import flow_of
from ..span import blade_to_blade
from .. import surface
from .colours import colour_range, corner_average
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
    parser.add_argument("--axes", choices=("auto", "x", "m", "front"), default="auto",
                        help="x and r_m theta; r_m m' and r_m theta, for machines that turn; front: y and z (default: auto)")


class View:
    """How a surface of revolution lies in the picture. kind: x (over x and r_m theta), m (over r_m m' and r_m theta,
    where angles are those in space), front (y and z, seen against the axis), auto (m if the surface turns, else x)."""

    def __init__(self, line, radius, kind="auto"):
        self.line, self.radius = line, radius
        self.kind = ("m" if line.turns else "x") if kind == "auto" else kind

    def place(self, x, r, theta):
        if self.kind == "front":
            return r * np.cos(theta), r * np.sin(theta)
        along = x if self.kind == "x" else self.radius * self.line.prime_at(self.line.at(x, r))
        return along, self.radius * theta

    def labels(self, scale, unit):
        if self.kind == "front":
            return f"y ({unit})", f"z ({unit})"
        first = f"x ({unit})" if self.kind == "x" else rf"$r_m\,m'$ ({unit}), $m' = \int dm / r$"
        return first, rf"$r_m\,\theta$ ({unit}), $r_m$ = {scale * self.radius:.4g} {unit}"


def view_of(pieces, kind="auto"):
    return View(pieces[0].line, float(np.mean([p.r.mean() for p in pieces])), kind)


def turns_of(row, copies):
    """Angles by which the meshed sector of a row is turned for pictures of at least so many passages."""
    return [row.turned + n * row.sector for n in range(-(-copies // row.passages))]


def cells_of(pieces, field, view, copies):
    """x, y of the nodes, quads [n, 4], values [n] of all copies."""
    xs, ys, quads, values, offset = [], [], [], [], 0
    for piece in pieces:
        nj, ni = piece.values[field].shape
        corner = (np.arange(nj)[:, None] * (ni + 1) + np.arange(ni)[None, :])[piece.inside]
        quad = np.stack([corner, corner + 1, corner + ni + 2, corner + ni + 1], 1)
        for turn in turns_of(piece.row, copies):
            x, y = view.place(piece.x, piece.r, piece.theta + turn)
            xs.append(x.ravel())
            ys.append(y.ravel())
            quads.append(quad + offset)
            values.append(piece.values[field][piece.inside])
            offset += piece.x.size
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(quads), np.concatenate(values)


def blades(pieces, view, copies):
    """Outlines [2, n] of what stands across the span, chained over zones."""
    lines = {}
    for piece in pieces:
        for turn in turns_of(piece.row, copies):
            for x, r, theta in piece.walls:
                line = np.array([*view.place(x, r, theta + turn), 0 * x])
                lines.setdefault((piece.row.name, turn), []).append((line, surface.middle(line)))
    for found in lines.values():
        for contour in surface.chain(found):
            yield contour[0][:2]


def draw(ax, pieces, field, copies, scale, colours=COLOURS, levels=41, lines=0, limits=None, axes="auto"):
    """Fills the axes; returns what a colour bar needs, its ticks, and the View."""
    view = view_of(pieces, axes)
    x, y, quads, values = cells_of(pieces, field, view, copies)
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
    for line in blades(pieces, view, copies):
        px, py = scale * line
        if np.hypot(px[0] - px[-1], py[0] - py[-1]) < 1e-4 * scale * extent:
            ax.fill(px, py, color="#e4e4e4", zorder=2)
        ax.plot(px, py, color="black", lw=0.8, zorder=3)
    ax.set_aspect("equal")
    ax.set_xlim(scale * x.min(), scale * x.max())
    ax.set_ylim(scale * y.min(), scale * y.max())
    return image, ticks, view


def run(options):
    if options.copies < 1 or options.levels < 2:
        raise InputError("--copies must be at least 1 and --levels at least 2")
    flow = flow_of(options.snapshot)
    periodic = flow.file.periodic()
    if periodic and np.any(periodic[0]) and not np.any(periodic[1]):
        raise InputError(f"{flow.file.path}: the mesh is a plane cascade, which repeats by a shift: 'contours' draws it")
    if options.copies > 1 and not all(row.pitch for row in flow.rows):
        raise InputError(f"{flow.file.path}: no rotational periodicity; give --copies 1")
    pieces = blade_to_blade(flow, options.span, (options.field,))
    scale = SCALES[options.x_scale]
    fig, ax = figure()
    image, ticks, view = draw(
        ax, pieces, options.field, options.copies, scale, options.colours, options.levels, options.lines, options.range,
        options.axes,
    )
    if options.zoom:
        x0, x1, y0, y1 = window(options.zoom)
        ax.set_xlim(x0, x1)
        ax.set_ylim(y0, y1)
    fit(fig, ax)
    bar_beside(fig, ax, image, flow.label(options.field), ticks)
    for put, text in zip((ax.set_xlabel, ax.set_ylabel), view.labels(scale, options.x_scale)):
        put(text)
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
