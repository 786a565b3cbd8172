#include "solver/output/packed.h"

#include "io/cgns_names.h"
#include "solver/flow/turbulence.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <stdlib.h>
#include <string.h>

void an_pack(const struct an_layout *l, const struct an_block *b, char *image, char *packed,
             int to_image, int threads)
{
    const size_t word = (size_t)l->precision, row = (size_t)b->n[0] * word;
#pragma omp parallel for collapse(2) num_threads(threads)
    for (int k = 0; k < b->n[2]; k++)
        for (int j = 0; j < b->n[1]; j++) {
            char *in = image + (size_t)an_element(b, 0, j, k) * word;
            char *out = packed + ((size_t)k * (size_t)b->n[1] + (size_t)j) * row;
            memcpy(to_image ? in : out, to_image ? out : in, row);
        }
}

void an_packed_free(struct an_packed *p)
{
    for (int f = 0; p->field && f < p->n; f++)
        free(p->field[f]);
    free(p->field);
    free(p->piece);
    memset(p, 0, sizeof *p);
}

void an_packed_piece(const struct an_solver *s, int b, struct an_snapshot_piece *to)
{
    const struct an_piece *from = &s->level->partition.piece[s->local[b]];
    to->zone = from->zone;
    memcpy(to->lo, from->lo, sizeof to->lo);
    memcpy(to->hi, from->hi, sizeof to->hi);
    to->node = s->node[b];
}

int an_packed_new(const struct an_solver *s, int nfield, struct an_packed *p)
{
    size_t blocks = (size_t)(s->nlocal ? s->nlocal : 1);
    p->n = s->nlocal * nfield;
    p->piece = calloc(blocks, sizeof *p->piece);
    p->field = calloc(blocks * (size_t)nfield, sizeof *p->field);
    AN_CHECK(p->piece && p->field, AN_FAIL, "out of memory for a snapshot");
    for (int b = 0; b < s->nlocal; b++) {
        struct an_snapshot_piece *to = &p->piece[b];
        an_packed_piece(s, b, to);
        to->field = (const void *const *)(p->field + (size_t)b * (size_t)nfield);
        const int *n = s->level->layout.block[b].n;
        size_t bytes =
            (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * (size_t)s->level->layout.precision;
        for (int f = 0; f < nfield; f++) {
            p->field[(size_t)b * (size_t)nfield + (size_t)f] = malloc(bytes);
            AN_CHECK(p->field[(size_t)b * (size_t)nfield + (size_t)f], AN_FAIL,
                     "out of memory for a snapshot");
        }
    }
    return AN_OK;
}

int an_state_fields(const struct an_solver *s, struct an_state_field state[AN_MOST_STATE])
{
    static const char *const scree[5] = {"ScreeDensity", "ScreeMomentumX", "ScreeMomentumY",
                                         "ScreeMomentumZ", "ScreeEnergyStagnationDensity"};
    const struct an_level *l = s->level;
    const struct an_model *model = an_model_of(s->c->turbulence.model);
    int n = 0;
    for (int c = 0; c < 5; c++)
        state[n++] =
            (struct an_state_field){an_cgns_conserved[c], an_level_component(l, AN_F_W, c), 0};
    for (int c = 0; c < model->nvariable; c++)
        state[n++] =
            (struct an_state_field){model->variable[c], an_level_component(l, AN_F_TURB, c), 0};
    if (s->params.turb.intermittency == AN_INTERMITTENCY_GAMMA)
        state[n++] = (struct an_state_field){"TurbulentIntermittency",
                                             an_level_component(l, AN_F_INTER, 0), 0};
    if (s->params.turb.intermittency == AN_INTERMITTENCY_RE_THETA) {
        state[n++] =
            (struct an_state_field){"TurbulentIntermittency", an_level_component(l, AN_F_LM, 0), 0};
        state[n++] =
            (struct an_state_field){"TurbulentReynoldsTheta", an_level_component(l, AN_F_LM, 1), 0};
        state[n++] = (struct an_state_field){"TurbulentIntermittencyEffective",
                                             an_level_component(l, AN_F_INTER, 0), 0};
    }
    if (model->flags & AN_MODEL_KEEPS_EDDY)
        state[n++] =
            (struct an_state_field){"ViscosityEddy", an_level_component(l, AN_F_MUT, 0), 0};
    for (int c = 0; s->scree && c < 5; c++)
        state[n++] = (struct an_state_field){scree[c], an_level_component(l, AN_F_Y, c), 0};
    return n + an_components_fields(s, state + n);
}
