"""The promises of the pages, in the order in which they are tried: those that everything rests on first.

An entry has the command, the place of each figure in its output and on the page, and the code that it depends on (entry.py). No
result stands here: what a figure was is read from its page.
"""
from cases import CASES
from entry import ENGINES, FIGURES, FLOW, PLOT3D, ROW, figure, none, promise
from figures import Cell, Count, Key, Said, Wanted

GUIDE, ROBUST, VALID = "docs/developer-guide.md", "docs/robustness.md", "docs/validation.md"
GENERATED = (*FLOW, *ROW, *PLOT3D, "tools/programs/mesh_duct", "tools/programs/mesh_join", "tools/robustness")
# a folder of programs beside which gpu_check finds the mesh of the vane and the libraries of a bundle
CHECK = '''
mkdir -p bin && ln -sf "$PROGRAMS"/* bin
[[ ! -d $PROGRAMS/../lib ]] || ln -sfn "$(realpath "$PROGRAMS/../lib")" lib
mesh_cascade "$ROOT/cases/ls89/blade.dat" --pitch 0.0575 --span 0.005 --inlet-length 0.055 --outlet-length 0.064 --size 0.5 -o bin/ls89.cgns
"$ROOT/tools/gpu_check" -b bin -o out {}'''
CTEST = 'ctest --test-dir "$BUILD" -C long {} -j "$JOBS" --output-on-failure --no-tests=error\n'
FAILED = none("failed tests", Said(r"(\d+) tests? failed out of"))


def long_test(name, minutes, page, *needs):
    """A test of `ctest -C long`, which continuous integration does not run; one that was skipped or is not built has shown nothing."""
    return promise(name, f"test {name}", page, CTEST.format(f"-R '^{name}$'").rstrip() + """ || failed=$?
if grep -q '[*]Skipped\\|[*]Not Run' log; then echo "the test was skipped, or it is not built" && exit 77; fi
exit ${failed:-0}""", (*FLOW, "tests", "tools"), [FAILED], cpu=minutes, needs=("build", "ctest", *needs))


def suite(seed, then, gpu, cpu):
    """The generated cases of a seed, each settled one continued."""
    command = f'''
if [[ $DEVICE == cuda ]]; then
    AN_SUITE_WORK=$PWD/cases AN_SUITE_SECONDS=1500 "$ROOT/tools/robustness/on_card" "$PROGRAMS" out --seed {seed} --continue all
else
    mkdir -p out
    "$ROOT/tools/robustness/suite" --bin "$BIN" --work cases --engine cpu --jobs "$JOBS" --limit 7200 --seed {seed} --continue all \\
        --json out/robustness.json --markdown out/robustness.md
fi'''
    found = "out/robustness.json"
    return promise(f"suite_seed{seed}", f"132 generated cases of seed {seed}, settled ones continued", ROBUST, command, GENERATED, [
        figure("settled, unsteady or stalls, %", Said(r"\*\*all\*\* .*\((\d+) %\)"), then, better="more"),
        none("silent", Count(r'"outcome": "silent"', found)), none("diverged", Count(r'"outcome": "diverged"', found)),
        none("failed, refused or at the time limit", Count(r'"outcome": "(failed|refused|time|no_mesh)"', found)),
        none("not started", Key(found, "about.left"))],
        gpu=gpu, cpu=cpu, needs=("mesh_row", "mesh_cascade", "mesh_plot3d", "mesh_duct", "mesh_join", "python:numpy"))


TESTS = [
    promise("gpu_tests", "all stencils and the halo exchange on the cards there are", GUIDE,
            CHECK.format("tests"), ENGINES, [none("failed", Count("FAILED"))], gpu=3, needs=("test_engines_gpu", "test_halo", "mpirun")),
    promise("gpu_runs", "runs on the GPU are those of the CPU, on 1, 2 and 4 ranks", GUIDE,
            CHECK.format("ls89 ranks"), FLOW, [none("failed", Count("FAILED"))], gpu=3, needs=("mpirun", "python:h5py")),
    promise("gpu_pinned", "a small case for each feature on the GPU, at 1e-6", GUIDE,
            '"$ROOT/tools/pinned" --bin "$BIN" --work . --set device=cuda --tolerance 1e-6 --jobs 8', (*FLOW, *FIGURES),
            [none("differ", Said(r"(\d+) differ"))], gpu=3, needs=("python:h5py",)),
    promise("gpu_ctest", "all tests for GPUs; those for several are skipped on one", GUIDE, CTEST.format("-L gpu"),
            (*ENGINES, "tests"), [FAILED], gpu=6, needs=("build", "ctest")),
    promise("gpu_faults", "faults on purpose on the GPU: disks, memory, signals", ROBUST,
            '"$ROOT/tools/dev/faults" "$BIN" --device cuda --jobs 4', ("io", "solver", "kernels/cuda"),
            [figure("survived of those tried", Said(r"(\d+) of \d+ faults survived"), Said(r"\d+ of (\d+) faults survived"))],
            gpu=10, needs=("regress_box", "cc", "python:h5py")),
]
SUITES = [
    *(suite(seed, Cell("### Five seeds", str(seed), "settled, unsteady or stalls", 1), 8, 900) for seed in (20, 2, 3, 4, 5)),
]
# the tests of `ctest -C long`, shortest first: minutes on two cores, page, needs
LONG = [long_test(*test) for test in (
    ("verify_freestream_n4", 1, GUIDE), ("verify_corner", 1, GUIDE), ("verify_sst", 2, GUIDE),
    ("verify_cooling_n4", 1, GUIDE), ("verify_sliding_n8", 2, VALID), ("verify_ring_waves_all", 4, VALID),
    ("validate_sst", 2, "cases/plate/README.md"), ("regress_stall", 3, ROBUST),
    ("validate_transition", 5, "cases/transition/README.md"), ("verify_phase_lag_long", 10, VALID),
    ("verify_taylor_green_64", 10, "cases/taylor_green/README.md"), ("regress_inner", 10, VALID),
    ("validate_cylinder", 15, "cases/cylinder/README.md"), ("faults_long", 15, ROBUST),
    ("mesh_row_first_long", 1, "docs/guide/mesh-row.md"), ("mesh_row_stage_long", 1, "cases/hecc/README.md"),
    ("mesh_row_blunt_long", 5, "docs/guide/mesh-row.md"), ("mesh_row_gaps_long", 5, "docs/guide/mesh-row.md"),
    ("mesh_row_splitters_long", 15, "docs/guide/mesh-row.md"), ("mesh_row_radial_long", 15, "docs/guide/mesh-row.md"),
    ("mesh_row_family_long", 15, "docs/guide/mesh-row.md"), ("regress_machines", 20, "docs/guide/blade-formats.md"),
    ("regress_hosts", 5, "docs/guide/clusters-and-gpus.md", "root"), ("regress_slurmd", 5, "docs/guide/clusters-and-gpus.md", "root"),
    ("test_deb", 10, "docs/guide/installing.md", "root"), ("test_aarch64", 60, "docs/guide/installing.md"))]
NAMED = "|".join([test["name"] for test in LONG] + ["robustness_small"])  # the small cases are a part of suite_seed20
LONG.append(promise("other_long_tests", "all other tests of ctest -C long", GUIDE,
                    CTEST.format(f"-L long -E '^({NAMED})$'").replace("--no-tests=error", "--no-tests=ignore"), (*FLOW, "tests", "tools"),
                    [], cpu=10, needs=("build", "ctest")))
EVERYTHING = ("CMakeLists.txt", "bc", "bench", "io", "kernels", "mpi", "solver", "tests", "tools")
CAMPAIGNS = [
    promise("readme", "both commands of the README, one after the other in one clone", "README.md", '''
git clone -q "$ROOT" clone
cd clone
tools/quickstart
tools/test -j "$JOBS"''', EVERYTHING, [FAILED], cpu=120, needs=("git",)),
    promise("sanitize_cpu", "unit and regression tests under the address and undefined-behaviour sanitizers", "README.md", '''
cmake -S "$ROOT" -B debug -DCMAKE_BUILD_TYPE=Debug -DAN_CUDA=OFF -DAN_SANITIZE=ON -DAN_CPU_SETS=baseline
cmake --build debug -j "$JOBS"
ctest --test-dir debug -L "unit|regress|mpi" -j "$JOBS" --output-on-failure --no-tests=error''', EVERYTHING, [
        FAILED], cpu=180, needs=("cmake", "ctest")),
    promise("sets", "every instruction set of the CPU engine that this processor runs gives the same bits", "docs/guide/installing.md", '''
sets=baseline
[ "$(uname -m)" != x86_64 ] || sets="baseline;avx2;avx512"
cmake -S "$ROOT" -B sets -DAN_CUDA=OFF "-DAN_CPU_SETS=$sets"
cmake --build sets -j "$JOBS"
ctest --test-dir sets -R "^test_engines$" --output-on-failure --no-tests=error''', EVERYTHING, [FAILED], cpu=120, needs=("cmake", "ctest")),
    promise("sanitize_gpu", "all kernels under the tools of compute-sanitizer", GUIDE, CHECK.format("sanitize"), ENGINES, [
        figure("clean", Count(" clean ", "out/sanitize.txt"), Count("^.", "out/sanitize.list"))],
        gpu=25, needs=("compute-sanitizer", "test_engines_gpu", "test_bench_gpu")),
    promise("meetings", "files and meetings of other programs, made by these programs", "docs/guide/working-with.md",
            '"$ROOT/tools/release/meetings" --bin "$BIN" --work work', ("io", "tools/programs/mesh_plot3d", "tools/release/meetings"), [
        figure("as the page says", Count("  as the page says: "), Said(r"(\d+) of \d+ meetings tried")), none("not as it says", Count("NOT as the page says"))],
        cpu=10, needs=("mesh_plot3d",)),
    promise("fuzz", "damaged inputs, five minutes for each reader, of a new draw each day", ROBUST,
            '"$ROOT/tools/dev/fuzz" --seed $(date +%Y%m%d) 300', ("io", "bc", "tools", "tests/fuzz"), [
        figure("readers without a fault", Count("no fault"), Wanted(7))], cpu=45, needs=("clang", "mpicc")),
    promise("mutants", "wrong formulas that the tests notice", GUIDE, '"$ROOT/tools/dev/mutants" --work mutants --jobs "$JOBS"', EVERYTHING, [
        figure(f"{kind} changes noticed, %", Said(rf"{kind}: \d+ of \d+ noticed, (\d+) %"), Wanted(100)) for kind in ("subtle", "gross")],
        cpu=90, needs=("cmake", "ctest")),
]
PROMISES = [*TESTS, SUITES[0], *CASES, *SUITES[1:], *LONG, *CAMPAIGNS]
