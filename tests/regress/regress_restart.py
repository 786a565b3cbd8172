"""A restarted run is, bit for bit, the run that was not interrupted.

Snapshots are taken half way; the other half is run on the same and on other numbers of ranks, from
`latest` and from a named file, steady and unsteady, in the precision of the file and in the other.
"""
import os
import shutil

from regress import *

N = 23  # half way: no multiple of history_every

top = folder("restart")
case = write_case(top)
os.makedirs(os.path.join(top, "given"))


def options(out, more=()):
    return [f"output.folder={out}", f"march.iterations={2 * N}", *more]


def first_half(out, more=(), np=1):
    run(case, options=[*options(out, more), f"march.iterations={N}"], np=np)


def continuous(rows):
    """No line twice, none lost, none out of order."""
    numbers = [int(row["iteration"]) for row in rows]
    return numbers == sorted(set(numbers)) and set(range(0, 2 * N + 1, 5)) <= set(numbers)


def compare_halves(name, more=(), ranks=(1, 1)):
    """A whole run and two halves in a folder of their own, on these ranks."""
    whole, halves = os.path.join(top, name), os.path.join(top, name + "_halves")
    run(case, options=options(whole, more), np=ranks[0])
    first_half(halves, more, np=ranks[0])
    r = run(case, "--restart", "latest", options=options(halves, more), np=ranks[1])
    check(f"iteration {N}" in r.out, f"{name}: where it restarted from is not said: {r}")
    same_fields(snapshot(whole, 2 * N), snapshot(halves, 2 * N), name)
    rows = history(halves)
    check(continuous(rows), f"{name}: history.csv has {[row['iteration'] for row in rows]}")
    kept = [row for row in rows if int(row["iteration"]) != N]  # the end of the first half
    check(kept == history(whole), f"{name}: history.csv of the halves is not that of the whole")
    check(run_json(halves)["status"] == "finished", f"{name}: run.json")


def compare_second(name, more=(), ranks=(1, 1)):
    """A whole run that writes a snapshot half way, and the second half from there: a run less."""
    whole, second = os.path.join(top, name), os.path.join(top, name + "_second")
    run(case, options=options(whole, [*more, f"output.every={N}"]), np=ranks[0])
    r = run(case, "--restart", snapshot(whole, N), options=options(second, more), np=ranks[1])
    check(f"iteration {N}" in r.out, f"{name}: where it restarted from is not said: {r}")
    same_fields(snapshot(whole, 2 * N), snapshot(second, 2 * N), name)
    late = [[row for row in history(out) if N < int(row["iteration"]) < 2 * N] for out in (whole, second)]
    check(len(late[0]) == 5 and late[0] == late[1], f"{name}: history.csv of the second half is not that of the whole")


compare_halves("steady")
compare_halves("ranks", ranks=(1, 2))
compare_halves("fewer_ranks", ranks=(4, 1))
compare_second("ramp", ["march.cfl_start=0.5", "march.cfl_ramp=40"])
compare_second("smooth_start", ["march.smooth_start=30"], ranks=(1, 4))
compare_second("single_roe", ["precision=single", "scheme.flux=roe", "march.cfl=1"])
compare_halves("mass_flow", ["boundaries.outlet={mass_flow: 0.02, control_every: 4}"], ranks=(1, 2))
compare_second("throttle", ["boundaries.outlet={throttle_mass_flow: 0.02, control_every: 4}"], ranks=(2, 1))
with open(os.path.join(top, "profile.csv"), "w") as f:
    f.write("radius_m,p0_Pa,viscosity_ratio\n0,1.6e5,5\n1,3.6e5,50\n")
compare_second("inlet_mass_flow", ["boundaries.inlet={mass_flow: 0.02, control_every: 4}"], ranks=(1, 2))
compare_second("inlet_profile", ["boundaries.inlet={mass_flow: 0.02, control_every: 4, profile: profile.csv}",
                                 "gas={viscosity: sutherland, mu: 1e-4}", "boundaries.blade.type=wall_viscous",
                                 "turbulence.model=sa", "march.method=implicit", "scheme.flux=roe"], ranks=(2, 1))
compare_halves("unsteady", ["march.mode=unsteady", "march.cfl=1"])
compare_second("scree", ["march.method=scree", "march.cfl=0.3"], ranks=(1, 2))
compare_second("smoothed", ["march.residual_smoothing=jacobi"])
compare_second("mixing_length", ["gas={viscosity: sutherland, mu: 1e-4}", "march.method=runge_kutta",
                                 "turbulence={model: mixing_length, length: 0.05}",
                                 "output.fields=[ViscosityEddy, Mach]"])
compare_halves("damped", ["march.method=implicit", "scheme.flux=roe", "march.damping=0.1", "march.damping_window=5",
                          "march.damping_start=12"], ranks=(1, 2))
compare_second("damped_later", ["march.method=implicit", "scheme.flux=roe", "march.damping=0.1",
                                "march.damping_window=5", "march.damping_start=30"], ranks=(2, 1))

# Damped turbulence: eddy viscosity and law of the wall are of the state that is written. A line of the table, which
# finds them anew, changes nothing.
for model, wall in (("sa", "off"), ("sst", "auto")):
    turbulent = ["gas={viscosity: sutherland, mu: 1e-4}", "boundaries.blade.type=wall_viscous", "scheme.flux=roe",
                 f"turbulence={{model: {model}, wall_function: {wall}}}", "march.method=implicit", "march.cfl=20",
                 "march.damping=0.1", "march.damping_window=5", "march.damping_start=8"]
    compare_second(f"damped_{model}", turbulent, ranks=(1, 2))
    often = os.path.join(top, f"damped_{model}_often")
    run(case, options=options(often, [*turbulent, "output.history_every=1"]))
    same_fields(snapshot(os.path.join(top, f"damped_{model}"), 2 * N), snapshot(often, 2 * N), f"{model}: history_every")

# A model of transition begins from a turbulent flow: it needs a laminar start beyond the snapshot's iteration.
viscous = ["gas={viscosity: sutherland, mu: 1e-4}", "boundaries.blade.type=wall_viscous", "scheme.flux=roe",
           "march.method=implicit", "march.cfl=20", "march.iterations=6"]
turbulent = os.path.join(top, "turbulent")
run(case, options=[*viscous, "turbulence.model=sa", "march.iterations=5", f"output.folder={turbulent}"])
for start, warned in ((2, True), (5, True), (105, False)):
    r = run(case, "--restart", snapshot(turbulent, 5), options=[
        *viscous, f"turbulence={{model: sa, transition: bcm, intensity: 0.01, laminar_start: {start}}}",
        f"output.folder={os.path.join(top, 'to_transition')}"])
    text = "set turbulence.laminar_start: 105, or start without --restart"
    said = text in " ".join((r.out + r.err).split())
    check(said == warned, f"laminar_start {start}: {r}")

# Rough walls and the quadratic stress: the same bits behind a restart and on two ranks; another roughness is told.
rough = ["gas={viscosity: sutherland, mu: 1e-4}", "boundaries.blade={type: wall_viscous, roughness: 1e-4}",
         "scheme.flux=roe", "march.method=implicit", "march.cfl=20"]
compare_second("rough_sa", [*rough, "turbulence={model: sa, wall_function: off, qcr: on}"], ranks=(1, 2))
compare_second("rough_sst", [*rough, "turbulence={model: sst, wall_function: auto}"], ranks=(2, 1))
r = run(case, "--restart", snapshot(os.path.join(top, "rough_sa"), 2 * N), options=[
    *rough, "turbulence={model: sa, wall_function: off, qcr: on}", "boundaries.blade.roughness=2e-4",
    f"march.iterations={2 * N + 1}", f"output.folder={os.path.join(top, 'rougher')}"])
check("boundaries.blade.roughness: 0.0001 in the snapshot, 0.0002 now" in r.out, f"roughness: {r}")

# The controller of the CFL number: runs are cut at the line after which the number changes and one later, because it
# holds from the next step but one on, and in the middle of a window. Samples are taken at each iteration.
slow = ["march.method=implicit", "march.acceleration=none", "scheme.flux=roe", "march.cfl=1e4", "march.cfl_min=1e-2",
        "march.cfl_window=1", "output.history_every=1", "output.every=1", "output.keep=0"]
slow_end = 4 * N
slow.append(f"march.iterations={slow_end}")
whole, halves = os.path.join(top, "slow"), os.path.join(top, "slow_halves")
run(case, options=options(whole, slow))
cfl = {int(row["iteration"]): float(row["cfl"]) for row in history(whole)}
changes = [n for n in range(1, slow_end) if cfl[n] != cfl[n + 1]]
check(changes, f"slow: CFL numbers {cfl}")
for n in (changes[0], changes[0] + 1, changes[0] - 2) if changes else ():
    run(case, "--restart", snapshot(whole, n), options=options(halves, [*slow, "output.every=0"]), np=2)
    same_fields(snapshot(whole, slow_end), snapshot(halves, slow_end), f"slow, from {n}")
# without lines of the table between, the same samples are taken
rare, rare_out = [*slow, "output.history_every=1000", "output.every=0"], os.path.join(top, "slow_rare")
run(case, options=options(rare_out, rare))
same_fields(snapshot(whole, slow_end), snapshot(rare_out, slow_end), "slow, few lines")
check([row["iteration"] for row in history(rare_out)] == ["0", str(slow_end)], "slow, few lines: the table")
steady_case = case
case = write_case(os.path.join(top, "given"), text=CASE.replace("cfl: 2, ", ""))
compare_second("unsteady_given", ["march.mode=unsteady", "march.time_step=1e-7"], ranks=(2, 1))
# dual: earlier states, the number of inner iterations and the means are part of the state; cut where no, one and two earlier
# states are known
dual = ["march.mode=unsteady", "march.method=dual", "march.time_step=2e-6", "scheme.flux=roe", "multigrid.levels=1",
        "gas={viscosity: sutherland, mu: 1e-4}", "boundaries.blade.type=wall_viscous", "turbulence.model=sst",
        "output.means_from=1", "march.inner_limit=2", "output.every=1", "march.iterations=4",
        "probes={near: {point: [0.01, 0.01, 0]}}"]
whole = os.path.join(top, "dual")
run(case, options=[*dual, f"output.folder={whole}"])
for n, ranks in ((1, 2), (3, 1)):
    again = os.path.join(top, f"dual_{n}")
    run(case, "--restart", snapshot(whole, n), options=[*dual, f"output.folder={again}"], np=ranks)
    same_fields(snapshot(whole, 4), snapshot(again, 4), f"dual, from step {n}")
check(any("PressureRMS" in name for name in fields(snapshot(whole, 4))), "dual: no means")


def nearest_state(out, iteration, point):
    """Centre, density, velocity, pressure and temperature of the cell of a snapshot that is nearest to a point."""
    best = (numpy.inf,)
    flow = fields(snapshot(out, iteration))
    with h5py.File(os.path.join(out, "grid.cgns")) as grid:
        for zone, node in grid["Base"].items():
            if not isinstance(node, h5py.Group) or "GridCoordinates" not in node:
                continue
            x = numpy.array([node[f"GridCoordinates/Coordinate{axis}/ data"][...] for axis in "XYZ"])
            for axis in (1, 2, 3):
                x = 0.5 * (numpy.take(x, range(1, x.shape[axis]), axis) + numpy.take(x, range(x.shape[axis] - 1), axis))
            far = numpy.linalg.norm(x - numpy.array(point)[:, None, None, None], axis=0)
            at = numpy.unravel_index(far.argmin(), far.shape)
            if far[at] < best[0]:
                rho, *m, energy = (flow[f"{zone}/{name}"][at] for name in (
                    "Density", "MomentumX", "MomentumY", "MomentumZ", "EnergyStagnationDensity"))
                u = numpy.array(m) / rho
                pressure = 0.4 * (energy - 0.5 * rho * u.dot(u))
                best = (far[at], x[:, at[0], at[1], at[2]], numpy.array([rho, *u, pressure, pressure / (rho * 287)]))
    return best[1:]


def probes(out):
    with h5py.File(os.path.join(out, "probes.h5")) as f:
        return {name: node[()] for name, node in f.items()}


# Probes: the values of the nearest cell, after a restart on other ranks, too
kept = probes(whole)
check(list(kept["iteration"]) == [1, 2, 3, 4], f"probes: {kept['iteration']}")
for n in range(1, 5):
    centre, state = nearest_state(whole, n, [0.01, 0.01, 0])
    check(numpy.allclose(kept["centre"][0], centre, rtol=0, atol=1e-12), f"probe at {kept['centre'][0]}, {centre}")
    check(numpy.allclose(kept["value"][n - 1, 0], state, rtol=1e-12, atol=1e-9),
          f"probe at step {n}: {kept['value'][n - 1, 0]}, snapshot {state}")
for n in (1, 3):
    again = probes(os.path.join(top, f"dual_{n}"))
    for name in ("iteration", "time", "value"):
        check(again[name].tobytes() == kept[name][n:].tobytes(), f"probes from step {n}: {name}: {again[name]}")
case = steady_case

# A named file, from another folder, while newer snapshots exist.
whole = os.path.join(top, "steady")
named = os.path.join(top, "named")
run(case, "--restart", snapshot(os.path.join(top, "steady_halves"), N), options=options(named), np=2)
same_fields(snapshot(whole, 2 * N), snapshot(named, 2 * N), "a named file")

# Back to an older snapshot: what was computed after it is replaced, not mixed in.
back = os.path.join(top, "back")
run(case, options=options(back, [f"output.every={N}"]))
run(case, "--restart", snapshot(back, N), options=options(back, ["march.cfl=1"]))
check(continuous(history(back)), "history.csv after going back")
run(case, "--restart", snapshot(back, N), options=options(back))
same_fields(snapshot(whole, 2 * N), snapshot(back, 2 * N), "going back twice")

# A fresh run in a used folder leaves no older run's snapshot as `latest`.
fresh = os.path.join(top, "fresh")
run(case, options=options(fresh))
run(case, options=options(fresh, [f"march.iterations={N}", "output.keep=1"]))
check(os.path.exists(snapshot(fresh, N)), "a fresh run in a used folder lost its snapshot")
run(case, "--restart", "latest", options=options(fresh))
same_fields(snapshot(whole, 2 * N), snapshot(fresh, 2 * N), "a fresh run in a used folder")

# The last iteration was reached already: nothing to do, nothing changed.
before = open(snapshot(whole, 2 * N), "rb").read()
lines = history(whole)
r = run(case, "--restart", "latest", options=options(whole))
check(open(snapshot(whole, 2 * N), "rb").read() == before, "a run with nothing to do wrote")
check(history(whole) == lines, "a run with nothing to do changed history.csv")
check("finished" in r.out, f"a run with nothing to do: {r}")

# The other precision: converted.
for precision, other in (("single", "double"), ("double", "single")):
    out = os.path.join(top, precision + "_to_" + other)
    first_half(out, [f"precision={precision}"])
    run(case, "--restart", "latest", options=options(out, [f"precision={other}"]), np=2)
    values = fields(snapshot(out, 2 * N))
    check({v.dtype.itemsize for v in values.values()} == {8 if other == "double" else 4},
          f"{precision} to {other}: stored in another precision")
    exact = fields(snapshot(whole, 2 * N))
    worst = max(numpy.abs(values[n] - exact[n]).max() / numpy.abs(exact[n]).max() for n in exact
                if not n.endswith("MomentumZ"))
    check(worst < 1e-3, f"{precision} to {other}: off by {worst}")

# Another mesh, and another case, which is allowed but said.
r = run(case, "--restart", snapshot(whole, 2 * N), np=2, expect=INPUT,
        options=[f"mesh={ROOT}/flat.cgns", f"output.folder={top}/other"])
check("mesh" in r.err, f"another mesh: {r}")
finish()
