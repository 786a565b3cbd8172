#include "kernels/engine/reference.h"

#include "kernels/physics/slide.h"

#include <math.h>

#include <string.h>

struct an_params an_params_reference(void)
{
    return (struct an_params){.fluid.gamma = 1.4,
                              .fluid.gas_constant = 287,
                              .flux.p_ref = 1e5,
                              .flux.k2 = 0.5,
                              .flux.k4 = 1.0 / 32,
                              .flux.sensor_floor = 10,
                              .flux.aspect_exponent = 0.5,
                              .flux.entropy_fix = 0.1,
                              .flux.floor_rho = 1e-6,
                              .flux.floor_u = 1e-2,
                              .flux.floor_p = 1e3,
                              .march.cfl = 1.5,
                              .march.alpha = 0.375,
                              .march.time_step = 1e-6,
                              .dual.rate = 1.66e4,
                              .dual.weight = 6e3,
                              .dual.last = -8.2e3,
                              .dual.before = 1.6e3,
                              .dual.guess_last = 2,
                              .dual.guess_before = -1,
                              .means.weight = 0.1,
                              .fluid.mu_ref = 1.716e-5,
                              .fluid.mu_T = 273.11,
                              .fluid.mu_S = 110.33,
                              .fluid.mu_exponent = 0.7,
                              .fluid.prandtl = 0.72,
                              .fluid.prandtl_t = 0.9,
                              .fluid.viscosity = AN_VISCOSITY_SUTHERLAND,
                              .turb.model = AN_TURBULENCE_SA,
                              .turb.order = 2,
                              .turb.rotation = AN_CORRECTION_R,
                              .turb.wall_function = 1,
                              .turb.inflow_ratio = 3,
                              .march.turb_time = 0.1,
                              .flux.limiter = AN_LIMITER_VAN_ALBADA,
                              .flux.wall_order = AN_WALL_ORDER_PRESSURE,
                              .march.explicit_march = 1,
                              .lines.line = 1,
                              .lines.off = 0.5,
                              .flux.floor_acoustic = 0.2,
                              .flux.floor_shear = 0.1,
                              .lines.floor = 0.1,
                              .march.smooth_ratio = 2,
                              .march.scree_last = -1.65,
                              .march.scree_carry = -0.65,
                              .turb.mixing_limit = 0.0015,
                              .turb.mixing_weight = 0.3,
                              .lag.harmonics = 3,
                              .lag.words = 3,
                              .lag.stride = 8,
                              .lag.row = 22,
                              .lag.layers = 2,
                              .lag.continued = 1};
}

void an_boundaries_reference(struct an_bc_value value[AN_REFERENCE_BOUNDARIES])
{
    static const struct an_bc_value reference[AN_REFERENCE_BOUNDARIES] = {
        {.type = AN_BC_WALL_SLIP},
        {.type = AN_BC_INLET_TOTAL,
         .v = {[AN_BC_P0] = 1.2e5, [AN_BC_T0] = 300, [AN_BC_DIRECTION] = 0.96, -0.28, 0}},
        {.type = AN_BC_OUTLET_STATIC, .v = {[AN_BC_P] = 0.95e5}},
        {.type = AN_BC_FARFIELD,
         .v = {[AN_BC_RHO] = 1.1, [AN_BC_VELOCITY] = 90, 10, -20, [AN_BC_PRESSURE] = 1.01e5}},
        {.type = AN_BC_SYMMETRY},
        {.type = AN_BC_INLET_SUPERSONIC,
         .v = {[AN_BC_RHO] = 1.3, [AN_BC_VELOCITY] = 700, 20, 10, [AN_BC_PRESSURE] = 1e5}},
        {.type = AN_BC_OUTLET_SUPERSONIC},
        {.type = AN_BC_WALL_VISCOUS,
         .v = {[AN_BC_HEAT_KIND] = AN_WALL_ADIABATIC, [AN_BC_WALL_VELOCITY] = 9, 8, 7}},
        {.type = AN_BC_WALL_VISCOUS,
         .v = {[AN_BC_HEAT_KIND] = AN_WALL_ISOTHERMAL, [AN_BC_HEAT] = 350, [AN_BC_WITH_BLOCK] = 1}},
        {.type = AN_BC_WALL_VISCOUS,
         .v = {[AN_BC_HEAT_KIND] = AN_WALL_HEAT_FLUX,
               [AN_BC_HEAT] = 3e3,
               [AN_BC_WALL_VELOCITY] = 1,
               2,
               3,
               [AN_BC_WALL_OMEGA] = 50,
               [AN_BC_WITH_BLOCK] = 1}},
    };
    memcpy(value, reference, sizeof reference);
}

static void reference_ring(double *map, int side, int64_t count, int64_t first, int64_t edges)
{
    const double sector = 0.7;
    double *const ring = map + (int64_t)map[1] + AN_SLIDE_RING * side;
    memset(ring, 0, AN_SLIDE_RING * sizeof *ring);
    ring[AN_SLIDE_FIRST] = (double)first;
    ring[AN_SLIDE_COUNT] = (double)count;
    ring[AN_SLIDE_SECTOR] = sector;
    ring[AN_SLIDE_PASSAGES] = 2 + side;
    ring[AN_SLIDE_HIGH] = 1;
    ring[AN_SLIDE_SIGN] = side ? -1 : 1;
    ring[AN_SLIDE_DONOR] = ring[AN_SLIDE_DONOR_LAST] = 1 - side;
    ring[AN_SLIDE_OTHER] = ring[AN_SLIDE_OTHER_LAST] = 1 - side;
    ring[AN_SLIDE_RADIUS] = 0.3;
    for (int c = 0; c < 3; c++)
        ring[AN_SLIDE_MISFIT + c] = 1e-6 * (c + 1);
    for (int set = 0; set < AN_SLIDE_NSET; set++) {
        const int64_t at = edges + set * (count + 1);
        ring[AN_SLIDE_EDGES + set] = (double)at;
        for (int64_t i = 0; i <= count; i++)
            map[at + i] = sector * (double)i / (double)count + 0.01 * set;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t number = 2 * i + side;
        double *face = map + (int64_t)map[0] + AN_SLIDE_FACE * number;
        map[(int64_t)map[2] + first + i] = (double)number;
        face[AN_SLIDE_IN_RING] = side;
        face[AN_SLIDE_PLACE] = (double)i;
        for (int w = 0; w < 10; w++)
            face[AN_SLIDE_FRAME + w] = w % 2 ? 0.6 : 0.8;
    }
}

enum { REFERENCE_DONORS = 5, REFERENCE_FACETS = 3 };

/* Rows of abutting faces, from `at` on, after a rotation. */
static int64_t reference_rows(double *map, int64_t nface, int64_t at)
{
    static const double rotation[9] = {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8};
    const int64_t begin = at + 9;
    const int64_t row = REFERENCE_DONORS * AN_ABUT_ENTRY + REFERENCE_FACETS * AN_ABUT_FACET;
    if (map)
        memcpy(map + at, rotation, sizeof rotation);
    for (int64_t f = 0; map && f < nface; f++) {
        double *face = map + (int64_t)map[0] + AN_SLIDE_FACE * f, *to = map + begin + row * f;
        face[AN_SLIDE_ROW] = (double)(begin + row * f);
        face[AN_SLIDE_DONORS] = REFERENCE_DONORS;
        face[AN_SLIDE_FACETS] = REFERENCE_FACETS;
        face[AN_SLIDE_ROTATION] = f % 3 ? (double)at : 0;
        for (int n = 0; n < REFERENCE_DONORS; n++, to += AN_ABUT_ENTRY) {
            to[AN_ABUT_DONOR] = (double)((f + 3 * n + 1) % nface);
            to[AN_ABUT_SHARE] = 0.2;
            to[AN_ABUT_FIRST] = 0.1 + 0.05 * n;
            to[AN_ABUT_FIRST + 1] = 0.3 - 0.05 * n;
            to[AN_ABUT_FLUX] = 0.15 + 0.03 * n;
        }
        for (int n = 0; n < REFERENCE_FACETS; n++, to += AN_ABUT_FACET) {
            to[AN_ABUT_OTHER] = (double)((f + 3 * n + 1) % nface);
            for (int c = 0; c < 4; c++)
                to[AN_ABUT_AREA + c] = 1e-6 * (c + n - 2);
        }
    }
    return begin + row * nface;
}

int64_t an_slide_reference(int64_t nface, double *map)
{
    const int64_t faces = 4, rings = faces + AN_SLIDE_FACE * nface,
                  order = rings + 2 * AN_SLIDE_RING;
    const int64_t edges = order + nface, even = (nface + 1) / 2;
    if (map) {
        const double head[4] = {(double)faces, (double)rings, (double)order, 0};
        memcpy(map, head, sizeof head);
        reference_ring(map, 0, even, 0, edges);
        reference_ring(map, 1, nface - even, even, edges + AN_SLIDE_NSET * (even + 1));
    }
    return reference_rows(map, nface, edges + AN_SLIDE_NSET * (nface + 2));
}

int64_t an_lag_reference(int64_t nface, double *series, double *table)
{
    enum { SERIES = 22, STATES = 14 };
    static const double state[7] = {1.2, 140, -30, 60, 1e5, 2e-4, 300};
    const int harmonics = an_params_reference().lag.harmonics, length = an_lag_length(harmonics);
    for (int64_t n = 0; series && n < nface * SERIES; n++)
        for (int k = 0; k < length; k++) {
            const int w = (int)(n % SERIES);
            const double size = w < STATES ? state[w % 7] : 0.3;
            series[n * length + k] =
                k ? 0.03 * size * sin((double)(n + 7 * k)) : size * (1 + 0.05 * sin((double)n));
        }
    for (int n = 0; table && n < AN_LAG_TABLE_REFERENCE; n++)
        table[n] = 0.9 * cos(1.7 * n);
    return nface * SERIES * length;
}
