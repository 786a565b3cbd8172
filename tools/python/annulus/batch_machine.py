"""The machine that a batch runs on: launcher, cores, graphics cards, NVIDIA MPS, locks, and children that do not outlive it."""
import contextlib
import ctypes
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from .errors import InputError

# of launchers, innermost first: rank, rank on the node, number of ranks there
LAUNCHERS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
    ("PMI_RANK", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"),
)
OF_LAUNCHERS = re.compile(r"(OMPI|PMIX|PMI|PMI2|PRTE|HYDRA|HYDI)_|MPI_LOCAL|SLURM_(?!JOB_ID$|RESTART_COUNT$)")
PR_SET_PDEATHSIG = 1


class Launch:
    """How this process was started. job: what all processes of one launcher share, and no others."""

    def __init__(self, environment):
        found = next((names for names in LAUNCHERS if names[0] in environment), None)

        def number(name, default):
            digits = re.match(r"\d+", environment.get(name, ""))
            return int(digits[0]) if digits else default

        self.rank = number("SLURM_PROCID" if found[0].startswith("SLURM") else found[0], 0) if found else 0
        self.place, self.neighbours = (number(found[1], 0), max(1, number(found[2], 1))) if found else (0, 1)
        self.launched = found is not None
        slurm = found is not None and found[0].startswith("SLURM")
        of_slurm = f"Slurm {environment.get('SLURM_JOB_ID')}.{environment.get('SLURM_STEP_ID')}" if "SLURM_JOB_ID" in environment else ""
        self.job = f"{socket.gethostname()} {os.getpid()} {time.time()}"
        if found:
            self.job = environment.get("PMIX_NAMESPACE") or of_slurm or f"{socket.gethostname()} {os.getppid()}"
        if found and not slurm:  # mpirun may have bound this process to one core, which its children would share
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, range(os.cpu_count()))
        self.cores = (number("SLURM_CPUS_PER_TASK", 0) if slurm else 0) or max(1, len(os.sched_getaffinity(0)) // self.neighbours)

    def environment(self, environment):
        """Of programs that are processes of their own, and not ranks of this launcher."""
        return {name: v for name, v in environment.items() if not (self.launched and OF_LAUNCHERS.match(name))}


def take(path):
    """The descriptor of a lock file that is now held here, and by children that it is passed to, until all have closed
    it or ended; None if others hold it."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return fd
    except BlockingIOError:
        os.close(fd)
    except OSError as error:
        os.close(fd)
        raise InputError(f"{path} cannot be locked: {error.strerror}") from None
    return None


def enter(path, launch):
    """Takes the lock of a folder for all processes of a launcher; InputError, naming the holder, if another batch has it."""
    for _ in range(200):
        fd = take(path)
        if fd is not None:
            os.ftruncate(fd, 0)
            holder = {"job": launch.job, "process": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%F %T")}
            os.pwrite(fd, json.dumps(holder).encode(), 0)
        else:
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
            try:
                holder = json.loads(os.pread(fd, 4000, 0))
            except ValueError:
                holder = {}
            if holder.get("job") == launch.job:
                return fd
            if holder:
                raise InputError(f"{os.path.dirname(os.path.dirname(path))}: process {holder.get('process')} on {holder.get('host')} has "
                                 f"run a batch in this folder since {holder.get('since')}")
        os.close(fd)
        time.sleep(0.05)
    raise InputError(f"{path}: another batch holds it")


def tie(parent):
    """In a child before its program starts: SIGTERM, on which a run writes a snapshot and ends, if the parent is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


def start(command, log, environment, fds=(), append=False):
    """A child in a process group of its own, which Ctrl-C does not reach and which ends with this process. fds: that it
    holds open."""
    parent = os.getpid()
    with open(log, "ab" if append else "wb") as out:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment,
                                pass_fds=fds, start_new_session=True, preexec_fn=lambda: tie(parent))


def memory_left():
    """Bytes of this machine that programs can have."""
    with contextlib.suppress(OSError, TypeError):
        with open("/proc/meminfo") as lines:
            return 1024 * int(re.search(r"MemAvailable:\s+(\d+)", lines.read())[1])
    return float("inf")


def cards(program, environment, launch):
    """Values of CUDA_VISIBLE_DEVICES of the cards that this process serves."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, env=environment).stdout
    found = re.search(r"^devices\s+(\d+) CUDA", said, re.M)
    count = int(found[1]) if found else 0
    given = [name for name in environment.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    names = (given or [str(n) for n in range(count)])[:count]
    return [names[launch.place % count]] if launch.launched and count else names


def card_memory(card):
    """Bytes of a card that are free."""
    with contextlib.suppress(OSError, ValueError):
        return 1e6 * float(subprocess.run(["nvidia-smi", "-i", card, "--query-gpu=memory.free", "--format=csv,noheader,nounits"],
                                          capture_output=True, text=True).stdout)
    return float("inf")


class Mps:
    """NVIDIA MPS for one card, by which the kernels of several processes run at the same time. It ends once this process and
    the children that hold `fds` have ended, however they end: then a shell reads the end of a pipe and stops MPS.

    environment: of clients; empty if MPS cannot be used, and then `said` says why. probe: a command that uses the card."""

    def __init__(self, card, base, probe):
        self.fds, self.environment, self.said = (), {}, ""
        self.inherited = "CUDA_MPS_PIPE_DIRECTORY" in base
        if self.inherited:
            self.said = "MPS is that of CUDA_MPS_PIPE_DIRECTORY"
            return
        control = shutil.which("nvidia-cuda-mps-control")
        if not control:
            self.said = "without nvidia-cuda-mps-control the kernels of different cases take turns"
            return
        folder = tempfile.mkdtemp(prefix="annulus-mps-")
        own = {"CUDA_MPS_PIPE_DIRECTORY": folder, "CUDA_MPS_LOG_DIRECTORY": folder}
        end, self.held = os.pipe()
        # MPS starts first, and the watcher reads; both are children that do not end with this process
        watcher = subprocess.Popen(
            ["sh", "-c", 'timeout 20 "$0" -d && echo && exec 1>&- && cat >/dev/null; echo quit | timeout 20 "$0" >/dev/null 2>&1; rm -rf "$1"',
             control, folder], stdin=end, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**base, **own, "CUDA_VISIBLE_DEVICES": card},
            start_new_session=True)
        os.close(end)
        self.watcher = watcher
        client = {**own, "CUDA_VISIBLE_DEVICES": "0"}  # MPS shows its clients the card that it serves as the first
        works = watcher.stdout.readline()
        why = ""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            if works:
                tried = subprocess.run(probe, env={**base, **client}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, errors="replace", timeout=60)
                if tried.returncode == 0:
                    self.environment, self.fds, self.said = client, (self.held,), "the cases share the card through MPS"
                    return
                why = next((f" ({line.strip()})" for line in tried.stderr.splitlines() if line.strip()), "")
        self.said = f"MPS does not work here{why}: the kernels of different cases take turns"
        self.stop()

    def stop(self):
        if hasattr(self, "held"):
            os.close(self.held)
            del self.held
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.watcher.wait(30)
