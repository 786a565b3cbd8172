"""Velocity gradients and what is made of them: vorticity, Q and lambda2 of the absolute velocity.

    Q       = (|Omega|^2 - |S|^2) / 2, of the antisymmetric and the symmetric part of grad V; vortices: Q > 0
    lambda2 = the middle eigenvalue of S^2 + Omega^2; vortices: lambda2 < 0   (Jeong and Hussain, JFM 285, 1995)
"""
import numpy as np

QUANTITIES = {
    "VorticityX": ("vorticity along x", "1/s"),
    "VorticityMagnitude": ("vorticity", "1/s"),
    "QCriterion": ("Q", "1/s2"),
    "Lambda2": (r"$\lambda_2$", "1/s2"),
}


def differences(a):
    """Along i, j, k, of second order where there are three cells; 0 across a single layer. [3, k, j, i]"""
    found = []
    for axis in (2, 1, 0):
        n = a.shape[axis]
        found.append(np.zeros_like(a) if n == 1 else np.gradient(a, axis=axis, edge_order=2 if n > 2 else 1))
    return np.stack(found)


def gradient(centres, velocity):
    """dV_a / dx_b, [k, j, i, a, b], by the chain rule on the centres of cells. A direction with a single layer
    of cells counts as one in which nothing changes."""
    jacobian = np.moveaxis(np.stack([differences(c) for c in centres]), (0, 1), (-2, -1))  # dx_b / dxi_m
    for m, n in enumerate(centres[0].shape[::-1]):
        if n == 1:
            others = [jacobian[..., o] for o in range(3) if o != m]
            normal = np.cross(*others)
            jacobian[..., m] = normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-300)
    change = np.moveaxis(np.stack([differences(v) for v in velocity]), (0, 1), (-2, -1))  # dV_a / dxi_m
    return change @ np.linalg.inv(jacobian)


def quantity(name, centres, velocity):
    """One of QUANTITIES, [k, j, i]."""
    g = gradient(centres, velocity)
    if name.startswith("Vorticity"):
        curl = np.stack([g[..., 2, 1] - g[..., 1, 2], g[..., 0, 2] - g[..., 2, 0], g[..., 1, 0] - g[..., 0, 1]], -1)
        return curl[..., 0] if name.endswith("X") else np.linalg.norm(curl, axis=-1)
    s, o = 0.5 * (g + np.swapaxes(g, -1, -2)), 0.5 * (g - np.swapaxes(g, -1, -2))
    if name == "QCriterion":
        return 0.5 * ((o * o).sum((-2, -1)) - (s * s).sum((-2, -1)))
    return np.linalg.eigvalsh(s @ s + o @ o)[..., 1]
