"""C meshes and cases of NACA four-digit airfoils.

The mesh has one block, i along the C from the lower part of the outflow around the airfoil to the upper
part, j from the airfoil and the wake outwards, in PLOT3D's two-dimensional form. Chord 1 m, leading edge
at the origin, thin trailing edge at x = 1.
"""
import math

import numpy as np


def naca4(digits, x):
    """Upper and lower ordinates of a NACA four-digit section with a closed trailing edge (Abbott and von
    Doenhoff, Theory of Wing Sections, section 6.4; last coefficient -0.1036)."""
    m, p, t = int(digits[0]) / 100, int(digits[1]) / 10, int(digits[2:]) / 100
    yt = 5 * t * (0.2969 * np.sqrt(x) - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    if m == 0:
        return np.stack([x, yt], 1), np.stack([x, -yt], 1)
    ahead = x < p
    yc = np.where(ahead, m / p**2 * (2 * p * x - x**2), m / (1 - p) ** 2 * (1 - 2 * p + 2 * p * x - x**2))
    dy = np.where(ahead, 2 * m / p**2 * (p - x), 2 * m / (1 - p) ** 2 * (p - x))
    a = np.arctan(dy)
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


def c_mesh(digits, around, wake, off, first, far=15.0):
    """Nodes [2][off + 1][around + 2 wake + 1]; cells around the airfoil (even), along the wake, off the wall;
    height of the first cell, m; distance of the far field, chords."""
    half = around // 2
    t = np.linspace(0, 1, half + 1)
    x = (1 - np.cos(math.pi * t)) / 2
    x = 0.7 * x + 0.3 * t**1.5  # coarser at the trailing edge, finer at the leading edge
    upper, lower = naca4(digits, x)
    down = 1 + spread(1 - x[-2], far, wake)
    cut = np.stack([down, np.zeros(wake + 1)], 1)
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
    # tangents along the normals of the inner curve
    tangent = np.gradient(inner, axis=0)
    tangent[wake] = tangent[n - 1 - wake] = [0, 0]
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], 1)
    normal[:wake] = [0, -1]
    normal[n - wake:] = [0, 1]
    normal[wake], normal[n - 1 - wake] = [0.0, -1.0], [0.0, 1.0]
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-30)[:, None]
    for _ in range(4):  # smooth where the edge is sharp
        inside = 0.25 * normal[:-2] + 0.5 * normal[1:-1] + 0.25 * normal[2:]
        keep = np.ones(n - 2, bool)
        keep[wake - 1] = keep[n - 2 - wake] = True
        normal[1:-1] = np.where(keep[:, None], inside, normal[1:-1])
        normal /= np.linalg.norm(normal, axis=1)[:, None]
    xy = np.zeros((2, off + 1, n))
    # along the normal near the wall, along a straight line to the far field farther off
    s = spread(first, far, off) / far
    for i in range(n):
        reach = np.linalg.norm(outer[i] - inner[i])
        d = s * reach
        straight = (outer[i] - inner[i]) / reach
        along = np.exp(-d / 0.4)[:, None]
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


def case_text(mesh, mach, reynolds, alpha, model, precision, iterations):
    """A case with no key of the march but its end; angle of attack in degrees, chord 1 m, T 288.15 K."""
    a = math.radians(alpha)
    gamma, gas, temperature = 1.4, 287.0, 288.15
    mu = 1.716e-5 * (temperature / 273.15) ** 1.5 * (273.15 + 110.4) / (temperature + 110.4)
    speed = mach * math.sqrt(gamma * gas * temperature)
    p = reynolds * mu / speed * gas * temperature
    flow = f"p: {p:.9g}, T: {temperature}, mach: {mach}, direction: [{math.cos(a):.9g}, {math.sin(a):.9g}, 0]"
    return f"""case: airfoil
mesh: {mesh}
precision: {precision}
gas: {{gamma: 1.4, R: 287.0, viscosity: sutherland}}
turbulence: {{model: {model}}}
march: {{mode: steady, iterations: {iterations}, residual_drop: 1.0e-6}}
initial: {{{flow}}}
boundaries:
  far: {{type: farfield, {flow}}}
  out: {{type: farfield, {flow}}}
  wall: {{type: wall_viscous}}
  front: {{type: symmetry}}
  back: {{type: symmetry}}
output: {{folder: out, every: 0, history_every: 10}}
"""
