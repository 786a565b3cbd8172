/* mesh_duct: a sector of an annular duct, one zone, periodic by rotation.
 *
 *         r   casing ___________________
 *         |  inlet  |                   |  outlet      i along x, j from hub to casing, k around
 *         |         |___________________|
 *         |   hub                          radii may change from inlet to outlet, by a half cosine,
 *                                          between two straight pieces
 */
#include "io/mesh_write.h"
#include "io/output_file.h"

#include <argp.h>
#include <cgnslib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

const char *argp_program_version = "mesh_duct 1";
static const char doc[] =
    "A sector of an annular duct: one zone, boundaries inlet, outlet, hub, casing, periodic by "
    "rotation about x. Exit codes: 0 done, 1 the machine failed, 2 bad input.";
static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "CGNS file to write", 0},
    {"hub", 'u', "R[,R]", 0, "m: radius of the hub at inlet and outlet (0.5)", 0},
    {"casing", 'c', "R[,R]", 0, "m: of the casing (1)", 0},
    {"length", 'l', "L", 0, "m: of the part where the radii change (0.5)", 0},
    {"straight", 't', "L[,L]", 0, "m: straight pieces ahead of that part and behind it (0)", 0},
    {"first", 'f', "H", 0,
     "m: height of the first cells at hub and casing at the inlet; cells grow from there by one "
     "ratio",
     0},
    {"sectors", 's', "N", 0, "pieces of the annulus: the mesh is one (60)", 0},
    {"cells", 'n', "I,J,K", 0, "along, across, around (32,32,2)", 0},
    {0, 0, 0, 0, 0, 0}};

enum { MOST = 1000000 }; /* cells in a direction, sectors */

struct duct {
    const char *output;
    double hub[2], casing[2], length, straight[2], first;
    int sectors, n[3];
};

/* One to `most` numbers with commas between; those left out are the last given. */
static void numbers(struct argp_state *state, const char *arg, int most, double *x)
{
    const char *at = arg;
    for (int n = 0; n < most; n++) {
        char *end;
        x[n] = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !isfinite(x[n]) || !(x[n] > 0))
            argp_error(state, "'%s': expected numbers above 0 with commas between", arg);
        if (!*end) {
            for (n++; n < most; n++)
                x[n] = x[n - 1];
            return;
        }
        at = end + 1;
    }
    argp_error(state, "'%s': at most %d numbers", arg, most);
}

static void counts(struct argp_state *state, const char *arg, int most, int *n)
{
    double x[3] = {0};
    numbers(state, arg, most, x);
    for (int a = 0; a < most; a++) {
        if (x[a] > MOST || x[a] != floor(x[a]))
            argp_error(state, "'%s': expected whole numbers up to %d", arg, MOST);
        n[a] = (int)x[a];
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct duct *d = state->input;
    switch (key) {
    case 'o':
        d->output = arg;
        return 0;
    case 'u':
        numbers(state, arg, 2, d->hub);
        return 0;
    case 'c':
        numbers(state, arg, 2, d->casing);
        return 0;
    case 'l':
        numbers(state, arg, 1, &d->length);
        return 0;
    case 't':
        numbers(state, arg, 2, d->straight);
        return 0;
    case 'f':
        numbers(state, arg, 1, &d->first);
        return 0;
    case 's':
        counts(state, arg, 1, &d->sectors);
        return 0;
    case 'n':
        counts(state, arg, 3, d->n);
        return 0;
    case ARGP_KEY_END:
        if (!d->output)
            argp_error(state, "give --output FILE");
        if (d->sectors < 3 || d->n[0] < 2 || d->n[1] < 2 || d->n[2] < 2)
            argp_error(state, "at least 3 sectors and 2 cells in every direction");
        for (int end = 0; end < 2; end++)
            if (!(d->hub[end] < d->casing[end]))
                argp_error(state, "the hub has to lie below the casing");
        if (d->first > 0 && (d->n[1] % 2 || !(d->first * d->n[1] < d->casing[0] - d->hub[0])))
            argp_error(state,
                       "--first=%g: expected less than the height of %d equal cells, and an "
                       "even number of cells",
                       d->first, d->n[1]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Ratio of neighbouring cells of which n, the first `first` high, make a half of the height. */
static double growth(double first, double half, int n)
{
    double low = 1, high = 10;
    for (int sweep = 0; sweep < 200; sweep++) {
        const double mid = 0.5 * (low + high);
        double sum = 0, cell = first;
        for (int j = 0; j < n; j++, cell *= mid)
            sum += cell;
        *(sum < half ? &low : &high) = mid;
    }
    return low;
}

/* Fraction of the height at node j of cells that grow from hub and casing. */
static double height_at(const struct duct *d, double ratio, int j)
{
    const int half = d->n[1] / 2, from = j < half ? j : d->n[1] - j;
    const double part = 0.5 * (pow(ratio, from) - 1) / (pow(ratio, half) - 1);
    return j < half ? part : 1 - part;
}

/* Distance from the inlet over the length of the part where the radii change; below 0 and above 1 in
 * the straight pieces. */
static double place(const struct duct *d, int i)
{
    const double along = (double)i / d->n[0], more = d->straight[0] + d->straight[1];
    return more > 0 ? ((d->length + more) * along - d->straight[0]) / d->length : along;
}

static double *nodes(const struct duct *d)
{
    const int *n = d->n;
    const size_t all = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
    double *x = calloc(all, 3 * sizeof *x); /* which sees an overflow */
    const double height = d->casing[0] - d->hub[0];
    const double ratio = d->first > 0 ? growth(d->first, 0.5 * height, d->n[1] / 2) : 1;
    size_t at = 0;
    for (int k = 0; x && k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = 0; i <= n[0]; i++, at++) {
                const double along = place(d, i);
                const double part = 0.5 - 0.5 * cos(PI * fmin(fmax(along, 0), 1));
                const double hub = d->hub[0] + part * (d->hub[1] - d->hub[0]);
                const double casing = d->casing[0] + part * (d->casing[1] - d->casing[0]);
                const double r = d->first > 0 ? hub + (casing - hub) * height_at(d, ratio, j)
                                              : hub + (casing - hub) * j / n[1];
                const double angle = 2 * PI / d->sectors * ((double)k / n[2] - 0.5);
                x[at] = d->length * along;
                x[all + at] = r * cos(angle);
                x[2 * all + at] = r * sin(angle);
            }
    return x;
}

static struct an_window face(const struct duct *d, int dir, int side)
{
    struct an_window w = {.block = 0, .dir = dir, .side = side};
    for (int a = 0; a < 3; a++)
        w.hi[a] = a == dir ? 0 : d->n[a];
    return w;
}

/* From kmin (side 0) to kmax, or back. */
static struct an_interface around(const struct duct *d, int side)
{
    const double angle = (side ? 1 : -1) * 2 * PI / d->sectors, co = cos(angle), si = sin(angle);
    const double r[9] = {1, 0, 0, 0, co, -si, 0, si, co};
    struct an_interface f = {.window = face(d, 2, side),
                             .donor = 0,
                             .donor_dir = 2,
                             .donor_side = !side,
                             .map = {{0, 1, 2}, {1, 1, 1}, {0, 0, side ? -d->n[2] : d->n[2]}},
                             .periodic = 2,
                             .partner = !side};
    memcpy(f.rotation, r, sizeof r);
    snprintf(f.name, sizeof f.name, "around%d", side);
    return f;
}

static int write_duct(const struct duct *d)
{
    struct an_zone zone = {.name = "duct", .n = {d->n[0], d->n[1], d->n[2]}};
    struct an_boundary boundary[4] = {{.name = "inlet", .type = AN_BC_INLET_TOTAL},
                                      {.name = "outlet", .type = AN_BC_OUTLET_STATIC},
                                      {.name = "hub", .type = AN_BC_WALL_SLIP},
                                      {.name = "casing", .type = AN_BC_WALL_SLIP}};
    struct an_patch patch[4];
    struct an_interface interface[2] = {around(d, 0), around(d, 1)};
    for (int p = 0; p < 4; p++)
        patch[p] = (struct an_patch){face(d, p / 2, p % 2), p};
    const struct an_topology t = {.nblock = 1,
                                  .ninterface = 2,
                                  .npatch = 4,
                                  .nboundary = 4,
                                  .block = &zone,
                                  .interface = interface,
                                  .patch = patch,
                                  .boundary = boundary};
    double *x = nodes(d);
    int fn;
    AN_CHECK(x, AN_FAIL, "out of memory for the nodes");
    int status = an_mesh_write_new(d->output, &fn);
    if (status == AN_OK) {
        status = an_mesh_write_families(fn, AN_MESH_GAS, &t);
        if (status == AN_OK)
            status = an_mesh_write_zone(fn, AN_MESH_GAS, &t, 0, x);
        status = an_mesh_write_end(d->output, fn, status);
    }
    free(x);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp parser = {options, parse, "", doc, NULL, NULL, NULL};
    struct duct d = {
        .hub = {0.5, 0.5}, .casing = {1, 1}, .length = 0.5, .sectors = 60, .n = {32, 32, 2}};
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, &d);
    const int status = write_duct(&d);
    if (status != AN_OK)
        fprintf(stderr, "mesh_duct: %s\n", an_error_text());
    if (status == AN_FAIL)
        an_leave_at_once(1);
    return status == AN_OK ? 0 : status == AN_INPUT ? 2 : 1;
}
