/* Is a mesh's file still the one that was opened? */
#ifndef AN_IO_MESH_MARK_H
#define AN_IO_MESH_MARK_H

#include <stdint.h>

/* What tells a file from one that was put in its place or written over it. */
struct an_mesh_mark {
    int64_t bytes, seconds, nanoseconds; /* length, time of the last change */
    uint64_t number;                     /* inode */
};

enum an_mesh_change { AN_MESH_SAME, AN_MESH_CHANGED, AN_MESH_GONE };

/* Marks the file as it is now; all zeros where there is none. */
void an_mesh_mark_set(struct an_mesh_mark *mark, const char *path);
/* Compares the file with its mark. */
enum an_mesh_change an_mesh_mark_look(const struct an_mesh_mark *mark, const char *path);

#endif
