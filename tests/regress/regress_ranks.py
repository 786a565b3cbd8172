"""The answer does not depend on ranks or threads: fields bit for bit, history to the last digit.

Four ranks cut zones: more pieces than zones, read from `annulus check`.
"""
import os
import re

from regress import *

ITERATIONS = 60

top = folder("ranks")
case = write_case(top)

r = annulus("check", case, np=4)
found = re.search(r"(\d+) zones?, (\d+) cells, cut into (\d+) pieces", r.out)
check(r.code == DONE and found and int(found[3]) > int(found[1]),
      f"four ranks should cut the mesh: {r}")

for precision in ("double", "single"):
    for flux in ("jst", "roe"):
        first = None
        for ranks, threads in ((1, 1), (1, 2), (2, 1), (4, 1)):
            out = os.path.join(top, f"{precision}_{flux}_{ranks}x{threads}")
            r = run(case, np=ranks, threads=threads,
                    options=(f"precision={precision}", f"scheme.flux={flux}", "march.cfl=1",
                             f"output.folder={out}", f"march.iterations={ITERATIONS}"))
            if r.code != DONE:
                break
            what = f"{precision}, {flux}, {ranks} ranks of {threads} threads against one"
            if first is None:
                first = out
                values = fields(snapshot(out, ITERATIONS))
                dtype = {v.dtype.itemsize for v in values.values()}
                check(dtype == {4 if precision == "single" else 8}, f"{what}: stored as {dtype}")
                check(all(v.std() > 0 for n, v in values.items() if not n.endswith("MomentumZ")),
                      f"{what}: a field is uniform, the comparison would prove nothing")
            else:
                same_fields(snapshot(first, ITERATIONS), snapshot(out, ITERATIONS), what)
                same_history(first, out, what)
finish()
