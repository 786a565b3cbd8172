# packages: pyturbo-aero==1.3.8 python>=3.10
"""aero_geometry.json: a turbine vane of pyturbo-aero, turned so that it lies along x; pyturbo.yaml, a row file of mesh_row."""
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
    s.add_ss_flow_guidance_2(s_c=0.75, n=10)
    return s


vane = Airfoil3D(profileArray=[section(68, 0.04, 50), section(67, 0.039, 48), section(66, 0.038, 46)], profile_loc=[0.0, 0.5, 1.0], height=0.05)
vane.stack(StackType.Leading_Edge)
vane.build(nProfiles=9, num_points=120, trailing_edge_points=20)
vane.center_le()
vane.flip_x()
vane.rotate(cx=0, cy=0, angle=90)
x = np.linspace(-0.05, 0.12, 60)
passage = Passage2D([vane], [0.02])
passage.add_endwalls(x, np.full(60, 0.3), x, np.full(60, 0.35))
passage.blade_fit(0)
passage.export_json("aero_geometry.json")
with open("pyturbo.yaml", "w") as f:
    f.write("geometry: aero_geometry.json\nlength: m\nblades: 40\ncells: 1.5e4\nfirst_cell: 5e-5\n")
