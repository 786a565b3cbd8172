#include "kernels/physics/metal.h"

#include "kernels/base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points T, k of each metal. */
static const struct {
    const char *name;
    int n;
    double point[AN_METAL_POINTS][2];
} list[] = {
    /* steel of ASTM type 310: k = 6.811 + 0.020176 T, Prapamonthon et al. 2018 (doi 10.3390/en11041000) */
    {"astm_310", 2, {{273.15, 12.3220744}, {1273.15, 32.4980744}}},
    /* Haynes International, brochure of Hastelloy X: 63, 76, 98, 144, 159, 174, 189 Btu in/(ft2 h F) at 70 to 1700 F */
    {"hastelloy_x",
     7,
     {{294.26, 9.09},
      {366.48, 10.96},
      {533.15, 14.13},
      {866.48, 20.77},
      {977.59, 22.93},
      {1088.71, 25.10},
      {1199.82, 27.26}}},
    /* Special Metals, bulletin of Inconel 718, annealed: 77, 86, 98, 111, 123, 135, 147 Btu in/(ft2 h F) at 70 to 1200 F */
    {"inconel_718",
     7,
     {{294.26, 11.11},
      {366.48, 12.40},
      {477.59, 14.13},
      {588.71, 16.01},
      {699.82, 17.74},
      {810.93, 19.47},
      {922.04, 21.20}}},
};
enum { NLIST = sizeof list / sizeof *list };

/* theta of the points. */
static void integrate(struct an_metal *m)
{
    m->theta[0] = 0;
    for (int i = 1; i < m->n; i++)
        m->theta[i] = m->theta[i - 1] + 0.5 * (m->k[i] + m->k[i - 1]) * (m->T[i] - m->T[i - 1]);
}

int an_metal_named(const char *name, struct an_metal *m)
{
    for (int i = 0; i < NLIST; i++) {
        if (strcmp(list[i].name, name) != 0)
            continue;
        *m = (struct an_metal){.n = list[i].n};
        for (int p = 0; p < m->n; p++) {
            m->T[p] = list[i].point[p][0];
            m->k[p] = list[i].point[p][1];
        }
        integrate(m);
        return 1;
    }
    return 0;
}

void an_metal_names(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < NLIST && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", list[i].name);
}

int an_metal_powers(int n, const double *c, double T0, double T1, struct an_metal *m)
{
    /* one value, a line, or enough points of a curve */
    *m = (struct an_metal){.n = n < 2 ? 1 : n == 2 ? 2 : AN_METAL_POINTS};
    for (int i = 0; i < m->n; i++) {
        const double T = m->n > 1 ? T0 + (T1 - T0) * i / (m->n - 1) : T0;
        double k = 0;
        for (int p = n - 1; p >= 0; p--)
            k = k * T + c[p];
        AN_CHECK(k > 0 && isfinite(k), AN_INPUT,
                 "the conductivity is %.6g W/(m K) at %.6g K, and must be above 0", k, T);
        m->T[i] = T;
        m->k[i] = k;
    }
    integrate(m);
    return AN_OK;
}

/* The interval of a value in an ascending list: its lower end, -1 below all of them. */
static int interval(int n, const double *list_of, double value)
{
    int i = -1;
    while (i + 1 < n && value >= list_of[i + 1])
        i++;
    return i;
}

double an_metal_conductivity(const struct an_metal *m, double T)
{
    const int i = interval(m->n, m->T, T);
    if (i < 0)
        return m->k[0];
    if (i == m->n - 1)
        return m->k[i];
    return m->k[i] + (m->k[i + 1] - m->k[i]) * (T - m->T[i]) / (m->T[i + 1] - m->T[i]);
}

double an_metal_theta(const struct an_metal *m, double T)
{
    const int i = interval(m->n, m->T, T);
    if (i < 0)
        return m->k[0] * (T - m->T[0]);
    return m->theta[i] + 0.5 * (m->k[i] + an_metal_conductivity(m, T)) * (T - m->T[i]);
}

double an_metal_temperature(const struct an_metal *m, double theta)
{
    const int i = interval(m->n, m->theta, theta);
    if (i < 0)
        return m->T[0] + theta / m->k[0];
    const double rest = theta - m->theta[i];
    const double slope = i < m->n - 1 ? (m->k[i + 1] - m->k[i]) / (m->T[i + 1] - m->T[i]) : 0;
    /* rest = k d + slope d^2 / 2, in the form that stays exact for slope -> 0 */
    return m->T[i] + 2 * rest / (m->k[i] + sqrt(m->k[i] * m->k[i] + 2 * slope * rest));
}
