"""tools/plot cut: a quantity on a plane or a surface of revolution that is cut through the cells.

Axes: a plane across x is drawn in y and z, one along x in x and the direction across; a surface of revolution as
tools/plot b2b draws it.
"""
import matplotlib.tri as tri
import numpy as np

from ..cut import plane, revolution
from ..errors import InputError
from ..flow import flow_of
from ..meridian import Line
from .bladetoblade import View, fit, turns_of
from .colours import colour_range
from .style import SCALES, add_picture_options, bar_beside, figure, save


def add_parser(commands):
    parser = commands.add_parser("cut", help="a quantity on a plane or a surface of revolution")
    add_picture_options(parser, "Mach", "cut.png")
    parser.add_argument("--x", type=float, metavar="M", help="the plane x = M, in m")
    parser.add_argument("--plane", type=float, nargs=6, metavar=("X", "Y", "Z", "NX", "NY", "NZ"), help="point in m, and normal")
    parser.add_argument("--revolve", metavar="X:R,X:R,...", help="the line of a surface of revolution, in m")
    parser.add_argument("--copies", type=int, default=1, metavar="N", help="passages (default: 1)")
    parser.set_defaults(run=run, newest="flow")


def line_of(text):
    try:
        return [tuple(float(v) for v in point.split(":")) for point in text.split(",")]
    except ValueError:
        raise InputError(f"'{text}' is not a line X:R,X:R,...") from None


def chosen(flow, options):
    """The cut, and the function of points [n, 3, 3] and an angle of copies that gives two coordinates in m."""
    given = [options.x is not None, options.plane is not None, options.revolve is not None]
    if sum(given) != 1:
        raise InputError("give one of --x, --plane and --revolve")
    if options.revolve:
        cut = revolution(flow, line_of(options.revolve))
        mean = float(np.mean([np.hypot(cut.points(p)[..., 1], cut.points(p)[..., 2]).mean() for p in cut.pieces]))
        view = View(Line(line_of(options.revolve)), mean)
        first = cut.points(cut.pieces[0])
        middle = np.arctan2(first[..., 2].mean(), first[..., 1].mean())

        def place(p, turn):
            theta = np.arctan2(p[..., 2], p[..., 1])
            return view.place(p[..., 0], np.hypot(p[..., 1], p[..., 2]),
                              theta - 2 * np.pi * np.round((theta.mean(axis=1, keepdims=True) - middle) / (2 * np.pi)) + turn)

        return cut, place, view.labels(SCALES[options.x_scale], options.x_scale)
    point, normal = ((options.x, 0, 0), (1, 0, 0)) if options.plane is None else (options.plane[:3], np.array(options.plane[3:]))
    cut, n = plane(flow, point, normal), np.asarray(normal, float) / max(np.linalg.norm(normal), 1e-300)
    if abs(n[0]) > 0.99:
        return cut, lambda p, turn: (p[..., 1], p[..., 2]), tuple(f"{n} ({options.x_scale})" for n in "yz")
    first = np.array([1.0, 0, 0]) - n[0] * n
    first /= np.linalg.norm(first)
    second = np.cross(n, first)
    return cut, lambda p, turn: (p @ first, p @ second), tuple(f"{n} ({options.x_scale})" for n in ("along the plane, in the direction of x", "across"))


def turned(points, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([points[..., 0], c * points[..., 1] - s * points[..., 2], s * points[..., 1] + c * points[..., 2]], -1)


def run(options):
    flow = flow_of(options.snapshot)
    cut, place, names = chosen(flow, options)
    if options.copies < 1 or (options.copies > 1 and not all(p.row.pitch for p in cut.pieces)):
        raise InputError("--copies is at least 1, and more need rows with a pitch")
    scale = SCALES[options.x_scale]
    xs, ys, values = [], [], []
    for piece in cut.pieces:
        points, value = cut.points(piece), cut.smooth(piece, options.field)
        for turn in turns_of(piece.row, options.copies):
            x, y = place(points, turn) if options.revolve else place(turned(points, turn), 0)
            xs.append(x.ravel()), ys.append(y.ravel()), values.append(value.ravel())
    x, y, values = (np.concatenate(q) for q in (xs, ys, values))
    fig, ax = figure()
    ticks = colour_range(options.range, values)
    below, above = values.min() < ticks[0], values.max() > ticks[-1]
    grid = tri.Triangulation(scale * x, scale * y, np.arange(len(x)).reshape(-1, 3))
    image = ax.tricontourf(grid, values, np.linspace(ticks[0], ticks[-1], 41), cmap=options.colours,
                           extend=("neither", "min", "max", "both")[below + 2 * above])
    ax.set_aspect("equal")
    fit(fig, ax)
    bar_beside(fig, ax, image, flow.label(options.field), ticks)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    save(fig, options.output)
    print(f"{options.field} on the cut: {values.min():.6g} to {values.max():.6g}, mean by area {cut.mean(options.field):.6g}, "
          f"area {cut.area():.6g} m2")
