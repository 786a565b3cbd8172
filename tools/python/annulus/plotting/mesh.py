"""tools/plot mesh: the lines of a mesh in one layer, one colour per zone."""
import numpy as np
from matplotlib.collections import LineCollection

from .. import surface
from ..cgns import File
from ..order import layered, plane_axes
from .style import SCALES, InputError, add_output, colour, figure, legend_beside, save, window


def add_parser(commands):
    parser = commands.add_parser("mesh", help="the lines of a mesh")
    parser.add_argument("file", help="CGNS mesh or snapshot")
    parser.add_argument("--base", metavar="NAME", help="base of the file, such as Solid (default: that of the gas)")
    parser.add_argument("--cut", default="k=mid", help="layer of cells along the span: k=mid (default) or k=N")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="draw every Nth line")
    parser.add_argument("--zoom", metavar="X0:X1,Y0:Y1", help="window in the unit of the axes")
    parser.add_argument("--x-scale", default="mm", choices=SCALES, help="unit of the axes")
    add_output(parser, "mesh.png")
    parser.set_defaults(run=run)


def lines(nodes, every):
    """Lines of both families; the last one of each is always among them."""
    nj, ni = nodes.shape[1:]
    pick = lambda n: sorted({*range(0, n, every), n - 1})  # noqa: E731
    return [nodes[:2, j, :].T for j in pick(nj)] + [nodes[:2, :, i].T for i in pick(ni)]


def run(options):
    if options.every < 1:
        raise InputError("--every must be at least 1")
    file = File(options.file, base=options.base)
    scale = SCALES[options.x_scale]
    drawn, cells = [], 0
    for zone in layered(file):
        nodes = scale * surface.layer_nodes(zone, surface.layer_index(zone.cells, options.cut))
        drawn.append((zone, nodes))
        cells += int(np.prod(zone.cells))
    low = np.min([n[:2].reshape(2, -1).min(axis=1) for _, n in drawn], axis=0)
    high = np.max([n[:2].reshape(2, -1).max(axis=1) for _, n in drawn], axis=0)
    margin = 0.01 * (high - low).max()
    low, high = low - margin, high + margin
    view = window(options.zoom) if options.zoom else (low[0], high[0], low[1], high[1])
    aspect = (view[3] - view[2]) / (view[1] - view[0])
    fig, ax = figure(*((7.2, max(2.2, 6.2 * aspect + 0.8)) if aspect < 1.4 else (8 / aspect + 2, 8)))
    for n, (zone, nodes) in enumerate(drawn):
        own = colour(n)
        ax.add_collection(LineCollection(lines(nodes, options.every), colors=own, lw=0.3))
        border = [nodes[:2, j, :].T for j in (0, -1)] + [nodes[:2, :, i].T for i in (0, -1)]
        ax.add_collection(LineCollection(border, colors=own, lw=0.9))
        size = " x ".join(str(c) for c in zone.sizes)
        ax.plot([], [], color=own, label=f"{zone.name}  {size}")
    for line in surface.outlines(file, options.cut):
        ax.plot(scale * line[0], scale * line[1], color="black", lw=1.2)
    ax.set_aspect("equal")
    ax.set_xlim(view[0], view[1])
    ax.set_ylim(view[2], view[3])
    ax.set_xlabel(f"x ({options.x_scale})")
    ax.set_ylabel(f"{'y' if plane_axes(file) is None else 'z'} ({options.x_scale})")
    if len(drawn) <= 12:
        legend_beside(ax, size=7.5)
    save(fig, options.output)
    print(f"{len(drawn)} zones, {cells} cells")
