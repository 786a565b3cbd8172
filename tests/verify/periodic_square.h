/* A periodic square of one layer of cells, waved by 2 %, and the isentropic vortex that a uniform stream
 * carries across it.
 *
 *   Free stream rho = p = 1 (R = 1), u = v = 1, gamma 1.4; vortex of strength b (Yee, Sandham,
 *   Djomehri, JCP 150, 1999): du = b / (2 pi) exp((1 - r^2) / 2) (-y, x),
 *   T = 1 - (gamma - 1) b^2 / (8 gamma pi^2) exp(1 - r^2), rho = T^(1 / (gamma - 1)).
 *   Square 10 x 10; four zones stored in different ways, joined by translation.
 */
#ifndef AN_TESTS_PERIODIC_SQUARE_H
#define AN_TESTS_PERIODIC_SQUARE_H

#include <math.h>

#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"

static const double square_side = 10, square_pi = 3.14159265358979323846;

static void square_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double wave = 0.02 * sin(2 * square_pi * s[0]) * sin(2 * square_pi * s[1]);
    x[0] = square_side * (s[0] + wave);
    x[1] = square_side * (s[1] - wave);
    x[2] = 0.25 * s[2];
}

/* The mesh of n x n cells, mapped to space by `map`; collective. */
static inline void square_write_mapped(const char *path, int n, vm_map *map)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "low"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "high"}};
    const struct vm_box box = {.n = {n, n, 1},
                               .parts = {2, 2, 1},
                               .turn = 4,
                               .map = map,
                               .translation = {{square_side, 0, 0}, {0, square_side, 0}},
                               .nsegment = 6,
                               .segment = ends};
    vm_write(path, &box);
}

/* The waved mesh. */
static inline void square_write(const char *path, int n)
{
    square_write_mapped(path, n, square_map);
}

/* Distance d[2] from a point that moves with the stream and is at (start, start) at time 0: the nearest of
 * its periodic images. Returns the square of the distance. */
static double square_distance(const double x[3], double start, double time, double d[2])
{
    for (int c = 0; c < 2; c++) {
        d[c] = x[c] - start - time;
        d[c] -= square_side * round(d[c] / square_side);
    }
    return d[0] * d[0] + d[1] * d[1];
}

struct square_vortex {
    double strength, start, time;
};

/* The state rho, u, v, w, p at a point. context: struct square_vortex */
static void square_flow(void *context, const double x[3], double q[5])
{
    const struct square_vortex *v = context;
    double d[2];
    const double r2 = square_distance(x, v->start, v->time, d), g = 1.4;
    const double swirl = v->strength / (2 * square_pi) * exp(0.5 * (1 - r2));
    const double T =
        1 - (g - 1) * (v->strength * v->strength) / (8 * g * square_pi * square_pi) * exp(1 - r2);
    q[0] = pow(T, 1 / (g - 1));
    q[1] = 1 - swirl * d[1];
    q[2] = 1 + swirl * d[0];
    q[3] = 0;
    q[4] = q[0] * T;
}

/* Runs `config` from a vortex of strength 5 at (4.5, 4.5) to time `end`: errors of rho, u, v, w, p. */
static inline void square_run(const char *config, const char *mesh, double end, double l2[5])
{
    struct square_vortex v = {.strength = 5, .start = 4.5};
    struct fixture f;
    fixture_open(&f, "vortex", config, mesh);
    fixture_must(an_solver_fill(f.solver, square_flow, &v), "fill");
    fixture_until(&f, end);
    v.time = an_solver_time(f.solver);
    fixture_error(&f, square_flow, &v, l2, NULL);
    fixture_close(&f);
}

#endif
