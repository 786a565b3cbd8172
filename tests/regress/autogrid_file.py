"""CGNS files of blade rows laid out and named as AutoGrid 5 writes them, for tests: an O block (skin) around the blade,
four H blocks (inlet, outlet, up, down) around it, and two blocks in the gap at the tip; families for rows and for every
patch, several patches and connections on one face, bases beside that of the mesh, the z axis as axis of the machine.

The names follow public programs that read such files (MOLA of ONERA: ROW_flux_1_Main_Blade_skin, ROW_INFLOW, ROW_PER1,
Rotor_stator_10_left, meridional_base, tools_base, Numeca*); the numbers are this module's own.
"""
import math

import numpy

from cgns_nodes import characters


def node(parent, name, label, kind="MT", data=None):
    group = parent.create_group(name, track_order=True)
    for key, text, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        group.attrs.create(key, numpy.bytes_(text), dtype=f"S{size}")
    group.attrs.create("flags", numpy.array([1], dtype="i4"))
    if data is not None:
        group.create_dataset(" data", data=data)
    return group


def text(parent, name, label, value):
    return node(parent, name, label, "C1", characters(value))


class Row:
    """Nodes of one passage: zones {part: [ni, nj, nk, 3]} about the x axis, in metres, and what their faces are.

    The blade lies around x = middle; metal angles in degrees, positive in the direction of +theta.
    """

    def __init__(self, name, blades, ends, angles, middle=0.0, radii=(0.22, 0.28), cells=8, gap=0, around=12, chord=0.06):
        self.name, self.blades, self.gap = name, blades, gap
        self.zones, self.faces, self.joins = {}, [], []
        self.radii, self.middle, self.chord = radii, middle, chord
        self.mean = 0.5 * (radii[0] + radii[1])
        self.slopes = [math.tan(math.radians(a)) for a in angles]
        depth = 0.97 if gap else 1.0
        share = numpy.concatenate([depth * numpy.linspace(0, 1, cells + 1), numpy.linspace(depth, 1, gap + 1)[1:]])
        self.r = radii[0] + share * (radii[1] - radii[0])
        self.tip = cells
        self._mesh(ends, around)

    def _camber(self, x):
        """Tangential place of the camber line: a parabola over the chord, straight before and behind it."""
        half = 0.5 * self.chord
        s = numpy.clip(x, -half, half)
        first, last = self.slopes
        curve = 0.5 * (first + last) * s + (last - first) * s * s / (4 * half)
        return curve + numpy.where(x < -half, first, last) * (x - s)

    def _add(self, part, x, t, layers=None):
        """A zone from a plane [ni, nj] of places along x and around the axis."""
        r = self.r if layers is None else self.r[layers]
        angle = (self._camber(x) - t) / self.mean  # x, up to down, hub to casing: right-handed
        shape = x.shape + r.shape
        xyz = numpy.empty(shape + (3,))
        xyz[..., 0] = (x + self.middle)[..., None]
        xyz[..., 1] = r * numpy.cos(angle)[..., None]
        xyz[..., 2] = r * numpy.sin(angle)[..., None]
        self.zones[part] = xyz

    def _mesh(self, ends, around):
        half, thick = 0.5 * self.chord, 0.06 * self.chord
        pitch = 2 * math.pi / self.blades * self.mean
        box, high = half + 0.1 * self.chord, 0.22 * pitch
        n, m = around, 8  # cells along a side of the blade and across its edges
        # from the upper corner at the trailing edge: up, inlet, down, outlet
        side = numpy.linspace(box, -box, n + 1)
        edge = numpy.linspace(high, -high, m + 1)
        rim_x = numpy.concatenate([side, numpy.full(m, -box), side[::-1][1:], numpy.full(m, box)])
        rim_t = numpy.concatenate([numpy.full(n, high), edge, numpy.full(n - 1, -high), edge[::-1]])
        lead = math.atan2(high / box, 1.0) * 0.9
        turn = numpy.concatenate([numpy.linspace(lead, math.pi - lead, n + 1),
                                  numpy.linspace(math.pi - lead, math.pi + lead, m + 1)[1:],
                                  numpy.linspace(math.pi + lead, 2 * math.pi - lead, n + 1)[1:],
                                  numpy.linspace(2 * math.pi - lead, 2 * math.pi + lead, m + 1)[1:]])
        blade_x, blade_t = half * numpy.cos(turn), thick * numpy.sin(turn)
        blade_x[-1], blade_t[-1] = blade_x[0], blade_t[0]
        share = ((1.25 ** numpy.arange(9) - 1) / (1.25 ** 8 - 1))[:, None]
        self._add("skin", blade_x + share * (rim_x - blade_x), blade_t + share * (rim_t - blade_t))
        across = numpy.linspace(0, 1, 9)[None, :]
        for part, low, top in (("up", high, 0.5 * pitch), ("down", -0.5 * pitch, -high)):
            x = numpy.repeat(side[::-1][:, None], 9, 1)
            self._add(part, x, low + across * (top - low) + 0 * x)
        t = numpy.concatenate([-0.5 * pitch + across[0] * (0.5 * pitch - high), edge[::-1][1:-1], high + across[0] *
                               (0.5 * pitch - high)])[None, :]
        for part, x in (("inlet", numpy.linspace(ends[0] - self.middle, -box, 9)),
                        ("outlet", numpy.linspace(box, ends[1] - self.middle, 9))):
            x = numpy.repeat(x[:, None], t.size, 1)
            self._add(part, x, t + 0 * x)
        top = t.size - 1
        self.connect("inlet", 0, 1, (0, 8), "down", 0, 0, (0, 8))
        self.connect("inlet", 0, 1, (8, 8 + m), "skin", 0, 1, (n, n + m))
        self.connect("inlet", 0, 1, (8 + m, top), "up", 0, 0, (0, 8))
        self.connect("outlet", 0, 0, (0, 8), "down", 0, 1, (0, 8))
        self.connect("outlet", 0, 0, (8, 8 + m), "skin", 0, 1, (2 * n + m, 2 * n + 2 * m))
        self.connect("outlet", 0, 0, (8 + m, top), "up", 0, 1, (0, 8))
        self.connect("up", 1, 0, (0, n), "skin", 0, 1, (0, n))
        self.connect("down", 1, 1, (0, n), "skin", 0, 1, (n + m, 2 * n + m))
        self.connect("skin", 1, 0, (0, 8), "skin", 1, 1, (0, 8))
        blade = (0, self.tip)
        if self.gap:
            # an H block inside the profile, and an O block between it and the profile
            inner = slice(self.tip, None)
            core_x = numpy.concatenate([0.7 * half / box * side, numpy.full(m, -0.7 * half), 0.7 * half / box * side[::-1][1:],
                                        numpy.full(m, 0.7 * half)])
            core_t = 0.4 * thick / high * rim_t
            share = numpy.linspace(0, 1, 5)[:, None]
            self._add("shroudgap2", core_x + share * (blade_x - core_x), core_t + share * (blade_t - core_t), inner)
            x = numpy.repeat(0.7 * half / box * side[::-1][:, None], m + 1, 1)
            self._add("shroudgap1", x, 0.4 * thick / high * edge[::-1][None, :] + 0 * x, inner)
            whole = 2 * n + 2 * m
            self.connect("shroudgap2", 0, 1, (0, whole), "skin", 0, 0, (0, whole), spans=((0, self.gap), (self.tip,
                                                                                                   self.tip + self.gap)))
            self.connect("shroudgap2", 1, 0, (0, 4), "shroudgap2", 1, 1, (0, 4))
            self.connect("shroudgap1", 1, 1, (0, n), "shroudgap2", 0, 0, (0, n))
            self.connect("shroudgap1", 0, 0, (0, m), "shroudgap2", 0, 0, (n, n + m))
            self.connect("shroudgap1", 1, 0, (0, n), "shroudgap2", 0, 0, (n + m, 2 * n + m))
            self.connect("shroudgap1", 0, 1, (0, m), "shroudgap2", 0, 0, (2 * n + m, whole))
            for part in ("shroudgap1", "shroudgap2"):
                self.patch(part, 2, 0, f"{self.name}_Main_Blade")
        for low, high in ((0, n), (n, n + m), (n + m, 2 * n + m), (2 * n + m, 2 * n + 2 * m)):  # suction side, edges, ...
            self.patch("skin", 0, 0, f"{self.name}_Main_Blade", (low, high), blade)
        for part in self.zones:
            if "gap" not in part:
                self.patch(part, 2, 0, f"{self.name}_HUB")
            self.patch(part, 2, 1, f"{self.name}_SHROUD")
        self.patch("inlet", 0, 0, f"{self.name}_INFLOW")
        self.patch("outlet", 0, 1, f"{self.name}_OUTFLOW")
        for low, up in (("inlet", "inlet"), ("down", "up"), ("outlet", "outlet")):
            self.patch(low, 1, 0, f"{self.name}_PER1")
            self.patch(up, 1, 1, f"{self.name}_PER2")

    def window(self, part, dir, side, along=None, span=None):
        """[begin, end] of vertices from 0: `along` in the other direction of the plane, `span` in k."""
        size = numpy.array(self.zones[part].shape[:3]) - 1
        low, high = [0, 0, 0], list(size)
        low[dir] = high[dir] = size[dir] if side else 0
        if dir != 2 and along:
            low[1 - dir], high[1 - dir] = along
        if dir != 2 and span:
            low[2], high[2] = span
        return numpy.array([low, high])

    def connect(self, a, adir, aside, aalong, b, bdir, bside, balong, spans=(None, None)):
        self.joins.append((a, self.window(a, adir, aside, aalong, spans[0]), b, self.window(b, bdir, bside, balong, spans[1]), 0))

    def patch(self, part, dir, side, family, along=None, span=None):
        self.faces.append((part, self.window(part, dir, side, along, span), family))

    def periodic_joins(self):
        pitch = -2 * math.pi / self.blades
        return [(low, self.window(low, 1, 0), up, self.window(up, 1, 1), pitch)
                for low, up in (("inlet", "inlet"), ("down", "up"), ("outlet", "outlet"))]

    def zone_name(self, part):
        long = f"{self.name}_flux_1_Main_Blade_{part}"
        return long if len(long) <= 32 else f"{self.name}_Main_Blade_{part}"  # CGNS names have 32 characters


def constant(window):
    return [d for d in range(3) if window[0][d] == window[1][d]][0]


def face_nodes(xyz, window):
    return xyz[tuple(slice(a, b + 1) for a, b in zip(*window))].squeeze()


def matched(row, a, wa, b, wb, pitch):
    """Range of the donor and transform of a connection; b turned back by the pitch lies on a."""
    da, db = constant(wa), constant(wb)
    here, there = face_nodes(row.zones[a], wa), face_nodes(row.zones[b], wb)
    c, s = math.cos(-pitch), math.sin(-pitch)
    there = numpy.stack([there[..., 0], c * there[..., 1] - s * there[..., 2], s * there[..., 1] + c * there[..., 2]], -1)
    ta, tb = [d for d in range(3) if d != da], [d for d in range(3) if d != db]
    sides = [int(w[0][d] > 0) for w, d in ((wa, da), (wb, db))]
    for swap in (0, 1):
        for flips in ((0, 0), (0, 1), (1, 0), (1, 1)):
            seen = numpy.swapaxes(there, 0, 1) if swap else there
            order = tb[::-1] if swap else tb
            for axis in (0, 1):
                seen = numpy.flip(seen, axis) if flips[axis] else seen
            if seen.shape != here.shape or not numpy.allclose(seen, here, atol=1e-9):
                continue
            begin, end, transform = wb[0].copy(), wb[1].copy(), [0, 0, 0]
            transform[da] = -(db + 1) if sides[0] == sides[1] else db + 1
            for axis in (0, 1):
                transform[ta[axis]] = (order[axis] + 1) * (-1 if flips[axis] else 1)
                if flips[axis]:
                    begin[order[axis]], end[order[axis]] = end[order[axis]], begin[order[axis]]
            return numpy.array([begin, end]), transform
    raise ValueError(f"{a} and {b} do not match")


TYPES = {"HUB": "BCWallViscous", "SHROUD": "BCWallViscous", "Main_Blade": "BCWallViscous", "INFLOW": "BCInflow",
         "OUTFLOW": "BCOutflow"}


def write(file, rows, speeds, planes=(), periodic=True, unit=1.0, unit_name="Meter"):
    """Fills an open file whose bases were taken out.

    speeds: {row: rad/s}; planes: [(family left, family right)] of rows that follow each other; periodic: with periodic
    connections beside the families PER1 and PER2, or with the families alone.
    """
    for name in ("Numeca_Base", "meridional_base"):
        node(file, name, "CGNSBase_t", "I4", numpy.array([2, 3], "i4"))
    base = node(file, "Base#1", "CGNSBase_t", "I4", numpy.array([3, 3], "i4"))
    node(file, "tools_base", "CGNSBase_t", "I4", numpy.array([3, 3], "i4"))
    text(base, "DataClass", "DataClass_t", "Dimensional")
    words = "".join(word.ljust(32) for word in ("Kilogram", unit_name, "Second", "Kelvin", "Radian"))
    node(base, "DimensionalUnits", "DimensionalUnits_t", "C1", characters(words).reshape(5, 32))
    instead = {}
    for n, (left, right) in enumerate(planes):
        instead[f"{rows[n].name}_OUTFLOW"] = left
        instead[f"{rows[n + 1].name}_INFLOW"] = right
    families = {instead.get(f, f): 0 for row in rows for _, _, f in row.faces}
    for family in families:
        kind = next((t for end, t in TYPES.items() if family.endswith(end)), None)
        text(node(base, family, "Family_t"), "FamBC", "FamilyBC_t", kind or "UserDefined")
    for row in rows:
        family = node(base, row.name, "Family_t")
        turning = node(family, "RotatingCoordinates", "RotatingCoordinates_t")
        node(turning, "RotationCenter", "DataArray_t", "R4", numpy.zeros(3, "f4"))
        node(turning, "RotationRateVector", "DataArray_t", "R4", numpy.array([0, 0, speeds[row.name]], "f4"))
        text(family, "DynamicData", "UserDefinedData_t", "none")
        period = node(family, "Periodicity", "UserDefinedData_t")
        node(period, "BladeNumber", "DataArray_t", "I4", numpy.array([row.blades], "i4"))
        for part, xyz in row.zones.items():
            size = numpy.array(xyz.shape[:3])
            zone = node(base, row.zone_name(part), "Zone_t", "I4", numpy.array([size, size - 1, 0 * size], "i4"))
            text(zone, "ZoneType", "ZoneType_t", "Structured")
            text(zone, "FamilyName", "FamilyName_t", row.name)
            text(zone, "NumecaBlockName", "Descriptor_t", f"{row.name}_flux_1_Main_Blade_{part}")
            grid = node(zone, "GridCoordinates", "GridCoordinates_t")
            for d, axis in enumerate("ZXY"):  # the machine turns about z
                node(grid, "Coordinate" + axis, "DataArray_t", "R8", numpy.ascontiguousarray(xyz[..., d].T) / unit)
            conditions = node(zone, "ZoneBC", "ZoneBC_t")
            for n, (_, window, family) in enumerate(f for f in row.faces if f[0] == part):
                bc = text(conditions, f"bc_{n + 1}", "BC_t", "FamilySpecified")
                node(bc, "PointRange", "IndexRange_t", "I4", (window + 1).astype("i4"))
                text(bc, "FamilyName", "FamilyName_t", instead.get(family, family))
            node(zone, "ZoneGridConnectivity", "ZoneGridConnectivity_t")
        write_joins(base, row, row.joins + (row.periodic_joins() if periodic else []))
    for n in range(len(planes)):
        abutting(base, rows[n], "outlet", 1, rows[n + 1])
        abutting(base, rows[n + 1], "inlet", 0, rows[n])


def write_joins(base, row, joins):
    count = {}
    for a, wa, b, wb, pitch in joins:
        for here, window, donor, other, angle in ((a, wa, b, wb, pitch), (b, wb, a, wa, -pitch)):
            count[here] = count.get(here, 0) + 1
            donor_range, transform = matched(row, here, window, donor, other, angle)
            c = text(base[row.zone_name(here)]["ZoneGridConnectivity"], f"cnt_{count[here]}", "GridConnectivity1to1_t",
                     row.zone_name(donor))
            node(c, "Transform", '"int[IndexDimension]"', "I4", numpy.array(transform, "i4"))
            node(c, "PointRange", "IndexRange_t", "I4", (window + 1).astype("i4"))
            node(c, "PointRangeDonor", "IndexRange_t", "I4", (donor_range + 1).astype("i4"))
            if angle:
                p = node(node(c, "GridConnectivityProperty", "GridConnectivityProperty_t"), "Periodic", "Periodic_t")
                for name, values in (("RotationCenter", [0, 0, 0]), ("RotationAngle", [0, 0, angle]), ("Translation", [0, 0, 0])):
                    node(p, name, "DataArray_t", "R4", numpy.array(values, "f4"))


def abutting(base, row, part, side, other):
    """The whole end of a row as a connection that does not match, beside the family of the interface."""
    c = text(base[row.zone_name(part)]["ZoneGridConnectivity"], "rs_1", "GridConnectivity_t",
             other.zone_name("inlet" if side else "outlet"))
    text(c, "GridConnectivityType", "GridConnectivityType_t", "Abutting")
    node(c, "PointRange", "IndexRange_t", "I4", (row.window(part, 0, side) + 1).astype("i4"))
