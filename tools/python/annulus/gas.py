"""The working gas: constant cp, or cp(T) as a polynomial in T that is constant beyond its range.

Enthalpy h(T) and the entropy function s0(T), in J/kg and J/(kg K), are measured from T = 0 and from
T_ref. Isentropes: s0(T) - R ln p is constant.
"""
import numpy as np

from .case import number
from .errors import InputError

T_REF = 273.15


class Unread:
    """A gas from a table (gas.table) or a mixture (gas.fraction), which this package does not read yet: what needs the
    gas says so."""

    def __init__(self, what):
        self._what = what

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise InputError(f"the gas of this flow is {self._what}, which the Python package does not read yet; "
                         "take fields that the snapshot holds")


class Gas:
    """gamma and R, or `cp` (coefficients of T^0, T^1, ...) with `T_range` in K and R."""

    def __init__(self, R=287.05, gamma=1.4, cp=None, T_range=None):
        self.R, self.gamma = float(R), float(gamma)
        if not self.R > 0 or not self.gamma > 1 or (T_range and len(T_range) != 2):
            raise InputError(f"a gas has R > 0, gamma > 1 and a T_range of two temperatures, not {R}, {gamma} and {T_range}")
        self.coefficients = None if not cp else np.asarray(cp, float)
        self.range = tuple(T_range) if T_range else (200.0, 2500.0)

    @classmethod
    def of_case(cls, case):
        gas = case.section("gas")
        if gas.get("table"):
            return Unread("a table (gas.table)")
        if gas.get("fraction"):
            return Unread("a mixture (gas.fraction)")
        known = {name: number(gas[name], "gas." + name) for name in ("R", "gamma") if gas.get(name)}
        for name in ("cp", "T_range"):
            if gas.get(name):
                known[name] = [number(v, "gas." + name) for v in (gas[name] if isinstance(gas[name], list) else [gas[name]])]
        return cls(**known)

    def cp(self, T):
        if self.coefficients is None:
            return np.full_like(np.asarray(T, float), self.gamma * self.R / (self.gamma - 1))
        return np.polynomial.polynomial.polyval(np.clip(T, *self.range), self.coefficients)

    def _integral(self, T, over_T):
        """Integral of cp dT, or of cp / T dT, from T_REF to T."""
        c, (low, high) = self.coefficients, self.range
        n = np.arange(len(c))

        def primitive(t):
            if not over_T:
                return np.polynomial.polynomial.polyval(t, np.append(0, c / (n + 1)))
            return c[0] * np.log(t) + np.polynomial.polynomial.polyval(t, np.append(0, c[1:] / n[1:]))

        def beyond(t):  # cp is constant below and above the range
            inside = np.clip(t, low, high)
            edge = np.polynomial.polynomial.polyval(inside, c)
            return edge * (np.log(t / inside) if over_T else t - inside) + primitive(inside)

        return beyond(np.asarray(T, float)) - beyond(np.asarray(T_REF))

    def enthalpy(self, T):
        """J/kg; with constant cp: cp T."""
        if self.coefficients is None:
            return self.cp(T) * T
        return self._integral(T, False) + self.cp(np.asarray(T_REF)) * T_REF

    def entropy_function(self, T):
        """s0(T), J/(kg K)."""
        if self.coefficients is None:
            return self.cp(T) * np.log(np.asarray(T, float) / T_REF)
        return self._integral(T, True)

    def temperature(self, h):
        """T of an enthalpy, by Newton's iteration."""
        T = np.asarray(h, float) / self.cp(np.asarray(T_REF))
        if self.coefficients is None:
            return T
        T = np.maximum(T, 10.0)
        for _ in range(30):
            step = (self.enthalpy(T) - h) / self.cp(T)
            T = np.maximum(T - step, 10.0)
            if np.max(np.abs(step), initial=0) < 1e-9 * np.max(T, initial=1):
                break
        return T

    def temperature_of_energy(self, e):
        """T of an internal energy e = h - R T, by Newton's iteration."""
        cv = self.cp(np.asarray(T_REF)) - self.R
        T = np.asarray(e, float) / cv
        if self.coefficients is None:
            return T
        T = np.maximum(T, 10.0)
        for _ in range(30):
            step = (self.enthalpy(T) - self.R * T - e) / (self.cp(T) - self.R)
            T = np.maximum(T - step, 10.0)
            if np.max(np.abs(step), initial=0) < 1e-9 * np.max(T, initial=1):
                break
        return T

    def sound_speed(self, T):
        cp = self.cp(T)
        return np.sqrt(cp / (cp - self.R) * self.R * T)

    def stagnation(self, p, T, speed2):
        """(p0, T0) where the stream of this speed squared comes to rest without loss."""
        T0 = self.temperature(self.enthalpy(T) + 0.5 * speed2)
        return p * np.exp((self.entropy_function(T0) - self.entropy_function(T)) / self.R), T0

    def entropy(self, p, T, p_ref, T_ref):
        """Above that of the state p_ref, T_ref."""
        rise = self.entropy_function(T) - self.entropy_function(np.asarray(T_ref, float))
        return rise - self.R * np.log(p / p_ref)
