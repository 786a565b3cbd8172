"""Runs with a gas from a table: ranks and restarts keep every bit, and what a table cannot do is refused. The tool makes the table of a perfect gas without CoolProp."""
import os
import shutil
import subprocess
import sys

from regress import *

top = folder("gas")
case = write_case(top)
tables = os.path.join(SOURCE, "tests", "tables")
AIR = os.path.join(tables, "air.h5")
N = 16


def with_table(table=AIR, viscous=False):
    """A copy of the case with a table."""
    path = os.path.join(top, "table.yaml")
    text = CASE.replace("gas: {{gamma: 1.4, R: 287.0}}", f"gas: {{{{table: {table}}}}}")
    with open(path, "w") as f:
        f.write(text.format(mesh=MESH))
    return path


def options(out, more=()):
    return [f"output.folder={os.path.join(top, out)}", f"march.iterations={2 * N}", *more]


# Ranks and restart
table = with_table()
run(table, options=options("table"))
run(table, options=options("ranks"), np=2)
same_fields(snapshot(os.path.join(top, "table"), 2 * N), snapshot(os.path.join(top, "ranks"), 2 * N), "ranks")
run(table, options=[*options("half"), f"march.iterations={N}"])
r = run(table, "--restart", "latest", options=options("half"))
check(f"iteration {N}" in r.out, f"restart: {r}")
same_fields(snapshot(os.path.join(top, "table"), 2 * N), snapshot(os.path.join(top, "half"), 2 * N), "restart")
r = run(table, options=options("again", ["march.iterations=4", "march.method=implicit"]))
sum_of = [line.split()[-1] for line in r.out.splitlines() if line.startswith("gas ")]
check(len(sum_of) == 1 and len(sum_of[0]) == 16, f"the line of the gas has no checksum: {r}")
run(table, options=options("again_ranks", ["march.iterations=4", "march.method=implicit"]), np=2)
same_fields(snapshot(os.path.join(top, "again"), 4), snapshot(os.path.join(top, "again_ranks"), 4), "implicit on ranks")
check(sum_of[0] in str(run_json(os.path.join(top, "table"))), f"run.json does not have the checksum {sum_of} of the table")

# Another table: refused, and the same numbers elsewhere are not
other = os.path.join(top, "other.h5")
tool = subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "gas_table"), "--perfect", "--p", "2e4", "4e5", "--T", "180",
                       "480", "--gamma", "1.39", "-o", other], capture_output=True, text=True)
check(tool.returncode == 0 and "largest errors" in tool.stdout, f"the tool: {tool.stdout} {tool.stderr}")
r = run(with_table(other), "--restart", snapshot(os.path.join(top, "table"), 2 * N), options=options("refused"), expect=INPUT)
check("gas.table_checksum" in r.err, f"a restart with another table: {r}")
moved = os.path.join(top, "moved.h5")
shutil.copy(AIR, moved)
run(with_table(moved), "--restart", snapshot(os.path.join(top, "table"), 2 * N),
    options=[*options("moved"), f"march.iterations={2 * N + 2}"])

# What is refused
table = with_table()
for more, words in ((["gas.gamma=1.4"], ("gas.table", "gas.gamma")),
                    (["gas.R=287"], ("gas.table", "gas.R")),
                    (["gas.viscosity=table"], ("gas.viscosity: table", "no viscosity")),
                    (["gas.table_checksum=0123456789abcdef"], ("gas.table_checksum",)),
                    (["boundaries.inlet.T0=900"], ("boundaries.inlet.p0", "T0", "900 K")),
                    (["solids={metal: {conductivity: [20]}}"], ("'solids' are not available with 'gas.table'",)),
                    (["boundaries.outlet.p=1e4"], ("boundaries.outlet.p", "gas.table")),
                    (["initial.p=1e6"], ("initial.p", "gas.table")),
                    (["initial.pattern=vortex"], ("initial.pattern",))):
    r = run(table, options=[*options("bad"), *more], expect=INPUT)
    check(all(word in r.err for word in words), f"{more}: {r}")
r = run(case, options=[*options("bad"), "gas.viscosity=table"], expect=INPUT)
check("gas.viscosity: table" in r.err and "gas.table" in r.err, f"viscosity without a table: {r}")
r = run(with_table(os.path.join(tables, "states.csv")), options=options("bad"), expect=INPUT)
check("gas.table" in r.err, f"no table: {r}")

# A mixture: the run says what it is, and restarts with the R and cp(T) of its effective case
def with_gas(keys):
    path = os.path.join(top, "mixture.yaml")
    with open(path, "w") as f:
        f.write(CASE.replace("gas: {{gamma: 1.4, R: 287.0}}", f"gas: {{{{{keys}}}}}").format(mesh=MESH))
    return path


r = run(with_gas("mixture: air, specific_humidity: 0.02, fuel_air_ratio: 0.01"), options=[*options("moist"), "march.iterations=4"])
check("0.0204082 kg of vapour and 0.01 kg of burnt fuel per kg of dry air" in r.out, f"mixture: {r}")
with open(os.path.join(top, "moist", "effective.yaml")) as f:
    lines = [line.split(" #")[0].strip() for line in f]
keys = ", ".join(line for line in lines if line.split(":")[0] in ("R", "cp", "T_range"))
check(keys.count(":") == 3, f"the effective case of a mixture: {keys}")
r = run(with_gas(keys), "--restart", "latest", options=[*options("moist"), "march.iterations=6"])
check("iteration 4" in r.out and "differs" not in r.out, f"restart of a mixture by its numbers: {r}")

# A flow that leaves the table ends with a warning that names state and place
small = os.path.join(top, "small.h5")
subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "gas_table"), "--perfect", "--p", "8.2e4", "1.7e5", "--T", "380",
                "430", "-o", small], check=True, capture_output=True)
r = run(with_table(small), options=options("small"))
check("gas.table does not hold" in r.err + r.out and " K in zone" in r.err + r.out, f"out of range: {r}")

# A damaged table names field and state. The checksum of the file is left out where the values are to be judged.
import h5py  # noqa: E402


def damaged(source, change, judged=True):
    path = os.path.join(top, "damaged.h5")
    shutil.copy(source, path)
    with h5py.File(path, "r+") as file:
        if judged and "checksum" in file.attrs:
            del file.attrs["checksum"]
        change(file)
    return run(with_table(path), options=options("bad"), expect=INPUT)


STEAM = os.path.join(tables, "steam.h5")


def put(field, node, value, part=0):
    def change(file):
        at = file[field][node]
        at[part] = value
        file[field][node] = at
    return change


def constant(value):
    def change(file):
        file.attrs["R"] = value
    return change


def inner(path):
    """A node of the fluid in the middle of the table."""
    with h5py.File(path) as file:
        outside = file["outside"][...]
    j, i = outside.shape[0] // 2, outside.shape[1] // 2
    while outside[j, i]:
        j += 1
    return j, i


node = inner(STEAM)
with h5py.File(STEAM) as file:
    T, slope = file["T"][node][0], file["e"][node][2]
for what, change, words in (("negative viscosity", put("mu", node, -1e-5), ("'/mu' is -1e-05", "must be from")),
                            ("no conductivity", put("lambda", node, 0.0), ("'/lambda' is 0", "must be from")),
                            ("viscosity of a liquid's thousandfold", put("mu", node, 1.0), ("'/mu' is 1", "must be from")),
                            ("no number", put("s", node, float("nan")), ("'/s' is nan",)),
                            ("R of air", constant(287.05), ("gas constant R is 287.05", "another gas")),
                            ("R of nothing", constant(-1.0), ("gas constant R is -1",)),
                            ("temperature off", put("T", node, 1.2 * T), ("is ", " Pa, ")),
                            ("slope off", put("e", node, 1.5 * slope, 2), ("(T ds - de - p d(1/rho))",))):
    r = damaged(STEAM, change)
    check(all(word in r.err for word in ("damaged.h5", *words)), f"{what}: {r}")


def flip(file):
    at = file["T"][2, 3]
    at[0] = numpy.frombuffer((at[:1].view(numpy.uint64) ^ numpy.uint64(1 << 20)).tobytes())[0]
    file["T"][2, 3] = at


r = damaged(other, flip, judged=False)
check("states the checksum" in r.err and "damaged" in r.err, f"a flipped bit: {r}")
with open(other, "rb") as f:
    whole = f.read()
with h5py.File(other) as file:
    total = file.attrs["checksum"].decode()
broken = os.path.join(top, "flipped.h5")
for at in range(7, len(whole), len(whole) // 40):  # a bit anywhere in the file: refused, or the numbers are the same
    with open(broken, "wb") as f:
        f.write(whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1:])
    r = annulus("check", with_table(broken))
    check(r.code == INPUT or (r.code == DONE and total in r.out), f"a flipped bit at {at}: {r}")

# The tool: one line and exit code 2 for wrong arguments
TOOL = os.path.join(SOURCE, "tools", "gas_table")
RANGE = ["--p", "2e4", "4e5", "--T", "180", "480"]
taken = os.path.join(top, "taken.h5")
for arguments, words in ((["--perfect", "--gamma", "1", *RANGE, "-o", taken], ("--gamma is 1", "1.001")),
                         (["--perfect", "--R", "0", *RANGE, "-o", taken], ("--R is 0",)),
                         (["--perfect", *RANGE], ("-o FILE", "missing")),
                         (["--perfect", "--T", "180", "480", "-o", taken], ("--p LOW HIGH", "missing")),
                         (["--perfect", "--p", "2e4", "4e5", "-o", taken], ("--T",)),
                         (["--perfect", "--p", "4e5", "2e4", "--T", "180", "480", "-o", taken], ("--p needs",)),
                         (["--perfect", *RANGE, "--nodes", "2", "-o", taken], ("--nodes is 2",)),
                         (["--perfect", *RANGE, "-o", os.path.join(top, "no_folder", "x.h5")], ("cannot be written", "no_folder")),
                         (["--perfect", *RANGE, "-o", top], ("cannot be written", "it is a folder")),
                         ([*RANGE, "-o", taken], ("name a fluid",)),
                         (["Water", "--perfect", *RANGE, "-o", taken], ("name a fluid",))):
    r = subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True)
    check(r.returncode == 2 and all(word in r.stderr for word in words) and "Traceback" not in r.stderr,
          f"gas_table {' '.join(arguments)}: {r.returncode} {r.stderr}")
check(not os.path.exists(taken), "a table was written in spite of wrong arguments")

# The table grows until the gas next to saturation lies in it: a perfect gas with a dew line, which few nodes interpolate
# exactly, needs no CoolProp
from importlib.machinery import SourceFileLoader  # noqa: E402

sys.dont_write_bytecode = True
gas_table = SourceFileLoader("gas_table", TOOL).load_module()


class Vapour(gas_table.Perfect):
    """gamma 1.03 with the line of saturation ln p = 25 - 6500 K / T."""

    def temperature_saturation(self, p):
        return 6500 / (25 - numpy.log(p))

    def dew_line(self, p):
        return numpy.log(self.R * self.temperature_saturation(p))

    def at_pT(self, p, T):
        return None if T < self.temperature_saturation(p) else super().at_pT(p, T)

    def node(self, p, P, guess):
        values, good, _, T = super().node(p, P, guess)
        return values, good, T >= self.temperature_saturation(p), T


vapour, p, T = Vapour(1.03, 35.15), (4e4, 9.2e5), (470, 600)
grown = gas_table.search(vapour, p, T, 16, 1e-4, 0)
check(grown.n > 16 and not grown.bad and grown.table[4] <= gas_table.BELOW, f"the table has {grown.n} nodes, not inside: {grown.bad}")
x, y, _, outside, _ = grown.table
for q in numpy.geomspace(p[0], p[1], 60)[1:-1]:
    for above in (0.01, 0.5, 3):
        t = vapour.temperature_saturation(q) + above
        if T[0] < t < T[1]:
            i, j = int((numpy.log(q) - x[0]) / (x[1] - x[0])), int((numpy.log(vapour.R * t) - y[0]) / (y[1] - y[0]))
            check(not outside[j:j + 2, i:i + 2].any(), f"{q:g} Pa, {above:g} K above saturation, lies outside the table")
finish()
