"""tools/plot loading: pressure along blades at fractions of their span, from wall_NNNNNNNN.cgns.

    span    fraction of the meridional arc length along each mesh line from hub to tip; zones reach from one to the other
    force   closed integral of p dx around the section: the blade's force around the axis over its height, N/m,
            on the blade, positive from y to z; dm takes the place of dx if the blade turns out of the axial direction
    chord   longest distance of two points of a section, in the plane of x (or m) and r theta; its end that lies
            upstream is the leading edge
"""
import numpy as np
from matplotlib.ticker import MaxNLocator

from .. import surface
from ..cgns import file_of
from ..unrolled import blades_of, chosen_blade, course, position, span_of, spanwise_first
from .style import InputError, add_output, beside, colour, figure, label_of, legend_beside, plt, save, save_table


def add_parser(commands):
    parser = commands.add_parser("loading", help="pressure along a blade at fractions of its span")
    parser.add_argument("file", help="wall_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--family", nargs="+", default=["blade"], metavar="NAME",
                        help="boundary of the blade (default: blade); of several ones each gets a panel of its own")
    parser.add_argument("--span", type=float, nargs="+", default=[0.1, 0.5, 0.9], help="fractions, 0 to 1")
    parser.add_argument("--field", default="Pressure", help="a field of the file (default: Pressure)")
    parser.add_argument("--abscissa", default="x/c", choices=("x/c", "s/c", "chord"),
                        help="x over the axial chord, or m over the meridional chord (default); length along the surface "
                        "from the leading edge over the chord; distance along the chord over the chord")
    parser.add_argument("--blade", default="1", metavar="N", help="which blade of several passages, or all (default: 1)")
    parser.add_argument("--zone", action="append", help="only zones whose names begin so; may be repeated")
    add_output(parser, "loading.png", "picture; a CSV goes beside it")
    parser.set_defaults(run=run, newest="wall")


def columns(zone, field):
    """Lines of faces along the span: x, r, angle, span, value, each [face, column]."""
    (x, r, theta), (value,) = spanwise_first(zone, field)
    span = span_of(x, r)
    return [*(0.25 * (c[1:, 1:] + c[1:, :-1] + c[:-1, 1:] + c[:-1, :-1]) for c in (x, r, theta, span)), value]


def section(parts, fraction):
    """Lines x, r, angle, value around the blade at a fraction of the span."""
    lines = []
    for x, r, angle, span, value in parts:
        line = [[np.interp(fraction, span[:, n], q[:, n]) for q in (x, r, angle, value)] for n in range(x.shape[1])]
        lines.append(np.array(line).T)
    return lines


def closed(place, r, angle):
    """Are the ends of a line no farther apart than its points?"""
    steps = np.hypot(np.diff(place), r[1:] * np.diff(angle))
    return np.hypot(place[0] - place[-1], r[0] * (angle[0] - angle[-1])) < 2.5 * steps.max()


def force(places, lines):
    """Force on the blade around the axis over its height: the face's area along theta is dx, or dm of a blade that
    turns."""
    total = 0.0
    for place, (_, r, angle, value) in zip(places, lines):
        around = np.append(np.arange(len(place)), 0)
        if not closed(place, r, angle):
            return None  # zones do not go around the blade
        xs, vs, ts = place[around], value[around], (r * angle)[around]
        area = 0.5 * np.sum(xs[:-1] * ts[1:] - xs[1:] * ts[:-1])
        total += np.sign(area) * np.sum(0.5 * (vs[1:] + vs[:-1]) * np.diff(xs))
    return total


def places_of(lines, blade):
    """Position of the points of each line along the blade, from its leading edge."""
    if not blade.turns:
        return [position(line[0], line[1], blade) for line in lines]
    whole = position(np.concatenate([line[0] for line in lines]), np.concatenate([line[1] for line in lines]), blade)
    return np.split(whole, np.cumsum([line.shape[1] for line in lines])[:-1])


def chord_of(place, across):
    """Leading edge [2], direction along the chord [2], chord."""
    points = np.array([place, across])
    far = np.hypot(*(points[:, :, None] - points[:, None, :]))
    a, b = np.unravel_index(np.argmax(far), far.shape)
    a, b = (a, b) if place[a] <= place[b] else (b, a)
    return points[:, a], (points[:, b] - points[:, a]) / far[a, b], far[a, b]


def lengths(points, leading):
    """Length along the surface from the leading edge to each point of a closed line, on both sides to the other end."""
    start = np.argmin(np.hypot(*(points - leading[:, None])))
    around = np.roll(points, -start, 1)
    steps = np.hypot(*np.diff(np.concatenate([around, around[:, :1]], 1)))
    s = np.concatenate([[0], np.cumsum(steps)])
    rear = np.argmax(np.hypot(*(around - leading[:, None])))
    return np.roll(np.where(np.arange(len(steps)) <= rear, s[:-1], s[-1] - s[:-1]), start)


def abscissas(places, lines, how):
    """Of the points of each line, as --abscissa asks; and the chord, m."""
    x = np.concatenate(places)
    if how == "x/c":
        return [(place - x.min()) / np.ptp(x) for place in places], None
    across = [line[1] * line[2] for line in lines]
    rounds = all(closed(place, line[1], line[2]) for place, line in zip(places, lines))
    if how == "s/c" and not rounds:
        raise InputError("--abscissa s/c needs zones that go around the blade; use x/c or chord")
    found, chords = [], []
    for place, y in zip(places, across):
        whole = (place, y) if rounds else (x, np.concatenate(across))  # a line for each blade, or parts of one blade
        leading, along, chord = chord_of(*whole)
        points = np.array([place, y])
        found.append((lengths(points, leading) if how == "s/c" else along @ (points - leading[:, None])) / chord)
        chords.append(chord)
    return found, max(chords)


def chosen(file, zones, which):
    """(number, zones) of the blades that --blade asks for."""
    if which == "all":
        return list(enumerate(blades_of(zones), 1))
    if not which.isdecimal():
        raise InputError(f"--blade takes the number of a blade or all, not '{which}'")
    return [(int(which), chosen_blade(file, zones, int(which)))]


ACROSS = 5  # panels side by side


def panels(count):
    """The figure, and axes for each of so many families. Many panels are laid out here, because a layout engine is slow."""
    if count == 1:
        fig, ax = figure()
        return fig, [ax]
    across, down = min(ACROSS, count), -(-count // ACROSS)
    w, h, gap_x, gap_y = 1.75, 1.75, 0.6, 0.75
    size = (across * (w + gap_x) + 1.3, down * (h + gap_y) + 0.1)
    fig = plt.figure(figsize=size)
    return fig, [fig.add_axes([(0.6 + (n % across) * (w + gap_x)) / size[0], 1 - (n // across * (h + gap_y) + 0.35 + h) / size[1], w / size[0], h / size[1]])
                 for n in range(count)]


def run(options):
    file = file_of(options.file, (2,))
    fig, axes = panels(len(options.family))
    rows, many = [], len(axes) > 1
    print(f"{file.title()}:")
    for ax, family in zip(axes, options.family):
        found = draw_family(ax, file, family, options)
        rows += [[family, *row] if many else row for row in found]
        ax.grid(True)
        if many:
            ax.set_title(family.removesuffix("_blade"), fontsize=10)
            ax.tick_params(labelsize=8)
            ax.xaxis.set_major_locator(MaxNLocator(3))
            ax.yaxis.set_major_locator(MaxNLocator(4))
        if not many or ax in axes[::ACROSS]:
            ax.set_ylabel(label_of(options.field))
    legend_beside(axes[min(ACROSS, len(axes)) - 1])
    save(fig, options.output)
    names = ("blade", "span", "line", "x_m", "r_m", "theta_rad", options.field, options.abscissa)
    save_table(beside(options.output, ".csv"), ("family", *names) if many else names, rows)


def draw_family(ax, file, family, options):
    """The blades of one family; rows for the table."""
    zones = surface.wall_zones(file, family)
    if options.zone:
        zones = [z for z in zones if z.name.startswith(tuple(options.zone))]
        if not zones:
            raise InputError(f"{file.path}: no zone of the blade begins with {' or '.join(options.zone)}")
    blades, rows = chosen(file, zones, options.blade), []
    for place, (number, own) in enumerate(blades):
        named = f", blade {number}" if len(blades) > 1 or number > 1 else ""
        line, found = draw(ax, file, own, options, named, ("-", "--", ":", "-.")[place % 4])
        rows += [[str(number), *row] for row in found]
    ax.set_xlabel({"x/c": "m over the meridional chord" if line.turns else "x over the axial chord",
                   "s/c": "length along the surface over the chord", "chord": "distance along the chord over the chord"}
                  [options.abscissa], **({"fontsize": 8} if len(options.family) > 1 else {}))
    return rows


def draw(ax, file, zones, options, named, style):
    """The curves of one blade; returns its course and rows for the table."""
    blade, parts, rows = course(file, zones), [columns(zone, options.field) for zone in zones], []
    chord = "meridional chord" if blade.turns else "axial chord"
    for n, fraction in enumerate(options.span):
        lines = section(parts, fraction)
        places = places_of(lines, blade)
        x = np.concatenate(places)
        p = np.concatenate([line[3] for line in lines])
        over, true = abscissas(places, lines, options.abscissa)
        for m, (place, line) in enumerate(zip(places, lines)):
            around = np.append(np.arange(len(place)), 0) if closed(place, line[1], line[2]) else slice(None)
            text = None if m else f"{100 * fraction:g} % span{named}"
            ax.plot(over[m][around], line[3][around], style, color=colour(n), label=text)
            rows += [[f"{fraction:g}", str(m), *q, a] for q, a in zip(line.T, over[m])]
        f = force(places, lines) if options.field == "Pressure" else None
        print(f"  span {fraction:g}{named}: {options.field} {p.min():.6g} to {p.max():.6g}, {chord} {np.ptp(x):.5g} m"
              + ("" if true is None else f", chord {true:.5g} m")
              + ("" if f is None else f", force around the axis {f:.5g} N/m"))
    return blade, rows
