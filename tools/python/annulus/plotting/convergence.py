"""tools/plot convergence: residuals and mass balance of a run from its history.csv."""
import os

import numpy as np

from .style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, InputError, figure, save

RESIDUALS = (
    ("residual_density", "density", BLUE),
    ("residual_momentum_x", "momentum x", ORANGE),
    ("residual_momentum_y", "momentum y", GREEN),
    ("residual_momentum_z", "momentum z", PURPLE),
    ("residual_energy", "energy", RED),
)


def add_parser(commands):
    parser = commands.add_parser("convergence", help="residuals and mass flows of a run")
    parser.add_argument("folder", help="output folder of the run, or its history.csv")
    parser.add_argument("-o", "--output", help="picture (default: FOLDER/convergence.png)")
    parser.set_defaults(run=run)


def read(path):
    """Columns by name; an empty cell is NaN."""
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    with open(path) as lines:
        names = lines.readline().strip().split(",")
        if names[0] != "iteration" or "residual_density" not in names:
            raise InputError(f"{path}: line 1 is not the header of a history")
        rows = []
        for number, line in enumerate(lines, 2):
            cells = line.rstrip("\n").split(",")
            try:
                row = [float(c) if c else np.nan for c in cells]
            except ValueError:
                raise InputError(f"{path}:{number}: not a number in '{line.strip()}'")
            if len(row) == len(names):  # the last line of a running job can be half written
                rows.append(row)
    if not rows:
        raise InputError(f"{path}: no iterations yet")
    return dict(zip(names, np.array(rows).T))


def scales(h):
    """What each residual is divided by: its first value that is not zero; for a component of
    momentum that of the whole vector, because a component may start at rounding level."""
    columns = {name: h[name] for name, _, _ in RESIDUALS if name in h}
    parts = [name for name in columns if "momentum" in name]
    vector = np.sqrt(np.sum([columns[name] ** 2 for name in parts], axis=0)) if parts else []
    result = {}
    for name, _, _ in RESIDUALS:
        values = np.asarray(vector if name in parts else columns.get(name, []))
        first = values[np.isfinite(values) & (values > 0)][:1]
        result[name] = first[0] if len(first) else 1.0
    return result


def run(options):
    path = options.folder
    if os.path.isdir(path):
        path = os.path.join(path, "history.csv")
    h = read(path)
    n = h["iteration"]
    fig, (top, bottom) = figure(6.4, 6.2, nrows=2, sharex=True, height_ratios=(3, 2))

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
    top.legend(ncol=2)

    mass_in, mass_out = h["mass_in_kg_s"], h["mass_out_kg_s"]
    bottom.plot(n, mass_in, color=BLUE, label="mass flow in")
    bottom.plot(n, mass_out, color=ORANGE, ls="--", label="mass flow out")
    bottom.set_ylabel("mass flow (kg/s)")
    bottom.set_xlabel("iteration")
    bottom.grid(True)
    settled = np.concatenate([mass_in[len(n) // 10 :], mass_out[len(n) // 10 :]])
    settled = settled[np.isfinite(settled)]
    if len(settled):
        low, high = np.percentile(settled, (2, 98))
        margin = max(0.3 * (high - low), 0.02 * abs(high), 1e-12)
        bottom.set_ylim(low - margin, high + margin)
    right = bottom.twinx()
    imbalance = np.abs(h["imbalance"])
    if np.any(imbalance > 0):
        right.semilogy(n, np.where(imbalance > 0, 100 * imbalance, np.nan), color=GREY, lw=0.9)
    right.set_ylabel("|in - out| / in (%)", color=GREY)
    bottom.set_zorder(right.get_zorder() + 1)
    bottom.patch.set_visible(False)
    bottom.legend(loc="best")

    top.set_xlim(n[0], max(n[-1], n[0] + 1))
    save(fig, options.output or os.path.join(os.path.dirname(path), "convergence.png"))
    drop = h["residual_density"][-1] / h["residual_density"][0]
    print(
        f"{len(n)} lines to iteration {int(n[-1])}: density residual {drop:.3g} of the first, "
        f"mass flow {mass_in[-1]:.6g} kg/s, imbalance {100 * h['imbalance'][-1]:.3g} %"
    )
