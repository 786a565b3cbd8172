#include "solver/output/quantities.h"

#include "solver/level/transfer.h"

#include <math.h>
#include <stdlib.h>

/* A cell: state, place, and the frame of its row. */
struct cell {
    const struct an_gas *gas;
    double omega;        /* rad/s of its row */
    double x[3];         /* m: centre */
    double rho, u, v, w; /* kg/m3, m/s: absolute */
    double p, T, gamma;  /* Pa, K */
    double energy;       /* J/kg, total */
    double v_row, w_row; /* m/s: y and z of the velocity relative to the row; x is u */
};

static double mach_relative(const struct cell *c)
{
    return sqrt((c->u * c->u + c->v_row * c->v_row + c->w_row * c->w_row) * c->rho /
                (c->gamma * c->p));
}

static double rothalpy(const struct cell *c)
{
    return c->energy + c->p / c->rho - c->omega * (c->x[1] * c->w - c->x[2] * c->v);
}

/* How each output field is found: by a function of a cell, or as a component of a field of the
 * engine. */
static const struct {
    double (*of)(const struct cell *); /* NULL: field and component */
    enum an_field field;
    int component;
} sources[AN_NOUTPUT] = {
    [AN_OUT_Pressure] = {NULL, AN_F_DERIVED, 0},
    [AN_OUT_Temperature] = {NULL, AN_F_DERIVED, 1},
    [AN_OUT_VelocityX] = {NULL, AN_F_DERIVED, 2},
    [AN_OUT_VelocityY] = {NULL, AN_F_DERIVED, 3},
    [AN_OUT_VelocityZ] = {NULL, AN_F_DERIVED, 4},
    [AN_OUT_Mach] = {NULL, AN_F_DERIVED, 5},
    [AN_OUT_PressureStagnation] = {NULL, AN_F_DERIVED, 6},
    [AN_OUT_TemperatureStagnation] = {NULL, AN_F_DERIVED, 7},
    [AN_OUT_Entropy] = {NULL, AN_F_DERIVED, 8},
    [AN_OUT_ViscosityEddy] = {NULL, AN_F_MUT, 0},
    [AN_OUT_TurbulentDistance] = {NULL, AN_F_WD, 0},
    [AN_OUT_MachRelative] = {mach_relative, 0, 0},
    [AN_OUT_Rothalpy] = {rothalpy, 0, 0},
};

int an_quantity_on_engine(enum an_output what, enum an_field *field, int *component)
{
    *field = sources[what].field;
    *component = sources[what].component;
    return !sources[what].of;
}

/* Cell number `at` of a block: w[5][cells] as in field W, x its nodes. */
static struct cell cell_of(const struct an_gas *gas, double omega, size_t cells, size_t at,
                           const double *w, const double centre[3])
{
    struct cell c = {.gas = gas, .omega = omega, .rho = w[at]};
    for (int d = 0; d < 3; d++)
        c.x[d] = centre[d];
    c.u = w[cells + at] / c.rho;
    c.v = w[2 * cells + at] / c.rho;
    c.w = w[3 * cells + at] / c.rho;
    c.energy = w[4 * cells + at] / c.rho;
    c.p =
        an_gas_pressure(gas, c.rho, c.rho * (c.energy - 0.5 * (c.u * c.u + c.v * c.v + c.w * c.w)));
    c.T = c.p / (c.rho * gas->R);
    c.gamma = an_gas_gamma(gas, c.T);
    c.v_row = c.v + omega * centre[2];
    c.w_row = c.w - omega * centre[1];
    return c;
}

static void put(enum an_precision precision, void *to, size_t at, double value)
{
    if (precision == AN_DOUBLE)
        ((double *)to)[at] = value;
    else
        ((float *)to)[at] = (float)value;
}

int an_quantities_block(struct an_solver *s, int b, int n, const enum an_output *what, void **to)
{
    const struct an_block *block = &s->level->layout.block[b];
    const int *m = block->n;
    const size_t cells = (size_t)m[0] * (size_t)m[1] * (size_t)m[2];
    const size_t nodes = (size_t)(m[0] + 1) * (size_t)(m[1] + 1) * (size_t)(m[2] + 1);
    double *w = malloc(5 * cells * sizeof *w), *x = malloc(3 * nodes * sizeof *x);
    int status = w && x ? AN_OK : an_error_set(AN_FAIL, "out of memory for a snapshot");
    if (status == AN_OK)
        status = an_solver_download(s, AN_F_W, 5, b, w);
    if (status == AN_OK)
        status = an_nodes_read(s->mesh, &s->level->partition.piece[s->local[b]], x);
    size_t at = 0;
    for (int k = 0; k < m[2] && status == AN_OK; k++)
        for (int j = 0; j < m[1]; j++)
            for (int i = 0; i < m[0]; i++, at++) {
                double centre[3];
                an_nodes_centre(m, x, i, j, k, centre);
                const struct cell c = cell_of(&s->c->gas.model, block->omega, cells, at, w, centre);
                for (int f = 0; f < n; f++)
                    put(s->level->layout.precision, to[f], at, sources[what[f]].of(&c));
            }
    free(w);
    free(x);
    return status;
}
