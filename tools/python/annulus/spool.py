"""What turbo-design writes with export_properties (CompressorSpool, TurbineSpool): profiles of an inlet, and tables of angles from which
mesh_row makes a row. The file lists its stations in the order of the flow, each at the exit of its row, the inlet first; angles are in
degrees, positive in the direction of theta, lengths in m, pressures in Pa."""
import json
import os

import numpy as np

from .errors import InputError


def stations(path):
    """The list blade_rows of the file."""
    path = os.fspath(path)
    try:
        with open(path, encoding="utf-8") as text:
            found = json.load(text)["blade_rows"]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: not a file that export_properties of turbo-design has written: it has no list blade_rows") from None
    if not isinstance(found, list) or not all(isinstance(station, dict) for station in found):
        raise InputError(f"{path}: blade_rows is no list of stations")
    return found


def column(path, station, number, name):
    """Values of a station from hub to casing."""
    try:
        values = np.atleast_1d(np.asarray(station[name], float))
    except KeyError:
        raise InputError(f"{path}: station {number} has no {name}") from None
    except (TypeError, ValueError):
        raise InputError(f"{path}: {name} of station {number} is no list of numbers") from None
    if not np.all(np.isfinite(values)):
        raise InputError(f"{path}: {name} of station {number} is not finite")
    return values


def of(path, number):
    """The station of that number, and those between it and the inlet."""
    found = stations(path)
    if not 0 <= number < len(found):
        raise InputError(f"{path}: there is no station {number}; the file has 0 to {len(found) - 1}")
    return found, found[number]


def write(path, names, columns):
    size = max(len(c) for c in columns)
    if any(len(c) not in (1, size) for c in columns):
        raise InputError(f"{path}: the columns {', '.join(names)} have different lengths")
    columns = [np.broadcast_to(c, size) for c in columns]
    order = np.argsort(columns[names.index("radius_m") if "radius_m" in names else names.index("r")], kind="stable")
    with open(path, "w") as out:
        out.write(", ".join(names) + "\n")
        for n in order:
            out.write(", ".join(f"{c[n]:.9g}" for c in columns) + "\n")


def spool_profile(path, out, number=0):
    """Writes the profile of an inlet (CSV) from a station: total pressure, total temperature and flow angles over the radius."""
    _, station = of(path, number)
    radius, p0, t0, vm, vx, vr, vt = (column(path, station, number, n) for n in ("radius", "P0", "T0", "Vm", "Vx", "Vr", "Vt"))
    write(out, ["radius_m", "p0_Pa", "T0_K", "swirl_deg", "pitch_deg"],
          [radius, p0, t0, np.degrees(np.arctan2(vt, vm)), np.degrees(np.arctan2(vr, vx))])


def spool_angles(path, out, number, thickness=0.06, chord=None):
    """Writes the table of angles (CSV, for mesh_row --from-angles) of the row that ends at a station; thickness: of the chord; chord: axial,
    m, in place of that of the file, which turbo-design replaces by a value of its own. Returns the number of blades. The row begins at the
    radius where the station before it lies. Where beta1_metal is zero, as in rows that were given no angle, the blades begin with the angle
    of the flow: alpha1 of a stator, beta1 of a rotor."""
    found, station = of(path, number)
    kind = str(station.get("RowType"))
    if number == 0 or kind not in ("Rotor", "Stator", "IGV"):
        raise InputError(f"{path}: station {number} is {station.get('RowType', 'no row')}, and no blade row ends there")
    x, r, one, two = (column(path, station, number, n) for n in ("x", "radius", "beta1_metal", "beta2_metal"))
    if not np.any(one):
        one = column(path, station, number, "beta1" if kind == "Rotor" else "alpha1")
    before, place = (column(path, found[number - 1], number - 1, n) for n in ("radius", "x"))
    given = column(path, station, number, "axial_chord") if chord is None else np.array([float(chord)])
    room = float(x.mean() - place.mean())
    if not np.all(given > 0) or (chord is None and not 0.1 * room < given.min() <= given.max() < 1.001 * room):
        raise InputError(f"{path}: axial_chord of station {number} is {given.min():g} m, and the row has {room:g} m; give chord=")
    write(out, ["x", "r", "r_te", "axial_chord", "beta_1", "beta_2", "thickness"],
          [x - given, before if len(before) == len(r) else r, r, given, one, two, np.array([thickness])])
    return int(round(float(station.get("num_blades", 0))))
