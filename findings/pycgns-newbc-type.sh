#!/usr/bin/env bash
# pyCGNS 6.3.5 ignores the type of a boundary condition and writes a family "Null" where none is given.
# CGNS.PAT.cgnslib.newBC has the arguments btype and bcType, in this order; bcType is passed on to nobody, and a condition
# without the argument family gets a FamilyName node with the text "Null". A reader that knows boundaries by their family
# therefore finds one boundary "Null", whatever the conditions are called. Nothing is raised or printed.
#
# Output seen:
#   pyCGNS 6.3.5
#   bcType=BCInflowSubsonic: type Null, family Null
#   btype=BCInflowSubsonic: type BCInflowSubsonic, family Null
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check pyCGNS==6.3.5 numpy==2.4.6; } || exit 2
cd "$work"

venv/bin/python -W error - <<'PYTHON' || exit 1
import sys
from importlib.metadata import version

import CGNS.PAT.cgnslib as cgl
import CGNS.PAT.cgnsutils as cgu
import numpy as np


def result(**words):
    tree = cgl.newCGNSTree()
    base = cgl.newCGNSBase(tree, "Base", 3, 3)
    zone = cgl.newZone(base, "Zone", np.array([[3, 2, 0]] * 3, order="F", dtype=np.int32), "Structured")
    face = np.array([[1, 1], [1, 3], [1, 3]], order="F", dtype=np.int32)
    cgl.newBC(cgl.newZoneBC(zone), "inlet", face, **words)

    def text(path):
        return cgu.getNodeByPath(tree, path)[1].tobytes().decode()

    found = text("/Base/Zone/ZoneBC/inlet"), text("/Base/Zone/ZoneBC/inlet/FamilyName")
    print(f"{next(iter(words))}=BCInflowSubsonic: type {found[0]}, family {found[1]}")
    return found


print("pyCGNS", version("pyCGNS"))
second = result(bcType="BCInflowSubsonic")
first = result(btype="BCInflowSubsonic")
sys.exit(second != ("Null", "Null") or first != ("BCInflowSubsonic", "Null"))
PYTHON
