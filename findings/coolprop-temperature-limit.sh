#!/usr/bin/env bash
# CoolProp 8.0.0 takes temperatures far above the limit of a fluid together with a pressure, but does not find such a
# state again from density and internal energy, or from enthalpy and pressure.
# Tmax of the siloxane MDM is 575 K. CoolProp checks limits by default (DONT_CHECK_PROPERTY_LIMITS is False), yet
# PropsSI of (T, p) answers at 2000 K, and even at 100 000 K, without a word. A table or an initial state made from
# (T, p) therefore reaches beyond the range of the equation of state unnoticed. The first conversion back from conservative
# variables (density and internal energy) then fails in a root finder, with an error that does not name the limit.
#
# Output seen:
#   CoolProp 8.0.0
#   limits checked: True, Tmax of MDM: 575.0 K
#   (T, p) at 575 K: density 5.05919 kg/m3
#     back from density and internal energy: T = 575 K
#     back from enthalpy and pressure: T = 575 K
#   (T, p) at 2000 K: density 1.41924 kg/m3
#     back from density and internal energy: ValueError: Inputs in Brent [370.503980,862.500000] do not bracket the r
#     back from enthalpy and pressure: ValueError: unable to solve 1phase PY flash with Tmin=425.128, Tmax=862.
#   (T, p) at 100000 K: density 0.0284468 kg/m3
#     back from density and internal energy: ValueError: Inputs in Brent [290.128498,862.500000] do not bracket the r
#     back from enthalpy and pressure: ValueError: unable to solve 1phase PY flash with Tmin=425.128, Tmax=862.
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" && "$work/venv/bin/pip" install -q --disable-pip-version-check CoolProp==8.0.0; } || exit 2

"$work/venv/bin/python" - <<'PYTHON' || exit 1
import sys

import CoolProp
from CoolProp import CoolProp as CP

FLUID, P = "MDM", 1e5
print("CoolProp", CoolProp.__version__)
checked = not CP.get_config_bool(CP.DONT_CHECK_PROPERTY_LIMITS)
t_max = CP.PropsSI("Tmax", FLUID)
print(f"limits checked: {checked}, Tmax of {FLUID}: {t_max} K")
as_described = checked and t_max == 575.0

for t in t_max, 2000.0, 100000.0:
    d, u, h = (CP.PropsSI(name, "T", t, "P", P, FLUID) for name in "DUH")
    print(f"(T, p) at {t:g} K: density {d:.6g} kg/m3")
    for names, pair in (("density and internal energy", ("D", d, "U", u)), ("enthalpy and pressure", ("H", h, "P", P))):
        try:
            back = CP.PropsSI("T", *pair, FLUID)
            answer = f"T = {back:.6g} K"
            found = abs(back - t) < 1e-6 * t
        except ValueError as error:
            answer = f"ValueError: {str(error)[:60]}"
            found = False
        print(f"  back from {names}: {answer}")
        as_described &= found == (t <= t_max)
sys.exit(not as_described)
PYTHON
