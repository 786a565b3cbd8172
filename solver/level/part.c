#include "solver/level/part.h"

#include "mpi/reduce.h"
#include "solver/level/level.h"

#include <assert.h>
#include <string.h>

/* Calls a function of all parts that the run has, where they have that function, up to the first
 * error. The call's arguments may name the part's data `part`. */
#define EACH(s, function, arguments)                           \
    do {                                                       \
        for (int n_ = 0; (s)->parts && (s)->parts[n_]; n_++) { \
            void *part = (s)->part[n_];                        \
            if (part && (s)->parts[n_]->function)              \
                AN_TRY((s)->parts[n_]->function arguments);    \
        }                                                      \
        return AN_OK;                                          \
    } while (0)

static int stands_before(const struct an_part_type *const *parts, int end, const char *name)
{
    for (int n = 0; n < end; n++)
        if (strcmp(parts[n]->name, name) == 0)
            return 1;
    return 0;
}

static int is_last(const struct an_part_type *part)
{
    return part->after && strcmp(part->after[0], AN_ALL_OTHERS) == 0;
}

const char *an_parts_misplaced(const struct an_part_type *const *parts, const char **missing)
{
    for (int n = 0; parts[n]; n++) {
        if (n > 0 && is_last(parts[n - 1]) && !is_last(parts[n])) {
            *missing = parts[n]->name;
            return parts[n - 1]->name;
        }
        if (is_last(parts[n]))
            continue;
        for (int k = 0; parts[n]->after && parts[n]->after[k]; k++)
            if (!stands_before(parts, n, parts[n]->after[k])) {
                *missing = parts[n]->after[k];
                return parts[n]->name;
            }
    }
    return NULL;
}

void **an_part_place(struct an_solver *s, const struct an_part_type *type)
{
    for (int n = 0; s->parts && s->parts[n]; n++)
        if (s->parts[n] == type)
            return &s->part[n];
    assert(0 && "the part is missing in the array of parts");
    return NULL;
}

void *an_part_of(const struct an_solver *s, const struct an_part_type *type)
{
    for (int n = 0; s->parts && s->parts[n]; n++)
        if (s->parts[n] == type)
            return s->part[n];
    return NULL;
}

int an_parts_make(struct an_solver *s)
{
    for (int n = 0; s->parts[n]; n++) {
        assert(n < AN_MAX_PARTS);
        if (s->parts[n]->make)
            AN_TRY(an_reduce_status(s->comm, s->parts[n]->make(s, &s->part[n])));
    }
    return AN_OK;
}

void an_parts_destroy(struct an_solver *s)
{
    int n = 0;
    while (s->parts && s->parts[n])
        n++;
    while (n-- > 0) {
        if (s->part[n] && s->parts[n]->destroy)
            s->parts[n]->destroy(s, s->part[n]);
        s->part[n] = NULL;
    }
}

int an_parts_expect(struct an_solver *s, const struct an_snapshot_meta *meta)
{
    EACH(s, expect, (s, part, meta));
}

int an_parts_start(struct an_solver *s, int fresh)
{
    EACH(s, start, (s, part, fresh));
}

int an_parts_take(struct an_solver *s, const struct an_snapshot_meta *meta)
{
    EACH(s, take, (s, part, meta));
}

int an_parts_catch_up(struct an_solver *s)
{
    EACH(s, catch_up, (s, part));
}

int an_parts_before_step(struct an_solver *s)
{
    EACH(s, before_step, (s, part));
}

int an_parts_step(struct an_solver *s)
{
    EACH(s, step, (s, part));
}

int an_parts_after_step(struct an_solver *s)
{
    EACH(s, after_step, (s, part));
}

void an_parts_phases(const struct an_solver *s, int *phase)
{
    for (int n = 0; s->parts && s->parts[n]; n++)
        if (s->part[n] && s->parts[n]->phase)
            phase[n] = s->parts[n]->phase(s, s->part[n]);
}

int an_parts_before_measure(struct an_solver *s)
{
    EACH(s, before_measure, (s, part));
}

int an_parts_measure_start(struct an_solver *s)
{
    EACH(s, measure_start, (s, part));
}

int an_parts_measure_finish(struct an_solver *s, const struct an_measured *m)
{
    EACH(s, measure_finish, (s, part, m));
}

int an_parts_keep(const struct an_solver *s, struct an_snapshot_meta *meta)
{
    EACH(s, keep, (s, part, meta));
}

int an_parts_write(struct an_solver *s, const struct an_snapshot_meta *meta)
{
    EACH(s, write, (s, part, meta));
}

int an_parts_write_rest(const struct an_solver *s, const struct an_snapshot_meta *meta)
{
    EACH(s, write_rest, (s, part, meta));
}

int an_parts_fields(const struct an_solver *s, struct an_state_field *field)
{
    int count = 0;
    for (int n = 0; s->parts && s->parts[n]; n++)
        if (s->part[n] && s->parts[n]->fields)
            count += s->parts[n]->fields(s, s->part[n], field + count);
    return count;
}

void an_parts_print(const struct an_solver *s, FILE *out)
{
    for (int n = 0; s->parts && s->parts[n]; n++)
        if (s->part[n] && s->parts[n]->print)
            s->parts[n]->print(s, s->part[n], out);
}

void an_parts_report(const struct an_solver *s, FILE *out)
{
    for (int n = 0; s->parts && s->parts[n]; n++)
        if (s->part[n] && s->parts[n]->report)
            s->parts[n]->report(s, s->part[n], out);
}
