"""How an entry of the list of promises is written."""
from figures import Cell, Column, Wanted

# Parts of the code that figures depend on.
ENGINES = ("kernels", "mpi")
FLOW = (*ENGINES, "bc", "io/case_default.c", "solver/level", "solver/flow", "solver/boundary", "solver/march")
FIGURES = ("solver/monitor",)
CASCADE = ("tools/programs/mesh_cascade",)
ROW = ("tools/programs/mesh_row", *CASCADE)
PLOT3D = ("tools/programs/mesh_plot3d",)


def promise(name, what, page, command, code, figures=(), gpu=None, cpu=None, needs=(), made=None):
    """An entry: `command` is for bash, in an empty folder, with the programs in PATH and the variables ROOT, BIN (folder from which
    programs start), PROGRAMS (where they lie), BUILD, DEVICE (cuda, cpu), CARDS and JOBS; it must end with 0. `figures`: see figure().
    `gpu`, `cpu`: minutes on an H200 with 16 cores, and on two cores without a GPU; None: not for such a machine. `needs`: programs,
    or python:MODULE, cards:N, card:NAME, build (a build folder with the tests), git, root. `code`: paths that the figures depend on.
    `made`: a regular expression for the commit of the figures on the page, where it does not stand between the words that the table is
    found by and the row."""
    minutes = {kind: n for kind, n in (("gpu", gpu), ("cpu", cpu)) if n is not None}
    return {"name": name, "what": what, "page": page, "command": command.strip(), "code": code, "figures": list(figures),
            "minutes": minutes, "needs": needs, "made": made}


def figure(name, now, then, within=0.0, by=0.0, better=None, scale=1):
    """A figure: `now` is found in what the command wrote and multiplied by `scale`, `then` on the page. They may differ by `within` of
    themselves and by `by`. better="more" or "less": a figure of now that lies on this side is right, too."""
    return {"name": name, "now": now, "then": then, "within": within, "by": by, "better": better, "scale": scale}


def none(name, now):
    """A count that must be 0."""
    return figure(name, now, Wanted(0))


def speed_line(after, row, points, columns, file="out/map.csv"):
    """Figures of the points of a map against a table of a page. `points`: {first cell of a row: setting}; `columns`: {column of
    map.csv: (column of the page, number of its cell, tolerances of figure())}."""
    return [figure(f"{cell}: {theirs}", Column(file, ours, setting=setting), Cell(after, row + (cell,), theirs, nth), **tolerance)
            for cell, setting in points.items() for ours, (theirs, nth, tolerance) in columns.items()]


def case(name, *commands):
    """Commands in a copy of the folder of a case."""
    return "\n".join((f'cp -r "$ROOT/cases/{name}/." .', *commands))
