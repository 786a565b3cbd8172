#!/usr/bin/env bash
# test_hdf5_check.sh WORK COMPILER...: a CGNS (made up) that was built for HDF5 1.8.20 without versioned symbols, so that
# its calls reach the program's HDF5, must be told by tools/cmake/hdf5_check.c. COMPILER... compiles and links with HDF5.
set -uo pipefail
work=$1
shift
source=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
cat >other.c <<'END'
int H5get_libversion(unsigned *a, unsigned *b, unsigned *c) { return *a = 1, *b = 8, *c = 20, 0; }
int other_hdf5;
END
cat >cgns.c <<'END'
#include <hdf5.h>
extern int other_hdf5;
static hid_t file;
int cg_set_file_type(int type) { return other_hdf5 * type; }
int cg_open(const char *path, int mode, int *fn)
{
    (void)mode;
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    return *fn = 0;
}
int cg_base_write(int fn, const char *name, int cells, int space, int *base)
{
    const hid_t type = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR), group = H5Gcreate2(file, name, 0, 0, 0);
    H5Tset_size(type, 33);
    const hid_t a = H5Acreate2(group, "label", type, one, 0, 0);
    return *base = fn + 0 * (cells + space), H5Awrite(a, type, (char[33]){"CGNSBase_t"}) < 0 || H5Gclose(group) < 0 || H5Aclose(a) < 0;
}
int cg_close(int fn) { return fn + H5Fclose(file); }
END
sh() { "$@" || { echo "FAILED: $*"; exit 1; }; }
sh cc -shared -fPIC other.c -o libhdf5_other.so
sh "$@" -shared -fPIC cgns.c -L. -lhdf5_other -o libcgns_other.so
# the program's own HDF5 comes first
sh "$@" "$source/tools/cmake/hdf5_check.c" -Wl,--no-as-needed "${@: -1}" -L. -lcgns_other -lhdf5_other -ldl -Wl,-rpath,"$work" -o check
said=$(./check file.cgns) && { echo "FAILED: the collision was not noticed: $said"; exit 1; }
[[ $said == *"two versions of HDF5 collide"* && $said == *1.8.20* ]] || { echo "FAILED: $said"; exit 1; }
echo "$said"
