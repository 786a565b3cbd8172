# packages: turbo-design==1.4.4 h5py==3.16.0 PyYAML python>=3.9,<3.13
"""A turbine stage of turbo-design: a profile of its inlet, and meshes of both rows from the angles that it exports.

The result: turbodesign.csv, a profile of the inlet; stator.csv and rotor.csv for mesh_row --from-angles.
"""
import numpy as np
from cantera import Solution
from turbodesign import Inlet, Outlet, Passage, PassageType, TurbineSpool
from turbodesign.loss import FixedPressureLoss
from turbodesign.row_factory import make_rotor_row, make_stator_row

import annulus

x, mean, height = np.array([0.0, 0.05, 0.1, 0.15]), 0.4, np.array([0.04, 0.04, 0.045, 0.05])
passage = Passage(x, mean - height / 2, x, mean + height / 2, passageType=PassageType.Axial)
gas = Solution("air.yaml")
gas.TP = 700.0, 5e5
inlet, outlet = Inlet(hub_location=0, alpha=[0]), Outlet(num_streamlines=5)
inlet.init_total(P0=[5e5], T0=[700.0], M=[0.2], percent_radii=[0.5])
outlet.init_static(P=3.2e5, percent_radii=[0.5])
stator, rotor = make_stator_row(hub_location=2 / 3), make_rotor_row(hub_location=0.95)
for row, angle, loss in ((stator, 65.0, 0.05), (rotor, -60.0, 0.08)):
    row.beta2_metal, row.loss_model = [angle] * 3, FixedPressureLoss(loss)
spool = TurbineSpool(passage=passage, massflow=20.0, inlet=inlet, outlet=outlet, rows=[stator, rotor], rpm=7500, num_streamlines=5)
spool.fluid, spool.adjust_streamlines = gas, False  # with True solve() fails: findings/turbo-design-streamlines.sh
stator.num_blades, rotor.num_blades = 40, 50
spool.solve()
spool.export_properties("turbodesign.json")
annulus.spool_profile("turbodesign.json", "turbodesign.csv")
for number, name in ((1, "stator"), (2, "rotor")):
    print(name, annulus.spool_angles("turbodesign.json", name + ".csv", number, chord=0.04), "blades")
