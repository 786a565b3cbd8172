#!/usr/bin/env python3
"""Skin friction of a plate against a measurement: compare.py FOLDER MEASURED.csv

FOLDER: output of a run of this folder; the last wall_*.cgns is read, and gas.mu, p0 and T0 from effective.yaml. Velocity and
density at the edge of the layer follow from the wall's pressure and the total state of the inlet: cf and Re_x have them, as in
the measurements. Transition begins where cf is least and ends where it is largest behind that place.
"""
import glob
import os
import re
import sys

import h5py
import numpy

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools", "python", "annulus"))
from errors import InputError, columns, program, reading  # noqa: E402

R, GAMMA = 287.058, 1.4


def given(text, key):
    found = re.search(rf"\b{key}: *([-+0-9.eE]+)", text)
    if not found:
        raise ValueError(f"it has no number '{key}'")
    return float(found.group(1))


def friction(folder):
    """Re_x and cf along the wall."""
    case = os.path.join(folder, "effective.yaml")
    with reading(case), open(case, encoding="utf-8") as f:
        text = f.read()
        mu, p0, t0 = given(text, "mu"), given(text, "p0"), given(text, "T0")
    walls = sorted(glob.glob(os.path.join(folder, "wall_*.cgns")))
    if not walls:
        raise InputError(f"{folder}: no wall_NNNNNNNN.cgns")
    with reading(walls[-1]), h5py.File(walls[-1], "r") as f:
        zone = next(z for z in f["Base"].values() if isinstance(z, h5py.Group) and "GridCoordinates" in z)
        x = zone["GridCoordinates/CoordinateX/ data"][()].squeeze()
        walls = next(z for z in zone.values() if isinstance(z, h5py.Group) and "SkinFrictionX" in z)
        shear, p = (walls[n + "/ data"][()].squeeze() for n in ("SkinFrictionX", "Pressure"))
    x = x.mean(axis=0 if x.shape[0] == 2 else 1)
    x = 0.5 * (x[1:] + x[:-1])
    ratio = numpy.minimum(p / p0, 1)
    t = t0 * ratio ** ((GAMMA - 1) / GAMMA)
    speed = numpy.sqrt(numpy.maximum(2 * GAMMA * R / (GAMMA - 1) * (t0 - t), 1e-6))
    rho = p / (R * t)
    order = numpy.argsort(x)
    return (rho * speed * x / mu)[order], (shear / (0.5 * rho * speed**2))[order], x[order], speed[order]


def ends(re, cf, least=2e4):
    """Where cf is least for the first time for good, and where it is largest behind that place: indices."""
    first = next((n for n in range(3, len(cf) - 3) if re[n] > least and cf[n] == cf[max(n - 3, 0):n + 4].min()
                  and cf[n:].max() > 1.03 * cf[n]), None)
    if first is None:
        return None, None
    behind = cf[first:]
    stop = next((n for n in range(1, len(behind) - 1) if behind[n] > 1.03 * behind[0] and behind[n] >= behind[n + 1]),
                len(behind) - 1)
    return first, first + stop


def main(folder, measured):
    re, cf, x, speed = friction(folder)
    re_m, cf_m = (numpy.array(column) for column in columns(measured, "Rex", "cf"))
    turn = int(numpy.argmax(re_m)) + 1  # behind it Re_x falls again, where the stream is slower
    re_m, cf_m = re_m[:turn], cf_m[:turn]
    low = int(numpy.argmin(cf_m[: int(numpy.argmax(cf_m[3:])) + 4]))
    high = low + int(numpy.argmax(cf_m[low:]))
    first, last = ends(re, cf)
    print(f"{folder}: stream of {speed[len(speed) // 8]:.4g} m/s at x = {x[len(x) // 8]:.3g} m")
    print(f"measured: cf is least, {cf_m[low]:.5f}, at Re_x {re_m[low]:.3e}, and largest, {cf_m[high]:.5f}, at {re_m[high]:.3e}")
    if first is None:
        print("computed: no transition")
        return
    print(f"computed: cf is least, {cf[first]:.5f}, at Re_x {re[first]:.3e} ({100 * (re[first] / re_m[low] - 1):+.0f} %), "
          f"and largest, {cf[last]:.5f}, at {re[last]:.3e}")
    half = first + int(numpy.argmax(cf[first:last + 1] >= 0.5 * (cf[first] + cf[last])))
    print(f"computed: half of the rise at Re_x {re[half]:.3e}")
    top = int(numpy.argmax(re)) + 1
    known = re_m < 0.97 * re.max()  # in a stream that slows down Re_x hardly changes at the end
    off = numpy.interp(re_m, re[:top], cf[:top]) / cf_m - 1
    for name, part in (("ahead of the least", known & (re_m < min(re_m[low], re[first])) & (re_m > 2e4)),
                       ("behind the largest", known & (re_m > max(re_m[high], re[last])))):
        if part.any():
            print(f"cf {name}: {100 * off[part].min():+.1f} to {100 * off[part].max():+.1f} % of the measured one")


if len(sys.argv) != 3:
    sys.exit(print(__doc__, file=sys.stderr) or 2)
with program("compare.py"):
    main(*sys.argv[1:3])
