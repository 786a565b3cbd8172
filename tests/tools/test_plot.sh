#!/usr/bin/env bash
# tools/plot on files of known content: pictures exist, numbers are right, faults are named.
set -uo pipefail
plot=$AN_SOURCE/tools/plot
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c "import h5py, matplotlib" 2>/dev/null; then python=$candidate && break; fi
done
if [[ -z $python ]]; then
    echo "skipped: no Python with h5py and matplotlib"
    exit 77
fi
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
export MPLCONFIGDIR=$work/matplotlib PYTHONDONTWRITEBYTECODE=1
"$python" "$AN_SOURCE/tests/tools/plot_input.py" "$work" || exit 1
cd "$work" || exit 1

failed=0
fail() { echo "FAILED: $*"; failed=1; }
# The interpreter and its libraries start once for all runs of tools/plot; a run is a child of this process.
mkfifo ask answer
"$python" "$AN_SOURCE/tests/tools/plot_server.py" "$plot" ask answer said &
# plot ARGUMENTS...: what it prints in $out; its exit code
plot() {
    local rc
    printf '%s\0' "$@" >arguments
    echo arguments >ask
    read -r rc <answer
    out=$(<said)
    return "$rc"
}
# expect TEXT ARGUMENTS...: exit code 0, TEXT in what is printed
expect() {
    local text=$1 out
    shift
    plot "$@" || fail "plot $* ended with $?: $out"
    [[ $out == *"$text"* ]] || fail "plot $*: '$text' is not in: $out"
}
# refuse TEXT ARGUMENTS...: exit code 2, TEXT in the message, no traceback
refuse() {
    local text=$1 out rc
    shift
    plot "$@"
    rc=$?
    [[ $rc == 2 ]] || fail "plot $*: exit code $rc, not 2: $out"
    [[ $out == *"$text"* && $out != *Traceback* ]] || fail "plot $*: '$text' is not in: $out"
}
picture() { [[ $(head -c 8 "$1" | od -An -tx1 | tr -d ' \n') == 89504e470d0a1a0a ]] || fail "$1 is no PNG"; }

expect "201 lines to iteration 2000" convergence .
grep -q residual_turbulence history.csv || sed -e "1s/$/,residual_turbulence,lift,drag,machine_loss_mixed_out/" -e "2,\$s/$/,1e-4,0.5,0.01,0.05/" history.csv >forces.csv
expect "lift 0.5, drag 0.01" convergence forces.csv -o forces.png
picture forces.png
picture convergence.png
expect "rms difference 0.0058" \
    blade pressure.cgns --p0 1.5e5 --measured measured.csv --shock-width 0 -o blade.png
picture blade.png
expect "suction side: largest M_is 1.200" blade conserved.cgns --p0 1.5e5 -o conserved.png
expect "rms difference 0.0058" \
    blade walls.cgns --p0 1.5e5 --measured measured.csv --shock-width 0 -o walls.png
expect "cf at x = 1.2: 0.06, reference 0.6 (-90.00 %)" \
    wall plate.cgns --rho 5 --u 2 --at 0.25 1.2 --reference plate.dat -o plate.png
expect "cf at x = 0.25: 0.25" wall plate.cgns --rho 5 --u 2 --at 0.25 1.2 -o plate.png
expect "cf at x = 1.975: -0.095" wall plate.cgns --rho 5 --u 2 --at 1.975 -o plate.png
picture plate.png
# columns of a file of measurements, and both axes in parts of given values: 3 - 2 x Pa over 2 Pa at x = 0.5 m, 1/4 of 2 m
printf '# two walls\n0 1.5 9\n0.25 1 9\n1 -0.5 9\n' >columns.dat
expect "rms difference from 1 reference points 0" wall plate.cgns --field SkinFrictionX --length 2=L --over 2=q \
    --reference columns.dat:1,2 --reference-label measured --thin 2 -o over.png
[[ $(sed -n 1p over.csv) == file,line,x_over_L,SkinFrictionX && $(sed -n 2p over.csv) == plate,0,0.0125,1.475 ]] || fail "over.csv: $(head -2 over.csv)"
expect "rms difference from 1 reference points 8, largest -8" wall plate.cgns --field SkinFrictionX --length 2 --over 2 \
    --reference columns.dat:1,3 --x-range 0:1 -o over.png
refuse "columns.dat:2: expected 'x,value' in columns 1 and 4" wall plate.cgns --field SkinFrictionX --reference columns.dat:1,4
refuse "1 times --reference-label for 2 times --reference" wall plate.cgns --field SkinFrictionX --reference plate.dat \
    --reference columns.dat --reference-label a
refuse "invalid length value: '0=H'" wall plate.cgns --field SkinFrictionX --length 0=H
expect "blade:" wall walls.cgns --field Pressure --family blade blade -o families.png
# walls in space: a name for a picture, the values as they are, the hidden side of a blade hidden
expect "Pressure on blade: 88204 to 111796, 1200 faces" surfaces ring.cgns --view=0,0,1 -o space.png
picture space.png
refuse "looks along --up y" surfaces ring.cgns --view 0,1,0
refuse "--view takes three numbers" surfaces ring.cgns --view 0,1
refuse "know how the passage repeats; give --copies 1" surfaces ring.cgns --copies 2
refuse "no wall of family 'vane'" surfaces ring.cgns --family vane
# a curve over other abscissas, two measured series, and what the rms leaves out
{ cat measured.csv; echo SS,50,1; } >far.csv
expect "left out: 1 points beyond the ends of the curves; the second figure leaves out 0 points at the shock" \
    blade walls.cgns --p0 1.5e5 --measured far.csv --shock-width 0 -o far.png
sed 's/,\([0-9.e+-]*\),/ \1 /' measured.csv | awk '/^side/ {print "side,x,Mis"; next} /^#/ {print; next} {print $1 "," $2 / 40 "," $3}' >share.csv
expect "one, both sides: rms difference 0.0058" blade walls.cgns --p0 1.5e5 --measured share.csv --measured share.csv \
    --measured-label one --measured-label two --abscissa x/c --shock-width 0 -o over.png
expect "two, both sides: rms difference 0.0057" blade walls.cgns --p0 1.5e5 --measured share.csv --measured share.csv \
    --measured-label one --measured-label two --abscissa chord --shock-width 0 -o over.png
# half the ellipse's girth over its chord: 40 and 16 mm, 46.0 mm a side; its ends are nodes to 0.1 %
expect "suction side: largest M_is 1.200 at s/c = 1.15" blade walls.cgns --p0 1.5e5 --abscissa s/c -o length.png
head -1 length.csv | grep -q '^snapshot,side,x_mm,y_mm,p_Pa,Mis,abscissa$' || fail "length.csv: $(head -1 length.csv)"
refuse "more --measured-label than --measured" blade walls.cgns --p0 1.5e5 --measured-label one
expect "largest +0 at x = 0.5" wall plate.cgns plate.cgns --field SkinFrictionX --label a b \
    --x-range 0:2 --y-range=-1:3 --reference plate.dat -o two.png
expect "Pressure: " contours pressure.cgns --field Pressure --periodic 3 --lines 8 -o contours.png
picture contours.png
# an output folder stands for its newest snapshot: the first one of these two has no field Mach
mkdir folder
cp pressure.cgns folder/flow_00000002.cgns
cp conserved.cgns folder/flow_00000010.cgns
cp mesh.cgns folder
expect "Mach: " contours folder --cut k=0 -o newest.png
refuse "folder: no wall_NNNNNNNN file" wall folder
# -1570.8 and -1727.9 N/m are exact
expect "force around the axis -1569.5 N/m" loading ring.cgns --span 0.5 -o force.png
expect "force around the axis -1726.5 N/m" loading ring.cgns --span 0.75 -o force.png
picture force.png
# half the girth of the ellipse, 115.1 mm, over its chord of 100 mm
expect ", chord 0.0999" loading ring.cgns --span 0.5 --abscissa s/c -o girth.png
awk -F, 'NR > 1 { if ($8 > most) most = $8; if ($8 < least) least = $8 } END { exit !(most > 1.145 && most < 1.155 && least >= 0) }' \
    girth.csv || fail "girth.csv: $(cut -d, -f8 girth.csv | sort -g | tail -1)"
expect ", chord 0.0999" loading ring.cgns --span 0.5 --abscissa chord -o chord.png
awk -F, 'NR > 1 && ($8 - 10 * $4 > 0.01 || 10 * $4 - $8 > 0.01) { exit 1 }' chord.csv || fail "chord.csv: $(head -3 chord.csv)"
# without -o the picture goes beside the file, and its CSV with it
mkdir beside
cp ring.cgns beside/wall_00000001.cgns
expect "wrote beside/loading.csv" loading beside --span 0.5
expect "wrote beside/unrolled.png" unrolled beside/wall_00000001.cgns
[[ ! -e loading.csv ]] || fail "loading wrote loading.csv here"
# a reader of the text that goes away is no fault of the input
"$python" - "$plot" <<'END' || fail "a pipe that nobody reads"
import os
import subprocess
import sys

read, write = os.pipe()
os.close(read)
for unbuffered in ("", "1"):               # the text goes at the end, and line by line
    done = subprocess.run([sys.executable, sys.argv[1], "unrolled", "ring.cgns", "-o", "pipe.png"], stdout=write, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    assert done.returncode == 141 and not done.stderr, done
END
# of three blades the first one, another one, or all of them, and never two in one curve
expect "span 0.5: Pressure 90003.4 to 109997, axial chord 0.099931 m, force around the axis -1569.5 N/m" loading rings.cgns --span 0.5 -o one.png
[[ $(wc -l <one.csv) == 121 ]] || fail "one.csv has $(wc -l <one.csv) lines"
expect "span 0.5, blade 2: Pressure 80006.9 to 119993, axial chord 0.099931 m, force around the axis -3139.1 N/m" \
    loading rings.cgns --span 0.5 --blade 2 -o two.png
expect "span 0.5, blade 3: Pressure 70010.3 to 129990" loading rings.cgns --span 0.5 --blade all -o three.png
[[ $(cut -d, -f1 three.csv | sort | uniq -c | tr -s ' \n' ' ') == " 120 1 120 2 120 3 1 blade " ]] || fail "three.csv: $(cut -d, -f1 three.csv | sort | uniq -c)"
refuse "no blade 4; the file has 3" loading rings.cgns --blade 4
refuse "number of a blade or all, not 'second'" loading rings.cgns --blade second
expect "Pressure on blade: 88204 to 111796, 10 layers" unrolled rings.cgns -o unrolled.png
expect "Pressure on blade: 64612.1 to 135388, 10 layers" unrolled rings.cgns --blade 3 -o unrolled.png
picture unrolled.png
refuse "no blade 0; the file has 3" unrolled rings.cgns --blade 0
refuse "no wall of family 'vane'" loading ring.cgns --family vane
refuse "no zone of the blade begins with b2" loading ring.cgns --zone b2
expect "Mach: " contours conserved.cgns --cells --range 0.2:0.8 --cut k=0 -o cells.png
picture cells.png
expect "2 zones, 2160 cells" mesh mesh.cgns -o mesh.png
picture mesh.png
# the metal's base is not the gas's, though its name comes first
"$python" - <<'END'
import shutil, h5py
shutil.copy("mesh.cgns", "metal.cgns")
with h5py.File("metal.cgns", "r+") as f:
    f.copy("Base", "Solid")
    f.move("Base", "Wind")
    del f["Solid"]["zone1"]
END
expect "2 zones, 2160 cells" mesh metal.cgns -o metal.png
expect "1 zones, 1080 cells" mesh metal.cgns --base Solid -o metal.png
refuse "no base 'Metal', but 'Solid', 'Wind'" mesh metal.cgns --base Metal
expect "2 zones, layer 1 of 3" row mesh.cgns --cut 1 -o row.png
picture row.png
expect "2 zones, meridional" row mesh.cgns --cut meridional -o meridional.png
picture meridional.png
refuse "--cut 4: expected hub, mid, tip, gap, casing, meridional or 0 to 3" row mesh.cgns --cut 4
cat >roof.json <<'END'
{"bench": "solver", "version": "v", "device": {"name": "card"}, "tables": [{"precision": "single",
 "ceilings": {"copy": 4e12, "plain": 6e13}, "rows": [
 {"name": "one", "kind": "cell", "intensity": 1.0, "flops_per_second": 2e12, "fraction_of_roofline": 0.5},
 {"name": "two", "kind": "line", "intensity": 30.0, "flops_per_second": 5.4e13, "fraction_of_roofline": 0.9},
 {"name": "none", "kind": "transfer", "intensity": 0.0, "flops_per_second": 0.0, "fraction_of_roofline": 0.2}]}]}
END
expect "nearest to the roofline: two (single), 90.0 %" roofline roof.json
picture roof.png
grep -q '^single,one,1,2e+12,0.5$' roof.csv || fail "roof.csv: $(cat roof.csv)"

# speed lines: points that failed are left out; spanwise profiles
cat >map.csv <<'END'
setting,outcome,mass_out_kg_s,pressure_ratio,efficiency
1e5,settled,20.5,1.9,0.88
1.1e5,unsettled,20.0,2.0,0.87
1.2e5,stalled,12.0,1.1,0.3
1.3e5,diverged,,,
END
printf '# source\nmass_flow_kg_s,pressure_ratio,efficiency\n20.9,1.9,0.89\n19.4,2.1,0.85\n' >line.csv
expect "map.csv: 2 points, 20 to 20.5 kg/s, pressure ratio up to 2.0000, efficiency up to 88.00 %" \
    map map.csv --measured line.csv -o map.png
picture map.png
expect "2 points" map map.csv --relative --measured line.csv --label ours -o relative.png
sed -e '1s/$/,stations_pressure_ratio,stations_efficiency/' -e '2,3s/$/,2.2,0.91/' -e '4,$s/$/,,/' map.csv >between.csv
expect "between.csv: 2 points, 20 to 20.5 kg/s, pressure ratio up to 2.2000, efficiency up to 91.00 %" \
    map between.csv --stations -o between.png
printf 'setting,outcome,mass_out_kg_s,pressure_ratio,efficiency,loss_mixed_out\n1e5,settled,20.5,0.97,,0.05\n' >cascade.csv
expect "pressure ratio up to 0.9700, loss down to 5.00 %" map cascade.csv -o cascade.png
refuse "no column 'stations_pressure_ratio'" map map.csv --stations
sed '2,3s/,2.2,0.91$/,,/' between.csv >none.csv
refuse "fewer than two of monitors.stations" map none.csv --stations
refuse "no column 'mass_flow_kg_s'" map map.csv --measured measured.csv
refuse "nowhere: no such file" map nowhere
head -1 map.csv >empty.csv
refuse "no points" map empty.csv
{ head -1 map.csv; tail -1 map.csv; } >failed.csv
refuse "no point that settled" map failed.csv
cat >profile.csv <<'END'
x_m,band,span,pressure_ratio,temperature_ratio,efficiency,alpha_deg
-0.1,1,0.5,1,1,,0
0.1,1,0.25,1.9,1.24,0.9,-30
0.1,2,0.75,2.0,1.25,,-35
0.1,,,1.95,1.245,0.88,-33
END
printf '# survey\nspan,pressure_ratio,alpha_deg\n0.1,1.9,31\n' >survey.csv
expect "profile.csv: 2 bands at x = 0.1 m" profile profile.csv --measured survey.csv --mirror
picture profile.png
expect "profile.csv: 1 bands at x = -0.1 m" profile profile.csv --x=-0.1 --columns pressure_ratio
refuse "no bands of a station at x = 0.3 m" profile profile.csv --x 0.3
cat >line.csv <<'END'
x_m,band,span,pressure_ratio
0.1,1,0.25,1
0.1,2,0.75,1
0.1,,,1
0.12,1,0.25,1.9
0.11,2,0.75,2.0
0.115,,,1.95
END
expect "line.csv: 2 bands at x = 0.115 m" profile line.csv --columns pressure_ratio
expect "line.csv: 2 bands at x = 0.1 m" profile line.csv --columns pressure_ratio --x 0.1
refuse "no column 'mach'" profile profile.csv --columns mach

# residuals of momentum are scaled by the whole vector: one component may start at zero
PYTHONPATH=$AN_SOURCE/tools/python "$python" - <<'END' || fail "scales of the residuals"
from annulus.plotting.convergence import read, scales

open("zero.csv", "w").write(
    "iteration,residual_density,residual_momentum_x,residual_momentum_y,residual_energy\n"
    "0,,3,1e-15,0\n1,2,4,4,7\n"
)
got = scales(read("zero.csv"))
want = {"density": 2, "momentum_x": 3, "momentum_y": 3, "momentum_z": 1, "energy": 7, "turbulence": 1}
assert got == {"residual_" + name: value for name, value in want.items()}, got
END
# two squares behind each other: the nearer one is seen in whichever order they come; beside them nothing is drawn
PYTHONPATH=$AN_SOURCE/tools/python "$python" - <<'END' || fail "what surfaces hides"
import numpy as np
from annulus.plotting.surfaces import eye_of, image_of

square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]])
far, near = square, 0.5 * square + [0, 0, 1]
for order in ([far, near], [near, far]):
    colours = np.array([[1.0, 0, 0] if face is near else [0, 0, 1.0] for face in order])
    image = image_of(np.array(order), colours, np.array([-0.1, -0.1]), (120, 120), 0.01)
    assert (image[12:58, 12:58] == [1, 0, 0, 1]).all() and (image[62:108, 12:108] == [0, 0, 1, 1]).all()
    assert (image[:8] == 0).all() and (image[112:] == 0).all()
assert np.allclose(eye_of("0,0,2", "y"), np.eye(3)) and np.allclose(eye_of("-1,0,0", "y"), [[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
END
"$python" - <<'END' || fail "numbers of blade.csv"
import csv
for name in ("blade.csv", "conserved.csv", "walls.csv"):
    rows = list(csv.DictReader(open(name)))
    assert len(rows) == 120, len(rows)
    for row in rows:
        s, top = float(row["x_mm"]) / 40, float(row["y_mm"]) > 0
        side = "SS" if top else "PS"
        mach = 0.3 + 0.9 * s if top else 0.1 + 0.2 * s
        # faces that span the leading or trailing edge belong to either side
        assert row["side"] == side or s < 0.01 or s > 0.99, row
        assert abs(float(row["Mis"]) - mach) < 2e-3, (row, mach)
END

refuse "no such file" roofline nowhere.json
refuse "not a result of" roofline measured.csv
sed 's/"rows": .*/"copies": []}]}/; /"name": "[otn]/d' roof.json >copy.json
refuse "no rows (bench solver)" roofline copy.json
refuse "no table in double" roofline roof.json --precision double
refuse "no such file" convergence nowhere
refuse "no such file" blade nowhere.cgns --p0 1e5
refuse "no wall of family 'vane'" blade pressure.cgns --p0 1e5 --family vane
refuse "has: blade" blade pressure.cgns --p0 1e5 --family vane
refuse "--p0 must be positive" blade pressure.cgns --p0 -1
refuse "has: blade" blade walls.cgns --p0 1e5 --family vane
refuse "--field cf needs --rho" wall plate.cgns
refuse "--u must be positive" wall plate.cgns --rho 1 --u 0
refuse "--field cp needs --p" wall plate.cgns --field cp --rho 1 --u 1
refuse "no field YPlus; stored: SkinFrictionMagnitude" wall plate.cgns --field YPlus
refuse "no wall of family 'blade'; has: wall" wall plate.cgns --rho 1 --u 1 --family blade
refuse "go from x = 0.025 to 1.975" wall plate.cgns --rho 1 --u 1 --at 2
refuse "no surface; wall fields are in wall_" wall pressure.cgns --field Pressure
refuse "no structured three-dimensional zone" contours plate.cgns --field Pressure
refuse "expected LO:HI" wall plate.cgns --rho 1 --u 1 --x-range 1
refuse "1 labels for 2 files" wall plate.cgns plate.cgns --field SkinFrictionX --label a
printf 'x,cf\n1,2\n3\n' >bad.dat
refuse "bad.dat:3: expected 'x,value'" wall plate.cgns --rho 1 --u 1 --reference bad.dat
refuse "no field Temperature; stored: Pressure" contours pressure.cgns --field Temperature
refuse "layers go from 0 to 2" contours pressure.cgns --field Pressure --cut k=3
refuse "expected LO:HI" contours pressure.cgns --field Pressure --range 1
refuse "not an HDF5 file" mesh history.csv
printf 'iteration,residual_density\n' >short.csv
refuse "no iterations yet" convergence short.csv
printf 'side,x,Mis\nSS,1\n' >bad.csv
refuse "bad.csv:2: expected" blade pressure.cgns --p0 1e5 --measured bad.csv
rm mesh.cgns
refuse "link to 'mesh.cgns', which cannot be opened" contours pressure.cgns --field Pressure
exit $failed
