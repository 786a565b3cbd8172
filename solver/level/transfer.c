/* Fields between levels, and between the engine and the host. */
#include "solver/level/transfer.h"
#include "solver/level/level.h"

#include <stdlib.h>

int an_level_restrict(struct an_solver *s, struct an_level *l, struct an_level *c,
                      enum an_field field)
{
    struct an_fields f = c->fields;
    f.at[AN_F_MUT] = c->fields.at[field];
    f.at[AN_F_O1] = l->fields.at[field];
    f.at[AN_F_OVOL] = l->fields.at[AN_F_VOL];
    return s->engine->op->run_between(s->engine, AN_S_restrict_scalar, c->interior, l->interior, &f,
                                      an_level_params(s, c), 0);
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
