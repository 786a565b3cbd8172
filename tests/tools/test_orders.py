"""The tools do not depend on the order in which a mesh numbers its nodes: a sector of a turbine passage with two zones,
turned through all 48 orders of (i, j, k) and their directions, gives the same tables and the data of the same pictures.

The sector is 1/20 of a ring in x = 0 to 0.2 m between a hub that rises from 0.2 to 0.22 m and a casing that falls from 0.3
to 0.28 m; lines along x lean around the axis. The walls are hub, casing and a blade in the second zone. A bend from the axis to
the radius, whose parts at its end have ends of the same radius, is turned in the same way.
"""
import contextlib
import io
import itertools
import os
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
from annulus import surface  # noqa: E402
from annulus.order import layered  # noqa: E402
from annulus.plotting import contours, meridional, row  # noqa: E402
from annulus.plotting.main import parser_of  # noqa: E402
from cgns_nodes import characters, node, root  # noqa: E402
from checks import check, finish  # noqa: E402

folder = sys.argv[1]
BLADES, GAMMA, R = 20, 1.4, 287.0
PITCH = 2 * np.pi / BLADES
TURNS = [(axes, flips) for axes in itertools.permutations(range(3)) for flips in itertools.product((False, True), repeat=3)]


def turned(array, turn):
    """An array [k, j, i] as a file of this order holds it."""
    axes, flips = turn
    return np.ascontiguousarray(np.flip(np.transpose(array, axes), [n for n in range(3) if flips[n]]))


def face_of(direction, side, low, high, cells, turn):
    """Limits of a patch, vertices from 1 on, in a file of this order; all of i, j, k."""
    axes, flips = turn
    first, last = np.array(low) + 1, np.array(high) + 1
    first[direction] = last[direction] = cells[direction] + 1 if side else 1
    found = np.empty((2, 3), np.int32)
    for n in range(3):  # the axis of the file
        old, new = 2 - axes[n], 2 - n
        a, b = first[old], last[old]
        if flips[n]:
            a, b = cells[old] + 2 - b, cells[old] + 2 - a
        found[:, new] = a, b
    return found


def write_zone(base, name, nodes, velocity, p, patches, turn, periodic=None):
    """patches: (name, type, direction, side, low, high)."""
    cells = np.array([n - 1 for n in nodes[0].shape[::-1]])
    sizes = np.array(turned(nodes[0], turn).shape[::-1])
    zone = node(base, name, "Zone_t", "I4", np.array([sizes, sizes - 1, [0, 0, 0]], np.int32))
    grid = node(zone, "GridCoordinates", "GridCoordinates_t")
    for axis, c in zip("XYZ", nodes):
        node(grid, "Coordinate" + axis, "DataArray_t", "R8", turned(c, turn))
    rho = np.full(p.shape, 1.2)
    flow = node(zone, "FlowSolution", "FlowSolution_t")
    fields = {"Density": rho, "EnergyStagnationDensity": p / (GAMMA - 1) + 0.5 * rho * sum(v * v for v in velocity)}
    fields.update({"Momentum" + axis: rho * v for axis, v in zip("XYZ", velocity)})
    for field, values in fields.items():
        node(flow, field, "DataArray_t", "R8", turned(values, turn))
    conditions = node(zone, "ZoneBC", "ZoneBC_t")
    for patch, kind, direction, side, low, high in patches:
        bc = node(conditions, patch, "BC_t", "C1", characters(kind))
        node(bc, "PointRange", "IndexRange_t", "I4", face_of(direction, side, low, high, cells, turn))
    if periodic:
        link = node(node(zone, "ZoneGridConnectivity", "ZoneGridConnectivity_t"), "up", "GridConnectivity1to1_t", "C1", characters(name))
        link = node(node(link, "GridConnectivityProperty", "GridConnectivityProperty_t"), "Periodic", "Periodic_t")
        shift, angle = ((0, 0, 0), periodic) if np.isscalar(periodic) else (periodic, 0)
        node(link, "Translation", "DataArray_t", "R4", np.array(shift, np.float32))
        node(link, "RotationAngle", "DataArray_t", "R4", np.array([angle, 0, 0], np.float32))


def write_sector(path, turns, with_walls=True, split=False, back=False):
    """Zones up and down; split: `down` in two parts, one above the other. turns: of each zone; back: turned by half a turn about y, so
    that the flow goes to smaller x."""
    with root(path) as file:
        base = node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
        parts = [("up", 0.0, 0.1, 0, 6)] + ([("low", 0.1, 0.2, 0, 3), ("high", 0.1, 0.2, 3, 6)] if split else [("down", 0.1, 0.2, 0, 6)])
        for (name, x0, x1, k0, k1), turn in zip(parts, turns):
            ni, nj, nk = 9, 8, k1 - k0
            s, t, x = np.meshgrid(np.linspace(0, 1, 7)[k0 : k1 + 1], np.linspace(0, 1, nj + 1), np.linspace(x0, x1, ni + 1), indexing="ij")
            r = (0.2 + 0.1 * x) * (1 - s) + (0.3 - 0.1 * x) * s
            theta = 0.4 + PITCH * t + 2.0 * x + 0.3 * (s - 0.5)
            u, v, angle = (annulus.flow.middle(c) for c in (x, s, theta))
            radius = annulus.flow.middle(r)
            vt = 40 * (1 - v)
            velocity = (100 + 30 * v, -vt * np.sin(angle), vt * np.cos(angle))
            p = 1e5 * (1 + 0.1 * np.sin(2 * np.pi * angle / PITCH) + 0.2 * v + u * radius)
            walls = ([("hub", "BCWallViscous", 2, 0, (0, 0, 0), (ni, nj, 0))] if k0 == 0 else []) + \
                    ([("casing", "BCWallInviscid", 2, 1, (0, 0, 0), (ni, nj, 0))] if k1 == 6 else [])
            patches = walls if with_walls else []
            if name != "up":
                patches = patches + [("blade", "BCWallViscous", 1, 0, (1, 0, 0), (7, 0, nk)),
                                     ("outlet", "BCOutflow", 0, 1, (0, 0, 0), (0, nj, nk))]
            else:
                patches = patches + [("inlet", "BCInflow", 0, 0, (0, 0, 0), (0, nj, nk))]
            way = -1 if back else 1
            velocity = (way * velocity[0], velocity[1], way * velocity[2])
            write_zone(base, name, (way * x, r * np.cos(theta), way * r * np.sin(theta)), velocity, p, patches, turn, way * PITCH)


def write_bend(path, turns):
    """From the axis to the radius; the hub is the wall at larger x, which is not the one of smaller radius at the end."""
    with root(path) as file:
        base = node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
        for n, turn in enumerate(turns):
            ni, nj, nk = 6, 5, 4
            s, t, way = np.meshgrid(np.linspace(0, 1, nk + 1), np.linspace(0, 1, nj + 1), np.linspace(n, n + 1, ni + 1), indexing="ij")
            big = 0.2 - 0.08 * s
            phi = 0.5 * np.pi * np.clip(way, 0, 1)  # the second and third zone are radial
            x, r = big * np.sin(phi), 0.4 - big * np.cos(phi) + 0.1 * np.clip(way - 1, 0, None)
            theta = 0.4 + PITCH * t
            angle, at = annulus.flow.middle(theta), annulus.flow.middle(phi)
            out = 100 * np.sin(at)
            velocity = (100 * np.cos(at), out * np.cos(angle), out * np.sin(angle))
            p = 1e5 * (1 + 0.2 * annulus.flow.middle(s) + 0.1 * annulus.flow.middle(way))
            walls = [("hub", "BCWallViscous", 2, 0, (0, 0, 0), (ni, nj, 0)), ("casing", "BCWallViscous", 2, 1, (0, 0, 0), (ni, nj, 0))]
            write_zone(base, f"part{n}", (x, r * np.cos(theta), r * np.sin(theta)), velocity, p, walls, turn, PITCH)


CASE = annulus.Case({"gas": {"gamma": GAMMA, "R": R}, "rows": {"rotor": {"zones": ["*"], "omega": 300.0, "blades": BLADES}}})


def points(pieces):
    """Nodes and values of a surface, whatever the order of its arrays: sums that none of its points can leave unchanged."""
    found = []
    for piece in pieces:
        value = piece.values["Pressure"]
        x, r, theta, m = (0.25 * (c[1:, 1:] + c[1:, :-1] + c[:-1, 1:] + c[:-1, :-1]) for c in (piece.x, piece.r, piece.theta, piece.m))
        found += [len(value.ravel())] + [float((q * w).sum()) for q in (1.0, x, r, theta, m) for w in (value, value**2)]
        found += [float(np.sort(np.abs(c).ravel()) @ np.arange(c.size)) for c in (piece.x, piece.r)] + [len(piece.walls)]
    return found


def results(path, x):
    """Numbers of all tables and pictures."""
    flow = annulus.Flow(path, case=CASE)
    found = {"turns": [flow.channel.turns]}
    for n, line in enumerate(annulus.machine_table(flow)):
        found[f"station {n}"] = [line[name] for name in ("mass_flow_kg_s", "p0_Pa", "alpha_deg", "radius_mean_m", "pressure_ratio")]
    along = "m" if flow.channel.turns else "x"
    span, r, values = annulus.spanwise(flow, x, ("Pressure", "VelocityTheta", "VelocityMeridional"), along=along)
    found["spanwise"] = np.concatenate([span, r, *values.values()])
    mean = annulus.pitch_average(flow, ("Pressure",), stations=12)
    found["meridional"] = np.concatenate([mean.x.ravel(), mean.r.ravel(), mean.values["Pressure"].ravel()])
    found["edges"] = np.concatenate([np.concatenate(line) for line in meridional.edges(flow)] or [np.zeros(0)])
    for fraction in (0.0, 0.25, 0.5, 0.9):
        found[f"b2b {fraction}"] = points(annulus.blade_to_blade(flow, fraction, ("Pressure",)))
    file = annulus.File(path)
    planes = row.meridional(layered(file, annular=True))
    found["mesh"] = [float(np.abs(np.concatenate([q.ravel() for q in plane])).sum()) for _, part in planes for plane in part]
    return found


def compare(name, found, wanted, what):
    """By the largest value of a result; planes that cut a mesh divide its cells along one of four diagonals."""
    tolerance = 5e-4 if name.startswith("station") else 1e-9
    found, wanted = (np.asarray(v, float) for v in (found, wanted))
    check(found.shape == wanted.shape, f"{what}, {name}: {found.shape} values, not {wanted.shape}")
    if found.shape != wanted.shape:
        return
    size = max(float(np.nanmax(np.abs(wanted), initial=0)), 1e-30)
    each = np.maximum(np.abs(wanted), 0.1) if name.startswith("station") else size
    off = float(np.nanmax(np.abs(found - wanted) / each, initial=0))
    check(off <= tolerance and np.array_equal(np.isnan(found), np.isnan(wanted)), f"{what}, {name}: off by {off:.2g}")


def orders(write, x, count, what, step=1):
    path = what.replace(" ", "_") + ".cgns"  # a new file each time: h5py may still hold the one before
    write(path, [TURNS[0]] * count)
    wanted = results(path, x)
    for n in range(1, len(TURNS), step):
        os.remove(path)
        write(path, [TURNS[n], TURNS[(7 * n + 3) % 48], TURNS[(29 * n + 11) % 48]][:count])
        found = results(path, x)
        for name in wanted:
            compare(name, found[name], wanted[name], f"{what}, order {n}")
    return wanted


def write_surface(path, closed, turn, back=False):
    """A blade of two lines for each layer: around an ellipse, or along one side of it. turn: (transposed, flips); back: turned by half
    a turn about y, so that the flow goes to smaller x."""
    with root(path) as file:
        base = node(file, "Base", "CGNSBase_t", "I4", np.array([2, 3], np.int32))
        a, r = np.meshgrid(np.linspace(0, 2 * np.pi if closed else np.pi, 41), np.linspace(0.2, 0.3, 7))
        x, theta = 0.05 + 0.04 * np.cos(a + 0.3) + 0.05 * (r - 0.2), 0.4 + 0.02 * np.sin(a) / r
        middle = [0.25 * (c[1:, 1:] + c[1:, :-1] + c[:-1, 1:] + c[:-1, :-1]) for c in (x, r, theta)]
        fields = {"Pressure": 1e5 * (1 + middle[0] + middle[1] + np.sin(middle[2]))}
        way = -1 if back else 1
        fields.update({"SkinFrictionX": way * (1 + middle[0]), "SkinFrictionY": 0 * middle[0], "SkinFrictionZ": 0 * middle[0]})
        transposed, flips = turn

        def put(c):
            c = c.T if transposed else c
            return np.ascontiguousarray(np.flip(c, [n for n in (0, 1) if flips[n]]))

        sizes = np.array(put(x).shape[::-1])
        zone = node(base, "blade.o", "Zone_t", "I4", np.array([sizes, sizes - 1, [0, 0]], np.int32))
        node(zone, "FamilyName", "FamilyName_t", "C1", characters("blade"))
        grid = node(zone, "GridCoordinates", "GridCoordinates_t")
        for axis, c in zip("XYZ", (way * x, r * np.cos(theta), way * r * np.sin(theta))):
            node(grid, "Coordinate" + axis, "DataArray_t", "R8", put(c))
        flow = node(zone, "FlowSolution", "FlowSolution_t")
        for field, values in fields.items():
            node(flow, field, "DataArray_t", "R8", put(values))


def surfaces(closed):
    """Unrolled surface, loading and the row of `plot wall`, in the eight orders of a surface."""
    wanted = {}
    for n, turn in enumerate(itertools.product((False, True), itertools.product((False, True), repeat=2))):
        path = f"walls_{closed}_{n}.cgns"
        write_surface(path, closed, turn)
        walls = annulus.File(path, (2,))
        side, = annulus.unroll(walls, "blade")
        found = {"unrolled": np.stack([side.s, side.x, side.r, side.span, side.values])}
        out = path[:-5] + "_loading.png"
        for command in (["loading", path, "--span", "0.3", "0.8", "-o", out], ["wall", path, "--field", "Pressure", "--cut", "k=1", "-o", path[:-5] + "_wall.png"]):
            options = parser_of(command[0]).parse_args(command)
            with contextlib.redirect_stdout(io.StringIO()):
                options.run(options)
            table = np.genfromtxt(command[-1][:-4] + ".csv", delimiter=",", skip_header=1)[:, 2 if command[0] == "wall" else 1 :]
            found[command[0]] = table[np.lexsort(np.round(table.T, 9))]
        for name, value in found.items():
            compare(name, value, wanted.setdefault(name, value), f"surface, closed {closed}, order {n}")


def backwards():
    """A machine whose flow goes to smaller x: the leading edge is the end at larger x, and mass flow counts downstream."""
    found = []
    for back in (False, True):
        path = f"walls_back_{back}.cgns"
        write_surface(path, True, (False, (False, False)), back)
        side, = annulus.unroll(annulus.File(path, (2,)), "blade")
        order = slice(None, None, -1) if back else slice(None)  # theta counts the other way round
        command = ["loading", path, "--span", "0.5", "--abscissa", "s/c", "-o", path[:-5] + ".png"]
        options = parser_of("loading").parse_args(command)
        lines = []
        for options.abscissa in ("x/c", "s/c", "chord"):
            with contextlib.redirect_stdout(io.StringIO()):
                options.run(options)
            table = np.genfromtxt(path[:-5] + ".csv", delimiter=",", skip_header=1)[:, -2:]
            lines.append(table[np.lexsort(np.round(table.T, 9))])
        sector = f"sector_back_{back}.cgns"
        write_sector(sector, [TURNS[0]] * 2, back=back)
        stations = [[line[name] for name in ("mass_flow_kg_s", "p0_Pa", "pressure_ratio")]
                    for line in annulus.machine_table(annulus.Flow(sector, case=CASE))]
        found.append({"unrolled": np.stack([(-1 if back else 1) * side.s[:, order], side.r[:, order], side.values[:, order]]),
                      "loading": np.concatenate(lines), "stations": stations})
    for name, value in found[1].items():
        compare(name, value, found[0][name], "flow to smaller x")


def write_plane(path, turn, upright=True):
    """A plane channel of which one wall is a blade. The pitch runs along y and the span along z; not upright: the pitch along
    z and the span along -y."""
    with root(path) as file:
        base = node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
        z, t, x = np.meshgrid(np.linspace(0, 0.1, 5), np.linspace(0, 1, 6), np.linspace(0, 0.2, 9), indexing="ij")
        y = 0.1 * t + 0.02 * np.sin(np.pi * x / 0.2) * (1 - t)
        centre = [annulus.flow.middle(c) for c in (x, y, z)]
        p = 1e5 * (1 + centre[0] + centre[1] + centre[2])
        patches = [("blade", "BCWallViscous", 1, 0, (2, 0, 0), (7, 0, 4)), ("side", "BCSymmetryPlane", 2, 0, (0, 0, 0), (8, 5, 0))]
        nodes, shift = ((x, y, z), (0, 0.1, 0)) if upright else ((x, -z, y), (0, 0, 0.1))
        write_zone(base, "plane", nodes, (100 + 0 * p, 0 * p, 0 * p), p, patches, turn, shift)


def planes():
    """Layers of cells across z, with the outline of the blade, and Mach numbers along it."""
    wanted = {}
    for n, turn in enumerate(TURNS + TURNS[::7]):
        path = f"plane_{n}.cgns"
        write_plane(path, turn, upright=n < len(TURNS))
        file = annulus.File(path)
        options = parser_of("contours").parse_args(["contours", path, "--field", "Pressure", "--cut", "k=1"])
        compare("pitch", contours.translation(file, options), (0, np.float32(0.1)), f"plane, order {n}")
        x, y, _, values = contours.gather(file, options, np.zeros(2), 1.0)
        line, = surface.outlines(file, "k=1", "blade")
        out = f"plane_{n}.png"
        command = ["blade", path, "--family", "blade", "--p0", "3e5", "--cut", "k=1", "-o", out]
        options = parser_of("blade").parse_args(command)
        with contextlib.redirect_stdout(io.StringIO()):
            options.run(options)
        table = np.genfromtxt(out[:-4] + ".csv", delimiter=",", skip_header=1)[:, 2:]
        found = {"nodes": np.sort(x) + 10 * np.sort(y), "values": np.sort(values), "outline": np.sort(line, axis=1),
                 "blade": table[np.argsort(table[:, 0])]}
        for name, value in found.items():
            compare(name, value, wanted.setdefault(name, value), f"plane, order {n}")


os.makedirs(folder, exist_ok=True)
os.chdir(folder)
surfaces(True)
surfaces(False)
backwards()
planes()
plain = orders(write_sector, 0.05, 2, "sector")
check(abs(plain["station 0"][0] / (1.2 * 115 * np.pi * (0.3**2 - 0.2**2)) - 1) < 0.03, f"mass flow {plain['station 0'][0]}")
orders(lambda path, turns: write_sector(path, turns, with_walls=False), 0.05, 2, "sector without walls", 5)
half = orders(lambda path, turns: write_sector(path, turns, split=True), 0.05, 3, "sector of stacked zones", 5)
for name in ("spanwise", "meridional", "station 0", "station 1"):
    if name.startswith("station"):
        compare(name, half[name], plain[name], "stacked zones")
orders(write_bend, 0.5, 3, "bend", 3)
finish()
