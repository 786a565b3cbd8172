#include "solid/conduction_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void an_rows_free(struct an_rows *k)
{
    free(k->first);
    free(k->column);
    free(k->value);
    *k = (struct an_rows){0};
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int32_t an_rows_unique(int32_t n, int32_t *list)
{
    int32_t kept = 0;
    qsort(list, (size_t)n, sizeof *list, ascending);
    for (int32_t i = 0; i < n; i++)
        if (!kept || list[i] != list[kept - 1])
            list[kept++] = list[i];
    return kept;
}

double *an_rows_entry(struct an_rows *k, int32_t row, int32_t column)
{
    int64_t lo = k->first[row], hi = k->first[row + 1] - 1;
    while (lo < hi) {
        const int64_t mid = (lo + hi) / 2;
        if (k->column[mid] < column)
            lo = mid + 1;
        else
            hi = mid;
    }
    return &k->value[lo];
}

/* Calls `of` for each cell until one fails. */
struct cells {
    const struct an_solid_mesh *m;
    struct an_rows *k;
    double *volume; /* [n] of each unknown */
    int32_t *count;
    int32_t *list; /* [n][most] */
    int32_t most;
};

static int for_cells(const struct cells *c,
                     int (*of)(const struct cells *c, const struct an_solid_zone *z,
                               const int at[3], const int64_t point[8]))
{
    for (int n = 0; n < c->m->nzone; n++) {
        const struct an_solid_zone *z = &c->m->zone[n];
        for (int k = 0; k < z->n[2]; k++)
            for (int j = 0; j < z->n[1]; j++)
                for (int i = 0; i < z->n[0]; i++) {
                    int64_t point[8];
                    an_solid_cell(z, i, j, k, point);
                    AN_TRY(of(c, z, (int[3]){i, j, k}, point));
                }
    }
    return AN_OK;
}

static int count_cell(const struct cells *c, const struct an_solid_zone *z, const int at[3],
                      const int64_t point[8])
{
    (void)z, (void)at;
    for (int a = 0; a < 8; a++)
        c->count[c->m->unknown[point[a]]]++;
    return AN_OK;
}

static int list_cell(const struct cells *c, const struct an_solid_zone *z, const int at[3],
                     const int64_t point[8])
{
    (void)z, (void)at;
    for (int a = 0; a < 8; a++) {
        const int32_t row = c->m->unknown[point[a]];
        for (int b = 0; b < 8; b++)
            c->k->column[c->k->first[row] + c->count[row]++] = c->m->unknown[point[b]];
    }
    return AN_OK;
}

/* Rows and columns: of each unknown those of the cells around it. */
static int find_columns(struct cells *c)
{
    struct an_rows *k = c->k;
    const int32_t n = k->n;
    k->first = calloc((size_t)n + 1, sizeof *k->first);
    c->count = calloc((size_t)n + 1, sizeof *c->count);
    AN_CHECK(k->first && c->count, AN_FAIL, "out of memory for a solid");
    AN_TRY(for_cells(c, count_cell));
    for (int32_t i = 0; i < n; i++) {
        k->first[i + 1] = k->first[i] + 8 * c->count[i];
        c->count[i] = 0;
    }
    k->column = malloc(((size_t)k->first[n] + 1) * sizeof *k->column);
    AN_CHECK(k->column, AN_FAIL, "out of memory for a solid");
    AN_TRY(for_cells(c, list_cell));
    int64_t to = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t *from = k->column + k->first[i];
        const int32_t kept = an_rows_unique(c->count[i], from);
        memmove(k->column + to, from, (size_t)kept * sizeof *from);
        k->first[i] = to;
        to += kept;
    }
    k->first[n] = to;
    k->value = calloc((size_t)to + 1, sizeof *k->value);
    AN_CHECK(k->value, AN_FAIL, "out of memory for a solid");
    int32_t *less = realloc(k->column, ((size_t)to + 1) * sizeof *less);
    k->column = less ? less : k->column;
    return AN_OK;
}

/* Gradients of the eight trilinear functions of a cell at a point s[3] of the unit cube, g[8][3] in 1/m; returns the
 * determinant of the map from the unit cube. */
static double gradients(double (*const x[8])[3], const double s[3], double g[8][3])
{
    double of[8][3], j[3][3] = {{0}};
    for (int c = 0; c < 8; c++)
        for (int d = 0; d < 3; d++) {
            of[c][d] = c >> d & 1 ? 1 : -1;
            for (int e = 0; e < 3; e++)
                of[c][d] *= e == d ? 1 : c >> e & 1 ? s[e] : 1 - s[e];
            for (int q = 0; q < 3; q++)
                j[d][q] += of[c][d] * (*x[c])[q];
        }
    double inverse[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
            inverse[b][a] = j[a1][b1] * j[a2][b2] - j[a1][b2] * j[a2][b1];
        }
    const double det = j[0][0] * inverse[0][0] + j[0][1] * inverse[1][0] + j[0][2] * inverse[2][0];
    for (int c = 0; c < 8; c++)
        for (int q = 0; q < 3; q++)
            g[c][q] =
                (inverse[q][0] * of[c][0] + inverse[q][1] * of[c][1] + inverse[q][2] * of[c][2]) /
                det;
    return det;
}

static int add_cell(const struct cells *c, const struct an_solid_zone *z, const int at[3],
                    const int64_t point[8])
{
    const double near = 0.5 - 0.5 / sqrt(3.0);
    double(*x[8])[3], k[8][8] = {{0}};
    for (int a = 0; a < 8; a++)
        x[a] = &c->m->x[point[a]];
    for (int q = 0; q < 8; q++) {
        double s[3], g[8][3];
        for (int d = 0; d < 3; d++)
            s[d] = q >> d & 1 ? 1 - near : near;
        const double det = gradients(x, s, g);
        AN_CHECK(det > 0, AN_INPUT, "cell (%d, %d, %d) of zone '%s' of the solid is folded",
                 at[0] + 1, at[1] + 1, at[2] + 1, z->name);
        for (int a = 0; a < 8; a++)
            c->volume[c->m->unknown[point[a]]] += 0.125 * det * (a & 1 ? s[0] : 1 - s[0]) *
                                                  (a & 2 ? s[1] : 1 - s[1]) *
                                                  (a & 4 ? s[2] : 1 - s[2]);
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++)
                k[a][b] +=
                    0.125 * det * (g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]);
    }
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            *an_rows_entry(c->k, c->m->unknown[point[a]], c->m->unknown[point[b]]) += k[a][b];
    return AN_OK;
}

int an_conduction_matrix(const struct an_solid_mesh *m, struct an_rows *k, double **volume)
{
    *k = (struct an_rows){.n = m->nunknown};
    *volume = calloc((size_t)m->nunknown + 1, sizeof **volume);
    AN_CHECK(*volume, AN_FAIL, "out of memory for a solid");
    struct cells c = {.m = m, .k = k, .volume = *volume};
    int status = find_columns(&c);
    if (status == AN_OK)
        status = for_cells(&c, add_cell);
    free(c.count);
    return status;
}
