"""tools/plot convergence: how a run has converged, from its history.csv: residuals of flow and turbulence, mass
flows, forces (as coefficients where the run has them), pressure ratio with efficiency or loss."""
import os

import numpy as np
from matplotlib import rc_context

from ..run import Table, mass_columns, scales
from .style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, InputError, figure, legend_beside, save

RESIDUALS = (
    ("residual_density", "density", BLUE),
    ("residual_momentum_x", "momentum x", ORANGE),
    ("residual_momentum_y", "momentum y", GREEN),
    ("residual_momentum_z", "momentum z", PURPLE),
    ("residual_energy", "energy", RED),
    ("residual_turbulence", "turbulence", "#17838f"),
)


NEEDED = ("mass_in_kg_s", "mass_out_kg_s", "imbalance")


def add_parser(commands):
    parser = commands.add_parser("convergence", help="residuals and mass flows of a run")
    parser.add_argument("folder", help="output folder of the run, or its history.csv")
    parser.add_argument("-o", "--output", help="picture (default: FOLDER/convergence.png)")
    parser.set_defaults(run=run)


def read(path):
    """Columns by name; an empty cell is NaN."""
    h = Table(path, "iteration")
    if "residual_density" not in h:
        raise InputError(f"{path}: line 1 is not the header of a history")
    if not len(h):
        raise InputError(f"{path}: no iterations yet")
    return h


def known(h, *names):
    """Those of the columns that have numbers."""
    return [name for name in names if name in h and np.any(np.isfinite(h[name]))]


def frame(ax, curves):
    """Limits that show the later nine tenths of the curves."""
    late = np.concatenate([c[len(c) // 10 :] for c in curves])
    late = late[np.isfinite(late)]
    if len(late):
        low, high = np.percentile(late, (2, 98))
        margin = max(0.3 * (high - low), 0.02 * abs(high), 1e-12)
        ax.set_ylim(low - margin, high + margin)


def draw_forces(ax, h, names):
    for name, colour in zip(names, (BLUE, ORANGE, GREEN)):
        text = name if "force" not in name else f"force {name.split('_')[2]}"
        ax.plot(h["iteration"], h[name], color=colour, label=text)
    ax.set_ylabel("coefficients" if "lift" in names else "forces on walls (N)")
    frame(ax, [h[name] for name in names])
    ax.grid(True)
    legend_beside(ax)


def draw_figures(ax, h, second):
    """Pressure ratio, and efficiency or loss."""
    n = h["iteration"]
    ax.plot(n, h["pressure_ratio"], color=BLUE, label="pressure ratio")
    ax.set_ylabel("ratio of total pressures", color=BLUE)
    frame(ax, [h["pressure_ratio"]])
    ax.grid(True)
    for name in second:
        right = ax.twinx()
        right.plot(n, 100 * h[name], color=ORANGE)
        right.set_ylabel("efficiency (%)" if name == "efficiency" else "mixed-out loss (%)", color=ORANGE)
        frame(right, [100 * h[name]])


def run(options):
    path = options.folder
    if os.path.isdir(path):
        path = os.path.join(path, "history.csv")
    h = read(path)
    missing = [name for name in NEEDED if name not in h]
    if missing:
        raise InputError(f"{path}: no column {missing[0]}")
    n = h["iteration"]
    with rc_context({"lines.marker": "o" if len(n) < 3 else "None", "lines.markersize": 3}):  # one point is no line
        draw(h, n, path, options)


def draw(h, n, path, options):
    forces = known(h, "lift", "drag") or known(h, "wall_force_x_N", "wall_force_y_N", "wall_force_z_N")
    ratio = known(h, "pressure_ratio")
    loss = [name for name in h if name.endswith("_loss_mixed_out")]
    second = (known(h, "efficiency") or known(h, *loss))[:1]
    extra = bool(forces) + bool(ratio)
    fig, axes = figure(8.6, 5.2 + 1.7 * extra, nrows=2 + extra, sharex=True,
                       height_ratios=(3, 2) + (2,) * extra)
    top, bottom = axes[:2]

    scale = scales(h)
    for name, text, colour in RESIDUALS:
        values = h.get(name, np.full_like(n, np.nan)) / scale[name]
        # a component that stays at rounding level says nothing (spanwise momentum of a plane
        # case), nor does the start from there (pitchwise momentum of an axial start)
        if np.nanmax(values, initial=0) > 1e-9:
            values[0] = values[0] if values[0] > 1e-9 else np.nan
            top.semilogy(n, np.where(values > 0, values, np.nan), color=colour, label=text)
    top.set_ylabel("residual norm / first")
    top.grid(True, which="major")
    legend_beside(top)

    of_in, of_out, whole = mass_columns(h)
    mass_in, mass_out = h[of_in], h[of_out]
    bottom.plot(n, mass_in, color=BLUE, label="mass flow in")
    bottom.plot(n, mass_out, color=ORANGE, ls="--", label="mass flow out")
    bottom.set_ylabel("mass flow of\nthe annulus (kg/s)" if whole == "annulus" else "mass flow (kg/s)")
    axes[-1].set_xlabel("iteration")
    bottom.grid(True)
    frame(bottom, [mass_in, mass_out])
    right = bottom.twinx()
    imbalance = np.abs(h["imbalance"])
    if np.any(imbalance > 0):
        right.semilogy(n, np.where(imbalance > 0, 100 * imbalance, np.nan), color=GREY, lw=0.9)
    right.set_ylabel("|in - out| / in (%)", color=GREY)
    bottom.set_zorder(right.get_zorder() + 1)
    bottom.patch.set_visible(False)
    legend_beside(bottom, gap=1.2)

    if forces:
        draw_forces(axes[2], h, forces)
    if ratio:
        draw_figures(axes[-1], h, second)
    top.set_xlim((n[0], n[-1]) if n[-1] > n[0] else (n[0] - 1, n[0] + 1))
    save(fig, options.output or os.path.join(os.path.dirname(path), "convergence.png"))
    drop = h["residual_density"][-1] / h["residual_density"][0]
    print(
        f"{len(n)} lines to iteration {int(n[-1])}: density residual {drop:.3g} of the first, "
        f"mass flow {mass_in[-1]:.6g} kg/s, imbalance {100 * h['imbalance'][-1]:.3g} %"
    )
    shown = [f"{name} {h[name][-1]:.6g}" for name in forces + ratio + second]
    if shown:
        print("  " + ", ".join(shown))
