"""tools/release: its list of promises fits the pages and the tree, and the command on a small list of its own."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

if not shutil.which("git"):
    print("skipped: git is not there")
    sys.exit(77)
sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
HERE = os.path.join(TOP, "tools", "release")
sys.path.insert(0, HERE)
import ages  # noqa: E402
import figures  # noqa: E402
import promises  # noqa: E402

faults = 0


def check(good, what):
    global faults
    if not good:
        faults += 1
        print("FAULT: " + what, flush=True)
    return good


# --- the list: every figure stands on its page, every path exists
names = [p["name"] for p in promises.PROMISES]
check(len(set(names)) == len(names) > 30, f"names of promises: {sorted(n for n in names if names.count(n) > 1)}")
for p in promises.PROMISES:
    check(p["minutes"] and p["code"] and p["what"], f"{p['name']}: no machine, no code or no words")
    files = ages.Files(TOP, p["page"])
    for f in p["figures"]:
        if isinstance(f["then"], (figures.Text, figures.Cell)):
            try:
                f["then"].find(files)
            except (figures.Missing, OSError) as e:
                check(False, f"{p['name']}, {f['name']}: {e}")
    for path in p["code"]:
        check(os.path.exists(os.path.join(TOP, path)), f"{p['name']}: there is no {path}")
    if p["made"]:
        check(figures.last_match(p["made"], files.page()), f"{p['name']}: '{p['made']}' is not on {p['page']}")
    done = subprocess.run(["bash", "-n", "-c", p["command"]], capture_output=True, text=True)
    check(done.returncode == 0, f"{p['name']}: {done.stderr}")

# --- the command, in a tree of its own with a list of its own
LIST = """
from entry import figure, none, promise
from figures import Cell, Column, Count, Key, Over, Said, Text, Wanted

RAN = 'echo x >>"$ROOT/../ran"; '
PROMISES = [
    promise("good", "a drag", "page.md", RAN + 'echo "drag 1 078.3 N"; printf "at,v\\n1,2\\n3,4\\n" >t.csv; echo "{\\\\\"a\\\\\": [5]}" >t.json', ("code.c",), [
        figure("drag", Said("drag (.*) N"), Cell("# Result", "fine", "drag, N"), within=1e-3),
        figure("of 4", Over(Column("t.csv", "v", at=3), 2), Text("is half of it: (\\S+) in")),
        figure("of 5", Key("t.json", "a.0"), Wanted(4), better="more"), none("faults", Count("FAULT"))], cpu=1),
    promise("wrong", "a lift", "page.md", RAN + "echo lift 3; echo FAULT", ("code.c",), [
        figure("lift", Said("lift (.*)"), Cell("# Result", "fine", "lift", 1), by=0.4), none("faults", Count("FAULT"))],
        cpu=1, made="made with commit (\\w+)"),
    promise("breaks", "a crash", "page.md", RAN + "echo last words; exit 3", ("code.c",), cpu=1),
    promise("mute", "no figure", "page.md", RAN + "true", ("code.c",), [figure("lift", Said("lift (.*)"), Wanted(1))], cpu=1),
    promise("toolless", "no tool", "page.md", RAN + "true", ("code.c",), cpu=1, needs=("no_such_program",)),
    promise("skips", "a skip", "page.md", RAN + "echo no h5py here; exit 77", ("code.c",), cpu=1),
    promise("card", "a GPU", "page.md", RAN + "tool one two", ("code.c",), [
        figure("cards", Said("on (.*) cards"), Wanted(1))],
        gpu=1, needs=("tool", "card:H200", "cards:1")),
    promise("faulty", "a fault of the list", "page.md", RAN + "true", ("code.c",), [figure("x", None, Wanted(1))], cpu=1),
    promise("new", "a drag of other code", "page.md", RAN + "echo drag 1078", ("other.c",), [
        figure("drag", Said("drag (.*)"), Cell("# Later", "fine", "drag, N"))], cpu=1),
    promise("long", "hours", "page.md", RAN + "true", ("code.c",), cpu=600),
    promise("waits", "a step that is interrupted", "page.md", RAN + '[ -e "$ROOT/../go" ] || { sleep 100 & echo $! >"$ROOT/../child"; wait; }',
            ("code.c",), cpu=1),
]
"""
PAGE = """# Result

| mesh | lift | drag, N |
|---|---|---|
| coarse | 1, 2 | 5 |
| **fine** | 3, **2.5** | 1 078 |

The other one is half of
it: 2 in all.

# Later

This table was made with commit {}.

| mesh | drag, N |
|---|---|
| fine | 1078 |
"""
PASSES = {"good", "new"}
FAILS = {"wrong", "breaks", "mute", "faulty"}
NOT_RUN = {"toolless": "no_such_program", "skips": "no h5py here", "card": "needs a GPU"}


class Tree:
    """A repository in a temporary folder, and releases of it."""

    def __init__(self, top):
        self.top, self.root = top, os.path.join(top, "tree")
        os.mkdir(self.root)
        self.put("code.c", "one")
        self.put("other.c", "one")
        self.git("init", "-q")
        self.commit("code")
        self.put("page.md", PAGE.format(self.git("rev-parse", "HEAD").strip()[:7]))
        self.commit("page")
        self.list = os.path.join(top, "list.py")
        with open(self.list, "w") as f:
            f.write(LIST)

    def put(self, name, text):
        with open(os.path.join(self.root, name), "w") as f:
            f.write(text)

    def git(self, *arguments):
        who = ("-c", "user.name=test", "-c", "user.email=test@test", "-c", "commit.gpgsign=false")
        return subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self, text):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", text)

    def command(self, *options, root=None):
        return [sys.executable, "-B", os.path.join(HERE, "release"), "--device", "cpu", "--bin", self.top, "--work",
                os.path.join(self.top, "work"), "--root", root or self.root, "--promises", self.list, *options]

    def run(self, *options, code=1, root=None):
        """Results by name, and what was printed."""
        ran = os.path.join(self.top, "ran")
        if os.path.exists(ran):
            os.remove(ran)
        done = subprocess.run(self.command(*options, root=root), capture_output=True, text=True)
        check(done.returncode == code and "Traceback" not in done.stderr, f"release {options}: {done}")
        return self.results(), done.stdout

    def results(self):
        with open(os.path.join(self.top, "work", "release.json")) as f:
            return {r["name"]: r for r in json.load(f)["results"]}

    def ran(self):
        """Number of commands that the last release began."""
        try:
            with open(os.path.join(self.top, "ran")) as f:
                return len(f.read().split())
        except OSError:
            return 0


def gone(process):
    """Has a process ended, within some seconds?"""
    for _ in range(100):
        try:
            with open(f"/proc/{process}/stat") as f:
                if f.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


def states(results, wanted):
    return {name for name, r in results.items() if r["state"] == wanted}


with tempfile.TemporaryDirectory() as top:
    tree = Tree(top)
    open(os.path.join(top, "go"), "w").close()
    found, _ = tree.run("--minutes", "100")
    check(states(found, "passed") == PASSES | {"waits"} and states(found, "failed") == FAILS, f"states: {found}")
    check([f["now"] for f in found["good"]["figures"]] == [1078.3, 2, 5, 0] and found["good"]["figures"][0]["then"] == 1078, f"figures: {found['good']}")
    check([f["agrees"] for f in found["wrong"]["figures"]] == [False, False], f"figures: {found['wrong']}")
    check(found["breaks"]["reason"] == "exit code 3: last words", f"breaks: {found['breaks']}")
    check("not in log" in found["mute"]["reason"], f"mute: {found['mute']}")
    for name, reason in {**NOT_RUN, "long": "more than are left"}.items():
        check(found[name]["state"] == "not run" and reason in found[name]["reason"], f"{name}: {found[name]}")
    check(found["good"]["age"]["made"].get("latest") and not found["new"]["age"]["made"].get("latest"), f"{found['good']}, {found['new']}")
    check(found["wrong"]["age"]["made"]["commit"] and not found["wrong"]["age"]["made"].get("latest"), f"{found['wrong']}")
    check(not found["breaks"]["age"]["made"], f"no page dates it: {found['breaks']}")
    check(found["good"]["age"]["older"] is False and found["new"]["age"]["older"] is False, f"ages: {found['good']}, {found['new']}")
    with open(os.path.join(top, "work", "release.md")) as f:
        text = f.read()
    check("| drag | 1078 | 1078.3 | passed |" in text and "3 passed, 4 failed, 4 not run" in text, text)

    # the code of one of them changes: its figures are older
    tree.put("other.c", "two")
    tree.commit("other code")
    _, said = tree.run("--list", code=0)
    check(tree.ran() == 0 and "OLDER" in next(line for line in said.splitlines() if line.startswith("new ")) and said.count("OLDER") == 1, said)

    # what no page dates has the commit of the last release in which it passed
    os.makedirs(os.path.join(tree.root, "tools", "release"))
    head = tree.git("rev-parse", "--short", "HEAD").strip()
    tree.put(ages.LAST, json.dumps({"results": [{"name": "skips", "state": "passed", "commit": head}]}))
    tree.commit("the last release")
    _, said = tree.run("--list", code=0)
    check(f"current              made {head}," in next(line for line in said.splitlines() if line.startswith("skips ")), said)

    # another commit: nothing is kept; interrupted within a step, then resumed; what failed is kept, too
    os.remove(os.path.join(top, "go"))
    release = subprocess.Popen(tree.command("--resume", "--minutes", "100"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    begin = time.monotonic()
    while not os.path.exists(os.path.join(top, "child")) and time.monotonic() - begin < 60:
        time.sleep(0.05)
    release.terminate()
    _, errors = release.communicate(timeout=60)
    check(release.returncode == 143 and "Traceback" not in errors, f"interrupted: {release.returncode}, {errors}")
    check(states(tree.results(), "passed") == PASSES and "stopped before" in tree.results()["waits"]["reason"], f"interrupted: {tree.results()}")
    with open(os.path.join(top, "child")) as f:
        child = f.read().strip()
    check(gone(child), "a process of the interrupted step is left")
    open(os.path.join(top, "go"), "w").close()
    found, _ = tree.run("--resume", "--minutes", "100")
    # what was skipped or raised an error is tried again
    check(tree.ran() == 3 and states(found, "passed") == PASSES | {"waits"}, f"resumed, {tree.ran()} began: {found}")
    check(found["new"]["age"]["older"] is True and "**older than the code**" in open(os.path.join(top, "work", "release.md")).read(), "older")
    tree.run("--only", "good", "--only", "waits", code=0)
    check(tree.ran() == 2, f"without --resume {tree.ran()} began")

    # a plain copy of the tree knows commit and ages from the stamp; without it nothing is dated
    tree.run("--stamp", code=0)
    copy = os.path.join(top, "copy")
    shutil.copytree(tree.root, copy, ignore=shutil.ignore_patterns(".git"))
    found, _ = tree.run("--only", "new", code=0, root=copy)
    check(found["new"]["age"]["older"] is True and found["new"]["age"]["changed"]["commit"], f"a copy with a stamp: {found}")
    os.remove(os.path.join(copy, ages.STAMP))
    found, _ = tree.run("--only", "new", code=0, root=copy)
    check(found["new"]["state"] == "passed" and found["new"]["age"]["older"] is None, f"a copy without a stamp: {found}")

    # a machine with a GPU, and the programs of a bundle, which find its libraries
    for name, text in (("nvidia-smi", "echo NVIDIA H200, 550.1"), ("bundle/bin/tool", "echo LIBRARIES of $LD_LIBRARY_PATH, $* on $CARDS cards"),
                       ("bundle/lib/libcgns.so", "")):
        path = os.path.join(top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
    before = os.environ["PATH"]
    os.environ["PATH"] = top + os.pathsep + before
    found, _ = tree.run("--only", "card", "--only", "good", "--device", "auto", "--bin", os.path.join(top, "bundle", "bin"), code=0)
    os.environ["PATH"] = before
    with open(os.path.join(top, "work", "card", "log")) as f:
        said = f.read()
    check(found["card"]["state"] == "passed" and f"of {top}/bundle/lib, one two" in said, f"a bundle on a GPU: {found}, {said}")
    check("--device cpu" in found["good"]["reason"] and "1 x NVIDIA H200" in found["good"]["machine"], f"a machine with a GPU: {found}")

    # the results of another machine take the place of what is not run here
    other = os.path.join(top, "other.json")
    with open(other, "w") as f:
        json.dump({"about": {"machine": "a GPU"}, "results": [{"name": "card", "state": "passed", "reason": "", "figures": [], "machine": "a GPU"}]}, f)
    found, _ = tree.run("--only", "card", "--with", other, code=0)
    check(found["card"]["state"] == "passed" and found["card"]["machine"] == "a GPU", f"another machine: {found}")
    tree.run("--only", "nothing*", code=2)
print(f"{faults} faults")
sys.exit(1 if faults else 0)
