"""Flat plate with first cells far from the wall: friction and heat with the law of the wall.

    mesh: 35 x 33 nodes, first cell's centre at y+ 30 where x = 0.97 m (made here)

    model   expected                                        allowed
    sa      cf 0.002705 at x = 0.97008 (cases/plate)         4 %
    sst     cf 0.00271                                       6 %
    sa, walls at 330 K: the heat per friction, St / (cf / 2), is Pr^(-2/3) to 10 %

Without wall functions cf of sa is off by 25 % and more. The same bits on two ranks, and when the run
is interrupted.
"""
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "regress"))
from regress import *  # noqa: E402

PLATE = os.path.join(SOURCE, "cases", "plate")
X, RHO, U, T = 0.97008, 1.3290531, 69.444758, 300.0
CP = 3.5 * 287.058

top = folder("wall_function")


def make_mesh():
    ahead = [-x / 3 for x in reversed(stretched(0.06, 8, 1.0))]
    x = ahead[:-1] + [0.0] + [2 * x for x in stretched(0.01, 26, 1.0)][1:]
    y = stretched(2 * 30 * 5.44e-6, 32, 1.0)
    grid = os.path.join(top, "plate.p2d")
    with open(grid, "w") as out:
        out.write(f"1\n{len(x)} {len(y)}\n")
        out.writelines(f"{a:.17g}\n" for b in y for a in x)
        out.writelines(f"{b:.17g}\n" for b in y for a in x)
    mesh = os.path.join(top, "plate.cgns")
    command = [os.path.join(BIN, "mesh_plot3d"), grid, "-o", mesh]
    for b in ("1:imin=inlet:inlet", "1:imax=outlet:outlet", "1:jmax=top:farfield",
              "1:jmin:1-9=symmetry:symmetry", "1:jmin:9-35=wall:wall_viscous"):
        command += ["--bc", b]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return mesh


def at(out, field):
    files = sorted(f for f in os.listdir(out) if f.startswith("wall_"))
    plot = [sys.executable, "-B", os.path.join(SOURCE, "tools", "plot"), "wall",
            os.path.join(out, files[-1]), "--field", field, "--x", "x", "--rho", str(RHO), "--u",
            str(U), "--at", str(X), "-o", os.path.join(top, "plot.png")]
    text = subprocess.run(plot, check=True, capture_output=True, text=True).stdout
    return float(re.search(r"at x = [^:]*: (\S+)", text).group(1))


def solve(name, cycles=120, **more):
    out = os.path.join(top, name)
    run(case, options=[f"output.folder={out}", f"march.iterations={cycles}"] +
        [f"{k.replace('__', '.')}={v}" for k, v in more.items()], timeout=240)
    drop = float(history(out)[-1]["residual_drop"])
    check(drop < 1e-3, f"{name}: the residual fell to {drop:.1e} of the largest only")
    cf = at(out, "cf")
    print(f"{name:12} cf {cf:.6f}  y+ {at(out, 'YPlus'):.1f}  residual drop {drop:.1e}")
    return cf, out


mesh = make_mesh()
text = open(os.path.join(PLATE, "case.yaml")).read()
case = os.path.join(top, "case.yaml")
with open(case, "w") as f:
    f.write(re.sub(r"(?m)^mesh:.*", f"mesh: {mesh}\ndevice: cpu", text))

cf, _ = solve("sa")
check(abs(cf / 0.002705 - 1) < 0.04, f"sa: cf is {cf}")
cf, _ = solve("sst", turbulence__model="sst")
check(abs(cf / 0.00271 - 1) < 0.06, f"sst: cf is {cf}")
cf, _ = solve("off", turbulence__wall_function="off")
check(abs(cf / 0.002705 - 1) > 0.25, f"off: cf is {cf}: what is there to validate?")
cf, out = solve("hot", boundaries__wall__T=330)
recovery = T * (1 + 0.9 * 0.2 * 0.04)
stanton = -at(out, "WallHeatFlux") / (RHO * U * CP * (330 - recovery))
print(f"{'':12} St / (cf / 2) {stanton / (0.5 * cf):.4f}, wall {at(out, 'TemperatureWall'):.3f} K")
check(abs(stanton / (0.5 * cf) * 0.72 ** (2 / 3) - 1) < 0.1, f"hot: St is {stanton}")
check(abs(at(out, "TemperatureWall") / 330 - 1) < 1e-4, f"hot: the wall has {at(out, 'TemperatureWall')} K")

hot = ["boundaries.wall.T=330", "multigrid.levels=2"]
same = {n: os.path.join(top, f"same_{n}") for n in ("one", "two", "halves")}
for name, ranks in (("one", 1), ("two", 2)):
    run(case, options=[f"output.folder={same[name]}", "march.iterations=12"] + hot, np=ranks,
        timeout=120)
run(case, options=[f"output.folder={same['halves']}", "march.iterations=5"] + hot, np=2, timeout=120)
run(case, "--restart", "latest", options=[f"output.folder={same['halves']}", "march.iterations=12"] + hot,
    timeout=120)
for name in ("two", "halves"):
    same_fields(snapshot(same["one"], 12), snapshot(same[name], 12), name)
finish()
