"""Words and tables of the page that `tools/plot report` writes."""
import html
import os

import numpy as np

from ..errors import InputError

STYLE = """<style>
body { font: 15px/1.5 system-ui, sans-serif; color: #1c1c1c; background: #fff; max-width: 1180px; margin: 2rem auto; padding: 0 1.5rem }
h1 { margin: 0 0 .8rem } h2 { margin: 2rem 0 .6rem; border-bottom: 1px solid #ccc; font-size: 1.2rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums } th { text-align: left; font-weight: 600 }
th, td { padding: .18rem 1.2rem .18rem 0; border-bottom: 1px solid #eee; vertical-align: top } td.n { text-align: right; white-space: nowrap }
.status { padding: .1rem .6rem; border-radius: .8rem; color: #fff; background: #666 }
.status.good { background: #2e8b57 } .status.bad { background: #c0392b }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(480px, 100%), 1fr)); gap: 1.2rem } figure { margin: 0 }
figure img { max-width: 100%; max-height: 640px; display: block } figure.wide { grid-column: 1 / -1 } figure.wide img { max-height: none }
.rows th, .rows td { padding-right: .65rem; font-size: .8rem } .rows th { white-space: nowrap } .rows .head th { vertical-align: bottom; white-space: normal } th.n { text-align: right } .design { color: #666 } dl { font-size: .85rem; color: #444 } dt { font-weight: 600 } dd { margin: 0 0 .3rem 1rem } .caption { color: #555; font-size: .85rem; margin: .3rem 0 }
.wide { overflow-x: auto; margin-bottom: 1rem }
@media print { body { max-width: none; margin: 0; font-size: 11px } figure, table { break-inside: avoid } details { display: none } }
pre { background: #f6f6f6; padding: 1rem; overflow-x: auto; font-size: .8rem } li { margin: .2rem 0 }
</style>"""

# of run.json: name in the page -> (key, unit)
RUN = (
    ("Case file", "case_file", ""), ("Mesh", "mesh_file", ""), ("Cells", "cells", ""), ("Precision", "precision", ""),
    ("Iterations", "iteration", ""), ("State", "state", ""), ("Wall time", "seconds", "s"), ("Ranks", "ranks", ""), ("Engine", "engine", ""),
    ("Transport", "transport", ""), ("Version", "version", ""), ("Snapshot", "snapshot", ""),
)
ROW = (
    ("mass_in_kg_s", "mass flow in"), ("mass_out_kg_s", "mass flow out"), ("imbalance", "imbalance"),
    ("mass_corrected_kg_s", "corrected mass flow"), ("pressure_ratio", "total pressure ratio"),
    ("temperature_ratio", "total temperature ratio"), ("efficiency", "isentropic efficiency"),
    ("polytropic_efficiency", "polytropic efficiency"), ("power_W", "power"), ("torque_walls_Nm", "torque of the walls"),
    ("alpha_in_deg", "absolute angle in"), ("alpha_out_deg", "absolute angle out"), ("beta_in_deg", "relative angle in"),
    ("beta_out_deg", "relative angle out"), ("mach_in", "relative Mach number in"), ("mach_out", "relative Mach number out"),
    ("loss", "loss coefficient"), ("entropy_rise_J_kgK", "entropy rise"), ("reaction", "reaction"),
    ("coolant_kg_s", "coolant"), ("bleed_kg_s", "bleed"),
    # cascades
    ("alpha_out_mixed_out_deg", "mixed-out angle"), ("p0_in_Pa", "total pressure in"), ("p0_out_Pa", "total pressure out"),
    ("p0_out_mixed_out_Pa", "mixed-out total pressure"), ("p_out_Pa", "pressure out"),
    ("mach_out_isentropic", "isentropic Mach number out"), ("loss_by_mass", "loss, by mass"),
    ("loss_mixed_out", "loss, mixed out"), ("force_axial_N_m", "axial force over the span"),
    ("force_tangential_N_m", "tangential force over the span"),
)
GOOD, BAD = ("converged", "settled"), ("diverged",)


def shown(value):
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return html.escape(str(value))
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ")
    if 1e5 <= abs(value) < 1e9:  # no exponent
        return f"{float(f'{value:.5g}'):,.0f}".replace(",", " ")
    return f"{value:.5g}" if abs(value) > 1e-9 else "0"


def run_table(info):
    status = str(info.get("status", "unknown"))
    kind = "good" if status in GOOD or (status == "finished" and info.get("settled") is True) else "bad" if status in BAD else ""
    message = f" {html.escape(str(info['message']))}" if info.get("message") else ""
    lines = [f'<p><span class="status {kind}">{html.escape(status)}</span>{message}</p><table>']
    for name, key, unit in RUN:
        if info.get(key) is not None:
            lines.append(f"<tr><th>{name}</th><td>{shown(info[key])}{' ' + unit if unit else ''}</td></tr>")
    time = (info.get("last") or {}).get("time_s")
    if time:  # of an unsteady run
        lines.append(f"<tr><th>Time</th><td>{shown(time)} s</td></tr>")
    return "".join(lines) + "</table>"


def rows_table(rows, unit_of):
    """One column a row, one line a figure; lines without a figure are left out, and so is the machine
    that consists of one row."""
    if len(rows) == 2 and rows[1]["name"] == "machine":
        rows = rows[:1]
    head = "".join(f'<th class="n">{html.escape(row["name"])}</th>' for row in rows)
    lines = [f"<p>From the fluxes through the boundaries of the rows, as the run reports them.</p><div class='wide'>"
             f"<table class='rows'><tr><th>figure</th><th>unit</th>{head}</tr>"]
    for key, text in ROW:
        values = [row.get(key) for row in rows]
        if any(v is not None and v != 0 for v in values):
            cells = "".join(f'<td class="n">{shown(v)}</td>' for v in values)
            lines.append(f"<tr><th>{text}</th><td>{unit_of(key) or '–'}</td>{cells}</tr>")
    return "".join(lines) + "</table></div>"


def walls_table(walls):
    lines = ["<table><tr><th>wall</th><th>area (m²)</th><th>force x, y, z (N)</th><th>torque about x (N m)</th>"
             "<th>heat (W)</th><th>largest y⁺</th></tr>"]
    for wall in walls:
        force = ", ".join(shown(f) for f in wall.get("force", []))
        cells = [shown(wall.get("area")), force, *(shown(wall.get(k)) for k in ("torque_x", "heat", "yplus_max"))]
        lines.append(f"<tr><th>{html.escape(wall['name'])}</th>" + "".join(f'<td class="n">{c}</td>' for c in cells) + "</tr>")
    return "".join(lines) + "</table>"


def metal_table(solids):
    """Solids and their surfaces in the order of run.json, which is that of the case file."""
    lines = ["<table><tr><th>solid</th><th>surface</th><th>area (m²)</th><th>lowest, mean, highest T (K)</th><th>heat into the solid (W)</th>"
             "<th>h (W/(m² K))</th><th>coolant in, out (K)</th></tr>"]
    for entry in solids:
        T = ", ".join(shown(entry.get(f"T_{k}_K")) for k in ("min", "mean", "max"))
        coolant = ", ".join(shown(entry[k]) for k in ("coolant_in_K", "coolant_out_K") if k in entry)
        cells = [shown(entry.get("area_m2")), T, shown(entry.get("heat_W")), shown(entry.get("h_W_m2_K")), coolant or "–"]
        lines.append(f"<tr><th>{html.escape(entry['solid'])}</th><td>{html.escape(entry.get('surface', 'all'))}</td>"
                     + "".join(f'<td class="n">{c}</td>' for c in cells) + "</tr>")
    return "".join(lines) + "</table>"


MACHINE = (
    ("x_m", "x", "m"), ("radius_mean_m", "mean r", "m"), ("mass_flow_kg_s", "mass flow", "kg/s"), ("p0_Pa", "p₀", "Pa"), ("T0_K", "T₀", "K"), ("p_Pa", "p", "Pa"),
    ("T_K", "T", "K"), ("mach", "Mach", ""), ("mach_relative", "rel. Mach", ""), ("alpha_deg", "α", "deg"), ("beta_deg", "β", "deg"),
    ("pressure_ratio", "p₀ ratio", ""), ("temperature_ratio", "T₀ ratio", ""), ("efficiency", "efficiency", ""),
)


def machine_html(lines):
    """The one-dimensional table of the machine, one line a station, as station.machine_table gives it."""
    head = "<th>row</th><th></th>" + "".join(f"<th>{text}{f' ({unit})' if unit else ''}</th>" for _, text, unit in MACHINE)
    rows = "".join(
        f"<tr><th>{html.escape(line['row'])}</th><td>{line['end']}</td>" + "".join(f'<td class="n">{shown(line[k]) if line[k] == line[k] else "–"}</td>' for k, _, _ in MACHINE) + "</tr>"
        for line in lines
    )
    return (f"<p>Averages by mass flow over surfaces across the duct near the ends of each row, of the full annulus. Ratios are over "
            f"the first surface. β belongs to the frame that turns fastest.</p><div class='wide'><table class='rows'><tr class='head'>{head}</tr>{rows}</table></div>")


def coefficients_table(coefficients):
    lines = ["<table><tr><th>coefficient</th><th>all</th><th>pressure</th><th>friction</th></tr>"]
    for name, parts in coefficients.items():
        cells = "".join(f'<td class="n">{shown(parts.get(k))}</td>' for k in ("all", "pressure", "friction"))
        lines.append(f"<tr><th>{html.escape(name.replace('_', ' '))}</th>{cells}</tr>")
    return "".join(lines) + "</table>"


def is_unsteady(run):
    return os.path.exists(run.path("effective.yaml")) and run.case.value("march.mode") == "unsteady"


def percent(share):
    """Two digits, and no exponent where that many stand before the point."""
    value = 100 * abs(share)
    return f"{value:.2g} %" if value < 99.5 else f"{value:.0f} %"


def findings(run, info):
    """What a reader of the results must know, as sentences."""
    found = []
    status = str(info.get("status", ""))
    unsteady = is_unsteady(run)
    found += [str(text)[:1].upper() + str(text)[1:] + "." for text in info.get("warnings") or []]
    if status == "diverged":
        found.append("The run diverged. Its figures describe the last state that was kept, not a solution.")
    elif status == "finished" and (unsteady or info.get("settled") is True):
        pass  # it came to the end that it was given, or settled without a rule
    elif status == "finished":
        found.append("The run did all its iterations; no stopping rule was met.")
    elif status not in GOOD:
        found.append(f"The run ended as '{status}', not because a stopping rule was met.")
    last = {} if unsteady else info.get("last") or {}  # an unsteady flow stores gas and does not settle
    if isinstance(last.get("residual_drop"), (int, float)) and last["residual_drop"] > 1e-2:
        found.append(f"The density residual is {last['residual_drop']:.2g} of its first value: it fell by less than two orders.")
    if isinstance(last.get("imbalance"), (int, float)) and abs(last["imbalance"]) > 5e-3:
        found.append(f"Mass flows in and out differ by {percent(last['imbalance'])}.")
    for row in info.get("rows") or []:
        efficiency = row.get("efficiency")
        if isinstance(efficiency, (int, float)) and not 0 < efficiency < 1:
            found.append(f"Row {row['name']} has an efficiency of {efficiency:.3g}, which no machine has.")
    for wall in info.get("walls") or []:
        y = wall.get("yplus_max")
        if isinstance(y, (int, float)) and y > 300:
            found.append(f"y+ reaches {y:.0f} on {wall['name']}: the law of the wall does not hold there.")
    try:
        history = run.history
        values = [history[n] for n in ("pressure_ratio", "mass_out_kg_s") if n in history and not unsteady]
    except InputError:
        values = []
    for name, v in zip(("total pressure ratio", "mass flow out"), values):
        tail = v[-max(3, len(v) // 10):]
        tail = tail[np.isfinite(tail)]
        if len(tail) > 2 and np.ptp(tail) > 1e-2 * abs(tail.mean()) > 0:
            found.append(f"The {name} still changes: by {percent(np.ptp(tail) / tail.mean())} over the last tenth of the run.")
    return found
