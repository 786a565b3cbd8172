"""tools/plot signals: signals of an unsteady run over time, their spectra and their averages over a period, and the
harmonics of the blade passing frequencies as a table."""
import fnmatch
import os

import numpy as np

from ..errors import InputError
from ..run import Run
from ..unsteady import modes, passing_frequencies, period_change, phase_average, signals, spectrum
from .style import CYCLE, GREY, beside, figure, legend_beside, save, save_table


def add_parser(commands):
    parser = commands.add_parser("signals", help="probes, forces or history of an unsteady run: time, spectrum, period")
    parser.add_argument("file", help="output folder (its probes.h5, forces.csv or history.csv), or one of these files")
    parser.add_argument("--names", metavar="LIST", help="columns, separated by commas; * stands for any letters "
                                                        "(default: up to six of one unit)")
    parser.add_argument("--frequency", type=float, metavar="HZ",
                        help="first harmonic (default: the passing frequency of the case's rows)")
    parser.add_argument("--harmonics", type=int, default=3, metavar="N", help="harmonics of the table (default: 3)")
    parser.add_argument("--from", dest="start", type=float, default=-np.inf, metavar="S",
                        help="time from which the signals count, s (default: all)")
    parser.add_argument("-o", "--output", help="picture (default: signals.png beside the file)")
    parser.set_defaults(run=run)


def chosen(found, names):
    """Names of columns."""
    if names:
        result = [n for pattern in names.split(",") for n in found if fnmatch.fnmatchcase(n, pattern.strip())]
        if not result:
            raise InputError(f"{found.path}: no column '{names}'; it has {', '.join(list(found)[:12])}")
        return list(dict.fromkeys(result))
    moving = [n for n, v in found.items() if np.ptp(v[np.isfinite(v)]) > 1e-12 * np.max(np.abs(v[np.isfinite(v)]))]
    first = [n for n in moving if n.endswith(".Pressure") or "_force_" in n] or moving
    if not first:
        raise InputError(f"{found.path}: no signal changes")
    return [n for n in first if found.units[n] == found.units[first[0]]][:6]


def first_harmonic(options, folder):
    """Hz, and where it comes from; None without rows that pass each other."""
    if options.frequency is not None:
        if not options.frequency > 0:
            raise InputError("--frequency must be above 0")
        return options.frequency, "given"
    if not os.path.exists(os.path.join(folder, "effective.yaml")):
        return None, ""
    passing = passing_frequencies(Run(folder).case)
    if not passing:
        return None, ""
    (one, other), f = min(passing.items(), key=lambda item: item[1])
    if len(set(np.round(list(passing.values()), 9))) > 1:
        print("passing frequencies: " + ", ".join(f"{a} in {b}: {v:.6g} Hz" for (a, b), v in passing.items())
              + "; the lowest is taken, --frequency chooses another")
    return f, f"blades of {one} pass {other}"


def run(options):
    found = signals(options.file).after(options.start)
    if len(found.time) < 8:
        raise InputError(f"{found.path}: {len(found.time)} states from {options.start:g} s on are too few")
    if options.harmonics < 1:
        raise InputError("--harmonics must be at least 1")
    names = chosen(found, options.names)
    folder = os.path.dirname(os.path.abspath(found.path))
    f, why = first_harmonic(options, folder)
    output = options.output or os.path.join(folder, "signals.png")

    fig, axes = figure(6.4, 4.4 + 2.4 * (f is not None), nrows=2 + (f is not None))
    unit = found.units[names[0]]
    text = f" ({unit})" if unit else ""
    drawn = [n for n in names if found.units[n] == unit]
    if len(drawn) < len(names):
        print(f"the picture has the {len(drawn)} of {len(names)} columns whose unit is that of {names[0]}")
    for name, colour in zip(drawn, CYCLE * (1 + len(drawn) // len(CYCLE))):
        value = found[name]
        axes[0].plot(1e3 * found.time, value, color=colour, lw=1, label=name)
        at, size = spectrum(found.time, value)
        axes[1].semilogy(at, np.maximum(size, 1e-12 * size.max() + 1e-300), color=colour, lw=1)
        if f:
            phase, mean, rms = phase_average(found.time, value, 1 / f)
            axes[2].plot(phase, mean, color=colour)
            axes[2].fill_between(phase, mean - rms, mean + rms, color=colour, alpha=0.2, lw=0)
    axes[0].set_xlabel("time (ms)")
    axes[0].set_ylabel("signal" + text)
    legend_beside(axes[0])
    axes[1].set_xlabel("frequency (Hz)")
    axes[1].set_ylabel("amplitude" + text)
    if f:
        axes[1].set_xlim(0, min(axes[1].get_xlim()[1], (options.harmonics + 3) * f))
        for n in range(1, options.harmonics + 1):
            axes[1].axvline(n * f, color=GREY, lw=0.6, ls="--", zorder=0)
        axes[2].set_xlabel(f"part of a period of {1e3 / f:.4g} ms; band: rms of what does not repeat")
        axes[2].set_ylabel("phase average" + text)
    for ax in axes:
        ax.grid(True)
    save(fig, output)
    if f:
        write_table(found, names, f, why, options.harmonics, beside(output, ".csv"))


def write_table(found, names, f, why, harmonics, path):
    """Mean, harmonics and change from period to period; whole periods only, from the end backwards."""
    step = (found.time[-1] - found.time[0]) / (len(found.time) - 1)
    periods = int((found.time[-1] - found.time[0] + step) * f + 1e-6)
    if periods < 1:
        raise InputError(f"{found.path}: the signals are shorter than a period of {1 / f:.4g} s")
    keep = found.after(found.time[-1] - periods / f + 0.5 * step)
    print(f"{f:.6g} Hz ({why}), the last {periods} periods")
    header = ["name", "unit", "mean", "rms_of_the_rest"]
    for n in range(1, harmonics + 1):
        header += [f"amplitude_{n}", f"phase_{n}_deg"]
    rows = []
    print(f"{'name':24s} {'mean':>12s} " + " ".join(f"{'amplitude ' + str(n):>12s} {'phase':>7s}" for n in range(1, harmonics + 1))
          + f" {'rest':>10s} {'change of a period':>18s}")
    for name in names:
        m = modes(keep.time, keep[name], f * np.arange(1, harmonics + 1))
        change = period_change(keep.time, keep[name], 1 / f)
        print(f"{name:24s} {m.mean:12.6g} " + " ".join(f"{a:12.5g} {p:7.1f}" for a, p in zip(m.amplitude, m.phase))
              + f" {m.rest:10.3g} " + (f"{100 * change:16.2f} %" if np.isfinite(change) else f"{'-':>18s}"))
        rows.append([name, found.units[name], float(m.mean), float(m.rest)] +
                    [float(v) for pair in zip(m.amplitude, m.phase) for v in pair] + [float(change)])
    save_table(path, header + ["change_of_a_period"], rows)
