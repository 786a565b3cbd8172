#include "solver/flow/lag.h"

#include "solver/level/level.h"

/* A state may lie anywhere: stages have their own. */
static int is_kind(const struct an_level *l, const struct an_lag_kind *k, const void *base,
                   int ncomp, int vector)
{
    if (k->field == AN_F_W)
        return ncomp == AN_NCOMP_W && vector == 1;
    return k->words == ncomp && base == an_level_component(l, k->field, k->component);
}

int an_level_lag(struct an_solver *s, struct an_level *l, void *base, int ncomp, int vector)
{
    const struct an_lag *lag = l->lag;
    if (!lag || !lag->faces)
        return AN_OK;
    for (int n = 0; n < lag->nkind; n++) {
        const struct an_lag_kind *k = &lag->kind[n];
        if (!is_kind(l, k, base, ncomp, vector))
            continue;
        const size_t skip = (size_t)k->at * (size_t)l->layout.precision;
        struct an_params p = *an_level_params(s, l);
        struct an_fields f = l->fields;
        f.at[AN_F_LAG_FIELD] = base;
        f.at[AN_F_LAG_PRESENT] = (char *)lag->present + skip;
        f.at[AN_F_LAG_GIVEN] = k->known ? (char *)lag->given + skip : NULL;
        p.lag.words = k->words;
        p.lag.layers = k->layers;
        p.lag.normal = k->normal;
        p.lag.stride = lag->words;
        return s->engine->op->run_faces(s->engine, AN_S_lag_swap, an_level_scheme(s, l), lag->faces,
                                        &f, &p, NULL, 0);
    }
    return AN_OK;
}
