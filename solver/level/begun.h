/* Sums over time that begin behind an iteration which a key of the case names, such as output.means_from. Snapshots hold
 * the sums; a restart goes on with them only if its key asks for the same sums. */
#ifndef AN_SOLVER_BEGUN_H
#define AN_SOLVER_BEGUN_H

#include "io/snapshot.h"

#include <stdint.h>

struct an_begun {
    const char *name; /* of the sums, in the record of a snapshot: "means" */
    const char *path; /* of the key: "output.means_from" */
    double key;       /* its value when the sums began; negative: not known */
    double at;        /* iteration behind which they began */
};

/* The sums begin behind iteration `at`, with this value of the key. */
void an_begun_note(struct an_begun *b, int key, int64_t at);
/* has: the snapshot has sums. AN_INPUT if the run would go on with them although its key, which lies before the
 * snapshot's iteration, asks for other ones. */
int an_begun_expect(struct an_begun *b, const struct an_snapshot_meta *meta, int key, int has);
int an_begun_keep(const struct an_begun *b, struct an_snapshot_meta *meta);

#endif
