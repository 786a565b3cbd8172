#!/usr/bin/env bash
# gmsh 4.15.2 writes structured CGNS files whose interfaces name donor zones that do not exist.
# With Mesh.CgnsExportStructured the zone of volume 2 in the physical group "fluid" is called "fluid_V00002", but the
# interface of its neighbour names the donor "fluid V00002", with a space. A reader that looks the donor up by its name
# finds none, so the two blocks stay unconnected. cgnscheck (Debian, cgns-convert 3.4.0) reports an error for each side.
#
# Output seen:
#   gmsh 4.15.2
#   zones:  fluid_V00001 fluid_V00002
#   donors: fluid V00002|fluid V00001
#   cgnscheck: ERROR:donor zone "fluid V00002" not found
#   cgnscheck: ERROR:donor zone "fluid V00001" not found
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv, cgns-convert and the X11 and OpenGL libraries of gmsh's wheel (among them libglu1-mesa).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v cgnscheck >/dev/null || { echo "cgnscheck was not found (package cgns-convert)" >&2; exit 2; }
{ python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check gmsh==4.15.2 h5py==3.16.0 numpy==2.4.6; } || exit 2
cd "$work"

# Two unit cubes with a common face, 3 x 3 x 3 cells each, in one physical group.
venv/bin/python - <<'PYTHON' || exit 1
import sys

import gmsh
import h5py

print("gmsh", gmsh.__version__)
gmsh.initialize()
gmsh.option.setNumber("General.Verbosity", 2)
occ = gmsh.model.occ
left, right = occ.addBox(0, 0, 0, 1, 1, 1), occ.addBox(1, 0, 0, 1, 1, 1)
occ.fragment([(3, left)], [(3, right)])
occ.synchronize()
gmsh.model.mesh.setTransfiniteAutomatic(recombine=True)
for _, curve in gmsh.model.getEntities(1):
    gmsh.model.mesh.setTransfiniteCurve(curve, 4)
gmsh.model.addPhysicalGroup(3, [left, right], name="fluid")
gmsh.model.mesh.generate(3)
gmsh.option.setNumber("Mesh.CgnsExportStructured", 1)
gmsh.write("mesh.cgns")
gmsh.finalize()

with h5py.File("mesh.cgns") as f:
    base = next(o for o in f.values() if o.attrs.get("label") == b"CGNSBase_t")
    zones = {n: z for n, z in base.items() if z.attrs.get("label") == b"Zone_t"}
    donors = [c[" data"][()].tobytes().decode()
              for z in zones.values()
              for c in z["ZoneGridConnectivity"].values() if c.attrs.get("label") == b"GridConnectivity1to1_t"]
print("zones: ", *zones)
print("donors:", "|".join(donors))
sys.exit(sorted(zones) != ["fluid_V00001", "fluid_V00002"] or sorted(donors) != ["fluid V00001", "fluid V00002"])
PYTHON

cgnscheck mesh.cgns >check.log 2>&1 || true
grep '^ERROR:donor zone' check.log | sed 's/^/cgnscheck: /' || true
[[ $(grep -c '^ERROR:donor zone "fluid V0000[12]" not found' check.log) == 2 ]]
