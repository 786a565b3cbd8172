"""Case files: read, changed, written, checked by the program."""
import json
import math
import os
import subprocess

from .errors import InputError

try:
    import yaml
except ImportError:  # only reading needs it
    yaml = None


def _loader():
    """YAML as the program reads it: 1e5 is a number, yes and off are words."""

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {
            letter: [(tag, rule) for tag, rule in rules if not tag.endswith((":bool", ":timestamp", ":float"))]
            for letter, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    import re

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
            with open(path) as text:
                found = yaml.load(text, Loader=_loader())
        except yaml.YAMLError as error:
            raise InputError(f"{path}: {error}") from None
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
        with open(path, "w") as out:
            out.write(text)

    def check(self, path=None, annulus="annulus"):
        """What `annulus check` says of the case; InputError with its messages where it refuses.

        path: where to write the case first; its folder is where relative names of files begin."""
        path = path or "case.yaml"
        self.write(path)
        done = subprocess.run([annulus, "check", path], capture_output=True, text=True)
        if done.returncode:
            raise InputError((done.stderr or done.stdout).strip())
        return done.stdout


def _flow(value):
    """A value in YAML's flow form, which JSON is apart from numbers that are not finite."""
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{value} cannot stand in a case file")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(k))}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(v) for v in value) + "]"
    if hasattr(value, "item"):  # a number of NumPy
        value = value.item()
    return json.dumps(value)
