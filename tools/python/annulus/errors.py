"""What goes wrong because of what the user gave: one line on stderr that names the file, and exit code 2.

Scripts that need nothing else of the package import this module by itself, from the folder that it lies in; it needs no
other packages.
"""
import csv
import json
import os
import subprocess
import sys


class InputError(Exception):
    """What the user gave cannot be used; the text says why."""


def words(error):
    """What an error of Python or HDF5 says, as one line."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    if isinstance(error, UnicodeDecodeError):
        return "not a text file"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error}"
    if isinstance(error, LookupError) and not isinstance(error, KeyError) or isinstance(error, (StopIteration, EOFError)):
        return "it holds too little"
    if isinstance(error, KeyError) and error.args and " " not in str(error.args[0]):
        return f"it has no '{error.args[0]}'"
    return " ".join(str(error.args[0] if error.args else type(error).__name__).split())


class reading:
    """`with reading(path):` Whatever goes wrong while the file is read and used becomes an InputError that names the file.
    what: what the file has to be, for the message where something else stands in it."""

    def __init__(self, path, what=""):
        self.path, self.what = os.fspath(path), what

    def __enter__(self):
        return self.path

    def __exit__(self, kind, error, trace):
        if isinstance(error, Exception) and not isinstance(error, InputError):
            other = f"not {self.what}: " if self.what and not isinstance(error, OSError) else ""
            raise InputError(f"{self.path}: {other}{words(error)}") from None


class program:
    """`with program(name):` An InputError, a file that cannot be opened, and a program that cannot be started or fails end the
    script with one line on stderr and exit code 2."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None:
            try:
                sys.stdout.flush()
            except BrokenPipeError as gone:
                error = gone
        if isinstance(error, BrokenPipeError):  # the reader of what is printed has gone, as of `| head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(141)
        if isinstance(error, OSError) and error.filename is not None:
            error = InputError(f"{error.filename}: {words(error)}")
        if isinstance(error, (InputError, OSError, subprocess.SubprocessError)):
            print(f"{self.name}: error: {error}", file=sys.stderr)
            sys.exit(2)


def columns(path, *names):
    """Lists of numbers: columns of a CSV file. The last line, which a run that goes on may have written by half, is left
    out unless it is whole."""
    with reading(path), open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        for name in names:
            if name not in header:
                raise InputError(f"{path}: no column '{name}'")
        found = [[] for _ in names]
        for row in rows:
            if len(row) != len(header):
                continue
            for values, name in zip(found, names):
                cell = row[header.index(name)]
                try:
                    values.append(float(cell))
                except ValueError:
                    raise InputError(f"{path}:{rows.line_num}: '{cell}' in column {name} is not a number") from None
    if not found[0]:
        raise InputError(f"{path}: no lines with numbers")
    return found
