"""Variations of a blade row: a table of named parameters becomes files of rows for mesh_row.

Each file names the row that it varies (`base`) and what is changed (`vary`), so that any row that mesh_row reads can be
varied, whatever the format of its blade.
"""
import csv
import os

from .errors import InputError

KEYS = ("sweep", "lean", "stagger", "chord", "thickness", "inlet_angle", "outlet_angle", "inlet_wedge", "outlet_wedge")
POINTS = tuple(f"thickness_point_{k}" for k in range(1, 5))


def _number(text, where):
    try:
        return float(text)
    except (TypeError, ValueError):
        raise InputError(f"{where}: '{text}' is not a number") from None


def split_column(column, where):
    """The parameter that a column holds, and its share of the span: None for the whole blade; (None, None) for others."""
    key, _, at = column.partition("@")
    if key not in KEYS + POINTS:
        return None, None
    share = _number(at, f"{where}: column '{column}'") if at else None
    if share is not None and not 0 <= share <= 1:
        raise InputError(f"{where}: column '{column}': a share of the span is from 0 to 1")
    return key, share


def heights_of(values, where="parameters"):
    """The heights, and for each what is done there. values: {(key, share): number}."""
    shares = {}
    for key, share in values:
        shares.setdefault(key, set()).add(share)
    heights = set()
    for key, own in shares.items():
        if None in own and len(own) > 1:
            raise InputError(f"{where}: '{key}' is given for the whole blade and for heights")
        heights |= own - {None}
    for key, own in shares.items():
        if None not in own and own != heights:
            raise InputError(f"{where}: '{key}' is not given at all heights that the other columns name: "
                             + ", ".join(f"{h:g}" for h in sorted(heights)))
    return [(h, {key: values[key, None if None in own else h] for key, own in shares.items()})
            for h in sorted(heights) or [None]]


def _text(base, heights):
    lines = [f"base: {base}", "vary:"]
    for at, done in heights:
        words = [] if at is None else [f"at: {at:.9g}"]
        words += [f"{key}: {done[key]:.9g}" for key in KEYS if key in done]
        if any(key in done for key in POINTS):
            words.append("thickness_points: [" + ", ".join(f"{done.get(key, 0):.9g}" for key in POINTS) + "]")
        lines.append(("  - " if at is not None else "  ") + "{" + ", ".join(words) + "}")
    return "\n".join(lines) + "\n"


def _lines(table):
    """(where, name of column: text) of each design."""
    if not isinstance(table, (str, os.PathLike)):
        return [(f"design {k + 1}", dict(row)) for k, row in enumerate(table)]
    with open(table, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file, skipinitialspace=True)
        return [(f"{table}:{reader.line_num}", row) for row in reader]


def designs(row, table, folder):
    """Writes FOLDER/NAME.yaml, a file for mesh_row, for each design, and FOLDER/designs.csv, the list of them.

    row: the file of the row that is varied (YAML). table: a CSV file, or a list of dictionaries: `name`, and a column for
    each parameter: sweep, lean (m), stagger, inlet_angle, outlet_angle, inlet_wedge, outlet_wedge (deg), chord, thickness
    (factors), thickness_point_1 to _4 (m). "stagger" holds for the whole blade, "stagger@0.5" at mid-span; between its
    heights a parameter follows a polynomial. All other columns (cells, a key of the case) go into designs.csv as they are.
    Returns the rows of designs.csv, each a dictionary with `name` and `row`. Raises InputError with the line at fault.
    """
    if not os.path.isfile(row):
        raise InputError(f"{row}: no such file")
    made, files = {}, []
    for where, line in _lines(table):
        if None in line or None in line.values():
            raise InputError(f"{where}: as many values as columns are needed")
        name = (line.get("name") or "").strip()
        if not name or not all(c.isalnum() or c in "-_." for c in name) or name[0] == ".":
            raise InputError(f"{where}: 'name' is '{name}': letters, digits, '-', '_' and '.' are needed")
        if name in made:
            raise InputError(f"{where}: two designs are called '{name}'")
        values, others = {}, {"name": name, "row": f"{name}.yaml"}
        for column, text in line.items():
            key, share = split_column(column, where)
            if key:
                values[key, share] = _number(text, f"{where}: '{column}'")
            elif column not in others:
                others[column] = text
        if not values:
            raise InputError(f"{where}: no column names a parameter: {', '.join(KEYS + POINTS)}, perhaps with @ and a "
                             "share of the span")
        files.append(_text(os.path.relpath(row, folder), heights_of(values, where)))
        made[name] = others
    os.makedirs(folder, exist_ok=True)
    for text, others in zip(files, made.values()):
        with open(os.path.join(folder, others["row"]), "w", encoding="utf-8") as file:
            file.write(text)
    columns = list(dict.fromkeys(c for others in made.values() for c in others))
    with open(os.path.join(folder, "designs.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(made.values())
    return list(made.values())
