"""The Python package on files of known content.

An annular sector of 1/20, r = 0.2 to 0.3 m, in two zones along x = 0 to 0.2 m and a clearance zone at
95 to 100 % of the span. rho = 1.2, V = (100, 0, 5 / r) in x, r, theta, and
p = 1e5 (1 + 0.1 sin(2 pi theta / pitch)); the row turns with 300 rad/s.

A bend from the axis to the radius, with two passages of the same pitch, in three zones: at the angle phi = 90 deg t of
the bend x = R sin phi and r = 0.4 - R cos phi, with R = 0.2 m at the hub and 0.1 + 0.085 t at the casing. The flow
follows phi with 100 m/s.
"""
import ast
import os
import re
import shutil
import stat
import subprocess
import sys

try:
    import h5py
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
from annulus import si  # noqa: E402
from annulus.run import unit_of  # noqa: E402
from cgns_nodes import characters, node, root  # noqa: E402
from checks import check, finish  # noqa: E402

folder = sys.argv[1]
BLADES, OMEGA, GAMMA, R = 20, 300.0, 1.4, 287.0
PITCH = 2 * np.pi / BLADES


def near(found, wanted, tolerance, what):
    worst = float(np.max(np.abs(np.asarray(found) - wanted)))
    check(worst <= tolerance, f"{what}: off by {worst:g}, more than {tolerance:g}")


def refused(text, call):
    try:
        call()
    except annulus.InputError as error:
        check(text in str(error), f"'{text}' is not in: {error}")
    else:
        check(False, f"nothing was refused with '{text}'")


def add_zone(base, name, cells, x, r, theta, wall=None):
    """x, r, theta: their ends; wall: a patch at the lowest theta, over these k nodes."""
    ni, nj, nk = cells
    zone = node(base, name, "Zone_t", "I4", np.array([[n + 1 for n in cells], cells, [0, 0, 0]], np.int32))
    k, j, i = np.meshgrid(np.linspace(*r, nk + 1), np.linspace(*theta, nj + 1), np.linspace(*x, ni + 1), indexing="ij")
    grid = node(zone, "GridCoordinates", "GridCoordinates_t")
    for axis, c in zip("XYZ", (i, k * np.cos(j), k * np.sin(j))):
        node(grid, "Coordinate" + axis, "DataArray_t", "R8", c)
    c = [annulus.flow.middle(a) for a in (k * np.cos(j), k * np.sin(j), j)]
    radius, angle = np.hypot(c[0], c[1]), np.arctan2(c[1], c[0])
    rho, vt = np.full((nk, nj, ni), 1.2), 5 / radius
    velocity = (100 + 0 * rho, -vt * np.sin(angle), vt * np.cos(angle))
    p = 1e5 * (1 + 0.1 * np.sin(2 * np.pi * c[2] / PITCH))
    flow = node(zone, "FlowSolution", "FlowSolution_t")
    fields = {"Density": rho, "EnergyStagnationDensity": p / (GAMMA - 1) + 0.5 * rho * sum(v * v for v in velocity)}
    fields.update({"Momentum" + axis: rho * v for axis, v in zip("XYZ", velocity)})
    for field, values in fields.items():
        node(flow, field, "DataArray_t", "R8", values)
    if wall:
        patch = node(node(zone, "ZoneBC", "ZoneBC_t"), "blade", "BC_t", "C1", characters("BCWall"))
        reach = np.array([[1, 1, wall[0] + 1], [ni + 1, 1, wall[1] + 1]], np.int32)
        node(patch, "PointRange", "IndexRange_t", "I4", reach)


def write_run():
    with root("flow_00000120.cgns") as file:
        base = node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
        add_zone(base, "up", (10, 16, 20), (0, 0.1), (0.2, 0.3), (0, PITCH))
        add_zone(base, "down", (10, 16, 20), (0.1, 0.2), (0.2, 0.3), (0, PITCH), wall=(0, 19))
        add_zone(base, "gap", (10, 4, 4), (0.05, 0.15), (0.295, 0.3), (PITCH, 1.1 * PITCH))
    with open("effective.yaml", "w") as out:
        out.write(f"gas: {{gamma: {GAMMA}, R: {R}}}\nrows:\n  rotor: {{zones: ['*'], omega: {OMEGA}, blades: {BLADES}}}\n"
                  "boundaries:\n  inlet: {type: inlet_total, p0: 1.1e5, T0: 310}\n")
    with open("history.csv", "w") as out:
        out.write("iteration,mass_in_kg_s,efficiency\n0,1.5,\n10,1.25,0.9\n20,1.")


T_TURNED, BEND = 0.001, {"in": (0, 1 / 3), "bend": (1 / 3, 5 / 6), "out": (5 / 6, 1)}


def bend_nodes(k, j, i):
    """t = i from 0 to 1, theta = j, span fraction k."""
    phi, big = 0.5 * np.pi * i, 0.2 - k * (0.1 - 0.085 * i)
    r = 0.4 - big * np.cos(phi)
    return big * np.sin(phi), r * np.cos(j), r * np.sin(j)


def write_bend():
    with root("bend.cgns") as file:
        base = node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
        record = f"time = 0x0p+0\ncontrol = {T_TURNED.hex()} sliding.rest\ncontrol = {(-OMEGA).hex()} sliding.rate0\n"
        node(base, "Annulus", "UserDefinedData_t", "C1", characters(record))
        for name, (low, high) in BEND.items():
            ni, nj, nk = 12, 16, 10
            zone = node(base, name, "Zone_t", "I4", np.array([[ni + 1, nj + 1, nk + 1], [ni, nj, nk], [0, 0, 0]], np.int32))
            k, j, i = np.meshgrid(np.linspace(0, 1, nk + 1), np.linspace(3, 3 + 2 * PITCH, nj + 1), np.linspace(low, high, ni + 1), indexing="ij")
            grid = node(zone, "GridCoordinates", "GridCoordinates_t")
            for axis, c in zip("XYZ", bend_nodes(k, j, i)):
                node(grid, "Coordinate" + axis, "DataArray_t", "R8", c)
            phi, theta = 0.5 * np.pi * annulus.flow.middle(i), annulus.flow.middle(j)
            rho, u, v = np.full((nk, nj, ni), 1.2), 100 * np.cos(phi), 100 * np.sin(phi)
            velocity = (u, v * np.cos(theta), v * np.sin(theta))
            flow = node(zone, "FlowSolution", "FlowSolution_t")
            node(flow, "Density", "DataArray_t", "R8", rho)
            node(flow, "EnergyStagnationDensity", "DataArray_t", "R8", 1e5 / (GAMMA - 1) + 0.5 * rho * 100**2)
            for axis, part in zip("XYZ", velocity):
                node(flow, "Momentum" + axis, "DataArray_t", "R8", rho * part)
            link = node(node(zone, "ZoneGridConnectivity", "ZoneGridConnectivity_t"), "up", "GridConnectivity1to1_t", "C1", characters(name))
            link = node(node(link, "GridConnectivityProperty", "GridConnectivityProperty_t"), "Periodic", "Periodic_t")
            node(link, "Translation", "DataArray_t", "R4", np.zeros(3, np.float32))
            node(link, "RotationAngle", "DataArray_t", "R4", np.array([2 * PITCH, 0, 0], np.float32))


def write_blade(name, sign):
    """A blade in the bend, from t = 0.1 to 0.9; the friction points downstream (sign 1) or upstream (-1)."""
    with root(name) as file:
        base = node(file, "Base", "CGNSBase_t", "I4", np.array([2, 3], np.int32))
        zone = node(base, "blade.o", "Zone_t", "I4", np.array([[61, 11], [60, 10], [0, 0]], np.int32))
        node(zone, "FamilyName", "FamilyName_t", "C1", characters("blade"))
        a, k = np.meshgrid(np.linspace(0, 2 * np.pi, 61), np.linspace(0, 1, 11))
        t = 0.5 + 0.4 * np.cos(a)
        grid = node(zone, "GridCoordinates", "GridCoordinates_t")
        for axis, c in zip("XYZ", bend_nodes(k, 3.1 + 0.02 * np.sin(a), t)):  # theta passes through pi
            node(grid, "Coordinate" + axis, "DataArray_t", "R8", c)
        phi = 0.5 * np.pi * 0.25 * (t[1:, 1:] + t[1:, :-1] + t[:-1, 1:] + t[:-1, :-1])
        flow = node(zone, "FlowSolution", "FlowSolution_t")
        node(flow, "GridLocation", "GridLocation_t", "C1", characters("CellCenter"))  # no field
        fields = {"Pressure": 1e5 + 1e4 * phi * np.where(np.arange(60) < 30, 1, 2), "SkinFrictionX": sign * np.cos(phi),
                  "SkinFrictionY": -sign * np.sin(phi), "SkinFrictionZ": 0 * phi}
        for field, values in fields.items():
            node(flow, field, "DataArray_t", "R8", values)


def blade():
    """Unrolled surface and loading of a blade that turns."""
    for name, sign, lead in (("wall_down.cgns", 1, 0.1), ("wall_up.cgns", -1, 0.9)):
        write_blade(name, sign)
        side, = annulus.unroll(annulus.File(name, (2,)), "blade")
        check(side.turns and side.s.shape == (10, 60), f"{name}: {side.s.shape}")
        near(side.span, np.linspace(0.05, 0.95, 10)[:, None], 5e-3, "span of layers")
        x, y, z = bend_nodes(0.5, 0.0, lead)
        first = np.abs(side.s).argmin(axis=1)
        near(side.x[5][first[5]], x, 6e-3, f"{name}: leading edge")
        check(side.s.min() < -0.1 and side.s.max() > 0.1, f"{name}: both sides of the blade")


def exported():
    """The faces of walls as a table with units."""
    columns = annulus.wall_table(annulus.File("wall_down.cgns", (2,)))
    names = ["wall", "zone", "x_m", "y_m", "z_m", "radius_m", "theta_deg", "area_m2", "Pressure_Pa", "SkinFrictionX_Pa"]
    check(list(columns)[:10] == names and set(columns["wall"]) == {"blade"} and len(columns["x_m"]) == 600, f"columns {list(columns)}")
    near(columns["radius_m"], np.hypot(columns["y_m"], columns["z_m"]), 1e-14, "radius of faces")
    annulus.write_table(columns, "walls.csv")
    table = annulus.Table("walls.csv")
    check(table.units["Pressure_Pa"] == "Pa" and table.units["area_m2"] == "m2" and table["wall"][0] == "blade", f"{table.units}")
    near(table["Pressure_Pa"] / columns["Pressure_Pa"], 1, 1e-8, "pressure of the table")
    check(unit_of("WallHeatFlux_W_m2") == "W/m2", "unit of the heat flux")
    try:
        annulus.write_table(columns, "walls.parquet")
        import pyarrow.parquet
        check(pyarrow.parquet.read_table("walls.parquet").column_names == list(columns), "columns of the Parquet file")
    except annulus.InputError as error:
        check("pip install pyarrow" in str(error), str(error))


def bend():
    """A machine that turns: spans of a duct that narrows, meridional lengths, surfaces, averages, stations."""
    case = annulus.Case({"gas": {"gamma": GAMMA, "R": R}, "rows": {"rotor": {"zones": ["*"], "omega": OMEGA, "blades": BLADES}}})
    flow = annulus.Flow("bend.cgns", case=case)
    row = flow.rows[0]
    near((row.pitch, row.sector, row.passages), (PITCH, 2 * PITCH, 2), 1e-12, "pitch, sector and passages")
    near(row.turned, OMEGA * T_TURNED, 1e-12, "angle of a row that turned past another one")
    check(flow.channel.turns, "the bend does not turn")
    t = np.linspace(0, 1, 4001)
    x, r, _ = bend_nodes(0.5 + 0 * t, 0 * t, t)
    steps = np.hypot(np.diff(x), np.diff(r))
    m = np.concatenate([[0], np.cumsum(steps)])
    prime = np.concatenate([[0], np.cumsum(2 * steps / (r[1:] + r[:-1]))])
    pieces = annulus.blade_to_blade(flow, 0.5, ("Pressure",))
    check(len(pieces) == 3, f"{len(pieces)} zones at half span of a duct that narrows")
    for piece in pieces:
        at = np.linspace(*BEND[piece.zone.name], 13)
        near(piece.m, np.interp(at, t, m) + 0 * piece.m, 1e-4, f"meridional length in {piece.zone.name}")
        near(piece.prime, np.interp(at, t, prime) + 0 * piece.m, 5e-4, f"m' in {piece.zone.name}")
    for zone in flow.zones:
        near(flow.channel.span[zone.name], np.linspace(0, 1, 11)[:, None, None] + np.zeros((11, 17, 13)), 1e-9, f"span of {zone.name}")

    def area(at):  # of the line across the duct at t
        low = 0.1 + 0.085 * at
        return 2 * np.pi * (0.2 - low) * (0.4 - 0.5 * (0.2 + low) * np.cos(0.5 * np.pi * at))

    for at in (0.2, 0.55, 0.9):
        ends = [(x, np.hypot(y, z)) for x, y, z in (bend_nodes(k, 0.0, at) for k in (0, 1))]
        line = annulus.station(flow, ends)
        near(line["area_m2"] / area(at), 1, 2e-3, f"area across the bend at {at}")
        near(line["mass_flow_kg_s"] / (120 * area(at)), 1, 1e-2, f"mass flow at {at}")
        bands = annulus.station(flow, ends, 4)
        near(sum(b["mass_flow_kg_s"] for b in bands) / line["mass_flow_kg_s"], 1, 1e-12, "mass flow of bands")
    lines = annulus.machine_table(flow)
    check(len(lines) == 2, f"{len(lines)} stations of a row that turns")
    near([lines[0]["area_m2"] / area(0.01), lines[1]["area_m2"] / area(0.99)], 1, 2e-2, "areas near the ends of the row")
    mean = annulus.pitch_average(flow, ("VelocityMeridional", "VelocityRadius"), stations=18)
    check(mean.along == "m", "averages of a machine that turns are over x")
    near(mean.values["VelocityMeridional"], 100, 1e-3, "meridional velocity")
    check(np.all(np.diff(mean.values["VelocityRadius"], axis=1) > 0), "the flow turns outwards along the channel")
    span, radius, _ = annulus.spanwise(flow, 0.5, ("VelocityX",), along="m")
    near(len(span), 10, 0, "layers of a profile")
    refused("outside the mesh, 0 to 1", lambda: annulus.spanwise(flow, 1.5, along="m"))
    refused("two points", lambda: annulus.station(flow, [1, 2]))


def quantities(flow):
    zone = flow.zones[0]
    x, y, z = (annulus.flow.middle(c) for c in zone.nodes())
    r = np.hypot(y, z)
    T = flow.field(zone, "Pressure") / (1.2 * R)
    near(flow.field(zone, "VelocityTheta"), 5 / r, 1e-9, "VelocityTheta")
    near(flow.field(zone, "VelocityThetaRelative"), 5 / r - OMEGA * r, 1e-9, "VelocityThetaRelative")
    near(flow.field(zone, "VelocityRadius"), 0, 1e-9, "VelocityRadius")
    absolute, relative = 100**2 + (5 / r) ** 2, 100**2 + (5 / r - OMEGA * r) ** 2
    sound = np.sqrt(GAMMA * R * T)
    near(flow.field(zone, "MachRelative"), np.sqrt(relative) / sound, 1e-12, "MachRelative")
    cp = GAMMA * R / (GAMMA - 1)
    for end, speed2 in (("", absolute), ("Relative", relative)):
        T0 = T + 0.5 * speed2 / cp
        near(flow.field(zone, "TemperatureStagnation" + end), T0, 1e-9, "T0 " + end)
        p0 = flow.field(zone, "Pressure") * (T0 / T) ** (GAMMA / (GAMMA - 1))
        near(flow.field(zone, "PressureStagnation" + end), p0, 1e-6, "p0 " + end)
    s = cp * np.log(T / 310) - R * np.log(flow.field(zone, "Pressure") / 1.1e5)
    near(flow.field(zone, "Entropy"), s, 1e-9, "Entropy")
    near(flow.field(zone, "FlowAngle"), np.degrees(np.arctan2(5 / r, 100)), 1e-9, "FlowAngle")
    whole = 0.5 * (0.3**2 - 0.2**2) * PITCH * 0.1
    near(flow.volume(zone).sum() / whole, 1, 1e-3, "volume")
    refused("no field Nothing", lambda: flow.field(zone, "Nothing"))


def polynomials():
    """cp(T) that is constant gives what gamma gives; a real one gives its integrals."""
    plain, same = annulus.Gas(R, GAMMA), annulus.Gas(R, cp=[GAMMA * R / (GAMMA - 1)])
    T = np.array([150.0, 300.0, 900.0])
    for name in ("enthalpy", "entropy_function", "sound_speed"):
        near(getattr(same, name)(T), getattr(plain, name)(T), 1e-6, f"cp(T) that is constant, {name}")
    air = annulus.Gas(287.05, cp=[1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10], T_range=[250, 1500])
    t = np.linspace(200, 1700, 200001)  # beyond the range at both ends
    cp, step = air.cp(t), t[1] - t[0]
    near(air.enthalpy(1700.0) - air.enthalpy(200.0), step * (cp.sum() - 0.5 * (cp[0] + cp[-1])), 0.1, "integral of cp")
    q = cp / t
    wanted = step * (q.sum() - 0.5 * (q[0] + q[-1]))
    near(air.entropy_function(1700.0) - air.entropy_function(200.0), wanted, 1e-4, "integral of cp / T")
    near(air.temperature(air.enthalpy(T)), T, 1e-6, "T of h")
    near(air.temperature_of_energy(air.enthalpy(T) - air.R * T), T, 1e-6, "T of e")


def surfaces(flow):
    middle = annulus.blade_to_blade(flow, 0.5, ("Pressure",))
    check([p.zone.name for p in middle] == ["down", "up"], f"zones at half span: {[p.zone.name for p in middle]}")
    for piece in middle:
        near(piece.r, 0.25, 1e-12, "radius at half span")
    check([len(p.walls) for p in middle] == [1, 0], "one wall at half span")
    tip = {p.zone.name: p for p in annulus.blade_to_blade(flow, 0.97, ("Pressure",))}
    check(set(tip) == {"down", "gap", "up"}, f"zones at 97 %: {set(tip)}")
    near(tip["gap"].r, 0.297, 2e-4, "radius of the clearance at 97 %")
    check(not tip["down"].walls, "the wall ends at 95 % of the span")
    refused("between 0 and 1", lambda: annulus.blade_to_blade(flow, 1.5))


def cuts(flow):
    """Areas of planes and surfaces of revolution, integrals and linear fields on them."""
    for x, gap in ((0.03, 0), (0.11, 0.1), (0.16, 0)):
        cut = annulus.plane(flow, (x, 0, 0))
        wanted = 0.5 * PITCH * (0.3**2 - 0.2**2 + gap * (0.3**2 - 0.295**2))
        near(cut.area() / wanted, 1, 1e-4, f"area of x = {x}")
        check(all(abs(cut.points(p)[..., 0] - x).max() < 1e-12 for p in cut.pieces), f"points of x = {x}")
    cut = annulus.plane(flow, (0.06, 0.25, 0), (1, 1, 0))
    for piece in cut.pieces:
        p = cut.points(piece)
        near(p[..., 0] + p[..., 1], 0.31, 1e-12, "points of a plane across x and y")
        wanted = 1e5 * (1 + 0.1 * np.sin(2 * np.pi * np.arctan2(p[..., 2], p[..., 1]) / PITCH))
        # at the ends of a zone the means of cells stand for the values half a cell further in
        near(cut.smooth(piece, "Pressure"), wanted, 1e4 * 2 * np.pi / 32, "pressure at the corners of triangles")
    shell = annulus.revolution(flow, [(0, 0.23), (0.1, 0.25), (0.2, 0.25)])
    cone, tube = 0.5 * (0.23 + 0.25) * PITCH * np.hypot(0.1, 0.02), 0.25 * PITCH * 0.1
    near(shell.area() / (cone + tube), 1, 1e-3, "area of a cone and a cylinder")
    near(shell.mean("Density"), 1.2, 1e-12, "mean on a surface of revolution")
    near(shell.integral("VelocityX") / shell.area(), 100, 1e-9, "integral on a surface of revolution")
    refused("does not cut the mesh", lambda: annulus.plane(flow, (1, 0, 0)))
    refused("two different points", lambda: annulus.revolution(flow, [(0, 1)]))
    refused("is not zero", lambda: annulus.plane(flow, normal=(0, 0, 0)))


def vortices():
    """A shear, a strain and a solid rotation on a skewed mesh, whose gradients are exact."""
    k, j, i = np.meshgrid(*(np.linspace(0, 1, n) for n in (5, 6, 7)), indexing="ij")
    centres = (i + 0.3 * j, j + 0.2 * k, k - 0.1 * i)
    x, y, z = centres
    quantity = annulus.vortex.quantity
    turn = (0 * x, -3 * z, 3 * y)
    near(quantity("VorticityX", centres, turn), 6, 1e-9, "vorticity of a rotation")
    near(quantity("QCriterion", centres, turn), 9, 1e-9, "Q of a rotation")
    near(quantity("Lambda2", centres, turn), -9, 1e-9, "lambda2 of a rotation")
    strain = (2 * x, -2 * y, 0 * z)
    near(quantity("QCriterion", centres, strain), -4, 1e-9, "Q of a strain")
    near(quantity("Lambda2", centres, strain), 4, 1e-9, "lambda2 of a strain")
    shear = (5 * y, 0 * y, 0 * y)
    near(quantity("QCriterion", centres, shear), 0, 1e-9, "Q of a shear")
    near(quantity("VorticityMagnitude", centres, shear), 5, 1e-9, "vorticity of a shear")
    flat = (x[:1], j[:1], 0 * j[:1])
    near(quantity("VorticityMagnitude", flat, (5 * j[:1], 0 * j[:1], 0 * j[:1])), 5, 1e-9, "a single layer of cells")


def machine(flow):
    """The table of a machine: a uniform axial flow of known swirl, without losses or work."""
    lines = annulus.machine_table(flow, (0.03, 0.17))
    near([line["area_m2"] for line in lines], np.pi * (0.3**2 - 0.2**2), 2e-4, "area of the annulus")
    near([line["mass_flow_kg_s"] for line in lines], 120 * np.pi * (0.3**2 - 0.2**2), 0.02, "mass flow of the annulus")
    near([line["vx_m_s"] for line in lines], 100, 1e-9, "axial velocity")
    near(lines[1]["vt_m_s"], 20.0, 0.1, "mean swirl, 5 over the mean of r")
    near([line["pressure_ratio"] for line in lines], 1, 1e-9, "pressure ratio without losses")
    check(np.isnan(lines[1]["efficiency"]), "an efficiency without work")
    bands = annulus.station(flow, 0.03, 5)
    near([b["vt_m_s"] for b in bands], 5 / np.linspace(0.21, 0.29, 5), 0.05, "swirl of bands")
    check(len(annulus.machine_table(flow)) == 2, "planes within the ends of the row")


def studies():
    value, order = annulus.extrapolated([(8000, 1 + 0.16), (64000, 1 + 0.04), (512000, 1 + 0.01)])
    near((value, order), (1, 2), 1e-9, "Richardson's extrapolation of the second order")
    value, order = annulus.extrapolated([(100, 3 + 0.9), (400, 3 + 0.45), (3600, 3 + 0.15)], dimensions=2)
    near((value, order), (3, 1), 1e-9, "the first order, unequal steps, in the plane")
    check(np.isnan(annulus.extrapolated([(1, 1.0), (8, 2.0), (64, 0.0)])[0]), "values that swing have no limit")


def averages(flow):
    mean = annulus.pitch_average(flow, ("Pressure", "VelocityTheta"), stations=20, spans=10)
    check(mean.x.shape == (10, 20) and np.all(np.isfinite(mean.x)), "a value in each bin")
    near(mean.values["Pressure"][:8], 1e5, 1, "the sine vanishes over the pitch")
    near(mean.r[:8], 0.2 + 0.1 * mean.span[:8, None] + 0 * mean.r[:8], 2e-3, "radius of the bins")
    near(mean.values["VelocityTheta"][:8], 5 / mean.r[:8], 0.1, "5 / r")
    span, r, values = annulus.spanwise(flow, 0.03, ("VelocityTheta",))
    check(len(span) == 20, "the layers of the mesh")
    near(values["VelocityTheta"], 5 / r, 0.05, "5 / r at a station")
    refused("outside the mesh", lambda: annulus.spanwise(flow, 0.3))


def imported(path, package):
    """Modules of the package that a file imports, within functions, too."""
    with open(path) as text:
        tree = ast.parse(text.read())
    for item in ast.walk(tree):
        if isinstance(item, ast.ImportFrom) and item.level:
            parent = package[: len(package) - item.level + 1]
            base = [*parent, *(item.module or "").split(".")] if item.module else parent
            yield from (".".join(base), *(".".join([*base, name.name]) for name in item.names))


def layers_of_modules():
    """No module of the package imports itself by way of others. `annulus` itself gathers all of them."""
    top, uses = os.path.join(SOURCE, "tools", "python", "annulus"), {}
    for at, _, names in os.walk(top):
        for name in names:
            if name.endswith(".py") and name != "__init__.py":
                package = ["annulus", *os.path.relpath(at, top).split(os.sep)] if at != top else ["annulus"]
                uses[".".join([*package, name[:-3]])] = set(imported(os.path.join(at, name), package))
    left = {name: found & set(uses) for name, found in uses.items()}
    while True:
        free = [name for name, found in left.items() if not found & set(left)]
        if not free:
            break
        for name in free:
            del left[name]
    check(len(uses) > 30 and not left, f"modules that import each other in a circle: {sorted(left)}")


def versions():
    with open(os.path.join(SOURCE, "CMakeLists.txt")) as text:
        check(f"VERSION {annulus.__version__} " in text.read(), f"version {annulus.__version__} is not the program's")


def spools():
    """A file of turbo-design: the profile of an inlet, and the angles of a row."""
    import json

    r = [0.20, 0.25, 0.30]
    common = {"radius": r, "P0": [1.0e5, 1.1e5, 1.2e5], "T0": [300.0, 301.0, 302.0], "Vm": [100.0] * 3, "Vx": [100.0] * 3, "Vr": [0.0] * 3,
              "Vt": [0.0, 100.0, -100.0]}
    rotor = {**common, "RowType": "Rotor", "x": [0.06] * 3, "axial_chord": 0.05, "beta1_metal": [40.0, 50.0, 60.0],
             "beta2_metal": [10.0, 30.0, 50.0], "num_blades": 24}
    with open("spool.json", "w") as out:
        json.dump({"blade_rows": [{**common, "RowType": "Inlet", "x": [0.0] * 3}, rotor]}, out)
    annulus.spool_profile("spool.json", "inlet.csv")
    table = np.genfromtxt("inlet.csv", delimiter=",", names=True)
    check(table.dtype.names == ("radius_m", "p0_Pa", "T0_K", "swirl_deg", "pitch_deg"), f"columns {table.dtype.names}")
    near(table["swirl_deg"], [0, 45, -45], 1e-6, "swirl")
    near(table["p0_Pa"], common["P0"], 1e-3, "total pressure")
    check(annulus.spool_angles("spool.json", "rotor.csv", 1, 0.08) == 24, "number of blades")
    table = np.genfromtxt("rotor.csv", delimiter=",", names=True)
    near(table["x"], [0.01] * 3, 1e-9, "leading edges")
    near(table["beta_2"], rotor["beta2_metal"], 1e-9, "angles")
    near(table["thickness"], [0.08] * 3, 1e-9, "thickness")
    # what turbo-design 1.4.4 really writes: no inlet angles of the metal, and an axial chord that is none
    real = {**rotor, "axial_chord": 1e-12, "beta1_metal": [0.0] * 3, "beta1": [4.0, -8.0, -21.0]}
    with open("spool.json", "w") as out:
        json.dump({"blade_rows": [{**common, "RowType": "Inlet", "x": [0.0] * 3}, real]}, out)
    refused("give chord=", lambda: annulus.spool_angles("spool.json", "rotor.csv", 1))
    annulus.spool_angles("spool.json", "rotor.csv", 1, chord=0.04)
    table = np.genfromtxt("rotor.csv", delimiter=",", names=True)
    near(table["x"], [0.02] * 3, 1e-9, "leading edges of a chord that was given")
    near(table["beta_1"], real["beta1"], 1e-9, "angles of the flow in place of those of the metal")
    refused("no blade row ends there", lambda: annulus.spool_angles("spool.json", "rotor.csv", 0))
    refused("there is no station 2", lambda: annulus.spool_profile("spool.json", "inlet.csv", 2))
    with open("spool.json", "w") as out:
        json.dump({"blade_rows": [{"radius": r}]}, out)
    refused("station 0 has no P0", lambda: annulus.spool_profile("spool.json", "inlet.csv"))
    with open("spool.json", "w") as out:
        out.write("[1, 2]")
    refused("no list blade_rows", lambda: annulus.spool_profile("spool.json", "inlet.csv"))


def units():
    """The lengths of the package are those of the program."""
    with open(os.path.join(SOURCE, "kernels", "base", "units.c")) as text:
        rows = re.findall(r'AN_LENGTH, "(\w+)", .*, ([-0-9.e]+), 0}', text.read())
    program = {name: float(size) for name, size in rows}
    check(len(si.LENGTHS) == 5 and all(program.get(name) == size for name, size in si.LENGTHS.items()), f"lengths {program}")


def tables_and_cases():
    run = annulus.Run(".")
    history = run.history
    check(len(history) == 2, "a line that is half written is left out")
    check(history.units["mass_in_kg_s"] == "kg/s" and history.units["efficiency"] == "", "units of columns")
    check(np.isnan(history["efficiency"][0]) and history.last("mass_in_kg_s") == 1.25, "cells of the history")
    check(run.newest("flow").endswith("flow_00000120.cgns"), "the newest snapshot")
    refused("no wall_NNNNNNNN file", lambda: run.newest("wall"))
    with open("case.yaml", "w") as out:
        out.write("mesh: a.cgns\nmarch: {cfl: 1e1, mode: steady}\nboundaries:\n  'out let': {p: 9.e4, on: no}\n")
    case = annulus.Case.read("case.yaml")
    check(case.value("march.cfl") == 10 and case.value("boundaries.out let.on") == "no", f"numbers and words: {case}")
    case.set("march.cfl", np.float64(2.5)).set("initial.p", 1e5).write("again.yaml")
    again = annulus.Case.read("again.yaml")
    check(again == case and again.value("initial.p") == 1e5, f"written and read: {again}")
    refused("no such file", lambda: annulus.Case.read("nowhere.yaml"))


PROGRAM = """#!/bin/sh
[ "$1" = check ] && { echo "$2:1:1: error: unknown key" >&2; exit 2; }
trap 'exit 4' TERM
echo "$@" >arguments
mkdir -p out meshes/a
echo '{"status": "done", "cells": 64}' >meshes/a/run.json
echo iteration,residual_drop >out/history.csv
for n in 1 2 3; do echo $n,0.$n >>out/history.csv; done
echo '{"status": "done"}' >out/run.json
[ -e wait ] && while :; do sleep 0.1; done
exit 0
"""


def variations():
    """A table of designs becomes files for mesh_row and a list of them; what is wrong in it is told with its line."""
    made, row = os.path.join(folder, "designs"), os.path.join(folder, "base.yaml")
    shutil.rmtree(made, ignore_errors=True)
    with open(row, "w") as file:
        file.write("blades: 3\n")

    def table(text):
        with open(os.path.join(folder, "designs.csv"), "w") as file:
            file.write(text)
        return os.path.join(folder, "designs.csv")

    listed = annulus.designs(row, table("name, cells, stagger, lean@0, lean@1, thickness_point_2@0, thickness_point_2@1\n"
                                        "a, 1e5, 1.5, 0, 2e-3, 1e-4, 2e-4\nb, 2e5, 0, 0, 0, 0, 0\n"), made)
    check(listed[0] == {"name": "a", "row": "a.yaml", "cells": "1e5"}, f"the list of designs: {listed[0]}")
    with open(os.path.join(made, "a.yaml")) as file:
        found = yaml.safe_load(file)
    check(found == {"base": "../base.yaml", "vary": [
        {"at": 0, "lean": 0, "stagger": 1.5, "thickness_points": [0, 0.0001, 0, 0]},
        {"at": 1, "lean": 0.002, "stagger": 1.5, "thickness_points": [0, 0.0002, 0, 0]}]}, f"the file of a design: {found}")
    with open(os.path.join(made, "designs.csv")) as file:
        check(file.read().splitlines() == ["name,row,cells", "a,a.yaml,1e5", "b,b.yaml,2e5"], "the file of the list")
    annulus.designs(row, [{"name": "whole", "chord": 1.1}], made)
    with open(os.path.join(made, "whole.yaml")) as file:
        check(yaml.safe_load(file)["vary"] == {"chord": 1.1}, "a variation of the whole blade")
    for text, line in (("designs.csv:3: two designs are called 'a'", "name,chord\na,1\na,2\n"),
                       ("designs.csv:2: 'chord': 'x' is not a number", "name,chord\na,x\n"),
                       ("designs.csv:2: 'name' is '../a'", "name,chord\n../a,1\n"),
                       ("designs.csv:2: no column names a parameter", "name,cord\na,1\n"),
                       ("a share of the span is from 0 to 1", "name,chord@2\na,1\n"),
                       ("'lean' is not given at all heights that the other columns name: 0, 1",
                        "name,chord@0,chord@1,lean@0\na,1,1,0\n"),
                       ("'chord' is given for the whole blade and for heights", "name,chord@0,chord\na,1,1\n"),
                       ("as many values as columns", "name,chord\na\n")):
        refused(text, lambda: annulus.designs(row, table(line), made))
    refused("none.yaml: no such file", lambda: annulus.designs("none.yaml", [], made))


def jobs():
    """A double of the program: lines of the history arrive, changes are passed on, it can be stopped."""
    with open("program", "w") as out:
        out.write(PROGRAM)
    os.chmod("program", os.stat("program").st_mode | stat.S_IXUSR)
    program = os.path.abspath("program")
    job = annulus.start("case.yaml", annulus=program, changes={"march.cfl": 3})
    lines = [line["residual_drop"] for line in job.watch(0.05)]
    check(lines == [0.1, 0.2, 0.3], f"watched: {lines}")
    check(job.wait().info["status"] == "done", "run.json")
    with open("arguments") as text:
        check(text.read().strip() == "run case.yaml --set march.cfl=3", "arguments of the program")
    open("wait", "w").close()
    job = annulus.start("case.yaml", annulus=program)
    next(job.watch(0.05))
    job.stop()
    job.wait(20)
    check(job.process.returncode == 4, f"stopped with {job.process.returncode}")
    os.remove("wait")
    with open("out/map.csv", "w") as out:
        out.write("setting,outcome\n1e5,settled\n")
    points = annulus.speed_line("case.yaml", [1e5, 1.1e5], annulus=program)
    check(list(points["outcome"]) == ["settled"], f"speed line: {points}")
    with open("arguments") as text:
        check(text.read().strip() == "map case.yaml --set map.values=[100000.0, 110000.0]", "arguments of a speed line")
    points, limit = annulus.mesh_study("case.yaml", ["a.cgns"], lambda run: 2.5, annulus=program)
    check(points == [(64, 2.5)] and limit is None, f"mesh study: {points}")
    with open("arguments") as text:
        check(text.read().strip() == "run case.yaml --set mesh=a.cgns --set output.folder=meshes/a", "arguments of a mesh study")
    refused("unknown key", lambda: annulus.Case.read("case.yaml").check("checked.yaml", program))


def pictures():
    environment = dict(os.environ, MPLCONFIGDIR=os.path.abspath("matplotlib"))
    plot = [sys.executable, os.path.join(SOURCE, "tools", "plot")]
    for arguments, text in (
        (["b2b", "flow_00000120.cgns", "--field", "Pressure", "-o", "b2b.png"], "Pressure at 50 % span: 90"),
        (["meridional", "flow_00000120.cgns", "--field", "VelocityTheta", "-o", "m.png"], "over the pitch: 16."),
        (["spanwise", "flow_00000120.cgns", "--x", "0.05", "0.15", "-o", "s.png"], "2 stations, 40 values"),
        (["b2b", "bend.cgns", "--field", "Mach", "--copies", "3", "-o", "bend.png"], "3 zones"),
        (["b2b", "bend.cgns", "--field", "Mach", "--axes", "front", "-o", "front.png"], "3 zones"),
        (["meridional", "bend.cgns", "--field", "VelocityMeridional", "-o", "bm.png"], "over the pitch: 100 to 100"),
        (["spanwise", "bend.cgns", "--m", "0.1", "0.9", "-o", "bs.png"], "2 stations, 20 values"),
        (["cut", "bend.cgns", "--revolve", "0:0.25,0.1:0.29,0.18:0.4", "--copies", "2", "-o", "br.png"], "Mach on the cut"),
        (["loading", "wall_down.cgns", "--span", "0.5", "-o", "bl.png"], "meridional chord 0.217"),
    ):
        done = subprocess.run([*plot, *arguments], capture_output=True, text=True, env=environment)
        check(done.returncode == 0 and text in done.stdout, f"{arguments}: {done.stdout}{done.stderr}")
        with open(arguments[-1], "rb") as picture:
            check(picture.read(4) == b"\x89PNG", f"{arguments[-1]} is no PNG")
    shutil.copy("bend.cgns", "plane.cgns")
    with h5py.File("plane.cgns", "r+") as file:
        for name in BEND:
            periodic = file[f"Base/{name}/ZoneGridConnectivity/up/GridConnectivityProperty/Periodic"]
            periodic["RotationAngle/ data"][...], periodic["Translation/ data"][...] = 0, (0, 0.1, 0)
    done = subprocess.run([*plot, "b2b", "plane.cgns", "--copies", "1"], capture_output=True, text=True, env=environment)
    check(done.returncode == 2 and "'contours' draws it" in done.stderr, f"plane cascade: {done.returncode} {done.stderr}")


os.makedirs(folder, exist_ok=True)
os.chdir(folder)
if os.path.exists("wait"):
    os.remove("wait")
write_run()
write_bend()
flow = annulus.Run(".").flow()
quantities(flow)
polynomials()
surfaces(flow)
cuts(flow)
vortices()
machine(flow)
studies()
averages(flow)
bend()
blade()
exported()
tables_and_cases()
versions()
spools()
units()
layers_of_modules()
variations()
jobs()
pictures()
# boundaries and zones of a picture: 24 different colours, the first eight as they always were
from annulus.plotting import style  # noqa: E402

colours = [style.colour(n) for n in range(25)]
check(len(set(colours)) == 24 and tuple(colours[:8]) == style.CYCLE and colours[24] == colours[0], f"colours {colours}")

finish()
