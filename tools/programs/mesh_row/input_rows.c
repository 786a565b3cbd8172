// The input file of several rows: `rows` is a list of mappings, each with a name. A key beside `rows` holds for all
// rows, a row's own key replaces it.
#include "input.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const beside[] = {"rows", "planes", "inlet", "outlet", NULL}, *const own[] = {
                                                                                     "name", NULL};

// A name that may stand before those of zones and boundaries.
static void read_name(struct reader *r, struct project *p, const struct an_node *row)
{
    const struct an_node *n = an_node_child(row, "name");
    char word[100], *name = p->name[p->n];
    if (!n || n->kind != AN_NODE_SCALAR) {
        input_fault(r, n ? &n->at : &row->at, "each of 'rows' needs a 'name'");
        return;
    }
    size_t fit = 0;
    while (isalnum((unsigned char)n->text[fit]) || n->text[fit] == '-')
        fit++;
    if (fit == 0 || n->text[fit] || fit >= ROW_NAME) {
        input_fault(r, &n->at, "'name' is '%s': a row's name has 1 to %d letters, digits or '-'",
                    an_printable(n->text, word, sizeof word), ROW_NAME - 1);
        return;
    }
    for (int k = 0; k < p->n; k++)
        if (strcmp(p->name[k], n->text) == 0)
            input_fault(r, &n->at, "two rows are called '%s'", n->text);
    snprintf(name, ROW_NAME, "%s", n->text);
}

// The ends of the machine belong to its first and its last row.
static void take_ends(struct project *p, int k, int rows)
{
    struct row_input *in = &p->row[k].in;
    p->ends_given[k][0] = in->inlet.kind != END_CURVE;
    p->ends_given[k][1] = in->outlet.kind != END_CURVE;
    if (k == 0 && !p->ends_given[k][0])
        in->inlet = p->inlet;
    if (k == rows - 1 && !p->ends_given[k][1])
        in->outlet = p->outlet;
}

static void read_row(struct project *p, const char *path, const struct an_node *root,
                     const struct an_node *row, int rows, struct an_diag *diag)
{
    struct row_input *in = &p->row[p->n].in;
    struct reader r = {in, diag, path, NULL};
    struct keys_seen seen = {0};
    input_default(in);
    if (row->kind != AN_NODE_MAPPING) {
        input_fault(&r, &row->at, "each of 'rows' needs keys and values");
        return;
    }
    read_name(&r, p, row);
    if (diag->nerror)
        return;
    input_keys(&r, root, beside, &seen); // read for the first row already, without a fault
    if (in->blades > 0 || seen.splitter || in->metal)
        input_fault(&r, &root->at, "'%s' differs from row to row: give it in 'rows'",
                    in->blades > 0  ? "blades"
                    : seen.splitter ? "splitter"
                                    : "holes");
    seen.splitter = NULL;
    r.row = p->name[p->n];
    snprintf(in->title, sizeof in->title, "%s", r.row);
    input_keys(&r, row, own, &seen);
    p->cells_given[p->n] = an_node_child(row, "cells") != NULL;
    take_ends(p, p->n, rows);
    input_check(&r, &row->at, &seen);
}

// The keys that belong to the machine.
static void read_machine(struct project *p, const char *path, const struct an_node *root,
                         struct an_diag *diag)
{
    struct row_input in;
    struct reader r = {&in, diag, path, NULL};
    struct keys_seen seen = {0};
    static const char *const skip[] = {"rows", "planes", NULL};
    input_default(&in);
    input_keys(&r, root, skip, &seen);
    p->inlet = in.inlet;
    p->outlet = in.outlet;
    p->cells = in.cells;
    const struct an_node *planes = an_node_child(root, "planes");
    const int k = planes ? input_choice(&r, planes, "planes", "mixing sliding") : 0;
    p->planes = k > 0 ? PLANES_SLIDING : PLANES_MIXING;
    free(in.file);
}

static int read_rows(struct project *p, const char *path, const struct an_node *root,
                     const struct an_node *rows, struct an_diag *diag)
{
    struct reader r = {NULL, diag, path, NULL};
    p->several = true;
    read_machine(p, path, root, diag);
    if (rows->kind != AN_NODE_SEQUENCE || rows->nchild < 2 || rows->nchild > MAX_ROWS) {
        input_fault(&r, &rows->at, "'rows' needs a list of 2 to %d rows", MAX_ROWS);
        return AN_OK;
    }
    if (diag->nerror)
        return AN_OK;
    p->row = calloc((size_t)rows->nchild, sizeof *p->row);
    AN_CHECK(p->row, AN_FAIL, "out of memory");
    for (; p->n < rows->nchild && !(p->n && diag->nerror); p->n++)
        read_row(p, path, root, rows->child[p->n], rows->nchild, diag);
    bool all = true;
    for (int k = 0; k < p->n; k++)
        all = all && p->cells_given[k];
    if (!diag->nerror && !all && !(p->cells > 0))
        input_fault(&r, &root->at, "'cells' is missing: of all rows together");
    return AN_OK;
}

int input_read_project(struct project *p, const char *path, struct an_diag *diag)
{
    struct an_node *root;
    *p = (struct project){0};
    int rc = input_tree(path, diag, &root);
    const struct an_node *rows =
        !rc && root && root->kind == AN_NODE_MAPPING ? an_node_child(root, "rows") : NULL;
    if (rows) {
        rc = read_rows(p, path, root, rows, diag);
    } else if (!rc && root) {
        p->row = calloc(1, sizeof *p->row);
        rc = p->row ? AN_OK : an_error_set(AN_FAIL, "out of memory");
        p->n = p->row != NULL;
        if (!rc)
            input_one(&p->row->in, path, root, diag);
    }
    an_node_destroy(root);
    AN_TRY(rc);
    return diag->nerror ? AN_INPUT : AN_OK;
}
