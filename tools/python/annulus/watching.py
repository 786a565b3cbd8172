"""The state of a run that goes on, from its output folder alone, and requests to it.

A run and those who watch it share only the folder: the run appends to history.csv and rewrites run.json;
a file STOP or SNAPSHOT that somebody puts there asks it for its end or for a snapshot.
"""
import contextlib
import math
import os
import re
import socket
import time

from .errors import InputError
from .run import NO_RUN, RESIDUALS, Run, mark, mass_columns, scales

QUIET = 900.0  # s without a sign of life after which a run on another host counts as silent: AN_LOCK_SILENCE of io/lock.h
PICTURES = (".png", ".svg")
REQUESTS = {"stop": "STOP", "snapshot": "SNAPSHOT"}


def lock_of(folder):
    """The fields of .annulus.lock, which a run has while it works in the folder; {} without one."""
    try:
        with open(os.path.join(folder, ".annulus.lock")) as text:
            return dict(line.rstrip("\n").split(" = ", 1) for line in text if " = " in line)
    except OSError:
        return {}


def goes_on(process, born):
    """Does this process of this host go on, and is it the one that was born then? As io/lock.c."""
    try:
        with open(f"/proc/{process}/stat") as text:
            fields = text.read().rpartition(")")[2].split()  # from the third on; the name before may hold anything
    except OSError:
        return False
    if len(fields) < 20 or fields[0] in "ZX":
        return False
    return born in ("", "0") or fields[19] == born


def is_alive(folder):
    """Does a run work in this folder? On this host: does its process go on; on others: has it touched its
    lock within the last QUIET seconds? It does so between iterations only."""
    lock = lock_of(folder)
    if not lock:
        return False
    if lock.get("host") == socket.gethostname():
        return goes_on(lock.get("process", "-"), lock.get("born", ""))
    try:
        return time.time() - os.stat(os.path.join(folder, ".annulus.lock")).st_mtime < QUIET
    except OSError:
        return False


def ask(folder, what):
    """Asks the run for "stop" or for a "snapshot"; InputError where no run would answer."""
    if what not in REQUESTS:
        raise InputError(f"a run can be asked for 'stop' or 'snapshot', not for '{what}'")
    if not is_alive(folder):
        raise InputError(f"{folder}: no run works in this folder")
    path = os.path.join(folder, REQUESTS[what])
    try:
        with open(path, "w"):
            pass
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if not is_alive(folder):  # the next run would answer
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
            raise InputError(f"{folder}: the run has ended meanwhile")


def numbers(values):
    """As JSON has them: None for what is no finite number."""
    return [float(v) if math.isfinite(v) else None for v in values]


def thinned(table, columns, most):
    """Lines of the table, at most `most` of them, evenly spread, the last one included."""
    count = len(table)
    step = max(1, math.ceil(count / most))
    lines = sorted({*range(0, count, step), count - 1}) if count else []
    return {name: numbers(table[name][lines]) for name in columns if name in table}


# ends of the columns of a row -> (text, unit, factor)
FIGURES = (
    ("mass_in_kg_s", "mass flow in", "kg/s", 1.0), ("mass_out_kg_s", "mass flow out", "kg/s", 1.0),
    ("pressure_ratio", "pressure ratio", "–", 1.0), ("temperature_ratio", "temperature ratio", "–", 1.0),
    ("efficiency", "efficiency", "%", 100.0), ("power_W", "power", "W", 1.0), ("loss", "loss", "–", 1.0),
    ("loss_mixed_out", "mixed-out loss", "–", 1.0), ("alpha_out_deg", "angle out", "deg", 1.0),
    ("beta_out_deg", "relative angle out", "deg", 1.0), ("mach_out", "Mach number out", "–", 1.0),
    ("mach_out_isentropic", "isentropic Mach number out", "–", 1.0),
)
# columns of the coefficients of a body -> text; a run has them where the case gives reference.length
COEFFICIENTS = (("lift", "lift coefficient"), ("drag", "drag coefficient"), ("side_force", "side force coefficient"),
                ("moment", "moment coefficient"))


def rows_of(table):
    """Names of the rows that the history has columns of, in its order."""
    found = (re.fullmatch(r"(.+)_temperature_ratio", name) for name in table)
    names = [m.group(1) for m in found if m]
    if len(names) == 2 and names[1] == "machine":
        return names[:1]
    return names


def figures_of(table):
    """Latest figures: a list of {text, unit, values}, one value for each row; those without a number in any
    row are left out."""
    rows = rows_of(table)
    prefixes = [row + "_" for row in rows] or [""]
    lines = []
    for end, text, unit, factor in () if is_body(table) and not rows else FIGURES:
        values = [float(table[p + end][-1]) if p + end in table and len(table) else math.nan for p in prefixes]
        if any(math.isfinite(v) for v in values):
            lines.append({"text": text, "unit": unit, "values": numbers(factor * v for v in values)})
    if is_body(table) and len(rows) < 2:
        lines += [{"text": text, "unit": "–", "values": numbers([table.last(name)])} for name, text in COEFFICIENTS]
    return rows, lines


def is_body(table):
    """Does the run report forces as coefficients?"""
    return all(name in table for name, _ in COEFFICIENTS)


class Watched:
    """Reads the folder again only where a file in it has changed."""

    def __init__(self, folder, most=400):
        self.run, self.most = Run(folder), most
        self.marks, self.kept, self.faults = {}, {}, {}

    def fresh(self, name, read):
        """What `read` gives of a file, kept until the file changes; None without the file. `faults` has what is wrong with
        a file that cannot be read."""
        now = mark(self.run.path(name))
        self.faults.pop(name, None)
        if now is None:
            return None
        if self.marks.get(name) != now:
            try:
                self.kept[name] = self.patiently(read)
            except InputError as error:
                self.faults[name] = str(error)
                return self.kept.get(name)
            self.marks[name] = now
        return self.kept[name]

    @staticmethod
    def patiently(read):
        """Once more after a moment, because the run may be writing the file."""
        try:
            return read()
        except InputError:
            time.sleep(0.05)
            return read()

    def state(self):
        """All that a watcher shows, as JSON can hold it."""
        info = self.fresh("run.json", lambda: self.run.info) or {}
        table = self.fresh("history.csv", lambda: self.run.history)
        state = {
            "folder": os.path.abspath(self.run.folder), "title": info.get("title") or "", "alive": is_alive(self.run.folder),
            "status": info.get("status") or "unknown", "message": info.get("message"),
            "warnings": info.get("warnings") or [], "cells": info.get("cells"), "ranks": info.get("ranks"),
            "engine": info.get("engine"), "iteration": info.get("iteration", 0), "rate": None, "rows": [], "figures": [],
            "history": {"iteration": []}, "snapshots": [os.path.basename(f) for f in self.run.files("flow")],
            "pictures": self.pictures(), "last": None, "time": None, "end_time": None,
        }
        if info == {} and table is None and not state["alive"]:
            state["status"], state["message"] = "no run", NO_RUN
        if self.case_value("march.mode") == "unsteady":
            state["end_time"] = self.case_value("march.end_time")
        else:
            state["last"] = self.case_value("march.iterations")
        if state["status"] == "finished" and info.get("settled") is False:
            state["status"] = "finished, not settled"
        if state["status"] == "running" and not state["alive"]:
            state["status"] = "ended without a word"
        if table is not None and len(table):
            self.add_history(state, table)
        state["warnings"] = [*state["warnings"], *self.faults.values()]
        return state

    def case_value(self, key):
        case = self.fresh("effective.yaml", lambda: self.run.case)
        return case.value(key) if case else None

    def add_history(self, state, table):
        lines = thinned(table, ["iteration", *RESIDUALS, "pressure_ratio", "efficiency"], self.most)
        scale = scales(table)
        for name in RESIDUALS:
            if name in lines:
                lines[name] = [None if v is None else v / scale[name] for v in lines[name]]
        state["rows"], state["figures"] = figures_of(table)
        # of the full annulus where there are rows: meshed sectors of different rows do not compare
        lines["mass_in"], lines["mass_out"] = (thinned(table, [m], self.most).get(m, []) for m in mass_columns(table)[:2])
        if is_body(table):  # the far field has no mass flow that says anything about the body
            lines.update(thinned(table, ["lift", "drag"], self.most))
        if self.case_value("march.mode") == "unsteady" and "time_s" in table:
            state["time"] = numbers([table.last("time_s")])[0]
        state["history"] = lines
        state["iteration"] = int(table.last("iteration"))
        state["rate"] = numbers([table.last("iterations_per_s")])[0] if "iterations_per_s" in table else None
        state["cfl"] = numbers([table.last("cfl")])[0] if "cfl" in table else None

    def pictures(self):
        """Pictures in the folder, [name, changed], the newest first."""
        found = []
        for entry in os.scandir(self.run.folder):
            with contextlib.suppress(OSError):  # one that goes away meanwhile
                if entry.name.endswith(PICTURES) and entry.is_file():
                    found.append([entry.name, entry.stat().st_mtime])
        return sorted(found, key=lambda p: -p[1])
