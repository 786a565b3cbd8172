"""tools/plot unrolled: a quantity on a blade, over the arc length from the leading edge and the radius, or the fraction of
the span if the blade turns out of the axial direction."""
import numpy as np

from ..cgns import file_of
from ..unrolled import unroll
from .colours import colour_range
from .style import COLOURS, SCALES, add_output, bar_beside, figure, label_of, save


def add_parser(commands):
    parser = commands.add_parser("unrolled", help="a quantity on the surface of a blade, unrolled")
    parser.add_argument("file", help="wall_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--family", default="blade", help="of the walls (default: blade)")
    parser.add_argument("--blade", type=int, default=1, metavar="N", help="which blade of several passages (default: 1)")
    parser.add_argument("--field", default="Pressure", help="of the file (default: Pressure)")
    parser.add_argument("--range", metavar="LO:HI", help="range of the colours (default: all)")
    parser.add_argument("--x-scale", default="mm", choices=SCALES, help="unit of the axes")
    parser.add_argument("--colours", default=COLOURS, help=f"matplotlib colour map (default: {COLOURS})")
    add_output(parser, "unrolled.png")
    parser.set_defaults(run=run, newest="wall")


def run(options):
    sides = unroll(file_of(options.file, (2,)), options.family, options.field, options.blade)
    scale = SCALES[options.x_scale]
    fig, ax = figure(7.2, 4.0)
    values = np.concatenate([side.values.ravel() for side in sides])
    ticks = colour_range(options.range, values)
    below, above = values.min() < ticks[0], values.max() > ticks[-1]
    for side in sides:
        height = 100 * side.span if side.turns else scale * side.r
        image = ax.contourf(scale * side.s, height, side.values, np.linspace(ticks[0], ticks[-1], 41), cmap=options.colours,
                            extend=("neither", "min", "max", "both")[below + 2 * above])
    ax.axvline(0, color="black", lw=0.6)
    ax.set_xlabel(f"arc length from the leading edge ({options.x_scale}), positive towards larger theta")
    ax.set_ylabel("span (%)" if sides[0].turns else f"r ({options.x_scale})")
    bar_beside(fig, ax, image, label_of(options.field), ticks)
    save(fig, options.output)
    print(f"{options.field} on {options.family}: {values.min():.6g} to {values.max():.6g}, {sum(len(s.s) for s in sides)} layers")
