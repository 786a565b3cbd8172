#!/usr/bin/env bash
# test_install.sh BUILD WORK: the build is installed, its prefix is moved, and a program of another project, the
# manual pages, the completion and the pictures' command line work from there.
set -uo pipefail
build=$1 work=$2 failed=0
source=$(cd "$(dirname "$0")/../.." && pwd)
fail() { echo "FAILED: $*"; failed=1; }
[[ -x $build/bin/annulus && -e $build/manual/man1/annulus.1 ]] || { echo "skipped: not everything is built"; exit 77; }
rm -rf "$work" && mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >"$work/install.log" 2>&1 || { tail "$work/install.log"; exit 1; }
mv "$work/first" "$work/moved"
bin=$work/moved/bin

version=$(sed -n 's/^project(annulus VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
"$bin/annulus" --version | grep -q "^annulus $version " || fail "annulus --version is not $version"
"$bin/annulus" bench copy --device cpu --n 16 --samples 1 >"$work/bench.log" 2>&1 || fail "annulus bench: $(tail -3 "$work/bench.log")"
for file in CITATION.cff tools/python/annulus/version.py tools/package/conda/meta.yaml tools/package/spack/packages/annulus/package.py; do
    grep -iE '^ *(\{% set )?_*version' "$source/$file" | grep -qF "$version" || fail "the version in $file is not $version"
done
for program in mesh_row mesh_cascade mesh_duct mesh_join mesh_plot3d mesh_axis passage_copy; do
    "$bin/$program" --help >/dev/null || fail "$program --help"
    [[ -s $work/moved/share/man/man1/$program.1 ]] || fail "no manual page of $program"
done
[[ -s $work/moved/share/man/man1/annulus-example.1 ]] || fail "no manual page of annulus-example"
if grep -rlF -e "$build" -e "$work/first" "$work/moved" --include='*.cmake'; then fail "files above name the build or the first prefix"; fi

cmake -S "$source/tests/tools/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/moved" >"$work/consumer.log" 2>&1 &&
    cmake --build "$work/consumer" >>"$work/consumer.log" 2>&1 || { tail -20 "$work/consumer.log"; fail "consumer does not build"; }
[[ $("$work/consumer/consumer") == "p = 100000 Pa" ]] || fail "consumer: $("$work/consumer/consumer")"

if command -v groff >/dev/null; then
    for page in "$work"/moved/share/man/man*/*; do
        said=$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)
        [[ -z $said ]] || fail "$page: $said"
    done
fi
grep -q 'march\.cfl$' "$work/moved/share/man/man5/annulus-case.5" || fail "march.cfl is not in annulus-case(5)"
complete_words() { # WORDS... -> completions of the last one
    bash -c 'source "$1/$2"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_${1//-/_}" 2>/dev/null; echo "${COMPREPLY[*]}"' \
        _ "$work/moved/share/bash-completion/completions" "$@"
}
[[ $(complete_words annulus ch) == check ]] || fail "completion of ch: $(complete_words annulus ch)"
[[ " $(complete_words annulus run --set march.cf) " == *" march.cfl= "* ]] || fail "completion of march.cf"
[[ $(complete_words annulus run --rest) == --restart ]] || fail "completion of --rest"

if "$bin/annulus-plot" --help >"$work/plot.log" 2>&1; then
    grep -q b2b "$work/moved/share/man/man1/annulus-plot.1" || fail "no manual page of annulus-plot, or b2b is not in it"
    [[ $(complete_words annulus-plot conv) == convergence ]] || fail "completion of conv: $(complete_words annulus-plot conv)"
    [[ $(complete_words annulus-plot b2b --sp) == --span ]] || fail "completion of --sp: $(complete_words annulus-plot b2b --sp)"
    grep -q b2b "$work/plot.log" || fail "annulus-plot --help"
    cp "$work/moved/share/annulus/cases/ls89/case.yaml" "$work"
    "$bin/mesh_cascade" "$work/moved/share/annulus/cases/ls89/blade.dat" --pitch 0.0575 --span 0.005 --size 0.2 \
        --inlet-length 0.055 --outlet-length 0.064 -o "$work/ls89.cgns" >"$work/mesh.log" 2>&1 || fail "mesh_cascade: $(tail -3 "$work/mesh.log")"
    "$bin/annulus" check "$work/case.yaml" --device cpu --figure "$work/boundaries.png" >"$work/check.log" 2>&1 || fail "check --figure: $(tail -3 "$work/check.log")"
    [[ -s $work/boundaries.png ]] && grep -q '^5 boundaries: .*blade' "$work/check.log" || fail "check --figure: $(tail -3 "$work/check.log")"
else
    grep -q python3-h5py "$work/plot.log" || fail "annulus-plot: $(cat "$work/plot.log")"
fi
if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
    (cd "$build" && cpack -G DEB -B "$work/package") >"$work/cpack.log" 2>&1 || { tail "$work/cpack.log"; fail "cpack"; }
    deb=$(echo "$work"/package/annulus_*.deb)
    [[ $(dpkg-deb -f "$deb" Depends) == *libcgns* ]] || fail "the package does not depend on libcgns"
    dpkg-deb -x "$deb" "$work/unpacked" || fail "the package cannot be unpacked"
    "$work/unpacked/usr/bin/annulus" --version | grep -q '^annulus [0-9]' || fail "annulus of the package"
    echo "package: $(stat -c %s "$deb") bytes; $(dpkg-deb -f "$deb" Depends)"
else
    echo "no dpkg-shlibdeps: no package was made"
fi
exit $failed
