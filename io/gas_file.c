#include "io/gas_file.h"

#include "kernels/base/error.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FORMAT = 1, MOST_NODES = 1024 };

static const char *const names[AN_NTABLE] = {"e", "T", "s", "mu", "lambda"};

/* What a value of a gas can be, at the nodes of the fluid: energies and entropies have any zero. */
static const struct {
    double least, most;
} ranges[AN_NTABLE] = {{-1e9, 1e9}, {1, 1e5}, {-1e7, 1e7}, {1e-8, 0.1}, {1e-5, 1e3}};
#define LEAST_R 1 /* J/kg/K */
#define MOST_R  1e4

/* Extent of a dataset of the given rank; 0: there is none of it. */
static int extent_of(hid_t set, int rank, hsize_t n[3])
{
    const hid_t space = H5Dget_space(set);
    const int fits = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                     H5Sget_simple_extent_dims(space, n, NULL) == rank;
    if (space >= 0)
        H5Sclose(space);
    return fits;
}

/* Reads a dataset of exactly this extent; `like`: what has that extent, for the message. */
static int read_set(hid_t file, const char *path, const char *name, int rank, const hsize_t want[3],
                    const char *like, hid_t type, void *to)
{
    hsize_t n[3] = {0};
    AN_CHECK(H5Lexists(file, name, H5P_DEFAULT) > 0, AN_INPUT, "%s: '/%s' is missing", path, name);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    int fits = set >= 0 && extent_of(set, rank, n);
    for (int d = 0; d < rank && fits; d++)
        fits = n[d] == want[d];
    const int read = fits && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
    if (set >= 0)
        H5Dclose(set);
    AN_CHECK(fits, AN_INPUT, "%s: '/%s' has not the extent of %s", path, name, like);
    AN_CHECK(read, AN_INPUT, "%s: '/%s' cannot be read: the file is damaged", path, name);
    return AN_OK;
}

static int read_number(hid_t file, const char *name, double *x)
{
    if (H5Aexists(file, name) <= 0)
        return 0;
    const hid_t a = H5Aopen(file, name, H5P_DEFAULT);
    const hid_t space = a >= 0 ? H5Aget_space(a) : -1;
    const int good = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                     H5Aread(a, H5T_NATIVE_DOUBLE, x) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (a >= 0)
        H5Aclose(a);
    return good;
}

/* A text of fixed length; "" where there is none. */
static void read_text(hid_t file, const char *name, size_t size, char *to)
{
    memset(to, 0, size);
    if (H5Aexists(file, name) <= 0)
        return;
    const hid_t a = H5Aopen(file, name, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
    const hid_t stored = a >= 0 ? H5Aget_type(a) : -1;
    if (stored >= 0 && H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0 &&
        H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5Tget_cset(stored)) >= 0)
        H5Aread(a, type, to);
    to[size - 1] = '\0';
    for (char *c = to; *c; c++) /* one line of plain text for messages */
        *c = *c >= ' ' && *c < 127 ? *c : '?';
    if (stored >= 0)
        H5Tclose(stored);
    if (a >= 0)
        H5Aclose(a);
    H5Tclose(type);
}

/* Values of the file. */
struct content {
    double box[4], R, format;
    int n[2], transport;
    double *nodes;
    unsigned char *outside;
};

static int read_nodes(hid_t file, const char *path, struct content *c)
{
    hsize_t n[3] = {0};
    const hid_t e = H5Lexists(file, "e", H5P_DEFAULT) > 0 ? H5Dopen2(file, "e", H5P_DEFAULT) : -1;
    const int good = e >= 0 && extent_of(e, 3, n) && n[2] == 4;
    if (e >= 0)
        H5Dclose(e);
    AN_CHECK(good && n[0] >= 4 && n[1] >= 4 && n[0] <= MOST_NODES && n[1] <= MOST_NODES, AN_INPUT,
             "%s: '/e' must be an array of 4 to %d x 4 to %d x 4 numbers", path, MOST_NODES,
             MOST_NODES);
    c->n[0] = (int)n[1];
    c->n[1] = (int)n[0];
    const size_t count = (size_t)(n[0] * n[1]);
    c->nodes = calloc(AN_NTABLE * 4 * count, sizeof *c->nodes);
    c->outside = calloc(count, 1);
    AN_CHECK(c->nodes && c->outside, AN_FAIL, "out of memory for a gas table");
    for (int f = 0; f < AN_NTABLE; f++) {
        const int optional = f >= AN_TABLE_MU;
        if (optional && H5Lexists(file, names[f], H5P_DEFAULT) <= 0)
            continue;
        AN_TRY(read_set(file, path, names[f], 3, n, "'/e'", H5T_NATIVE_DOUBLE,
                        c->nodes + 4 * count * (size_t)f));
        c->transport += optional;
    }
    return read_set(file, path, "outside", 2, n, "'/e'", H5T_NATIVE_UCHAR, c->outside);
}

static int read_content(hid_t file, const char *path, struct content *c)
{
    const hsize_t four[3] = {4};
    AN_CHECK(read_number(file, "format", &c->format), AN_INPUT,
             "%s: no gas table; tools/gas_table makes them", path);
    AN_CHECK(c->format == FORMAT, AN_INPUT, "%s: format %g of gas tables; this program reads %d",
             path, c->format, FORMAT);
    AN_CHECK(read_number(file, "R", &c->R), AN_INPUT, "%s: attribute 'R' is missing", path);
    AN_TRY(read_set(file, path, "box", 1, four, "four numbers", H5T_NATIVE_DOUBLE, c->box));
    AN_TRY(read_nodes(file, path, c));
    AN_CHECK(c->transport != 1, AN_INPUT, "%s: '/mu' and '/lambda' must both be there, or neither",
             path);
    return AN_OK;
}

static uint64_t checksum_of(const struct content *c)
{
    const size_t count = (size_t)c->n[0] * (size_t)c->n[1];
    XXH64_state_t *state = XXH64_createState();
    if (!state)
        return 0;
    XXH64_reset(state, 0);
    XXH64_update(state, c->n, sizeof c->n);
    XXH64_update(state, c->box, sizeof c->box);
    XXH64_update(state, &c->R, sizeof c->R);
    XXH64_update(state, c->nodes, AN_NTABLE * 4 * count * sizeof *c->nodes);
    XXH64_update(state, c->outside, count);
    const uint64_t hash = XXH64_digest(state);
    XXH64_freeState(state);
    return hash;
}

/* A file without a checksum is older than these. */
static int check_sum(hid_t file, const char *path, uint64_t sum)
{
    char text[40], mine[40];
    if (H5Aexists(file, "checksum") <= 0)
        return AN_OK;
    read_text(file, "checksum", sizeof text, text);
    snprintf(mine, sizeof mine, "%016llx", (unsigned long long)sum);
    AN_CHECK(strcmp(text, mine) == 0, AN_INPUT,
             "%s: the file states the checksum %s, its numbers have %s: the file is damaged; make "
             "the table again",
             path, text, mine);
    return AN_OK;
}

/* Refuses value v of a field at node m of the box, which is no number, or not from least to most. */
static int judge(const char *path, const struct content *c, size_t m, const char *what, double v,
                 double least, double most)
{
    const double x = c->box[0] + c->box[1] * (double)(m % (size_t)c->n[0]),
                 y = c->box[2] + c->box[3] * (double)(m / (size_t)c->n[0]);
    AN_CHECK(v >= least && v <= most, AN_INPUT,
             "%s: %s is %.6g at %.6g Pa, %.6g kg/m3, must be from %g to %g", path, what, v, exp(x),
             exp(x - y), least, most);
    return AN_OK;
}

/* What holds for every equation of state at a node of the fluid:
 *
 *     T ds = de + p d(1 / rho):   T s_X = e_X - P,  T s_Y = e_Y + P
 */
static int judge_state(const char *path, const struct content *c, size_t m)
{
    const size_t count = (size_t)c->n[0] * (size_t)c->n[1];
    const double *e = c->nodes + 4 * m, *T = e + 4 * count, *s = T + 4 * count;
    const double P = exp(c->box[2] + c->box[3] * (double)(m / (size_t)c->n[0]));
    AN_TRY(judge(path, c, m, "p / (rho R T)", P / (c->R * T[0]), 0.05, 5));
    AN_TRY(judge(path, c, m, "(T ds - de - p d(1/rho)) / (p / rho) along ln p",
                 (T[0] * s[1] - e[1] + P) / P, -0.01, 0.01));
    return judge(path, c, m, "(T ds - de - p d(1/rho)) / (p / rho) along ln(p / rho)",
                 (T[0] * s[2] - e[2] - P) / P, -0.01, 0.01);
}

/* Does field f go from node m to node o, one spacing h away in direction d (1: X, 2: Y), as its slopes say? */
static int judge_step(const char *path, const struct content *c, int f, size_t m, size_t o, int d)
{
    const size_t count = (size_t)c->n[0] * (size_t)c->n[1];
    const double *a = c->nodes + 4 * (count * (size_t)f + m),
                 *b = c->nodes + 4 * (count * (size_t)f + o), h = c->box[2 * d - 1];
    const double by_slopes = 0.5 * h * (a[d] + b[d]),
                 slack = 0.3 * h * (fabs(a[d]) + fabs(b[d])) +
                         0.02 * (f == AN_TABLE_E || f == AN_TABLE_S ? 0 : fabs(a[0]));
    char what[80];
    snprintf(what, sizeof what, "the step of '/%s' to the next node less that of its slopes",
             names[f]);
    const double scale = f == AN_TABLE_S   ? 0.02 * c->R
                         : f == AN_TABLE_E ? 0.02 * fabs(h) * exp(c->box[2])
                                           : 0;
    return judge(path, c, m, what, b[0] - a[0] - by_slopes, -slack - scale, slack + scale);
}

/* The gas constant is that of the states: p / (rho T) where p goes to zero, by the slope of T along ln p at the
 * thinnest, hottest node. */
static int judge_constant(const char *path, const struct content *c)
{
    const size_t count = (size_t)c->n[0] * (size_t)c->n[1], m = count - (size_t)c->n[0];
    const double *T = c->nodes + 4 * (count + m);
    const double P = exp(c->box[2] + c->box[3] * (c->n[1] - 1)), bend = T[1] / T[0];
    const double R = P / T[0] * (1 + bend), off = R / c->R - 1;
    AN_CHECK(
        fabs(off) < 0.02 + 3 * bend * bend, AN_INPUT,
        "%s: the gas constant R is %g J/kg/K, but the states of the table have %g: R of another "
        "gas?",
        path, c->R, R);
    return AN_OK;
}

/* Ranges of all fields: at every node what is used beyond the fluid, too; of the fluid's nodes the rest. */
static int check_values(const char *path, const struct content *c)
{
    const size_t nx = (size_t)c->n[0], count = nx * (size_t)c->n[1];
    const int fields = c->transport ? AN_NTABLE : AN_TABLE_MU;
    AN_CHECK(c->R >= LEAST_R && c->R <= MOST_R, AN_INPUT,
             "%s: the gas constant R is %g J/kg/K, must be from %g to %g", path, c->R,
             (double)LEAST_R, MOST_R);
    for (int d = 0; d < 4; d++)
        AN_CHECK(fabs(c->box[d]) < 50 && (d % 2 == 0 || c->box[d] > 0), AN_INPUT,
                 "%s: number %d of '/box' is %g", path, d + 1, c->box[d]);
    for (size_t m = 0; m < count; m++) {
        AN_CHECK(c->outside[m] <= 1, AN_INPUT, "%s: '/outside' has the value %d, must be 0 or 1",
                 path, c->outside[m]);
        for (int f = 0; f < fields; f++) {
            const double v = c->nodes[4 * (count * (size_t)f + m)];
            char name[20];
            snprintf(name, sizeof name, "'/%s'", names[f]);
            AN_TRY(judge(path, c, m, name, v, ranges[f].least, ranges[f].most));
        }
    }
    for (size_t m = 0; m < count; m++) {
        if (c->outside[m])
            continue;
        AN_TRY(judge_state(path, c, m));
        for (int f = 0; f < fields; f++) {
            if (m % nx + 1 < nx && !c->outside[m + 1])
                AN_TRY(judge_step(path, c, f, m, m + 1, 1));
            if (m + nx < count && !c->outside[m + nx])
                AN_TRY(judge_step(path, c, f, m, m + nx, 2));
        }
    }
    return judge_constant(path, c);
}

int an_gas_file_read(const char *path, struct an_gas_table **table)
{
    struct content c = {.R = 0};
    H5E_auto2_t print;
    void *data;
    *table = NULL;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* messages are this program's own */
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int status = file >= 0 ? read_content(file, path, &c)
                           : an_error_set(AN_INPUT, "%s cannot be read as an HDF5 file", path);
    const uint64_t sum = status == AN_OK ? checksum_of(&c) : 0;
    if (status == AN_OK)
        status = check_sum(file, path, sum);
    if (status == AN_OK)
        status = check_values(path, &c);
    if (status == AN_OK) {
        const double low[2] = {c.box[0], c.box[2]}, step[2] = {c.box[1], c.box[3]};
        status = an_gas_table_new(c.n, low, step, c.R, c.nodes, c.outside, table);
        if (status == AN_OK) {
            (*table)->transport = c.transport == 2;
            (*table)->checksum = sum;
            read_text(file, "fluid", sizeof(*table)->fluid, (*table)->fluid);
            read_text(file, "source", sizeof(*table)->source, (*table)->source);
        }
    }
    if (file >= 0)
        H5Fclose(file);
    H5Eset_auto2(H5E_DEFAULT, print, data);
    free(c.nodes);
    free(c.outside);
    return status;
}
