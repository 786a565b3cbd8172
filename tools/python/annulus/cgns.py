"""Zones, coordinates, fields and boundary patches of CGNS files stored as HDF5.

Arrays are [k, j, i] as in the file, or in the order of Zone.ordered; node coordinates are in metres.
"""
import contextlib
import copy
import os

import h5py
import numpy as np

from . import si
from .errors import InputError
from .si import text

FARTHEST = 1e12  # m; coordinates beyond are those of a damaged file
ROOM = 2**30  # bytes of arrays that a file keeps once they have been read
SOLID_BASE = "Solid"  # of the metal, beside that of the gas
COORDINATES = ("CoordinateX", "CoordinateY", "CoordinateZ")


@contextlib.contextmanager
def reading(path, what):
    """Turns what h5py says of a damaged or foreign file into an InputError."""
    try:
        yield
    except InputError:
        raise
    except (OSError, KeyError, IndexError, RuntimeError, TypeError, ValueError, AttributeError) as error:
        said = " ".join(str(error.args[0] if error.args else error).split())
        raise InputError(f"{path}: {what} cannot be read: {said}") from None


def label(group):
    value = group.attrs.get("label", b"")
    return value.decode() if isinstance(value, bytes) else str(value)


def follow(group):
    """The node itself, or the one that a CGNS link leads to."""
    link = group.get(" link", getlink=True)
    if link is None:
        return group
    try:
        return group[" link"]
    except KeyError:
        target = getattr(link, "filename", group.file.filename)
        raise InputError(
            f"{group.file.filename}: {group.name} is a link to '{target}', which cannot be opened; keep it in "
            f"the same folder, or write snapshots with output.embed_grid"
        ) from None


def children(group, wanted):
    """(name, node) of all children with this CGNS label, links followed."""
    found = []
    for name in group:
        item = None if name.startswith(" ") else group[name]  # blanks behind a name do not count
        if isinstance(item, h5py.Group):
            node = follow(item)  # a link's own label is empty
            if label(node) == wanted:
                found.append((name.rstrip(), node))
    return found


class Patch:
    """A boundary patch: `direction` 0, 1, 2 = i, j, k; `side` 0 = min, 1 = max; cells lo <= c < hi."""

    def __init__(self, name, family, kind, direction, side, lo, hi):
        self.name, self.family, self.kind = name, family, kind
        self.direction, self.side, self.lo, self.hi = direction, side, lo, hi

    @property
    def is_wall(self):
        return self.kind.startswith("BCWall")


class Zone:
    def __init__(self, name, group, base):
        self.name, self.group, self.base = name, group, base
        with self.reading("its size"):
            sizes = group[" data"][...]
            if sizes.ndim != 2 or sizes.shape[1] > 3 or np.any(sizes[1] < 1):
                raise ValueError("it is not that of a structured zone")
        self.sizes = tuple(int(n) for n in sizes[1])  # of the file: ni, nj, nk; surfaces: ni, nj
        self.cells, self.order, self.frame = self.sizes, None, None

    def ordered(self, order, frame=None):
        """The same zone with its arrays and patches in an order.Order of its own. frame: the rows of this matrix are the
        axes that take the place of x, y and z."""
        zone = copy.copy(self)
        zone.order, zone.cells, zone.frame = order, order.cells(self.sizes), frame
        return zone

    def reading(self, what):
        return reading(self.base.path, f"zone {self.name}: {what}")

    def in_order(self, array):
        return array if self.order is None else self.order.of(array)

    def family(self):
        with self.reading("its family"):
            return text(self.group["FamilyName"][" data"]) if "FamilyName" in self.group else ""

    def nodes(self):
        """x, y, z of the nodes, each [nk+1, nj+1, ni+1]."""
        with self.reading("its coordinates"):
            found = [self.in_order(c) for c in self.base.kept(("nodes", self.name), self._nodes)]
        return found if self.frame is None else list(np.tensordot(self.frame, np.array(found), 1))

    def _nodes(self):
        grids = children(self.group, "GridCoordinates_t")
        if not grids:
            raise InputError(f"{self.base.path}: zone {self.name} has no coordinates")
        grid = grids[0][1]
        found = []
        for name in COORDINATES:
            if name not in grid:
                raise InputError(f"{grid.file.filename}: zone {self.name} has no {name}")
            values = si.values(grid[name])
            if values.shape != tuple(n + 1 for n in self.sizes[::-1]) or not np.all(np.abs(values) < FARTHEST):
                raise InputError(f"{grid.file.filename}: {name} of zone {self.name} is damaged: its shape or a value is wrong")
            found.append(values)
        return found

    def field_names(self):
        with self.reading("its fields"):
            return sorted(name for _, s in children(self.group, "FlowSolution_t") for name, _ in children(s, "DataArray_t"))

    def stored(self, name):
        """A field of the file in the cells, [nk, nj, ni], or None; a field at nodes as the means of their corners."""
        with self.reading(name):
            values = self.base.kept(("field", self.name, name), lambda: self._stored(name))
        return None if values is None else self.in_order(values)

    def at_nodes(self, name):
        """A field of the file at the nodes, [nk+1, nj+1, ni+1]."""
        with self.reading(name):
            for _, solution in children(self.group, "FlowSolution_t"):
                if name in solution:
                    values = solution[name][" data"][...].astype(float)
                    if values.shape != tuple(n + 1 for n in self.sizes[::-1]):
                        raise InputError(f"{self.base.path}: {name} of zone {self.name} does not stand at the nodes")
                    return self.in_order(values)
        raise InputError(f"{self.base.path}: zone {self.name} has no field {name}; stored: {', '.join(self.field_names()) or 'none'}")

    def _stored(self, name):
        for _, solution in children(self.group, "FlowSolution_t"):
            if name in solution and " data" in solution[name]:
                values = solution[name][" data"][...].astype(float)
                if values.shape == tuple(n + 1 for n in self.sizes[::-1]):  # at nodes: the mean of the corners
                    for axis in range(3):
                        values = 0.5 * (values.take(range(1, values.shape[axis]), axis) + values.take(range(values.shape[axis] - 1), axis))
                if values.shape != self.sizes[::-1]:
                    raise InputError(
                        f"{self.base.path}: {name} of zone {self.name} has shape {values.shape}, "
                        f"not one value per cell {self.sizes[::-1]}"
                    )
                return values
        return None

    def field(self, name, gamma=1.4):
        """A stored field, or one that follows from the stored conserved variables."""
        values = self.stored(name)
        if values is None:
            values = self.derived(name, gamma)
        if values is None:
            raise InputError(
                f"{self.base.path}: zone {self.name} has no field {name}; "
                f"stored: {', '.join(self.field_names()) or 'none'}"
            )
        return values

    def derived(self, name, gamma):
        rho = self.stored("Density")
        momentum = [self.stored("Momentum" + axis) for axis in "XYZ"]
        if rho is None or any(m is None for m in momentum):
            return None
        if name in ("VelocityX", "VelocityY", "VelocityZ"):
            return momentum["XYZ".index(name[-1])] / rho
        speed2 = sum(m * m for m in momentum) / rho**2
        if name == "VelocityMagnitude":
            return np.sqrt(speed2)
        energy = self.stored("EnergyStagnationDensity")
        if energy is None:
            return None
        p = (gamma - 1) * (energy - 0.5 * rho * speed2)
        if name == "Pressure":
            return p
        mach2 = speed2 * rho / (gamma * p)
        if name == "Mach":
            return np.sqrt(mach2)
        if name == "PressureStagnation":
            return p * (1 + 0.5 * (gamma - 1) * mach2) ** (gamma / (gamma - 1))
        return None

    def patches(self):
        order = None if self.order is None else (self.order.axes, self.order.flips)
        with self.reading("its boundaries"):
            return list(self.base.kept(("patches", self.name, order), lambda: list(self._patches())))

    def _patches(self):
        for _, conditions in children(self.group, "ZoneBC_t"):
            for name, node in children(conditions, "BC_t"):
                if "PointRange" not in node:
                    continue
                patch = self.patch(name, node)
                if patch:
                    yield patch

    def patch(self, name, node):
        first, last = (np.asarray(row, int) for row in node["PointRange"][" data"][...])
        first, last = np.minimum(first, last), np.maximum(first, last)
        flat = [d for d in range(3) if first[d] == last[d]]
        location = text(node["GridLocation"][" data"]) if "GridLocation" in node else "Vertex"
        if location[:1] in "IJK" and location.endswith("FaceCenter"):
            flat = ["IJK".index(location[0])]
        direction = next((d for d in flat if first[d] in (1, self.sizes[d] + 1)), None)
        if direction is None:
            return None
        lo, hi = first - 1, last - 1 if location == "Vertex" else last.copy()
        lo[direction], hi[direction] = 0, 1
        side = 0 if first[direction] == 1 else 1
        family, kind = name, text(node[" data"])
        if "FamilyName" in node:
            family = text(node["FamilyName"][" data"])
        if kind == "FamilySpecified":
            kind = self.base.family_kind(family)
        if self.order is not None:
            direction, side, lo, hi = self.order.window(direction, side, lo, hi, self.sizes)
        return Patch(name, family, kind, direction, side, lo, hi)

    def omega(self):
        """Speed of rotation about x in rad/s that the file states; 0 without one."""
        with self.reading("its speed of rotation"):
            for _, rotating in children(self.group, "RotatingCoordinates_t"):
                return float(si.values(rotating["RotationRateVector"], is_angle=True)[0])
        return 0.0

    def periodic(self):
        """(translation in m, rotation angle in rad), three numbers each, of the first periodic
        interface; None without one."""
        return next(iter(self.periodics()), None)

    def periodics(self):
        """The same of all periodic interfaces."""
        with self.reading("its interfaces"):
            return list(self.base.kept(("periodics", self.name), lambda: list(self._periodics())))

    def _periodics(self):
        for _, links in children(self.group, "ZoneGridConnectivity_t"):
            for kind in ("GridConnectivity1to1_t", "GridConnectivity_t"):
                for _, link in children(links, kind):
                    for _, properties in children(link, "GridConnectivityProperty_t"):
                        for _, periodic in children(properties, "Periodic_t"):
                            yield (
                                si.values(periodic["Translation"]),
                                si.values(periodic["RotationAngle"], is_angle=True),
                            )


def file_of(file, dimensions=(3,)):
    """The File that is given by its path; a File stays as it is."""
    return file if isinstance(file, File) else File(file, dimensions)


class File:
    """An open CGNS/HDF5 file: the base of that name, or its first one that is not the metal's, and its structured
    zones of 3 dimensions (flow, mesh) or of 2 (walls). Arrays that have been read are kept, up to ROOM bytes, and
    cannot be written to."""

    def __init__(self, path, dimensions=(3,), base=None):
        self.path = path = os.fspath(path)
        self._kept, self._room = {}, ROOM
        if not os.path.exists(path):
            raise InputError(f"{path}: no such file")
        with reading(path, "the file"):
            self._open(path, dimensions, base)

    def _open(self, path, dimensions, wanted):
        if not h5py.is_hdf5(path):
            raise InputError(f"{path}: not an HDF5 file (a CGNS file in ADF form needs adf2hdf)")
        self.file = h5py.File(path, "r")
        bases = children(self.file, "CGNSBase_t")
        if not bases:
            raise InputError(f"{path}: not a CGNS file (no base)")
        names = [name for name, _ in bases]
        if wanted and wanted not in names:
            raise InputError(f"{path}: no base {wanted!r}, but {', '.join(map(repr, names))}")
        filled = [name for name, base in bases if children(base, "Zone_t")] or names
        self.group = dict(bases)[wanted or next((name for name in filled if name != SOLID_BASE), filled[0])]
        self.zones = [Zone(name, group, self) for name, group in children(self.group, "Zone_t")]
        found = {len(zone.cells) for zone in self.zones}
        self.zones = [zone for zone in self.zones if len(zone.cells) in dimensions]
        if not self.zones and dimensions == (2,) and 3 in found:
            raise InputError(f"{path}: no surface; wall fields are in wall_NNNNNNNN.cgns beside it")
        if not self.zones:
            what = "surface" if dimensions == (2,) else "three-dimensional zone"
            raise InputError(f"{path}: no structured {what}")
        self.is_surface = len(self.zones[0].cells) == 2

    def kept(self, key, make):
        """What make() gives, from the first call on; arrays are kept as long as there is room."""
        if key in self._kept:
            return self._kept[key]
        value = make()
        arrays = [a for a in (value if isinstance(value, list) else [value]) if isinstance(a, np.ndarray)]
        for a in arrays:
            a.setflags(write=False)
        size = sum(a.nbytes for a in arrays)
        if size <= self._room:
            self._room -= size
            self._kept[key] = value
        return value

    def record(self):
        """Lines `key = value` of the record that the program writes into its snapshots: a list of pairs."""
        if "Annulus" not in self.group:
            return []
        with reading(self.path, "the record of the run"):
            lines = bytes(self.group["Annulus"][" data"][...].astype(np.uint8).reshape(-1)).decode("utf-8", "replace")
        return [tuple(line.split(" = ", 1)) for line in lines.splitlines() if " = " in line]

    def controls(self):
        """Numbers by which a run of the program goes on from this snapshot: name -> value."""
        pairs = [line.split(" ", 1) for name, line in self.record() if name == "control" and " " in line]
        with reading(self.path, "the record of the run"):
            return {name: float.fromhex(value) for value, name in pairs}

    def family_kind(self, family):
        if family in self.group:
            for _, node in children(self.group[family], "FamilyBC_t"):
                return text(node[" data"])
        return ""

    def periodic(self):
        """Periodicity of this file, or of the mesh its coordinates are links to."""
        return next(iter(self.periodics()), None)

    def periodics(self):
        """The same of all periodic interfaces."""
        found = [one for zone in self.zones for one in zone.periodics()]
        grids = children(self.zones[0].group, "GridCoordinates_t")
        if not found and grids and grids[0][1].file.filename != self.file.filename:
            return File(grids[0][1].file.filename).periodics()
        return found

    def families(self):
        if self.is_surface:
            return sorted({zone.family() for zone in self.zones})
        return sorted({patch.family for zone in self.zones for patch in zone.patches()})

    def title(self):
        return os.path.splitext(os.path.basename(self.path))[0]
