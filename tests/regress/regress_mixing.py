"""A stage through a mixing plane end to end (cases/stage, coarse): implicit marches with multigrid and
Spalart-Allmaras the same on 1, 2 and 4 ranks, through restarts, and by the CUDA kernels on the host with
recorded iterations; what `check` refuses.
"""
import os
import subprocess

from regress import *

top = folder("mixing")
case = coarse_stage(top)
implicit = ["march.method=implicit", "march.residual_smoothing=none", "multigrid.levels=3", "march.cfl=2",
            "march.cfl_start=1", "march.smooth_start=0", "output.history_every=4"]


def out_of(name):
    return os.path.join(top, name)


def march(name, iterations, *more, **how):
    return run(case, *more, options=[f"output.folder={out_of(name)}", f"march.iterations={iterations}",
                                     *implicit, *how.pop("options", [])], **how)


# any number of ranks
for np in (1, 2, 4):
    march(str(np), 8, np=np)
    if np > 1:
        same_fields(snapshot(out_of("1"), 8), snapshot(out_of(str(np)), 8), f"{np} ranks against one")
# a restart
march("again", 3)
march("again", 8, "--restart", "latest", np=2)
same_fields(snapshot(out_of("1"), 8), snapshot(out_of("again"), 8), "restart")
# what leaves the stator enters the rotor: the gap closes while the flow still moves
rows = run_json(out_of("1"))["rows"]
check([q["name"] for q in rows] == ["stator", "rotor", "machine"] and rows[0]["sectors"] == 36
      and rows[1]["sectors"] == 45, f"{rows}")

# the mesh says which boundaries are a mixing plane: the case need not
tool(top, os.path.join(BIN, "mesh_join"), "-o", "average.cgns", "--plane", "stator_outlet=rotor_inlet",
     "stator=stator.cgns", "rotor=rotor.cgns")
with open(case) as f:
    lines = [line for line in f if "mixing_plane" not in line]
short = os.path.join(top, "average.yaml")
with open(short, "w") as f:
    f.writelines(lines)
r = annulus("info", os.path.join(top, "average.cgns"))
check("mixing plane with rotor_inlet" in r.out, f"info: {r}")
run(short, options=[f"output.folder={out_of('average')}", "mesh=average.cgns", "march.iterations=8", *implicit])
same_history(out_of("1"), out_of("average"), "planes of the mesh")

# a row between two planes keeps the names of both
rows = ["stator=stator.cgns", "rotor=rotor.cgns", "last=stator.cgns"]
tool(top, os.path.join(BIN, "mesh_join"), "-o", "three.cgns", "--plane", "stator_outlet=rotor_inlet",
     "--plane", "rotor_outlet=last_inlet", *rows)
r = annulus("info", os.path.join(top, "three.cgns"))
for words in ("rotor_inlet", "rotor_outlet", "stator_outlet", "last_inlet"):
    check(f"mixing plane with {words}" in r.out, f"three rows: {r}")
check("#" not in r.out, f"three rows: {r}")

# joins that are refused
os.symlink("rotor.cgns", out_of("link.cgns"))
size = os.path.getsize(out_of("rotor.cgns"))
for options, words in (
        (["-o", "no.cgns", "--plane", "stator_inlet=stator_outlet"], "are both of row 'stator'"),
        (["-o", "rotor.cgns"], "it would be written over"), (["-o", "link.cgns"], "it would be written over"),
        (["-o", "nowhere/no.cgns"], "nowhere/no.cgns.part cannot be written: ")):
    made = subprocess.run([os.path.join(BIN, "mesh_join"), *options, *rows], cwd=top, capture_output=True, text=True)
    check(made.returncode == (1 if "nowhere" in words else INPUT) and words in made.stderr, f"{options}: {made}")
check(os.path.getsize(out_of("rotor.cgns")) == size and not os.path.exists(out_of("no.cgns")), "a join wrote")

# refused, in plain words
for options, words in (
        (["boundaries.rotor_inlet.with=stator_inlet"], "its other side 'stator_inlet' is inlet_total"),
        (["boundaries.rotor_inlet.with=nothing"], "its other side 'nothing' is no boundary of the mesh"),
        (["boundaries.rotor_inlet.with=rotor_inlet"], "has itself as its other side")):
    r = annulus("check", case, options=options)
    check(r.code == INPUT and words in r.err, f"{options}: {r}")
with open(case) as f:
    text = f.read()


def changed(*lines):
    """The case with lines replaced, two by two."""
    other = text
    for old, new in zip(lines[::2], lines[1::2]):
        check(old in other, f"the case no longer has {old}")
        other = other.replace(old, new)
    path = os.path.join(top, "changed.yaml")
    with open(path, "w") as f:
        f.write(other)
    return annulus("check", path)


r = changed("rotor_inlet: {type: mixing_plane, with: stator_outlet}", "rotor_inlet: {type: symmetry}")
check(r.code == INPUT and "needs two sides of type mixing_plane" in r.err, f"one side: {r}")
inlet = "stator_inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, 0]}"
outlet = "stator_outlet: {type: mixing_plane, with: rotor_inlet}"
wrong = ("stator_outlet: {type: outlet_static, p: 1.0e5}", "stator_inlet: {type: mixing_plane, with: rotor_inlet}")
r = changed(inlet, "#", outlet, wrong[1] + "\n  " + wrong[0])
check(r.code == INPUT and "no boundary" not in r.err and "its other side 'stator_outlet' is outlet_static" in r.err,
      f"sides that differ: {r}")
r = changed(inlet, "#", outlet, wrong[1] + "\n  " + wrong[0], "with: stator_outlet", "with: stator_inlet")
check(r.code == INPUT and "do not lie on each other" in r.err, f"spans: {r}")
finish()
