#include "io/adjoint_report.h"

#include <jansson.h>
#include <math.h>

#include "io/atomic.h"

/* JSON has no NaN and no infinity. */
static json_t *number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

/* One number, or a list. */
static json_t *numbers(int n, const double *v)
{
    if (n == 1)
        return number(v[0]);
    json_t *j = json_array();
    for (int m = 0; m < n; m++)
        json_array_append_new(j, number(v[m]));
    return j;
}

static json_t *figure_json(const struct an_adjoint_report *r, int f)
{
    json_t *j = json_object(), *gradient = json_object();
    json_object_set_new(j, "value", number(r->value[f]));
    json_object_set_new(j, "left", number(r->left[f]));
    for (int k = 0; k < r->nkey; k++)
        json_object_set_new(gradient, r->key[k].name,
                            numbers(r->key[k].n, r->key[k].gradient + f * r->key[k].n));
    json_object_set_new(j, "gradient", gradient);
    return j;
}

static json_t *report_json(const struct an_adjoint_report *r)
{
    json_t *j = json_object(), *figures = json_object(), *keys = json_object();
    for (int f = 0; f < r->nfigure; f++)
        json_object_set_new(figures, r->figure[f], figure_json(r, f));
    for (int k = 0; k < r->nkey; k++)
        json_object_set_new(keys, r->key[k].name, numbers(r->key[k].n, r->key[k].value));
    json_object_set_new(j, "version", json_string(r->version));
    json_object_set_new(j, "snapshot", json_string(r->snapshot));
    json_object_set_new(j, "figures", figures);
    json_object_set_new(j, "keys", keys);
    json_object_set_new(j, "cells", json_integer(r->cells));
    json_object_set_new(j, "residual_of_snapshot", number(r->residual_first));
    json_object_set_new(j, "residual", number(r->residual_last));
    json_object_set_new(j, "newton_steps", json_integer(r->newton_steps));
    json_object_set_new(j, "evaluations", json_integer(r->evaluations));
    json_object_set_new(j, "gmres_iterations", json_integer(r->iterations));
    json_object_set_new(j, "adjoint_residual", number(r->adjoint_residual));
    json_object_set_new(j, "matrix_check", number(r->matrix_check));
    json_object_set_new(j, "linearise_s", number(r->linearise_s));
    json_object_set_new(j, "factor_s", number(r->factor_s));
    json_object_set_new(j, "solve_s", number(r->solve_s));
    json_object_set_new(j, "nodes_s", number(r->nodes_s));
    json_object_set_new(j, "bytes", number(r->bytes));
    return j;
}

int an_adjoint_report_write(const char *path, const struct an_adjoint_report *r)
{
    struct an_atomic a;
    AN_TRY(an_atomic_begin(path, &a));
    json_t *j = report_json(r);
    const int good = j && json_dumpf(j, a.f, JSON_INDENT(1)) == 0 && fputc('\n', a.f) != EOF;
    json_decref(j);
    if (!good)
        an_atomic_abort(&a);
    AN_CHECK(good, AN_FAIL, "%s cannot be written", path);
    return an_atomic_commit(&a);
}
