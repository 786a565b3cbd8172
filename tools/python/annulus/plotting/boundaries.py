"""tools/plot boundaries: a mesh in space, its boundary patches coloured by their names."""
import numpy as np
from matplotlib.patches import Patch as Swatch
from matplotlib.ticker import MaxNLocator

from ..cgns import File
from .style import SCALES, InputError, add_output, colour, figure, save


def add_parser(commands):
    parser = commands.add_parser("boundaries", help="the boundaries of a mesh, in space")
    parser.add_argument("file", help="CGNS mesh or snapshot")
    parser.add_argument("--x-scale", default="mm", choices=SCALES, help="unit of the axes")
    parser.add_argument("--view", default="25,-60", metavar="ELEVATION,AZIMUTH", help="in degrees (default 25,-60)")
    add_output(parser, "boundaries.png")
    parser.set_defaults(run=run)


def surface_of(zone, patch, most=24):
    """Nodes [3, n, m] of a patch, thinned to at most `most` cells along an edge, with its own edges."""
    nodes = np.array(zone.nodes())  # [3, k, j, i]
    at = [None, None, None]
    for axis in range(3):  # i, j, k
        if axis == patch.direction:
            at[axis] = np.array([0 if patch.side == 0 else nodes.shape[3 - axis] - 1])
        else:
            step = -(-(patch.hi[axis] - patch.lo[axis]) // most)
            at[axis] = np.unique(np.append(np.arange(patch.lo[axis], patch.hi[axis], step), patch.hi[axis]))
    part = nodes[np.ix_(range(3), at[2], at[1], at[0])]
    return part.squeeze(axis=3 - patch.direction)


def run(options):
    try:
        elevation, azimuth = (float(v) for v in options.view.split(","))
    except ValueError:
        raise InputError(f"--view takes two numbers, as 25,-60, not '{options.view}'") from None
    file = File(options.file)
    scale = SCALES[options.x_scale]
    colours, low, high = {}, np.full(3, np.inf), np.full(3, -np.inf)
    fig, flat = figure(8.4, 6.4)
    flat.remove()
    ax = fig.add_subplot(projection="3d", computed_zorder=True)
    for zone in file.zones:
        for patch in zone.patches():
            x = scale * surface_of(zone, patch)
            own = colours.setdefault(patch.family, colour(len(colours)))
            ax.plot_surface(*x, color=own, edgecolor="black", linewidth=0.15, alpha=0.75, rstride=1, cstride=1, shade=True)
            low, high = np.minimum(low, x.min(axis=(1, 2))), np.maximum(high, x.max(axis=(1, 2)))
    if not colours:
        raise InputError(f"{options.file} has no boundaries")
    size = np.maximum(high - low, 0.02 * (high - low).max())
    ax.set_box_aspect(size.copy())  # which would change it
    ax.set(xlabel=f"x ({options.x_scale})", ylabel=f"y ({options.x_scale})", zlabel=f"z ({options.x_scale})")
    for axis, a, b, s in zip("xyz", low, high, size):
        getattr(ax, f"set_{axis}lim")(0.5 * (a + b - s), 0.5 * (a + b + s))
        getattr(ax, f"{axis}axis").set_major_locator(MaxNLocator(4 if s > 0.2 * size.max() else 1))
    ax.view_init(elevation, azimuth)
    fig.legend(handles=[Swatch(color=c, label=n) for n, c in colours.items()], loc="upper left", bbox_to_anchor=(0.03, 0.97))
    fig.text(0.98, 0.5, " ")  # what is cut off at the edges forgets the name of the third axis
    save(fig, options.output)
    print(f"{len(colours)} boundaries: {', '.join(colours)}")
