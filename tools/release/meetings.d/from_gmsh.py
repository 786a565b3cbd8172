# packages: gmsh==4.15.2
"""gmsh.cgns: two transfinite boxes, one behind the other along z, as structured zones with physical groups."""
import gmsh

gmsh.initialize()
gmsh.option.setNumber("General.Verbosity", 2)
occ = gmsh.model.occ
first, second = occ.addBox(0, 0, 0, 1, 1, 1), occ.addBox(0, 0, 1, 1, 1, 1)
occ.fragment([(3, first)], [(3, second)])
occ.synchronize()
gmsh.model.mesh.setTransfiniteAutomatic(recombine=True)
for _, curve in gmsh.model.getEntities(1):
    gmsh.model.mesh.setTransfiniteCurve(curve, 9)
gmsh.model.addPhysicalGroup(3, [first, second], name="fluid")
middles = {tag: occ.getCenterOfMass(2, tag) for _, tag in gmsh.model.getEntities(2)}
for name, chosen in (("inlet", lambda x, y, z: z < 1e-6), ("outlet", lambda x, y, z: z > 2 - 1e-6),
                     ("walls", lambda x, y, z: min(x, y) < 1e-6 or max(x, y) > 1 - 1e-6)):
    gmsh.model.addPhysicalGroup(2, [tag for tag, middle in middles.items() if chosen(*middle)], name=name)
gmsh.model.mesh.generate(3)
gmsh.option.setNumber("Mesh.CgnsExportStructured", 1)
gmsh.write("gmsh.cgns")
gmsh.finalize()
