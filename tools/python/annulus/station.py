"""Averages over planes x = const and surfaces of revolution, as the program takes them at monitors.stations and
monitors.station_lines, and the table of a machine.

A station is where a level function is zero: x - x0, or the distance from a straight line of the plane of x and r,
positive downstream. The state of a cell there is linear between its centre and that of the neighbour whose level
differs most; its share is the polygon that the station cuts out of it. Polygons that are not beside the line, by 2 % of
its length, do not count. Averages are by mass flow unless their name says otherwise; T0 is that of the mean enthalpy
flux. Full annulus.
"""
import numpy as np

from .cells import middle
from .cut import Cut
from .errors import InputError

# name -> unit
COLUMNS = {
    "mass_flow_kg_s": "kg/s", "area_m2": "m2", "p0_Pa": "Pa", "T0_K": "K", "p_Pa": "Pa", "T_K": "K", "alpha_deg": "deg",
    "beta_deg": "deg", "pitch_deg": "deg", "mach": "", "mach_relative": "", "vx_m_s": "m/s", "vr_m_s": "m/s", "vt_m_s": "m/s",
    "p0_relative_Pa": "Pa", "T0_relative_K": "K", "radius_mean_m": "m", "p0_entropy_Pa": "Pa", "p0_area_Pa": "Pa",
    "entropy_J_kgK": "J/(kg K)",
}
RATIOS = {"pressure_ratio": "", "temperature_ratio": "", "efficiency": "", "polytropic_efficiency": "", "entropy_rise_J_kgK": "J/(kg K)"}


def neighbours(middle, at):
    """Of cells (k, j, i) of a zone with centres `middle`: the number of the neighbour and the part of the way to it."""
    def of(x0):
        own = middle[at]
        best, part = np.zeros(len(own)), np.zeros(len(own))
        flat = np.ravel_multi_index(at, middle.shape)
        other = flat.copy()
        for axis in (2, 1, 0):  # i first, as the program does
            for side in (-1, 1):
                place = list(at)
                place[axis] = at[axis] + side
                there = (place[axis] >= 0) & (place[axis] < middle.shape[axis])
                place[axis] = np.clip(place[axis], 0, middle.shape[axis] - 1)
                x = middle[tuple(place)]
                reach = np.abs(x - own) * np.where((x - own) * (x0 - own) > 0, 2, 1)
                better = there & (reach > best)
                best = np.where(better, reach, best)
                other = np.where(better, np.ravel_multi_index(tuple(place), middle.shape), other)
                with np.errstate(divide="ignore", invalid="ignore"):
                    part = np.where(better, np.clip((x0 - own) / (x - own), -1, 1), part)
        return flat, other, part
    return of


class Station:
    """A number: the plane x = place, in m. Two points (x, r) at hub and casing: the line between them, turned about
    the axis; what flows along n = (r_casing - r_hub, x_hub - x_casing) counts as positive."""

    def __init__(self, place):
        place = np.asarray(place, float)
        if place.shape not in ((), (2, 2)):
            raise InputError("a station is x in m, or two points (x, r) of a line from hub to casing")
        self.is_line = place.shape == (2, 2)
        self.x, self.normal = float(np.mean(place[..., 0])) if self.is_line else float(place), np.array([1.0, 0.0])
        if self.is_line:
            self.hub, along = place[0], place[1] - place[0]
            self.length = float(np.hypot(*along))
            if not self.length > 0:
                raise InputError("the two points of a station's line differ")
            self.normal = np.array([along[1], -along[0]]) / self.length

    def level(self, x, r):
        return (x - self.hub[0]) * self.normal[0] + (r - self.hub[1]) * self.normal[1] if self.is_line else x - self.x

    def height(self, x, r):
        """Along the line from the hub; the radius on a plane."""
        return (r - self.hub[1]) * self.normal[0] - (x - self.hub[0]) * self.normal[1] if self.is_line else r

    def beside(self, x, r):
        part = self.height(x, r) / self.length if self.is_line else np.full(np.shape(x), 0.5)
        return (part > -0.02) & (part < 1.02)

    def text(self):
        return "the line" if self.is_line else "the plane"


def polygons(cut, piece, station):
    """Of the cells that a station cuts: flat numbers, area vectors along the normal [n, 3], middles x, y, z [n], and
    the heights of the ends of all of them."""
    points, area = cut.points(piece), cut.areas(piece)
    first = points[:, 0]
    r = np.maximum(np.hypot(first[:, 1], first[:, 2]), 1e-30)
    along = station.normal[0] * area[:, 0] + station.normal[1] * (area[:, 1] * first[:, 1] + area[:, 2] * first[:, 2]) / r
    area = np.where(along[:, None] < 0, -area, area)
    size = np.linalg.norm(area, axis=1)
    number, index = np.unique(piece.cell, return_inverse=True)
    index = index.ravel()
    sums = np.bincount(index, size)
    vectors = np.stack([np.bincount(index, area[:, c]) for c in range(3)], 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        middles = [np.bincount(index, size * points[:, :, c].mean(1)) / sums for c in range(3)]
    good = (sums > 0) & station.beside(middles[0], np.hypot(middles[1], middles[2]))
    heights = station.height(points[:, :, 0], np.hypot(points[:, :, 1], points[:, :, 2]))[good[index]]
    ends = (heights.min(initial=np.inf), heights.max(initial=-np.inf))
    return number[good], vectors[good], [m[good] for m in middles], ends


def parts_at(flow, station, rows=None):
    """Of all cells that the station cuts: area vectors, x, y, z, state, speed of the row, sectors; the heights of the
    station's ends. rows: those that are cut; default: all."""
    cut, found = Cut(flow, lambda x, y, z: station.level(x, np.hypot(y, z)), station.text(), rows), []
    for piece in cut.pieces:
        number, vectors, middles, ends = polygons(cut, piece, station)
        if not len(number):
            continue
        if not piece.row.sector:
            raise InputError(f"{flow.file.path}: stations need rows with a pitch; row '{piece.row.name}' has none")
        x, y, z = piece.zone.nodes()
        level = middle(station.level(x, np.hypot(y, z)))
        own, other, part = neighbours(level, np.unravel_index(number, level.shape))(0.0)
        rho, velocity, p, _ = flow.primitive(piece.zone)
        state = [q.ravel()[own] + part * (q.ravel()[other] - q.ravel()[own]) for q in (rho, *velocity, p)]
        sectors = np.full(len(number), 2 * np.pi / piece.row.sector)
        found.append((*vectors.T, *middles, *state, np.full(len(number), piece.row.omega), sectors, *ends))
    if not found:
        raise InputError(f"{flow.file.path}: {station.text()} does not cut the mesh")
    ends = min(f[-2] for f in found), max(f[-1] for f in found)
    return [np.concatenate([f[n] for f in found]) for n in range(len(found[0]) - 2)], ends


def averages(flow, parts, omega):
    """Columns of COLUMNS of one set of parts; NaN where nothing flows."""
    sx, sy, sz, _, y, z, rho, u, v, w, p, spin, sectors = parts
    gas, area = flow.gas, np.sqrt(sx * sx + sy * sy + sz * sz) * sectors
    r = np.hypot(y, z)
    vr, vt = (v * y + w * z) / r, (w * y - v * z) / r
    wt = vt - spin * r
    m, T = rho * (u * sx + v * sy + w * sz) * sectors, p / (rho * gas.R)
    speed2, relative2 = u * u + vr * vr + vt * vt, u * u + vr * vr + wt * wt
    p0, T0 = gas.stagnation(p, T, speed2)
    p0_rel, T0_rel = gas.stagnation(p, T, relative2)
    sound, total = gas.sound_speed(T), m.sum()
    if not total:
        return {name: np.nan for name in COLUMNS}

    def mean(q):
        return float((m * q).sum() / total)

    def of_heat(temperatures):  # the temperature of a mean enthalpy
        return float(gas.temperature(mean(gas.enthalpy(temperatures))))

    s = mean(gas.entropy_function(T) - gas.R * np.log(p))
    vx, vr, vt, radius, T0_mean = mean(u), mean(vr), mean(vt), mean(r), of_heat(T0)
    meridional = np.hypot(vx, vr)
    return {
        "mass_flow_kg_s": float(total), "area_m2": float(area.sum()), "p0_Pa": mean(p0),
        "T0_K": float(gas.temperature(mean(gas.enthalpy(T) + 0.5 * speed2))), "p_Pa": mean(p), "T_K": of_heat(T),
        "alpha_deg": float(np.degrees(np.arctan2(vt, meridional))),
        "beta_deg": float(np.degrees(np.arctan2(vt - omega * radius, meridional))),
        "pitch_deg": float(np.degrees(np.arctan2(vr, vx))), "mach": mean(np.sqrt(speed2) / sound),
        "mach_relative": mean(np.sqrt(relative2) / sound), "vx_m_s": vx, "vr_m_s": vr, "vt_m_s": vt,
        "p0_relative_Pa": mean(p0_rel), "T0_relative_K": of_heat(T0_rel), "radius_mean_m": radius,
        "p0_entropy_Pa": float(np.exp((gas.entropy_function(T0_mean) - s) / gas.R)),
        "p0_area_Pa": float((area * p0).sum() / area.sum()), "entropy_J_kgK": s,
    }


def fastest(flow):
    """Speed of the frame of relative angles, rad/s."""
    return max((row.omega for row in flow.rows), key=abs, default=0.0)


def station(flow, place, bands=0):
    """Averages over a Station, such as 0.1 (the plane at x = 0.1 m) or ((0.1, 0.2), (0.09, 0.2)) (a part of a
    cylinder): a dictionary of COLUMNS; with bands: a list of them, by equal parts of the radius or of the line from hub
    to casing, None where nothing is."""
    where = Station(place)
    parts, ends = parts_at(flow, where)
    omega = fastest(flow)
    return in_bands(flow, where, parts, ends, omega, bands) if bands else averages(flow, parts, omega)


def in_bands(flow, where, parts, ends, omega, bands):
    """averages of equal parts of a Station's height, from hub to casing; None where nothing is. parts, ends: as parts_at
    gives them."""
    low, high = ends
    band = np.clip(((where.height(parts[3], np.hypot(parts[4], parts[5])) - low) / (high - low) * bands).astype(int), 0, bands - 1)
    return [averages(flow, [q[band == n] for q in parts], omega) if np.any(band == n) else None for n in range(bands)]


def ratios(flow, first, now):
    """RATIOS of one station over another."""
    gas, p0, T0 = flow.gas, now["p0_Pa"] / first["p0_Pa"], now["T0_K"] / first["T0_K"]
    found = {"pressure_ratio": p0, "temperature_ratio": T0, "efficiency": np.nan, "polytropic_efficiency": np.nan,
             "entropy_rise_J_kgK": now["entropy_J_kgK"] - first["entropy_J_kgK"]}
    if not (abs(T0 - 1) > 1e-3 and any(row.omega for row in flow.rows)):
        return found
    # the temperature after a lossless change of pressure, by Newton's iteration from the one with losses
    start, end = first["T0_K"], first["T0_K"] * T0
    ideal = end
    for _ in range(30):
        ideal -= (gas.entropy_function(ideal) - gas.entropy_function(start) - gas.R * np.log(p0)) * ideal / gas.cp(ideal)
    ideal, work = gas.enthalpy(ideal) - gas.enthalpy(start), gas.enthalpy(end) - gas.enthalpy(start)
    small, large = gas.R * np.log(p0), gas.entropy_function(end) - gas.entropy_function(start)
    found["efficiency"] = float(ideal / work if work > 0 else work / ideal)
    found["polytropic_efficiency"] = float(small / large if work > 0 else large / small)
    return found


LEAN = 0.02  # of a row's length: by so much the ends of its mesh lie at other x at the hub than at the casing


class End:
    """One end of a row: the Row, its Station a little within the mesh, and what the station cuts out of the row (parts,
    ends: as parts_at gives them)."""

    def __init__(self, flow, row, place):
        self.flow, self.row, self.place, self.where = flow, row, place, Station(place)
        self.parts, self.ends = parts_at(flow, self.where, [row])
        line = flow.channel.lines[len(flow.channel.lines) // 2]
        at = line.points[np.abs(self.where.level(*line.points.T)).argmin()]
        step = 1e-3 * line.length * self.where.normal
        if line.at(*(at + step)) < line.at(*(at - step)):  # mass flow counts downstream
            self.parts = [-q for q in self.parts[:3]] + self.parts[3:]

    def mean(self, omega=None):
        """COLUMNS; angles are relative to the row, or to omega in rad/s."""
        return averages(self.flow, self.parts, self.row.omega if omega is None else omega)

    def bands(self, count, omega=None):
        return in_bands(self.flow, self.where, self.parts, self.ends, self.row.omega if omega is None else omega, count)


def row_ends(flow):
    """For each row in the order of the flow: the End where the flow enters it, and the one where it leaves. They stand
    1 % of the row's length within its mesh, and are planes of constant x, or lines from hub to casing where the machine turns
    or the ends of a row lean. They are found once for a flow."""
    if flow.row_ends is None:
        flow.row_ends = [[End(flow, row, place) for place in places_of_ends(flow, row)] for row in flow.in_order()]
    return flow.row_ends


def places_of_ends(flow, row):
    """Of the Stations at both ends of a row, that of the inflow first."""
    x = [flow.nodes(zone)[0] for zone in row.zones]
    low, high = min(c.min() for c in x), max(c.max() for c in x)
    if flow.channel.turns or leans(flow, row, low, high):
        return lines_of_ends(flow, row)
    planes = [low + 0.01 * (high - low), high - 0.01 * (high - low)]
    downstream = flow.channel.lines[len(flow.channel.lines) // 2].points
    return planes if downstream[0][0] <= downstream[-1][0] else planes[::-1]


def leans(flow, row, low, high):
    """Does an end of the row's mesh lie at another x at the hub than at the casing?"""
    for at in (0, -1):
        x = [flow.nodes(zone)[0][at] for zone in reaching(flow, row, at)]
        if not x or max(min(c.min() for c in x) - low, high - max(c.max() for c in x)) > LEAN * (high - low):
            return bool(x)
    return False


def lines_of_ends(flow, row):
    """From hub to casing, 1 % of a row's length within its ends there."""
    found = []
    places = [np.concatenate([flow.channel.place_of_layer(z, at).ravel() for z in reaching(flow, row, at)]) for at in (0, -1)]
    for part in (0.01, 0.99):
        found.append([tuple(guide.point(p.min() + part * (p.max() - p.min())))
                      for p, guide in zip(places, (flow.channel.lines[0], flow.channel.lines[-1]))])
    return found


def reaching(flow, row, at):
    """Zones of a row whose first (at = 0) or last layer lies on the hub or the casing."""
    return [z for z in row.layers if np.abs(flow.channel.span[z.name][at] - (0 if at == 0 else 1)).max() < 1e-6]


def machine_table(flow, stations=None):
    """The one-dimensional table: for each Station, a dictionary of x_m, COLUMNS, and RATIOS over the first one.
    Without `stations`: those of row_ends, with the row's name as `row` and "in" or "out" as `end`."""
    lines, first, omega = [], None, fastest(flow)
    if stations is None:
        found = [({"row": end.row.name, "end": name}, end.where, end.mean(omega))
                 for ends in row_ends(flow) for name, end in zip(("in", "out"), ends)]
    else:
        found = [({}, Station(place), station(flow, place)) for place in stations]
    for names, where, now in found:
        first = first or now
        lines.append({**names, "x_m": where.x, **now, **ratios(flow, first, now)})
    return lines
