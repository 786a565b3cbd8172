"""The report of a machine of several rows, on a constructed flow: rows in the order of the flow, figures of rows against their formulas,
mass flows of the annulus, profiles of planes over measured ones, and maps of several speeds.

Three rows follow each other along x: v (a vane, 0 to 0.1 m), r (a rotor, to 0.2 m), s (a stator, to 0.3 m); their names and the case have another
order. r = 0.2 to 0.3 m, rho = 1.2, Vx = 120 m/s, Vr = 0, Vt = Omega r; Omega and p are linear in x within each row. So the
mean of a - Omega r over a plane is exact, and p0 follows from an integral over r. In each row an O of cells surrounds a blade whose mean line
is an arc of a circle in the plane of m' and theta at mid-span, with the metal angles of ROWS at its ends.
"""
import json
import os
import subprocess
import sys

try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
    import numpy as np
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SOURCE = os.environ["AN_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
sys.path.append(os.path.join(SOURCE, "tests", "support"))
import annulus  # noqa: E402
from annulus.blading import Section, row_table  # noqa: E402
from annulus.plotting.map import lines_of  # noqa: E402
from annulus.plotting.planes import profiles  # noqa: E402
from annulus.plotting.report_text import findings  # noqa: E402
from annulus.run import Run, mass_columns  # noqa: E402
from cgns_nodes import characters, node, root  # noqa: E402
from checks import check, finish  # noqa: E402

GAMMA, R, RHO, VX = 1.4, 287.0, 1.2, 120.0
CP = GAMMA * R / (GAMMA - 1)
INNER, OUTER, MID = 0.2, 0.3, 0.25
#       x from, to; blades; omega; Omega of the swirl in, out; p in, out; metal angles in, out, deg
ROWS = {
    "v": (0.0, 0.1, 20, 0.0, 0.0, 250.0, 1.0e5, 0.96e5, 0.0, 30.0),
    "r": (0.1, 0.2, 30, 800.0, 250.0, 500.0, 0.96e5, 1.2e5, -50.0, -30.0),
    "s": (0.2, 0.3, 40, 0.0, 500.0, 100.0, 1.2e5, 1.3e5, 42.0, 8.0),
}
MEAN = 2 / 3 * (OUTER**3 - INNER**3) / (OUTER**2 - INNER**2)  # of r by mass flow


def linear(row, x):
    """Omega and p at x."""
    x0, x1, _, _, w0, w1, p0, p1, *_ = ROWS[row]
    part = (x - x0) / (x1 - x0)
    return w0 + part * (w1 - w0), p0 + part * (p1 - p0)


def add_zone(base, name, row, x, r, theta, wall=False):
    """x, r, theta: nodes [k, j, i]."""
    nk, nj, ni = (n - 1 for n in x.shape)
    zone = node(base, name, "Zone_t", "I4", np.array([[ni + 1, nj + 1, nk + 1], [ni, nj, nk], [0, 0, 0]], np.int32))
    grid = node(zone, "GridCoordinates", "GridCoordinates_t")
    xyz = (x, r * np.cos(theta), r * np.sin(theta))
    for axis, c in zip("XYZ", xyz):
        node(grid, "Coordinate" + axis, "DataArray_t", "R8", c)
    cx, y, z = (annulus.flow.middle(c) for c in xyz)
    swirl, p = linear(row, cx)
    velocity = (VX + 0 * cx, -swirl * z, swirl * y)
    flow = node(zone, "FlowSolution", "FlowSolution_t")
    fields = {"Density": RHO + 0 * cx, "EnergyStagnationDensity": p / (GAMMA - 1) + 0.5 * RHO * sum(v * v for v in velocity)}
    fields.update({"Momentum" + axis: RHO * v for axis, v in zip("XYZ", velocity)})
    for field, values in fields.items():
        node(flow, field, "DataArray_t", "R8", values)
    if wall:
        patch = node(node(zone, "ZoneBC", "ZoneBC_t"), row + "_blade", "BC_t", "C1", characters("BCWall"))
        node(patch, "PointRange", "IndexRange_t", "I4", np.array([[1, 1, 1], [ni + 1, 1, nk + 1]], np.int32))


def outline(row, count=60):
    """m' and theta of a blade from x0 + 0.03 m on: an arc of a circle as mean line, half the thickness 0.006 sin(pi s) along its normals."""
    k1, k2 = np.radians(ROWS[row][-2:])
    s = 0.5 * (1 - np.cos(np.linspace(0, np.pi, count + 1)))
    fine = np.linspace(0, 1, 4001)
    angle = k1 + (k2 - k1) * fine
    length = 0.16  # in the plane of m' and theta
    steps = length / 4000 * np.array([np.cos(0.5 * (angle[1:] + angle[:-1])), np.sin(0.5 * (angle[1:] + angle[:-1]))])
    line = np.concatenate([np.zeros((2, 1)), np.cumsum(steps, 1)], 1)
    line = np.array([np.interp(s, fine, c) for c in line]) + np.array([[(ROWS[row][0] + 0.03) / MID], [0.02]])
    bent = k1 + (k2 - k1) * s
    normal = np.array([-np.sin(bent), np.cos(bent)])
    half = 0.006 * np.sin(np.pi * s)
    return np.concatenate([line + half * normal, (line - half * normal)[:, -2::-1]], 1)


def write():
    with root("flow_00000040.cgns") as file:
        base = node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
        for name in sorted(ROWS):
            x0, x1, blades = ROWS[name][:3]
            k, j, i = np.meshgrid(np.linspace(INNER, OUTER, 21), np.linspace(0, 2 * np.pi / blades, 7), np.linspace(x0, x1, 11), indexing="ij")
            add_zone(base, name + "_h", name, i, k, j)
            inner = outline(name)
            away = inner - inner.mean(axis=1)[:, None]
            rings = np.stack([inner + part * away for part in (0.0, 0.05, 0.1)], 1)  # [2, j, i]
            m, theta = (np.broadcast_to(c, (21, *c.shape)) for c in rings)
            radius = np.broadcast_to(np.linspace(INNER, OUTER, 21)[:, None, None], m.shape)
            add_zone(base, name + "_o", name, m * MID, radius, theta, wall=True)
    rows = "".join(f"  {n}: {{zones: ['{n}_*'], omega: {ROWS[n][3]}, blades: {ROWS[n][2]}}}\n" for n in sorted(ROWS))
    with open("effective.yaml", "w") as out:
        out.write(f"gas: {{gamma: {GAMMA}, R: {R}}}\nrows:\n{rows}")
    names = [f"{row}_mass_{end}_kg_s" for row in (*sorted(ROWS), "machine") for end in ("in", "out")]
    with open("history.csv", "w") as out:
        out.write("iteration,residual_density,mass_in_kg_s,mass_out_kg_s,imbalance," + ",".join(names) + "\n")
        out.writelines(f"{n},{10.0 ** -n},0.45,0.25,0,{','.join(['9'] * 6)},{9 + 0.5 ** (n + 2)},9\n" for n in range(6))
    with open("profile_00000040.csv", "w") as out:
        out.write("x_m,band,span,pressure_ratio,temperature_ratio,efficiency,alpha_deg\n")
        out.writelines(f"0.29,{n},{n / 4},1.1,1.05,0.9,10\n" for n in range(5))
    with open("run.json", "w") as out:
        rows = [{"name": n, "mass_in_kg_s": 9.0, "mass_out_kg_s": 9.0} for n in (*sorted(ROWS), "machine")]
        walls = [{"name": n + "_blade", "area": 1.0} for n in sorted(ROWS)]
        json.dump({"title": "stages", "status": "finished", "settled": True, "rows": rows, "walls": walls, "last": {}}, out)


def over_radius(low, high, f):
    """Mean by mass flow of f(r)."""
    r = np.linspace(low, high, 20001)
    r = 0.5 * (r[1:] + r[:-1])
    return float((r * f(r)).sum() / r.sum())


def expected(name):
    """The figures of a row from their definitions (annulus.blading), at the planes 1 % within it."""
    x0, x1, blades, omega, *_, metal1, metal2 = ROWS[name]
    f, plane = {}, []
    for x in (x0 + 1e-3, x1 - 1e-3):
        swirl, p = linear(name, x)
        T = p / (RHO * R)

        def total(r, turn):
            T0 = T + 0.5 * (VX**2 + ((swirl - turn) * r) ** 2) / CP
            return p * (T0 / T) ** (GAMMA / (GAMMA - 1)), T0

        whole = lambda n, turn: over_radius(INNER, OUTER, lambda r: total(r, turn)[n])  # noqa: E731
        band = over_radius(0.24, 0.26, lambda r: r)
        plane.append({"p": p, "T": T, "p0": whole(0, 0), "T0": whole(1, 0), "p0r": whole(0, omega), "T0r": whole(1, omega),
                      "W": np.hypot(VX, (swirl - omega) * MEAN), "Vt": swirl * MEAN, "mid": np.degrees(np.arctan((swirl - omega) * band / VX))})
    a, b = plane
    ideal = a["p0r"] * (b["T0r"] / a["T0r"]) ** (GAMMA / (GAMMA - 1))
    sign = np.sign(metal1 - metal2)
    points = outline(name)
    chord = max(np.hypot(*(points - points[:, n : n + 1])).max() for n in range(points.shape[1]))
    f["pressure_ratio"], f["velocity_ratio"], f["solidity"] = b["p0"] / a["p0"], b["W"] / a["W"], blades * chord / (2 * np.pi)
    f["loss"] = (ideal - b["p0r"]) / max(a["p0r"] - a["p"], b["p0r"] - b["p"])
    f["incidence_deg"], f["deviation_deg"] = (a["mid"] - metal1) * sign, (b["mid"] - metal2) * sign
    f["mass_flow_kg_s"] = RHO * VX * np.pi * (OUTER**2 - INNER**2)
    f["diffusion_factor"] = 1 - b["W"] / a["W"] + abs(b["Vt"] - a["Vt"]) / (2 * f["solidity"] * a["W"]) if b["W"] < a["W"] else np.nan
    f["flow_coefficient"] = VX / (omega * MEAN) if omega else np.nan
    f["work_coefficient"] = CP * (b["T0"] - a["T0"]) / (omega * MEAN) ** 2 if omega else np.nan
    return f, CP * (b["T"] - a["T"])


def figures():
    flow = Run(".").flow()
    check([row.name for row in flow.rows] == ["r", "s", "v"] and [row.name for row in flow.in_order()] == ["v", "r", "s"], "order of the rows")
    lines = row_table(flow)
    check([line["row"] for line in lines] == ["v", "r", "s"], f"order of the table: {lines}")
    # of the mesh: 20 layers, chords around the axis in place of arcs; of the metal angles: sections of 800 points
    tolerance = {"incidence_deg": 0.05, "deviation_deg": 0.05, "mass_flow_kg_s": 0.05, "diffusion_factor": 1e-3, "loss": 2e-3}
    rises = {}
    for line in lines:
        wanted, rises[line["row"]] = expected(line["row"])
        for figure, value in wanted.items():
            same = np.isnan(line[figure]) if np.isnan(value) else abs(line[figure] - value) <= tolerance.get(figure, 1e-3)
            check(same, f"{line['row']}, {figure}: {line[figure]}, not {value}")
    wanted = rises["r"] / (rises["r"] + rises["s"])
    check(abs(lines[1]["reaction"] - wanted) < 1e-3 and np.isnan(lines[0]["reaction"]) and np.isnan(lines[2]["reaction"]),
          f"reaction: {lines[1]['reaction']}, not {wanted}")
    table = annulus.machine_table(flow)
    check([(line["row"], line["end"]) for line in table] == [(n, e) for n in ("v", "r", "s") for e in ("in", "out")], f"stations: {table}")
    found = profiles(flow, 10)
    check([name for name, _ in found] == ["inlet", "v", "r", "s"], f"planes: {[name for name, _ in found]}")
    swirl = linear("r", 0.2 - 1e-3)[0]
    for band in found[2][1]:
        r = over_radius(*(INNER + 0.1 * (band["span"] + side) for side in (-0.05, 0.05)), lambda r: r)
        check(abs(band["alpha_deg"] - np.degrees(np.arctan(swirl * r / VX))) < 0.02, f"angle behind r at {band['span']}: {band['alpha_deg']}")
        check(abs(band["beta_deg"] - np.degrees(np.arctan((swirl - 800) * r / VX))) < 0.05, f"relative angle behind r: {band['beta_deg']}")


def blunt_section(first, last, nose, count):
    """m' and theta of a blade with a blunt nose and few points: an arc of a circle as mean line, half the thickness along its normals."""
    s = 0.5 * (1 - np.cos(np.linspace(0, np.pi, count + 1)))
    k1, k2 = np.radians([first, last])
    bent = k1 + (k2 - k1) * s
    line = np.array([np.sin(bent) - np.sin(k1), np.cos(k1) - np.cos(bent)]) / (k2 - k1)
    half = nose * np.sqrt(s) * (1 - s) ** 0.8 + 0.01 * np.sqrt(s * (1 - s))
    normal = np.array([-np.sin(bent), np.cos(bent)])
    return np.concatenate([line + half * normal, (line - half * normal)[:, -2::-1]], 1)


def blunt():
    """Metal angles of blades as turbines have them."""
    for first, last in ((20, -70), (0, 70), (-50, -20), (40, -60)):
        for nose in (0.1, 0.2, 0.3):
            for count in (22, 40):
                found = np.degrees(Section(blunt_section(first, last, nose, count)).metal)
                check(np.abs(found - (first, last)).max() < 1.1, f"blade from {first} to {last} degrees, nose {nose}, {count} points: {found}")


def plot(*arguments):
    environment = dict(os.environ, MPLCONFIGDIR=os.path.abspath("matplotlib"))
    return subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "plot"), *arguments], capture_output=True, text=True,
                          env=environment)


def pages():
    with open("design.csv", "w") as out:
        out.write("# of the designer\nrow,pressure_ratio,deviation_deg\nr,1.2345,6.5\n")
    with open("planes.csv", "w") as out:
        out.write("plane,span,alpha_deg\nr,0.25,43\nr,0.75,51\ninlet,0.5,0\n")
    done = plot("report", ".", "--design", "design.csv", "--measured", "planes.csv")
    check(done.returncode == 0 and "not drawn" not in done.stdout and not done.stderr, f"report: {done}")
    with open("report.html") as page:
        text = page.read()
    check("<h1>stages</h1>" in text and "stopping rule" not in text, "a run that settled is told to have met no rule")
    for start, cell in (("<h2>Rows</h2>", "<th>{}</th><td"), ("<h2>Flows through the rows</h2>", '<th class="n">{}</th>'),
                        ("<h2>Machine from inlet to outlet</h2>", "<tr><th>{}</th><td>in</td>"), ("<h2>Walls</h2>", "<tr><th>{}_blade</th>")):
        part = text[text.find(start) :] if start in text else ""
        places = [part.find(cell.format(name)) for name in ("v", "r", "s")]
        check(min(places) >= 0 and places == sorted(places), f"{start}: the rows stand at {places}")
    check('<span class="design">1.2345</span>' in text and '<span class="design">6.5</span>' in text, "figures of the design")
    check("Spanwise profiles at the last station" in text, "the profile of a station beside those of the planes")
    for heading in ("From row to row", "Spanwise profiles"):
        check(f"<h2>{heading}</h2>" in text, f"no section {heading}")
    done = plot("planes", ".", "--measured", "planes.csv")
    check("4 planes; circles: measured, 3 points" in done.stdout, f"planes: {done}")
    for file, wrong, command, wanted in (
            ("planes.csv", "plane,span,alpha_deg\nr2,0.5,1\n", ("planes", ".", "--measured"), "'r2' is no plane; there are inlet, v, r, s"),
            ("design.csv", "row,colour\nr,1\n", ("report", ".", "--design"), "none of its columns is a figure of a row"),
            ("design.csv", "row,loss\nq,0.1\n", ("report", ".", "--design"), "the design has a row 'q', the flow does not")):
        with open(file, "w") as out:
            out.write(wrong)
        done = plot(*command, file, "-o", "wrong.html" if command[0] == "report" else "wrong.png")
        check(wanted in done.stdout + done.stderr and "Traceback" not in done.stderr, f"{wanted}: {done}")


def history():
    """The annulus' mass flows, not those of one passage of the first and one of the last row."""
    table = Run(".").history
    check(mass_columns(table) == ("machine_mass_in_kg_s", "machine_mass_out_kg_s", "annulus"), f"{mass_columns(table)}")
    one = {"mass_in_kg_s": np.ones(2), "rotor_mass_in_kg_s": np.ones(2)}
    check(mass_columns(one)[0] == "rotor_mass_in_kg_s" and mass_columns({"mass_in_kg_s": np.ones(2)})[0] == "mass_in_kg_s", "one row, no row")
    done = plot("convergence", ".", "-o", "history.png")
    check("mass flow 9.00781 kg/s" in done.stdout, f"convergence: {done}")
    info = {"status": "finished", "settled": False, "last": {}}
    check(any("no stopping rule was met" in text for text in findings(Run("."), info)), "a run that has not settled")


def speeds():
    os.makedirs("map", exist_ok=True)
    with open("map/map.csv", "w") as out:
        out.write("setting,outcome,speed,mass_out_kg_s,pressure_ratio,efficiency\n")
        out.writelines(f"{n},settled,{speed},{mass},{1 + speed * speed},0.9\n" for n, (speed, mass) in
                       enumerate(((1.0, 9), (1.0, 8), (0.7, 6), (0.7, 5), (0.7, 5.5))))
        out.write("9,stalled,0.5,1,1,0.1\n")
    _, lines = lines_of("map", False)
    check([(speed, line["mass_out_kg_s"].tolist()) for speed, line in lines] == [(0.7, [5, 5.5, 6]), (1.0, [8, 9])], f"lines of speeds: {lines}")
    done = plot("map", "map")
    check("70 % speed: 3 points" in done.stdout and "100 % speed: 2 points" in done.stdout, f"map: {done}")


os.makedirs(sys.argv[1], exist_ok=True)
os.chdir(sys.argv[1])
write()
figures()
blunt()
history()
speeds()
pages()
finish()
