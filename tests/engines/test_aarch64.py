"""test_aarch64.py BUILD WORK: the kernels compile for aarch64 and give the same bits there.

The commands by which BUILD compiled the CPU engine are repeated with a cross compiler, at -O1. bits.c is linked
with the result, runs under qemu, and must print what the same program of this machine prints."""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys

CROSS, QEMU = shutil.which("aarch64-linux-gnu-gcc"), shutil.which("qemu-aarch64")
build, work = sys.argv[1:3]
if not CROSS or not QEMU:
    print("skipped: no aarch64-linux-gnu-gcc or no qemu-aarch64 (gcc-aarch64-linux-gnu, qemu-user)")
    sys.exit(77)
OTHER = ("-march=x86-64-v3", "-march=x86-64-v4", "-mprefer-vector-width=512")


def commands():
    """(source, arguments) of the CPU engine's objects of one instruction set, whichever was built, as for the set
    `baseline`, the only one of other processors."""
    with open(os.path.join(build, "compile_commands.json")) as text:
        entries = [(e["file"], shlex.split(e["command"])) for e in json.load(text)]
    isa = min(a for _, arguments in entries for a in arguments if a.startswith("-DAN_ISA="))
    for source, arguments in entries:
        output = arguments[arguments.index("-o") + 1]
        if source.endswith(".c") and (isa in arguments and "an_cpu" in output or "an_kernels.dir" in output):
            arguments = ["-DAN_ISA=baseline" if a == isa else a for a in arguments]
            yield source, [*arguments[:1], "-DAN_CPU_HAS_baseline", *arguments[1:]]


def cross(number, source, arguments):
    at = arguments.index("-o")
    made = os.path.join(work, f"{number}.o")
    arguments = [a for n, a in enumerate(arguments) if n not in (at, at + 1) and a not in OTHER]
    flags = [a for a in arguments[1:] if not a.startswith(("-O", "-DAN_CPU_HAS_avx", "-DAN_HAVE_CUDA")) and a not in ("-c", source)]
    done = subprocess.run([CROSS, *flags, "-O1", "-c", source, "-o", made], capture_output=True, text=True)
    if done.returncode:
        print(done.stderr[-3000:])
    return made if done.returncode == 0 else None


os.makedirs(work, exist_ok=True)
todo = list(commands())
bits = next(c for f, c in todo if f.endswith("engine/engine.c"))
todo.append((os.path.join(os.path.dirname(os.path.abspath(__file__)), "bits.c"), bits[:-1]))
with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("AN_JOBS", "2"))) as pool:
    objects = list(pool.map(lambda item: cross(item[0], *item[1]), enumerate(todo)))
if None in objects:
    print(f"FAULT: {objects.count(None)} of {len(objects)} files do not compile for aarch64")
    sys.exit(1)
program = os.path.join(work, "bits")
subprocess.run([CROSS, "-static", "-fopenmp", *objects, "-lm", "-o", program], check=True)
there = subprocess.run([QEMU, program], capture_output=True, text=True, timeout=200)
here = subprocess.run([os.path.join(build, "tests", "bits")], capture_output=True, text=True)
differ = [(a, b) for a, b in zip(here.stdout.splitlines(), there.stdout.splitlines()) if a != b]
for a, b in differ:
    print(f"FAULT: here {a}, aarch64 {b}")
if here.returncode or there.returncode or len(here.stdout.splitlines()) != len(there.stdout.splitlines()):
    print(f"FAULT: {here.returncode}, {there.returncode}: {here.stderr}{there.stderr}")
    sys.exit(1)
print(f"{len(objects)} files, {len(here.stdout.splitlines())} checksums, {len(differ)} differ")
sys.exit(1 if differ or not here.stdout else 0)
