"""A case of Annulus in a folder: its files, its run, its snapshot. Needs NumPy, h5py and PyYAML."""
import csv
import glob
import json
import os
import subprocess

import h5py
import numpy as np
import yaml

CASE, OUT, LOG, MARK = "case.yaml", "out", "run.log", "computed"
DONE, DIVERGED = 0, 3  # exit codes of `annulus run`
FIELDS = ("Density", "MomentumX", "MomentumY", "MomentumZ", "Pressure", "Temperature", "ViscosityEddy")


def rounded(value):
    """Floats with seven digits, which is what single precision holds; also those in lists and mappings."""
    if isinstance(value, dict):
        return {name: rounded(v) for name, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(v) for v in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def write_case(folder, sections, profile=None):
    """Writes case.yaml from its sections, and the lines of the inlet's profile, if it has one."""
    if profile:
        with open(os.path.join(folder, "inlet.csv"), "w") as out:
            out.write(profile)
        sections["boundaries"]["inlet"]["profile"] = "inlet.csv"
    with open(os.path.join(folder, CASE), "w") as out:
        yaml.safe_dump(rounded(sections), out, sort_keys=False, width=130)


def last_words(text):
    """What a program said of its end: the line of the error, or the last one."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if "error" in line.lower()), lines[-1] if lines else "it printed nothing")


def run(folder, command, start=None, last=None):
    """Runs the case; start: a snapshot to begin with; last: number of the last cycle, which counts on from those of the snapshot.
    True where the flow diverged."""
    words = [*command, "run", CASE]
    if start:
        words += ["--restart", os.path.relpath(start, folder), "--other-mesh", "--set", f"march.iterations={last}"]
    log = os.path.join(folder, LOG)
    try:
        with open(log, "w") as said:
            code = subprocess.run(words, cwd=folder, stdout=said, stderr=subprocess.STDOUT).returncode
    except OSError as error:
        raise RuntimeError(f"solver annulus: {words[0]} cannot be started ({error.strerror}); is Annulus installed, and on the PATH? "
                           f"The key `command` of the solver names another program") from None
    if code not in (DONE, DIVERGED):
        with open(log, errors="replace") as said:
            raise RuntimeError(f"solver annulus: the run in {folder} ended with exit code {code}: {last_words(said.read())}")
    return code == DIVERGED


def record(folder):
    """run.json of the run of a case, or nothing if there is none."""
    try:
        with open(os.path.join(folder, OUT, "run.json"), errors="replace") as text:
            return json.load(text)
    except (OSError, ValueError):
        return {}


def newest(folder):
    """The last snapshot of the last run of a case, or None. Earlier runs may have left some with higher numbers."""
    path = os.path.join(folder, OUT, os.path.basename(record(folder).get("snapshot") or "none"))
    return path if os.path.exists(path) else max(glob.glob(os.path.join(folder, OUT, "flow_*.cgns")), default=None)


def snapshot(path, zones):
    """Fields of each of the zones, as arrays [ni, nj, nk] of its cells."""
    found = []
    with h5py.File(path) as file:
        base = next(node for node in file.values() if isinstance(node, h5py.Group) and node.attrs.get("label") == b"CGNSBase_t")
        for name in zones:
            solution = base[name]["FlowSolution"]
            found.append({field: np.asarray(solution[field][" data"], float).T for field in FIELDS if field in solution})
    return found


def history(folder):
    """Columns of history.csv, as arrays."""
    with open(os.path.join(folder, OUT, "history.csv"), newline="") as text:
        lines = list(csv.reader(text))
    full = [line for line in lines[1:] if len(line) == len(lines[0])]
    return {name: np.array([float(line[n]) if line[n] else np.nan for line in full]) for n, name in enumerate(lines[0])}


def batch(cases, command):
    """Computes cases side by side, by `annulus batch`; cases: (folder, key) of each, all folders in one. A case that was computed is
    marked, so that `computed` finds it. The number of cases computed."""
    top = os.path.dirname(os.path.abspath(cases[0][0]))
    listed, into = os.path.join(top, "batch.yaml"), os.path.join(top, "batch")
    names = {os.path.basename(folder): (folder, key) for folder, key in cases}
    with open(listed, "w") as out:
        yaml.safe_dump({"cases": [{"name": n, "case": os.path.join(n, CASE)} for n in names]}, out, sort_keys=False)
    try:
        subprocess.run([*command, "batch", listed, "--output", into, "--keep-going"])
    except OSError as error:
        raise RuntimeError(f"solver annulus: {command[0]} cannot be started ({error.strerror})") from None
    marked = 0
    for name, (folder, key) in names.items():
        here, there = os.path.join(folder, OUT), os.path.join(into, name)
        if os.path.exists(os.path.join(there, "run.json")) and not os.path.isdir(here):
            os.symlink(os.path.relpath(there, folder), here)
        if record(folder).get("status") in ("converged", "diverged", "finished", "done"):
            with open(os.path.join(folder, MARK), "w") as out:
                out.write(key)
            marked += 1
    return marked


def computed(folder, key):
    """Whether a batch has computed this case; says so once."""
    path = os.path.join(folder, MARK)
    try:
        with open(path) as text:
            same = text.read() == key
    except OSError:
        return False
    os.remove(path)
    return same
