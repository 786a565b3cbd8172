// What was found for the mesh of one row serves its variations: the counts, and the plane meshes of the heights.
//
// The file is of this machine and this version: numbers as they lie in memory, a row behind the other. It begins and ends
// with a mark, so that half a file is told from a whole one.
#include "row.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mark[16] = "mesh_row plane 1";

static struct stamp stamp_of(const struct row *r)
{
    struct stamp s;
    memset(&s, 0, sizeof s); // also between the members: stamps are compared as memory
    s.blades = r->in.blades;
    s.set = r->set;
    s.levels = r->in.levels;
    s.layers = r->layers;
    s.keys = r->in.keys;
    s.smooth = r->in.smooth;
    s.functions = r->in.wall_functions;
    s.gaps = gap_wanted(&r->in.gap[AT_HUB]) + 2 * gap_wanted(&r->in.gap[AT_CASING]);
    s.cut = r->blade[0].cut;
    s.cells = r->in.cells;
    memcpy(s.first, r->in.first, sizeof s.first);
    return s;
}

void found_begin(struct row *r)
{
    r->asked = stamp_of(r);
}

static int number(void *to, size_t size, FILE *f, bool write)
{
    const size_t n = write ? fwrite(to, size, 1, f) : fread(to, size, 1, f);
    return n == 1 || size == 0 ? AN_OK : AN_FAIL;
}

// Nodes and wanted lengths of a key; when it is read, its zones have the sizes that follow from the counts.
static int key_io(struct plane *q, const struct row *r, const struct counts *n, FILE *f, bool write)
{
    if (number(&q->w, sizeof q->w, f, write))
        return AN_FAIL;
    for (int b = 0; b < r->set; b++) {
        const size_t around = (size_t)counts_around(&n[b]) + 1;
        struct mesh *m = &q->out[b];
        if (!write) {
            q->sigma[b] = malloc(around * sizeof *q->sigma[b]);
            if (!q->sigma[b] || plane_zones(m, r, &n[b]))
                return AN_FAIL;
        }
        if (number(q->sigma[b], around * sizeof *q->sigma[b], f, write))
            return AN_FAIL;
        for (int k = 0; k < m->nz; k++) {
            struct zone *z = &m->z[k];
            const size_t ni = (size_t)z->ni, nj = (size_t)z->nj;
            if (number(z->x, ni * nj * sizeof *z->x, f, write) ||
                number(z->li, (ni - 1) * nj * sizeof *z->li, f, write) ||
                number(z->lj, ni * (nj - 1) * sizeof *z->lj, f, write))
                return AN_FAIL;
        }
    }
    return AN_OK;
}

static bool sane(const struct counts *n)
{
    const int *const c[] = {&n->lead_down, &n->lead_up, &n->trail_up, &n->trail_down, &n->pass,
                            &n->half,      &n->in,      &n->out,      &n->normal,     &n->span};
    for (size_t k = 0; k < sizeof c / sizeof c[0]; k++)
        if (*c[k] < 0 || *c[k] > 10000)
            return false;
    return counts_around(n) > 3 && n->pass > 0 && n->half > 0 && n->in > 0 && n->out > 0;
}

static int row_io(struct found *found, const struct row *r, FILE *f, bool write)
{
    int rc = number(&found->stamp, sizeof found->stamp, f, write) ||
             number(found->n, sizeof found->n, f, write) ||
             number(&found->levels, sizeof found->levels, f, write) ||
             number(&found->leaned, sizeof found->leaned, f, write) ||
             number(&found->worst, sizeof found->worst, f, write) ||
             number(&found->nkey, sizeof found->nkey, f, write);
    if (!rc && !write) {
        // of the same numbers of blades and keys, or the sizes of what follows are not known
        rc = found->stamp.set != r->set || found->nkey != r->in.keys;
        for (int b = 0; b < r->set && !rc; b++)
            rc = !sane(&found->n[b]);
    }
    for (int k = 0; k < found->nkey && !rc; k++)
        rc = key_io(&found->key[k], r, found->n, f, write);
    return rc ? AN_FAIL : AN_OK;
}

void found_free(struct row *r)
{
    for (int k = 0; r->found && k < MAX_KEYS; k++)
        plane_free(&r->found->key[k]);
    free(r->found);
    r->found = NULL;
}

static int read_all(struct project *p, FILE *f)
{
    char word[sizeof mark];
    if (number(word, sizeof word, f, false) || memcmp(word, mark, sizeof mark))
        return AN_FAIL;
    for (int k = 0; k < p->n; k++) {
        p->row[k].found = calloc(1, sizeof *p->row[k].found);
        if (!p->row[k].found || row_io(p->row[k].found, &p->row[k], f, false))
            return AN_FAIL;
    }
    return number(word, sizeof word, f, false) || memcmp(word, mark, sizeof mark) ? AN_FAIL : AN_OK;
}

// Rows that were meshed with other wishes find nothing.
int found_read(struct project *p, const char *path, bool *there)
{
    FILE *f = fopen(path, "rb");
    *there = f != NULL;
    if (!f)
        return AN_OK;
    const int rc = read_all(p, f);
    fclose(f);
    for (int k = 0; k < p->n; k++) {
        struct row *r = &p->row[k];
        if (rc || memcmp(&r->found->stamp, &r->asked, sizeof r->asked))
            found_free(r);
    }
    return AN_OK;
}

static int write_all(const struct project *p, FILE *f)
{
    char word[sizeof mark];
    memcpy(word, mark, sizeof mark);
    int rc = number(word, sizeof word, f, true);
    for (int k = 0; k < p->n && !rc; k++) {
        const struct row *r = &p->row[k];
        struct found *found = calloc(1, sizeof *found);
        AN_CHECK(found, AN_FAIL, "out of memory");
        found->stamp = r->asked;
        memcpy(found->n, r->n, sizeof found->n);
        found->levels = r->in.levels;
        found->leaned = r->y_in_slope != 0 || r->y_out_slope != 0;
        found->worst = r->figures.least;
        found->nkey = r->nkey;
        memcpy(found->key, r->key, sizeof found->key); // not owned
        rc = row_io(found, r, f, true);
        free(found);
    }
    return rc ? rc : number(word, sizeof word, f, true);
}

int found_write(const struct project *p, const char *path)
{
    const size_t size = strlen(path) + 40;
    char *temporary = malloc(size);
    AN_CHECK(temporary, AN_FAIL, "out of memory");
    snprintf(temporary, size, "%s.part%ld", path, (long)getpid());
    FILE *f = fopen(temporary, "wb");
    int rc = f ? write_all(p, f) : AN_FAIL;
    if (f && fclose(f))
        rc = AN_FAIL;
    if (!rc && rename(temporary, path))
        rc = AN_FAIL;
    if (rc) {
        const int why = errno;
        remove(temporary);
        an_error_set(AN_FAIL, "%s: error: cannot be written: %s", path, strerror(why));
    }
    free(temporary);
    return rc;
}
