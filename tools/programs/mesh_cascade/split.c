// One O zone into four that share whole faces with their neighbours: front, upper, rear, lower.
#include <stdio.h>
#include <stdlib.h>

#include "mesh.h"

static int cut(struct zone *piece, const struct zone *z, const char *name, int i0, int i1)
{
    *piece = (struct zone){.ni = i1 - i0 + 1, .nj = z->nj, .weight = 1};
    snprintf(piece->name, sizeof piece->name, "%s", name);
    piece->x = malloc((size_t)piece->ni * (size_t)piece->nj * sizeof *piece->x);
    if (!piece->x)
        return EXIT_FAILED;
    for (int j = 0; j < z->nj; j++)
        for (int i = i0; i <= i1; i++)
            piece->x[j * piece->ni + i - i0] = z->x[j * z->ni + i];
    return EXIT_DONE;
}

// The piece that holds the i range of one side of a link, and the range relative to it.
static void rebase(int *zone, int *p0, int *p1, const int *start, const int *id)
{
    if (*zone != Z_O)
        return;
    const int low = p0[0] < p1[0] ? p0[0] : p1[0];
    int k = 3;
    while (k > 0 && low < start[k])
        k--;
    *zone = id[k];
    p0[0] -= start[k];
    p1[0] -= start[k];
}

int o_split(struct mesh *m)
{
    static const char *const name[4] = {"o_front", "o_up", "o_rear", "o_down"};
    const int start[5] = {0, m->n_front, m->n_front + m->n_pass, m->n_front + m->n_pass + m->n_rear,
                          m->n_around};
    const int id[4] = {Z_O, m->nz, m->nz + 1, m->nz + 2}, nn = m->n_normal;
    struct zone whole = m->z[Z_O];
    for (int k = 0; k < 4; k++)
        if (cut(&m->z[id[k]], &whole, name[k], start[k], start[k + 1])) {
            if (k == 0)
                m->z[Z_O] = whole;
            return EXIT_FAILED;
        } else if (k > 0) {
            m->nz++;
        }
    free(whole.x);
    free(whole.li);
    free(whole.lj);
    int n = 0;
    for (int l = 0; l < m->nlink; l++) {
        struct link c = m->link[l];
        if (c.za == Z_O && c.zb == Z_O)
            continue;
        rebase(&c.za, c.a0, c.a1, start, id);
        rebase(&c.zb, c.b0, c.b1, start, id);
        m->link[n++] = c;
    }
    for (int k = 0; k < 4; k++) {
        const int next = (k + 1) % 4, end = start[k + 1] - start[k];
        m->link[n++] = (struct link){id[k], id[next], {end, 0}, {end, nn}, {0, 0}, {0, nn}, 0};
    }
    m->nlink = n;
    for (int k = 1; k < 4; k++)
        m->patch[m->npatch++] = (struct patch){"blade", id[k], FACE_JMIN, 0, 0};
    return EXIT_DONE;
}
