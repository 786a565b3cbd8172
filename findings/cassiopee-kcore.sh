#!/usr/bin/env bash
# The wheel of Cassiopee 4.1 for CPython 3.12 lacks the module KCore, so that none of its modules can be imported.
# Converter, Generator, Transform and Connector begin with `import KCore`; the wheel has no such package, and none of that name is on
# the package index. Python for which there is no wheel of 4.1 (3.11, 3.13) get 3.6, which is an empty package.
#
# Output seen:
#   cassiopee 4.1
#   packages of the wheel: Apps CPlot Compressor Connector Converter Dist2Walls Distributor2 Generator Geom Initiator Intersector Post RigidMotion Roms Transform XCore
#   import Converter: No module named 'KCore'
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3.12 with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=$(command -v python3.12) || { echo "python3.12 was not found" >&2; exit 2; }
{ "$python" -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check cassiopee==4.1 numpy==2.4.6; } || exit 2
cd "$work"

venv/bin/python - <<'PYTHON' || exit 1
import sys
from importlib.metadata import distribution

package = distribution("cassiopee")
names = sorted({str(path).split("/")[0] for path in package.files if str(path).endswith(".py")})
print("cassiopee", package.version)
print("packages of the wheel:", *names)
try:
    import Converter  # noqa: F401

    said = "nothing is raised"
except ImportError as error:
    said = str(error)
print("import Converter:", said)
sys.exit("KCore" in names or said != "No module named 'KCore'")
PYTHON
