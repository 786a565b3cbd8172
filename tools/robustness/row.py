"""Axial blade rows from velocity triangles: fan and compressor rotors, turbine vanes and rotors.

The tip radius is 0.3 m. Along the span the swirl is that of a free vortex; work at the hub is limited. The back
pressure of the design and of four other operating points follow from the mean line.
"""
import math
import os

import numpy as np

import blading
import casefile

R_TIP = 0.3
GAS = {"compressor": (101325.0, 288.15), "turbine": (3.0e5, 500.0)}  # total pressure and temperature at the inlet
SIZES = {"t": (1e4, "functions", 2), "s": (1e4, "functions", 3), "m": (4e4, "functions", 3), "l": (1.6e5, "resolved", 4)}
POINTS = 5  # back pressures, 0 near choke, 2 the design, 4 near stall or the largest load
CP, GAMMA, R = casefile.CP, casefile.GAMMA, casefile.R


def between(u, name, low, high):
    return low + (high - low) * u(name)


def static(p0, T0, speed):
    T = T0 - 0.5 * speed**2 / CP
    p = p0 * (T / T0) ** (GAMMA / (GAMMA - 1))
    return p, T, p / (R * T)


def sound(T):
    return math.sqrt(GAMMA * R * T)


class Compressor:
    """Rotor with axial inflow: numbers of the mean line from hub-to-tip ratio, tip Mach number, flow and loading."""

    def __init__(self, p, gas=GAS["compressor"]):
        self.p = p
        self.p0, self.T0 = gas
        self.hub = R_TIP * p["ratio"]
        self.mean = math.sqrt(0.5 * (R_TIP**2 + self.hub**2))
        self.U = p["tip_mach"] * sound(self.T0) * self.mean / R_TIP
        self.Vx = min(p["flow"] * self.U, 0.58 * sound(self.T0))
        self.work = p["load"] * self.U**2

    def swirl(self, r):
        """Tangential velocity behind the rotor at radius r; at most 70 % of the blade speed."""
        U = self.U * r / self.mean
        return min(self.work / U, 0.7 * U)

    def relative(self, r):
        """Relative flow angles, radians, before and behind the rotor."""
        U = self.U * r / self.mean
        return math.atan(U / self.Vx), math.atan((U - self.swirl(r)) / self.Vx)

    def solidity(self):
        """At the mean radius, for a diffusion factor of 0.42."""
        a, b = self.relative(self.mean)
        free = 1 - math.cos(a) / math.cos(b)
        turn = 0.5 * math.cos(a) * (math.tan(a) - math.tan(b))
        return min(max(turn / max(0.42 - free, 0.08), 0.75), 2.0)

    def metal(self, r):
        a, b = self.relative(r)
        a -= math.radians(self.p["incidence"])
        slope = (0.23 + math.degrees(b) / 500) / math.sqrt(self.solidity())
        return a, a - (a - b) / max(1 - slope, 0.6)  # Carter's rule

    def exit(self, factor, efficiency):
        """Static pressure, density, temperature and speed behind the rotor at `factor` times the flow of design."""
        _, b = self.relative(self.mean)
        Vx = self.Vx * factor
        swirl = max(self.U - Vx * math.tan(b), 0.05 * self.U)
        T0 = self.T0 + self.U * swirl / CP
        p0 = self.p0 * (1 + efficiency * (T0 / self.T0 - 1)) ** (GAMMA / (GAMMA - 1))
        speed = math.hypot(Vx, swirl)
        return (*static(p0, T0, speed), speed)

    def back_pressure(self):
        """The five points: two parts of the design's pressure rise, the design, and two at less flow."""
        inlet = static(self.p0, self.T0, self.Vx)[0]
        design = self.exit(1.0, 0.9)[0]
        mach = math.hypot(self.U * R_TIP / self.mean, self.Vx) / sound(self.T0)
        less = 0.12 - 0.06 * min(max((mach - 0.5) / 0.8, 0), 1)
        n = self.p["point"]
        if n < 3:
            return inlet + (0.3, 0.7, 1.0)[n] * (design - inlet)
        return self.exit(1 - less * (0.5, 1.0)[n - 3], 0.88)[0]

    def row(self):
        p = self.p
        behind = self.exit(1.0, 0.9)
        ahead = static(self.p0, self.T0, self.Vx)
        area = (R_TIP**2 - self.hub**2) * max(ahead[2] / behind[2], 0.6)
        hub = math.sqrt(R_TIP**2 - area)  # the hub rises so that the axial velocity stays
        chord = p["chord"] * (R_TIP - self.hub)
        blades = max(11, min(120, round(2 * math.pi * self.mean * self.solidity() / chord)))
        chord = 2 * math.pi * self.mean * self.solidity() / blades
        thick = lambda v: p["thick"] * (1.3 - 0.6 * v)
        radius = lambda v: math.sqrt(self.hub**2 + v * (R_TIP**2 - self.hub**2))
        row = {"blades": blades, "chord": chord, "angles": lambda v: self.metal(self.hub + v * (R_TIP - self.hub)),
               "thick": thick, "nose": 0.08, "tail": 0.004, "x": 0.0, "rpm": -30 / math.pi * self.U / self.mean,
               "machine": "compressor", "gap": p["gap"], "radius": radius}
        relative = math.hypot(self.U, self.Vx)
        return row, (self.hub, hub), (R_TIP, R_TIP), relative, ahead

    def boundaries(self):
        inlet = {"type": "inlet_total", "p0": self.p0, "T0": self.T0, "direction": [1, 0, 0]}
        outlet = {"type": "outlet_static", "p": self.back_pressure(), "radial_equilibrium": "mid"}
        return inlet, None, outlet, self.Vx / sound(static(self.p0, self.T0, self.Vx)[1])


class Turbine:
    """Rotor behind a free vortex, from flow coefficient, loading and reaction at the mean radius."""

    def __init__(self, p, gas=GAS["turbine"]):
        self.p = p
        self.p0, self.T0 = gas
        self.hub = R_TIP * p["ratio"]
        self.mean = math.sqrt(0.5 * (R_TIP**2 + self.hub**2))
        self.U = p["tip_mach"] * sound(self.T0) * self.mean / R_TIP
        self.Vx = p["flow"] * self.U
        load, reaction = p["load"], p["reaction"]
        self.swirl_in = self.U * (1 - reaction + 0.5 * load)
        self.swirl_out = self.U * (1 - reaction - 0.5 * load)

    def relative(self, r):
        U = self.U * r / self.mean
        free = self.mean / r
        return (math.atan((self.swirl_in * free - U) / self.Vx), math.atan((self.swirl_out * free - U) / self.Vx))

    def metal(self, r):
        a, b = self.relative(r)
        return a - math.radians(self.p["incidence"]), b - math.radians(2)

    def solidity(self):
        """Chord over pitch at the mean radius, from Zweifel's coefficient of 0.9."""
        a, b = self.relative(self.mean)
        axial = 2 * math.cos(b) ** 2 * abs(math.tan(a) - math.tan(b)) / 0.9
        return min(max(axial / math.cos(0.5 * (a + b)), 1.0), 2.2)

    def exit(self):
        T0 = self.T0 - self.U * (self.swirl_in - self.swirl_out) / CP
        p0 = self.p0 * (1 - (1 - T0 / self.T0) / 0.9) ** (GAMMA / (GAMMA - 1))
        return static(p0, T0, math.hypot(self.Vx, self.swirl_out))

    def back_pressure(self):
        """The design is point 2; the others have 0.65 to 1.3 times its pressure drop, but no pressure below a twentieth of p0."""
        return max(self.p0 - (1.3, 1.15, 1.0, 0.82, 0.65)[self.p["point"]] * (self.p0 - self.exit()[0]), 0.05 * self.p0)

    def row(self):
        p = self.p
        ahead = static(self.p0, self.T0, math.hypot(self.Vx, self.swirl_in))
        area = (R_TIP**2 - self.hub**2) * min(max(ahead[2] / self.exit()[2], 1.0), 1.35)
        casing = math.sqrt(self.hub**2 + area)
        chord = p["chord"] * (R_TIP - self.hub)
        blades = max(15, min(120, round(2 * math.pi * self.mean * self.solidity() / chord)))
        chord = 2 * math.pi * self.mean * self.solidity() / blades
        row = {"blades": blades, "chord": chord, "angles": lambda v: self.metal(self.hub + v * (R_TIP - self.hub)),
               "thick": lambda v: p["thick"] * (1.25 - 0.5 * v), "nose": 0.15, "tail": 0.008, "x": 0.0,
               "rpm": 30 / math.pi * self.U / self.mean, "machine": "turbine", "gap": p["gap"]}
        relative = self.Vx / math.cos(self.relative(self.mean)[1])
        return row, (self.hub, self.hub), (R_TIP, casing), relative, ahead

    def boundaries(self):
        inlet = {"type": "inlet_total", "p0": self.p0, "T0": self.T0, "direction": [1, 0, 0], "profile": "inlet.csv"}
        radii = np.linspace(self.hub, R_TIP, 21)
        swirl = np.degrees(np.arctan(self.swirl_in * self.mean / radii / self.Vx))
        outlet = {"type": "outlet_static", "p": self.back_pressure(), "radial_equilibrium": "mid"}
        return inlet, (np.linspace(0, 1, 21), swirl), outlet, self.Vx / sound(self.T0)


class Vane:
    """Turbine vane with axial inflow; free vortex behind."""

    def __init__(self, p, gas=GAS["turbine"]):
        self.p = p
        self.p0, self.T0 = gas
        self.hub = R_TIP * p["ratio"]
        self.mean = math.sqrt(0.5 * (R_TIP**2 + self.hub**2))
        self.out = math.radians(p["exit_angle"])

    def metal(self, r):
        return 0.0, math.atan(math.tan(self.out) * self.mean / r)

    def row(self):
        p = self.p
        solidity = min(max(2 * math.cos(self.out) ** 2 * math.tan(self.out) / 0.85 / math.cos(0.5 * self.out), 0.9), 1.9)
        chord = p["chord"] * (R_TIP - self.hub)
        blades = max(15, min(100, round(2 * math.pi * self.mean * solidity / chord)))
        chord = 2 * math.pi * self.mean * solidity / blades
        row = {"blades": blades, "chord": chord, "angles": lambda v: self.metal(self.hub + v * (R_TIP - self.hub)),
               "thick": lambda v: p["thick"], "nose": 0.2, "tail": 0.01, "x": 0.0, "rpm": 0.0, "machine": "turbine",
               "gap": 0.0, "shape": 0.9}
        T = self.T0 / (1 + 0.2 * p["exit_mach"] ** 2)
        ahead = (self.p0 * casefile.static_ratio(p["exit_mach"]), T, 0)
        ahead = (ahead[0], T, ahead[0] / (R * T))
        return row, (self.hub, self.hub), (R_TIP, R_TIP), p["exit_mach"] * sound(T), ahead

    def boundaries(self):
        mach = self.p["exit_mach"] * (0.8, 0.9, 1.0, 1.1, 1.2)[4 - self.p["point"]]
        inlet = {"type": "inlet_total", "p0": self.p0, "T0": self.T0, "direction": [1, 0, 0]}
        outlet = {"type": "outlet_static", "p": self.p0 * casefile.static_ratio(mach), "radial_equilibrium": "mid"}
        return inlet, None, outlet, 0.2


KINDS = {"fan": Compressor, "compressor": Compressor, "rotor": Turbine, "vane": Vane}


def fan(u):
    tip = between(u, "tip_mach", 0.3, 1.5)
    return {"kind": "fan", "ratio": between(u, "ratio", 0.35, 0.6), "tip_mach": tip, "flow": between(u, "flow", 0.55, 0.8),
            "load": between(u, "load", 0.18, 0.38), "incidence": between(u, "incidence", -1, 3), "chord":
            between(u, "chord", 0.35, 0.7), "thick": 0.07 - 0.025 * min(tip, 1.2), "gap": gap(u), "point": int(5 * u("point"))}


def compressor(u):
    tip = between(u, "tip_mach", 0.3, 1.4)
    return {"kind": "compressor", "ratio": between(u, "ratio", 0.6, 0.9), "tip_mach": tip, "flow":
            between(u, "flow", 0.42, 0.7), "load": between(u, "load", 0.22, 0.42), "incidence":
            between(u, "incidence", -2, 3), "chord": between(u, "chord", 0.5, 1.1), "thick": 0.08 - 0.03 * min(tip, 1.2),
            "gap": gap(u), "point": int(5 * u("point"))}


def turbine(u):
    if u("vane") < 0.4:
        return {"kind": "vane", "ratio": between(u, "ratio", 0.6, 0.9), "exit_angle": between(u, "flow", 60, 73),
                "exit_mach": between(u, "tip_mach", 0.45, 1.1), "chord": between(u, "chord", 0.5, 1.1), "thick":
                between(u, "thick", 0.12, 0.2), "gap": 0.0, "point": int(5 * u("point"))}
    return {"kind": "rotor", "ratio": between(u, "ratio", 0.6, 0.9), "tip_mach": between(u, "tip_mach", 0.3, 0.75),
            "flow": between(u, "flow", 0.45, 0.8), "load": between(u, "load", 1.0, 1.7), "reaction":
            between(u, "reaction", 0.3, 0.55), "incidence": between(u, "incidence", -5, 5), "chord":
            between(u, "chord", 0.5, 1.0), "thick": between(u, "thick", 0.1, 0.17), "gap": gap(u), "point": int(5 * u("point"))}


def gap(u):
    """A quarter of the rotors has none."""
    return 0.0 if u("gap") < 0.25 else 0.02 * (u("gap") - 0.25) / 0.75 + 0.002


def label(p):
    speed = f"exit M {p['exit_mach']:.2f}" if p["kind"] == "vane" else f"tip M {p['tip_mach']:.2f}"
    return f"{p['kind']}, hub/tip {p['ratio']:.2f}, {speed}, gap {100 * p['gap']:.1f} %, point {p['point']}"


def finish(row, path_ends, size, speed, ahead):
    """Adds counts, first cells and end planes to a row; returns its flow path."""
    hub, casing = path_ends
    cells, walls, levels = SIZES[size]
    low, high = blading.axial_chord(row)
    yplus = 1.0 if walls == "resolved" else 40.0
    row.update(cells=cells, walls=walls, levels=levels, first=casefile.first_cell(speed, row["chord"], ahead[2], ahead[1], yplus),
               inlet=low - max(1.0 * (high - low), 0.4 * row["chord"]), outlet=high + max(1.3 * (high - low), 0.5 * row["chord"]))
    return blading.Path(hub, casing, low, high)


def walls(name, row):
    """Boundaries of the walls of a row; `name` stands ahead of the boundaries' names."""
    wall = {"type": "wall_viscous"}
    rest = {"type": "wall_viscous", "omega": 0}
    out = {name + "hub": wall, name + "blade": wall, name + "shroud": rest if row["rpm"] else wall}
    if row["rpm"]:
        out.update({name + "hub_up": rest, name + "hub_down": rest})
    if row["gap"]:
        out[name + "tip"] = wall
    return out


def build(case, folder):
    """Writes tables, input file, inlet profile and case file; returns the commands that make the mesh."""
    p = case["values"]
    stage = KINDS[p["kind"]](p)
    row, hub, casing, speed, ahead = stage.row()
    path = finish(row, (hub, casing), case["size"], speed, ahead)
    command = blading.write(folder, "row", row, path)
    inlet, profile, outlet, mach = stage.boundaries()
    if profile:
        write_profile(folder, *profile)
    turns = bool(row["rpm"])
    start = inlet["p0"] * casefile.static_ratio(mach)
    with open(os.path.join(folder, "case.yaml"), "w", encoding="ascii") as f:
        f.write(casefile.text(case["name"], "mesh.cgns", case,
                              {"p": 0.5 * (start + outlet["p"]), "T": 0.97 * inlet["T0"], "mach": mach, "direction": [1, 0, 0]},
                              {"inlet": inlet, "outlet": outlet, **walls("", row)},
                              {"row": {"zones": ["*"], "rpm": row["rpm"], "blades": row["blades"]}} if turns else None, turns))
    return [command + ["-o", "mesh.cgns"]]


def write_profile(folder, span, swirl):
    with open(os.path.join(folder, "inlet.csv"), "w", encoding="ascii") as f:
        f.write("span,swirl_deg\n" + "".join(f"{s:.4f},{a:.6f}\n" for s, a in zip(span, swirl)))
