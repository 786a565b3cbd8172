/* Can CGNS and this program use HDF5 in one process? Compiled and run by Hdf5Check.cmake.
 *
 * CGNS may be linked with another HDF5 library than the program, such as the serial one. That works
 * if versioned symbols keep the names of the two apart. Without them the calls of CGNS reach the
 * program's HDF5: harmless if both have the same version, else memory is corrupted without a word.
 *
 *     hdf5_check FILE    0: prints how it is; 1: they collide, or a file of CGNS cannot be read
 */
#define _GNU_SOURCE
#include <cgnslib.h>
#include <dlfcn.h>
#include <hdf5.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8 };
static struct {
    char path[512];
    unsigned version[3];
} found[MOST];
static int nfound;

typedef herr_t get_version(unsigned *, unsigned *, unsigned *);

/* HDF5 libraries of the process, each with its version; not those that only wrap it. */
static int note(struct dl_phdr_info *info, size_t size, void *unused)
{
    const char *name = strrchr(info->dlpi_name, '/');
    (void)size, (void)unused;
    if (!name || strncmp(name, "/libhdf5", 8) != 0 || strstr(name, "_hl") || nfound == MOST)
        return 0;
    void *library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD), *symbol = NULL;
    get_version *ask;
    if (library)
        symbol = dlsym(library, "H5get_libversion");
    if (symbol) {
        unsigned *v = found[nfound].version;
        memcpy(&ask, &symbol, sizeof ask);
        ask(&v[0], &v[1], &v[2]);
        snprintf(found[nfound++].path, sizeof found[0].path, "%s", info->dlpi_name);
    }
    return 0;
}

/* CGNS writes a file, in which HDF5 then looks. *shared: the program's HDF5 has seen CGNS open it.
 */
static int write_and_read(const char *path, int *shared)
{
    int file, base;
    char label[33] = "";
    if (cg_set_file_type(CG_FILE_HDF5) || cg_open(path, CG_MODE_WRITE, &file))
        return puts("CGNS cannot write a file in HDF5"), 1;
    *shared = H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_FILE) > 0;
    if (cg_base_write(file, "Base", 3, 3, &base) || cg_close(file))
        return puts("CGNS cannot write a base"), 1;
    const hid_t f = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t a = f >= 0 ? H5Aopen_by_name(f, "Base", "label", H5P_DEFAULT, H5P_DEFAULT) : -1;
    const hid_t type = a >= 0 ? H5Aget_type(a) : -1;
    if (type < 0 || H5Tget_size(type) > sizeof label || H5Aread(a, type, label) < 0 ||
        strcmp(label, "CGNSBase_t") != 0)
        return puts("a file of CGNS cannot be read"), 1;
    return H5Tclose(type) < 0 || H5Aclose(a) < 0 || H5Fclose(f) < 0;
}

int main(int argc, char **argv)
{
    unsigned v[3];
    int shared = 0, differ = 0;
    if (argc < 2 || H5open() < 0 || H5get_libversion(&v[0], &v[1], &v[2]) < 0)
        return 1;
    if (v[0] != H5_VERS_MAJOR || v[1] != H5_VERS_MINOR || v[2] != H5_VERS_RELEASE) {
        printf("headers of HDF5 %d.%d.%d, library %u.%u.%u\n", H5_VERS_MAJOR, H5_VERS_MINOR,
               H5_VERS_RELEASE, v[0], v[1], v[2]);
        return 1;
    }
    dl_iterate_phdr(note, NULL);
    const int bad = write_and_read(argv[1], &shared);
    for (int n = 0; n < nfound; n++) {
        printf("%s %s (%u.%u.%u)", n ? "," : "HDF5", found[n].path, found[n].version[0],
               found[n].version[1], found[n].version[2]);
        differ |= memcmp(found[n].version, v, sizeof v) != 0;
    }
    printf("; CGNS uses %s\n", nfound < 2 ? "the same"
                               : shared   ? "that of the program"
                                          : "its own");
    if (shared && differ)
        puts("two versions of HDF5 collide: the calls of CGNS reach a version that it was not "
             "built for");
    return bad || (shared && differ);
}
