"""The job script for Slurm, with a Slurm that is made up: srun runs the program on two ranks and passes
SIGUSR1 on, scontrol notes what it is asked for. A job that is told its time is over writes a snapshot
and is queued again; queued again it goes on; one that is done, stopped by a STOP file or fed a bad case is not.
"""
import stat

from regress import *

top = folder("slurm")
case = write_case(top)
bin_, out, asked = os.path.join(top, "bin"), os.path.join(top, "out"), os.path.join(top, "asked")
os.makedirs(bin_)


def script(name, text):
    path = os.path.join(bin_, name)
    with open(path, "w") as f:
        f.write("#!/bin/bash\n" + text)
    os.chmod(path, stat.S_IRWXU)


script("srun", f"""while [[ $1 == --* ]]; do echo "$1" >>{top}/srun; shift; done
exec {' '.join(MPIRUN)} -np 2 "$@"
""")
script("scontrol", f'echo "$*" >>{asked}\n')
JOB = os.path.join(SOURCE, "tools/slurm/annulus.sbatch")


def job(*options, case=case, **more):
    env = environment()
    env.update(PATH=bin_ + ":" + env["PATH"], ANNULUS=ANNULUS, SLURM_JOB_ID="77", SLURM_CPUS_PER_TASK="1", **more)
    command = ["bash", JOB, case, *options]
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
                         start_new_session=True)
    p.command = command
    return p


def requests():
    try:
        with open(asked) as f:
            return f.read().split("\n")[:-1]
    except OSError:
        return []


def mpirun_of(p):
    listing = subprocess.run(["ps", "-o", "pid=,comm=", "-g", str(p.pid)], capture_output=True,
                             text=True).stdout.split("\n")
    return [int(line.split()[0]) for line in listing if line.strip().endswith("mpirun")]


with open(JOB) as f:
    head = f.read()
check("--signal=USR1@120" in head and "--requeue" in head and "--gpus-per-node" in head,
      "signal, requeue and GPUs are asked for")

ENDLESS = ("--set=march.iterations=1000000", "--set=output.history_every=1")
p = job(*ENDLESS)
check(until(lambda: iterations_done(out) > 5, 60), "the job starts")
for pid in mpirun_of(p):
    os.kill(pid, signal.SIGUSR1)
r = wait(p, 60)
check(r.code == STOPPED and requests() == ["requeue 77"], f"time is over: {requests()}, {r}")
at = run_json(out)["iteration"]
check(at > 5 and os.path.exists(snapshot(out, at)), f"a snapshot at {at}")

p = job(*ENDLESS)
check(until(lambda: iterations_done(out) > at + 3, 60), "queued again it goes on")
open(os.path.join(out, "STOP"), "w").close()
r = wait(p, 60)
check(r.code == STOPPED and requests() == ["requeue 77"], f"STOP: not queued again: {r}")
check("restart" in r.out, f"it went on from the last snapshot: {r}")
at = run_json(out)["iteration"]

r = wait(job(f"--set=march.iterations={at + 4}"), 60)
check(r.code == DONE and run_json(out)["iteration"] == at + 4 and requests() == ["requeue 77"],
      f"the end: {r}")
whole = os.path.join(top, "whole")
run(case, options=[f"march.iterations={at + 4}", f"output.folder={whole}"])
same_fields(snapshot(whole, at + 4), snapshot(out, at + 4), "three jobs and one run")

r = wait(job("--set=march.cfl=-1"), 60)
check(r.code == INPUT and requests() == ["requeue 77"], f"a bad case is not queued again: {r}")


def asked_of_srun():
    with open(os.path.join(top, "srun")) as f:
        return f.read()


before = asked_of_srun()
r = wait(job(case=os.path.join(top, "nowhere.yaml")), 60)
check(r.code == INPUT and "nowhere.yaml cannot be read" in r.err, f"a case file that is not there: {r}")
r = wait(job("--set=march.cfl=-1"), 60)
check(r.code == INPUT and asked_of_srun() == before, f"faults of the case are seen before srun: {r}")

# folders of the case, of --set and of the variable: a job that is told its time is over is queued again and goes on there
own = os.path.join(top, "own.yaml")
with open(case) as text, open(own, "w") as changed:
    changed.write(text.read().replace("folder: out", "folder: 'results of \"mine\"'"))
for place, options, more in ((os.path.join(top, 'results of "mine"'), (), {}), (os.path.join(top, "set"), ("--set", "output.folder=set"), {}),
                             (os.path.join(top, "named"), (), {"ANNULUS_OUTPUT": os.path.join(top, "named")})):
    count = len(requests())
    p = job(*ENDLESS, *options, case=own, **more)
    check(until(lambda: iterations_done(place) > 5, 60), f"the job writes into {place}")
    for pid in mpirun_of(p):
        os.kill(pid, signal.SIGUSR1)
    r = wait(p, 60)
    check(r.code == STOPPED and len(requests()) == count + 1, f"queued again, with its folder {place}: {requests()}, {r}")
    at = run_json(place)["iteration"]
    r = wait(job(f"--set=march.iterations={at + 2}", *options, case=own, **more), 60)
    check(r.code == DONE and "restart" in r.out and run_json(place)["iteration"] == at + 2, f"it goes on in {place}: {r}")
at = run_json(out)["iteration"]
branch = os.path.join(top, "branch")
for steps in (2, 4):  # the second job goes on from the first, not from the snapshot of the option again
    r = wait(job("--restart", snapshot(out, at), f"--set=march.iterations={at + steps}", f"--set=output.folder={branch}"), 60)
    check(r.code == DONE and run_json(branch)["iteration"] == at + steps, f"--restart: {r}")
check(f"iteration {at + 2}" in r.out, f"it goes on from the newest snapshot: {r.out[:1500]}")
# a map continues within the point that its time was over in
line, count = os.path.join(top, "line"), len(requests())
point = ["--set=map={values: [1.0e5], first_iterations: 1000000}", "--set=output.history_every=1"]
p = job(*point, f"--set=output.folder={line}", ANNULUS_COMMAND="map")
check(until(lambda: iterations_done(line) > 5, 60), "the map starts")
for pid in mpirun_of(p):
    os.kill(pid, signal.SIGUSR1)
r = wait(p, 60)
check(r.code == STOPPED and len(requests()) == count + 1, f"a map is queued again: {requests()}, {r}")
at = run_json(line)["iteration"]
p = job(*point, f"--set=output.folder={line}", ANNULUS_COMMAND="map")
check(until(lambda: iterations_done(line) > at + 3, 60), "a map that is queued again goes on")
open(os.path.join(line, "STOP"), "w").close()
r = wait(p, 60)
check(f"goes on at iteration {at} of flow_{at:08d}.cgns" in r.out, f"a map continues within its point: {r}")
check(set(requests()) == {"requeue 77"}, f"what Slurm was asked for: {set(requests())}")
with open(os.path.join(top, "srun")) as f:
    options = f.read()
check("--kill-on-bad-exit=0" in options and "--cpus-per-task=1" in options, f"srun {options}")
finish()
