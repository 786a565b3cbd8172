"""annulus adjoint on a small vane, inviscid, in several zones with periodicity: the gradient by the back pressure against figures of
flows that the command settles beside it; no figure changes where all nodes move alike; files, and what is refused.
"""
import re

from regress import *

top = folder("adjoint")
flat = os.path.join(ROOT, "flat.cgns")
case = write_case(top, flat, CASE.replace("flux: jst, k2: 0.5, k4: 0.016", "flux: roe, limiter_floor: 1").replace(
    "march: {{cfl: 2, iterations: 40}}", "march: {{method: implicit, iterations: 120}}").replace("p: 0.8235e5", "p: 1.1e5"))
out = os.path.join(top, "out")
FIGURES = ["mass_in", "loss_by_mass", "alpha_out_mixed_out"]
P = "boundaries.outlet.p"


def adjoint(*args, options=(), expect=DONE, settle=True, np=1):
    more = ["--settle"] if settle else []
    r = annulus("adjoint", case, *more, *sum((["--of", f] for f in FIGURES), []), *args, options=options, timeout=200, np=np)
    check(r.code == expect, f"exit code {expect} expected: {r}")
    with open(os.path.join(out, "adjoint.json")) as f:
        return r, json.load(f)


run(case, timeout=200)
r, found = adjoint("--nodes")
settled_lines = r.out + r.err
check("boundaries.inlet.direction" in found["keys"] and found["residual"] < 1e-10, f"{found}")
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
os.environ.update(environment())
import annulus as an  # noqa: E402

value = []
for p in (1.1e5 - 5, 1.1e5 + 5):
    other = adjoint("--to", P, options=[f"{P}={p!r}"])[1]
    check(list(other["keys"]) == [P], f"keys that were asked for: {other['keys']}")
    value.append(other["figures"])
for f in FIGURES:
    difference = (value[1][f]["value"] - value[0][f]["value"]) / 10
    gradient = found["figures"][f]["gradient"][P]
    check(abs(gradient - difference) < 2e-5 * abs(difference), f"d {f} / d {P}: {gradient}, by differences {difference}")
    with h5py.File(os.path.join(out, f"nodes_{f}.cgns")) as h, h5py.File(os.path.join(out, "grid.cgns")) as grid:
        zones = [z for z in h["Base"] if "GridCoordinates" in h["Base"][z]]
        for axis in "XYZ":
            g = [h[f"Base/{z}/FlowSolution/Gradient{axis}/ data"][...] for z in zones]
            size, total = sum(abs(q).sum() for q in g), sum(q.sum() for q in g)
            check(abs(total) < 1e-6 * size + 1e-12, f"{f}: all nodes moved along {axis}: {total} of {size}")
            for z in zones:
                x = [q[f"Base/{z}/GridCoordinates/Coordinate{axis}/ data"][...] for q in (h, grid)]
                check(x[0].shape == x[1].shape and abs(x[0] - x[1]).max() < 1e-12, f"nodes_{f}.cgns: coordinates of {z}")
    with h5py.File(os.path.join(out, f"adjoint_{f}_00000120.cgns")) as h:
        fields = [q for z in zones for q in h[f"Base/{z}/FlowSolution"] if q.startswith("Adjoint")]
        check(len(fields) == 5 * len(zones), f"adjoint_{f}: {fields}")

# every file lists the zones as the mesh does, which is not in the order of their names
wanted = listed(flat)
check(len(wanted) > 2 and wanted != sorted(wanted), f"zones of the mesh: {wanted}")
for name in ("grid.cgns", "flow_00000120.cgns", *(name for f in FIGURES for name in (f"nodes_{f}.cgns", f"adjoint_{f}_00000120.cgns"))):
    found_zones = listed(os.path.join(out, name))
    check(found_zones == wanted, f"{name} lists {found_zones}, the mesh {wanted}")

# Newton's steps follow only where the residual of the snapshot would move a figure by more than 0.1 %
r = annulus("adjoint", case, "--of", "mass_in", "--to", P)
check("no steps of Newton" in r.out and "newton " not in r.out, f"a settled snapshot: {r}")
quick_lines = r.out + r.err
with open(os.path.join(out, "adjoint.json")) as f:
    quick = json.load(f)
a, b = quick["figures"]["mass_in"]["gradient"][P], found["figures"]["mass_in"]["gradient"][P]
check(quick["newton_steps"] == 0 and 0 < abs(a - b) < 0.02 * abs(b), f"d mass_in / d {P}: {a} about the snapshot, {b} settled")

# GMRES begins at the solution of an earlier command, and needs no more iterations where the flow is the same
check("GMRES begins at the solution in" in r.out and "adjoint_mass_in_00000120.cgns\n" in r.out, f"a file of the figure: {r}")
r = annulus("adjoint", case, "--of", "mass_in", "--to", P)
with open(os.path.join(out, "adjoint.json")) as f:
    again = json.load(f)
a, b = (q["figures"]["mass_in"]["gradient"][P] for q in (again, quick))
check(again["gmres_iterations"] == 0 and abs(a - b) < 1e-10 * abs(b), f"once more: {again['gmres_iterations']} iterations, {a}, {b}")
os.remove(os.path.join(out, "adjoint_mass_in_00000120.cgns"))
r = annulus("adjoint", case, "--of", "mass_in", "--to", P)
with open(os.path.join(out, "adjoint.json")) as f:
    fresh = json.load(f)
a = fresh["figures"]["mass_in"]["gradient"][P]
check("GMRES begins" not in r.out and fresh["gmres_iterations"] > 50 and abs(a - b) < 1e-6 * abs(b), f"without the file: {fresh}, {b}")
shutil.copy(os.path.join(out, "flow_00000120.cgns"), os.path.join(out, "adjoint_mass_in_00000120.cgns"))
r = annulus("adjoint", case, "--of", "mass_in", "--to", P)
check(r.code == DONE and "GMRES begins at zero for 'mass_in': " in r.out, f"a file without lambda: {r}")
p0 = "boundaries.inlet.p0"
python = an.gradient(case, "mass_in", p0, annulus=ANNULUS, settle=True)
a, b = python["mass_in"]["gradient"][p0], found["figures"]["mass_in"]["gradient"][p0]
check(list(python) == ["mass_in"] and abs(a - b) < 1e-6 * abs(b), f"annulus.gradient: {python}, {b}")
try:
    an.gradient(case, "bend", annulus=ANNULUS)
    check(False, "annulus.gradient of a figure that is none")
except an.InputError as error:
    check("loss_by_mass" in str(error), f"annulus.gradient: {error}")

# a formula of figures: the chain rule
AIM = "0.7*mass_in - 3*(loss_by_mass - 0.04)^2/mass_in + 1"
aim = an.objective(case, AIM, P, annulus=ANNULUS, settle=True)
m, loss = (found["figures"][f]["value"] for f in ("mass_in", "loss_by_mass"))
dm, dloss = (found["figures"][f]["gradient"][P] for f in ("mass_in", "loss_by_mass"))
by_hand = 0.7 * dm - 6 * (loss - 0.04) / m * dloss + 3 * (loss - 0.04) ** 2 / m**2 * dm
check(abs(aim["value"] - (0.7 * m - 3 * (loss - 0.04) ** 2 / m + 1)) < 1e-9, f"{AIM}: {aim}")
check(abs(aim["gradient"][P] - by_hand) < 1e-6 * abs(by_hand), f"gradient of {AIM}: {aim}, {by_hand} by hand")
check(list(aim["weights"]) and set(aim["weights"]) == {"mass_in", "loss_by_mass"}, f"weights of {AIM}: {aim}")
for formula, said in (("0.7*mass_in +", "no formula"), ("sin(mass_in)", "sin(mass_in) is neither"), ("3*2", "names no figure"),
                      ("mass_in/(mass_in - mass_in)", "no value"), ("mass_in + bend", "loss_by_mass"), ("mass_in if 1 else 2", "is neither")):
    try:
        an.objective(case, formula, P, annulus=ANNULUS)
        check(False, f"annulus.objective of {formula}")
    except an.InputError as error:
        check(said in str(error), f"annulus.objective of {formula}: {error}")

# an outlet that the run steers to a mass flow: the pressure is an unknown as well
mass = 0.99 * found["figures"]["mass_in"]["value"]
r, steered = adjoint("--to", "boundaries.outlet.mass_flow", options=[f"boundaries.outlet.mass_flow={mass!r}"])
a = steered["figures"]["mass_in"]
check(abs(a["value"] / mass - 1) < 1e-10 and abs(a["gradient"]["boundaries.outlet.mass_flow"] - 1) < 1e-6, f"mass flow as wanted: {a}")

for args, said in ((["--of", "bend"], "loss_by_mass"), (["--of", "mass_in", "--to", "boundaries.outlet.q"], "boundaries.outlet.q"),
                   (["--of", "mass_in", "--to", "Outlet.p"], "did you mean 'boundaries.outlet.p'?"),
                   (["--of", "mass_in", "--to", "march.cfl"], "'march.cfl' is a key of the march"),
                   (["--of", "mass_in", "--to", "boundaries.outlet.control_every"], "no gradient by boundaries.outlet.control_every: "),
                   (["--of", "mass_in", "--to", "boundaries.outlet.mass_flow"], "which is 0, or not set in this case"),
                   ([], "--of")):
    r = annulus("adjoint", case, *args)
    check(r.code == INPUT and said in r.err, f"refused: {r}")
    check("matrix " not in r.out, f"refused before the matrix is found: {r}")
check(annulus("run", case, "--nodes").code == INPUT, "annulus run --nodes")
r = adjoint(options=[f"{P}=1.02e5"], settle=False)[0]  # far from the flow of the snapshot
check("in the snapshot and" in r.err + r.out and "mass_in is" in r.err + r.out, f"the flow moved: {r}")
near = [adjoint("--to", P, options=[f"{P}=1.09e5"], settle=settle) for settle in (True, False)]
check("steps of Newton follow" in near[1][0].out and "by -" in near[1][0].out, f"lambda, steps and lambda: {near[1][0]}")
for f in FIGURES:
    a, b = (q["figures"][f]["gradient"][P] for r, q in near)
    check(abs(a - b) < 1e-6 * abs(b), f"d {f} / d {P}: {a}, {b} where GMRES starts from lambda of the snapshot")

# the residual of the flow that gradients belong to: where Newton's steps end above 1e-4 the command refuses, with and without --settle; where
# they end above 1e-11, and where a snapshot above 1e-4 needs no steps, it warns with the numbers. A limiter without a floor holds the steps.
# Above 1e-4 steps that gain less than a factor of 2 go on, for later ones often gain more
with open(case) as f:
    text = f.read()


def settled(pressure, floor, iterations, *args, np=1):
    """`annulus adjoint` of a march of so many iterations, and its residuals: of the snapshot, and after Newton's steps."""
    name = os.path.join(top, f"unsettled_{pressure}_{floor}.yaml")
    with open(name, "w") as f:
        f.write(text.replace("limiter_floor: 1}", f"limiter_floor: {floor}}}").replace("1.1e5", pressure))
    options = [f"march.iterations={iterations}", f"output.folder={os.path.basename(name)[:-5]}_{iterations}"]
    if not os.path.exists(os.path.join(top, options[1].split("=")[1])):
        annulus("run", name, options=options, timeout=200)
    r = annulus("adjoint", name, "--of", "mass_in", "--to", P, *args, options=options, np=np, timeout=200)
    found = re.search(r"(\S+) in the snapshot, (\S+) after", r.out)
    return r, [float(q) for q in found.groups()] if found else []


for args, np in (((), 1), (("--settle",), 1), (("--settle",), 2)):
    r, residual = settled("1.3e5", 0, 40, *args, np=np)
    check(r.code == INPUT and "the flow is not settled" in r.err and residual and residual[1] > 1e-4, f"steps that end above 1e-4: {r}")
    check(all(f"{q:.2e}" in r.err for q in residual) and "at most 1e-04" in r.err and "annulus run" in r.err, f"their numbers: {r}")
r, residual = settled("0.9e5", 0.01, 20, "--settle")
check(r.code == DONE and residual[0] > 5e-3 and residual[1] < 1e-11, f"two slow steps above 1e-4, then fast ones: {r}")
r, residual = settled("1.3e5", 0, 200, "--settle")
check(r.code == DONE and 1e-11 < residual[1] < 1e-4, f"steps that end above 1e-11: {r}")
check(f"from {residual[0]:.2e} to {residual[1]:.2e} and aim at 1e-11" in r.err + r.out, f"their warning: {r}")
warned = "of a settled flow at most 1e-04"
check(warned in quick_lines, f"a snapshot above 1e-4: {quick_lines}")
check("aim at" not in settled_lines and warned not in settled_lines, f"the same, settled: {settled_lines}")


# several ranks: figures, gradients and lambda of one; lines are printed once; keys are changed in cases with one level of the
# multigrid, which alone would be cut at other planes
def fields():
    found = {}
    for f in FIGURES:
        with h5py.File(os.path.join(out, f"adjoint_{f}_00000120.cgns")) as h:
            for z in zones:
                for q in h[f"Base/{z}/FlowSolution"]:
                    if q.startswith("Adjoint"):
                        found[f, z, q] = h[f"Base/{z}/FlowSolution/{q}/ data"][...]
    return found


LEVELS = ["multigrid.levels=2"]
one, lambdas = adjoint(options=LEVELS)[1], fields()
r, other = adjoint(options=LEVELS, np=3)
check(r.out.count("matrix  ") == 1 and r.out.count("gradients  ") == 1, f"lines of three ranks: {r}")
check(other["cells"] == one["cells"] and list(other["keys"]) == list(one["keys"]), f"three ranks: {other}")
for f in FIGURES:
    for key, b in one["figures"][f]["gradient"].items():
        pairs = list(zip(*((q if isinstance(q, list) else [q]) for q in (other["figures"][f]["gradient"][key], b))))
        value = one["keys"][key]
        unit = abs(one["figures"][f]["value"]) / max(abs(v) for v in (value if isinstance(value, list) else [value]))
        limit = 1e-6 * max(abs(q) for _, q in pairs) + 1e-8 * unit
        check(all(abs(p - q) < limit for p, q in pairs), f"d {f} / d {key} on three ranks: {pairs}, may differ by {limit}")
for (f, z, q), b in fields().items():  # nothing depends on the momentum across the layer of cells
    size = max(abs(v).max() for (g, _, p), v in lambdas.items() if g == f and p == q.replace("MomentumZ", "MomentumX"))
    off = abs(b - lambdas[f, z, q]).max()
    check(off < 1e-6 * size, f"{q} of {f} in {z} on three ranks: off by {off} of {size}")
r = annulus("adjoint", case, "--of", "mass_in", "--nodes", np=2)
check(r.code == INPUT and "--nodes works on one rank" in r.err and "matrix " not in r.out, f"nodes on two ranks: {r}")
r = annulus("adjoint", case, "--of", "bend", np=2)
check(r.code == INPUT and "loss_by_mass" in r.err, f"a wrong figure on two ranks: {r}")
r = annulus("adjoint", case, "--of", "mass_in", "--to", "Outlet.p", np=2)
check(r.code == INPUT and "did you mean 'boundaries.outlet.p'?" in r.err, f"a wrong key on two ranks: {r}")
finish()
