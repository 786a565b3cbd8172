#!/usr/bin/env bash
# The CGNS library (Debian's 3.4.0) gives the zones of a file other numbers when the file is opened again.
# A program writes eleven zones, "row 1" to "row 11", and cg_zone_write returns the numbers 1 to 11. After cg_close and
# cg_open, for reading or for changes, the zones are numbered in the order of the characters of their names: number 2 is
# "row 10". A program that keeps the numbers, and adds a solution to zone 2 of the opened file, adds it to another zone.
# The file itself keeps the order of writing: programs that read the HDF5 groups in the order of creation see "row 2" second.
#
# Output seen:
#   libcgns 3.4.0-3, libhdf5 1.10.8+repack1-1
#   written: 1 row 1, 2 row 2, 3 row 3, 4 row 4, 5 row 5, 6 row 6, 7 row 7, 8 row 8, 9 row 9, 10 row 10, 11 row 11
#   opened again: 1 row 1, 2 row 10, 3 row 11, 4 row 2, 5 row 3, 6 row 4, 7 row 5, 8 row 6, 9 row 7, 10 row 8, 11 row 9
#   solution added to zone 2: row 10 has it, row 2 has none
#
# Exit status: 0 the behaviour is as described, 1 it has changed, 2 the packages could not be installed.
# The script needs Debian 12 on amd64 with apt-get, dpkg-deb and a C compiler.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
{ apt-get download -q libcgns3.4=3.4.0-3 libcgns-dev=3.4.0-3 libhdf5-103-1=1.10.8+repack1-1 >/dev/null 2>&1 &&
    for package in ./*.deb; do dpkg-deb -x "$package" root; done; } || exit 2
cat > zones.c <<'C'
#include <cgnslib.h>
#include <stdio.h>
#include <string.h>

static void must(int code)
{
    if (code != CG_OK)
        cg_error_exit();
}

int main(void)
{
    const cgsize_t size[9] = {3, 3, 3, 2, 2, 2, 0, 0, 0};
    char name[33];
    cgsize_t found[9];
    int file, base, zone, solution, count[2] = {0, 0};
    must(cg_open("rows.cgns", CG_MODE_WRITE, &file));
    must(cg_base_write(file, "Base", 3, 3, &base));
    printf("written:");
    for (int n = 1; n <= 11; n++) {
        snprintf(name, sizeof name, "row %d", n);
        must(cg_zone_write(file, base, name, size, Structured, &zone));
        printf("%s %d %s", n > 1 ? "," : "", zone, name);
    }
    must(cg_close(file));
    must(cg_open("rows.cgns", CG_MODE_MODIFY, &file));
    printf("\nopened again:");
    for (int n = 1; n <= 11; n++) {
        must(cg_zone_read(file, 1, n, name, found));
        printf("%s %d %s", n > 1 ? "," : "", n, name);
    }
    must(cg_sol_write(file, 1, 2, "Flow", CellCenter, &solution));
    must(cg_close(file));
    must(cg_open("rows.cgns", CG_MODE_READ, &file));
    for (int n = 1; n <= 11; n++) {
        int solutions;
        must(cg_zone_read(file, 1, n, name, found));
        must(cg_nsols(file, 1, n, &solutions));
        count[0] += strcmp(name, "row 10") == 0 ? solutions : 0;
        count[1] += strcmp(name, "row 2") == 0 ? solutions : 0;
    }
    must(cg_close(file));
    printf("\nsolution added to zone 2: row 10 has %s, row 2 has %s\n", count[0] ? "it" : "none",
           count[1] ? "it" : "none");
    return 0;
}
C
libraries=$work/root/usr/lib/x86_64-linux-gnu
cc -I root/usr/include zones.c -o zones -L "$libraries" -lcgns -Wl,--allow-shlib-undefined || exit 2
echo "libcgns 3.4.0-3, libhdf5 1.10.8+repack1-1"
LD_LIBRARY_PATH=$libraries ./zones | tee seen
cat > expected <<'T'
written: 1 row 1, 2 row 2, 3 row 3, 4 row 4, 5 row 5, 6 row 6, 7 row 7, 8 row 8, 9 row 9, 10 row 10, 11 row 11
opened again: 1 row 1, 2 row 10, 3 row 11, 4 row 2, 5 row 3, 6 row 4, 7 row 5, 8 row 6, 9 row 7, 10 row 8, 11 row 9
solution added to zone 2: row 10 has it, row 2 has none
T
diff expected seen >/dev/null || { echo "the behaviour has changed"; exit 1; }
