"""How runs start: processes that a launcher has started and that do not know each other, runs side by side without a
launcher, more ranks than the mesh has pieces, threads that wait."""
import glob
import os
import signal
import subprocess
import tempfile
import time

from regress import *

top = folder("start")
case = write_case(top)


def lone(name, options=(), **variables):
    """A run without a launcher, in an environment without the session folder of tests."""
    env = environment()
    for variable in ("OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_ess_singleton_isolated", "OMPI_MCA_pml", "OMP_WAIT_POLICY"):
        env.pop(variable, None)
    env.update(variables)
    command = [ANNULUS, "run", case, f"--set=output.folder={top}/{name}", *(f"--set={o}" for o in options)]
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, start_new_session=True)
    p.command = command
    return p


# ---- a launcher of another MPI: one error, before anything is written
for variables, count in (({"PMI_SIZE": "3", "PMI_RANK": "{}"}, 3), ({"MPI_LOCALNRANKS": "2", "MPI_LOCALRANKID": "{}"}, 2),
                         ({"SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "{}"}, 2)):
    started = [lone("strangers", **{k: v.format(n) for k, v in variables.items()}) for n in range(count)]
    ended = [wait(p, 60) for p in started]
    check(all(r.code == INPUT and not r.out for r in ended), f"{variables}: {[str(r) for r in ended]}")
    check(f"error: the launcher started {count} processes that do not know each other" in ended[0].err and
          not any(r.err for r in ended[1:]), f"{variables}: {[r.err for r in ended]}")
    check(not os.path.exists(f"{top}/strangers"), f"{variables}: something was written")
# srun without a plug-in that Open MPI 4 knows: Open MPI ends the process within MPI_Init, and the program says what to do
SRUN = {"SLURM_JOBID": "1", "SLURM_JOB_ID": "1", "SLURM_STEPID": "0", "SLURM_STEP_ID": "0", "SLURM_NODELIST": "localhost",
        "SLURM_TASKS_PER_NODE": "2", "SLURM_NNODES": "1", "SLURM_NTASKS": "2", "SLURM_STEP_NUM_TASKS": "2"}
started = [lone("strangers", **SRUN, SLURM_PROCID=str(n), SLURM_LOCALID=str(n)) for n in range(2)]
ended = [wait(p, 60) for p in started]
if "direct launched" in ended[0].err:
    check("annulus: error: srun started this process without a plug-in that Open MPI v4" in ended[0].err and "srun --mpi=pmix" in ended[0].err and
          "annulus: error" not in ended[1].err, f"srun without a plug-in: {[str(r) for r in ended]}")
else:  # other MPI libraries start alone
    check("processes that do not know each other" in ended[0].err, f"srun without a plug-in: {[str(r) for r in ended]}")
check(not os.path.exists(f"{top}/strangers"), "srun without a plug-in: something was written")
for variables in ({"SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"}, {**SRUN, "SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"}):
    r = wait(lone("alone", ["march.iterations=1"], **variables), 60)
    check(("error: srun" in r.err) == ("direct launched" in r.err) and (r.code == DONE or "direct launched" in r.err), f"one process of srun: {r}")
r = annulus("run", case, np=2, options=["march.iterations=1", f"output.folder={top}/within"])
check(r.code == DONE and "srun" not in r.err, f"mpirun: {r}")

r = wait(lone("batch", ["march.iterations=1"], SLURM_NTASKS="4", SLURM_PROCID="0"), 60)  # of a batch script, which is one process
check(r.code == DONE, f"in a batch script: {r}")
r = wait(lone("one", ["march.iterations=1"], PMI_SIZE="1", PMI_RANK="0"), 60)
check(r.code == DONE, f"a launcher that started one process: {r}")

# ---- side by side, without a launcher: each has a session folder of its own, and none says anything
with tempfile.TemporaryDirectory(prefix="annulus_start_") as base:
    started = [lone(f"side_{n}", ["march.iterations=30", "output.every=2"], TMPDIR=base) for n in range(6)]
    ended = [wait(p, 200) for p in started]
    for r in ended:
        check(r.code == DONE and not r.err, f"side by side: {r}")
    slots = glob.glob(f"{base}/annulus-mpi-{os.geteuid()}/*")
    check(len(slots) >= 2, f"session folders: {slots}")
    before = len(slots)
    r = wait(lone("side_0", ["march.iterations=1"], TMPDIR=base), 60)
    check(r.code == DONE and len(glob.glob(f"{base}/annulus-mpi-*/*")) == before, f"a folder is used again: {r}")

# ---- more ranks than pieces: some idle, the answer is the same, a signal to any rank counts
levels = os.path.join(top, "levels.cgns")
subprocess.run([os.path.join(BIN, "mesh_cascade"), os.path.join(SOURCE, "cases/ls89/blade.dat"), "--pitch=0.0575",
                "--inlet-angle=0", "--outlet-angle=-74", "--size=0.2", "--levels=3", "-o", levels], check=True,
               stdout=subprocess.DEVNULL)
IMPLICIT = [f"mesh={levels}", "march.method=implicit", "multigrid.levels=3", "mpi.multigrid_levels=4", "output.history_every=1"]
RANKS = 12
few = run(case, options=[*IMPLICIT, "march.iterations=3", f"output.folder={top}/few"])
many = run(case, options=[*IMPLICIT, "march.iterations=3", f"output.folder={top}/many"], np=RANKS, timeout=200)
check(f"of {RANKS} ranks compute and" in many.out and "can be cut into at most" in many.out, f"no remark: {many}")
check("ranks compute" not in few.out, f"a remark on one rank: {few}")
same_fields(snapshot(f"{top}/few", 3), snapshot(f"{top}/many", 3), "with idle ranks")
r = annulus("check", case, np=RANKS, options=IMPLICIT, timeout=200)
check(r.code == DONE and f"of {RANKS} ranks compute and" in r.out, f"check: {r}")
r = annulus("check", case, np=RANKS, options=[*IMPLICIT, "boundaries.outlet.type=inlet_total"], timeout=200)
check(r.code == INPUT, f"an error with idle ranks: {r}")
p = start(["run", case], np=RANKS, options=[*IMPLICIT, "march.iterations=100000", f"output.folder={top}/stopped"])
last = None
until = time.time() + 100 * PATIENCE
while time.time() < until and (last is None or not os.path.exists(f"{top}/stopped/history.csv")):
    time.sleep(0.2)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f, open(f"/proc/{pid}/cmdline", "rb") as g:
                if b"OMPI_COMM_WORLD_RANK=%d\0" % (RANKS - 1) in f.read() and f"{top}/stopped".encode() in g.read():
                    last = int(pid)
        except OSError:
            pass
if last is None:
    p.kill()
    check("Open MPI" not in annulus("--version").out, "the last rank was not found")
else:
    os.kill(last, signal.SIGUSR1)
r = wait(p, 100)
check(last is None or r.code == STOPPED, f"a signal to an idle rank: {r}")

# ---- threads that wait give their core away, unless the environment says how they wait
for threads, said, wanted in (("2", {}, "passive"), ("2", {"OMP_WAIT_POLICY": "active"}, "active"), ("2", {"GOMP_SPINCOUNT": "7"}, None),
                              ("1", {}, None)):
    p = lone(f"threads_{threads}_{wanted}", ["march.iterations=100000"], OMP_NUM_THREADS=threads, **said)
    until = time.time() + 60 * PATIENCE
    while time.time() < until and not os.path.exists(f"{top}/threads_{threads}_{wanted}/history.csv"):
        time.sleep(0.1)
    with open(f"/proc/{p.pid}/environ", "rb") as f:
        policy = [v.split(b"=")[1].decode() for v in f.read().split(b"\0") if v.startswith(b"OMP_WAIT_POLICY=")]
    p.terminate()
    r = wait(p, 60)
    check(r.code == STOPPED and policy == ([wanted] if wanted else []), f"{threads} threads, {said}: {policy}, {r}")
    shutil.rmtree(f"{top}/threads_{threads}_{wanted}", ignore_errors=True)
finish()
