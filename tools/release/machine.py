"""What this machine has: cards, processors, programs, Python modules; and the environment of the commands."""
import glob
import importlib.util
import os
import platform
import shutil
import subprocess
import sys

CARD = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]


def printed(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            return next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), platform.machine())
    except OSError:
        return platform.machine()


def script(path, line):
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\n{line}\n")
    os.chmod(path, 0o755)


class Machine:
    """`programs`: folder of annulus and the mesh tools; `build`: the build folder with the tests, or None; `device`: cuda or cpu."""

    def __init__(self, root, programs, build, device, jobs):
        self.root, self.programs, self.jobs = root, os.path.abspath(programs), jobs
        beside = os.path.dirname(self.programs)
        self.build = os.path.abspath(build) if build else beside
        cards = printed(CARD).splitlines()
        self.cards = 0 if device == "cpu" else len(cards)
        self.card = cards[0].split(",")[0] if self.cards else ""
        self.device = "cuda" if self.cards else "cpu"
        self.processor = processor()

    def kind(self):
        return "gpu" if self.cards else "cpu"

    def about(self):
        cards = f"{self.cards} x {self.card}, " if self.cards else ""
        return f"{cards}{self.jobs} cores of {self.processor}"

    def commands(self, folder):
        """Fills a folder for the front of PATH: python3 is the one that runs this program, and the programs of a bundle (tools/bundle)
        are scripts that know its libraries, which are not for other programs. Returns the folder from which programs start."""
        os.makedirs(folder, exist_ok=True)
        script(os.path.join(folder, "python3"), f'exec "{sys.executable}" "$@"')
        lib = os.path.join(os.path.dirname(self.programs), "lib")
        if not glob.glob(os.path.join(lib, "libcgns*")):
            return self.programs
        for name in os.listdir(self.programs):
            script(os.path.join(folder, name),
                   f'LD_LIBRARY_PATH="{lib}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}" exec "{self.programs}/{name}" "$@"')
        return folder

    def environment(self, folder):
        """Variables of the commands; `folder` is filled by commands()."""
        started = self.commands(folder)
        own = dict(os.environ)
        try:
            with open(os.path.join(self.root, "tools", "mpi_environment"), encoding="utf-8") as f:
                own.update(line.strip().split("=", 1) for line in f if line[:1].isupper() and "=" in line)
        except OSError:
            pass
        own.update(ROOT=self.root, BIN=started, PROGRAMS=self.programs, BUILD=self.build, DEVICE=self.device, CARDS=str(self.cards),
                   JOBS=str(self.jobs), PYTHONDONTWRITEBYTECODE="1", PATH=os.pathsep.join((folder, started, own.get("PATH", ""))))
        return own

    def lacks(self, promise):
        """Why the promise cannot be tried here; "" where it can."""
        if self.kind() not in promise["minutes"]:
            return "needs a GPU" if self.kind() == "cpu" else "needs no GPU: try it with --device cpu"
        for need in promise["needs"]:
            word, _, name = need.partition(":")
            if word == "python" and importlib.util.find_spec(name) is None:
                return f"needs Python's {name}"
            if word == "cards" and self.cards < int(name):
                return f"needs {name} GPUs"
            if word == "card" and name not in self.card:
                return f"needs an {name}"
            if word == "build" and not os.path.exists(os.path.join(self.build, "CTestTestfile.cmake")):
                return f"needs a build folder with tests; {self.build} is none"
            if word == "git" and not os.path.exists(os.path.join(self.root, ".git")):
                return "needs a clone, with its history"
            if word == "root" and os.geteuid() != 0:
                return "needs root"
            if word not in ("python", "cards", "card", "build", "git", "root") and not (
                    os.path.exists(os.path.join(self.programs, need)) or shutil.which(need)):
                return f"needs the program {need}"
        return ""
