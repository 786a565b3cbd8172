/* an_topology_check: every face cell covered once, every interface mirrored. */
#include "kernels/base/topology.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check {
    struct an_topology *t;
    const char *file;
    struct an_diag *diag;
    char where[256];
};

static const char *at(struct check *k, const struct an_window *w)
{
    snprintf(k->where, sizeof k->where, "%s%szone '%s' face %s", k->file ? k->file : "",
             k->file ? ": " : "", k->t->block[w->block].name, an_face_name(w->dir, w->side));
    return k->where;
}

/* Largest block dimension for which maps and windows stay within int. */
#define MAX_CELLS (1 << 29)

static int window_is_inside(const struct an_topology *t, const struct an_window *w)
{
    if (w->block < 0 || w->block >= t->nblock || w->dir < 0 || w->dir > 2 || w->side < 0 ||
        w->side > 1)
        return 0;
    const int *n = t->block[w->block].n;
    for (int a = 0; a < 3; a++) {
        if (a == w->dir ? (w->lo[a] != 0 || w->hi[a] != 0)
                        : (w->lo[a] < 0 || w->hi[a] > n[a] || w->lo[a] >= w->hi[a]))
            return 0;
    }
    return 1;
}

static void window_fault(struct check *k, const char *what, const struct an_window *w)
{
    char where[256];
    if (w->block >= 0 && w->block < k->t->nblock)
        snprintf(where, sizeof where, "%s", at(k, w));
    else
        snprintf(where, sizeof where, "%s%szone number %d", k->file ? k->file : "",
                 k->file ? ": " : "", w->block);
    an_diag_error(k->diag, where,
                  "%s lies outside the zone: cells [%d,%d) x [%d,%d) x [%d,%d) of the face", what,
                  w->lo[0], w->hi[0], w->lo[1], w->hi[1], w->lo[2], w->hi[2]);
}

/* The first ghost layer of the window must be the first inner layer of the donor's face. */
static int map_crosses_face(const struct an_topology *t, const struct an_interface *f)
{
    int dir = f->window.dir, here = f->window.side ? t->block[f->window.block].n[dir] : -1;
    int there = f->donor_side ? t->block[f->donor].n[f->donor_dir] - 1 : 0;
    return f->map.perm[dir] == f->donor_dir &&
           f->map.sign[dir] == (f->window.side == f->donor_side ? -1 : 1) &&
           f->map.sign[dir] * here + f->map.shift[f->donor_dir] == there;
}

static int interface_is_usable(struct check *k, const struct an_interface *f)
{
    const struct an_topology *t = k->t;
    char what[AN_NAME + 32];
    snprintf(what, sizeof what, "interface '%s'", f->name);
    if (!window_is_inside(t, &f->window)) {
        window_fault(k, what, &f->window);
        return 0;
    }
    if (f->donor < 0 || f->donor >= t->nblock || f->donor_dir < 0 || f->donor_dir > 2 ||
        f->donor_side < 0 || f->donor_side > 1 || !an_cellmap_is_valid(&f->map)) {
        an_diag_error(k->diag, at(k, &f->window), "%s has no usable donor or transform", what);
        return 0;
    }
    const char *donor = t->block[f->donor].name;
    if (!map_crosses_face(t, f)) {
        an_diag_error(k->diag, at(k, &f->window),
                      "%s: the transform does not lead into zone '%s' through its face %s", what,
                      donor, an_face_name(f->donor_dir, f->donor_side));
        return 0;
    }
    struct an_interface mirror = an_interface_mirror(f);
    if (!window_is_inside(t, &mirror.window)) {
        snprintf(what, sizeof what, "the donor of '%s'", f->name);
        window_fault(k, what, &mirror.window);
        return 0;
    }
    if (an_cellmap_det(&f->map) != 1) {
        an_diag_error(k->diag, at(k, &f->window),
                      "%s mirrors the index directions (determinant -1): one of the zones '%s' and "
                      "'%s' is left-handed, or the transform is wrong",
                      what, t->block[f->window.block].name, donor);
        return 0;
    }
    return 1;
}

/* Everything that names one side of an interface, as integers to sort by; the first KEY_WINDOWS
 * name both windows' faces and this window. */
enum { KEY_WINDOWS = 12, KEY_ALL = 21 };

struct key {
    int v[KEY_ALL];
    int index;
};

static struct key key_of(const struct an_interface *f, int index)
{
    struct key key = {
        {f->window.block, f->window.dir, f->window.side, f->donor, f->donor_dir, f->donor_side},
        index};
    for (int a = 0; a < 3; a++) {
        key.v[6 + a] = f->window.lo[a];
        key.v[9 + a] = f->window.hi[a];
        key.v[12 + a] = f->map.perm[a];
        key.v[15 + a] = f->map.sign[a];
        key.v[18 + a] = f->map.shift[a];
    }
    return key;
}

static int compare(const struct key *a, const struct key *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a->v[i] != b->v[i])
            return a->v[i] < b->v[i] ? -1 : 1;
    return 0;
}

static int compare_keys(const void *a, const void *b)
{
    const struct key *ka = a, *kb = b;
    int order = compare(ka, kb, KEY_ALL);
    return order ? order : (ka->index > kb->index) - (ka->index < kb->index);
}

/* First key that is not less than `wanted` in its leading n integers. */
static int lower_bound(const struct key *key, int count, const struct key *wanted, int n)
{
    int lo = 0, hi = count;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (compare(&key[mid], wanted, n) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int periodicity_mirrors(const struct an_interface *wanted, const struct an_interface *g)
{
    if (wanted->periodic != g->periodic)
        return 0;
    if (!g->periodic)
        return 1;
    double size = 0;
    for (int a = 0; a < 3; a++)
        size = fmax(size, fmax(fabs(wanted->translation[a]), fabs(g->translation[a])));
    for (int a = 0; a < 9; a++)
        if (!(fabs(wanted->rotation[a] - g->rotation[a]) <= 1e-6))
            return 0;
    for (int a = 0; a < 3; a++)
        if (!(fabs(wanted->translation[a] - g->translation[a]) <= 1e-5 * size))
            return 0;
    return 1;
}

static void find_partner(struct check *k, const struct key *key, int count, int index)
{
    struct an_topology *t = k->t;
    struct an_interface *f = &t->interface[index];
    struct an_interface mirror = an_interface_mirror(f);
    struct key wanted = key_of(&mirror, 0);
    int found = lower_bound(key, count, &wanted, KEY_ALL);
    if (found < count && compare(&key[found], &wanted, KEY_ALL) == 0) {
        f->partner = key[found].index;
        if (!periodicity_mirrors(&mirror, &t->interface[f->partner]))
            an_diag_error(k->diag, at(k, &f->window),
                          "interface '%s' and its other side '%s' in zone '%s' disagree about the "
                          "periodic rotation or translation",
                          f->name, t->interface[f->partner].name, t->block[f->donor].name);
        return;
    }
    found = lower_bound(key, count, &wanted, KEY_WINDOWS);
    if (found < count && compare(&key[found], &wanted, KEY_WINDOWS) == 0)
        an_diag_error(
            k->diag, at(k, &f->window),
            "interface '%s' and its other side '%s' in zone '%s' have transforms that are "
            "not each other's inverse",
            f->name, t->interface[key[found].index].name, t->block[f->donor].name);
    else
        an_diag_error(k->diag, at(k, &f->window),
                      "interface '%s' to zone '%s' face %s: no interface leads back over the same "
                      "cells",
                      f->name, t->block[f->donor].name, an_face_name(f->donor_dir, f->donor_side));
}

/* Windows of one face, as chains: first[6 block + 2 dir + side], next[window]; interfaces come
 * after patches. */
struct chains {
    int *first, *next;
};

static const struct an_window *window_of(const struct an_topology *t, int w)
{
    return w < t->npatch ? &t->patch[w].window : &t->interface[w - t->npatch].window;
}

static void chain(struct chains *c, const struct an_window *w, int index)
{
    int face = 6 * w->block + 2 * w->dir + w->side;
    c->next[index] = c->first[face];
    c->first[face] = index;
}

struct holes {
    int64_t empty, twice;
    int first_empty[2], first_twice[2];
};

static void count_holes(const unsigned char *cover, int ni, int nj, struct holes *h)
{
    memset(h, 0, sizeof *h);
    for (int j = 0; j < nj; j++)
        for (int i = 0; i < ni; i++) {
            int c = cover[(size_t)j * ni + i];
            if (c == 0 && h->empty++ == 0)
                h->first_empty[0] = i, h->first_empty[1] = j;
            if (c > 1 && h->twice++ == 0)
                h->first_twice[0] = i, h->first_twice[1] = j;
        }
}

static void check_face(struct check *k, const struct chains *c, int block, int dir, int side,
                       unsigned char *cover)
{
    const struct an_topology *t = k->t;
    static const char axis[] = "ijk";
    int a = dir == 0 ? 1 : 0, b = dir == 2 ? 1 : 2;
    int na = t->block[block].n[a], nb = t->block[block].n[b];
    memset(cover, 0, (size_t)na * nb);
    for (int w = c->first[6 * block + 2 * dir + side]; w >= 0; w = c->next[w]) {
        const struct an_window *win = window_of(t, w);
        for (int y = win->lo[b]; y < win->hi[b]; y++)
            for (int x = win->lo[a]; x < win->hi[a]; x++) {
                unsigned char *cell = &cover[(size_t)y * na + x];
                *cell = (unsigned char)(*cell ? 2 : 1);
            }
    }
    struct holes h;
    struct an_window face = {.block = block, .dir = dir, .side = side};
    count_holes(cover, na, nb, &h);
    if (h.empty)
        an_diag_error(k->diag, at(k, &face),
                      "%lld of %lld cells have no boundary condition or interface, first at cell "
                      "(%c=%d, %c=%d) counted from 0",
                      (long long)h.empty, (long long)na * nb, axis[a], h.first_empty[0], axis[b],
                      h.first_empty[1]);
    if (h.twice)
        an_diag_error(k->diag, at(k, &face),
                      "%lld of %lld cells have more than one boundary condition or interface, "
                      "first at cell (%c=%d, %c=%d) counted from 0",
                      (long long)h.twice, (long long)na * nb, axis[a], h.first_twice[0], axis[b],
                      h.first_twice[1]);
}

static int64_t largest_face(const struct an_topology *t)
{
    int64_t size = 1;
    for (int b = 0; b < t->nblock; b++)
        for (int dir = 0; dir < 3; dir++) {
            const int *n = t->block[b].n;
            int64_t face = (int64_t)n[(dir + 1) % 3] * n[(dir + 2) % 3];
            size = face > size ? face : size;
        }
    return size;
}

static int blocks_are_usable(struct check *k)
{
    int usable = 1;
    for (int b = 0; b < k->t->nblock; b++) {
        const int *n = k->t->block[b].n;
        for (int dir = 0; dir < 3; dir++)
            if (n[dir] < 1 || n[dir] > MAX_CELLS) {
                an_diag_error(k->diag, k->file, "zone '%s' has %d x %d x %d cells",
                              k->t->block[b].name, n[0], n[1], n[2]);
                usable = 0;
                break;
            }
    }
    return usable;
}

static void check_windows(struct check *k, struct chains *c, struct key *key)
{
    struct an_topology *t = k->t;
    int count = 0;
    for (int f = 0; f < 6 * t->nblock; f++)
        c->first[f] = -1;
    for (int p = 0; p < t->npatch; p++) {
        const struct an_patch *patch = &t->patch[p];
        if (patch->boundary < 0 || patch->boundary >= t->nboundary)
            an_diag_error(k->diag, k->file, "patch %d has no boundary", p);
        else if (!window_is_inside(t, &patch->window))
            window_fault(k, t->boundary[patch->boundary].name, &patch->window);
        else
            chain(c, &patch->window, p);
    }
    for (int f = 0; f < t->ninterface; f++) {
        t->interface[f].partner = -1;
        if (!interface_is_usable(k, &t->interface[f]))
            continue;
        chain(c, &t->interface[f].window, t->npatch + f);
        key[count++] = key_of(&t->interface[f], f);
    }
    qsort(key, (size_t)count, sizeof *key, compare_keys);
    for (int n = 0; n < count; n++)
        find_partner(k, key, count, key[n].index);
}

void an_topology_check(struct an_topology *t, const char *file, struct an_diag *diag)
{
    struct check k = {t, file, diag, ""};
    if (!blocks_are_usable(&k))
        return;
    struct chains c = {malloc((6 * (size_t)t->nblock + 1) * sizeof(int)),
                       malloc(((size_t)t->npatch + (size_t)t->ninterface + 1) * sizeof(int))};
    struct key *key = malloc(((size_t)t->ninterface + 1) * sizeof *key);
    unsigned char *cover = malloc((size_t)largest_face(t));
    if (c.first && c.next && key && cover) {
        check_windows(&k, &c, key);
        for (int b = 0; b < t->nblock; b++)
            for (int face = 0; face < 6; face++)
                check_face(&k, &c, b, face / 2, face % 2, cover);
    } else {
        an_diag_error(diag, file, "out of memory for the check of the topology");
    }
    free(c.first);
    free(c.next);
    free(key);
    free(cover);
}
