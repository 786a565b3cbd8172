"""Annulus as a solver of turbigen 3.

    solver      the solver `annulus` and the job `annulus` of turbigen's YAML; importing it registers both
    patches     what ember's patches mean: boundaries, rows, interfaces
    transfer    values of cells to nodes
    mesh        the CGNS file
    process     the case file, the run and its snapshot

Only solver and patches need turbigen. SPDX-License-Identifier: GPL-3.0-or-later
"""
