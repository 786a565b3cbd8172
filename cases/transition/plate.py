#!/usr/bin/env python3
"""Mesh of a flat plate with a fine leading edge: plate.py FILE writes 97 x 57 nodes in plane formatted PLOT3D.

The plate reaches from x = 0 to 2 m (72 cells), symmetry from -0.3 m to 0 (24 cells); the first cells on either side of
the leading edge are 0.4 mm long and 10 um high.
"""
import sys


def grow(n, first, length, cap):
    """n cells from `first` on that fill `length`: geometric, or (cap) growing by 1.2 up to a largest size."""
    low, high = (first, length) if cap else (1.0001, 2.0)
    for _ in range(80):
        middle = 0.5 * (low + high)
        cells = [min(first * 1.2**i, middle) if cap else first * middle**i for i in range(n)]
        low, high = (middle, high) if sum(cells) < length else (low, middle)
    nodes = [0.0]
    for cell in cells:
        nodes.append(nodes[-1] + cell)
    return nodes


x = [-v for v in reversed(grow(24, 4e-4, 0.3, False))] + grow(72, 4e-4, 2.0, True)[1:]
y = grow(56, 1e-5, 0.6, False)
with open(sys.argv[1], "w", encoding="ascii") as f:
    f.write(f"1\n{len(x)} {len(y)}\n")
    f.writelines(f"{v:.16e}\n" for _ in y for v in x)
    f.writelines(f"{v:.16e}\n" for v in y for _ in x)
