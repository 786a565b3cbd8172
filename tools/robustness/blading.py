"""Tables of an annular blade row for mesh_row: sections, hub and casing of a flow path, input file."""
import math
import os

import numpy as np

import section

SECTIONS = 9


class Path:
    """Flow path: radii of hub and casing change from x0 to x1 by a half cosine and are constant elsewhere."""

    def __init__(self, hub, casing, x0, x1):
        self.hub, self.casing, self.x0, self.x1 = hub, casing, x0, x1

    def radius(self, x, v):
        t = np.clip((np.asarray(x, float) - self.x0) / (self.x1 - self.x0), 0, 1)
        t = 0.5 - 0.5 * np.cos(math.pi * t)
        hub = self.hub[0] + t * (self.hub[1] - self.hub[0])
        casing = self.casing[0] + t * (self.casing[1] - self.casing[0])
        return (1 - v) * hub + v * casing


def wrap(path, loop, x, v):
    """Points (x, r, theta) on the surface of revolution of span fraction v: a plane loop of lengths, m, whose
    origin lies at x, keeps its angles (dm' = dm / r)."""
    reach = 1.3 * np.abs(loop[:, 0]).max()
    line = np.linspace(x - reach, x + reach, 801)
    r = path.radius(line, v)
    middle = 0.5 * (r[1:] + r[:-1])
    m = np.concatenate([[0], np.cumsum(np.hypot(np.diff(line), np.diff(r)) / middle)])
    m -= np.interp(x, line, m)
    scale = float(path.radius(x, v))
    at = np.interp(loop[:, 0] / scale, m, line)
    return np.stack([at, path.radius(at, v), loop[:, 1] / scale], 1)


def section_at(row, v):
    a, b = row["angles"](v)
    chord = row["chord"] * (1 + row.get("taper", 0) * (2 * v - 1))
    thick = row["thick"](v)
    return section.loop(a, b, chord, thick, row["nose"] * thick, row["tail"], row.get("shape", 1.0), 90)


def write(folder, name, row, path):
    """Writes <name>.dat and <name>.yaml of a row and the path's tables. The row has blades, chord (m, mid-span),
    angles(v) and thick(v) (metal angles in radians, thickness over chord at span fraction v), nose (over the
    thickness), tail (over the chord), x (of the middle of the chord), inlet, outlet (x of the end planes), cells,
    levels, walls, first (m), gap (over the height), rpm, machine, hub_parts. Returns mesh_row's arguments."""
    with open(os.path.join(folder, name + ".dat"), "w", encoding="ascii") as f:
        for n in range(SECTIONS):
            v = n / (SECTIONS - 1)
            f.write(f"section {n + 1}\n")
            f.writelines("%.9f %.9f %.9f\n" % tuple(p) for p in wrap(path, section_at(row, v), row["x"], v))
    spread = row["outlet"] - row["inlet"]
    for part, v in (("hub", 0), ("casing", 1)):
        x = np.linspace(row["inlet"] - 0.05 * spread, row["outlet"] + 0.05 * spread, 121)
        np.savetxt(os.path.join(folder, f"{name}_{part}.dat"), np.stack([x, path.radius(x, v)], 1), fmt="%.9f")
    lines = [f"row: {name}", f"blades: {row['blades']}", f"rpm: {row['rpm']:.9g}", f"machine: {row['machine']}",
             f"sections: {name}.dat", "columns: [x, r, theta]", f"hub: {name}_hub.dat", f"casing: {name}_casing.dat",
             f"inlet: {row['inlet']:.6f}", f"outlet: {row['outlet']:.6f}", f"cells: {row['cells']:g}",
             f"levels: {row['levels']}", f"walls: {row['walls']}", f"first_cell: {row['first']:.4g}"]
    if row["gap"]:
        lines.append(f"tip_gap_fraction: {row['gap']:.5f}")
    if row["rpm"]:
        lines.append("hub_parts: three")
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")
    return ["mesh_row", name + ".yaml"]


def axial_chord(row):
    """Smallest and largest axial extent of the blade about its middle, m."""
    ends = [section_at(row, v)[:, 0] for v in np.linspace(0, 1, SECTIONS)]
    return min(e.min() for e in ends), max(e.max() for e in ends)
