"""tools/plot profile: spanwise profiles of a station, from profile_NNNNNNNN.csv, over measured ones."""
import numpy as np

from .map import table
from .style import BLUE, GREY, ORANGE, InputError, add_output, figure, legend_beside, save

TEXT = {
    "pressure_ratio": "total pressure ratio",
    "temperature_ratio": "total temperature ratio",
    "efficiency": "isentropic efficiency",
    "alpha_deg": "absolute flow angle (deg)",
    "beta_deg": "relative flow angle (deg)",
    "p0_Pa": "total pressure (Pa)",
    "T0_K": "total temperature (K)",
    "mach": "Mach number",
    "mach_relative": "relative Mach number",
}
USUAL = ("pressure_ratio", "temperature_ratio", "efficiency", "alpha_deg")


def add_parser(commands):
    parser = commands.add_parser("profile", help="spanwise profiles of a station (monitors.stations)")
    parser.add_argument("file", nargs="+", help="profile_NNNNNNNN.csv, or output folders for the newest one of each")
    parser.add_argument("--x", type=float, help="station (default: the last one of the file)")
    parser.add_argument("--columns", default=",".join(USUAL), help=f"what to draw (default: {','.join(USUAL)})")
    parser.add_argument("--measured", help="CSV with column span and some of the columns; lines with # are comments")
    parser.add_argument("--mirror", action="store_true", help="angles of the computation with the other sign")
    parser.add_argument("--label", action="append", help="of each file, in their order")
    add_output(parser, "profile.png")
    parser.set_defaults(run=run, newest="profile")


def station(x, span, wanted):
    """The bands of a station, and its x. On a cylinder or a cone x differs from band to band: the line of the whole
    station, which follows its bands and has no span, holds x at mid-span."""
    found = []
    for n in range(len(x)):
        if n == 0 or not np.isfinite(span[n - 1]) or span[n] <= span[n - 1]:
            found.append([])
        found[-1].append(n)
    for lines in reversed(found):
        bands, where = [n for n in lines if np.isfinite(span[n])], x[lines[-1]]
        if bands and (wanted is None or np.isclose(where, wanted, rtol=1e-6, atol=1e-9)):
            return bands, where
    return [], wanted


def run(options):
    names = options.columns.split(",")
    fig, axes = figure(2.6 * len(names), 4.4, ncols=len(names), sharey=True)
    axes = np.atleast_1d(axes)
    measured = None
    if options.measured:
        rows, measured = table(options.measured, ("span",))
        known = rows[0].keys() if rows else ()
        _, measured = table(options.measured, ["span"] + [c for c in names if c in known])
    for n, path in enumerate(options.file):
        _, data = table(path, ["x_m", "span"] + names)
        here, where = station(data["x_m"], data["span"], options.x)
        if not here:
            raise InputError(f"{path}: no bands of a station" + ("" if options.x is None else f" at x = {where:g} m"))
        for ax, name in zip(axes, names):
            sign = -1 if options.mirror and name.endswith("_deg") else 1
            label = options.label[n] if options.label and n < len(options.label) else "computed"
            ax.plot(sign * data[name][here], 100 * data["span"][here], color=(BLUE, ORANGE)[n % 2], label=label)
        print(f"{path}: {len(here)} bands at x = {where:g} m")
    for ax, name in zip(axes, names):
        if measured is not None and name in measured:
            ax.plot(measured[name], 100 * measured["span"], "o", ms=3.5, color=GREY, mfc="none", label="measured")
        ax.set_xlabel(TEXT.get(name, name))
        ax.grid(True)
    axes[0].set_ylabel("span (%)")
    axes[0].set_ylim(0, 100)
    legend_beside(axes[-1], of=axes[0])
    save(fig, options.output)
