"""Channels: plane diffusers that separate, a bump on a wall, and annular diffusers (mesh_duct)."""
import math
import os

import numpy as np

import airfoil
import casefile

P0, T0, HEIGHT = 1.0e5, 300.0, 0.1
CELLS = {"t": (64, 32), "s": (96, 48), "m": (192, 96), "l": (352, 160)}     # along, across
SECTOR = {"t": (32, 24, 4), "s": (64, 32, 4), "m": (96, 48, 8), "l": (160, 64, 16)}  # along, across, around


def diffuser(u):
    """Straight walls between two smooth corners; one wall or both; area ratio and angle lead to separation."""
    mach = 0.2 + 0.5 * u("mach")
    return {"kind": "plane", "mach": mach, "angle": 4 + 14 * u("angle"), "ratio": 1.4 + 1.4 * u("ratio"),
            "both": u("both") < 0.4, "p": P0 * recovered(mach, 1.4 + 1.4 * u("ratio"), 4 + 14 * u("angle"))}


def recovered(mach, ratio, angle):
    """Outlet over total pressure: part of the ideal pressure recovery, less where the wall is steep."""
    p1 = casefile.static_ratio(mach)
    part = max(0.4, 0.85 - 0.03 * max(angle - 6, 0))
    return p1 + part * (1 - 1 / ratio**2) * (1 - p1)


def bump(u):
    """A bump of the shape sin^4 on the lower wall, from subsonic to choked."""
    mach = 0.2 + 0.55 * u("mach")
    return {"kind": "bump", "mach": mach, "height": 0.03 + 0.12 * u("height"), "p": P0 * casefile.static_ratio(mach)}


def annular(u):
    """Annular diffuser whose casing opens; a small swirl in half of the cases."""
    mach = 0.2 + 0.4 * u("mach")
    hub = 0.4 + 0.45 * u("hub")
    ratio = 1.4 + 1.0 * u("ratio")
    angle = 5 + 13 * u("angle")
    return {"kind": "annular", "mach": mach, "hub": hub, "ratio": ratio, "angle": angle,
            "swirl": 20 * u("swirl") if u("swirls") < 0.5 else 0.0, "p": P0 * recovered(mach, ratio, angle)}


def label(p):
    if p["kind"] == "bump":
        return f"bump {100 * p['height']:.0f} % high, M {p['mach']:.2f}"
    side = "annular" if p["kind"] == "annular" else "both walls" if p["both"] else "one wall"
    return f"{side}, {p['angle']:.0f} deg, area x {p['ratio']:.1f}, M {p['mach']:.2f}"


def across(first, n):
    """0 to 1, finest at both ends."""
    half = airfoil.spread(first, 0.5, n // 2)
    return np.concatenate([half, (1 - half[:-1])[::-1]])


def smooth_corner(x, slope, length, width):
    """Height of a wall that climbs with `slope` over `length` from x = 0, its corners rounded over `width`."""
    soft = lambda t: np.where(np.abs(t) < width, (t + width) ** 2 / (4 * width), np.maximum(t, 0))
    return slope * (soft(x) - soft(x - length))


def nodes(p, size, yplus):
    ni, nj = CELLS[size]
    if p["kind"] == "plane":
        slope = math.tan(math.radians(p["angle"]))
        sides = 2 if p["both"] else 1
        length = (p["ratio"] - 1) * HEIGHT / slope / sides
        x = np.linspace(-3 * HEIGHT, length + 8 * HEIGHT, ni + 1)
        rise = smooth_corner(x, slope, length, 0.15 * HEIGHT)
        top, low = HEIGHT + rise, -rise if p["both"] else 0 * rise
    else:
        x = np.linspace(-3 * HEIGHT, 5 * HEIGHT, ni + 1)
        inside = np.clip(x / (2 * HEIGHT), 0, 1)
        low, top = p["height"] * HEIGHT * np.sin(math.pi * inside) ** 4, HEIGHT + 0 * x
    first = wall_cell(p, yplus) / HEIGHT
    eta = across(first, nj)[:, None]
    y = low + eta * (top - low)
    return np.stack([np.broadcast_to(x, y.shape), y])


def wall_cell(p, yplus):
    temperature = T0 / (1 + 0.2 * p["mach"] ** 2)
    density = P0 * casefile.static_ratio(p["mach"]) / (casefile.R * temperature)
    speed = p["mach"] * math.sqrt(casefile.GAMMA * casefile.R * temperature)
    return casefile.first_cell(speed, 10 * HEIGHT, density, temperature, yplus)


def build(case, folder):
    p = case["values"]
    yplus = 40.0 if case["size"] in "ts" else 1.0
    static = P0 * casefile.static_ratio(p["mach"])
    initial = {"p": static, "T": T0 / (1 + 0.2 * p["mach"] ** 2), "mach": p["mach"], "direction": [1, 0, 0]}
    inlet = {"type": "inlet_total", "p0": P0, "T0": T0, "direction": [1, 0, 0]}
    outlet = {"type": "outlet_static", "p": p["p"]}
    wall = {"type": "wall_viscous"}
    if p["kind"] == "annular":
        ends, command = annulus(p, case["size"], yplus)
        if p["swirl"]:
            inlet["profile"] = "inlet.csv"
            with open(os.path.join(folder, "inlet.csv"), "w", encoding="ascii") as f:
                f.write(f"span,swirl_deg\n0,{p['swirl']:.6g}\n1,{p['swirl']:.6g}\n")
            outlet["radial_equilibrium"] = "mid"
        boundaries = {"inlet": inlet, "outlet": outlet, "hub": wall, "casing": wall}
    else:
        airfoil.write_plot3d(os.path.join(folder, "grid.p2d"), nodes(p, case["size"], yplus))
        command = ["mesh_plot3d", "grid.p2d", "--span", f"{0.1 * HEIGHT:g}", "--bc", "1:imin=inlet:inlet", "--bc",
                   "1:imax=outlet:outlet", "--bc", "1:jmin=lower:wall_viscous", "--bc", "1:jmax=upper:wall_viscous",
                   "-o", "mesh.cgns"]
        boundaries = {"inlet": inlet, "outlet": outlet, "lower": wall, "upper": wall, "front": {"type": "symmetry"},
                      "back": {"type": "symmetry"}}
    with open(os.path.join(folder, "case.yaml"), "w", encoding="ascii") as f:
        f.write(casefile.text(case["name"], "mesh.cgns", case, initial, boundaries))
    return [command]


def annulus(p, size, yplus):
    """Radii of the ends, m, and the command of mesh_duct: height HEIGHT at the inlet, the casing opens."""
    hub = HEIGHT * p["hub"] / (1 - p["hub"])
    casing = hub + HEIGHT
    wide = math.sqrt(hub**2 + p["ratio"] * (casing**2 - hub**2))
    # a half cosine is steepest in the middle, by pi/2 over its mean
    length = 0.5 * math.pi * (wide - casing) / math.tan(math.radians(p["angle"]))
    i, j, k = SECTOR[size]
    sectors = max(12, round(2 * math.pi * casing / (0.3 * HEIGHT)))
    return (hub, casing, wide), ["mesh_duct", "--hub", f"{hub:.9g}", "--casing", f"{casing:.9g},{wide:.9g}", "--length",
                                 f"{length:.9g}", "--sectors", str(sectors), "--cells", f"{i},{j},{k}", "--first",
                                 f"{wall_cell(p, yplus):.4g}", "--straight", f"{2 * HEIGHT:g},{4 * HEIGHT:g}",
                                 "-o", "mesh.cgns"]
