"""A map whose lines, and whose chains of a line, run side by side: `annulus map --together`. Each part is a process `annulus map --part`
that finds what an earlier one has left, so the map goes on whatever has ended it."""
import os
import re
import subprocess

from . import batch_machine as machine
from .batch import ASKED, Batch, ListError
from .batch_list import Entry


class Part(Entry):
    """A line of a map, or a chain of a line. settings: what the command line changes."""

    def __init__(self, case, name, part, settings, after=()):
        super().__init__(case, name, case, None, {}, "map")
        self.part, self.changes, self.after = part, settings, after
        self.shown_to = 0  # bytes of its log that were told

    def settings(self):
        return [*(word for change in self.changes for word in ("--set", change)), "--part", self.part]


def values_of(effective, key):
    """Of a key of the section `map` in an effective case, as text."""
    return re.search(rf"^map:\n(?:  .*\n)*?  {key}: (.*)$", effective, re.M)[1].strip("[]")


class TogetherMap(Batch):
    of_failed = " failed"

    def __init__(self, case, settings, program=None, device=None, tell=print):
        super().__init__(case, ".", program, device, False, tell)
        self.changes = settings

    def prepare(self):
        device = ["--device", self.device] if self.device else []
        changes = [word for change in self.changes for word in ("--set", change)]
        asked = subprocess.run([self.program, "check", self.source, *changes, *device, "--effective"], capture_output=True, text=True,
                               errors="replace", env=self.environment, stdin=subprocess.DEVNULL)
        if asked.returncode:
            raise ListError(asked.stderr.strip())
        self.entries = self.parts(asked.stdout)
        cards = machine.cards(self.program, self.environment, self.launch) if self.entries[0].device in ("auto", "cuda") else []
        if not cards and self.entries[0].device == "cuda":
            raise ListError("device cuda was asked for, but there is no CUDA device")
        self.enter(cards)
        self.tell(f"map         {len(self.entries)} parts side by side; results: {self.folder}")
        self.tell_pools()

    def parts(self, effective):
        """The lines, each behind its chains."""
        speeds = [f"speed_{float(speed):.6g}" for speed in values_of(effective, "speeds").split(",") if speed.strip()]
        chains = int(values_of(effective, "chains"))
        self.several = bool(speeds)
        found = []
        for n, line in enumerate(speeds or ["."], 1):
            names = [os.path.join(line, f"chain_{chain}") for chain in range(1, chains + 1)] if chains > 1 else []
            found += [Part(self.source, name, f"{n}.{chain}", self.changes) for chain, name in enumerate(names, 1)]
            found.append(Part(self.source, line, str(n), self.changes, tuple(names)))
        for entry in found:
            entry.effective = effective
            entry.device, entry.precision = entry.of_effective("device"), entry.of_effective("precision")
            entry.mesh_file = entry.of_effective("mesh")
        self.folder = re.search(r'^output:\n(?:  .*\n)*?  folder: "?(.*?)"?$', effective, re.M)[1]
        for entry in found:
            entry.folder = os.path.normpath(os.path.join(self.folder, entry.name))
        return found

    def is_done(self, result):
        return result and result["job"] == self.launch.job  # the part itself finds what is there

    def tell_points(self, entry):
        """The points that the log of a part names for the first time."""
        try:
            with open(os.path.join(entry.folder, "run.log"), "rb") as log:
                log.seek(entry.shown_to)
                text = log.read()
        except OSError:
            return
        text = text[: text.rfind(b"\n") + 1]
        entry.shown_to += len(text)
        for line in text.decode(errors="replace").splitlines():
            if line.startswith("map         point"):
                self.tell(f"{entry.name}: " * (entry.name != ".") + line[12:])

    def step(self):
        for child in self.children:
            self.tell_points(child.entry)
        return super().step()

    def tell_result(self, entry, result):
        self.tell_points(entry)
        if result["outcome"] in ("failed", "diverged"):
            self.tell(f"{entry.name}: {result['message']}")

    def write_table(self):
        """The lines of several speeds as one table, by the program, which knows its columns."""

    def end(self):
        if not self.first:
            return 0
        self.scan()
        if self.several:
            self.failed |= subprocess.run([self.program, "map", self.source, *Part(self.source, "", "0", self.changes).settings()],
                                          env=self.environment, stdin=subprocess.DEVNULL).returncode != 0
        lines = [self.results.get(entry.name, {"outcome": "stopped"})["outcome"] for entry in self.entries if "." not in entry.part]
        failed = [result["code"] for result in self.results.values() if result["outcome"] == "failed"]
        if self.reason and self.reason != ASKED:
            self.tell(f"stopped     {self.reason}; the same command goes on")
        if self.failed or any(code != 2 for code in failed):
            return 1
        if failed:
            return 2
        if self.reason:
            self.tell("stopped     the same command goes on")
            return 4
        path = os.path.join(self.folder, "map.csv")
        with open(path, encoding="utf-8") as table:
            self.tell(f"map         done: {sum(1 for _ in table) - 1} points in {path}")
        return 0 if "finished" in lines else 3
