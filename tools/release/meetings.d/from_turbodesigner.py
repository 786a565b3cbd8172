# packages: turbodesigner==2.0.0 python>=3.11
"""turbodesigner.yaml, a row file of mesh_row, with the sections of the first rotor or stator (argument) of a compressor of turbodesigner
as x, r theta and r in mm; turbodesigner has no walls beyond its blades, so they go on with constant radius."""
import sys

import numpy as np
from turbodesigner.turbomachinery import Turbomachinery

machine = Turbomachinery(
    gamma=1.4, axial_velocity=136, rpm=24000, gas_constant=287, mass_flow_rate=4.37, pressure_ratio=3.0, inlet_total_pressure=101000,
    inlet_total_temperature=288, isentropic_efficiency=0.878, num_stages=5, stage_temperature_rise="equal", stage_reaction=[0.5] * 5,
    inlet_blockage=0.0, outlet_blockage=0.0, hub_to_tip_ratio=0.5, num_streams=9, aspect_ratio={"rotor": 3.0, "stator": 3.25},
    spacing_to_chord={"rotor": 1.0, "stator": 1.0}, max_thickness_to_chord={"rotor": 0.1, "stator": 0.1}, row_gap_to_chord=0.25,
    stage_gap_to_chord=0.5)
row = getattr(machine.stages[0], sys.argv[1]).to_cad_export()
with open("turbodesigner.dat", "w") as f:
    for radius, section in zip(row.radii, row.airfoils):
        f.write("section\n")
        np.savetxt(f, np.column_stack([section, np.full(len(section), radius)]))
x = row.airfoils[:, :, 0]
for wall, radius in (("hub", row.hub_radius), ("casing", row.tip_radius)):
    axial = np.linspace(x.min() - np.ptp(x), x.max() + 1.5 * np.ptp(x), 20)
    np.savetxt(f"turbodesigner_{wall}.dat", np.column_stack([axial, np.full(20, radius)]))
with open("turbodesigner.yaml", "w") as f:
    f.write(f"""blades: {row.number_of_blades}
length: mm
sections: turbodesigner.dat
columns: [x, rtheta, r]
hub: turbodesigner_hub.dat
casing: turbodesigner_casing.dat
cells: 1.5e4
first_cell: 3e-5
""")
