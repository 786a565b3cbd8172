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
finish()
