#!/usr/bin/env bash
# gmsh 4.15.2 writes left-handed zones into structured CGNS files.
# The indices i, j, k of a zone follow the order of the volume's corners. For a unit cube of the OpenCASCADE kernel with
# transfinite, recombined meshing they are left-handed: the volume (dx/di x dx/dj) . dx/dk of every cell is negative. CGNS
# does not forbid that, but many solvers need right-handed blocks, and gmsh has no option for it.
#
# Output seen:
#   gmsh 4.15.2
#   fluid_V00001: 27 cells, 27 of them left-handed
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv and the X11 and OpenGL libraries of gmsh's wheel (among them libglu1-mesa).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check gmsh==4.15.2 h5py==3.16.0 numpy==2.4.6; } || exit 2
cd "$work"

venv/bin/python - <<'PYTHON' || exit 1
import sys

import gmsh
import h5py
import numpy as np

print("gmsh", gmsh.__version__)
gmsh.initialize()
gmsh.option.setNumber("General.Verbosity", 2)
box = gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1)
gmsh.model.occ.synchronize()
gmsh.model.mesh.setTransfiniteAutomatic(recombine=True)
for _, curve in gmsh.model.getEntities(1):
    gmsh.model.mesh.setTransfiniteCurve(curve, 4)
gmsh.model.addPhysicalGroup(3, [box], name="fluid")
gmsh.model.mesh.generate(3)
gmsh.option.setNumber("Mesh.CgnsExportStructured", 1)
gmsh.write("mesh.cgns")
gmsh.finalize()

left = 0
with h5py.File("mesh.cgns") as f:
    base = next(o for o in f.values() if o.attrs.get("label") == b"CGNSBase_t")
    for name, zone in base.items():
        if zone.attrs.get("label") != b"Zone_t":
            continue
        x = np.stack([zone[f"GridCoordinates/Coordinate{c}/ data"][...].T for c in "XYZ"])  # [xyz, i, j, k]
        corner = x[:, :-1, :-1, :-1]
        edges = x[:, 1:, :-1, :-1] - corner, x[:, :-1, 1:, :-1] - corner, x[:, :-1, :-1, 1:] - corner
        volume = np.sum(np.cross(edges[0], edges[1], axis=0) * edges[2], axis=0)
        left = int((volume < 0).sum())
        print(f"{name}: {volume.size} cells, {left} of them left-handed")
sys.exit(left != 27)
PYTHON
