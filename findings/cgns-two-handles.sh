#!/usr/bin/env bash
# The CGNS library (Debian's 3.4.0) closes, with one handle of an HDF5 file, the nodes of every other handle of that file.
# A program opens a CGNS file twice with cgio_open_file, for example because two of its parts read two bases of it. Each
# handle reads well while both are open. After cgio_close_file of the second one the first handle, still open, no longer
# reads the nodes that it had found: cgio_read_all_data returns an error, although nobody closed that handle.
#
# Output seen:
#   libcgns 3.4.0-3, libhdf5 1.10.8+repack1-1
#   first handle: values 1 2 3
#   with a second handle open: values 1 2 3
#   second handle closed: error: H5Gopen:open of a node group failed
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
cat > two.c <<'C'
#include <cgns_io.h>
#include <stdio.h>

static void show(const char *when, int file, double node)
{
    int v[3] = {0};
    char text[CGIO_MAX_ERROR_LENGTH + 1];
    if (cgio_read_all_data(file, node, v) == CGIO_ERR_NONE) {
        printf("%s: values %d %d %d\n", when, v[0], v[1], v[2]);
    } else {
        cgio_error_message(text);
        printf("%s: error: %s\n", when, text);
    }
}

int main(void)
{
    int first, second;
    const int v[3] = {1, 2, 3};
    const cgsize_t n = 3;
    double root, node;
    if (cgio_open_file("two.cgns", CGIO_MODE_WRITE, CGIO_FILE_HDF5, &first) || cgio_get_root_id(first, &root) ||
        cgio_new_node(first, root, "A", "UserDefinedData_t", "I4", 1, &n, v, &node) || cgio_close_file(first))
        return 1;
    if (cgio_open_file("two.cgns", CGIO_MODE_READ, CGIO_FILE_NONE, &first) || cgio_get_root_id(first, &root) ||
        cgio_get_node_id(first, root, "A", &node))
        return 1;
    show("first handle", first, node);
    if (cgio_open_file("two.cgns", CGIO_MODE_READ, CGIO_FILE_NONE, &second))
        return 1;
    show("with a second handle open", first, node);
    if (cgio_close_file(second))
        return 1;
    show("second handle closed", first, node);
    return 0;
}
C
libraries=$work/root/usr/lib/x86_64-linux-gnu
cc -I root/usr/include two.c -o two -L "$libraries" -lcgns -Wl,--allow-shlib-undefined || exit 2
echo "libcgns 3.4.0-3, libhdf5 1.10.8+repack1-1"
LD_LIBRARY_PATH=$libraries ./two | tee seen
cat > expected <<'T'
first handle: values 1 2 3
with a second handle open: values 1 2 3
second handle closed: error: H5Gopen:open of a node group failed
T
diff expected seen >/dev/null || { echo "the behaviour has changed"; exit 1; }
