"""Annulus in Python: meshes, snapshots and runs of the flow solver.

    run = annulus.Run("out")                    an output folder: case, history, figures, files
    flow = run.flow()                           its newest snapshot: any quantity, in both frames
    b2b = annulus.blade_to_blade(flow, 0.5)     a surface at a fraction of the span
    mean = annulus.pitch_average(flow)          averages over the pitch, on x and span

Lengths are in m, angles in rad unless a name says deg, arrays in the file's order [k, j, i].
"""
from .average import pitch_average, spanwise
from .case import Case
from .cgns import File
from .errors import InputError
from .flow import QUANTITIES, Flow
from .gas import Gas
from .run import Job, Run, Table, start, sweep
from .span import blade_to_blade
from .version import __version__

__all__ = [
    "__version__", "Case", "File", "Flow", "Gas", "InputError", "Job", "QUANTITIES", "Run", "Table",
    "blade_to_blade", "pitch_average", "spanwise", "start", "sweep",
]
