"""Modes of the wall pressure (output.modes) against the signal of the same cells in time.

A vane with a viscous blade whose inlet pulsates at 2 kHz (a profile with time_s). Probes record cells at the blade in every
step; mean, amplitudes and phases of the wall file are those of a least-squares fit of the signal, within what single steps
of the run's precision allow. The same bits on one and two ranks, behind a restart, and where the states before
modes_from do not count. Faulty keys are refused. regress_passing tests the passing frequencies at sliding planes.
"""
import os
import sys

from regress import *

sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
import annulus as python  # noqa: E402

F, N = 2000.0, 60
top = folder("modes")
case = write_case(top)
with open(os.path.join(top, "pulse.csv"), "w") as f:
    f.write("span,time_s,p0_Pa\n")
    for n in range(9):
        for span in (0, 1):
            f.write(f"{span},{n / 8 / F:.9g},{1.596e5 * (1 + 0.02 * numpy.cos(2 * numpy.pi * n / 8)):.9g}\n")
KEYS = ["gas={viscosity: sutherland, mu: 1e-3}", "boundaries.blade={type: wall_viscous}", "scheme.flux=roe", "multigrid.levels=1",
        "boundaries.inlet={type: inlet_total, p0: 1.596e5, T0: 420, direction: [1, 0, 0], profile: pulse.csv, "
        f"profile_period: {1 / F:.9g}}}", "march.mode=unsteady", "march.method=dual", f"march.time_step={1 / F / 25:.9g}",
        "march.inner_iterations=3", f"march.iterations={N}", "output.every=20", "march.cfl=100"]
MODES = ["output.modes=2", f"output.mode_frequencies=[{F}]", "output.modes_from=10"]


def wall_file(out, iteration=N):
    return os.path.join(out, f"wall_{iteration:08d}.cgns")


def centres(path):
    """{zone: centres of its faces, [3, nj, ni]}"""
    found = {}
    with h5py.File(path, "r") as f:
        for name, zone in f["Base"].items():
            if isinstance(zone, h5py.Group) and "GridCoordinates" in zone:
                x = numpy.array([zone["GridCoordinates"]["Coordinate" + c][" data"][()] for c in "XYZ"])
                found[name] = 0.25 * (x[:, 1:, 1:] + x[:, :-1, 1:] + x[:, 1:, :-1] + x[:, :-1, :-1])
    return found


# a first run only says where the walls are
plain = os.path.join(top, "plain")
run(case, options=[*KEYS, f"output.folder={plain}", "march.iterations=1", "output.every=0"])
check("Frequency1" not in str(fields(wall_file(plain, 1)).keys()), "modes that nobody asked for")
faces = [(zone, at, x[:, at[0], at[1]]) for zone, x in centres(wall_file(plain, 1)).items()
         for at in ((0, x.shape[2] // 3), (x.shape[1] // 2, x.shape[2] // 2))][:4]
probes = ", ".join(f"p{n}: {{point: [{x[0]:.12g}, {x[1]:.12g}, {x[2]:.12g}]}}" for n, (_, _, x) in enumerate(faces))
KEYS.append(f"probes={{{probes}}}")

for precision, tolerance in (("double", 1e-7), ("single", 2e-3)):
    out = os.path.join(top, precision)
    r = run(case, options=[*KEYS, *MODES, f"precision={precision}", f"output.folder={out}"])
    check("1 at 2000 Hz, 2 at 4000 Hz" in r.out and "of 50 states" in r.out, f"{precision}: {r}")
    signals, wall = python.signals(out), fields(wall_file(out))
    counted = signals.time > 10.5 / F / 25
    for n, (zone, at, _) in enumerate(faces):
        tones = python.modes(signals.time[counted], signals[f"p{n}.Pressure"][counted], [F, 2 * F])
        found = {name: wall[f"{zone}/{name}"][at] for name in (
            "PressureMean", "Frequency1", "PressureAmplitude1", "PhaseOfPressure1", "PressureAmplitude2", "PhaseOfPressure2")}
        size = tones.amplitude[0]
        check(size > 100 and found["Frequency1"] == F, f"{precision}, {zone}: {found}")
        pairs = [(tones.mean - found["PressureMean"])] + [
            tones.amplitude[k - 1] * numpy.exp(1j * numpy.radians(tones.phase[k - 1]))
            - found[f"PressureAmplitude{k}"] * numpy.exp(1j * numpy.radians(found[f"PhaseOfPressure{k}"])) for k in (1, 2)]
        check(max(abs(p) for p in pairs) < tolerance * size,
              f"{precision}, {zone} {at}: {found}, signal {tones.mean} {tones.amplitude} {tones.phase}")
    check("Frequency1" not in str(fields(wall_file(out, 20)).keys()), f"{precision}: modes of ten states")

whole = os.path.join(top, "double")
for name, np, start in (("ranks", 2, None), ("again", 1, 40), ("again_early", 2, 20)):
    out = os.path.join(top, name)
    restart = ("--restart", snapshot(whole, start)) if start else ()
    run(case, *restart, np=np, options=[*KEYS, *MODES, "precision=double", f"output.folder={out}"])
    same_fields(snapshot(whole, N), snapshot(out, N), f"modes, {name}")
    same_fields(wall_file(whole), wall_file(out), f"modes, {name}, walls")
# other frequencies: the sums begin anew
out = os.path.join(top, "other")
r = run(case, "--restart", snapshot(whole, 40), options=[
    *KEYS, "output.modes=1", "output.mode_frequencies=[4000]", "precision=double", f"output.folder={out}"])
check("of 20 states" in r.out, f"other frequencies: {r}")

for text, options in (
        ("'output.modes' needs 'march.mode: unsteady'", ["output.modes=1"]),
        ("'output.modes_from' needs 'output.modes'", [*KEYS, "output.modes_from=3"]),
        ("no row passes another at a sliding plane", [*KEYS, "output.modes=1"]),
        ("'output.modes' needs viscous flow", [*KEYS, *MODES, "output.walls=false"]),
        ("has 1.67 time steps", [*KEYS, "output.modes=1", f"output.mode_frequencies=[{15 * F}]"]),
        ("more than 20 modes", [*KEYS, "output.modes=11", f"output.mode_frequencies=[{F}, {0.9 * F}]"])):
    r = annulus("check", case, options=options)
    check(r.code == INPUT and text in " ".join((r.out + r.err).split()), f"{text}: {r}")
finish()
