/* Rings between ranks and in snapshots: solver/boundary/ring_waves.h. */
#include "mpi/reduce.h"
#include "solver/boundary/ring_waves.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void an_ring_waves_foresee(const struct an_ring *r, struct an_ring_mode *mode)
{
    for (int l = 0; l < r->nmode && r->way; l++) {
        struct an_giles_state next = mode[l].state;
        an_giles_step(&r->mean, r->way > 0, an_ring_wave_number(r, l), r->ahead, mode[l].last,
                      mode[l].last, &next);
        an_giles_entering(r->way > 0, &next, mode[l].in);
    }
}

/* What an update of a ring changes, as numbers. */
enum { OF_RING = 7, OF_MODE = 4 + 4 + 2 * AN_GILES_STATES };

static void ring_to(const struct an_ring *r, double v[OF_RING])
{
    const double all[OF_RING] = {r->way,    r->mean.rho, r->mean.c, r->mean.u,
                                 r->mean.v, r->time,     r->ahead};
    memcpy(v, all, sizeof all);
}

static void ring_from(const double v[OF_RING], struct an_ring *r)
{
    r->way = (int)v[0];
    r->mean = (struct an_giles_mean){v[1], v[2], v[3], v[4]};
    r->time = v[5];
    r->ahead = v[6];
}

static void mode_to(const struct an_ring_mode *m, double v[OF_MODE])
{
    memcpy(v, m->in, sizeof m->in);
    memcpy(v + 4, m->last, sizeof m->last);
    memcpy(v + 8, m->state.x, sizeof m->state.x);
}

static void mode_from(const double v[OF_MODE], struct an_ring_mode *m)
{
    memcpy(m->in, v, sizeof m->in);
    memcpy(m->last, v + 4, sizeof m->last);
    memcpy(m->state.x, v + 8, sizeof m->state.x);
}

int an_ring_waves_share(struct an_solver *s, struct an_ring_waves *k)
{
    const size_t n = (size_t)k->nring * OF_RING + (size_t)k->nmode * OF_MODE;
    double *all = calloc(n + 1, sizeof *all);
    AN_CHECK(all, AN_FAIL, "out of memory for non-reflecting boundaries");
    for (int give = 1; give >= 0; give--) {
        double *v = all;
        for (int m = 0; m < k->nring; m++) {
            struct an_ring *r = &k->ring[m];
            const int mine = m % s->nrank == s->rank;
            if (give && mine)
                ring_to(r, v);
            else if (!give)
                ring_from(v, r);
            v += OF_RING;
            for (int l = 0; l < r->nmode; l++, v += OF_MODE) {
                if (give && mine)
                    mode_to(&k->mode[r->mode + l], v);
                else if (!give)
                    mode_from(v, &k->mode[r->mode + l]);
            }
        }
        for (size_t c = 0; give && c < n; c++)
            all[c] += 0.0; /* -0 becomes 0, as it does in a sum over ranks */
        const int code = give && s->nrank > 1 ? MPI_Allreduce(MPI_IN_PLACE, all, (int)n, MPI_DOUBLE,
                                                              MPI_SUM, s->comm)
                                              : MPI_SUCCESS;
        if (code != MPI_SUCCESS) {
            free(all);
            return an_mpi_error(code, "MPI_Allreduce");
        }
    }
    free(all);
    return AN_OK;
}

/* Steady runs need what enters, and unsteady ones all but that. */
static int of_mode(const struct an_solver *s, int *from)
{
    const int unsteady = s->c->march.mode == AN_MARCH_UNSTEADY;
    *from = unsteady ? 4 : 0;
    return unsteady ? OF_MODE : 4;
}

int an_ring_waves_keep(const struct an_solver *s, const void *component,
                       struct an_snapshot_meta *meta)
{
    const struct an_ring_waves *k = component;
    char name[64];
    int from;
    const int until = of_mode(s, &from);
    for (int m = 0; m < k->nring; m++) {
        double v[OF_RING + OF_MODE];
        ring_to(&k->ring[m], v);
        for (int n = 0; n < OF_RING && !(n >= 5 && isnan(k->ring[m].time)); n++) {
            snprintf(name, sizeof name, "ring.%d.%d", m, n);
            AN_TRY(an_snapshot_control_add(meta, name, v[n]));
        }
        for (int l = 0; l < k->ring[m].nmode; l++) {
            mode_to(&k->mode[k->ring[m].mode + l], v);
            for (int n = from; n < until; n++) {
                snprintf(name, sizeof name, "ring.%d.%d.%d", m, l, n);
                AN_TRY(an_snapshot_control_add(meta, name, v[n]));
            }
        }
    }
    return AN_OK;
}

/* A ring that the record does not have begins without harmonics. */
int an_ring_waves_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct an_ring_waves *k = component;
    char name[64];
    int from;
    const int until = of_mode(s, &from);
    for (int m = 0; m < k->nring; m++) {
        struct an_ring *r = &k->ring[m];
        double v[OF_RING + OF_MODE];
        ring_to(r, v);
        for (int n = 0; n < OF_RING; n++) {
            snprintf(name, sizeof name, "ring.%d.%d", m, n);
            v[n] = an_snapshot_control_get(meta, name, n == 5 ? NAN : 0);
        }
        ring_from(v, r);
        snprintf(name, sizeof name, "ring.%d.0.%d", m, from);
        if (an_snapshot_control_get(meta, name, INFINITY) == INFINITY)
            continue; /* of a march of the other mode, or not there */
        for (int l = 0; l < r->nmode; l++) {
            mode_to(&k->mode[r->mode + l], v);
            for (int n = from; n < until; n++) {
                snprintf(name, sizeof name, "ring.%d.%d.%d", m, l, n);
                v[n] = an_snapshot_control_get(meta, name, 0);
            }
            mode_from(v, &k->mode[r->mode + l]);
        }
        if (s->c->march.mode == AN_MARCH_UNSTEADY)
            an_ring_waves_foresee(r, k->mode + r->mode);
    }
    return AN_OK;
}
