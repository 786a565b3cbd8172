"""The vane, to convergence: as much mass leaves as enters, and the residual is gone.

    |m_in - m_out| / m_in <= 1e-5, density residual <= 1e-6 of the first, per layer of cells
"""
import os

from regress import *

top = folder("conservation")
case = write_case(top, mesh=os.path.join(ROOT, "flat.cgns"))
out = os.path.join(top, "out")
r = run(case, timeout=280,
        options=["march.iterations=20000", "march.residual_drop=1e-6", "march.mass_imbalance=1e-5",
                 "output.history_every=50", f"output.folder={out}"])
rows = history(out)
first, last = rows[0], rows[-1]
print("iteration {iteration}: residual {residual_drop}, mass in {mass_in_kg_s} kg/s, "
      "imbalance {imbalance}".format(**last))
check(run_json(out)["status"] == "converged", f"not converged: {r}")
check(abs(float(last["imbalance"])) <= 1e-5, "mass is not conserved")
check(float(last["residual_drop"]) <= 1e-6, "the residual has not fallen")
check(abs(float(rows[0]["imbalance"])) > 1e-3, "the first state was balanced already: no proof")
# no swirl enters, no work is done: total temperature stays what it was
check(abs(float(last["temperature_ratio"]) - 1) < 2e-3, f"T0 ratio {last['temperature_ratio']}")
check(0.9 < float(last["pressure_ratio"]) < 1, f"p0 ratio {last['pressure_ratio']}")
finish()
