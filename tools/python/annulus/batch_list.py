"""The list of a batch: cases with what differs between them, read from YAML, CSV or dictionaries and checked as a whole."""
import csv
import hashlib
import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from .case import Case, _loader, setting, yaml
from .errors import InputError, reading

KEYS = ("name", "command", "case", "mesh", "set")  # of an entry
COMMANDS = ("run", "map")
TOOLS = {"row": "mesh_row", "cascade": "mesh_cascade"}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,199}")
RESERVED = ("meshes", "batch.csv", "batch.parquet", "report.html", "STOP")  # other names in the folder of the batch


class Mesh:
    """A mesh that a tool makes from a file, with changes: keys of a row file, or options of mesh_cascade.
    `key` names everything that the mesh depends on, so entries with the same key share a mesh."""

    def __init__(self, kind, source, cells, changes):
        self.kind, self.source, self.cells = kind, source, cells
        self.changes = {key: setting(value) for key, value in changes.items()}
        digest = hashlib.sha1(json.dumps([kind, source, cells, self.changes], sort_keys=True).encode())
        for path in sorted(files_of(source, set())):
            with reading(path), open(path, "rb") as file:
                digest.update(file.read())
        self.key = digest.hexdigest()[:12]

    def command(self, tools, folder, output):
        """The command that writes the mesh to `output`. folder: of the batch's meshes, for a changed row file."""
        tool = os.path.join(tools, TOOLS[self.kind])
        if self.kind == "cascade":
            options = [f"--{key}" if value == "true" else f"--{key}={value}" for key, value in self.changes.items()]
            return [tool, self.source, *options, "-o", output]
        return [tool, self.changed_row(folder) if self.changes else self.source,
                *([f"--cells={self.cells}"] if self.cells else []), "-o", output]

    def changed_row(self, folder):
        row, home = Case.read(self.source), os.path.dirname(self.source)
        for key, value in self.changes.items():
            *path, last = key.split(".")
            at = row
            for name in path:
                at = at[int(name)] if isinstance(at, list) else at.setdefault(name, {})
            at[last] = yaml.load(value, Loader=_loader())
        path = os.path.join(folder, self.key + ".yaml")
        Case(absolute(row, home)).write(path)
        return path


def files_of(path, found):
    """A file, and if it is YAML the files that it names, such as the tables of a row."""
    found.add(path)
    if path.endswith((".yaml", ".yml")):
        with reading(path), open(path, encoding="utf-8", errors="replace") as text:
            words = re.findall(r"[^\s,\[\]{}'\"]+", text.read())
        for other in {os.path.join(os.path.dirname(path), word) for word in words}:
            if os.path.isfile(other) and other not in found:
                files_of(other, found)
    return found


def absolute(value, home):
    """The content of a row file, with the names of files in its folder as absolute paths."""
    if isinstance(value, dict):
        return {key: absolute(v, home) for key, v in value.items()}
    if isinstance(value, list):
        return [absolute(v, home) for v in value]
    found = isinstance(value, str) and os.path.isfile(os.path.join(home, value))
    return os.path.join(home, value) if found else value


class Entry:
    """A case of the list. place: FILE:LINE of the entry. shown: the values that the table repeats, by column."""

    def __init__(self, place, name, case, mesh, values, command="run"):
        self.place, self.name, self.case, self.mesh, self.values = place, name, case, mesh, values
        self.shown = dict(values)
        if isinstance(mesh, Mesh):
            self.shown.update({mesh.kind: mesh.source, **({"cells": mesh.cells} if mesh.cells else {}),
                               **{f"{mesh.kind}.{key}": value for key, value in mesh.changes.items()}})
        elif mesh:
            self.shown["mesh"] = mesh
        self.effective = self.device = self.precision = self.mesh_file = None  # found by `check_all`
        self.command, self.after = command, ()  # after: names of the entries that have to end before this one begins

    def place_in(self, folder):
        """folder: of the batch."""
        self.folder = os.path.join(folder, self.name)
        self.mesh_file = os.path.join(folder, "meshes", self.mesh.key + ".cgns") if isinstance(self.mesh, Mesh) else self.mesh

    def settings(self):
        """Options of the program that make the case file this case."""
        changes = {**self.values, **({"mesh": self.mesh_file} if self.mesh else {}), "output.folder": self.folder}
        return [word for key, value in changes.items() for word in ("--set", f"{key}={setting(value)}")]

    def of_effective(self, key):
        found = re.search(rf"^{key}: (.*)$", self.effective, re.M)
        return found[1].strip('"') if found else ""


def read_list(source):
    """[(place, dictionary)] of a file or a list of dictionaries, and the folder in which relative names begin."""
    if isinstance(source, (list, tuple)):
        return [(f"case {n}", item) for n, item in enumerate(source, 1)], os.getcwd()
    path = os.fspath(source)
    found = read_csv(path) if path.endswith(".csv") else read_yaml(path)
    if not found:
        raise InputError(f"{path}: the list has no case")
    return found, os.path.dirname(os.path.abspath(path))


def read_yaml(path):
    if yaml is None:
        raise InputError(f"{path}: a list as YAML needs PyYAML (package python3-yaml); a list as CSV does not")
    try:
        with reading(path), open(path, encoding="utf-8") as text:
            loader = _loader()(text.read())
        top = loader.get_single_node()
        cases = top
        if isinstance(top, yaml.MappingNode):
            cases = next((value for key, value in top.value if key.value == "cases"), None)
        if not isinstance(cases, yaml.SequenceNode):
            raise InputError(f"{path}: a list of cases is missing: cases: [{{name: ..., set: {{...}}}}, ...]")
        found = loader.construct_document(top)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}") from None
    base = {}
    if isinstance(found, dict):
        base = {key: value for key, value in found.items() if key != "cases"}
        found = found["cases"]
    places = [f"{path}:{node.start_mark.line + 1}" for node in cases.value]
    return [(place, joined(base, item)) for place, item in zip(places, found)]


def joined(base, item):
    """An entry with the values that all entries have; those of the entry count."""
    if not isinstance(item, dict):
        return item
    sets = [part.get("set") or {} for part in (base, item)]
    if all(isinstance(part, dict) for part in sets):
        return {**base, **item, "set": {**sets[0], **sets[1]}}
    return {**base, **item}


def read_csv(path):
    found = []
    with reading(path, "a table as CSV"), open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file, skipinitialspace=True)
        names = [name.strip() for name in next(rows, [])]
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            place = f"{path}:{rows.line_num}"
            if len(row) != len(names):
                raise InputError(f"{place}: {len(row)} cells, where line 1 names {len(names)} columns")
            found.append((place, of_columns({n: cell.strip() for n, cell in zip(names, row) if cell.strip()})))
    return found


def of_columns(cells):
    """The entry of a line of a CSV file: columns row, cascade, cells, row.KEY and cascade.KEY describe a mesh."""
    item, mesh, changes = {"set": {}}, {}, {}
    for name, cell in cells.items():
        kind, _, key = name.partition(".")
        if name in ("name", "command", "case", "mesh"):
            item[name] = cell
        elif name in ("row", "cascade", "cells"):
            mesh[name] = cell
        elif kind in TOOLS and key:
            changes[key] = cell
        else:
            item["set"][name] = cell
    if mesh or changes:
        item["mesh"] = {**mesh, **({"set": changes} if changes else {}), **({"file": item["mesh"]} if "mesh" in item else {})}
    return item


def entries_of(source, folder):
    """(entries, errors): what the list says, with all faults that need no other program."""
    listed, home = read_list(source)
    entries, errors, seen = [], [], {}
    for number, (place, item) in enumerate(listed, 1):
        try:
            entry = entry_of(place, item, home, f"case_{number:04d}")
        except InputError as error:
            errors.append(f"{place}: {error}")
            continue
        if entry.name in seen:
            errors.append(f"{place}: the name '{entry.name}' is that of {seen[entry.name]}, too")
        seen.setdefault(entry.name, place)
        entry.place_in(folder)
        entries.append(entry)
    return entries, errors


def entry_of(place, item, home, default):
    if not isinstance(item, dict):
        raise InputError(f"an entry has the keys {', '.join(KEYS)}, not {json.dumps(item, default=str)[:60]}")
    for key in item:
        if key not in KEYS:
            raise InputError(f"unknown key '{key}'; an entry takes {', '.join(KEYS)}, and keys of the case below 'set'")
    name = setting(item.get("name", default))
    if not NAME.fullmatch(name) or name in RESERVED:
        raise InputError(f"'{name}' cannot be the name of a folder of this batch: letters, digits and . _ + - are")
    values = item.get("set") or {}
    if not isinstance(values, dict) or any(isinstance(value, dict) for value in values.values()):
        raise InputError("'set' takes keys as --set does, such as {boundaries.outlet.p: 1.1e5}")
    for key, other in (("mesh", "mesh: FILE"), ("output.folder", "name: NAME")):
        if key in values:
            raise InputError(f"'{key}' does not stand in 'set'; the entry takes it as `{other}`")
    if not item.get("case"):
        raise InputError("'case' is missing: the case file")
    command = item.get("command", "run")
    if command not in COMMANDS:
        raise InputError(f"'command' is {' or '.join(COMMANDS)}, not {json.dumps(command, default=str)[:60]}")
    return Entry(place, name, existing(item["case"], home), mesh_of(item.get("mesh"), home), values, command)


def existing(path, home):
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"{json.dumps(path, default=str)[:60]} is not the name of a file")
    full = os.path.normpath(os.path.join(home, os.fspath(path)))
    if not os.path.isfile(full):
        raise InputError(f"{path}: no such file")
    return full


def mesh_of(mesh, home):
    """None: that of the case file; the path of a file; or a Mesh."""
    if mesh is None or not isinstance(mesh, dict):
        return None if mesh is None else existing(mesh, home)
    kinds = [key for key in TOOLS if key in mesh]
    wrong = [key for key in mesh if key not in (*TOOLS, "cells", "set")]
    if wrong or len(kinds) != 1:
        raise InputError("a mesh is a file, or made from {row: FILE, cells: N, set: {...}} or {cascade: FILE, set: {...}}")
    cells, changes = mesh.get("cells"), mesh.get("set") or {}
    if not isinstance(changes, dict):
        raise InputError("'set' of a mesh takes keys with values")
    if kinds[0] == "cascade" and cells is not None:
        raise InputError("mesh_cascade takes no number of cells; its option 'size' below 'set' is a factor on them")
    try:
        cells = cells and int(float(cells))
    except (TypeError, ValueError):
        raise InputError(f"'cells' needs a number, not '{cells}'") from None
    if kinds[0] == "row" and changes and yaml is None:
        raise InputError("changes of a row file need PyYAML (package python3-yaml)")
    return Mesh(kinds[0], existing(mesh[kinds[0]], home), cells, changes)


def check_rows(entries, tools, environment, workers):
    """What `mesh_row --check` says against the row files, each with its changes: lines with the place of the first entry that needs the
    mesh. Meshes that were made before are not looked at."""
    rows = {}
    for entry in entries:
        if isinstance(entry.mesh, Mesh) and entry.mesh.kind == "row" and not os.path.exists(entry.mesh_file):
            rows.setdefault(entry.mesh.key, entry)

    def ask(entry):
        with tempfile.TemporaryDirectory() as folder:
            try:
                *command, _, _ = entry.mesh.command(tools, folder, "")
                done = subprocess.run([*command, "--check", "--threads=1"], capture_output=True, text=True, errors="replace", env=environment,
                                      stdin=subprocess.DEVNULL)
            except (InputError, LookupError, TypeError, ValueError, OSError) as error:
                return [str(error)]
            if not done.returncode:
                return []
            said = done.stderr.replace(os.path.join(folder, entry.mesh.key + ".yaml"), f"{entry.mesh.source}, as changed")
            return [line for line in said.splitlines() if line.strip() and "warning:" not in line] or [f"mesh_row ended with {done.returncode}"]

    with ThreadPoolExecutor(workers) as pool:
        return [f"{entry.place}: {line}" for entry, said in zip(rows.values(), pool.map(ask, rows.values())) for line in said]


def check_all(entries, program, environment, device, workers):
    """What `annulus check` says against the cases: lines with the place of the entry. The mesh is read for one of the cases
    that have case file, mesh and changed keys in common; the runs of the others read it. Also fills what follows from the
    cases."""
    option = ["--device", device] if device else []

    def ask(entry, *more):
        try:
            done = subprocess.run([program, "check", entry.case, *entry.settings(), *option, *more], capture_output=True,
                                  text=True, errors="replace", env=environment, stdin=subprocess.DEVNULL)
        except OSError as error:
            raise InputError(f"{program} cannot be started: {error.strerror}") from None
        said = [line for line in done.stderr.splitlines() if "warning:" not in line] if done.returncode else []
        if done.returncode and not said:
            said = [f"annulus check ended with {done.returncode}"]
        return done.stdout, said

    errors, told, kinds = [], set(), {}

    def note(entry, lines):
        for line in lines:
            if line.startswith("--set") or (entry.case, line) not in told:  # a fault of the case file is told once
                errors.append(f"{entry.place}: {line}")
            told.add((entry.case, line))

    with ThreadPoolExecutor(workers) as pool:
        for entry, (text, said) in zip(entries, pool.map(lambda entry: ask(entry, "--effective"), entries)):
            note(entry, said)
            if said:
                continue
            entry.effective = text
            entry.device, entry.precision = entry.of_effective("device"), entry.of_effective("precision")
            entry.mesh_file = entry.mesh_file or entry.of_effective("mesh")
            if not isinstance(entry.mesh, Mesh):
                kinds.setdefault((entry.case, entry.mesh_file, *entry.values), entry)
        for entry, (_, said) in zip(kinds.values(), pool.map(ask, kinds.values())):
            note(entry, said)
    return errors
