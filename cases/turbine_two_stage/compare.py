#!/usr/bin/env python3
"""Maps of this folder's cases against NASA TN D-6967: compare.py [--first-stage] FOLDER...

FOLDER: output of `annulus map`, of one speed or several. For each point that the map keeps the table has the pressure ratio total to static
(p01 over the mean of the wall pressures at the last of `monitors.station_lines`), mass flow, torque (power over speed), efficiency
total to static, and the absolute flow angle at the mean radius, positive in the direction of rotation; each beside its difference
from the measurement, which is interpolated linearly over the pressure ratio. Mass flow and torque are equivalent values (air at
288.15 K, 101 353 Pa). At the design point follow the angle over the radius and the pressures of the casing.
--first-stage: measurements of the first stage alone.
"""
import csv
import glob
import math
import os
import re
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "tools", "python", "annulus"))
from errors import InputError, program, reading  # noqa: E402

GAMMA, CP, T_STANDARD, P_STANDARD = 1.4, 1004.7, 288.15, 14.70 * 6894.757
DESIGN_RPM = 15336.0  # equivalent
MEAN_RADIUS = 0.1016  # m
MEASURED = {"mass": ("mass_flow", "mass_flow_equivalent_kg_s"), "torque": ("torque", "torque_equivalent_N_m"),
            "angle": ("exit_angle", "exit_angle_mean_radius_deg")}


def lines(path):
    """Lines of a CSV as dictionaries; lines that begin with # are comments."""
    with reading(path), open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(line for line in f if not line.startswith("#")))


def between(points, x):
    """Linear interpolation in pairs (x, y); points nearer than 0.5 % of x are averaged. NaN beyond 2 % of the ends."""
    groups = []
    for point in sorted(points):
        if groups and point[0] < 1.005 * groups[-1][0][0]:
            groups[-1].append(point)
        else:
            groups.append([point])
    mean = [tuple(sum(v) / len(group) for v in zip(*group)) for group in groups]
    if not mean or not 0.98 * mean[0][0] <= x <= 1.02 * mean[-1][0]:
        return math.nan
    x = min(max(x, mean[0][0]), mean[-1][0])
    for (x0, y0), (x1, y1) in zip(mean, mean[1:]):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return mean[-1][1]


def efficiency(mass, torque, omega, ratio, T0):
    """Total to static; all values equivalent, or all of the test."""
    return torque * omega / (mass * CP * T0 * (1 - ratio ** ((1 - GAMMA) / GAMMA)))


def measured_at(machine, speed, ratio):
    """Of a speed in percent and a pressure ratio; NaN where nothing was measured."""
    found = {}
    for name, (file, column) in MEASURED.items():
        rows = lines(os.path.join(HERE, "measured", f"{machine}_{file}.csv"))
        found[name] = between([(float(r["pressure_ratio_total_to_static"]), float(r[column])) for r in rows
                               if abs(float(r["speed_percent"]) - speed) < 1], ratio)
    omega = speed / 100 * DESIGN_RPM * math.pi / 30
    found["efficiency"] = efficiency(found["mass"], found["torque"], omega, ratio, T_STANDARD)
    return found


def given(text, key):
    """The first number of a key that is not zero."""
    for found in re.findall(rf"\b{key}: *([-+0-9.eE]+)", text):
        if float(found) != 0:
            return float(found)
    raise ValueError(f"it has no number '{key}' that is not zero")


class Point:
    """A point of a map."""

    def __init__(self, row, folder):
        case = os.path.join(folder, "effective.yaml")
        with reading(case), open(case, encoding="utf-8") as f:
            text = f.read()
            p0, T0, turn = given(text, "p0"), given(text, "T0"), given(text, "omega")
        path = os.path.join(folder, f"profile_{int(row['iteration']):08d}.csv")
        profile = lines(path)
        with reading(path):
            parts, stations = [], []
            for r in profile:  # of a station: its bands, and a line of the whole plane
                if r["band"]:
                    parts.append({k: float(v) if v else math.nan for k, v in r.items()})
                else:
                    stations.append(parts)
                    parts = []
            self.exit = [(b["radius_m"], math.copysign(b["alpha_deg"], b["alpha_deg"] * turn)) for b in stations[-1]]
            walls = 0.5 * (stations[-1][0]["p_Pa"] + stations[-1][-1]["p_Pa"])
            self.tip = [s[-1]["p_Pa"] / p0 for s in stations]
        theta, delta = T0 / T_STANDARD, p0 / P_STANDARD
        omega = abs(turn)
        self.speed = 100 * omega / (DESIGN_RPM * math.pi / 30 * math.sqrt(theta))
        self.ratio = p0 / walls
        self.outcome = row["outcome"]
        with reading(os.path.join(folder, "map.csv")):
            mass, torque = float(row["mass_in_kg_s"]), -float(row["power_W"]) / omega
        self.value = {"mass": mass * math.sqrt(theta) / delta, "torque": torque / delta,
                      "efficiency": efficiency(mass, torque, omega, self.ratio, T0), "angle": between(self.exit, MEAN_RADIUS)}


def points_of(path):
    """Points that the maps keep."""
    found = []
    for folder in sorted(glob.glob(os.path.join(path, "speed_*"))) or [path]:
        found += [Point(row, folder) for row in lines(os.path.join(folder, "map.csv"))
                  if row.get("outcome") in ("settled", "unsettled")]
    return found


def root(values):
    values = [v for v in values if v == v]
    return math.sqrt(sum(v * v for v in values) / len(values)) if values else math.nan


def differences(point, machine):
    """Computed minus measured: percent, percent, points, degrees."""
    m, v = measured_at(machine, point.speed, point.ratio), point.value
    return {"mass": 100 * (v["mass"] / m["mass"] - 1), "torque": 100 * (v["torque"] / m["torque"] - 1),
            "efficiency": 100 * (v["efficiency"] - m["efficiency"]), "angle": v["angle"] - m["angle"]}


def over_radius(point):
    print("angle over the radius, degrees")
    for r in lines(os.path.join(HERE, "measured", "two_stage_exit_angle_over_radius.csv")):
        value = between(point.exit, float(r["radius_m"]))
        print(f"  r {float(r['radius_m']):.5f} m  computed {value:6.1f}  measured {float(r['exit_angle_deg']):6.1f}")
    print("pressure of the casing over p01, stations 1 to 5")
    rows = lines(os.path.join(HERE, "measured", "two_stage_tip_static_pressure.csv"))
    for r, value in zip(rows, point.tip):
        print(f"  {r['station']}  computed {value:.3f}  measured {r['p_over_p01_measured']}")


def beside(difference, digits):
    """A difference from the measured value in seven places; "-" where nothing was measured."""
    return f"{'-':>7}" if math.isnan(difference) else f"{difference:+7.{digits}f}"


def main(machine, folders):
    points = sorted((p for f in folders for p in points_of(f)), key=lambda p: (p.speed, p.ratio))
    if not points:
        raise InputError(f"{folders[0]}: no point that the map keeps")
    print("speed   ratio  mass flow           torque             eff. t-s           exit angle          outcome\n"
          "    %    t-s        kg/s       %       N m       %         %  points      deg     deg")
    known = {}
    for p in points:
        off, v = differences(p, machine), p.value
        known.setdefault(round(p.speed), []).append(off)
        print(f"{p.speed:5.1f} {p.ratio:7.3f} {v['mass']:10.4f} {beside(off['mass'], 2)} {v['torque']:9.2f} {beside(off['torque'], 2)} "
              f"{100 * v['efficiency']:9.2f} {beside(off['efficiency'], 2)} {v['angle']:8.1f} {beside(off['angle'], 1)}     {p.outcome}")
    groups = [(f"{speed} %", offs) for speed, offs in known.items()]
    groups.append(("70 to 110 %", [off for speed, offs in known.items() if 69 < speed < 111 for off in offs]))
    for name, offs in groups:
        print(f"rms, {name}: " + ", ".join(f"{what} {root([o[key] for o in offs]):.2f} {unit}" for key, what, unit in (
            ("mass", "mass flow", "%"), ("torque", "torque", "%"), ("efficiency", "efficiency", "points"),
            ("angle", "angle", "degrees"))))
    design = [p for p in points if machine == "two_stage" and abs(p.speed - 100) < 1 and abs(p.ratio / 4.64 - 1) < 0.03]
    if design:
        over_radius(min(design, key=lambda p: abs(p.ratio - 4.64)))


arguments = [a for a in sys.argv[1:] if a != "--first-stage"]
if not arguments or arguments[0].startswith("-"):
    sys.exit(print(__doc__, file=sys.stderr) or 2)
with program("compare.py"):
    main("one_stage" if "--first-stage" in sys.argv else "two_stage", arguments)
