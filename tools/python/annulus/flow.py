"""A snapshot as a flow: its gas, its rows, and every quantity that turbomachinery asks for.

Cell values, [k, j, i]. Velocities are absolute unless their name says Relative; theta grows from y to
z around the axis x.
"""
import fnmatch
import os

import numpy as np

from .case import Case
from .cgns import File
from .errors import InputError
from .gas import Gas
from . import vortex

# name -> (text for axes, unit); these follow from the conserved variables
QUANTITIES = {
    "Density": ("density", "kg/m3"),
    "Pressure": ("pressure", "Pa"),
    "Temperature": ("temperature", "K"),
    "Mach": ("Mach number", "-"),
    "MachRelative": ("relative Mach number", "-"),
    "PressureStagnation": ("total pressure", "Pa"),
    "TemperatureStagnation": ("total temperature", "K"),
    "PressureStagnationRelative": ("relative total pressure", "Pa"),
    "TemperatureStagnationRelative": ("relative total temperature", "K"),
    "Entropy": ("entropy above the reference", "J/(kg K)"),
    "VelocityX": ("axial velocity", "m/s"),
    "VelocityRadius": ("radial velocity", "m/s"),
    "VelocityTheta": ("circumferential velocity", "m/s"),
    "VelocityThetaRelative": ("relative circumferential velocity", "m/s"),
    "VelocityMeridional": ("meridional velocity", "m/s"),
    "VelocityMagnitude": ("velocity magnitude", "m/s"),
    "FlowAngle": ("absolute flow angle", "deg"),
    "FlowAngleRelative": ("relative flow angle", "deg"),
    **vortex.QUANTITIES,
}


class Row:
    """Zones that turn together: `omega` in rad/s about +x, `pitch` in rad (0: unknown)."""

    def __init__(self, name, omega, blades, zones):
        self.name, self.omega, self.zones = name, float(omega), zones
        self.blades = int(blades or 0)
        self.pitch = 2 * np.pi / self.blades if self.blades else 0.0


def middle(c):
    """Cell centres of node coordinates [k+1, j+1, i+1]."""
    c = 0.5 * (c[1:] + c[:-1])
    c = 0.5 * (c[:, 1:] + c[:, :-1])
    return 0.5 * (c[:, :, 1:] + c[:, :, :-1])


class Flow:
    """case: a Case, or None for the effective.yaml beside the snapshot, with the values that the snapshot itself
    records; gas: a Gas in its place.

    reference   (p, T) where the entropy is zero: total state of the first inlet, else 101325 Pa and
                288.15 K
    """

    def __init__(self, path, case=None, gas=None):
        self.file = File(path)
        beside = os.path.join(os.path.dirname(os.path.abspath(path)), "effective.yaml")
        if case is None:
            case = Case.read(beside) if os.path.exists(beside) else Case()
            case.update_of_record(self.file.record())
        self.case = case
        self.gas = gas or Gas.of_case(self.case)
        self.rows = self._rows()
        self.reference = self._reference()

    @property
    def zones(self):
        return self.file.zones

    def _rows(self):
        left, rows = list(self.file.zones), []
        for name, keys in (self.case.get("rows") or {}).items():
            patterns = keys.get("zones", ["*"])
            mine = [z for z in left if any(fnmatch.fnmatchcase(z.name, p) for p in patterns)]
            left = [z for z in left if z not in mine]
            omega = keys.get("omega", keys.get("rpm", 0) * np.pi / 30)
            rows.append(Row(name, omega, keys.get("blades"), mine))
        for omega in sorted({z.omega() for z in left}):  # what the case does not name turns as the file says
            mine = [z for z in left if z.omega() == omega]
            rows.append(Row("flow" if omega == 0 else f"omega {omega:g}", omega, 0, mine))
        for row in rows:
            if row.zones and not row.pitch:
                row.pitch = self._pitch(row.zones)
                # angles of CGNS files are of single precision; a whole number of blades is exact
                count = 2 * np.pi / row.pitch if row.pitch else 0
                if count and abs(count - round(count)) < 1e-3:
                    row.blades, row.pitch = round(count), 2 * np.pi / round(count)
        return [row for row in rows if row.zones]

    def _pitch(self, zones):
        periodic = next((p for p in (z.periodic() for z in zones) if p), None) or self.file.periodic()
        return float(np.abs(periodic[1]).max()) if periodic else 0.0

    def _reference(self):
        for keys in (self.case.get("boundaries") or {}).values():
            if isinstance(keys, dict) and keys.get("type") == "inlet_total" and keys.get("p0"):
                return float(keys["p0"]), float(keys.get("T0", 288.15))
        return 101325.0, 288.15

    def row_of(self, zone):
        return next(row for row in self.rows if zone in row.zones)

    def nodes(self, zone):
        """x, r, theta of the nodes in m and rad; theta has no jumps inside the zone."""
        x, y, z = zone.nodes()
        theta = np.arctan2(z, y)
        for axis in (2, 1, 0):
            theta = np.unwrap(theta, axis=axis)
        return x, np.hypot(y, z), theta

    def primitive(self, zone):
        """rho, [u, v, w], p, T of the cells."""
        rho = zone.stored("Density")
        momentum = [zone.stored("Momentum" + axis) for axis in "XYZ"]
        energy = zone.stored("EnergyStagnationDensity")
        if rho is None or energy is None or any(m is None for m in momentum):
            raise InputError(f"{self.file.path}: zone {zone.name} does not hold the conserved variables")
        velocity = [m / rho for m in momentum]
        e = energy / rho - 0.5 * sum(v * v for v in velocity)
        T = self.gas.temperature_of_energy(e)
        return rho, velocity, rho * self.gas.R * T, T

    def field(self, zone, name):
        """A quantity of QUANTITIES, or a field of the file, in the cells of a zone."""
        if name not in QUANTITIES:
            return zone.field(name)
        rho, (u, v, w), p, T = self.primitive(zone)
        x, y, z = (middle(c) for c in zone.nodes())
        if name in vortex.QUANTITIES:
            return vortex.quantity(name, (x, y, z), (u, v, w))
        r = np.maximum(np.hypot(y, z), 1e-30)
        omega = self.row_of(zone).omega
        vr, vt = (v * y + w * z) / r, (w * y - v * z) / r
        wt, meridional = vt - omega * r, np.hypot(u, vr)
        speed2, relative2 = meridional**2 + vt**2, meridional**2 + wt**2
        simple = {
            "Density": rho, "Pressure": p, "Temperature": T, "VelocityX": u, "VelocityRadius": vr,
            "VelocityTheta": vt, "VelocityThetaRelative": wt, "VelocityMeridional": meridional,
        }
        if name in simple:
            return simple[name]
        if name in ("Mach", "MachRelative"):
            return np.sqrt(speed2 if name == "Mach" else relative2) / self.gas.sound_speed(T)
        if name == "VelocityMagnitude":
            return np.sqrt(speed2)
        if name == "Entropy":
            return self.gas.entropy(p, T, *self.reference)
        if name.startswith("FlowAngle"):
            return np.degrees(np.arctan2(wt if name.endswith("Relative") else vt, meridional))
        total = self.gas.stagnation(p, T, relative2 if name.endswith("Relative") else speed2)
        return total[0 if name.startswith("Pressure") else 1]

    def unit(self, name):
        """Of a quantity of QUANTITIES; "" for others and for those without one."""
        unit = QUANTITIES.get(name, ("", ""))[1]
        return "" if unit == "-" else unit

    def label(self, name):
        """Text for an axis, with the unit."""
        if name not in QUANTITIES:
            return name
        text, unit = QUANTITIES[name]
        return text if unit == "-" else f"{text} ({unit.replace('m3', 'm$^3$')})"

    def volume(self, zone):
        """Of the cells, m3: the integral of r dr dtheta dx by the corners' triple product."""
        x, r, theta = self.nodes(zone)
        y, z = r * np.cos(theta), r * np.sin(theta)
        c = np.stack([x, y, z])
        edges = []
        for axis in (3, 2, 1):
            d = np.diff(c, axis=axis)
            for other in {1, 2, 3} - {axis}:
                low = [slice(None)] * 4
                high = [slice(None)] * 4
                low[other], high[other] = slice(None, -1), slice(1, None)
                d = 0.5 * (d[tuple(low)] + d[tuple(high)])
            edges.append(d)
        return np.abs(np.einsum("akji,akji->kji", edges[0], np.cross(edges[1], edges[2], axis=0)))
