"""What all pictures share: sizes, colours, names of quantities, and how they are saved."""
import csv
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from ..errors import InputError  # noqa: E402
from ..si import LENGTHS  # noqa: E402

BLUE, ORANGE, GREEN, RED, PURPLE, GREY = (
    "#1f4e9c",
    "#d9772b",
    "#2e8b57",
    "#c0392b",
    "#7d4aa8",
    "#666666",
)
CYCLE = (BLUE, ORANGE, GREEN, RED, PURPLE, "#8c6d31", "#17838f", GREY)
COLOURS = "viridis"  # equal steps of the value look equally far apart, in print and to the colour-blind
SCALES = {name: 1 / LENGTHS[name] for name in ("m", "cm", "mm", "in")}

# CGNS name -> text for axes and colour bars
LABELS = {
    "Density": r"density $\rho$ (kg/m$^3$)",
    "Pressure": r"pressure $p$ (Pa)",
    "Temperature": r"temperature $T$ (K)",
    "Mach": r"Mach number $M$",
    "VelocityX": r"velocity $u$ (m/s)",
    "VelocityY": r"velocity $v$ (m/s)",
    "VelocityZ": r"velocity $w$ (m/s)",
    "VelocityMagnitude": r"velocity magnitude (m/s)",
    "MomentumX": r"momentum $\rho u$ (kg/m$^2$s)",
    "MomentumY": r"momentum $\rho v$ (kg/m$^2$s)",
    "MomentumZ": r"momentum $\rho w$ (kg/m$^2$s)",
    "EnergyStagnationDensity": r"total energy $\rho E$ (J/m$^3$)",
    "PressureStagnation": r"total pressure $p_0$ (Pa)",
    "TemperatureStagnation": r"total temperature $T_0$ (K)",
    "TemperatureWall": r"wall temperature $T$ (K)",
    "WallHeatFlux": r"heat flux into the wall (W/m$^2$)",
    "SkinFrictionMagnitude": r"skin friction $\tau_w$ (Pa)",
    "SkinFrictionX": r"skin friction along x (Pa)",
    "YPlus": r"$y^+$",
}


def colour(n):
    """Colour of the n-th of several things: those of CYCLE, then the same half-way to white, then darker; 24 in all."""
    turn, place = divmod(n % (3 * len(CYCLE)), len(CYCLE))
    if turn == 0:
        return CYCLE[place]
    rgb = [int(CYCLE[place][i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{(v + 255) // 2 if turn == 1 else v // 2:02x}" for v in rgb)


def label_of(name):
    """Text of an axis for a CGNS name, with its unit where it is known."""
    return LABELS.get(name, name)


plt.rcParams.update(
    {
        "figure.dpi": 100,
        "savefig.dpi": 200,
        "font.size": 10,
        "axes.titlesize": 11,
        "axes.linewidth": 0.8,
        "axes.grid": False,
        "grid.color": "#d9d9d9",
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "lines.linewidth": 1.6,
        "xtick.direction": "in",
        "ytick.direction": "in",
        "xtick.top": True,
        "ytick.right": True,
    }
)


def add_output(parser, name, what="picture"):
    """Option -o of a command; without it the picture of this name goes beside the first file that is read (see main)."""
    parser.add_argument("-o", "--output", help=f"{what} (default: {name} beside the file)")
    parser.set_defaults(own_name=name)


def add_picture_options(parser, field, output):
    """A snapshot, the quantity that is drawn in colours, and the picture; their defaults."""
    parser.add_argument("snapshot", help="flow_NNNNNNNN.cgns, or an output folder for its newest one")
    parser.add_argument("--field", default=field, help=f"quantity (default: {field})")
    parser.add_argument("--range", metavar="LO:HI", help="range of the colours (default: all)")
    parser.add_argument("--x-scale", default="mm", choices=SCALES, help="unit of the axes")
    parser.add_argument("--colours", default=COLOURS, help=f"matplotlib colour map (default: {COLOURS})")
    add_output(parser, output)


def figure(width=6.4, height=4.4, **options):
    return plt.subplots(figsize=(width, height), constrained_layout=True, **options)


def legend_beside(ax, of=None, gap=1.01, size=9):
    """A legend to the right of the axes, where no data are. of: the axes whose lines it names (default: these);
    gap: where it begins, in widths of the axes, behind the labels of an axis on the right."""
    handles = (of or ax).get_legend_handles_labels()
    ax.legend(*handles, loc="upper left", bbox_to_anchor=(gap, 1.0), borderaxespad=0, fontsize=size)


def bar_beside(fig, ax, image, label, ticks=None):
    """A colour bar as high as the axes, with the quantity and its unit."""
    box = ax.get_window_extent()
    if ax.get_aspect() != "auto":  # the axes fill only a part of their place
        ax.apply_aspect()
        box = ax.get_window_extent()
    inch = fig.dpi / box.width
    bar = fig.colorbar(image, cax=ax.inset_axes([1 + 0.12 * inch, 0, 0.18 * inch, 1]))
    bar.set_label(label)
    if ticks is not None:
        bar.set_ticks(ticks)
    return bar


def save(fig, path):
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    try:
        fig.savefig(path, bbox_inches="tight", pad_inches=0.05)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    plt.close(fig)
    print(f"wrote {path}")


def save_table(path, header, rows):
    """CSV with one header line; floats with six significant digits, strings as they are."""
    with open(path, "w", newline="") as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(header)
        lines.writerows([v if isinstance(v, str) else f"{v:.6g}" for v in row] for row in rows)
    print(f"wrote {path}")


def beside(path, suffix):
    """The name of a file that belongs to a picture: out/blade.png -> out/blade<suffix>."""
    return os.path.splitext(path)[0] + suffix


def window(text):
    """'x0:x1,y0:y1' -> four numbers."""
    try:
        (x0, x1), (y0, y1) = (part.split(":") for part in text.split(","))
        return float(x0), float(x1), float(y0), float(y1)
    except ValueError:
        raise InputError(f"'{text}' is not a window x0:x1,y0:y1") from None
