#!/usr/bin/env bash
# CoolProp 8.0.0 neither normalises nor checks the mole fractions of a mixture, and the viscosity multiplies the error.
# Dry air is 78.08 % nitrogen, 20.95 % oxygen and 0.93 % argon. A composition of the first two without the argon sums to
# 0.9903. PropsSI takes it as it stands: molar mass and density come out 1 % too low and the speed of sound 0.6 % too
# high, but the viscosity comes out 11 % too high. The same ratio scaled to a sum of one gives the right values. Each single
# fraction is checked (7.9 is refused), so a user expects the sum to be checked too.
#
# Output seen:
#   CoolProp 8.0.0
#   at 300 K and 100 kPa      sum  M [g/mol]  density [kg/m3]  sound speed [m/s]  viscosity [1e-6 Pa s]
#   N2 0.7808 O2 0.2095  0.9903    28.5767          1.14592            349.994                 20.498
#   N2 0.7884 O2 0.2116  1.0000    28.8566          1.15721            347.800                 18.442
#   ratio                               0.9903           0.9902             1.0063                 1.1115
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

print("CoolProp", CoolProp.__version__)
print("at 300 K and 100 kPa      sum  M [g/mol]  density [kg/m3]  sound speed [m/s]  viscosity [1e-6 Pa s]")


def row(n2, o2):
    mixture = f"Nitrogen[{n2:.12f}]&Oxygen[{o2:.12f}]"
    m, d, a, v = (CP.PropsSI(name, "T", 300, "P", 1e5, mixture) for name in "MDAV")
    print(f"N2 {n2:.4f} O2 {o2:.4f}  {n2 + o2:.4f}  {1e3 * m:9.4f}  {d:15.5f}  {a:17.3f}  {1e6 * v:21.3f}")
    return m, d, a, v


part = row(0.7808, 0.2095)
whole = row(0.7808 / 0.9903, 0.2095 / 0.9903)
ratio = [p / w for p, w in zip(part, whole)]
print("ratio                            %9.4f  %15.4f  %17.4f  %21.4f" % tuple(ratio))
sys.exit(not (abs(ratio[0] - 0.9903) < 1e-4 and abs(ratio[1] - 0.9903) < 1e-3 and 1.08 < ratio[3] < 1.14))
PYTHON
