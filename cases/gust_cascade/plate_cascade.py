"""Linear theory of a cascade of flat plates in subsonic flow: unsteady lift and sound.

Plates of chord 1 stand in a uniform stream of speed 1 and density 1 along their chords. Plate n has its leading edge at
n s (sin xi, cos xi) in the coordinates (x along the chord, y normal to it); the axial direction is (cos xi, -sin xi), and
the row runs along (sin xi, cos xi). All vary as exp(i (lambda t + n sigma)).

Each plate is a line of forces normal to it (pressure dipoles). The field of a row of such forces is a sum of waves
exp(i (alpha_r a + beta_r eta)), a axial and eta along the row, beta_r = (sigma + 2 pi r) / s: two sound waves, one of
which goes upstream and one downstream, and a wave of vorticity, which the flow carries along. The upwash that the forces
induce on the chord has to cancel that of the gust: an integral equation with a logarithmic kernel, which is solved by
collocation at n Chebyshev points. This is the method of Smith (1972) and Whitehead (1987); the program is our own.
"""
import numpy as np
from numpy import pi

FITTED = 7  # waves that leave the row in the fit of Cascade.split; prepare puts eight probes across a pitch


class Cascade:
    """mach; stagger xi, rad; spacing s; reduced frequency lambda = omega c / U; phase sigma, rad, of plate n + 1 before n."""

    def __init__(self, mach, stagger, spacing, frequency, phase, n=20):
        self.cos, self.sin = np.cos(stagger), np.sin(stagger)
        self.mach, self.spacing, self.frequency, self.n = mach, spacing, frequency, n
        most = int(60 + n * n * spacing / self.cos)
        self.r = np.arange(-most, most + 1)
        self.beta = (phase + 2 * pi * self.r) / spacing
        self._find_waves()
        self._find_amplitudes()
        at = np.arange(n)
        self.forces_at = 0.5 * (1 - np.cos(pi * at / n))
        self.points = 0.5 * (1 - np.cos(pi * (at + 0.5) / n))
        self.kernel = self._kernel()

    def _find_waves(self):
        """Axial wave numbers of sound upstream and downstream, and of vorticity. The branches are those that decay away
        from the row if the frequency has a small negative imaginary part."""

        def both(frequency):
            b, q = frequency + self.sin * self.beta, 1 / self.mach**2 - self.cos**2
            root = np.sqrt(((b**2 - q * self.beta**2) / self.mach**2).astype(complex))
            return (self.cos * b + root) / q, (self.cos * b - root) / q

        plus, minus = both(self.frequency * (1 - 1e-7j))
        behind = np.where(plus.imag > 0, plus, minus)
        ahead = np.where(plus.imag > 0, minus, plus)
        self.cut_on = abs(plus.imag) < 1e-3 * (1 + abs(plus))
        plus, minus = both(self.frequency + 0j)
        nearest = lambda a: np.where(abs(plus - a) < abs(minus - a), plus, minus)
        self.ahead, self.behind = nearest(ahead), nearest(behind)
        self.vortical = -(self.frequency + self.sin * self.beta) / self.cos

    def _find_amplitudes(self):
        """Waves of a row of unit forces: jumps of mass, axial and tangential momentum across the row."""
        cos, sin, beta, c2 = self.cos, self.sin, self.beta, 1 / self.mach**2
        rate = [self.frequency + cos * a + sin * beta for a in (self.ahead, self.behind)]
        m = np.zeros((len(beta), 3, 3), complex)
        m[:, 0, 0], m[:, 0, 1], m[:, 0, 2] = self.ahead / rate[0] - cos / c2, cos / c2 - self.behind / rate[1], beta
        m[:, 1, 0], m[:, 1, 1] = cos * self.ahead / rate[0] - 1, 1 - cos * self.behind / rate[1]
        m[:, 1, 2] = cos * beta
        m[:, 2, 0], m[:, 2, 1], m[:, 2, 2] = cos * beta / rate[0], -cos * beta / rate[1], -cos * self.vortical
        force = np.zeros((len(beta), 3), complex)
        force[:, 1], force[:, 2] = -sin / self.spacing, cos / self.spacing
        self.p_ahead, self.p_behind, vorticity = np.linalg.solve(m, force[:, :, None])[:, :, 0].T
        self.up_ahead = self.p_ahead * (self.ahead * sin - beta * cos) / rate[0]
        self.up_behind = self.p_behind * (self.behind * sin - beta * cos) / rate[1]
        self.up_vortical = vorticity * (-beta * sin - self.vortical * cos)

    def _sum_vortical(self):
        """The sum over all r of terms that fall as 1/r^2, extrapolated."""
        part = [np.sum(self.up_vortical[abs(self.r) <= self.r[-1] // k]) for k in (4, 2, 1)]
        first, second = 2 * part[1] - part[0], 2 * part[2] - part[1]
        return second + (second - first) / 3

    def _kernel(self):
        """Upwash at the points of unit forces. The sum over r leaves a logarithm, whose quadrature is known."""
        along = [a * self.cos + self.beta * self.sin for a in (self.ahead, self.behind)]
        vortical, kernel = self._sum_vortical(), np.empty((self.n, self.n), complex)
        for i in range(self.n):
            for j in range(self.n):
                d = self.points[i] - self.forces_at[j]
                kernel[i, j] = (np.sum(self.up_ahead * np.exp(1j * along[0] * d)) if d < 0 else
                                np.sum(self.up_behind * np.exp(1j * along[1] * d)) +
                                vortical * np.exp(-1j * self.frequency * d))
        most = self.r[-1]
        strength = -sum((self.up_behind[most + sign * (most // 2)] - self.up_behind[most + sign * most]) * most
                        for sign in (1, -1))
        k, at = np.arange(1, self.n), np.arange(self.n)
        exact = np.log(0.25) - 2 * np.einsum("ik,jk,k->ij", np.cos(np.outer(pi * (at + 0.5) / self.n, k)),
                                             np.cos(np.outer(pi * at / self.n, k)), 1 / k)
        return kernel + strength * (exact - np.log(abs(self.points[:, None] - self.forces_at[None, :])))

    def gust(self):
        """Lift forces on the points forces_at for the upwash exp(-i lambda x) of a gust that the flow carries along."""
        return np.linalg.solve(self.kernel, np.exp(-1j * self.frequency * self.points))

    def lift(self, forces):
        """L / (pi rho U c w) of plate 0, w the upwash"""
        return np.sum(forces) / pi

    def moment(self, forces):
        """M / (pi rho U c^2 w) about the leading edge, positive nose down"""
        return np.sum(forces * self.forces_at) / pi

    def sound(self, forces, upstream):
        """[(r, p / (rho U w), alpha c)] of the waves that do not decay; p at the leading edge of plate 0."""
        alpha, p = (self.ahead, self.p_ahead) if upstream else (self.behind, self.p_behind)
        found = []
        for q in np.nonzero(self.cut_on & (abs(self.r) < 6))[0]:
            along = alpha[q] * self.cos + self.beta[q] * self.sin
            found.append((int(self.r[q]), p[q] * np.sum(-forces * np.exp(-1j * along * self.forces_at)), alpha[q].real))
        return found

    def split(self, x, eta, pressure, upstream):
        """Complex amplitudes of the waves in the pressure at probes on one side, by one least-squares fit of all of them:
        {r: (of the wave that leaves the row, of the one that comes back)} of the waves that do not decay; at the leading
        edge of plate 0, as `sound` has them. The slowest of the waves that decay away from the row take part in the fit."""
        away, back = (self.ahead, self.behind) if upstream else (self.behind, self.ahead)
        sounding = [q for q in np.nonzero(self.cut_on & (abs(self.r) < 6))[0]]
        decay = np.where(self.cut_on, np.inf, abs(away.imag))
        fading = [q for q in np.argsort(decay)[: max(0, FITTED - len(sounding))] if np.isfinite(decay[q])]
        origin = x[np.argmin(abs(x))]  # waves that decay are of order 1 at the nearest probes

        def waves(alpha, which):
            return np.exp(1j * (np.outer(x - origin, alpha[which]) + np.outer(eta, self.beta[which])))

        matrix = np.hstack([waves(away, sounding + fading), waves(back, sounding)])
        if matrix.shape[0] < matrix.shape[1]:
            raise ValueError(f"{matrix.shape[0]} probes are too few for {matrix.shape[1]} waves")
        found = np.linalg.lstsq(matrix, pressure, rcond=None)[0]
        last = len(sounding) + len(fading)
        return {int(self.r[q]): (found[n] * np.exp(-1j * away[q] * origin), found[last + n] * np.exp(-1j * back[q] * origin))
                for n, q in enumerate(sounding)}
