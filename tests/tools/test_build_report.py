"""tools/dev/build_report on a folder made here: counts, times of the last build of each step, limits, a missing tool."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
faults = 0


def check(what, code, *options, expected=(), absent=()):
    global faults
    run = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "tools", "dev", "build_report"), *options],
                         capture_output=True, text=True)
    said = run.stdout + run.stderr
    wrong = [f"'{e}' is missing" for e in expected if e not in " ".join(said.split())]
    wrong += [f"'{e}' is there" for e in absent if e in said]
    if run.returncode != code:
        wrong.append(f"exit code {run.returncode}, expected {code}")
    if wrong:
        faults += 1
        print(f"FAULT: {what}: {'; '.join(wrong)}\n{said}")


with tempfile.TemporaryDirectory() as build:
    check("nothing built", 1, build, expected=["holds no objects of kernels"])
    for target, name in (("an_cpu_64", "a.c.o"), ("an_cpu_64", "deep/b.c.o"), ("an_kernels", "c.c.o")):
        path = os.path.join(build, "kernels", "CMakeFiles", f"{target}.dir", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").close()
    check("no log", 0, build, expected=["objects of kernels 3", "an_cpu_64 2", "no log of ninja"])
    with open(os.path.join(build, ".ninja_log"), "w") as log:
        log.write("# ninja log v5\n0\t90000\t1\ta.o\tx\n0\t2000\t2\ta.o\tx\n500\t3500\t1\tb.o\tx\n")
    check("within its limit", 0, build, "--objects", "3", expected=["sum of build steps, s 5"], absent=["over"])
    check("over its limit", 1, build, "--objects", "2",
          expected=["over its limit: objects of kernels: 3, limit 2"])
    check("no program", 1, build, "--megabytes", "90", expected=["is missing, but its figures have limits"])
sys.exit(1 if faults else 0)
