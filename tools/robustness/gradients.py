"""`annulus adjoint` of a settled case: its figures, the memory of several side by side, and what became of it.

An adjoint is a failure where it does not end with gradients, unless the program refuses it for a reason that
docs/guide/adjoint.md lists: a feature that the adjoint does not know, a figure that the flow does not have, too little memory.
That a flow which the suite calls settled is not settled enough for gradients is a failure.
"""
import contextlib
import math
import os
import re
import subprocess
import threading

import judge

OUTCOMES = {  # in the order of the table
    "converged": "gradients were found",
    "refused": "refused for a reason that the guide lists",
    "gmres": "GMRES did not converge",
    "residual": "the flow is not settled enough, or Newton's steps do not settle it",
    "time": "stopped at the time limit",
    "failed": "failed in another way, or killed by a signal",
}
KINK = 1e-3  # difference of the linearised residual from a difference of the residual, above which the program warns
LAWFUL = ("the adjoint does not know", "the adjoint knows", "the adjoint needs", "which the adjoint does not know", "the adjoint runs on",
          "the adjoint is that of a steady flow", "is not a figure of this run", "has no value in this flow",
          "the vectors for .* figures at once need")
PLANE = ("airfoil", "turbine_cascade", "compressor_cascade", "diffuser", "bump")
BYTES = {True: 25e3, False: 38e3}  # of a cell of a plane mesh and of one in space, with SST and two figures


def wanted(case):
    """Figures of a case, and settings with which the program measures them; none of them changes the flow."""
    family, values = case["family"], case["values"]
    if family == "airfoil":
        return ["lift", "drag"], ["reference.length=1"]
    if family in ("turbine_cascade", "compressor_cascade"):
        return ["loss_mixed_out", "mass_in"], []
    if family in ("diffuser", "annular_diffuser", "bump"):
        return ["pressure_ratio", "mass_in"], ["monitors.performance=on"]
    if values.get("kind") == "vane":
        return ["loss", "mass_in"], ["monitors.performance=on"]  # an efficiency needs work
    return ["efficiency", "mass_in"], []


def command(case):
    """Arguments of `annulus adjoint` behind the case file."""
    figures, settings = wanted(case)
    return [word for f in figures for word in ("--of", f)] + [word for s in settings for word in ("--set", s)]


def room_needed(case, cells):
    """Bytes of matrix, factors and vectors, at most."""
    return BYTES[case["family"] in PLANE] * (cells or 0)


class Room:
    """Memory that adjoints side by side share: one that does not fit waits, but one alone always runs."""

    def __init__(self, total):
        self.total, self.used, self.changed = total, 0.0, threading.Condition()

    @contextlib.contextmanager
    def take(self, amount):
        with self.changed:
            self.changed.wait_for(lambda: self.used == 0 or self.used + amount <= self.total)
            self.used += amount
        try:
            yield
        finally:
            with self.changed:
                self.used -= amount
                self.changed.notify_all()


def host_memory():
    return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")


def card_memory():
    """Bytes that the GPU has; inf where there is none. Equations of mixing planes stand on the host, too."""
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=30)
        return min(float(line) for line in done.stdout.split()) * 2**20 if done.returncode == 0 and done.stdout.split() else math.inf
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return math.inf


def memory_to_share(card):
    """Bytes for all adjoints side by side; the runs beside them need some of it."""
    return 0.7 * min(host_memory(), card_memory() if card else math.inf)


def complaint(text):
    """The message of a program that failed: what follows `error: `, or the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line.split("error: ", 1)[1] for line in lines if "error: " in line]
    return (said or lines[-1:] or [""])[0][:400]


def verdict(code, late, log, report):
    """Outcome of a command with this exit code and output; report: adjoint.json of it, or {}."""
    message = complaint(log) if code else ""
    figures = report.get("figures") or {}
    numbers = [n for f in figures.values() for g in f.get("gradient", {}).values() for n in (g if isinstance(g, list) else [g])]
    if late:
        outcome, message = "time", "stopped at the time limit"
    elif code == 3:
        outcome = "gmres" if "GMRES" in log else "failed"
    elif code == 2:
        outcome = "refused" if any(re.search(p, log) for p in LAWFUL) else "residual" if "not settled" in log else "failed"
    elif code != 0:
        outcome = "failed"
    elif not numbers or not all(isinstance(n, (int, float)) and math.isfinite(n) for n in numbers):
        outcome, message = "failed", "adjoint.json has no gradients, or gradients that are no numbers"
    else:
        outcome = "converged"
    found = {"outcome": outcome, "message": message}
    if outcome == "converged":
        check = report.get("matrix_check")
        found.update(kink=not (check is not None and check <= KINK), check=check, newton=report.get("newton_steps"),
                     iterations=report.get("gmres_iterations"), bytes=report.get("bytes"),
                     residual=report.get("residual_of_snapshot"), settled=report.get("residual"),
                     figures={name: f.get("value") for name, f in figures.items()})
    return found


def is_wanted(result):
    """Does the suite ask for gradients of this run, by its outcome?"""
    return result.get("outcome") == "settled"


def report_of(folder):
    return judge.load_json(os.path.join(folder, "out", "adjoint.json"))
