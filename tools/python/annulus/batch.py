"""Many cases as one command: `annulus batch`. Each case is a process `annulus run`, so it gives the bits of its lone run.

The state of a batch is in its folder alone, and survives a kill at any time:

    OUT/.batch/lock        held by all processes of one launcher; a second batch is refused
    OUT/.batch/NAME.lock   held by the process that runs a case, and by the run itself until it has ended
    OUT/NAME/batch.json    the case as it was begun; once it is over, its result, which makes it done
    OUT/meshes/KEY.cgns    a mesh that a tool made, complete under this name
"""
import contextlib
import csv
import glob
import importlib.util
import json
import math
import os
import shutil
import signal
import time

from . import batch_machine as machine
from .batch_list import Mesh, check_all, check_rows, entries_of
from .cgns import File
from .errors import InputError
from .exchange import write_table
from .run import Table

CARD_CELLS = 4.5e6    # cells of all cases that fill a card
CARD_CLIENTS = 16   # processes on a card
# bytes of a case: for each cell of a steady RANS run with the vectors of mixed cycles, and beside them (tests: regress_batch)
CELL_BYTES = {"card": {"single": 1050, "double": 2100}, "cores": {"single": 1500, "double": 2900}}
CASE_BYTES = {"card": 6e8, "cores": 1.5e8}
AHEAD = 32          # meshes that are made before they are needed
AGAIN = ("failed", "stopped")  # outcomes of cases that a later call runs again
KEPT = ("settled", "unsettled")  # outcomes of points of a map
OF_POINTS = ("point", "iteration", "iterations", "seconds", "period")  # columns of map.csv that are no results
FULL = "No space left on device"
ASKED = "as was asked"


def read_json(path):
    try:
        with open(path, encoding="utf-8") as text:
            found = json.load(text)
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def write_json(path, value):
    with open(path + ".new", "w", encoding="utf-8") as out:
        json.dump(value, out, indent=1)
    os.replace(path + ".new", path)


def last_line(path):
    """The last line of a log with a message; of errors, if there are any."""
    with contextlib.suppress(OSError), open(path, errors="replace") as text:
        lines = [line.strip() for line in text if line.strip()]
        return next((line for line in reversed(lines) if "error" in line), lines[-1] if lines else "")[:500]
    return ""


def last_figures(path):
    """The last line of history.csv, without what is no result."""
    with contextlib.suppress(InputError):
        table = Table(path)
        if len(table):
            return {name: float(v[-1]) for name, v in table.items() if v.dtype.kind == "f" and math.isfinite(v[-1])
                    and not name.startswith("residual_") and name not in ("iteration", "time_s", "cfl", "iterations_per_s")}
    return {}


def map_info(folder):
    """What is known of a map that has ended, under the names of run.json: of all points the iterations and seconds, of the last point
    that was kept the figures."""
    info = {"figures": {}}
    with contextlib.suppress(InputError):
        table = Table(os.path.join(folder, "map.csv"))
        kept = [n for n, outcome in enumerate(table["outcome"]) if outcome in KEPT]
        info.update(iteration=int(sum(table["iterations"])), seconds=float(sum(table["seconds"])))
        info["figures"] = {"map": os.path.join(os.path.basename(folder), "map.csv"), "points": len(kept)}
        if kept:
            info["figures"].update({name: float(v[kept[-1]]) for name, v in table.items() if v.dtype.kind == "f"
                                    and math.isfinite(v[kept[-1]]) and name not in OF_POINTS})
    return info


def need_of(cells, precision, on_card):
    """Bytes of a case, of the card or of the machine."""
    where = "card" if on_card else "cores"
    return cells * CELL_BYTES[where][precision] + CASE_BYTES[where]


class ListError(InputError):
    """Faults of the list, which every process of a launcher finds."""


class Pool:
    """A card, or the cores: what several cases share."""

    def __init__(self, card=None, memory=float("inf"), most=1, mps=None):
        self.card, self.memory, self.most, self.mps, self.runs = card, memory, most, mps, []

    def has_room(self, cells, need):
        if not self.runs:
            return True
        if self.card is not None and cells + sum(run.cells for run in self.runs) > CARD_CELLS:
            return False
        return len(self.runs) < self.most and need + sum(run.need for run in self.runs) <= self.memory


class Child:
    """A running process. cores: that it was given; cells, need: of a case, number and bytes."""

    def __init__(self, process, entry, lock, cores, pool=None, cells=0, need=0):
        self.process, self.entry, self.lock, self.cores = process, entry, lock, cores
        self.pool, self.cells, self.need, self.told = pool, cells, need, False  # told: to stop


class Batch:
    of_failed = " failed, and --keep-going was not given"

    def __init__(self, source, folder=None, program=None, device=None, keep_going=False, tell=print):
        if folder is None:
            if isinstance(source, (list, tuple)):
                raise InputError("a batch of dictionaries needs a folder")
            folder = os.path.splitext(os.path.abspath(source))[0]
        self.folder, self.device, self.keep_going = os.path.abspath(folder), device, keep_going
        self.program = os.path.abspath(program) if program and os.sep in program else shutil.which(program or "annulus")
        if not self.program:
            raise InputError(f"{program or 'annulus'} is not on the PATH")
        self.launch = machine.Launch(os.environ)
        self.environment = self.launch.environment(os.environ)
        self.first = self.launch.rank == 0
        self.tell = tell if self.first else (lambda *_: None)
        self.source, self.asked, self.failed, self.reason = source, False, False, ""
        self.children, self.pools, self.results, self.cells_of, self.again = [], [], {}, {}, {}
        self.began = self.scanned = self.tabled = 0.0

    # ---- before anything runs

    def prepare(self):
        if os.path.isfile(self.folder):
            raise InputError(f"{self.folder} is a file, and the batch needs a folder of that name")
        self.entries, errors = entries_of(self.source, self.folder)
        errors += check_all(self.entries, self.program, self.environment, self.device, self.launch.cores)
        errors += check_rows(self.entries, self.tools(), self.environment, self.launch.cores)
        for entry in self.entries:
            if entry.effective:
                errors += [f"{entry.place}: {text}" for text in self.foreign(entry)]
        cards = []
        if any(entry.device in ("auto", "cuda") for entry in self.entries):
            cards = machine.cards(self.program, self.environment, self.launch)
        if not cards:
            errors += [f"{entry.place}: device cuda was asked for, but there is no CUDA device" for entry in self.entries
                       if entry.device == "cuda"]
        if errors:
            raise ListError("\n".join([f"{len(errors)} error{'s' if len(errors) > 1 else ''} in the list"] + errors))
        os.makedirs(os.path.join(self.folder, "meshes"), exist_ok=True)
        self.enter(cards)
        self.tell(f"batch       {len(self.entries)} cases, {len(self.results)} of them done before; results: {self.folder}")
        self.tell_pools()

    def enter(self, cards):
        """Takes the folder and the machine."""
        os.makedirs(os.path.join(self.folder, ".batch"), exist_ok=True)
        self.lock = machine.enter(os.path.join(self.folder, ".batch", "lock"), self.launch)
        self.make_pools(cards)
        self.pending = list(self.entries)
        self.scan()
        self.done_before, self.began, self.scanned = len(self.results), time.monotonic(), 0.0

    def tell_pools(self):
        for pool in self.pools:
            self.tell(f"{'cores' if pool.card is None else 'card ' + pool.card:11s} " + (pool.mps.said if pool.mps else f"{self.launch.cores}"))

    def foreign(self, entry):
        """Why the folder of a case cannot be used: another run, or the case with other values, has written into it."""
        begun = read_json(os.path.join(entry.folder, "batch.json")).get("case")
        if begun is None:
            if os.path.exists(os.path.join(entry.folder, "run.json")):
                yield f"{entry.folder} holds a run that is not of this batch"
            return
        old, new = begun.splitlines(), entry.effective.splitlines()
        if old != new:
            was, now = next(((a, b) for a, b in zip(old, new) if a != b), ("", ""))
            yield (f"'{entry.name}' was begun with other values ('{was.strip()}', now '{now.strip()}'): give it another name, "
                   f"or remove {entry.folder}")

    def make_pools(self, cards):
        cores = self.launch.cores
        for card in cards:
            probe = [self.program, "bench", "copy", "--device", "cuda", "--n", "16", "--samples", "1"]
            mps = machine.Mps(card, self.environment, probe)
            most = max(2, min(CARD_CLIENTS, cores // len(cards))) if mps.environment or mps.inherited else 2  # while one starts or ends
            self.pools.append(Pool(card, 0.9 * machine.card_memory(card), most, mps))
        if not cards or any(entry.device not in ("auto", "cuda") for entry in self.entries):
            self.pools.append(Pool(None, 0.8 * machine.memory_left() / self.launch.neighbours, cores))

    # ---- results

    def record(self, entry):
        return os.path.join(entry.folder, "batch.json")

    def is_done(self, result):
        """Is this the result of a case that is not run again?"""
        return result and (result["outcome"] not in AGAIN or result["job"] == self.launch.job)

    def scan(self):
        """Takes the results of other processes and of earlier calls."""
        self.scanned = time.monotonic()
        for entry in list(self.pending):
            result = read_json(self.record(entry)).get("result")
            if self.is_done(result):
                self.take_result(entry, result)
                if self.began:
                    self.tell_result(entry, result)
        self.asked = self.asked or os.path.exists(os.path.join(self.folder, "STOP"))

    def take_result(self, entry, result):
        self.pending.remove(entry)
        self.results[entry.name] = result
        if result["outcome"] == "failed" and result["job"] == self.launch.job and (result["full"] or not self.keep_going):
            why = f"the disk is full, says {entry.name}" if result["full"] else entry.name + self.of_failed
            self.stop(why, running=result["full"])

    def tell_result(self, entry, result):
        done, total = len(self.results), len(self.entries)
        spent = time.monotonic() - self.began
        left = spent * (total - done) / max(1, done - self.done_before)
        words = f"[{done:{len(str(total))}d}/{total}] {entry.name}: {result['outcome']}"
        if result["outcome"] == "failed" or result["outcome"] == "diverged":
            words += f": {result['message']}"
        else:
            words += f" at iteration {result['iterations']} after {result['seconds']:.1f} s"
        self.tell(words + (f"; {len(self.children)} running, {duration(left)} left" if done < total else ""))

    def finish(self, entry, outcome, message, **more):
        """Keeps the result of a case; it is done from here on."""
        result = {"outcome": outcome, "iterations": 0, "seconds": 0.0, "cells": 0, "message": message, "figures": {}, "full": False,
                  "code": 0, **more, "job": self.launch.job}
        if outcome == "failed":
            space = os.statvfs(self.folder)
            result["full"] = FULL in message or space.f_bavail * space.f_frsize < 2**20
            result["code"] = 1 if result["full"] else result["code"]
        os.makedirs(entry.folder, exist_ok=True)
        write_json(self.record(entry), {"case": entry.effective, "result": result})
        self.take_result(entry, result)
        self.tell_result(entry, result)

    def finish_run(self, entry, code):
        """The result of a run, from its exit code, run.json and history.csv. code: None if it ended unseen."""
        info = read_json(os.path.join(entry.folder, "run.json")) if entry.command == "run" else map_info(entry.folder)
        if code is None:
            code = info.get("exit_code") or 0
        said = info.get("message") or next(iter(info.get("warnings") or []), "")
        outcome = {0: info.get("state") or "finished", 3: "diverged", 4: "stopped"}.get(code, "failed")
        if outcome == "failed":
            said = (f"killed by signal {-code} ({signal.Signals(-code).name})" if code < 0 else
                    last_line(os.path.join(entry.folder, "run.log")) or f"the program ended with {code}")
        self.finish(entry, outcome, said, code=code, iterations=info.get("iteration") or 0, seconds=info.get("seconds") or 0.0,
                    cells=info.get("cells") or self.cells(entry), figures={} if outcome == "failed" else info.get("figures") or
                    last_figures(os.path.join(entry.folder, "history.csv")))

    def write_table(self):
        self.tabled = time.monotonic()
        rows = [(entry, self.results[entry.name]) for entry in self.entries if entry.name in self.results]
        shown = list(dict.fromkeys(key for entry in self.entries for key in entry.shown))
        if len({entry.case for entry in self.entries}) > 1:
            shown.insert(0, "case")
        figures = list(dict.fromkeys(key for _, result in rows for key in result["figures"]))
        common = ["outcome", "iterations", "seconds", "cells"]
        path = os.path.join(self.folder, "batch.csv")
        with open(path + ".new", "w", newline="", encoding="utf-8") as out:
            table = csv.writer(out)
            table.writerow(["name", *shown, *common, *(f for f in figures if f not in shown), "message"])
            for entry, result in rows:
                values = {**entry.shown, "case": entry.case}
                table.writerow([entry.name, *(values.get(key, "") for key in shown), *(result[key] for key in common),
                                *(result["figures"].get(f, "") for f in figures if f not in shown), result["message"]])
        os.replace(path + ".new", path)

    def write_parquet(self):
        """The same table for programs that read many of them, if pyarrow is there."""
        path = os.path.join(self.folder, "batch.parquet")
        if importlib.util.find_spec("pyarrow") is not None:
            try:
                write_table(Table(os.path.join(self.folder, "batch.csv")), path + ".new.parquet")
            except InputError as error:
                self.tell(f"table       batch.parquet is not written: {error}")
            else:
                os.replace(path + ".new.parquet", path)

    # ---- running

    def stop(self, reason, running=True):
        """No case starts from here on. running: those that run write a snapshot and end."""
        self.reason = self.reason or reason
        for child in self.children if running else ():
            if not child.told:
                child.told = True
                child.process.terminate()

    def on_signal(self, number, _):
        if number == signal.SIGINT and self.asked:  # as a second Ctrl-C ends a run
            for child in self.children:
                child.process.kill()
        self.asked = True

    def cores_left(self):
        return self.launch.cores - sum(child.cores for child in self.children)

    def made(self, entry):
        return not isinstance(entry.mesh, Mesh) or os.path.exists(entry.mesh_file)

    def claim(self, name):
        """The lock of a case or of a mesh; None if another process has it, which is asked again after a second."""
        now = time.monotonic()
        if self.again.get(name, 0) > now:
            return None
        lock = machine.take(os.path.join(self.folder, ".batch", name.replace("/", " ") + ".lock"))
        if lock is None:
            self.again[name] = now + 1
        return lock

    def cells(self, entry):
        if entry.mesh_file not in self.cells_of:
            count = 0
            with contextlib.suppress(InputError):
                file = File(entry.mesh_file)
                count = sum(math.prod(zone.cells) for zone in file.zones)
                file.file.close()
            self.cells_of[entry.mesh_file] = count
        return self.cells_of[entry.mesh_file]

    def start_cases(self):
        running = {child.entry.name for child in self.children if child.pool}
        waiting = [entry for entry in self.pending if entry.name not in running]
        for entry in waiting:
            if self.reason or not any(len(pool.runs) < pool.most for pool in self.pools):
                break
            if not self.made(entry) or not all(name in self.results for name in entry.after):
                continue
            cells = self.cells(entry)
            on_card = entry.device in ("auto", "cuda") and self.pools[0].card is not None
            need = need_of(cells, entry.precision, on_card)
            pools = [pool for pool in self.pools if (pool.card is not None) == on_card and pool.has_room(cells, need)]
            pool = min(pools, key=lambda pool: len(pool.runs), default=None)
            if pool is None or (not on_card and self.cores_left() < 1):
                continue
            lock = self.claim(entry.name)
            if lock is not None and not self.start_run(entry, lock, pool, cells, need, len(waiting)):
                os.close(lock)

    def start_run(self, entry, lock, pool, cells, need, waiting):
        """Starts a case that is claimed; False if it is done, or the process could not be started."""
        record = read_json(self.record(entry))
        if self.is_done(record.get("result")):
            return False  # another process was faster; `scan` takes its result
        more = []
        if "case" in record and entry.command == "run":  # a map goes on by itself
            if read_json(os.path.join(entry.folder, "run.json")).get("status") in ("finished", "converged", "fallen", "diverged"):
                self.finish_run(entry, None)  # it ended after its batch was killed
                return False
            more = ["--restart", "latest"] if glob.glob(os.path.join(entry.folder, "flow_*.cgns")) else []
        os.makedirs(entry.folder, exist_ok=True)
        write_json(self.record(entry), {"case": entry.effective})
        own = {}
        if pool.card is None:
            threads = max(1, self.cores_left() // max(1, min(self.cores_left(), waiting)))
        else:
            threads = max(1, self.launch.cores // max(1, min(pool.most, len(pool.runs) + waiting)))
            own = pool.mps.environment or {"CUDA_VISIBLE_DEVICES": pool.card}
        threads = int(self.environment.get("OMP_NUM_THREADS", "").split(",")[0] or threads)
        command = [self.program, entry.command, entry.case, *entry.settings(), *(["--device", self.device] if self.device else []), *more]
        process = machine.start(command, os.path.join(entry.folder, "run.log"), {**self.environment, "OMP_NUM_THREADS": str(threads), **own},
                                (lock, *(pool.mps.fds if pool.mps else ())), append="case" in record)
        child = Child(process, entry, lock, threads if pool.card is None else 1, pool, cells, need)
        pool.runs.append(child)
        self.children.append(child)
        return True

    def tools(self):
        """The folder of the programs that make meshes."""
        tools = os.path.dirname(os.path.realpath(self.program))
        return tools if os.path.exists(os.path.join(tools, "mesh_row")) else os.path.dirname(self.program)

    def start_meshes(self):
        making = {child.entry.mesh.key for child in self.children if not child.pool}
        wanted = {}
        for entry in self.pending:
            if isinstance(entry.mesh, Mesh) and entry.mesh.key not in making and not os.path.exists(entry.mesh_file):
                wanted.setdefault(entry.mesh.key, entry)
        running = {child.entry.name for child in self.children if child.pool}
        ready = sum(self.made(entry) and entry.name not in running for entry in self.pending) if wanted else 0
        for key, entry in wanted.items():
            # beside cases on a card a mesh is made even if they have all cores
            free = max(self.cores_left(), 1 if self.pools[0].card is not None and not making else 0)
            if free < 1 or ready + len(making) >= AHEAD or self.reason:
                break
            lock = self.claim("mesh_" + key)
            if lock is None:
                continue
            if os.path.exists(entry.mesh_file):
                os.close(lock)
                continue
            threads = max(1, free // min(free, len(wanted)))
            meshes = os.path.join(self.folder, "meshes")
            try:
                process = machine.start(entry.mesh.command(self.tools(), meshes, entry.mesh_file + ".new"), os.path.join(meshes, key + ".log"),
                                        {**self.environment, "OMP_NUM_THREADS": str(threads)}, (lock,))
            except (InputError, LookupError, TypeError, ValueError, OSError) as error:
                os.close(lock)
                self.no_mesh(entry, f"{entry.place}: {error}")
                continue
            self.children.append(Child(process, entry, lock, threads))
            making.add(key)

    def no_mesh(self, entry, reason):
        """All cases with a mesh that cannot be made have failed."""
        for other in [e for e in self.pending if isinstance(e.mesh, Mesh) and e.mesh.key == entry.mesh.key]:
            self.finish(other, "failed", reason, code=2)

    def reap(self):
        """Takes the results of children that have ended; returns whether there were any."""
        before = len(self.children)
        for child in list(self.children):
            code = child.process.poll()
            if code is None:
                continue
            self.children.remove(child)
            entry = child.entry
            try:
                if not child.pool and code == 0:
                    os.replace(entry.mesh_file + ".new", entry.mesh_file)
                elif not child.pool and not child.told:
                    log = os.path.join(self.folder, "meshes", entry.mesh.key + ".log")
                    self.no_mesh(entry, f"{os.path.basename(child.process.args[0])}: {last_line(log) or f'ended with {code}'}")
                elif child.pool and not (child.told and code in (4, -signal.SIGTERM, -signal.SIGKILL)):
                    self.finish_run(entry, code)
            finally:
                if child.pool:
                    child.pool.runs.remove(child)
                os.close(child.lock)
        return len(self.children) < before

    def step(self):
        """Returns whether anything is left to do."""
        if self.asked:
            self.stop(ASKED)
        changed = self.reap()
        if time.monotonic() > self.scanned + 1:
            self.scan()
            changed = True
        if changed and not self.reason:
            self.start_cases()
            self.start_meshes()
        if self.first and self.results and time.monotonic() > self.tabled + 2:
            self.write_table()
        return self.children or (self.pending and not self.reason)

    def run(self):
        """Runs what is missing; returns the exit code."""
        self.prepare()
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
        before = {}
        with contextlib.suppress(ValueError):  # outside of the main thread Python has no signals
            before = {number: signal.signal(number, self.on_signal) for number in numbers}
        try:
            while self.go_on():
                time.sleep(0.03)
            self.wait_for_others()
            return self.end()
        finally:
            for child in self.children:
                child.process.kill()
            for pool in self.pools:
                if pool.mps:
                    pool.mps.stop()
            os.close(self.lock)
            for number, handler in before.items():
                signal.signal(number, handler)

    def go_on(self):
        try:
            return self.step()
        except OSError as error:  # results and locks cannot be written
            self.stop(f"the disk is full: {error}" if FULL in str(error) else str(error))
            self.failed = True
            return bool(self.children)

    def wait_for_others(self):
        """The first process of a launcher ends last: a launcher kills the others once it ends with an error."""
        path = os.path.join(self.folder, ".batch", "lock")
        if not self.first or not self.launch.launched:
            return
        os.close(self.lock)
        while True:
            self.lock = machine.take(path)
            if self.lock is not None:
                return
            self.lock = os.open(path, os.O_RDWR)
            time.sleep(0.1)

    def end(self):
        if not self.first:
            return 0
        with contextlib.suppress(OSError):
            os.remove(os.path.join(self.folder, "STOP"))
        self.scan()
        outcomes = [result["outcome"] for result in self.results.values()]
        words = ", ".join(f"{outcomes.count(word)} {word}" for word in dict.fromkeys(outcomes))
        self.tell(f"complete    {sum(word not in AGAIN for word in outcomes)} of {len(self.entries)}" + (f": {words}" if words else ""))
        try:
            self.write_table()
            self.write_parquet()
        except OSError as error:
            self.failed, self.reason = True, self.reason or str(error)
        if self.reason:
            self.tell(f"stopped     {self.reason}; the same command goes on")
        codes = [result["code"] for result in self.results.values() if result["outcome"] == "failed"]
        if self.failed or any(code != 2 for code in codes):
            return 1
        return 2 if codes else 4 if self.reason else 3 if "diverged" in outcomes else 0


def duration(seconds):
    minutes = seconds / 60
    return f"{seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"


def batch(cases, folder=None, annulus=None, device=None, keep_going=True, tell=lambda *_: None):
    """Runs `annulus batch`: the Table of batch.csv, a line a case, in the order of the list.

    cases: a file, or dictionaries with name, case, mesh and set as a list has them; relative names of files begin in the
    current folder. folder: of the results. tell: is given the lines of progress, such as print.
    Cases with equal values in the same folder are not run again. InputError for faults of the list, and if the batch was
    stopped."""
    made = Batch(cases, folder, annulus, device, keep_going, tell)
    made.run()
    if made.reason:
        raise InputError(f"{made.folder}: the batch was stopped: {made.reason}")
    return Table(os.path.join(made.folder, "batch.csv"))
