"""The page of a batch: all cases in one table, two figures against each other, and links to the folder of each case."""
import base64
import html
import io
import os

import numpy as np

from ..errors import InputError
from ..run import Table, unit_of
from .report_text import BAD, GOOD, STYLE, shown
from .style import colour, figure, legend_beside, plt

COMMON = ("outcome", "iterations", "seconds", "cells")
FIGURES = ("mass_in_kg_s", "mass_out_kg_s", "pressure_ratio", "temperature_ratio", "efficiency", "loss_by_mass", "loss_mixed_out")


def columns_of(table):
    """The varied values, and the figures that the page shows: those of the table that are not empty everywhere."""
    names = list(table)
    varied = names[1:names.index("outcome")]
    figures = [name for name in names if name in FIGURES or name.startswith("machine_") and name[8:] in FIGURES[4:]]
    return varied, [name for name in figures if table[name].dtype.kind == "f" and np.isfinite(table[name]).any()]


def axes_of(table, varied, figures, wanted):
    """The columns of the picture: those that were asked for, or the first varied number and the last figure."""
    numbers = [name for name in (*varied, *figures, *COMMON) if table[name].dtype.kind == "f" and len(set(table[name][np.isfinite(table[name])])) > 1]
    for name in filter(None, wanted):
        if name not in table or table[name].dtype.kind != "f":
            raise InputError(f"{table.path}: no column of numbers '{name}'")
    if len(numbers) < 2 and not all(wanted):
        return None
    return wanted[0] or numbers[0], wanted[1] or next(name for name in (*figures[::-1], *numbers[::-1]) if name in numbers)


def scatter(table, x, y):
    """The picture as PNG: a colour for each outcome."""
    fig, axes = figure()
    for n, outcome in enumerate(dict.fromkeys(table["outcome"])):
        here = table["outcome"] == outcome
        axes.plot(table[x][here], table[y][here], "o", ms=4, color=colour(n), label=outcome)
    for name, label in ((x, axes.set_xlabel), (y, axes.set_ylabel)):
        label(f"{name} ({unit_of(name)})" if unit_of(name) else name)
    legend_beside(axes)
    picture = io.BytesIO()
    fig.savefig(picture, dpi=120)
    plt.close(fig)
    return base64.b64encode(picture.getvalue()).decode("ascii")


def link(folder, name):
    """To the report of a case where there is one, else to its folder."""
    page = "/report.html" if os.path.exists(os.path.join(folder, name, "report.html")) else "/"
    return f'<a href="{html.escape(name)}{page}">{html.escape(name)}</a>'


def page(folder, wanted):
    table = Table(os.path.join(folder, "batch.csv"))
    if "name" not in table or "outcome" not in table or not len(table):
        raise InputError(f"{table.path}: not the table of a batch with a case in it")
    varied, figures = columns_of(table)
    title = html.escape(os.path.basename(os.path.abspath(folder)))
    out = [f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{STYLE}</head><body><h1>{title}</h1>']
    counts = {outcome: int(np.sum(table["outcome"] == outcome)) for outcome in dict.fromkeys(table["outcome"])}
    out.append(f"<p>{len(table)} cases: {html.escape(', '.join(f'{n} {word}' for word, n in counts.items()))}.</p>")
    chosen = axes_of(table, varied, figures, wanted)
    if chosen:
        out.append(f'<figure><img alt="{html.escape(" against ".join(chosen[::-1]))}" src="data:image/png;base64,{scatter(table, *chosen)}"></figure>')
    shown_columns = [*varied, *COMMON, *figures, "message"]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in ("name", *shown_columns))
    out.append(f"<div class='wide'><table><tr>{head}</tr>")
    for n in range(len(table)):
        cells = [f"<td>{link(folder, str(table['name'][n]))}</td>"]
        for name in shown_columns:
            value = table[name][n]
            if name == "outcome":
                kind = "good" if value in GOOD else "bad" if value in (*BAD, "failed") else ""
                cells.append(f'<td><span class="status {kind}">{html.escape(value)}</span></td>')
            elif table[name].dtype.kind == "f":
                whole = float(value).is_integer() and name in COMMON
                cells.append(f'<td class="n">{shown(None if np.isnan(value) else int(value) if whole else float(value))}</td>')
            else:
                cells.append(f"<td>{shown(str(value))}</td>")
        out.append("<tr>" + "".join(cells) + "</tr>")
    return "\n".join(out) + "</table></div></body></html>\n"
