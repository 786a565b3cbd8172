"""tools/plot roofline: rows of `annulus bench` under the roofline of the run that measured them."""
import json
import os

import numpy as np

from .style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, InputError, beside, figure, save
from .style import save_table

KINDS = (
    ("cell", BLUE, "o"),
    ("directional", ORANGE, "s"),
    ("face", GREEN, "^"),
    ("line", PURPLE, "D"),
    ("fused", RED, "*"),
)


def add_parser(commands):
    parser = commands.add_parser("roofline", help="results of `annulus bench` under the roofline")
    parser.add_argument("file", help="what `annulus bench ... --json FILE` wrote")
    parser.add_argument("--precision", choices=("single", "double"), help="one of the tables")
    parser.add_argument("--names", type=int, default=12, help="rows to name, the worst (default: 12)")
    parser.add_argument("-o", "--output", help="picture (default: FILE.png); a CSV goes beside it")
    parser.set_defaults(run=run)


def read(path):
    """Tables that have rows."""
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    try:
        with open(path) as text:
            document = json.load(text)
        tables = document["tables"]
        for table in tables:
            table["precision"], table["ceilings"]["copy"], table["ceilings"]["plain"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a result of `annulus bench`: {error!r}") from None
    tables = [t for t in tables if t.get("rows")]
    if not tables:
        raise InputError(f"{path}: no rows (bench {document.get('bench')}); draw `solver` or `stencils`")
    return document, tables


def draw(ax, table, names):
    copy, plain = table["ceilings"]["copy"], table["ceilings"]["plain"]
    rows = [r for r in table["rows"] if r.get("intensity") and r["flops_per_second"]]
    if not rows:
        raise InputError("no row has operations")
    x = np.array([r["intensity"] for r in rows])
    y = np.array([r["flops_per_second"] for r in rows])
    line = np.geomspace(min(x.min(), plain / copy) / 2, max(x.max(), plain / copy) * 2, 200)
    ax.loglog(line, np.minimum(line * copy, plain) * 1e-12, color="black", lw=1.2)
    ax.text(line[8], line[8] * copy * 1.25e-12, f"copy {copy * 1e-9:.0f} GB/s", rotation=38, fontsize=8)
    ax.text(line[-1], plain * 1.12e-12, f"{plain * 1e-12:.3g} TFLOP/s", fontsize=8, ha="right")
    for kind, colour, marker in KINDS:
        mine = [n for n, r in enumerate(rows) if r["kind"] == kind]
        if mine:
            ax.loglog(x[mine], y[mine] * 1e-12, marker, color=colour, ms=6, mec="white", label=kind)
    other = [n for n, r in enumerate(rows) if r["kind"] not in [k for k, _, _ in KINDS]]
    if other:
        ax.loglog(x[other], y[other] * 1e-12, "o", color=GREY, ms=5, mec="white", label="other")
    order = sorted(range(len(rows)), key=lambda n: rows[n]["fraction_of_roofline"])
    for n in order[: max(names, 0)]:
        ax.annotate(rows[n]["name"], (x[n], y[n] * 1e-12), xytext=(4, -7), fontsize=6.5,
                    textcoords="offset points", color=GREY)
    ax.set_xlabel("operations per compulsory byte")
    ax.set_ylabel("TFLOP/s")
    ax.set_title(f"{table['precision']} precision")
    ax.grid(True, which="both", lw=0.3)
    ax.legend(loc="lower right", fontsize=8)


def run(options):
    document, tables = read(options.file)
    if options.precision:
        tables = [t for t in tables if t["precision"] == options.precision]
        if not tables:
            raise InputError(f"{options.file}: no table in {options.precision} precision")
    fig, axes = figure(6.4 * len(tables), 4.8, ncols=len(tables), squeeze=False)
    lines = []
    for ax, table in zip(axes[0], tables):
        draw(ax, table, options.names)
        for r in table["rows"]:
            lines.append((table["precision"], r["name"], float(r["intensity"] or 0),
                          r["flops_per_second"] or 0.0, r["fraction_of_roofline"] or 0.0))
    device = document.get("device", {})
    fig.suptitle(f"{device.get('name', '')}, annulus {document.get('version', '')}", fontsize=9)
    output = options.output or beside(options.file, ".png")
    save(fig, output)
    save_table(beside(output, ".csv"), ("precision", "row", "intensity", "flops_per_second",
                                        "fraction_of_roofline"), lines)
    best = max(lines, key=lambda line: line[4])
    print(f"{len(lines)} rows; nearest to the roofline: {best[1]} ({best[0]}), {100 * best[4]:.1f} %")
