"""What became of a run, from its exit code, run.json, history.csv and a continuation.

The strict rule for "settled" does not ask the program: over the last WINDOW iterations of history.csv each figure
(mass flow, pressure ratio, efficiency, force, friction or torque of the walls) moves by at most MOVE between its least
and its largest value, mass flow in and out agree within IMBALANCE, and the density residual has fallen below DROP of
its largest value. A run that calls itself settled but was too short for the window counts as settled, too, where no figure
leaves its last value by more than MOVE in a continuation. It is a silent failure where a figure moves by more than LATER
there, or cannot be at all. A continuation has as many iterations as the run, 300 at least (execute.FURTHER).
"""
import csv
import json
import math
import os

WINDOW = 100
DRIFT = 300       # iterations in which a flow that swings does not drift
MOVE = 1e-3       # of the figure; of 1 for the efficiency
IMBALANCE = 2e-3
DROP = {"single": 2e-3, "double": 1e-3}
LATER = 5e-3
STARTED = 40      # iterations, after which a mass flow that falls counts as lost
LOST = 0.1

OUTCOMES = {  # in the order of the table
    "settled": "settled by the strict rule",
    "settled_loose": "called settled, steady in a continuation, but not by the strict rule",
    "unsteady": "swings and does not drift, and said so",
    "stalls": "a row loses its mass flow at its back pressure, and the program said so",
    "unsettled": "not settled, and said so",
    "unsaid": "settled by the strict rule, but the program says that it is not",
    "silent": "silent failure",
    "diverged_usable": "diverged, with a usable last state",
    "diverged": "diverged, without",
    "refused": "refused",
    "failed": "failed or killed by a signal",
    "time": "stopped at the time limit",
    "no_mesh": "no mesh",
}
GOOD = ("settled", "unsteady", "stalls")
EXITS = {1: "failed", 2: "refused"}


def load_json(path):
    try:
        with open(path, encoding="utf-8") as f:
            return json.load(f)
    except (OSError, ValueError):
        return {}


def history(folder):
    """Columns of history.csv as lists of numbers."""
    try:
        with open(os.path.join(folder, "history.csv"), encoding="utf-8") as f:
            rows = list(csv.reader(f))
    except OSError:
        return {}
    columns = {}
    for n, name in enumerate(rows[0] if rows else []):
        columns[name] = [number(r[n]) for r in rows[1:] if len(r) == len(rows[0])]
    return columns


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


FORCES = ("airfoil", "turbine_cascade", "compressor_cascade")
TURNING = ("fan", "compressor", "turbine", "stage", "machine")


def figures(h, family):
    """What the user came for: name -> (values of all lines, size that a change is compared with; None: its own)."""
    columns = {}
    if family != "airfoil":
        columns.update(mass_in_kg_s=None, pressure_ratio=None)
    if family in TURNING:
        columns["efficiency"] = 1.0
        power = h.get("machine_power_walls_W", [])  # torques of rotor and stator would cancel in a sum
        columns["machine_power_walls_W" if power and abs(power[-1]) > 0 else "wall_torque_Nm"] = None
    elif family in FORCES:
        force = [h[f"wall_force_{c}_N"][-1] for c in "xy" if h.get(f"wall_force_{c}_N")]
        size = math.hypot(*force) if force else None
        columns.update(wall_force_x_N=size, wall_force_y_N=size)
    else:
        columns.update(wall_friction_x_N=None)
    return {name: (h[name], size) for name, size in columns.items() if any(math.isfinite(v) for v in h.get(name, []))}


def moved(values, size, lines):
    """Largest less smallest of the last lines, over the size."""
    last = [v for v in values[-lines:]]
    if not last or not all(math.isfinite(v) for v in last):
        return math.inf
    size = size or abs(sum(last) / len(last))
    return (max(last) - min(last)) / size if size > 0 else math.inf


def window_lines(h):
    """Number of last lines that span the window."""
    iteration = h.get("iteration", [])
    return sum(1 for i in iteration if i >= iteration[-1] - WINDOW) if iteration else 0


def movement(h, family):
    """Figure that moves most over the window, and by how much; ("", inf) without a history."""
    lines = window_lines(h)
    if lines < 4:
        return "", math.inf
    all_moves = {name: moved(v, size, lines) for name, (v, size) in figures(h, family).items()}
    worst = max(all_moves, key=all_moves.get, default="")
    return worst, all_moves.get(worst, math.inf)


def cycles_until_steady(h, family):
    """First iteration from which every figure stays within MOVE of its last value; None: never."""
    iteration, first = h.get("iteration", []), 0
    for values, size in figures(h, family).values():
        last = values[-1]
        size = size or abs(last)
        for n in reversed(range(len(values))):
            if not abs(values[n] - last) <= MOVE * size:
                first = max(first, n + 1)
                break
    return int(iteration[first]) if first < len(iteration) - 1 else None


def impossible(run, h, family):
    """A figure of the last line that cannot be, in words; "" where there is none."""
    last = run.get("last", {})
    mass, ratio, eff = (last.get(k) for k in ("mass_in_kg_s", "pressure_ratio", "efficiency"))
    turns = family in TURNING and eff is not None
    if family == "airfoil":
        return ""
    if mass is not None and mass <= 0:
        return f"mass flow {mass:g}"
    if not turns and ratio is not None and ratio > 1.002:
        return f"total pressure rises without work: ratio {ratio:g}"
    if turns and eff is not None and not -0.5 <= eff <= 1.005:
        return f"efficiency {100 * eff:.1f} %"
    return ""


def says_unsteady(run):
    """Does run.json state that the flow swings, and how?"""
    return run.get("state") == "swings" and bool(run.get("swings"))


def has_stalled(run, h, family):
    """Does run.json state that a row stalls, and did its mass flow fall after the start?"""
    mass = [m for i, m in zip(h.get("iteration", []), h.get("mass_in_kg_s", [])) if i >= STARTED and math.isfinite(m)]
    return run.get("state") == "stalls" and family in TURNING and bool(mass) and mass[-1] < (1 - LOST) * max(mass)


def drifts(h, family):
    """Does a figure drift over the last DRIFT iterations, rather than swing? The means of the first and the last third
    lie further apart than the range within a third, and by more than MOVE."""
    iteration = h.get("iteration", [])
    lines = sum(1 for i in iteration if i >= iteration[-1] - DRIFT) if iteration else 0
    for values, size in figures(h, family).values():
        part = values[-lines:]
        thirds = [part[n * lines // 3:(n + 1) * lines // 3] for n in range(3)]
        if lines < 9 or not all(math.isfinite(v) for v in part):
            continue
        means = [sum(t) / len(t) for t in thirds]
        apart, within = abs(means[2] - means[0]), sum(max(t) - min(t) for t in thirds) / 3
        if apart > within and apart > MOVE * (size or abs(means[2])):
            return True
    return False


def usable(folder, run):
    """Is there a last state to go on from: the snapshot that run.json names?"""
    name = run.get("snapshot")
    return bool(name) and (os.path.exists(os.path.join(folder, name)) or
                           os.path.exists(os.path.join(folder, "out", os.path.basename(name))))


def first_verdict(code, timed_out, folder, family, precision):
    """Outcome and remarks of a run before any continuation, as a dictionary."""
    out = os.path.join(folder, "out")
    run, h = load_json(os.path.join(out, "run.json")), history(out)
    worst, move = movement(h, family)
    drop = h["residual_drop"][-1] if h.get("residual_drop") else math.nan
    last = run.get("last") or {}
    imbalance = 0.0 if family == "airfoil" else abs(last.get("imbalance") or 0.0)
    strict = move <= MOVE and imbalance <= IMBALANCE and drop <= DROP[precision]
    settled = run.get("settled")
    result = {"cycles": run.get("iteration") or (int(h["iteration"][-1]) if h.get("iteration") else 0),
              "cells": run.get("cells"), "program_s": run.get("seconds"), "drop": drop, "moves": worst, "moved": move,
              "steady_from": cycles_until_steady(h, family), "strict": strict, "claims": settled,
              "message": run.get("message") or "", "warnings": run.get("warnings") or []}
    if timed_out:
        outcome = "time"
    elif code == 3:
        outcome = "diverged_usable" if usable(folder, run) else "diverged"
    elif code != 0:
        outcome = EXITS.get(code, "failed")
    elif settled:
        wrong = impossible(run, h, family)
        if wrong:
            result["message"] = wrong
        outcome = "silent" if wrong and not result["warnings"] else "settled" if strict else "settled_loose"
    elif says_unsteady(run) and not drifts(h, family):
        outcome = "unsteady"
    elif has_stalled(run, h, family) and result["warnings"]:
        outcome = "stalls"
    elif settled is False and result["warnings"]:
        outcome = "unsaid" if strict else "unsettled"
    else:
        outcome = "silent"
    return {"outcome": outcome, **result}


def later_verdict(before, folder, family, precision):
    """Outcome after a continuation (folder/more): its figures are compared with those that the run ended with."""
    h, more = history(os.path.join(folder, "out")), history(os.path.join(folder, "more"))
    end = figures(more, family)
    worst, most = "", 0.0
    for name, (values, size) in figures(h, family).items():
        last = values[-1]
        later = [v for n, v in zip(more["iteration"], end.get(name, ([math.nan], 1))[0]) if n > h["iteration"][-1]]
        size = size or abs(last)
        move = max([abs(v - last) / size if math.isfinite(v) else math.inf for v in later] or [math.inf])
        if move > most:
            worst, most = name, move
    result = {"later": most, "later_moves": worst}
    if most > LATER:
        result.update(outcome="silent", message=f"{worst} moves by {100 * most:.2g} % in a continuation")
    elif most <= MOVE and before["drop"] <= DROP[precision]:
        result["outcome"] = "settled"
    return result
