"""Mixtures (gas.fraction) from the command line: ranks, restarts and the emulated engine; the gas of each cell in a snapshot's fields;
cases that are refused."""
import os

from regress import *

N = 8
top = folder("mixture")
GAS = "mixture: air, fraction: Burnt, fraction_fuel_air_ratio: 0.06"
EDGES = "boundaries.inlet.scalars=[0.8]"
VISCOUS = ["gas.viscosity=sutherland", "gas.mu=1e-4", "boundaries.blade.type=wall_viscous", "turbulence.model=sa"]
KINDS = {"implicit": ["scheme.flux=roe", "march.cfl=20", "turbulence.wall_function=auto", *VISCOUS],
         "explicit": ["march.method=runge_kutta"]}


def with_gas(keys, scalars="Burnt: {{initial: 0.1}}"):
    path = os.path.join(top, "case.yaml")
    text = CASE.replace("gas: {{gamma: 1.4, R: 287.0}}", f"gas: {{{{{keys}}}}}\nscalars: {{{{{scalars}}}}}")
    with open(path, "w") as f:
        f.write(text.format(mesh=MESH))
    return path


def out_of(name):
    return os.path.join(top, name)


def values(path, name):
    return numpy.concatenate([v.ravel() for n, v in sorted(fields(path).items()) if n.endswith("/" + name)])


case = with_gas(GAS)
for kind, more in KINDS.items():
    options = [EDGES, *more, "output.fields=[Pressure, Temperature, Mach, TemperatureStagnation]"]
    r = run(case, options=[*options, f"output.folder={out_of(kind)}", f"march.iterations={2 * N}"])
    check("Burnt is the mass fraction of a second gas" in r.out, f"{kind}: the gas: {r}")
    check(kind != "implicit" or "gas.fraction changes the gas" in r.out, f"{kind}: acceleration: {r}")
    whole = snapshot(out_of(kind), 2 * N)
    z = values(whole, "Burnt")
    check(0.09 < z.min() and 0.5 < z.max() < 0.81, f"{kind}: fractions {z.min()} to {z.max()}")
    for ranks in (2, 4):
        run(case, np=ranks, options=[*options, f"output.folder={out_of(kind + str(ranks))}", f"march.iterations={2 * N}"])
        same_fields(whole, snapshot(out_of(kind + str(ranks)), 2 * N), f"{kind}, {ranks} ranks")
    run(case, options=[*options, f"output.folder={out_of(kind + '_half')}", f"march.iterations={N}"])
    run(case, "--restart", "latest", np=2, options=[*options, f"output.folder={out_of(kind + '_half')}", f"march.iterations={2 * N}"])
    same_fields(whole, snapshot(out_of(kind + "_half"), 2 * N), f"{kind}, restarted")
    # p = rho R(Z) T of the cells, R of the effective case
    with open(os.path.join(out_of(kind), "effective.yaml")) as f:
        keys = dict(line.split(" #")[0].strip().split(": ", 1) for line in f if line.startswith(("  R:", "  fraction_R:")))
    first, second = float(keys["R"]), float(keys["fraction_R"])
    check(first != second, f"{kind}: {keys}")
    gas = first + z * (second - first)
    off = abs(values(whole, "Pressure") / (values(whole, "Density") * gas * values(whole, "Temperature")) - 1).max()
    check(off < 1e-12, f"{kind}: p differs from rho R T by {off}")

# A restart with another second gas, and the effective case of the mixture.
other = with_gas(GAS.replace("0.06", "0.05"))
r = run(other, "--restart", whole, options=[EDGES, f"output.folder={out_of('refused')}"], expect=INPUT)
check("gas.fraction_R" in r.err, f"a restart with another gas: {r}")

# The emulated engine computes the same flow.
case = with_gas(GAS)
flows = {}
for device, precision in (("cpu", "double"), ("emulated", "double"), ("cpu", "single"), ("emulated", "single")):
    out = out_of(device + precision)
    run(case, options=[EDGES, *KINDS["implicit"], f"output.folder={out}", f"device={device}", f"precision={precision}", "march.iterations=4"])
    flows[device, precision] = [float(history(out)[-1][n]) for n in ("mass_in_kg_s", "mass_out_kg_s")]
def alike(a, b, limit):
    check(all(abs(x / y - 1) < limit for x, y in zip(flows[a], flows[b])), f"mass flows of {a}, {b}: {flows}")


alike(("cpu", "double"), ("emulated", "double"), 1e-9)
alike(("cpu", "single"), ("emulated", "single"), 1e-5)
alike(("cpu", "single"), ("cpu", "double"), 1e-3)

for keys, options, text in ((GAS, ["boundaries.inlet.scalars=[1.2]"], "'boundaries.inlet.scalars': 'Burnt' is 1.2, but a mass fraction"),
                            (GAS.replace("Burnt", "Fumes"), [], "there is no scalar 'Fumes'"),
                            (GAS, ["boundaries.outlet.non_reflecting=two_d"], "is not available with 'gas.fraction' yet"),
                            (GAS, ["boundaries.blade={type: cooling, mass_flow: 1e-4, T0: 300, mach: 0.1}"],
                             "do not pass the cooling 'blade'")):
    r = run(with_gas(keys), options=options, expect=INPUT)
    check(text in r.err, f"{options} should be refused with '{text}': {r}")
finish()
