"""Annulus in Python: meshes, snapshots and runs of the flow solver.

    run = annulus.Run("out")                    an output folder: case, history, figures, files
    flow = run.flow()                           its newest snapshot: any quantity, in both frames
    b2b = annulus.blade_to_blade(flow, 0.5)     a surface at a fraction of the span
    mean = annulus.pitch_average(flow)          averages over the pitch, on x and span

Lengths are in m, angles in rad unless a name says deg, arrays in the file's order [k, j, i].
"""
from .average import pitch_average, spanwise
from .batch import batch
from .blading import row_table
from .case import Case
from .cgns import File
from .cut import Cut, plane, revolution
from .designs import designs
from .errors import InputError
from .exchange import wall_table, write_table
from .flow import QUANTITIES, Flow
from .gas import Gas
from .mesh_gradient import mesh_gradient
from .mesher import Mesher
from .nodes import along, mesh_nodes, move_nodes, node_gradient
from .objective import objective
from .run import Job, Run, Table, extrapolated, gradient, mesh_study, speed_line, start, sweep
from .unsteady import modes, passing_frequencies, period_change, phase_average, signals, spectrum
from .shapes import Shapes, cubic_spline
from .span import blade_to_blade
from .spool import spool_angles, spool_profile
from .station import machine_table, station
from .unrolled import unroll
from .version import __version__
from .watching import Watched, ask

__all__ = [
    "__version__", "Case", "Cut", "File", "Flow", "Gas", "InputError", "Job", "Mesher", "QUANTITIES", "Run", "Shapes", "Table", "Watched",
    "along", "ask", "batch", "blade_to_blade", "cubic_spline", "designs", "extrapolated", "gradient", "machine_table", "mesh_gradient", "mesh_nodes", "mesh_study", "modes",
    "move_nodes", "node_gradient", "objective", "passing_frequencies",
    "period_change", "phase_average", "pitch_average", "plane", "revolution", "row_table", "signals", "spanwise", "spectrum",
    "speed_line", "spool_angles", "spool_profile", "start", "station", "sweep", "unroll", "wall_table", "write_table",
]
