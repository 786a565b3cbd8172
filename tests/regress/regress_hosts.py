"""Several hosts, made of network namespaces (tests/regress/on_hosts), with Open MPI over TCP between them: the same bits as
one rank on two and on three hosts, a restart on another number of hosts, and the plug of a host pulled."""
import re

if __name__ == "__main__":
    import os
    import shutil
    import subprocess
    import sys

    ON_HOSTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "on_hosts")
    if not os.path.exists("/run/netns/host3"):
        if os.geteuid() or not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
            print("skipped: needs root, util-linux and iproute2")
            sys.exit(77)
        if subprocess.run(["unshare", "--mount", "--net", "true"], capture_output=True).returncode:
            print("skipped: this system does not let the test have namespaces of its own")
            sys.exit(77)
        if "Open MPI" not in subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout:
            print("skipped: mpirun is not of Open MPI")
            sys.exit(77)
        sys.exit(subprocess.run([ON_HOSTS, "3", sys.executable, "-B", *sys.argv]).returncode)

from regress import *

top = folder("hosts")
case = write_case(top)


def on(hosts, *args, options=()):
    """The program with two ranks on each of the first `hosts` hosts."""
    names = ",".join(f"host{n}:2" for n in range(1, hosts + 1))
    return start(args, launcher=("--host", names), mpirun=True, np=2 * hosts, options=options)


def out_of(name):
    return os.path.join(top, name)


def compute(hosts, name, iterations, *args, transport="auto"):
    options = (f"march.iterations={iterations}", f"output.folder={out_of(name)}", f"mpi.transport={transport}")
    begin = time.time()
    r = wait(on(hosts, "run", case, *args, options=options), 180)
    check(r.code == DONE, f"{hosts} hosts: {r}")
    found = re.search(r"^hosts +(\d+);", r.out, re.M)
    check(found and int(found[1]) == hosts, f"{hosts} hosts are counted: {r.out[:1500]}")
    said = re.search(r"^transport +(.*)", r.out, re.M)
    print(f"{hosts} hosts, {2 * hosts} ranks, {time.time() - begin:.0f} s: transport {said and said[1]}", flush=True)
    return r


def processes():
    """Ranks of the program that run in these namespaces."""
    listing = subprocess.run(["ps", "-eo", "pid=,comm="], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in listing.split("\n") if line.strip().endswith(" annulus")]


def link(host, state):
    subprocess.run([ON_HOSTS, "--link", host, state], check=True)


def lose(host, named):
    """A run on three hosts, one of which loses its network."""
    out, log = out_of("lost_" + host), out_of(f"lost_{host}.txt")
    names = "host1:2,host2:2,host3:2"
    command = MPIRUN + ["--host", names, "-n", "6", ANNULUS, "run", case, "--set=march.iterations=100000000",
                        f"--set=output.folder={out}", "--set=output.history_every=1"]
    with open(log, "w") as to:  # no pipes: what Open MPI leaves on the lost host would hold them
        p = subprocess.Popen(command, stdout=to, stderr=to, env=environment(), start_new_session=True)
    check(until(lambda: iterations_done(out) > 2, 120), "the run on three hosts starts")
    begin = time.time()
    link(host, "down")
    ended = until(lambda: p.poll() is not None, 60)
    print(f"{host} lost: the launcher ends with {p.poll()} after {time.time() - begin:.0f} s")
    check(until(lambda: not processes(), max(5, 60 - (time.time() - begin))), f"all ranks are gone: {processes()}")
    print(f"{host} lost: all ranks are gone after {time.time() - begin:.0f} s")
    with open(log) as lines:
        said = [line.strip() for line in lines if line.startswith("annulus: error")]
    print(f"{host} lost: {said}", flush=True)
    if named:
        check(ended and p.returncode not in (DONE, STOPPED), f"the launcher ends: {p.poll()}")
        check(any(host in line for line in said), f"the message names {host}: {said}")
    link(host, "up")
    for pid in [p.pid] + processes():
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    p.wait()


whole = out_of("whole")
for last in (4, 12):
    run(case, *(["--restart", "latest"] if last > 4 else []), options=(f"march.iterations={last}", f"output.folder={whole}"))
compute(2, "two", 4, transport="peer")
same_fields(snapshot(whole, 4), snapshot(out_of("two"), 4), "one rank and two hosts")
compute(3, "three", 4)
same_fields(snapshot(whole, 4), snapshot(out_of("three"), 4), "one rank and three hosts")
compute(3, "two", 8, "--restart", "latest", transport="peer")
compute(2, "two", 12, "--restart", "latest")
same_fields(snapshot(whole, 12), snapshot(out_of("two"), 12), "restarts on three and on two hosts")
lose("host2", named=True)
lose("host1", named=False)  # that of rank 0 and of the launcher: nobody is left who could be heard
finish()
