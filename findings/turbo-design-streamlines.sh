#!/usr/bin/env bash
# turbo-design 1.4.4 cannot solve a turbine with its defaults: TurbineSpool.solve() raises a TypeError once its balance of pressure is done.
# A spool adjusts its streamlines by default (adjust_streamlines is True). The turbine then calls adjust_streamlines() without the argument
# massflow_fraction, which the function needs. With spool.adjust_streamlines = False the same stage is solved. The axial chord
# that was set for a row is replaced while the spool solves, so that the exported file has others.
#
# Output seen:
#   turbo-design 1.4.4
#   adjust_streamlines True: TypeError: adjust_streamlines() missing 1 required positional argument: 'massflow_fraction'
#   adjust_streamlines False: solved, axial chord of the stator 1e-12, of the rotor 0.0150315, 0.04 was set
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check turbo-design==1.4.4 cantera==3.2.0; } || exit 2
cd "$work"

MPLBACKEND=agg venv/bin/python - 2>python.log <<'PYTHON' || { cat python.log >&2; exit 1; }
import contextlib
import io
import json
import sys
from importlib.metadata import version

import numpy as np
from cantera import Solution
from turbodesign import Inlet, Outlet, Passage, PassageType, TurbineSpool
from turbodesign.loss import FixedPressureLoss
from turbodesign.row_factory import make_rotor_row, make_stator_row

CHORD = 0.04


def stage(adjust):
    x, mean, height = np.array([0.0, 0.05, 0.1, 0.15]), 0.4, np.array([0.04, 0.04, 0.045, 0.05])
    passage = Passage(x, mean - height / 2, x, mean + height / 2, passageType=PassageType.Axial)
    gas = Solution("air.yaml")
    gas.TP = 700.0, 5e5
    inlet, outlet = Inlet(hub_location=0, alpha=[0]), Outlet(num_streamlines=5)
    inlet.init_total(P0=[5e5], T0=[700.0], M=[0.2], percent_radii=[0.5])
    outlet.init_static(P=3.2e5, percent_radii=[0.5])
    rows = [make_stator_row(hub_location=2 / 3), make_rotor_row(hub_location=0.95)]
    for row, angle, loss in zip(rows, (65.0, -60.0), (0.05, 0.08)):
        row.beta2_metal, row.loss_model = [angle] * 3, FixedPressureLoss(loss)
    spool = TurbineSpool(passage=passage, massflow=20.0, inlet=inlet, outlet=outlet, rows=rows, rpm=7500, num_streamlines=5)
    spool.fluid, spool.adjust_streamlines = gas, adjust
    for row in rows:
        row.axial_chord = CHORD
    with contextlib.redirect_stdout(io.StringIO()):
        spool.solve()
        spool.export_properties("spool.json")
    with open("spool.json") as text:
        return [row["axial_chord"] for row in json.load(text)["blade_rows"][1:3]]


print("turbo-design", version("turbo-design"))
try:
    stage(True)
    raised = "solved"
except TypeError as error:
    raised = f"TypeError: {error}"
print("adjust_streamlines True:", raised)
chords = stage(False)
print(f"adjust_streamlines False: solved, axial chord of the stator {chords[0]:g}, of the rotor {chords[1]:g}, {CHORD} was set")
sys.exit("massflow_fraction" not in raised or np.allclose(chords, CHORD))
PYTHON
