"""C meshes and cases of NACA four- and five-digit airfoils.

The mesh has one block, i along the C from the lower part of the outflow around the airfoil to the upper
part, j from the airfoil and the wake outwards, in PLOT3D's two-dimensional form. Chord 1 m, leading edge
at the origin, thin trailing edge at x = 1.
"""
import math
import os

import numpy as np

import casefile


# five digits, the first three of which name the mean line: place of largest camber r, factor k1
MEAN_LINES = {"210": (0.0580, 361.4), "220": (0.1260, 51.64), "230": (0.2025, 15.957), "240": (0.2900, 6.643),
              "250": (0.3910, 3.230)}


def mean_line(digits, x):
    """Ordinate and slope of the mean line at fractions x of the chord (Abbott and von Doenhoff, Theory of Wing
    Sections, sections 6.4 and 6.5)."""
    if len(digits) == 5:
        r, k = MEAN_LINES[digits[:3]]
        ahead = x < r
        return (np.where(ahead, k / 6 * (x**3 - 3 * r * x**2 + r**2 * (3 - r) * x), k / 6 * r**3 * (1 - x)),
                np.where(ahead, k / 6 * (3 * x**2 - 6 * r * x + r**2 * (3 - r)), -k / 6 * r**3))
    m, p = int(digits[0]) / 100, int(digits[1]) / 10
    if m == 0:
        return 0 * x, 0 * x
    ahead = x < p
    return (np.where(ahead, m / p**2 * (2 * p * x - x**2), m / (1 - p) ** 2 * (1 - 2 * p + 2 * p * x - x**2)),
            np.where(ahead, 2 * m / p**2 * (p - x), 2 * m / (1 - p) ** 2 * (p - x)))


def naca(digits, x):
    """Upper and lower surface of a NACA section of four or five digits; the trailing edge is closed (last
    coefficient of the thickness -0.1036)."""
    t = int(digits[-2:]) / 100
    yt = 5 * t * (0.2969 * np.sqrt(x) - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    yc, slope = mean_line(digits, x)
    a = np.arctan(slope)
    return (np.stack([x - yt * np.sin(a), yc + yt * np.cos(a)], 1),
            np.stack([x + yt * np.sin(a), yc - yt * np.cos(a)], 1))


def spread(first, length, n):
    """n + 1 abscissas from 0 to length in geometric progression, the first step of which is `first`."""
    if first * n >= length:
        return np.linspace(0, length, n + 1)
    low, high = 1 + 1e-9, 3.0
    for _ in range(200):
        r = 0.5 * (low + high)
        low, high = (r, high) if first * (r**n - 1) / (r - 1) < length else (low, r)
    s = first * (low ** np.arange(n + 1) - 1) / (low - 1)
    return s * length / s[-1]


def directions(inner, cut, wake):
    """Unit vectors along which the lines leave the inner curve: its normals, turned towards that of the wake
    near the trailing edge, where wall and wake make a concave corner."""
    n = len(inner)
    tangent = np.gradient(inner, axis=0)
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], 1)
    along = np.gradient(cut, axis=0)
    up = np.stack([-along[:, 1], along[:, 0]], 1)
    normal[:wake + 1], normal[n - 1 - wake:] = -up[::-1], up
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    for side, part in ((-1, slice(wake, n // 2)), (1, slice(n // 2, n - wake))):
        near = np.exp(-(1 - inner[part, :1]) / 0.2)
        normal[part] = (1 - near) * normal[part] + near * side * up[0] / np.linalg.norm(up[0])
    for _ in range(4):
        inside = 0.25 * normal[:-2] + 0.5 * normal[1:-1] + 0.25 * normal[2:]
        inside[[wake - 1, n - 2 - wake]] = normal[[wake, n - 1 - wake]]
        normal[1:-1] = inside
        normal /= np.linalg.norm(normal, axis=1)[:, None]
    return normal


def c_mesh(digits, around, wake, off, first, far=15.0):
    """Nodes [2][off + 1][around + 2 wake + 1]; cells around the airfoil (even), along the wake, off the wall;
    height of the first cell, m; distance of the far field, chords."""
    half = around // 2
    t = np.linspace(0, 1, half + 1)
    x = (1 - np.cos(math.pi * t)) / 2
    x = 0.7 * x + 0.3 * t**1.5  # coarser at the trailing edge, finer at the leading edge
    upper, lower = naca(digits, x)
    down = spread(1 - x[-2], far, wake)
    slope = float(mean_line(digits, np.array([1.0]))[1][0])
    bend = 0.5  # chords over which the cut turns from the mean line's direction to the axis
    cut = np.stack([1 + down, slope * bend * (1 - np.exp(-down / bend))], 1)
    inner = np.concatenate([cut[::-1], lower[::-1][1:-1], upper, cut[1:]])
    n = len(inner)
    le = wake + half
    # the far field: lower straight line, half circle, upper straight line, by the same shares
    outer = np.zeros_like(inner)
    for i, (px, py) in enumerate(inner):
        side = -1.0 if i < le else 1.0
        if i < wake or i > n - 1 - wake:
            outer[i] = [px, side * far]
        else:
            s = abs(i - le) / half
            angle = math.pi - s * math.pi / 2
            outer[i] = [1 + far * math.cos(angle), side * far * math.sin(angle)]
    normal = directions(inner, cut, wake)
    xy = np.zeros((2, off + 1, n))
    # along the normal near the wall, along a straight line to the far field farther off
    s = spread(first, far, off) / far
    for i in range(n):
        reach = np.linalg.norm(outer[i] - inner[i])
        d = s * reach
        straight = (outer[i] - inner[i]) / reach
        along = np.exp(-d / 0.3)[:, None]
        xy[:, :, i] = (inner[i] + d[:, None] * (along * normal[i] + (1 - along) * straight)).T
    return xy


def write_plot3d(path, xy):
    nj, ni = xy.shape[1:]
    with open(path, "w", encoding="ascii") as f:
        f.write(f"1\n{ni} {nj}\n")
        for component in xy:
            f.write("\n".join(f"{v:.17g}" for v in component.ravel()) + "\n")


def boundaries(around, wake):
    """Options of mesh_plot3d."""
    first, last = wake + 1, wake + around + 1
    return ["--join", "--bc", "1:imin=out:farfield", "--bc", "1:imax=out:farfield", "--bc", "1:jmax=far:farfield",
            "--bc", f"1:jmin:{first}-{last}=wall:wall_viscous"]


SIZES = {"t": (96, 24, 32, 2.0), "s": (128, 32, 40, 1.0), "m": (192, 48, 64, 1.0), "l": (320, 80, 96, 0.7)}  # around, wake, off, y+
T = 288.15


def airfoil(u):
    """Numbers of a case; u gives a number from 0 to 1 for each name. High Mach numbers only at small angles."""
    alpha = 16 * u("alpha")
    thick = 6 + int(19 * u("thick"))
    if u("digits") < 0.4:
        digits = list(MEAN_LINES)[1 + int(4 * u("mean_line"))] + f"{max(thick, 9):02d}"
    else:
        camber = int(7 * u("camber"))
        digits = f"{camber}{2 + int(5 * u('mean_line')) if camber else 0}{thick:02d}"
    fast = 0.78 - 0.06 * alpha - 0.015 * max(thick - 12, 0) if alpha < 6 else 0.32
    return {"digits": digits, "alpha": alpha, "mach": 0.12 + (fast - 0.12) * u("mach"),
            "reynolds": 1e6 * 9 ** u("reynolds")}


def label(p):
    return f"NACA {p['digits']}, {p['alpha']:.1f} deg, M {p['mach']:.2f}, Re {p['reynolds']:.1e}"


def build(case, folder):
    """Writes grid and case file; returns the command that makes the mesh. Chord 1 m."""
    p = case["values"]
    around, wake, off, yplus = SIZES[case["size"]]
    speed = p["mach"] * math.sqrt(casefile.GAMMA * casefile.R * T)
    density = p["reynolds"] * casefile.viscosity(T) / speed
    first = casefile.first_cell(speed, 1.0, density, T, yplus)
    write_plot3d(os.path.join(folder, "grid.p2d"), c_mesh(p["digits"], around, wake, off, first))
    a = math.radians(p["alpha"])
    flow = {"p": density * casefile.R * T, "T": T, "mach": p["mach"], "direction": [math.cos(a), math.sin(a), 0]}
    side = {"type": "symmetry"}
    with open(os.path.join(folder, "case.yaml"), "w", encoding="ascii") as f:
        f.write(casefile.text(case["name"], "mesh.cgns", case, flow,
                              {"far": {"type": "farfield", **flow}, "out": {"type": "farfield", **flow},
                               "wall": {"type": "wall_viscous"}, "front": side, "back": side}, flows=False))
    return [["mesh_plot3d", "grid.p2d", *boundaries(around, wake), "-o", "mesh.cgns"]]
