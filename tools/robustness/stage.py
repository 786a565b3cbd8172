"""Stages of two rows with a mixing plane: a turbine vane and rotor, or a compressor rotor and stator."""
import math
import os

import blading
import casefile
import row as rows

R_TIP = rows.R_TIP


def stage(u):
    between = rows.between
    if u("machine") < 0.5:
        p = {"kind": "turbine", "ratio": between(u, "ratio", 0.65, 0.88), "tip_mach": between(u, "tip_mach", 0.3, 0.65),
             "flow": between(u, "flow", 0.5, 0.75), "load": between(u, "load", 1.0, 1.6), "reaction":
             between(u, "reaction", 0.35, 0.5), "incidence": 0.0, "chord": between(u, "chord", 0.5, 0.9), "thick": 0.14}
    else:
        p = {"kind": "compressor", "ratio": between(u, "ratio", 0.55, 0.85), "tip_mach": between(u, "tip_mach", 0.3, 1.2),
             "flow": between(u, "flow", 0.45, 0.65), "load": between(u, "load", 0.22, 0.38), "incidence":
             between(u, "incidence", -1, 2), "chord": between(u, "chord", 0.5, 0.9), "thick": 0.055}
    return {**p, "gap": rows.gap(u), "point": int(5 * u("point"))}


def label(p):
    return f"{p['kind']}, hub/tip {p['ratio']:.2f}, tip M {p['tip_mach']:.2f}, gap {100 * p['gap']:.1f} %, point {p['point']}"


def vane(rotor, p):
    """Vane ahead of a turbine rotor; turns the axial flow to the swirl that the rotor was made for."""
    out = math.atan(rotor.swirl_in / rotor.Vx)
    speed = rotor.Vx / math.cos(out)
    ahead = rows.static(rotor.p0, rotor.T0, speed)
    part = rows.Vane({"ratio": p["ratio"], "exit_angle": math.degrees(out), "exit_mach": speed / rows.sound(ahead[1]),
                      "chord": p["chord"], "thick": 0.16, "point": 2})
    return part.row()


def stator(rotor, p):
    """Stator behind a compressor rotor; turns the flow to the axis but for a fifth of its swirl. The rotor turns
    towards negative angles, and so does its swirl."""
    behind = rotor.exit(1.0, 0.9)
    hub = rotor.row()[1][1]
    mean = math.sqrt(0.5 * (R_TIP**2 + hub**2))

    def metal(r):
        a = math.atan(rotor.swirl(r) / rotor.Vx)
        b = math.atan(0.2 * math.tan(a))
        return -a, -a + (a - b) / 0.75

    a, b = math.atan(rotor.swirl(mean) / rotor.Vx), math.atan(0.2 * rotor.swirl(mean) / rotor.Vx)
    solidity = min(max(0.5 * math.cos(a) * (math.tan(a) - math.tan(b)) / max(0.42 - 1 + math.cos(a) / math.cos(b), 0.1), 0.9), 2.0)
    chord = p["chord"] * (R_TIP - hub)
    blades = max(13, min(120, round(2 * math.pi * mean * solidity / chord)))
    row = {"blades": blades, "chord": 2 * math.pi * mean * solidity / blades, "angles":
           lambda v: metal(hub + v * (R_TIP - hub)), "thick": lambda v: 0.07, "nose": 0.1, "tail": 0.005, "x": 0.0,
           "rpm": 0.0, "machine": "any", "gap": 0.0}
    return row, (hub, hub), (R_TIP, R_TIP), behind[3], behind


def back_pressure(rotor, p):
    """Of the rotor alone, for a compressor raised by what the stator recovers of the swirl."""
    if p["kind"] == "turbine":
        return rotor.back_pressure()
    pressure = rotor.back_pressure()
    density = rotor.exit(1.0, 0.9)[2]
    return pressure + (0.2, 0.5, 0.75, 0.75, 0.75)[p["point"]] * 0.5 * density * rotor.swirl(rotor.mean) ** 2


def build(case, folder):
    """Writes tables, input files and case file; returns the commands that make and join the meshes."""
    p = case["values"]
    turbine = p["kind"] == "turbine"
    rotor = rows.KINDS["rotor" if turbine else "compressor"](p)
    names = ("vane", "rotor") if turbine else ("rotor", "stator")
    parts = (vane(rotor, p), rotor.row()) if turbine else (rotor.row(), stator(rotor, p))
    commands, boundaries, motion, plane = [], {}, {}, None
    for name, (row, hub, casing, speed, ahead) in zip(names, parts):
        path = rows.finish(row, (hub, casing), case["size"], speed, ahead)
        row["cells"] = max(0.5 * row["cells"], 1e4)  # mesh_row makes no smaller ones
        gap = 0.4 * (path.x1 - path.x0)
        if plane is None:
            plane = row["outlet"] = path.x1 + gap
        else:  # behind the plane
            row["x"] = plane + gap - path.x0
            path.x0, path.x1 = path.x0 + row["x"], path.x1 + row["x"]
            row["inlet"], row["outlet"] = plane, row["outlet"] + row["x"]
        commands.append(blading.write(folder, name, row, path) + ["-o", name + ".cgns"])
        boundaries.update(rows.walls(name + "_", row))
        motion[name] = {"zones": [name + "_*"], "rpm": row["rpm"], "blades": row["blades"]}
    first, last = names
    p0, mach = rotor.p0, rotor.Vx / rows.sound(rotor.T0)
    outlet = back_pressure(rotor, p)
    boundaries.update({
        first + "_inlet": {"type": "inlet_total", "p0": p0, "T0": rotor.T0, "direction": [1, 0, 0]},
        first + "_outlet": {"type": "mixing_plane", "with": last + "_inlet"},
        last + "_inlet": {"type": "mixing_plane", "with": first + "_outlet"},
        last + "_outlet": {"type": "outlet_static", "p": outlet, "radial_equilibrium": "mid"}})
    start = 0.5 * (p0 * casefile.static_ratio(mach) + outlet)
    with open(os.path.join(folder, "case.yaml"), "w", encoding="ascii") as f:
        f.write(casefile.text(case["name"], "mesh.cgns", case, {"p": start, "T": 0.97 * rotor.T0, "mach": mach,
                                                                "direction": [1, 0, 0]}, boundaries, motion, True))
    return commands + [["mesh_join", "-o", "mesh.cgns", f"{first}={first}.cgns", f"{last}={last}.cgns"]]
