"""The manual.

    test_docs.py links BIN       tools/dev/docs builds the site and finds every link and heading, and finds faults put
                                 into a copy on purpose
    test_docs.py commands BIN    the commands of the pages run

Commands: each block of code that is marked `sh` on the pages below runs in a copy of the repository, the blocks of a
page one after the other in one shell, and must end without an error. Two comments before a block change that:

    <!-- not run: REASON -->     the block is not run; the reason is required
    <!-- run by NAME -->         the block is run by the test NAME, which must exist in tests/

`annulus run` is given a few iterations only, at whatever the page says.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
ITERATIONS = 4
PAGE_SECONDS = 300
WRAPPER = """#!/usr/bin/env bash
# The program with a few iterations in place of a whole run.
if [[ ${{1:-}} == run ]]; then
    set -- "$@" --device cpu --set march.iterations={iterations} --set output.history_every=2
fi
exec {program} "$@"
"""
BLOCK = re.compile(r"^(?:<!--(?P<comment>[^\n]*?)-->\n)?```sh\n(?P<text>.*?)^```", re.M | re.S)

faults = 0


def fault(text):
    global faults
    faults += 1
    print("FAULT: " + text, flush=True)


def pages():
    found = [os.path.join(TOP, name) for name in ("README.md", "CONTRIBUTING.md", "kernels/README.md", "mpi/README.md", "tests/README.md")]
    found += sorted(glob.glob(os.path.join(TOP, "docs", "**", "*.md"), recursive=True))
    return found


def registered(name):
    """Is there a test of that name: a source or a script in tests/?"""
    return bool(glob.glob(os.path.join(TOP, "tests", "*", name + ".*")))


def blocks_of(page):
    """The blocks of a page that are to be run. Comments that are not understood are faults."""
    with open(page) as f:
        text = f.read()
    where, wanted = os.path.relpath(page, TOP), []
    for match in BLOCK.finditer(text):
        comment = (match["comment"] or "").strip()
        line = text.count("\n", 0, match.start("text")) + 1
        by, reason = re.fullmatch(r"run by (\S+)", comment), re.fullmatch(r"not run: (.+)", comment)
        if by and not registered(by[1]):
            fault(f"{where}:{line}: there is no test '{by[1]}'")
        if comment and not by and not reason:
            fault(f"{where}:{line}: '{comment}' is neither 'not run: REASON' nor 'run by TEST'")
        if not comment:
            wanted.append((line, match["text"]))
    return wanted


def sandbox(folder, binaries):
    """A copy of the repository's files that commands of pages use, with the program shortened."""
    for name in ("cases", "docs"):
        shutil.copytree(os.path.join(TOP, name), os.path.join(folder, name),
                        ignore=shutil.ignore_patterns("out", "out_*", "*.cgns"))
    os.symlink(os.path.join(TOP, "tools"), os.path.join(folder, "tools"))
    os.makedirs(os.path.join(folder, "build", "cpu", "bin"))
    for path in glob.glob(os.path.join(binaries, "*")):
        to = os.path.join(folder, "build", "cpu", "bin", os.path.basename(path))
        if os.path.basename(path) == "annulus":
            with open(to, "w") as f:
                f.write(WRAPPER.format(iterations=ITERATIONS, program=path))
            os.chmod(to, 0o755)
        else:
            os.symlink(path, to)


def run_page(page, blocks, binaries):
    where = os.path.relpath(page, TOP)
    script = "set -euo pipefail\ncd \"$SANDBOX\"\n"
    for line, text in blocks:
        script += f"echo '== {where}:{line}' >&2\n{text}"
    with tempfile.TemporaryDirectory() as folder:
        sandbox(folder, binaries)
        env = dict(os.environ, SANDBOX=folder, MPLCONFIGDIR=os.path.join(folder, "matplotlib"))
        # the Python that runs this test has h5py; another one may come first in PATH
        env["PATH"] = os.pathsep.join([os.path.join(folder, "build", "cpu", "bin"), os.path.dirname(sys.executable),
                                       env["PATH"]])
        p = subprocess.Popen(["bash", "-c", script], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, start_new_session=True)
        try:
            output = p.communicate(timeout=PAGE_SECONDS)[0]
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            fault(f"{where}: did not end in {PAGE_SECONDS} s: {p.communicate()[0][-1500:]}")
            return
    if p.returncode:
        fault(f"{where}: ended with {p.returncode}:\n{output[-3000:]}")


def commands(binaries):
    if subprocess.run([sys.executable, "-c", "import h5py, matplotlib"], capture_output=True).returncode:
        print("skipped: Python's h5py and matplotlib are not there")
        sys.exit(77)
    count = 0
    for page in pages():
        blocks = blocks_of(page)
        if blocks:
            run_page(page, blocks, binaries)
            print(f"{os.path.relpath(page, TOP)}: {len(blocks)} blocks", flush=True)
            count += len(blocks)
    if count < 10:
        fault(f"only {count} blocks of commands were found")


def build(tool, binaries, folder):
    return subprocess.run([sys.executable, tool, "-b", binaries, "-o", folder], capture_output=True, text=True,
                          timeout=200)


def links(binaries):
    if not shutil.which("mkdocs"):
        print("skipped: mkdocs is not there")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        r = build(os.path.join(TOP, "tools", "dev", "docs"), binaries, os.path.join(folder, "good"))
        if r.returncode:
            fault(f"tools/dev/docs ended with {r.returncode}: {r.stdout[-3000:]} {r.stderr[-3000:]}")
        print(r.stdout.strip())
        # the reference has a row for each output field of the program
        with open(os.path.join(TOP, "io", "output_fields.h")) as f:
            fields = re.findall(r"^    O\((\w+),", f.read(), re.M)
        with open(os.path.join(folder, "good", "site-source", "docs", "reference", "output.md")) as f:
            rows = re.findall(r"^\| `(\w+)` \|", f.read(), re.M)
        if not fields or rows != fields:
            fault(f"the reference has the output fields {rows}, the program has {fields}")
        # a page with a file and a heading that are not there
        copy = os.path.join(folder, "copy")
        for name in ("docs", "cases", "kernels", "mpi", "bc", "solver", "bench", "tools", "io", "tests"):
            shutil.copytree(os.path.join(TOP, name), os.path.join(copy, name), symlinks=True,
                            ignore=shutil.ignore_patterns("out", "out_*", "*.cgns", "__pycache__"))
        for path in glob.glob(os.path.join(TOP, "*")):
            if os.path.isfile(path):
                shutil.copy(path, copy)
        with open(os.path.join(copy, "docs", "README.md"), "a") as f:
            f.write("\n[a file](no-such-file.md) and [a heading](theory.md#no-such-heading)\n")
        r = build(os.path.join(copy, "tools", "dev", "docs"), binaries, os.path.join(folder, "bad"))
        if r.returncode != 1 or "no-such-file.md" not in r.stdout:
            fault(f"a link to a missing file was not found: {r.returncode} {r.stdout[-2000:]} {r.stderr[-2000:]}")
        with open(os.path.join(copy, "docs", "README.md"), "a") as f:
            f.write("\n")
        with open(os.path.join(copy, "docs", "README.md")) as f:
            text = f.read().replace("[a file](no-such-file.md) and ", "")
        with open(os.path.join(copy, "docs", "README.md"), "w") as f:
            f.write(text)
        r = build(os.path.join(copy, "tools", "dev", "docs"), binaries, os.path.join(folder, "bad"))
        if r.returncode != 1 or "no-such-heading" not in r.stdout:
            fault(f"a link to a missing heading was not found: {r.returncode} {r.stdout[-2000:]} {r.stderr[-2000:]}")


{"links": links, "commands": commands}[sys.argv[1]](os.path.abspath(sys.argv[2]))
print(f"{faults} faults")
sys.exit(1 if faults else 0)
