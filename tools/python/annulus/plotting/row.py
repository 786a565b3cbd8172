"""tools/plot row: the mesh of an annular blade row, blade to blade and meridional."""
import numpy as np
from matplotlib.collections import LineCollection

from ..cgns import file_of
from ..order import layered
from .style import InputError, add_output, colour, figure, legend_beside, save, window

SCALE = 1e3  # axes in mm


def add_parser(commands):
    parser = commands.add_parser("row", help="the mesh of an annular blade row")
    parser.add_argument("file", help="CGNS mesh of mesh_row, or a snapshot")
    parser.add_argument(
        "--cut",
        default="mid",
        help="hub, mid, tip (of the blade), gap, casing, or a number of the layer of nodes: blade to "
        "blade, in x and r theta; meridional: one surface of each zone, in x and r",
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="draw every Nth line")
    parser.add_argument("--pitches", type=int, default=1, metavar="N", help="passages drawn")
    parser.add_argument("--zoom", metavar="X0:X1,Y0:Y1", help="window in mm")
    add_output(parser, "row.png")
    parser.set_defaults(run=run)


def layer_of(cut, whole, gap):
    names = {
        "hub": 0,
        "mid": (whole - gap) // 2,
        "tip": whole - gap,
        "gap": whole - gap // 2,
        "casing": whole,
    }
    if cut in names:
        return names[cut]
    if not cut.isdigit() or int(cut) > whole:
        raise InputError(f"--cut {cut}: expected {', '.join(names)}, meridional or 0 to {whole}")
    return int(cut)


def pick(count, every):
    """Every Nth index, the last one always among them."""
    return sorted({*range(0, count, every), count - 1})


def grid_lines(a, b, every):
    """Both families of lines of a plane of nodes with the coordinates a, b."""
    nodes = np.stack([a, b], axis=-1)
    nj, ni = a.shape
    return [nodes[j] for j in pick(nj, every)] + [nodes[:, i] for i in pick(ni, every)]


def border(a, b):
    nodes = np.stack([a, b], axis=-1)
    return [nodes[0], nodes[-1], nodes[:, 0], nodes[:, -1]]


MOST = 12  # names of a legend


def draw(ax, found, every):
    """A colour for each zone or, where there are many, for all zones whose names begin alike up to the first _."""
    short = [name.split("_")[0] for name, _ in found] if len(found) > MOST else [name for name, _ in found]
    first = {name: min(planes[0][0].min() for (_, planes), own in zip(found, short) if own == name) for name in short}
    names = sorted(first, key=first.get) if len(found) > MOST else short  # along the axis
    for (_, planes), name in zip(found, short):
        own = colour(names.index(name))
        for a, b in planes:
            ax.add_collection(LineCollection(grid_lines(a, b, every), colors=own, lw=0.25))
            ax.add_collection(LineCollection(border(a, b), colors=own, lw=0.8))
    for n, name in enumerate(names if len(names) <= MOST else ()):
        ax.plot([], [], color=colour(n), label=name)


def blade_to_blade(zones, layer, whole, pitch, pitches):
    found, mean = [], None
    for zone in zones:
        own = layer - (whole - zone.cells[2])
        if own < 0:
            continue
        x, y, z = (c[own] for c in zone.nodes())
        r, theta = np.hypot(y, z), np.unwrap(np.unwrap(np.arctan2(z, y), axis=1), axis=0)
        mean = mean or r.mean()  # one radius for all zones
        planes = [(SCALE * x, SCALE * mean * (theta + n * pitch)) for n in range(pitches)]
        found.append((zone.name, planes))
    return found


def meridional(zones):
    found = []
    for zone in zones:
        x, y, z = zone.nodes()
        if zone.name in ("tip_o", "tip_h", "passage_up", "passage_down"):
            j = 0 if zone.name == "passage_up" else -1
        else:
            j = x.shape[1] // 2 if zone.name in ("inlet_h", "outlet_h") else 0
        found.append((zone.name, [(SCALE * x[:, j], SCALE * np.hypot(y, z)[:, j])]))
    return found


def run(options):
    file = file_of(options.file)
    zones = layered(file, annular=True)
    whole = max(zone.cells[2] for zone in zones)
    gap = min(zone.cells[2] for zone in zones)
    gap = 0 if gap == whole else gap
    if options.cut == "meridional":
        kept = [z for z in zones if z.name not in ("tip_o", "passage_up", "passage_down")]
        found, label, said = meridional(kept), "r (mm)", "meridional"
    else:
        periodic = file.periodic()
        pitch = abs(periodic[1][0]) if periodic else 0
        layer = layer_of(options.cut, whole, gap)
        found = blade_to_blade(zones, layer, whole, pitch, options.pitches)
        label, said = r"$r\,\theta$ (mm)", f"layer {layer} of {whole}"
    low = np.min([(a.min(), b.min()) for _, planes in found for a, b in planes], axis=0)
    high = np.max([(a.max(), b.max()) for _, planes in found for a, b in planes], axis=0)
    view = window(options.zoom) if options.zoom else (low[0], high[0], low[1], high[1])
    aspect = (view[3] - view[2]) / (view[1] - view[0])
    fig, ax = figure(*((7.2, max(2.2, 6.2 * aspect + 0.8)) if aspect < 1.4 else (8 / aspect + 2, 8)))
    draw(ax, found, options.every)
    ax.set_aspect("equal")
    ax.set_xlim(view[0], view[1])
    ax.set_ylim(view[2], view[3])
    ax.set_xlabel("x (mm)")
    ax.set_ylabel(label)
    legend_beside(ax, size=7.5)
    save(fig, options.output)
    print(f"{len(found)} zones, {said}")
