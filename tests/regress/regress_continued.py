"""Flows that settle only while cycles are mixed stay settled: for 300 further cycles no figure leaves the value that the run
ended with by more than a stop rule allows, neither when the run is continued from its snapshot nor when a point of a map is.

The cases are generated (tools/robustness) and have default settings. Each must need the mixing, otherwise it shows nothing.
"""
import concurrent.futures
import re
import sys

from regress import *

sys.path.insert(0, os.path.join(SOURCE, "tools", "robustness"))
import design  # noqa: E402
import execute  # noqa: E402
import judge  # noqa: E402

CASES = (("diffuser_08", "t"), ("airfoil_11", "t"))
MAP = ("turbine_cascade_02", "t")
LIMIT = 300 * PATIENCE

top = folder("continued")
runner = execute.Runner(BIN, top, "cpu", LIMIT, "all", None)
CONTINUE = os.path.join(SOURCE, "tools", "release", "continue_map")
POINTS = (1.0, 1.01)  # of the map, of the outlet pressure of the case


def designed(name, size):
    return {**next(case for case in design.cases() if case["name"] == name), "size": size}


def made(case):
    reason = runner.mesh(case)
    return check(not reason, f"{case['name']}: {reason}")


def log(case, name):
    with open(os.path.join(runner.folder(case), name), encoding="utf-8") as f:
        return f.read()


def stays(what, result):
    """Is a flow that settled still within the stop rules (casefile.end_rules) at the end of a continuation?"""
    check(result["outcome"] == "settled" and result.get("later", 1) <= judge.MOVE,
          f"{what}: {result['outcome']} after {result['cycles']} cycles, {result.get('later_moves')} then moves by "
          f"{result.get('later', float('nan')):.2g} of itself: {result['message']}")


def continued(name, size):
    """A run with default settings, and its continuation."""
    case = designed(name, size)
    if made(case):
        result = runner.run(case, "cpu")
        check("cycles are mixed" in log(case, "run.log"), f"{name} settles without mixing, and shows nothing")
        stays(name, result)


def map_continued(name, size):
    """The points of a map, continued by `run`."""
    case = {**designed(name, size), "name": f"{name}_map"}
    if not made(case):
        return
    values, at = [part * case["values"]["p"] for part in POINTS], runner.folder(case)
    env = {**environment(), "PATH": BIN + os.pathsep + os.environ["PATH"]}
    for n, command in enumerate(([ANNULUS, "map", "case.yaml", "--device", "cpu", "--set", f"map={{values: {values}}}"],
                                 [sys.executable, "-B", CONTINUE, "case.yaml", "out", "--device", "cpu"])):
        code, _, _ = execute.run_command(command, at, f"map_{n}.log", LIMIT, env)
        if not check(code == DONE, f"map: exit code {code}: {log(case, f'map_{n}.log')[-1500:]}"):
            return
    check("cycles are mixed" in log(case, "map_0.log"), f"{name} settles without mixing, and shows nothing")
    said = log(case, "map_1.log")
    count, move = re.search(r"largest move of (\d+) points: (\S+)", said).groups()
    check(int(count) == len(POINTS) and float(move) <= judge.MOVE, f"{name}, points of a map:\n{said}")


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    jobs = [pool.submit(map_continued, *MAP), *(pool.submit(continued, *c) for c in CASES)]
    for job in jobs:
        job.result()
finish()
