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
#include <omp.h>
#include <stdlib.h>

/* Images of an_quantities: five of W, nine of the gradient of the velocity, three more. */
enum { IMAGE_GRADIENT = 5, IMAGE_DISTANCE = 14, IMAGE_EDDY, IMAGE_FRACTION };
_Static_assert(IMAGE_FRACTION + 1 == AN_QUANTITY_IMAGES, "images");

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
    if (c->params->turb.intermittency)
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
static struct cell any_cell(const struct an_solver *s, const struct an_quantities *q, int b)
{
    return (struct cell){.gas = &s->c->gas.model,
                         .params = &q->params,
                         .omega = q->omega[b],
                         .p_ref = q->p_ref,
                         .T_ref = q->T_ref};
}

/* A cell with components w of W: `any` is any_cell of its block. */
static struct cell cell_of(const struct cell *any, const double w[5], const double centre[3])
{
    const struct an_gas *gas = any->gas;
    struct cell c = *any;
    c.rho = w[0];
    for (int d = 0; d < 3; d++)
        c.x[d] = centre[d];
    c.u = w[1] / c.rho;
    c.v = w[2] / c.rho;
    c.w = w[3] / c.rho;
    c.energy = w[4] / c.rho;
    c.p =
        an_gas_pressure(gas, c.rho, c.rho * (c.energy - 0.5 * (c.u * c.u + c.v * c.v + c.w * c.w)));
    c.T = an_state_temperature(gas, c.rho, c.p);
    c.gamma = an_state_gamma(gas, c.p, c.T);
    c.v_row = c.v + c.omega * centre[2];
    c.w_row = c.w - c.omega * centre[1];
    return c;
}

/* Gradients of W into field GRAD of f, which the caller frees. dx: memory for field DX where the level
 * has none. */
static int find_gradient(struct an_solver *s, struct an_fields *f, void **dx)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_layout *l = &s->level->layout;
    const size_t cells = (size_t)l->ncell, word = (size_t)l->precision;
    AN_TRY(op->alloc(s->engine, cells * AN_NCOMP_GRAD * word, &f->at[AN_F_GRAD]));
    if (!f->at[AN_F_DX]) {
        double *host = malloc(cells * AN_NCOMP_DX * sizeof *host);
        AN_CHECK(host, AN_FAIL, "out of memory for gradients");
        int status = op->alloc(s->engine, cells * AN_NCOMP_DX * word, dx);
        if (status == AN_OK)
            status = an_geometry_centres(s, s->level, host);
        if (status == AN_OK)
            status = an_geometry_upload(s->engine, l->ncell * AN_NCOMP_DX, host, *dx);
        free(host);
        AN_TRY(status);
        f->at[AN_F_DX] = *dx;
    }
    return op->run(s->engine, AN_S_gradient, s->level->interior, f, &s->params, NULL, 0);
}

/* Components 0 to n-1 of a field of the engine are on their way to images first, first + 1, ... */
static int fetch(struct an_solver *s, struct an_quantities *q, const void *field, int n, int first)
{
    const size_t bytes = (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
    for (int c = 0; c < n; c++) {
        void *p = q->image[first + c];
        if (!p)
            AN_TRY(s->engine->op->alloc_host(s->engine, bytes, &p));
        q->image[first + c] = p;
        AN_TRY(s->engine->op->download(s->engine, p, (const char *)field + (size_t)c * bytes, bytes,
                                       0));
    }
    return AN_OK;
}

/* The gradients of W, from the engine. */
static int fetch_gradient(struct an_solver *s, struct an_quantities *q)
{
    struct an_fields f = s->level->fields;
    void *dx = NULL;
    f.at[AN_F_GRAD] = NULL;
    int status = find_gradient(s, &f, &dx);
    if (status == AN_OK)
        status = fetch(s, q, f.at[AN_F_GRAD], 9, IMAGE_GRADIENT);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    if (f.at[AN_F_GRAD])
        s->engine->op->free(s->engine, f.at[AN_F_GRAD]);
    if (dx)
        s->engine->op->free(s->engine, dx);
    return status;
}

/* What the march may change later on, other than fields. */
static int note(const struct an_solver *s, struct an_quantities *q)
{
    const struct an_case *c = s->c;
    if (!q->omega)
        q->omega = malloc(((size_t)s->nlocal + 1) * sizeof *q->omega);
    AN_CHECK(q->omega, AN_FAIL, "out of memory for a snapshot");
    for (int b = 0; b < s->nlocal; b++)
        q->omega[b] = s->level->layout.block[b].omega;
    q->params = s->params;
    q->threads = omp_get_max_threads();
    q->p_ref = 101325;
    q->T_ref = 288.15;
    for (int b = c->nboundary - 1; b >= 0; b--)
        if (c->boundary[b].type == AN_BC_INLET_TOTAL && c->boundary[b].p0 > 0) {
            q->p_ref = c->boundary[b].p0;
            q->T_ref = c->boundary[b].T0;
        }
    return AN_OK;
}

int an_quantities_prepare(struct an_solver *s, struct an_quantities *q)
{
    int walls = 0, n;
    q->gradient = q->eddy = 0;
    free(q->units);
    q->units = NULL;
    for (int f = 0; f < q->n; f++) {
        q->gradient |= sources[q->what[f]].gradient;
        walls |= sources[q->what[f]].walls;
        q->eddy |= sources[q->what[f]].eddy;
    }
    if (!q->n)
        return AN_OK;
    if (walls)
        AN_TRY(an_wall_units(s, &n, &q->units));
    if (q->gradient)
        AN_TRY(an_level_ghosts(s, s->level, s->level->fields.at[AN_F_W]));
    const struct an_fields *f = &s->level->fields;
    int status = note(s, q);
    if (status == AN_OK)
        status = fetch(s, q, f->at[AN_F_W], 5, 0);
    if (status == AN_OK && (walls || q->eddy))
        status = fetch(s, q, f->at[AN_F_WD], 1, IMAGE_DISTANCE);
    if (status == AN_OK && q->eddy)
        status =
            fetch(s, q, f->at[s->params.turb.intermittency ? AN_F_INTER : AN_F_MUT], 1, IMAGE_EDDY);
    if (status == AN_OK && q->gradient)
        status = fetch_gradient(s, q);
    if (status == AN_OK && s->c->gas.model.ends)
        status =
            fetch(s, q, an_level_component(s->level, AN_F_EOS, AN_EOS_FRACTION), 1, IMAGE_FRACTION);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    return an_reduce_status(s->comm, status);
}

void an_quantities_free(struct an_solver *s, struct an_quantities *q)
{
    for (int c = 0; c < AN_QUANTITY_IMAGES; c++) {
        if (q->image[c])
            s->engine->op->free_host(s->engine, q->image[c]);
        q->image[c] = NULL;
    }
    free(q->units);
    free(q->omega);
    q->units = q->omega = NULL;
}

/* The fields of a cell: element `from` of the images, `at` of the arrays. */
static void one_cell(const struct an_quantities *q, enum an_precision precision, struct cell *c,
                     const int32_t *nearest, int64_t from, int64_t at, void **to)
{
    for (int g = 0; g < 9 && q->gradient; g++)
        c->gradient[g / 3][g % 3] = an_real_get(precision, q->image[IMAGE_GRADIENT + g], from);
    if (q->eddy) {
        const double eddy = an_real_get(precision, q->image[IMAGE_EDDY], from);
        c->distance = an_real_get(precision, q->image[IMAGE_DISTANCE], from);
        c->eddy = q->params.turb.intermittency ? eddy : eddy / c->rho;
    }
    if (nearest && nearest[at] >= 0) {
        c->distance = an_real_get(precision, q->image[IMAGE_DISTANCE], from);
        c->units = q->units[nearest[at]];
    }
    for (int f = 0; f < q->n; f++)
        an_real_put(precision, to[f], at, sources[q->what[f]].of(c));
}

void an_quantities_block(const struct an_solver *s, const struct an_quantities *q, int b, void **to)
{
    const enum an_precision precision = s->level->layout.precision;
    const struct an_block *block = &s->level->layout.block[b];
    const struct cell any = any_cell(s, q, b);
    const int mixed = any.gas->ends != NULL;
    const int *m = block->n;
    const int32_t *nearest = q->units ? an_wall_nearest_of(s, b) : NULL;
#pragma omp parallel for num_threads(q->threads)
    for (int k = 0; k < m[2]; k++)
        for (int j = 0; j < m[1]; j++)
            for (int i = 0; i < m[0]; i++) {
                const int64_t from = an_element(block, i, j, k);
                double centre[3], w[5];
                an_nodes_centre(m, s->node[b], i, j, k, centre);
                for (int c = 0; c < 5; c++)
                    w[c] = an_real_get(precision, q->image[c], from);
                struct cell here = any;
                struct an_gas gas;
                if (mixed) {
                    gas =
                        an_gas_at(any.gas, an_real_get(precision, q->image[IMAGE_FRACTION], from));
                    here.gas = &gas;
                }
                struct cell c = cell_of(&here, w, centre);
                one_cell(q, precision, &c, nearest, from,
                         i + (int64_t)m[0] * (j + (int64_t)m[1] * k), to);
            }
}
