"""Stopped runs: by signals, a STOP file, the clock. A snapshot is written, the exit code is 4, and the
restart continues the run as if nothing had happened. SIGKILL leaves the last whole snapshot.
"""
import glob
import os
import random
import signal
import time

from regress import *

# Signals reach the program as users start it: with the daemon of Open MPI.
os.environ.update(OMPI_MCA_ess_singleton_isolated="0", OMPI_MCA_pml="", OMPI_MCA_mpi_yield_when_idle="0")
top = folder("stop")
case = write_case(top)

# The stopped runs would go on for ever; each restart is compared with a run of as many iterations at once.
ENDLESS = ["march.iterations=2000000000", "output.every=50", "output.history_every=1", "output.keep=3"]


def ranks_of(p):
    """Process numbers of the ranks below mpirun (or the program itself), wherever its daemons have put them."""
    found = []
    for pid in [p.pid, *below(p.pid)]:
        try:
            with open(f"/proc/{pid}/comm") as name:
                if name.read().strip() == "annulus":
                    found.append(pid)
        except OSError:
            pass  # it has ended
    return found


def stop_and_restart(name, stop, np, launcher=(), more=(), word="", codes=(STOPPED,)):
    out = os.path.join(top, name)
    p = start(["run", case], np=np, launcher=launcher,
              options=[*ENDLESS, f"output.folder={out}", *more])
    check(until(lambda: iterations_done(out) > 10 or p.poll() is not None, 30), f"{name}: no start")
    stop(p, out)
    r = wait(p, 30)
    check(r.code in codes, f"{name}: exit code {codes} expected: {r}")
    info = run_json(out)
    check(info["status"] == "stopped" and info["exit_code"] == STOPPED and
          word in (info["message"] or ""), f"{name}: run.json says {info}")
    check(word in r.err and r.err.count("annulus: ") == 1,
          f"{name}: the reason is not said once: {r}")
    written = sorted(glob.glob(out + "/flow_*.cgns"))
    check(written and written[-1] == snapshot(out, info["iteration"]) and
          info["snapshot"] == written[-1], f"{name}: {written}, run.json {info['snapshot']}")
    check(not glob.glob(out + "/*.tmp"), f"{name}: something half written is left")
    check(not os.path.exists(out + "/STOP"), f"{name}: STOP is left, the restart would stop")
    check(len(written) <= 3, f"{name}: keep=3 left {written}")
    at = info["iteration"]
    reference = os.path.join(top, "reference")
    run(case, options=[f"march.iterations={at + 7}", f"output.folder={reference}"], timeout=120)
    run(case, "--restart", "latest", np=3 - np if np < 3 else 1,
        options=[f"march.iterations={at + 7}", f"output.folder={out}"])
    same_fields(snapshot(reference, at + 7), snapshot(out, at + 7), name)


def to_one_rank(number):
    return lambda p, out: os.kill(ranks_of(p)[-1], number)


def to_launcher(number):
    return lambda p, out: p.send_signal(number)


def stop_file(p, out):
    open(os.path.join(out, "STOP"), "w").close()


stop_and_restart("term_rank", to_one_rank(signal.SIGTERM), 2, word="SIGTERM")
stop_and_restart("usr1_rank", to_one_rank(signal.SIGUSR1), 2, word="SIGUSR1")
stop_and_restart("term_alone", to_launcher(signal.SIGTERM), 1, word="SIGTERM")
stop_and_restart("usr1_alone", to_launcher(signal.SIGUSR1), 1, word="SIGUSR1")
stop_and_restart("int_alone", to_launcher(signal.SIGINT), 1, word="SIGINT")
mpi = annulus("--version").out  # what launchers do with signals differs: docs/guide/running.md
if "Open MPI" in mpi:
    stop_and_restart("usr1_mpirun", to_launcher(signal.SIGUSR1), 2, word="SIGUSR1")  # mpirun hands it on


def patience_of_mpirun(seconds):
    """At SIGTERM, or if a rank has died, mpirun of Open MPI 4 waits so long, sends SIGTERM to the ranks, waits as long again,
    sends SIGKILL and ends with 1."""
    for name in ("OMPI", "PRTE"):
        os.environ[name + "_MCA_odls_base_sigkill_timeout"] = str(seconds)


if "Open MPI v4" in mpi:
    patience_of_mpirun(5)  # by default there is one second for the snapshot
    stop_and_restart("term_mpirun", to_launcher(signal.SIGTERM), 2, word="SIGTERM", codes=(FAIL, STOPPED))
patience_of_mpirun(0)
stop_and_restart("file", stop_file, 2, word="STOP")
stop_and_restart("clock", lambda p, out: None, 2, more=["march.wall_time=1.5"], word="wall-time")

# A STOP file that lies there at the start stops a run at once, before its first iteration.
out = os.path.join(top, "stale")
os.makedirs(out)
stop_file(None, out)
r = run(case, options=[f"output.folder={out}"], expect=STOPPED)
check("iteration 0" in r.err, f"STOP at the start: {r}")

# SIGKILL at random moments, mostly while snapshots are written; the run goes on each time.
seed = int(os.environ.get("AN_SEED", time.time_ns() % 1000000))
print("seed", seed)
rng = random.Random(seed)
out = os.path.join(top, "kill")
killed = torn = 0
reached = 0
for attempt in range(14):
    restart = ["--restart", "latest"] if glob.glob(out + "/flow_*.cgns") else []
    p = start(["run", case, *restart], np=2,
              options=["march.iterations=2000000000", "output.every=2", "output.keep=4",
                       "output.history_every=1", f"output.folder={out}"])
    at = iterations_done(out)
    check(until(lambda: iterations_done(out) > max(at, 0) + 2 or p.poll() is not None, 30),
          f"kill {attempt}: does not go on after iteration {at}")
    if not check(p.poll() is None, f"kill {attempt}: ended by itself"):
        print(wait(p))
        break
    time.sleep(rng.uniform(0, 0.3))
    ranks = ranks_of(p)
    os.kill(rng.choice(ranks) if attempt % 3 else p.pid, signal.SIGKILL)
    for rank in ranks if attempt % 3 == 0 else ():  # without mpirun the ranks end by themselves; make sure
        try:
            os.kill(rank, signal.SIGKILL)
        except ProcessLookupError:
            pass
    check(wait(p, 30).code != TIMED_OUT, f"kill {attempt}: hangs")
    killed += 1
    torn += bool(glob.glob(out + "/*.tmp"))
    newest = sorted(glob.glob(out + "/flow_*.cgns"))
    if newest:
        check(len(fields(newest[-1])) > 0, f"kill {attempt}: {newest[-1]} cannot be read")
        now = int(newest[-1][-13:-5])
        check(now >= reached, f"kill {attempt}: fell back from {reached} to {now}")
        reached = now
check(killed >= 10, f"{killed} runs killed")
print(f"{killed} runs killed, {torn} of them while a file was written; iteration {reached} reached")
run(case, "--restart", "latest", np=2,
    options=[f"march.iterations={reached + 5}", f"output.folder={out}"])
reference = os.path.join(top, "reference")
run(case, options=[f"march.iterations={reached + 5}", f"output.folder={reference}"], timeout=120)
same_fields(snapshot(reference, reached + 5), snapshot(out, reached + 5), "after the kills")
numbers = [int(row["iteration"]) for row in history(out)]
check(numbers == sorted(set(numbers)), "after the kills: history.csv repeats or skips back")
check(not glob.glob(out + "/*.tmp"), "after the kills: something half written is left")
finish()
