#!/usr/bin/env bash
# gmsh 4.15.2 cannot write an extrusion with layers as structured CGNS zones.
# A transfinite, recombined rectangle that is extruded with layers and Recombine is a block of hexahedra, but its export ends with an
# error of the CGNS library (VertexSize[0]=5 and CellSize[0]=8). The same block without layers, with transfinite curves, surfaces and
# volume, is written.
#
# Output seen:
#   gmsh 4.15.2
#   layers, 5 x 9 x 3 nodes: not written
#   transfinite, 5 x 9 x 3 nodes: written
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv and the X11 and OpenGL libraries of gmsh's wheel (among them libglu1-mesa).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" && "$work/venv/bin/pip" install -q --disable-pip-version-check gmsh==4.15.2; } || exit 2
cd "$work"

venv/bin/python - <<'PYTHON' || exit 1
import sys

import gmsh

print("gmsh", gmsh.__version__)
gmsh.initialize()
gmsh.option.setNumber("General.Verbosity", 0)


def written(layers):
    gmsh.clear()
    geo, mesh = gmsh.model.geo, gmsh.model.mesh
    p = [geo.addPoint(x, y, 0) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    lines = [geo.addLine(p[n], p[(n + 1) % 4]) for n in range(4)]
    plane = geo.addPlaneSurface([geo.addCurveLoop(lines)])
    for n, line in enumerate(lines):
        geo.mesh.setTransfiniteCurve(line, 9 if n % 2 else 5)
    geo.mesh.setTransfiniteSurface(plane)
    geo.mesh.setRecombine(2, plane)
    geo.extrude([(2, plane)], 0, 0, 1, numElements=[2] if layers else [], recombine=True)
    geo.synchronize()
    if not layers:
        for _, line in gmsh.model.getEntities(1):
            x0, y0, z0, x1, y1, z1 = gmsh.model.getBoundingBox(1, line)
            mesh.setTransfiniteCurve(line, 3 if z1 - z0 > 0.5 else 9 if y1 - y0 > 0.5 else 5)
        mesh.setTransfiniteAutomatic(recombine=True)
        for _, line in gmsh.model.getEntities(1):
            x0, y0, z0, x1, y1, z1 = gmsh.model.getBoundingBox(1, line)
            mesh.setTransfiniteCurve(line, 3 if z1 - z0 > 0.5 else 9 if y1 - y0 > 0.5 else 5)
    gmsh.model.addPhysicalGroup(3, [tag for _, tag in gmsh.model.getEntities(3)], name="fluid")
    mesh.generate(3)
    gmsh.option.setNumber("Mesh.CgnsExportStructured", 1)
    try:
        gmsh.write("mesh.cgns")
    except Exception:
        return False
    return True


found = [written(layers) for layers in (True, False)]
for name, good in zip(("layers", "transfinite"), found):
    print(f"{name}, 5 x 9 x 3 nodes: {'written' if good else 'not written'}")
sys.exit(found != [False, True])
PYTHON
