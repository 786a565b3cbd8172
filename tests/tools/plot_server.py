"""Runs tools/plot many times with one start of the interpreter: plot_server.py PLOT ASK ANSWER SAID.

For each line of the pipe ASK, the name of a file with arguments that end with a zero byte, a child with these arguments runs the
script PLOT. What it prints goes into the file SAID, and its exit code is a line of the pipe ANSWER. The libraries are loaded
once, ahead of all children; the package itself is loaded by each child, as in a run of its own.
"""
import os
import runpy
import sys

import h5py  # noqa: F401
import matplotlib
import numpy  # noqa: F401

matplotlib.use("Agg")
import matplotlib.pyplot  # noqa: E402, F401

plot, ask, answer, said = sys.argv[1:]


def run(arguments):
    """In the child; the exit code as the interpreter would find it."""
    out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(out, 1)
    os.dup2(out, 2)
    sys.argv = [plot, *arguments]
    try:
        runpy.run_path(plot, run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


while True:
    with open(ask) as f:
        name = f.readline().strip()
    if not name:
        break
    with open(name, "rb") as f:
        arguments = [word.decode() for word in f.read().split(b"\0")[:-1]]
    child = os.fork()
    if not child:
        run(arguments)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(answer, "w") as f:
        f.write(f"{code}\n")
