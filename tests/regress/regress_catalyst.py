"""Pictures while a run goes on: what ParaView Catalyst gets (output.catalyst), with a stand-in for its library.

tests/regress/catalyst_double.c has the functions of libcatalyst that the program calls, and writes the nodes it is given. Mesh
and fields have to be those of the snapshot of the same iteration, bit for bit, on 1 and 2 ranks, in both
precisions, and called by the march or by a thread of its own; and the run has to be the same as without Catalyst.
"""
from regress import *

top = folder("catalyst")
script = os.path.join(top, "script.py")
with open(script, "w") as f:
    f.write("def catalyst_execute(info):\n    pass\n")
double = os.path.join(top, "libcatalyst.so.3")
subprocess.run(["cc", "-std=gnu11", "-shared", "-fPIC", "-O1", "-o", double,
                os.path.join(SOURCE, "tests", "regress", "catalyst_double.c")], check=True)
case = write_case(top)
SAMPLES = (5, 10, 12)  # every 5 iterations, and the end


class Node:
    """The node of one call: values by path."""

    def __init__(self, rank, file):
        self.values, self.call = {}, file.split("_")[1]
        data = open(os.path.join(rank, file.split("_")[0] + ".bin"), "rb").read()
        for line in open(os.path.join(rank, file)):
            path, kind, count, value = line.rstrip("\n").split(" ", 3)
            if kind.isupper():
                self.values[path] = numpy.frombuffer(data, {"I": "i8", "F": "f4", "D": "f8"}[kind], int(count),
                                                     int(value))
            else:
                self.values[path] = value if kind == "s" else int(value) if kind == "i" else float(value)

    def __getitem__(self, path):
        return self.values.get(path)

    def below(self, path):
        """Names of the children of a node."""
        start = path + "/"
        return list(dict.fromkeys(p[len(start):].split("/")[0] for p in self.values if p.startswith(start)))


def calls(where, rank):
    path = os.path.join(where, str(rank))
    return [Node(path, name) for name in sorted(os.listdir(path)) if not name.endswith(".bin")]


def shown(name, np, *more, fails=None, iterations=12):
    """A run with Catalyst: its result, and its folder."""
    out, nodes = os.path.join(top, name), os.path.join(top, name + "_nodes")
    os.makedirs(nodes)
    os.environ["CATALYST_DOUBLE"] = nodes
    os.environ.pop("CATALYST_DOUBLE_FAILS", None)
    if fails:
        os.environ["CATALYST_DOUBLE_FAILS"] = str(fails)
    r = run(case, np=np, options=[f"march.iterations={iterations}", f"output.folder={out}", f"output.catalyst={script}",
                                  "output.catalyst_every=5", f"output.catalyst_library={double}", "output.every=5", *more])
    return r, out, nodes


def structured(node, mesh):
    """Is it a mesh of the Mesh Blueprint, structured or without cells? Its size in cells (k, j, i), or None."""
    axes = [node[f"{mesh}/coordsets/coords/values/{a}"] for a in "xyz"]
    check(node[f"{mesh}/coordsets/coords/type"] == "explicit" and node[f"{mesh}/topologies/mesh/coordset"] == "coords"
          and all(a is not None and a.dtype == "f8" for a in axes), f"{mesh}: coordinates")
    if node[f"{mesh}/topologies/mesh/type"] == "unstructured":
        check(all(a.size == 0 for a in axes) and node[f"{mesh}/topologies/mesh/elements/shape"] == "hex"
              and node[f"{mesh}/topologies/mesh/elements/connectivity"].size == 0 and not node.below(mesh + "/fields"),
              f"{mesh}: a mesh without cells")
        return None
    check(node[f"{mesh}/topologies/mesh/type"] == "structured", f"{mesh}: type of the topology")
    size = [node[f"{mesh}/topologies/mesh/elements/dims/{a}"] for a in "kji"]
    check(all(a.size == numpy.prod([n + 1 for n in size]) for a in axes), f"{mesh}: number of nodes")
    return size


def values_of(node, mesh, size):
    """{name of CGNS: values} of the fields of a mesh."""
    found = {}
    for name in node.below(mesh + "/fields"):
        field = f"{mesh}/fields/{name}"
        check(node[field + "/association"] == "element" and node[field + "/topology"] == "mesh", f"{field}: where it is")
        parts = {name: node[field + "/values"]} if node[field + "/values"] is not None else \
            {name + a.upper(): node[f"{field}/values/{a}"] for a in "xyz"}
        for part, values in parts.items():
            check(values is not None and values.size == numpy.prod(size), f"{part}: number of values in {mesh}")
            found[part] = values.reshape(size)
    return found


def find(part, whole):
    """Where an array lies in a larger one, as slices; None: nowhere."""
    for corner in zip(*numpy.where(whole[tuple(slice(0, w - p + 1) for w, p in zip(whole.shape, part.shape))]
                                   == part[0, 0, 0])):
        at = tuple(slice(c, c + p) for c, p in zip(corner, part.shape))
        if whole[at].tobytes() == part.tobytes():
            return at
    return None


def compare(out, nodes, np, iteration, number):
    """Call `number` of all ranks against the snapshot."""
    path = snapshot(out, iteration)
    wanted = fields(path)
    with h5py.File(os.path.join(out, "grid.cgns")) as f:
        grid = {z: [f[f"Base/{z}/GridCoordinates/Coordinate{a}/ data"][()] for a in "XYZ"]
                for z in f["Base"] if z != " data" and "GridCoordinates" in f["Base"][z]}
    filled = {name: numpy.zeros(values.shape, int) for name, values in wanted.items()}
    lists = []
    for rank in range(np):
        node = calls(nodes, rank)[number]
        check(node.call == "execute" and node["catalyst/state/timestep"] == node["catalyst/state/cycle"] == iteration
              and node["catalyst/state/time"] == iteration, f"{nodes}: time of call {number}")
        check(node["catalyst/channels/grid/type"] == "multimesh", "type of the channel")
        data = "catalyst/channels/grid/data"
        lists.append(node.below(data))
        for name in lists[-1]:
            mesh = f"{data}/{name}"
            check(node[mesh + "/state/cycle"] == iteration and node[mesh + "/state/time"] == iteration
                  and node[mesh + "/state/domain_id"] == rank, f"{mesh}: state")
            size = structured(node, mesh)
            if not size:
                continue
            zone = name if name in grid else name.rsplit("_piece", 1)[0]
            x = node[mesh + "/coordsets/coords/values/x"].reshape([n + 1 for n in size])
            at = find(x, grid[zone][0])
            if not check(at is not None, f"{mesh}: the coordinates are not those of grid.cgns"):
                continue
            for a in (1, 2):
                part = node[f"{mesh}/coordsets/coords/values/{'xyz'[a]}"].reshape(x.shape)
                check(part.tobytes() == grid[zone][a][at].tobytes(), f"{mesh}: coordinate {'xyz'[a]}")
            cells = tuple(slice(s.start, s.stop - 1) for s in at)
            found = values_of(node, mesh, size)
            check({f"{zone}/{f}" for f in found} == {f for f in wanted if f.startswith(zone + "/")},
                  f"{mesh}: fields {sorted(found)}")
            for field, values in found.items():
                whole = wanted[f"{zone}/{field}"]
                check(values.dtype == whole.dtype and values.tobytes() == whole[cells].tobytes(),
                      f"{mesh}: {field} at iteration {iteration} is not that of the snapshot")
                filled[f"{zone}/{field}"][cells] += 1
    check(all((n == 1).all() for n in filled.values()), f"{nodes}: cells that no rank has given, or two")
    check(all(names == lists[0] for names in lists), f"ranks list other meshes: {lists}")


plain = os.path.join(top, "plain")
r = run(case, options=["march.iterations=12", f"output.folder={plain}", "output.every=5"])
check("in situ" not in r.out, r.out)
fields_wanted = "output.fields=[Pressure, Mach, VelocityX, VelocityY, VelocityZ, TurbulentDistance]"
for name, np, more in (("one", 1, []), ("two", 2, [fields_wanted]), ("six", 6, ["precision=single"]),
                       ("thread", 2, ["output.background=yes"])):
    r, out, nodes = shown(name, np, *more)
    how = "in the background" if name == "thread" else "while the march waits: the march needs the same cores"
    check(f"in situ     Catalyst 2.0.0 (double) calls {script} every 5 iterations, {how}" in r.out
          and "in situ     Catalyst got 3 states" in r.out, f"{name}: {r}")
    for rank in range(np):
        made = calls(nodes, rank)
        check([n.call for n in made] == ["initialize", "execute", "execute", "execute", "finalize"],
              f"{name}: calls {[n.call for n in made]}")
        check(all(n["thread"] == 1 for n in made), f"{name}: calls from several threads")
        check(made[0]["catalyst/scripts/script/filename"] == script and "catalyst/mpi_comm" in made[0].values
              and made[0]["catalyst_load/implementation"] == "paraview", f"{name}: {made[0].values}")
    for number, iteration in enumerate(SAMPLES):
        compare(out, nodes, np, iteration, number + 1)
    if name in ("one", "thread"):
        same_history(out, plain, f"a run with Catalyst ({name}) against one without")
        same_fields(snapshot(out, 12), snapshot(plain, 12), f"a run with Catalyst ({name}) against one without")
check("Momentum" in calls(os.path.join(top, "one_nodes"), 0)[1].below(
    "catalyst/channels/grid/data/" + calls(os.path.join(top, "one_nodes"), 0)[1].below("catalyst/channels/grid/data")[0]
    + "/fields"), "the momentum is no vector")

check(any("_piece2" in name for name in calls(os.path.join(top, "six_nodes"), 0)[1].below("catalyst/channels/grid/data")),
      "no rank has two pieces of a zone: nothing tests their names")

# a slow script: the march does not touch what it still looks at. The vorticity is found on the host.
os.environ["CATALYST_DOUBLE_SLOW"] = "1"
r, out, nodes = shown("slow", 1, "output.background=yes", "output.catalyst_every=3", "output.every=6",
                      "output.fields=[VorticityZ, Mach]", iterations=9)
del os.environ["CATALYST_DOUBLE_SLOW"]
compare(out, nodes, 1, 6, 2)
compare(out, nodes, 1, 9, 3)

# time in seconds
r, out, nodes = shown("unsteady", 1, "march.mode=unsteady", "march.cfl=0.5")
node = calls(nodes, 0)[1]
check(0 < node["catalyst/state/time"] < 1e-3 and node["catalyst/state/cycle"] == 5, f"time {node['catalyst/state/time']}")

# Catalyst fails at its second state: a warning, no more calls, and the run goes on
r, out, nodes = shown("fails", 2, fails=3, iterations=20)
check(r.out.count("warning     ParaView Catalyst failed at iteration 10: status 100") >= 1 and "not called any more" in r.out,
      f"a failure of Catalyst: {r}")
check([n.call for n in calls(nodes, 1)] == ["initialize", "execute", "execute", "finalize"], "calls after a failure")
same_fields(snapshot(out, 10), snapshot(os.path.join(top, "one"), 10), "a run whose Catalyst failed")

# what is refused
def refused(words, *options, command="run"):
    r = annulus(command, case, options=["march.iterations=1", f"output.folder={os.path.join(top, 'refused')}", *options])
    check(r.code == INPUT and all(w in r.err for w in words) and r.err.count("\n") <= 3, f"{words} expected: {r}")


os.environ["CATALYST_DOUBLE_FAILS"] = "1"
refused(["did not start", script, "status 100"], f"output.catalyst={script}", f"output.catalyst_library={double}")
refused(["libcatalyst_none.so.3", "LD_LIBRARY_PATH", "output.catalyst_library"], f"output.catalyst={script}",
        "output.catalyst_library=libcatalyst_none.so.3")
r = annulus("check", case, options=[f"output.catalyst={script}", "output.catalyst_library=libcatalyst_none.so.3"])
check(r.code == DONE and "warning     on this machine, " in r.out and "libcatalyst_none.so.3" in r.out, f"check without Catalyst: {r}")
refused(["is not ParaView Catalyst 2", "catalyst_initialize"], f"output.catalyst={script}",
        "output.catalyst_library=libm.so.6")
refused(["output.catalyst", "nosuch.py"], f"output.catalyst={top}/nosuch.py", command="check")
refused(["output.catalyst_every", "needs 'output.catalyst'"], "output.catalyst_every=7", command="check")
finish()
