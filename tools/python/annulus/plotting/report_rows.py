"""The tables of the report that go row by row through a machine, in the order of the flow."""
import html

import numpy as np

from ..blading import FIGURES
from ..errors import InputError
from ..quality import of_zone
from .map import number, table
from .report_text import shown

# figure of blading -> what stands above its column
HEADS = {
    "blades": "blades", "speed_rpm": "speed", "pressure_ratio": "p₀ ratio", "efficiency": "efficiency", "loss": "loss", "mach_in": "Mach in",
    "mach_out": "Mach out", "angle_in_deg": "angle in", "angle_out_deg": "angle out", "incidence_deg": "incidence", "deviation_deg": "deviation", "solidity": "solidity",
    "velocity_ratio": "W₂/W₁", "diffusion_factor": "diffusion factor", "reaction": "reaction", "flow_coefficient": "flow coeff.",
    "work_coefficient": "work coeff.",
}
WORDS = (
    ("Planes", "1 is ahead of the blades of a row, 2 behind them, both near the ends of its mesh. Means are by mass flow. W, the angles, and the "
               "Mach numbers are relative to the row; angles count from the meridional direction, positive in the direction of rotation about +x."),
    ("Loss", "Drop of the relative total pressure, over p₀ − p of the faster one of the two relative flows."),
    ("Incidence, deviation", "Flow angle at mid-span minus the metal angle at the leading and the trailing edge. Incidence is positive where the flow has to "
                             "turn by more than the blade does, deviation where it turns by less."),
    ("Diffusion factor", "Lieblein: 1 − W₂/W₁ + |r₂V<sub>t2</sub> − r₁V<sub>t1</sub>| / ((r₁ + r₂) σ W₁), σ the solidity at mid-span; only where the row slows "
                         "the flow."),
    ("Reaction", "Rise of the static enthalpy in the row that turns, over that of its stage."),
    ("Flow and work coefficient", "V<sub>m1</sub>/U and Δh₀/U², U the speed of the row at the larger one of its two mean radii."),
)


def in_flow_order(entries, flow, walls=False):
    """Entries of run.json with a name, sorted by the row that has it, or that has the wall; what no row has comes last. Without a flow
    they stay as they are."""
    if flow is None:
        return entries
    rank = {}
    for n, row in enumerate(flow.in_order()):
        names = {patch.family for zone in row.zones for patch in zone.patches()} if walls else {row.name}
        for name in names:
            rank.setdefault(name, n)
    return sorted(entries, key=lambda entry: rank.get(entry["name"], len(rank) + 1))


def walls_of_rows(flow, families):
    """Names of walls in the order of the rows that have them."""
    return [entry["name"] for entry in in_flow_order([{"name": f} for f in families], flow, walls=True)]


def designs(path):
    """Row -> figure -> value of a CSV with the column `row` and some of blading.FIGURES; nothing without a file."""
    if not path:
        return {}
    rows, _ = table(path, (), ("row",))
    names = [c for c in (rows[0] if rows else {}) if c in FIGURES]
    if not names:
        raise InputError(f"{path}: none of its columns is a figure of a row; these are {', '.join(FIGURES)}")
    return {row["row"].strip(): {c: number(path, n, c, row[c]) for c in names} for n, row in enumerate(rows, 1)}


def said(name, value):
    """A figure as the table prints it: whole numbers, angles with one digit behind the point, others with three or four."""
    if not np.isfinite(value):
        return "–"
    if name in ("blades", "speed_rpm"):
        return f"{value:,.0f}".replace(",", " ")
    return f"{round(value, 1) + 0.0:.1f}" if name.endswith("_deg") else f"{value:.4f}" if name in ("pressure_ratio", "efficiency", "loss") else f"{value:.3f}"


def cell(name, value, wanted):
    """One figure, and below it that of the design."""
    below = f'<br><span class="design">{said(name, wanted)}</span>' if wanted is not None and np.isfinite(wanted) else ""
    return f'<td class="n">{said(name, value)}{below}</td>'


def blading_html(lines, design):
    """One line a row. lines: of blading.row_table; design: of designs."""
    strange = [name for name in design if name not in [line["row"] for line in lines]]
    if strange:
        raise InputError(f"the design has a row '{strange[0]}', the flow does not; it has {', '.join(line['row'] for line in lines)}")
    kept = [c for c in HEADS if any(np.isfinite(line[c]) for line in lines)]
    units = {"speed_rpm": " (rpm)", **{c: " (deg)" for c in kept if c.endswith("_deg")}}
    head = "".join(f"<th class='n'>{HEADS[c]}{units.get(c, '')}</th>" for c in kept)
    body = "".join(f"<tr><th>{html.escape(line['row'])}</th>" + "".join(cell(c, line[c], design.get(line["row"], {}).get(c)) for c in kept) + "</tr>" for line in lines)
    remark = "Below the computed figures, in grey, stand those of the design." if design else ""
    words = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in WORDS)
    return (f"<p>Rows in the order of the flow. {remark}</p><div class='wide'><table class='rows'><tr class='head'><th>row</th>{head}</tr>{body}</table></div>"
            f"<details><summary>What the figures mean</summary><dl>{words}</dl></details>")


QUALITY = (("least_angle", min), ("largest_angle", max), ("growth", max), ("aspect", max), ("folded", sum))
FEW = 12  # zones that get a line each


def mesh_table(flow):
    """Quality of the mesh (annulus.quality), a line a zone, or a line a row where there are many zones: then the worst of its zones."""
    groups = [(zone.name, " × ".join(map(str, zone.cells)), [zone]) for row in flow.in_order() for zone in row.zones]
    if len(groups) > FEW and len(flow.rows) > 1:
        groups = [(row.name, shown(sum(int(np.prod(z.cells)) for z in row.zones)), row.zones) for row in flow.in_order()]
    lines = []
    for name, cells, zones in groups:
        found = [of_zone(zone) for zone in zones]
        worst = "".join(f'<td class="n">{shown(worse(q[k] for q in found))}</td>' for k, worse in QUALITY)
        lines.append(f'<tr><th>{html.escape(name)}</th><td class="n">{cells}</td>{worst}</tr>')
    return ("<div class='wide'><table><tr><th>part</th><th>cells</th><th>least angle (deg)</th><th>largest angle (deg)</th>"
            "<th>largest ratio of neighbouring volumes</th><th>largest aspect ratio</th><th>folded cells</th></tr>"
            + "".join(lines) + "</table></div>")
