"""Steady runs with turbulence.transition gamma and gamma_re_theta are not preconditioned unless scheme.low_mach is on, and
`annulus check` and the run say so. SA-BCM and runs without transition are preconditioned below Mach number 0.19."""
from regress import *

top = folder("transition_low_mach")
x, y = [-0.1 + 0.05 * n for n in range(17)], [1e-4 * (1.6**n - 1) for n in range(17)]
plot3d, mesh, case = (os.path.join(top, n) for n in ("plate.p2dfmt", "plate.cgns", "case.yaml"))
with open(plot3d, "w") as f:
    f.write(f"1\n{len(x)} {len(y)}\n")
    f.writelines(f"{v:.16e}\n" for _ in y for v in x)
    f.writelines(f"{v:.16e}\n" for v in y for _ in x)
command = [os.path.join(BIN, "mesh_plot3d"), plot3d, "-o", mesh]
for side in ("imin=inlet:inlet", "imax=outlet:outlet", "jmax=top:farfield", "jmin:1-3=symmetry:symmetry", "jmin:3-17=wall:wall_viscous"):
    command += ["--bc", "1:" + side]
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def said(mach, model, *options, runs=False):
    """What `annulus check`, or a run of two iterations, prints."""
    t = 302.4 / (1 + 0.2 * mach**2)
    p = 1.176914e5 * (t / 302.4)**3.5
    flow = f"p: {p}, T: {t}, mach: {mach}, direction: [1, 0, 0]"
    with open(case, "w") as f:
        f.write(f"""case: plate
mesh: {mesh}
precision: double
device: cpu
gas: {{gamma: 1.4, R: 287.058, viscosity: constant, mu: 2e-4}}
turbulence: {{{model}}}
march: {{iterations: 2}}
initial: {{{flow}}}
boundaries:
  inlet: {{type: inlet_total, p0: 1.176914e5, T0: 302.4, direction: [1, 0, 0]}}
  outlet: {{type: outlet_static, p: {p}}}
  top: {{type: farfield, {flow}}}
  symmetry: {{type: symmetry}}
  wall: {{type: wall_viscous}}
  front: {{type: symmetry}}
  back: {{type: symmetry}}
output: {{folder: {os.path.join(top, "out")}, every: 0}}
""")
    r = (run if runs else annulus)(*(() if runs else ("check",)), case, options=list(options))
    check(r.code == 0, f"Mach number {mach}, {model}, {options}: {r}")
    return " ".join(r.out.split())


GAMMA, THETA = ("model: sst, transition: " + m for m in ("gamma", "gamma_re_theta"))
NOT, ON = "not preconditioned at Mach number", ", preconditioned"
FORCED, ADAPTED, OFF = "scheme.low_mach=on", "dissipation for a speed", "scheme.low_mach=off"
for mach, model, options, wanted, unwanted in (
        (0.14, GAMMA, [], [NOT + " 0.14"], [ON, ADAPTED]), (0.14, THETA, [], [NOT + " 0.14"], [ON, ADAPTED]),
        (0.06, GAMMA, [], [NOT, ADAPTED], [ON]), (0.06, THETA, [], [NOT, ADAPTED], [ON]),
        (0.14, GAMMA, [FORCED], [ON], [NOT]), (0.14, THETA, [FORCED], [ON], [NOT]),
        (0.14, THETA, [OFF], [], ["low Mach"]), (0.06, THETA, [OFF], ["scheme.low_mach is off"], [NOT, "takes more iterations"]),
        (0.2, THETA, [], [], ["low Mach"]), (0.14, THETA, ["march.mode=unsteady"], [], ["low Mach"]),
        (0.14, "model: sst", [], [ON], [NOT]), (0.14, "model: sa, transition: bcm, intensity: 0.03", [], [ON], [NOT])):
    out = said(mach, model, *options)
    check(all(w in out for w in wanted) and not any(u in out for u in unwanted),
          f"Mach number {mach}, {model}, {options}: wanted {wanted}, not {unwanted}: {out}")
out = said(0.14, THETA, runs=True)
check(NOT in out and ON not in out, f"a run: {out}")
with open(os.path.join(top, "out", "history.csv")) as f:
    auto = f.read().splitlines()[-1].split(",")[3:9]
histories = {}
for way in (OFF, FORCED):
    said(0.14, THETA, way, runs=True)
    with open(os.path.join(top, "out", "history.csv")) as f:
        histories[way] = f.read().splitlines()[-1].split(",")[3:9]
check(auto == histories[OFF], f"residuals differ from those with low_mach off: {auto}, {histories[OFF]}")
check(auto != histories[FORCED], f"residuals are those of a preconditioned march: {auto}")
finish()
