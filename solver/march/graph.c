#include "solver/march/graph.h"

#include "kernels/engine/meter.h"
#include "solver/flow/slide.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that a recording has of the host. */
struct key {
    struct an_params params, params_coarse;
    int phase[AN_MAX_COMPONENTS];
    struct {
        struct an_fields fields;
        void *stage[2];
    } level[AN_MAX_LEVEL];
};

static void describe(const struct an_solver *s, struct key *k)
{
    memset(k, 0, sizeof *k);
    memcpy(&k->params, &s->params, sizeof k->params);
    memcpy(&k->params_coarse, &s->params_coarse, sizeof k->params_coarse);
    if (s->params.runtime) { /* kernels read them from there */
        k->params.march.cfl = k->params_coarse.march.cfl = 0;
        k->params.march.turb_time = k->params_coarse.march.turb_time = 0;
    }
    an_components_phases(s, k->phase);
    for (int n = 0; n < s->nlevel; n++) {
        k->level[n].fields = s->level[n].fields;
        memcpy(k->level[n].stage, s->level[n].stage, sizeof k->level[n].stage);
    }
}

/* Does an exchange of this solver's need the host? The name of what moves it, else NULL. */
static const char *by_the_host(const struct an_solver *s, struct an_halo_info *info)
{
    for (int n = 0; n < s->nlevel; n++) {
        const struct an_slide *first = s->level[n].slide, *second = first ? first->next : NULL;
        const struct an_halo *halo[] = {s->level[n].halo,
                                        s->level[n].halo_lam,
                                        s->level[n].gather,
                                        first ? first->share_state : NULL,
                                        first ? first->share_flux : NULL,
                                        second ? second->share_state : NULL,
                                        second ? second->share_flux : NULL};
        for (size_t h = 0; h < sizeof halo / sizeof *halo; h++) {
            if (!halo[h])
                continue;
            an_halo_info(halo[h], info);
            if (info->neighbours && !info->records)
                return info->transport;
        }
    }
    return NULL;
}

void an_graph_prepare(struct an_solver *s, struct an_graph *r)
{
    const int unsteady = s->c->march.mode == AN_MARCH_UNSTEADY && !s->implicit;
    struct an_halo_info halo;
    const char *transport = by_the_host(s, &halo);
    char travel[128];
    snprintf(travel, sizeof travel, "halos travel to other ranks by the host (%s)",
             transport ? transport : "");
    const char *why = !s->c->gpu.graph                         ? "not wanted"
                      : !s->engine->op->record_begin           ? "this engine launches nothing"
                      : transport                              ? travel
                      : unsteady && s->c->march.time_step <= 0 ? "time steps follow from the flow"
                                                               : NULL;
    r->on = !why;
    snprintf(r->reason, sizeof r->reason, "%s", why ? why : "iterations are recorded");
}

static void drop(struct an_solver *s, struct an_graph_slot *slot)
{
    if (slot->recording)
        s->engine->op->recording_free(s->engine, slot->recording);
    slot->recording = NULL;
}

void an_graph_forget(struct an_solver *s, struct an_graph *r)
{
    for (int n = 0; n < AN_MAX_GRAPH; n++)
        drop(s, &r->slot[n]);
}

void an_graph_destroy(struct an_solver *s, struct an_graph *r)
{
    an_graph_forget(s, r);
    for (int n = 0; n < AN_MAX_GRAPH; n++) {
        free(r->slot[n].key);
        r->slot[n].key = NULL;
    }
}

/* Records the work; nothing of it runs. */
static int record(struct an_solver *s, struct an_graph *r, struct an_graph_slot *slot,
                  int (*work)(struct an_solver *s, int argument), int argument)
{
    const struct an_engine_ops *op = s->engine->op;
    struct an_graph_slot *behind = &r->slot[AN_GRAPH_TURBULENCE];
    if (s->c->mpi.timing && slot != behind) { /* both are timed together */
        AN_TRY(an_engine_mark(s->engine, AN_MARK_ANEW));
        drop(s, behind);
    }
    AN_TRY(op->record_begin(s->engine));
    const int status = work(s, argument);
    if (status == AN_OK)
        return op->record_end(s->engine, &slot->recording);
    char text[sizeof((struct an_graph *)0)->reason];
    snprintf(text, sizeof text, "%s", an_error_text());
    (void)op->record_end(s->engine, NULL);
    return an_error_set(status, "%s", text);
}

int an_graph_run(struct an_solver *s, struct an_graph *r, int slot,
                 int (*work)(struct an_solver *s, int argument), int argument)
{
    struct an_graph_slot *mine = &r->slot[slot];
    if (!r->on)
        return work(s, argument);
    struct key now;
    describe(s, &now);
    const int first = !mine->key;
    if (first && !(mine->key = malloc(sizeof now)))
        return work(s, argument);
    const int same = !first && memcmp(mine->key, &now, sizeof now) == 0;
    memcpy(mine->key, &now, sizeof now);
    if (first)
        return work(s, argument);
    if (!same || !mine->recording) {
        if (record(s, r, mine, work, argument) != AN_OK) {
            r->on = 0;
            snprintf(r->reason, sizeof r->reason, "%s", an_error_text());
            drop(s, mine);
            return work(s, argument);
        }
        r->recorded++;
    }
    r->replayed++;
    return s->engine->op->replay(s->engine, mine->recording);
}
