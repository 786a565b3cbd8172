"""A CGNS file of structured zones, written with h5py.

A zone is a dictionary: name, row, xyz [ni, nj, nk, 3] in m, patches and joins. Windows are [[i, j, k], [i, j, k]], first and last node
from 0. A patch is (name, type of CGNS, window). A join is (window, donor zone, donor window, transform, angle): the
transform is that of CGNS, the angle in rad turns the window about x onto its donor.
"""
import h5py
import numpy as np


def _node(parent, name, label, kind="MT", data=None):
    group = parent.create_group(name)
    for key, value, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        group.attrs.create(key, np.bytes_(value), dtype=f"S{size}")
    group.attrs.create("flags", np.array([1], np.int32))
    if data is not None:
        group.create_dataset(" data", data=data)
    return group


def _text(text):
    return np.frombuffer(text.encode(), np.int8)


def _points(window):
    return np.asarray(window, np.int32) + np.int32(1)


def _angles(parent, name, angle):
    array = _node(parent, name, "DataArray_t", "R4", np.array([angle, 0, 0], np.float32))
    _node(array, "DimensionalUnits", "DimensionalUnits_t", "C1",
          _text("".join(f"{u:32}" for u in ("Null", "Null", "Null", "Null", "Radian"))).reshape(5, 32))


def _join(parent, name, join):
    window, donor, donor_window, transform, angle = join
    link = _node(parent, name, "GridConnectivity1to1_t", "C1", _text(donor))
    _node(link, "Transform", "\"int[IndexDimension]\"", "I4", np.asarray(transform, np.int32))
    _node(link, "PointRange", "IndexRange_t", "I4", _points(window))
    _node(link, "PointRangeDonor", "IndexRange_t", "I4", _points(donor_window))
    if angle:
        periodic = _node(_node(link, "GridConnectivityProperty", "GridConnectivityProperty_t"), "Periodic", "Periodic_t")
        _node(periodic, "RotationCenter", "DataArray_t", "R4", np.zeros(3, np.float32))
        _angles(periodic, "RotationAngle", angle)
        _node(periodic, "Translation", "DataArray_t", "R4", np.zeros(3, np.float32))


def _zone(base, zone):
    sizes = np.array(zone["xyz"].shape[:3], np.int32)
    group = _node(base, zone["name"], "Zone_t", "I4", np.array([sizes, sizes - 1, 0 * sizes], np.int32))
    _node(group, "ZoneType", "ZoneType_t", "C1", _text("Structured"))
    _node(group, "FamilyName", "FamilyName_t", "C1", _text(zone["row"]))
    grid = _node(group, "GridCoordinates", "GridCoordinates_t")
    for axis in range(3):
        _node(grid, "Coordinate" + "XYZ"[axis], "DataArray_t", "R8", np.ascontiguousarray(zone["xyz"][..., axis].T))
    conditions = _node(group, "ZoneBC", "ZoneBC_t")
    for n, (name, kind, window) in enumerate(zone["patches"]):
        condition = _node(conditions, f"{name}_{n}"[-32:], "BC_t", "C1", _text("FamilySpecified"))
        _node(condition, "PointRange", "IndexRange_t", "I4", _points(window))
        _node(condition, "FamilyName", "FamilyName_t", "C1", _text(name))
    links = _node(group, "ZoneGridConnectivity", "ZoneGridConnectivity_t")
    for n, join in enumerate(zone["joins"]):
        _join(links, f"join_{n}", join)


def write(path, zones):
    """Writes the zones; path: of the new file."""
    with h5py.File(path, "w", libver=("earliest", "v108")) as file:
        file.attrs.create("name", np.bytes_("HDF5 MotherNode"), dtype="S33")
        file.attrs.create("label", np.bytes_("Root Node of HDF5 File"), dtype="S33")
        file.attrs.create("type", np.bytes_("MT"), dtype="S3")
        file.create_dataset(" format", data=_text("NATIVE"))
        file.create_dataset(" hdf5version", data=_text(f"HDF5 Version {h5py.version.hdf5_version}".ljust(33, "\0")))
        _node(file, "CGNSLibraryVersion", "CGNSLibraryVersion_t", "R4", np.array([3.4], np.float32))
        base = _node(file, "Base", "CGNSBase_t", "I4", np.array([3, 3], np.int32))
        families = {name: kind for zone in zones for name, kind, _ in zone["patches"]}
        families.update((zone["row"], None) for zone in zones)
        for name, kind in families.items():
            family = _node(base, name, "Family_t")
            if kind:
                _node(family, "FamilyBC", "FamilyBC_t", "C1", _text(kind))
        for zone in zones:
            _zone(base, zone)


def rectangles(free):
    """Windows [(lo, hi), (lo, hi)] of cells from 0, hi not included, that together are the true ones of a mask [n, m]."""
    free, found = free.copy(), []
    while free.any():
        a, b = np.argwhere(free)[0]
        wide = b + int(np.argmin(np.append(free[a, b:], False)))
        high = a + 1
        while high < free.shape[0] and free[high, b:wide].all():
            high += 1
        free[a:high, b:wide] = False
        found.append(((int(a), int(high)), (int(b), int(wide))))
    return found


def faces(shape):
    """(direction, side, window) of the six faces of a zone with so many nodes."""
    for direction in range(3):
        for side in (0, 1):
            window = np.array([[0, 0, 0], np.array(shape) - 1])
            window[:, direction] = side * (shape[direction] - 1)
            yield direction, side, window


def walls(shape, covered):
    """(direction, side, window) of the rectangles of all faces that the windows in `covered` leave."""
    for direction, side, whole in faces(shape):
        across = [d for d in range(3) if d != direction]
        free = np.ones([shape[d] - 1 for d in across], bool)
        for window in covered:
            if window[0][direction] == window[1][direction] == whole[0][direction]:
                free[tuple(slice(window[0][d], window[1][d]) for d in across)] = False
        for ranges in rectangles(free):
            window = whole.copy()
            for d, (lo, hi) in zip(across, ranges):
                window[:, d] = lo, hi
            yield direction, side, window
