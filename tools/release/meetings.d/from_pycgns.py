# packages: pyCGNS==6.3.5 numpy==2.4.6
"""pycgns.cgns: a sector of a duct with periodic sides, in the form that the first argument names (FORMS below)."""
import sys

import CGNS.MAP
import CGNS.PAT.cgnslib as cgl
import numpy as np

FORMS = ("plain", "row-major", "cube", "turned", "handed", "millimetres", "points", "padded", "families", "bases", "blocks", "pointwise", "icem")
form = sys.argv[1]
assert form in FORMS
SIZE = np.array([7, 7, 7] if form == "cube" else [9, 5, 7])
# of the directions along the axis, from hub to casing and around: their places among i, j, k, and which run backward
ORDER, BACK = {"turned": ((2, 0, 1), ()), "handed": ((0, 1, 2), (1,))}.get(form, ((0, 1, 2), ()))


def sorted_places(values):
    """From (along, up, around) to i, j, k."""
    return [values[ORDER.index(d)] for d in range(3)]


def corners(low, high):
    """PointRange of a window of nodes from 0, given along, up, around."""
    ends = [[SIZE[d] - 1 - w[d] if d in BACK else w[d] for d in range(3)] for w in (low, high)]
    low, high = np.minimum(*ends), np.maximum(*ends)
    return np.array([sorted_places(low + 1), sorted_places(high + 1)], dtype=np.int32).T.copy(order="F")


def face(direction, last):
    low, high = np.zeros(3, int), SIZE - 1
    low = np.where(np.arange(3) == direction, last * high, low)
    return low, np.where(np.arange(3) == direction, low, high)


def text(words):
    return np.array([c.encode() for c in words], "|S1")


def add(parent, name, value, label):
    """A node that the package has no function for: lists of name, value, children and label."""
    node = [name, value, [], label]
    parent[2].append(node)
    return node


def coordinates(begin, end):
    at = np.meshgrid(*(np.linspace(0, 1, n)[::-1 if d in BACK else 1] for d, n in enumerate(SIZE)), indexing="ij")
    r, t = 0.2 + 0.1 * at[1], np.radians(20 * at[2])
    scale = 1000 if form == "millimetres" else 1
    axes = [ORDER.index(d) for d in range(3)]
    return [scale * v.transpose(axes) for v in (begin + (end - begin) * at[0], r * np.cos(t), r * np.sin(t))]


def zone_of(base, name, begin, end, ends):
    zone = cgl.newZone(base, name, np.array([[n, n - 1, 0] for n in sorted_places(SIZE)], order="F", dtype=np.int32), "Structured")
    grid = cgl.newGridCoordinates(zone, "GridCoordinates")
    for axis, values in zip("XYZ", coordinates(begin, end)):
        cgl.newDataArray(grid, "Coordinate" + axis, np.array(values, order="C" if form in ("row-major", "cube") else "F"))
    if form == "millimetres":
        units = "".join(f"{u:32}" for u in ("Kilogram", "Millimeter", "Second", "Kelvin", "Degree"))
        add(grid, "DataClass", text("Dimensional"), "DataClass_t")
        add(grid, "DimensionalUnits", text(units).reshape((32, 5), order="F"), "DimensionalUnits_t")
    conditions = cgl.newZoneBC(zone)
    for label, kind, direction, last in (("inlet", "BCInflowSubsonic", 0, 0), ("outlet", "BCOutflowSubsonic", 0, 1),
                                         ("hub", "BCWallInviscid", 1, 0), ("casing", "BCWallInviscid", 1, 1)):
        if label in ends:
            continue
        condition = cgl.newBC(conditions, label, corners(*face(direction, last)), kind)
        if form == "points":
            low, high = face(direction, last)
            sides = [range(a, b + 1) for a, b in zip(low, high)]
            places = [sorted_places([i + 1, j + 1, k + 1]) for k in sides[2] for j in sides[1] for i in sides[0]]
            condition[2] = [n for n in condition[2] if n[0] != "PointRange"]
            add(condition, "PointList", np.array(places, dtype=np.int32).T.copy(order="F"), "IndexArray_t")
        if form in ("padded", "families", "pointwise", "icem"):
            name_of = {"padded": f"{label:32}", "families": f"Walls/{label}" if label in ("hub", "casing") else label,
                       "icem": label.upper(), "pointwise": label}[form]
            condition[2] = [n for n in condition[2] if n[3] != "FamilyName_t"]
            condition[1] = text("FamilySpecified")
            add(condition, "FamilyName", text(name_of), "FamilyName_t")
    if form in ("pointwise", "icem"):  # families also of the volume, of the sides, and, in ICEM, of the joints
        add(zone, "FamilyName", text("Unspecified" if form == "pointwise" else "FLUID"), "FamilyName_t")
        faces = [("left", 2, 0), ("right", 2, 1)] if form == "pointwise" else [("ORFN", 0, 0 if "inlet" in ends else 1)]
        for label, direction, last in faces:
            condition = cgl.newBC(conditions, label, corners(*face(direction, last)), "UserDefined")
            condition[1] = text("FamilySpecified" if form == "pointwise" else "UserDefined")
            condition[2] = [n for n in condition[2] if n[3] != "FamilyName_t"]
            add(condition, "FamilyName", text(label), "FamilyName_t")
    joints = cgl.newZoneGridConnectivity(zone)
    if form == "pointwise":
        return joints  # it has no periodic interfaces
    near, far = corners(*face(2, 0)), corners(*face(2, 1))
    for label, here, there, angle in (("first", near, far, 20), ("last", far, near, -20)):
        joint = cgl.newGridConnectivity1to1(joints, label, name, here, there, np.array([1, 2, 3], dtype=np.int32))
        turn = np.array([np.radians(angle), 0, 0], dtype="f4")
        cgl.newPeriodic(cgl.newGridConnectivityProperty(joint), np.zeros(3, "f4"), turn, np.zeros(3, "f4"))
    return joints


def families(base):
    names = {"inlet": "BCInflowSubsonic", "outlet": "BCOutflowSubsonic", "hub": "BCWallInviscid", "casing": "BCWallInviscid"}
    walls = cgl.newFamily(base, "Walls") if form == "families" else None
    if form == "pointwise":
        names.update({"left": "UserDefined", "right": "UserDefined", "Unspecified": "UserDefined"})
    if form == "icem":
        names = {**{name.upper(): kind for name, kind in names.items()}, "FLUID": "UserDefined", "ORFN": "UserDefined"}
    for name, kind in names.items():
        inside = walls if walls and name in ("hub", "casing") else base
        add(add(inside, name, None, "Family_t"), "FamilyBC", text(kind), "FamilyBC_t")


tree = cgl.newCGNSTree()
base = cgl.newCGNSBase(tree, "Base", 3, 3)
if form in ("padded", "families", "pointwise", "icem"):
    families(base)
if form in ("blocks", "pointwise", "icem"):
    front, rear = {"pointwise": ("blk-1", "blk-2"), "icem": ("domain.00001", "domain.00002")}.get(form, ("front", "rear"))
    first, second = zone_of(base, front, 0, 0.2, ["outlet"]), zone_of(base, rear, 0.2, 0.4, ["inlet"])
    for joints, here, there, other in ((first, 1, 0, rear), (second, 0, 1, front)):
        cgl.newGridConnectivity1to1(joints, "joint", other, corners(*face(0, here)), corners(*face(0, there)), np.array([1, 2, 3], dtype=np.int32))
else:
    zone_of(base, "duct", 0, 0.4, [])
if form == "bases":
    zone_of(cgl.newCGNSBase(tree, "Other", 3, 3), "duct", 0, 0.8, [])
CGNS.MAP.save("pycgns.cgns", tree)
