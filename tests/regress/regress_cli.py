"""What the command line promises: --version, help-case, info, check, --set, --progress, and the
effective case kept beside the results."""
import os
import re
import shutil
import subprocess

from regress import *

top = folder("cli")
case = write_case(top)


def says(r, *fragments, code=DONE):
    for fragment in fragments:
        check(re.search(fragment, r.out), f"'{fragment}' is missing: {r}")
    check(r.code == code, f"exit code {code} expected: {r}")
    check(not r.err, f"something on stderr: {r}")


says(annulus("--version"), r"annulus \d+\.\d+|Annulus \d+\.\d+", "precisions  single, double", "gases       constant cp, cp", r"engines     cpu \((baseline|avx2|avx512)", "MPI", "HDF5", "CGNS")
says(annulus("--help"), "run CASE", "check CASE", "info FILE", "help-case", "--set", "--restart",
     "Exit codes")

# help of one command is about that command
for ask in ("--help", "-h"):
    r = annulus("run", ask)
    says(r, r"run CASE\.yaml", "--restart", "--other-mesh", "--set", "Exit codes")
    check("bench" not in r.out and "--json" not in r.out, f"`run {ask}` speaks of bench: {r}")
says(annulus("bench", "-h"), "Options of `annulus bench`", "--json")
says(annulus("-h"), "init MESH", "report FOLDER", "--json")
r = annulus("info", MESH, "--json", "x")
check(r.code == INPUT and "go with `annulus bench`" in r.err, f"whose option --json is: {r}")

# unknown keys: the nearest one, else the sections
# a word of a value or of names: the keys that have it, values first, a key of several types of boundary once
for key, wanted in (("cfll", "did you mean 'march.cfl'"), ("nosuch", "the sections are gas, scheme"), ("cfl", "did you mean 'march.cfl'"),
                    ("inlet", "occurs in the values or names of:\n    boundaries.NAME.type: inlet_total, inlet_supersonic\n"),
                    ("roe", "of:\n    scheme.flux: roe"), ("Entropy", "    output.fields: Entropy"),
                    ("cooling", "boundaries.NAME.type: cooling"), ("emul", "the sections are")):
    r = annulus("help-case", key)
    check(r.code == INPUT and wanted in r.err, f"help-case {key}: {r}")

# a case for a mesh, as it stands, is ready to run; a file that exists is left alone
duct = os.path.join(top, "duct.cgns")
subprocess.run([os.path.join(BIN, "mesh_duct"), "-n", "8,8,2", "-s", "30", "-o", duct], check=True)
made = os.path.join(top, "made.yaml")
for mesh, wanted in ((duct, 'row: {zones: ["*"], rpm: 0, blades: 30}'), (MESH, '"blade": {type: wall'),
                     (duct, '"outlet": {type: outlet_static, p: 90000, radial_equilibrium: mid}'), (MESH, "p: 90000}")):
    if os.path.exists(made):
        os.remove(made)
    says(annulus("init", mesh, "-o", made), "^$")
    with open(made) as text:
        check(wanted in text.read(), f"'{wanted}' is not in the case for {mesh}")
    says(annulus("check", made, "--device", "cpu"), "the case is ready to run")

# rows that follow each other meet at a mixing plane; copies of passages count as blades
import h5py  # noqa: E402

second, joined, copied = (os.path.join(top, n) for n in ("second.cgns", "joined.cgns", "copied.cgns"))
shutil.copy(duct, second)
with h5py.File(second, "r+") as f:
    x = f["Base/duct/GridCoordinates/CoordinateX/ data"]
    x[...] = x[...] + 0.5
for made_by in (["mesh_join", "-o", joined, f"a={duct}", f"b={second}"], ["passage_copy", joined, "-n", "2", "-o", copied]):
    done = subprocess.run([os.path.join(BIN, made_by[0]), *made_by[1:]], capture_output=True, text=True)
    check(done.returncode == 0, f"{made_by}: {done}")
for mesh in (joined, copied):
    os.remove(made)
    says(annulus("init", mesh, "-o", made), "^$")
    with open(made) as text:
        text = text.read()
    for wanted in ('"a_outlet": {type: mixing_plane, with: "b_inlet"}', '"b_inlet": {type: mixing_plane, with: "a_outlet"}',
                   '"a_inlet": {type: inlet_total', '"b_outlet": {type: outlet_static', "blades: 30"):
        check(wanted in text, f"'{wanted}' is not in the case for {mesh}: {text}")
    check("radial_equilibrium" not in text, f"the last of two rows stands, so the flow leaves without swirl: {text}")
    says(annulus("check", made, "--device", "cpu"), "the case is ready to run")
# rows and their boundaries stand in the order of the flow, not in that of their names; the rules of `stop` are some that the run can
# meet; the mesh's file gives the title
swapped = os.path.join(top, "swapped.cgns")
subprocess.run([os.path.join(BIN, "mesh_join"), "-o", swapped, f"b={duct}", f"a={second}"], check=True)
r = annulus("init", swapped, "-o", "-")
places = [r.out.find(word) for word in ("  b: {zones", "  a: {zones", '"b_inlet"', '"b_outlet"', '"a_inlet"', '"a_outlet"')]
check(r.code == DONE and min(places) >= 0 and places == sorted(places), f"order of rows: {places} {r}")
for wanted in ('case: "swapped"\n', "\nstop: {mass_flow: 1.0e-3, pressure_ratio: 1.0e-3}"):
    check(wanted in r.out, f"'{wanted}' is not in: {r}")
with open(made, "w") as text:
    text.write(r.out)
says(annulus("check", made, "--device", "cpu"), "the case is ready to run")
r = annulus("init", duct, "-o", made)
check(r.code == INPUT and "left alone" in r.err, f"init over a case that exists: {r}")
r = annulus("init", os.path.join(top, "nowhere.cgns"), "-o", "-")
check(r.code == INPUT and "nowhere.cgns" in r.err and not r.out, f"init without a mesh: {r}")

r = annulus("help-case")
says(r, "march", "CFL number", "Pa", r"2\.5", "boundaries", "inlet_total")
keys = re.findall(r"^\s+(\w+)\b", r.out, re.M)
check(len(keys) > 30, f"help-case names {len(keys)} keys")
says(annulus("help-case", "march.cfl"), "CFL number", r"2\.5")
one = annulus("help-case", "march")
says(one, "cfl_ramp", "wall_time")
check("gamma" not in one.out, "help-case march names keys of other sections")

says(annulus("info", MESH), "6 zones|zones", "blade_o", "inlet", "periodic|translation", r"\d+ *x *\d+")

# low Mach numbers: in steady runs below 0.19 by itself, on demand, with a remark where it is off
slow, middle, fast = (f"boundaries.outlet.p={p}" for p in ("1.593e5", "1.571e5", "1.5e5"))
unsteady = ["march.mode=unsteady", "march.iterations=9"]
for options, wanted in (([slow], "low Mach    dissipation for a speed of"), ([fast], None),
                        ([fast, "scheme.low_mach=on"], "low Mach    dissipation for a speed of"),
                        ([slow, "scheme.low_mach=off"], "low Mach    scheme.low_mach is off: at Mach number 0.0"),
                        ([middle], "low Mach    dissipation for a speed of"),
                        ([middle, "scheme.low_mach=off"],
                         "low Mach    scheme.low_mach is off: at Mach number 0.15 the dissipation is too large, and the march"),
                        ([middle, "scheme.low_mach=off", *unsteady], None)):
    r = annulus("check", case, options=options)
    check(wanted in r.out if wanted else "low Mach" not in r.out, f"{options}: {r}")
for precision, said in (("single", True), ("double", False)):
    r = annulus("check", case, options=["boundaries.outlet.p=1.5955e5", f"precision={precision}"])
    check(("use precision: double" in r.out) == said, f"Mach number 0.02, {precision}: {r}")
r = annulus("check", case, options=["boundaries.outlet.p=1.7e5", "scheme.low_mach=on"])
check(r.code == INPUT and "scheme.low_mach is on, but" in r.err, f"low_mach without a speed: {r}")

for np in (1, 2, 4):
    r = annulus("check", case, np=np)
    says(r, f"partition for {np} rank", "imbalance", "memory +[0-9.]+ MB", "the case is ready to run",
         "engine +cpu", "transport")
    faces = re.findall(r"^ +(\w+) +([ijk](?:min|max)) +cells ([ijk]) (\d+)\.\.(\d+), "
                       r"([ijk]) (\d+)\.\.(\d+): (.+)$", r.out, re.M)
    # every face of every zone is covered exactly once
    area, size = {}, {}
    for zone, face, a, a0, a1, b, b0, b1, _ in faces:
        na, nb = int(a1) - int(a0) + 1, int(b1) - int(b0) + 1
        area[zone, face] = area.get((zone, face), 0) + na * nb
        for axis, top_cell in ((a, a1), (b, b1)):
            size[zone, axis] = max(size.get((zone, axis), 0), int(top_cell))
    zones = {zone for zone, _ in area}
    check(len(zones) > 1 and len(area) == 6 * len(zones), f"faces of {zones}: {len(area)}: {r.out}")
    for (zone, face), cells in area.items():
        a, b = [axis for axis in "ijk" if axis != face[0]]
        check(cells == size[zone, a] * size[zone, b],
              f"face {face} of {zone}: {cells} cells are covered of {size[zone, a]} x {size[zone, b]}")
    kinds = " ".join(face[-1] for face in faces)
    for kind in ("inlet, ", "outlet, ", "blade, ", "periodic by translation"):
        check(kind in kinds, f"'{kind}' stands on no face")
    cells = sum(int(c) for c in re.findall(r"^ +\d+ +\d+ +(\d+) +[\d.]+ +[\d.]+ %", r.out, re.M))
    total = int(re.search(r"zones, (\d+) cells", r.out)[1])
    check(cells == total, f"the ranks hold {cells} cells of {total}")

# the case as it would be run, without its mesh
r = annulus("check", case, "--effective", options=["output.folder=results", "march.cfl=1.25", "mesh=nowhere.cgns"])
check(r.code == DONE and f'  folder: "{os.path.join(top, "results")}"\n' in r.out and "  cfl: 1.25 " in r.out, f"--effective: {r}")
r = annulus("check", case, "--effective", options=["march.cfl=-1"])
check(r.code == INPUT and "march.cfl" in r.err and not r.out, f"--effective of a case with an error: {r}")
r = annulus("run", case, "--effective")
check(r.code == INPUT and "go with `annulus check`" in r.err, f"--effective of another command: {r}")

# a picture of the boundaries, with annulus-plot on the PATH
try:
    import matplotlib.image
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"no picture is drawn: {missing}")
else:
    os.makedirs(os.path.join(top, "bin"))
    os.symlink(os.path.join(SOURCE, "tools", "plot"), os.path.join(top, "bin", "annulus-plot"))
    os.environ["PATH"] = os.pathsep.join([os.path.join(top, "bin"), os.path.dirname(sys.executable), os.environ["PATH"]])
    os.environ["MPLCONFIGDIR"] = os.path.join(top, "matplotlib")
    figure = os.path.join(top, "boundaries.png")
    annulus("check", case, "--figure", figure)  # the first picture of a machine: matplotlib may say that it looks for fonts
    says(annulus("check", case, "--figure", figure), "the case is ready to run")
    if check(os.path.exists(figure), "check --figure wrote nothing"):
        shades = matplotlib.image.imread(figure)[:, :, :3]
        ink = (shades.min(axis=2) < 0.95).mean()
        hues = len(numpy.unique((shades[shades.max(axis=2) - shades.min(axis=2) > 0.2] * 4).astype(int), axis=0))
        check(ink > 0.03 and hues >= 3, f"check --figure: {100 * ink:.1f} % ink, {hues} colours")
    r = annulus("check", case, "--figure", os.path.join(top, "boundaries.nosuch"))
    check(r.code == INPUT and "nosuch" in r.err and "Traceback" not in r.err, f"check --figure as another format: {r}")
check(not os.path.exists(os.path.join(top, "out")), "check wrote into the output folder")

# --set changes values; the effective case is kept and gives the same run again
out = os.path.join(top, "set")
options = ["march.iterations=6", "march.cfl=1.25", "boundaries.outlet.p=0.9e5",
           f"output.folder={out}", "output.every=3", "case=set by hand"]
r = run(case, options=options)
effective = os.path.join(out, "effective.yaml")
text = open(effective).read()
for line in (r"cfl: 1\.25", "iterations: 6", r"p: (90000|9e\+?0?4|0\.9e5|90000\.0)", "set by hand",
             r"mesh: .*" + re.escape(MESH), "limiter", "entropy_fix"):
    check(re.search(line, text), f"effective.yaml lacks '{line}':\n{text}")
check(os.path.exists(snapshot(out, 3)) and os.path.exists(snapshot(out, 6)), "output.every=3")
again = os.path.join(top, "again")
run(effective, options=[f"output.folder={again}"])
same_fields(snapshot(out, 6), snapshot(again, 6), "the effective case run again")
# a line at the end, also where a snapshot falls on it and no line
run(case, options=["march.iterations=6", "output.every=3", "output.history_every=4", f"output.folder={top}/plain"])
check([int(line["iteration"]) for line in history(f"{top}/plain")] == [0, 4, 6],
      f"lines of history.csv: {[line['iteration'] for line in history(top + '/plain')]}")
plain, changed = (fields(snapshot(f, 6)) for f in (f"{top}/plain", out))
check(any((plain[n] != changed[n]).any() for n in plain), "--set changed nothing")
run(effective, "--restart", "latest", options=["march.iterations=8"])
check(os.path.exists(snapshot(out, 8)), "a restart from the effective case in the same folder")

info = run_json(out)
for key, value in (("title", "set by hand"), ("status", "finished"), ("exit_code", 0), ("ranks", 1),
                   ("precision", "double"), ("iteration", 8), ("snapshot", snapshot(out, 8))):
    check(info[key] == value, f"run.json: {key} is {info[key]}, not {value}")
check(info["threads"] == 1, f"run.json: threads is {info['threads']}")
# without OMP_NUM_THREADS: the cores that the program may run on; a binding by Open MPI that nobody asked for is undone
if len(os.sched_getaffinity(0)) > 1 and shutil.which("taskset"):
    few = {name: v for name, v in environment().items() if name != "OMP_NUM_THREADS" and "BIND" not in name.upper()}
    bound = {"OMPI_MCA_orte_bound_at_launch": "1"}
    for more, one in (({}, True), (bound, False), ({**bound, "OMPI_MCA_hwloc_base_binding_policy": "core"}, True)):
        said = subprocess.run(["taskset", "-c", str(min(os.sched_getaffinity(0))), os.path.join(BIN, "annulus"), "run", case, "--set",
                               f"output.folder={out}_bound", "--set", "march.iterations=1"], env={**few, **more}, capture_output=True, text=True).stdout
        threads = re.search(r"^engine .*?(\d+) threads?", said, re.M)
        check(threads and (int(threads[1]) == 1) == one, f"threads on one core of a mask, {more}: {said[:1500]}")

# the table on the screen, with and without a moving line
for part in ("iteration", "residual", "mass in", "imbalance", "finished at iteration 6", "snapshot"):
    check(part in r.out, f"the screen lacks '{part}': {r.out}")
check("\r" not in r.out, "a moving line without --progress")
r = run(case, "--progress", np=2, options=["march.iterations=6", f"output.folder={top}/progress"])
check("\r" in r.out and "6 of 6" in r.out, f"--progress: {r.out!r}")

first = re.search(r"\r  1 of 6 \(16 %\)  (\S+) iterations/s  (\S+) left", r.out)
check(first and float(first[1]) > 0 and re.fullmatch(r"\d+:\d\d", first[2]), f"--progress, the first line: {r.out!r}")
check(r.out.index("start  ") < r.out.index("iteration  "), f"a line of the start between those of the table: {r.out}")

# a terminal of 80 columns, and one of 120; a path or a name has its own length
WIDE = ("mesh", "case  ", "output  ", "snapshot  ", "start  ", "march  ", "engine  ")
viscous = ["gas.viscosity=sutherland", "boundaries.blade.type=wall_viscous", "march.iterations=6",
           "monitors.stations=[-0.01, 0.04]"]
for np in (1, 2):
    for columns in (80, 120):
        r = on_terminal(columns, "run", case, "--progress", np=np, options=viscous + [f"output.folder={top}/wide"])
        long = too_wide(r, columns, WIDE)
        check(r.code == DONE and not long, f"{np} ranks, lines of more than {columns} columns: {long}: {r}")
        for part in ("mass in", "  machine ", "wall   ", "friction x", "y+ max", "station, m", "loss by mass, mixed out"):
            check(part in r.out, f"'{part}' is not on a terminal of {columns} columns: {r}")
        check(("mass out" in r.out) == (columns == 120), f"columns of the table on {columns} columns: {r}")
for ask in (["help-case"], ["info", MESH], ["check", case], ["--help"], ["run", "--help"], ["bench", "-h"]):
    r = on_terminal(80, *ask)
    check(r.code == DONE and not too_wide(r, 80, WIDE), f"{ask} on 80 columns: {too_wide(r, 80, WIDE)}")
    check(len(r.out) > 200, f"{ask} on a terminal: {r}")
whole = annulus("check", case)
check(on_terminal(80, "check", case).out.split() == whole.out.split(), "a narrow terminal changes words")

# --device wins over the case file
r = run(case, "--device", "emulated", options=["march.iterations=2", f"output.folder={top}/emulated"])
check("emulated" in r.out, f"--device emulated: {r.out}")
finish()
