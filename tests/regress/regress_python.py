"""The Python package against the program, on a coarse passage of Rotor 37: averages at stations agree with the
program's own to the digits of profile_NNNNNNNN.csv; a snapshot by itself tells its case, its row and its speed;
blade surfaces unrolled; mesh study and figures of a run.
"""
import re
import subprocess

from regress import *

try:
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
import annulus as an  # noqa: E402

ROTOR = """case: coarse rotor
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.0, viscosity: sutherland}}
rows:
  rotor: {{zones: ["*"], rpm: -17188.7, blades: 36}}
march: {{method: runge_kutta, cfl: 1.5, cfl_start: 0.2, cfl_ramp: 500, smooth_start: 500, iterations: 3}}
multigrid: {{levels: 1}}
initial: {{p: 0.9e5, T: 280, mach: 0.45, direction: [1, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 101325, T0: 288.15, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: wall_viscous}}
  blade: {{type: wall_viscous}}
  tip: {{type: wall_viscous}}
  shroud: {{type: wall_viscous, omega: 0}}
monitors: {{stations: [-0.04, 0.02, 0.1], station_lines: [0.09, 0.19, 0.1, 0.24], bands: 6}}
output: {{folder: out, every: 0, history_every: 5, embed_grid: true}}
"""

top = folder("python")
mesh = rotor_input(top)
made = subprocess.run([os.path.join(BIN, "mesh_row"), os.path.join(top, "row.yaml"), "--cells", "1e4", "-o", mesh],
                      capture_output=True, text=True, timeout=120)
if not check(made.returncode == 0, f"mesh_row: {made.stdout[-500:]} {made.stderr[-500:]}"):
    finish()
case = write_case(top, mesh=mesh, text=ROTOR)


def same_averages(flow, profile):
    """All columns of all bands and planes, to the nine digits of the file."""
    compared, worst = 0, (0.0, "")
    for x in (-0.04, 0.02, 0.1):
        whole, bands = an.station(flow, x), an.station(flow, x, 6)
        lines = an.machine_table(flow, [min(profile["x_m"]), x])
        for n in range(len(profile)):
            if profile["x_m"][n] != x or n >= 21:  # seven lines for each station; the last seven belong to the cone
                continue
            is_whole = numpy.isnan(profile["band"][n])
            mine = dict(lines[1], **whole) if is_whole else bands[int(profile["band"][n]) - 1]
            for name in set(mine) & set(profile) - {"x_m"}:
                wanted = profile[name][n]
                if numpy.isnan(wanted):
                    check(numpy.isnan(mine[name]), f"{name} at {x}: {mine[name]}, none in the file")
                    continue
                apart = abs(mine[name] - wanted) / max(abs(wanted), 1e-6)
                worst = max(worst, (apart, f"{name} at x = {x}: {mine[name]}, file {wanted}"))
                compared += 1
    check(compared > 200 and worst[0] < 1e-8, f"{compared} averages, the worst: {worst}")


def same_cone(flow, profile):
    """The station of a line: all bands and the whole of it."""
    line, worst = ((0.09, 0.19), (0.1, 0.24)), (0.0, "")
    found = [*an.station(flow, line, 6), an.station(flow, line)]
    check(len(profile) == 28, f"{len(profile)} lines of four stations with six bands")
    for mine, n in zip(found, range(21, 28)):
        for name in set(mine) & set(profile):
            worst = max(worst, (abs(mine[name] - profile[name][n]) / max(abs(profile[name][n]), 1e-6), f"{name}, line {n}"))
    check(worst[0] < 1e-8, f"averages over a cone: {worst}")


run_ = an.start(case, annulus=ANNULUS).wait()
check(run_.info["status"] == "finished", f"run.json: {run_.info['status']}")
same_averages(run_.flow(), an.Run(run_.folder).profile())
same_cone(run_.flow(), an.Run(run_.folder).profile())

alone = os.path.join(top, "alone.cgns")
shutil.copy(run_.newest("flow"), alone)
flow = an.Flow(alone)
check([(row.name, row.blades) for row in flow.rows] == [("rotor", 36)], f"rows: {[vars(r) for r in flow.rows]}")
check(abs(flow.rows[0].omega + 17188.7 * numpy.pi / 30) < 1e-6 and abs(flow.rows[0].pitch - numpy.pi / 18) < 1e-12, "speed and pitch")
check(flow.gas.R == 287.0 and flow.reference == (101325.0, 288.15), f"gas {vars(flow.gas)}, reference {flow.reference}")
speeds = {zone.omega() for zone in flow.zones}
check(len(speeds) == 1 and abs(speeds.pop() + 1800) < 0.1, f"RotatingCoordinates: {speeds}")
bare = an.Flow(alone, case=an.Case(title="none"))  # what the file says without the case
check(abs(bare.rows[0].omega + 1800) < 0.1 and abs(bare.rows[0].pitch - numpy.pi / 18) < 1e-12, f"{vars(bare.rows[0])}")

r = annulus("check", case, options=["output.measured_map=nowhere.csv"])
check(r.code == INPUT and "'output.measured_map'" in r.err and "cannot be read" in r.err, f"measured data that are not there: {r}")
survey = os.path.join(SOURCE, "cases", "rotor37", "survey_98.csv")
check(annulus("check", case, options=[f"output.measured_profiles={survey}"]).code == DONE, "measured data that are there")
r = annulus("check", case, options=["output.design_rows=nowhere.csv"])
check(r.code == INPUT and "'output.design_rows'" in r.err and "cannot be read" in r.err, f"a design that is not there: {r}")

sides = an.unroll(an.File(run_.newest("wall"), (2,)), "blade")
check(len(sides) == 1 and sides[0].s.shape == sides[0].values.shape, f"{len(sides)} contours of the blade")
s = sides[0]
check(numpy.all(numpy.diff(s.s, axis=1) > 0) and s.s.min() < -0.05 and s.s.max() > 0.05, "arc lengths go both ways from the leading edge")
check(numpy.all(numpy.diff(s.r.mean(axis=1)) > 0), "layers go from hub to tip")
lead = numpy.abs(s.s).argmin(axis=1)
check(numpy.all(numpy.take_along_axis(s.x, lead[:, None], 1)[:, 0] - s.x.min(axis=1) < 1e-3), "the leading edge is where x is least")


def page():
    """The examples of docs/guide/python.md, one after the other."""
    with open(os.path.join(SOURCE, "docs", "guide", "python.md")) as text:
        found = re.findall(r"^(<!-- not run[^\n]*\n)?```python\n(.*?)^```", text.read(), re.M | re.S)
    blocks = [block for not_run, block in found if not not_run]
    check(len(blocks) >= 3, f"{len(blocks)} examples")
    done = subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=top, capture_output=True, text=True, timeout=120,
                          env=dict(environment(), PYTHONPATH=os.path.join(SOURCE, "tools", "python"), PATH=BIN + ":" + os.environ["PATH"]))
    check(done.returncode == 0 and "kg/s" in done.stdout, f"docs/guide/python.md: {done.stdout[-1500:]} {done.stderr[-1500:]}")


page()
def plot(command, name, *options):
    """What tools/plot prints of the newest walls; the picture has something in it."""
    path = os.path.join(top, name)
    done = subprocess.run([os.path.join(SOURCE, "tools", "plot"), command, run_.newest("wall"), "-o", path, *options],
                          capture_output=True, text=True,
                          env=dict(os.environ, MPLCONFIGDIR=os.path.join(top, "matplotlib"), PATH=os.path.dirname(sys.executable) + ":" + os.environ["PATH"]))
    check(done.returncode == 0 and os.path.getsize(path) > 10000, f"plot {command}: {done}")
    return done.stdout


plot("unrolled", "unrolled.png", "--family", "blade")
one, three = (plot("surfaces", f"{n}.png", "--family", "blade", "hub", "--copies", str(n)) for n in (1, 3))
faces = [int(re.search(r"Pressure on blade, hub: .*, (\d+) faces", text)[1]) for text in (one, three)]
check(faces[1] == 3 * faces[0], f"{faces[0]} faces of one passage, {faces[1]} of three")
finish()
