/* Parts of a run: called in the order of the array, skipped where the run does not have them, destroyed
 * in the opposite order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/march/components.h"

static char calls[256]; /* what was called, in order: "make a;make b;" */
static char fails;      /* the part whose functions fail; 0: none */

static int note(const char *what, char who)
{
    const size_t used = strlen(calls);
    snprintf(calls + used, sizeof calls - used, "%s %c;", what, who);
    return who == fails ? an_error_set(AN_INPUT, "%s %c", what, who) : AN_OK;
}

static char data[3] = {'a', 'b', 'c'};

#define PART(who, wanted)                                                           \
    static int make_##who(struct an_solver *s, void **part)                         \
    {                                                                               \
        (void)s;                                                                    \
        *part = wanted ? &data[#who[0] - 'a'] : NULL;                               \
        return note("make", #who[0]);                                               \
    }                                                                               \
    static const struct an_component_type type_##who = {.name = #who,               \
                                                        .make = make_##who,         \
                                                        .destroy = destroy,         \
                                                        .before_step = before_step, \
                                                        .keep = keep,               \
                                                        .phase = phase,             \
                                                        .fields = fields}

static void destroy(struct an_solver *s, void *component)
{
    (void)s;
    (void)note("destroy", *(char *)component);
}

static int before_step(struct an_solver *s, void *component)
{
    (void)s;
    return note("step", *(char *)component);
}

static int keep(const struct an_solver *s, const void *component, struct an_snapshot_meta *meta)
{
    (void)s;
    assert_non_null(meta);
    return note("keep", *(const char *)component);
}

static int phase(const struct an_solver *s, const void *component)
{
    (void)s;
    return *(const char *)component;
}

static int fields(const struct an_solver *s, const void *component, struct an_state_field *field)
{
    (void)s;
    const int n = *(const char *)component - 'a' + 1;
    for (int c = 0; c < n; c++)
        field[c].history = 10 * n + c;
    return n;
}

PART(a, 1);
PART(b, 0);
PART(c, 1);
static const struct an_component_type behind_a = {.name = "behind a", .after = AN_AFTER("a")};
static const struct an_component_type last = {.name = "last", .after = AN_AFTER(AN_ALL_OTHERS)};
static const struct an_component_type plain = {.name = "without functions"};
static const struct an_component_type *const all[] = {&type_a, &type_b, &plain, &type_c, NULL};

static struct an_solver solver;

static int set_up(void **state)
{
    (void)state;
    memset(&solver, 0, sizeof solver);
    solver.comm = MPI_COMM_WORLD;
    solver.components = all;
    calls[0] = fails = 0;
    return 0;
}

static void order(void **state)
{
    (void)state;
    struct an_snapshot_meta meta;
    assert_int_equal(an_components_make(&solver), AN_OK);
    assert_int_equal(an_components_before_step(&solver), AN_OK);
    assert_int_equal(an_components_keep(&solver, &meta), AN_OK);
    assert_ptr_equal(an_component_of(&solver, &type_c), &data[2]);
    assert_null(an_component_of(&solver, &type_b));
    an_components_destroy(&solver);
    assert_string_equal(calls,
                        "make a;make b;make c;step a;step c;keep a;keep c;destroy c;destroy a;");
    assert_null(an_component_of(&solver, &type_a));
}

static void first_error(void **state)
{
    (void)state;
    assert_int_equal(an_components_make(&solver), AN_OK);
    calls[0] = 0;
    fails = 'a';
    assert_int_equal(an_components_before_step(&solver), AN_INPUT);
    assert_string_equal(calls, "step a;");
}

/* The array of the program has each part behind those it names; other orders are found. */
static void named_order(void **state)
{
    (void)state;
    const char *missing = "";
    const struct an_component_type *const good[] = {&type_a, &plain, &behind_a, &last, NULL};
    const struct an_component_type *const early[] = {&behind_a, &type_a, NULL};
    const struct an_component_type *const not_last[] = {&last, &type_a, NULL};
    assert_null(an_components_misplaced(good, &missing));
    assert_string_equal(an_components_misplaced(early, &missing), "behind a");
    assert_string_equal(missing, "a");
    assert_string_equal(an_components_misplaced(not_last, &missing), "last");
    assert_string_equal(missing, "a");
    const char *wrong = an_components_misplaced(an_components, &missing);
    if (wrong)
        fail_msg("'%s' must stand behind '%s' in solver/march/components.c", wrong, missing);
}

/* What was made before an error is destroyed, what was not made is not. */
static void failed_make(void **state)
{
    (void)state;
    fails = 'b';
    assert_int_equal(an_components_make(&solver), AN_INPUT);
    an_components_destroy(&solver);
    assert_string_equal(calls, "make a;make b;destroy a;");
}

static void sums(void **state)
{
    (void)state;
    struct an_state_field field[8] = {{0}};
    int phases[AN_MAX_COMPONENTS] = {0};
    assert_int_equal(an_components_make(&solver), AN_OK);
    assert_int_equal(an_components_fields(&solver, field), 4); /* one of a, then three of c */
    assert_int_equal(field[0].history, 10);
    assert_int_equal(field[1].history, 30);
    assert_int_equal(field[3].history, 32);
    an_components_phases(&solver, phases);
    assert_int_equal(phases[0], 'a');
    assert_int_equal(phases[1], 0); /* the run does not have it */
    assert_int_equal(phases[3], 'c');
}

/* A run that was never set up has no parts. */
static void none(void **state)
{
    (void)state;
    solver.components = NULL;
    assert_int_equal(an_components_before_step(&solver), AN_OK);
    assert_null(an_component_of(&solver, &type_a));
    an_components_destroy(&solver);
    assert_string_equal(calls, "");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(order, set_up), cmocka_unit_test_setup(first_error, set_up),
        cmocka_unit_test(named_order),         cmocka_unit_test_setup(failed_make, set_up),
        cmocka_unit_test_setup(sums, set_up),  cmocka_unit_test_setup(none, set_up)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
