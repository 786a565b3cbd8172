# packages: gmsh==4.15.2
"""gmsh_cascade.cgns from a .geo file, as the command on the page makes it. Argument: the .geo file."""
import sys

import gmsh

gmsh.initialize()
gmsh.option.setNumber("General.Verbosity", 2)
gmsh.open(sys.argv[1])
gmsh.model.mesh.generate(3)
gmsh.option.setNumber("Mesh.CgnsExportStructured", 1)
gmsh.write("gmsh_cascade.cgns")
gmsh.finalize()
