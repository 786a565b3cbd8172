#include "solver/level/begun.h"

#include "kernels/base/error.h"

#include <inttypes.h>
#include <stdio.h>

void an_begun_note(struct an_begun *b, int key, int64_t at)
{
    b->key = key;
    b->at = (double)at;
}

int an_begun_expect(struct an_begun *b, const struct an_snapshot_meta *meta, int key, int has)
{
    char name[64];
    snprintf(name, sizeof name, "%s.key", b->name);
    b->key = an_snapshot_control_get(meta, name, -1);
    snprintf(name, sizeof name, "%s.begun", b->name);
    b->at = an_snapshot_control_get(meta, name, -1);
    if (!has || b->key < 0 || meta->iteration <= key || b->key == key || b->at == key)
        return AN_OK;
    return an_error_set(AN_INPUT,
                        "'%s' is %d, but the sums of the snapshot of iteration %" PRId64
                        " begin behind iteration %.0f, with '%s: %.0f': give %.0f to go on with "
                        "them, or %" PRId64 " or more to begin anew",
                        b->path, key, meta->iteration, b->at, b->path, b->key, b->key,
                        meta->iteration);
}

int an_begun_keep(const struct an_begun *b, struct an_snapshot_meta *meta)
{
    char name[64];
    if (b->key < 0) /* of an earlier version, which did not write it */
        return AN_OK;
    snprintf(name, sizeof name, "%s.key", b->name);
    AN_TRY(an_snapshot_control_add(meta, name, b->key));
    snprintf(name, sizeof name, "%s.begun", b->name);
    return an_snapshot_control_add(meta, name, b->at);
}
