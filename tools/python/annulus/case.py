"""Case files: read, changed, written, checked by the program."""
import json
import math
import os
import re
import subprocess

from .errors import InputError

try:
    import yaml
except ImportError:  # only reading needs it
    yaml = None


SECTIONS_OF_NAMES = ("rows", "boundaries")  # their keys are names of the user, with keys below each


def _loader():
    """YAML as the program reads it: 1e5 is a number, yes and off are words."""

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {
            letter: [(tag, rule) for tag, rule in rules if not tag.endswith((":bool", ":timestamp", ":float"))]
            for letter, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    number = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")
    Loader.add_implicit_resolver("tag:yaml.org,2002:float", number, list("-+.0123456789"))
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(true|false)$"), ["t", "f"])
    return Loader


class Case(dict):
    """The keys of a case file as nested dictionaries.

    >>> case = Case.read("case.yaml")
    >>> case.set("march.cfl", 20)
    >>> case.write("case_20.yaml")
    """

    @classmethod
    def read(cls, path):
        if yaml is None:
            raise InputError("reading a case file needs PyYAML (package python3-yaml)")
        if not os.path.exists(path):
            raise InputError(f"{path}: no such file")
        try:
            with open(path, errors="replace") as text:
                found = yaml.load(text, Loader=_loader())
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise InputError(f"{path}: {' '.join(str(error).split())}") from None
        if not isinstance(found, dict):
            raise InputError(f"{path}: a case file is a list of keys with values")
        return cls(found)

    def update_of_record(self, pairs):
        """Takes the keys that a snapshot records (cgns.File.record); none of files of other programs."""
        for name, line in pairs:
            if name == "case" and ": " in line and yaml is not None:
                key, value = line.split(": ", 1)
                try:
                    self.set(key, yaml.load(value, Loader=_loader()))
                except yaml.YAMLError:
                    continue
        return self

    def section(self, name):
        """The keys of the first level below a name; InputError where something else stands there."""
        found = self.get(name) or {}
        if not isinstance(found, dict) or (name in SECTIONS_OF_NAMES and not all(isinstance(v, dict) for v in found.values())):
            raise InputError(f"the case has no keys under '{name}', but {json.dumps(found, default=str)[:60]}")
        return found

    def value(self, key, default=None):
        """Of a key such as march.cfl."""
        at = self
        for name in key.split("."):
            if not isinstance(at, dict) or name not in at:
                return default
            at = at[name]
        return at

    def set(self, key, value):
        *path, last = key.split(".")
        at = self
        for name in path:
            at = at.setdefault(name, {})
        at[last] = value
        return self

    def text(self):
        """As YAML: one line for each key of the top level, nested ones in braces."""
        lines = []
        for name, value in self.items():
            if isinstance(value, dict) and all(isinstance(v, dict) for v in value.values()):
                lines.append(f"{name}:")
                lines += [f"  {json.dumps(k)}: {_flow(v)}" for k, v in value.items()]
            else:
                lines.append(f"{name}: {_flow(value)}")
        return "\n".join(lines) + "\n"

    def write(self, path):
        text = self.text()
        try:
            with open(path, "w") as out:
                out.write(text)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None

    def check(self, path=None, annulus="annulus"):
        """What `annulus check` says of the case; InputError with its messages where it refuses.

        path: where to write the case first; its folder is where relative names of files begin."""
        path = path or "case.yaml"
        self.write(path)
        try:
            done = subprocess.run([annulus, "check", path], capture_output=True, text=True)
        except OSError as error:
            raise InputError(f"{annulus} cannot be started: {error.strerror}") from None
        if done.returncode:
            raise InputError((done.stderr or done.stdout).strip())
        return done.stdout


def number(value, what):
    """A number of the case; InputError names what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{what} is not a number: {json.dumps(value, default=str)[:60]}")
    return float(value)


def setting(value):
    """A value as `--set` takes it: words as they are."""
    return value if isinstance(value, str) else os.fspath(value) if isinstance(value, os.PathLike) else _flow(value)


def _flow(value):
    """A value in YAML's flow form, which JSON is apart from numbers that are not finite."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if hasattr(value, "tolist"):  # of NumPy: a number or an array
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{value} cannot stand in a case file")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(k))}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(v) for v in value) + "]"
    try:
        return json.dumps(value)
    except TypeError:
        raise InputError(f"a {type(value).__name__} cannot stand in a case file") from None
