"""Film-cooling holes end to end, on a sector of an annular duct (tools/programs/mesh_duct): viscous walls, implicit marches with
multigrid; ranks, restarts and the CUDA engine's code give the same bits; what enters goes out; wall files have the film
effectiveness; what cannot be is refused with file, line and hole, and what is doubtful is said.
"""
import math
import os
import subprocess

from regress import *

CASE = """case: duct with holes
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05, viscosity: sutherland}}
turbulence: {{model: sst}}
march: {{iterations: 24}}
multigrid: {{levels: 2}}
initial: {{p: 1.0e5, T: 300, mach: 0.25}}
rows: {{rotor: {{zones: ["*"], omega: 100, blades: 24}}}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.05e5, T0: 300, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: wall_viscous, holes: holes.csv}}
  casing: {{type: wall_viscous}}
output: {{folder: out, every: 0, history_every: 4, walls: true}}
"""

top = folder("holes")
mesh = os.path.join(top, "duct.cgns")
made = subprocess.run([os.path.join(BIN, "mesh_duct"), "-o", mesh, "-s", "24", "-n", "32,16,8", "-f", "0.004"], capture_output=True,
                      text=True, timeout=60)
if not check(made.returncode == 0, f"mesh_duct: {made}"):
    finish()
case = write_case(top, mesh=mesh, text=CASE)


def place(angle, r=0.5):
    return f"{r * math.cos(math.radians(angle)):.17g},{r * math.sin(math.radians(angle)):.17g}"


def write_holes(text):
    with open(os.path.join(top, "holes.csv"), "w", encoding="utf-8") as f:
        f.write(text)


def out_of(name):
    return os.path.join(top, name)


def field(name, what):
    walls = sorted(n for n in os.listdir(out_of(name)) if n.startswith("wall_"))
    with h5py.File(os.path.join(out_of(name), walls[-1]), "r") as f:
        return {z: g[f"FlowSolution/{what}/ data"][...] if what in g["FlowSolution"] else None
                for z, g in f["Base"].items() if isinstance(g, h5py.Group) and "FlowSolution" in g}


HEAD = "x_m,y_m,z_m,x2_m,count,diameter_m,alpha_deg,blowing_ratio,T0_K\n"
ROW = HEAD + f"0.1,{place(-3)},0.22,3,0.03,30,0.5,250\n"
write_holes(ROW + f"0.25,{place(4)},0.35,2,0.03,30,0.4,250\n")
for np in (1, 2, 4):
    r = run(case, np=np, options=[f"output.folder={out_of(str(np))}"])
    check("holes       hub: 5 of" in r.out and "cells across" in r.out, f"start: {r}")
    check("of holes; T0 " in r.out, f"start: {r}")
    check("of 5 jets lift off" in r.out, f"end: {r}")
    if np > 1:
        same_history(out_of("1"), out_of(str(np)), f"{np} ranks against one")
        same_fields(snapshot(out_of("1"), 24), snapshot(out_of(str(np)), 24), f"{np} ranks against one")
run(case, options=[f"output.folder={out_of('again')}", "march.iterations=13"])
run(case, "--restart", "latest", np=2, options=[f"output.folder={out_of('again')}"])
same_fields(snapshot(out_of("1"), 24), snapshot(out_of("again"), 24), "restart")
run(case, "--device", "emulated", options=[f"output.folder={out_of('emulated')}"])
same_fields(snapshot(out_of("1"), 24), snapshot(out_of("emulated"), 24), "emulated engine")
run(case, options=[f"output.folder={out_of('sa')}", "turbulence.model=sa"])
run(case, np=2, options=[f"output.folder={out_of('sa2')}", "turbulence.model=sa"])
same_fields(snapshot(out_of("sa"), 24), snapshot(out_of("sa2"), 24), "sa: ranks")

# a converged flow: what enters goes out; the film is cold on the hub behind the holes, and absent on the casing
far = ["march.iterations=300", "march.cfl=50", "output.history_every=50"]
run(case, options=[f"output.folder={out_of('far')}", *far], timeout=200)
last = {key: float(value) for key, value in history(out_of("far"))[-1].items() if value}
check(abs(last["imbalance"]) < 2e-4, f"imbalance: {last['imbalance']}")
check(last["machine_coolant_kg_s"] > 0, "no coolant in the balance of the machine")
eta = field("far", "FilmEffectiveness")
check(len(eta) == 2 and all(v is not None for v in eta.values()), f"FilmEffectiveness: {list(eta)}")
most = sorted(v.max() for v in eta.values())
check(0.1 < most[1] < 1 and abs(most[0]) < 0.15, f"largest effectiveness {most}")
run(case, options=[f"output.folder={out_of('warm')}", *far, "output.heat_reference=350"], timeout=200)
warm = sorted(v.max() for v in field("warm", "FilmEffectiveness").values())
check(warm[1] > most[1] + 0.05, f"another reference: {warm}, {most}")

# mass flows: given; from the supply; a half beyond the end of the wall
given = "x_m,y_m,z_m,diameter_m,mass_flow_kg_s,T0_K\n"
write_holes(given + f"0.25,{place(0)},0.05,2e-3,250\n")
r = run(case, options=[f"output.folder={out_of('given')}", "march.iterations=2"])
check("cooling     hub: 0.048 kg/s of the annulus, 0.002 of the mesh (1/24)" in r.out, f"given: {r}")
write_holes(given + f"0.25,{place(7.5)},0.05,2e-3,250\n")
r = run(case, options=[f"output.folder={out_of('half')}", "march.iterations=2"])
check("cooling     hub: 0.024 kg/s of the annulus, 0.001 of the mesh (1/24)" in r.out and
      "; 1 over the edge of the wall, with 0.5 or more of their area on it" in r.out, f"half of a hole: {r}")
write_holes("x_m,y_m,z_m,diameter_m,p0_Pa,T0_K,discharge\n" + f"0.25,{place(0)},0.05,1.1e5,250,0.8\n")
r = run(case, options=[f"output.folder={out_of('supply')}", "march.iterations=2"])
check("holes       hub: 0.2" in r.out and "no gas enters" not in r.out, f"supply: {r}")

# what cannot be
for text, words in (
        (given + f"0.25,{place(0, 0.6)},0.05,2e-3,250\n", "holes.csv:2: the hole at (0.25, "),
        (given + f"0.25,{place(0, 0.6)},0.05,2e-3,250\n", " m away from the wall 'hub', more than its radius of 0.025 m"),
        (given + f"0.75,{place(0)},0.05,2e-3,250\n", " m away from the wall 'hub'"),
        (given + f"0.25,{place(0)},0.05,2e-3,250\n0.28,{place(0)},0.05,2e-3,250\n",
         "holes.csv:3: the hole overlaps a hole of line 2: their centres are 0.03 m apart"),
        (ROW + f"0.11,{place(-3)},0.23,3,0.03,30,0.5,250\n", "holes.csv:3: hole 1 of the row overlaps a hole of line 2"),
        ("x_m,y_m,z_m,along_y,along_z,diameter_m,mass_flow_kg_s,T0_K\n" + f"0.25,{place(0)},-{place(0)},0.05,2e-3,250\n",
         "of along_x, along_y, along_z is normal to the wall there"),
        (given.replace("T0_K", "T0") + "0,0,0,1,1,1\n", "holes.csv:1:"),
        (given + f"0.25,{place(0)},50,2e-3,250\n", "holes.csv:2: the hole has a diameter of 50 m, but the wall 'hub' is only 0.5 m long"),
        (given, "holes.csv: the file has no line with a hole")):
    write_holes(text)
    r = annulus("check", case, timeout=60)
    check(r.code == INPUT and words in r.err, f"{text}: {r}")
write_holes(given + f"0.25,{place(0)},0.05,2e-3,250\n")
for options, words in (
        (["boundaries.hub.holes=nothing.csv"], "nothing.csv"),
        (["boundaries.hub={type: cooling, mass_flow: 1, T0: 300, mach: 0.3, holes: holes.csv}"], "holes"),
        (["scalars={dye: {schmidt: 0.7}}"], "passive scalars do not pass 'boundaries.hub.holes'")):
    r = annulus("check", case, options=options, timeout=60)
    check(r.code == INPUT and words in r.err, f"{options}: {r}")

# what is doubtful
write_holes(given + f"0.25,{place(0)},0.005,2e-6,250\n")
r = annulus("check", case, timeout=60)
check(r.code == 0 and "the hole has 0.3" in r.out + r.err and "cells of the wall across its diameter" in r.out + r.err, f"small: {r}")
write_holes(given + f"0.25,{place(0)},0.03,0.2,250\n")
r = run(case, options=[f"output.folder={out_of('lifts')}", "march.iterations=4"])
check("it lifts off the wall, as 1 of the 1 holes of 'hub' do" in r.out and "against the stream" not in r.out, f"lifts: {r}")
# against the stream; more than the hole can pass; a supply without pressure, of holes of a wall without friction
write_holes(given.replace("\n", ",beta_deg\n") + f"0.25,{place(0)},0.03,2,250,180\n")
r = run(case, options=[f"output.folder={out_of('against')}", "march.iterations=4"])
check("holes.csv:2: the jet blows against the stream, at 1" in r.out and "of the jet would need " in r.out, f"against: {r}")
write_holes("x_m,y_m,z_m,diameter_m,p0_bar,T0_C\n" + f"0.25,{place(0)},0.003,0.5,-20\n")
r = run(case, options=[f"output.folder={out_of('dry')}", "march.iterations=4", "boundaries.hub={type: wall_slip, holes: holes.csv}"])
check("so that no gas enters" in r.out and "has 0.1" in r.out, f"dry: {r}")
finish()
