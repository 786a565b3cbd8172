"""Signals of unsteady runs: probes, forces of blades and figures of the history over time, and what they hold at
the passing frequencies of the blades.

    signals = annulus.signals("out")                  columns by name; signals.time in s
    tone = annulus.modes(signals.time, signals["near.Pressure"], [1200, 2400])
    mean = annulus.phase_average(signals.time, signals["near.Pressure"], 1 / 1200)

A harmonic a cos(2 pi f t + phi) has the amplitude a and the phase phi in degrees. Times need not be evenly spaced.
"""
import math
import os

import numpy as np

from .case import number
from .errors import InputError
from .run import Table, unit_of
from .si import RPM

PROBE = ("Density", "VelocityX", "VelocityY", "VelocityZ", "Pressure", "Temperature")
PROBE_UNITS = dict(zip(PROBE, ("kg/m3", "m/s", "m/s", "m/s", "Pa", "K")))


class Signals(dict):
    """Columns of one file, name -> array as long as `time` (s). `units` has their units, `path` the file."""

    def __init__(self, path, time, columns, units):
        super().__init__(columns)
        self.path, self.units = path, units
        self.time = np.asarray(time, float)

    def after(self, start):
        """From a time on, without states that a restart has computed twice."""
        keep = np.concatenate([np.diff(self.time) > 0, [True]])[: len(self.time)] & (self.time >= start)
        return Signals(self.path, self.time[keep], {name: v[keep] for name, v in self.items()}, self.units)


def of_probes(path):
    import h5py

    from .cgns import reading

    with reading(path, "the probes"), h5py.File(path) as f:
        names = [n.decode() if isinstance(n, bytes) else str(n) for n in f["name"][()]]
        time, value = f["time"][()], f["value"][()]
        if value.shape != (len(time), len(names), len(PROBE)):
            raise ValueError(f"the values have the shape {value.shape}")
    columns = {f"{n}.{q}": value[:, i, j] for i, n in enumerate(names) for j, q in enumerate(PROBE)}
    return Signals(path, time, columns, {name: PROBE_UNITS[name.rsplit(".", 1)[1]] for name in columns})


def of_table(path):
    table = Table(path, "iteration")
    if "time_s" not in table or not len(table) or not np.any(np.diff(table["time_s"]) > 0):
        raise InputError(f"{path}: no column time_s that rises: the run is steady, or has just begun")
    columns = {
        name: v for name, v in table.items()
        if name not in ("iteration", "time_s", "cfl") and not name.startswith("residual") and v.dtype.kind == "f"
        and np.any(np.isfinite(v))
    }
    return Signals(path, table["time_s"], columns, {name: unit_of(name) for name in columns})


def signals(path):
    """Of probes.h5, forces.csv or history.csv; of an output folder that of the first of these that it has."""
    path = os.fspath(path)
    if os.path.isdir(path):
        found = [os.path.join(path, n) for n in ("probes.h5", "forces.csv", "history.csv")]
        found = [p for p in found if os.path.exists(p)]
        if not found:
            raise InputError(f"{path}: no probes.h5, forces.csv or history.csv")
        path = found[0]
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    result = of_probes(path) if path.endswith(".h5") else of_table(path)
    return result.after(-math.inf)


def passing_frequencies(case):
    """Frequencies in Hz at which the blades of one row pass a point of another: {(row that passes, row that
    sees): f}, in the frame of the row that sees. Of rows with a number of blades that turn past each other."""
    rows = {
        name: (number(keys.get("blades") or 0, f"rows.{name}.blades"), number(keys["rpm"], f"rows.{name}.rpm") * RPM
               if "rpm" in keys else number(keys.get("omega", 0), f"rows.{name}.omega"))
        for name, keys in case.section("rows").items()
    }
    found = {}
    for one, (blades, omega) in rows.items():
        for other, (_, frame) in rows.items():
            if one != other and blades and omega != frame:
                found[one, other] = blades * abs(omega - frame) / (2 * math.pi)
    return found


class Modes:
    """mean, and of each frequency: amplitude, phase (degrees, of a cosine). rest: root mean square of what the mean
    and the harmonics leave, in units of the signal."""

    def __init__(self, frequency, mean, complex_amplitude, rest):
        self.frequency, self.mean, self.rest = frequency, mean, rest
        self.amplitude = np.abs(complex_amplitude)
        self.phase = np.degrees(np.angle(complex_amplitude))


def modes(time, value, frequencies):
    """Harmonics of the given frequencies (Hz) by least squares. The signal must last a period of the lowest one and of
    the smallest difference of two."""
    time, value = np.asarray(time, float), np.asarray(value, float)
    f = np.asarray(frequencies, float)
    if len(f) == 0 or np.any(f <= 0):
        raise InputError("frequencies must be above 0")
    apart = np.min(np.diff(np.sort(f)), initial=f.min())
    length = (time[-1] - time[0]) * len(time) / max(len(time) - 1, 1)
    if len(time) < 2 * len(f) + 1 or length * min(apart, f.min()) < 0.99:
        raise InputError(
            f"{len(time)} states over {length:.4g} s are too short for {len(f)} frequencies from {f.min():.4g} Hz on"
        )
    if f.max() * length > 0.5 * len(time):
        raise InputError(f"the steps are too long for {f.max():.4g} Hz: fewer than two in a period")
    angle = 2 * np.pi * np.outer(time, f)
    matrix = np.hstack([np.ones((len(time), 1)), np.cos(angle), -np.sin(angle)])
    found = np.linalg.lstsq(matrix, value, rcond=None)[0]
    rest = np.sqrt(np.mean((value - matrix @ found) ** 2))
    return Modes(f, found[0], found[1 : 1 + len(f)] + 1j * found[1 + len(f) :], rest)


def spectrum(time, value):
    """Frequencies (Hz) and amplitudes of harmonics, with Hann's window; the signal is interpolated to even steps."""
    n = len(time)
    if n < 8:
        raise InputError(f"{n} states are too few for a spectrum")
    even = np.linspace(time[0], time[-1], n)
    x = np.interp(even, time, value)
    window = np.hanning(n)
    f = np.fft.rfftfreq(n, even[1] - even[0])
    return f[1:], 2 * np.abs(np.fft.rfft((x - x.mean()) * window))[1:] / window.sum()


def phase_average(time, value, period, bins=None):
    """(phase, mean, rms): phase of the middle of each bin, as a part of the period since time 0; mean of the states
    in it; root mean square of what repeats with no period. Without bins: one for each state of a period, at most 100."""
    time, value = np.asarray(time, float), np.asarray(value, float)
    if not period > 0 or time[-1] - time[0] < 0.99 * period * (1 - 1 / len(time)):
        raise InputError(f"the signal is shorter than the period of {period:.4g} s")
    each = period * (len(time) - 1) / (time[-1] - time[0])
    bins = bins or int(np.clip(round(each), 4, 100))
    place = np.floor(bins * ((time / period) % 1.0) + 1e-9).astype(int) % bins
    count = np.bincount(place, minlength=bins)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(place, value, bins) / count
        square = np.bincount(place, (value - mean[place]) ** 2, bins) / count
    return (np.arange(bins) + 0.5) / bins, mean, np.sqrt(square)


def period_change(time, value, period):
    """Root mean square of the difference between the last period and the one before, divided by the root mean square
    of the fluctuation in the last; NaN where the signal has fewer than two periods."""
    end = time[-1]
    if end - time[0] < 2 * period * (1 - 1e-9):
        return math.nan
    at = end - period * np.linspace(0, 1, 200, endpoint=False)
    last, before = np.interp(at, time, value), np.interp(at - period, time, value)
    swing = np.sqrt(np.mean((last - last.mean()) ** 2))
    return float(np.sqrt(np.mean((last - before) ** 2)) / swing) if swing > 0 else math.nan
