# packages: turbigen==3.0.0 ember-cfd==0.4.5 python>=3.12
"""ember.xyz and ember.fvbnd: PLOT3D and FIELDVIEW's boundaries of a duct of ember, or of the stage that from_turbigen.py has (argument)."""
import sys

if sys.argv[1] == "duct":
    import ember.cases

    grid = ember.cases.build_duct_grid(ncell=25 * 13 * 13, nj=13, nk=13, periodic_k="hmesh")
else:
    import os

    from turbigen import cli
    from turbigen.config import Config

    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "from_turbigen.py")) as f:
        text = f.read()
    names = {}
    exec(text[text.index("DESIGN = "):text.index("PLAIN = ")], names)
    sys.argv = sys.argv[:1]
    grid = cli.prepare(Config.from_dict({**names["DESIGN"], "solver": {"type": "ember", "n_step": 1}}))[2]
grid.write_plot3d("ember.xyz", "ember.fvbnd")
