"""Units, and arrays of CGNS files in SI units, by the rules of the mesh reader (io/cgns_units.h): class and units are those of the
array, or else of the nearest node above it."""
import numpy as np

from .errors import InputError

LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "in": 0.0254, "ft": 0.3048}  # kernels/base/units.c
METRES = {"Meter": "m", "Centimeter": "cm", "Millimeter": "mm", "Foot": "ft", "Inch": "in"}
METRES = {word: LENGTHS[name] for word, name in METRES.items()}
RPM = np.pi / 30  # rad/s
RADIANS = {"Radian": 1.0, "Degree": np.pi / 180}


def text(dataset):
    return bytes(np.asarray(dataset[...], dtype=np.int8)).decode("ascii", "replace").strip("\0 ")


def nearest(node, name):
    """The node of that name below this one or below the nearest node above it; None: there is none."""
    while name not in node:
        if node.name == "/":
            return None
        node = node.parent
    return node[name]


def unit(node, is_angle):
    """The unit of an array in m or rad, 1 where the file names none."""
    units = nearest(node, "DimensionalUnits")
    if units is None:
        return 1.0
    words = np.asarray(units[" data"][...], dtype=np.int8).tobytes()
    place, width = 4 if is_angle else 1, len(words) // 5  # of five names; 32 by the standard, as long as the longest by Cassiopee
    word = words[width * place : width * place + width].split(b"\0")[0].decode("ascii", "replace").strip()
    known = RADIANS if is_angle else METRES
    if word not in ("", "Null") and word not in known:
        raise InputError(f"{node.file.filename}: {node.name} has the unit '{word}', which is none of {', '.join(known)}")
    return known.get(word, 1.0)


def values(node, is_angle=False):
    """The numbers of an array in m; of an angle or a speed of rotation in rad or rad/s."""
    stored = node[" data"][...].astype(float)
    kind = nearest(node, "DataClass")
    kind = "" if kind is None else text(kind[" data"])
    if kind in ("", "Null", "Dimensional"):
        return stored * unit(node, is_angle)
    if kind == "NormalizedByDimensional" and "DataConversion" in node:
        scale, offset = node["DataConversion"][" data"][...].astype(float)
        return (stored * scale + offset) * unit(node, is_angle)
    if is_angle and kind in ("NondimensionalParameter", "DimensionlessConstant"):
        return stored
    raise InputError(f"{node.file.filename}: {node.name} is of the class '{kind}', which has no size in SI units")
