#include "solver/monitor/modes_fit.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS = AN_MODE_UNKNOWNS };

static const double turn = 6.283185307179586477;

int an_mode_times_add(struct an_mode_times *t, double time, double step)
{
    struct an_mode_segment *g = t->n ? &t->segment[t->n - 1] : NULL;
    const double tolerance = 1e-6 * step + 1e-12 * fabs(time);
    if (g && fabs(g->step - step) <= 1e-9 * step &&
        fabs(g->first + g->count * g->step - time) <= tolerance) {
        g->count++;
        return 1;
    }
    if (t->n == AN_MODE_SEGMENTS)
        return 0;
    t->segment[t->n++] = (struct an_mode_segment){time, step, 1};
    return 1;
}

double an_mode_times_total(const struct an_mode_times *t, double *states)
{
    double time = 0, n = 0;
    for (int k = 0; k < t->n; k++) {
        time += t->segment[k].count * t->segment[k].step;
        n += t->segment[k].count;
    }
    if (states)
        *states = n;
    return time;
}

double an_mode_time_needed(int n, const double *hz)
{
    double apart = INFINITY;
    for (int a = 0; a < n; a++) {
        apart = fmin(apart, hz[a]);
        for (int b = 0; b < a; b++)
            apart = fmin(apart, fabs(hz[a] - hz[b]));
    }
    return 1 / apart;
}

/* 0: a pivot is not positive. */
static int factor(int n, double a[UNKNOWNS][UNKNOWNS])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            if (i == j && !(sum > 0))
                return 0;
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    return 1;
}

int an_mode_matrix(const struct an_mode_times *t, int n, const double *hz,
                   double a[UNKNOWNS][UNKNOWNS])
{
    const int size = 1 + 2 * n;
    memset(a, 0, UNKNOWNS * sizeof *a);
    for (int q = 0; q < t->n; q++)
        for (double k = 0; k < t->segment[q].count; k++) {
            const double time = t->segment[q].first + k * t->segment[q].step;
            double base[UNKNOWNS] = {1};
            for (int h = 0; h < n; h++) {
                const double angle = turn * fmod(hz[h] * time, 1);
                base[1 + 2 * h] = cos(angle);
                base[2 + 2 * h] = sin(angle);
            }
            for (int i = 0; i < size; i++)
                for (int j = 0; j <= i; j++)
                    a[i][j] += t->segment[q].step * base[i] * base[j];
        }
    return factor(size, a);
}

void an_mode_solve(int n, double a[UNKNOWNS][UNKNOWNS], double x[UNKNOWNS])
{
    const int size = 1 + 2 * n;
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    for (int i = size; i-- > 0;) {
        for (int k = i + 1; k < size; k++)
            x[i] -= a[k][i] * x[k];
        x[i] /= a[i][i];
    }
}
