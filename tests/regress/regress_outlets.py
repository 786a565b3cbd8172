"""Outlets whose pressure and inlets whose total pressure follow the flow: the mass flow wanted is reached, a
throttle ends on its line, on any number of ranks, and what cannot be is refused in plain words. The tiny LS89, subsonic; a vane
whose wanted mass flow settles about as fast as a pressure does.
"""
import os

from regress import *

top = folder("outlets")
case = write_case(top, text=CASE.replace("iterations: 40", "iterations: 3000, smooth_start: 300"))
EVERY = ["output.history_every=100", "boundaries.outlet.p=1.2e5"]


def last(name, more, np=1, expect=DONE):
    out = os.path.join(top, name)
    run(case, np=np, options=[*EVERY, f"output.folder={out}", *more], expect=expect, timeout=120)
    return {key: float(value) if value else None for key, value in history(out)[-1].items()}


def near(value, wanted, part, what):
    check(abs(value / wanted - 1) <= part, f"{what}: {value}, wanted {wanted}")


def told(name, quantity):
    """What run.json and the last line of history.csv say of the one boundary under control."""
    out = os.path.join(top, name)
    one, = run_json(out)["controls"]
    value = float(history(out)[-1][f"{one['boundary']}_{quantity}_Pa"])
    check(abs(one["value_Pa"] / value - 1) < 0.02, f"{name}: {one} but {value} Pa in history.csv")
    return one


flow = last("mass_flow", ["boundaries.outlet.mass_flow=0.026"])
one = told("mass_flow", "p")
near(one["mass_flow_kg_s"], 0.026, 2e-3, "mass flow in run.json")
near(one["value_Pa"], flow["back_pressure_Pa"], 1e-3, "pressure in run.json")
check(one["start_Pa"] == 1.2e5 and one["wanted_kg_s"] == 0.026, f"run.json: {one}")
check(not any("mass_flow" in w for w in run_json(os.path.join(top, "mass_flow"))["warnings"]), "a needless warning")
near(flow["mass_out_kg_s"], 0.026, 2e-3, "mass flow")
check(1.22e5 < flow["back_pressure_Pa"] < 1.3e5, f"pressure {flow['back_pressure_Pa']}")
flow = last("throttle", ["boundaries.outlet.throttle_mass_flow=0.026"])
near(flow["back_pressure_Pa"], 1.2e5 * (flow["mass_out_kg_s"] / 0.026) ** 2, 5e-3, "throttle")
check(flow["back_pressure_Pa"] > 1.21e5, f"throttle: {flow['back_pressure_Pa']}")
check(not any("its throttle" in w for w in run_json(os.path.join(top, "throttle"))["warnings"]), "a needless warning")
flow = last("behind", ["boundaries.outlet={throttle_mass_flow: 0.026, throttle_p: 1.0e5}"])
near(flow["back_pressure_Pa"], 1e5 + 0.2e5 * (flow["mass_out_kg_s"] / 0.026) ** 2, 5e-3, "throttle_p")

# Rules of stop that hold at once do not end a run whose throttle is on its way; what ends before says so.
last("on_its_way", ["boundaries.outlet={throttle_mass_flow: 0.02, throttle_p: 1.0e5}", "march.iterations=100",
                    "march.mass_imbalance=1", "output.history_every=10"])
warnings = [w for w in run_json(os.path.join(top, "on_its_way"))["warnings"] if "at which its throttle would stand" in w]
check(len(warnings) == 1 and len(history(os.path.join(top, "on_its_way"))) >= 10, f"on its way: {warnings}")

# More than the passage can pass: the pressure falls and falls, and the end says so.
last("choked", ["boundaries.outlet.mass_flow=0.06", "march.iterations=300"])
warnings = [w for w in run_json(os.path.join(top, "choked"))["warnings"] if "its mass_flow is 0.06 kg/s" in w]
check(len(warnings) == 1 and "boundary 'outlet' passes 0.0" in warnings[0] and "from 120000 to " in warnings[0],
      f"choked: {run_json(os.path.join(top, 'choked'))['warnings']}")

# An inlet of given mass flow: a run with the total pressure that it reaches has that mass flow.
flow = last("inlet", ["boundaries.inlet.mass_flow=0.026"])
one = told("inlet", "p0")
near(flow["mass_in_kg_s"], 0.026, 1e-4, "mass flow of the inlet")
check(one["boundary"] == "inlet" and one["quantity"] == "p0" and one["start_Pa"] == 1.596e5, f"run.json: {one}")
check(flow["back_pressure_Pa"] == 1.2e5, f"the outlet moved to {flow['back_pressure_Pa']} Pa")
flow = last("inlet_given", [f"boundaries.inlet.p0={one['value_Pa']}"])
near(flow["mass_in_kg_s"], 0.026, 2e-4, "mass flow with the total pressure reached")

last("inlet_choked", ["boundaries.inlet.mass_flow=5", "march.iterations=300"])
warnings = [w for w in run_json(os.path.join(top, "inlet_choked"))["warnings"] if "its mass_flow is 5 kg/s" in w]
check(len(warnings) == 1 and "its p0 has gone from 159600 to " in warnings[0] and "at Mach number 1" in warnings[0],
      f"choked: {run_json(os.path.join(top, 'inlet_choked'))['warnings']}")

few = ["boundaries.outlet={mass_flow: 0.02, control_every: 3}", "march.iterations=20", "output.history_every=5"]
for np in (1, 2, 4):
    last(f"ranks{np}", few, np=np)
    if np > 1:
        same_history(os.path.join(top, "ranks1"), os.path.join(top, f"ranks{np}"), f"{np} ranks")
        same_fields(snapshot(os.path.join(top, "ranks1"), 20), snapshot(os.path.join(top, f"ranks{np}"), 20),
                    f"{np} ranks")

few[0] = "boundaries.inlet={mass_flow: 0.02, control_every: 3}"
for np in (1, 2, 4):
    last(f"inlet_ranks{np}", few, np=np)
    if np > 1:
        same_history(os.path.join(top, "inlet_ranks1"), os.path.join(top, f"inlet_ranks{np}"), f"inlet, {np} ranks")
        same_fields(snapshot(os.path.join(top, "inlet_ranks1"), 20),
                    snapshot(os.path.join(top, f"inlet_ranks{np}"), 20), f"inlet, {np} ranks")

for options, words in (
        (["boundaries.inlet.mass_flow=0"], "'boundaries.inlet.mass_flow' is 0 kg/s, but must be > 0"),
        (["boundaries.inlet.mass_flow=-1"], "'boundaries.inlet.mass_flow' is -1 kg/s, but must be > 0"),
        (["boundaries.inlet.mass_flow=.nan"], "'boundaries.inlet.mass_flow' needs a number, not '.nan'"),
        (["boundaries.inlet.mass_flow=1", "boundaries.outlet.mass_flow=1"],
         "'boundaries.inlet.mass_flow' and 'boundaries.outlet.mass_flow' are both given: nothing fixes the level of the"),
        (["boundaries.inlet.mass_flow=1", "map.vary=mass_flow"],
         "'boundaries.inlet.mass_flow' and 'map.vary: mass_flow' are both given: nothing fixes the level of the pressure"),
        (["boundaries.inlet={mass_flow: 1, non_reflecting: true}"],
         "'boundaries.inlet.mass_flow' and 'boundaries.inlet.non_reflecting' are both given; keep one"),
        (["boundaries.inlet.mass_flow=1", "march.mode=unsteady", "march.end_time=1", "march.smooth_start=0"],
         "'boundaries.inlet.mass_flow' needs 'march.mode: steady'"),
        (["boundaries.outlet={mass_flow: 1, throttle_mass_flow: 1}"], "both given; keep one"),
        (["boundaries.outlet.throttle_p=1"], "'boundaries.outlet.throttle_p' needs 'throttle_mass_flow'"),
        (["boundaries.outlet={throttle_mass_flow: 1, throttle_p: 2e5}"], "must be below 'p', which is 120000 Pa"),
        (["boundaries.outlet.mass_flow=-1"], "'boundaries.outlet.mass_flow' is -1 kg/s, but must be >= 0"),
        (["boundaries.outlet.mass_flow=1", "march.mode=unsteady", "march.end_time=1", "march.smooth_start=0"],
         "need 'march.mode: steady'")):
    r = annulus("check", case, options=[*EVERY, *options])
    check(r.code == INPUT and words in r.err, f"{options}: {r}")
# A vane with viscous walls settles with a wanted mass flow in at most 1.8 times the cycles that a given pressure takes.
VANE = """case: a vane
mesh: vane.cgns
device: cpu
gas: {gamma: 1.4, R: 287.05, viscosity: sutherland}
turbulence: {model: sa}
rows:
  vane: {zones: ["*"], omega: 0, blades: 36}
march: {iterations: 600}
stop: {mass_flow: 1.0e-3, pressure_ratio: 1.0e-3, window: 50}
initial: {p: 0.9e5, T: 300, mach: 0.2, direction: [1, 0, 0]}
boundaries:
  inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, 0]}
  outlet: {type: outlet_static, p: 0.85e5}
output: {folder: out, every: 0, history_every: 5}
"""
with open(os.path.join(top, "vane.csv"), "w") as f:
    f.write("x, r, axial_chord, beta_1, beta_2, thickness\n0, 0.26, 0.04, 0, 60, 0.1\n0, 0.34, 0.04, 0, 60, 0.1\n")
with open(os.path.join(top, "vane.yaml"), "w") as f:
    f.write(VANE)
if tool(top, os.path.join(BIN, "mesh_row"), "--from-angles", "vane.csv", "--blades", "36", "--cells", "1e4", "--first-cell", "2e-4", "-o", "vane.cgns"):
    cycles = {}
    for name, more in (("vane_p", []), ("vane_flow", ["boundaries.outlet.mass_flow=17.0"])):
        run(os.path.join(top, "vane.yaml"), options=[f"output.folder={os.path.join(top, name)}", *more], timeout=400)
        line = history(os.path.join(top, name))[-1]
        cycles[name] = int(line["iteration"])
        check(run_json(os.path.join(top, name))["settled"], f"{name} has not settled in {cycles[name]} cycles")
    near(float(line["vane_mass_out_kg_s"]), 17.0, 1e-3, "mass flow of the vane")
    check(cycles["vane_flow"] <= 1.8 * cycles["vane_p"], f"a wanted mass flow settles too slowly: {cycles}")
finish()
