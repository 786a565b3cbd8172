"""tools/plot stages: pressures, temperatures, angles and Mach numbers from row to row through a machine, and the table of its
rows (see blading)."""
import numpy as np

from ..blading import FIGURES, row_table
from ..flow import flow_of
from ..station import machine_table
from .style import BLUE, GREEN, ORANGE, RED, add_output, beside, figure, legend_beside, save, save_table

# name of an axis, factor, and (column of the stations, text, colour) of each of its lines
PANELS = (
    ("pressure (kPa)", 1e-3, (("p0_Pa", "total", BLUE), ("p_Pa", "static", ORANGE))),
    ("temperature (K)", 1, (("T0_K", "total", BLUE), ("T_K", "static", ORANGE))),
    ("flow angle (deg)", 1, (("alpha_deg", "absolute", BLUE), ("beta_row_deg", "relative to the row", GREEN))),
    ("Mach number", 1, (("mach", "absolute", BLUE), ("mach_relative", "relative to the row", GREEN))),
)


def add_parser(commands):
    parser = commands.add_parser("stages", help="figures from row to row through a machine, and the table of its rows")
    parser.add_argument("snapshot", help="flow_NNNNNNNN.cgns, or an output folder for its newest one")
    add_output(parser, "stages.png", "picture; the table of the rows goes beside it as CSV")
    parser.set_defaults(run=run, newest="flow")


def relative_angle(line, omega):
    """Of the mean flow at a station in the frame of a row, deg."""
    across = line["vt_m_s"] - omega * line["radius_mean_m"]
    return float(np.degrees(np.arctan2(across, np.hypot(line["vx_m_s"], line["vr_m_s"]))))


def draw(fig, axes, rows, lines):
    """rows: of Flow.in_order; lines: of machine_table, two for each of them. Each row has the width 1."""
    place = np.array([n + side for n in range(len(rows)) for side in (0.12, 0.88)])
    for line, row in zip(lines, [row for row in rows for _ in (0, 1)]):
        line["beta_row_deg"] = relative_angle(line, row.omega)
    for ax, (name, factor, curves) in zip(axes, PANELS):
        for column, text, colour in curves:
            ax.plot(place, [factor * line[column] for line in lines], "o-", ms=3, lw=1.3, color=colour, label=text)
        for n, row in enumerate(rows):
            if row.omega:
                ax.axvspan(n, n + 1, color="#f1f1f1", lw=0, zorder=0)
        ax.set_ylabel(name)
        ax.grid(True, axis="y")
        legend_beside(ax)
    fig.align_ylabels(axes)
    axes[-1].set_xlim(0, len(rows))
    axes[-1].set_xticks(np.arange(len(rows)) + 0.5, [row.name for row in rows])
    axes[-1].tick_params(axis="x", length=0)
    axes[-1].set_xlabel("row, in the order of the flow; rows that turn are shaded")


def run(options):
    flow = flow_of(options.snapshot)
    rows, lines = flow.in_order(), machine_table(flow)
    fig, axes = figure(max(6.4, 0.62 * len(rows) + 2.4), 7.2, nrows=len(PANELS), sharex=True)
    draw(fig, axes, rows, lines)
    save(fig, options.output)
    table = row_table(flow)
    save_table(beside(options.output, ".csv"), ("row", *FIGURES), [[line["row"], *(line[name] for name in FIGURES)] for line in table])
    first, last = lines[0], lines[-1]
    print(f"{len(rows)} rows, {last['mass_flow_kg_s']:.5g} kg/s, total pressure ratio {last['p0_Pa'] / first['p0_Pa']:.5g}")
