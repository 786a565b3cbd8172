"""tools/plot wall: a field of viscous walls along a coordinate, from wall_NNNNNNNN.cgns.

    cf = 2 tau / (rho u^2),  tau with the sign of its component along the coordinate
    cp = 2 (p - p_inf) / (rho u^2)
"""
import itertools
import re

import numpy as np

from .. import surface
from ..cgns import File
from .style import InputError, add_output, beside, colour, figure, legend_beside, save, save_table

LABELS = {
    "cf": r"skin friction coefficient $c_f$",
    "cp": r"pressure coefficient $c_p$",
    "Pressure": r"pressure $p$ (Pa)",
    "SkinFrictionMagnitude": r"wall shear stress $\tau_w$ (Pa)",
    "SkinFrictionX": r"wall shear stress $\tau_x$ (Pa)",
    "SkinFrictionY": r"wall shear stress $\tau_y$ (Pa)",
    "SkinFrictionZ": r"wall shear stress $\tau_z$ (Pa)",
    "WallHeatFlux": r"heat flux into the wall $q_w$ (W/m$^2$)",
    "TemperatureWall": r"wall temperature $T_w$ (K)",
    "YPlus": r"$y^+$ of the first cells",
    "HeatTransferCoefficient": r"heat transfer coefficient $h$ (W/(m$^2$ K))",
    "StantonNumber": r"Stanton number $St$",
}


def add_parser(commands):
    parser = commands.add_parser("wall", help="a field of viscous walls along a coordinate")
    parser.add_argument("file", nargs="+", help="wall_NNNNNNNN.cgns, or output folders for the newest one of "
                        "each; several are compared")
    parser.add_argument("--field", default="cf", help="cf (default), cp or a field of the file")
    parser.add_argument("--x", default="x", choices=["x", "y", "z", "arc"], help="coordinate (default: x); arc: arc length "
                        "from the leading edge, negative on the pressure side, of runs whose walls have a profile by sides")
    parser.add_argument("--family", nargs="+", help="boundaries, each in a colour of its own (default: all of the file in one)")
    parser.add_argument("--cut", default="k=mid", help="row of faces: k=mid (default) or k=N")
    parser.add_argument("--rho", type=float, help="density of cf and cp, kg/m3")
    parser.add_argument("--u", type=float, help="velocity of cf and cp, m/s")
    parser.add_argument("--p", type=float, help="pressure where cp is 0, Pa")
    parser.add_argument("--at", type=float, nargs="+", default=[], help="print the values here, m")
    parser.add_argument("--length", type=length, metavar="M[=NAME]", help="x in parts of this length, m, and its name: 0.044=H*")
    parser.add_argument("--over", type=length, metavar="VALUE[=NAME]", help="the field in parts of this value: 1.35e5=p0")
    parser.add_argument("--reference", metavar="FILE[:A,B]", action="append", default=[], help="lines x,value or x value, in the "
                        "units of the picture; # comments; columns A and B (default: 1,2); may be repeated")
    parser.add_argument("--reference-label", metavar="NAME", action="append", help="of each --reference, in the legend")
    parser.add_argument("--thin", type=int, default=1, metavar="N", help="draw every N-th point of the references")
    parser.add_argument("--label", nargs="+", help="names of the files in the legend")
    parser.add_argument("--x-range", metavar="LO:HI", help="of the picture")
    parser.add_argument("--y-range", metavar="LO:HI", help="of the picture")
    add_output(parser, "wall.png", "picture; a CSV goes beside it")
    parser.set_defaults(run=run, newest="wall")


def length(text):
    """'0.044=H*' -> (0.044, 'H*'); without a name the number is the name."""
    number, _, name = text.partition("=")
    if not float(number) > 0:
        raise ValueError(text)
    return float(number), name or number


def check(options):
    for name in ("rho", "u"):
        value = getattr(options, name)
        if options.field in ("cf", "cp") and value is None:
            raise InputError(f"--field {options.field} needs --{name}")
        if value is not None and not value > 0:
            raise InputError(f"--{name} must be positive")
    if options.field == "cp" and options.p is None:
        raise InputError("--field cp needs --p")
    if options.label and len(options.label) != len(options.file):
        raise InputError(f"{len(options.label)} labels for {len(options.file)} files")
    if options.reference_label and len(options.reference_label) != len(options.reference):
        raise InputError(f"{len(options.reference_label)} times --reference-label for {len(options.reference)} times --reference")
    if options.thin < 1:
        raise InputError("--thin must be at least 1")


def bounds(text):
    try:
        low, high = (float(v) for v in text.split(":"))
    except ValueError:
        raise InputError(f"'{text}': expected LO:HI") from None
    return low, high


def values_of(zone, axis, options):
    """[(x [n], values [n])] of one row of faces, by increasing x; the sides of a body that the row goes around stand
    apart."""
    names = {
        "cf": ["SkinFrictionMagnitude", "SkinFriction" + "XYZ"[axis]],
        "cp": ["Pressure"],
    }.get(options.field, [options.field])
    by_arc = options.x == "arc"
    _, face, found = surface.row(zone, axis, names + ["ArcLength"] * by_arc, options.cut)
    value = found[0]
    if by_arc:
        order = np.argsort(found[-1], kind="stable")
        if options.field == "cf":
            value = 2 * value / (options.rho * options.u**2)
        elif options.field == "cp":
            value = 2 * (value - options.p) / (options.rho * options.u**2)
        return [(found[-1][order], value[order])]
    if options.field == "cf":
        value = 2 * value * np.sign(found[1]) / (options.rho * options.u**2)
    elif options.field == "cp":
        value = 2 * (value - options.p) / (options.rho * options.u**2)
    x, parts = face[axis], sides(face[axis])
    found = []
    for part in parts:
        order = part[np.argsort(x[part], kind="stable")]
        found.append((x[order], value[order]))
    return found


def sides(x, most=4):
    """Indices of the parts of a row in which x rises or falls all along; one part where there are too many."""
    step = np.sign(np.diff(x))
    at = np.flatnonzero(step)  # two neighbours can have the same x
    turns = at[1:][step[at][1:] != step[at][:-1]]
    turns = turns + (step[turns - 1] != 0)
    return np.split(np.arange(len(x)), turns) if 0 < len(turns) < most else [np.arange(len(x))]


def join(parts):
    """Rows that follow each other in x become one."""
    lines = []
    for x, value in sorted(parts, key=lambda part: part[0][0]):
        before = [n for n, line in enumerate(lines) if line[0][-1] < x[0]]
        if before:
            n = max(before, key=lambda m: lines[m][0][-1])
            lines[n] = np.append(lines[n][0], x), np.append(lines[n][1], value)
        else:
            lines.append((x, value))
    return lines


def curves(file, family, options):
    axis, x_unit = "xyz".index("x" if options.x == "arc" else options.x), options.length[0] if options.length else 1
    unit = options.over[0] if options.over else 1
    lines = join([part for zone in surface.wall_zones(file, family) for part in values_of(zone, axis, options)])
    return [(x / x_unit, value / unit) for x, value in lines]


def read_reference(text):
    """[n, 2] of FILE or FILE:A,B; lines of words (headers, Tecplot's zones) are left out."""
    path, columns, rows = text, (1, 2), []
    given = re.fullmatch(r"(.+):([1-9]\d*),([1-9]\d*)", text)
    if given:
        path, columns = given[1], (int(given[2]), int(given[3]))
    with open(path, errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            line = line.split("#")[0].strip()
            if not line or line[0].isalpha() or line[0] in "\"'":
                continue
            try:
                found = line.replace(",", " ").split()
                rows.append(tuple(float(found[c - 1]) for c in columns))
            except (ValueError, IndexError):
                raise InputError(f"{path}:{number}: expected 'x,value' in columns {columns[0]} and {columns[1]}, not '{line}'") from None
    if not rows:
        raise InputError(f"{path}: no lines x,value")
    return np.array(rows)


def report(name, lines, reference, options):
    print(f"{name}:")
    for at in options.at:
        inside = [line for line in lines if line[0][0] <= at <= line[0][-1]]
        if not inside:
            low, high = min(x[0] for x, _ in lines), max(x[-1] for x, _ in lines)
            raise InputError(
                f"--at {at:g}: face centres of {name} go from {options.x} = {low:.6g} to {high:.6g}"
            )
        for x, value in inside:
            print(f"  {options.field} at {options.x} = {at:g}: {np.interp(at, x, value):.6g}", end="")
            if reference is not None and reference[:, 0].min() <= at <= reference[:, 0].max():
                order = np.argsort(reference[:, 0], kind="stable")
                known = np.interp(at, *reference[order].T)
                print(f", reference {known:.6g}", end="")
                if known:
                    print(f" ({100 * (np.interp(at, x, value) / known - 1):+.2f} %)", end="")
            print()
    if reference is not None and len(lines) == 1:
        x, value = lines[0]
        known = reference[(reference[:, 0] >= x[0]) & (reference[:, 0] <= x[-1])]
        if len(known):
            difference = np.interp(known[:, 0], x, value) - known[:, 1]
            worst = int(np.argmax(np.abs(difference)))
            print(
                f"  rms difference from {len(known)} reference points "
                f"{np.sqrt(np.mean(difference**2)):.4g}, largest {difference[worst]:+.4g} "
                f"at {options.x} = {known[worst, 0]:.6g}"
            )


def axis_labels(options):
    x = f"{options.x} (m)" if options.length is None else f"{options.x}/{options.length[1]}"
    y = LABELS.get(options.field, options.field)
    if options.over is not None:
        y = f"{y.split(' (')[0]} over {options.over[1]}"
    return x, y


def run(options):
    check(options)
    references = [read_reference(path) for path in options.reference]
    families = options.family or [None]
    fig, ax = figure()
    rows = []
    for (n, path), (f, family) in itertools.product(enumerate(options.file), enumerate(families)):
        file = File(path, (2,))
        # files of different runs have the same name: their folders tell them apart
        name = options.label[n] if options.label else path if len(options.file) > 1 else file.title()
        if len(families) > 1:
            name = f"{family}, {name}" if options.label or len(options.file) > 1 else family
        own, style = (f, ("-", "--", ":", "-.")[n % 4]) if len(families) > 1 else (n, "-")
        lines = curves(file, family, options)
        for m, (x, value) in enumerate(lines):
            ax.plot(x, value, style, color=colour(own), label=None if m else name)
            rows += [[name, str(m), *pair] for pair in zip(x, value)]
        about = references[min(f, len(references) - 1)] if len(references) in (1, len(families)) else None
        report(name, lines, about, options)
    for n, reference in enumerate(references):
        text = options.reference_label[n] if options.reference_label else "reference"
        edge = colour(n) if len(references) > 1 else "black"
        ax.plot(*reference[:: options.thin].T, "os^Dv"[n % 5], ms=3.5, mfc="white", mec=edge, mew=0.8, label=text)
    for put, text in zip((ax.set_xlabel, ax.set_ylabel), axis_labels(options)):
        put(text)
    if options.x_range:
        ax.set_xlim(*bounds(options.x_range))
    if options.y_range:
        ax.set_ylim(*bounds(options.y_range))
    ax.grid(True)
    legend_beside(ax)
    save(fig, options.output)
    x = f"{options.x}_m" if options.length is None else f"{options.x}_over_{options.length[1]}"
    save_table(beside(options.output, ".csv"), ("file", "line", x, options.field), rows)
