// Rows of one machine: what they share.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int project_error(const struct project *p, int row, int rc)
{
    char why[2000];
    if (!rc || !p->several)
        return rc;
    snprintf(why, sizeof why, "%s", an_error_text());
    return an_error_set(rc, "row '%s': %s", p->name[row], why);
}

// Chord of the main blade at mid-span, m.
static int chord_of(const struct row *r, double *chord)
{
    struct layer l;
    struct profile p;
    layer_even(&l, &r->meridian, 0.5);
    AN_TRY(blade_profile(r->blade, &l, &p));
    *chord = p.chord * meridian_point(&r->meridian, layer_u(&l, 0.5 * (p.le.x + p.te.x)), 0.5).r;
    profile_free(&p);
    return AN_OK;
}

// Cells of the rows without `cells` of their own. Each blade of a pitch gets as many, times the square root of its
// chord, and a fifth more where it has a gap.
static int share_cells(struct project *p)
{
    double weight[MAX_ROWS] = {0}, all = 0, left = p->cells;
    for (int k = 0; k < p->n; k++) {
        const struct row_input *in = &p->row[k].in;
        double chord;
        if (p->cells_given[k]) {
            left -= in->cells;
            continue;
        }
        AN_TRY(chord_of(&p->row[k], &chord));
        weight[k] = (1 + in->splitters) * sqrt(chord) *
                    (gap_wanted(&in->gap[AT_HUB]) || gap_wanted(&in->gap[AT_CASING]) ? 1.2 : 1);
        all += weight[k];
    }
    for (int k = 0; k < p->n; k++)
        if (!p->cells_given[k])
            p->row[k].in.cells = left * weight[k] / all;
    return AN_OK;
}

static int check_cells(const struct project *p)
{
    for (int k = 0; k < p->n; k++)
        AN_CHECK(p->row[k].in.cells >= 5e3, AN_INPUT,
                 "error: row '%s' gets %.0f of all 'cells'; at least 5000 are needed", p->name[k],
                 p->row[k].in.cells);
    return AN_OK;
}

static int prepare_row(struct row *r)
{
    AN_TRY(duct_and_blade(r));
    r->set = 1;
    AN_TRY(splitters_new(r));
    return fillet_check(r);
}

// All rows have as many cells from hub to casing as the one that needs most, so that neighbours meet node to node.
static int share_layers(struct project *p)
{
    int most = 0, unit = 1;
    for (int k = 0; k < p->n; k++) {
        struct row *r = &p->row[k];
        const int own = 1 << (r->in.levels - 1);
        AN_TRY(project_error(p, k, counts_choose(r)));
        const int layers = r->n[0].span + counts_in_gaps(&r->n[0]);
        most = layers > most ? layers : most;
        unit = own > unit ? own : unit;
    }
    most = (most + unit - 1) / unit * unit;
    for (int k = 0; k < p->n; k++) {
        p->row[k].layers = most;
        AN_TRY(project_error(p, k, counts_choose(&p->row[k])));
    }
    return AN_OK;
}

// The nodes of each plane: the mean of what the rows ahead and behind would like.
static int share_nodes(struct project *p)
{
    for (int k = 0; k + 1 < p->n; k++) {
        const size_t n = (size_t)p->row[k].layers + 1;
        double *v = malloc(2 * n * sizeof *v);
        AN_CHECK(v, AN_FAIL, "out of memory");
        p->row[k].shape[1] = p->row[k + 1].shape[0] = v;
        AN_TRY(span_line(&p->row[k], 1, v));
        AN_TRY(span_line(&p->row[k + 1], 0, v + n));
        for (size_t i = 0; i < n; i++)
            v[i] = 0.5 * (v[i] + v[n + i]);
        printf("nodes on the plane   between '%s' and '%s': %zu from hub to casing\n", p->name[k],
               p->name[k + 1], n);
    }
    return AN_OK;
}

int project_prepare(struct project *p)
{
    if (!p->several)
        return prepare_row(&p->row[0]);
    for (int k = 0; k < p->n; k++)
        AN_TRY(project_error(p, k, prepare_row(&p->row[k])));
    AN_TRY(share_cells(p));
    AN_TRY(check_cells(p));
    AN_TRY(share_layers(p));
    return share_nodes(p);
}

void project_free(struct project *p)
{
    for (int k = 0; k < p->n; k++) {
        free(p->row[k].shape[1]);
        formats_free(&p->row[k].in);
        row_free(&p->row[k]);
    }
    free(p->row);
    *p = (struct project){0};
}
