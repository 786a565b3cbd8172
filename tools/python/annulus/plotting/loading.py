"""tools/plot loading: pressure along blades at fractions of their span, from wall_NNNNNNNN.cgns.

    span    (r - r_1) / (r_2 - r_1) along each mesh line from hub to tip; zones reach from one to the other
    force   closed integral of p dx around the section: the blade's force around the axis over its height, N/m,
            on the blade, positive from y to z
"""
import numpy as np

from . import surface
from ..cgns import File
from .style import BLUE, GREEN, ORANGE, PURPLE, RED, InputError, beside, figure, legend_beside, save, save_table


def add_parser(commands):
    parser = commands.add_parser("loading", help="pressure along a blade at fractions of its span")
    parser.add_argument("file", help="wall_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--family", default="blade", help="boundary of the blade (default: blade)")
    parser.add_argument("--span", type=float, nargs="+", default=[0.1, 0.5, 0.9], help="fractions, 0 to 1")
    parser.add_argument("--field", default="Pressure", help="a field of the file (default: Pressure)")
    parser.add_argument("--zone", action="append", help="only zones whose names begin so; may be repeated")
    parser.add_argument("-o", "--output", default="loading.png", help="picture; a CSV goes beside it")
    parser.set_defaults(run=run, newest="wall")


def columns(zone, field):
    """Lines of faces along the span: x, r, angle, value, each [column, face], and the radii of their ends
    [column, 2]."""
    x, y, z = (np.array(c) for c in zone.nodes())
    value, r = zone.field(field), np.hypot(y, z)
    if np.abs(np.diff(r, axis=0)).sum() > np.abs(np.diff(r, axis=1)).sum():  # the span runs along j
        x, y, z, r, value = x.T, y.T, z.T, r.T, value.T
    centre = [0.25 * (c[1:, 1:] + c[1:, :-1] + c[:-1, 1:] + c[:-1, :-1]) for c in (x, y, z)]
    ends = 0.5 * (r[1:, [0, -1]] + r[:-1, [0, -1]])
    return centre[0], np.hypot(*centre[1:]), np.arctan2(centre[2], centre[1]), value, np.sort(ends, axis=1)


def section(parts, fraction):
    """Lines x, r, angle, value around the blade at a fraction of the span."""
    lines = []
    for x, r, angle, value, ends in parts:
        span = (r - ends[:, :1]) / (ends[:, 1:] - ends[:, :1])
        line = []
        for n in range(len(span)):
            order = np.argsort(span[n])
            line.append([np.interp(fraction, span[n][order], q[n][order]) for q in (x, r, angle, value)])
        lines.append(np.array(line).T)
    return lines


def closed(line):
    x, r, angle, _ = line
    return np.hypot(x[0] - x[-1], r[0] * (angle[0] - angle[-1])) < 0.2 * np.ptp(x)


def force(lines):
    """Force on the blade around the axis over its height: the face's area along theta is dx."""
    total = 0.0
    for x, r, angle, value in lines:
        around = np.append(np.arange(len(x)), 0)
        if not closed((x, r, angle, value)):
            return None  # zones do not go around the blade
        xs, vs, ts = x[around], value[around], (r * angle)[around]
        area = 0.5 * np.sum(xs[:-1] * ts[1:] - xs[1:] * ts[:-1])
        total += np.sign(area) * np.sum(0.5 * (vs[1:] + vs[:-1]) * np.diff(xs))
    return total


def run(options):
    file = File(options.file, (2,))
    zones = surface.wall_zones(file, options.family)
    if options.zone:
        zones = [z for z in zones if z.name.startswith(tuple(options.zone))]
        if not zones:
            raise InputError(f"{file.path}: no zone of the blade begins with {' or '.join(options.zone)}")
    parts = [columns(zone, options.field) for zone in zones]
    fig, ax = figure()
    rows = []
    print(f"{file.title()}:")
    for n, fraction in enumerate(options.span):
        lines = section(parts, fraction)
        x = np.concatenate([line[0] for line in lines])
        p = np.concatenate([line[3] for line in lines])
        colour = (BLUE, ORANGE, GREEN, RED, PURPLE)[n % 5]
        for m, line in enumerate(lines):
            around = np.append(line, line[:, :1], axis=1) if closed(line) else line
            ax.plot((around[0] - x.min()) / np.ptp(x), around[3], color=colour,
                    label=None if m else f"{100 * fraction:g} % span")
            rows += [[f"{fraction:g}", str(m), *q] for q in line.T]
        f = force(lines) if options.field == "Pressure" else None
        print(f"  span {fraction:g}: {options.field} {p.min():.6g} to {p.max():.6g}, axial chord {np.ptp(x):.5g} m"
              + ("" if f is None else f", force around the axis {f:.5g} N/m"))
    ax.set_xlabel("x over the axial chord")
    ax.set_ylabel("pressure $p$ (Pa)" if options.field == "Pressure" else options.field)
    ax.grid(True)
    legend_beside(ax)
    save(fig, options.output)
    save_table(beside(options.output, ".csv"), ("span", "line", "x_m", "r_m", "theta_rad", options.field), rows)
