"""A real Slurm: slurmctld, slurmd and munged of the distribution in namespaces of their own. tools/slurm/annulus.sbatch
is submitted with its own options on a node that claims four GPUs. The job is warned before its limit, writes a
snapshot, is queued again, and goes on from there; a STOP file ends it for good. Three to five minutes."""
import os
import shutil
import subprocess
import sys

NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "unshare", "ip")
if os.environ.get("AN_INSIDE") != "slurm":
    if os.geteuid() or not all(map(shutil.which, NEEDED)):
        print("skipped: needs root and " + ", ".join(NEEDED) + " (slurmctld, slurmd, slurm-client, munge, iproute2)")
        sys.exit(77)
    if subprocess.run(["unshare", "--mount", "--net", "true"], capture_output=True).returncode:
        print("skipped: this system does not let the test have namespaces of its own")
        sys.exit(77)
    os.environ["AN_INSIDE"] = "slurm"
    sys.exit(subprocess.run(["unshare", "--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc",
                             sys.executable, "-B", *sys.argv]).returncode)

from regress import *

top = folder("slurmd")
case = write_case(top)
out, log = os.path.join(top, "out"), os.path.join(top, "job.txt")
JOB = os.path.join(SOURCE, "tools/slurm/annulus.sbatch")
CONF = """ClusterName=annulus
SlurmctldHost=node1(10.78.0.1)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={top}/munge,cred_expire=10
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation={top}/state
SlurmdSpoolDir={top}/spool
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd.pid
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=5
ReturnToService=2
GresTypes=gpu
NodeName=node1 NodeAddr=10.78.0.1 CPUs=32 RealMemory=1000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def write(name, text, mode=0o644):
    path = os.path.join(top, name)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, mode)
    return path


def slurm(*command):
    r = subprocess.run(command, capture_output=True, text=True, env=env, cwd=top)
    return r.stdout + r.stderr


def state(job):
    words = slurm("scontrol", "show", "job", job).split()
    return next((w.split("=")[1] for w in words if w.startswith("JobState=")), "")


def text_of(path):
    try:
        with open(path) as f:
            return f.read()
    except OSError:
        return ""


subprocess.run(["hostname", "node1"], check=True)
# An address besides 127.0.0.1, without which the C library resolves nothing for Slurm.
for command in ("link set lo up", "link add net1 type bridge", "addr add 10.78.0.1/24 dev net1", "link set net1 up"):
    subprocess.run(["ip", *command.split()], check=True)
subprocess.run(["mount", "--bind", write("hosts", "127.0.0.1 localhost\n10.78.0.1 node1\n"), "/etc/hosts"], check=True)
for name in ("state", "spool"):
    os.makedirs(os.path.join(top, name))
os.chmod(top, 0o755)
key = write("munge.key", os.urandom(512).hex(), 0o600)
env = environment()
env["SLURM_CONF"] = write("slurm.conf", CONF.format(top=top))
for card in range(4):
    write(f"gpu{card}", "")  # Slurm asks only that its files are there
write("gres.conf", f"NodeName=node1 Name=gpu File={top}/gpu[0-3]\n")
with open(os.path.join(top, "daemons.txt"), "w") as said:
    daemons = [subprocess.Popen(command, stdout=said, stderr=said, env=env) for command in (
        ["munged", "--force", "--foreground", f"--socket={top}/munge", f"--key-file={key}", f"--pid-file={top}/munge.pid",
         f"--seed-file={top}/munge.seed", f"--log-file={top}/munge.log"],
        ["slurmctld", "-D"], ["slurmd", "-D", "-N", "node1"])]
if not check(until(lambda: "idle" in slurm("sinfo"), 40), "Slurm has a node: " + slurm("sinfo") + text_of(f"{top}/daemons.txt")):
    finish()
env.update(ANNULUS=ANNULUS, ANNULUS_OUTPUT=out)
words = slurm("sbatch", "--time=3", f"--output={log}", JOB, case, "--set=march.iterations=2000000000",
              "--set=output.history_every=1", "--set=device=cpu").split()
if not check(words[:3] == ["Submitted", "batch", "job"], f"sbatch: {words}"):
    finish()
job = words[3]
begin = time.time()
since = lambda: f"{time.time() - begin:.0f} s"
if not check(until(lambda: iterations_done(out) > 1, 60), f"the job starts: {state(job)} {text_of(log)[-2000:]}"):
    finish()
print(f"job {job} runs: {since()}", flush=True)
check(until(lambda: "queued again" in text_of(log), 170), f"warned before its limit: {state(job)}, {text_of(log)[-1500:]}")
at = run_json(out)["iteration"]
print(f"warned, snapshot at iteration {at}, queued again: {since()}", flush=True)
check(os.path.exists(snapshot(out, at)), f"snapshot at {at}")
check(until(lambda: iterations_done(out) > at + 2, 150), f"queued again it goes on: {state(job)}, {text_of(log)[-1500:]}")
print(f"runs again, iteration {iterations_done(out)}: {since()}", flush=True)
check(f"iteration {at}" in text_of(log), "it goes on from the last snapshot")
restarts = slurm("scontrol", "show", "job", job)
check("Restarts=1" in restarts, f"Slurm has restarted the job once: {restarts}")
check("ranks       4" in text_of(log), f"four ranks, as the template asks: {text_of(log)[:1500]}")
open(os.path.join(out, "STOP"), "w").close()
check(until(lambda: state(job) in ("FAILED", "COMPLETED"), 60), f"the STOP file ends the job: {state(job)}")
check("ExitCode=4:0" in slurm("scontrol", "show", "job", job) and text_of(log).count("queued again") == 1,
      f"it is not queued again: {slurm('scontrol', 'show', 'job', job)}")
print(f"stopped for good: {since()}, state {state(job)}")
for daemon in daemons:
    daemon.terminate()
finish()
