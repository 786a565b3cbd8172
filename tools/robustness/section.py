"""Blade sections: a camber line whose angle runs from the inlet to the outlet angle, and a thickness with
two round edges."""
import math

import numpy as np

STEPS = 800


def camber(a, b, shape):
    """Points (x, y) of STEPS + 1 along a camber line of chord 1 and its angles, radians. The angle from the
    axis goes from a to b; shape 1 is a circular arc, below 1 turns early."""
    s = (np.arange(STEPS) + 0.5) / STEPS
    angle = a + (b - a) * s**shape
    x = np.concatenate([[0], np.cumsum(np.cos(angle))])
    y = np.concatenate([[0], np.cumsum(np.sin(angle))])
    size = math.hypot(x[-1], y[-1])
    return x / size, y / size, a + (b - a) * np.linspace(0, 1, STEPS + 1) ** shape


def half_thickness(s, thick, nose, tail):
    """Half of the thickness at fraction s of the camber line; largest thickness and radii over the chord."""
    front, rear = math.sqrt(2 * nose), math.sqrt(2 * tail)
    q = (thick + (front - thick) * np.exp(-s / (8 * nose + 0.01)) +
         (rear - thick) * np.exp(-(1 - s) / (8 * tail + 0.01)))
    return np.sqrt(np.maximum(s * (1 - s), 0)) * q


def loop(a, b, chord, thick, nose, tail, shape=1.0, points=100):
    """Closed loop [2 points][2] of axial and tangential coordinates, m, the middle of the chord at the
    origin; first the side in the direction of positive angles."""
    x, y, angle = camber(a, b, shape)
    fraction = 0.5 * (1 - np.cos(math.pi * np.arange(points) / points))
    sides = []
    for side in (1, -1):
        s = fraction if side > 0 else 1 - fraction
        at = s * STEPS
        grid = np.arange(STEPS + 1)
        cx, cy, ca = (np.interp(at, grid, v) for v in (x, y, angle))
        half = half_thickness(s, thick, nose, tail)
        sides.append(np.stack([cx - side * half * np.sin(ca), cy + side * half * np.cos(ca)], 1))
    points_all = np.concatenate(sides) - [0.5 * x[-1], 0.5 * y[-1]]
    return chord * points_all
