"""Flows as datasets of PyVista and tables of xarray, on the files of test_python.py, whose folder is the argument."""
import importlib.util
import os
import sys

import_names = ("h5py", "numpy", "yaml", "pyvista", "xarray")
missing = [name for name in import_names if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: no {', '.join(missing)}")
    sys.exit(77)
import numpy as np  # noqa: E402

from checks import check, finish  # noqa: E402

sys.path.insert(0, os.path.join(os.environ["AN_SOURCE"], "tools", "python"))
import annulus  # noqa: E402

os.chdir(sys.argv[1])
run = annulus.Run(".")
flow = run.flow()


def near(found, wanted, tolerance, what):
    worst = float(np.max(np.abs(np.asarray(found) - wanted)))
    check(worst <= tolerance, f"{what}: off by {worst:g}, more than {tolerance:g}")


def datasets():
    data = flow.to_pyvista(("Pressure", "Velocity"), copies=3)
    check(data.keys() == ["rotor"] and len(data["rotor"]) == 9, f"blocks: {data.keys()}, {data['rotor'].keys()}")
    up, third = data["rotor"]["up"], data["rotor"]["up 3"]
    zone = next(z for z in flow.zones if z.name == "up")
    near(up.cell_data["Pressure"], flow.field(zone, "Pressure").ravel(), 0, "pressure of the cells")
    near(up.points, np.stack([c.ravel() for c in zone.nodes()], 1), 1e-7, "nodes")
    centres = up.cell_centers().points
    wanted = 1e5 * (1 + 0.1 * np.sin(20 * np.arctan2(centres[:, 2], centres[:, 1])))
    near(up.cell_data["Pressure"], wanted, 10, "pressure at the centres of the cells of VTK")
    for grid in (up, third):  # the swirl of 5 / r turns with the copies
        c, v = grid.cell_centers().points, grid.cell_data["Velocity"]
        r = np.hypot(c[:, 1], c[:, 2])
        near((v[:, 2] * c[:, 1] - v[:, 1] * c[:, 2]) / r * r, 5, 1e-2, "moment of the velocity")
    angle = np.arctan2(third.points[:, 2], third.points[:, 1]) - np.arctan2(up.points[:, 2], up.points[:, 1])
    near(np.mod(angle, 2 * np.pi), 2 * 2 * np.pi / 20, 1e-6, "angle of the third passage")
    whole = flow.to_pyvista((), copies="all")["rotor"]
    volume = sum(abs(block.compute_cell_sizes()["Volume"].sum()) for n, block in zip(whole.keys(), whole) if "gap" not in n)
    near(volume / (np.pi * (0.3**2 - 0.2**2) * 0.2), 1, 2e-3, "volume of the annulus")
    turned = annulus.Flow("bend.cgns", case=annulus.Case({"rows": {"rotor": {"zones": ["*"], "omega": 300, "blades": 20}}}))
    near(np.arctan2(*turned.to_pyvista(())["rotor"]["in"].points[0][[2, 1]]), 3.3 - 2 * np.pi * (3.3 > np.pi), 1e-6, "a row that turned")
    try:
        flow.to_pyvista((), copies=0)
        check(False, "no copy at all was taken")
    except annulus.InputError as error:
        check("from 1 on" in str(error), str(error))


def tables():
    history = run.history.to_xarray()
    check(history.iteration.values.tolist() == [0, 10] and history.mass_in_kg_s.units == "kg/s", f"{history}")
    mean = annulus.pitch_average(flow, ("Pressure",), stations=20, spans=10).to_xarray()
    check(mean.Pressure.dims == ("span", "station") and mean.Pressure.units == "Pa" and mean.station.units == "m", f"{mean}")
    try:
        run.history.to_xarray("nothing")
        check(False, "a column that is not there was taken")
    except annulus.InputError as error:
        check("no column nothing" in str(error), str(error))


def absent():
    """Without the package the message says what to install."""
    from annulus.exchange import needed

    try:
        needed("nowhere_to_be_found", "datasets of VTK")
        check(False, "a package that is not there was imported")
    except annulus.InputError as error:
        check("datasets of VTK need the Python package nowhere_to_be_found (pip install" in str(error), str(error))


datasets()
tables()
absent()
finish()
