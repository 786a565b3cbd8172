#!/usr/bin/env bash
# plot3d 1.13.0 reads PLOT3D grids with IBLANK without an error and returns wrong coordinates from the second block on.
# A PLOT3D grid may carry an integer IBLANK for each point after x, y and z of each block. The reader knows no IBLANK
# and does not compare the size of the file with what it has read: x of the second block are the flags of the first one,
# y are its x, and so on. This holds for text files and for raw binary files in double precision, with the format
# detected by the package. Only the first block is right, so a file of one block gives no hint.
#
# Output seen:
#   plot3d 1.13.0
#   plain.txt: blocks right: [True, True], x of block 2 from 2 to 4, 2 to 4 was written
#   plain.bin: blocks right: [True, True], x of block 2 from 2 to 4, 2 to 4 was written
#   iblank.txt: blocks right: [True, False], x of block 2 from 1 to 1, 2 to 4 was written
#   iblank.bin: blocks right: [True, False], x of block 2 from 2.122e-314 to 4, 2 to 4 was written
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs python3-venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --disable-pip-version-check plot3d==1.13.0 numpy==2.4.6 scipy==1.17.1; } || exit 2
cd "$work"

venv/bin/python - 2>python.log <<'PYTHON' || { cat python.log >&2; exit 1; }
import sys
from importlib.metadata import version

import numpy as np
from plot3d import read_plot3D

# Two blocks of 3 x 3 x 2 points side by side, with all points in the flow (IBLANK = 1).
shape = 3, 3, 2
first = np.indices(shape, dtype=float)
blocks = [first, first + np.array([2.0, 0.0, 0.0]).reshape(3, 1, 1, 1)]


def points(values):
    return values.ravel(order="F")


def write(path, iblank):
    flags = np.ones(np.prod(shape), dtype="<i4")
    with open(path + ".txt", "w") as text, open(path + ".bin", "wb") as binary:
        print(len(blocks), file=text)
        binary.write(np.array([len(blocks)], dtype="<i4").tobytes())
        for _ in blocks:
            print(*shape, file=text)
            binary.write(np.array(shape, dtype="<i4").tobytes())
        for block in blocks:
            for values in block:
                print(*points(values), file=text)
                binary.write(points(values).astype("<f8").tobytes())
            if iblank:
                print(*flags, file=text)
                binary.write(flags.tobytes())


print("plot3d", version("plot3d"))
as_described = True
for iblank in False, True:
    name = "iblank" if iblank else "plain"
    write(name, iblank)
    for suffix in "txt", "bin":
        read = read_plot3D(f"{name}.{suffix}")
        right = [all(np.array_equal(a, b) for a, b in zip((r.X, r.Y, r.Z), block)) for r, block in zip(read, blocks)]
        x = points(read[1].X)
        print(f"{name}.{suffix}: blocks right: {right}, x of block 2 from {x.min():g} to {x.max():g}, 2 to 4 was written")
        as_described &= right == [True, not iblank]
sys.exit(not as_described)
PYTHON
