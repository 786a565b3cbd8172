"""A rank that is killed ends the job: all ranks are gone within half a minute, and what is printed
names the rank. With each way that halos travel between ranks of one machine.
"""
from regress import *

SECONDS = 30

top = folder("kill")
case = write_case(top)


def rank_of(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as f:
            for line in f.read().split(b"\0"):
                if line.startswith(b"OMPI_COMM_WORLD_RANK=") or line.startswith(b"PMI_RANK="):
                    return int(line.split(b"=")[1])
    except OSError:
        pass
    return -1


for transport in ("host", "peer"):
    out = os.path.join(top, transport)
    p = start(["run", case], np=3,
              options=(f"output.folder={out}", "march.iterations=100000", "output.history_every=2",
                       f"mpi.transport={transport}"))
    running = until(lambda: iterations_done(out) >= 2, 60)
    ranks = {rank_of(pid): pid for pid in below(p.pid) if rank_of(pid) >= 0}
    if not check(running and set(ranks) == {0, 1, 2}, f"{transport}: three ranks run: {ranks}"):
        print(wait(p, 1))
        continue
    os.kill(ranks[1], signal.SIGKILL)
    began = time.time()
    r = wait(p, SECONDS)
    check(r.code not in (TIMED_OUT, DONE), f"{transport}: the job ends within {SECONDS} s: {r}")
    check("rank 1" in r.err + r.out, f"{transport}: the rank is named: {r}")
    left = [rank for rank, pid in ranks.items()
            if rank != 1 and not until(lambda: rank_of(pid) != rank, SECONDS)]
    check(not left, f"{transport}: ranks {left} go on")
    print(f"{transport}: over after {time.time() - began:.1f} s")
finish()
