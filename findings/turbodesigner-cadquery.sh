#!/usr/bin/env bash
# turbodesigner 2.0.0 cannot read a design or start its command without CadQuery, which is only in its extra "cq".
# Turbomachinery.from_file, the first line of the example in its README, imports the package of the command, and this
# imports the CAD models. The same design as keywords of Turbomachinery needs no CadQuery.
#
# Output seen:
#   turbodesigner 2.0.0
#   Turbomachinery(**design): 5 stages
#   Turbomachinery.from_file: ModuleNotFoundError: No module named 'cadquery'
#   turbodesigner --help: ModuleNotFoundError: No module named 'cadquery'
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv (Python 3.11 or later).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check turbodesigner==2.0.0; } || exit 2
cd "$work"

venv/bin/python - 2>python.log <<'PYTHON' || { cat python.log >&2; exit 1; }
import json
import sys
from importlib.metadata import version

from turbodesigner.turbomachinery import Turbomachinery

print("turbodesigner", version("turbodesigner"))
design = dict(
    gamma=1.4, axial_velocity=136, rpm=24000, gas_constant=287, mass_flow_rate=4.37, pressure_ratio=3.0, inlet_total_pressure=101000,
    inlet_total_temperature=288, isentropic_efficiency=0.878, num_stages=5, stage_temperature_rise="equal", stage_reaction=[0.5] * 5,
    inlet_blockage=0.0, outlet_blockage=0.0, hub_to_tip_ratio=0.5, num_streams=9, aspect_ratio={"rotor": 3.0, "stator": 3.25},
    spacing_to_chord={"rotor": 1.0, "stator": 1.0}, max_thickness_to_chord={"rotor": 0.1, "stator": 0.1}, row_gap_to_chord=0.25,
    stage_gap_to_chord=0.5)
print(f"Turbomachinery(**design): {len(Turbomachinery(**design).stages)} stages")
with open("design.json", "w") as f:
    json.dump({"machine_type": "axial", "configuration": "compressor", "meanline": design}, f)
try:
    Turbomachinery.from_file("design.json")
    raised = "read"
except ModuleNotFoundError as error:
    raised = f"ModuleNotFoundError: {error}"
print("Turbomachinery.from_file:", raised)
sys.exit("cadquery" not in raised)
PYTHON
said=$(venv/bin/turbodesigner --help 2>&1 || true)
echo "turbodesigner --help: $(tail -n 1 <<<"$said")"
[[ $said == *"No module named 'cadquery'"* ]]
