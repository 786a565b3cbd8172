"""What the end-to-end tests share: the program on a number of ranks, a small case, and files
compared bit by bit.

A test is a script `regress_<what>.py BIN`: BIN is the folder of the executables. It works in a folder
of its own under $AN_REGRESS (default: regress/ beside BIN), which holds mesh.cgns, made once by
regress_mesh.py. Faults found are printed and counted; `finish` ends the script with 1 if there is one.
"""
import atexit
import csv
import fcntl
import json
import os
import pty
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: Python's h5py and numpy are not there")
    sys.exit(77)

BIN = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/cpu/bin")
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOT = os.environ.get("AN_REGRESS", os.path.join(os.path.dirname(BIN), "regress"))
sys.path.append(os.path.join(SOURCE, "tests", "support"))
MESH = os.path.join(ROOT, "mesh.cgns")
ANNULUS = os.path.join(BIN, "annulus")
EMULATED = os.path.join(BIN, "annulus_emulated")  # the program with the emulated engine
MPIRUN = ["mpirun"]  # with no option that only one MPI knows: tools/mpi_environment
DONE, FAIL, INPUT, DIVERGED, STOPPED = range(5)
TIMED_OUT = -1000
PATIENCE = float(os.environ.get("AN_PATIENCE", "1"))  # of all limits of time, for an emulated processor

faults = 0
checks = 0

CASE = """case: tiny LS89
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.0}}
scheme: {{flux: jst, k2: 0.5, k4: 0.016}}
march: {{cfl: 2, iterations: 40}}
initial: {{p: 1.2e5, T: 400, mach: 0.2, direction: [1, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.596e5, T0: 420, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: 0.8235e5}}
  blade: {{type: wall_slip}}
  hub: {{type: symmetry}}
  shroud: {{type: symmetry}}
output: {{folder: out, every: 0, history_every: 5}}
"""


def check(good, what):
    """Counts a check; prints it where it failed."""
    global faults, checks
    checks += 1
    if not good:
        faults += 1
        print("FAULT: " + what, flush=True)
    return good


def finish():
    print(f"{checks} checks, {faults} faults")
    sys.exit(1 if faults or not checks else 0)


def folder(name):
    """An empty folder of this test."""
    path = os.path.join(ROOT, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def listed(path, base="Base"):
    """Names of the zones of a base, in the order in which the file lists them."""
    with h5py.File(path, "r") as f:
        return [name for name, node in f[base].items() if node.attrs.get("label") == b"Zone_t"]


def write_case(where, mesh=MESH, text=CASE):
    path = os.path.join(where, "case.yaml")
    with open(path, "w") as f:
        f.write(text.format(mesh=mesh))
    return path


class Result:
    def __init__(self, code, out, err, command):
        self.code, self.out, self.err, self.command = code, out, err, command

    def __str__(self):
        return (f"{' '.join(self.command)}\n  ended with {self.code}\n"
                f"  stdout: {self.out[-1500:]}\n  stderr: {self.err[-1500:]}")


sessions = []


def session_folder():
    """Folder of this test for Open MPI's own files: all programs without a launcher use the same names
    there, so that one test would remove the files of another."""
    if not sessions:
        sessions.append(tempfile.mkdtemp(prefix="annulus_mpi_"))
        atexit.register(shutil.rmtree, sessions[0], True)
    return sessions[0]


def environment(threads=1):
    with open(os.path.join(SOURCE, "tools", "mpi_environment")) as lines:
        env = dict(line.strip().split("=", 1) for line in lines if line[0].isupper())
    env.update(os.environ)
    env["OMPI_MCA_orte_tmpdir_base"] = session_folder()
    env["OMP_NUM_THREADS"] = str(threads)
    env.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    return env


def command_line(args, np=1, mpirun=False, options=()):
    sets = [f"--set={s}" for s in options]
    launcher = MPIRUN + ["-n", str(np)] if np > 1 or mpirun else []
    emulated = "emulated" in args or "device=emulated" in options
    return launcher + [EMULATED if emulated else ANNULUS] + list(args) + sets


def start(args, np=1, threads=1, options=(), mpirun=False, launcher=()):
    """The program in a process group of its own, output to pipes."""
    command = command_line(args, np, mpirun, options)
    if launcher:
        command = command[:1] + list(launcher) + command[1:]
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         env=environment(threads), start_new_session=True)
    p.command = command
    return p


def wait(p, timeout=60):
    code = None
    try:
        out, err = p.communicate(timeout=PATIENCE * timeout)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        out, err = p.communicate()
        code = TIMED_OUT
    return Result(p.returncode if code is None else code, out.decode(errors="replace"),
                  err.decode(errors="replace"), p.command)


def annulus(*args, np=1, threads=1, options=(), timeout=60, mpirun=False):
    return wait(start(args, np, threads, options, mpirun), timeout)


def tool(place, *command):
    """Runs a command in a folder; the test fails, and False is returned, if it does not end well."""
    made = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=200)
    return check(made.returncode == 0, f"{command[0]}: {made.stdout[-500:]} {made.stderr[-500:]}")


def coarse_stage(place):
    """The turbine stage of cases/stage on 2 x 10 000 cells, made in a folder: its case file. Ends the test where a mesh is not made."""
    for name in ("make_blades.py", "stator.yaml", "rotor.yaml", "case.yaml"):
        shutil.copy(os.path.join(SOURCE, "cases", "stage", name), place)
    if not (tool(place, "python3", "make_blades.py")
            and all(tool(place, os.path.join(BIN, "mesh_row"), f"{row}.yaml", "--cells", "1e4", "-o", f"{row}.cgns") for row in ("stator", "rotor"))
            and tool(place, os.path.join(BIN, "mesh_join"), "-o", "stage.cgns", "stator=stator.cgns", "rotor=rotor.cgns")):
        finish()
    return os.path.join(place, "case.yaml")


def run(case, *args, np=1, threads=1, options=(), timeout=60, expect=DONE):
    """`annulus run`, which has to end with the code expected."""
    r = annulus("run", case, *args, np=np, threads=threads, options=options, timeout=timeout)
    check(r.code == expect, f"exit code {expect} expected: {r}")
    return r


def on_terminal(columns, *args, np=1, options=(), timeout=60):
    """What the program prints on a terminal of so many columns, without a launcher's own lines."""
    screen, ours = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    p = subprocess.Popen(command_line(args, np, False, options), stdin=ours, stdout=ours, stderr=ours, env=environment(),
                         start_new_session=True)
    os.close(ours)
    killer = threading.Timer(PATIENCE * timeout, p.kill)
    killer.start()
    text = b""
    while True:
        try:
            part = os.read(screen, 65536)
        except OSError:  # nobody has the other end any more
            break
        if not part:
            break
        text += part
    p.wait()
    killer.cancel()
    os.close(screen)
    return Result(p.returncode, text.decode(errors="replace").replace("\r\n", "\n"), "", p.args)


def too_wide(r, columns, but=()):
    """Lines that have no room on a terminal of so many columns; not those that begin with a word of `but`."""
    return [line for line in r.out.split("\n") if not line.startswith(tuple(but))
            and max(len(part) for part in line.split("\r")) > columns]


def snapshot(out, iteration):
    return os.path.join(out, f"flow_{iteration:08d}.cgns")


def fields(path):
    """{'zone/field': values} of a snapshot."""
    found = {}
    with h5py.File(path, "r") as f:
        for base in f.values():
            if not isinstance(base, h5py.Group):
                continue
            for zone, group in base.items():
                for name, solution in (group.items() if isinstance(group, h5py.Group) else ()):
                    if not isinstance(solution, h5py.Group) or \
                            solution.attrs.get("label", b"").strip(b"\0 ") != b"FlowSolution_t":
                        continue
                    for field, node in solution.items():
                        if isinstance(node, h5py.Group) and " data" in node and \
                                node.attrs.get("label", b"").strip(b"\0 ") == b"DataArray_t":
                            found[f"{zone}/{field}"] = node[" data"][()]
    return found


def same_fields(a, b, what):
    """Are the fields of two snapshots the same, bit for bit?"""
    if not check(os.path.exists(a) and os.path.exists(b), f"{what}: {a} or {b} is not there"):
        return False
    x, y = fields(a), fields(b)
    if not check(len(x) >= 5 and x.keys() == y.keys(),
                 f"{what}: fields {sorted(x)} against {sorted(y)}"):
        return False
    for name in sorted(x):
        p, q = x[name], y[name]
        if not check(p.dtype == q.dtype and p.shape == q.shape, f"{what}: shape of {name}"):
            return False
        if p.tobytes() != q.tobytes():
            differ = p != q
            at = tuple(numpy.argwhere(differ)[0][::-1] + 1)
            return check(False, f"{what}: {name} differs in {differ.sum()} of {p.size} cells, by "
                                f"{numpy.abs(p.astype(float) - q).max():g} at most, first at {at}")
    return check(True, what)


def stretched(first, cells, length):
    """Nodes of cells that grow by one ratio from `first`."""
    low, high = 1.0001, 4.0
    for _ in range(100):
        ratio = 0.5 * (low + high)
        low, high = (ratio, high) if first * (ratio**cells - 1) / (ratio - 1) < length else (low, ratio)
    return [first * (ratio**n - 1) / (ratio - 1) for n in range(cells)] + [length]


def rows_without(out, name, clock):
    """Lines of a table of an output folder as dicts of strings, without the column that depends on the clock."""
    with open(os.path.join(out, name), newline="") as f:
        rows = list(csv.DictReader(f))
    for row in rows:
        del row[clock]
    return rows


def history(out):
    """Lines of history.csv, as `rows_without` reads them."""
    return rows_without(out, "history.csv", "iterations_per_s")


def map_points(out):
    """Points of a map, as `rows_without` reads them."""
    return rows_without(out, "map.csv", "seconds")


def same_history(a, b, what):
    x, y = history(a), history(b)
    for p, q in zip(x, y):
        if p != q:
            return check(False, f"{what}: lines of history.csv differ:\n  {p}\n  {q}")
    return check(len(x) == len(y) and len(x) > 1,
                 f"{what}: {len(x)} and {len(y)} lines in history.csv")


def run_json(out):
    with open(os.path.join(out, "run.json")) as f:
        return json.load(f)


def until(condition, seconds):
    """Waits until condition() holds; False when it never does."""
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def iterations_done(out):
    """The last iteration of history.csv, -1 when there is none."""
    try:
        with open(os.path.join(out, "history.csv")) as f:
            return int(f.read().splitlines()[-1].split(",")[0])
    except (OSError, ValueError, IndexError):
        return -1


def rotor_input(top):
    """Rotor 37 in folder top as row.yaml: few cells, walls by functions; returns the mesh to be made."""
    source = os.path.join(SOURCE, "cases", "rotor37")
    for name in ("blade.dat", "hub.dat", "casing.dat"):
        shutil.copy(os.path.join(source, name), top)
    with open(os.path.join(source, "row.yaml")) as f:
        row = f.read().split("first_cell:")[0]
    with open(os.path.join(top, "row.yaml"), "w") as f:
        f.write(row + "first_cell: 3.0e-5\nwalls: functions\nlevels: 1\n")
    return os.path.join(top, "rotor.cgns")


def below(pid):
    """All processes below one."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as f:
                found += [int(child) for child in f.read().split()]
    except OSError:
        pass
    return found + [one for child in found for one in below(child)]
