/* What snapshots hold of leakages, and what is said of them. */
#include "solver/boundary/leakage.h"

#include <math.h>
#include <stdlib.h>

/* ---- snapshots ---- */

enum { NKEPT = 4 };
static void kept_name(const struct an_leak *q, int n, char name[64])
{
    static const char *const what[NKEPT] = {"mass", "h0", "moment", "speed"};
    snprintf(name, 64, "leakage.%s.%s", q->set->name, what[n]);
}

int an_leaks_keep(const struct an_coolant *k, struct an_snapshot_meta *meta)
{
    char name[64];
    for (int n = 0; n < k->nleak; n++) {
        const struct an_leak *q = &k->leak[n];
        const double value[NKEPT] = {q->mass, q->h0, q->moment, q->speed};
        for (int v = 0; v < NKEPT && !q->unknown; v++) {
            kept_name(q, v, name);
            AN_TRY(an_snapshot_control_add(meta, name, value[v]));
        }
    }
    return AN_OK;
}

void an_leaks_take(struct an_coolant *k, const struct an_snapshot_meta *meta)
{
    char name[64];
    for (int n = 0; n < k->nleak; n++) {
        struct an_leak *q = &k->leak[n];
        double *const value[NKEPT] = {&q->mass, &q->h0, &q->moment, &q->speed};
        int known = 1;
        for (int v = 0; v < NKEPT; v++) {
            kept_name(q, v, name);
            const double x = an_snapshot_control_get(meta, name, INFINITY);
            known &= x != INFINITY;
            *value[v] = x != INFINITY ? x : 0;
        }
        q->unknown = !known;
        if (!known)
            q->mass = q->speed = 0;
    }
    an_leaks_spread(k);
}

/* ---- lines ---- */

int an_leaks_describe(const struct an_coolant *k, struct an_leak_report *report)
{
    for (int m = 0; m < k->nleak && report; m++) {
        const struct an_leak *q = &k->leak[m];
        const struct an_leak_means *out = &q->end[0], *back = &q->end[1];
        const double moment = k->patch[q->to].seen.moment;
        report[m] = (struct an_leak_report){.name = q->set->name,
                                            .mass = q->mass,
                                            .p_from = out->p,
                                            .p_to = back->p,
                                            .h0_from = out->h0,
                                            .h0_to = k->patch[q->to].seen.h0,
                                            .T0_to = k->patch[q->to].seen.T0,
                                            .moment_from = out->moment,
                                            .moment_to = moment,
                                            .torque = q->mass * (moment - out->moment),
                                            .windage = q->set->windage,
                                            .choked = q->choked,
                                            .sonic = q->sonic,
                                            .seal = q->set->clearance > 0};
    }
    return k->nleak;
}

void an_leaks_print(const struct an_coolant *k, FILE *out)
{
    for (int n = 0; n < k->nleak; n++) {
        const struct an_leak *q = &k->leak[n];
        const struct an_coolant_patch *from = &k->patch[q->from], *to = &k->patch[q->to];
        fprintf(out,
                "leakage     %s: from '%s', %.4g m2 (1/%.6g of the annulus), to '%s', %.4g m2 "
                "(1/%.6g); ",
                q->set->name, q->set->from, from->area, from->sectors, q->set->to, to->area,
                to->sectors);
        if (q->set->mass_flow > 0)
            fprintf(out, "%.6g kg/s of the annulus", q->set->mass_flow);
        else if (q->set->mass_fraction > 0)
            fprintf(out, "%.6g of what enters", q->set->mass_fraction);
        else
            fprintf(out, "a seal of %d fin%s, %.4g m", q->set->fins, q->set->fins == 1 ? "" : "s",
                    q->set->clearance);
        fprintf(out, "; looks every %d iterations\n", q->set->control_every);
    }
}

void an_leaks_report(const struct an_coolant *k, FILE *out)
{
    struct an_leak_report *r = calloc((size_t)k->nleak + 1, sizeof *r);
    const int n = r ? an_leaks_describe(k, r) : 0;
    for (int m = 0; m < n; m++)
        fprintf(out,
                "leakage     %s: %.6g kg/s%s, p %.6g to %.6g Pa, T0 %.6g K, torque of the cavity "
                "%.4g N m, windage %.4g W%s\n",
                r[m].name, r[m].mass, r[m].choked ? " (the last fin chokes)" : "", r[m].p_from,
                r[m].p_to, r[m].T0_to, r[m].torque, r[m].windage,
                r[m].sonic
                    ? "; the part of the wall that the gas comes back through is too small for "
                      "this mass flow: it comes back with the speed of sound"
                    : "");
    free(r);
}
