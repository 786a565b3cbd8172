"""Promises of the pages of the cases and of the speed of runs: the commands of the pages, and the tables that they made."""
from entry import CASCADE, FIGURES, FLOW, PLOT3D, ROW, case, figure, promise, speed_line
from figures import Cell, Column, Count, Key, Over, Said, Text, Wanted

ROTOR, HECC, PLATE, LS89 = (f"cases/{name}/README.md" for name in ("rotor37", "hecc", "plate", "ls89"))
SPEED = "docs/performance.md"
RUN = "annulus run case.yaml --device $DEVICE"
LAST = "out/history.csv"
WHOLE = Key("out/run.json", "rows.machine.mass_in_kg_s")  # of the full annulus
ITERATION = Key("out/run.json", "iteration")
TIGHT, CYCLES = {"within": 5e-4}, {"within": 0.1, "better": "less"}
MAP = """annulus map case.yaml --device $DEVICE
"$ROOT/tools/release/continue_map" case.yaml out --device $DEVICE"""
STAYS = figure("largest move of a settled point in 300 further cycles", Said(r"largest move of \d+ points: (\S+)"), Wanted(1e-3),
               better="less")
SETTLED = Count(r"^[0-9a-f]{16},\d+,[^,]*,settled,", "out/map.csv")


# --- Rotor 37
def rotor(cells, command=RUN):
    return case("rotor37", f"mesh_row row.yaml --cells {cells} -o rotor37.cgns", command)


MESHES = {"coarse": ("393 344", "4e5 --levels 3"), "normal": ("1 078 272", "1.05e6"), "fine": ("2 991 104", "3e6")}
BENCH = r"^\| {} \| Rotor 37, {} cells \| \d \| {} \|"  # version, cells, cycles/s; the last row without other settings counts
LINE = {"0.9e5": 9e4, "1e5": 1e5, "1.1e5": 1.1e5, "1.15e5": 1.15e5, "1.18e5": 1.18e5, "1.2e5": 1.2e5, "1.22e5": 1.22e5,
        "1.24e5": 1.24e5, "1.25e5": 1.25e5, "1.26e5": 1.26e5}
LINE_COLUMNS = {"mass_out_kg_s": ("kg/s", 0, {"within": 1e-3}), "stations_pressure_ratio": ("pressure ratio", 0, {"within": 1e-3}),
                "stations_efficiency": ("efficiency", 0, {"by": 1e-3})}


def converged(name, cells, options):
    """A column of the table of mesh convergence."""
    table, ends = "### Mesh convergence", "between the ends of the mesh: pressure ratio, efficiency"
    return promise(f"rotor37_{name}", f"Rotor 37 at 1.175e5 Pa, {cells} cells", ROTOR,
                   rotor(options, RUN + " --set boundaries.outlet.p=1.175e5"), (*FLOW, *FIGURES, *ROW), [
        figure("mass flow, kg/s", WHOLE, Cell(table, "mass flow in, out, kg/s", cells), within=1e-3),
        figure("pressure ratio", Column(LAST, "pressure_ratio"), Cell(table, ends, cells), within=1e-3),
        figure("efficiency", Column(LAST, "efficiency"), Cell(table, ends, cells, 1), by=1e-3)], gpu=1)


ROTORS = [
    promise("rotor37_small", "Rotor 37 on 31 488 cells, the first look", ROTOR, rotor("3e4 --levels 3"), (*FLOW, *ROW), [
        figure("mass flow, kg/s", WHOLE, Text(r"Between the ends of the mesh it has (\S+) kg/s"), **TIGHT),
        figure("pressure ratio", Column(LAST, "pressure_ratio"), Text(r"it has \S+ kg/s, a pressure ratio of (\S+) and"), **TIGHT),
        figure("efficiency, %", Column(LAST, "efficiency"), Text(r"and an efficiency of (\S+) %; 393"), by=0.1, scale=100),
        figure("cycles", ITERATION, Text(r"settles by its rule at iteration (\d+), on the CPU"), **CYCLES)], gpu=0.5, cpu=2),
    promise("rotor37_point", "a point of Rotor 37 from a uniform flow", "README.md", rotor("1.05e6"), (*FLOW, "solver"), [
        figure("seconds of the run", Key("out/run.json", "seconds"), Text(r"RANS: \S+ to (\S+) s from the command to the end"),
               within=0.1, better="less")], gpu=0.5, needs=("card:H200",)),
    promise("rotor37_cycles", "cycles of that point", SPEED, rotor("1.05e6"), FLOW, [
        figure("cycles", ITERATION, Text(r"settled at 1.1e5 Pa after (\d+) cycles"), **CYCLES)], gpu=0.5),
    *(promise(f"rotor37_rate_{name}", f"cycles per second of Rotor 37, {cells} cells", SPEED,
              rotor(options, "annulus bench case case.yaml --device cuda"), ("kernels", "mpi", "solver", "bench"), [
        figure("cycles/s", Said(r"(\S+) cycles/s"), Text(BENCH.format(r"\w{7}", cells, r"(\S+)")), within=0.03, better="more")],
              gpu=1, needs=("card:H200",), made=BENCH.format(r"(\w{7})", cells, r"\S+")) for name, (cells, options) in MESHES.items()),
    promise("rotor37_map", "speed line of Rotor 37, 1 078 272 cells", ROTOR,
            rotor("1.05e6", MAP), (*FLOW, *FIGURES, *ROW), [
        figure("points that settle", SETTLED, Wanted(10)), STAYS,
        *speed_line("1 078 272 cells: ten points", (), LINE, LINE_COLUMNS)], gpu=3),
    *(converged(name, cells, options) for name, (cells, options) in MESHES.items()),
]

# --- HECC
IMPELLER = {cell: float(cell) * 1e5 for cell in ("2.2", "2.4", "2.6", "2.8", "2.9", "3.0", "3.05", "3.1", "3.125")}
STAGE = ("0.9", "0.95", "1.0", "1.05", "1.1")
HECCS = [
    promise("hecc_impeller", "speed line of the HECC impeller", HECC,
            case("hecc", "mesh_row row.yaml --cells 1e5 -o hecc.cgns", MAP), (*FLOW, *FIGURES, *ROW), [
        figure("points that settle", SETTLED, Wanted(len(IMPELLER))), STAYS,
        *speed_line("With the mesh that commit", (), IMPELLER, {
            "mass_out_kg_s": ("mass flow, kg/s", 0, {"within": 2e-3}), "pressure_ratio": ("pressure ratio", 0, {"within": 2e-3})})],
        gpu=2, cpu=25),
    promise("hecc_stage", "speed line of the HECC stage", HECC,
            case("hecc", "mesh_row stage.yaml -o stage.cgns", "annulus map stage_case.yaml --device $DEVICE"), (*FLOW, *FIGURES, *ROW),
            speed_line("The ten points of the first table took", (), {c: float(c) for c in STAGE}, {
                "mass_in_kg_s": ("mass flow in, out, kg/s", 0, {"within": 5e-3}),
                "pressure_ratio": ("pressure ratio", 0, {"within": 5e-3})}, "stage_out/map.csv"),
            gpu=4, made=r"on one H100 in single precision \(version (\w+)\)"),
]

# --- plates, channels, airfoils
GRIDS = {"35 x 25": 16, "69 x 49": 8, "137 x 97": 4, "273 x 193": 2, "545 x 385": 1}  # nodes: --every of mesh_plot3d
CARD_ONLY = ("137 x 97", "273 x 193", "545 x 385")
PLOT = ("python:matplotlib", "python:h5py")
ENDS = "--bc 1:imin=inlet:inlet --bc 1:imax=outlet:outlet"
TOP = f"{ENDS} --bc 1:jmax=top:farfield"


def plates(name, what, table, result, column, now, *run, cpu, needs=()):
    """One promise for each grid of the flat plate."""
    for grid, every in GRIDS.items():
        mesh = (f"mesh_plot3d flatplate_clust2.p2dfmt.gz --every {every} {TOP} --bc 1:jmin:1-97=symmetry:symmetry "
                "--bc 1:jmin:97-545=wall:wall_viscous -o plate.cgns")
        yield promise(f"{name}_{grid.replace(' ', '')}", f"flat plate, {what}, {grid} nodes", PLATE, case("plate", mesh, *run),
                      (*FLOW, *PLOT3D), [figure(result, now, Cell(table, grid, column), within=3e-4)],
                      gpu=0.5, cpu=None if grid in CARD_ONLY else cpu, needs=needs)


def wall(name, over, out="out"):
    """A force along x of the boundary `wall` over a number."""
    return Over(Key(f"{out}/run.json", f"walls.wall.{name}.0"), over)


def table(after, column, rows, file="out/run.json"):
    """Figures of run.json against the rows of a table of the page: {row: (key, options of figure())}."""
    return [figure(row, Key(file, key), Cell(after, row, column), **more) for row, (key, more) in rows.items()]


SST = " --set turbulence.model=sst --set turbulence.intensity=0.00039 --set turbulence.inlet_viscosity_ratio=0.009"
PLATES = [
    *plates("plate", "Spalart-Allmaras", "## Result", "CD", "CD", wall("friction", 2 * 3204.73), RUN, cpu=2),
    *plates("plate_sst", "SST", "## SST", "Cf(0.97008)", "this program", Said(r"at x = [^:]*: (\S+)"), RUN + SST,
            '"$ROOT/tools/plot" wall out --rho 1.32905 --u 69.4448 --at 0.97008 -o cf.png', cpu=3, needs=PLOT),
]
SKEWS = {"0": "", "15 deg": "_skew15", "30 deg": "_skew30", "45 deg": "_skew45"}
MACHS = ("0.15", "0.05", "0.02", "0.01")
BUMPS = {"177 x 81": 2, "353 x 161": 1}


BUMP_ENDS = (f"{ENDS} --bc 1:jmax=top:symmetry --bc 1:jmin:1-97=symmetry:symmetry --bc 1:jmin:97-257=wall:wall_viscous "
             "--bc 1:jmin:257-353=symmetry:symmetry")
PLANES = [
    promise("skewed_plate", "drag of plates on skewed grids", "cases/skewed_plate/README.md", case("skewed_plate", *(f"""
mesh_plot3d grdflat5{file}.fmt.gz --flat {TOP} --bc 1:jmin:1-17=symmetry:symmetry \\
    --bc 1:jmin:17-57=wall:wall_viscous --bc 1:jmin:57-65=wall_rear:wall_viscous -o skew.cgns
{RUN} --set mesh=skew.cgns --set output.folder=out{file} --set march.residual_drop=1e-7""" for file in SKEWS.values())), (*FLOW, *PLOT3D), [
        figure(f"CD, {skew}", wall("friction", 3129.54 * 0.83333, "out" + file),
               Cell("## Reference and result", skew, "this program"), within=2e-4) for skew, file in SKEWS.items()], gpu=1, cpu=8),
    promise("airfoil", "NACA 0012 from Mach number 0.15 down to 0.01", "cases/airfoil/README.md", case("airfoil", f"""
boundaries=$("$ROOT/cases/airfoil/make_grid")
mesh_plot3d airfoil.p2d $boundaries -o airfoil.cgns
for mach in {" ".join(MACHS)}; do
    {RUN} --set reference.mach=$mach --set output.folder=out_$mach
done"""), (*FLOW, *PLOT3D, "io/coefficients.c"), [
        f for mach in MACHS for f in (
            figure(f"drag, Mach number {mach}", Column(f"out_{mach}/history.csv", "drag"),
                   Cell("## Result", mach, "drag coefficient"), within=2e-4),
            figure(f"lift, Mach number {mach}", Column(f"out_{mach}/history.csv", "lift"),
                   Cell("## Result", mach, "lift coefficient, corrected"), within=2e-4, scale=(1 - float(mach)**2)**0.5),
            figure(f"cycles, Mach number {mach}", Key(f"out_{mach}/run.json", "iteration"), Cell("## Result", mach, "cycles"), **CYCLES))],
        gpu=1, cpu=4, needs=("python:numpy",)),
    promise("sajben", "transonic diffuser of Sajben", "cases/sajben/README.md", case("sajben", f"""
"$ROOT/cases/sajben/make_grid" -o sajben.p2dfmt
mesh_plot3d sajben.p2dfmt --every 2 --scale 0.044 --span 0.044 {ENDS} --bc 1:jmin=bottom_wall:wall_viscous \\
    --bc 1:jmax=top_wall:wall_viscous -o sajben.cgns""", RUN), (*FLOW, *PLOT3D), [
        figure("mass flow, kg/s", Column(LAST, "mass_in_kg_s"), Text(r"mass flow, 44 mm span, kg/s \| (\S+)"), within=1e-4),
        figure("cycles", ITERATION, Text(r"1e-9 after (\d+), where the run ends"), **CYCLES)], gpu=1, cpu=15),
    *(promise(f"bump_{grid.replace(' ', '')}", f"bump in a channel, {grid} nodes", "cases/bump/README.md", case("bump", f"""
mesh_plot3d bump_353x161.p2dfmt.gz --every {every} {BUMP_ENDS} -o bump.cgns
{RUN}"""), (*FLOW, *PLOT3D), [figure("CD", wall("force", 1922.84 * 1.5), Cell("## Result", grid, "CD"), within=3e-4)],
              gpu=0.5, cpu=cpu) for (grid, every), cpu in zip(BUMPS.items(), (8, None))),
]

# --- cascades, stages, ducts
VANE = 'g="--pitch 0.0575 --span 0.005 --inlet-length 0.055 --outlet-length 0.064"'
RANS = {"coarse": "--size 0.5", "normal": "", "fine": "--size 2"}


def vane(mesh, size):
    out, page = "out_rans/run.json", "## Result, Spalart-Allmaras"
    return promise(f"ls89_{mesh}", f"LS89, Spalart-Allmaras, {mesh} mesh", LS89, case("ls89", VANE, f"""
mesh_cascade blade_points.dat $g --rans {size} -o ls89_rans.cgns
annulus run case_rans.yaml --device $DEVICE"""), (*FLOW, *FIGURES, *CASCADE), table(page, mesh, {
        "mass flow, 5 mm span, g/s": ("last.mass_in_kg_s", {"within": 1e-4, "scale": 1000}),
        "total pressure, outlet / inlet": ("last.pressure_ratio", {"by": 1e-4}),
        "the same, mixed out": ("rows.machine.loss_mixed_out", {"by": 1e-4}),
        "cycles run": ("iteration", CYCLES)}, out), gpu=1, cpu=15 if mesh == "coarse" else None)


DUCTS = {("16 x 16", "Roe"): (16, "roe"), ("16 x 16", "JST"): (16, "jst"), ("64 x 64", "Roe"): (64, "roe")}
ROWS = [
    promise("ls89_inviscid", "LS89 without viscosity, coarse mesh", LS89, case("ls89", VANE, """
mesh_cascade blade.dat $g --size 0.5 -o ls89.cgns""", RUN), (*FLOW, *CASCADE), [
        *table("## Result, inviscid", "value", {
            "mass flow, 5 mm span": ("last.mass_in_kg_s", {"within": 5e-4, "scale": 1000}),
            "total pressure, outlet / inlet": ("last.pressure_ratio", {"by": 1e-3})}),
        figure("iterations", ITERATION, Text(r"on the coarse mesh after (\d+) iterations"), **CYCLES)], gpu=0.5, cpu=2),
    *(vane(mesh, size) for mesh, size in RANS.items()),
    promise("steam", "vane in superheated steam", "cases/steam/README.md", case("steam", VANE, """
mesh_cascade "$ROOT/cases/ls89/blade_points.dat" $g --rans --size 1 -o vane.cgns""", RUN + ' --set gas.table="$ROOT/tests/tables/steam.h5"'),
            (*FLOW, *CASCADE), table("On one H200 a mesh of", "value", {
                "mass flow of the layer": ("last.mass_in_kg_s", {"within": 1e-4}),
                "flow angle, mixed out": ("rows.machine.alpha_out_mixed_out_deg", {"by": 0.02}),
                "loss, mixed out": ("rows.machine.loss_mixed_out", {"by": 1e-4})}), gpu=1),
    promise("stage", "turbine stage through a mixing plane", "cases/stage/README.md", case("stage", """
python3 "$ROOT/cases/stage/make_blades.py" --folder .
mesh_row stator.yaml --cells 1e4 -o stator.cgns
mesh_row rotor.yaml --cells 1e4 -o rotor.cgns
mesh_join -o stage.cgns stator=stator.cgns rotor=rotor.cgns""", RUN), (*FLOW, *FIGURES, *ROW, "tools/programs/mesh_join"), [
        figure(name, Key("out/run.json", "rows.machine." + key), Cell("## What it gives", "22 528", name), **more) for name, key, more in (
            ("mass flow, kg/s", "mass_in_kg_s", {"within": 1e-4}), ("ratio of total pressure", "pressure_ratio", {"by": 2e-5}),
            ("efficiency of the stage, %", "efficiency", {"by": 0.02, "scale": 100}))],
        gpu=1, cpu=15, needs=("python:numpy",)),
    *(promise(f"duct_{cells}_{flux}", f"duct with swirl, {row[0]} cells, {row[1]}", "cases/duct/README.md", case("duct", f"""
mesh_duct -s 240 -n {cells},{cells},2 -o duct.cgns
python3 "$ROOT/cases/duct/vortex.py" profile
{RUN} --set scheme.flux={flux}
python3 "$ROOT/cases/duct/vortex.py" compare out/flow_*.cgns"""), (*FLOW, "tools/programs/mesh_duct"), [
        figure("error of the pressure", Said(rf"{cells} x {cells} (\S+)"), Cell("## What it gives", row, "p: largest"), within=0.03)],
        gpu=1, cpu=2 if cells == 16 else None, needs=("python:numpy", "python:h5py")) for row, (cells, flux) in DUCTS.items()),
]

# --- unsteady flow
UNSTEADY = [
    promise("cylinder", "vortex shedding of a cylinder", "cases/cylinder/README.md", case("cylinder", """
"$ROOT/cases/cylinder/make_grid" -o cylinder.p2dfmt
mesh_plot3d cylinder.p2dfmt --join --bc 1:jmin=wall:wall_viscous --bc 1:jmax=far:farfield -o cylinder.cgns""", RUN,
        '"$ROOT/cases/cylinder/strouhal" out/history.csv'), (*FLOW, *PLOT3D), [
        figure(name, Said(rf"{said} (\S+)"), Cell("## Result", ("192 x 128",), name), within=3e-3) for name, said in (
            ("Strouhal number", "strouhal_number"), ("mean drag coefficient", "drag_mean"), ("amplitude of lift", "lift_amplitude"))],
        gpu=3, cpu=40),
    *(promise(f"taylor_green_{n}", f"Taylor-Green vortex on {n}^3 cells", "cases/taylor_green/README.md", case("taylor_green", f"""
L=6.283185307179586
"$ROOT/cases/taylor_green/make_grid" --cells {n}
mesh_plot3d box.p3d --periodic shift:$L,0,0 --periodic shift:0,$L,0 --periodic shift:0,0,$L -o box.cgns
{RUN}
"$ROOT/cases/taylor_green/compare" out/history.csv"""), (*FLOW, *PLOT3D), [
        figure("energy differs by at most, %", Said(r"differs by at most (\S+) %"),
               Cell("## Result", f"{n}^3", "energy differs by at most, up to time 10"), by=0.06),
        figure("peak of the dissipation, %", Said(r"at \S+: (\S+) %"), Cell("## Result", f"{n}^3", "peak of the dissipation"), by=0.1)],
        gpu=minutes, needs=("python:numpy",)) for n, minutes in ((128, 1), (256, 3))),
]
# plate: gas.mu, intensity, viscosity ratio, row and file of the measurement
GAMMA_RE = {"T3A": ("3.69182e-4", "0.0342", "11.4", "T3A"), "T3A-": ("7.38365e-5", "0.0092", "8", "T3AM"),
            "Schubauer-Klebanoff": ("3.69182e-5", "0.0018", "5", "schubauer_klebanoff")}
TRANSITION = [
    promise(f"transition_{file.lower()}", f"transition on the plate {plate}, gamma-Re_theta", "cases/transition/README.md",
            case("transition", f"""
python3 "$ROOT/cases/transition/plate.py" fine.p2dfmt --fine 1
mesh_plot3d fine.p2dfmt {TOP} --bc 1:jmin:1-17=symmetry:symmetry --bc 1:jmin:17-113=wall:wall_viscous -o fine.cgns
annulus run re_theta.yaml --device $DEVICE --set march.iterations=300 --set gas.mu={mu} --set turbulence.intensity={intensity} \\
    --set turbulence.inlet_viscosity_ratio={ratio} --set output.folder=out
python3 "$ROOT/cases/transition/compare.py" out {file}.csv"""), (*FLOW, *PLOT3D), [
        figure("onset, Re_x", Said(r"computed: cf is least, \S+, at Re_x (\S+)"),
               Cell("112 x 72 cells, 300 cycles", plate, "computed, Re_x"), within=0.01)],
        gpu=1, cpu=4, needs=("python:numpy", "python:h5py")) for plate, (mu, intensity, ratio, file) in GAMMA_RE.items()
]
CASES = [*ROTORS, *HECCS, *PLATES, *PLANES, *ROWS, *UNSTEADY, *TRANSITION]
