"""annulus batch: bits of the lone runs, kills and continuations, two batches in one folder, lists with faults, a full disk, ranks of one
launcher, a case that diverges, a mesh that cannot be made.

Every start of the program is written into a file by a script in its place, so a case that is run twice is seen.
"""
import glob
import re

from regress import *

try:
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
import annulus as annulus_module  # noqa: E402

top = folder("batch")
case = write_case(top)
LONG = 5000  # iterations: more than a quick machine does before a signal comes
long_case = os.path.join(top, "long.yaml")
with open(long_case, "w") as f:
    f.write(CASE.format(mesh=MESH).replace("iterations: 40", f"iterations: {LONG}"))
blade = os.path.join(SOURCE, "cases", "ls89", "blade.dat")
cascade = {"cascade": blade, "set": {"pitch": 0.0575, "inlet-angle": 0, "outlet-angle": -74, "levels": 1, "size": 0.15}}
plot = os.path.join(SOURCE, "tools", "plot")
os.makedirs(os.path.join(top, "bin"))
os.symlink(plot, os.path.join(top, "bin", "annulus-plot"))
os.environ["PATH"] = os.pathsep.join([os.path.join(top, "bin"), os.path.dirname(sys.executable), os.environ["PATH"]])
os.environ["MPLCONFIGDIR"] = os.path.join(top, "matplotlib")
starts = os.path.join(top, "starts")
for tool in ("mesh_cascade", "mesh_row"):
    os.symlink(os.path.join(BIN, tool), os.path.join(top, "bin", tool))
program = os.path.join(top, "bin", "annulus")
with open(program, "w") as f:
    f.write(f'#!/bin/sh\n[ "$1" != run ] || echo "$PPID $*" >>{starts}\nexec {ANNULUS} "$@"\n')
os.chmod(program, 0o755)


def write_list(name, cases, **base):
    path = os.path.join(top, name)
    with open(path, "w") as f:
        json.dump({"case": case, **base, "cases": cases}, f, indent=1)  # JSON is YAML
    return path


def begin(path, *more, np=1, env=None):
    """A batch whose starts of the program are counted."""
    command = (MPIRUN + ["-n", str(np)] if np > 1 else []) + [sys.executable, "-B", plot, "batch", path, "--program", program, *more]
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**environment(), **(env or {})},
                         start_new_session=True)
    p.command = command
    return p


def batch(path, *more, expect=DONE, np=1, env=None, timeout=60):
    r = wait(begin(path, *more, np=np, env=env), timeout)
    check(r.code == expect, f"exit code {expect} expected: {r}")
    return r


def table(out):
    with open(os.path.join(out, "batch.csv"), newline="") as f:
        return list(csv.DictReader(f))


def starts_of(out):
    """Name of a case -> processes that have started it."""
    found = {}
    with open(starts) as f:
        for line in f:
            m = re.match(rf"(\d+) .*output\.folder={re.escape(out)}/(\S+)", line)
            if m:
                found.setdefault(m[2], []).append(m[1])
    return found


def command_of(pid):
    """Of a process; "" if it has ended."""
    try:
        with open(f"/proc/{pid}/cmdline") as f:
            return f.read()
    except OSError:
        return ""


def same_run(out, name, lone, iteration):
    same_history(os.path.join(out, name), lone, name)
    same_fields(snapshot(os.path.join(out, name), iteration), snapshot(lone, iteration), name)


# ---- the bits of the lone run, from YAML and from CSV; a mesh of two entries is made once; a second call runs nothing
listed = write_list("designs.yaml", [
    {"name": "plain"}, {"name": "high", "set": {"boundaries.outlet.p": 0.9e5}},
    {"name": "one", "mesh": cascade}, {"name": "two", "mesh": cascade, "set": {"march.cfl": 1.5}}])
out = os.path.join(top, "designs")
r = wait(start(["batch", listed]))
check(r.code == DONE and "complete    4 of 4" in r.out, f"annulus batch: {r}")
made = glob.glob(os.path.join(out, "meshes", "*.cgns"))
check(len(made) == 1, f"meshes: {made}")
for name, options in (("plain", []), ("high", ["boundaries.outlet.p=0.9e5"]), ("two", ["march.cfl=1.5", f"mesh={made[0]}"])):
    lone = os.path.join(top, "lone_" + name)
    run(case, options=[*options, f"output.folder={lone}"], threads=2)
    same_run(out, name, lone, 40)
rows = table(out)
check([row["name"] for row in rows] == ["plain", "high", "one", "two"], f"order of batch.csv: {rows}")
check(rows[1]["boundaries.outlet.p"] == "90000.0" and rows[1]["outcome"] == run_json(os.path.join(out, "high"))["state"] and
      rows[1]["mass_in_kg_s"] == history(os.path.join(out, "high"))[-1]["mass_in_kg_s"], f"batch.csv: {rows[1]}")
try:
    import pyarrow.parquet
    parquet = pyarrow.parquet.read_table(os.path.join(out, "batch.parquet")).to_pydict()
    check(parquet["name"] == [row["name"] for row in rows] and parquet["mass_in_kg_s"] == [float(row["mass_in_kg_s"]) for row in rows], f"{parquet}")
except ImportError:
    check(not os.path.exists(os.path.join(out, "batch.parquet")), "batch.parquet without pyarrow")
times = os.stat(os.path.join(out, "two", "history.csv")).st_mtime_ns
r = wait(start(["batch", listed]))
check(r.code == DONE and "4 of them done before" in r.out and times == os.stat(os.path.join(out, "two", "history.csv")).st_mtime_ns,
      f"a second call runs again: {r}")
r = annulus("report", out)
with open(os.path.join(out, "report.html")) as f:
    page = f.read()
check(r.code == DONE and 'href="two/"' in page and page.count("<tr>") == 5 and "<img" in page, f"report: {r}")

r = annulus("report", os.path.join(out, "two"))
check(r.code == DONE and "not drawn" not in r.out, f"the page of a cascade: {r}")

with open(os.path.join(top, "table.csv"), "w") as f:
    f.write("name, case, cascade, " + ", ".join(f"cascade.{key}" for key in cascade["set"]) + ", march.cfl, boundaries.outlet.p\n"
            f"two, case.yaml, {blade}, " + ", ".join(map(str, cascade["set"].values())) + ", 1.5,\n\nhigh, case.yaml,,,,,,,, 0.9e5\n")
batch(os.path.join(top, "table.csv"), "-o", os.path.join(top, "csv"))
for name in ("two", "high"):
    same_run(os.path.join(top, "csv"), name, os.path.join(out, name), 40)

# ---- maps: each as it is alone, with the figures of its last kept point; what is there is not computed again
line = {"march.mass_imbalance": 0.9, "stop.window": 20, "stop.mass_flow": 0.9, "map.iterations": 60, "map.values": [0.8e5, 0.9e5]}
cases = [{"name": "line", "command": "map", "set": line}, {"name": "speeds", "command": "map", "set": {**line, "map.speeds": [0.5, 1]}},
         {"name": "point"}]
maps = os.path.join(top, "maps")
r = batch(write_list("maps.yaml", cases))
rows_ = {row["name"]: row for row in table(maps)}
check([rows_[name]["outcome"] for name in ("line", "speeds")] == ["finished"] * 2 and rows_["line"]["map"] == "line/map.csv" and
      rows_["speeds"]["points"] == "4" and rows_["point"]["map"] == "", f"maps: {rows_}")
lone = os.path.join(top, "lone_line")
check(annulus("map", case, options=[*(f"{key}={value}" for key, value in line.items()), f"output.folder={lone}"]).code == DONE, "annulus map")
points, own = map_points(lone), map_points(os.path.join(maps, "line"))
check([{**p, "seconds": ""} for p in points] == [{**p, "seconds": ""} for p in own], f"points: {points}, {own}")
same_fields(os.path.join(lone, points[1]["snapshot"]), os.path.join(maps, "line", points[1]["snapshot"]), "a map")
check(rows_["line"]["pressure_ratio"] == str(float(points[1]["pressure_ratio"])) and rows_["line"]["setting"] == "90000.0" and
      int(rows_["line"]["iterations"]) == sum(int(p["iterations"]) for p in points), f"figures of a map: {rows_['line']}")
os.remove(os.path.join(maps, "speeds", "batch.json"))  # as after a kill
r = batch(os.path.join(top, "maps.yaml"))
check("2 of them done before" in r.out and "complete    3 of 3" in r.out, f"maps again: {r}")

# ---- the example of docs/guide/batch.md
with open(os.path.join(SOURCE, "docs", "guide", "batch.md")) as f:
    block = re.search(r"<!-- run by regress_batch -->\n```sh\n(.*?)^```", f.read(), re.M | re.S)[1]
os.symlink(os.path.join(SOURCE, "cases"), os.path.join(top, "cases"))
r = subprocess.run(["bash", "-ec", block], cwd=top, capture_output=True, text=True, env=environment(), timeout=PATIENCE * 120)
check(r.returncode == 0 and "complete    3 of 3" in r.stdout and "wrote sweep/report.html" in r.stdout, f"docs/guide/batch.md: {r}")

# ---- from Python: dictionaries in, a table out
table_ = annulus_module.batch([{"case": case, "set": {"boundaries.outlet.p": p}} for p in (0.8e5, 0.9e5)], os.path.join(top, "api"), program)
check(list(table_["name"]) == ["case_0001", "case_0002"] and table_["pressure_ratio"][1] == float(rows[1]["pressure_ratio"]) and
      list(table_["iterations"]) == [40, 40], f"annulus.batch: {dict(table_)}")

# ---- MPS: started with a folder of its own for a probe, ended when the process that holds it is killed; not used if the probe fails
control, said = os.path.join(top, "bin", "nvidia-cuda-mps-control"), os.path.join(top, "mps")
with open(control, "w") as f:
    f.write(f'#!/bin/sh\necho "$1$(test "$1" || cat) $CUDA_VISIBLE_DEVICES $CUDA_MPS_PIPE_DIRECTORY" >>{said}\n')
os.chmod(control, 0o755)
HOLD = ("import os, sys, time; sys.path.insert(0, sys.argv[1]); from annulus.batch_machine import Mps; "
        "m = Mps('3', dict(os.environ), ['sh', '-c', sys.argv[2]]); print(m.environment.get('CUDA_VISIBLE_DEVICES'), m.said, flush=True); time.sleep(60)")
for probe, words in (("test $CUDA_MPS_PIPE_DIRECTORY", "0 the cases share"), ("false", "None MPS does not work")):
    p = subprocess.Popen([sys.executable, "-B", "-c", HOLD, os.path.join(SOURCE, "tools", "python"), probe], stdout=subprocess.PIPE, text=True)
    check(p.stdout.readline().startswith(words), f"MPS with the probe {probe}")
    p.kill()
    p.wait()
    check(until(lambda: os.path.exists(said) and "quit" in open(said).read(), 10), "MPS is not ended")
    with open(said) as f:
        lines = f.read().splitlines()
    check(len(lines) == 2 and lines[0].startswith("-d 3 /") and lines[1].startswith("quit 3 /"), f"MPS: {lines}")
    check(until(lambda: not os.path.exists(lines[0].split()[-1]), 10), "the folder of MPS is left")
    os.remove(said)

# ---- without PyYAML a table works, and a list says what is missing
for path, code, words in (("table.csv", DONE, "2 of them done before"), ("designs.yaml", INPUT, "designs.yaml: a list as YAML needs PyYAML")):
    r = subprocess.run(
        [sys.executable, "-B", "-c", "import sys; sys.modules['yaml'] = None; sys.path.insert(0, sys.argv.pop(1)); "
         "from annulus.plotting.main import main; main()", os.path.join(SOURCE, "tools", "python"), "batch", os.path.join(top, path),
         "-o", os.path.join(top, "csv"), "--program", program], capture_output=True, text=True, env=environment(), timeout=PATIENCE * 60)
    check(r.returncode == code and words in r.stdout + r.stderr, f"without PyYAML: {r}")

# ---- a list with faults: all at once, each with its line, and nothing has run
faulty = os.path.join(top, "faulty.yaml")
row37 = os.path.join(SOURCE, "cases", "rotor37", "row.yaml")
with open(faulty, "w") as f:
    f.write("case: case.yaml\ncases:\n- {name: a}\n- {name: a}\n- {name: b/c}\n- {name: d, case: nowhere.yaml}\n- {name: e, mesh: nowhere.cgns}\n"
            "- {name: f, set: {march.cfI: 2}}\n- {name: g, sets: {}}\n- {name: h, mesh: {rows: x}}\n- {name: i, mesh: {row: nowhere}}\n"
            "- {name: j, set: {mesh: x.cgns}}\n- {name: k, set: {boundaries.blades.type: wall_slip}}\n- 3\n"
            "- {name: l, set: {march.cfl: -1, march.iterations: x}}\n- {name: m, device: gpu}\n- {name: n, mesh: {cascade: case.yaml, cells: 3}}\n"
            "- {name: plain}\n- {name: o, command: walk}\n"
            f"- {{name: p, mesh: {{row: {row37}, set: {{blades: 200}}}}}}\n- {{name: q, mesh: {{row: {row37}, set: {{tip_gab: 1}}}}}}\n"
            f"- {{name: r, mesh: {{row: {row37}, set: {{first_cell.blade.x: 1}}}}}}\n- {{name: s, mesh: {{row: {row37}}}}}\n")
shutil.copytree(os.path.join(out, "plain"), os.path.join(top, "faulty", "plain"), ignore=shutil.ignore_patterns("batch.json"))
r = batch(faulty, expect=INPUT)
for line, words in ((4, f"'a' is that of {faulty}:3"), (5, "'b/c' cannot be the name"), (6, "nowhere.yaml: no such file"),
                    (7, "nowhere.cgns: no such file"), (8, "unknown key 'cfI'"), (9, "unknown key 'sets'"), (10, "a mesh is a file, or"),
                    (11, "nowhere: no such file"), (12, "'mesh' does not stand in 'set'"), (13, "'blades'"), (14, "an entry has the keys"),
                    (15, "must be > 0"), (15, "'x'"), (16, "unknown key 'device'"), (17, "takes no number of cells"),
                    (18, "not of this batch"), (20, "neighbouring blades overlap"), (21, "unknown key 'tip_gab'"), (22, ""), (19, "'command' is run or map")):
    check(re.search(rf"faulty\.yaml:{line}: .*{re.escape(words)}", r.err), f"line {line}: '{words}' is not said: {r.err}")
check(len(r.err.splitlines()) == 21 and not starts_of(os.path.join(top, "faulty")), f"faults: {r.err}")
for name, text, words in (("empty.csv", "name,case\n", "no case"), ("short.csv", "name,case\na\n", "short.csv:2: 1 cells"),
                          ("other.yaml", "a: 1\n", "a list of cases is missing"), ("broken.yaml", "cases: [\n", "broken.yaml: "),
                          ("base.yaml", "case: 3\ncases: [{name: a}]\n", "base.yaml:2: 3 is not the name of a file")):
    with open(os.path.join(top, name), "w") as f:
        f.write(text)
    check(words in batch(os.path.join(top, name), expect=INPUT).err, f"{name}: '{words}' is not said")
check("nowhere.csv: No such file" in batch(os.path.join(top, "nowhere.csv"), expect=INPUT).err, "a list that is not there")
write_list("designs.yaml", [{"name": "plain", "set": {"march.cfl": 3}}])
check("'plain' was begun with other values ('cfl: 2" in batch(listed, expect=INPUT).err, "other values for a name")

# ---- kill -9 of the batch: its runs end; another call goes on from their snapshots; meanwhile a second batch is refused
lone = os.path.join(top, "lone_long")
run(long_case, options=[f"output.folder={lone}"])
listed = write_list("long.yaml.list", [{"name": f"long{n}"} for n in range(3)], case=long_case)
out = os.path.join(top, "long.yaml")  # the list without its ending, which is a file
check("is a file" in batch(listed, expect=INPUT).err, "a file where the folder should be")
out = os.path.join(top, "killed")
p = begin(listed, "-o", out)
check(until(lambda: iterations_done(os.path.join(out, "long0")) >= 100, 30), "the batch does not run")
r = batch(listed, "-o", out, expect=INPUT)
check(f"process {p.pid} on" in r.err, f"the holder is not named: {r}")
children = [pid for pid in below(p.pid) if "output.folder" in command_of(pid)]
held = next(pid for pid in children if f"{out}/long0" in command_of(pid))
os.kill(held, signal.SIGSTOP)  # a run that takes long to end
p.kill()
wait(p)
gone = [pid for pid in children if pid != held]
check(gone and until(lambda: not any(command_of(pid) for pid in gone), 10), f"runs go on: {gone}")
p = begin(listed, "-o", out)
check(until(lambda: len(starts_of(out).get("long1", ())) == 2, 30), "the batch does not go on")
time.sleep(1)
check(len(starts_of(out)["long0"]) == 1, "a case is started while its run of the killed batch has not ended")
os.kill(held, signal.SIGCONT)
check(until(lambda: len(starts_of(out)["long0"]) == 2, 150), "a case does not go on after its run has ended")
stopped = run_json(os.path.join(out, "long0"))
with open(starts) as f:
    again = [line for line in f if f"{out}/long0" in line][-1]
check(stopped["iteration"] >= 100 and "--restart latest" in again, f"a run of a killed batch: {stopped['status']}, then {again}")

# ---- kill -9 of a run: no case starts after it, unless --keep-going is given
at = stopped["iteration"] + 50
check(until(lambda: iterations_done(os.path.join(out, "long0")) >= at, 30), "the batch does not go on")
for pid in below(p.pid):
    if f"{out}/long0" in command_of(pid):
        os.kill(pid, signal.SIGKILL)
r = wait(p)
check(r.code == FAIL and "long0: failed: killed by signal 9" in r.out and "keep-going" in r.out, f"a killed run: {r}")

# ---- Ctrl-C: the runs write snapshots and end
p = begin(listed, "-o", out)
check(until(lambda: len(starts_of(out).get("long0", ())) == 3, 30), "the third call starts nothing")
time.sleep(1)
p.send_signal(signal.SIGINT)
r = wait(p)
check(r.code == STOPPED and "stopped     as was asked" in r.out, f"Ctrl-C: {r}")
batch(listed, "-o", out)
for n in range(3):
    own = {row["iteration"]: row for row in history(os.path.join(out, f"long{n}"))}  # and a line where a run was stopped
    check(all(own.get(row["iteration"]) == row for row in history(lone)), f"long{n}: lines of the lone run are missing")
    same_fields(snapshot(os.path.join(out, f"long{n}"), LONG), snapshot(lone, LONG), f"long{n}")
check([row["name"] for row in table(out)] == ["long0", "long1", "long2"], "cases of the killed batch")

# ---- a case that diverges, and a mesh that cannot be made
unsteady = {"march.mode": "unsteady", "march.time_step": 1e-7}
cases = [{"name": "bad", "set": {**unsteady, "march.time_step": 1e-3}}, {"name": "good", "set": unsteady}]
r = batch(write_list("diverge.yaml", cases), expect=DIVERGED)
rows = {row["name"]: row for row in table(os.path.join(top, "diverge"))}
check(rows["bad"]["outcome"] == "diverged" and "diverged at" in rows["bad"]["message"] and rows["good"]["outcome"] == "finished",
      f"a case that diverges: {rows}")
wrong = {"cascade": blade, "set": {**cascade["set"], "pitch": 0.001}}
cases = [{"name": "none", "mesh": wrong}, {"name": "neither", "mesh": wrong}, {"name": "good", "mesh": cascade}]
listed = write_list("meshes.yaml", cases)
r = batch(listed, "--keep-going", expect=INPUT)
rows = {row["name"]: row for row in table(os.path.join(top, "meshes"))}
check([rows[name]["outcome"] for name in ("none", "neither")] == ["failed"] * 2 and "mesh_cascade: " in rows["none"]["message"] and
      rows.get("good", {}).get("iterations") == "40", f"a mesh that cannot be made: {rows}")

# ---- memory: what a case is taken to need is what a run takes, and cases run together as far as they fit
of_batch = sys.modules["annulus.batch"]
mesh37 = os.path.join(top, "rotor37.cgns")
cells, seen = 97280, {}
r = subprocess.run([os.path.join(BIN, "mesh_row"), row37, "--cells", "1e5", "-o", mesh37], capture_output=True, text=True)
if check(r.returncode == 0, f"mesh_row: {r}"):
    for precision in ("single", "double"):
        p = subprocess.Popen([ANNULUS, "run", os.path.join(SOURCE, "cases", "rotor37", "case.yaml"), "--device", "cpu"] + [word for change in (
            f"mesh={mesh37}", f"precision={precision}", "march.iterations=1", f"output.folder={os.path.join(top, 'memory')}")
            for word in ("--set", change)], stdout=subprocess.DEVNULL, env=environment())
        seen[precision] = 1024 * os.wait4(p.pid, 0)[2].ru_maxrss
        need = of_batch.need_of(cells, precision, False)
        check(0.5 * need < seen[precision] < need, f"memory, {precision}: {seen[precision]} bytes, assumed {need}")
need = of_batch.need_of(1e6, "single", True)
pool = of_batch.Pool("0", 2.5 * need, 16)
check(pool.has_room(1e6, need) and pool.has_room(1e9, 1e3 * need), "a case of any size runs alone")
for n in range(3):
    check(pool.has_room(1e6, need) == (n < 2), f"{n} cases fill 2.5 times the memory of one")
    pool.runs.append(of_batch.Child(None, None, None, 1, pool, 1e6, need))
pool.memory, pool.runs = float("inf"), pool.runs[:2]
check(pool.has_room(2e6, need) and not pool.has_room(3e6, need), "4.5 million cells fill a card")

# ---- ranks of one launcher share the cases
listed = write_list("shared.yaml", [{"name": f"s{n}", "set": {"march.iterations": 100 + 20 * n}} for n in range(7)])
r = batch(listed, np=2)
shared = starts_of(os.path.join(top, "shared"))
check(len(shared) == 7 and all(len(pids) == 1 for pids in shared.values()), f"starts: {shared}")
check(len({pid for pids in shared.values() for pid in pids}) == 2, f"one rank did it all: {shared}")
check("complete    7 of 7" in r.out and r.out.count("batch  ") == 1 and len(table(os.path.join(top, "shared"))) == 7, f"two ranks: {r}")

# ---- a full disk: the batch says what is complete, and goes on when there is room
small = os.path.join(top, "small")
os.makedirs(small)
listed = write_list("small.yaml", [{"name": f"d{n}"} for n in range(6)])
script = (f"mount -t tmpfs -o size=1500k none {small} || exit 77; set -- {sys.executable} -B {plot} batch {listed} -o {small}/out --program {program}; "
          f'"$@"; echo "first $?"; mount -o remount,size=100m {small}; "$@"; echo "second $?"; cp {small}/out/batch.csv {top}/small.csv')
own_mounts = ["unshare", "--map-root-user", "--mount"]
if not shutil.which("unshare") or subprocess.run([*own_mounts, "true"], capture_output=True).returncode:
    print("a full disk is not tested: this system does not let the test mount one of its own")
    finish()
p = subprocess.Popen([*own_mounts, "sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                     env=environment(), start_new_session=True)
p.command = ["small disk"]
r = wait(p, 120)
if r.code != 77:
    # two cases that begin at the same moment may fill the disk together, so that none of them is complete
    check("first 1" in r.out and re.search(r"complete    [0-5] of 6", r.out) and "stopped     the disk is full" in r.out, f"a full disk: {r}")
    check("second 0" in r.out and "complete    6 of 6" in r.out, f"after a full disk: {r}")
finish()
