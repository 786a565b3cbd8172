#include "solver/level/memory.h"

#include "kernels/engine/model.h"
#include "solver/level/level.h"

static int has_boundary(const struct an_case *c, enum an_bc_type type)
{
    for (int b = 0; b < c->nboundary; b++)
        if (c->boundary[b].type == type)
            return 1;
    return 0;
}

int an_level_is_thin(const struct an_case *c, int finest)
{
    const struct an_model *model = an_model_of(c->turbulence.model);
    return !finest && c->multigrid.thin_layer && c->gas.viscosity != AN_VISCOSITY_NONE &&
           !(model->flags & AN_MODEL_KEEPS_EDDY);
}

/* States of earlier physical steps. */
static void add_dual(const struct an_case *c, enum an_own own[AN_NFIELD])
{
    static const enum an_field flow[] = {AN_F_OLD, AN_F_OLDER, AN_F_TIME};
    static const enum an_field turbulence[] = {AN_F_TOLD, AN_F_TOLDER, AN_F_TTIME};
    static const enum an_field intermittency[] = {AN_F_IOLD, AN_F_IOLDER, AN_F_ITIME};
    if (!an_case_is_dual(c))
        return;
    for (int f = 0; f < 3; f++) {
        own[flow[f]] = AN_OWN;
        if (an_case_has_transport(c))
            own[turbulence[f]] = AN_OWN;
        if (an_case_has_intermittency(c))
            own[intermittency[f]] = AN_OWN;
    }
}

/* Fields of viscous flow and of the turbulence model. GRAD lies in LINE where there is one and it
 * changes. */
static void add_viscous(const struct an_case *c, int finest, enum an_own own[AN_NFIELD])
{
    const struct an_model *model = an_model_of(c->turbulence.model);
    const int transport = model->nvariable > 0;
    if (finest && an_case_has_output(c, AN_OUT_TurbulentDistance))
        own[AN_F_WD] = AN_OWN;
    if (c->gas.viscosity == AN_VISCOSITY_NONE)
        return;
    if (finest && transport)
        own[AN_F_TURB] = own[AN_F_LINE] = AN_OWN;
    if (finest && (model->flags & AN_MODEL_BLENDS))
        own[AN_F_BLEND] = AN_OWN;
    if (finest && an_case_has_intermittency(c))
        own[AN_F_INTER] = own[an_case_has_re_theta(c) ? AN_F_LM : AN_F_AWAY] = AN_OWN;
    if (finest && c->turbulence.des)
        own[AN_F_SIZE] = own[AN_F_DES] = AN_OWN;
    if (finest && c->turbulence.des == AN_DES_IDDES)
        own[AN_F_AWAY] = AN_OWN;
    if (finest && an_case_has_roughness(c))
        own[AN_F_ROUGH] = AN_OWN;
    if (transport && c->turbulence.wall_function == AN_WALL_FUNCTION_AUTO)
        own[AN_F_UTAU] = AN_OWN;
    own[AN_F_DX] = own[AN_F_MUT] = own[AN_F_WD] = AN_OWN;
    if (!own[AN_F_LINE] || an_level_is_thin(c, finest))
        own[AN_F_GRAD] = AN_OWN;
}

/* Fields of optional components that work on the finest level only. */
static void add_components(const struct an_case *c, int rotating, enum an_own own[AN_NFIELD])
{
    const int implicit = an_case_is_implicit(c);
    if (an_case_fraction(c) >= 0 && c->gas.viscosity != AN_VISCOSITY_NONE)
        own[AN_F_SOURCE] = AN_OWN;
    if (c->march.method != AN_METHOD_SCREE && an_case_has_damping(c))
        own[AN_F_Y] = AN_LATER;
    if (has_boundary(c, AN_BC_COOLING) || c->nleakage)
        own[AN_F_SOURCE] = AN_LATER;
    if (has_boundary(c, AN_BC_BLEED) || c->nleakage)
        own[AN_F_BLEED] = AN_LATER;
    if (an_case_has_means(c))
        own[AN_F_MEAN] = AN_LATER;
    if (rotating && (an_case_has_re_theta(c) || c->turbulence.curvature))
        own[AN_F_CARRY] = AN_OWN;
    if (implicit && own[AN_F_MUT] && c->march.stages == 2)
        own[AN_F_FORCE] = AN_OWN; /* an_level.viscous_force */
    add_dual(c, own);
}

struct an_level_memory an_level_memory_of(const struct an_case *c, int finest, int rotating)
{
    static const enum an_field always[] = {AN_F_W, AN_F_S, AN_F_VOL, AN_F_LAM, AN_F_DT, AN_F_R};
    const int implicit = an_case_is_implicit(c);
    struct an_level_memory m = {.states = 2};
    for (size_t f = 0; f < sizeof always / sizeof *always; f++)
        m.field[always[f]] = AN_OWN;
    if (rotating)
        m.field[AN_F_G] = AN_OWN;
    if (c->gas.table[0] || c->gas.cp.n || an_case_fraction(c) >= 0)
        m.field[AN_F_EOS] = AN_OWN;
    if (implicit)
        m.field[AN_F_LINE] = AN_OWN;
    if (finest && c->nscalar)
        m.field[AN_F_Q] = m.field[AN_F_FLUX] = m.field[AN_F_LINE] = AN_OWN;
    if (c->march.residual_smoothing)
        m.field[AN_F_EPS] = m.field[AN_F_DW] = m.field[AN_F_SWEPT] = AN_OWN;
    if (c->march.method == AN_METHOD_SCREE)
        m.field[AN_F_Y] = AN_OWN;
    if (!finest)
        m.field[AN_F_FORCE] = m.field[AN_F_WR] = AN_OWN;
    add_viscous(c, finest, m.field);
    if (finest)
        add_components(c, rotating, m.field);
    /* Implicit stages add DW to W and never read the state before: one buffer is enough, unless
     * the work fields of the turbulence model, which lie there, fill two. */
    const int work = an_model_work(an_model_of(c->turbulence.model));
    if (implicit && !(finest && work > AN_NCOMP_W))
        m.states = 1;
    return m;
}

/* Words of the run's precision that a cell of such a level takes. */
static int level_words(const struct an_level_memory *m)
{
    int words = m->states * AN_NCOMP_W;
    for (int f = 0; f < AN_NFIELD; f++)
        words += m->field[f] ? an_field_components((enum an_field)f) : 0;
    return words;
}

struct an_memory an_solver_memory(const struct an_partition *p, int rank, const struct an_case *c,
                                  int64_t whole)
{
    const struct an_level_memory finest = an_level_memory_of(c, 1, c->nrow > 0);
    const struct an_level_memory coarse = an_level_memory_of(c, 0, c->nrow > 0);
    const int ones = an_case_has_damping(c); /* a field of ones: damping.c */
    const int modes =
        an_case_has_modes(c) ? AN_NCOMP_MODE * (1 + c->output.modes) : 0; /* modes.c */
    const int scalars = c->nscalar ? c->nscalar + 1 : 0;                  /* scalars.c */
    const int64_t least = level_words(&finest) + ones + scalars + modes;
    int64_t words = least;
    if (an_case_is_implicit(c) && c->multigrid.levels != 1)
        words += level_words(&coarse) / 3; /* a third in a plane, a seventh in space */
    /* without padding: how much there is depends on the cuts */
    const int64_t others = whole - whole / p->nrank; /* own cells count as those of other levels */
    const int64_t least_coarse = others * level_words(&coarse) * (int64_t)c->precision;
    struct an_memory m = {.device = least_coarse, .least = least_coarse};
    for (int b = 0; b < p->npiece; b++) {
        if (p->piece[b].rank != rank)
            continue;
        struct an_layout l;
        if (an_layout_new(1, (const int(*)[3])p->topology.block[b].n, c->precision, &l) == AN_OK) {
            const int64_t nodes = 3 * (int64_t)sizeof(double); /* while metrics are made */
            m.device += l.ncell * (words * (int64_t)c->precision + nodes);
            m.least += l.ncell * least * (int64_t)c->precision;
            m.host +=
                l.ncell * 2 * nodes; /* the solver keeps them, and copies of them for a while */
        }
        an_layout_free(&l);
    }
    return m;
}
