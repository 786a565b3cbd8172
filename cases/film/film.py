#!/usr/bin/env python3
"""Film cooling of a flat plate by a row of holes, against measured effectiveness: film.py [options] [FIGURE[:CURVE] ...]

For each curve of measured.csv the script makes a plate of half a pitch (with a compound angle: a whole pitch), runs `annulus`
with the holes as sources, and compares the laterally averaged adiabatic effectiveness at the measured places. Without FIGURE it
takes all curves. A curve that was computed before, with the same program and options, is read from its folder.

With --resolved the hole is meshed: a pipe of the measured length with an inlet at its end. The source model is computed, too, and both are
compared with the measurement. This works for cylindrical holes without a compound angle; without FIGURE all of these are taken.
"""
import argparse
import concurrent.futures
import csv
import glob
import json
import os
import re
import subprocess
import sys

import h5py
import numpy

HERE = os.path.dirname(os.path.realpath(__file__))
sys.dont_write_bytecode = True
sys.path.append(os.path.join(HERE, "..", "..", "tools", "python", "annulus"))
from errors import InputError, program, reading  # noqa: E402

import resolved  # noqa: E402

GAMMA, R, PRANDTL = 1.4, 287.058, 0.72
LIFTS = 0.5  # momentum ratio above which a jet is said to lift off, as in bc/hole_jet.h
# the constants of the model were chosen on curves of these figures
CHOSEN = ("Baldauf2002_Fig4a", "Baldauf2002_Fig5a", "Baldauf2002_Fig6a", "Gritsch1997_Fig10a", "Saumweber2012_Fig10a", "Sinha1991_Fig9b")
FINE = {"long": 1.0, "hole": 0.2, "side": 0.25, "growth": 1.09, "wall": 2.0, "up": 1.22}
COARSE = {"long": 2.0, "hole": 0.5, "side": 0.5, "growth": 1.15, "wall": 2.0, "up": 1.3}


def number(row, key, other=None):
    return float(row[key]) if row[key].strip() else other


def curves():
    """The measured curves: {name: dict}, in the order of the file."""
    path, found = os.path.join(HERE, "measured.csv"), {}
    with reading(path), open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            name = f"{row['figure']}:{row['curve']}"
            found.setdefault(name, {"row": row, "x": [], "eta": []})
            found[name]["x"].append(float(row["x_D"]))
            found[name]["eta"].append(float(row["effectiveness"]))
    for name, c in found.items():
        c.update(name=name, x=numpy.array(c["x"]), eta=numpy.array(c["eta"]))
    return found


def sutherland(t):
    return 1.716e-5 * (t / 273.15) ** 1.5 * (273.15 + 110.4) / (t + 110.4)


def conditions(c):
    """State of the stream and the coolant. Mach numbers below 0.2, where the flow hardly depends on them, are computed at 0.2."""
    row = c["row"]
    d, ratio, br = number(row, "D_m"), number(row, "DR"), number(row, "BR")
    t = number(row, "T_inf_K", 300 * max(ratio, 1))
    mach = max(number(row, "Ma_inf", 0.0), 0.2)
    v = mach * (GAMMA * R * t) ** 0.5
    rho = number(row, "Re_inf") * sutherland(t) / (v * d)
    tc = t / ratio
    vc = br * v / ratio
    cp = GAMMA / (GAMMA - 1) * R
    if mach >= 1:
        raise InputError(f"not computed: the stream has Mach number {mach:g}")
    alpha, beta = number(row, "alpha_deg"), number(row, "beta_deg")
    return {"D": d, "T": t, "V": v, "M": mach, "rho": rho, "p": rho * R * t, "T0c": tc + vc * vc / (2 * cp), "alpha": alpha, "beta": beta,
            "mass": br * rho * v * numpy.pi / 4 * d * d, "pitch": number(row, "P_D"), "re": number(row, "Re_inf"),
            "lateral": number(row, "phi_deg"), "forward": number(row, "psi_deg"), "lateral_D": number(row, "Lphi_D"),
            "forward_D": number(row, "Lpsi_D"), "tu": number(row, "Tu_percent") / 100, "length": number(row, "Lambda_D", 1.0) or 1.0,
            "delta": number(row, "delta_D"), "I": br * br / ratio, "L": number(row, "L_D"), "Vc": vc, "rhoc": rho * ratio}


def grow(first, ratio, length, most=1e30, before=0):
    """Nodes from 0 to `length`; cells grow from `first`. With `before` cells their number is a multiple of 8."""
    cells = [first]
    while sum(cells) < length or (len(cells) + before) % 8:
        cells.append(min(cells[-1] * ratio, most))
    return numpy.concatenate([[0], numpy.cumsum(numpy.array(cells) * length / sum(cells))])


def extent(c, k):
    """Length of the plate before the hole and behind it, over D, and height of a first cell with y+ about 1, over m["wall"]. The plate
    begins where its boundary layer has the measured displacement thickness at the hole."""
    start = 1.0
    while start < 400 and 0.0463 * (k["re"] * start) ** -0.2 * start < k["delta"]:
        start *= 1.02
    friction = 0.0592 * (k["re"] * start) ** -0.2
    return start, min(c["x"].max(), 80.0) + 6, 1 / (k["re"] * (0.5 * friction) ** 0.5)


def plate(c, k, m):
    """Nodes x, y, z over D."""
    start, behind, unit = extent(c, k)
    half = 0.5 * k["pitch"]
    rear = numpy.arange(-3, 6 + 1e-9, m["hole"])
    front = grow(m["hole"], 1.22, max(start - 3, 2.0))
    last = grow(m["hole"], m["growth"], behind - 6, m["long"], len(rear) + len(front) - 2)
    x = numpy.concatenate([-3 - front[:0:-1], rear, 6 + last[1:]])
    y = grow(m["wall"] * unit, m["up"], 8.0, 0.8)
    n = max(4 * round(half / m["side"] / 4), 4)
    z = numpy.linspace(-half if k["beta"] else 0.0, half, (2 if k["beta"] else 1) * n + 1)
    return x, y, z


def write_mesh(folder, d, x, y, z):
    path = os.path.join(folder, "plate.p3d")
    with open(path, "wb") as f:
        for part in (numpy.array([1], "<i4"), numpy.array([len(x), len(y), len(z)], "<i4"),
                     numpy.concatenate([numpy.broadcast_to(v, (len(z), len(y), len(x))).ravel() * d for v in
                                        (x, y[:, None], z[:, None, None])]).astype("<f8")):
            size = numpy.array([part.nbytes], "<i4").tobytes()
            f.write(size + part.tobytes() + size)
    return path


def turbulence(k, ahead):
    """The measured intensity holds at the hole. Upstream it is larger, without bound at 0.89 l / Tu (the law of decay of the model): it
    holds at half of this distance where the plate is longer."""
    tu = max(k["tu"], 1e-3)
    ahead = min(ahead, 0.44 * k["length"] / tu)
    return f"{{model: sst, intensity: {tu:.6g}, length_scale: {k['length'] * k['D']:.6g}, decay_length: {ahead * k['D']:.6g}}}"


def convert(folder, path, arguments, o):
    """The PLOT3D file becomes plate.cgns."""
    command = [o.tool("mesh_plot3d"), path, *arguments, "-o", os.path.join(folder, "plate.cgns")]
    with open(os.path.join(folder, "mesh.log"), "w", encoding="utf-8") as log:
        subprocess.run(command, check=True, stdout=log, stderr=log)
    os.remove(path)


def write_case(c, k, folder, ahead, walls, o, iterations=100, drop=1.0e-5, more=""):
    """walls: lines of boundaries that are not those of the stream. ahead: length of the plate before the hole, over D. more: sections."""
    g = GAMMA
    fall = 1 + 0.5 * (g - 1) * k["M"] ** 2
    symmetry = "" if k["beta"] else "  front: {type: symmetry}\n  back: {type: symmetry}\n"
    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as f:
        f.write(f"""case: film {c['name'].replace(':', ' ')}
mesh: plate.cgns
precision: double
gas: {{gamma: {g}, R: {R}, viscosity: sutherland, mu: 1.716e-5, T_ref: 273.15, S: 110.4, prandtl: {PRANDTL}}}
turbulence: {o.turbulence or turbulence(k, ahead)}
march: {{iterations: {o.iterations or iterations}, residual_drop: {drop}}}
{more}initial: {{p: {k['p']:.9g}, T: {k['T']:.9g}, mach: {k['M']:.9g}, direction: [1, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: {k['p'] * fall ** (g / (g - 1)):.9g}, T0: {k['T'] * fall:.9g}, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: {k['p']:.9g}}}
  top: {{type: farfield, p: {k['p']:.9g}, T: {k['T']:.9g}, mach: {k['M']:.9g}, direction: [1, 0, 0]}}
{walls}{symmetry}output: {{folder: out, every: 0, history_every: 20, walls: true}}
""")


def prepare(c, folder, m, o):
    k = conditions(c)
    x, y, z = plate(c, k, m)
    d = k["D"]
    os.makedirs(folder, exist_ok=True)
    sides = [f"--periodic=shift:0,0,{d * k['pitch']:.17g}"] if k["beta"] else ["--bc=1:kmin=front:symmetry", "--bc=1:kmax=back:symmetry"]
    convert(folder, write_mesh(folder, d, x, y, z), ["--bc=1:imin=inlet:inlet", "--bc=1:imax=outlet:outlet", "--bc=1:jmin=wall:wall_viscous",
                                                     "--bc=1:jmax=top:farfield", *sides], o)
    write_case(c, k, folder, -x[0], "  wall: {type: wall_viscous, holes: holes.csv}\n", o)
    with open(os.path.join(folder, "holes.csv"), "w", encoding="utf-8") as f:
        f.write("x_m,y_m,z_m,diameter_m,alpha_deg,beta_deg,mass_flow_kg_s,T0_K,lateral_deg,forward_deg,lateral_D,forward_D\n")
        f.write(f"0,0,0,{d:.9g},{k['alpha']:g},{k['beta']:g},{k['mass']:.9g},{k['T0c']:.9g},{k['lateral']:g},{k['forward']:g},"
                f"{k['lateral_D']:g},{k['forward_D']:g}\n")


def trailing_edge(k):
    """x/D of the trailing edge of the footprint."""
    height = 1 + k["forward_D"] * numpy.tan(numpy.radians(k["forward"]))
    width = 1 + 2 * k["lateral_D"] * numpy.tan(numpy.radians(k["lateral"]))
    a, b, turn = 0.5 * height / numpy.sin(numpy.radians(k["alpha"])), 0.5 * width, numpy.radians(k["beta"])
    return numpy.hypot(a * numpy.cos(turn), b * numpy.sin(turn))


def effectiveness(folder, k):
    """x/D from the hole's centre and the laterally averaged effectiveness."""
    walls = sorted(glob.glob(os.path.join(folder, "out", "wall_*.cgns")))
    if not walls:
        raise InputError(f"{folder}: no wall_NNNNNNNN.cgns in out")
    with reading(walls[-1]), h5py.File(walls[-1], "r") as f:
        zone = [z for z in f["Base"].values() if isinstance(z, h5py.Group) and "GridCoordinates" in z]
        # the wall, not the top
        zone = [z for z in zone if numpy.ptp(z["GridCoordinates/CoordinateY/ data"][()]) < 1e-9 * k["D"]
                and abs(z["GridCoordinates/CoordinateY/ data"][()]).max() < k["D"]][0]
        x = zone["GridCoordinates/CoordinateX/ data"][()]
        t = zone["FlowSolution/TemperatureWall/ data"][()]
    along = 1 if numpy.ptp(x[0]) > 0 else 0
    if along == 0:
        x, t = x.T, t.T
    centre = 0.5 * (x[0, 1:] + x[0, :-1]) / k["D"]
    return centre, cooled(k, t.mean(axis=0))


def cooled(k, t):
    """Effectiveness of the temperature of the wall."""
    cp = GAMMA / (GAMMA - 1) * R
    t0 = k["T"] + k["V"] ** 2 / (2 * cp)
    free = t0 - (1 - PRANDTL ** (1 / 3)) * k["V"] ** 2 / (2 * cp)
    return (free - t) / (free - k["T0c"])


def run(folder, o):
    command = ["check"] if o.check else ["run", f"--device={o.device}", *[f"--set={s}" for s in o.set]]
    with open(os.path.join(folder, "run.log"), "w", encoding="utf-8") as log:
        done = subprocess.run([o.tool("annulus"), *command, "case.yaml"], cwd=folder, stdout=log, stderr=log, check=False)
    if done.returncode:
        raise InputError(f"{folder}/run.log: annulus ended with exit code {done.returncode}")


def compute(c, o):
    """x and effectiveness of a curve."""
    folder = os.path.join(o.work, c["name"].replace(":", "_"))
    if o.again or not glob.glob(os.path.join(folder, "out", "wall_*.cgns")):
        prepare(c, folder, FINE if o.fine else COARSE, o)
        run(folder, o)
    return effectiveness(folder, conditions(c))


def prepare_resolved(c, k, folder, o):
    start, behind, unit = extent(c, k)
    m = resolved.COARSE if o.resolved == "coarse" else resolved.FINE
    blocks = resolved.mesh(k["alpha"], k["pitch"], k["L"], 2 * unit, start, behind, m)
    for name, block in blocks.items():
        low, high = resolved.corner_volumes(block)
        if low.min() <= 0:
            raise InputError(f"not computed: block {name} has {(low <= 0).sum()} cells of negative volume")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "plate.p3d")
    resolved.write(path, blocks, k["D"])
    convert(folder, path, ["--join", *["--bc=" + b for b in resolved.boundaries(blocks, m)]], o)
    turn = numpy.radians(k["alpha"])
    p0 = k["p"] + 0.5 * k["rhoc"] * k["Vc"] ** 2
    write_case(c, k, folder, start, f"""  wall: {{type: wall_viscous}}
  hole: {{type: wall_viscous}}
  coolant: {{type: inlet_total, p0: {p0:.9g}, T0: {k['T0c']:.9g}, direction: [{numpy.cos(turn):.9g}, {numpy.sin(turn):.9g}, 0],
            mass_flow: {0.5 * k['mass']:.9g}}}
""", o, 600, 1.0e-3, "stop: {force: 1.0e-3}\n")


def lateral(folder, k):
    """As `effectiveness`, for a wall of any faces: each is cut into 8 x 8 parts, whose area counts in the strip of x that they lie in."""
    walls = sorted(glob.glob(os.path.join(folder, "out", "wall_*.cgns")))
    x, area, t = [], [], []
    with reading(walls[-1]), h5py.File(walls[-1], "r") as f:
        for zone in f["Base"].values():
            if not isinstance(zone, h5py.Group) or "GridCoordinates" not in zone:
                continue
            node = numpy.stack([zone[f"GridCoordinates/Coordinate{a}/ data"][()] for a in "XYZ"], -1) / k["D"]
            if abs(node[..., 1]).max() > 1e-6:
                continue  # the wall of the hole
            u = (numpy.arange(8) + 0.5) / 8
            u, v = (a.ravel() for a in numpy.meshgrid(u, u))
            a, b, c, d = (n[..., None] for n in (node[:-1, :-1, 0], node[1:, :-1, 0], node[:-1, 1:, 0], node[1:, 1:, 0]))
            x.append((a * (1 - u) * (1 - v) + b * u * (1 - v) + c * (1 - u) * v + d * u * v).ravel())
            one, two = node[1:, 1:] - node[:-1, :-1], node[1:, :-1] - node[:-1, 1:]
            area.append(numpy.repeat(abs(numpy.cross(one, two)[..., 1]).ravel(), len(u)))
            t.append(numpy.repeat(zone["FlowSolution/TemperatureWall/ data"][()].ravel(), len(u)))
    x, area, t = (numpy.concatenate(a) for a in (x, area, t))
    edge = numpy.arange(1.0, x.max(), 0.25)
    total = numpy.histogram(x, edge, weights=area)[0]
    return 0.5 * (edge[1:] + edge[:-1]), cooled(k, numpy.histogram(x, edge, weights=area * t)[0] / total)


def compute_resolved(c, o):
    """x and effectiveness of a curve with its hole meshed, and what run.json says of the run."""
    k = conditions(c)
    if k["beta"] or k["lateral"] or k["forward"]:
        raise InputError("not computed: resolved holes are cylindrical, without a compound angle")
    folder = os.path.join(o.work, f"{c['name'].replace(':', '_')}_{o.resolved}")
    if o.again or not glob.glob(os.path.join(folder, "out", "wall_*.cgns")):
        prepare_resolved(c, k, folder, o)
        run(folder, o)
    if o.check:
        return None
    path = os.path.join(folder, "out", "run.json")
    with reading(path), open(path, encoding="utf-8") as f:
        return *lateral(folder, k), json.load(f)


def against(c, k, x, eta):
    """Computed effectiveness at the measured places, rms and mean of the difference."""
    shift = trailing_edge(k) if int(c["row"]["x_from_trailing_edge"]) else 0.0
    here = numpy.interp(c["x"] + shift, x, eta)
    inside = (c["x"] > 0.5) & (c["x"] + shift < x[-1] - 2)
    error = here[inside] - c["eta"][inside]
    return here, (error ** 2).mean() ** 0.5, error.mean()


def compare(c, o):
    k = conditions(c)
    return k, *against(c, k, *compute(c, o))


def check_resolved(known, names, o):
    for name in names:
        try:
            compute_resolved(known[name], o)
            print(f"{name:22} passes annulus check", flush=True)
        except (InputError, subprocess.CalledProcessError) as error:
            print(f"{name:22} {error}", flush=True)


def main_resolved(known, names, o):
    print(f"{'curve':22} {'alpha':>5} {'P/D':>4} {'L/D':>4} {'DR':>4} {'BR':>4} {'I':>4} {'jet':8} {'measured':>8} | source {'bias':>6} {'rms':>5}"
          f" | resolved {'bias':>6} {'rms':>5} | {'cells':>6} {'it.':>4} {'s':>5} {'residual':>8} {'in-out':>8} {'coolant':>8} {'friction':>8} {'y+':>4} state")
    kinds = {}

    def work(name):
        try:
            k = conditions(known[name])
            *found, info = compute_resolved(known[name], o)
            return k, against(known[name], k, *compute(known[name], o)), against(known[name], k, *found), info
        except (InputError, subprocess.CalledProcessError) as error:
            return error

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for name, got in zip(names, pool.map(work, names)):
            if isinstance(got, Exception):
                print(f"{name:22} {got}")
                continue
            c, (k, source, found, info) = known[name], got
            row, last, kind = c["row"], info["last"], "attached" if k["I"] <= LIFTS else "lifted"
            for model, got in (("source", source), ("resolved", found)):
                kinds.setdefault((kind, model), []).append(got[1:])
            moves = info["figures"]["friction_N"]["moves"]
            moves = "-" if moves is None else f"{moves:.1e}"
            control = info["controls"][0]
            plus = [w["yplus_max"] for w in info["walls"] if w["name"] == "wall"][0]
            print(f"{name:22} {k['alpha']:5g} {k['pitch']:4g} {k['L']:4g} {row['DR']:>4} {row['BR']:>4} {k['I']:4.2f} {kind:8} {c['eta'].mean():8.3f} | "
                  f"{source[0].mean():6.3f} {source[2]:+6.3f} {source[1]:5.3f} | {found[0].mean():8.3f} {found[2]:+6.3f} {found[1]:5.3f} | "
                  f"{info['cells']:6} {info['iteration']:4} {info['seconds']:5.0f} {last['residual_drop']:8.1e} {last['imbalance']:+8.1e} "
                  f"{control['mass_flow_kg_s'] / control['wanted_kg_s'] - 1:+8.1e} {moves:>8} {plus:4.1f} "
                  f"{info['state']}", flush=True)
            if o.points:
                for values in zip(c["x"], c["eta"], source[0], found[0]):
                    print("    x/D {:6.2f} measured {:.3f} source {:.3f} resolved {:.3f}".format(*values))
    print()
    for (kind, model), got in kinds.items():
        rms, bias = numpy.array(got).T
        print(f"{kind}, {model}: {len(rms)} curves, rms {(rms ** 2).mean() ** 0.5:.3f}, bias {bias.mean():+.3f}")


def main(o):
    known = curves()
    names = [n for n in known if not o.figure or any(re.fullmatch(f if ":" in f else f + ":.*", n) for f in o.figure)]
    if not names:
        raise InputError(f"measured.csv has no curve {' '.join(o.figure)}")
    if o.resolved:
        plain = [n for n in names if not any(number(known[n]["row"], a) for a in ("beta_deg", "phi_deg", "psi_deg"))]
        return (check_resolved if o.check else main_resolved)(known, names if o.figure else plain, o)
    print(f"{'curve':26} {'alpha':>5} {'beta':>4} {'P/D':>5} {'DR':>5} {'BR':>5} {'I':>5} {'jet':9} {'measured':>8} {'computed':>8} {'bias':>7} {'rms':>6}")
    kinds, figures = {}, {}

    def work(name):
        try:
            return compare(known[name], o)
        except (InputError, subprocess.CalledProcessError) as error:
            return error

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for name, got in zip(names, pool.map(work, names)):
            row = known[name]["row"]
            if isinstance(got, Exception):
                print(f"{name:26} {got}")
                continue
            k, here, rms, bias = got
            shaped = k["lateral"] > 0 or k["forward"] > 0
            kind = "shaped" if shaped else "attached" if k["I"] <= LIFTS else "lifted"
            figure = name.split(":")[0]
            chosen = figure in CHOSEN and kind == "attached"
            kinds.setdefault(f"{kind}, of the figures that the constants were chosen on" if chosen else kind, []).append((rms, bias))
            figures.setdefault((figure, kind), []).append((rms, bias))
            print(f"{name:26} {k['alpha']:5g} {k['beta']:4g} {k['pitch']:5g} {row['DR']:>5} {row['BR']:>5} {k['I']:5.2f} {kind:9} "
                  f"{known[name]['eta'].mean():8.3f} {here.mean():8.3f} {bias:+7.3f} {rms:6.3f}", flush=True)
            if o.points:
                for a, b, v in zip(known[name]["x"], known[name]["eta"], here):
                    print(f"    x/D {a:6.2f} measured {b:.3f} computed {v:.3f}")
    print()
    for of, got in [(f"{figure}, {kind}", got) for (figure, kind), got in figures.items()] + list(kinds.items()):
        rms, bias = numpy.array(got).T
        print(f"{of}: {len(rms)} curves, rms {(rms ** 2).mean() ** 0.5:.3f}, bias {bias.mean():+.3f}, rms of a curve {rms.min():.3f} to "
              f"{rms.max():.3f}, {(rms <= 0.05).sum()} within 0.05")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("figure", nargs="*", metavar="FIGURE[:CURVE]", help="such as Sinha1991_Fig9a or Baldauf2002_Fig2a:3; regular expressions")
parser.add_argument("--bin", default="", help="folder of the programs (default: PATH)")
parser.add_argument("--work", default="film", help="folder of the runs")
parser.add_argument("--fine", action="store_true", help="five cells across a hole in place of two")
parser.add_argument("--resolved", nargs="?", const="normal", choices=("normal", "coarse"), help="mesh the hole (default: normal)")
parser.add_argument("--check", action="store_true", help="with --resolved: make the meshes, let `annulus check` read them, and compute nothing")
parser.add_argument("--iterations", type=int, help="of each run (default: 100; resolved: at most 600)")
parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="processor that computes (default: auto)")
parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="of `annulus run`")
parser.add_argument("--turbulence", help="section turbulence of the case, in braces")
parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
parser.add_argument("--again", action="store_true", help="compute again what is there")
parser.add_argument("--points", action="store_true", help="print each point")
options = parser.parse_args()
if options.check and not options.resolved:
    parser.error("--check needs --resolved")
options.tool = lambda name: os.path.join(os.path.abspath(options.bin), name) if options.bin else name
with program("film.py"):
    main(options)
