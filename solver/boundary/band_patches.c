#include "solver/boundary/band_patches.h"

#include "kernels/base/numbers.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void an_band_patches_free(struct an_band_patches *p)
{
    for (int n = 0; n < p->n; n++) {
        free(p->patch[n].x);
        free(p->patch[n].fraction);
        free(p->patch[n].band);
    }
    free(p->patch);
}

static void node_of(const struct an_band_patch *p, int a, int b, double x[3])
{
    const int64_t wide = p->na + 1, all = wide * (p->nb + 1), at = b * wide + a;
    for (int c = 0; c < 3; c++)
        x[c] = p->x[c * all + at];
}

static double fraction_at(const struct an_band_patch *p, int a, int b)
{
    return p->fraction[(int64_t)b * (p->na + 1) + a];
}

void an_band_patch_centre(const struct an_band_patch *p, int a, int b, double x[3])
{
    double q[4][3];
    for (int n = 0; n < 4; n++)
        node_of(p, a + n % 2, b + n / 2, q[n]);
    for (int c = 0; c < 3; c++)
        x[c] = 0.25 * ((q[0][c] + q[1][c]) + (q[2][c] + q[3][c]));
}

double an_band_patch_area(const struct an_band_patch *p, int a, int b, double s[3])
{
    double q[4][3];
    for (int n = 0; n < 4; n++)
        node_of(p, a + n % 2, b + n / 2, q[n]);
    for (int c = 0; c < 3; c++) {
        const int y = (c + 1) % 3, z = (c + 2) % 3;
        s[c] = 0.5 * ((q[3][y] - q[0][y]) * (q[2][z] - q[1][z]) -
                      (q[3][z] - q[0][z]) * (q[2][y] - q[1][y]));
    }
    return an_length(s);
}

static int list_patches(const struct an_solver *s, const int *group, struct an_band_patches *list)
{
    const struct an_topology *t = &s->mesh->topology;
    list->patch = calloc((size_t)t->npatch + 1, sizeof *list->patch);
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    int status = list->patch && sectors ? an_solver_sectors(s->c, t, sectors)
                                        : an_error_set(AN_FAIL, "out of memory for span bands");
    for (int n = 0; n < t->npatch && status == AN_OK; n++) {
        if (group[t->patch[n].boundary] < 0)
            continue;
        struct an_band_patch *p = &list->patch[list->n++];
        p->window = t->patch[n].window;
        p->group = group[t->patch[n].boundary];
        p->sectors = sectors[p->window.block];
        const int da = (p->window.dir + 1) % 3, db = (p->window.dir + 2) % 3;
        p->na = p->window.hi[da] - p->window.lo[da];
        p->nb = p->window.hi[db] - p->window.lo[db];
        const size_t nodes = (size_t)(p->na + 1) * (size_t)(p->nb + 1);
        p->fraction = malloc(nodes * sizeof *p->fraction);
        p->band = malloc(nodes * sizeof *p->band);
        status = p->fraction && p->band ? an_patch_nodes(s->mesh, &p->window, &p->x)
                                        : an_error_set(AN_FAIL, "out of memory for span bands");
    }
    free(sectors);
    return status;
}

/* The name of a boundary of a group, for messages. */
static const char *name_of(const struct an_solver *s, const int *group, int g)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int b = 0; b < t->nboundary; b++)
        if (group[b] == g)
            return t->boundary[b].name;
    return "?";
}

double an_band_fraction(const struct an_band_group *g, const double x[3])
{
    const double dx = g->casing[0] - g->hub[0], dr = g->casing[1] - g->hub[1];
    const double r = sqrt(x[1] * x[1] + x[2] * x[2]);
    return ((x[0] - g->hub[0]) * dx + (r - g->hub[1]) * dr) / (dx * dx + dr * dr);
}

/* Ends of the span of a group: its nodes of least and greatest radius, or x where that spreads
 * wider; then the fractions of its nodes. */
static int find_span(const struct an_solver *s, const int *group, int g,
                     struct an_band_patches *list, struct an_band_group *to)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY}, at[2][2][2];
    memset(at, 0, sizeof at);
    for (int n = 0; n < list->n; n++) {
        const struct an_band_patch *p = &list->patch[n];
        for (int b = 0; p->group == g && b <= p->nb; b++)
            for (int a = 0; a <= p->na; a++) {
                double x[3];
                node_of(p, a, b, x);
                const double q[2] = {x[0], sqrt(x[1] * x[1] + x[2] * x[2])};
                for (int c = 0; c < 2; c++) {
                    if (q[c] < least[c]) {
                        least[c] = q[c];
                        memcpy(at[c][0], q, sizeof q);
                    }
                    if (q[c] > most[c]) {
                        most[c] = q[c];
                        memcpy(at[c][1], q, sizeof q);
                    }
                }
            }
    }
    const int c = most[1] - least[1] >= most[0] - least[0];
    memcpy(to->hub, at[c][0], sizeof to->hub);
    memcpy(to->casing, at[c][1], sizeof to->casing);
    AN_CHECK(most[c] > least[c], AN_INPUT,
             "boundary '%s' has no span: bands run from hub to casing", name_of(s, group, g));
    for (int n = 0; n < list->n; n++) {
        struct an_band_patch *p = &list->patch[n];
        for (int b = 0; p->group == g && b <= p->nb; b++)
            for (int a = 0; a <= p->na; a++) {
                double x[3];
                node_of(p, a, b, x);
                p->fraction[(int64_t)b * (p->na + 1) + a] = an_band_fraction(to, x);
            }
    }
    return AN_OK;
}

/* Along which of its directions the span of a patch runs. */
static int span_direction(const struct an_band_patch *p)
{
    double along[2] = {0, 0};
    for (int b = 0; b < p->nb; b++)
        for (int a = 0; a < p->na; a++) {
            along[0] += fabs(fraction_at(p, a + 1, b) - fraction_at(p, a, b)) * p->na;
            along[1] += fabs(fraction_at(p, a, b + 1) - fraction_at(p, a, b)) * p->nb;
        }
    return along[1] > along[0];
}

static int layers(const struct an_band_patch *p)
{
    return p->along ? p->nb : p->na;
}

/* Node `across` of mesh line `line` of a patch; a line follows a ring. */
static double on_line(const struct an_band_patch *p, int line, int across)
{
    return p->along ? fraction_at(p, across, line) : fraction_at(p, line, across);
}

/* The mean fraction of a line and how far its nodes spread. */
static double line_mean(const struct an_band_patch *p, int line, double *spread)
{
    const int n = p->along ? p->na : p->nb;
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (int m = 0; m <= n; m++) {
        const double f = on_line(p, line, m);
        sum += f;
        least = fmin(least, f);
        most = fmax(most, f);
    }
    *spread = most - least;
    return sum / (n + 1);
}

/* Bands that follow mesh lines: *edge of *n + 1, malloc'ed, and the faces' bands from `first` on.
 * *n 0: lines do not follow rings. */
static int bands_of_lines(struct an_band_patches *list, int g, int first, int *n, double **edge)
{
    int most = 0, count = 0, fit = 1;
    double closest = INFINITY;
    for (int m = 0; m < list->n; m++)
        most += list->patch[m].group == g ? layers(&list->patch[m]) + 1 : 0;
    double *line = malloc(((size_t)most + 1) * sizeof *line);
    *edge = line;
    *n = 0;
    AN_CHECK(line, AN_FAIL, "out of memory for span bands");
    for (int m = 0; m < list->n && fit; m++) {
        const struct an_band_patch *p = &list->patch[m];
        double before = NAN, wide = 0;
        for (int c = 0; p->group == g && c <= layers(p) && fit; c++) {
            double spread;
            const double here = line_mean(p, c, &spread);
            if (c) {
                const double gap = fabs(here - before);
                closest = fmin(closest, gap);
                fit = fmax(spread, wide) <= 0.02 * gap;
            }
            before = here;
            wide = spread;
            line[count++] = here;
        }
    }
    if (!fit || !count)
        return AN_OK;
    qsort(line, (size_t)count, sizeof *line, an_ascending);
    int kept = 1;
    for (int c = 1; c < count; c++)
        if (line[c] - line[kept - 1] > 0.05 * closest)
            line[kept++] = line[c];
    for (int m = 0; m < list->n && fit; m++) {
        struct an_band_patch *p = &list->patch[m];
        int last = -1;
        for (int c = 0; p->group == g && c <= layers(p) && fit; c++) {
            double spread;
            const double here = line_mean(p, c, &spread);
            int k = 0;
            while (k < kept - 1 && fabs(line[k + 1] - here) < fabs(line[k] - here))
                k++;
            fit = c == 0 || abs(k - last) == 1;
            for (int m2 = 0; c && fit && m2 < (p->along ? p->na : p->nb); m2++)
                p->band[p->along ? (int64_t)(c - 1) * p->na + m2 : (int64_t)m2 * p->na + c - 1] =
                    first + (k < last ? k : last);
            last = k;
        }
    }
    *n = fit ? kept - 1 : 0;
    return AN_OK;
}

/* Bands of about equal numbers of faces. */
static int bands_of_faces(struct an_band_patches *list, int g, const struct an_band_group *to,
                          int *n, double **edge)
{
    int64_t faces = 0, at = 0;
    int most = 1;
    for (int m = 0; m < list->n; m++)
        if (list->patch[m].group == g) {
            faces += (int64_t)list->patch[m].na * list->patch[m].nb;
            most = layers(&list->patch[m]) > most ? layers(&list->patch[m]) : most;
        }
    double *f = malloc(((size_t)faces + 1) * sizeof *f);
    *edge = calloc((size_t)most + 1, sizeof **edge);
    if (!f || !*edge) {
        free(f);
        return an_error_set(AN_FAIL, "out of memory for span bands");
    }
    for (int m = 0; m < list->n; m++) {
        const struct an_band_patch *p = &list->patch[m];
        for (int b = 0; p->group == g && b < p->nb; b++)
            for (int a = 0; a < p->na; a++) {
                double x[3];
                an_band_patch_centre(p, a, b, x);
                f[at++] = an_band_fraction(to, x);
            }
    }
    qsort(f, (size_t)faces, sizeof *f, an_ascending);
    *n = 0;
    for (int k = 1; k < most; k++) {
        const int64_t c = faces * k / most;
        const double here = c > 0 ? 0.5 * (f[c - 1] + f[c]) : 0;
        if (c > 0 && f[c] > f[c - 1] && here > (*edge)[*n])
            (*edge)[++*n] = here;
    }
    (*edge)[++*n] = 1;
    for (int m = 0; m < list->n; m++) {
        struct an_band_patch *p = &list->patch[m];
        for (int b = 0; p->group == g && b < p->nb; b++)
            for (int a = 0; a < p->na; a++) {
                double x[3];
                int k = 0;
                an_band_patch_centre(p, a, b, x);
                const double here = an_band_fraction(to, x);
                while (k < *n - 1 && here > (*edge)[k + 1])
                    k++;
                p->band[(int64_t)b * p->na + a] = to->first + k;
            }
    }
    free(f);
    return AN_OK;
}

/* Angle between two points about the x axis. */
static double turn(const double p[3], const double q[3])
{
    return fabs(atan2(p[1] * q[2] - p[2] * q[1], p[1] * q[1] + p[2] * q[2]));
}

/* Areas and radii of the bands of a group, and the angle it covers: angle times span, over the
 * span. */
static void measure_bands(const struct an_band_patches *list, int g, struct an_bands *bands)
{
    struct an_band_group *to = &bands->group[g];
    double swept = 0, meshed = 0, normal[2] = {0, 0};
    for (int n = 0; n < list->n; n++) {
        const struct an_band_patch *p = &list->patch[n];
        meshed = p->group == g ? p->sectors : meshed;
        for (int b = 0; p->group == g && b < p->nb; b++)
            for (int a = 0; a < p->na; a++) {
                double x[3], q[4][3], out[3];
                const int band = p->band[(int64_t)b * p->na + a];
                const double area = an_band_patch_area(p, a, b, out);
                an_band_patch_centre(p, a, b, x);
                const double r = sqrt(x[1] * x[1] + x[2] * x[2]), sign = p->window.side ? 1 : -1;
                bands->area[band] += area;
                bands->radius[band] += area * r;
                normal[0] += sign * out[0];
                normal[1] += r > 0 ? sign * (out[1] * x[1] + out[2] * x[2]) / r : 0;
                for (int m = 0; m < 4; m++)
                    node_of(p, a + m % 2, b + m / 2, q[m]);
                const int e = p->along ? 1 : 2, o = p->along ? 2 : 1; /* along the ring, across */
                const double high = fabs(an_band_fraction(to, q[o]) - an_band_fraction(to, q[0])) +
                                    fabs(an_band_fraction(to, q[3]) - an_band_fraction(to, q[e]));
                swept += 0.25 * high * (turn(q[0], q[e]) + turn(q[o], q[3]));
            }
    }
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
    for (int c = 0; c < 2 && length > 0; c++)
        to->normal[c] = normal[c] / length;
    to->angle = swept;
    const double turns = swept > 0 ? 2 * acos(-1.0) / swept : 0;
    to->sectors = fabs(turns - round(turns)) < 1e-3 * turns ? round(turns)
                  : fabs(turns - meshed) < 1e-3 * turns     ? meshed
                                                            : 0;
    for (int b = to->first; b < to->first + to->n; b++)
        bands->radius[b] /= bands->area[b] > 0 ? bands->area[b] : 1;
}

static int grow(double **p, int n)
{
    double *grown = realloc(*p, ((size_t)n + 1) * sizeof **p);
    AN_CHECK(grown, AN_FAIL, "out of memory for span bands");
    *p = grown;
    return AN_OK;
}

static int find_bands(const struct an_solver *s, const int *group, struct an_band_patches *list,
                      struct an_bands *bands)
{
    for (int g = 0; g < bands->ngroup; g++) {
        struct an_band_group *to = &bands->group[g];
        double *edge = NULL;
        to->first = bands->n;
        AN_TRY(find_span(s, group, g, list, to));
        for (int n = 0; n < list->n; n++)
            if (list->patch[n].group == g)
                list->patch[n].along = span_direction(&list->patch[n]);
        int status = bands_of_lines(list, g, to->first, &to->n, &edge);
        to->aligned = to->n > 0;
        if (status == AN_OK && !to->aligned) {
            free(edge);
            status = bands_of_faces(list, g, to, &to->n, &edge);
        }
        bands->n += to->n;
        double **const array[] = {&bands->lo, &bands->hi, &bands->radius, &bands->area};
        for (size_t m = 0; m < 4 && status == AN_OK; m++)
            status = grow(array[m], bands->n);
        for (int b = 0; b < to->n && status == AN_OK; b++) {
            const int at = to->first + b;
            bands->lo[at] = b ? edge[b] : 0;
            bands->hi[at] = b + 1 < to->n ? edge[b + 1] : 1;
            bands->radius[at] = bands->area[at] = 0;
        }
        free(edge);
        AN_TRY(status);
        measure_bands(list, g, bands);
    }
    return AN_OK;
}

int an_band_patches_find(const struct an_solver *s, const int *group, struct an_bands *bands,
                         struct an_band_patches *list)
{
    AN_TRY(list_patches(s, group, list));
    return find_bands(s, group, list, bands);
}
