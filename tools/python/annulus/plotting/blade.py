"""tools/plot blade: isentropic Mach number along a blade, with measured points.

    M_is = sqrt(2 / (gamma - 1) ((p0 / p)^((gamma - 1) / gamma) - 1)),  p = wall pressure
"""
import os

import numpy as np

trapezoid = getattr(np, "trapezoid", None) or np.trapz  # renamed in NumPy 2

from . import surface
from ..cgns import File
from .style import BLUE, GREEN, ORANGE, PURPLE, RED, SCALES, InputError, beside, figure, save
from .style import save_table

SIDES = (("SS", "suction side"), ("PS", "pressure side"))


def add_parser(commands):
    parser = commands.add_parser("blade", help="isentropic Mach number on a blade")
    parser.add_argument("snapshot", nargs="+", help="snapshots, files of their walls (wall_NNNNNNNN.cgns), or "
                        "output folders for the newest snapshot of each")
    parser.add_argument("--family", default="blade", help="boundary of the blade (default: blade)")
    parser.add_argument("--p0", type=float, required=True, help="inlet total pressure, Pa")
    parser.add_argument("--gamma", type=float, default=1.4, help="ratio of specific heats")
    parser.add_argument("--measured", metavar="CSV", help="lines side,x,Mis; side is SS or PS")
    parser.add_argument("--measured-label", default="measured", help="name in the legend")
    parser.add_argument("--cut", default="k=mid", help="layer of cells: k=mid (default) or k=N")
    parser.add_argument("--x-scale", default="mm", choices=SCALES, help="unit of x, also of CSV")
    parser.add_argument(
        "--x-origin", type=float, help="x of the axis's zero, in the mesh (default: leading edge)"
    )
    parser.add_argument(
        "--shock-width", type=float, default=3.0, help="half width left out around the shock"
    )
    parser.add_argument("-o", "--output", default="blade.png", help="picture; a CSV goes beside it")
    parser.set_defaults(run=run, newest="flow")


def contours(file, family, cut, gamma):
    """Contours of the blade: nodes [3, n+1], face centres [3, n], wall pressure [n]."""
    if file.is_surface:
        rows = [surface.row(z, 0, ["Pressure"], cut) for z in surface.wall_zones(file, family)]
        return surface.chain([(line, face, p) for line, face, (p,) in rows])
    pieces = []
    for zone in file.zones:
        patches = [p for p in zone.patches() if surface.patch_matches(p, family)]
        if not patches:
            continue
        k = surface.layer_index(zone.cells, cut)
        nodes, pressure = surface.layer_nodes(zone, k), zone.field("Pressure", gamma)[k]
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


def split(nodes, face, values):
    """Cuts a contour at its first and last x: parts (face centres, values), each leading to
    trailing edge."""
    closed = np.linalg.norm(nodes[:, 0] - nodes[:, -1]) < 1e-6 * np.ptp(nodes, axis=1).max()
    if closed:
        start = int(np.argmin(nodes[0, :-1]))
        face, values = np.roll(face, -start, axis=1), np.roll(values, -start)
        nodes = np.hstack([np.roll(nodes[:, :-1], -start, axis=1), nodes[:, start : start + 1]])
        cuts = [int(np.argmax(nodes[0]))]
    else:
        cuts = sorted({int(np.argmin(nodes[0])), int(np.argmax(nodes[0]))})
    for part in np.split(np.arange(len(values)), cuts):
        if len(part) > 1:
            if nodes[0, part[0]] > nodes[0, part[-1] + 1]:
                part = part[::-1]
            yield face[:, part], values[part]


def sides(file, options):
    """{'SS': (x, y, p, M), 'PS': ...} in metres, by increasing distance along the blade."""
    parts = []
    lines = contours(file, options.family, options.cut, options.gamma)
    for contour in lines:
        for face, p in split(*contour):
            parts.append((face, p, isentropic_mach(p, options.p0, options.gamma)))
    x0 = options.x_origin
    if x0 is None:
        x0 = min(line[0][0].min() for line in lines)
    # the suction side is the one with the higher mean Mach number over x
    mean = [trapezoid(m, f[0]) / np.ptp(f[0]) for f, _, m in parts]
    middle = 0.5 * (min(mean) + max(mean))
    result = {}
    for name, member in (("SS", np.greater_equal), ("PS", np.less)):
        chosen = [part for part, value in zip(parts, mean) if member(value, middle)]
        if not chosen:
            continue
        chosen.sort(key=lambda part: part[0][0].min())
        face = np.hstack([f for f, _, _ in chosen])
        p, mach = (np.concatenate([part[n] for part in chosen]) for n in (1, 2))
        result[name] = (face[0] - x0, face[1], p, mach)
    return result


def read_measured(path):
    """{'SS': [[x, Mis], ...], 'PS': ...}"""
    points = {"SS": [], "PS": []}
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    with open(path) as lines:
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


def report(name, curves, measured, options):
    scale, unit = SCALES[options.x_scale], options.x_scale
    print(f"{name}:")
    front = None
    for side, text in SIDES:
        if side not in curves:
            continue
        x, _, p, mach = curves[side]
        peak = int(np.argmax(mach))
        print(f"  {text}: largest M_is {mach[peak]:.3f} at x = {scale * x[peak]:.2f} {unit}", end="")
        if side == "SS":
            front = shock(x, mach)
            if front is not None:
                print(f", steepest fall (shock) at x = {scale * front:.2f} {unit}", end="")
        print()
    total = {"all": [], "off": []}
    for side, text in SIDES:
        if side not in curves or side not in measured:
            continue
        x = measured[side][:, 0]
        difference = interpolate(x, scale * curves[side][0], curves[side][3]) - measured[side][:, 1]
        near = np.zeros(len(x), bool)
        if side == "SS" and front is not None:
            near = np.abs(x - scale * front) <= options.shock_width
        total["all"].extend(difference)
        total["off"].extend(difference[~near])
        worst = int(np.argmax(np.abs(difference)))
        print(
            f"  {text}: rms difference from {len(x)} measured points {rms(difference):.4f}, "
            f"largest {difference[worst]:+.4f} at x = {x[worst]:.2f} {unit}"
        )
    if total["all"]:
        print(
            f"  both sides: rms difference {rms(total['all']):.4f}; {rms(total['off']):.4f} over the "
            f"{len(total['off'])} points farther than {options.shock_width:g} {unit} from the shock"
        )


def rms(values):
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else float("nan")


def run(options):
    if not options.p0 > 0 or not options.gamma > 1:
        raise InputError("--p0 must be positive and --gamma greater than 1")
    measured = read_measured(options.measured) if options.measured else {}
    scale = SCALES[options.x_scale]
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
            x, y, p, mach = curves[side]
            ax.plot(scale * x, mach, color=colour, label=prefix + text)
            rows += [[file.title(), side, *v] for v in zip(scale * x, scale * y, p, mach)]
        report(file.title(), curves, measured, options)
    for (side, text), marker in zip(SIDES, "os"):
        if side in measured:
            ax.plot(
                *measured[side].T,
                marker,
                ms=4.5,
                mfc="white",
                mec="black",
                mew=1.0,
                label=f"{options.measured_label}, {text}",
            )
    ax.axhline(1, color="#999999", lw=0.7, ls=":")
    ax.set_xlabel(f"axial distance from the leading edge ({options.x_scale})")
    ax.set_ylabel(r"isentropic Mach number $M_\mathrm{is}$")
    ax.set_ylim(bottom=0)
    ax.grid(True)
    ax.legend(fontsize=9)
    save(fig, options.output)
    unit = options.x_scale
    save_table(
        beside(options.output, ".csv"),
        ("snapshot", "side", f"x_{unit}", f"y_{unit}", "p_Pa", "Mis"),
        rows,
    )
