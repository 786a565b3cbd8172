"""tools/plot blade: isentropic Mach number along a blade, with measured points.

    M_is = sqrt(2 / (gamma - 1) ((p0 / p)^((gamma - 1) / gamma) - 1)),  p = wall pressure

The contour is split into suction and pressure side where x is least, or at the stagnation point: the node
between the faces of highest pressure in the front third. Abscissas:

    x      axial distance from the leading edge, in units of --x-scale
    x/c    the same over the axial chord
    s/c    length along the surface from the split over the chord
    chord  distance along the chord from the leading edge over the chord; the chord leads from the node farthest
           from the trailing edge (largest x) to that edge
"""
import os

import numpy as np

trapezoid = getattr(np, "trapezoid", None) or np.trapz  # renamed in NumPy 2

from .. import surface
from ..cgns import File
from ..order import layered
from .style import BLUE, GREEN, ORANGE, PURPLE, RED, SCALES, InputError, add_output, beside, figure, legend_beside, save
from .style import save_table

SIDES = (("SS", "suction side"), ("PS", "pressure side"))


def add_parser(commands):
    parser = commands.add_parser("blade", help="isentropic Mach number on a blade")
    parser.add_argument("snapshot", nargs="+", help="snapshots, files of their walls (wall_NNNNNNNN.cgns), or "
                        "output folders for the newest snapshot of each")
    parser.add_argument("--family", default="blade", help="boundary of the blade (default: blade)")
    parser.add_argument("--p0", type=float, required=True, help="inlet total pressure, Pa")
    parser.add_argument("--gamma", type=float, default=1.4, help="ratio of specific heats")
    parser.add_argument("--measured", metavar="CSV", action="append", default=[],
                        help="lines side,abscissa,Mis; side is SS or PS; may be repeated")
    parser.add_argument("--measured-label", action="append", default=[],
                        help="name in the legend, one for each --measured (default: measured)")
    parser.add_argument("--abscissa", default="x", choices=("x", "x/c", "s/c", "chord"),
                        help="what Mach numbers are drawn over (default: x)")
    parser.add_argument("--split", default="auto", choices=("auto", "x", "stagnation"),
                        help="where the sides begin: at the least x, or at the stagnation point "
                        "(auto: stagnation with s/c, else x)")
    parser.add_argument("--field", default="Pressure", help="static pressure that M_is follows from (default: Pressure): "
                        "PressureMean of an unsteady run, where the file has it")
    parser.add_argument("--cut", default="k=mid", help="layer of cells along the span: k=mid (default) or k=N")
    parser.add_argument("--x-scale", default="mm", choices=SCALES, help="unit of x, also of CSV")
    parser.add_argument(
        "--x-origin", type=float, help="x of the axis's zero, in the mesh (default: leading edge)"
    )
    parser.add_argument(
        "--shock-width", type=float, help="half width left out around the shock, in units of the abscissa "
        "(default: 3 with x, else 0.05)"
    )
    add_output(parser, "blade.png", "picture; a CSV goes beside it")
    parser.set_defaults(run=run, newest="flow")


def contours(file, family, cut, gamma, name="Pressure"):
    """Contours of the blade: nodes [3, n+1], face centres [3, n], wall pressure [n], of the field of this name."""
    if file.is_surface:
        rows = [surface.row(z, 0, [name], cut) for z in surface.wall_zones(file, family)]
        return surface.chain([(line, face, p) for line, face, (p,) in rows])
    pieces = []
    for zone in layered(file):
        patches = [p for p in zone.patches() if surface.patch_matches(p, family)]
        if not patches:
            continue
        k = surface.layer_index(zone.cells, cut)
        nodes, pressure = surface.layer_nodes(zone, k), zone.field(name, gamma)[k]
        for patch in patches:
            face, p = surface.wall_value(zone, patch, k, nodes, pressure)
            pieces.append((surface.segment(nodes, patch), face, p))
    if not pieces:
        known = ", ".join(file.families()) or "none"
        raise InputError(f"{file.path}: no wall of family '{family}' around the blade; has: {known}")
    return surface.chain(pieces)


def isentropic_mach(p, p0, gamma):
    ratio = np.maximum(p0 / p, 1.0) ** ((gamma - 1) / gamma)
    return np.sqrt(2 / (gamma - 1) * (ratio - 1))


def start_of(nodes, values, closed, how):
    """Node at which the two sides begin."""
    inner = nodes[:, :-1] if closed else nodes
    if how == "x":
        return int(np.argmin(inner[0]))
    behind = np.roll(values, 1) if closed else np.concatenate([values[:1], values])
    ahead = values if closed else np.concatenate([values, values[-1:]])
    front = inner[0] <= inner[0].min() + np.ptp(inner[0]) / 3
    return int(np.argmax(np.where(front, 0.5 * (behind + ahead), -np.inf)))


def split(nodes, face, values, how):
    """Cuts a contour at its beginning and at its largest x: parts (face centres, values, lengths of the
    faces), each leading to the trailing edge."""
    closed = np.linalg.norm(nodes[:, 0] - nodes[:, -1]) < 1e-6 * np.ptp(nodes, axis=1).max()
    start = start_of(nodes, values, closed, how)
    if closed:
        face, values = np.roll(face, -start, axis=1), np.roll(values, -start)
        nodes = np.hstack([np.roll(nodes[:, :-1], -start, axis=1), nodes[:, start : start + 1]])
        cuts = [int(np.argmax(nodes[0]))]
    else:
        cuts = sorted({start, int(np.argmax(nodes[0]))})
    size = np.linalg.norm(np.diff(nodes, axis=1), axis=0)
    for part in np.split(np.arange(len(values)), cuts):
        if len(part) > 1:
            if nodes[0, part[0]] > nodes[0, part[-1] + 1]:
                part = part[::-1]
            yield face[:, part], values[part], size[part]


def chord_of(lines):
    """Leading edge, unit vector along the chord, chord."""
    nodes = np.hstack([line[0] for line in lines])
    trailing = nodes[:, np.argmax(nodes[0])]
    leading = nodes[:, np.argmax(np.linalg.norm(nodes - trailing[:, None], axis=0))]
    chord = np.linalg.norm(trailing - leading)
    return leading, (trailing - leading) / chord, chord


def sides(file, options):
    """{'SS': (abscissa, x, y, p, M), 'PS': ...}, x and y in metres, by increasing distance along the blade."""
    how = options.split if options.split != "auto" else "stagnation" if options.abscissa == "s/c" else "x"
    parts = []
    lines = contours(file, options.family, options.cut, options.gamma, options.field)
    for contour in lines:
        for face, p, size in split(*contour, how):
            parts.append((face, p, isentropic_mach(p, options.p0, options.gamma), size))
    least = min(line[0][0].min() for line in lines)
    axial = max(line[0][0].max() for line in lines) - least
    x0 = least if options.x_origin is None else options.x_origin
    leading, along, chord = chord_of(lines)
    # the suction side is the one with the higher mean Mach number over x
    mean = [trapezoid(m, f[0]) / np.ptp(f[0]) for f, _, m, _ in parts]
    middle = 0.5 * (min(mean) + max(mean))
    result = {}
    for name, member in (("SS", np.greater_equal), ("PS", np.less)):
        chosen = [part for part, value in zip(parts, mean) if member(value, middle)]
        if not chosen:
            continue
        chosen.sort(key=lambda part: part[0][0].min())
        face = np.hstack([part[0] for part in chosen])
        p, mach, size = (np.concatenate([part[n] for part in chosen]) for n in (1, 2, 3))
        abscissa = {"x": (face[0] - x0) * SCALES[options.x_scale],
                    "x/c": (face[0] - x0) / axial,
                    "s/c": (np.cumsum(size) - 0.5 * size) / chord,
                    "chord": along @ (face - leading[:, None]) / chord}[options.abscissa]
        result[name] = (abscissa, face[0] - x0, face[1], p, mach)
    return result


def read_measured(path):
    """{'SS': [[x, Mis], ...], 'PS': ...}"""
    points = {"SS": [], "PS": []}
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    with open(path, errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            line = line.split("#")[0].strip()
            if not line or line.lower().startswith("side"):
                continue
            try:
                side, x, mach = (cell.strip() for cell in line.split(","))
                points[side].append((float(x), float(mach)))
            except (KeyError, ValueError):
                raise InputError(
                    f"{path}:{number}: expected 'SS,x,Mis' or 'PS,x,Mis', not '{line}'"
                ) from None
    return {side: np.array(p) for side, p in points.items() if p}


def interpolate(x, curve_x, curve):
    order = np.argsort(curve_x, kind="stable")
    return np.interp(x, curve_x[order], curve[order])


def shock(x, mach):
    """x of the steepest fall of M over x behind the maximum, or None where it does not exceed 1."""
    peak = int(np.argmax(mach))
    if mach[peak] <= 1 or peak > len(x) - 3:
        return None
    dx = np.diff(x[peak:])
    slope = np.where(dx > 1e-3 * np.ptp(x) / len(x), np.diff(mach[peak:]) / np.maximum(dx, 1e-300), 0)
    before_edge = x[peak:-1] < x.min() + 0.98 * np.ptp(x)
    slope = np.where(before_edge, slope, 0)
    n = int(np.argmin(slope))
    return 0.5 * (x[peak + n] + x[peak + n + 1]) if slope[n] < 0 else None


def compare(label, curves, measured, front, width, unit):
    """Prints the rms differences of one measured series, and which points they leave out."""
    total = {"all": [], "off": []}
    beyond = 0
    for side, text in SIDES:
        if side not in curves or side not in measured:
            continue
        over = curves[side][0]
        end = 0.01 * np.ptp(over)  # curves begin and end at the middle of a face
        inside = (measured[side][:, 0] >= over.min() - end) & (measured[side][:, 0] <= over.max() + end)
        beyond += int(np.sum(~inside))
        x, mach = measured[side][inside].T
        if not len(x):
            continue
        difference = interpolate(x, over, curves[side][4]) - mach
        near = np.zeros(len(x), bool)
        if side == "SS" and front is not None:
            near = np.abs(x - front) <= width
        total["all"].extend(difference)
        total["off"].extend(difference[~near])
        worst = int(np.argmax(np.abs(difference)))
        print(f"  {text}: rms difference from {len(x)} {label} points {rms(difference):.4f}, "
              f"largest {difference[worst]:+.4f} at {x[worst]:.4g}{unit}")
    missing = [text for side, text in SIDES if side in measured and side not in curves]
    count = len(total["all"])
    if not count:
        print(f"  {label}: no point lies on the curves")
        return
    left = count - len(total["off"])
    print(f"  {label}, both sides: rms difference {rms(total['all']):.4f}; {rms(total['off']):.4f} over the "
          f"{count - left} points farther than {width:g}{unit} from the shock")
    print(f"  left out: {beyond} points beyond the ends of the curves"
          + "".join(f", the {text}, which the blade has not" for text in missing)
          + f"; the second figure leaves out {left} points at the shock")


def report(name, curves, measured, options):
    """measured: [(label, points)]"""
    unit = f" {options.x_scale}" if options.abscissa == "x" else ""
    width = options.shock_width
    if width is None:
        width = 3.0 if options.abscissa == "x" else 0.05
    print(f"{name}:")
    front = None
    for side, text in SIDES:
        if side not in curves:
            continue
        over, _, _, _, mach = curves[side]
        peak = int(np.argmax(mach))
        print(f"  {text}: largest M_is {mach[peak]:.3f} at {options.abscissa} = {over[peak]:.4g}{unit}", end="")
        if side == "SS":
            front = shock(over, mach)
            if front is not None:
                print(f", steepest fall (shock) at {options.abscissa} = {front:.4g}{unit}", end="")
        print()
    for label, points in measured:
        compare(label, curves, points, front, width, unit)


def rms(values):
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else float("nan")


def run(options):
    if not options.p0 > 0 or not options.gamma > 1:
        raise InputError("--p0 must be positive and --gamma greater than 1")
    if len(options.measured_label) > len(options.measured):
        raise InputError("more --measured-label than --measured")
    names = options.measured_label + [
        "measured" if len(options.measured) == 1 else os.path.basename(path)
        for path in options.measured[len(options.measured_label):]]
    measured = [(name, read_measured(path)) for name, path in zip(names, options.measured)]
    scale, unit = SCALES[options.x_scale], options.x_scale
    fig, ax = figure()
    rows = []
    colours = ((BLUE, ORANGE), (GREEN, RED), (PURPLE, "#8c6d31"))
    for n, path in enumerate(options.snapshot):
        file = File(path, (2, 3))
        curves = sides(file, options)
        prefix = f"{file.title()}: " if len(options.snapshot) > 1 else ""
        for (side, text), colour in zip(SIDES, colours[n % len(colours)]):
            if side not in curves:
                continue
            over, x, y, p, mach = curves[side]
            ax.plot(over, mach, color=colour, label=prefix + text)
            rows += [[file.title(), side, *v] for v in zip(scale * x, scale * y, p, mach, over)]
        report(file.title(), curves, measured, options)
    for n, (label, points) in enumerate(measured):
        for (side, text), marker in zip(SIDES, ("os", "^v", "D*", "Ph")[n % 4]):
            if side in points:
                ax.plot(*points[side].T, marker, ms=4.5, mfc="white", mec="black", mew=1.0,
                        label=f"{label}, {text}")
    ax.axhline(1, color="#999999", lw=0.7, ls=":")
    ax.set_xlabel({"x": f"axial distance from the leading edge ({unit})",
                   "x/c": "axial distance from the leading edge over the axial chord",
                   "s/c": "length along the surface over the chord",
                   "chord": "distance along the chord over the chord"}[options.abscissa])
    ax.set_ylabel(r"isentropic Mach number $M_\mathrm{is}$")
    ax.set_ylim(bottom=0)
    ax.grid(True)
    legend_beside(ax)
    save(fig, options.output)
    save_table(beside(options.output, ".csv"),
               ("snapshot", "side", f"x_{unit}", f"y_{unit}", "p_Pa", "Mis", "abscissa"), rows)
