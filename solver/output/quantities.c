#include "solver/output/quantities.h"

#include "kernels/base/numbers.h"
#include "kernels/engine/model.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/flow/wall_nearest.h"
#include "solver/level/geometry.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/transfer.h"
#include "solver/monitor/wall_units.h"

#include <math.h>
#include <stdlib.h>

/* A cell: state, place, and the frame of its row. */
struct cell {
    const struct an_gas *gas;
    double p_ref, T_ref; /* Pa, K: where the entropy is zero */
    double omega;        /* rad/s of its row */
    double x[3];         /* m: centre */
    double rho, u, v, w; /* kg/m3, m/s: absolute */
    double p, T, gamma;  /* Pa, K */
    double energy;       /* J/kg, total */
    double v_row, w_row; /* m/s: y and z of the velocity relative to the row; x is u */
    const struct an_params *params;
    double eddy;     /* m2/s: eddy viscosity over density; SST with transition: the intermittency */
    double distance; /* m: from the nearest wall */
    double units;    /* 1/m: u_tau / nu of the nearest wall face */
    double gradient[3][3]; /* 1/s: [c][d] is d u_c / d x_d of the absolute velocity */
};

static double mach_relative(const struct cell *c)
{
    return sqrt((c->u * c->u + c->v_row * c->v_row + c->w_row * c->w_row) * c->rho /
                (c->gamma * c->p));
}

static double entropy(const struct cell *c)
{
    if (c->gas->table)
        return an_state_s(c->gas, c->p, c->T) - an_state_s(c->gas, c->p_ref, c->T_ref);
    return (an_gas_s0(c->gas, c->T) - an_gas_s0(c->gas, c->T_ref)) -
           c->gas->R * log(c->p / c->p_ref);
}

static double y_plus(const struct cell *c)
{
    return c->distance * c->units;
}

static double rothalpy(const struct cell *c)
{
    return c->energy + c->p / c->rho - c->omega * (c->x[1] * c->w - c->x[2] * c->v);
}

static double vorticity_x(const struct cell *c)
{
    return c->gradient[2][1] - c->gradient[1][2];
}

static double vorticity_y(const struct cell *c)
{
    return c->gradient[0][2] - c->gradient[2][0];
}

static double vorticity_z(const struct cell *c)
{
    return c->gradient[1][0] - c->gradient[0][1];
}

static double vorticity(const struct cell *c)
{
    const double x = vorticity_x(c), y = vorticity_y(c), z = vorticity_z(c);
    return sqrt(x * x + y * y + z * z);
}

/* Hunt, Wray, Moin 1988: half of |W|^2 - |S|^2, W and S the antisymmetric and the symmetric part of
 * the gradient. */
static double q_criterion(const struct cell *c)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += c->gradient[i][j] * c->gradient[j][i];
    return -0.5 * sum;
}

static double helicity(const struct cell *c)
{
    return c->u * vorticity_x(c) + c->v * vorticity_y(c) + c->w * vorticity_z(c);
}

static double intermittency(const struct cell *c)
{
    const double nu = an_model_viscosity_at(c->params, c->p, c->T) / c->rho;
    if (c->params->intermittency)
        return c->eddy;
    return an_model_intermittency(c->params, c->eddy, nu, vorticity(c), c->distance);
}

static double temperature_stagnation_row(const struct cell *c)
{
    const double speed2 = c->u * c->u + c->v_row * c->v_row + c->w_row * c->w_row;
    return an_state_rest(c->gas, c->p, c->T, speed2).T0;
}

static double pressure_stagnation_row(const struct cell *c)
{
    const double speed2 = c->u * c->u + c->v_row * c->v_row + c->w_row * c->w_row;
    return an_state_rest(c->gas, c->p, c->T, speed2).p0;
}

/* How each output field is found: by a function of a cell, or as a component of a field of the
 * engine. */
static const struct {
    double (*of)(const struct cell *); /* NULL: field and component */
    enum an_field field;
    int component;
    int gradient; /* of: does it need cell.gradient? */
    int walls;    /* of: does it need cell.distance and cell.units? */
    int eddy;     /* of: does it need cell.distance and cell.eddy? */
} sources[AN_NOUTPUT] = {
    [AN_OUT_Pressure] = {.field = AN_F_DERIVED, .component = 0},
    [AN_OUT_Temperature] = {.field = AN_F_DERIVED, .component = 1},
    [AN_OUT_VelocityX] = {.field = AN_F_DERIVED, .component = 2},
    [AN_OUT_VelocityY] = {.field = AN_F_DERIVED, .component = 3},
    [AN_OUT_VelocityZ] = {.field = AN_F_DERIVED, .component = 4},
    [AN_OUT_Mach] = {.field = AN_F_DERIVED, .component = 5},
    [AN_OUT_PressureStagnation] = {.field = AN_F_DERIVED, .component = 6},
    [AN_OUT_TemperatureStagnation] = {.field = AN_F_DERIVED, .component = 7},
    [AN_OUT_EntropyApprox] = {.field = AN_F_DERIVED, .component = 8},
    [AN_OUT_ViscosityEddy] = {.field = AN_F_MUT, .component = 0},
    [AN_OUT_Intermittency] = {intermittency, .gradient = 1, .eddy = 1},
    [AN_OUT_DesLengthRatio] = {.field = AN_F_DES, .component = 0},
    [AN_OUT_DesResolved] = {.field = AN_F_DES, .component = 1},
    [AN_OUT_TurbulentDistance] = {.field = AN_F_WD, .component = 0},
    [AN_OUT_YPlus] = {y_plus, .walls = 1},
    [AN_OUT_MachRelative] = {mach_relative},
    [AN_OUT_Entropy] = {entropy},
    [AN_OUT_Rothalpy] = {rothalpy},
    [AN_OUT_QCriterion] = {q_criterion, .gradient = 1},
    [AN_OUT_Helicity] = {helicity, .gradient = 1},
    [AN_OUT_RotatingPressureStagnation] = {pressure_stagnation_row},
    [AN_OUT_RotatingTemperatureStagnation] = {temperature_stagnation_row},
    [AN_OUT_VorticityX] = {vorticity_x, .gradient = 1},
    [AN_OUT_VorticityY] = {vorticity_y, .gradient = 1},
    [AN_OUT_VorticityZ] = {vorticity_z, .gradient = 1},
    [AN_OUT_VorticityMagnitude] = {vorticity, .gradient = 1},
};

int an_quantity_on_engine(enum an_output what, enum an_field *field, int *component)
{
    *field = sources[what].field;
    *component = sources[what].component;
    return !sources[what].of;
}

/* What all cells of a block have in common. */
static struct cell any_cell(const struct an_solver *s, const struct an_block *block)
{
    struct cell c = {.gas = &s->c->gas.model,
                     .params = &s->params,
                     .omega = block->omega,
                     .p_ref = 101325,
                     .T_ref = 288.15};
    for (int b = s->c->nboundary - 1; b >= 0; b--)
        if (s->c->boundary[b].type == AN_BC_INLET_TOTAL && s->c->boundary[b].p0 > 0) {
            c.p_ref = s->c->boundary[b].p0;
            c.T_ref = s->c->boundary[b].T0;
        }
    return c;
}

/* Cell number `at` of a block: `any` is any_cell of the block, w[5][cells] as in field W. */
static struct cell cell_of(const struct cell *any, size_t cells, size_t at, const double *w,
                           const double centre[3])
{
    const struct an_gas *gas = any->gas;
    struct cell c = *any;
    c.rho = w[at];
    for (int d = 0; d < 3; d++)
        c.x[d] = centre[d];
    c.u = w[cells + at] / c.rho;
    c.v = w[2 * cells + at] / c.rho;
    c.w = w[3 * cells + at] / c.rho;
    c.energy = w[4 * cells + at] / c.rho;
    c.p =
        an_gas_pressure(gas, c.rho, c.rho * (c.energy - 0.5 * (c.u * c.u + c.v * c.v + c.w * c.w)));
    c.T = an_state_temperature(gas, c.rho, c.p);
    c.gamma = an_state_gamma(gas, c.p, c.T);
    c.v_row = c.v + c.omega * centre[2];
    c.w_row = c.w - c.omega * centre[1];
    return c;
}

/* Gradients of W into q->gradient. dx: memory for field DX where the level has none. */
static int find_gradient(struct an_solver *s, struct an_quantities *q, void **dx)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_layout *l = &s->level->layout;
    const size_t cells = (size_t)l->ncell, word = (size_t)l->precision;
    struct an_fields f = s->level->fields;
    AN_TRY(op->alloc(s->engine, cells * AN_NCOMP_GRAD * word, &q->gradient));
    if (!f.at[AN_F_DX]) {
        double *host = malloc(cells * AN_NCOMP_DX * sizeof *host);
        AN_CHECK(host, AN_FAIL, "out of memory for gradients");
        int status = op->alloc(s->engine, cells * AN_NCOMP_DX * word, dx);
        if (status == AN_OK)
            status = an_geometry_centres(s->mesh, &s->level->partition, &s->level->partition, l,
                                         s->nlocal, s->local, s->boundary, host);
        if (status == AN_OK)
            status = an_geometry_upload(s->engine, l->ncell * AN_NCOMP_DX, host, *dx);
        free(host);
        AN_TRY(status);
        f.at[AN_F_DX] = *dx;
    }
    f.at[AN_F_GRAD] = q->gradient;
    AN_TRY(op->run(s->engine, AN_S_gradient, s->level->interior, &f, &s->params, NULL, 0));
    return op->sync(s->engine, 0);
}

int an_quantities_prepare(struct an_solver *s, struct an_quantities *q)
{
    int gradient = 0, walls = 0, n;
    q->eddy = 0;
    void *dx = NULL;
    q->gradient = NULL;
    q->units = NULL;
    for (int f = 0; f < q->n; f++) {
        gradient |= sources[q->what[f]].gradient;
        walls |= sources[q->what[f]].walls;
        q->eddy |= sources[q->what[f]].eddy;
    }
    if (walls)
        AN_TRY(an_wall_units(s, &n, &q->units));
    if (!gradient)
        return AN_OK;
    AN_TRY(an_level_ghosts(s, s->level, s->level->fields.at[AN_F_W]));
    const int status = find_gradient(s, q, &dx);
    if (dx)
        s->engine->op->free(s->engine, dx);
    return an_reduce_status(s->comm, status);
}

void an_quantities_free(struct an_solver *s, struct an_quantities *q)
{
    if (q->gradient)
        s->engine->op->free(s->engine, q->gradient);
    q->gradient = NULL;
    free(q->units);
    q->units = NULL;
}

int an_quantities_block(struct an_solver *s, const struct an_quantities *q, int b, void **to)
{
    const struct an_block *block = &s->level->layout.block[b];
    const struct cell any = any_cell(s, block);
    const int *m = block->n, ng = q->gradient ? 9 : 0;
    const size_t cells = (size_t)m[0] * (size_t)m[1] * (size_t)m[2];
    const size_t nodes = (size_t)(m[0] + 1) * (size_t)(m[1] + 1) * (size_t)(m[2] + 1);
    const int near = q->units || q->eddy; /* WD */
    const int given = s->params.intermittency;
    const size_t more = (size_t)(ng + near + q->eddy);
    const int32_t *nearest = q->units ? an_wall_nearest_of(s, b) : NULL;
    double *w = malloc((5 + more) * cells * sizeof *w), *x = malloc(3 * nodes * sizeof *x);
    double *distance = w + (5 + (size_t)ng) * cells, *eddy = distance + cells;
    int status = w && x ? AN_OK : an_error_set(AN_FAIL, "out of memory for a snapshot");
    if (status == AN_OK)
        status = an_solver_download(s, AN_F_W, 5, b, w);
    if (status == AN_OK && ng)
        status = an_solver_download_from(s, q->gradient, ng, b, w + 5 * cells);
    if (status == AN_OK && near)
        status = an_solver_download(s, AN_F_WD, 1, b, distance);
    if (status == AN_OK && q->eddy)
        status = an_solver_download(s, given ? AN_F_INTER : AN_F_MUT, 1, b, eddy);
    if (status == AN_OK)
        status = an_nodes_read(s->mesh, &s->level->partition.piece[s->local[b]], x);
    size_t at = 0;
    for (int k = 0; k < m[2] && status == AN_OK; k++)
        for (int j = 0; j < m[1]; j++)
            for (int i = 0; i < m[0]; i++, at++) {
                double centre[3];
                an_nodes_centre(m, x, i, j, k, centre);
                struct cell c = cell_of(&any, cells, at, w, centre);
                for (int g = 0; g < ng; g++)
                    c.gradient[g / 3][g % 3] = w[(5 + (size_t)g) * cells + at];
                if (q->eddy) {
                    c.distance = distance[at];
                    c.eddy = given ? eddy[at] : eddy[at] / c.rho;
                }
                if (nearest && nearest[at] >= 0) {
                    c.distance = distance[at];
                    c.units = q->units[nearest[at]];
                }
                for (int f = 0; f < q->n; f++)
                    an_real_put(s->level->layout.precision, to[f], (int64_t)at,
                                sources[q->what[f]].of(&c));
            }
    free(w);
    free(x);
    return status;
}
