"""tools/plot map: pressure ratio and efficiency of a speed line against the mass flow, over measured points. A
cascade has no efficiency; its mixed-out loss is drawn in that place."""
import csv
import os

import numpy as np

from .style import BLUE, GREY, ORANGE, InputError, figure, legend_beside, save


def add_parser(commands):
    parser = commands.add_parser("map", help="pressure ratio and efficiency against mass flow, of `annulus map`")
    parser.add_argument("folder", nargs="+", help="output folders of maps, or their map.csv")
    parser.add_argument(
        "--measured", help="CSV with columns mass_flow_kg_s, pressure_ratio, efficiency; lines with # are comments"
    )
    parser.add_argument("--label", action="append", help="of each map, in their order")
    parser.add_argument("--relative", action="store_true", help="mass flows over the largest of each line")
    parser.add_argument(
        "--stations", action="store_true", help="between the first and the last of monitors.stations, not the mesh's ends"
    )
    parser.add_argument("-o", "--output", help="picture (default: FOLDER/map.png)")
    parser.set_defaults(run=run)


def table(path, columns, words=()):
    """Lines of a CSV as dictionaries, and some of its columns as arrays; an empty cell is NaN. words: columns that must be there, too,
    and are no numbers."""
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    with open(path, newline="", errors="replace") as f:
        reader = csv.DictReader(line.replace("\0", "?") for line in f if not line.startswith("#"))
        missing = [c for c in (*words, *columns) if c not in (reader.fieldnames or [])]
        if missing:
            raise InputError(f"{path}: no column '{missing[0]}'")
        try:
            rows = list(reader)
        except csv.Error as error:
            raise InputError(f"{path}: {error}") from None
    return rows, {c: np.array([number(path, n, c, row[c]) for n, row in enumerate(rows, 1)]) for c in columns}


def number(path, line, column, cell):
    """Of a cell; NaN where it is empty."""
    try:
        return float(cell) if cell else np.nan
    except (TypeError, ValueError):
        raise InputError(f"{path}: line {line} below the header: '{cell}' in column {column} is not a number") from None


def second_of(lines):
    """What is drawn below the pressure ratio: (column, label of the axis, word)."""
    worked = any(np.isfinite(line["efficiency"]).any() for line in lines)
    lost = any("loss_mixed_out" in line and np.isfinite(line["loss_mixed_out"]).any() for line in lines)
    return ("loss_mixed_out", "mixed-out loss (%)") if lost and not worked else ("efficiency", "isentropic efficiency (%)")


def lines_of(folder, stations):
    """Path of a map, and its lines as pairs (speed, points that stand, by mass flow): one for each value of the column `speed`, as a
    fraction of the case's speed, from the lowest on; a map without that column is one line of the speed None."""
    path = os.path.join(folder, "map.csv") if os.path.isdir(folder) else folder
    prefix = "stations_" if stations else ""
    rows, data = table(path, ("mass_out_kg_s", prefix + "pressure_ratio", prefix + "efficiency", "setting"))
    for extra in ("loss_mixed_out", "speed"):
        if rows and rows[0].get(extra) is not None:
            data.update(table(path, (extra,))[1])
    data = {name.removeprefix("stations_"): value for name, value in data.items()}
    if "outcome" not in rows[0] if rows else True:
        raise InputError(f"{path}: no points")
    outcome = np.array([r["outcome"] for r in rows])
    good = np.isin(outcome, ("settled", "unsettled"))
    if not good.any():
        raise InputError(f"{path}: no point that settled")
    if stations and not np.isfinite(data["pressure_ratio"][good]).any():
        raise InputError(f"{path}: nothing between stations: the case had fewer than two of monitors.stations")
    data["settled"] = outcome == "settled"
    speeds = data.pop("speed", np.full(len(rows), np.nan))
    known = sorted(set(speeds[good & np.isfinite(speeds)].tolist()))
    found = []
    for speed in known or [None]:
        here = np.flatnonzero(good & (speeds == speed) if known else good)
        order = here[np.argsort(data["mass_out_kg_s"][here])]
        found.append((speed, {c: v[order] for c, v in data.items()}))
    return path, found


def speed_text(speed):
    return "" if speed is None else f"{100 * speed:.4g} % speed"


def run(options):
    fig, (top, bottom) = figure(5.6, 6.4, nrows=2, sharex=True)
    if options.measured:
        _, m = table(options.measured, ("mass_flow_kg_s", "pressure_ratio", "efficiency"))
        scale = m["mass_flow_kg_s"].max() if options.relative else 1
        for axes, name, factor in ((top, "pressure_ratio", 1), (bottom, "efficiency", 100)):
            axes.plot(m["mass_flow_kg_s"] / scale, factor * m[name], "o", color=GREY, mfc="none", label="measured")
    colours = (BLUE, ORANGE, "C2", "C3", "C4", "C5")
    lines, ends = [], []
    for m, folder in enumerate(options.folder):
        path, own = lines_of(folder, options.stations)
        label = options.label[m] if options.label and m < len(options.label) else "" if len(own) > 1 else "computed"
        lines += [(path, " ".join(filter(None, (label, speed_text(speed) if len(own) > 1 else ""))), line) for speed, line in own]
        ends += [(line["mass_out_kg_s"][0], line["pressure_ratio"][0]) for _, line in own if len(own) > 1]
    second, axis = second_of([line for _, _, line in lines])
    for n, (path, label, line) in enumerate(lines):
        mass = line["mass_out_kg_s"] / (line["mass_out_kg_s"].max() if options.relative else 1)
        for axes, name, factor in ((top, "pressure_ratio", 1), (bottom, second, 100)):
            if name not in line:
                continue
            axes.plot(mass, factor * line[name], "-", color=colours[n % 6], lw=1)
            for settled, fill in ((True, colours[n % 6]), (False, "none")):
                here = line["settled"] == settled
                text = label if settled else None
                axes.plot(mass[here], factor * line[name][here], "s", ms=4, color=colours[n % 6], mfc=fill, label=text)
        worked = np.isfinite(line["efficiency"]).any()
        print(
            f"{path}{': ' + label if label != 'computed' else ''}: {len(mass)} points, {line['mass_out_kg_s'].min():.5g} to {line['mass_out_kg_s'].max():.5g} kg/s, "
            f"pressure ratio up to {np.nanmax(line['pressure_ratio']):.4f}"
            + (f", efficiency up to {100 * np.nanmax(line['efficiency']):.2f} %" if worked else "")
            + (f", loss down to {100 * np.nanmin(line[second]):.2f} %" if second in line and not worked
               and np.isfinite(line[second]).any() else "")
        )
    if ends and not options.relative:  # the last points that stand before the rows stall
        top.plot(*zip(*ends), "--", color=GREY, lw=1, label="last points before stall")
    top.set_ylabel("total pressure ratio")
    bottom.set_ylabel(axis)
    bottom.set_xlabel("mass flow / largest" if options.relative else "mass flow (kg/s)")
    for axes in (top, bottom):
        axes.grid(True)
    legend_beside(top)
    save(fig, options.output or os.path.join(os.path.dirname(path), "map.png"))
