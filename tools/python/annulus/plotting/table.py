"""tools/plot table: the one-dimensional table of a machine, on the screen and as CSV."""
from ..flow import flow_of
from ..station import machine_table
from .style import add_output, save_table

SHOWN = (("x_m", "x, m"), ("mass_flow_kg_s", "kg/s"), ("p0_Pa", "p0, Pa"), ("T0_K", "T0, K"), ("p_Pa", "p, Pa"), ("alpha_deg", "alpha, deg"),
         ("beta_deg", "beta, deg"), ("mach", "Mach"), ("pressure_ratio", "p0 ratio"), ("efficiency", "eff."))


def add_parser(commands):
    parser = commands.add_parser("table", help="the one-dimensional table of a machine: averages over planes x = const")
    parser.add_argument("snapshot", help="flow_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--x", type=float, nargs="+", metavar="M", help="planes in m (default: near the ends of each row)")
    add_output(parser, "table.csv", "all columns as CSV")
    parser.set_defaults(run=run, newest="flow")


def run(options):
    lines = machine_table(flow_of(options.snapshot), options.x)
    print("  ".join(text.rjust(10) for _, text in SHOWN))
    for line in lines:
        print("  ".join("-".rjust(10) if line[name] != line[name] else f"{line[name]:10.5g}" for name, _ in SHOWN))
    save_table(options.output, list(lines[0]), [list(line.values()) for line in lines])
