// The numbers of cells of an earlier mesh of this program, from the sizes of its zones.
#include <cgnslib.h>
#include <stdio.h>
#include <string.h>

#include "mesh.h"

// Cells along i and j of each zone in the order of mesh.h; of four O zones those of the front one.
static int read_zones(int fn, int cells[SECTOR_ZONES][2])
{
    static const char *const name[SECTOR_ZONES] = {"blade_o", "inlet_h", "passage_up",
                                                   "passage_down", "outlet_h"};
    int nz, found = 0;
    if (cg_nzones(fn, 1, &nz))
        return 0;
    for (int z = 1; z <= nz; z++) {
        char text[33];
        cgsize_t size[9];
        ZoneType_t type;
        if (cg_zone_type(fn, 1, z, &type) || type != Structured ||
            cg_zone_read(fn, 1, z, text, size))
            return 0;
        for (int k = 0; k < SECTOR_ZONES; k++)
            if (!strcmp(text, name[k]) || (k == Z_O && !strcmp(text, "o_front"))) {
                cells[k][0] = (int)size[3];
                cells[k][1] = (int)size[4];
                found |= 1 << k;
            }
    }
    return found == (1 << SECTOR_ZONES) - 1;
}

int like_read(struct cell_counts *n, const char *path)
{
    int fn, cells[SECTOR_ZONES][2] = {{0}};
    if (cg_open(path, CG_MODE_READ, &fn)) {
        fprintf(stderr, "%s: error: cannot be read: %s\n", path, cg_get_error());
        return EXIT_INPUT;
    }
    const int found = read_zones(fn, cells);
    (void)cg_close(fn); // nothing was written
    const int across = cells[Z_UP][1] + cells[Z_DOWN][1];
    *n = (struct cell_counts){.front = cells[Z_INLET][1] - across,
                              .pass = cells[Z_UP][0],
                              .rear = cells[Z_OUTLET][1] - across,
                              .half = cells[Z_UP][1],
                              .in = cells[Z_INLET][0],
                              .out = cells[Z_OUTLET][0],
                              .normal = cells[Z_O][1]};
    if (found && cells[Z_UP][0] == cells[Z_DOWN][0] && cells[Z_UP][1] == cells[Z_DOWN][1] &&
        n->front > 0 && n->rear > 0)
        return EXIT_DONE;
    fprintf(stderr, "%s: error: this is no mesh of mesh_cascade\n", path);
    return EXIT_INPUT;
}
