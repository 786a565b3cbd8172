"""tools/plot meridional: averages over the pitch in the meridional plane, x and r."""
import numpy as np

from ..average import pitch_average
from ..flow import flow_of
from ..surface import segment
from .bladetoblade import fit
from .colours import colour_range
from .style import COLOURS, SCALES, add_picture_options, bar_beside, figure, save


def add_parser(commands):
    parser = commands.add_parser("meridional", help="averages over the pitch, in x and r")
    add_picture_options(parser, "PressureStagnation", "meridional.png")
    parser.add_argument("--stations", type=int, default=120, help="bins along the machine (default: 120)")
    parser.add_argument("--weight", choices=("mass", "mass_flow"), default="mass", help="of the average (default: mass)")
    parser.set_defaults(run=run, newest="flow")


def filled(a):
    """Gaps along the machine closed by straight lines, so that the plane has no holes."""
    a, n = a.copy(), np.arange(a.shape[1])
    for line in a:
        good = np.isfinite(line)
        if good.any():
            line[~good] = np.interp(n[~good], n[good], line[good])
    return a


def edges(flow):
    """Where blades begin and end: for each row with walls across the span, lines (x, r)."""
    for row in flow.rows:
        ends = []
        for zone in row.layers:
            x, r, _ = flow.nodes(zone)
            place = flow.channel.place(zone) if flow.channel.turns else x
            for patch in zone.patches():
                if patch.is_wall and patch.direction < 2 and patch.hi[2] - patch.lo[2] >= 0.5 * zone.cells[2]:
                    part = slice(patch.lo[2], patch.hi[2] + 1)
                    ends.append([segment(c, patch)[part] for c in (x, r, place)])  # [k, n]
        if not ends or len({len(e[0]) for e in ends}) != 1:
            continue
        x, r, place = (np.hstack([e[n] for e in ends]) for n in range(3))
        k = np.arange(len(x))
        for at in (place.argmin(axis=1), place.argmax(axis=1)):
            yield x[k, at], r[k, at]


def draw(ax, flow, mean, field, scale, colours=COLOURS, limits=None):
    values = filled(mean.values[field])
    ticks = colour_range(limits, values[np.isfinite(values)])
    below, above = np.nanmin(values) < ticks[0], np.nanmax(values) > ticks[-1]
    x, r = flow.channel.points(mean.span, mean.place) if mean.along == "m" else (filled(mean.x), filled(mean.r))
    image = ax.contourf(
        scale * x, scale * r, values, np.linspace(ticks[0], ticks[-1], 41), cmap=colours,
        extend=("neither", "min", "max", "both")[below + 2 * above],
    )
    for x, r in edges(flow):
        ax.plot(scale * x, scale * r, color="black", lw=1.0)
    ax.set_aspect("equal")
    return image, ticks


def run(options):
    flow = flow_of(options.snapshot)
    scale = SCALES[options.x_scale]
    known = getattr(flow, "mean", None)  # of the report: an average of several fields, with the options' defaults
    mean = known if known and options.field in known.values else pitch_average(flow, (options.field,), options.stations, options.weight)
    fig, ax = figure()
    image, ticks = draw(ax, flow, mean, options.field, scale, options.colours, options.range)
    fit(fig, ax)
    bar_beside(fig, ax, image, flow.label(options.field), ticks)
    ax.set_xlabel(f"x ({options.x_scale})")
    ax.set_ylabel(f"r ({options.x_scale})")
    save(fig, options.output)
    values = mean.values[options.field]
    print(f"{options.field} over the pitch: {np.nanmin(values):.6g} to {np.nanmax(values):.6g}")
