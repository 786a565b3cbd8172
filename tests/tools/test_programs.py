"""Programs in Python that read files of others end with one line that names the file, and with exit code 2, where the file is
missing, empty, truncated or another one: tools/compare, the scripts of the cases, tables and suites. A program or a folder that
is not there is named in the same way.
"""
import json
import os
import shutil
import subprocess
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from checks import check, finish

SOURCE = os.environ["AN_SOURCE"]
top = os.path.abspath(sys.argv[1])
shutil.rmtree(top, ignore_errors=True)
os.makedirs(top)
os.chdir(top)
TABLE = "x_m,y_m,Rex,cf,time_s,lift,drag,moment,kinetic_energy_J_m3,iteration\n"
EFFECTIVE = "gas: {mu: 1e-5}\nboundaries: {inlet: {p0: 1e5, T0: 300}}\n"


def one_line(text, script, *arguments, code=2):
    command = [sys.executable, "-B", os.path.join(SOURCE, script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)
    said = done.stderr.strip()
    check(done.returncode == code and said.count("\n") == 0 and text in said and "Traceback" not in said,
          f"{script} {' '.join(arguments)}: '{text}' is not the one line of exit code {done.returncode}: {said[-600:]}")


def text(name, content):
    os.makedirs(os.path.dirname(os.path.join(top, name)), exist_ok=True)
    with open(name, "w", encoding="utf-8") as f:
        f.write(content)


def snapshot(name, shape=(2, 3, 4)):
    """Of the form that tools/compare reads."""
    os.makedirs(os.path.dirname(os.path.join(top, name)), exist_ok=True)
    with h5py.File(name, "w") as f:
        for path, label in (("Base", "CGNSBase_t"), ("Base/zone", "Zone_t"), ("Base/zone/FlowSolution/Density", "DataArray_t")):
            f.create_group(path).attrs["label"] = numpy.bytes_(label)
        f["Base/zone/FlowSolution/Density/ data"] = numpy.ones(shape)


def truncated(name, of, size=600):
    os.makedirs(os.path.dirname(os.path.join(top, name)), exist_ok=True)
    with open(of, "rb") as f, open(name, "wb") as out:
        out.write(f.read()[:size])


snapshot("good/flow_00000001.cgns")
snapshot("other/flow_00000001.cgns", (2, 3, 5))
truncated("cut/flow_00000001.cgns", "good/flow_00000001.cgns")
truncated("cut/wall_00000001.cgns", "good/flow_00000001.cgns")
truncated("cut/grid.cgns", "good/flow_00000001.cgns")
text("cut/effective.yaml", EFFECTIVE)
text("text/flow_00000001.cgns", "no snapshot\n")
text("none/wall_00000001.txt", "")
text("empty", "")
text("header.csv", TABLE)
text("words.csv", TABLE + "a,b,c,d,e,f,g,h,i,j\n")
text("few.csv", TABLE + "1,1,1,1,1,1,1,1,1,1\n")

# missing, empty, of another form, with words in place of numbers, with too few lines
for script, options in (("cases/cylinder/strouhal", ()), ("cases/taylor_green/compare", ()),
                        ("cases/transition/plate.py", ("x", "--fine", "1", "--upper"))):
    for name, words in (("nowhere.csv", "nowhere.csv: No such file"), ("empty", "empty: no column"),
                        ("good/flow_00000001.cgns", "flow_00000001.cgns: not a text file"), ("header.csv", "header.csv: no lines"),
                        ("words.csv", "words.csv:2: "), ("few.csv", "few.csv: "), ("good", "good: Is a directory")):
        one_line(words, script, *options, name)

for folder, words in (("nowhere", "nowhere holds no snapshot"), ("cut", "cut/flow_00000001.cgns: "), ("text", "text/flow_00000001.cgns: "),
                      ("other", "hold different zones")):
    one_line(words, "tools/compare", "good", folder)
one_line("the limit x is not a number", "tools/compare", "good", "good", "x")
one_line("", "tools/compare", "good", "good", code=0)

for folder, words in (("nowhere", "nowhere/effective.yaml: No such file"), ("cut", "cut/wall_00000001.cgns: "), ("none", "none/effective.yaml")):
    one_line(words, "cases/transition/compare.py", folder, "few.csv")
shutil.copy("cut/effective.yaml", "none")
one_line("none: no wall_NNNNNNNN.cgns", "cases/transition/compare.py", "none", "few.csv")
text("none/effective.yaml", "gas: {}\n")
one_line("none/effective.yaml: it has no number 'mu'", "cases/transition/compare.py", "none", "few.csv")
one_line("nowhere/grid.cgns: ", "cases/duct/vortex.py", "compare", "nowhere/flow_00000001.cgns")
one_line("cut/grid.cgns: ", "cases/duct/vortex.py", "compare", "cut/flow_00000001.cgns")

made = subprocess.run([sys.executable, "-B", os.path.join(SOURCE, "cases/gust_cascade/prepare"), "gust", "--mach", "0.7", "--stagger", "30",
                       "--frequency", "5", "--steps", "20", "--periods", "3", "--chord", "24", "--pitch", "24"],
                      capture_output=True, text=True)
check(made.returncode == 0, f"prepare: {made.stderr}")
gust = "cases/gust_cascade/compare"
one_line("nowhere/set.json: No such file", gust, "nowhere")
one_line("gust/out/history.csv: No such file", gust, "gust")
text("gust/out/history.csv", TABLE + "1,1,1,1,1,1,1,1,1,1\n" * 5)
one_line("gust/out/history.csv: 5 lines are fewer than", gust, "gust")
text("gust/out/history.csv", TABLE + "1,1,1,1,1,1,1,1,1,1\n" * 60)
one_line("gust/out/probes.h5: No such file", gust, "gust")
truncated("gust/out/probes.h5", "good/flow_00000001.cgns")
one_line("gust/out/probes.h5: ", gust, "gust")
with open("gust/set.json", encoding="utf-8") as f:
    set_ = json.load(f)
del set_["mach"]
text("gust/set.json", json.dumps(set_))
one_line("gust/set.json: it has no 'mach'", gust, "gust")
text("gust/set.json", "{")
one_line("gust/set.json: not JSON", gust, "gust")

for script, options in (("tools/dev/bench_table", ()), ("tools/dev/fingerprint", ("--bin", "nowhere", "--work", "work", "--against")),
                        ("tools/robustness/suite", ("--bin", "nowhere", "--work", "work", "--first", "1", "--compare")),
                        ("tools/release/release", ("--work", "work", "--only", "airfoil", "--with"))):
    for name, words in (("nowhere.json", "nowhere.json: No such file"), ("header.csv", "header.csv: not "), ("good", "good: Is a directory")):
        one_line(words, script, *options, name)
text("list.json", "[]")
one_line("list.json: ", "tools/dev/fingerprint", "--bin", "nowhere", "--work", "work", "--against", "list.json")
one_line("nowhere.md: No such file", "tools/dev/bench_table", "list.json", "--into", "nowhere.md")
one_line("nowhere/map.csv: No such file", "tools/release/continue_map", "case.yaml", "nowhere")

# programs and folders that are not there
one_line("nowhere/mesh_row: No such file", "tools/programs/mesh_row/family", "--bin", "nowhere/mesh_row", "--count", "1", "--folder", "family")
one_line("nowhere/regress_box: No such file", "tools/dev/faults", "nowhere")
for name in ("airfoil", "cylinder", "cylinder_des", "sajben"):
    one_line("nowhere/x: No such file", f"cases/{name}/make_grid", "-o", "nowhere/x")
one_line("nowhere/x: No such file", "cases/taylor_green/make_grid", "--cells", "4", "-o", "nowhere/x")
one_line("nowhere/stator.dat: No such file", "cases/stage/make_blades.py", "--folder", "nowhere")
one_line("empty: File exists", "cases/gust_cascade/prepare", "empty")
one_line("nowhere/x: No such file", "cases/transition/plate.py", "nowhere/x")
finish()
