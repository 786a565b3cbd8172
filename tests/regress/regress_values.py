"""Values with a unit are judged in the same way wherever the user gave them: by keys, by --set, in lines of profiles over span,
angle and time, and as settings of a map; time steps beside what passes; and what a run leaves out because it comes too late.

Two ducts of 10 degrees, one behind the other (tools/programs/mesh_duct, mesh_join); the second turns at 300 rad/s, 36 passages each.
The rules themselves: tests/unit/test_plausible.c.
"""
import math
import os
import re
import subprocess

from regress import *

SLIDE = """case: two ducts
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.05, viscosity: constant, mu: 1e-4}}
scheme: {{flux: roe}}
march: {{mode: unsteady, method: dual, steps_per_passing: 40, iterations: 3}}
initial: {{p: 1.0e5, T: 300, velocity: [170, 0, 0]}}
rows:
  a: {{zones: ["a_*"], omega: 0, blades: 36}}
  b: {{zones: ["b_*"], omega: 300, blades: 36}}
boundaries:
  a_inlet: {{type: inlet_total, p0: 1.18e5, T0: 315, direction: [1, 0, 0]}}
  b_outlet: {{type: outlet_static, p: 1.0e5}}
  a_outlet: {{type: sliding_plane, with: b_inlet}}
  b_inlet: {{type: sliding_plane, with: a_outlet}}
  "*_hub": {{type: wall_viscous, omega: 0}}
  "*_casing": {{type: wall_slip}}
output: {{folder: out, every: 0, history_every: 1}}
"""
DUCT = """case: a duct
mesh: {mesh}
precision: double
device: cpu
gas: {{R: 287.05}}
scheme: {{flux: roe}}
march: {{method: implicit, iterations: 4, cfl: 20}}
initial: {{p: 1.0e5, T: 300, velocity: [170, 0, 0]}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.18e5, T0: 315, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: 1.0e5}}
  hub: {{type: wall_slip}}
  casing: {{type: wall_slip}}
output: {{folder: out, every: 0, history_every: 1}}
"""

top = folder("values")


def tool(name, *words):
    made = subprocess.run([os.path.join(BIN, name), *words], cwd=top, capture_output=True, text=True, timeout=120)
    if not check(made.returncode == 0, f"{name}: {made}"):
        finish()


for row in range(2):
    tool("mesh_duct", "-o", f"{row}.cgns", "-n", "6,4,12", "-l", "0.03", "-s", "36")
    with h5py.File(os.path.join(top, f"{row}.cgns"), "r+") as f:
        x = f["Base/duct/GridCoordinates/CoordinateX/ data"]
        x[...] = x[...] - x[...].min() + 0.03 * row
        ends = [f[f"Base/duct/GridCoordinates/Coordinate{c}/ data"][...] for c in "YZ"]
tool("mesh_join", "-o", "two.cgns", "a=0.cgns", "b=1.cgns")
radius = [numpy.hypot(*ends).min(), numpy.hypot(*ends).max()]
slide = write_case(folder("values/slide"), f"{top}/two.cgns", SLIDE)
mix = write_case(folder("values/mix"), f"{top}/two.cgns", SLIDE.replace("sliding_plane", "mixing_plane").replace(
    "mode: unsteady, method: dual, steps_per_passing: 40, ", ""))
duct = write_case(folder("values/duct"), f"{top}/0.cgns", DUCT)


def profile(case, text, name="profile.csv"):
    """Writes a profile beside the case; returns its option."""
    with open(os.path.join(os.path.dirname(case), name), "w") as f:
        f.write(text)
    return f"boundaries.{'a_inlet' if case != duct else 'inlet'}.profile={name}"


def words(r):
    """What was said, each sentence in one line."""
    return re.sub(r"\s+", " ", r.out + r.err)


def says(what, case, expect, *told, options=(), command="run"):
    """Runs and checks; `told` in output or error. Doubtful values are told at the start and at the end, by `check` once."""
    for one, number in ((command, 2), ("check", 1)):
        r = annulus(one, case, options=[*options, f"output.folder={top}/out_says"])
        check(r.code == expect, f"{what}: exit code {expect} expected: {r}")
        for text in told:
            found = words(r).count(text)
            check(found == (1 if expect == INPUT else number) or (expect == INPUT and found), f"{what}: '{text}' {found} times: {r}")


def silent(what, case, options=(), but=None):
    r = run(case, options=[*options, f"output.folder={top}/out_silent"])
    doubts = [line for line in re.split("warning", words(r))[1:] if "plausible" in line or (but and but in line)]
    check(not doubts, f"{what}: a warning without a reason: {doubts} {r}")
    return r


# nothing is said of what is right: keys, profiles in pascal and kelvin, steps of a fortieth of a passing
silent("keys", slide)
silent("a duct", duct)
for case in (slide, duct):
    silent("a profile", case, [profile(case, "span,p0_Pa,T0_K,swirl_deg,pitch_deg\n0,1.17e5,312,5,0\n1,1.19e5,318,-5,0\n")])

# total pressures: by a key, by a line of a profile, over angle and time. Where nothing turns gas would enter at the outlet; where
# a row turns, it could not raise the pressure so far
angles = "span,theta_deg,p0_Pa\n" + "".join(f"{s},{10 * n / 4:g},{p:g}\n" for n, p in enumerate((118, 119, 118.5, 118.2, 118)) for s in (0, 1))
times = "span,time_s,p0_Pa\n" + "".join(f"{s},{1e-3 * n:g},{118 + n:g}\n" for n in range(4) for s in (0, 1))
for what, text, line in (("span", "span,p0_Pa\n0,118\n1,117\n", 2), ("angle", angles, 4), ("time", times, 8)):
    option = profile(slide, text)
    says(f"kPa by {what}", slide, INPUT, f"profile.csv:{line}: p0_Pa", "times the rise of pressure that the rows could make", options=[option])
    r = annulus("run", slide, options=[option])
    check("perhaps 117 kPa are meant" in words(r) or "perhaps 118 kPa are meant" in words(r), f"kPa by {what}: no unit: {r}")
says("a key in kPa", slide, INPUT, "boundaries.a_inlet.p0", "times the rise of pressure that the rows could make",
     options=["boundaries.a_inlet.p0=118"])
says("gauge pressure", slide, DONE, "boundaries.b_outlet.p asks for", "which is 18000 Pa (boundaries.a_inlet.p0)",
     options=["boundaries.a_inlet.p0=18000", "march.iterations=1"])
says("kPa in a duct", duct, INPUT, "times the largest total pressure at the inlet, which is 118 Pa (", "profile.csv:2: p0_Pa), so gas would",
     options=[profile(duct, "span,p0_Pa\n0,118\n1,117\n")])
says("the profile alone counts", duct, DONE, options=[profile(duct, "span,p0_Pa\n0,1.18e5\n1,1.17e5\n"), "boundaries.inlet.p0=1"])
r = annulus("check", duct, options=[profile(duct, "span,p0_Pa\n0,1.18e5\n1,1.17e5\n"), "boundaries.inlet.p0=1"])
check("plausible" not in r.out, f"a key that a profile replaces: {r}")
says("mbar", duct, DONE, "boundaries.inlet.p0 is 0.0118 times the level of the other pressures of the case (1180 Pa of 100000 Pa), perhaps 1180 mbar are meant",
     options=["boundaries.inlet.p0=1180", "boundaries.outlet.mass_flow=300", "march.cfl=0.1"])
says("initial.p in bar", duct, DONE, "initial.p is 1 Pa, perhaps 1 bar are meant", options=["initial.p=1", "march.cfl=0.1"])

says("a reference in bar", duct, DONE, "reference.pressure is 1 Pa, perhaps 1 bar are meant", options=["reference={mach: 0.5, pressure: 1.0, length: 1}"])

# total temperatures
for what, option, place in (("profile", profile(slide, "span,T0_K\n0,43\n1,42\n"), "profile.csv:3: T0_K"),
                            ("key", "boundaries.a_inlet.T0=42", "boundaries.a_inlet.T0")):
    says(f"Celsius by a {what}", slide, DONE, f"{place} is 42 K, which would be 315.15 K if it is in degrees Celsius",
         options=[option, "march.time_step=1e-8", "march.steps_per_passing=0"])
warm = ["initial.T=525", "initial.velocity=[100, 0, 0]"]
for option, place in ((profile(duct, "span,T0_K\n0,252\n1,252\n"), "profile.csv:2: T0_K"), ("boundaries.inlet.T0=252", "boundaries.inlet.T0")):
    says("252 degrees", duct, DONE, f"{place} is 252 K where the flow starts with 529.977 K, perhaps 252 degrees Celsius are meant",
         options=[*warm, option])

# radii of a profile in another unit
for factor, told in ((1e3, "name the column radius_mm if its numbers are millimetres"), (1e2, "name the column radius_cm or radius_in if its"),
                     (1.2, "add lines to the profile")):
    r = annulus("run", duct, options=[profile(duct, f"radius_m,p0_Pa\n{factor * radius[0]:g},1.18e5\n{factor * radius[1]:g},1.17e5\n")])
    check(r.code == INPUT and told in words(r), f"radii times {factor}: {r}")

# a unit in the heading is converted, and what comes out is judged
says("kPa in the heading", duct, DONE, options=[profile(duct, "span;p0_kPa;T0_C\n0;118;41.85\n1;117;41.85\n")])
r = annulus("run", duct, options=[profile(duct, "span p0_kPa\n0 118\n1 117\n")])
check(r.code == INPUT and "profile.csv:1: the columns are separated by blanks" in r.err, f"blanks: {r}")

# what a run writes at its stations is the inlet of another one, as it is
wrote = os.path.join(os.path.dirname(duct), "wrote")
r = annulus("run", duct, options=[profile(duct, "span,p0_Pa,T0_K,swirl_deg\n0,1.18e5,315,4\n1,1.16e5,318,9\n"), "march.iterations=40",
                                  f"output.folder={wrote}", "monitors.stations=[0.01, 0.02]", "monitors.bands=4"])
check(r.code == DONE, f"stations: {r}")
written = os.path.join(wrote, "profile_00000040.csv")
r = annulus("run", duct, options=[f"boundaries.inlet.profile={written}"])
check(r.code == INPUT and "the file has 2 stations, at x = 0.01, 0.02 m: choose one by 'profile_station'" in words(r), f"two stations: {r}")
for more in (["boundaries.inlet.profile_station=2"], []):  # only a station that was given is a part of the case
    r = annulus("check", "--effective", duct, options=[f"boundaries.inlet.profile={written}", *more])
    check(("profile_station: 2" in r.out) == bool(more) and r.out.count("profile_station") == len(more), f"{more}, effective case: {r}")
r = annulus("run", duct, options=[f"boundaries.inlet.profile={written}", "boundaries.inlet.profile_station=2", "march.iterations=1"])
check(r.code == DONE and "6 lines by span, p0 (Pa) 11" in words(r) and "swirl (deg)" in r.out, f"own profile: {r}")

# the scale that fits better is told: 567 degrees Rankine are 315 K, while 300 degrees Celsius would be 573 K
for option, place in ((profile(duct, "span,T0_K\n0,567\n1,567\n"), "profile.csv:2: T0_K"), ("boundaries.inlet.T0=567", "boundaries.inlet.T0")):
    says("Rankine", duct, DONE, f"{place} is 567 K where the flow starts with 314.383 K, perhaps 567 degrees Rankine are meant; plausible: about the same",
         options=[option, "march.cfl=0.1"])

# walls that turn by their own key, also where no row does: 10000 1/min in place of rad/s
says("a wall that turns", duct, INPUT, "boundaries.hub.omega turns with a tip speed of 30", "times the speed of sound",
     options=["gas.viscosity=sutherland", "boundaries.hub={type: wall_viscous, omega: 10472}"])
says("a wall that turns fast", duct, DONE, "boundaries.hub.omega turns with a tip speed of", "look at rpm, at omega, which is in rad/s,",
     options=["gas.viscosity=sutherland", "boundaries.hub={type: wall_viscous, omega: 1000}", "march.cfl=0.1", "march.iterations=1"])
silent("a wall that turns as fast as a row", duct, ["gas.viscosity=sutherland", "boundaries.hub={type: wall_viscous, omega: 300}"])

# angles, turbulence
says("an angle from the circumference", duct, DONE, "profile.csv:3: swirl_deg: the flow enters at 85 degrees",
     options=[profile(duct, "span,swirl_deg\n0,80\n1,85\n"), "march.cfl=0.1"])
says("the same by a key", duct, DONE, "boundaries.inlet.direction: the flow enters at 8", options=[
    "boundaries.inlet.direction=[0.1, 1, 0]", "march.cfl=0.1"])
viscous = ["gas.viscosity=sutherland", "turbulence.model=sst", "boundaries.hub={type: wall_viscous}"]
says("k of another unit", duct, DONE, "profile.csv:2: k_J_kg: the turbulence intensity is", "with k of 3e+05 J/kg",
     options=[profile(duct, "span,k_J_kg,omega_1_s\n0,3e5,1e6\n1,3,1e5\n"), *viscous, "march.cfl=0.1", "march.iterations=1"])
says("per cent", duct, DONE, "turbulence.intensity: the turbulence intensity is 0.5; plausible", options=[*viscous, "turbulence.intensity=0.5"])
sa = ["gas.viscosity=sutherland", "turbulence.model=sa", "boundaries.hub={type: wall_viscous}"]
for option in ("turbulence.inlet_viscosity_ratio=9e5", profile(duct, "span,viscosity_ratio\n0,9e5\n1,3\n")):
    says("eddies", duct, DONE, "the eddy viscosity is 9e+05 times the viscosity", options=[*sa, option, "march.iterations=1"])
says("eddies of bcm", duct, INPUT, "profile.csv:2: viscosity_ratio is 3, but must be <= 0.2", options=[
    profile(duct, "span,viscosity_ratio\n0,3\n1,3\n"), *sa, "turbulence.transition=bcm"])

# a length in millimetres
says("a reference length", duct, DONE, "reference.length is 1", "times the length of the mesh", options=["reference={mach: 0.5, pressure: 1.0e5, length: 60}"])

# a gas from a table has no states outside of it, by whatever door they come in
tabled = write_case(folder("values/table"), f"{top}/0.cgns", DUCT.replace("{{R: 287.05}}", f"{{{{table: {SOURCE}/tests/tables/air.h5}}}}"))
with open(os.path.join(os.path.dirname(tabled), "profile.csv"), "w") as f:
    f.write("span,T0_K\n0,315\n1,4000\n")
says("a profile beyond the table", tabled, INPUT, "profile.csv:3: p0_Pa and T0_K (118000 Pa, 4000 K): 'gas.table' has no such state",
     options=["boundaries.inlet.profile=profile.csv"])
r = annulus("map", tabled, options=["map.values=[1e9]", f"output.folder={top}/out_table"])
check(r.code == INPUT and "map.values, number 1, is 1e+09 Pa, but 'gas.table' reaches" in words(r), f"a map beyond the table: {r}")

# estimates come from the profile
r = annulus("check", duct, options=[profile(duct, "span,p0_Pa,T0_K\n0,1.30e5,330\n1,1.10e5,300\n")])
mach = math.sqrt(5 * (1.3 ** (2 / 7) - 1))
check(f"isentropic Mach number {mach:.4f} at the outlet, from p0 130000 Pa" in words(r), f"estimates of a profile, {mach}: {r}")

# settings of a map, before its first cycle
area = math.pi * (radius[1] ** 2 - radius[0] ** 2) / 36 * 36
choked = area * 1.18e5 * math.sqrt(1.4 / (287.05 * 315)) * (2 / 2.4) ** 3
for what, case, options, told in (
        ("bar", mix, ["map={values: [1.0, 1.05]}"], "map.values, number 1, is 8.475e-06 times the total pressure at the inlet (1 Pa of 118000 Pa), perhaps 1 bar are meant"),
        ("kPa, from and to", mix, ["map={from: 100, to: 105, step: 1}"], "map.from is 0.0008475 times the total pressure at the inlet (100 Pa of 118000 Pa), perhaps 100 kPa are meant"),
        ("far too high", mix, ["map={values: [1e8]}"], "map.values, number 1, is"),
        ("one sector", mix, ["map={vary: mass_flow, values: [13, 12.5]}"], "perhaps it is the mass flow of what is meshed, of which 36 are the annulus: 468 kg/s"),
        ("pressures as mass flows", mix, ["map={vary: mass_flow, values: [1e5, 1.02e5]}"], "times the mass flow at which the inlet would be choked"),
        ("pressures as factors", mix, ["map={vary: throttle, values: [1e5, 1.02e5]}", "boundaries.b_outlet.throttle_mass_flow=400"], "is a factor of 1.02e+05 on the throttle")):
    out = folder("values/map")
    r = annulus("map", case, options=[*options, f"output.folder={out}", "map.first_iterations=60", "map.iterations=40"])
    check(r.code == INPUT and told in words(r), f"a map, {what}: {r}")
    check(not os.path.exists(out + "/history.csv"), f"a map, {what}: there were cycles")
    r = annulus("check", case, options=options)
    check(r.code == DONE and told in words(r), f"check of a map, {what}: {r}")
    r = run(case, options=[*options, f"output.folder={top}/out_map"])
    check(told not in words(r), f"a run is warned of a map: {r}")
r = annulus("map", mix, options=["map={vary: mass_flow, values: [460], iterations: 3}", f"output.folder={folder('values/map')}"])
check("plausible" not in r.out + r.err and os.path.exists(f"{top}/map/history.csv"), f"a map that is right: {r}")
for key in ("b_outlet.mass_flow", "a_inlet.mass_flow", "b_outlet.throttle_mass_flow"):
    says(f"one sector by {key}", mix, DONE, f"boundaries.{key} is 0.0", "of which 36 are the annulus: 468 kg/s", options=[f"boundaries.{key}=13"])
    silent(key, mix, [f"boundaries.{key}=460"])

# time steps: of a passing, of a pattern that passes, of a series
step = 2 * math.pi / (36 * 300)
for options, code, told in ((["march.steps_per_passing=16"], DONE, "a passing takes 16 time steps"),
                            (["march.steps_per_passing=20"], DONE, None),
                            (["march.steps_per_passing=1"], INPUT, "a passing takes 1 time steps"),
                            (["march.steps_per_passing=0", "march.steps_per_revolution=360"], DONE, "a passing takes 10 time steps"),
                            (["march.steps_per_passing=0", "march.time_step=0.036"], INPUT, "a passing takes 0.0162 time steps"),
                            (["march.steps_per_passing=0", f"march.time_step={step / 1.2!r}"], INPUT, "a passing takes 1.2 time steps"),
                            (["march.steps_per_passing=0", f"march.time_step={step / 62!r}"], DONE, None),
                            (["rows.a.omega=-300", "march.steps_per_passing=30"], DONE, "blades of row b pass 'a_outlet': a passing takes 15 time steps"),
                            (["rows.b.blades=0", "march.steps_per_passing=0", f"march.time_step={step / 12!r}"], DONE, "blades of row b pass 'a_outlet': a passing takes 12 time steps")):
    if told:
        says(str(options), slide, code, told, options=options)
    else:
        silent(str(options), slide, options)
turned = profile(slide, "span,theta_deg,T0_K\n" + "".join(f"{s},{10 * n / 4:g},{315 + (n % 4)}\n" for n in range(5) for s in (0, 1)))
says("a pattern that turns", slide, DONE, "profile.csv: the pattern of theta_deg passes inlet 'a_inlet': a passing takes 8 time steps",
     options=[turned, "boundaries.a_inlet.profile_omega=1500"])
series = profile(slide, "span,time_s,T0_K\n" + "".join(f"{s},{step * n / 4!r},{315 + n}\n" for n in range(4) for s in (0, 1)))
says("a series", slide, DONE, "profile.csv: a period of time_s takes 16 time steps",
     options=[series, f"boundaries.a_inlet.profile_period={step!r}", "march.steps_per_passing=0", f"march.time_step={step / 16!r}"])
silent("a ramp of a step", slide, [profile(slide, f"span,time_s,T0_K\n0,0,315\n1,0,315\n0,{step / 80!r},316\n1,{step / 80!r},316\n")])
says("a series in milliseconds", slide, DONE, "profile.csv: the first of", options=[
    profile(slide, "span,time_s,T0_K\n" + "".join(f"{s},{n},{315 + n}\n" for n in range(4) for s in (0, 1)))])

# inner iterations of a given number are watched
out = f"output.folder={top}/out_inner"
r = run(slide, options=["march.inner_iterations=1", "march.iterations=12", out])
told = re.search(r"warning (\d+) of 12 time steps ended with an error above march.inner_tolerance \(0.1\) after 1 inner iterations; "
                 r"the largest was (\S+) times the error of the time step itself: frequencies", words(r))
check(told and int(told[1]) > 6 and float(told[2]) > 0.1, f"one inner iteration: {r}")
check(any("above march.inner_tolerance" in w for w in run_json(f"{top}/out_inner")["warnings"]), "not in run.json")
for options in (["march.inner_iterations=12"], []):
    r = run(slide, options=[*options, "march.iterations=8", out])
    check("above march.inner_tolerance" not in r.out, f"inner iterations that are enough, {options}: {r}")

# viscosity of another fluid
steam = DUCT.replace("{{R: 287.05}}", f"{{{{table: {SOURCE}/tests/tables/steam.h5, viscosity: sutherland}}}}").replace(
    "p: 1.0e5, T: 300", "p: 5e5, T: 598").replace("p0: 1.18e5, T0: 315", "p0: 5.9e5, T0: 620").replace("p: 1.0e5}}", "p: 5e5}}")
steam = write_case(folder("values/steam"), f"{top}/0.cgns", steam)
r = annulus("check", steam)
check(r.code == DONE and re.search(r"gas.viscosity: sutherland gives 1.4\d* times the viscosity of gas.table: 3.01e-05 Pa s for 2.1\de-05 Pa s of \S+ at 500000 Pa and 598 K",
                                   words(r)), f"steam with constants of air: {r}")
r = annulus("check", steam, options=["gas.viscosity=table"])
check(r.code == DONE and "times the viscosity" not in words(r), f"steam with its own viscosity: {r}")
vapour = ["gas.R=461.5", "gas.gamma=1.3", "gas.viscosity=sutherland"]
says("vapour with constants of air", duct, DONE, "gas.viscosity: sutherland has the constants of air, but the gas constant is 1.61 times that of air: 461.5 J/(kg K); the viscosity is 1.8",
     options=vapour)
silent("vapour with its own constants", duct, [*vapour, "gas.mu=1.2e-5", "gas.T_ref=373", "gas.S=1064"])

# cp(T): at the start by the temperatures of the case, at the end by the flow
cp = ["gas.cp=[1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10]"]
says("cp(T) from 500 K", duct, DONE, "initial.T is 0.6 times the lowest temperature of gas.T_range (300 K, where that is 500 K)",
     options=[*cp, "gas.T_range=[500, 1500]"])
r = run(duct, options=[*cp, "gas.T_range=[500, 1500]", f"output.folder={top}/out_cp"])
check(re.search(r"warning \d+ cells have a temperature outside gas.T_range \(500 to 1500 K\), where cp is constant, the farthest with [23]\d\d\S* K in zone", words(r)),
      f"cp(T) at the end: {r}")
silent("cp(T) from 250 K", duct, [*cp, "gas.T_range=[250, 1500]"], "gas.T_range")
silent("cp of one number", duct, ["gas.cp=[1005]", "gas.T_range=[500, 1500]"], "gas.T_range")

# a probe beside the mesh, and one in it
probes = 'probes={gap: {point: [%s]}}'
for point, far in (("30, 700, 0", "700"), ("0.01, 0, 0", "0.5"), (f"0.03, {1.05 * radius[1]:.9g}, 0", "0.1")):
    says("a probe beside the mesh", slide, INPUT, "'probes.gap.point' [", "lies beside the mesh: its nearest cell has its centre", options=[probes % point])
at = f"0.03, {numpy.mean(ends[0]):.9g}, {numpy.mean(ends[1]):.9g}"
for np in (1, 2):
    r = run(slide, np=np, options=[probes % at, f"output.folder={top}/out_probe"])
    check("probe gap: nearest cell at" in words(r), f"a probe in the mesh: {r}")

# what begins behind the end
says("means behind the end", slide, DONE, "'output.means_from' is 100, and 'march.iterations' 3: 0 iterations are left for it",
     options=["output.means_from=100"])
r = run(slide, options=["output.means_from=100", "march.iterations=200", f"march.end_time={2.5 * step / 40!r}", f"output.folder={top}/out_late"])
check("there are no means over time: 'output.means_from' is 100, and the run ended at iteration 3" in words(r), f"means behind the end time: {r}")

# a restart with other sums over time
out = f"output.folder={top}/out_means"
sums = ["output.every=6", "output.means_from=4", "output.modes=1", "output.modes_from=4"]
run(slide, options=[out, *sums, "march.iterations=12"])
again = [out, "march.iterations=18", "output.modes=1"]
for key, other, message in (("means_from", "modes_from", "give 4 to go on with them, or 12 or more to begin anew"),
                            ("modes_from", "means_from", "give 4 to go on with them, or 12 or more to begin anew")):
    r = annulus("run", slide, "--restart", snapshot(f"{top}/out_means", 12), options=[*again, f"output.{key}=8", f"output.{other}=4"])
    check(r.code == INPUT and f"'output.{key}' is 8, but the sums of the snapshot of iteration 12 begin behind iteration 4" in words(r) and message in words(r),
          f"a restart with another {key}: {r}")
r = run(slide, "--restart", snapshot(f"{top}/out_means", 12), options=[*again, "output.means_from=12", "output.modes_from=12", "output.folder=" + top + "/out_new"])
r = run(slide, "--restart", snapshot(f"{top}/out_means", 12), options=[*again, "output.means_from=4", "output.modes_from=4"])
run(slide, options=[*sums, "march.iterations=18", f"output.folder={top}/out_whole"])
same_fields(snapshot(f"{top}/out_means", 18), snapshot(f"{top}/out_whole", 18), "means over a restart")
run(slide, options=[f"output.folder={top}/out_none", "march.iterations=6"])
for last in (8, 10):  # the sums begin where the snapshot without sums was, and a second restart goes on with them
    r = run(slide, "--restart", "latest", options=[f"output.folder={top}/out_none", f"march.iterations={last}", "output.means_from=4"])
    check(("the means over time begin behind iteration 6, because the snapshot has none, although 'output.means_from' is 4" in words(r)) == (last == 8),
          f"a snapshot without means, to {last}: {r}")
finish()
