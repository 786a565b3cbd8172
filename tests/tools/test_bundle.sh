#!/usr/bin/env bash
# tools/bundle: the bundled program runs from its folder, with its own HDF5 and CGNS, without MPI's.
set -uo pipefail
command -v ldd readelf >/dev/null || { echo "skipped: no ldd or readelf"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

"$AN_SOURCE/tools/bundle" -o "$work/bundle" "$AN_BIN/annulus" || fail "bundle"
cd "$work/bundle" || exit 1
[[ $(./run.sh --version) == annulus* ]] || fail "run.sh --version"
ls lib/libcgns* lib/libhdf5* lib/libyaml* >/dev/null || fail "libraries are missing"
compgen -G 'lib/libmpi*' && fail "MPI is in the bundle"
compgen -G 'lib/libc.so*' && fail "the C library is in the bundle"
for name in lib/*; do
    used=$(LD_LIBRARY_PATH=$PWD/lib ldd bin/annulus | grep -F "$(basename "$name") =>")
    [[ $used == *"$PWD/lib/"* ]] || fail "$name is not the one that is used: $used"
done
"$AN_SOURCE/tools/bundle" -o "$work/two" "$AN_BIN/annulus" /bin/true >/dev/null || fail "bundle of two programs"
[[ $("$work/two/run.sh" --version) == annulus* && -x $work/two/bin/true ]] || fail "two programs in one bundle"
"$AN_SOURCE/tools/bundle" -o "$work/none" "$AN_BIN/annulus" "$work/none" 2>/dev/null
[[ $? == 2 ]] || fail "a program that is not there is not refused"
