"""Plane turbine and compressor cascades from a few numbers.

Angles from the axis in degrees, positive in the direction of the pitch; chord 0.1 m, inlet at 1 bar.
"""
import math
import os

import numpy as np

import casefile
import section

CHORD, P0, T0 = 0.1, 1.0e5, 300.0
# options of mesh_cascade; wall functions on the small mesh
SIZES = {"t": (["--size", "0.35"], 60.0), "s": (["--size", "0.5"], 40.0), "m": (["--rans", "--size", "0.5"], 1.0), "l": (["--rans"], 1.0)}


def tan(degrees):
    return math.tan(math.radians(degrees))


def cos(degrees):
    return math.cos(math.radians(degrees))


def turbine(u):
    """Numbers of a turbine cascade; u gives a number from 0 to 1 for each name."""
    turning = 10 + 100 * u("turning")
    low = max(40.0, turning - 50)  # exit angle such that the inlet angle is between -40 and 50 degrees
    out = -(low + (min(74.0, turning + 40) - low) * u("exit_angle"))
    metal = turning + out
    mach = 0.3 + 0.9 * u("mach")
    zweifel = 0.75 + 0.3 * u("zweifel")
    pitch_axial = zweifel / (2 * cos(out) ** 2 * abs(tan(metal) - tan(out)))
    thick = 0.05 + 0.0013 * turning + 0.05 * u("thick")
    stagger = 0.5 * (metal + out)
    pitch = min(max(pitch_axial * cos(stagger), 0.45), 1.1)
    return {"kind": "turbine", "metal_in": metal, "metal_out": out, "inlet_angle": metal + 20 * u("incidence") - 10,
            "pitch": pitch, "thick": thick, "nose": 0.12 * thick + 0.012 * u("nose"), "tail": 0.006 + 0.008 * u("tail"),
            "shape": 0.75 + 0.25 * u("shape"), "mach": mach, "p": P0 * casefile.static_ratio(mach)}


def exit_mach(inlet, mach, out, loss):
    """Subsonic exit Mach number and static over inlet total pressure of equal height, by continuity."""
    def flow(m):
        return m * (1 + 0.2 * m * m) ** -3
    p1 = casefile.static_ratio(mach)
    total = 1 - loss * (1 - p1)
    want = flow(mach) * cos(inlet) / (total * cos(out))
    low, high = 0.0, 1.0
    for _ in range(60):
        mid = 0.5 * (low + high)
        low, high = (mid, high) if flow(mid) < want else (low, mid)
    return low, total * casefile.static_ratio(low)


def compressor(u):
    """Numbers of a compressor cascade: the solidity follows from a diffusion factor of at most 0.45."""
    turning = 10 + 35 * u("turning")
    metal = max(35.0, turning - 5) + 25 * u("inlet_angle")
    mach = 0.3 + 0.55 * u("mach")
    wide = 10 if mach < 0.6 else 10 - 24 * (mach - 0.6)  # thin range of incidence at high Mach numbers
    out = metal - turning
    swirl = tan(metal) - tan(out)
    free = 1 - cos(metal) / cos(out)
    solidity = min(max(0.5 * cos(metal) * swirl / max(0.45 - free, 0.05), 0.9), 2.0)
    thick = 0.10 - 0.06 * u("mach") + 0.02 * u("thick")
    deviation = (0.23 + abs(out) / 500) * turning / math.sqrt(solidity)
    incidence = wide * (2 * u("incidence") - 1)
    loss = 0.03 + 0.05 * (incidence / 10) ** 2
    m2, p = exit_mach(metal + incidence, mach, out + deviation, loss)
    return {"kind": "compressor", "metal_in": metal, "metal_out": out, "inlet_angle": metal + incidence,
            "pitch": 1 / solidity, "thick": thick, "nose": 0.1 * thick, "tail": 0.004 + 0.003 * u("tail"),
            "shape": 1.0, "mach": mach, "exit_mach": m2, "p": P0 * p}


def label(p):
    out = f"turns {p['metal_in'] - p['metal_out']:.0f} deg from {p['metal_in']:.0f}, incidence "
    return out + f"{p['inlet_angle'] - p['metal_in']:+.0f}, {'exit' if p['kind'] == 'turbine' else 'inlet'} M {p['mach']:.2f}"


def build(case, folder):
    """Writes profile and case file; returns the commands that make the mesh."""
    p = case["values"]
    loop = section.loop(math.radians(p["metal_in"]), math.radians(p["metal_out"]), CHORD, p["thick"], p["nose"],
                        p["tail"], p["shape"])
    np.savetxt(os.path.join(folder, "profile.dat"), loop, fmt="%.9f")
    options, yplus = SIZES[case["size"]]
    speed_mach = p["mach"]
    static = P0 * casefile.static_ratio(speed_mach)
    temperature = T0 / (1 + 0.2 * speed_mach**2)
    speed = speed_mach * math.sqrt(casefile.GAMMA * casefile.R * temperature)
    first = casefile.first_cell(speed, CHORD, static / (casefile.R * temperature), temperature, yplus)
    a = math.radians(p["inlet_angle"])
    direction = [math.cos(a), math.sin(a), 0]
    start = min(0.5 * speed_mach, 0.4) if p["kind"] == "turbine" else 0.8 * speed_mach
    with open(os.path.join(folder, "case.yaml"), "w", encoding="ascii") as f:
        f.write(casefile.text(case["name"], "mesh.cgns", case,
                              {"p": 0.5 * (P0 * casefile.static_ratio(start) + p["p"]), "T": 0.97 * T0, "mach": start,
                               "direction": direction},
                              {"inlet": {"type": "inlet_total", "p0": P0, "T0": T0, "direction": direction},
                               "outlet": {"type": "outlet_static", "p": p["p"]},
                               "blade": {"type": "wall_viscous"}, "hub": {"type": "symmetry"},
                               "shroud": {"type": "symmetry"}}))
    return [["mesh_cascade", "profile.dat", "--pitch", f"{CHORD * p['pitch']:.9g}", "--inlet-angle",
             f"{p['inlet_angle']:.6g}", "--outlet-angle", f"{p['metal_out']:.6g}", "--wall-spacing", f"{first:.4g}",
             *options, "-o", "mesh.cgns"]]
