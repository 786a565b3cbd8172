#define _GNU_SOURCE
#include "io/mesh_mark.h"

#include <string.h>
#include <sys/stat.h>

void an_mesh_mark_set(struct an_mesh_mark *mark, const char *path)
{
    struct stat s;
    memset(mark, 0, sizeof *mark);
    if (stat(path, &s) == 0)
        *mark = (struct an_mesh_mark){(int64_t)s.st_size, (int64_t)s.st_mtim.tv_sec,
                                      (int64_t)s.st_mtim.tv_nsec, (uint64_t)s.st_ino};
}

enum an_mesh_change an_mesh_mark_look(const struct an_mesh_mark *mark, const char *path)
{
    static const struct an_mesh_mark none;
    struct an_mesh_mark now;
    an_mesh_mark_set(&now, path);
    if (!memcmp(&now, mark, sizeof now))
        return AN_MESH_SAME;
    return memcmp(&now, &none, sizeof now) ? AN_MESH_CHANGED : AN_MESH_GONE;
}
