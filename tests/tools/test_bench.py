#!/usr/bin/env python3
"""`annulus bench` on a processor, small: the document is complete, its numbers agree with each
other, every row is right, and bad arguments are refused in plain words."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ANNULUS, MESH_DUCT = sys.argv[1:]
SOURCE = os.environ["AN_SOURCE"]
failed = []


def check(condition, text):
    if not condition:
        failed.append(text)
        print("FAILED:", text)


def annulus(*arguments):
    return subprocess.run([ANNULUS, *arguments], capture_output=True, text=True)


def refuse(text, *arguments):
    run = annulus(*arguments)
    check(run.returncode == 2, f"{arguments}: exit code {run.returncode}, not 2")
    check(text in run.stderr, f"{arguments}: '{text}' is not in: {run.stderr}")


def document(what, *arguments):
    """The JSON of a run; the keys every document has."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bench.json")
        run = annulus("bench", what, "--device", "cpu", "--json", path, *arguments)
        check(run.returncode == 0, f"bench {what} {arguments} ended with {run.returncode}: {run.stderr}")
        with open(path) as text:
            d = json.load(text)
    for key in ("program", "version", "date", "bench", "samples", "device", "tables"):
        check(key in d, f"bench {what}: no '{key}'")
    check(d["bench"] == what and d["device"]["engine"] == "cpu", f"bench {what}: of something else")
    for table in d["tables"]:
        for key in ("copy", "fma", "plain", "issue", "divide", "root"):
            check(table["ceilings"][key] > 0, f"bench {what}: ceiling {key}")
    return d, run.stdout


def copies():
    d, text = document("copy", "--n", "64", "--samples", "3")
    check([t["precision"] for t in d["tables"]] == ["single", "double"], "copy: precisions")
    for table in d["tables"]:
        size = 64**3 * (4 if table["precision"] == "single" else 8)
        check({c["name"] for c in table["copies"]} == {"memcpy", "streaming stores", "plain loop"},
              "copy: ways")
        for c in table["copies"]:
            check(c["right"] is True and c["bytes"] == size and c["bytes_per_second"] > 1e8,
                  f"copy: {c}")
        check(len(table["arithmetic"]) == 4, "copy: arithmetic")
    check("memcpy" in text and "GB/s" in text, "copy: the table")


def stencils_of_the_solver():
    """The names in AN_STENCIL_LIST, and which of them run along lines."""
    with open(os.path.join(SOURCE, "kernels", "engine", "stencil_list.h")) as text:
        found = re.findall(r"^ *(CELL|DIRECTIONAL|FACE|LINE)\((\w+)\)", text.read(), re.M)
    check(len(found) > 40, "solver: AN_STENCIL_LIST")
    return found


def solver():
    d, text = document("solver", "--n", "16", "--blocks", "2", "--samples", "1")
    names = {"copies", "copies, vectors turned"}
    for kind, name in stencils_of_the_solver():
        names |= {f"{name} {d}" for d in "ijk"} if kind == "LINE" else {name}
    for scheme in ("JST", "Roe", "matrix"):
        names |= {f"fused {scheme} residual", f"fused {scheme} stage"}
    names |= {"iteration, explicit, inviscid", "iteration, explicit, RANS", "cycle, implicit, RANS"}
    for table in d["tables"]:
        rows = {r["name"]: r for r in table["rows"]}
        ceilings(table)
        check(names <= set(rows), f"solver: no row {sorted(names - set(rows))}")
        word = 4 if table["precision"] == "single" else 8
        for r in table["rows"]:
            check(r["right"] is True and r["error"] <= r["tolerance"], f"solver: wrong: {r}")
            check(r["seconds"] > 0 and r["points"] > 0 and r["bytes_per_point"] > 0, f"solver: {r}")
            check(abs(r["points_per_second"] * r["seconds"] / r["points"] - 1) < 1e-9, f"rate: {r}")
            parts = [r["operations"][k] for k in ("add", "multiply", "divide", "root", "power")]
            check(abs(sum(parts) - r["flops_per_point"]) < 1e-6, f"solver: operations of {r}")
        # counted by hand from the definitions
        check(rows["primitive"]["bytes_per_point"] == 11 * word, "solver: bytes of primitive")
        check(rows["primitive"]["flops_per_point"] == 15, "solver: operations of primitive")
        check(rows["update"]["bytes_per_point"] == 16 * word, "solver: bytes of update")
        check(rows["update"]["operations"]["multiply"] == 6, "solver: multiplications of update")
        check(rows["face_area"]["bytes_per_point"] == 3 * (3 * 8 + 3 * word), "solver: bytes of face_area")
        check(rows["restrict_scalar"]["bytes_per_point"] == (8 + 8 + 2) * word,
              "solver: bytes of restrict_scalar")
        check(rows["fused JST stage"]["bytes_per_point"] == 28 * word, "solver: bytes of the stage")
        check(rows["fused JST residual"]["bytes_per_point"] == 22 * word, "solver: bytes of the residual")
        check(rows["copies"]["bytes_per_point"] == 10 * word, "solver: bytes of copies")
        check(rows["fused JST stage"]["points"] == 2 * 16**3, "solver: cells")
    check("2 blocks of 16^3 cells" in text, "solver: the table")
    one, text = document("solver", "--n", "16", "--samples", "1", "--only", "flux_sum", "--precision",
                         "double", "--markdown")
    check([r["name"] for r in one["tables"][0]["rows"]] == ["flux_sum"], "solver: --only")
    check("| flux_sum |" in text, "solver: --markdown")


def ceilings(table):
    """Each row's roofline is the time of its bytes, of its instructions, of its divisions or of its roots."""
    c = table["ceilings"]
    for r in table["rows"]:
        times = (r["bytes_per_point"] / c["copy"], r["instructions_per_point"] / c["issue"],
                 r["operations"]["divide"] / c["divide"], r["operations"]["root"] / c["root"])
        roof = r["fraction_of_roofline"] * r["seconds"] / r["points"]
        check(abs(roof / max(times) - 1) < 1e-9, f"roofline {roof} of {times}: {r}")
        check(0 <= r["instructions_per_point"] <= r["flops_per_point"], f"instructions: {r}")


def stencils():
    d, text = document("stencils", "--n", "37", "--samples", "1", "--threads", "2")
    names = {f"{s} {way}" for s in ("star7", "box27s", "box27", "star25")
             for way in ("naive", "blocked", "blocked, streaming stores")}
    for table in d["tables"]:
        check({r["name"] for r in table["rows"]} == names, "stencils: rows")
        ceilings(table)
        for r in table["rows"]:
            word = 4 if table["precision"] == "single" else 8
            check(r["right"] is True and r["bytes_per_point"] == 2 * word, f"stencils: {r}")
    check("grid of 37^3 points" in text, "stencils: the table")


def case():
    """Cycles of the row of `annulus bench case`, and of a case of the user's."""
    d, text = document("case", "--n", "16", "--samples", "1", "--sweep", "--precision", "single",
                       "--set", "multigrid.levels=2", "--set", "march.stages=2")
    variants = {v["name"]: v for v in d["tables"][0]["variants"]}
    check(list(variants) == ["as the case", "W, 1 level", "1 stage"], f"case: variants {list(variants)}")
    own = variants["as the case"]
    check((own["levels"], own["stages"], own["shape"], own["blocks"], own["cells"])
          == (2, 2, "w", 3, 8192), f"case: {own}")
    places = {p["name"]: p for p in own["places"]}
    check([(p, places[p]["cells"]) for p in places]
          == [("level 1", 8192), ("level 2", 1024), ("turbulence", 8192)], f"case: places {places}")
    for key in ("operations", "launches", "seconds_at_large_rates"):
        total = sum(p[key] for p in own["places"])
        check(abs(total - own["cycle"][key]) <= 1e-9 * abs(total), f"case: {key} of the places")
    parts = sum(p["seconds"] for p in own["places"]) / own["seconds"]
    check(0.2 < parts < 5, f"case: the places take {parts} of a cycle")
    calls = {(k["name"], k["place"]): 0 for k in own["kernels"]}
    for k in own["kernels"]:
        calls[k["name"], k["place"]] += k["calls"]
        check(k["seconds_alone"] > 0 and k["seconds_at_large_rates"] > 0 and k["points"] > 0, f"case: {k}")
    check(sum(calls.values()) == own["cycle"]["operations"], "case: calls of the kernels")
    # two stages before and two after the coarser level
    check(calls.get(("implicit_lines_viscous", "level 1")) == 4, f"case: lines {calls}")
    check(variants["1 stage"]["cycle"]["operations"] < own["cycle"]["operations"], "case: stages")
    check("as the case: 8192 cells in 3 blocks, 2 levels, W cycle, 2 stages" in text, "case: the table")
    step = ["case", "--n", "16", "--samples", "1", "--precision", "single", "--set", "march.mode=unsteady", "--set",
            "march.method=dual", "--set", "march.time_step=1e-6"]
    operations = []
    for more, inner in (([], 8), (["--set", "march.inner_iterations=2"], 2)):
        d, text = document(*step, *more)
        own = d["tables"][0]["variants"][0]
        check(own["inner_iterations"] == inner and f"time steps/s of {inner} inner iterations" in text,
              f"case: dual {own['inner_iterations']}")
        operations.append(own["cycle"]["operations"])
    check(3 < operations[0] / operations[1] <= 4, f"case: dual steps of 8 and 2 inner iterations {operations}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([MESH_DUCT, "--output", f"{folder}/duct.cgns"], check=True)
        with open(f"{folder}/case.yaml", "w") as out:
            out.write("case: duct\nmesh: duct.cgns\ninitial: {p: 1.0e5, T: 288, mach: 0.3, direction: [1, 0, 0]}\n"
                      "boundaries:\n  inlet: {type: inlet_total, p0: 1.06e5, T0: 293, direction: [1, 0, 0]}\n"
                      "  outlet: {type: outlet_static, p: 1.0e5}\n  hub: {type: wall_slip}\n"
                      "  casing: {type: wall_slip}\n")
        d, text = document("case", f"{folder}/case.yaml", "--samples", "1", "--markdown")
        names = [k["name"] for k in d["tables"][0]["variants"][0]["kernels"]]
        check("fused JST stage" in names and "| level 1" in text, f"case: explicit {names}")
        refuse("--n is the size of the row", "bench", "case", f"{folder}/case.yaml", "--n", "32")
    refuse("/nowhere.yaml", "bench", "case", "/nowhere.yaml")
    refuse("--precision is single or double", "bench", "case", "--precision", "both")
    refuse("--only has no meaning for `annulus bench case`", "bench", "case", "--only", "correct")
    refuse("too many arguments, from 'case.yaml' on", "bench", "copy", "case.yaml")


def tables():
    """tools/dev/bench_table: tables of a document, in a page between its marks."""
    tool = os.path.join(SOURCE, "tools", "dev", "bench_table")
    with tempfile.TemporaryDirectory() as folder:
        path, page = os.path.join(folder, "small.json"), os.path.join(folder, "page.md")
        annulus("bench", "solver", "--device", "cpu", "--n", "16", "--samples", "1", "--only", "flux_sum",
                "--json", path)
        with open(page, "w") as out:
            out.write("before\n<!-- bench small -->\nold\n<!-- end -->\nafter\n")
        run = subprocess.run([sys.executable, tool, path, "--into", page], capture_output=True, text=True)
        with open(page) as text:
            got = text.read()
        check(run.returncode == 0 and "| flux_sum | 25 | 80 |" in got and "| flux_sum | 25 | 160 |" in got,
              f"bench_table: {run.stderr} {got}")
        check("old" not in got and got.startswith("before") and got.endswith("after\n"), "bench_table: page")
        run = subprocess.run([sys.executable, tool, page], capture_output=True, text=True)
        check(run.returncode == 2 and "not a result" in run.stderr, "bench_table: of something else")


def arguments():
    refuse("needs one of copy, stencils, solver, case", "bench")
    refuse("knows copy, stencils, solver and case, not 'all'", "bench", "all")
    refuse("--n is 16 to 2048 cells, not 8", "bench", "copy", "--n", "8")
    refuse("--n must be even, for multigrid, not 17", "bench", "solver", "--n", "17")
    refuse("--n needs a whole number from 1 on, not '12x'", "bench", "copy", "--n", "12x")
    refuse("--samples is 1 to 1000, not 2000", "bench", "copy", "--samples", "2000")
    refuse("--blocks needs a whole number", "bench", "solver", "--blocks", "-1")
    refuse("--blocks goes with `annulus bench solver`", "bench", "copy", "--blocks", "2")
    refuse("--precision is single, double or both, not 'half'", "bench", "copy", "--precision", "half")
    refuse("--isa is baseline, avx2 or avx512, not 'sse'", "bench", "copy", "--isa", "sse")
    refuse("--device is auto, cpu or cuda, not 'tpu'", "bench", "copy", "--device", "tpu")
    refuse("/nowhere/x.json: No such file", "bench", "copy", "--json", "/nowhere/x.json")
    refuse("go with `annulus bench`", "check", "case.yaml", "--n", "32")
    refuse("--set goes with `annulus bench case` only", "bench", "copy", "--set", "march.cfl=2")


def programs():
    """The flow program has nothing of the benchmark, which is a program beside it, and says so where it is missing."""
    def has(program):
        with open(program, "rb") as f:
            return b"multiply and add apart" in f.read()  # of the first table of `annulus bench copy`

    check(has(ANNULUS + "_bench") and not has(ANNULUS), "the benchmark is not in annulus_bench alone")
    with tempfile.TemporaryDirectory() as folder:
        alone = shutil.copy(ANNULUS, folder)
        run = subprocess.run([alone, "bench", "copy"], capture_output=True, text=True)
        check(run.returncode == 2 and "built without `annulus bench`" in run.stderr, f"without annulus_bench: {run}")


programs()
copies()
stencils()
solver()
case()
tables()
arguments()
sys.exit(1 if failed else 0)
