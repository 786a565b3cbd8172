"""Writes what test_plot.sh draws: a mesh in millimetres, a snapshot that links to it, a history.

An ellipse of axial chord 40 mm in two O zones that meet at odd angles, the second with i and j
running backwards, so that the wall is jmin of one and jmax of the other. Wall pressure is set from
    suction side:  M_is = 0.3 + 0.9 s,  pressure side:  M_is = 0.1 + 0.2 s,  s = x / chord,
and rises linearly with the distance from the wall, which linear extrapolation must undo exactly.

walls.cgns: the same wall and pressure as surfaces. plate.cgns: a plate 0 < x < 2 m in two zones, the
second with i across, with tau_x = 3 - 2 x Pa. ring.cgns: a blade from r = 0.2 to 0.3 m whose section is an
ellipse around, x = 0.05 + 0.05 cos a, r theta = 0.02 sin a, with p = 1e5 + 1e4 (r / 0.25) sin a Pa: the integral of
p dx is -500 pi r / 0.25 N/m. rings.cgns: three of them, 0.3 rad apart, the n-th one with n times the amplitude.
"""
import os
import sys

import h5py
import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cgns_nodes import characters, node, root  # noqa: E402

GAMMA, P0, CHORD = 1.4, 1.5e5, 40.0  # -, Pa, mm
NI, NJ, NK = 60, 6, 3
folder = sys.argv[1]


def zone_geometry(n):
    """Nodes of zone n, [nj+1, ni+1], in mm."""
    first, last = ((0.05, 1.25 * np.pi), (1.25 * np.pi, 2 * np.pi + 0.05))[n]
    angle = np.linspace(first, last, NI + 1)
    radius = (1 + 0.02 * np.arange(NJ + 1) ** 1.5)[:, None]
    x, y = 20 + 20 * radius * np.cos(angle), 8 * radius * np.sin(angle)
    return (x, y) if n == 0 else (x[::-1, ::-1], y[::-1, ::-1])


def middle(a):
    return 0.25 * (a[1:, 1:] + a[1:, :-1] + a[:-1, 1:] + a[:-1, :-1])


def zone_pressure(n):
    x, y = zone_geometry(n)
    wall = 0 if n == 0 else -1
    face_x, face_y = (0.5 * (a[wall, 1:] + a[wall, :-1]) for a in (x, y))
    mach = np.where(face_y > 0, 0.3 + 0.9 * face_x / CHORD, 0.1 + 0.2 * face_x / CHORD)
    p = P0 * (1 + 0.5 * (GAMMA - 1) * mach**2) ** (-GAMMA / (GAMMA - 1))
    return p + 500 * np.hypot(middle(x) - face_x, middle(y) - face_y)


def write_mesh():
    file = root(f"{folder}/mesh.cgns")
    base = node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
    units = "".join(u.ljust(32) for u in ("Kilogram", "Millimeter", "Second", "Kelvin", "Radian"))
    node(base, "DimensionalUnits", "DimensionalUnits_t", "C1", characters(units).reshape(5, 32))
    for n in range(2):
        zone = write_zone(base, n)
        grid = node(zone, "GridCoordinates", "GridCoordinates_t")
        x, y = (np.broadcast_to(a, (NK + 1, NJ + 1, NI + 1)) for a in zone_geometry(n))
        z = np.broadcast_to(np.arange(NK + 1.0)[:, None, None], x.shape)
        for name, values in (("CoordinateX", x), ("CoordinateY", y), ("CoordinateZ", z)):
            node(grid, name, "DataArray_t", "R8", values)
    links = node(zone, "ZoneGridConnectivity", "ZoneGridConnectivity_t")
    link = node(links, "up", "GridConnectivity1to1_t", "C1", characters("zone0"))
    link = node(link, "GridConnectivityProperty", "GridConnectivityProperty_t")
    link = node(link, "Periodic", "Periodic_t")
    node(link, "Translation", "DataArray_t", "R4", np.array([0, -25, 0], np.float32))
    node(link, "RotationAngle", "DataArray_t", "R4", np.zeros(3, np.float32))
    file.close()


def write_zone(base, n):
    sizes = np.array([[NI + 1, NJ + 1, NK + 1], [NI, NJ, NK], [0, 0, 0]], np.int32)
    return node(base, f"zone{n}", "Zone_t", "I4", sizes)


def write_snapshot(name, wall_family, conserved):
    file = root(f"{folder}/{name}")
    base = node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
    family = node(base, wall_family, "Family_t")
    node(family, "FamilyBC", "FamilyBC_t", "C1", characters("BCWallInviscid"))
    for n in range(2):
        zone = write_zone(base, n)
        link = node(zone, "GridCoordinates", "GridCoordinates_t", "LK")
        link[" link"] = h5py.ExternalLink("mesh.cgns", f"/Base/zone{n}/GridCoordinates")
        conditions = node(zone, "ZoneBC", "ZoneBC_t")
        j = 1 if n == 0 else NJ + 1
        for patch, first, last in (("wall", 1, 25), ("wall_1", 25, NI + 1)):
            bc = node(conditions, patch, "BC_t", "C1", characters("FamilySpecified"))
            window = np.array([[first, j, 1], [last, j, NK + 1]], np.int32)
            node(bc, "PointRange", "IndexRange_t", "I4", window)
            node(bc, "FamilyName", "FamilyName_t", "C1", characters(wall_family))
        solution = node(zone, "FlowSolution", "FlowSolution_t")
        p = np.broadcast_to(zone_pressure(n), (NK, NJ, NI))
        fields = {"Pressure": p}
        if conserved:
            rho, u = np.ones_like(p), 200.0
            fields = {"Density": rho, "MomentumX": u * rho, "MomentumY": 0 * p, "MomentumZ": 0 * p}
            fields["EnergyStagnationDensity"] = p / (GAMMA - 1) + 0.5 * rho * u**2
        for field, values in fields.items():
            node(solution, field, "DataArray_t", "R8", values)
    file.close()


def write_surface(base, name, family, x, y, z, fields):
    """Nodes [nj+1, ni+1] in metres, fields [nj, ni]."""
    nj, ni = x.shape[0] - 1, x.shape[1] - 1
    sizes = np.array([[ni + 1, nj + 1], [ni, nj], [0, 0]], np.int32)
    zone = node(base, name, "Zone_t", "I4", sizes)
    node(zone, "FamilyName", "FamilyName_t", "C1", characters(family))
    grid = node(zone, "GridCoordinates", "GridCoordinates_t")
    for axis, values in zip("XYZ", (x, y, z)):
        node(grid, "Coordinate" + axis, "DataArray_t", "R8", np.broadcast_to(values, x.shape))
    solution = node(zone, "FlowSolution", "FlowSolution_t")
    for field, values in fields.items():
        node(solution, field, "DataArray_t", "R8", np.broadcast_to(values, (nj, ni)))


def write_walls():
    file = root(f"{folder}/walls.cgns")
    base = node(file, "Base", "CGNSBase_t", "I4", np.array([2, 3], np.int32))
    for n in range(2):
        x, y = (1e-3 * a[0 if n == 0 else -1] for a in zone_geometry(n))
        z = 1e-3 * np.arange(NK + 1.0)[:, None]
        face_x, face_y = (500 * (a[1:] + a[:-1]) for a in (x, y))
        mach = np.where(face_y > 0, 0.3 + 0.9 * face_x / CHORD, 0.1 + 0.2 * face_x / CHORD)
        p = P0 * (1 + 0.5 * (GAMMA - 1) * mach**2) ** (-GAMMA / (GAMMA - 1))
        x, y = (np.tile(a, (NK + 1, 1)) for a in (x, y))
        write_surface(base, f"blade.{n}", "blade", x, y, z, {"Pressure": p})
    file.close()


def write_plate():
    file = root(f"{folder}/plate.cgns")
    base = node(file, "Base", "CGNSBase_t", "I4", np.array([2, 3], np.int32))
    for n in range(2):
        x = np.tile(np.linspace(n, n + 1.0, 21), (2, 1))
        z = np.array([[0.0], [1.0]]) + 0 * x
        tau = 3 - (x[:1, 1:] + x[:1, :-1])
        turn = (lambda a: a) if n == 0 else np.transpose
        fields = {"SkinFrictionX": turn(tau), "SkinFrictionMagnitude": turn(np.abs(tau))}
        write_surface(base, f"wall.{n}", "wall", turn(x), 0 * turn(x), turn(z), fields)
    file.close()


def write_ring(name, blades):
    file = root(f"{folder}/{name}")
    base = node(file, "Base", "CGNSBase_t", "I4", np.array([2, 3], np.int32))
    a, r = np.linspace(0, 2 * np.pi, 121), np.linspace(0.2, 0.3, 11)[:, None]
    for n in range(blades):
        x, theta = 0.05 + 0.05 * np.cos(a) + 0 * r, 0.02 * np.sin(a) / r + 0.3 * n
        p = 1e5 + 1e4 * (n + 1) * 0.5 * (r[1:] + r[:-1]) / 0.25 * np.sin(0.5 * (a[1:] + a[:-1]))
        write_surface(base, f"blade.o_{n}", "blade", x.T, (r * np.cos(theta)).T, (r * np.sin(theta)).T, {"Pressure": p.T})
    file.close()


def write_history():
    names = ["iteration", "time_s", "cfl"]
    names += ["residual_" + v for v in ("density", "momentum_x", "momentum_y", "momentum_z", "energy")]
    names += ["residual_drop", "mass_in_kg_s", "mass_out_kg_s", "imbalance", "pressure_ratio"]
    names += ["temperature_ratio", "efficiency", "iterations_per_s"]
    with open(f"{folder}/history.csv", "w") as out:
        out.write(",".join(names) + "\n")
        for n in range(0, 2001, 10):
            drop = 10 ** (-n / 400) * (1 + 0.3 * np.sin(n / 37))
            mass = 2 - np.exp(-n / 200) * np.cos(n / 60)
            cells = [n, "", 3.0, drop, 90 * drop, 40 * drop, 1e-14, 3e5 * drop, drop]
            cells += [mass, mass * (1 + 0.01 * drop), -0.01 * drop, 0.98, 1, "", 120]
            out.write(",".join(str(c) for c in cells) + "\n")
        out.write("2010,,3.0,1e-5")  # a run that is still writing


write_mesh()
write_snapshot("pressure.cgns", "blade", False)
write_snapshot("conserved.cgns", "blade", True)
write_walls()
write_plate()
write_ring("ring.cgns", 1)
write_ring("rings.cgns", 3)
write_history()
with open(f"{folder}/measured.csv", "w") as out:
    out.write("# exact but for the last point\nside,x,Mis\nSS,10,0.525\nSS,20,0.75\nPS,20,0.21\n")
with open(f"{folder}/plate.dat", "w") as out:
    out.write('variables="x","cf"\nzone t="exact"\n' + "".join(f"{x} {3 - 2 * x}\n" for x in (0.5, 1.0, 1.5)))
