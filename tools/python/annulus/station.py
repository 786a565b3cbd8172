"""Averages over planes x = const, as the program takes them at monitors.stations, and the table of a machine.

The state of a cell at the plane is linear between its centre and that of the neighbour whose centre lies farthest
along x; its share of the plane is the polygon that the plane cuts out of it. Averages are by mass flow unless
their name says otherwise; T0 is that of the mean enthalpy flux. Full annulus.
"""
import numpy as np

from .cut import plane
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


def parts_at(flow, x0):
    """Of all cells that the plane cuts: area, y, z, radii of the polygon's ends, state, speed of the row, sectors."""
    cut, found = plane(flow, (x0, 0, 0)), []
    for piece in cut.pieces:
        points = cut.points(piece)
        area = np.linalg.norm(cut.areas(piece), axis=1)
        number, index = np.unique(piece.cell, return_inverse=True)
        sums = [np.bincount(index, w) for w in (area, area * points[:, :, 1].mean(1), area * points[:, :, 2].mean(1))]
        good = sums[0] > 0
        radius = np.hypot(points[:, :, 1], points[:, :, 2])
        number, sums = number[good], [s[good] for s in sums]
        x = piece.zone.nodes()[0]
        middle = middle_of(x)
        at = np.unravel_index(number, middle.shape)
        own, other, part = neighbours(middle, at)(x0)
        rho, velocity, p, _ = flow.primitive(piece.zone)
        state = [q.ravel()[own] + part * (q.ravel()[other] - q.ravel()[own]) for q in (rho, *velocity, p)]
        if not piece.row.pitch:
            raise InputError(f"{flow.file.path}: stations need rows with a pitch; row '{piece.row.name}' has none")
        sectors = np.full(len(number), 2 * np.pi / piece.row.pitch)
        found.append((sums[0], sums[1] / sums[0], sums[2] / sums[0], *state, np.full(len(number), piece.row.omega), sectors,
                      radius.min(), radius.max()))
    ends = min(f[-2] for f in found), max(f[-1] for f in found)
    return [np.concatenate([f[n] for f in found]) for n in range(len(found[0]) - 2)], ends


def middle_of(x):
    """Means of the eight corners of cells."""
    from .flow import middle

    return middle(x)


def averages(flow, parts, omega):
    """Columns of COLUMNS of one set of parts; NaN where nothing flows."""
    area, y, z, rho, u, v, w, p, spin, sectors = parts
    gas, area = flow.gas, area * sectors
    r = np.hypot(y, z)
    vr, vt = (v * y + w * z) / r, (w * y - v * z) / r
    wt = vt - spin * r
    m, T = rho * u * area, p / (rho * gas.R)
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


def station(flow, x, bands=0):
    """Averages over the plane at x (m): a dictionary of COLUMNS; with bands: a list of them, by equal parts of
    the radius from hub to casing, None where nothing is."""
    parts, (low, high) = parts_at(flow, x)
    omega = fastest(flow)
    if not bands:
        return averages(flow, parts, omega)
    band = np.clip(((np.hypot(parts[1], parts[2]) - low) / (high - low) * bands).astype(int), 0, bands - 1)
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


def ends_of(flow):
    """x of planes a little within the ends of each row's mesh, in the order of x."""
    found = []
    for row in flow.rows:
        x = [flow.nodes(zone)[0] for zone in row.zones]
        low, high = min(c.min() for c in x), max(c.max() for c in x)
        found += [low + 0.01 * (high - low), high - 0.01 * (high - low)]
    return sorted(found)


def machine_table(flow, stations=None):
    """The one-dimensional table: for each x, a dictionary of x_m, COLUMNS, and RATIOS over the first station.
    Without `stations`: planes within the ends of each row."""
    lines, first = [], None
    for x in ends_of(flow) if stations is None else stations:
        now = station(flow, float(x))
        first = first or now
        lines.append({"x_m": float(x), **now, **ratios(flow, first, now)})
    return lines
