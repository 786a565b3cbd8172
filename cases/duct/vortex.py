#!/usr/bin/env python3
"""The free vortex of this case: writes the inlet's profile, and compares snapshots with the exact flow.

    vortex.py profile                        inlet.csv
    vortex.py compare flow_*.cgns ...        largest and mean errors of each, and their order
    vortex.py compare ... --png duct.png     and the flow of the last along the span
"""
import os
import sys

import numpy

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools", "python", "annulus"))
from errors import program, reading  # noqa: E402

INNER, OUTER, K, UX, T1, P1, GAMMA, R = 0.5, 1.0, 60.0, 100.0, 300.0, 1e5, 1.4, 287.05
CP = R * GAMMA / (GAMMA - 1)


def exact(r):
    """Pressure (Pa), tangential velocity (m/s)."""
    vt = K / r
    T = T1 - (vt**2 - K**2) / (2 * CP)
    return P1 * (T / T1) ** (GAMMA / (GAMMA - 1)), vt


def profile():
    T0 = T1 + (K**2 + UX**2) / (2 * CP)
    p0 = P1 * (T0 / T1) ** (GAMMA / (GAMMA - 1))
    r = INNER + (OUTER - INNER) * numpy.arange(801) / 800
    with open("inlet.csv", "w") as f:
        f.write("# free vortex, r Vt = 60 m2/s, Vx = 100 m/s\nradius_m,p0_Pa,T0_K,swirl_deg\n")
        for at in r:
            f.write(f"{at:.9g},{p0:.12g},{T0:.12g},{numpy.degrees(numpy.arctan(K / at / UX)):.12g}\n")
    print(f"outlet: p at the hub {exact(INNER)[0]:.10g} Pa; inlet: p0 {p0:.10g} Pa, T0 {T0:.10g} K")


def centres(x):
    return 0.125 * sum(x[a : a + x.shape[0] - 1, b : b + x.shape[1] - 1, c : c + x.shape[2] - 1]
                       for a in (0, 1) for b in (0, 1) for c in (0, 1))


def read(path):
    """Radius, pressure over the exact, tangential velocity less the exact, of cells [k][j][i]."""
    import h5py

    grid = os.path.join(os.path.dirname(path), "grid.cgns")
    with reading(grid), h5py.File(grid) as f:
        x, y, z = (centres(f[f"Base/duct/GridCoordinates/Coordinate{c}/ data"][...]) for c in "XYZ")
    with reading(path), h5py.File(path) as f:
        zone = f["Base/duct"]
        rho, mx, my, mz, e = (zone[f"FlowSolution/{n}/ data"][...].astype(float) for n in (
            "Density", "MomentumX", "MomentumY", "MomentumZ", "EnergyStagnationDensity"))
    p = (GAMMA - 1) * (e - 0.5 * (mx**2 + my**2 + mz**2) / rho)
    r = numpy.hypot(y, z)
    return x, r, p, (mz * y - my * z) / (rho * r), mx / rho


def compare(paths, png):
    last = None
    print("cells        p: largest, mean      Vt: largest, mean    Vx: largest, mean   (over p, 60, 100 m/s)")
    for path in paths:
        x, r, p, vt, vx = read(path)
        pe, vte = exact(r)
        errors = [abs(p / pe - 1), abs(vt - vte) / K, abs(vx - UX) / UX]
        figures = [v for e in errors for v in (e.max(), e.mean())]
        orders = "" if last is None else "   orders " + " ".join(f"{numpy.log2(a / b):.2f}" for a, b in zip(last, figures))
        print(f"{p.shape[2]:4d} x {p.shape[1]:4d}  " + "  ".join(f"{v:.2e}" for v in figures) + orders)
        last = figures
    if not png:
        return
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(11, 3.6))
    i = p.shape[2] // 2
    rr = numpy.linspace(INNER, OUTER, 200)
    for axis, value, of, name in ((axes[0], p / 1e5, exact(rr)[0] / 1e5, "p, bar"),
                                  (axes[1], vt, exact(rr)[1], "tangential velocity, m/s")):
        axis.plot(of, rr, "-", color="0.6", lw=3, label="exact")
        axis.plot(value[0, :, i], r[0, :, i], ".", ms=4, label="computed, middle of the duct")
        axis.set_xlabel(name)
        axis.set_ylabel("r, m")
    axes[0].legend(fontsize=8)
    shown = axes[2].pcolormesh(x[0], r[0], 1e4 * (p / exact(r)[0] - 1)[0], cmap="RdBu_r", shading="nearest")
    figure.colorbar(shown, ax=axes[2], label="p over exact, less 1, 1e-4")
    axes[2].set_xlabel("x, m")
    figure.tight_layout()
    figure.savefig(png, dpi=110)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    picture = None
    if "--png" in arguments:
        n = arguments.index("--png")
        picture = arguments[n + 1] if n + 1 < len(arguments) else None
        del arguments[n : n + 2]
    with program("vortex.py"):
        if arguments[:1] == ["profile"]:
            profile()
        elif arguments[:1] == ["compare"] and len(arguments) > 1 and (picture or "--png" not in sys.argv):
            compare(arguments[1:], picture)
        else:
            print(__doc__, file=sys.stderr)
            sys.exit(2)
