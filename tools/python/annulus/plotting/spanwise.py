"""tools/plot spanwise: mass-flow averages over the pitch along the span, at stations of a snapshot."""
from ..average import spanwise
from ..flow import flow_of
from .style import CYCLE, add_output, beside, figure, save, save_table

USUAL = ("PressureStagnation", "TemperatureStagnation", "FlowAngle", "MachRelative")


def add_parser(commands):
    parser = commands.add_parser("spanwise", help="spanwise profiles at stations of a snapshot")
    parser.add_argument("snapshot", help="flow_NNNNNNNN.cgns, or an output folder for its newest one")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--x", type=float, nargs="+", help="axial stations, m")
    where.add_argument("--m", type=float, nargs="+", metavar="FRACTION",
                       help="stations as fractions of the meridional length from the inlet, for machines that turn")
    parser.add_argument("--fields", default=",".join(USUAL), help=f"quantities (default: {','.join(USUAL)})")
    parser.add_argument("--width", type=float, help="of the slab that is averaged, as --x or --m (default: 1 %% of the mesh)")
    add_output(parser, "spanwise.png", "picture; a CSV goes beside it")
    parser.set_defaults(run=run, newest="flow")


def draw(axes, flow, stations, names, width=None, along="x"):
    """One panel a quantity; rows of the table (x or fraction, span, r, values)."""
    rows = []
    for n, x in enumerate(stations):
        span, r, values = spanwise(flow, x, names, width, along=along)
        said = f"x = {1e3 * x:.4g} mm" if along == "x" else f"{100 * x:.3g} % of the length"
        for ax, name in zip(axes, names):
            ax.plot(values[name], 100 * span, color=CYCLE[n % len(CYCLE)], label=said)
        rows += [[x, s, radius, *(values[name][m] for name in names)] for m, (s, radius) in enumerate(zip(span, r))]
    for ax, name in zip(axes, names):
        ax.set_xlabel(flow.label(name))
        ax.grid(True)
    axes[0].set_ylabel("span (%)")
    axes[0].set_ylim(0, 100)
    axes[-1].legend(loc="center left", bbox_to_anchor=(1.02, 0.5))
    return rows


def run(options):
    flow = flow_of(options.snapshot)
    names = options.fields.split(",")
    fig, axes = figure(2.5 * len(names) + 1.2, 4.2, ncols=len(names), sharey=True, squeeze=False)
    along, stations = ("x", options.x) if options.x else ("m", options.m)
    rows = draw(axes[0], flow, stations, names, options.width, along)
    save(fig, options.output)
    save_table(beside(options.output, ".csv"), ("x_m" if along == "x" else "fraction", "span", "radius_m", *names), rows)
    print(f"{len(stations)} stations, {len(rows)} values of {len(names)} quantities")
