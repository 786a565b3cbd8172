/* Zones with one cell in their first direction, turned for the computation.
 *
 * The kernels run along the first direction, and rows of cells are padded to whole vectors: a zone of one cell there
 * costs several times the time and memory of the same zone with its one cell last. The directions of such zones are
 * exchanged cyclically, so that blocks stay right-handed. Direction m of a turned zone is direction (m + turn) mod 3
 * of the file. Two directions that follow another cyclically do so before and after: faces of patches keep their order.
 */
#include <stdlib.h>
#include <string.h>

#include "io/mesh.h"

void an_turn_to_file(int turn, const int from[3], int to[3])
{
    for (int m = 0; m < 3; m++)
        to[(m + turn) % 3] = from[m];
}

static void from_file(int turn, const int from[3], int to[3])
{
    for (int m = 0; m < 3; m++)
        to[m] = from[(m + turn) % 3];
}

void an_turn_values(int turn, const int n[3], size_t size, const void *from, void *to, int back)
{
    int file[3];
    size_t step[3], along[3], at = 0;
    an_turn_to_file(turn, n, file);
    step[0] = 1;
    step[1] = (size_t)file[0];
    step[2] = (size_t)file[0] * (size_t)file[1];
    for (int m = 0; m < 3; m++)
        along[m] = step[(m + turn) % 3];
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, at++) {
                const size_t there =
                    (size_t)i * along[0] + (size_t)j * along[1] + (size_t)k * along[2];
                memcpy((char *)to + (back ? at : there) * size,
                       (const char *)from + (back ? there : at) * size, size);
            }
}

/* The turn of a zone; 0: it stays as it is. */
static int wanted(const int n[3])
{
    for (int turn = 1; turn < 3 && n[0] == 1; turn++)
        if (n[turn] > 1)
            return turn;
    return 0;
}

static void turn_window(const int *turns, struct an_window *w)
{
    const int turn = turns[w->block];
    const struct an_window old = *w;
    from_file(turn, old.lo, w->lo);
    from_file(turn, old.hi, w->hi);
    w->dir = (old.dir + 3 - turn) % 3;
}

static void turn_interface(const int *turns, struct an_interface *f)
{
    const int here = turns[f->window.block], there = turns[f->donor];
    const struct an_cellmap old = f->map;
    turn_window(turns, &f->window);
    f->donor_dir = (f->donor_dir + 3 - there) % 3;
    for (int m = 0; m < 3; m++) {
        f->map.perm[m] = (old.perm[(m + here) % 3] + 3 - there) % 3;
        f->map.sign[m] = old.sign[(m + here) % 3];
        f->map.shift[m] = old.shift[(m + there) % 3];
    }
}

int an_mesh_turn(struct an_mesh *m)
{
    struct an_topology *t = &m->topology;
    int some = 0;
    for (int z = 0; z < t->nblock; z++)
        some |= wanted(t->block[z].n);
    if (!some || m->file_order)
        return AN_OK;
    m->file_order = malloc(sizeof *m->file_order);
    m->turn = calloc((size_t)t->nblock, sizeof *m->turn);
    const int status = m->file_order && m->turn
                           ? an_topology_copy(t, m->file_order)
                           : an_error_set(AN_FAIL, "out of memory for the mesh topology");
    if (status != AN_OK) {
        free(m->file_order);
        free(m->turn);
        m->file_order = NULL;
        m->turn = NULL;
        return status;
    }
    for (int z = 0; z < t->nblock; z++) {
        m->turn[z] = wanted(t->block[z].n);
        from_file(m->turn[z], m->file_order->block[z].n, t->block[z].n);
    }
    for (int f = 0; f < t->ninterface; f++)
        turn_interface(m->turn, &t->interface[f]);
    for (int p = 0; p < t->npatch; p++)
        turn_window(m->turn, &t->patch[p].window);
    return AN_OK;
}

struct an_mesh an_mesh_in_file_order(const struct an_mesh *m)
{
    struct an_mesh view = *m;
    if (m->file_order)
        view.topology = *m->file_order;
    view.file_order = NULL;
    view.turn = NULL;
    return view;
}
