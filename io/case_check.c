/* Faults that concern more than one key. */
#include "io/case_keys.h"
#include "io/output_fields.h"
#include "kernels/base/units.h"
#include "kernels/physics/gas_state.h"
#include "kernels/physics/metal.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const struct an_origin *at_key(const struct an_origin *const *given, const char *section,
                                      const char *name, int bc)
{
    int row = an_key_find(section, name, bc);
    return row < 0 ? NULL : given[row];
}

/* Velocity is given once: by its vector, or by Mach number and direction. */
static void check_state(struct an_case_reader *r, struct an_case_state *s, const char *section,
                        const char *path, int bc, const struct an_origin *const *given)
{
    const struct an_origin *velocity = at_key(given, section, "velocity", bc);
    const struct an_origin *mach = at_key(given, section, "mach", bc);
    const struct an_origin *direction = at_key(given, section, "direction", bc);
    s->has_velocity = velocity != NULL;
    if (velocity && mach)
        an_case_fault(r, velocity->set ? velocity : mach,
                      "'%s.mach' and '%s.velocity' are both given; keep one", path, path);
    else if (velocity && direction)
        an_case_fault(r, velocity->set ? velocity : direction,
                      "'%s.direction' and '%s.velocity' are both given; keep one", path, path);
}

static double mach_of(const struct an_case *c, const struct an_case_state *s)
{
    const double *v = s->velocity;
    if (!s->has_velocity)
        return s->mach;
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (c->gas.model.table)
        return sqrt(square) / an_state_sound(&c->gas.model, s->p, s->T);
    return sqrt(square / (an_gas_gamma(&c->gas.model, s->T) * c->gas.R * s->T));
}

/* An outlet whose pressure follows the flow: in one way, and in steady runs. */
static void check_outlet(struct an_case_reader *r, struct an_case_boundary *b,
                         const struct an_origin *const *given, const struct an_origin *at)
{
    char name[60];
    const struct an_origin *mass = at_key(given, AN_SECTION_BOUNDARY, "mass_flow", -1);
    const struct an_origin *throttle = at_key(given, AN_SECTION_BOUNDARY, "throttle_mass_flow", -1);
    const struct an_origin *behind = at_key(given, AN_SECTION_BOUNDARY, "throttle_p", -1);
    an_printable(b->name, name, sizeof name);
    if (b->outlet.mass_flow > 0 && b->outlet.throttle_mass_flow > 0)
        an_case_fault(
            r, throttle ? throttle : at,
            "'boundaries.%s.mass_flow' and 'boundaries.%s.throttle_mass_flow' are both given; "
            "keep one",
            name, name);
    if (b->outlet.throttle_p > 0 && !(b->outlet.throttle_mass_flow > 0))
        an_case_fault(r, behind ? behind : at,
                      "'boundaries.%s.throttle_p' needs 'throttle_mass_flow'", name);
    if (behind && b->outlet.throttle_p >= b->p)
        an_case_fault(
            r, behind ? behind : at,
            "'boundaries.%s.throttle_p' is %.10g Pa, but must be below 'p', which is %.10g Pa",
            name, b->outlet.throttle_p, b->p);
    if (r->c->march.mode != AN_MARCH_STEADY &&
        (b->outlet.mass_flow > 0 || b->outlet.throttle_mass_flow > 0 || b->outlet.equilibrium))
        an_case_fault(r,
                      mass       ? mass
                      : throttle ? throttle
                                 : at,
                      "'boundaries.%s': mass_flow, throttle and radial_equilibrium need "
                      "'march.mode: steady'",
                      name);
}

/* An inlet whose total pressure follows the mass flow: in steady runs, and all of the inlet alike. */
static void check_inlet(struct an_case_reader *r, struct an_case_boundary *b,
                        const struct an_origin *const *given, const struct an_origin *at)
{
    const struct an_origin *mass = at_key(given, AN_SECTION_BOUNDARY, "mass_flow", (int)b->type);
    char name[60];
    (void)at;
    an_printable(b->name, name, sizeof name);
    if (mass && r->c->march.mode != AN_MARCH_STEADY)
        an_case_fault(r, mass, "'boundaries.%s.mass_flow' needs 'march.mode: steady'", name);
    if (mass && b->outlet.non_reflecting)
        an_case_fault(
            r, mass,
            "'boundaries.%s.mass_flow' and 'boundaries.%s.non_reflecting' are both given; "
            "keep one",
            name, name);
}

/* Mass flows given at inlets and outlets alike leave the level of the pressure open, unless another
 * boundary fixes it. All boundaries are read. */
static void check_level(struct an_case_reader *r)
{
    const struct an_case *c = r->c;
    const struct an_case_boundary *inlet = NULL, *outlet = NULL;
    char name[60], other[80] = "map.vary: mass_flow";
    int fixed = 0;
    for (int n = 0; n < c->nboundary; n++) {
        const struct an_case_boundary *b = &c->boundary[n];
        if (b->type == AN_BC_INLET_TOTAL && b->outlet.mass_flow > 0)
            inlet = b;
        else if (b->type == AN_BC_OUTLET_STATIC &&
                 (b->outlet.mass_flow > 0 || c->map.vary == AN_VARY_MASS_FLOW))
            outlet = b;
        else
            fixed |= an_bc_type_has(b->type, AN_BC_PASSES);
    }
    if (!inlet || !outlet || fixed)
        return;
    const struct an_origin at = {.file = r->file, .line = inlet->line, .column = 1};
    if (outlet->outlet.mass_flow > 0)
        snprintf(other, sizeof other, "boundaries.%s.mass_flow",
                 an_printable(outlet->name, name, sizeof name));
    an_case_fault(
        r, &at,
        "'boundaries.%s.mass_flow' and '%s' are both given: nothing fixes the level of the "
        "pressure; keep one",
        an_printable(inlet->name, name, sizeof name), other);
}

/* Roughness acts through the turbulence model. */
static void check_roughness(struct an_case_reader *r, const struct an_case_boundary *b,
                            const struct an_origin *at, int heated)
{
    char name[60];
    if (!at || !(b->wall.roughness > 0))
        return;
    an_printable(b->name, name, sizeof name);
    if (!an_case_has_transport(r->c))
        an_case_fault(r, at, "'boundaries.%s.roughness' needs 'turbulence.model': sa or sst", name);
    else if (an_case_has_transition(r->c))
        an_case_fault(r, at,
                      "'boundaries.%s.roughness' and 'turbulence.transition' are both given, but "
                      "the model of "
                      "transition does not know roughness; keep one",
                      name);
    else if (heated && r->c->turbulence.model == AN_TURBULENCE_SA)
        an_case_fault(
            r, at,
            "'boundaries.%s.roughness' and 'boundaries.%s.heat_flux' do not go together with "
            "'turbulence.model: sa': give T, or take sst",
            name, name);
}

/* T, heat flux or a profile of a viscous wall, only one of them. */
static void check_wall(struct an_case_reader *r, struct an_case_boundary *b,
                       const struct an_origin *const *given, const struct an_origin *at)
{
    char name[60];
    const struct an_origin *T = at_key(given, AN_SECTION_BOUNDARY, "T", (int)b->type);
    const struct an_origin *heat = at_key(given, AN_SECTION_BOUNDARY, "heat_flux", -1);
    const struct an_origin *profile = at_key(given, AN_SECTION_BOUNDARY, "profile", (int)b->type);
    (void)at;
    an_printable(b->name, name, sizeof name);
    if (T && heat)
        an_case_fault(r, heat->set ? heat : T,
                      "'boundaries.%s.T' and 'boundaries.%s.heat_flux' are both given; keep one",
                      name, name);
    if (profile && (T || heat))
        an_case_fault(r,
                      profile->set ? profile
                      : T          ? T
                                   : heat,
                      "'boundaries.%s.profile' and 'boundaries.%s.%s' are both given; keep one",
                      name, name, T ? "T" : "heat_flux");
    b->wall.has_omega = at_key(given, AN_SECTION_BOUNDARY, "omega", (int)b->type) != NULL;
    check_roughness(r, b, at_key(given, AN_SECTION_BOUNDARY, "roughness", (int)b->type),
                    heat && b->wall.heat_flux != 0);
}

static void check_cooling(struct an_case_reader *r, struct an_case_boundary *b,
                          const struct an_origin *const *given, const struct an_origin *at)
{
    char name[60];
    b->patch.has_direction = at_key(given, AN_SECTION_BOUNDARY, "direction", (int)b->type) != NULL;
    if ((b->patch.mach > 0) == (b->p0 > 0))
        an_case_fault(r, at, "'boundaries.%s' needs either 'mach' or 'p0'",
                      an_printable(b->name, name, sizeof name));
}

/* A whole state of the gas. */
static void check_stream(struct an_case_reader *r, struct an_case_boundary *b,
                         const struct an_origin *const *given, const struct an_origin *at)
{
    char path[120], name[60];
    snprintf(path, sizeof path, "boundaries.%s", an_printable(b->name, name, sizeof name));
    check_state(r, &b->state, AN_SECTION_BOUNDARY, path, (int)b->type, given);
    if (!b->state.has_velocity && !at_key(given, AN_SECTION_BOUNDARY, "mach", (int)b->type))
        an_case_fault(r, at, "'%s' needs 'mach' (and 'direction') or 'velocity'", path);
}

static void check_supersonic(struct an_case_reader *r, struct an_case_boundary *b,
                             const struct an_origin *const *given, const struct an_origin *at)
{
    char name[60];
    const int known =
        b->state.has_velocity || at_key(given, AN_SECTION_BOUNDARY, "mach", (int)b->type);
    if (known && b->state.T > 0 && !(mach_of(r->c, &b->state) > 1))
        an_case_fault(
            r, at, "'boundaries.%s' is an %s at Mach number %.4g, but its Mach number must be > 1",
            an_printable(b->name, name, sizeof name), an_bc_type_name(b->type),
            mach_of(r->c, &b->state));
}

void an_case_check_boundary(struct an_case_reader *r, struct an_case_boundary *b,
                            const struct an_origin *const *given, const struct an_origin *at)
{
    typedef void check_of_type(struct an_case_reader *, struct an_case_boundary *,
                               const struct an_origin *const *, const struct an_origin *);
    /* rules that join several keys of one type */
    static check_of_type *const check[AN_BC_NTYPE] = {[AN_BC_WALL_VISCOUS] = check_wall,
                                                      [AN_BC_INLET_TOTAL] = check_inlet,
                                                      [AN_BC_OUTLET_STATIC] = check_outlet,
                                                      [AN_BC_INLET_SUPERSONIC] = check_supersonic,
                                                      [AN_BC_COOLING] = check_cooling};
    char name[60];
    const struct an_origin *scalars = at_key(given, AN_SECTION_BOUNDARY, "scalars", (int)b->type);
    if (scalars && b->scalars.n != r->c->nscalar)
        an_case_fault(r, scalars,
                      "'boundaries.%s.scalars' has %d numbers, but the case has %d scalar%s",
                      an_printable(b->name, name, sizeof name), b->scalars.n, r->c->nscalar,
                      r->c->nscalar == 1 ? "" : "s");
    if (an_bc_type_has(b->type, AN_BC_STATE))
        check_stream(r, b, given, at);
    if (check[b->type])
        check[b->type](r, b, given, at);
    if (b == &r->c->boundary[r->c->nboundary - 1])
        check_level(r);
}

static void check_row(struct an_case_reader *r, void *element, const struct an_origin *const *given,
                      const struct an_origin *at)
{
    struct an_case_row *row = element;
    char name[60];
    const struct an_origin *omega = at_key(given, AN_SECTION_ROW, "omega", AN_KEY_ROW);
    const struct an_origin *rpm = at_key(given, AN_SECTION_ROW, "rpm", AN_KEY_ROW);
    an_printable(row->name, name, sizeof name);
    if (omega && rpm)
        an_case_fault(r, omega->set ? omega : rpm,
                      "'rows.%s.omega' and 'rows.%s.rpm' are both given; keep one", name, name);
    else if (!omega && !rpm)
        an_case_fault(r, at, "'rows.%s' needs 'rpm' or 'omega': 0 for a row at rest", name);
    if (rpm)
        row->omega = row->rpm * AN_RPM;
}

static void check_scalar(struct an_case_reader *r, void *element,
                         const struct an_origin *const *given, const struct an_origin *at)
{
    /* how names of the state in snapshots begin, and how those of means over time end */
    static const char *const state[] = {"Density",       "Momentum", "Energy", "Turbulen",
                                        "ViscosityEddy", "Scree",    "Mean",   "Mixing"};
    static const char *const means[] = {"Mean", "MeanRest", "RMS"};
    const struct an_case_scalar *scalar = element;
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    char name[60];
    (void)given;
    const size_t length = strlen(scalar->name);
    int taken = 0;
    for (size_t n = 0; n < sizeof state / sizeof *state; n++)
        taken |= strncmp(scalar->name, state[n], strlen(state[n])) == 0;
    for (size_t n = 0; n < sizeof means / sizeof *means; n++)
        taken |= length >= strlen(means[n]) &&
                 strcmp(scalar->name + length - strlen(means[n]), means[n]) == 0;
    for (int n = 0; n < AN_NOUTPUT; n++)
        taken |= strcmp(scalar->name, an_output_fields[n].name) == 0;
    if (strspn(scalar->name, letters) != strlen(scalar->name))
        an_case_fault(r, at, "'scalars.%s': names of scalars have letters, digits and _ only",
                      an_printable(scalar->name, name, sizeof name));
    else if (taken)
        an_case_fault(r, at, "'scalars.%s': snapshots have another field of that name",
                      scalar->name);
    else if (scalar - r->c->scalar == AN_MOST_SCALARS)
        an_case_fault(r, at, "'scalars.%s' is one too many: a case has at most %d", scalar->name,
                      AN_MOST_SCALARS);
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* Ends that are read the same way: [least, largest]. */
static void check_part(struct an_case_reader *r, const char *name, const char *key,
                       const struct an_case_numbers *part, const struct an_origin *at)
{
    if (part->n && (part->n != 2 || !(part->x[0] < part->x[1])))
        an_case_fault(r, at, "'leakages.%s.%s' must be two numbers, the least and the largest",
                      name, key);
}

static void check_leakage(struct an_case_reader *r, void *element,
                          const struct an_origin *const *given, const struct an_origin *at)
{
    static const char *const seal[] = {"fins", "discharge", "carry_over", "radius"};
    const struct an_case_leakage *q = element;
    const int ways = (q->mass_flow > 0) + (q->mass_fraction > 0) + (q->clearance > 0);
    const struct an_origin *fraction =
        at_key(given, AN_SECTION_LEAKAGE, "swirl_fraction", AN_KEY_LEAKAGE);
    const struct an_origin *speed = at_key(given, AN_SECTION_LEAKAGE, "speed_of", AN_KEY_LEAKAGE);
    char name[60], other[60];
    int row = !*q->speed_of;
    an_printable(q->name, name, sizeof name);
    if (strspn(q->name, letters) != strlen(q->name))
        an_case_fault(r, at, "'leakages.%s': names of leakages have letters, digits, _ and - only",
                      name);
    if (ways != 1)
        an_case_fault(
            r, at, "'leakages.%s' needs one of 'mass_flow', 'mass_fraction' and 'clearance'", name);
    const int plain = q->fins == 1 && q->discharge == 0.7 && q->carry_over == 1 && q->radius == 0;
    for (int n = 0; n < 4 && !plain && !(q->clearance > 0); n++) {
        const struct an_origin *key = at_key(given, AN_SECTION_LEAKAGE, seal[n], AN_KEY_LEAKAGE);
        if (key)
            an_case_fault(r, key, "'leakages.%s.%s' needs 'clearance'", name, seal[n]);
    }
    check_part(r, name, "from_x", &q->from_x, at);
    check_part(r, name, "from_r", &q->from_r, at);
    check_part(r, name, "to_x", &q->to_x, at);
    check_part(r, name, "to_r", &q->to_r, at);
    if (q->swirl == AN_SWIRL_KEPT && q->swirl_fraction != 0)
        an_case_fault(r, fraction ? fraction : at,
                      "'leakages.%s.swirl_fraction' needs 'swirl: fraction'", name);
    if (q->swirl == AN_SWIRL_KEPT && *q->speed_of)
        an_case_fault(r, speed ? speed : at, "'leakages.%s.speed_of' needs 'swirl: fraction'",
                      name);
    for (int n = 0; n < r->c->nrow; n++)
        row |= strcmp(r->c->row[n].name, q->speed_of) == 0;
    if (!row)
        an_case_fault(r, at, "'leakages.%s.speed_of': there is no row '%s'", name,
                      an_printable(q->speed_of, other, sizeof other));
}

/* The heat that a solid stores in an unsteady run. */
static void check_storage(struct an_case_reader *r, const struct an_case_solid *q,
                          const struct an_origin *const *given, const struct an_origin *at)
{
    const struct an_origin *key[] = {at_key(given, AN_SECTION_SOLID, "rho", AN_KEY_SOLID),
                                     at_key(given, AN_SECTION_SOLID, "cp", AN_KEY_SOLID)};
    char name[60];
    an_printable(q->name, name, sizeof name);
    for (int n = 0; n < 2; n++)
        if (!key[n] && key[!n])
            an_case_fault(r, at, "'solids.%s.%s' needs '%s', too", name, n ? "rho" : "cp",
                          n ? "cp" : "rho");
    if (key[0] && key[1] && r->c->march.mode == AN_MARCH_UNSTEADY && !an_case_is_dual(r->c))
        an_case_fault(r, key[0],
                      "'solids.%s': a solid with 'rho' and 'cp' needs 'march.method: dual' in an "
                      "unsteady run; without them it keeps its temperatures",
                      name);
}

static void check_solid(struct an_case_reader *r, const struct an_case_solid *q,
                        const struct an_origin *const *given, const struct an_origin *at)
{
    const struct an_origin *range = at_key(given, AN_SECTION_SOLID, "T_range", AN_KEY_SOLID);
    const struct an_origin *metal = at_key(given, AN_SECTION_SOLID, "metal", AN_KEY_SOLID);
    struct an_metal m;
    char name[60], of[60], all[400];
    an_printable(q->name, name, sizeof name);
    if (strspn(q->name, letters) != strlen(q->name))
        an_case_fault(r, at, "'solids.%s': names of solids have letters, digits, _ and - only",
                      name);
    if ((q->conductivity.n > 0) + (*q->metal != 0) != 1)
        an_case_fault(r, at, "'solids.%s' needs either 'metal' or 'conductivity'", name);
    if (q->T_range.n && (q->T_range.n != 2 || !(q->T_range.x[0] < q->T_range.x[1])))
        an_case_fault(r, range, "'solids.%s.T_range' must be two temperatures, [lowest, highest]",
                      name);
    else if (q->T_range.n && *q->metal)
        an_case_fault(r, range, "'solids.%s.T_range' needs 'conductivity'", name);
    else if (an_case_metal(q, &m) == AN_INPUT && q->conductivity.n)
        an_case_fault(r, at, "'solids.%s.conductivity': %s", name, an_error_text());
    an_metal_names(all, sizeof all);
    if (*q->metal && !an_metal_named(q->metal, &m))
        an_case_fault(r, metal, "'solids.%s.metal': there is no metal '%s'; known: %s", name,
                      an_printable(q->metal, of, sizeof of), all);
    check_storage(r, q, given, at);
    for (const struct an_case_solid *o = r->c->solid; o < q; o++)
        if (!strcmp(o->mesh, q->mesh) && !strcmp(o->base, q->base))
            an_case_fault(r, at, "'solids.%s' has the same mesh and base as 'solids.%s'", name,
                          o->name);
}

static void check_solid_wall(struct an_case_reader *r, const struct an_case_solid_wall *q,
                             const struct an_origin *const *given, const struct an_origin *at)
{
    char name[60];
    an_printable(q->name, name, sizeof name);
    const int coolant = (q->h > 0) + (q->mass_flow > 0);
    const struct an_origin *flux =
        at_key(given, AN_SECTION_SOLID_WALL, "heat_flux", AN_KEY_SOLID_WALL);
    const struct an_origin *direction =
        at_key(given, AN_SECTION_SOLID_WALL, "direction", AN_KEY_SOLID_WALL);
    const int ways = (*q->gas != 0) + (flux != NULL) + (coolant ? coolant : q->T > 0);
    const struct {
        const char *key;
        double value;
    } positive[] = {{"T", q->T}, {"h", q->h}, {"mass_flow", q->mass_flow}};
    for (int n = 0; n < 3; n++) {
        const struct an_origin *key =
            at_key(given, AN_SECTION_SOLID_WALL, positive[n].key, AN_KEY_SOLID_WALL);
        if (key && !(positive[n].value > 0)) {
            an_case_fault(r, key,
                          "'solid_walls.%s.%s' must be above 0; 'heat_flux: 0' lets no heat pass",
                          name, positive[n].key);
            return;
        }
    }
    if (ways != 1)
        an_case_fault(r, at,
                      "'solid_walls.%s' needs one of 'gas', 'T', 'heat_flux', 'h' with 'T', and "
                      "'mass_flow' with 'T'",
                      name);
    else if (coolant && !(q->T > 0))
        an_case_fault(r, at, "'solid_walls.%s' needs 'T', the temperature of the coolant", name);
    else if (!coolant && q->T > 0 && (*q->gas || flux))
        an_case_fault(r, at_key(given, AN_SECTION_SOLID_WALL, "T", AN_KEY_SOLID_WALL),
                      "'solid_walls.%s.T' does not go with '%s'", name,
                      *q->gas ? "gas" : "heat_flux");
    if (q->factor != 1 && !(q->mass_flow > 0))
        an_case_fault(r, at_key(given, AN_SECTION_SOLID_WALL, "factor", AN_KEY_SOLID_WALL),
                      "'solid_walls.%s.factor' needs 'mass_flow'", name);
    if (direction && !(q->mass_flow > 0))
        an_case_fault(r, direction, "'solid_walls.%s.direction' needs 'mass_flow'", name);
    if (!r->c->nsolid)
        an_case_fault(r, at, "'solid_walls' needs 'solids'");
}

void an_case_check_named(struct an_case_reader *r, const struct an_named *named, void *element,
                         const struct an_origin *const *given, const struct an_origin *at)
{
    if (strcmp(named->section, AN_SECTION_ROW) == 0)
        check_row(r, element, given, at);
    else if (strcmp(named->section, AN_SECTION_SCALAR) == 0)
        check_scalar(r, element, given, at);
    else if (strcmp(named->section, AN_SECTION_LEAKAGE) == 0)
        check_leakage(r, element, given, at);
    else if (strcmp(named->section, AN_SECTION_SOLID) == 0)
        check_solid(r, element, given, at);
    else if (strcmp(named->section, AN_SECTION_SOLID_WALL) == 0)
        check_solid_wall(r, element, given, at);
}

/* Keys that mean something in one mode only are refused in the other, not passed over. */
static void check_mode(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    const struct {
        const char *name;
        double value;
        enum an_march mode;
    } only[] = {{"time_step", c->march.time_step, AN_MARCH_UNSTEADY},
                {"end_time", c->march.end_time, AN_MARCH_UNSTEADY},
                {"residual_drop", c->march.residual_drop, AN_MARCH_STEADY},
                {"mass_imbalance", c->march.mass_imbalance, AN_MARCH_STEADY}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++) {
        const struct an_origin *at = at_key(given, "march", only[i].name, -1);
        if (at && only[i].value > 0 && only[i].mode != c->march.mode)
            an_case_fault(r, at, "'march.%s' needs 'march.mode: %s'", only[i].name,
                          only[i].mode == AN_MARCH_STEADY ? "steady" : "unsteady");
    }
}

static void check_cfl(struct an_case_reader *r, const struct an_origin *const *given,
                      const struct an_origin *at)
{
    struct an_case *c = r->c;
    static const char *const names[] = {"cfl", "cfl_start", "cfl_ramp"};
    const struct an_origin *start = at_key(given, "march", "cfl_start", -1);
    const struct an_origin *ramp = at_key(given, "march", "cfl_ramp", -1);
    const int given_step = c->march.time_step > 0 && !an_case_is_dual(c);
    for (int i = 0; given_step && i < 3; i++) {
        const struct an_origin *key = at_key(given, "march", names[i], -1);
        if (key)
            an_case_fault(r, key, "'march.%s' and 'march.time_step' are both given; keep one",
                          names[i]);
    }
    if (given_step)
        return;
    if (c->march.cfl_start > c->march.cfl)
        an_case_fault(r, start ? start : at,
                      "'march.cfl_start' is %.10g, but must be <= 'march.cfl', which is %.10g",
                      c->march.cfl_start, c->march.cfl);
    if (start && c->march.cfl_start < c->march.cfl && c->march.cfl_ramp == 0)
        an_case_fault(r, start, "'march.cfl_start' needs 'march.cfl_ramp' > 0");
    if (ramp && !start && c->march.cfl_ramp > 0)
        an_case_fault(r, ramp, "'march.cfl_ramp' needs 'march.cfl_start'");
    if (ramp && c->march.cfl_ramp > 0 && c->march.mode != AN_MARCH_STEADY)
        an_case_fault(r, ramp, "'march.cfl_ramp' needs 'march.mode: steady'");
}

/* Detached-eddy simulation resolves turbulence in time. */
static void check_des(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    const struct an_origin *at = at_key(given, "turbulence", "des", -1);
    const struct an_origin *part = at_key(given, "scheme", "des_dissipation", -1);
    const char *name = c->turbulence.des == AN_DES_IDDES ? "iddes" : "ddes";
    if (part && (c->turbulence.des == AN_DES_NONE || c->scheme.flux != AN_SCHEME_MATRIX))
        an_case_fault(r, part,
                      "'scheme.des_dissipation' needs 'turbulence.des' and 'scheme.flux: matrix'");
    if (c->turbulence.des == AN_DES_NONE || c->turbulence.model != AN_TURBULENCE_SA)
        return;
    if (c->march.mode != AN_MARCH_UNSTEADY)
        an_case_fault(r, at,
                      "'turbulence.des: %s' needs 'march.mode: unsteady': a steady march does not "
                      "resolve turbulence",
                      name);
    if (c->turbulence.transition == AN_TRANSITION_BCM)
        an_case_fault(r, at,
                      "'turbulence.des' and 'turbulence.transition: bcm' are both given; keep one");
}

/* Keys of the section that the turbulence model of the case does not use. */
static void check_turbulence_keys(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    for (int row = 0; an_case_keys[row].section; row++) {
        const struct an_key *key = &an_case_keys[row];
        if ((key->flags & AN_KEY_IF_STEADY) && an_case_has_transport(c))
            continue; /* check_implicit */
        if (given[row] && strcmp(key->section, "turbulence") == 0 && !an_key_applies(key, c, NULL))
            an_case_fault(r, given[row], "'turbulence.%s' needs 'turbulence.model%s'", key->name,
                          key->flags & AN_KEY_IF_SA           ? ": sa"
                          : key->flags & AN_KEY_IF_TRANSITION ? "' and 'turbulence.transition"
                          : key->flags & AN_KEY_IF_GAMMA_MODEL
                              ? ": sst' and 'turbulence.transition: gamma or gamma_re_theta"
                          : key->flags & AN_KEY_IF_SST ? ": sst"
                          : key->flags & AN_KEY_IF_INTENSITY
                              ? ": sst' or 'turbulence.transition: bcm"
                          : key->flags & AN_KEY_IF_MIXING ? ": mixing_length"
                          : c->turbulence.model           ? ": sa or sst"
                                                          : "");
    }
}

/* Turbulence that flows in. */
static void check_inflow_turbulence(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    double inflow[2];
    const struct an_origin *length = at_key(given, "turbulence", "length_scale", -1);
    if (length && c->turbulence.length_scale > 0 &&
        at_key(given, "turbulence", "inlet_viscosity_ratio", -1))
        an_case_fault(r, length,
                      "'turbulence.length_scale' and 'turbulence.inlet_viscosity_ratio' are both "
                      "given; keep one");
    if (length && c->turbulence.length_scale > 0 && !(an_case_speed(c, &c->initial) > 0))
        an_case_fault(
            r, length,
            "'turbulence.length_scale' needs a speed: 'initial.mach' or 'initial.velocity'");
    if (c->turbulence.model == AN_TURBULENCE_SST && c->turbulence.ambient &&
        c->turbulence.decay_length > 0)
        an_case_fault(
            r, at_key(given, "turbulence", "decay_length", -1),
            "'turbulence.decay_length' and 'turbulence.ambient: true' are both given, but ambient "
            "turbulence does not decay; keep one");
    else if (c->turbulence.model == AN_TURBULENCE_SST && !an_case_inflow(c, inflow))
        an_case_fault(r, at_key(given, "turbulence", "decay_length", -1),
                      "no turbulence that flows in decays to an intensity of %.10g with "
                      "'turbulence.inlet_viscosity_ratio' %.10g within 'turbulence.decay_length' "
                      "%.10g m at the "
                      "speed and viscosity of 'initial': take a larger ratio or a shorter length",
                      c->turbulence.intensity, an_case_inflow_ratio(c), c->turbulence.decay_length);
}

/* What models of transition cannot have. */
static void check_transition(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    if (an_case_has_bcm(c) && c->turbulence.inlet_viscosity_ratio > AN_BCM_RATIO)
        an_case_fault(r, at_key(given, "turbulence", "inlet_viscosity_ratio", -1),
                      "'turbulence.inlet_viscosity_ratio' is %.10g, but must be <= %g with "
                      "'turbulence.transition: bcm': more would make all boundary layers turbulent",
                      c->turbulence.inlet_viscosity_ratio, AN_BCM_RATIO);
    if (an_case_has_transition(c) && c->turbulence.wall_function != AN_WALL_FUNCTION_OFF)
        an_case_fault(
            r, at_key(given, "turbulence", "wall_function", -1),
            "'turbulence.transition' needs 'turbulence.wall_function: off': the law of the wall is "
            "that of turbulent boundary layers");
}

static void check_turbulence(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    check_turbulence_keys(r, given);
    if (c->turbulence.model == AN_TURBULENCE_MIXING_LENGTH && !(c->turbulence.length > 0))
        an_case_fault(r, at_key(given, "turbulence", "model", -1),
                      "'turbulence.model: mixing_length' needs 'turbulence.length'");
    if (c->turbulence.transition != AN_TRANSITION_NONE && an_case_has_transport(c) &&
        !an_case_has_transition(c))
        an_case_fault(r, at_key(given, "turbulence", "transition", -1),
                      "'turbulence.transition: %s' needs 'turbulence.model: %s'",
                      c->turbulence.transition == AN_TRANSITION_BCM     ? "bcm"
                      : c->turbulence.transition == AN_TRANSITION_GAMMA ? "gamma"
                                                                        : "gamma_re_theta",
                      c->turbulence.transition == AN_TRANSITION_BCM ? "sa" : "sst");
    check_des(r, given);
    if (an_case_has_intermittency(c) && c->turbulence.curvature)
        an_case_fault(
            r, at_key(given, "turbulence", "curvature", -1),
            "'turbulence.curvature: on' and 'turbulence.transition' are both given, but they "
            "change the "
            "same production of turbulence, and how both act together is not known; keep one");
    check_inflow_turbulence(r, given);
    check_transition(r, given);
    if (c->turbulence.model != AN_TURBULENCE_NONE && c->gas.viscosity == AN_VISCOSITY_NONE)
        an_case_fault(r, at_key(given, "turbulence", "model", -1),
                      "'turbulence.model' needs viscous flow: set gas.viscosity");
}

/* Fields of output that the flow of the case does not have. */
static void check_fields(struct an_case_reader *r, const struct an_origin *const *given,
                         const struct an_origin *at)
{
    const struct an_case *c = r->c;
    const struct an_origin *fields = at_key(given, "output", "fields", -1);
    for (int f = 0; f < c->output.nfield; f++) {
        const enum an_output_need needs =
            an_output_fields[an_output_find(c->output.field[f])].needs;
        if (needs == AN_NEEDS_TURBULENCE && c->turbulence.model == AN_TURBULENCE_NONE)
            an_case_fault(r, fields ? fields : at,
                          "'output.fields' has %s, which needs 'turbulence.model'",
                          c->output.field[f]);
        if (needs == AN_NEEDS_TRANSITION && !an_case_has_transition(c))
            an_case_fault(r, fields ? fields : at,
                          "'output.fields' has %s, which needs 'turbulence.transition'",
                          c->output.field[f]);
        if (needs == AN_NEEDS_DES && c->turbulence.des == AN_DES_NONE)
            an_case_fault(r, fields ? fields : at,
                          "'output.fields' has %s, which needs 'turbulence.des'",
                          c->output.field[f]);
        if (needs == AN_NEEDS_VISCOSITY && c->gas.viscosity == AN_VISCOSITY_NONE)
            an_case_fault(r, fields ? fields : at,
                          "'output.fields' has %s, which needs viscous flow: set gas.viscosity",
                          c->output.field[f]);
    }
}

/* Keys of viscous flow are refused where there is none. */
static void check_viscosity(struct an_case_reader *r, const struct an_origin *const *given)
{
    for (int row = 0; an_case_keys[row].section; row++)
        if ((an_case_keys[row].flags & AN_KEY_IF_VISCOUS) && given[row] &&
            r->c->gas.viscosity == AN_VISCOSITY_NONE)
            an_case_fault(r, given[row], "'%s.%s' needs viscous flow: set gas.viscosity",
                          an_case_keys[row].section, an_case_keys[row].name);
}

/* Keys of implicit steady marches are refused in others. */
static void check_implicit(struct an_case_reader *r, const struct an_origin *const *given)
{
    for (int row = 0; an_case_keys[row].section; row++) {
        const struct an_key *key = &an_case_keys[row];
        if ((key->flags & AN_KEY_IF_TURBULENT) && !an_case_has_transport(r->c))
            continue; /* check_turbulence */
        if ((key->flags & AN_KEY_IF_STEADY) && given[row] &&
            (!an_case_is_implicit(r->c) || an_case_is_dual(r->c)))
            an_case_fault(r, given[row], "'%s.%s' needs an implicit steady march", key->section,
                          key->name);
    }
}

/* Residual smoothing and scree are for explicit steady runs; their keys are refused elsewhere. */
static void check_explicit(struct an_case_reader *r, const struct an_origin *const *given,
                           const struct an_origin *at)
{
    static const char *const detail[] = {"smoothing_coefficient", "smoothing_sweeps"};
    const struct an_case *c = r->c;
    const struct an_origin *method = at_key(given, "march", "method", -1);
    const struct an_origin *smoothing = at_key(given, "march", "residual_smoothing", -1);
    const struct an_origin *stages = at_key(given, "march", "stages", -1);
    const struct an_origin *levels = at_key(given, "multigrid", "levels", -1);
    const int scree = c->march.method == AN_METHOD_SCREE,
              unsteady = c->march.mode != AN_MARCH_STEADY;
    for (int i = 0; i < 2; i++) {
        const struct an_origin *key = at_key(given, "march", detail[i], -1);
        if (key && c->march.residual_smoothing == AN_SMOOTHING_NONE)
            an_case_fault(r, key, "'march.%s' needs 'march.residual_smoothing: jacobi'", detail[i]);
    }
    if (c->march.method == AN_METHOD_IMPLICIT && unsteady)
        an_case_fault(r, method, "'march.method: implicit' needs 'march.mode: steady'");
    if (scree && unsteady)
        an_case_fault(r, method, "'march.method: scree' needs 'march.mode: steady'");
    if (scree && stages)
        an_case_fault(r, stages, "'march.stages' has no meaning with 'march.method: scree'");
    if (levels && c->multigrid.levels != 1 && !an_case_is_implicit(c))
        an_case_fault(r, levels,
                      "'multigrid.levels' needs an implicit steady march or 'march.method: dual'");
    if (c->march.residual_smoothing != AN_SMOOTHING_NONE && (unsteady || an_case_is_implicit(c)))
        an_case_fault(r, smoothing ? smoothing : at,
                      "'march.residual_smoothing' needs an explicit steady march");
}

/* Rules on figures that settle need a steady run and enough lines, not too many, to look back over.
 */
static void check_stop(struct an_case_reader *r, const struct an_origin *const *given)
{
    static const char *const rule[] = {"mass_flow",  "pressure_ratio", "efficiency", "force",
                                       "turbulence", "lift",           "drag",       "moment"};
    const struct an_case *c = r->c;
    if (!an_case_has_stop(c))
        return;
    const struct an_origin *at = at_key(given, "stop", "window", -1);
    for (int n = 0; n < 8 && !at; n++)
        at = at_key(given, "stop", rule[n], -1);
    const int lines = c->stop.window / c->output.history_every;
    if (c->stop.turbulence > 0 && !an_case_has_transport(c))
        an_case_fault(r, at_key(given, "stop", "turbulence", -1),
                      "'stop.turbulence' needs a turbulence model with transported variables");
    for (int n = 0; n < 3; n++) {
        static const char *const coefficient[] = {"lift", "drag", "moment"};
        const double wanted[] = {c->stop.lift, c->stop.drag, c->stop.moment};
        if (wanted[n] > 0 && !(c->reference.length > 0))
            an_case_fault(r, at_key(given, "stop", coefficient[n], -1),
                          "'stop.%s' needs 'reference.length'", coefficient[n]);
    }
    if (c->march.mode != AN_MARCH_STEADY)
        an_case_fault(r, at, "'stop' needs 'march.mode: steady'");
    else if (lines < 1 || lines >= AN_STOP_SAMPLES)
        an_case_fault(r, at,
                      "'stop.window' is %d iterations, which are %d lines of the table "
                      "('output.history_every' "
                      "is %d); it must be 1 to %d lines",
                      c->stop.window, lines, c->output.history_every, AN_STOP_SAMPLES - 1);
}

/* Lines of stations: whole sets of four numbers, and a length. */
static void check_lines(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case_numbers *l = &r->c->monitors.station_lines;
    const struct an_origin *at = at_key(given, "monitors", "station_lines", -1);
    if (l->n % 4)
        an_case_fault(
            r, at,
            "'monitors.station_lines' has %d numbers: each station needs four, x and r at the "
            "hub, x and r at the casing",
            l->n);
    for (int n = 0; n + 3 < l->n; n += 4) {
        const double *v = l->x + n;
        if (v[1] < 0 || v[3] < 0 || (v[0] == v[2] && v[1] == v[3]))
            an_case_fault(
                r, at,
                "'monitors.station_lines': station %d, from x = %g, r = %g to x = %g, r = %g, "
                "needs two different points of positive r",
                n / 4 + 1, v[0], v[1], v[2], v[3]);
    }
}

/* Measured data are for the report, long after the run: a wrong name is refused now. So is a script that
 * Catalyst could not read. */
static void check_files(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct {
        const char *name, *file;
    } list[] = {{"measured_profiles", r->c->output.measured_profiles},
                {"measured_map", r->c->output.measured_map},
                {"measured_blade", r->c->output.measured_blade},
                {"design_rows", r->c->output.design_rows},
                {"catalyst", r->c->output.catalyst}};
    for (size_t n = 0; n < sizeof list / sizeof *list; n++)
        if (*list[n].file && access(list[n].file, R_OK))
            an_case_fault(r, at_key(given, "output", list[n].name, -1),
                          "'output.%s': %s cannot be read", list[n].name, list[n].file);
    static const char *const needs[] = {"catalyst_every", "catalyst_library"};
    for (int n = 0; n < 2 && !*r->c->output.catalyst; n++)
        if (at_key(given, "output", needs[n], -1))
            an_case_fault(r, at_key(given, "output", needs[n], -1),
                          "'output.%s' needs 'output.catalyst'", needs[n]);
}

static void check_pattern(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    if (c->pattern != AN_PATTERN_UNIFORM && !(mach_of(c, &c->initial) > 0))
        an_case_fault(r, at_key(given, "initial", "pattern", -1),
                      "'initial.pattern' needs a speed: 'initial.mach' or 'initial.velocity'");
    if (c->pattern == AN_PATTERN_UNIFORM && at_key(given, "initial", "length", -1))
        an_case_fault(r, at_key(given, "initial", "length", -1),
                      "'initial.length' needs 'initial.pattern'");
}

/* Modes need a flow in time, steps of one length, and files of walls. */
static void check_modes(struct an_case_reader *r, const struct an_origin *const *given,
                        const struct an_origin *at)
{
    static const char *const rest[] = {"mode_frequencies", "modes_from"};
    const struct an_case *c = r->c;
    const struct an_origin *modes = at_key(given, "output", "modes", -1);
    for (int n = 0; n < 2; n++) {
        const struct an_origin *key = at_key(given, "output", rest[n], -1);
        if (key && c->output.modes == 0)
            an_case_fault(r, key, "'output.%s' needs 'output.modes'", rest[n]);
    }
    if (c->output.modes == 0)
        return;
    modes = modes ? modes : at;
    if (c->march.mode != AN_MARCH_UNSTEADY)
        an_case_fault(r, modes, "'output.modes' needs 'march.mode: unsteady'");
    else if (!(an_case_time_step(c) > 0))
        an_case_fault(r, modes,
                      "'output.modes' needs steps of one length: give 'march.time_step' or "
                      "'march.method: dual'");
    if (c->gas.viscosity == AN_VISCOSITY_NONE || !c->output.walls)
        an_case_fault(r, modes,
                      "'output.modes' needs viscous flow and 'output.walls: true': they are fields "
                      "of the files of "
                      "viscous walls");
}

/* Settings of a map are given once, and each line has a speed of its own. */
static void check_map(struct an_case_reader *r, const struct an_origin *const *given)
{
    static const char *const range[] = {"from", "to", "step"};
    const double set[] = {r->c->map.from, r->c->map.to, r->c->map.step}; /* 0: not given */
    const struct an_origin *values = at_key(given, "map", "values", -1);
    const struct an_case_numbers *speed = &r->c->map.speeds;
    for (int n = 0; n < 3 && r->c->map.values.n; n++) {
        const struct an_origin *other = at_key(given, "map", range[n], -1);
        if (other && set[n] > 0)
            an_case_fault(r, values && values->set ? values : other,
                          "'map.values' and 'map.%s' are both given; keep one", range[n]);
    }
    for (int n = 0; n < speed->n; n++) {
        int before = 0;
        for (int m = 0; m < n; m++)
            before |= speed->x[m] == speed->x[n];
        if (before)
            an_case_fault(r, at_key(given, "map", "speeds", -1), "'map.speeds' has %.6g twice",
                          speed->x[n]);
    }
}

void an_case_check(struct an_case_reader *r, const struct an_origin **given,
                   const struct an_origin *at)
{
    struct an_case *c = r->c;
    const struct an_origin *mode = at_key(given, "march", "mode", -1);
    if (an_case_has_reference(c) && !at_key(given, "initial", "T", -1))
        c->initial.T = c->reference.temperature;
    an_case_gas_set(r, given);
    an_case_reference(r, given, at);
    check_state(r, &c->initial, "initial", "initial", -1, given);
    check_mode(r, given);
    an_case_defaults(r, given);
    check_implicit(r, given);
    check_explicit(r, given, at);
    an_case_check_dual(r, given, at);
    check_cfl(r, given, at);
    check_turbulence(r, given);
    check_fields(r, given, at);
    check_viscosity(r, given);
    check_stop(r, given);
    check_lines(r, given);
    check_pattern(r, given);
    check_files(r, given);
    check_map(r, given);
    if (c->march.mode != AN_MARCH_UNSTEADY && c->output.means_from >= 0)
        an_case_fault(r, at_key(given, "output", "means_from", -1),
                      "'output.means_from' needs 'march.mode: unsteady'");
    check_modes(r, given, at);
    if (c->march.mode != AN_MARCH_UNSTEADY && c->nprobe)
        an_case_fault(r, mode ? mode : at, "'probes' need 'march.mode: unsteady'");
    if (c->march.mode == AN_MARCH_UNSTEADY && !at_key(given, "march", "iterations", -1) &&
        !at_key(given, "march", "end_time", -1))
        an_case_fault(r, mode ? mode : at,
                      "an unsteady run needs 'march.end_time' or 'march.iterations'");
}
