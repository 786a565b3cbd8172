"""Runs the commands of promises, one folder for each, and keeps what came out of them."""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import time

import ages
import figures

SKIPPED = 77           # exit code of a test or tool that cannot run on this machine
PATIENCE = 4           # a command is stopped after so many times its minutes
LEAST = 120            # and not before so many seconds


class Stopped(Exception):
    """The release itself was asked to stop."""


class Performer:
    def __init__(self, machine, work, commit, resume):
        self.machine, self.work, self.commit, self.resume = machine, os.path.abspath(work), commit, resume
        self.child, self.starts, self.signal = None, False, None

    def asked(self, number, frame):
        """Handler of signals: raises Stopped, but not before a command that starts is known as the child."""
        self.signal = number
        if not self.starts:
            raise Stopped(number)

    def folder(self, promise):
        return os.path.join(self.work, promise["name"])

    def key(self, promise):
        """A result belongs to this command and commit, on this kind of machine."""
        said = [self.commit, self.machine.card, promise["command"], sorted(f["name"] for f in promise["figures"])]
        return hashlib.sha1(json.dumps(said).encode()).hexdigest()[:16]

    def kept(self, promise):
        """The result of an earlier release that was interrupted; None where there is none."""
        if not self.resume:
            return None
        try:
            with open(os.path.join(self.folder(promise), "result.json"), encoding="utf-8") as f:
                result = json.load(f)
        except (OSError, ValueError):
            return None
        return result if result.get("key") == self.key(promise) and result["state"] in ("passed", "failed") else None

    def run(self, promise):
        """passed, failed or not run, with the reason and the figures."""
        reason = self.machine.lacks(promise)
        if reason:
            return self.row(promise, "not run", reason)
        try:
            code, seconds, late = self.command(promise)
            result = self.judge(promise, code, late)
        except OSError as e:
            return self.row(promise, "failed", str(e))
        result["seconds"] = round(seconds, 1)
        return self.keep(promise, result)

    def row(self, promise, state, reason="", rows=()):
        return {"name": promise["name"], "state": state, "reason": reason, "figures": list(rows), "key": self.key(promise)}

    def judge(self, promise, code, late):
        folder = self.folder(promise)
        if code == SKIPPED:
            return self.row(promise, "not run", last_line(folder))
        rows = [figures.look(f, ages.Files(self.machine.root, promise["page"], folder)) for f in promise["figures"]]
        if late:
            return self.row(promise, "failed", f"stopped after {self.limit(promise):.0f} s", rows)
        if code:
            return self.row(promise, "failed", f"exit code {code}: {last_line(folder)}", rows)
        missing = [row["missing"] for row in rows if "missing" in row]
        good = all(row["agrees"] for row in rows)
        return self.row(promise, "passed" if good else "failed", "; ".join(missing), rows)

    def limit(self, promise):
        return max(LEAST, PATIENCE * 60 * promise["minutes"][self.machine.kind()])

    def command(self, promise):
        """Exit code, seconds, whether the limit stopped it. An interrupted command finds its folder as it left it."""
        folder, note = self.folder(promise), os.path.join(self.folder(promise), "begun")
        begun = ""
        if self.resume and os.path.exists(note):
            with open(note, encoding="utf-8") as f:
                begun = f.read()
        if begun != self.key(promise):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            with open(note, "w", encoding="utf-8") as f:
                f.write(self.key(promise))
        own = self.machine.environment(os.path.join(self.work, "commands"))
        begin, late = time.monotonic(), False
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as f:
            self.starts = True
            self.child = subprocess.Popen(["bash", "-euo", "pipefail", "-c", promise["command"]], cwd=folder, env=own, stdout=f,
                                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
            self.starts = False
            if self.signal:
                raise Stopped(self.signal)
            try:
                code = self.child.wait(self.limit(promise))
            except subprocess.TimeoutExpired:
                late, code = True, self.stop()
        self.child = None
        return code, time.monotonic() - begin, late

    def stop(self):
        """Ends the command with all that it started; its exit code."""
        for number, seconds in ((signal.SIGTERM, 20), (signal.SIGKILL, None)):
            try:
                os.killpg(self.child.pid, number)
            except ProcessLookupError:
                pass
            try:
                return self.child.wait(seconds)
            except subprocess.TimeoutExpired:
                pass
        return None

    def keep(self, promise, result):
        path = os.path.join(self.folder(promise), "result.json")
        with open(path + ".new", "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)
        os.replace(path + ".new", path)
        return result


def last_line(folder):
    try:
        with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as f:
            lines = [line.strip() for line in f if line.strip()]
    except OSError:
        return ""
    return lines[-1][:200] if lines else ""
