"""Averages over the pitch, on the position along the machine and the span fraction, and spanwise profiles.

Cells are divided into parts, and each part is counted in the bin of its position and span fraction:

    q(a, s) = sum of w q / sum of w,   w = rho dV (mass), or rho V_m dV (mass flow)

The position a is x; in a machine that turns, it is the place along the meridional channel, from 0 to 1.
"""
import numpy as np

from .errors import InputError
from .flow import QUANTITIES
from .span import span_of_row


class Average:
    """x, r [s, a] in m; span [s]; place [a]: x in m or, with along = "m", fractions of the meridional length; values:
    name -> [s, a], NaN where no cell lies (inside a blade that fills the pitch, beyond the flow); `units`."""

    def __init__(self, x, r, span, values, place, along):
        self.x, self.r, self.span, self.values, self.place, self.along = x, r, span, values, place, along
        self.units = {name: QUANTITIES.get(name, ("", ""))[1] for name in values}

    def to_xarray(self):
        """An xarray.Dataset with the dimensions span and station."""
        from .exchange import needed

        xarray = needed("xarray", "tables with coordinates")
        data = {name: (("span", "station"), v, {"units": self.units[name]}) for name, v in self.values.items()}
        data["x"], data["r"] = (("span", "station"), self.x), (("span", "station"), self.r)
        unit = {"units": "m"} if self.along == "x" else {"long_name": "fraction of the meridional length"}
        return xarray.Dataset(data, coords={"span": self.span, "station": ("station", self.place, unit)})


def corners_at(c, at):
    """Node values [k+1, j+1, i+1] at the place `at` (three numbers from 0 to 1) of each cell."""
    for axis, part in enumerate(at):
        n = c.shape[axis]
        c = (1 - part) * c.take(range(n - 1), axis) + part * c.take(range(1, n), axis)
    return c


def parts_of(extent, width):
    """How many parts a cell of this extent needs so that no bin of this width stays empty."""
    return int(np.clip(np.ceil(1.5 * extent / width), 1, 12))


def gather(flow, names, edges_x, edges_s, weight, along):
    """Sums of w, w x, w r, w q over the bins: [3 + fields, s, a]."""
    ns, nx = len(edges_s) - 1, len(edges_x) - 1
    total = np.zeros((3 + len(names), ns * nx))
    width, height = np.diff(edges_x).max(), np.diff(edges_s).max()
    for row in flow.rows:
        span = span_of_row(flow, row)
        for zone in row.layers:
            x, r, _ = flow.nodes(zone)
            place = flow.channel.place(zone) if along == "m" else x
            s = span[zone.name]
            mass = flow.field(zone, "Density") * flow.volume(zone)
            if weight == "mass_flow":
                mass = mass * flow.field(zone, "VelocityMeridional")
            values = [flow.field(zone, name) for name in names]
            counts = [
                parts_of(np.abs(np.diff(s, axis=0)).max(), height),
                *(parts_of(np.abs(np.diff(place, axis=axis)).max(), width) for axis in (1, 2)),
            ]
            for n in np.ndindex(*counts):
                at = [(m + 0.5) / count for m, count in zip(n, counts)]
                px, pr, ps, pa = (corners_at(c, at) for c in (x, r, s, place))
                i = np.searchsorted(edges_x, pa.ravel(), "right") - 1
                k = np.clip(np.searchsorted(edges_s, ps.ravel(), "right") - 1, 0, ns - 1)
                here = (i >= 0) & (i < nx)
                bins = (k * nx + i)[here]
                w = mass.ravel()[here] / np.prod(counts)
                for m, q in enumerate((None, px, pr, *values)):
                    terms = w if q is None else w * q.ravel()[here]
                    total[m] += np.bincount(bins, terms, ns * nx)
    return total.reshape(-1, ns, nx)


def layers(flow):
    """Edges of bins along the span: the mesh's own layers where they are few, else 48 even ones."""
    zone = max((z for row in flow.rows for z in row.layers), key=lambda z: z.cells[2])
    s = span_of_row(flow, flow.row_of(zone))[zone.name]
    mean = s.reshape(len(s), -1).mean(axis=1)
    whole = mean[0] == 0 and mean[-1] == 1  # not one of several that are stacked along the span
    return mean if whole and len(mean) <= 65 else np.linspace(0, 1, 49)


def ends_along(flow, along):
    """Least and largest position of the mesh."""
    if along == "m":
        return 0.0, 1.0
    x = [flow.nodes(zone)[0] for zone in flow.zones]
    return min(c.min() for c in x), max(c.max() for c in x)


def pitch_average(flow, fields=("PressureStagnation",), stations=120, weight="mass", spans=None, between=None, along="auto"):
    """Average over the pitch on `stations` bins along the machine and the layers of the mesh, or `spans` even ones.
    along: "x", "m" (fractions of the meridional length), "auto" ("m" if the machine turns); between: two positions."""
    along = ("m" if flow.channel.turns else "x") if along == "auto" else along
    low, high = between or ends_along(flow, along)
    edges_x = np.linspace(low, high, stations + 1)
    edges_s = np.linspace(0, 1, spans + 1) if spans else layers(flow)
    total = gather(flow, list(fields), edges_x, edges_s, weight, along)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(total[0] != 0, total[1:] / total[0], np.nan)
    places = [0.5 * (edges[1:] + edges[:-1]) for edges in (edges_s, edges_x)]
    return Average(mean[0], mean[1], places[0], dict(zip(fields, mean[2:])), places[1], along)


def widest_cell(flow, at, along):
    """Extent along the machine of the longest cell in the zones that reach a position."""
    longest = 0.0
    for zone in flow.layers:
        place = flow.channel.place(zone) if along == "m" else flow.nodes(zone)[0]
        if place.min() <= at <= place.max():
            longest = max(longest, *(float(np.abs(np.diff(place, axis=axis)).max()) for axis in range(3)))
    return longest


def spanwise(flow, x, fields=("PressureStagnation", "TemperatureStagnation", "FlowAngle"), width=None, spans=None, along="x"):
    """Mass-flow averages over the pitch in a slab around x: (span [s], radius [s], name -> [s]).

    width: of the slab in m; default: 1 % of the mesh's length; where cells are longer than seven such slabs, a seventh of the
    cell. along = "m": x and width are fractions of the
    meridional length from the inlet to the outlet, as machines that turn need it."""
    low, high = ends_along(flow, along)
    if not low <= x <= high:
        what = "x" if along == "x" else "the meridional fraction"
        unit = " m" if along == "x" else ""
        raise InputError(f"{flow.file.path}: {what} = {x:g}{unit} lies outside the mesh, {low:g} to {high:g}{unit}")
    half = max(0.5 * (width or 0.01 * (high - low)), 0.07 * widest_cell(flow, x, along))  # no slab between two parts of a cell
    mean = pitch_average(flow, fields, 1, "mass_flow", spans, (max(low, x - half), min(high, x + half)), along)
    if not np.any(np.isfinite(mean.r)):
        raise InputError(f"{flow.file.path}: no cell lies at {along} = {x:g}")
    return mean.span, mean.r[:, 0], {name: v[:, 0] for name, v in mean.values.items()}
