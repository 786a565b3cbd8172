#!/usr/bin/env bash
# pyturbo-aero 1.3.8 scales its blades again with each export: Passage2D.export_json(scale=...) multiplies the points of
# the blades in place. A second export, by export_json or export_dat, has blades that are scaled twice, within a channel
# that is scaled once.
#
# Output seen:
#   pyturbo-aero 1.3.8
#   export 1 with scale 1000: axial chord 40.8 mm, hub radius 300 mm
#   export 2 with scale 1000: axial chord 40799.7 mm, hub radius 300 mm
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv (Python 3.10 or later).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check pyturbo-aero==1.3.8; } || exit 2
cd "$work"

MPLBACKEND=agg venv/bin/python - 2>python.log <<'PYTHON' || { cat python.log >&2; exit 1; }
import json
import sys
from importlib.metadata import version

import numpy as np
from pyturbo.aero import Airfoil2D, Airfoil3D, Passage2D
from pyturbo.helper import StackType


def section(angle, chord, stagger):
    s = Airfoil2D(alpha1=0, alpha2=angle, axial_chord=chord, stagger=stagger)
    s.add_le_thickness(0.04)
    s.add_ps_thickness(thicknessArray=[0.05, 0.02, -0.01], expansion_ratio=1.2)
    s.add_ss_thickness(thicknessArray=[0.22, 0.2, 0.16, 0.14], camberPercent=0.8, expansion_ratio=1.2)
    s.match_thickness(location="LE")
    s.te_create(radius=0.0008, wedge_ss=2.5, wedge_ps=2.4)
    return s


print("pyturbo-aero", version("pyturbo-aero"))
vane = Airfoil3D(profileArray=[section(68, 0.04, 50), section(66, 0.038, 46)], profile_loc=[0.0, 1.0], height=0.05)
vane.stack(StackType.Leading_Edge)
vane.build(nProfiles=5, num_points=80, trailing_edge_points=20)
vane.center_le()
vane.flip_x()
vane.rotate(cx=0, cy=0, angle=90)
x = np.linspace(-0.05, 0.12, 60)
passage = Passage2D([vane], [0.02])
passage.add_endwalls(x, np.full(60, 0.3), x, np.full(60, 0.35))
passage.blade_fit(0)
chords = []
for n in (1, 2):
    passage.export_json("blade.json", scale=1000)
    with open("blade.json") as f:
        data = json.load(f)
    side = data["blades"][0]["sections"][0]["suction"]["x"]
    chords.append(max(side) - min(side))
    print(f"export {n} with scale 1000: axial chord {chords[-1]:.1f} mm, hub radius {data['channel']['hub']['r'][0]:g} mm")
sys.exit(not (20 < chords[0] < 60 and abs(chords[1] / chords[0] - 1000) < 1))
PYTHON
