"""Runs: what stands in their output folder, and starting, watching and stopping them."""
import csv
import glob
import json
import math
import os
import re
import signal
import subprocess
import tempfile
import time

import numpy as np

from .case import Case, setting
from .errors import InputError
from .exchange import table_to_xarray

# ends of column names -> units; the longest first
UNITS = (
    ("_J_kgK", "J/(kg K)"), ("_N_m", "N/m"), ("_kg_s", "kg/s"), ("_m_s", "m/s"), ("_W_m2_K", "W/(m2 K)"), ("_W_m2", "W/m2"), ("_deg", "deg"), ("_rad", "rad"), ("_per_s", "1/s"),
    ("_Nm", "N m"), ("_Pa", "Pa"), ("_m2", "m2"), ("_m", "m"), ("_s", "s"), ("_K", "K"), ("_N", "N"), ("_W", "W"),
)


def unit_of(column):
    """The unit in a column's name, such as kg/s of mass_in_kg_s; "" without one."""
    return next((unit for end, unit in UNITS if column.endswith(end)), "")


class Table(dict):
    """Columns of a CSV file of the program, name -> array; words stay words, an empty cell is NaN.
    `units` has the unit of each column. first: the name of the first column of a file that holds numbers only, as the
    history does; InputError where the file is another."""

    def __init__(self, path, first=None):
        super().__init__()
        path = os.fspath(path)
        try:
            with open(path, newline="", errors="replace") as file:
                lines = csv.reader(file)
                names = next(lines, None) or [""]
                rows = [(lines.line_num, row) for row in lines]
        except FileNotFoundError:
            raise InputError(f"{path}: no such file") from None
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None
        except csv.Error as error:
            raise InputError(f"{path}: {error}") from None
        if first is not None and names[0] != first:
            raise InputError(f"{path}: line 1 is not the header of a table that begins with '{first}'")
        # the last line of a running job can be half written
        rows = [(number, row) for number, row in rows if len(row) == len(names)]
        for n, name in enumerate(names):
            cells = [row[n] for _, row in rows]
            try:
                self[name] = np.array([float(c) if c else np.nan for c in cells])
            except ValueError:
                self[name] = np.array(cells)
            if first is not None and (self[name].dtype.kind != "f" or (n == 0 and not np.all(np.isfinite(self[name])))):
                number, cell = next((number, row[n]) for number, row in rows if not is_number(row[n], n == 0))
                raise InputError(f"{path}:{number}: '{cell}' in column {name} is not a number")
        self.units = {name: unit_of(name) for name in names}
        self.path = path

    def __len__(self):
        return len(next(iter(self.values()), ()))

    def last(self, name):
        return self[name][-1]

    def to_xarray(self, index=None):
        """exchange.table_to_xarray of this table."""
        return table_to_xarray(self, index)


def is_number(cell, finite):
    """finite: may it be neither empty nor infinite?"""
    try:
        return (math.isfinite(float(cell)) or not finite) if cell else not finite
    except ValueError:
        return False


RESIDUALS = tuple("residual_" + n for n in ("density", "momentum_x", "momentum_y", "momentum_z", "energy", "turbulence"))


def mass_columns(history):
    """Names of the columns with the mass flows in and out, and of what they are: the full annulus, where the history has figures of the
    machine or of its only row, or the mesh, whose inlet and outlet may be different parts of the annulus."""
    end = "_mass_in_kg_s"
    rows = [name[: -len(end)] for name in history if name.endswith(end) and name != "mass_in_kg_s"]
    row = "machine" if "machine" in rows else rows[0] if len(rows) == 1 else None
    if row and any(np.isfinite(history[row + end])):
        return row + end, row + "_mass_out_kg_s", "annulus"
    return "mass_in_kg_s", "mass_out_kg_s", "mesh"


NO_RUN = "no run has written into this folder: it holds neither run.json nor history.csv"


def scales(h):
    """What each residual is divided by: its first value that is not zero; for a component of
    momentum that of the whole vector, because a component may start at rounding level."""
    columns = {name: h[name] for name in RESIDUALS if name in h}
    parts = [name for name in columns if "momentum" in name]
    vector = np.sqrt(np.sum([columns[name] ** 2 for name in parts], axis=0)) if parts else []
    result = {}
    for name in RESIDUALS:
        values = np.asarray(vector if name in parts else columns.get(name, []))
        first = values[np.isfinite(values) & (values > 0)][:1]
        result[name] = first[0] if len(first) else 1.0
    return result


# what run.json holds under these names, where it has them
INFO = {"title": str, "status": str, "message": str, "iteration": (int, float), "cells": (int, float), "rows": list, "walls": list,
        "warnings": list, "last": dict, "coefficients": dict}


def checked(info, path):
    """run.json as the tools may rely on; InputError where something else stands in it."""
    if not isinstance(info, dict):
        raise InputError(f"{path}: not the record of a run")
    for name, kind in INFO.items():
        if info.get(name) is not None and not isinstance(info[name], kind):
            raise InputError(f"{path}: '{name}' is {json.dumps(info[name])[:40]}, which no run writes there")
    for name in ("rows", "walls"):
        if not all(isinstance(v, dict) and isinstance(v.get("name"), str) for v in info.get(name) or []):
            raise InputError(f"{path}: an entry of '{name}' has no name")
    if not all(isinstance(text, str) for text in info.get("warnings") or []):
        raise InputError(f"{path}: 'warnings' are not sentences")
    return info


class Run:
    """An output folder. Nothing is read before it is asked for.

    case        the effective case          history    Table of history.csv
    info        run.json                    map        Table of map.csv
    flow()      the newest snapshot (flow.Flow)
    """

    def __init__(self, folder):
        folder = os.fspath(folder)
        if not os.path.isdir(folder):
            raise InputError(f"{folder}: no such folder")
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def case(self):
        return Case.read(self.path("effective.yaml"))

    @property
    def info(self):
        try:
            with open(self.path("run.json"), errors="replace") as text:
                return checked(json.load(text), self.path("run.json"))
        except FileNotFoundError:
            raise InputError(f"{self.path('run.json')}: no such file") from None
        except OSError as error:
            raise InputError(f"{self.path('run.json')}: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.path('run.json')}: {error}") from None

    @property
    def history(self):
        return Table(self.path("history.csv"), "iteration")

    @property
    def map(self):
        return Table(self.path("map.csv"))

    def files(self, kind):
        """Paths of flow_, wall_ or profile_ files by increasing iteration."""
        found = glob.glob(self.path(kind + "_*"))
        numbered = [(int(m.group(1)), f) for f in found if (m := re.search(r"_(\d+)\.(cgns|csv)$", f))]
        return [f for _, f in sorted(numbered)]

    def newest(self, kind):
        files = self.files(kind)
        if not files:
            raise InputError(f"{self.folder}: no {kind}_NNNNNNNN file")
        return files[-1]

    def flow(self, path=None):
        from .flow import Flow

        return Flow(path or self.newest("flow"))

    def profile(self):
        return Table(self.newest("profile"))

    def figures(self):
        """Name of a row -> its figures in run.json."""
        return {row["name"]: row for row in self.info.get("rows", [])}


def mark(path):
    """Changes when a file is written; None without the file."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


class Job:
    """A run that was started here.

    >>> job = start("case.yaml", ranks=4)
    >>> for line in job.watch():
    ...     print(line["iteration"], line["residual_drop"])
    """

    def __init__(self, process, folder, before, said):
        self.process, self.folder, self.said = process, folder, said  # said: a file with what the program prints
        self.before = before  # mark of the history that an earlier run left

    def watch(self, every=1.0):
        """New lines of the history as dictionaries, until the run ends. `every`: s between looks."""
        seen, path = 0, os.path.join(self.folder, "history.csv")
        while True:
            ended = self.process.poll() is not None
            if mark(path) not in (None, self.before):
                table = Table(path, "iteration")
                for n in range(seen, len(table)):
                    yield {name: column[n] for name, column in table.items()}
                seen = max(seen, len(table))
            if ended:
                return
            time.sleep(every)

    def stop(self):
        """Asks for a snapshot and the end of the run."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def wait(self, timeout=None):
        """The Run; InputError with what the program said where it did not end with 0, 3 (diverged) or 4 (stopped):
        the folder may hold an earlier run then."""
        code = self.process.wait(timeout)
        if code not in (0, 3, 4):
            self.said.seek(0)
            raise InputError(self.said.read().strip()[-2000:] or f"the program ended with {code}")
        return Run(self.folder)


def start(case_file, ranks=1, annulus="annulus", changes=None, launcher=("mpirun", "-n"), command="run", more=()):
    """Starts `annulus run`, or another command on a case, with `more` arguments. changes: values for keys, as --set gives them. The process works in the
    case's folder, and is the child of this one."""
    case = Case.read(case_file)
    at, name = os.path.split(os.path.abspath(case_file))
    changes = dict(changes or {})
    command = [annulus, command, name, *more]
    for key, value in changes.items():
        command += ["--set", f"{key}={setting(value)}"]
    if ranks > 1:
        command = [*launcher, str(ranks), *command]
    folder = changes.get("output.folder") or case.value("output.folder", "out")
    folder = os.path.join(at, folder)
    before = mark(os.path.join(folder, "history.csv"))
    said = tempfile.TemporaryFile("w+", errors="replace")  # no pipe, which would fill and hold up the run
    try:
        process = subprocess.Popen(command, cwd=at, stdout=said, stderr=subprocess.STDOUT)
    except OSError as error:
        raise InputError(f"{command[0]} cannot be started: {error.strerror}") from None
    return Job(process, folder, before, said)


def sweep(case_file, key, values, ranks=1, annulus="annulus", folder="sweep", **options):
    """Runs a case once for each value of a key, one after the other, each into a folder of its own.
    Yields (value, Run); a run that diverges is given, too: its info["status"] says so."""
    for value in values:
        into = os.path.join(folder, f"{key}_{value}")
        changes = {key: value, "output.folder": into, **options.get("changes", {})}
        yield value, start(case_file, ranks, annulus, changes).wait()


def speed_line(case_file, values=None, ranks=1, annulus="annulus", changes=None, together=False):
    """Runs `annulus map`, with `values` in place of those of the case; the Table of map.csv, a line a point. together: the
    lines of map.speeds and the chains of map.chains side by side, as --together does."""
    changes = dict(changes or {})
    if values is not None:
        changes["map.values"] = [float(v) for v in values]
    return start(case_file, ranks, annulus, changes, command="map", more=["--together"] if together else ()).wait().map


def gradient(case_file, of, to=(), nodes=False, annulus="annulus", changes=None, settle=False):
    """Runs `annulus adjoint` on the newest snapshot of a settled run. of: a figure, or several; to: keys of the case, or
    none for those that the command chooses. Returns {figure: {"value": number, "gradient": {key: number or list}}}; with
    nodes the gradients by nodes are in nodes_FIGURE.cgns in the output folder. settle: Newton steps lower the residual to
    rounding, even where it would change no figure by more than 0.1 %."""
    more = (["--nodes"] if nodes else []) + (["--settle"] if settle else [])
    for option, names in (("--of", of), ("--to", to)):
        for name in [names] if isinstance(names, str) else names:
            more += [option, name]
    job = start(case_file, 1, annulus, changes, command="adjoint", more=more)
    job.wait()
    if job.process.returncode != 0:
        job.said.seek(0)
        raise InputError(job.said.read().strip()[-2000:])
    path = os.path.join(job.folder, "adjoint.json")
    with open(path) as f:
        return json.load(f)["figures"]


def mesh_study(case_file, meshes, figure, ranks=1, annulus="annulus", folder="meshes", changes=None):
    """Runs a case on each of the meshes; figure(run) is the number that is compared. Returns a list of (cells,
    value) in the order of the meshes, and what `extrapolated` makes of it where there are three of them."""
    points = []
    for mesh in meshes:
        into = os.path.join(folder, os.path.splitext(os.path.basename(mesh))[0])
        run = start(case_file, ranks, annulus, {**(changes or {}), "mesh": mesh, "output.folder": into}).wait()
        if run.info.get("status") in ("diverged", "stopped"):
            raise InputError(f"{run.folder}: the run is {run.info['status']}, so its figures do not compare")
        cells = run.info.get("cells")
        if not cells:
            raise InputError(f"{run.path('run.json')}: it does not say how many cells the mesh has")
        points.append((cells, float(figure(run))))
    return points, extrapolated(points) if len(points) == 3 else None


def extrapolated(points, dimensions=3):
    """Richardson's extrapolation from three (cells, value): (value on an infinitely fine mesh, observed order of
    accuracy); (nan, nan) where the values do not approach each other. dimensions: in which meshes were refined."""
    (n3, f3), (n2, f2), (n1, f1) = sorted(points)  # 1: the finest
    r21, r32 = (n1 / n2) ** (1 / dimensions), (n2 / n3) ** (1 / dimensions)
    if f2 == f1:
        return f1, np.nan
    if (f3 - f2) / (f2 - f1) <= 0:
        return np.nan, np.nan
    # (f3 - f2) / (f2 - f1) = r21^p (r32^p - 1) / (r21^p - 1), which grows with p
    low, high = 1e-3, 20.0
    for _ in range(100):
        order = 0.5 * (low + high)
        ratio = r21**order * (r32**order - 1) / (r21**order - 1)
        low, high = (order, high) if ratio < (f3 - f2) / (f2 - f1) else (low, order)
    return (f1 + (f1 - f2) / (r21**order - 1), order) if 1e-2 < order < 19 else (np.nan, np.nan)
