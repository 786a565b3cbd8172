"""What the patches of a grid of ember mean here: zones with boundaries and joins for mesh.write, and sections of the case file."""
import numpy as np
from ember.patch import (CoolingPatch, CuspPatch, InletPatch, InviscidPatch, MixingPatch, NonMatchPatch, NotWallPatch, OutletPatch,
                         PeriodicPatch, RotatingPatch)

from . import mesh

ENDS = ((None, None), ("hub", "casing"), ("blade", "blade"))  # names of walls by the direction and side of their face
CUSP, SLIP = "cusp", "slip"


def window(patch):
    """First and last node, [[i, j, k], [i, j, k]]."""
    return patch.ijk_lim_abs.T.copy()


def row_names(grid):
    """Index of a block -> name of its row."""
    found = {}
    for n, blocks in enumerate(grid.rows):
        for block in blocks:
            found[grid.index(block)] = f"row{n + 1}"
    return found


def check(grid):
    for n, block in enumerate(grid):
        where = f"block {n}" + (f" ('{block.label}')" if block.label else "")
        if type(block.fluid).__name__ != "PerfectFluid":
            raise ValueError(f"solver annulus: {where} has a {type(block.fluid).__name__}, which is not handed over: design with `fluid: {{type: "
                             "perfect}` whose cp and gamma are those at the mean state of the machine, or write the mesh with `write_plot3d` and "
                             "give the gas to Annulus as a table (gas.table)")
        for patch in block.patches:
            if isinstance(patch, (CoolingPatch, NonMatchPatch)):
                raise ValueError(f"solver annulus: {where} has a {type(patch).__name__}, which is not handed over")
        if not (block.vol_nd > 0).all():
            raise ValueError(f"solver annulus: {where} has cells without volume, or is left-handed")
    if len(grid.patches.outlet) != 1 and any(p.mdot_target is not None for p in grid.patches.outlet):
        raise ValueError("solver annulus: a mass flow needs a single outlet patch")


def coordinates(block, cusp):
    """[ni, nj, nk, 3] in m. cusp periodic: both sides of a cusp are moved onto each other from its second line of nodes on, and the
    nodes between them follow in proportion, so that the blunt edge closes within a cell."""
    x, r, t = (np.array(v, float) for v in (block.x, block.r, block.t))
    if cusp == "periodic" and block.patches.cusp:
        first, last = block.patches.cusp[0].ijk_lim_abs[0]
        lines = slice(first + 1, last + 1)
        share = np.linspace(0, 1, t.shape[2])
        open_by = 2 * np.pi / block.Nb - (t[lines, :, -1] - t[lines, :, 0])
        t[lines] += open_by[..., None] * (share - 0.5)
    return np.stack([x, r * np.cos(t), r * np.sin(t)], -1)


def _transform(window_here, window_there, permutation, flips):
    """CGNS: of each direction here the direction of the donor, from 1, negative where it runs the other way."""
    found = [permutation[a] + 1 for a in range(3)]
    for a in range(3):
        b = permutation[a]
        if window_here[0][a] == window_here[1][a]:
            ends = [w[0][d] > 0 for w, d in ((window_here, a), (window_there, b))]
            if ends[0] == ends[1]:
                found[a] = -found[a]
        elif a in flips:
            found[a] = -found[a]
    return found


def _ordered(window_there, permutation, flips):
    """The donor's window with its ends in the order of those of the window here."""
    ordered = window_there.copy()
    for a in range(3):
        if a in flips:
            b = permutation[a]
            ordered[:, b] = ordered[::-1, b]
    return ordered


def _angle(here, there, blades):
    """Angle about x, rad, from the patch here onto the other: a pitch, or none within a passage."""
    middle = [float(np.mean(p.block.t[tuple(slice(lo, hi + 1) for lo, hi in p.ijk_lim_abs)], dtype=float)) for p in (here, there)]
    pitch = 2 * np.pi / blades
    return pitch * round((middle[1] - middle[0]) / pitch)


def _joins(grid, block, names):
    pairs, found, n = grid.connectivity.periodic.pair(), [], grid.index(block)
    for p, patch in enumerate(block.patches):
        if not isinstance(patch, PeriodicPatch):
            continue
        if (n, p) not in pairs:
            raise ValueError(f"solver annulus: periodic patch {p} of block {n} has no partner")
        (other, q), (permutation, flips) = pairs[n, p]
        there = grid[other].patches[q]
        windows = window(patch), window(there)
        found.append((windows[0], names[other], _ordered(windows[1], permutation, flips),
                      _transform(*windows, permutation, flips), _angle(patch, there, block.Nb)))
    return found


def _cusp_joins(block, name):
    """Both sides of the cusps of a block, which lie on each other from the second line of nodes on."""
    found = []
    for patch in block.patches.cusp:
        for other in block.patches.cusp:
            if other is not patch:
                here, there = window(patch), window(other)
                here[0][0] = there[0][0] = here[0][0] + 1
                angle = 2 * np.pi / block.Nb * (1 if there[0][2] > here[0][2] else -1)
                found.append((here, name, there, [1, 2, 3], angle))
    return found


def zones(grid, cusp):
    """Zones for mesh.write: (name, row, xyz, patches, joins) of each block; walls are what no patch covers."""
    rows, names = row_names(grid), [f"block{n + 1}" for n in range(len(grid))]
    stations = {}
    for n, (up, down) in enumerate(grid.row_station_bid_pid):
        stations.update({key: f"row{n + 1}_in" for key in up})
        stations.update({key: f"row{n + 1}_out" for key in down})
    found = []
    for n, block in enumerate(grid):
        row, patches, covered = rows[n], [], []
        joins = _joins(grid, block, names) + (_cusp_joins(block, names[n]) if cusp == "periodic" else [])
        covered += [join[0] for join in joins]
        for p, patch in enumerate(block.patches):
            kind = {InletPatch: "BCInflowSubsonic", OutletPatch: "BCOutflowSubsonic", MixingPatch: "UserDefined"}.get(type(patch))
            if kind:
                name = {InletPatch: "inlet", OutletPatch: "outlet"}.get(type(patch)) or stations[n, p]
                patches.append((name, kind, window(patch)))
                covered.append(window(patch))
        patches += _walls(block, row, covered)
        found.append(dict(name=names[n], row=row, xyz=coordinates(block, cusp), patches=patches, joins=joins))
    return found


def _inside(part, whole):
    return bool(np.all(part[0] >= whole[0]) and np.all(part[1] <= whole[1]))


def _walls(block, row, covered):
    """Walls, in parts where a patch says what they are: slip walls, cusps, walls at a speed of their own."""
    found, covered = [], list(covered)
    for patch in block.patches:
        name = f"{row}_{CUSP}" if isinstance(patch, CuspPatch) else None
        name = f"{row}_{SLIP}" if isinstance(patch, (InviscidPatch, NotWallPatch)) else name
        name = f"{row}_at_{float(patch.Omega):.6g}" if isinstance(patch, RotatingPatch) else name
        if name is None:
            continue
        kind = "BCWallViscous" if isinstance(patch, RotatingPatch) else "BCWallInviscid"
        whole = window(patch)
        for _, _, part in mesh.walls(block.shape, covered):
            low, high = np.maximum(part[0], whole[0]), np.minimum(part[1], whole[1])
            flat = [d for d in range(3) if whole[0][d] == whole[1][d]]
            if np.all(low <= high) and all(part[0][d] == part[1][d] for d in flat) and np.sum(high > low) == 2:
                found.append((name, kind, np.array([low, high])))
        covered += [w for n, _, w in found if n == name]
    for direction, side, part in mesh.walls(block.shape, covered):
        found.append((f"{row}_{ENDS[direction][side] or 'wall'}", "BCWallViscous", part))
    return found


def profile(patch):
    """Lines of a profile for an inlet whose values vary along the span, or None."""
    columns = [np.asarray(v, float).ravel() for v in (patch.Po, patch.To, patch.Alpha, patch.Beta)]
    if all(np.ptp(v) <= 1e-6 * max(1.0, np.abs(v).max()) for v in columns):
        return None
    lines = ["span, p0_Pa, T0_K, swirl_deg, pitch_deg"]
    lines += [", ".join(f"{v:.9g}" for v in line) for line in zip(np.asarray(patch.spf, float).ravel(), *columns)]
    return "\n".join(lines) + "\n"


def boundaries(grid, non_reflecting):
    """Sections rows and boundaries of the case file, and the profile of the inlet or None."""
    rows, conditions = {}, {}
    for n, (name, block) in enumerate((name, grid[b]) for b, name in row_names(grid).items()):
        rows[name] = {"zones": [name], "omega": float(block.Omega), "blades": int(block.Nb)}
    for patch in grid.patches:
        if isinstance(patch, RotatingPatch):
            row = row_names(grid)[grid.index(patch.block)]
            conditions[f"{row}_at_{float(patch.Omega):.6g}"] = {"type": "wall_viscous", "omega": float(patch.Omega)}
    for n in range(1, len(grid.rows)):
        here, there = f"row{n}_out", f"row{n + 1}_in"
        conditions[here] = {"type": "mixing_plane", "with": there}
        conditions[there] = {"type": "mixing_plane", "with": here}
    inlet, outlet = grid.patches.inlet[0], grid.patches.outlet[0]
    alpha, beta = (np.radians(np.mean(v, dtype=float)) for v in (inlet.Alpha, inlet.Beta))
    conditions["inlet"] = {"type": "inlet_total", "p0": float(np.mean(inlet.Po, dtype=float)), "T0": float(np.mean(inlet.To, dtype=float)),
                           "axes": "cylindrical", "direction": [float(v) for v in (np.cos(beta) * np.cos(alpha),
                                                                                   np.sin(beta) * np.cos(alpha), np.sin(alpha))]}
    pressure = np.asarray(outlet.P, float)
    if np.ptp(pressure) > 1e-5 * pressure.mean():
        raise ValueError("solver annulus: the pressure of the outlet varies along the span, which is not handed over")
    conditions["outlet"] = {"type": "outlet_static", "p": float(pressure.mean())}
    if outlet.mdot_target is None:
        conditions["outlet"]["non_reflecting"] = bool(non_reflecting)
    else:
        conditions["outlet"].update(mass_flow=float(outlet.mdot_target) * int(outlet.block.Nb))
    for block in grid:
        for kind, name in ((CuspPatch, CUSP), (InviscidPatch, SLIP), (NotWallPatch, SLIP)):
            if any(isinstance(p, kind) for p in block.patches):
                conditions["*_" + name] = {"type": "wall_slip"}
    return rows, conditions, profile(inlet)
