"""Spoiled inputs, through the command line: each ends with its code, one clear message and no crash.

A fault is (name, arguments, fragment of the message). Bit flips may be harmless: they may end with 0
as well. The program may be one built with sanitizers. $AN_ONLY: a pattern of names to run.
"""
import os
import random
import re
import shutil
import subprocess

from regress import *

LIMIT = 20  # s, for one run
CRASH = re.compile(r"AddressSanitizer|runtime error:|Segmentation|SIGSEGV|SIGABRT|signal \d|HDF5-DIAG|"
                   r"Assertion|core dumped|double free|corrupt(ed|ion) (size|double)|MPI_ABORT|"
                   r"\*\*\* Process received", re.I)
ONLY = os.environ.get("AN_ONLY", "")

top = folder("faults")
good = write_case(top)
count = 0


def spoil(name, args, fragment, np=1, code=(INPUT,), once=True):
    global count
    if ONLY and not re.search(ONLY, name):
        return
    count += 1
    r = annulus(*args, np=np, timeout=LIMIT * (3 if np > 1 else 1))
    text = r.err
    check(r.code != TIMED_OUT, f"{name}: hangs: {r}")
    check(r.code in code, f"{name}: exit code {code} expected: {r}")
    check(not CRASH.search(r.out + text), f"{name}: crashes: {r}")
    if r.code != DONE:
        own = [line for line in text.split("\n") if "error" in line.lower() or "annulus" in line]
        check(re.search(fragment, "\n".join(own) or text, re.I), f"{name}: '{fragment}' is not said: {r}")
        check(len(own) <= 4 or not once, f"{name}: said in {len(own)} lines: {r}")
        said = [line for line in own if re.search(fragment, line, re.I)]
        check(len(said) == len(set(said)), f"{name}: said more than once: {r}")


def spoil_case(name, change, fragment, np=1, command="check"):
    """change: (pattern, replacement), or the bytes of the whole file."""
    path = os.path.join(top, f"{name}.yaml")
    text = CASE.format(mesh=MESH)
    if isinstance(change, tuple):
        text, n = re.subn(change[0], change[1], text, count=1)
        assert n == 1, name
        change = text.encode()
    with open(path, "wb") as f:
        f.write(change)
    spoil(name, [command, path], fragment, np)


def spoil_set(name, assignment, fragment, np=1, command="check"):
    spoil(name, [command, good, f"--set={assignment}"], fragment, np)


def spoil_mesh(name, path, fragment, np=1, code=(INPUT,)):
    spoil(name, ["check", good, f"--set=mesh={path}"], fragment, np, code, once=False)


# ---- the case file
for name, change, fragment in (
        ("unknown_key", ("cfl: 2", "cfI: 2"), "unknown key 'cfI'.*did you mean 'cfl'"),
        ("unknown_section", ("march:", "marsh:"), "marsh"),
        ("duplicate_key", ("cfl: 2", "cfl: 2, cfl: 3"), "duplicate key 'cfl'"),
        ("unit", ("cfl: 2", "cfl: 2 m"), "needs a number, not '2 m'"),
        ("word_for_number", ("cfl: 2", "cfl: fast"), "needs a number"),
        ("list_for_number", ("cfl: 2", "cfl: [2]"), "needs a number, not a list"),
        ("negative", ("cfl: 2", "cfl: -2"), "must be > 0"),
        ("nan", ("cfl: 2", "cfl: .nan"), "needs a number"),
        ("infinite", ("cfl: 2", "cfl: .inf"), "needs a number"),
        ("huge", ("cfl: 2", "cfl: 1e999"), "too large"),
        ("hexadecimal", ("cfl: 2", "cfl: 0x10"), "needs a number"),
        ("fraction", ("iterations: 40", "iterations: 4.5"), "whole number"),
        ("no_initial", ("initial:.*\n", ""), "initial"),
        ("no_mesh", ("mesh:.*\n", ""), "'mesh' is missing"),
        ("no_title", ("case:.*\n", ""), "'case' is missing"),
        ("brace", ("march: {", "march: {{{"), "not YAML|must be a word|mapping"),
        ("anchor", ("cfl: 2", "cfl: &a 2"), "anchors"),
        ("tag", ("cfl: 2", "cfl: !!int 2"), "tags"),
        ("precision", ("precision: double", "precision: half"), "must be one of single, double"),
        ("device_word", ("device: cpu", "device: gpu"), "device"),
        ("no_direction", (r"direction: \[1, 0, 0\]}\nboundaries", "direction: [0, 0, 0]}\nboundaries"),
         "no direction"),
        ("short_vector", (r"\[1, 0, 0\]", "[1, 0]"), "three numbers"),
        ("boundary_type", ("type: wall_slip", "type: wall_slipp"), "wall_slip"),
        ("no_p0", ("p0: 1.596e5, ", ""), "p0' .in Pa. is missing"),
        ("foreign_key", ("type: wall_slip", "type: wall_slip, p0: 1e5"), "has no key 'p0'"),
        ("no_boundary_type", ("type: wall_slip", ""), "no 'type'|nothing|keys beneath"),
        ("boundary_unmatched", ("  blade:", "  blades:"), "'blades' matches nothing"),
        ("inlet_unset", ("  inlet:.*\n", ""), "'inlet'.*add it to boundaries"),
        ("blade_unset", ("  blade:.*\n", ""), "'blade'"),
        ("viscous", ("wall_slip", "wall_viscous"), "needs viscous flow: set gas.viscosity"),
        ("steady_time", ("cfl: 2", "time_step: 1e-6"), "needs 'march.mode: unsteady'")):
    spoil_case(name, change, fragment, command="run" if len(name) % 2 else "check")
for name, content, fragment in (
        ("empty", b"", "empty"),
        ("binary", bytes(range(256)) * 8, "not YAML|control|UTF"),
        ("latin1", CASE.format(mesh=MESH).replace("tiny", "t\xefny").encode("latin1"), "UTF|not YAML"),
        ("nul", CASE.format(mesh=MESH).replace("tiny", "ti\0ny").encode(), "NUL|not YAML|control"),
        ("deep", b"case: " + b"[" * 100000, "deep|not YAML"),
        ("list", b"- a\n- b\n", "mapping"),
        ("two_documents", CASE.format(mesh=MESH).encode() + b"---\ncase: b\n", "second document"),
        ("endless", b"a: 1\n" * 2000000, "too many|longer|duplicate|unknown")):
    spoil_case(name, content, fragment)
spoil("case_missing", ["run", os.path.join(top, "nowhere.yaml")], "nowhere.yaml.*cannot be opened")
spoil("case_folder", ["run", top], "is a folder")

# ---- the command line
LINE = "usage|try|--help|not|needs|missing|command|unknown|unrecognized|go with|too many"
for name, args, fragment in (
        ("no_command", [], "command is missing"), ("no_file", ["run"], "needs a file"),
        ("unknown_command", ["march", good], "'march' is not a command"),
        ("two_files", ["run", good, good], "too many arguments"),
        ("unknown_option", ["run", good, "--fast"], "unrecognized|unknown"),
        ("check_restart", ["check", good, "--restart=latest"], "go with"),
        ("option_device", ["run", good, "--device=gpu"], "--device is auto"),
        ("option_no_value", ["run", good, "--restart"], "requires an argument"),
        ("help_case", ["help-case", "march.cfI"], "cfI.*cfl"),
        ("info_missing", ["info", os.path.join(top, "nowhere.cgns")], "nowhere.cgns"),
        ("info_text", ["info", good], "case.yaml")):
    spoil(name, args, fragment, once=False)
spoil_set("set_unknown", "march.cfI=2", "--set march.cfI=2: error: .*cfl")
spoil_set("set_bare", "march.cfl", "key=value")
spoil_set("set_type", "march.cfl=fast", "needs a number")
spoil_set("set_section", "march=3", "march")
spoil_set("set_boundary", "boundaries.nowhere.type=wall_slip", "'nowhere' matches nothing")
spoil_set("set_output_field", "output.fields=[Pressur]", "did you mean 'Pressure'")

# ---- the device and the ranks
if "devices     0 CUDA" in annulus("--version").out:
    spoil("no_cuda", ["run", good, "--device=cuda"], "cuda")
    spoil("no_cuda_4", ["run", good, "--device=cuda"], "cuda", np=4)
    spoil_set("cuda_aware", "mpi.transport=cuda_aware", "cuda", command="run")
box = os.path.join(ROOT, "box.cgns")
tool = os.path.join(BIN, "regress_box")
subprocess.run([tool, box, "1", "1", "1"], check=True)
box_case = os.path.join(top, "box.yaml")
with open(box_case, "w") as f:
    f.write(f"case: one cell\nmesh: {box}\ndevice: cpu\ninitial: {{p: 1e5, T: 300}}\n"
            "march: {iterations: 3}\nboundaries: {'*': {type: wall_slip}}\n")
check(annulus("run", box_case).code == DONE, "one cell should run")
for command, np, idle in (("run", 2, "1 idles"), ("check", 4, "3 idle")):
    r = annulus(command, box_case, np=np)
    check(r.code == DONE and idle in r.out, f"{command} with more ranks than pieces: the others wait, and a warning says so: {r}")

# ---- the output folder
plain_file = os.path.join(top, "file")
open(plain_file, "w").close()
for name, path in (("out_beneath_file", plain_file + "/out"), ("out_is_file", plain_file),
                   ("out_proc", "/proc/annulus"), ("out_sys", "/sys/annulus"),
                   ("out_long", os.path.join(top, "x" * 300)),
                   ("out_very_long", os.path.join(top, *["y" * 200] * 4, "z" * 150))):
    spoil_set(name, f"output.folder={path}", "output.folder|too long", np=2 if name == "out_proc" else 1,
              command="run")
blocked = os.path.join(top, "blocked")
os.makedirs(os.path.join(blocked, "history.csv"))
spoil_set("out_history", f"output.folder={blocked}", "history.csv", command="run")

# ---- the mesh
os.mkfifo(os.path.join(top, "fifo"))
shutil.copy(good, os.path.join(top, "text.cgns"))
open(os.path.join(top, "empty.cgns"), "w").close()
for name, path, fragment in (("mesh_missing", "nowhere.cgns", "nowhere.cgns"),
                             ("mesh_folder", top, "folder|directory|not a"),
                             ("mesh_text", os.path.join(top, "text.cgns"), "text.cgns"),
                             ("mesh_empty", os.path.join(top, "empty.cgns"), "empty.cgns"),
                             ("mesh_fifo", os.path.join(top, "fifo"), "fifo"),
                             ("mesh_null", "/dev/null", "/dev/null"),
                             ("mesh_yaml_dir", os.path.join(good, "mesh.cgns"), "mesh.cgns")):
    spoil_mesh(name, path, fragment)
spoil_mesh("mesh_missing_4", "nowhere.cgns", "nowhere.cgns", np=4)

adf = os.path.join(top, "adf.cgns")
subprocess.run(["hdf2adf", MESH, adf], check=True, stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL)
check(annulus("check", good, options=[f"mesh={adf}"]).code == DONE, "a good ADF file is refused")
rng = random.Random(8)
for kind, source in (("hdf5", MESH), ("adf", adf)):
    whole = open(source, "rb").read()
    for n, part in enumerate((0.001, 0.01, 0.1, 0.3, 0.6, 0.9, 0.99, 0.9999)):
        path = os.path.join(top, f"{kind}_cut_{n}.cgns")
        with open(path, "wb") as f:
            f.write(whole[:int(part * len(whole))])
        # the last bytes of an ADF file may be padding
        spoil_mesh(f"{kind}_cut_{n}", path, f"{kind}_cut_{n}", np=4 if n == 4 else 1,
                   code=(DONE, INPUT) if kind == "adf" and part > 0.98 else (INPUT,))
    for n in range(16):
        path = os.path.join(top, f"{kind}_flip_{n}.cgns")
        bad = bytearray(whole)
        # most of a file is coordinates: flip bits where the structure is as well
        for _ in range(1 if n < 8 else 300):
            bad[rng.randrange(len(bad) if n % 2 else 20000)] ^= 1 << rng.randrange(8)
        with open(path, "wb") as f:
            f.write(bad)
        spoil_mesh(f"{kind}_flip_{n}", path, f"{kind}_flip_{n}", np=4 if n == 9 else 1,
                   code=(DONE, INPUT))


def edit(name, change, fragment, np=1):
    path = os.path.join(top, name + ".cgns")
    shutil.copy(MESH, path)
    with h5py.File(path, "r+") as f:
        base = next(g for g in f.values() if isinstance(g, h5py.Group) and
                    g.attrs.get("label", b"").startswith(b"CGNSBase_t"))
        zones = [g for g in base.values() if g.attrs.get("label", b"").startswith(b"Zone_t")]
        change(base, zones)
    spoil_mesh(name, path, fragment, np)


def coordinate(zone, axis):
    return zone["GridCoordinates"]["Coordinate" + axis][" data"]


def set_value(group, text):
    del group[" data"]
    group.create_dataset(" data", data=numpy.frombuffer(text.encode(), dtype=numpy.int8))


def some(zones, label):
    """The first node below a zone that bears the label."""
    for zone in zones:
        for group in zone.values():
            if isinstance(group, h5py.Group) and group.attrs.get("label", b"").startswith(label):
                return zone, group
    raise KeyError(label)


def not_a_number(base, zones):
    coordinate(zones[1], "X")[0, 2, 3] = numpy.nan


def folded(base, zones):
    x = coordinate(zones[0], "X")
    x[:, :, 2] = x[:, :, 4]


def no_coordinate(base, zones):
    del zones[0]["GridCoordinates"]["CoordinateY"]


def no_bc(base, zones):
    _, bcs = some(zones, b"ZoneBC_t")
    del bcs[next(k for k in bcs if k != " data")]


def lost_donor(base, zones):
    _, links = some(zones, b"ZoneGridConnectivity_t")
    set_value(links[next(k for k in links if k != " data")], "nowhere")


def lost_interface(base, zones):
    """Both sides: one alone is made good."""
    lost = zones[-1].name.rsplit("/", 1)[1]
    for zone in zones:
        _, links = some([zone], b"ZoneGridConnectivity_t")
        for name in [k for k in links if k != " data"]:
            donor = links[name][" data"][()].tobytes().decode().strip("\0 ")
            if zone is zones[-1] or donor == lost:
                del links[name]


def wild_range(base, zones):
    _, links = some(zones, b"ZoneGridConnectivity_t")
    link = links[next(k for k in links if k != " data")]
    link["PointRange"][" data"][...] = link["PointRange"][" data"][...] + 1000


def wild_transform(base, zones):
    _, links = some(zones, b"ZoneGridConnectivity_t")
    link = links[next(k for k in links if k != " data")]
    link["Transform"][" data"][...] = [7, -7, 0]


def unstructured(base, zones):
    set_value(zones[0]["ZoneType"], "Unstructured")


def no_zones(base, zones):
    for zone in zones:
        del base[zone.name.rsplit("/", 1)[1]]


def giant(base, zones):
    zones[0][" data"][...] = zones[0][" data"][...] + 2000000000


def negative_size(base, zones):
    zones[0][" data"][...] = -5


edit("mesh_nan", not_a_number, "mesh_nan.*(finite|nan)")
edit("mesh_nan_4", not_a_number, "mesh_nan_4.*(finite|nan)", np=4)
edit("mesh_folded", folded, "folded", np=2)
edit("mesh_no_coordinate", no_coordinate, "Coordinate")
edit("mesh_no_bc", no_bc, "face")
edit("mesh_lost_donor", lost_donor, "nowhere")
edit("mesh_lost_interface", lost_interface, "face|interface")
edit("mesh_wild_range", wild_range, "range")
edit("mesh_wild_transform", wild_transform, "transform")
edit("mesh_unstructured", unstructured, "unstructured")
edit("mesh_no_zones", no_zones, "zone")
edit("mesh_giant", giant, "zone|size|coordinate|cells")
edit("mesh_negative", negative_size, "zone|size|cells")

# ---- the snapshot to restart from
source = os.path.join(top, "source")
run(good, options=[f"output.folder={source}", "march.iterations=4"])
whole = open(snapshot(source, 4), "rb").read()


def spoil_restart(name, path, fragment, np=1, code=(INPUT,)):
    spoil(name, ["run", good, f"--restart={path}", f"--set=output.folder={top}/restarted",
                 "--set=march.iterations=5"], fragment, np, code)


shutil.rmtree(os.path.join(top, "restarted"), ignore_errors=True)
spoil_restart("restart_missing", os.path.join(source, "nowhere.cgns"), "nowhere.cgns", np=2)
spoil_restart("restart_nothing_there", "latest", "snapshot", np=2)
spoil_restart("restart_folder", source, "source")
spoil_restart("restart_text", good, "case.yaml")
spoil_restart("restart_mesh", MESH, "mesh.cgns", np=4)
spoil_restart("restart_fifo", os.path.join(top, "fifo"), "fifo")
spoil_restart("restart_long_name", "/" + "a" * 2000, "too long|cannot|no such")
for n, part in enumerate((0, 0.01, 0.2, 0.5, 0.9, 0.999)):
    path = os.path.join(top, f"restart_cut_{n}.cgns")
    with open(path, "wb") as f:
        f.write(whole[:int(part * len(whole))])
    spoil_restart(f"restart_cut_{n}", path, f"restart_cut_{n}", np=4 if n == 3 else 1)
for n in range(8):
    path = os.path.join(top, f"restart_flip_{n}.cgns")
    bad = bytearray(whole)
    for _ in range(1 if n < 4 else 200):
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
    with open(path, "wb") as f:
        f.write(bad)
    spoil_restart(f"restart_flip_{n}", path, f"restart_flip_{n}", np=4 if n == 5 else 1,
                  code=(DONE, INPUT))
damaged = os.path.join(source, "damaged.cgns")
shutil.copy(snapshot(source, 4), damaged)
with h5py.File(damaged, "r+") as f:
    data = []
    f.visititems(lambda name, node: data.append(node) if name.endswith("/Density/ data") else None)
    data[0][0, 0, 0] *= 1.0000001
spoil_restart("restart_changed_value", damaged, "checksum|damaged", np=2)
spoil("restart_other_mesh", ["run", good, f"--restart={snapshot(source, 4)}",
                             f"--set=mesh={ROOT}/flat.cgns", f"--set=output.folder={top}/other"],
      "mesh", np=2)

# ---- some of them on four ranks: the message comes once
spoil_case("unknown_key_4", ("cfl: 2", "cfI: 2"), "unknown key 'cfI'", np=4)
spoil_case("boundary_unmatched_4", ("  blade:", "  blades:"), "'blades' matches nothing", np=4)
spoil_set("out_4", f"output.folder={plain_file}/out", "output.folder", np=4, command="run")
spoil("case_missing_4", ["run", os.path.join(top, "nowhere.yaml")], "nowhere.yaml", np=4)
spoil("unknown_command_4", ["march", good], "'march' is not a command", np=4, once=False)
print(f"{count} spoiled inputs")
check(count >= 50 or ONLY, "fewer than fifty spoiled inputs")
finish()
