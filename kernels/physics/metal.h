/* Conductivity of a metal: k(T), W/(m K), linear between given temperatures and constant beyond them, with its integral.
 *
 * Kirchhoff's transform: with theta(T) = integral of k from T[0] to T the steady conduction div(k grad T) = 0 is
 * div(grad theta) = 0, a linear equation whose matrix is that of the mesh alone (Carslaw and Jaeger, Conduction of
 * Heat in Solids, 1959). theta is in W/m. */
#ifndef AN_METAL_H
#define AN_METAL_H

#include <stddef.h>

enum { AN_METAL_POINTS = 64 };

struct an_metal {
    int n;                     /* at least 1 */
    double T[AN_METAL_POINTS]; /* K, ascending */
    double k[AN_METAL_POINTS]; /* W/(m K), positive */
    double theta[AN_METAL_POINTS];
};

/* A metal of the program's own list by its name: 1, or 0 where there is none. */
int an_metal_named(const char *name, struct an_metal *m);
/* The names of the list, "a, b, c". */
void an_metal_names(char *text, size_t size);
/* k = c[0] + c[1] T + c[2] T^2 ... between the temperatures T0 < T1, K. AN_INPUT, in a sentence, where k is not positive
 * somewhere there. */
int an_metal_powers(int n, const double *c, double T0, double T1, struct an_metal *m);

double an_metal_conductivity(const struct an_metal *m, double T);
double an_metal_theta(const struct an_metal *m, double T);
double an_metal_temperature(const struct an_metal *m, double theta);

#endif
