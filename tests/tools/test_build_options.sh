#!/usr/bin/env bash
# test_build_options.sh ANNULUS: the lists of what the CPU engine is built for refuse what they do not know, and `native` is
# the instruction set that the program chooses on this machine, if it was built.
set -uo pipefail
annulus=$1 failed=0
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; failed=1; }
script() { # TEXT: what cmake says that runs the text
    printf 'cmake_minimum_required(VERSION 3.22)\ninclude(%s/tools/cmake/CpuSets.cmake)\n%s\n' "$source" "$1" >"$work/script.cmake"
    cmake -P "$work/script.cmake" 2>&1
}
said=$(script 'set(A 32 64)
an_check_list(A "the precisions" 32 64)') || fail "32 and 64 are refused: $said"
said=$(script 'set(A 32 16)
an_check_list(A "the precisions" 32 64)') && fail "16 is accepted"
[[ $said == *"A: 16 is none of the precisions: 32;64"* ]] || fail "16: $said"
said=$(script 'set(A)
an_check_list(A "the precisions" 32 64)') && fail "an empty list is accepted"

said=$(script 'an_native_set(best)
message("best=${best}")')
best=$(sed -n 's/^best=//p' <<<"$said")
[[ $best == baseline || $best == avx2 || $best == avx512 ]] || fail "native: $said"
if [[ $("$annulus" --version) == *"$best"* ]]; then # the best of all that were built, unless it was not
    "$annulus" bench copy --isa "$best" --n 16 --samples 1 --device cpu >"$work/bench.log" 2>&1 || fail "native is $best, which does not run: $(cat "$work/bench.log")"
fi
exit $failed
