/* Defaults that depend on other keys: one table, from which reading sets the values of keys that
 * were not given and `annulus help-case` prints the words. */
#include "io/case_keys.h"

#include <stdio.h>
#include <string.h>

/* What a default can depend on. */
enum condition {
    ALWAYS,
    UNSTEADY,
    IMPLICIT,
    ROWS,
    JST,
    SOFT_START,
    SOFT_RAMP,
    DUAL,
    DUAL_CENTRAL,
    SCREE,
    SMOOTHED,
    SCREE_SMOOTHED,
    TRANSITION,
    BCM,
    KEP,
    LAGGED
};

/* How the help names it. */
static const char *const words[] = {
    [ALWAYS] = "",
    [UNSTEADY] = "unsteady",
    [IMPLICIT] = "implicit",
    [ROWS] = "implicit with rows",
    [DUAL] = "dual",
    [DUAL_CENTRAL] = "dual with rows and flux jst or matrix, without phase_lag",
    [JST] = "implicit with flux jst",
    [SOFT_START] = "implicit with rows, without cfl_ramp",
    [SOFT_RAMP] = "implicit with rows, without cfl_start, where cfl is larger than 2",
    [SCREE] = "scree",
    [SMOOTHED] = "explicit with residual_smoothing",
    [SCREE_SMOOTHED] = "scree with residual_smoothing",
    [TRANSITION] = "with transition",
    [BCM] = "with transition: bcm",
    [KEP] = "with flux kep",
    [LAGGED] = "with march.phase_lag"};

static int was_given(const struct an_origin *const *given, const char *name)
{
    return given[an_key_find("march", name, -1)] != NULL;
}

static int holds(enum condition condition, const struct an_case *c,
                 const struct an_origin *const *given)
{
    const int implicit = an_case_is_implicit(c), dual = an_case_is_dual(c);
    const int rows = implicit && !dual && c->nrow > 0;
    const int scree = !implicit && c->march.method == AN_METHOD_SCREE;
    const int smoothed = !implicit && c->march.residual_smoothing != AN_SMOOTHING_NONE;
    const int central = c->scheme.flux == AN_SCHEME_JST || c->scheme.flux == AN_SCHEME_MATRIX;
    const int value[] = {
        [ALWAYS] = 1,
        [UNSTEADY] = c->march.mode == AN_MARCH_UNSTEADY,
        [IMPLICIT] = implicit,
        [ROWS] = rows,
        [JST] = implicit && !dual && c->scheme.flux == AN_SCHEME_JST,
        [SOFT_START] = rows && !was_given(given, "cfl_ramp"),
        [SOFT_RAMP] = rows && !was_given(given, "cfl_start") && c->march.cfl > AN_CFL_SOFT,
        [DUAL] = dual,
        [DUAL_CENTRAL] = dual && c->nrow > 0 && !c->march.phase_lag && central,
        [SCREE] = scree,
        [SMOOTHED] = smoothed,
        [SCREE_SMOOTHED] = scree && smoothed,
        [TRANSITION] = an_case_has_transition(c),
        [BCM] = an_case_has_bcm(c),
        [KEP] = c->scheme.flux == AN_SCHEME_KEP,
        [LAGGED] = c->march.phase_lag > 0,
    };
    _Static_assert(sizeof value / sizeof *value == sizeof words / sizeof *words,
                   "a value for each condition");
    return value[condition];
}

/* A key that is not given takes the value of its first row whose condition holds; where none does,
 * the `standard` of the key. A value may be the name of a key of the section, whose value it takes,
 * and `most` names one that it does not exceed. Rows stand behind those of the keys they name. */
static const struct {
    const char *section, *name;
    enum condition when;
    const char *value, *most;
    const char *called; /* in the help; NULL: value */
} table[] = {
    {"scheme", "flux", IMPLICIT, "roe", NULL, NULL},
    {"scheme", "k4", KEP, "0.0002", NULL, NULL},
    {"scheme", "limiter_floor", IMPLICIT, "0.01", NULL, NULL},
    /* as many cycles with two as with three; without rows, near stall, more with two */
    {"march", "stages", ROWS, "2", NULL, NULL},
    /* a turbine stage with a sliding plane: as many inner iterations with two as with three, and
     * four times as many with one. With Roe's flux plates in a gust diverge with two */
    {"march", "stages", DUAL_CENTRAL, "2", NULL, NULL},
    {"march", "stages", IMPLICIT, "3", NULL, NULL},
    {"march", "cfl", ROWS, "50", NULL, NULL},
    {"march", "cfl", JST, "30", NULL, NULL},
    {"march", "cfl", IMPLICIT, "1000", NULL, NULL},
    {"march", "cfl", SCREE, AN_TEXT(AN_CFL_SCREE), NULL, NULL},
    {"march", "cfl", SMOOTHED, "5", NULL, NULL},
    {"march", "cfl_start", SOFT_START, AN_TEXT(AN_CFL_SOFT), "cfl", NULL},
    {"march", "cfl_start", ALWAYS, "cfl", NULL, NULL},
    {"march", "cfl_ramp", SOFT_RAMP, "100", NULL, NULL},
    /* Rotor 37 swings more with 8 than with 50, and march.damping settles it */
    {"march", "cfl_min", ROWS, "0", NULL, NULL},
    {"march", "smoothing_coefficient", SCREE_SMOOTHED, "0.15", NULL, NULL},
    {"march", "smoothing_sweeps", SCREE_SMOOTHED, "1", NULL, NULL},
    {"march", "iterations", UNSTEADY, "2147483647", NULL, "none"},
    {"turbulence", "sweeps", DUAL, "2", NULL, NULL},
    {"turbulence", "sweeps", ROWS, "2", NULL, NULL},
    {"turbulence", "sweeps", IMPLICIT, "4", NULL, NULL},
    /* of the range that the authors of SA-BCM give */
    {"turbulence", "inlet_viscosity_ratio", BCM, "0.02", NULL, NULL},
    {"turbulence", "wall_function", TRANSITION, "off", NULL, NULL},
    {"multigrid", "levels", LAGGED, "1", NULL, NULL},
    {"multigrid", "levels", IMPLICIT, "0", NULL, NULL},
    /* the same cycles and figures, a tenth less time; without rows an airfoil near stall was lost */
    {"multigrid", "thin_layer", ROWS, "true", NULL, NULL},
    {"multigrid", "thin_layer", DUAL_CENTRAL, "true", NULL, NULL},
    /* the cylinder at Re 100: 6.0 V cycles a step, or 32.5 iterations on one level */
    {"multigrid", "cycle", DUAL, "v", NULL, NULL}};

enum { NROW = sizeof table / sizeof *table };

static void set(struct an_case_reader *r, int n)
{
    const struct an_key *keys = an_case_keys;
    const int of = an_key_find(table[n].section, table[n].value, -1);
    const int most = table[n].most ? an_key_find(table[n].section, table[n].most, -1) : -1;
    struct an_key key = keys[an_key_find(table[n].section, table[n].name, -1)];
    double *to = (double *)((char *)r->c + key.offset);
    if (of >= 0) {
        *to = *(const double *)((const char *)r->c + keys[of].offset);
        return;
    }
    key.standard = table[n].value;
    an_key_standard(r, &key, r->c);
    if (most >= 0) {
        const double limit = *(const double *)((const char *)r->c + keys[most].offset);
        *to = *to < limit ? *to : limit;
    }
}

void an_case_defaults(struct an_case_reader *r, const struct an_origin *const *given)
{
    char done[AN_CASE_NKEY] = {0};
    for (int n = 0; n < NROW; n++) {
        const int key = an_key_find(table[n].section, table[n].name, -1);
        if (given[key] || done[key] || !holds(table[n].when, r->c, given))
            continue;
        set(r, n);
        done[key] = 1;
    }
}

int an_key_default(const struct an_key *key, char *buf, size_t size)
{
    const char *standard = key->standard_help ? key->standard_help : key->standard;
    char rest[400] = "";
    for (int n = 0; n < NROW; n++) {
        if (strcmp(table[n].section, key->section) != 0 || strcmp(table[n].name, key->name) != 0)
            continue;
        const char *value = table[n].called ? table[n].called : table[n].value;
        const size_t used = strlen(rest);
        if (table[n].when == ALWAYS)
            standard = value;
        else
            snprintf(rest + used, sizeof rest - used, "; %s%s%s%s if %s", value,
                     table[n].most ? ", at most " : "", table[n].most ? table[n].most : "",
                     table[n].most ? "," : "", words[table[n].when]);
    }
    snprintf(buf, size, "%s%s", standard ? standard : "", rest);
    return standard != NULL;
}
