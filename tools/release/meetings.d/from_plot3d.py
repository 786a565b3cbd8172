# packages: plot3d==1.13.0
"""plot3d.xyz: a sector of a duct in two blocks, text or binary, or in four blocks about z (argument: axis); plot3d.json: what the
package finds of its faces."""
import json
import sys

import numpy as np
from plot3d import Block, connectivity_fast, rotated_periodicity, write_plot3D


def sector(ni, nj, nk, begin, end, first=0, last=20, axis="x"):
    i, j, k = np.meshgrid(*(np.linspace(0, 1, n) for n in (ni, nj, nk)), indexing="ij")
    r, t = 0.2 + 0.1 * j, np.radians(first + (last - first) * k)
    x, y, z = begin + (end - begin) * i, r * np.cos(t), r * np.sin(t)
    return Block(x, y, z) if axis == "x" else Block(y, z, x)


axis = "z" if sys.argv[1] == "axis" else "x"
blocks = [sector(9, 5, 7, 0, 0.2), sector(13, 5, 7, 0.2, 0.4)]
if axis == "z":
    blocks = [sector(n, 5, 4, begin, end, 10 * half, 10 * half + 10, "z") for half in (0, 1) for n, begin, end in ((9, 0, 0.2), (13, 0.2, 0.4))]
write_plot3D("plot3d.xyz", blocks, binary=sys.argv[1] == "binary")
matches, outer = connectivity_fast(blocks)
periodic, rest, *_ = rotated_periodicity(blocks, matches, outer, 20.0, axis)
for match in matches:
    match.pop("match", None)
with open("plot3d.json", "w") as f:
    json.dump({"face_matches": matches, "periodic_faces": periodic, "outer_faces": rest}, f, default=lambda n: n.item())
