#define _GNU_SOURCE
#include "solver/adjoint/inputs.h"

#include "io/case_list.h"
#include "io/temporary.h"
#include "mpi/reduce.h"
#include "solver/march/march.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

void an_adjoint_inputs_free(struct an_adjoint_inputs *g)
{
    for (int n = 0; n < g->n; n++)
        free(g->input[n].gradient);
    free(g->input);
    memset(g, 0, sizeof *g);
}

/* Reads "3.5" or "[1, 0, 0]"; 0: not numbers. */
static int read_numbers(const char *text, double value[AN_MOST_VALUES])
{
    const int list = *text == '[';
    int n = 0;
    for (const char *at = text + list; n < AN_MOST_VALUES;) {
        char *end;
        value[n++] = strtod(at, &end);
        if (end == at)
            return 0;
        at = end + (*end == ',');
        if (*end != ',')
            return !strcmp(end, list ? "]" : "") ? n : 0;
    }
    return 0;
}

/* Is a key asked for where none are named? Those that are 0, as the heat flux of an adiabatic wall, are not, but for
 * rotations. */
static int is_usual(const char *key, int n, const double *value)
{
    static const char *const name[] = {"p0",    "T0",        "direction",          "p",
                                       "T",     "mach",      "velocity",           "heat_flux",
                                       "omega", "mass_flow", "throttle_mass_flow", "throttle_p"};
    const char *last = strrchr(key, '.');
    double most = 0;
    int found = 0;
    for (size_t m = 0; m < sizeof name / sizeof *name; m++)
        found |= last && !strcmp(last + 1, name[m]);
    for (int v = 0; v < n; v++)
        most = fmax(most, fabs(value[v]));
    if (!strncmp(key, "rows.", 5))
        return found;
    return found && !strncmp(key, "boundaries.", 11) && most > 0;
}

static int add(struct an_adjoint_inputs *g, const char *key, const char *text, int nfigure)
{
    struct an_adjoint_input *grown = realloc(g->input, ((size_t)g->n + 1) * sizeof *grown);
    AN_CHECK(grown, AN_FAIL, "out of memory for gradients");
    g->input = grown;
    struct an_adjoint_input *i = &grown[g->n];
    memset(i, 0, sizeof *i);
    snprintf(i->key, sizeof i->key, "%s", key);
    i->n = read_numbers(text, i->value);
    i->gradient = calloc((size_t)nfigure * AN_MOST_VALUES, sizeof *i->gradient);
    AN_CHECK(i->gradient, AN_FAIL, "out of memory for gradients");
    g->n++;
    return AN_OK;
}

static int is_wanted(const char *key, const char *text, int nkey, const char *const *wanted)
{
    double value[AN_MOST_VALUES];
    const int n = read_numbers(text, value);
    if (!nkey)
        return n > 0 && is_usual(key, n, value);
    for (int k = 0; k < nkey; k++)
        if (n > 0 && !strcmp(wanted[k], key))
            return 1;
    return 0;
}

/* Keys of the way to the settled flow, which the flow itself does not depend on. */
static int is_of_march(const char *key)
{
    return !strncmp(key, "march.", 6) || !strncmp(key, "multigrid.", 10);
}

/* Does the key end like a word of the user, but for capitals? */
static int ends_like(const char *key, const char *word)
{
    const size_t n = strlen(key), m = strlen(word);
    return m <= n && !strcasecmp(key + n - m, word) && (m == n || key[n - m - 1] == '.');
}

/* Says why a key has no gradient, with the key that its word may stand for. */
static int refuse_key(const struct an_adjoint *a, const char *key)
{
    char *text = an_case_list(a->s->c), *rest = NULL;
    const char *near = NULL;
    double value[AN_MOST_VALUES];
    AN_CHECK(!is_of_march(key), AN_INPUT,
             "'%s' is a key of the march: a settled flow does not depend on it", key);
    AN_CHECK(text, AN_FAIL, "out of memory for the keys of the case");
    for (char *line = strtok_r(text, "\n", &rest); line && !near;
         line = strtok_r(NULL, "\n", &rest)) {
        char *colon = strstr(line, ": ");
        if (!colon)
            continue;
        *colon = '\0';
        near = ends_like(line, key) && read_numbers(colon + 2, value) ? line : NULL;
    }
    an_error_set(AN_INPUT,
                 "'%s' is not a key of this case whose value is a number or a list of numbers and "
                 "changes the flow%s%s%s",
                 key, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    free(text);
    return AN_INPUT;
}

/* The keys of the case, and their values. */
static int list_keys(const struct an_adjoint *a, int nkey, const char *const *wanted,
                     struct an_adjoint_inputs *g)
{
    char *text = an_case_list(a->s->c), *rest = NULL;
    AN_CHECK(text, AN_FAIL, "out of memory for the keys of the case");
    int status = AN_OK;
    for (char *line = strtok_r(text, "\n", &rest); line && status == AN_OK;
         line = strtok_r(NULL, "\n", &rest)) {
        char *value = strstr(line, ": ");
        if (!value)
            continue;
        *value = '\0';
        if (is_wanted(line, value + 2, nkey, wanted))
            status = add(g, line, value + 2, a->nfigure);
    }
    free(text);
    for (int k = 0; k < nkey && status == AN_OK; k++) {
        int found = 0;
        for (int n = 0; n < g->n; n++)
            found |= !strcmp(g->input[n].key, wanted[k]);
        if (!found || is_of_march(wanted[k]))
            status = refuse_key(a, wanted[k]);
    }
    return status;
}

/* The case of the solver, with all keys, under a temporary name in its output folder; each rank has a file of its own. */
static int write_case(const struct an_adjoint *a, char *temporary)
{
    char path[AN_PATH + 16];
    int fd;
    snprintf(path, sizeof path, "%s/adjoint.yaml", a->s->c->output.folder);
    AN_TRY(an_temporary_make(path, temporary, &fd));
    FILE *f = fdopen(fd, "w");
    if (f)
        an_case_echo(a->s->c, f);
    const int good = f && !ferror(f);
    if (f ? fclose(f) == 0 && good : 0)
        return AN_OK;
    unlink(temporary);
    return an_error_set(AN_FAIL, "%s cannot be written", path);
}

/* The case with one key changed. c is the caller's to free. */
static int read_changed(const char *file, const struct an_adjoint_input *i, char *setting,
                        struct an_case *c)
{
    struct an_diag diag;
    int zero = 1;
    for (int v = 0; v < i->n; v++)
        zero = zero && i->value[v] == 0;
    an_diag_init(&diag);
    int status = an_case_read(file, 1, &setting, c, &diag);
    if (status != AN_OK)
        status = an_error_set(
            AN_INPUT, "no gradient by %s%s: with a small change the case would be refused: %s",
            i->key, zero ? ", which is 0, or not set in this case" : "",
            diag.nline ? diag.line[0] : setting);
    an_diag_free(&diag);
    return status;
}

/* Residual and figures of the state in a case with one key changed. */
static int evaluate(const struct an_adjoint *a, const char *file, const struct an_adjoint_input *i,
                    char *setting, double *r, double *figure)
{
    struct an_case c;
    struct an_solver *s = NULL;
    struct an_adjoint_residual residual = {0};
    AN_TRY(an_reduce_status(a->s->comm, read_changed(file, i, setting, &c)));
    c.multigrid.levels = 1; /* residual and figures are those of the finest level */
    c.multigrid.across = 0; /* of the march, and only with coarser levels */
    int status = an_solver_new_like(a->s->comm, &c, a->s->mesh, a->s->engine, a->s, &s);
    if (status == AN_OK)
        status = an_adjoint_residual_like(s, &a->residual, &residual);
    if (status == AN_OK)
        status = an_adjoint_evaluate(&residual, a->q, r, NULL);
    for (int f = 0; f < a->nfigure && status == AN_OK; f++)
        figure[f] = an_figure_value(s, &a->figure[f]);
    an_adjoint_residual_free(&residual);
    an_solver_destroy(s);
    an_case_free(&c);
    return status;
}

/* "key=value", or "key=[...]", with number v moved by `step`; returns what it became. */
static double move(const struct an_adjoint_input *i, int v, double step, char *text, size_t size)
{
    const double moved = i->value[v] + step;
    size_t used = (size_t)snprintf(text, size, "%s=%s", i->key, i->n > 1 ? "[" : "");
    for (int m = 0; m < i->n && used < size; m++)
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", m ? ", " : "",
                                 m == v ? moved : i->value[m]);
    if (i->n > 1 && used < size)
        snprintf(text + used, size - used, "]");
    return moved;
}

static double step_of(const struct an_adjoint_input *i)
{
    double size = 0;
    for (int m = 0; m < i->n; m++)
        size = fmax(size, fabs(i->value[m]));
    return size > 0 ? 1e-6 * size : 1e-3;
}

/* Would the cases with changed keys be refused? Asked before all work. */
static int try_changes(const char *file, const struct an_adjoint_input *i)
{
    char text[512];
    for (int v = 0; v < 2 * i->n; v++) {
        struct an_case c;
        move(i, v / 2, v % 2 ? step_of(i) : -step_of(i), text, sizeof text);
        AN_TRY(read_changed(file, i, text, &c));
        an_case_free(&c);
    }
    return AN_OK;
}

static int find_gradient(const struct an_adjoint *a, const char *file, int v,
                         struct an_adjoint_input *i, double *room)
{
    const int64_t n = a->residual.rows * a->nv;
    double *r[2] = {room, room + n}, *figure[2] = {room + 2 * n, room + 2 * n + a->nfigure};
    double at[2];
    char text[512];
    const double step = step_of(i);
    for (int d = 0; d < 2; d++) {
        at[d] = move(i, v, d ? step : -step, text, sizeof text);
        AN_TRY(evaluate(a, file, i, text, r[d], figure[d]));
    }
    for (int64_t m = 0; m < n; m++)
        r[1][m] = (r[1][m] - r[0][m]) / a->residual.unit_r[m % a->nv];
    for (int f = 0; f < a->nfigure; f++) {
        double product;
        AN_TRY(an_block_product_of(&a->jacobian, a->lambda + f * n, r[1], &product));
        i->gradient[f * i->n + v] = (figure[1][f] - figure[0][f] - product) / (at[1] - at[0]);
    }
    return AN_OK;
}

int an_adjoint_inputs_new(const struct an_adjoint *a, int nkey, const char *const *key,
                          struct an_adjoint_inputs *g)
{
    char file[AN_TEMPORARY];
    memset(g, 0, sizeof *g);
    AN_TRY(an_reduce_status(a->s->comm, list_keys(a, nkey, key, g)));
    int status = write_case(a, file);
    AN_TRY(an_reduce_status(a->s->comm, status));
    for (int k = 0; k < g->n && status == AN_OK; k++)
        status = try_changes(file, &g->input[k]);
    unlink(file);
    return an_reduce_status(a->s->comm, status);
}

int an_adjoint_inputs_gradients(const struct an_adjoint *a, struct an_adjoint_inputs *g)
{
    const size_t n = (size_t)(a->residual.rows * a->nv) + 1;
    char file[AN_TEMPORARY];
    double *room = malloc((2 * n + 2 * (size_t)a->nfigure) * sizeof *room);
    int status = room ? write_case(a, file) : an_error_set(AN_FAIL, "out of memory for gradients");
    const int written = status == AN_OK;
    status = an_reduce_status(a->s->comm, status);
    for (int k = 0; k < g->n; k++)
        for (int v = 0; v < g->input[k].n && status == AN_OK; v++)
            status = find_gradient(a, file, v, &g->input[k], room);
    if (written)
        unlink(file);
    free(room);
    return status;
}
