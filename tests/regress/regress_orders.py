"""Tables and pictures of runs on one duct whose mesh numbers its nodes in several orders: k along the span, along x, around
the axis, and from casing to hub. The total pressure at the inlet rises from hub to casing. The table of the machine has the
mass flow that the program reports, a station has the figures of the program to the digits of its file, and profiles rise
from hub to casing in each of them.
"""
import subprocess

from regress import *

try:
    import matplotlib  # noqa: F401
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
import annulus as an  # noqa: E402

CASE = """case: duct
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05}}
scheme: {{flux: roe}}
march: {{method: implicit, cfl: 20, iterations: 8}}
initial: {{p: 1.0e5, T: 300, velocity: [170, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.2e5, T0: 315, direction: [1, 0, 0], profile: profile.csv}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: wall_slip}}
  casing: {{type: wall_slip}}
monitors: {{stations: [0.03]}}
output: {{folder: out, every: 0, history_every: 4}}
"""
AXES = {"x": numpy.linspace(0, 0.06, 9), "r": numpy.linspace(0.5, 1, 7), "t": numpy.linspace(0, numpy.pi / 18, 5)}
top = folder("orders")


def write_mesh(where, order, down):
    """order: what i, j and k run along; down: the span from casing to hub."""
    axes = {name: v[::-1] if name == "r" and down else v for name, v in AXES.items()}
    at = dict(zip(order, numpy.meshgrid(*[axes[o] for o in order], indexing="ij")))
    with open(os.path.join(where, "mesh.x"), "w") as f:
        f.write("%d %d %d\n" % at["x"].shape)
        for a in (at["x"], at["r"] * numpy.cos(at["t"]), at["r"] * numpy.sin(at["t"])):
            f.write(" ".join("%.15g" % q for q in a.ravel(order="F")) + "\n")
    face = {o: "ijk"[n] for n, o in enumerate(order)}
    hub, casing = ("max", "min") if down else ("min", "max")
    bc = [f"1:{face['x']}min=inlet", f"1:{face['x']}max=outlet", f"1:{face['r']}{hub}=hub", f"1:{face['r']}{casing}=casing"]
    done = subprocess.run([os.path.join(BIN, "mesh_plot3d"), "mesh.x", "-o", "mesh.cgns", "--periodic", "turn:10",
                           *sum((["--bc", b] for b in bc), [])], cwd=where, capture_output=True, text=True, timeout=60)
    return check(done.returncode == 0, f"mesh_plot3d: {done.stdout}{done.stderr}")


wanted = {}
for order, down in (("xtr", False), ("xtr", True), ("trx", False), ("rxt", True), ("txr", False)):
    what = f"i, j, k along {', '.join(order)}{', from casing to hub' if down else ''}"
    where = os.path.join(top, order + ("_down" if down else ""))
    os.makedirs(where)
    with open(os.path.join(where, "profile.csv"), "w") as f:
        f.write("span,p0_Pa\n0,1.1e5\n1,1.3e5\n")
    if not write_mesh(where, order, down):
        continue
    case = write_case(where, mesh="mesh.cgns", text=CASE)
    run(case)
    done = an.Run(os.path.join(where, "out"))
    flow, profile = done.flow(), done.profile()
    station, whole = an.station(flow, 0.03), int(numpy.flatnonzero(numpy.isnan(profile["band"]))[0])
    worst = max((abs(station[name] - profile[name][whole]) / max(abs(profile[name][whole]), 1e-3), name)
                for name in set(station) & set(profile))
    check(worst[0] < 1e-8, f"{what}: the program's own station: {worst}")
    table = an.machine_table(flow)
    check(len(table) == 2 and abs(table[0]["mass_flow_kg_s"] / profile["mass_flow_kg_s"][whole] - 1) < 0.05, f"{what}: {table}")
    span, radius, values = an.spanwise(flow, 0.03, ("PressureStagnation",))
    p0 = values["PressureStagnation"]
    check(len(span) == 6 and numpy.all(numpy.diff(radius) > 0) and numpy.all(numpy.diff(p0) > 0), f"{what}: profile {span} {radius} {p0}")
    found = {"table": [line["p0_Pa"] for line in table] + [line["mass_flow_kg_s"] for line in table], "p0": p0, "radius": radius,
             "meridional": an.pitch_average(flow, ("Pressure",), stations=8).values["Pressure"]}
    for name, value in found.items():
        value = numpy.asarray(value)
        base = wanted.setdefault(name, value)
        same = value.shape == base.shape and numpy.allclose(value, base, rtol=1e-6)
        check(same, f"{what}: {name} is {value}, and {base} on the mesh whose k runs along the span")
    page = subprocess.run([os.path.join(SOURCE, "tools", "plot"), "report", done.folder], capture_output=True, text=True,
                          env=dict(os.environ, MPLCONFIGDIR=os.path.join(top, "matplotlib"), PATH=os.path.dirname(sys.executable) + ":" + os.environ["PATH"])) \
        if order == "rxt" else None
    check(page is None or (page.returncode == 0 and "not drawn" not in page.stdout), f"{what}: report: {page}")
finish()
