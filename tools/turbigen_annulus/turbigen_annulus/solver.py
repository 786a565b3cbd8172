"""The solver `annulus` of turbigen's YAML, and the job `annulus`, which runs a batch of designs.

turbigen finds the solver once this module is imported: by the program turbigen-annulus, which is turbigen with it, or by a file
turbigen_plugins/annulus.py beside the case with the line `import turbigen_annulus.solver`.
"""
import atexit
import hashlib
import json
import logging
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar

import numpy as np
from ember.convergence_history import ConvergenceHistory
from ember.grid import ConvergenceStep
from turbigen import cli
from turbigen.config import Config
from turbigen.job import Job
from turbigen.solver import Solver

from . import mesh, patches, process, transfer

logger = logging.getLogger("turbigen.annulus")
HANDED = "handed.json"  # beside a case whose flow was handed over: the flow at the corners of its blocks
STATE = ("P", "T", "Vx", "Vr", "Vt")
ALLOWED = {"cusp": ("slip", "periodic"), "precision": ("single", "double"), "device": ("auto", "cpu", "cuda"),
           "turbulence": ("sa", "sst", "none")}
_runs = []  # folders of the runs of this process, oldest first


class Annulus(Solver):
    """The flow solver Annulus, as a process of its own."""

    type: ClassVar[str] = "annulus"

    command: str = "annulus"
    """Program, with a launcher before it where it needs one."""

    folder: str = ""
    """Folder that keeps the cases; empty: a temporary one, which is removed at the end."""

    iterations: int = 2000
    """Largest number of cycles [--]."""

    tolerance: float = 1e-3
    """The run ends when mass flow, pressure ratio and efficiency move by less than this [--]."""

    precision: str = "single"
    """single or double."""

    device: str = "auto"
    """auto, cpu or cuda."""

    turbulence: str = "sa"
    """Turbulence model: sa, sst or none, which is inviscid flow between slip walls."""

    cusp: str = "slip"
    """Cusps behind blunt edges: slip, solid with slip walls, or periodic, closed behind their first cell."""

    non_reflecting: bool = True
    """Whether the pressure of the outlet holds for the mean around the axis only."""

    set: dict | None = None
    """More keys of the case file, such as {march.cfl: 20}."""

    def __post_init__(self):
        if self.cusp == "porous":
            raise ValueError("solver annulus: there are no porous cusps: take `cusp: periodic`, through which the gas passes behind the first "
                             "cell, as it does through those of ember, or `cusp: slip`, which is solid")
        for name, allowed in ALLOWED.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"solver annulus: {name} is {getattr(self, name)!r}, and must be one of {', '.join(allowed)}")
        if self.iterations < 1 or not self.tolerance > 0:
            raise ValueError("solver annulus: iterations and tolerance must be positive")
        if self.set is not None and not isinstance(self.set, dict):
            raise ValueError("solver annulus: set must be a mapping of keys of the case file to values")

    def solve(self, grid):
        """Computes the flow of the grid and puts it onto the nodes; returns the history."""
        patches.check(grid)
        start = self._known(grid)
        folder, key = self.write(grid)
        if process.computed(folder, key):
            logger.info(f"Annulus computed {folder} in a batch")
            diverged = process.record(folder).get("status") == "diverged"
        else:
            logger.info(f"Annulus computes {folder}" + (f", from the flow of {start[0]}" if start else ""))
            if not start and _has_flow(grid):
                logger.warning(f"Annulus: no run in {self._home()} has the flow that the nodes of the grid have, so this one begins with a "
                               f"uniform flow; only runs that the key `folder` of the solver has kept can be gone on from")
            last = self.iterations + (process.record(start[0]).get("iteration", 0) if start else 0)
            diverged = process.run(folder, shlex.split(self.command), start and start[1], last)
        return self.take(grid, folder, diverged, start and start[0])

    def sections(self, grid, path):
        """The case of a grid, and lines of its inlet's profile."""
        gas = grid[0].fluid.to_dict()
        rows, boundaries, profile = patches.boundaries(grid, self.non_reflecting)
        rules = {"window": 100, "mass_flow": self.tolerance, "pressure_ratio": self.tolerance}
        if any(row["omega"] for row in rows.values()):
            rules["efficiency"] = self.tolerance
        inlet = boundaries["inlet"]
        case = {
            "case": "design of turbigen", "mesh": path, "precision": self.precision, "device": self.device,
            "gas": {"gamma": float(gas["gamma"]), "R": float(gas["cp"]) * (1 - 1 / float(gas["gamma"])), "prandtl": float(gas["Pr"]),
                    "viscosity": "constant", "mu": float(gas["mu"])},
            "turbulence": {"model": self.turbulence},
            "rows": rows, "march": {"iterations": self.iterations}, "stop": rules,
            "initial": {"p": boundaries["outlet"]["p"], "T": inlet["T0"], "mach": 0.2, "direction": [1, 0, 0]},
            "boundaries": boundaries,
            "output": {"folder": process.OUT, "every": 0, "walls": False, "fields": ["Pressure", "Temperature", "ViscosityEddy"]},
        }
        if self.turbulence == "none":
            for section, keys in (("gas", ("viscosity", "mu", "prandtl")), ("output", ("walls",))):
                for key in keys:
                    del case[section][key]
            case["output"]["fields"].remove("ViscosityEddy")
            names = [n for n in boundaries if "_at_" in n] + ["*_hub", "*_casing", "*_blade"]
            boundaries.update((name, {"type": "wall_slip"}) for name in names)
        for key, value in (self.set or {}).items():
            *path_to, last = str(key).split(".")
            section = case
            for name in path_to:
                section = section.setdefault(name, {})
            section[last] = value
        return case, profile

    def write(self, grid):
        """Writes mesh and case into a folder of their own; the folder, and what identifies mesh and case."""
        zones = patches.zones(grid, self.cusp)
        case, profile = self.sections(grid, "mesh.cgns")
        digest = hashlib.sha256(json.dumps([case, profile], sort_keys=True).encode())
        for zone in zones:
            digest.update(zone["xyz"].tobytes())
        folder = self._home() / f"run_{digest.hexdigest()[:12]}"
        folder.mkdir(parents=True, exist_ok=True)
        mesh.write(folder / "mesh.cgns", zones)
        process.write_case(folder, case, profile)
        return str(folder), digest.hexdigest()

    def _home(self):
        if self.folder:
            return Path(self.folder).expanduser().resolve()
        return Path(_temporary())

    def take(self, grid, folder, diverged, start=None):
        """Puts the newest snapshot onto the nodes of the grid. start: folder of the run that this one went on from, whose warnings are
        those of this run, too."""
        path = process.newest(folder)
        if path is None:
            raise RuntimeError(f"solver annulus: the run in {folder} left no snapshot")
        flows = process.snapshot(path, [f"block{n + 1}" for n in range(len(grid))])
        _to_grid(grid, flows, self.cusp)
        history = _history(grid, folder, diverged)
        for patch in grid.patches.outlet:
            if patch.mdot_target is not None:
                _throttled(patch, folder)
        with open(os.path.join(folder, HANDED), "w") as out:
            json.dump(_corners(grid), out)
        if folder in _runs:
            _runs.remove(folder)
        _runs.append(folder)
        info = process.record(folder)
        seconds = float(info.get("seconds", "nan"))
        logger.info(f"Annulus: {info.get('status', 'ended')} after {info.get('iteration', '?')} cycles, {seconds:.3g} s")
        before = process.record(start).get("warnings") or [] if start else []
        for text in info.get("warnings") or []:
            if text not in before:
                logger.warning(f"Annulus: {text}")
        return history

    def _known(self, grid):
        """(folder, snapshot) of the run whose flow the grid has, or None: turbigen carries it from design to design by the
        indices of the nodes, which leaves the corners of blocks as they were."""
        here = np.array(_corners(grid))
        kept = sorted(self._home().glob("run_*/" + HANDED), key=os.path.getmtime)
        for folder in dict.fromkeys([*reversed(_runs), *(str(p.parent) for p in reversed(kept))]):
            try:
                with open(os.path.join(folder, HANDED)) as text:
                    there = np.array(json.load(text))
            except (OSError, ValueError):
                continue
            path = process.newest(folder)
            if path and there.shape == here.shape and np.allclose(there, here, rtol=2e-4, atol=0.02):
                return folder, path
        return None


_made = []


def _temporary():
    """Folder of the runs of this process."""
    if not _made:
        _made.append(tempfile.mkdtemp(prefix="turbigen_annulus_"))
        atexit.register(shutil.rmtree, _made[0], True)
    return _made[0]


def _has_flow(grid):
    """Is the state at the nodes a flow, not turbigen's guess, which is the same around the axis?"""
    return any(np.ptp(np.asarray(block.P, float), axis=2).max() > 1e-3 * np.mean(block.P, dtype=float) for block in grid)


def _corners(grid):
    """P, T and velocities at the corners of the blocks, as lists."""
    ends = np.ix_([0, -1], [0, -1], [0, -1])
    return [[np.asarray(getattr(block, name), float)[ends].ravel().tolist() for name in STATE] for block in grid]


def _partners(grid):
    """(block, window, block, window, order, flips) of nodes of periodic patches that lie on each other, each pair once."""
    found = []
    for (b, p), ((other, q), (order, flips)) in grid.connectivity.periodic.pair().items():
        if (b, p) < (other, q):
            found.append((b, _slices(grid[b].patches[p]), other, _slices(grid[other].patches[q]), order, flips))
    return found


def _slices(patch):
    return tuple(slice(lo, hi + 1) for lo, hi in patch.ijk_lim_abs)


def _together(nodes, partners):
    """Gives nodes that lie on each other the mean of their values; nodes: an array for each block."""
    for b, here, other, there, order, flips in partners:
        seen = np.flip(nodes[other][there].transpose(order), flips)
        mean = 0.5 * (nodes[b][here] + seen)
        nodes[b][here] = mean
        nodes[other][there] = np.flip(mean, flips).transpose(np.argsort(order))
    return nodes


def _to_grid(grid, flows, cusp):
    """From the conserved variables in the cells to the state at the nodes, in the components of the grid."""
    partners, values, width = _partners(grid), [], []
    cp = float(grid[0].fluid.to_dict()["cp"])
    for block, flow in zip(grid, flows):
        angle = transfer.cells_of(np.array(block.t, float))
        rho, axial = flow["Density"], flow["MomentumX"]
        along_r = flow["MomentumY"] * np.cos(angle) + flow["MomentumZ"] * np.sin(angle)
        around = flow["MomentumZ"] * np.cos(angle) - flow["MomentumY"] * np.sin(angle)
        enthalpy = rho * cp * flow["Temperature"] + 0.5 * (axial**2 + along_r**2 + around**2) / rho
        values.append([flow["Pressure"], rho, axial, along_r, around, enthalpy, flow.get("ViscosityEddy", 0 * rho)])
        width.append(transfer.widths(patches.coordinates(block, cusp)))
    nodes = [transfer.to_nodes([v[n] for v in values], width, lambda found: _together(found, partners)) for n in range(7)]
    for block, (p, rho, axial, along_r, around, enthalpy, eddy) in zip(grid, zip(*nodes)):
        velocity = [m / rho for m in (axial, along_r, around)]
        block.set_P_T(p, (enthalpy / rho - 0.5 * sum(v**2 for v in velocity)) / cp)
        block.set_Vx(velocity[0])
        block.set_Vr(velocity[1])
        block.set_Vt(velocity[2])
        block.set_mu_turb(np.maximum(eddy, 0))


def _throttled(patch, folder):
    """Puts the pressure at which the wanted mass flow was reached onto the patch."""
    target = patch.mdot_target
    reached = next((c for c in process.record(folder).get("controls") or [] if c.get("boundary") == "outlet"), None)
    if reached is None:
        return
    patch.set_throttle(None)
    patch.set_P(float(reached["value_Pa"]))
    patch.set_throttle(target)
    patch.update_target(cfl=0.0)


def _history(grid, folder, diverged):
    """ember's history from history.csv: residuals and mass flows of all lines; enthalpies and entropies are those of the end."""
    columns = process.history(folder)
    lines = len(columns["iteration"])
    history = ConvergenceHistory.from_grid(max(lines, 1), grid)
    names = [f"row{n + 1}_mass_{end}_kg_s" for n in range(len(grid.rows)) for end in ("in", "out")]
    scale = float(grid[0].fluid.rhoV_ref) * float(grid[0].L_ref) ** 2
    residuals = [columns.get("residual_" + n, np.zeros(lines)) for n in ("density", "momentum_x", "momentum_y", "momentum_z", "energy")]
    end = grid.get_convergence()
    for line in range(lines):
        mass = [columns[name][line] / scale if name in columns else np.nan for name in names]
        step = ConvergenceStep(residual=np.array([r[line] for r in residuals]), mdot=np.array(mass), ho=end.ho, s=end.s)
        history.record_convergence(int(columns["iteration"][line]), step, time=float(columns.get("wall_s", columns["iteration"])[line]))
    history.diverged = diverged
    return history.trim() if lines else history


class Batch(Job):
    """Computes the designs of a batch side by side, with `annulus batch`, and then lets turbigen finish each of them. Loops of designs and
    speed lines, whose next case depends on the flow of the last one, are computed one after the other."""

    type: ClassVar[str] = "annulus"

    slots: int = 1
    """Loops and speed lines (iterate, chic) that are computed at the same time [--]."""

    def forward(self, tasks, verb, options):
        if self.slots < 1:
            raise ValueError("job annulus: slots must be 1 or more")
        if verb != "run":
            with ThreadPoolExecutor(self.slots) as pool:
                failed = [text for text in pool.map(lambda task: self._finish(task, verb, options), tasks) if text]
            if failed:
                raise RuntimeError(f"job annulus: {len(failed)} of {len(tasks)} designs failed; the others are done")
            return [f"turbigen {verb} ({len(tasks)} designs)"]
        cases, command = {}, None
        for task in tasks:
            config = Config.from_file(task.config)
            if not isinstance(config.solver, Annulus) or not config.solver.folder:
                raise ValueError(f"job annulus: {task.config} needs solver: {{type: annulus, folder: FOLDER}}")
            try:
                config, _, grid = cli.prepare(config)
                patches.check(grid)
                cases[task] = config.solver.write(grid)
            except Exception as error:  # of a design that cannot be meshed; the others go on
                logger.error(f"{task.config}: {type(error).__name__}: {error}")
            command = shlex.split(config.solver.command)
        if not cases:
            raise ValueError("job annulus: no design could be meshed")
        if not process.batch(list(cases.values()), command):
            logger.warning("Annulus: the batch computed no design, for the reason above; each design is computed by itself")
        failed = [task for task in cases if self._finish(task, verb, options)]
        if failed or len(cases) < len(tasks):
            raise RuntimeError(f"job annulus: of {len(tasks)} designs {len(tasks) - len(cases)} could not be meshed and {len(failed)} failed; "
                               f"the others are done")
        return [f"annulus batch ({len(cases)} designs)"]

    def executable(self):
        return self.command or sys.executable

    def argv(self, config, verb, options):
        """turbigen with this solver, which a plain `turbigen` does not have."""
        words = super().argv(config, verb, options)
        return words if self.command else [words[0], "-m", __package__, *words[1:]]

    def _finish(self, task, verb, options):
        """Runs turbigen on a design; what it said if it failed. A flow that has not settled (exit code 2) is no failure."""
        done = subprocess.run(self.argv(task.config, verb, options), text=True, capture_output=True)
        if done.returncode in (0, 2):
            return None
        said = process.last_words(done.stderr or done.stdout)
        logger.error(f"{task.config}: {said}")
        return said


def main():
    return cli.main()
