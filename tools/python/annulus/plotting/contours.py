"""tools/plot contours: a field in one layer of cells, all zones, with walls and periodic copies.

An annular row is drawn as `tools/plot b2b` draws it, at half of the span, unless --cut names a layer."""
import os

import matplotlib.tri as tri
import numpy as np

from .. import surface
from ..cgns import File, file_of
from ..order import layered, plane_axes
from ..run import Run
from . import bladetoblade
from .colours import colour_range, corner_average
from .style import COLOURS, LABELS, SCALES, InputError, add_output, bar_beside, figure, save, window


def add_parser(commands):
    parser = commands.add_parser("contours", help="a field in one layer of cells")
    parser.add_argument("snapshot", help="flow_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--field", default="Mach", help="CGNS name (default: Mach)")
    parser.add_argument("--cut", default="k=mid", help="layer of cells along the span: k=mid (default) or k=N")
    parser.add_argument("--range", metavar="LO:HI", help="range of the colours (default: all)")
    parser.add_argument("--levels", type=int, default=41, help="contour levels (default: 41)")
    parser.add_argument("--lines", type=int, default=0, help="draw about N iso-lines too")
    parser.add_argument("--cells", action="store_true", help="one flat colour per cell")
    parser.add_argument("--periodic", type=int, default=1, metavar="N", help="draw N passages")
    parser.add_argument("--pitch", type=float, help="pitch in m (default: from the file)")
    parser.add_argument("--zoom", metavar="X0:X1,Y0:Y1", help="window in the unit of the axes; walls: around the walls, where "
                        "the mesh goes far beyond them")
    parser.add_argument("--x-scale", default="mm", choices=SCALES, help="unit of the axes")
    parser.add_argument("--gamma", type=float, default=1.4, help="for fields not in the file")
    parser.add_argument("--colours", default=COLOURS, help=f"matplotlib colour map (default: {COLOURS})")
    add_output(parser, "contours.png")
    parser.set_defaults(run=run, newest="flow")


def around_walls(flow, run_, scale=1e3):
    """A window around the walls, in metres times `scale`, where the mesh goes far beyond them; else None."""
    files = run_.files("wall")
    if not files:
        return None
    axes = plane_axes(getattr(flow, "file", flow))
    turn = (lambda nodes: nodes) if axes is None else (lambda nodes: np.tensordot(axes, np.array(nodes), 1))
    walls = [turn(zone.nodes()) for zone in surface.wall_zones(File(files[-1], (2,)), None)]
    low, high = ([end([end(x[a]) for x in walls]) for a in (0, 1)] for end in (np.min, np.max))
    chord = max(h - l for l, h in zip(low, high))
    width = [np.ptp([end(turn(zone.nodes())[a]) for zone in flow.zones for end in (np.min, np.max)]) for a in (0, 1)]
    if min(width) < 6 * chord:
        return None
    edges = [scale * v for v in (low[0] - 0.6 * chord, high[0] + 0.9 * chord, low[1] - 0.7 * chord, high[1] + 0.7 * chord)]
    return "{:.6g}:{:.6g},{:.6g}:{:.6g}".format(*edges)


def translation(file, options):
    """Shift in x, y of one passage to the next, in metres."""
    if options.pitch is not None:
        return np.array([0.0, options.pitch])
    axes = plane_axes(file)
    found = [(t if axes is None else axes @ t)[:2] for t, _ in file.periodics() if np.any(t)]
    if not found:
        raise InputError(f"{file.path}: no translational periodicity; give --pitch")
    shift = max(found, key=lambda t: round(abs(t[1]), 12))
    return shift if shift[1] > 0 else -shift


def gather(file, options, shift, scale):
    """All cells of all passages: node x, y, quads [n, 4] and a value per quad."""
    xs, ys, quads, values, offset = [], [], [], [], 0
    for zone in layered(file):
        k = surface.layer_index(zone.cells, options.cut)
        field = zone.field(options.field, options.gamma)[k]
        nodes = scale * surface.layer_nodes(zone, k)
        nj, ni = field.shape
        corner = (np.arange(nj)[:, None] * (ni + 1) + np.arange(ni)[None, :]).reshape(-1)
        quad = np.stack([corner, corner + 1, corner + ni + 2, corner + ni + 1], 1)
        for copy in range(options.periodic):
            xs.append(nodes[0].reshape(-1) + copy * shift[0])
            ys.append(nodes[1].reshape(-1) + copy * shift[1])
            quads.append(quad + offset)
            values.append(field.reshape(-1))
            offset += nodes[0].size
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(quads), np.concatenate(values)


def is_annular(file):
    periodic = file.periodic()
    return periodic is not None and np.any(periodic[1])


def run(options):
    file = file_of(getattr(options.snapshot, "file", options.snapshot))  # a report has it open
    if options.periodic < 1 or options.levels < 2:
        raise InputError("--periodic must be at least 1 and --levels at least 2")
    if options.cut == "k=mid" and is_annular(file):  # x and y would show an annulus from its side
        options.span, options.copies, options.axes = 0.5, options.periodic, "auto"
        options.zoom = None if options.zoom == "walls" else options.zoom
        return bladetoblade.run(options)
    scale = SCALES[options.x_scale]
    shift = scale * translation(file, options) if options.periodic > 1 else np.zeros(2)
    x, y, quads, values = gather(file, options, shift, scale)
    if not np.all(np.isfinite(values)):
        raise InputError(f"{file.path}: {options.field} holds values that are not finite")
    ticks = colour_range(options.range, values)
    low, high = ticks[0], ticks[-1]
    if options.zoom == "walls":
        options.zoom = around_walls(file, Run(os.path.dirname(file.path) or "."), scale)
    view = window(options.zoom) if options.zoom else (x.min(), x.max(), y.min(), y.max())
    aspect = (view[3] - view[2]) / (view[1] - view[0])
    fig, ax = figure(*((6.8, max(2.2, 5.2 * aspect + 0.8)) if aspect < 1.4 else (8 / aspect + 2, 8)))
    extent = max(np.ptp(x), np.ptp(y))
    nx, ny, joined, smooth = corner_average(x, y, quads, values, extent)
    grid = tri.Triangulation(nx, ny, np.vstack([joined[:, [0, 1, 2]], joined[:, [0, 2, 3]]]))
    below, above = values.min() < low, values.max() > high
    extend = ("neither", "min", "max", "both")[below + 2 * above]
    levels = np.linspace(low, high, options.levels)
    if options.cells:
        faces = tri.Triangulation(x, y, np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))
        image = ax.tripcolor(
            faces, facecolors=np.tile(values, 2), cmap=options.colours, vmin=low, vmax=high
        )
        image.set_rasterized(True)
    else:
        image = ax.tricontourf(grid, smooth, levels, cmap=options.colours, extend=extend)
    if options.lines:
        ax.tricontour(
            grid, smooth, np.linspace(low, high, options.lines + 2)[1:-1], colors="k", linewidths=0.4
        )
    for line in surface.outlines(file, options.cut):
        for copy in range(options.periodic):
            px, py = scale * line[0] + copy * shift[0], scale * line[1] + copy * shift[1]
            if np.hypot(px[0] - px[-1], py[0] - py[-1]) < 1e-6 * extent:
                ax.fill(px, py, color="#e4e4e4", zorder=2)
            ax.plot(px, py, color="black", lw=0.9, zorder=3)
    bar_beside(fig, ax, image, LABELS.get(options.field, options.field), ticks)
    ax.set_aspect("equal")
    ax.set_xlim(view[0], view[1])
    ax.set_ylim(view[2], view[3])
    ax.set_xlabel(f"x ({options.x_scale})")
    ax.set_ylabel(f"{'y' if plane_axes(file) is None else 'z'} ({options.x_scale})")
    save(fig, options.output)
    print(f"{options.field}: {values.min():.6g} to {values.max():.6g} over {len(file.zones)} zones")
