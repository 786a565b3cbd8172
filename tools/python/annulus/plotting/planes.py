"""tools/plot planes: spanwise profiles behind every row of a machine, over measured ones.

The planes are the inlet of the first row and the outlets of all rows (station.row_ends): a little ahead of the next row. Measured data: a CSV
with the columns plane (`inlet`, or the name of the row that the plane lies behind), span (0 at the hub, 1 at the casing) and any of
COLUMNS and RATIOS of annulus.station; beta_deg is relative to the row ahead of the plane, ratios are over the inlet's mean."""
import numpy as np
from matplotlib.ticker import MaxNLocator

from ..errors import InputError
from ..flow import flow_of
from ..station import COLUMNS, RATIOS, ratios, row_ends
from .map import number, table
from .style import BLUE, GREY, add_output, beside, plt, save, save_table

TEXT = {
    "p0_Pa": "total pressure (kPa)", "T0_K": "total temperature (K)", "alpha_deg": "absolute angle (deg)",
    "beta_deg": "relative angle (deg)", "mach": "Mach number", "mach_relative": "relative Mach number", "p_Pa": "pressure (kPa)",
    "T_K": "temperature (K)", "pressure_ratio": "total pressure ratio", "temperature_ratio": "total temperature ratio",
    "efficiency": "efficiency", "vx_m_s": "axial velocity (m/s)", "vt_m_s": "swirl (m/s)", "vr_m_s": "radial velocity (m/s)",
    "pitch_deg": "pitch angle (deg)",
}
USUAL = ("p0_Pa", "T0_K", "alpha_deg", "vx_m_s")
ACROSS = 5  # planes side by side
INLET = "inlet"


def add_parser(commands):
    parser = commands.add_parser("planes", help="spanwise profiles behind every row of a machine")
    parser.add_argument("snapshot", help="flow_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--columns", default=",".join(USUAL), help=f"what to draw (default: {','.join(USUAL)}, and what was measured)")
    parser.add_argument("--measured", metavar="CSV", help="columns plane (inlet, or the row ahead), span, and any of those that are drawn")
    parser.add_argument("--bands", type=int, metavar="N", help="averages along the span (default: the mesh's layers of cells, at most 20)")
    add_output(parser, "planes.png", "picture; a CSV goes beside it")
    parser.set_defaults(run=run, newest="flow")


def profiles(flow, count):
    """(name of the plane, its bands as dictionaries of span, COLUMNS and RATIOS) from the inlet on."""
    ends = row_ends(flow)
    first, found = ends[0][0].mean(), []
    for name, end in [(INLET, ends[0][0])] + [(pair[1].row.name, pair[1]) for pair in ends]:
        bands = end.bands(count)
        found.append((name, [{"span": (n + 0.5) / count, **b, **ratios(flow, first, b)} for n, b in enumerate(bands) if b]))
    return found


def measured_planes(path, planes):
    """Of a CSV of measured profiles: name of the plane -> column -> array; and the columns."""
    rows, _ = table(path, ("span",), ("plane",))
    names = [c for c in (rows[0] if rows else {}) if c in COLUMNS or c in RATIOS]
    found = {}
    for n, row in enumerate(rows, 1):
        if row["plane"] not in planes:
            raise InputError(f"{path}: line {n} below the header: '{row['plane']}' is no plane; there are {', '.join(planes)}")
        here = found.setdefault(row["plane"], {c: [] for c in ("span", *names)})
        for c in here:
            here[c].append(number(path, n, c, row[c]))
    return {plane: {c: np.array(v) for c, v in here.items()} for plane, here in found.items()}, names


def panel(ax, name, bands, measured):
    factor = 1e-3 if name.endswith("_Pa") else 1.0
    ax.plot([factor * b[name] for b in bands], [100 * b["span"] for b in bands], color=BLUE)
    if measured and name in measured:
        ax.plot(factor * measured[name], 100 * measured["span"], "o", ms=3, color=GREY, mfc="none")
    low, high = ax.get_xlim()
    least = 1.0 if name.endswith("_deg") else 0.01 * max(abs(low), abs(high))  # no picture of rounding errors
    if high - low < least:
        ax.set_xlim(0.5 * (low + high - least), 0.5 * (low + high + least))
    ax.xaxis.set_major_locator(MaxNLocator(2, steps=[1, 2, 5, 10], min_n_ticks=2))
    ax.ticklabel_format(axis="x", useOffset=False)
    ax.tick_params(labelsize=8)
    ax.grid(True)


def draw(found, names, measured):
    """One line of panels for each quantity, one column for each plane, in blocks of ACROSS planes."""
    blocks = [found[n : n + ACROSS] for n in range(0, len(found), ACROSS)]
    width, height = min(ACROSS, len(found)), len(names)
    # sizes in inches, so that nothing depends on a layout engine, which takes a second for so many axes
    w, h, left, gap_x, gap_y, head = 1.75, 1.15, 0.75, 0.22, 0.5, 0.45
    whole = (left + width * (w + gap_x), len(blocks) * (head + height * (h + gap_y)))
    fig = plt.figure(figsize=whole)
    for m, block in enumerate(blocks):
        for row, name in enumerate(names):
            bottom = whole[1] - m * (head + height * (h + gap_y)) - head - row * (h + gap_y) - h
            for column, (plane, bands) in enumerate(block):
                ax = fig.add_axes([(left + column * (w + gap_x)) / whole[0], bottom / whole[1], w / whole[0], h / whole[1]])
                panel(ax, name, bands, measured.get(plane))
                ax.set_ylim(0, 100)
                ax.set_yticks([0, 50, 100])
                if column:
                    ax.set_yticklabels([])
                else:
                    ax.set_ylabel("span (%)", fontsize=9)
                    ax.annotate(TEXT.get(name, name), (0, 1), (0, 3), "axes fraction", "offset points", fontsize=9, color=BLUE)
                if row == 0:
                    text = "inlet" if plane == INLET else f"behind {plane}"
                    ax.annotate(text, (0.5, 1), (0, 16), "axes fraction", "offset points", ha="center", fontsize=10, fontweight="bold")
    return fig


def run(options):
    flow = flow_of(options.snapshot)
    bands = min(20, max(zone.cells[2] for zone in flow.layers)) if options.bands is None else options.bands
    if bands < 1:
        raise InputError("--bands must be at least 1")
    found = profiles(flow, bands)
    names, measured = options.columns.split(","), {}
    unknown = [name for name in names if name not in COLUMNS and name not in RATIOS]
    if unknown:
        raise InputError(f"--columns {unknown[0]}: expected some of {', '.join((*COLUMNS, *RATIOS))}")
    if options.measured:
        measured, columns = measured_planes(options.measured, [name for name, _ in found])
        names += [name for name in columns if name not in names]
    save(draw(found, names, measured), options.output)
    columns = ("span", *COLUMNS, *RATIOS)
    save_table(beside(options.output, ".csv"), ("plane", *columns), [[name, *(b[c] for c in columns)] for name, bands in found for b in bands])
    print(f"{len(found)} planes" + (f"; circles: measured, {sum(len(m['span']) for m in measured.values())} points" if measured else ""))
