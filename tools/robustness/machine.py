"""Machines of six and eight rows with mixing planes: compressors and turbines of equal stages, from a mean line.

All stages have the same axial velocity and work. The gas enters and leaves each of them along the axis, so that the
reaction follows from the loading. The casing has one radius; the hub follows the density. Nothing is given to start from.
"""
import math
import os

import blading
import casefile
import row as rows

R_TIP = rows.R_TIP
EFFICIENCY = {"compressor": 0.88, "turbine": 0.9}
# of the design's change of the pressure, from inlet to outlet: near choke to near stall, or small to large load
POINTS = {"compressor": (0.7, 0.86, 0.95, 1.0, 1.04), "turbine": (1.1, 1.04, 1.0, 0.85, 0.7)}


def machine(u):
    between = rows.between
    stages = 3 + int(2 * u("stages"))
    if u("machine") < 0.5:
        p = {"kind": "turbine", "ratio": between(u, "ratio", 0.8, 0.9), "tip_mach": between(u, "tip_mach", 0.25, 0.4),
             "flow": between(u, "flow", 0.5, 0.75), "load": between(u, "load", 1.0, 1.4), "thick": 0.14}
        p["reaction"] = 1 - 0.5 * p["load"]  # no swirl behind the rotor
    else:
        p = {"kind": "compressor", "ratio": between(u, "ratio", 0.55, 0.75), "tip_mach": between(u, "tip_mach", 0.3, 1.0),
             "flow": between(u, "flow", 0.45, 0.65), "load": between(u, "load", 0.25, 0.36), "thick": 0.055}
    return {**p, "stages": stages, "incidence": 0.0, "chord": between(u, "chord", 0.5, 0.9), "gap": rows.gap(u),
            "point": int(5 * u("point"))}


def label(p):
    return (f"{p['kind']} of {2 * p['stages']} rows, hub/tip {p['ratio']:.2f}, tip M {p['tip_mach']:.2f}, gap {100 * p['gap']:.1f} %, "
            f"point {p['point']}")


def hub_behind(hub, before, behind):
    """Radius of the hub at which a gas of density `behind` keeps its axial velocity; a height changes by at most 40 %."""
    area = (R_TIP**2 - hub**2) * min(max(before / behind, 0.6), 1.4)
    return math.sqrt(R_TIP**2 - area)


def stator(rotor, hub, p):
    """Stator of a compressor's stage: turns the swirl to the axis."""
    mean = math.sqrt(0.5 * (R_TIP**2 + hub**2))

    def metal(r):
        a = math.atan(rotor.swirl(r) / rotor.Vx)
        return -a, -a + a / 0.75

    a = math.atan(rotor.swirl(mean) / rotor.Vx)
    solidity = min(max(0.5 * math.sin(a) / max(0.42 - 1 + math.cos(a), 0.1), 0.9), 2.0)
    chord = p["chord"] * (R_TIP - hub)
    blades = max(13, min(120, round(2 * math.pi * mean * solidity / chord)))
    return {"blades": blades, "chord": 2 * math.pi * mean * solidity / blades, "angles": lambda v: metal(hub + v * (R_TIP - hub)),
            "thick": lambda v: 0.07, "nose": 0.1, "tail": 0.005, "x": 0.0, "rpm": 0.0, "machine": "any", "gap": 0.0}


def lay_out(p):
    """Rows in the order of the flow: name, row, radii of the hub ahead and behind, speed, state ahead. Then speed and p0, T0
    at the inlet and the pressure at the outlet."""
    kind = p["kind"]
    turbine = kind == "turbine"
    p0, T0 = first = rows.GAS[kind]
    hub, out, Vx, U_tip = R_TIP * p["ratio"], [], None, p["tip_mach"] * rows.sound(rows.GAS[kind][1])
    work = None
    for n in range(1, p["stages"] + 1):
        mean = math.sqrt(0.5 * (R_TIP**2 + hub**2))
        U = U_tip * mean / R_TIP
        Vx = Vx or min(p["flow"] * U, 0.5 * rows.sound(T0))
        work = work or p["load"] * U**2
        own = {**p, "ratio": hub / R_TIP, "tip_mach": U_tip / rows.sound(T0), "flow": Vx / U, "load": work / U**2}
        own["reaction"] = 1 - 0.5 * own["load"]
        rotor = rows.KINDS["rotor" if turbine else "compressor"](own, (p0, T0))
        change = (-1 if turbine else 1) * work / casefile.CP
        eta = EFFICIENCY[kind] if not turbine else 1 / EFFICIENCY[kind]
        behind = (p0 * (1 + eta * change / T0) ** (casefile.GAMMA / (casefile.GAMMA - 1)), T0 + change)
        inlet, outlet = rows.static(p0, T0, Vx)[2], rows.static(*behind, Vx)[2]
        if turbine:
            angle = math.atan(rotor.swirl_in / Vx)
            speed = Vx / math.cos(angle)
            vane = rows.Vane({**own, "exit_angle": math.degrees(angle), "exit_mach": speed / rows.sound(rows.static(p0, T0, speed)[1]),
                              "thick": 0.16}, (p0, T0))
            middle = hub_behind(hub, inlet, rows.static(p0, T0, speed)[2])
            out.append((f"S{n}", vane.row()[0], (hub, middle), speed, rows.static(p0, T0, speed)))
            part, _, _, speed, ahead = rotor.row()
        else:
            part, (_, middle), _, speed, ahead = rotor.row()
            out.append((f"R{n}", part, (hub, middle), speed, ahead))
            leaves = rotor.exit(1.0, 0.9)
            part, speed, ahead = stator(rotor, middle, p), leaves[3], leaves
        last = hub_behind(hub, inlet, outlet)
        out.append((f"{'R' if turbine else 'S'}{n}", part, (middle, last), speed, ahead))
        hub, p0, T0 = last, *behind
    low, high = rows.static(*first, Vx)[0], rows.static(p0, T0, Vx)[0]
    return out, first, Vx, max(low + POINTS[kind][p["point"]] * (high - low), 0.05 * first[0])


def build(case, folder):
    """Writes tables, input files and case file; returns the commands that make and join the meshes."""
    parts, (p0, T0), _, pressure = lay_out(case["values"])
    commands, boundaries, motion, plane, before = [], {}, {}, None, None
    for name, row, hub, speed, ahead in parts:
        path = rows.finish(row, (hub, (R_TIP, R_TIP)), case["size"], speed, ahead)
        row["cells"] = max(0.5 * row["cells"], 1e4)  # mesh_row makes no smaller ones
        gap = 0.4 * (path.x1 - path.x0)
        if plane is not None:  # behind the plane
            row["x"] = plane + gap - path.x0
            path.x0, path.x1 = path.x0 + row["x"], path.x1 + row["x"]
            row["inlet"], row["outlet"] = plane, row["outlet"] + row["x"]
            boundaries.update({f"{before}_outlet": {"type": "mixing_plane", "with": f"{name}_inlet"},
                               f"{name}_inlet": {"type": "mixing_plane", "with": f"{before}_outlet"}})
        if name != parts[-1][0]:
            plane = row["outlet"] = path.x1 + gap
        commands.append(blading.write(folder, name, row, path) + ["-o", name + ".cgns"])
        boundaries.update(rows.walls(name + "_", row))
        motion[name] = {"zones": [name + "_*"], "rpm": row["rpm"], "blades": row["blades"]}
        before = name
    boundaries.update({
        parts[0][0] + "_inlet": {"type": "inlet_total", "p0": p0, "T0": T0, "direction": [1, 0, 0]},
        before + "_outlet": {"type": "outlet_static", "p": pressure, "radial_equilibrium": "mid"}})
    with open(os.path.join(folder, "case.yaml"), "w", encoding="ascii") as f:
        f.write(casefile.text(case["name"], "mesh.cgns", case, None, boundaries, motion, True))
    return commands + [["mesh_join", "-o", "mesh.cgns", *(f"{name}={name}.cgns" for name, *_ in parts)]]
