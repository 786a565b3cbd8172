/* Fields between levels, and between the engine and the host. */
#include "solver/level/transfer.h"
#include "solver/level/level.h"
#include "solver/level/replicated.h"

#include <stdlib.h>

int an_level_restrict_own(struct an_solver *s, struct an_level *l, struct an_level *c, void *from,
                          void *to)
{
    struct an_fields f = c->fields;
    f.at[AN_F_MUT] = to;
    f.at[AN_F_O1] = from;
    f.at[AN_F_OVOL] = l->fields.at[AN_F_VOL];
    return s->engine->op->run_between(s->engine, AN_S_restrict_scalar, an_replicated_beside(l, c),
                                      l->interior, &f, an_level_params(s, c), 0);
}

int an_level_gather(struct an_level *c, int nfield, const struct an_halo_field *field)
{
    if (!c->gather)
        return AN_OK;
    AN_TRY(an_halo_start_fields(c->gather, nfield, field));
    return an_halo_finish(c->gather);
}

int an_level_restrict(struct an_solver *s, struct an_level *l, struct an_level *c, void *from,
                      void *to)
{
    const struct an_halo_field all = {to, 1, AN_COPY_PLAIN};
    AN_TRY(an_level_restrict_own(s, l, c, from, to));
    return an_level_gather(c, 1, &all);
}

int an_solver_download_from(struct an_solver *s, const void *base, int ncomp, int b, double *values)
{
    const struct an_layout *l = &s->level->layout;
    const struct an_block *block = &l->block[b];
    const size_t bytes = (size_t)l->ncell * (size_t)l->precision;
    char *image = malloc(bytes);
    AN_CHECK(image, AN_FAIL, "out of memory for a download");
    int status = AN_OK;
    for (int c = 0; c < ncomp && status == AN_OK; c++) {
        status = s->engine->op->download(s->engine, image, (const char *)base + (size_t)c * bytes,
                                         bytes, 0);
        if (status == AN_OK)
            status = s->engine->op->sync(s->engine, 0);
        for (int k = 0; k < block->n[2]; k++)
            for (int j = 0; j < block->n[1]; j++)
                for (int i = 0; i < block->n[0]; i++)
                    *values++ = an_real_get(l->precision, image, an_element(block, i, j, k));
    }
    free(image);
    return status;
}

int an_solver_download(struct an_solver *s, enum an_field field, int ncomp, int b, double *values)
{
    return an_solver_download_from(s, s->level->fields.at[field], ncomp, b, values);
}
