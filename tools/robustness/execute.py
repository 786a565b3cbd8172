"""Makes the mesh of a case and runs it: one folder for each case, with result.json once it is done."""
import glob
import hashlib
import json
import math
import os
import shutil
import signal
import subprocess
import tempfile
import time

import design
import gradients
import judge

MESH_LIMIT = 300  # s
FURTHER = 300     # iterations of a continuation, at least
SAMPLE = 4        # --continue sample: of the runs that settle strictly, every fourth is continued; of all others that call themselves settled, all


CHILDREN = set()


def stop_all():
    """Ends what runs: the suite itself is being stopped."""
    for child in list(CHILDREN):
        child.kill()


def run_command(command, folder, log, limit, environment=None):
    """Exit code, seconds, whether the limit stopped it. At the limit the program is asked to stop, and killed 20 s later."""
    begin = time.monotonic()
    with open(os.path.join(folder, log), "w", encoding="utf-8") as f:
        try:
            child = subprocess.Popen(command, cwd=folder, stdout=f, stderr=subprocess.STDOUT, env=environment)
        except OSError as e:
            f.write(f"{command[0]}: {e}\n")
            return 127, 0.0, False
        CHILDREN.add(child)
        late = False
        try:
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            late = True
            child.send_signal(signal.SIGTERM)
            try:
                code = child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()
                code = child.wait()
    CHILDREN.discard(child)
    return code, time.monotonic() - begin, late


def last_line(folder, log):
    try:
        with open(os.path.join(folder, log), encoding="utf-8", errors="replace") as f:
            lines = [line.strip() for line in f if line.strip()]
    except OSError:
        return ""
    return lines[-1][:300] if lines else ""


class Runner:
    """How cases are run: folder of the programs, working folder, device, limits. adjoint_limit: seconds for the adjoint of a
    settled run, None: none is made; adjoint_memory: bytes that adjoints side by side may take."""

    def __init__(self, bin_folder, work, device, limit, continuation, iterations, settings=(), adjoint_limit=None, adjoint_memory=math.inf,
                 threads=1):
        self.bin, self.work, self.device = os.path.abspath(bin_folder), os.path.abspath(work), device
        self.keys, self.settings = {}, [word for setting in settings for word in ("--set", setting)]
        self.limit, self.continuation, self.iterations, self.threads = limit, continuation, iterations, threads
        self.adjoint_limit, self.room = adjoint_limit, gradients.Room(adjoint_memory)

    def folder(self, case):
        return os.path.join(self.work, case["name"])

    def knows(self, key):
        """Does the program have a key of the case file?"""
        if key not in self.keys:
            command = [self.tool("annulus"), "help-case", key]
            self.keys[key] = subprocess.run(command, env=self.environment(), capture_output=True).returncode == 0
        return self.keys[key]

    def tool(self, name):
        return os.path.join(self.bin, name)

    def kept(self, case):
        """The result of an earlier run of the same case; None where there is none, or where its continuation is wanted and
        was not made."""
        result = judge.load_json(os.path.join(self.folder(case), "result.json"))
        if result.get("case") != json.loads(json.dumps(case)):
            return None
        return None if "later_seconds" not in result and self.wants_more(case, result) else result

    def mesh(self, case):
        """Writes the input files and makes mesh.cgns; "" or the reason why there is none."""
        folder = self.folder(case)
        os.makedirs(folder, exist_ok=True)
        for name in ("result.json", "mesh.cgns"):
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))
        case = {**case, "force": self.knows("stop.force")}
        if self.iterations:
            case["iterations"] = min(self.iterations, case.get("iterations", self.iterations))
        for n, (program, *arguments) in enumerate(design.build(case, folder)):
            log = f"mesh_{n}.log"
            code, _, late = run_command([self.tool(program), *arguments], folder, log, MESH_LIMIT, self.environment())
            if code != 0:
                return f"{program}: " + (f"stopped after {MESH_LIMIT} s" if late else last_line(folder, log))
        return ""

    def environment(self):
        """The threads of each run, and the libraries of a bundle (tools/bundle) for the programs alone."""
        own = {**os.environ, "OMP_NUM_THREADS": str(self.threads)}
        lib = os.path.join(os.path.dirname(self.bin), "lib")
        if glob.glob(os.path.join(lib, "libcgns*")):
            own["LD_LIBRARY_PATH"] = lib + ":" + own.get("LD_LIBRARY_PATH", "")
        return own

    def annulus(self, folder, log, device, *more, what="run", limit=None):
        command = [self.tool("annulus"), what, "case.yaml", "--device", device, *self.settings, *more]
        # Open MPI's runs of one process share a folder of session files, which the first one to end removes
        with tempfile.TemporaryDirectory(prefix="an_suite_") as own:
            return run_command(command, folder, log, limit or self.limit, {**self.environment(), "TMPDIR": own})

    def run(self, case, device):
        """Runs a case whose mesh is there, continues it where that is wanted, and keeps the result."""
        folder = self.folder(case)
        code, seconds, late = self.annulus(folder, "run.log", device)
        result = judge.first_verdict(code, late, folder, case["family"], case["precision"])
        result.update(exit=code, seconds=seconds, device=device)
        if not result["message"]:
            result["message"] = "; ".join(result["warnings"]) or (last_line(folder, "run.log") if code else "")
        if self.wants_more(case, result):
            self.go_on(case, device, result)
        if self.wants_gradients(result):
            self.find_gradients(case, device, result)
        return self.keep(case, result)

    def wants_gradients(self, result):
        """Are gradients asked for that this result does not have?"""
        return self.adjoint_limit is not None and gradients.is_wanted(result) and "adjoint" not in result

    def add_gradients(self, case, device, result):
        """The same of a result that an earlier suite kept."""
        self.find_gradients(case, device, result)
        return self.keep(case, result)

    def find_gradients(self, case, device, result):
        """`annulus adjoint` about the snapshot that the run ended with; result["adjoint"] says what became of it."""
        folder = self.folder(case)
        with self.room.take(gradients.room_needed(case, result.get("cells"))):
            for name in glob.glob(os.path.join(folder, "out", "adjoint*")):
                os.remove(name)
            code, seconds, late = self.annulus(folder, "adjoint.log", device, *gradients.command(case), what="adjoint", limit=self.adjoint_limit)
        with open(os.path.join(folder, "adjoint.log"), encoding="utf-8", errors="replace") as f:
            found = gradients.verdict(code, late, f.read(), gradients.report_of(folder))
        result["adjoint"] = {**found, "exit": code, "seconds": seconds}

    def go_on(self, case, device, result):
        """Continues a run for as many iterations, FURTHER at least, without an end by its rules, into the folder `more`."""
        folder = self.folder(case)
        snapshot = os.path.join("out", os.path.basename(judge.load_json(os.path.join(folder, "out", "run.json"))["snapshot"]))
        shutil.rmtree(os.path.join(folder, "more"), ignore_errors=True)
        code, seconds, late = self.annulus(
            folder, "continue.log", device, "--restart", snapshot, "--set",
            f"march.iterations={result['cycles'] + max(result['cycles'], FURTHER)}", "--set", "march.residual_drop=1e-30",
            "--set", "output.folder=more")
        result["later_seconds"] = seconds
        if code == 3:
            result.update(outcome="silent", message="diverges in a continuation")
        elif code != 0 or late:
            said = "stopped at the time limit" if late else last_line(folder, "continue.log")
            result.update(outcome="time" if late else "failed", message=f"in a continuation: {said}")
        else:
            result.update(judge.later_verdict(result, folder, case["family"], case["precision"]))

    def wants_more(self, case, result):
        if self.continuation == "none" or result["outcome"] not in ("settled", "settled_loose"):
            return False
        chosen = int(hashlib.sha1(case["name"].encode()).hexdigest(), 16) % SAMPLE == 0
        return self.continuation == "all" or chosen or result["outcome"] == "settled_loose"

    def keep(self, case, result):
        result["case"] = case
        path = os.path.join(self.folder(case), "result.json")
        with open(path + ".new", "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)
        os.replace(path + ".new", path)
        return result

    def no_mesh(self, case, reason):
        return self.keep(case, {"outcome": "no_mesh", "message": reason, "seconds": 0.0, "cycles": 0})
