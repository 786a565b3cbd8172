"""What the Python tools say of files that are damaged, of programs that are missing and of folders that cannot be written:
one line with the file, or an InputError, and never a traceback. A report goes on without what cannot be made.

The run is that of test_python.py, whose folder is the first argument; the second is a folder of this test.
"""
import contextlib
import io
import json
import os
import pathlib
import shutil
import stat
import sys

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy as np
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SOURCE = os.environ["AN_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
import annulus  # noqa: E402
from annulus.plotting.main import main  # noqa: E402
from checks import check, finish  # noqa: E402

source, folder = (os.path.abspath(a) for a in sys.argv[1:3])
CASE = ("gas: {gamma: 1.4, R: 287.0}\nmarch: {iterations: 100}\nrows:\n  rotor: {zones: ['*'], omega: 300.0, blades: 20}\n"
        "boundaries:\n  inlet: {type: inlet_total, p0: 1.1e5, T0: 310}\n")
HISTORY = ("iteration,residual_density,residual_energy,mass_in_kg_s,mass_out_kg_s,imbalance,pressure_ratio\n"
           "0,1,1,1.5,1.2,0.2,1.1\n10,0.1,0.1,1.5,1.4,0.07,1.15\n")
INFO = {"title": "sector", "status": "finished", "iteration": 10, "cells": 6560, "rows": [{"name": "rotor", "efficiency": 0.9}]}


def refused(text, call, *arguments):
    try:
        call(*arguments)
    except annulus.InputError as error:
        check(text in str(error) and "\n" not in str(error), f"'{text}' is not in: {error}")
    except Exception as error:  # noqa: BLE001
        check(False, f"{type(error).__name__} in place of an InputError with '{text}': {error}")
    else:
        check(False, f"nothing was refused with '{text}'")


def plot(*arguments):
    """Exit code and what `plot` prints to both streams."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(arguments))
    except SystemExit as end:
        code = end.code
    except Exception as error:  # noqa: BLE001
        return None, f"{type(error).__name__}: {error}", ""
    return code, out.getvalue(), err.getvalue()


def one_line(text, *arguments):
    code, out, err = plot(*arguments)
    check(code == 2 and text in err and err.count("\n") == 1, f"{arguments}: {code} {out} {err}")


def fresh(name, **files):
    """A folder of a run with some files written anew."""
    at = os.path.join(folder, name)
    shutil.rmtree(at, ignore_errors=True)
    os.makedirs(at)
    shutil.copy(os.path.join(source, "flow_00000120.cgns"), at)
    for file, text in {"effective.yaml": CASE, "history.csv": HISTORY, "run.json": json.dumps(INFO), **files}.items():
        with open(os.path.join(at, file), "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
    return at


def tables():
    at = fresh("tables", **{"history.csv": HISTORY + "20,0.0x5,1,1,1,1,1\n"})
    refused("history.csv:4: '0.0x5' in column residual_density is not a number", lambda: annulus.Run(at).history)
    one_line("history.csv:4: '0.0x5'", "convergence", at)
    code, out, err = plot("watch", at, "--once")
    check(code == 0 and "warning:" in out and "history.csv:4" in " ".join(out.split()), f"watch: {code} {out} {err}")
    for name, text in (("binary", b"\xff\xfe\x00\x01" * 50), ("empty", b""), ("other", b"a,b\n1,2\n")):
        at = fresh(name, **{"history.csv": text})
        refused("line 1 is not the header", lambda: annulus.Run(at).history)
        one_line("line 1 is not the header", "convergence", at)
        one_line("line 1 is not the header", "signals", at)
    one_line("no column imbalance", "convergence", fresh("columns", **{"history.csv": "iteration,residual_density,mass_in_kg_s,mass_out_kg_s\n1,1,1,1\n"}))
    at = fresh("halfway", **{"history.csv": HISTORY + "20,0.0"})
    check(len(annulus.Run(at).history) == 2, "a line that is half written is left out")


def records():
    for name, text, said in (("list", "[1, 2]", "not the record of a run"), ("cut", '{"status": "fin', "run.json: "),
                             ("rows", '{"rows": 5}', "'rows' is 5"), ("names", '{"rows": [{"efficiency": 1}]}', "has no name"),
                             ("words", '{"title": 5}', "'title' is 5"), ("warnings", '{"warnings": [{}]}', "'warnings' are not")):
        at = fresh("record_" + name, **{"run.json": text})
        refused(said, lambda: annulus.Run(at).info)
        one_line(said, "report", at)
        code, out, err = plot("watch", at, "--once")
        check(code == 0 and said in " ".join(out.split()), f"watch of {text}: {code} {out} {err}")
    refused("effective.yaml: ", lambda: annulus.Run(fresh("case", **{"effective.yaml": "rows: [1, {"})).case)
    at = fresh("rpm", **{"effective.yaml": CASE.replace("300.0", "3oo")})
    refused("rows.rotor.omega is not a number", lambda: annulus.Run(at).flow())
    one_line("rows.rotor.omega is not a number", "b2b", at)
    refused("no keys under 'rows'", lambda: annulus.Run(fresh("keys", **{"effective.yaml": "rows: 5\n"})).flow())


def snapshots():
    """Cut, and with single nodes that are wrong."""
    with open(os.path.join(source, "flow_00000120.cgns"), "rb") as file:
        whole = file.read()
    for share in (0.01, 0.3, 0.7, 0.999):
        at = fresh("cut", **{"flow_00000120.cgns": whole[: int(share * len(whole))]})
        refused("flow_00000120.cgns: ", lambda: annulus.blade_to_blade(annulus.Run(at).flow(), 0.5))
        one_line("flow_00000120.cgns", "b2b", at)

    def damaged(change):
        at = fresh("nodes")
        with h5py.File(os.path.join(at, "flow_00000120.cgns"), "r+") as file:
            change(file["Base/up"])
        return at

    def put(group, values):
        del group[" data"]
        group.create_dataset(" data", data=values)

    for text, change in (
        ("CoordinateX of zone up is damaged", lambda zone: zone["GridCoordinates/CoordinateX/ data"].write_direct(np.full((21, 17, 11), np.nan))),
        ("CoordinateY of zone up is damaged", lambda zone: put(zone["GridCoordinates/CoordinateY"], np.zeros((2, 2, 2)))),
        ("zone up: its coordinates cannot be read", lambda zone: zone["GridCoordinates/CoordinateZ"].pop(" data")),
        ("zone up: its size cannot be read", lambda zone: put(zone, np.zeros(3, int))),
        ("zone up has no field", lambda zone: zone["FlowSolution"].pop("Density")),
        ("Density of zone up has shape", lambda zone: put(zone["FlowSolution/Density"], np.zeros(7))),
    ):
        at = damaged(change)
        code, out, err = plot("b2b", at, "--field", "Density")
        wanted = text if "no field" not in text else "does not hold the conserved variables"
        check(code == 2 and wanted in err and err.count("\n") == 1, f"{text}: {code} {out} {err}")
    at = damaged(lambda zone: zone["FlowSolution/EnergyStagnationDensity/ data"].write_direct(np.full((20, 16, 10), np.nan)))
    one_line("not finite", "b2b", at)


def reports():
    """What cannot be drawn is a line of the page and of the screen."""
    whole = plot("report", fresh("good"))
    check(whole[0] == 0 and "not drawn" not in whole[1], f"a whole run: {whole}")
    most = int(whole[1].split(" pictures")[0].split()[-1])
    with open(os.path.join(source, "flow_00000120.cgns"), "rb") as file:
        cut = file.read()[:5000]
    for name, files, missing in (("snapshot", {"flow_00000120.cgns": cut}, "What follows from the snapshot"),
                                 ("history", {"history.csv": "iteration\n"}, "Residuals and mass flows"),
                                 ("effective", {"effective.yaml": "rows: [1, {"}, "What follows from the case")):
        at = fresh("report_" + name, **files)
        code, out, err = plot("report", at)
        check(code == 0 and f"not drawn: {missing}: " in out and "Error" not in out, f"{name}: {code} {out} {err}")
        with open(os.path.join(at, "report.html")) as page:
            check(f"Not drawn: {missing}: " in page.read(), f"{name}: the page does not say what is missing")
    # a fault of the tools themselves costs one picture
    from annulus.plotting import meridional

    real = meridional.run
    meridional.run = lambda options: 1 // 0
    at = fresh("fault")
    code, out, err = plot("report", at)
    meridional.run = real
    count = int(out.split(" pictures")[0].split()[-1]) if code == 0 else 0
    check(code == 0 and count == most - 3 and out.count("ZeroDivisionError") == 3, f"a fault: {code} {out} {err}")


def programs():
    at = fresh("programs")
    case = os.path.join(at, "case.yaml")
    with open(case, "w") as out:
        out.write("mesh: a.cgns\n")
    refused("nowhere/annulus cannot be started: No such file", lambda: annulus.start(case, annulus="nowhere/annulus"))
    refused("nowhere/annulus cannot be started: No such file", lambda: annulus.Case.read(case).check(case, "nowhere/annulus"))
    refused("mpinone cannot be started", lambda: annulus.start(case, ranks=2, launcher=("mpinone", "-n")))
    refused("case.yaml/b.yaml: Not a directory", lambda: annulus.Case.read(case).write(case + "/b.yaml"))
    refused("cannot stand in a case file", lambda: annulus.start(case, changes={"a": object()}))
    refused("cannot stand in a case file", lambda: annulus.start(case, changes={"a": np.nan}))
    program = os.path.join(at, "program")
    with open(program, "w") as out:
        out.write('#!/bin/sh\nfor a; do echo "$a"; done >arguments\nmkdir -p out/march.iterations_1 out/march.iterations_2\necho "{}" >out/run.json\n')
    os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
    changes = {"march.iterations": np.int64(5), "march.cfl": np.float32(2.5), "a": np.array([1, 2]), "b": [np.int32(3), True],
               "mesh": pathlib.Path("b.cgns"), "c": np.bool_(False)}
    annulus.start(case, annulus=program, changes=changes).wait()
    with open(os.path.join(at, "arguments")) as text:
        found = [line for line in text.read().split("\n")[2:] if line and line != "--set"]
    check(found == ["march.iterations=5", "march.cfl=2.5", "a=[1, 2]", "b=[3, true]", "mesh=b.cgns", "c=false"], f"values: {found}")
    runs = list(annulus.sweep(case, "march.iterations", np.arange(1, 3), annulus=program, folder="out"))
    check([value for value, _ in runs] == [1, 2] if runs else False, f"a sweep over numbers of NumPy: {runs}")
    check(annulus.Run(pathlib.Path(at)).folder == at and annulus.File(pathlib.Path(at) / "flow_00000120.cgns").zones, "paths of pathlib")
    one_line("case.yaml", "b2b", at, "-o", case + "/b2b.png")
    one_line("case.yaml", "report", at, "-o", case + "/report.html")
    one_line("case.yaml", "table", at, "-o", case + "/table.csv")


os.makedirs(folder, exist_ok=True)
os.environ["MPLCONFIGDIR"] = os.path.join(folder, "matplotlib")
tables()
records()
snapshots()
programs()
reports()
finish()
