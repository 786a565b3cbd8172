"""annulus.mesh_gradient: gradients by values of the mesher's input against central differences of figures of settled flows, each on a
mesh of its own, and what annulus.Mesher refuses.

Usage: regress_mesh_gradient.py BIN [row]
  without row   LS89 in one layer of cells by mesh_cascade, inviscid, Roe: pitch, stagger, a point of the profile
  row           the stator of cases/stage on 10 752 cells by mesh_row, the same: stagger at the casing, chord, outlet
"""
from regress import *

try:
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
import warnings

sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
os.environ.update(environment(2))
os.environ["PATH"] = BIN + os.pathsep + os.environ["PATH"]
import annulus as an  # noqa: E402

ROW = "row" in sys.argv
top = folder("mesh_gradient" + "_row" * ROW)
CASE = """case: small
mesh: mesh.cgns
precision: double
device: cpu
gas: {gamma: 1.4, R: 287.0}
scheme: {flux: roe}
march: {method: implicit, iterations: 1500, residual_drop: 1.0e-9}
stop: {}
initial: {p: 1.2e5, T: 400, mach: 0.2, direction: [1, 0, 0]}
boundaries:
  inlet: {type: inlet_total, p0: 1.596e5, T0: 420, direction: [1, 0, 0]}
  outlet: {type: outlet_static, p: BACK}
OTHERSoutput: {folder: out, every: 0, history_every: 20}
"""
if ROW:
    text = CASE.replace("BACK", "1.4e5").replace("OTHERS", '  "*": {type: wall_slip}\nrows:\n  stator: {zones: ["*"], rpm: 0}\n')
else:
    text = CASE.replace("BACK", "0.72e5").replace("OTHERS", "  blade: {type: wall_slip}\n  hub: {type: symmetry}\n  shroud: {type: symmetry}\n")
case = os.path.join(top, "case.yaml")
with open(case, "w") as f:
    f.write(text)
mesh = os.path.join(top, "mesh.cgns")


def refused(what, word, call):
    try:
        call()
    except an.InputError as error:
        return check(word in str(error), f"{what}: {error}")
    return check(False, f"{what} was not refused")


def value_of(figures, mesh, run):
    """The figures on another mesh, settled from the flow of a run."""
    changes = {"mesh": mesh, "output.folder": "other", "march.iterations": run.info["iteration"] + 5}
    an.start(case, changes=changes, more=("--restart", os.path.abspath(run.newest("flow")), "--other-mesh=cells")).wait()
    found = an.gradient(case, figures, "boundaries.outlet.p", changes=changes, settle=True)
    return {f: found[f]["value"] for f in figures}


def compare(mesher, figures, parameters, allowed):
    """Gradients by parameters against differences over 20 steps of mesh_gradient."""
    mesher.make(mesh)
    run = an.start(case).wait()
    check(run.info["status"] == "converged", f"{run.info['status']}: {run.info['message']}")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # that both steps agree is part of the test
        found = an.mesh_gradient(case, figures, mesher, list(parameters), to="boundaries.outlet.p", settle=True)
    for name, step in parameters.items():
        side, at = [], mesher.value(name)
        for sign in (1, -1):
            other = os.path.join(top, "other.cgns")
            mesher.make(other, {name: at + sign * step})
            side.append(value_of(figures, other, run))
        for f in figures:
            gradient, difference = found[f]["gradient"][name], (side[0][f] - side[1][f]) / (2 * step)
            error = abs(gradient / difference - 1)
            print(f"{f} by {name}: {gradient:.9g}, by differences {difference:.9g}: error {error:.1e}", flush=True)
            check(error < allowed, f"{f} by {name}: {gradient} against {difference}")
    return found


def look_at_vane():
    shutil.copy(os.path.join(SOURCE, "cases", "ls89", "blade.dat"), top)
    blade = os.path.join(top, "blade.dat")
    command = f"mesh_cascade {blade} --pitch 0.0575 --size 0.25 --levels 2 --wall-spacing 4e-4 --inlet-angle 0"
    mesher = an.Mesher(command)
    figures = ("mass_in", "loss_mixed_out", "alpha_out_mixed_out", "force_tangential")
    found = compare(mesher, figures, {"pitch": 1.7e-7, "stagger": 9e-5, "blade.dat:20:2": 1e-7}, 2e-4)
    # the same from the command, beside a formula of figures
    aim = an.objective(case, "mass_in + 2*loss_mixed_out", to="boundaries.outlet.p", mesh=command, parameters=["stagger"])
    wanted = found["mass_in"]["gradient"]["stagger"] + 2 * found["loss_mixed_out"]["gradient"]["stagger"]
    check(abs(aim["gradient"]["stagger"] - wanted) < 1e-5 * abs(wanted), f"objective: {aim['gradient']}, {wanted}")
    # steps that are too large for the mesher
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        an.mesh_gradient(case, "mass_in", mesher, {"stagger": 4.0}, to="boundaries.outlet.p")
    check(any("with a step of 4, and" in str(w.message) and "stagger" in str(w.message) for w in said), f"a step of 4: {said}")

    def by(*names, **more):
        return lambda: an.mesh_gradient(case, "mass_in", mesher, list(names), **more)

    refused("an unknown option", "'camber' is neither an option", by("camber"))
    refused("a count", "--around chooses numbers of cells", by("around"))
    refused("an option that is not given", "has no --outlet-length", by("outlet-length"))
    refused("a line that is not there", "the file has", by("blade.dat:9999:1"))
    refused("a file that is not there", "none.dat: No such file", by("none.dat:1:1"))
    refused("a step of zero", "has to be above 0", by("pitch", steps={"pitch": 0}))
    refused("a value that is no number", "is not a number: 'wide'", lambda: mesher.make(mesh, {"pitch": "wide"}))
    refused("no profile", "no file of the profile", lambda: an.Mesher("mesh_cascade none.dat --pitch 0.0575"))
    refused("another mesher", "neither mesh_row nor mesh_cascade", lambda: an.Mesher(f"mesh_duct {blade}"))
    refused("an output", "leave out -o", lambda: an.Mesher(f"mesh_cascade {blade} -o x.cgns"))
    refused("the mesh of another stagger", "lie up to", by("pitch", at={"stagger": 0.5}))
    other = an.Mesher(command.replace("--size 0.25", "--size 0.3"))
    refused("another number of cells", "cells in one mesh and", lambda: an.mesh_gradient(case, "mass_in", other, "pitch"))


def look_at_row():
    for name in ("make_blades.py", "stator.yaml"):
        shutil.copy(os.path.join(SOURCE, "cases", "stage", name), top)
    with open(os.path.join(top, "stator.yaml")) as f:
        lines = [line for line in f if line.split(":")[0] not in ("cells", "walls", "first_cell", "levels")]
    row = os.path.join(top, "row.yaml")
    with open(row, "w") as f:
        f.write("".join(lines) + "cells: 1.0e4\nwalls: functions\nfirst_cell: 8.0e-4\nlevels: 2\n")
    if not tool(top, "python3", "make_blades.py"):
        finish()
    parameters = {"stagger@1": 2e-4, "chord@0": 2e-5, "outlet": 2e-7}
    mesher = an.Mesher(["mesh_row", row], ["stagger@0", *parameters])
    compare(mesher, ("mass_in", "pressure_ratio", "stator.torque_walls"), parameters, 1e-3)
    refused("an unknown key", "it has no 'tip_gap'", lambda: mesher.make(mesh, {"tip_gap": 1e-4}))
    refused("a height that was not told", "name all variations with heights", lambda: mesher.make(mesh, {"lean@0.5": 1e-4}))
    refused("another first cell", "does not hold the cells", lambda: mesher.make(mesh, {"first_cell": 7e-4}))
    refused("no row", "no input file of mesh_row", lambda: an.Mesher("none.yaml"))


look_at_row() if ROW else look_at_vane()
finish()
