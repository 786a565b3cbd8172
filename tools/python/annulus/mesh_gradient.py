"""Gradients of figures by values of the mesher's input: the gradient by nodes times the displacement of the nodes by such a value."""
import os
import warnings

import numpy as np

from .case import Case
from . import si
from .cgns import File, children, reading
from .errors import InputError
from .mesher import Mesher, parsed
from .nodes import along, mesh_nodes, node_gradient
from .run import gradient

DISPLACEMENT = 5e-8  # largest displacement of a node by a step of default size, over the largest extent of the mesh
SMALLER = 0.25       # the second step over the first one
APART = 1e-3         # of gradients with both steps that is told
CANCELLED = 1e-6     # the same over the sum of the terms without their signs, of which a gradient may be a small rest
SAME = 1e-9          # of two meshes with the same input, over the largest extent


def _extent(nodes):
    ends = [(x.reshape(3, -1).min(1), x.reshape(3, -1).max(1)) for x in nodes.values()]
    return float(np.max(np.max([hi for _, hi in ends], 0) - np.min([lo for lo, _ in ends], 0)))


def _difference(one, other, what):
    """{zone: difference of nodes} of two meshes; InputError where they are not of one kind."""
    if set(one) != set(other):
        raise InputError(f"{what}: the zones are {', '.join(sorted(one))} in one mesh and {', '.join(sorted(other))} in the other")
    for zone, x in one.items():
        if x.shape != other[zone].shape:
            cells = [" x ".join(str(n - 1) for n in shape[:0:-1]) for shape in (x.shape, other[zone].shape)]
            raise InputError(f"{what}: zone {zone} has {cells[0]} cells in one mesh and {cells[1]} in the other. Make both with the same "
                             "numbers of cells: by annulus.Mesher, `mesh_row --reuse` or `mesh_cascade --like`")
    return {zone: x - other[zone] for zone, x in one.items()}


def _pitch(path):
    """Length in m and angle in rad after which a mesh repeats. The length is that between nodes, because files state it in single
    precision."""
    file = File(path)
    zones = {zone.name: zone for zone in file.zones}
    for zone in file.zones:
        for _, links in children(zone.group, "ZoneGridConnectivity_t"):
            for _, link in children(links, "GridConnectivity1to1_t"):
                for _, properties in children(link, "GridConnectivityProperty_t"):
                    with reading(path, "its interfaces"):
                        periodic = children(properties, "Periodic_t")[0][1]
                        length, angle = (float(np.linalg.norm(si.values(periodic[name]))) for name in ("Translation", "RotationAngle"))
                        if length:
                            ends = [np.array(of.nodes())[(slice(None), *(link[name][" data"][0][::-1] - 1))] for of, name in
                                    ((zone, "PointRange"), (zones[si.text(link[" data"])], "PointRangeDonor"))]
                            length = float(np.linalg.norm(ends[0] - ends[1]))
                        return length, angle
    return 0.0, 0.0


def _per_pitch(figure):
    """Is a figure divided by the height of a cascade, which is the area of the inlet over the pitch? Such a figure grows with the pitch
    that the mesh states, even where no node moves."""
    return figure.rpartition(".")[2].startswith(("force_", "momentum_lost_"))


def _largest(displacement):
    return max(float(np.abs(d).max()) for d in displacement.values())


class _Meshes:
    """Nodes of meshes for values of parameters near those of the mesh of the case."""

    def __init__(self, mesher, at, mesh):
        self.mesher, self.at, self.mesh = mesher, at, mesh
        self.path = os.path.join(mesher.folder, "changed.cgns")
        self.nodes = mesh_nodes(mesh)
        self.extent = _extent(self.nodes)
        self.angle = _pitch(mesh)[1]

    def made(self, values):
        self.mesher.make(self.path, {**self.at, **values})
        return mesh_nodes(self.path)

    def pitch(self, name):
        """Pitch of the cascade that was made last, m; 0 of a row, whose pitch has to stay."""
        length, angle = _pitch(self.path)
        if abs(angle - self.angle) > 1e-12:
            raise InputError(f"{name}: it changes the number of blades: there is no gradient by it")
        return length

    def check(self):
        """The mesh of the case has to be that of the command at the present values."""
        off = _difference(self.nodes, self.made({}), f"{self.mesh} and the mesh that the command makes")
        zone = max(off, key=lambda z: np.abs(off[z]).max())
        if _largest(off) > SAME * self.extent:
            raise InputError(f"{self.mesh}: its nodes lie up to {_largest(off):.2g} m off those that the command makes, in zone {zone}. Make "
                             "the mesh of the case by annulus.Mesher(command).make(FILE) with the same parameters, and run the case again")

    def value(self, name):
        return self.at.get(name, self.mesher.value(name))

    def step(self, name):
        """A step that moves the nodes by DISPLACEMENT of the extent."""
        value = self.value(name)
        trial = 1e-5 * abs(value) if value else 1e-5
        moved = _largest(_difference(self.made({name: value + trial}), self.nodes, name))
        if moved <= SAME * 1e-3 * self.extent:
            raise InputError(f"{name}: no node moves with it, so there is no gradient by it")
        return trial * DISPLACEMENT * self.extent / moved

    def slope(self, name, step):
        """{zone: displacement of the nodes per unit of the parameter}, by a central difference, and the relative change of the pitch of
        a cascade per unit."""
        ends, nodes, pitch = [self.value(name) + sign * step for sign in (1, -1)], [], []
        for value in ends:
            nodes.append(self.made({name: value}))
            pitch.append(self.pitch(name))
        unit = ends[0] - ends[1]
        return {zone: d / unit for zone, d in _difference(*nodes, name).items()}, np.log(pitch[0] / pitch[1]) / unit if pitch[0] > 0 else 0.0


def _names(parameters, steps):
    """The parameters and {parameter: step} of those whose step is given."""
    if isinstance(parameters, str):
        parameters = [parameters]
    given = dict(steps or {})
    if isinstance(parameters, dict):
        given = {**{name: step for name, step in parameters.items() if step is not None}, **given}
    names = [str(name) for name in parameters]
    if not names:
        raise InputError("no parameter of the mesh is named")
    for name in names:
        if name in given:
            given[name] = parsed(given[name], f"the step of {name}")
            if not (0 < given[name] < np.inf):
                raise InputError(f"the step of {name} is {given[name]:g}, which has to be above 0")
    for name in set(given) - set(names):
        raise InputError(f"a step is given for {name}, which is none of the parameters {', '.join(names)}")
    return names, given


def _folders(case_file, changes):
    """Paths of the mesh and of the output folder of a case with changed keys."""
    case, folder = Case.read(case_file), os.path.dirname(os.path.abspath(case_file))
    mesh, out = (os.fspath((changes or {}).get(key) or case.value(key, usual) or "") for key, usual in (("mesh", None), ("output.folder", "out")))
    if not mesh:
        raise InputError(f"{case_file}: 'mesh' is missing")
    return os.path.join(folder, mesh), os.path.join(folder, out)


def mesh_gradient(case_file, of, mesh, parameters, to=(), at=None, steps=None, annulus="annulus", changes=None, settle=False):
    """Gradients of figures of a settled run by values of the mesher's input, beside those by keys of the case.

    of: a figure, or several. mesh: the command that made the mesh of the case, or its annulus.Mesher, whose text names the parameters.
    parameters: names, or {name: step}; at: {name: value} where the mesh of the case was not made with the values of the input.
    to, annulus, changes, settle: as annulus.gradient takes them.

    Runs `annulus adjoint --nodes` once. For each parameter four meshes are made, at value +- step and +- step / 4. A gradient is
    the sum over all nodes of gradient by nodes times (x+ - x-) / (2 step). By default a step moves no node by more than 5e-8 of the
    largest extent of the mesh: farther apart, iterations of the mesher may choose other ways in some cells, which moves nodes there by
    jumps. Warns where both steps give gradients that differ by more than 0.1 %.

    Returns {figure: {"value": number, "gradient": {key or parameter: number or list}, "smaller_step": {parameter: gradient}}}.
    InputError where the mesh of the case is another one than the command makes, or a parameter is unknown, no number, or moves no node.
    """
    of = [of] if isinstance(of, str) else list(of)
    names, steps = _names(parameters, steps)
    mesh_file, out = _folders(case_file, changes)
    at = {str(name): parsed(value, f"the value of {name}") for name, value in (at or {}).items()}
    mesher = mesh if isinstance(mesh, Mesher) else Mesher(mesh, [*names, *at])
    for name in [*names, *at]:
        mesher.value(name)
    meshes = _Meshes(mesher, at, mesh_file)
    meshes.check()
    steps = {name: steps.get(name) or meshes.step(name) for name in names}
    found = gradient(case_file, of, to, nodes=True, annulus=annulus, changes=changes, settle=settle)
    by_nodes = {figure: node_gradient(out, figure) for figure in of}
    for figure in of:
        found[figure]["smaller_step"] = {}
    for name in names:
        slopes = [meshes.slope(name, steps[name] * factor) for factor in (1, SMALLER)]
        for figure in of:
            value = found[figure]["value"] if _per_pitch(figure) else 0.0
            both = [along(by_nodes[figure], slope) + value * pitch for slope, pitch in slopes]
            found[figure]["gradient"][name], found[figure]["smaller_step"][name] = both
            terms = sum(float(np.abs(g * slopes[0][0][zone]).sum()) for zone, (_, g) in by_nodes[figure].items())
            if abs(both[0] - both[1]) > APART * abs(both[0]) + CANCELLED * terms:
                warnings.warn(f"the gradient of {figure} by {name} is {both[0]:.6g} with a step of {steps[name]:.2g}, and {both[1]:.6g} with "
                              f"{SMALLER * steps[name]:.2g}: the mesh does not follow the parameter smoothly; try other steps", stacklevel=2)
    return found
