"""tools/plot spanwise: mass-flow averages over the pitch along the span, at axial stations of a snapshot."""
import numpy as np

from ..average import spanwise
from ..flow import Flow
from .style import CYCLE, beside, figure, save, save_table

USUAL = ("PressureStagnation", "TemperatureStagnation", "FlowAngle", "MachRelative")


def add_parser(commands):
    parser = commands.add_parser("spanwise", help="spanwise profiles at axial stations of a snapshot")
    parser.add_argument("snapshot", help="flow_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--x", type=float, nargs="+", required=True, help="stations, m")
    parser.add_argument("--fields", default=",".join(USUAL), help=f"quantities (default: {','.join(USUAL)})")
    parser.add_argument("--width", type=float, help="of the slab that is averaged, m (default: 1 %% of the mesh)")
    parser.add_argument("-o", "--output", default="spanwise.png", help="picture; a CSV goes beside it")
    parser.set_defaults(run=run, newest="flow")


def draw(axes, flow, stations, names, width=None):
    """One panel a quantity; rows of the table (x, span, r, values)."""
    rows = []
    for n, x in enumerate(stations):
        span, r, values = spanwise(flow, x, names, width)
        for ax, name in zip(axes, names):
            ax.plot(values[name], 100 * span, color=CYCLE[n % len(CYCLE)], label=f"x = {1e3 * x:.4g} mm")
        rows += [[x, s, radius, *(values[name][m] for name in names)] for m, (s, radius) in enumerate(zip(span, r))]
    for ax, name in zip(axes, names):
        ax.set_xlabel(flow.label(name))
        ax.grid(True)
    axes[0].set_ylabel("span (%)")
    axes[0].set_ylim(0, 100)
    axes[-1].legend(loc="center left", bbox_to_anchor=(1.02, 0.5))
    return rows


def run(options):
    flow = Flow(options.snapshot)
    names = options.fields.split(",")
    fig, axes = figure(2.5 * len(names) + 1.2, 4.2, ncols=len(names), sharey=True, squeeze=False)
    rows = draw(axes[0], flow, options.x, names, options.width)
    save(fig, options.output)
    save_table(beside(options.output, ".csv"), ("x_m", "span", "radius_m", *names), rows)
    print(f"{len(options.x)} stations, {len(rows)} values of {len(names)} quantities")
