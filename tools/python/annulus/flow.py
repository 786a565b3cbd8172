"""A snapshot as a flow: its gas, its rows, and every quantity that turbomachinery asks for.

Cell values, [k, j, i] of the file for zones of Flow.zones and Row.zones, [span, j, i] from hub to casing for those of
Row.layers. Velocities are absolute unless their name says Relative; theta grows from y to
z around the axis x.
"""
import fnmatch
import os

import numpy as np

from .case import Case, number
from .cells import middle
from .cgns import File
from .channel import Channel
from .errors import InputError
from .exchange import to_pyvista
from .gas import Gas
from .order import is_closed, of_annulus, of_plane, plane_axes
from .si import RPM
from . import vortex

CLOSED = ("wall_slip", "wall_viscous", "symmetry")  # types of boundaries of the case that nothing flows through

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
    """Zones that turn together: `omega` in rad/s about +x, `pitch` of its blades in rad (0: unknown), `sector`: the
    angle in rad that is meshed, `passages` in it, `turned`: the angle in rad by which the row stands beyond its place
    in the mesh (rows at sliding planes in unsteady runs). layers: the zones with their arrays in the order of the span
    (see order)."""

    def __init__(self, name, omega, blades, zones):
        self.name, self.omega, self.zones = name, float(omega), zones
        self.blades = int(blades or 0)
        self.pitch = 2 * np.pi / self.blades if self.blades else 0.0
        self.sector, self.passages, self.turned = self.pitch, 1, 0.0
        self.orders_of_flow = self.span = None  # span: what span.span_of_row has found

    @property
    def layers(self):
        orders = self.orders_of_flow()
        return [zone.ordered(orders[zone.name]) for zone in self.zones]


def flow_of(snapshot):
    """The Flow of a snapshot that is given by its path; a Flow stays as it is."""
    return snapshot if isinstance(snapshot, Flow) else Flow(snapshot)


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
        self._channel = self._orders = self._in_order = self.row_ends = None  # row_ends: what station.row_ends has found
        self.rows = self._rows()
        self.reference = self._reference()

    @property
    def zones(self):
        return self.file.zones

    def _rows(self):
        left, rows = list(self.file.zones), []
        for name, keys in self.case.section("rows").items():
            patterns = keys.get("zones", ["*"])
            patterns = [str(p) for p in (patterns if isinstance(patterns, list) else [patterns])]
            mine = [z for z in left if any(fnmatch.fnmatchcase(z.name, p) for p in patterns)]
            left = [z for z in left if z not in mine]
            rpm, omega = (number(keys.get(k, 0), f"rows.{name}.{k}") for k in ("rpm", "omega"))
            rows.append(Row(name, omega if "omega" in keys else rpm * RPM, number(keys.get("blades") or 0, f"rows.{name}.blades"), mine))
        for omega in sorted({z.omega() for z in left}):  # what the case does not name turns as the file says
            mine = [z for z in left if z.omega() == omega]
            rows.append(Row("flow" if omega == 0 else f"omega {omega:g}", omega, 0, mine))
        rows = [row for row in rows if row.zones]
        for row in rows:
            row.orders_of_flow = self.orders
            row.sector = self._sector(row)
            row.pitch = row.pitch or row.sector
            row.blades = row.blades or (round(2 * np.pi / row.pitch) if row.pitch else 0)
            row.passages = max(1, round(row.sector / row.pitch)) if row.pitch else 1
            if row.sector:
                turned = row.omega * self._time_of_turning()
                row.turned = turned - row.sector * np.round(turned / row.sector)
        return rows

    def _sector(self, row):
        """The angle that the zones of a row cover before they repeat."""
        periodic = next((p for p in (z.periodic() for z in row.zones) if p), None)
        if periodic is None and not row.pitch:
            periodic = self.file.periodic()
        angle = float(np.abs(periodic[1]).max()) if periodic else 0.0
        if angle:  # angles of CGNS files are of single precision; a whole number of sectors is exact
            count = 2 * np.pi / angle
            return 2 * np.pi / round(count) if abs(count - round(count)) < 1e-3 else angle
        if not row.pitch:
            return 0.0
        theta = np.sort(np.concatenate([np.mod(self.nodes(z)[2].ravel(), 2 * np.pi) for z in row.zones]))
        gap = max(np.diff(theta).max(initial=0), 2 * np.pi - theta[-1] + theta[0])
        return 2 * np.pi if gap < np.radians(5) else row.pitch

    def _time_of_turning(self):
        """Time in s for which the rows of the snapshot have turned past each other at sliding planes."""
        values = self.file.controls()
        time = values.get("sliding.steps", 0) * values.get("sliding.step", 0) + values.get("sliding.rest", 0)
        rate = values.get("sliding.rate0", 0)
        return time + (values.get("sliding.begin0", 0) / rate if rate else 0)

    def orders(self):
        """Zone name -> order.Order: which way the span runs in the arrays of the file."""
        if self._orders is None:
            periodic = self.file.periodic()
            if periodic and np.any(periodic[0]) and not np.any(periodic[1]):
                axes = plane_axes(self.file)
                self._orders = {zone.name: of_plane(zone, axes) for zone in self.zones}
            else:
                self._orders = of_annulus(self.zones, self.is_closed, self.velocity)
        return self._orders

    @property
    def layers(self):
        """Row.layers of all rows."""
        return [zone for row in self.rows for zone in row.layers]

    def is_closed(self, patch):
        """Does nothing flow through a boundary? As the case says, or else the file."""
        for name, keys in self.case.section("boundaries").items():
            if fnmatch.fnmatchcase(patch.family, str(name)) and keys.get("type"):
                return keys["type"] in CLOSED
        return is_closed(patch)

    def velocity(self, zone):
        """u, v, w of the cells; None where the file does not hold the density and the momentum."""
        fields = [zone.stored(name) for name in ("Density", "MomentumX", "MomentumY", "MomentumZ")]
        return None if any(f is None for f in fields) else [m / fields[0] for m in fields[1:]]

    @property
    def channel(self):
        """The duct in the plane of x and r (channel.Channel)."""
        if self._channel is None:
            self._channel = Channel(self)
        return self._channel

    def _reference(self):
        for name, keys in self.case.section("boundaries").items():
            if keys.get("type") == "inlet_total" and keys.get("p0"):
                return number(keys["p0"], f"boundaries.{name}.p0"), number(keys.get("T0", 288.15), f"boundaries.{name}.T0")
        return 101325.0, 288.15

    def in_order(self):
        """The rows in the order of the flow: by the mean place of their zones between the inlet and the outlet of the duct.
        Flow.rows has them as the case lists them."""
        if self._in_order is None:
            several = self.rows if len(self.rows) > 1 else []
            places = {row.name: np.mean([self.channel.place_of_layer(zone).mean() for zone in row.layers]) for row in several}
            self._in_order = sorted(self.rows, key=lambda row: places.get(row.name, 0))
        return list(self._in_order)

    def row_of(self, zone):
        return next(row for row in self.rows if any(zone.name == z.name for z in row.zones))

    def nodes(self, zone):
        """x, r, theta of the nodes in m and rad; theta has no jumps inside the zone."""
        order = None if zone.order is None else (zone.order.axes, zone.order.flips)
        return self.file.kept(("cylindrical", zone.name, order), lambda: self._cylindrical(zone))

    @staticmethod
    def _cylindrical(zone):
        x, y, z = zone.nodes()
        theta = np.arctan2(z, y)
        for axis in (2, 1, 0):
            if np.abs(np.diff(theta, axis=axis)).max(initial=0) > np.pi:
                theta = np.unwrap(theta, axis=axis)
        return [x, np.hypot(y, z), theta]

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

    def to_pyvista(self, fields=("Pressure", "MachRelative"), copies=1):
        """exchange.to_pyvista of this flow."""
        return to_pyvista(self, fields, copies)

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
