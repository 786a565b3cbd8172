# packages: turbigen==3.0.0 ember-cfd==0.4.5 h5py==3.16.0 python>=3.12
"""A turbine stage of turbigen computed by Annulus and by ember on one coarse mesh, a restart, and the next design of a loop.

The averages that turbigen takes from the nodes are compared with those of this program at the same planes, within 0.1 %.
"""
import logging
import os
import sys
from types import SimpleNamespace

import annulus
import numpy as np
from turbigen import bconds, cli, guess, mixout
from turbigen.config import Config
from turbigen.solver import Ember

import turbigen_annulus.solver as plugin
from turbigen_annulus import patches

DESIGN = dict(
    fluid=dict(type="perfect", cp=1100.0, gamma=1.33, mu=6.0e-4),
    mean_line=dict(type="axial_turbine", psi=1.6, phi2=0.8, Ma2=0.6, fac_Ma3_rel=1.0, mdot=500.0, Ys=[0.02, 0.05], r_rms=1.0, Po1=16.0e5,
                   To1=1600.0),
    annulus=dict(type="fixed_axial_chord", cx_row=[0.1, 0.1], cx_gap=[0.1, 0.06, 0.15]),
    blades=[dict(sections=[dict(spf=0.5, dchi_LE=angle, dchi_TE=0.0, camber=dict(type="quadratic", aft_loading=0.0),
                                thickness=dict(type="taylor", R_LE=0.04, t_max=0.12, m_tmax=0.35, kappa_max=0.0, t_TE=0.02,
                                               tanwedge=0.18))],
                 count=dict(type="Co", Co=0.6)) for angle in (-8.0, 6.0)],
    mesh=dict(type="h", yplus=100.0, nk_min=17, ER_pitch=1.4, ER_span=1.4, dspf_mid=0.05, dm_LE=0.008, AR_cusp=2.0, ni_cusp=5, ni_TE=3,
              dm_TE=0.0, skew_max=90.0, resolution_factor=0.5),
    solver=dict(type="annulus", folder="turbigen_runs", device="cpu", iterations=600),
    iterate=dict(correct=[dict(type="deviation")]),
)
PLAIN = {"p0_Pa": "Po", "T0_K": "To"}
logging.basicConfig(format="%(message)s")
logging.getLogger("turbigen.annulus").setLevel(logging.INFO)


def averages(grid, machine, folder):
    """Largest relative differences of mass flow, total pressure and temperature at turbigen's four planes from those of this program."""
    import ember.cut
    from ember import fluxes

    flow, worst = annulus.Run(os.path.join(folder, "out")).flow(), {}
    for line in mixout.cut_planes(machine.annulus):
        cut, own = ember.cut.unstructured(grid, line), annulus.station(flow, line)
        through = (fluxes.get_mass_flux(cut) * cut.dA_tri).sum(-1)
        found = {name: float((np.asarray(getattr(cut, theirs), float).mean(1) * through).sum() / through.sum())
                 for name, theirs in PLAIN.items()}
        found["mass_flow_kg_s"] = abs(float(through.sum()) * cut.Nb)
        for name, value in found.items():
            worst[name] = max(worst.get(name, 0), abs(value / own[name] - 1))
    return worst


def solved(config, grid, machine, solver):
    history = solver.solve(grid)
    return mixout.mean_line(grid, machine) if config.solver.converged(history) else None


def refused(words, function, *arguments, **keys):
    """Whether a call ends with a message that has these words."""
    try:
        function(*arguments, **keys)
    except ValueError as error:
        print(error)
        return words in str(error)
    return False


REAL = SimpleNamespace(label="", fluid=type("RealFluid", (), {})(), patches=[])
told = refused("give the gas to Annulus as a table (gas.table)", patches.check, [REAL])
told &= refused("take `cusp: periodic`", plugin.Annulus, cusp="porous")
config = Config.from_dict(DESIGN)
config, machine, grid = cli.prepare(config)
print("cells", sum(int(np.prod(np.array(block.shape) - 1)) for block in grid))
first = solved(config, grid, machine, config.solver)
worst = averages(grid, machine, plugin._runs[-1])
print("largest differences of averages:", {name: f"{100 * value:.3f} %" for name, value in worst.items()})
cycles = [plugin.process.record(plugin._runs[-1])["iteration"]]
again = solved(config, grid, machine, config.solver)
cycles.append(plugin.process.record(plugin._runs[-1])["iteration"])
print("cycles, and those of a restart:", cycles[0], cycles[1] - cycles[0])

_, _, other = cli.prepare(config)
bconds.apply(other, machine)
guess.apply(other, machine)
theirs = solved(config, other, machine, Ember(n_step=int(sys.argv[1]) if len(sys.argv) > 1 else 3000, n_step_avg=500))
print(f"{'':12}{'efficiency':>12}{'exit swirl':>12}{'mass flow':>12}")
for name, line in (("design", machine.mean_line), ("Annulus", first), ("ember", theirs)):
    if line is not None:
        print(f"{name:12}{float(line.eta_tt):12.4f}{float(line.outlet.Alpha):12.2f}{float(line.outlet.mdot):12.2f}")
good = told and first is not None and again is not None and max(worst.values()) < 1e-3 and cycles[1] - cycles[0] <= 60
design = machine.mean_line
good &= abs(float(first.eta_tt) - float(design.eta_tt)) < 0.02 and abs(float(first.outlet.Alpha - design.outlet.Alpha)) < 2
print("settled" if good else "NOT as it was")
sys.exit(not good)
