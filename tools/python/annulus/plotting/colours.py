"""Ranges of colours, and values that are smooth from cell to cell."""
import numpy as np
from matplotlib.ticker import MaxNLocator

from .style import InputError


def corner_average(x, y, quads, values, extent):
    """Nodes that coincide joined, and the mean of the cells around each of them."""
    key = np.round(np.stack([x, y], 1) / (1e-7 * extent)).astype(np.int64)
    _, first, joined = np.unique(key, axis=0, return_index=True, return_inverse=True)
    quads = joined.reshape(-1)[quads]
    total, count = np.zeros(len(first)), np.zeros(len(first))
    for corner in quads.T:
        np.add.at(total, corner, values)
        np.add.at(count, corner, 1)
    return x[first], y[first], quads, total / count


def colour_range(text, values):
    """Ticks of the colour bar at round numbers; the first and last are the ends of the range."""
    if not np.size(values) or not np.all(np.isfinite(values)):
        raise InputError("the picture has no values" if not np.size(values) else "the picture has values that are not finite")
    low, high = float(values.min()), float(values.max())
    if text:
        try:
            low, high = (float(v) for v in text.split(":"))
        except ValueError:
            raise InputError(f"--range {text}: expected LO:HI") from None
        if not low < high:
            raise InputError(f"--range {text}: LO must be less than HI")
    elif high - low <= 1e-9 * abs(high):  # a uniform field still deserves a picture
        low, high = low - 0.01 * abs(low) - 1e-12, high + 0.01 * abs(high) + 1e-12
    ticks = MaxNLocator(8, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    if text:
        ticks = [low, *(t for t in ticks if low + 1e-9 < t < high - 1e-9), high]
    return np.array(ticks)
