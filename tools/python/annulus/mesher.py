"""Meshes of mesh_row and mesh_cascade for changed values of their input, all with the same numbers of cells and the same zones.

Both programs choose their counts of cells by the geometry, and move the corners of their blocks where that helps. A small change may
thus change the counts, or shift nodes by a step. `Mesher` holds the choices of the first mesh: by `mesh_row --reuse`, and by
`mesh_cascade --like` with the `--shift` of that mesh.
"""
import copy
import os
import re
import shlex
import subprocess
import tempfile

from .case import Case, _flow
from .designs import KEYS, POINTS, heights_of, split_column
from .errors import InputError

# options of mesh_cascade that change the geometry or the places of nodes, and their values where the command has none
OPTIONS = {name: None for name in ("pitch", "pitch-to-chord", "scale", "chord", "inlet-length", "outlet-length", "inlet-angle",
                                   "outlet-angle", "inlet-shear", "outlet-shear", "span", "wall-spacing", "y-plus", "reynolds", "shift")}
OPTIONS["stagger"] = 0.0
COUNTS = ("around", "normal", "pitchwise", "inlet", "outlet", "layers", "levels", "size", "turn", "growth", "smooth", "o-blocks")
FACTORS = ("chord", "thickness")  # variations whose value is 1 where nothing is varied
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")


def parsed(value, what):
    """A number from a number or a text."""
    try:
        if isinstance(value, bool):
            raise ValueError
        return float(str(value).replace("d", "e").replace("D", "e"))
    except ValueError:
        raise InputError(f"{what} is not a number: {str(value)[:60]!r}") from None


class Entry:
    """A number of a table, as blade.dat:12:2: the second number of line 12."""

    def __init__(self, folder, name, line, column):
        self.path, self.line, self.column = os.path.join(folder, name), int(line), int(column)
        self.text = f"{name}:{line}:{column}"
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                self.lines = file.readlines()
        except OSError as error:
            raise InputError(f"{self.path}: {error.strerror}") from None
        if not 1 <= self.line <= len(self.lines):
            raise InputError(f"{self.text}: the file has {len(self.lines)} lines")
        numbers = list(NUMBER.finditer(self.lines[self.line - 1]))
        if not 1 <= self.column <= len(numbers):
            raise InputError(f"{self.text}: line {line} has {len(numbers)} numbers")
        self.place = numbers[self.column - 1]

    def value(self):
        return parsed(self.place.group(), self.text)

    def changed(self, value, lines):
        """Lines with another number there, and as many words as before."""
        at = lines[self.line - 1]
        numbers = list(NUMBER.finditer(at))[self.column - 1]
        lines[self.line - 1] = at[: numbers.start()] + repr(float(value)) + at[numbers.end():]


class Mesher:
    """Makes meshes of one command for changed values of its input.

    >>> mesher = annulus.Mesher("mesh_row row.yaml --cells 3e4")
    >>> mesher.make("rotor37.cgns")
    >>> mesher.make("thicker.cgns", {"tip_gap": 3.6e-4, "thickness@0.5": 1.01})

    command: of mesh_row or mesh_cascade without -o, as a text or a list of words; or the input file of mesh_row alone. Names of
    parameters:

      mesh_row      a key of the input file (`tip_gap`, `inlet.hub`, `vary.stagger`, `rows.rotor.tip_gap`, `rows.0.tip_gap`), or a
                    variation of the blade as in a table of annulus.designs: `stagger`, `thickness@0.5`, ...
      mesh_cascade  an option: `pitch`, `stagger`, `inlet-angle`, ...
      both          a number of a table, as FILE:LINE:COLUMN: `blade.dat:12:2` is the second number of line 12

    varied: variations that meshes may have; those with heights must be known before the first mesh, because a polynomial along the span
    passes through all of them. folder: where the choices of the first mesh and its files are kept; by default one that is removed with the
    object. The file with the choices of mesh_row belongs to one machine and one version of the program.
    """

    def __init__(self, command, varied=(), folder=None):
        words = shlex.split(command) if isinstance(command, str) else [os.fspath(w) for w in command]
        if len(words) == 1 and words[0].endswith((".yaml", ".yml")):
            words.insert(0, "mesh_row")
        if not words:
            raise InputError("the command that makes the mesh is empty")
        self.program = os.path.basename(words[0])
        if self.program not in ("mesh_row", "mesh_cascade"):
            raise InputError(f"'{self.program}' is neither mesh_row nor mesh_cascade")
        if any(w == "--output" or w.startswith("--output=") or w.startswith("-o") or w.startswith("--reuse") or w.startswith("--like")
               for w in words):
            raise InputError(f"{self.program}: leave out -o, --reuse and --like; annulus.Mesher gives them")
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix="annulus_mesh_")
        self.folder = os.path.abspath(folder or self._temporary.name)
        os.makedirs(self.folder, exist_ok=True)
        self.base = os.path.join(self.folder, "base.cgns")
        self.kept = os.path.join(self.folder, "found")
        self._take(words)
        self.varied = [name for name in varied if self.is_variation(name)]
        self.held = None  # further options that hold the choices of the first mesh, from the first call of make on

    def _take(self, words):
        files = [n for n, w in enumerate(words) if n and not w.startswith("-") and os.path.isfile(w)]
        if self.program == "mesh_row":
            rows = [n for n in files if words[n].endswith((".yaml", ".yml"))]
            if not rows:
                raise InputError(f"{shlex.join(words)}: no input file of mesh_row that is there")
            self.input = words[rows[0]]
            self.words = words[: rows[0]] + words[rows[0] + 1:]
            self.row = flattened(self.input)
        else:
            if not files:
                raise InputError(f"{shlex.join(words)}: no file of the profile that is there")
            self.input = words[files[-1]]
            self.words = words[: files[-1]] + words[files[-1] + 1:]
        self.at = os.path.dirname(os.path.abspath(self.input))

    # ---- parameters ----

    def is_variation(self, name):
        return self.program == "mesh_row" and split_column(name, "a parameter")[0] is not None

    def value(self, name):
        """The value that a parameter has in the input; InputError where there is none."""
        name = str(name)
        if re.search(r":\d+:\d+$", name):
            return self.entry(name).value()
        if self.is_variation(name):
            if "vary" in self.row:
                raise InputError(f"{self.input} has 'vary' itself: name the value there, for example vary.stagger, in place of {name}")
            return 1.0 if name.partition("@")[0] in FACTORS else 0.0
        if self.program == "mesh_row":
            where, last = self.place(self.row, name)
            return parsed(where[last], f"{self.input}: {name}")
        return self.option(name)

    def entry(self, name):
        file, line, column = name.rsplit(":", 2)
        return Entry("" if os.path.isabs(file) else self.at, file, line, column)

    def place(self, row, name):
        """Where a key of the input of mesh_row stands: a dictionary or list, and the key or index in it."""
        at, path = row, name.split(".")
        for n, word in enumerate(path):
            if isinstance(at, list):
                named = [k for k, item in enumerate(at) if isinstance(item, dict) and item.get("name") == word]
                word = named[0] if named else int(word) if word.isdigit() and int(word) < len(at) else None
            if word is None or not isinstance(at, (dict, list)) or (isinstance(at, dict) and word not in at):
                known = ", ".join(str(k) for k in at) if isinstance(at, dict) else ""
                raise InputError(f"{self.input}: it has no '{'.'.join(path[: n + 1])}'"
                                 + (f"; it has {known}" if known else "")
                                 + f"; or vary the blade by {', '.join(KEYS)}, with @ and a share of the span")
            if n == len(path) - 1:
                return at, word
            at = at[word]

    def option(self, name):
        plain = name.lstrip("-").replace("_", "-")
        if plain in COUNTS:
            raise InputError(f"mesh_cascade: --{plain} chooses numbers of cells, which stay as they are: there is no gradient by it")
        if plain not in OPTIONS:
            raise InputError(f"mesh_cascade: '{name}' is neither an option that moves nodes ({', '.join(sorted(OPTIONS))}) nor a number of a "
                             "table, as blade.dat:12:2")
        n, text = self.given(plain)
        if text is None and OPTIONS[plain] is None:
            raise InputError(f"mesh_cascade: the command has no --{plain}: give it its value there to vary it")
        return OPTIONS[plain] if text is None else parsed(text, f"mesh_cascade: --{plain}")

    def given(self, plain):
        """Place and text of an option's value in the command; (None, None) without it."""
        for n, word in enumerate(self.words):
            if word == "--" + plain and n + 1 < len(self.words):
                return (n, 2), self.words[n + 1]
            if word.startswith(f"--{plain}="):
                return (n, 1), word.split("=", 1)[1]
        return None, None

    # ---- meshes ----

    def make(self, path, values=None):
        """Writes the mesh for some values, {parameter: number}; all others are those of the input. InputError with what the program says
        where it makes none, or where it does not hold the choices of the first mesh."""
        values = {str(name): parsed(v, f"the value of {name}") for name, v in (values or {}).items()}
        for name in values:
            self.value(name)
        path = os.path.abspath(path)
        if self.held is None:
            self._first()
        said = self._run(path, values, self.held)
        if "not used" in said or "not taken" in said:
            raise InputError(f"{shlex.join(self.words)}: with {values} the program does not hold the cells of the first mesh, because the "
                             "angles of the mesh would be small, or the parameter changes cells: " + (said.strip().splitlines() or [""])[-1])

    def _first(self):
        if self.program == "mesh_row":
            if not os.path.exists(self.kept):
                self._run(self.base, {}, ["--reuse", self.kept])
            self.held = ["--reuse", self.kept]
            return
        said = self._run(self.base, {}, [])
        shift = re.search(r"corner shift +([-0-9.]+)", said)
        self.held = ["--like", self.base] + ([] if self.given("shift")[1] or not shift else ["--shift", shift.group(1)])

    def _run(self, path, values, more):
        words = list(self.words)
        if self.program == "mesh_row":
            words.append(self._row(values))
        else:
            words.append(self._profile(values, words))
        words += [*more, "-o", path]
        try:
            done = subprocess.run(words, capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise InputError(f"{words[0]} cannot be started: {error.strerror}") from None
        if done.returncode:
            raise InputError(f"{shlex.join(words)}: {(done.stderr or done.stdout).strip()[-1000:]}")
        return done.stdout + done.stderr

    def _tables(self, values):
        """{path: path of its copy with other numbers} of the tables."""
        changed = {}
        for name, value in values.items():
            if re.search(r":\d+:\d+$", name):
                entry = self.entry(name)
                entry.changed(value, changed.setdefault(entry.path, entry.lines))
        copies = {}
        for n, (path, lines) in enumerate(changed.items()):
            copies[os.path.abspath(path)] = copy_ = os.path.join(self.folder, f"table_{n}_{os.path.basename(path)}")
            with open(copy_, "w", encoding="utf-8") as file:
                file.writelines(lines)
        return copies

    def _row(self, values):
        row = copy.deepcopy(self.row)
        variations = {split_column(name, "a parameter"): 1.0 if name.partition("@")[0] in FACTORS else 0.0 for name in self.varied}
        for name, value in values.items():
            if self.is_variation(name):
                if name not in self.varied and "@" in name:
                    raise InputError(f"{name}: name all variations with heights when the Mesher is made (varied)")
                variations[split_column(name, "a parameter")] = value
            elif not re.search(r":\d+:\d+$", name):
                where, last = self.place(row, name)
                where[last] = value
        if variations:
            row["vary"] = varied(variations)
        row = with_files(row, self._tables(values))
        path = os.path.join(self.folder, "row.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{key}: {_flow(value)}\n" for key, value in row.items())
        return path

    def _profile(self, values, words):
        copies = self._tables(values)
        for name, value in values.items():
            if re.search(r":\d+:\d+$", name):
                continue
            plain = name.lstrip("-").replace("_", "-")
            at, _ = self.given(plain)
            new = [f"--{plain}={value!r}"]
            if at is None:
                words += new
            else:
                words[at[0]: at[0] + at[1]] = new + [""] * (at[1] - 1)
        for name in set(copies) - {os.path.abspath(self.input)}:
            raise InputError(f"{name}: mesh_cascade reads numbers from {self.input} only")
        words[:] = [w for w in words if w]
        return copies.get(os.path.abspath(self.input), self.input)


def flattened(path, depth=0):
    """The keys of an input file of mesh_row with those of its `base`, names of files with their folders."""
    row, folder = dict(Case.read(path)), os.path.dirname(os.path.abspath(path))
    base = row.pop("base", None)
    row = with_files(row, {}, folder)
    if base is None:
        return row
    if depth > 10 or not isinstance(base, str):
        raise InputError(f"{path}: 'base' is no file, or leads back to this one")
    return {**flattened(os.path.join(folder, base), depth + 1), **row}


def with_files(value, copies, folder=None):
    """The same keys with other names of files: those in `copies`, or whole paths of those in the folder."""
    if isinstance(value, dict):
        return {key: with_files(v, copies, folder) for key, v in value.items()}
    if isinstance(value, list):
        return [with_files(v, copies, folder) for v in value]
    if isinstance(value, str) and folder and os.path.isfile(os.path.join(folder, value)):
        return os.path.abspath(os.path.join(folder, value))
    return copies.get(value, value) if isinstance(value, str) else value


def varied(variations):
    """The value of `vary` for {(key, share of the span or None): value}."""
    found, heights = [], {share for _, share in variations if share is not None}
    partly = {key for key, share in variations if share is not None}
    usual = {(key, share): 1.0 if key in FACTORS else 0.0 for key in partly for share in heights}
    for at, done in heights_of({**usual, **variations}):
        keys = {key: done[key] for key in KEYS if key in done}
        if any(key in done for key in POINTS):
            keys["thickness_points"] = [done.get(key, 0.0) for key in POINTS]
        found.append(keys if at is None else {"at": at, **keys})
    return found if len(found) > 1 or "at" in found[0] else found[0]
