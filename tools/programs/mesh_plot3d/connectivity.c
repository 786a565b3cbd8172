// Which faces are joined, from the JSON that NASA's plot3d package makes of its lists:
//
//   {"face_matches": [PAIR, ...], "periodic_faces": [PAIR, ...], ...}
//   PAIR: {"block1": FACE, "block2": FACE}
//   FACE: {"block_index": 0, "lb": [i, j, k], "ub": [i, j, k]}, or IMIN ... KMAX in place of lb and ub; indices from 0
//
// `periodic_surfaces` and `periodicity` stand for periodic_faces, too. Other members are left alone. The nodes themselves
// say how the faces of a pair lie on each other.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

// The node of the block for an index of the file, from 0; -1: none.
static int node_of(const struct block *b, int d, long long index)
{
    const int every = b->every[d] > 0 ? b->every[d] : 1;
    if (index < 0 || index % every || index / every >= b->n[d])
        return -1;
    const int node = (int)(index / every);
    return d == 2 && b->flipped ? b->n[d] - 1 - node : node;
}

static bool corner(const json_t *face, const char *list, const char *suffix, long long at[3])
{
    const json_t *numbers = json_object_get(face, list);
    for (size_t d = 0; d < 3; d++) {
        char name[8];
        snprintf(name, sizeof name, "%c%s", "IJK"[d], suffix);
        const json_t *v = numbers ? json_array_get(numbers, d) : json_object_get(face, name);
        if (!json_is_number(v) || json_number_value(v) != floor(json_number_value(v)))
            return false;
        at[d] = (long long)json_number_value(v);
    }
    return true;
}

// Reads a face of a pair. `of`: the pair, for messages.
static int read_face(const struct grid *g, const json_t *face, const char *of, struct window *w)
{
    const json_t *index = json_object_get(face, "block_index");
    long long at[2][3];
    if (!json_is_integer(index) || !corner(face, "lb", "MIN", at[0]) ||
        !corner(face, "ub", "MAX", at[1]))
        return fail("%s: a face has block_index and lb, ub (or IMIN ... KMAX)", of);
    if (json_integer_value(index) < 0 || json_integer_value(index) >= g->blocks)
        return fail("%s: the grid has no block of index %lld, from 0 to %d", of,
                    (long long)json_integer_value(index), g->blocks - 1);
    *w = (struct window){.block = (int)json_integer_value(index), .face = -1};
    const struct block *b = &g->block[w->block];
    int node[2][3], constant = 0;
    for (int d = 0; d < 3; d++) {
        for (int c = 0; c < 2; c++)
            if ((node[c][d] = node_of(b, d, at[c][d])) < 0)
                return fail("%s: block %s has no node of index %lld along %c%s", of, b->name,
                            at[c][d], "ijk"[d], b -> every[d] > 1 ? " after --every" : "");
        if (node[0][d] == node[1][d] && (node[0][d] == 0 || node[0][d] == b->n[d] - 1)) {
            w->face = 2 * d + (node[0][d] != 0);
            constant++;
        }
    }
    if (constant != 1)
        return fail("%s: the range of block %s is no part of one of its faces", of, b->name);
    for (int t = 0; t < 2; t++) {
        const int d = t ? face_v(w->face) : face_u(w->face);
        w->lo[t] = node[0][d] < node[1][d] ? node[0][d] : node[1][d];
        w->hi[t] = node[0][d] < node[1][d] ? node[1][d] : node[0][d];
    }
    return EXIT_DONE;
}

// Mean of the nodes at the corners of a window: x, and y and z as radius and angle.
static void middle(const struct grid *g, const struct window *w, double m[3])
{
    const struct block *b = &g->block[w->block];
    m[0] = m[1] = m[2] = 0;
    for (int c = 0; c < 4; c++) {
        const size_t n =
            face_node(b, w->face, c % 2 ? w->hi[0] : w->lo[0], c / 2 ? w->hi[1] : w->lo[1]);
        for (int d = 0; d < 3; d++)
            m[d] += b->x[d][n] / 4;
    }
}

// The motion from the first face of a pair to the second: a turn about x if their middles have the same x and radius.
static struct motion motion_of(const struct grid *g, const struct window pair[2])
{
    double m[2][3], r[2];
    struct motion of = {.angle = 0};
    for (int s = 0; s < 2; s++) {
        middle(g, &pair[s], m[s]);
        r[s] = hypot(m[s][1], m[s][2]);
    }
    const double away = hypot(hypot(m[1][0] - m[0][0], m[1][1] - m[0][1]), m[1][2] - m[0][2]);
    if (fabs(r[1] - r[0]) + fabs(m[1][0] - m[0][0]) < 1e-3 * away && r[0] > 0) {
        double angle = atan2(m[1][2], m[1][1]) - atan2(m[0][2], m[0][1]);
        angle = remainder(angle, 2 * acos(-1.));
        const double parts = round(2 * acos(-1.) / fabs(angle)); // of a turn
        of.angle = fabs(2 * acos(-1.) / parts / fabs(angle) - 1) < 1e-3
                       ? copysign(2 * acos(-1.) / parts, angle)
                       : angle;
        return of;
    }
    for (int d = 0; d < 3; d++)
        of.shift[d] = m[1][d] - m[0][d];
    return of;
}

static bool same_motion(const struct motion *a, const struct motion *b)
{
    double off = fabs(a->angle - b->angle), size = fabs(a->angle);
    for (int d = 0; d < 3; d++) {
        off += fabs(a->shift[d] - b->shift[d]);
        size += fabs(a->shift[d]);
    }
    return off < 1e-3 * size;
}

static int read_pair(struct grid *g, const json_t *item, const char *of, bool periodic)
{
    struct pair p = {.motion = -1};
    int rc = read_face(g, json_object_get(item, "block1"), of, &p.face[0]);
    if (!rc)
        rc = read_face(g, json_object_get(item, "block2"), of, &p.face[1]);
    if (rc)
        return rc;
    snprintf(p.name, sizeof p.name, "%.39s", strrchr(of, ':') ? strrchr(of, ':') + 2 : of);
    if (periodic) {
        const struct motion m = motion_of(g, p.face);
        for (p.motion = 0; p.motion < g->motions; p.motion++)
            if (same_motion(&g->motion[p.motion], &m))
                break;
        if (p.motion == g->motions) {
            struct motion *grown = realloc(g->motion, ((size_t)g->motions + 1) * sizeof *grown);
            if (!grown)
                return no_memory();
            g->motion = grown;
            g->motion[g->motions++] = m;
        }
    }
    struct pair *grown = realloc(g->pair, ((size_t)g->pairs + 1) * sizeof *grown);
    if (!grown)
        return no_memory();
    g->pair = grown;
    g->pair[g->pairs++] = p;
    return EXIT_DONE;
}

int connectivity_read(struct grid *g, const char *path)
{
    static const char *const names[] = {"face_matches", "periodic_faces", "periodic_surfaces",
                                        "periodicity"};
    json_error_t error;
    if (g->dimension != 3)
        return fail("%s: a plane grid has no such file", path);
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        return fail("%s:%d: %s", path, error.line, error.text);
    int rc = EXIT_DONE;
    for (size_t n = 0; n < sizeof names / sizeof *names && !rc; n++) {
        const json_t *list = json_is_array(root) && n == 0 ? root : json_object_get(root, names[n]);
        for (size_t l = 0; l < json_array_size(list) && !rc; l++) {
            char of[1100];
            snprintf(of, sizeof of, "%.1000s: %s[%zu]", path, names[n], l);
            rc = read_pair(g, json_array_get(list, l), of, n > 0);
        }
    }
    json_decref(root);
    if (!rc && !g->pairs)
        rc = fail("%s: there is neither a list face_matches nor a list periodic_faces with faces",
                  path);
    return rc;
}

bool connectivity_lists(const struct grid *g, int block, int face, int u, int v)
{
    for (int p = 0; p < g->pairs; p++)
        for (int s = 0; s < 2; s++)
            if (window_has(&g->pair[p].face[s], block, face, u, v))
                return true;
    return false;
}

int connectivity_check(const struct grid *g, const char *path)
{
    for (int p = 0; p < g->pairs; p++)
        for (int s = 0; s < 2; s++) {
            const struct window *w = &g->pair[p].face[s];
            const struct block *b = &g->block[w->block];
            const int nu = b->n[face_u(w->face)] - 1;
            for (int v = w->lo[1]; v < w->hi[1]; v++)
                for (int u = w->lo[0]; u < w->hi[0]; u++)
                    if (b->cover[w->face][v * nu + u] >= 0)
                        return fail("%s: %s: %s of zone %s has cells that do not lie on the other "
                                    "face, within the distance of --share or --tolerance",
                                    path, g->pair[p].name, face_name(b, w->face), b->name);
        }
    return EXIT_DONE;
}
