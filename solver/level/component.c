#include "solver/level/component.h"

#include "mpi/reduce.h"
#include "solver/level/level.h"

#include <assert.h>
#include <string.h>

/* Calls a function of all parts that the run has, where they have that function, up to the first
 * error. The call's arguments may name the part's data `part`. */
#define EACH(s, function, arguments)                                     \
    do {                                                                 \
        for (int n_ = 0; (s)->components && (s)->components[n_]; n_++) { \
            void *part = (s)->component[n_];                             \
            if (part && (s)->components[n_]->function)                   \
                AN_TRY((s)->components[n_]->function arguments);         \
        }                                                                \
        return AN_OK;                                                    \
    } while (0)

static int stands_before(const struct an_component_type *const *parts, int end, const char *name)
{
    for (int n = 0; n < end; n++)
        if (strcmp(parts[n]->name, name) == 0)
            return 1;
    return 0;
}

static int is_last(const struct an_component_type *part)
{
    return part->after && strcmp(part->after[0], AN_ALL_OTHERS) == 0;
}

const char *an_components_misplaced(const struct an_component_type *const *parts,
                                    const char **missing)
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

void **an_component_place(struct an_solver *s, const struct an_component_type *type)
{
    for (int n = 0; s->components && s->components[n]; n++)
        if (s->components[n] == type)
            return &s->component[n];
    assert(0 && "the part is missing in the array of parts");
    return NULL;
}

void *an_component_of(const struct an_solver *s, const struct an_component_type *type)
{
    for (int n = 0; s->components && s->components[n]; n++)
        if (s->components[n] == type)
            return s->component[n];
    return NULL;
}

int an_components_make(struct an_solver *s)
{
    for (int n = 0; s->components[n]; n++) {
        assert(n < AN_MAX_COMPONENTS);
        if (s->components[n]->make)
            AN_TRY(an_reduce_status(s->comm, s->components[n]->make(s, &s->component[n])));
    }
    return AN_OK;
}

void an_components_destroy(struct an_solver *s)
{
    int n = 0;
    while (s->components && s->components[n])
        n++;
    while (n-- > 0) {
        if (s->component[n] && s->components[n]->destroy)
            s->components[n]->destroy(s, s->component[n]);
        s->component[n] = NULL;
    }
}

int an_components_expect(struct an_solver *s, const struct an_snapshot_meta *meta)
{
    EACH(s, expect, (s, part, meta));
}

int an_components_start(struct an_solver *s, int fresh)
{
    EACH(s, start, (s, part, fresh));
}

int an_components_take(struct an_solver *s, const struct an_snapshot_meta *meta)
{
    EACH(s, take, (s, part, meta));
}

int an_components_catch_up(struct an_solver *s)
{
    EACH(s, catch_up, (s, part));
}

int an_components_before_step(struct an_solver *s)
{
    EACH(s, before_step, (s, part));
}

int an_components_step(struct an_solver *s)
{
    EACH(s, step, (s, part));
}

int an_components_have_midway(const struct an_solver *s)
{
    int some = 0;
    for (int n = 0; s->components && s->components[n]; n++)
        some |= s->component[n] && s->components[n]->midway;
    return some;
}

int an_components_midway(struct an_solver *s)
{
    EACH(s, midway, (s, part));
}

int an_components_after_step(struct an_solver *s)
{
    EACH(s, after_step, (s, part));
}

void an_components_phases(const struct an_solver *s, int *phase)
{
    for (int n = 0; s->components && s->components[n]; n++)
        if (s->component[n] && s->components[n]->phase)
            phase[n] = s->components[n]->phase(s, s->component[n]);
}

int an_components_before_measure(struct an_solver *s)
{
    EACH(s, before_measure, (s, part));
}

int an_components_measure_start(struct an_solver *s)
{
    EACH(s, measure_start, (s, part));
}

int an_components_measure_finish(struct an_solver *s, const struct an_measured *m)
{
    EACH(s, measure_finish, (s, part, m));
}

int an_components_keep(const struct an_solver *s, struct an_snapshot_meta *meta)
{
    EACH(s, keep, (s, part, meta));
}

int an_components_write(struct an_solver *s, const struct an_snapshot_meta *meta)
{
    EACH(s, write, (s, part, meta));
}

int an_components_write_rest(const struct an_solver *s, const struct an_snapshot_meta *meta)
{
    EACH(s, write_rest, (s, part, meta));
}

int an_components_fields(const struct an_solver *s, struct an_state_field *field)
{
    int count = 0;
    for (int n = 0; s->components && s->components[n]; n++)
        if (s->component[n] && s->components[n]->fields)
            count += s->components[n]->fields(s, s->component[n], field + count);
    return count;
}

void an_components_print(const struct an_solver *s, FILE *out)
{
    for (int n = 0; s->components && s->components[n]; n++)
        if (s->component[n] && s->components[n]->print)
            s->components[n]->print(s, s->component[n], out);
}

void an_component_print(const struct an_solver *s, const struct an_component_type *type, FILE *out)
{
    const void *component = an_component_of(s, type);
    if (component && type->print)
        type->print(s, component, out);
}

void an_components_report(const struct an_solver *s, FILE *out)
{
    for (int n = 0; s->components && s->components[n]; n++)
        if (s->component[n] && s->components[n]->report)
            s->components[n]->report(s, s->component[n], out);
}
