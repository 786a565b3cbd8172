"""Figures of the rows of a machine, in the order of the flow: loss, incidence and deviation, diffusion factor, reaction,
flow and work coefficients.

Planes 1 and 2 are those of station.row_ends: a little within the mesh of a row, ahead of its blades and behind them. Means are by
mass flow, of the full annulus. W, beta and p0_rel belong to the frame of the row, V and p0 to that at rest; Vm is the meridional
velocity. Metal angles, chord and solidity are those of the section at mid-span (section, mean_line). Angles count from the
meridional direction, positive in the direction of rotation about +x.

    pressure_ratio      p02 / p01
    efficiency          isentropic, of a row that turns, from p02 / p01 and T02 / T01
    loss                (p02_rel of a flow without loss - p02_rel) / max(p01_rel - p1, p02_rel - p2); T02_rel is that of the flow
    incidence_deg       (beta1 - metal angle at the leading edge) s, s = sign of metal angle 1 - metal angle 2: positive where the
                        flow has to turn by more than the blade does
    deviation_deg       (beta2 - metal angle at the trailing edge) s: positive where the flow turns by less
                        (both angles of the flow are means over the middle fifth of the span)
    diffusion_factor    1 - W2 / W1 + |r2 Vt2 - r1 Vt1| / ((r1 + r2) solidity W1), only where W2 < W1
                        (S. Lieblein, F. C. Schwenk, R. L. Broderick, NACA RM E53D01, 1953; with the change of radius as in
                        I. A. Johnsen, R. O. Bullock (ed.), NASA SP-36, 1965)
    velocity_ratio      W2 / W1; de Haller's number of a compressor
    reaction            dh of a row that turns / dh of the stage, h static; the stage has the next row at rest downstream of a
                        row that works on the gas, or the one upstream of a row that the gas drives
    flow_coefficient    Vm1 / U, U = |omega| times the larger of r1 and r2
    work_coefficient    (h02 - h01) / U^2: positive in a compressor
"""
import numpy as np

from .errors import InputError
from .span import blade_to_blade
from .station import ratios, row_ends
from .surface import chain, middle

# name -> unit
FIGURES = {
    "blades": "", "speed_rpm": "1/min", "mass_flow_kg_s": "kg/s", "pressure_ratio": "", "temperature_ratio": "", "efficiency": "", "loss": "",
    "mach_in": "", "mach_out": "", "angle_in_deg": "deg", "angle_out_deg": "deg", "metal_in_deg": "deg", "metal_out_deg": "deg",
    "incidence_deg": "deg", "deviation_deg": "deg", "solidity": "", "velocity_ratio": "", "diffusion_factor": "", "reaction": "",
    "flow_coefficient": "", "work_coefficient": "",
}
EDGE = (0.05, 0.20)  # of the mean line: there its direction is taken, to be continued to the edge
SIDES = -0.4  # cosine between the normals of two sides, or less; a nose or a corner touches circles from nearer directions
AROUND = 800  # points of a section


class Section:
    """The section of a blade at a fraction of the span, in the plane of m' and theta, where angles are those in space.
    outline [2, n], closed; chord: distance of its farthest points; metal [2]: angles of the mean line at the leading and the
    trailing edge, rad, positive towards theta."""

    def __init__(self, outline):
        self.outline = outline
        line, ends, self.chord = mean_line(outline)
        self.metal = [edge_angle(line, ends), edge_angle(line[:, ::-1], ends[::-1])]


def ends_of_chord(p):
    """Numbers of the two farthest points [2, n], that with the smaller m' first, and their distance."""
    apart = np.hypot(p[0][:, None] - p[0], p[1][:, None] - p[1])
    a, b = np.unravel_index(int(apart.argmax()), apart.shape)
    return (a, b, apart[a, b]) if p[0][a] <= p[0][b] else (b, a, apart[a, b])


def smooth(p, count):
    """count points at even steps along a closed curve through points [2, n]: cubic pieces, tangents of parabolas through three points."""
    step = np.hypot(*(np.roll(p, -1, 1) - p))
    slope = (np.roll(p, -1, 1) - p) / step
    before = np.roll(step, 1)
    tangent = (np.roll(slope, 1, 1) * step + slope * before) / (step + before)
    s = np.concatenate([[0], np.cumsum(step)])
    at = np.linspace(0, s[-1], count, endpoint=False)
    n = np.clip(np.searchsorted(s, at, side="right") - 1, 0, len(step) - 1)
    m, u, h = (n + 1) % p.shape[1], (at - s[n]) / step[n], step[n]
    return ((2 * u**3 - 3 * u**2 + 1) * p[:, n] + (u**3 - 2 * u**2 + u) * h * tangent[:, n]
            + (3 * u**2 - 2 * u**3) * p[:, m] + (u**3 - u**2) * h * tangent[:, m])


def mean_line(outline, count=81):
    """Points [2, count] of the mean line: centres of the largest circles within a closed outline that touch both of its sides; how far
    the line ends from the edges; the chord."""
    p = outline[:, :-1]
    a, b, chord = ends_of_chord(p)
    x = smooth(p, AROUND)
    normal = np.roll(x, -1, 1) - np.roll(x, 1, 1)
    normal = np.array([-normal[1], normal[0]]) / np.hypot(*normal)
    normal *= np.sign(np.sum(x[0] * np.roll(x[1], -1) - x[1] * np.roll(x[0], -1)))  # inwards
    away = x[:, None, :] - x[:, :, None]
    depth = away[0] * normal[0][:, None] + away[1] * normal[1][:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        radius = np.where(depth > 1e-9 * chord, (away**2).sum(0) / (2 * depth), np.inf)  # of the circle that touches here and meets there
    other, radius = radius.argmin(1), radius.min(1)
    centre, across = x + radius * normal, (normal * normal[:, other]).sum(0) < SIDES
    along = (p[:, b] - p[:, a]) / chord
    t = along @ centre
    if across.sum() < 10:
        raise InputError("the section of a blade has no two sides")
    edges = np.linspace(t[across].min(), t[across].max(), count + 1)
    which = np.clip(np.searchsorted(edges, t, side="right") - 1, 0, count - 1)
    inside = [here for here in (across & (which == n) for n in range(count)) if here.any()]
    line = np.array([centre[:, here].mean(1) for here in inside]).T
    return line, [reach(x, line[:, 0], line[:, 0] - line[:, 2]), reach(x, line[:, -1], line[:, -1] - line[:, -3])], chord


def reach(x, start, direction):
    """How far a closed outline is from a point within it in a direction."""
    direction = direction / np.hypot(*direction)
    step, away = np.roll(x, -1, 1) - x, x - start[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        across = direction[0] * step[1] - direction[1] * step[0]
        far = (away[0] * step[1] - away[1] * step[0]) / across
        part = (away[0] * direction[1] - away[1] * direction[0]) / across
    return float(far[(part >= 0) & (part <= 1) & (far > 0)].min(initial=np.inf))


def edge_angle(line, ends):
    """Direction of a mean line at its first end, rad: the straight line through its directions over EDGE, continued to the end; where a
    blunt edge leaves no line there, over as much of it from where it begins. ends: how far it ends from the edges.
    Lines that are given from the trailing edge on have the direction of the flow all the same."""
    steps = np.diff(line, axis=1)
    s = ends[0] + np.concatenate([[0], np.cumsum(np.hypot(*steps))])
    place = 0.5 * (s[1:] + s[:-1]) / (s[-1] + ends[1])
    angle = np.unwrap(np.arctan2(steps[1], steps[0]))
    angle += np.pi * np.round(-np.median(angle) / np.pi)  # downstream
    low = max(EDGE[0], place[0])
    here = (place >= low) & (place <= low + EDGE[1] - EDGE[0])
    return float(np.polyval(np.polyfit(place[here], angle[here], 1), 0.0))


def sections(flow, fraction=0.5):
    """Row name -> Section of its blade at a fraction of the span; rows whose mesh does not close around a blade are missing. Of
    several blades (splitters, passages) the longest one counts, and the first of equal ones."""
    lines = {}
    for piece in blade_to_blade(flow, fraction, ()):
        for x, r, theta in piece.walls:
            line = np.array([piece.line.prime_at(piece.line.at(x, r)), theta, 0 * x])
            lines.setdefault(piece.row.name, []).append((line, middle(line)))
    found = {}
    for name, own in lines.items():
        closed = [contour[0][:2] for contour in chain(own) if np.hypot(*(contour[0][:2, 0] - contour[0][:2, -1])) < 1e-6 * np.ptp(contour[0][0])]
        if closed:
            found[name] = Section(max(closed, key=lambda outline: round(float(np.ptp(outline[0])), 9)))
    return found


def stage_partner(rows, n, works):
    """The row at rest of the stage of row n, in the order of the flow; None: there is none."""
    order = range(n + 1, len(rows)) if works else range(n - 1, -1, -1)
    return next((m for m in order if rows[m].omega == 0), None)


def figures_of(flow, ends, section):
    """FIGURES of one row, all but the reaction, and the rise of the static enthalpy."""
    gas, row = flow.gas, ends[0].row
    a, b = (end.mean() for end in ends)
    W = [np.hypot(np.hypot(s["vx_m_s"], s["vr_m_s"]), s["vt_m_s"] - row.omega * s["radius_mean_m"]) for s in (a, b)]
    r = [s["radius_mean_m"] for s in (a, b)]
    h0 = [float(gas.enthalpy(s["T0_K"])) for s in (a, b)]
    over = ratios(flow, a, b)
    s0 = [gas.entropy_function(s["T0_relative_K"]) for s in (a, b)]
    ideal = a["p0_relative_Pa"] * np.exp((s0[1] - s0[0]) / gas.R)
    head = max(a["p0_relative_Pa"] - a["p_Pa"], b["p0_relative_Pa"] - b["p_Pa"])
    f = dict.fromkeys(FIGURES, np.nan)
    f.update(
        blades=row.blades, speed_rpm=row.omega * 30 / np.pi, mass_flow_kg_s=b["mass_flow_kg_s"], pressure_ratio=over["pressure_ratio"],
        temperature_ratio=over["temperature_ratio"], efficiency=over["efficiency"] if row.omega else np.nan,
        loss=float((ideal - b["p0_relative_Pa"]) / head), velocity_ratio=float(W[1] / W[0]),
        mach_in=a["mach_relative"], mach_out=b["mach_relative"], angle_in_deg=a["beta_deg"], angle_out_deg=b["beta_deg"])
    if row.omega:
        U = abs(row.omega) * max(r)
        f["flow_coefficient"] = float(np.hypot(a["vx_m_s"], a["vr_m_s"]) / U)
        f["work_coefficient"] = (h0[1] - h0[0]) / U**2
    if section:
        around = np.sign(section.metal[0] - section.metal[1]) or 1.0
        metal = np.degrees(section.metal)
        mid = [end.bands(5)[2] for end in ends]
        f.update(metal_in_deg=metal[0], metal_out_deg=metal[1], solidity=float(row.blades * section.chord / (2 * np.pi)))
        for name, n in (("incidence_deg", 0), ("deviation_deg", 1)):
            if mid[n]:
                f[name] = float((mid[n]["beta_deg"] - metal[n]) * around)
        if W[1] < W[0]:
            swirl = abs(r[1] * b["vt_m_s"] - r[0] * a["vt_m_s"])
            f["diffusion_factor"] = float(1 - W[1] / W[0] + swirl / ((r[0] + r[1]) * f["solidity"] * W[0]))
    return f, float(gas.enthalpy(b["T_K"]) - gas.enthalpy(a["T_K"])), h0[1] - h0[0]


def row_table(flow):
    """For each row in the order of the flow: a dictionary of `row`, its name, and FIGURES; NaN where a figure has no meaning."""
    ends = row_ends(flow)
    try:
        found = sections(flow)
    except InputError:  # nothing reaches mid-span
        found = {}
    rows = [pair[0].row for pair in ends]
    lines, rises, works = [], [], []
    for pair, row in zip(ends, rows):
        f, rise, work = figures_of(flow, pair, found.get(row.name))
        lines.append({"row": row.name, **f})
        rises.append(rise), works.append(work)
    for n, row in enumerate(rows):
        m = stage_partner(rows, n, works[n] > 0) if row.omega else None
        if m is not None and rises[n] + rises[m]:
            lines[n]["reaction"] = rises[n] / (rises[n] + rises[m])
    return lines
