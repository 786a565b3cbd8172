"""Designs that are shapes of one mesh: flows, figures and their gradients by amplitudes, each computed once, for optimisers."""
import os
import time

import numpy as np

from .errors import InputError
from .nodes import move_nodes, node_gradient
from .run import gradient, start, unit_of


def cubic_spline(u):
    """The cubic B-spline of unit spacing about 0: 2/3 there, 0 from a distance of 2 on."""
    u = np.abs(u)
    return np.where(u < 1, 2 / 3 - u**2 + u**3 / 2, np.clip(2 - u, 0, None) ** 3 / 6)


class Shapes:
    """Flows and gradients of designs. A design is a vector of amplitudes, by which the nodes of one mesh move.

    case        the case file; its relative names begin at its folder
    mesh        the mesh that moves
    count       number of amplitudes
    move        move(nodes, design): displacement of a zone's nodes, [3, k, j, i], m
    by          by(nodes): its derivative by each amplitude, [count, 3, k, j, i], from the moved nodes
    of          figures, as annulus.gradient takes them
    folder      gets a mesh and an output folder for each design
    changes     values for keys of the case, for all designs
    iterations  more than these a run does not march; each begins with the flow of the design before, cell by cell
    """

    def __init__(self, case, mesh, count, move, by, of, folder, changes=None, iterations=1000, annulus="annulus", say=print):
        self.case, self.mesh, self.count, self.move, self.by, self.of = case, mesh, count, move, by, list(of)
        self.folder, self.changes, self.iterations = os.path.abspath(folder), dict(changes or {}), iterations
        self.annulus, self.say = annulus, say
        self.known = {}     # Run of a design
        self.newest = None  # Run of the design that was computed last

    def moved_mesh(self, design, path):
        move_nodes(self.mesh, path, lambda nodes: self.move(nodes, np.asarray(design, float)))

    def run(self, design):
        """The settled Run of a design; InputError where it has not settled."""
        key = tuple(np.round(design, 12))
        if key not in self.known:
            folder, begun = os.path.join(self.folder, f"design_{len(self.known)}"), time.time()
            self.moved_mesh(design, folder + ".cgns")
            changes, more = {**self.changes, "mesh": folder + ".cgns", "output.folder": folder}, ()
            if self.newest:
                changes["march.iterations"] = self.newest.info["iteration"] + self.iterations
                more = ("--restart", self.newest.newest("flow"), "--other-mesh=cells")
            run = start(self.case, annulus=self.annulus, changes=changes, more=more).wait()
            if run.info["status"] != "converged":
                raise InputError(f"{run.folder}: the run has not settled: {run.info.get('message') or run.info['status']}")
            self.known[key] = self.newest = run
            values = ", ".join(f"{name} {value:.6g}" for name, value in zip(self.of, self.figures(design)))
            self.say(f"{os.path.basename(folder)}: {values}, {run.info['iteration']} iterations, {time.time() - begun:.1f} s", flush=True)
        return self.known[key]

    def figures(self, design):
        """The figures of a design, in the order of `of`; subclasses may take them from run.json in another way."""
        rows = self.run(design).figures()
        row = rows.get("machine") or next(iter(rows.values()))
        return np.array([row[next(c for c in row if c == name or (c.startswith(name + "_") and unit_of(c)))] for name in self.of])

    def gradients(self, design):
        """Gradients of the figures by the amplitudes, [figures, count]: the sum of gradient times displacement over all nodes."""
        run = self.run(design)
        if not hasattr(run, "gradients"):
            begun = time.time()
            gradient(self.case, self.of, "boundaries.outlet.p", nodes=True, annulus=self.annulus,
                     changes={**self.changes, "mesh": run.folder + ".cgns", "output.folder": run.folder})
            run.gradients = np.zeros((len(self.of), self.count))
            for total, figure in zip(run.gradients, self.of):
                for nodes, slope in node_gradient(run.folder, figure).values():
                    total += np.tensordot(self.by(nodes), slope, slope.ndim)
            self.say(f"{os.path.basename(run.folder)}: gradients, {time.time() - begun:.1f} s", flush=True)
        return run.gradients

    def check(self, which, step):
        """Prints gradients of the mesh as it is beside central differences of runs over amplitudes of +-step."""
        found = self.gradients(np.zeros(self.count))
        for n in which:
            moved = step * np.eye(self.count)[n]
            difference = (self.figures(moved) - self.figures(-moved)) / (2 * step)
            for f, figure in enumerate(self.of):
                self.say(f"shape {n}, {figure}: gradient {found[f, n]:.6e}, by differences {difference[f]:.6e}, "
                         f"apart by {abs(found[f, n] / difference[f] - 1):.1e}", flush=True)
