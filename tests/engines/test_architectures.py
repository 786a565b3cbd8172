"""test_architectures.py BUILD ARCHITECTURE...: every CUDA object of the build holds machine code for each architecture.

An architecture is one of CMAKE_CUDA_ARCHITECTURES: 90-real has machine code, 90-virtual has PTX, 90 has both. The
objects hold tables ("fat binaries") whose heads name kind and architecture of each part.
"""
import os
import re
import struct
import sys

MAGIC, PTX, CODE = b"\x50\xed\x55\xba", 1, 2
build, *architectures = sys.argv[1:]
wanted = set()
for architecture in architectures:
    parts = re.fullmatch(r"(\d+)[a-z]?(-real|-virtual)?", architecture)
    if not parts:
        print(f"skipped: '{architecture}' names no architecture")
        sys.exit(77)
    wanted |= {(kind, int(parts[1])) for kind, other in ((CODE, "-virtual"), (PTX, "-real")) if parts[2] != other}


def parts_of(data):
    """{(kind, architecture): bytes} in the fat binaries of an object."""
    found = {}
    at = data.find(MAGIC)
    while at >= 0:
        head, size = struct.unpack_from("<HQ", data, at + 6)
        part, end = at + head, at + head + size
        while part < end:
            kind, length, payload = struct.unpack_from("<H2xIQ", data, part)
            architecture, = struct.unpack_from("<I", data, part + 28)
            found[kind, architecture] = found.get((kind, architecture), 0) + payload
            part += length + payload
        at = data.find(MAGIC, end)
    return found


count = faults = 0
for folder, _, files in os.walk(os.path.join(build, "kernels")):
    for name in sorted(f for f in files if f.endswith(".cu.o")):
        with open(os.path.join(folder, name), "rb") as f:
            found = parts_of(f.read())
        count += 1
        missing = sorted(f"{'PTX' if kind == PTX else 'code'} for {number}" for kind, number in wanted
                         if not found.get((kind, number)))
        if missing:
            faults += 1
            print(f"FAULT: {os.path.relpath(os.path.join(folder, name), build)} lacks {', '.join(missing)}")
if not count:
    print("skipped: no CUDA object is built")
    sys.exit(77)
print(f"{count} objects, {faults} lack an architecture of {' '.join(architectures)}")
sys.exit(1 if faults else 0)
