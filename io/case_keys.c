/* Every key of the case file. */
#include "io/case_keys.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct an_section an_case_sections[] = {
    {"", "what to compute"},
    {"gas", "perfect gas p = rho R T with constant cp, or with cp(T)"},
    {"scheme", "fluxes between cells"},
    {"turbulence", "turbulence model"},
    {"march", "marching in time and when to stop"},
    {"stop", "rules that end a steady run when figures of the machine have settled"},
    {"monitors", "what is measured of blade rows and of the whole machine"},
    {"map",
     "a speed line, for `annulus map`. A point ends as a run does, by the rules of stop and march; "
     "by default it ends when mass flow and pressure ratio change by less than 0.1 %, the "
     "efficiency "
     "changes by less than 0.1 point, and the mass flows in and out agree to 0.1 %"},
    {"multigrid", "coarser levels of the mesh that speed up a steady run"},
    {"reference", "reference values. With them a run reports forces on walls as coefficients, and "
                  "the free stream is "
                  "given by Mach and Reynolds number; initial and far-field states that the case "
                  "leaves out are those "
                  "of the free stream"},
    {"initial", "state to start from: uniform, a pattern, or a mean line through several rows"},
    {AN_SECTION_BOUNDARY, "condition on the boundary NAME of the mesh: a family or BC name, or a "
                          "pattern with * and ?"},
    {AN_SECTION_ROW,
     "blade row NAME: zones that turn together about the x axis. The flow variables "
     "are those of the absolute motion. Walls turn with the row unless their key omega says "
     "otherwise"},
    {AN_SECTION_SCALAR,
     "passive scalar NAME, such as a tracer or the mixture fraction of a stream: the flow carries "
     "it, "
     "it diffuses, and it does not act on the flow. A case has at most 8. Snapshots hold the "
     "scalar "
     "under its name; scalars.csv has its mass-averaged values where gas enters and leaves"},
    {AN_SECTION_LEAKAGE, "leakage NAME past a seal: gas leaves through a part of a wall, passes a "
                         "cavity that is not in the mesh, and "
                         "comes back through another part of a wall. The mass flow follows from a "
                         "labyrinth seal (clearance and "
                         "fins), or is given"},
    {AN_SECTION_SOLID,
     "solid NAME that conducts heat, such as the metal of a vane: structured zones in a base of "
     "their own. Conduction is solved together with the flow, steady or, with rho and cp, in the "
     "time of an unsteady run; solid_walls says what its boundaries touch"},
    {AN_SECTION_SOLID_WALL, "what boundary NAME of a solid touches: the gas, a coolant, or a given "
                            "temperature or heat flux. NAME may be a "
                            "pattern with * and ?. Boundaries that are not named let no heat pass"},
    {AN_SECTION_PROBE,
     "probe NAME of an unsteady run: the values of the cell nearest to a point, after "
     "every step, in probes.h5 in the output folder"},
    {"output", "what is written, and how often"},
    {"mpi", "how several ranks share the work"},
    {"gpu", "how a GPU does the work"},
    {NULL, NULL}};

static const struct an_choice precisions[] = {
    {"single", AN_SINGLE}, {"double", AN_DOUBLE}, {NULL, 0}};
static const struct an_choice devices[] = {{"auto", AN_DEVICE_AUTO},
                                           {"cpu", AN_DEVICE_CPU},
                                           {"cuda", AN_DEVICE_CUDA},
                                           {"emulated", AN_DEVICE_EMULATED},
                                           {NULL, 0}};
/* What a key of a choice between formulas accepts, and its help: from the lists of models.h. */
#define CHOICE(id, name, help)                                     {name, CHOICE_PREFIX(id)},
#define SENTENCE(id, name, help)                                   name ": " help " "
#define MODEL_SENTENCE(id, name, n, v0, v1, stencils, flags, help) name ": " help " "

#define CHOICE_PREFIX(id) AN_SCHEME_##id
static const struct an_choice fluxes[] = {AN_SCHEME_LIST(CHOICE){NULL, 0}};
#undef CHOICE_PREFIX
#define CHOICE_PREFIX(id) AN_LIMITER_##id
static const struct an_choice limiters[] = {AN_LIMITER_LIST(CHOICE){NULL, 0}};
#undef CHOICE_PREFIX
#define CHOICE_PREFIX(id) AN_LOW_MACH_##id
static const struct an_choice low_machs[] = {AN_LOW_MACH_LIST(CHOICE){NULL, 0}};
#undef CHOICE_PREFIX
#define CHOICE_PREFIX(id) AN_VISCOSITY_##id
static const struct an_choice mixtures[] = {
    {"none", AN_MIXTURE_NONE}, {"air", AN_MIXTURE_AIR}, {NULL, 0}};
static const struct an_choice viscosities[] = {AN_VISCOSITY_LIST(CHOICE){NULL, 0}};
#undef CHOICE_PREFIX
#define CHOICE_PREFIX(id) AN_CORRECTION_##id
static const struct an_choice corrections[] = {
    AN_CORRECTION_LIST(CHOICE){"false", AN_CORRECTION_NONE}, {"true", AN_CORRECTION_R}, {NULL, 0}};
#undef CHOICE_PREFIX
#define CHOICE_PREFIX(id) AN_DES_##id
static const struct an_choice simulations[] = {AN_DES_LIST(CHOICE){"false", AN_DES_NONE},
                                               {NULL, 0}};
#undef CHOICE_PREFIX
#define MODEL(id, name, n, v0, v1, stencils, flags, help) {name, AN_TURBULENCE_##id},
static const struct an_choice models[] = {AN_TURBULENCE_LIST(MODEL){NULL, 0}};
static const struct an_choice methods[] = {
    {"auto", AN_METHOD_AUTO},         {"runge_kutta", AN_METHOD_RUNGE_KUTTA},
    {"implicit", AN_METHOD_IMPLICIT}, {"scree", AN_METHOD_SCREE},
    {"dual", AN_METHOD_DUAL},         {NULL, 0}};
static const struct an_choice planes[] = {{"as_given", 0}, {"sliding", 1}, {NULL, 0}};
static const struct an_choice time_schemes[] = {
    {"bdf2", AN_TIME_BDF2}, {"blend", AN_TIME_BLEND}, {NULL, 0}};
static const struct an_choice smoothings[] = {
    {"none", AN_SMOOTHING_NONE}, {"jacobi", AN_SMOOTHING_JACOBI}, {NULL, 0}};
static const struct an_choice accelerations[] = {
    {"none", AN_ACCELERATION_NONE}, {"auto", AN_ACCELERATION_AUTO}, {NULL, 0}};
static const struct an_choice backgrounds[] = {
    {"auto", AN_BACKGROUND_AUTO}, {"yes", AN_BACKGROUND_YES}, {"no", AN_BACKGROUND_NO}, {NULL, 0}};
static const struct an_choice cycles[] = {
    {"v", AN_CYCLE_V}, {"w", AN_CYCLE_W}, {"f", AN_CYCLE_F}, {NULL, 0}};
static const struct an_choice transitions[] = {{"none", AN_TRANSITION_NONE},
                                               {"bcm", AN_TRANSITION_BCM},
                                               {"gamma", AN_TRANSITION_GAMMA},
                                               {"gamma_re_theta", AN_TRANSITION_RE_THETA},
                                               {NULL, 0}};
static const struct an_choice wall_functions[] = {
    {"auto", AN_WALL_FUNCTION_AUTO}, {"off", AN_WALL_FUNCTION_OFF}, {NULL, 0}};
static const struct an_choice modes[] = {
    {"steady", AN_MARCH_STEADY}, {"unsteady", AN_MARCH_UNSTEADY}, {NULL, 0}};
static const struct an_choice transports[] = {{"auto", AN_TRANSPORT_AUTO},
                                              {"host", AN_TRANSPORT_HOST},
                                              {"cuda-aware", AN_TRANSPORT_CUDA_AWARE},
                                              {"cuda_aware", AN_TRANSPORT_CUDA_AWARE},
                                              {"staged", AN_TRANSPORT_STAGED},
                                              {"nccl", AN_TRANSPORT_NCCL},
                                              {"peer", AN_TRANSPORT_PEER},
                                              {NULL, 0}};

static const struct an_choice varied[] = {{"back_pressure", AN_VARY_BACK_PRESSURE},
                                          {"mass_flow", AN_VARY_MASS_FLOW},
                                          {"throttle", AN_VARY_THROTTLE},
                                          {NULL, 0}};
static const struct an_choice equilibria[] = {{"none", AN_EQUILIBRIUM_NONE},
                                              {"hub", AN_EQUILIBRIUM_HUB},
                                              {"mid", AN_EQUILIBRIUM_MID},
                                              {"casing", AN_EQUILIBRIUM_CASING},
                                              {NULL, 0}};
static const struct an_choice waves[] = {
    {"false", AN_WAVES_REFLECTED}, {"true", AN_WAVES_ONE_D}, {"two_d", AN_WAVES_TWO_D}, {NULL, 0}};
static const struct an_choice plane_waves[] = {
    {"true", AN_WAVES_ONE_D}, {"two_d", AN_WAVES_TWO_D}, {NULL, 0}};
static const struct an_choice frames[] = {
    {"relative", AN_FRAME_RELATIVE}, {"absolute", AN_FRAME_ABSOLUTE}, {NULL, 0}};
static const struct an_choice swirls[] = {
    {"kept", AN_SWIRL_KEPT}, {"fraction", AN_SWIRL_FRACTION}, {NULL, 0}};
static const struct an_choice switches[] = {
    {"auto", AN_SWITCH_AUTO}, {"on", AN_SWITCH_ON}, {"off", AN_SWITCH_OFF}, {NULL, 0}};
static const struct an_choice relations[] = {{"off", 0}, {"on", 1}, {NULL, 0}};
static const struct an_choice patterns[] = {
    {"uniform", AN_PATTERN_UNIFORM}, {"taylor_green", AN_PATTERN_TAYLOR_GREEN}, {NULL, 0}};
static const struct an_choice direction_axes[] = {
    {"cartesian", AN_AXES_CARTESIAN}, {"cylindrical", AN_AXES_CYLINDRICAL}, {NULL, 0}};
static const struct an_choice averages[] = {{"auto", AN_AVERAGES_AUTO},
                                            {"cylindrical", AN_AVERAGES_CYLINDRICAL},
                                            {"cartesian", AN_AVERAGES_CARTESIAN},
                                            {NULL, 0}};
static const struct an_choice ups[] = {{"y", AN_UP_Y}, {"z", AN_UP_Z}, {NULL, 0}};
static const struct an_choice tile_sources[] = {{"table", 0}, {"tune", 1}, {NULL, 0}};
static const struct an_choice graphs[] = {{"auto", 1}, {"off", 0}, {NULL, 0}};

#define C(member)     offsetof(struct an_case, member)
#define B(member)     offsetof(struct an_case_boundary, member)
#define R(member)     offsetof(struct an_case_row, member)
#define T(member)     offsetof(struct an_case_scalar, member)
#define L(member)     offsetof(struct an_case_leakage, member)
#define S(member)     offsetof(struct an_case_solid, member)
#define W(member)     offsetof(struct an_case_solid_wall, member)
#define PLACE(member) .offset = C(member), .size = sizeof(((struct an_case *)NULL)->member)
#define ANY           .min = -INFINITY, .max = INFINITY

#define INLET  (1u << AN_BC_INLET_TOTAL)
#define OUTLET (1u << AN_BC_OUTLET_STATIC)
#define STATE  ((1u << AN_BC_INLET_SUPERSONIC) | (1u << AN_BC_FARFIELD))
#define WALL   (1u << AN_BC_WALL_VISCOUS)
#define SLIP   (1u << AN_BC_WALL_SLIP)
#define PLANE  (1u << AN_BC_MIXING_PLANE)
#define SLIDE  (1u << AN_BC_SLIDING_PLANE)
#define ABUT   (1u << AN_BC_ABUTTING)
#define COOL   (1u << AN_BC_COOLING)
#define PATCH  (COOL | (1u << AN_BC_BLEED))
#define ALL    ((1u << AN_BC_NTYPE) - 1u)
#define ROW    (1u << AN_KEY_ROW)
#define SCALAR (1u << AN_KEY_SCALAR)
#define LEAK   (1u << AN_KEY_LEAKAGE)
#define SOLID  (1u << AN_KEY_SOLID)
#define METAL  (1u << AN_KEY_SOLID_WALL)
#define PROBE  (1u << AN_KEY_PROBE)

enum { REQUIRED = AN_KEY_REQUIRED, ANSWER = AN_KEY_ANSWER, POSITIVE = AN_KEY_ABOVE_MIN };

/* clang-format off */
const struct an_key an_case_keys[] = {
    {"", "case", AN_KEY_TEXT, REQUIRED, PLACE(title), .help = "Title of the run."},
    {"", "mesh", AN_KEY_PATH, REQUIRED, PLACE(mesh),
     .help = "CGNS file of the mesh, relative to the folder of the case file."},
    {"", "base", AN_KEY_TEXT, AN_KEY_IF_GIVEN, PLACE(base), .standard_help = "the only one",
     .help = "Base of the mesh file, where it has several with structured zones; the others are "
             "left out."},
    {"", "precision", AN_KEY_CHOICE, ANSWER, PLACE(precision), .choice = precisions,
     .standard = "double",
     .help = "Precision in which the flow is computed and stored."},
    {"", "device", AN_KEY_CHOICE, 0, PLACE(device), .choice = devices, .standard = "auto",
     .help = "Processor that computes the flow; auto takes a GPU if there is one."},

    {"gas", "gamma", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_GAMMA, PLACE(gas.gamma), .min = 1,
     .max = 2, .unit = "-", .standard = "1.4", .help = "Ratio of specific heats cp/cv."},
    {"gas", "cp", AN_KEY_NUMBERS, ANSWER | AN_KEY_IF_CP, PLACE(gas.cp), ANY, .unit = "J/(kg K)",
     .standard = "[]", .standard_help = "none",
     .help = "Coefficients of a specific heat that depends on the temperature, in place of gamma: "
             "cp(T) = cp[0] + cp[1] T + cp[2] T^2 + ..., with T in K and 1 to 7 coefficients. Dry "
             "air from 250 to 1500 K has [1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10]."},
    {"gas", "T_range", AN_KEY_NUMBERS, ANSWER | POSITIVE | AN_KEY_IF_CP, PLACE(gas.T_range), .min = 0, .max = 1e5,
     .unit = "K", .standard = "[200, 2500]", .standard_help = "[200, 2500] where cp is one number",
     .help = "With cp: [lowest, highest] temperature at which the polynomial holds. Beyond them cp "
             "is constant."},
    {"gas", "R", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_LAW, PLACE(gas.R), .min = 0, .max = 1e5,
     .unit = "J/(kg K)", .standard = "287.05", .help = "Specific gas constant."},
    {"gas", "mixture", AN_KEY_CHOICE, AN_KEY_ALIAS, PLACE(gas.mixture), .choice = mixtures, .standard = "none",
     .help = "air: R and cp(T) of air, in place of gamma, cp and R: dry, or with the water vapour and the burnt "
             "fuel of the next keys. The effective case has the R, cp and T_range that follow."},
    {"gas", "specific_humidity", AN_KEY_NUMBER, AN_KEY_ALIAS, PLACE(gas.specific_humidity), .min = 0, .max = 0.99,
     .unit = "kg/kg", .standard = "0", .help = "With mixture: mass of water vapour per mass of moist air."},
    {"gas", "relative_humidity", AN_KEY_NUMBER, AN_KEY_ALIAS, PLACE(gas.relative_humidity), .min = 0, .max = 1,
     .unit = "-", .standard = "0",
     .help = "With mixture, in place of specific_humidity: partial pressure of the water vapour, as a part of the pressure of "
             "saturation over water, in the state of ambient. 60 % is 0.6."},
    {"gas", "ambient", AN_KEY_NUMBERS, AN_KEY_ALIAS | POSITIVE, PLACE(gas.ambient), .min = 0, .max = 1e9, .unit = "Pa, K",
     .standard = "[]", .standard_help = "none",
     .help = "With relative_humidity: [pressure, temperature] of the air in which it was measured."},
    {"gas", "fuel_air_ratio", AN_KEY_NUMBER, AN_KEY_ALIAS, PLACE(gas.fuel_air_ratio), .min = 0, .max = 1,
     .unit = "kg/kg", .standard = "0",
     .help = "With mixture: mass of burnt fuel per mass of dry air; at most what the oxygen can burn."},
    {"gas", "fuel", AN_KEY_NUMBERS, AN_KEY_ALIAS, PLACE(gas.fuel), .min = 0, .max = 1000, .unit = "-",
     .standard = "[12, 23]",
     .help = "With fuel_air_ratio: atoms of carbon and of hydrogen in a molecule of the fuel: [12, 23] is kerosene, [1, 4] "
             "methane, [0, 2] hydrogen."},
    {"gas", "fraction", AN_KEY_TEXT, ANSWER | AN_KEY_IF_GIVEN, PLACE(gas.fraction),
     .standard_help = "none",
     .help = "Scalar that is the mass fraction of a second gas, 0 to 1, in steady runs: R and cp(T) of the flow then change with it. "
             "With mixture, the second gas is air with the next two keys; else it has fraction_R and fraction_cp."},
    {"gas", "fraction_fuel_air_ratio", AN_KEY_NUMBER, AN_KEY_ALIAS, PLACE(gas.fraction_fuel_air_ratio), .min = 0, .max = 1,
     .unit = "kg/kg", .standard = "0", .standard_help = "fuel_air_ratio",
     .help = "With fraction and mixture: fuel_air_ratio of the second gas."},
    {"gas", "fraction_specific_humidity", AN_KEY_NUMBER, AN_KEY_ALIAS, PLACE(gas.fraction_specific_humidity), .min = 0,
     .max = 0.99, .unit = "kg/kg", .standard = "0", .standard_help = "humidity of the first gas",
     .help = "With fraction and mixture: specific_humidity of the second gas."},
    {"gas", "fraction_R", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_GIVEN, PLACE(gas.fraction_R), .min = 0, .max = 1e5,
     .unit = "J/(kg K)", .standard_help = "R",
     .help = "With fraction: specific gas constant of the second gas."},
    {"gas", "fraction_cp", AN_KEY_NUMBERS, ANSWER | AN_KEY_IF_GIVEN, PLACE(gas.fraction_cp), ANY, .unit = "J/(kg K)",
     .standard = "[]", .standard_help = "none",
     .help = "With fraction: coefficients of the second gas, as cp, for the same T_range."},
    {"gas", "table", AN_KEY_PATH, AN_KEY_IF_GIVEN, PLACE(gas.table),
     .standard_help = "none",
     .help = "HDF5 file with the properties of a fluid, made by tools/gas_table, in place of gamma, cp and R: "
             "the fluid need not be a perfect gas. Path relative to the folder of the case file."},
    {"gas", "table_checksum", AN_KEY_TEXT, ANSWER | AN_KEY_IF_GIVEN, PLACE(gas.table_checksum),
     .standard_help = "that of the file",
     .help = "With table: checksum that the numbers of the file must have. A run writes it into its effective case "
             "and into snapshots, and does not start from a snapshot of another table."},
    {"gas", "viscosity", AN_KEY_CHOICE, ANSWER, PLACE(gas.viscosity), .choice = viscosities,
     .standard = "none",
     .help = AN_VISCOSITY_LIST(SENTENCE)},
    {"gas", "mu", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_VISCOUS, PLACE(gas.mu), .min = 0,
     .max = 1e5, .unit = "kg/(m s)", .standard = "1.716e-5", .help = "Viscosity at T_ref."},
    {"gas", "T_ref", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_VISCOUS, PLACE(gas.T_ref),
     .min = 0, .max = 1e5, .unit = "K", .standard = "273.11",
     .help = "Temperature at which the viscosity is mu."},
    {"gas", "S", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_VISCOUS, PLACE(gas.S), .min = 0, .max = 1e5,
     .unit = "K", .standard = "110.33",
     .help = "Constant of Sutherland's law (viscosity: sutherland)."},
    {"gas", "exponent", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_VISCOUS, PLACE(gas.exponent), .min = -10,
     .max = 10, .unit = "-", .standard = "0.7",
     .help = "Exponent of the power law (viscosity: power_law)."},
    {"gas", "prandtl", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_VISCOUS, PLACE(gas.prandtl),
     .min = 0, .max = 1e5, .unit = "-", .standard = "0.72", .help = "Prandtl number."},
    {"gas", "prandtl_turbulent", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_VISCOUS,
     PLACE(gas.prandtl_turbulent), .min = 0, .max = 1e5, .unit = "-", .standard = "0.9",
     .help = "Turbulent Prandtl number."},

    {"scheme", "flux", AN_KEY_CHOICE, ANSWER, PLACE(scheme.flux), .choice = fluxes,
     .standard = "jst",
     .help = AN_SCHEME_LIST(SENTENCE)},
    {"scheme", "k2", AN_KEY_NUMBER, ANSWER, PLACE(scheme.k2), .min = 0, .max = 2, .unit = "-",
     .standard = "0.5",
     .help = "jst, matrix, kep: coefficient of the second differences, which act at shocks."},
    {"scheme", "k4", AN_KEY_NUMBER, ANSWER, PLACE(scheme.k4), .min = 0, .max = 0.5, .unit = "-",
     .standard = "0.02",
     .help = "jst, matrix, kep: coefficient of the fourth differences, which act in smooth flow."},
    {"scheme", "aspect_exponent", AN_KEY_NUMBER, ANSWER, PLACE(scheme.aspect_exponent), .min = 0,
     .max = 1, .unit = "-", .standard = "0.67",
     .help = "jst, kep: exponent z with which the ratios of the spectral radii of the three directions "
             "scale the dissipation (Martinelli)."},
    {"scheme", "limiter", AN_KEY_CHOICE, ANSWER, PLACE(scheme.limiter), .choice = limiters,
     .standard = "van_albada", .help = "roe: limiter of the MUSCL slopes. " AN_LIMITER_LIST(SENTENCE)},
    {"scheme", "limiter_floor", AN_KEY_NUMBER, ANSWER, PLACE(scheme.limiter_floor), .min = 0,
     .max = 1, .unit = "-", .standard = "1e-6",
     .help = "roe: differences below the square root of this number, times the reference state, "
             "are not limited."},
    {"scheme", "entropy_fix", AN_KEY_NUMBER, ANSWER, PLACE(scheme.entropy_fix), .min = 0, .max = 1,
     .unit = "-", .standard = "0.05",
     .help = "roe: wave speeds are kept above this fraction of |u_n| + c."},
    {"scheme", "low_mach", AN_KEY_CHOICE, ANSWER, PLACE(scheme.low_mach), .choice = low_machs,
     .standard = "auto",
     .help = "dissipation at low Mach numbers. " AN_LOW_MACH_LIST(SENTENCE)},
    {"scheme", "des_dissipation", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_DES, PLACE(scheme.des_dissipation), .min = 0,
     .max = 1, .unit = "-", .standard = "0.25",
     .help = "turbulence.des with flux matrix: the part of the dissipation of smooth flow that is left where "
             "turbulence is resolved. Shielded boundary layers, shocks and faces on boundaries have all of it."},
    {"scheme", "boundary_order", AN_KEY_INTEGER, ANSWER, PLACE(scheme.boundary_order), .min = 0,
     .max = 2, .standard = "1",
     .help = "Order of the extrapolation to slip walls. " AN_WALL_ORDER_LIST(SENTENCE)},

    {"turbulence", "model", AN_KEY_CHOICE, ANSWER, PLACE(turbulence.model), .choice = models,
     .standard = "none", .help = AN_TURBULENCE_LIST(MODEL_SENTENCE)},
    {"turbulence", "inlet_viscosity_ratio", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_TURBULENT,
     PLACE(turbulence.inlet_viscosity_ratio), .min = 0, .max = 1e6, .unit = "-", .standard = "3",
     .help = "Turbulence of the gas that flows in and of the initial state: nu tilde / nu for sa "
             "(3 to 5: fully turbulent; at most 0.2 with bcm), mu_t / mu for sst."},
    {"turbulence", "intensity", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_INTENSITY,
     PLACE(turbulence.intensity), .min = 0, .max = 1, .unit = "-", .standard = "0.01",
     .help = "Turbulence intensity, sqrt(2 k / 3) divided by the speed. sst: of the gas that flows in. "
             "bcm: of the stream at the leading edges; it holds in the whole flow."},
    {"turbulence", "length_scale", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_SST,
     PLACE(turbulence.length_scale), .min = 0, .max = 1e9, .unit = "m", .standard = "0",
     .standard_help = "by inlet_viscosity_ratio",
     .help = "sst: length l of the turbulence where intensity holds, in place of inlet_viscosity_ratio: mu_t / mu = "
             "0.09 sqrt(k) l / nu, with k of the intensity and the speed and viscosity of initial. A longer length decays more "
             "slowly."},
    {"turbulence", "decay_length", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_SST,
     PLACE(turbulence.decay_length), .min = 0, .max = 1e9, .unit = "m", .standard = "0",
     .help = "sst: intensity and inlet_viscosity_ratio hold this far behind the inlet. The program finds what has to "
             "flow in, by the law of decay in a uniform stream with the speed and viscosity of initial. 0: they "
             "hold at the inlet."},
    {"turbulence", "transition", AN_KEY_CHOICE, ANSWER | AN_KEY_IF_TURBULENT,
     PLACE(turbulence.transition), .choice = transitions, .standard = "none",
     .help = "none: boundary layers are turbulent. bcm (sa): they are laminar until their Reynolds number of the "
             "momentum thickness exceeds a limit that falls with turbulence.intensity (SA-BCM of 2020); an "
             "algebraic model for layers without strong pressure gradient and without laminar separation. gamma "
             "(sst): an intermittency is transported (Menter et al. 2015); knows the local turbulence, pressure "
             "gradients and laminar separation. gamma_re_theta (sst): intermittency and transition Reynolds number of "
             "the momentum thickness are transported (Langtry, Menter 2009); knows the same from the turbulence and "
             "the acceleration of the stream."},
    {"turbulence", "ambient", AN_KEY_BOOLEAN, ANSWER | AN_KEY_IF_GAMMA_MODEL,
     PLACE(turbulence.ambient), .standard = "false",
     .help = "gamma, gamma_re_theta: true: the turbulence that flows in does not decay in the stream (SST-sust), at the speed and "
             "viscosity of initial. false: it decays."},
    {"turbulence", "transition_intensity", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GAMMA_MODEL,
     PLACE(turbulence.transition_intensity), .min = 0, .max = 1, .unit = "-", .standard = "0",
     .help = "gamma, gamma_re_theta: turbulence intensity that decides where transition begins, in place of the local "
             "one, which is sqrt(2 k / 3) divided by omega and by the wall distance (gamma) or by the speed "
             "(gamma_re_theta). 0: the local one."},
    {"turbulence", "laminar_start", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_TRANSITION,
     PLACE(turbulence.laminar_start), .min = 0, .max = 1e9, .unit = "iterations", .standard = "100",
     .help = "transition: in this many first iterations no turbulence is produced (bcm) or no transition "
             "begins (gamma, gamma_re_theta), so that the boundary layers are laminar and thin before the model decides. A "
             "layer that is turbulent stays so: if the layers of the start are still too thick when the "
             "model begins, transition comes too early."},
    {"turbulence", "order", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_TURBULENT, PLACE(turbulence.order),
     .min = 1, .max = 2, .standard = "1",
     .help = "Order of the advection of the turbulence variables; 1 is usual and robust."},
    {"turbulence", "rotation_correction", AN_KEY_CHOICE, ANSWER | AN_KEY_IF_SA,
     PLACE(turbulence.rotation_correction), .choice = corrections, .standard = "none",
     .help = "sa: " AN_CORRECTION_LIST(SENTENCE)},
    {"turbulence", "des", AN_KEY_CHOICE, ANSWER | AN_KEY_IF_SA, PLACE(turbulence.des), .choice = simulations,
     .standard = "none", .help = "sa, unsteady: detached-eddy simulation. " AN_DES_LIST(SENTENCE)},
    {"turbulence", "curvature", AN_KEY_CHOICE, ANSWER | AN_KEY_IF_SST, PLACE(turbulence.curvature),
     .choice = relations, .standard = "off",
     .help = "sst: on: rotation and curvature of the flow change the production of turbulence (SST-RC): less at convex "
             "walls and in vortices, more at concave walls. Not with turbulence.transition."},
    {"turbulence", "across", AN_KEY_BOOLEAN, ANSWER | AN_KEY_IF_TURBULENT | AN_KEY_IF_STEADY,
     PLACE(turbulence.across), .standard = "true",
     .help = "Implicit steady marches. true: each sweep of the turbulence variables along the lines of "
             "cells follows sweeps along segments across these lines, so that the turbulence settles "
             "in fewer cycles on fine meshes. false: only sweeps along the lines."},
    {"turbulence", "linear", AN_KEY_BOOLEAN, ANSWER | AN_KEY_IF_TURBULENT | AN_KEY_IF_STEADY,
     PLACE(turbulence.linear), .standard = "true",
     .help = "With turbulence.across. true: the residual of the turbulence is computed once in a sweep; for the "
             "later directions of the sweep the residual follows the change of the turbulence by the linear "
             "operator, which costs a quarter. false: the residual is computed anew for each direction. The "
             "settled flow is the same."},
    {"turbulence", "sweeps", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_TURBULENT,
     PLACE(turbulence.sweeps), .min = 1, .max = 100, .standard = "2",
     .help = "With turbulence.order 1, steady or dual: sweeps of the turbulence variables along the lines "
             "of cells after each iteration of the flow; each one follows those across the lines."},
    {"turbulence", "mixing_length", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_MIXING,
     PLACE(turbulence.mixing_length), .min = 0, .max = 1, .unit = "-", .standard = "0.03",
     .help = "mixing_length: the largest mixing length, as a fraction of turbulence.length. Near a "
             "wall the mixing length is 0.41 times the distance from the wall."},
    {"turbulence", "length", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_MIXING, PLACE(turbulence.length),
     .min = 0, .max = 1e5, .unit = "m", .standard = "0", .standard_help = "none: must be given",
     .help = "mixing_length: length of the flow that turbulence.mixing_length is a fraction of: "
             "the blade pitch, or three times the thickness of the boundary layer."},
    {"turbulence", "wall_function", AN_KEY_CHOICE, ANSWER | AN_KEY_IF_TURBULENT,
     PLACE(turbulence.wall_function), .choice = wall_functions, .standard = "auto",
     .help = "auto: where the centres of the first cells at viscous walls lie above y+ 1, shear "
             "and heat come from the law of the wall. off: never."},
    {"turbulence", "qcr", AN_KEY_CHOICE, ANSWER | AN_KEY_IF_TURBULENT, PLACE(turbulence.qcr), .choice = relations,
     .standard = "off",
     .help = "on: the turbulent stress has the quadratic terms of QCR2000, which make the normal stresses differ, as "
             "in corners."},

    {"march", "mode", AN_KEY_CHOICE, ANSWER, PLACE(march.mode), .choice = modes,
     .standard = "steady",
     .help = "steady: every cell has a time step of its own. unsteady: all cells have the same "
             "time step."},
    {"march", "planes", AN_KEY_CHOICE, ANSWER, PLACE(march.planes), .choice = planes,
     .standard = "as_given",
     .help = "sliding: all mixing planes of the case and of the mesh are sliding planes, so that an unsteady run can start "
             "from the snapshot of a steady run of the same case. as_given: each plane is what the case or the mesh says."},
    {"march", "method", AN_KEY_CHOICE, ANSWER, PLACE(march.method), .choice = methods,
     .standard = "auto",
     .help = "runge_kutta: explicit stages. implicit: stages whose operator is solved along lines "
             "of cells. scree: Denton's scheme, which computes one residual per step and combines "
             "it with the residual of the step before; with residual_smoothing it becomes his SSS "
             "scheme. auto: implicit for steady viscous flow and with multigrid, otherwise "
             "runge_kutta. dual: unsteady marches with implicit steps of second order, whose length "
             "does not depend on the size of the cells. auto is runge_kutta in unsteady marches."},
    {"march", "stages", AN_KEY_INTEGER, ANSWER, PLACE(march.stages), .min = 1, .max = 5,
     .standard = "5",
     .help = "Number of stages in a step, explicit or implicit."},
    {"march", "cfl", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_CFL, PLACE(march.cfl), .min = 0,
     .max = 1e6, .unit = "-", .standard = "2.5",
     .help = "CFL number of the local time steps, or of the common time step of an unsteady run."},
    {"march", "cfl_finest", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_STEADY, PLACE(march.cfl_finest), .min = 0,
     .max = 1e6, .unit = "-", .standard = "0",
     .help = "Implicit steady marches with multigrid: largest CFL number of the finest level, where a large one "
             "lets waves grow in cells that are much longer than thin; coarse levels use march.cfl. Where the "
             "program lowers march.cfl by a factor, it lowers cfl_finest by the square root of this factor. If the "
             "march leaves a flow that had nearly settled, the program lifts the limit. 0: no limit."},
    {"march", "cfl_start", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_CFL, PLACE(march.cfl_start),
     .min = 0, .max = 1000, .unit = "-",
     .help = "CFL number of the first iteration, from which it rises to cfl; used with cfl_ramp."},
    {"march", "cfl_ramp", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_CFL, PLACE(march.cfl_ramp), .min = 0,
     .max = 1e9, .unit = "iterations", .standard = "0",
     .help = "Iterations in which the CFL number rises from cfl_start to cfl, by the same factor "
             "in each of them; 0: no ramp."},
    {"march", "cfl_min", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_STEADY, PLACE(march.cfl_min), .min = 0, .max = 1e6, .unit = "-",
     .standard = "8", .help = "Implicit steady marches: the CFL number is halved where the residual grows and doubled "
     "again where it falls; where it has stalled, a sixteenth of the CFL number is tried and kept if that "
     "helps. It never falls below cfl_min. 0 switches this off. A residual below 3e-4 of its largest in "
     "single precision, 1e-9 in double, is down to rounding and does not count."},
    {"march", "cfl_window", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_STEADY, PLACE(march.cfl_window), .min = 1, .max = 1e9,
     .unit = "iterations", .standard = "30", .help = "Iterations over which the slope of the residual is judged, "
     "from three to six samples. A residual counts as stalled after six windows."},
    {"march", "acceleration", AN_KEY_CHOICE, ANSWER | AN_KEY_IF_STEADY, PLACE(march.acceleration),
     .choice = accelerations, .standard = "auto",
     .help = "Implicit steady marches. auto: where the residual has stalled, the march mixes its "
             "last twelve cycles (Anderson mixing), which finds the steady flow that a limit cycle "
             "swings about; the CFL number is lowered only if the mixing gains nothing. auto does "
             "nothing with march.damping. none: the march never mixes cycles."},
    {"march", "damping", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_STEADY, PLACE(march.damping), .min = 0, .max = 0.5, .unit = "-",
     .standard = "0",
     .help = "Implicit steady marches: in each iteration this fraction of the difference between "
             "the flow and its running mean is subtracted from the flow, which ends slow "
             "oscillations; for example 0.05. 0: no damping."},
    {"march", "damping_window", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_STEADY, PLACE(march.damping_window), .min = 1, .max = 1e9,
     .unit = "iterations", .standard = "40",
     .help = "Averaging window of the running mean of damping; at least one sixth of the "
             "oscillation period."},
    {"march", "damping_start", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_STEADY, PLACE(march.damping_start), .min = 0, .max = 1e9,
     .unit = "iterations", .standard = "200",
     .help = "Iterations between the beginning of a ramp of the CFL number (at the start, after a "
             "divergence) and the beginning of the running mean of damping. A map's points after the "
             "first begin as if three quarters of the ramp were past."},
    {"march", "residual_smoothing", AN_KEY_CHOICE, ANSWER, PLACE(march.residual_smoothing),
     .choice = smoothings, .standard = "none",
     .help = "Explicit steady marches. jacobi: Jacobi sweeps over all directions at once smooth "
             "the changes of a stage, which allows a larger CFL number."},
    {"march", "smoothing_coefficient", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_SMOOTHED,
     PLACE(march.smoothing_coefficient), .min = 0, .max = 100, .unit = "-", .standard = "0",
     .help = "Coefficient of residual_smoothing in all directions; 0: the coefficients follow from "
             "the CFL number and the shape of the cells."},
    {"march", "smoothing_sweeps", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_SMOOTHED,
     PLACE(march.smoothing_sweeps), .min = 1, .max = 20, .standard = "2",
     .help = "Jacobi sweeps in each stage."},
    {"march", "smooth_start", AN_KEY_INTEGER, ANSWER, PLACE(march.smooth_start), .min = 0,
     .max = 1e9, .unit = "iterations", .standard = "0",
     .help = "jst: number of iterations over which extra dissipation fades out; it settles a "
             "steady start."},
    {"march", "iterations", AN_KEY_INTEGER, 0, PLACE(march.iterations), .min = 1, .max = 2147483647,
     .standard = "10000",
     .help = "Number of the last iteration, counted from the start; a restarted run goes on to "
             "this number."},
    {"march", "time_step", AN_KEY_NUMBER, ANSWER, PLACE(march.time_step), .min = 0, .max = INFINITY,
     .unit = "s", .standard = "0",
     .help = "unsteady: time step; 0: the time step follows from the CFL number. dual: the physical "
             "time step, unless steps_per_revolution or steps_per_passing gives it."},
    {"march", "end_time", AN_KEY_NUMBER, 0, PLACE(march.end_time), .min = 0, .max = INFINITY,
     .unit = "s", .standard = "0",
     .help = "unsteady: time at which the run ends; 0: none."},
    {"march", "steps_per_revolution", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_DUAL,
     PLACE(march.steps_per_revolution), .min = 0, .max = 100000000, .unit = "steps", .standard = "0",
     .help = "dual: time steps in a revolution of the row that turns fastest, instead of time_step; "
             "0: not given."},
    {"march", "steps_per_passing", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_DUAL,
     PLACE(march.steps_per_passing), .min = 0, .max = 1000000, .unit = "steps", .standard = "0",
     .help = "dual: time steps in which the row that turns fastest turns by one blade pitch "
             "(rows.NAME.blades), instead of time_step; 0: not given."},
    {"march", "time_scheme", AN_KEY_CHOICE, ANSWER | AN_KEY_IF_DUAL, PLACE(march.time_scheme),
     .choice = time_schemes, .standard = "blend",
     .help = "dual: derivative in time. blend: 0.52 of BDF2 and 0.48 of BDF3, second order with half "
             "the error of BDF2 and stable at any time step. bdf2: BDF2 alone."},
    {"march", "phase_lag", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_DUAL, PLACE(march.phase_lag),
     .min = 0, .max = 100, .unit = "harmonics", .standard = "0",
     .help = "dual: two rows of unlike pitch, one passage each, joined by a sliding plane with phase lag: "
             "number of harmonics of the passing frequency with which the flow of the passages that are not "
             "meshed is kept; 10 suits wakes. 0: both sides of a sliding plane cover the same angle."},
    {"march", "inner_iterations", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_DUAL,
     PLACE(march.inner_iterations), .min = 0, .max = 100000, .standard = "0",
     .help = "dual: number of inner iterations in each step; 0: as many as inner_tolerance needs."},
    {"march", "inner_tolerance", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_DUAL,
     PLACE(march.inner_tolerance), .min = 0, .max = 1, .unit = "-", .standard = "0.1",
     .help = "dual: error that the inner iterations of a step leave, as a fraction of the error of "
             "the time step itself, which the program estimates from the first guess of the step."},
    {"march", "inner_limit", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_DUAL, PLACE(march.inner_limit),
     .min = 1, .max = 100000, .standard = "50",
     .help = "dual: largest number of inner iterations in a step."},
    {"march", "residual_drop", AN_KEY_NUMBER, 0, PLACE(march.residual_drop), .min = 0, .max = 1,
     .unit = "-", .standard = "0",
     .help = "steady: the run stops when the density residual, divided by its largest value so "
             "far, is below this; 0: off."},
    {"march", "mass_imbalance", AN_KEY_NUMBER, 0, PLACE(march.mass_imbalance), .min = 0, .max = 1,
     .unit = "-", .standard = "0",
     .help = "steady: the run stops when |m_in - m_out| / m_in is below this; 0: off. If "
             "residual_drop is given too, both rules must hold. Without it the rules of stop hold "
             "only where this is at most 0.01, except in cases with a far field."},
    {"march", "wall_time", AN_KEY_NUMBER, 0, PLACE(march.wall_time), .min = 0, .max = INFINITY,
     .unit = "s", .standard = "0",
     .help = "The run writes a snapshot and stops after this time on the clock; 0: off."},

    {"stop", "period_change", AN_KEY_NUMBER, 0, PLACE(stop.period_change), .min = 0, .max = 1,
     .unit = "-", .standard = "0",
     .help = "unsteady: the run stops when mass flow, pressure ratio, forces, power and coefficients "
             "change by less than this fraction (coefficients: by less than this value) from one period to the "
             "next; 0: off."},
    {"stop", "period", AN_KEY_INTEGER, 0, PLACE(stop.period), .min = 0, .max = 1000000000,
     .unit = "iterations", .standard = "0", .standard_help = "march.steps_per_passing",
     .help = "unsteady: iterations of a period for period_change, a multiple of "
             "output.history_every."},
    {"stop", "periods", AN_KEY_INTEGER, 0, PLACE(stop.periods), .min = 1, .max = 1000,
     .standard = "3",
     .help = "unsteady: periods in a row for which period_change must hold."},
    {"stop", "window", AN_KEY_INTEGER, 0, PLACE(stop.window), .min = 1, .max = 1e9,
     .unit = "iterations", .standard = "100",
     .help = "Number of the latest iterations over which a figure must have settled: in the lines "
             "of the table of these iterations its largest minus its smallest value is below the "
             "limit that a rule gives."},
    {"stop", "mass_flow", AN_KEY_NUMBER, 0, PLACE(stop.mass_flow), .min = 0, .max = 1, .unit = "-",
     .standard = "0",
     .help = "steady: the run stops when the mass flow (mean of in and out) changes by less than "
             "this fraction; 0: off. All rules that are on, here and in march, must hold at the "
             "same time."},
    {"stop", "pressure_ratio", AN_KEY_NUMBER, 0, PLACE(stop.pressure_ratio), .min = 0, .max = 1,
     .unit = "-", .standard = "0",
     .help = "steady: the run stops when the ratio of total pressures changes by less than this "
             "fraction; 0: off."},
    {"stop", "efficiency", AN_KEY_NUMBER, 0, PLACE(stop.efficiency), .min = 0, .max = 1, .unit = "-",
     .standard = "0",
     .help = "steady: the run stops when the efficiency changes by less than this, for example "
             "0.001 for 0.1 point; 0: off."},

    {"stop", "force", AN_KEY_NUMBER, 0, PLACE(stop.force), .min = 0, .max = 1, .unit = "-",
     .standard = "0", .help = "steady: the run stops when each component of the force on all viscous walls (without them: on all slip walls) moves by less than this "
     "fraction of the total force, the friction on them, if nothing turns, by less than this fraction of itself, and the power of the "
     "walls that turn (without rows: their torque) by less "
     "than this fraction of itself, or of a tenth of mass flow times the square of the tip speed if that is larger; 0: off."},
    {"stop", "turbulence", AN_KEY_NUMBER, 0, PLACE(stop.turbulence), .min = 0, .max = 1, .unit = "-",
     .standard = "0", .help = "steady: the run stops when the residual of the first turbulence variable has fallen to this "
     "fraction of its largest value so far; 0: off."},

    {"stop", "lift", AN_KEY_NUMBER, 0, PLACE(stop.lift), .min = 0, .max = 100, .unit = "-",
     .standard = "0",
     .help = "steady: the run stops when the lift coefficient (reference.length) moves by less than "
             "this, 0.001 for example; 0: off."},
    {"stop", "drag", AN_KEY_NUMBER, 0, PLACE(stop.drag), .min = 0, .max = 100, .unit = "-",
     .standard = "0",
     .help = "steady: the run stops when the drag coefficient (reference.length) moves by less than this, 0.0001 "
             "(one count) for example; 0: off."},
    {"stop", "moment", AN_KEY_NUMBER, 0, PLACE(stop.moment), .min = 0, .max = 100, .unit = "-",
     .standard = "0",
     .help = "steady: the run stops when the coefficient of the pitching moment (reference.length) moves by less "
             "than this; 0: off."},

    {"monitors", "performance", AN_KEY_CHOICE, 0, PLACE(monitors.performance), .choice = switches,
     .standard = "auto",
     .help = "on: the run measures mass flow, ratios, efficiencies, power, torque, angles and "
             "losses of rows and machine. auto: it does so in cases with rows or stations, and "
             "where the mesh repeats by translation and has an inlet and an outlet (a cascade)."},
    {"monitors", "averages", AN_KEY_CHOICE, 0, PLACE(monitors.averages), .choice = averages,
     .standard = "auto", .help = "Axes of averages and forces. cylindrical: around x. cartesian: along the axis, "
     "the pitch and the span of a cascade. auto: cartesian where the mesh repeats by translation and "
     "nothing turns, and for plane meshes."},
    {"monitors", "stations", AN_KEY_NUMBERS, 0, PLACE(monitors.stations), ANY, .unit = "m",
     .standard = "[]", .standard_help = "none",
     .help = "Planes of constant x at which spanwise profiles are taken with each snapshot and "
             "written to profile_NNNNNNNN.csv."},
    {"monitors", "station_lines", AN_KEY_NUMBERS, 0, PLACE(monitors.station_lines), ANY, .unit = "m",
     .standard = "[]", .standard_help = "none",
     .help = "Further stations, behind those of stations: surfaces of revolution of straight lines. "
             "Four numbers for each: x and r at the hub, x and r at the casing. A cylinder of radius "
             "0.2 between x = 0.1 (hub) and 0.08: [0.1, 0.2, 0.08, 0.2]."},
    {"monitors", "bands", AN_KEY_INTEGER, 0, PLACE(monitors.bands), .min = 1, .max = 1000,
     .standard = "20",
     .help = "Number of bands of equal height in a spanwise profile."},
    {"monitors", "volume", AN_KEY_CHOICE, 0, PLACE(monitors.volume), .choice = relations,
     .standard = "off",
     .help = "on: history.csv has the means over the volume of the kinetic energy, J/m3, and in viscous flow of the "
             "enstrophy rho |curl u|^2 / 2, kg/(m3 s2)."},

    {"map", "outlet", AN_KEY_TEXT, AN_KEY_IF_GIVEN, PLACE(map.outlet),
     .standard_help = "the only one",
     .help = "Name of the static outlet whose setting is varied."},
    {"map", "vary", AN_KEY_CHOICE, 0, PLACE(map.vary), .choice = varied, .standard = "back_pressure",
     .help = "Meaning of the settings: pressures of the outlet, Pa; wanted mass flows, kg/s; or "
             "factors, without a unit, on the resistance of its throttle."},
    {"map", "values", AN_KEY_NUMBERS, 0, PLACE(map.values), .min = 0, .max = INFINITY, .unit = AN_UNIT_OF_SETTINGS,
     .standard = "[]",
     .standard_help = "from, to, step",
     .help = "Settings of the points one after the other, from choke to stall. If a point fails, "
             "the map approaches it by halved steps."},
    {"map", "speeds", AN_KEY_NUMBERS, POSITIVE, PLACE(map.speeds), .min = 0, .max = 3, .standard = "[]",
     .standard_help = "one line",
     .help = "Speeds of the lines of a map, as parts of the speeds of all rows and walls of the case. The settings are those of the "
             "speeds of the case: on the other lines, pressures above the p0 of the inlet follow from a rise of enthalpy that grows with "
             "the square of the speed, mass flows grow with the speed, and pressures below p0 and factors of a throttle stay."},
    {"map", "from", AN_KEY_NUMBER, 0, PLACE(map.from), .min = 0, .max = INFINITY, .unit = AN_UNIT_OF_SETTINGS,
     .standard = "0",
     .help = "First setting, in place of values."},
    {"map", "to", AN_KEY_NUMBER, 0, PLACE(map.to), .min = 0, .max = INFINITY, .unit = AN_UNIT_OF_SETTINGS,
     .standard = "0",
     .help = "Last setting; the map ends before it if the flow stalls."},
    {"map", "step", AN_KEY_NUMBER, 0, PLACE(map.step), .min = 0, .max = INFINITY, .unit = AN_UNIT_OF_SETTINGS,
     .standard = "0",
     .help = "Step from one setting to the next."},
    {"map", "least_step", AN_KEY_NUMBER, 0, PLACE(map.least_step), .min = 0, .max = INFINITY, .unit = AN_UNIT_OF_SETTINGS,
     .standard = "0", .standard_help = "an eighth",
     .help = "Smallest step: steps toward stall are halved down to this one. 0: an eighth of the "
             "step that failed first, as long as these points take at most 30 % of the line's iterations."},
    {"map", "chains", AN_KEY_INTEGER, 0, PLACE(map.chains), .min = 1, .max = 64, .standard = "1",
     .help = "Number of chains of successive settings that a line is cut into. The first point of each begins as a run does, so "
             "that the chains do not need each other; `annulus map --together` computes them side by side. A chain whose "
             "first point is not kept is computed from its neighbour."},
    {"map", "first_iterations", AN_KEY_INTEGER, 0, PLACE(map.first_iterations), .min = 0, .max = 2147483647,
     .standard = "0", .standard_help = "iterations",
     .help = "Largest number of iterations of the first point."},
    {"map", "iterations", AN_KEY_INTEGER, 0, PLACE(map.iterations), .min = 1, .max = 2147483647,
     .standard = "3000",
     .help = "Largest number of iterations of a point. A point that has not settled by then is "
             "kept if its mass flow moved by at most 1 % within the last stop.window iterations, or swings by at most 1 % about a mean "
             "that stays; otherwise it is left out."},

    {"multigrid", "levels", AN_KEY_INTEGER, ANSWER, PLACE(multigrid.levels), .min = 0,
     .max = 8, .standard = "1",
     .help = "Number of levels, the mesh itself included; 0: as many as the mesh allows, at most "
             "5."},
    {"multigrid", "cycle", AN_KEY_CHOICE, ANSWER, PLACE(multigrid.cycle), .choice = cycles,
     .standard = "w",
     .help = "Visits to the coarser level in a cycle: one (v) or two (w). f: two visits, the second of which is a "
             "V cycle, so that the coarsest levels are visited less often than with w."},
    {"multigrid", "full", AN_KEY_BOOLEAN, ANSWER, PLACE(multigrid.full), .standard = "true",
     .help = "true: the run starts on the coarsest level and goes up level by level, unless it starts from a mean line "
             "(initial.mean_line)."},
    {"multigrid", "across", AN_KEY_BOOLEAN, ANSWER, PLACE(multigrid.across), .standard = "false",
     .help = "Meshes of one layer of cells with three levels or more: every other step runs along "
             "segments across the lines. The residual of attached flow then falls further; wakes "
             "behind blunt edges do not settle."},
    {"multigrid", "pre", AN_KEY_INTEGER, ANSWER, PLACE(multigrid.pre), .min = 1, .max = 100,
     .unit = "steps", .standard = "1",
     .help = "Steps on a level before the cycle goes to the coarser level."},
    {"multigrid", "post", AN_KEY_INTEGER, ANSWER, PLACE(multigrid.post), .min = 0, .max = 100,
     .unit = "steps", .standard = "1",
     .help = "Steps on a level after the cycle has returned from the coarser level."},
    {"multigrid", "coarse", AN_KEY_INTEGER, ANSWER, PLACE(multigrid.coarse), .min = 1, .max = 1000,
     .unit = "steps", .standard = "2", .help = "Steps on the coarsest level."},
    {"multigrid", "stages", AN_KEY_INTEGER, ANSWER, PLACE(multigrid.stages), .min = 0, .max = 5,
     .standard = "0",
     .help = "Number of stages in a step of the coarser levels; 0: as many as march.stages. 1 makes cycles "
             "cheaper."},
    {"multigrid", "thin_layer", AN_KEY_BOOLEAN, ANSWER, PLACE(multigrid.thin_layer), .standard = "false",
     .help = "true: viscous terms of the coarser levels are thin layers, without gradients, which saves GPUs "
             "launches. The settled flow is the same. No effect with turbulence.model: mixing_length, which needs "
             "the gradients."},

    {"reference", "length", AN_KEY_NUMBER, AN_KEY_IF_GIVEN | POSITIVE, PLACE(reference.length), .min = 0, .max = 1e5, .unit = "m",
     .standard_help = "none",
     .help = "Reference length of moments and of the Reynolds number, for example the chord. If it "
             "is given, the run reports the forces on walls as coefficients."},
    {"reference", "area", AN_KEY_NUMBER, AN_KEY_IF_GIVEN | POSITIVE, PLACE(reference.area), .min = 0, .max = 1e10, .unit = "m2",
     .standard_help = "length times the extent of the mesh along the span",
     .help = "Reference area of forces and moments."},
    {"reference", "point", AN_KEY_VECTOR, 0, PLACE(reference.point), .unit = "m", .standard = "[0, 0, 0]",
     .help = "Point about which moments are taken."},
    {"reference", "mach", AN_KEY_NUMBER, AN_KEY_IF_GIVEN | POSITIVE, PLACE(reference.mach), .min = 0, .max = 100, .unit = "-",
     .standard_help = "that of the far field",
     .help = "Mach number of the free stream; or give velocity."},
    {"reference", "velocity", AN_KEY_NUMBER, AN_KEY_IF_GIVEN | POSITIVE, PLACE(reference.velocity), .min = 0, .max = 1e6, .unit = "m/s",
     .standard_help = "from mach",
     .help = "Speed of the free stream, in place of mach."},
    {"reference", "pressure", AN_KEY_NUMBER, AN_KEY_IF_GIVEN | POSITIVE, PLACE(reference.pressure), .min = 0, .max = 1e12, .unit = "Pa",
     .standard_help = "from reynolds, or that of the far field",
     .help = "Static pressure of the free stream; or give reynolds."},
    {"reference", "reynolds", AN_KEY_NUMBER, AN_KEY_IF_GIVEN | POSITIVE, PLACE(reference.reynolds), .min = 0, .max = 1e15, .unit = "-",
     .standard_help = "from pressure",
     .help = "Reynolds number of the free stream, based on length, in place of the pressure."},
    {"reference", "temperature", AN_KEY_NUMBER, POSITIVE, PLACE(reference.temperature), .min = 0, .max = 1e5,
     .unit = "K", .standard = "288.15",
     .help = "Static temperature of the free stream; used with mach or velocity."},
    {"reference", "alpha", AN_KEY_NUMBER, 0, PLACE(reference.alpha), .min = -180, .max = 180, .unit = "degrees",
     .standard = "0",
     .help = "Angle of attack, from x towards the axis that the key up names."},
    {"reference", "beta", AN_KEY_NUMBER, 0, PLACE(reference.beta), .min = -90, .max = 90, .unit = "degrees",
     .standard = "0",
     .help = "Angle of sideslip, towards the third axis (z if up is y)."},
    {"reference", "up", AN_KEY_CHOICE, 0, PLACE(reference.up), .choice = ups, .standard = "y",
     .help = "Axis of the mesh along which lift acts at an angle of attack of zero."},
    {"reference", "walls", AN_KEY_NAMES, AN_KEY_IF_GIVEN, PLACE(reference.walls),
     .standard_help = "viscous walls, or slip walls where there are none",
     .help = "Walls whose forces are reported as coefficients; * and ? match."},

    {"initial", "p", AN_KEY_NUMBER, REQUIRED | AN_KEY_OR_REFERENCE | ANSWER | POSITIVE, PLACE(initial.p), .min = 0,
     .max = 1e12, .unit = "Pa",
     .help = "Static pressure. A case with several rows and an inlet_total may leave it out: the p0 of the inlet then counts."},
    {"initial", "T", AN_KEY_NUMBER, REQUIRED | AN_KEY_OR_REFERENCE | ANSWER | POSITIVE, PLACE(initial.T), .min = 0,
     .max = 1e5, .unit = "K",
     .help = "Static temperature. A case with several rows and an inlet_total may leave it out: the T0 of the inlet then counts."},
    {"initial", "velocity", AN_KEY_VECTOR, ANSWER | AN_KEY_IF_VELOCITY, PLACE(initial.velocity),
     .unit = "m/s", .help = "Velocity [x, y, z]; or give mach and direction."},
    {"initial", "mach", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_MACH, PLACE(initial.mach), .min = 0,
     .max = 100, .unit = "-", .standard = "0", .help = "Mach number."},
    {"initial", "direction", AN_KEY_VECTOR, ANSWER | AN_KEY_IF_MACH | AN_KEY_DIRECTION,
     PLACE(initial.direction), .standard = "[1, 0, 0]",
     .help = "Direction of the flow, a vector of any length."},
    {"initial", "pattern", AN_KEY_CHOICE, ANSWER, PLACE(pattern), .choice = patterns,
     .standard = "uniform",
     .help = "uniform: the same state everywhere. taylor_green: the Taylor-Green vortex in a box of edge 2 pi "
             "initial.length, which repeats in x, y and z: V sin(x/L) cos(y/L) cos(z/L), -V cos(x/L) sin(y/L) cos(z/L), 0, "
             "with V of initial.mach or initial.velocity, uniform temperature, and the pressure of incompressible flow."},
    {"initial", "length", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_PATTERN, PLACE(pattern_length), .min = 0,
     .max = 1e6, .unit = "m", .standard = "1", .help = "Length L of the pattern."},
    {"initial", "mean_line", AN_KEY_BOOLEAN, 0, PLACE(mean_line), .standard = "true",
     .help = "true: a steady run of several axial rows, of which one turns, starts from a mean line through them, which is computed "
             "from the mesh, the speeds, and the values of inlet and outlet. The state of initial then is only the scale of "
             "pressures and temperatures, and the start of rows that are no chain from one inlet_total to one "
             "outlet_static. false: the run starts from the state of initial."},

    {AN_SECTION_BOUNDARY, "type", AN_KEY_CHOICE, REQUIRED | ANSWER, ALL, B(type),
     .help = "Condition on the boundary. Boundaries that the case file does not name keep the "
             "condition of the mesh."},
    {AN_SECTION_BOUNDARY, "p0", AN_KEY_NUMBER, REQUIRED | ANSWER | POSITIVE, INLET, B(p0), .min = 0,
     .max = 1e12, .unit = "Pa", .help = "Total pressure; with mass_flow, the one to start from."},
    {AN_SECTION_BOUNDARY, "T0", AN_KEY_NUMBER, REQUIRED | ANSWER | POSITIVE, INLET, B(T0), .min = 0,
     .max = 1e5, .unit = "K", .help = "Total temperature."},
    {AN_SECTION_BOUNDARY, "direction", AN_KEY_VECTOR, REQUIRED | ANSWER | AN_KEY_DIRECTION, INLET,
     B(direction),
     .help = "Direction of the flow [x, y, z], a vector of any length; with axes: cylindrical it is "
             "[x, r, theta]."},
    {AN_SECTION_BOUNDARY, "axes", AN_KEY_CHOICE, ANSWER, INLET, B(axes), .choice = direction_axes,
     .standard = "cartesian",
     .help = "Axes of the direction. cylindrical: along x, outwards from x, and around x from y to z, "
             "as an inlet on a cylinder or a cone needs."},
    {AN_SECTION_BOUNDARY, "profile", AN_KEY_PATH, ANSWER | AN_KEY_IF_GIVEN, INLET, B(profile),
     .size = AN_PATH, .standard_help = "none",
     .help = "CSV file with a column span (0 at the hub, 1 at the casing) or radius_m, and any of "
             "the columns p0_Pa, T0_K, swirl_deg (arctan(Vt / Vm), positive from y to z), "
             "pitch_deg (arctan(Vr / Vx)), viscosity_ratio (sa), k_J_kg and omega_1_s (sst). Its "
             "columns replace the keys p0, T0 and direction. Columns theta_deg (angle about the x "
             "axis from y to z; the largest one repeats the smallest one a pitch later) and time_s "
             "let the values vary around the axis and in time. Columns may have other units, as in "
             "p0_kPa or radius_mm. A profile_NNNNNNNN.csv that a run wrote is such a file, too."},
    {AN_SECTION_BOUNDARY, "profile_omega", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, INLET,
     B(profile_omega), ANY, .unit = "rad/s", .standard_help = "0: at rest",
     .help = "Speed at which a profile with theta_deg turns about the x axis, positive from y to z. "
             "A steady run needs the speed of the row whose inlet this is."},
    {AN_SECTION_BOUNDARY, "profile_period", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_GIVEN, INLET,
     B(profile_period), .min = 0, .max = 1e9, .unit = "s", .standard_help = "none",
     .help = "A profile with time_s repeats after this time. Without this key the values stay as "
             "they are at the last time."},
    {AN_SECTION_BOUNDARY, "profile_station", AN_KEY_INTEGER, ANSWER | AN_KEY_IF_GIVEN, INLET,
     B(profile_station), .min = 1, .max = 1e6, .unit = "-", .standard_help = "the only one",
     .help = "A profile_NNNNNNNN.csv of several stations: the number of the station that enters here, "
             "from 1, in the order of monitors.stations and monitors.station_lines."},
    {AN_SECTION_BOUNDARY, "non_reflecting", AN_KEY_CHOICE, ANSWER, INLET, B(outlet.non_reflecting),
     .choice = waves, .standard = "false",
     .help = "true: only the mean around the axis has the total conditions and the direction; "
             "differences from the mean pass as one-dimensional waves. two_d: they pass as waves that "
             "vary around the axis."},
    {AN_SECTION_BOUNDARY, "control_every", AN_KEY_INTEGER, ANSWER, INLET, B(outlet.control_every),
     .min = 1, .max = 1e9, .unit = "iterations", .standard = "10",
     .help = "Iterations between updates of the means (non_reflecting) and of the total pressure "
             "(mass_flow)."},
    {AN_SECTION_BOUNDARY, "mass_flow", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_GIVEN, INLET,
     B(outlet.mass_flow), .min = 0, .max = 1e9, .unit = "kg/s", .standard_help = "none: p0 as given",
     .help = "steady: wanted mass flow, of the full annulus if the mesh repeats by rotation. A "
             "controller starts from the total pressure p0 (or that of the profile) and scales it "
             "until this mass flow is reached."},
    {AN_SECTION_BOUNDARY, "control_gain", AN_KEY_NUMBER, ANSWER | POSITIVE, INLET, B(outlet.control_gain),
     .min = 0, .max = 100, .unit = "-", .standard = "1",
     .help = "Factor on the steps by which mass_flow changes the total pressure; use a smaller one "
             "if the pressure oscillates."},
    {AN_SECTION_BOUNDARY, "scalars", AN_KEY_NUMBERS, ANSWER | AN_KEY_IF_SCALARS, INLET | STATE, B(scalars), ANY,
     .standard = "[]", .standard_help = "zeros",
     .help = "Values of the passive scalars in the gas that enters, in the order of the section "
             "scalars."},
    {AN_SECTION_BOUNDARY, "p", AN_KEY_NUMBER, REQUIRED | ANSWER | POSITIVE, OUTLET, B(p), .min = 0,
     .max = 1e12, .unit = "Pa", .help = "Static pressure."},
    {AN_SECTION_BOUNDARY, "mass_flow", AN_KEY_NUMBER, ANSWER, OUTLET, B(outlet.mass_flow), .min = 0,
     .max = 1e9, .unit = "kg/s", .standard = "0", .standard_help = "none: p as given",
     .help = "steady: wanted mass flow, of the full annulus if the mesh repeats by rotation. A "
             "controller starts from the pressure p and changes it until this mass flow is "
             "reached."},
    {AN_SECTION_BOUNDARY, "throttle_mass_flow", AN_KEY_NUMBER, ANSWER, OUTLET,
     B(outlet.throttle_mass_flow), .min = 0, .max = 1e9, .unit = "kg/s", .standard = "0",
     .standard_help = "none",
     .help = "steady: the outlet is a throttle. Its pressure is p at this mass flow (of the full "
             "annulus), and throttle_p + (p - throttle_p) (m / throttle_mass_flow)^2 at the mass "
             "flow m."},
    {AN_SECTION_BOUNDARY, "throttle_p", AN_KEY_NUMBER, ANSWER, OUTLET, B(outlet.throttle_p), .min = 0,
     .max = 1e12, .unit = "Pa", .standard = "0", .help = "Pressure behind the throttle."},
    {AN_SECTION_BOUNDARY, "radial_equilibrium", AN_KEY_CHOICE, ANSWER, OUTLET, B(outlet.equilibrium),
     .choice = equilibria, .standard = "none",
     .help = "steady: p is the pressure at the hub, at mid-span or at the casing; along the span "
             "the pressure follows dp/dr = rho Vt^2 / r, with means around the axis. none: p is "
             "the pressure everywhere."},
    {AN_SECTION_BOUNDARY, "non_reflecting", AN_KEY_CHOICE, ANSWER, OUTLET, B(outlet.non_reflecting),
     .choice = waves, .standard = "false",
     .help = "true: only the mean around the axis has the pressure p; differences from the mean "
             "(wakes, shocks, pulses) leave as one-dimensional waves. two_d: they leave as waves that "
             "vary around the axis."},
    {AN_SECTION_BOUNDARY, "control_every", AN_KEY_INTEGER, ANSWER, OUTLET, B(outlet.control_every),
     .min = 1, .max = 1e6, .unit = "iterations", .standard = "10",
     .help = "Iterations between updates of the pressure (mass_flow, throttle, radial_equilibrium) "
             "and of the means (non_reflecting)."},
    {AN_SECTION_BOUNDARY, "control_gain", AN_KEY_NUMBER, ANSWER | POSITIVE, OUTLET,
     B(outlet.control_gain), .min = 0, .max = 100, .unit = "-", .standard = "1",
     .help = "Factor on the steps by which mass_flow or a throttle changes the pressure; use a "
             "smaller one if the pressure oscillates."},
    {AN_SECTION_BOUNDARY, "p", AN_KEY_NUMBER, REQUIRED | AN_KEY_OR_REFERENCE | ANSWER | POSITIVE, STATE, B(state.p),
     .min = 0, .max = 1e12, .unit = "Pa", .help = "Static pressure."},
    {AN_SECTION_BOUNDARY, "T", AN_KEY_NUMBER, REQUIRED | AN_KEY_OR_REFERENCE | ANSWER | POSITIVE, STATE, B(state.T),
     .min = 0, .max = 1e5, .unit = "K", .help = "Static temperature."},
    {AN_SECTION_BOUNDARY, "velocity", AN_KEY_VECTOR, ANSWER | AN_KEY_IF_VELOCITY, STATE,
     B(state.velocity), .unit = "m/s", .help = "Velocity [x, y, z]; or give mach and direction."},
    {AN_SECTION_BOUNDARY, "mach", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_MACH, STATE, B(state.mach),
     .min = 0, .max = 100, .unit = "-", .help = "Mach number."},
    {AN_SECTION_BOUNDARY, "direction", AN_KEY_VECTOR, ANSWER | AN_KEY_IF_MACH | AN_KEY_DIRECTION,
     STATE, B(state.direction), .standard = "[1, 0, 0]",
     .help = "Direction of the flow [x, y, z], a vector of any length; used with mach."},
    {AN_SECTION_BOUNDARY, "with", AN_KEY_TEXT, REQUIRED | ANSWER, PLANE | SLIDE | ABUT, B(with),
     .size = AN_NAME,
     .help = "Name of the boundary on the other side of the mixing plane, sliding plane or abutting "
             "interface, which names this one in turn."},
    {AN_SECTION_BOUNDARY, "gain", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_GIVEN, PLANE, B(gain), .min = 0, .max = 1,
     .standard_help = "0.1, with more than two planes 0.05 for each, at most 0.2",
     .help = "Fraction of the remaining difference of the fluxes that one iteration removes; of "
             "the values of the two sides the smaller one counts."},
    {AN_SECTION_BOUNDARY, "non_reflecting", AN_KEY_CHOICE, ANSWER, PLANE, B(outlet.non_reflecting),
     .choice = plane_waves, .standard = "true",
     .help = "Differences from the mean around the axis pass this side of the plane as one-dimensional "
             "waves (true), or as waves that vary around the axis (two_d)."},
    {AN_SECTION_BOUNDARY, "mass_flow", AN_KEY_NUMBER, REQUIRED | ANSWER | POSITIVE, PATCH,
     B(patch.mass_flow), .min = 0, .max = 1e9, .unit = "kg/s",
     .help = "Mass flow through this boundary, spread over it by area; that of the full annulus "
             "(all passages together) if the mesh repeats by rotation. cooling: into the gas. "
             "bleed: out of it, in the state of the gas beside the wall."},
    {AN_SECTION_BOUNDARY, "T0", AN_KEY_NUMBER, REQUIRED | ANSWER | POSITIVE, COOL, B(T0), .min = 0,
     .max = 1e5, .unit = "K",
     .help = "Total temperature of the coolant, in the frame that the key frame names."},
    {AN_SECTION_BOUNDARY, "mach", AN_KEY_NUMBER, ANSWER, COOL, B(patch.mach), .min = 0, .max = 3,
     .unit = "-", .standard = "0", .standard_help = "from p0",
     .help = "Mach number of the jet where it leaves the wall, relative to the wall."},
    {AN_SECTION_BOUNDARY, "p0", AN_KEY_NUMBER, ANSWER, COOL, B(p0), .min = 0, .max = 1e12, .unit = "Pa",
     .standard = "0", .standard_help = "none: give mach",
     .help = "Total pressure of the coolant, in place of mach, in the frame that the key frame "
             "names. The Mach number of the jet then follows from the mean pressure of the wall, "
             "which is measured every control_every iterations; it is at most 1."},
    {AN_SECTION_BOUNDARY, "control_every", AN_KEY_INTEGER, ANSWER, COOL, B(outlet.control_every),
     .min = 1, .max = 1e9, .unit = "iterations", .standard = "10",
     .help = "With p0: iterations between measurements of the pressure of the wall."},
    {AN_SECTION_BOUNDARY, "direction", AN_KEY_VECTOR, ANSWER | AN_KEY_DIRECTION | AN_KEY_IF_GIVEN, COOL,
     B(direction), .standard_help = "the normal",
     .help = "Direction [x, y, z] of the jet into the gas, relative to the wall; a vector of any "
             "length. It is the same for all faces: in a mesh of several passages it does not turn "
             "with the passage."},
    {AN_SECTION_BOUNDARY, "frame", AN_KEY_CHOICE, ANSWER, COOL, B(patch.frame), .choice = frames,
     .standard = "relative",
     .help = "relative: T0 and p0 are relative to the wall, which turns with its row. absolute: T0 "
             "and p0 are those of a supply at rest, and the row raises the total temperature in "
             "its own frame to T0 + (omega r)^2 / (2 cp)."},
    {AN_SECTION_BOUNDARY, "T", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, WALL, B(wall.T), .min = 0, .max = 1e5,
     .unit = "K", .standard = "0", .standard_help = "none: adiabatic",
     .help = "Temperature of the wall."},
    {AN_SECTION_BOUNDARY, "heat_flux", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, WALL, B(wall.heat_flux), ANY,
     .unit = "W/m2", .standard = "0",
     .help = "Heat flux from the wall into the gas, in place of T; 0: adiabatic."},
    {AN_SECTION_BOUNDARY, "profile", AN_KEY_PATH, ANSWER | AN_KEY_IF_GIVEN, WALL, B(profile),
     .size = AN_PATH, .standard_help = "none",
     .help = "CSV file with the temperature T_K or the heat flux into the gas heat_flux_W_m2 over the surface, in place of "
             "T and heat_flux. Columns of the place: one of x_m, axial_chord (0 at the leading edge, 1 at the trailing "
             "edge), arc (arc length from the leading edge over that of the side, 0 to 1) and arc_m, or span (0 at the hub, 1 "
             "at the tip) or radius_m, or one of each group; side (suction or pressure) gives each side of a blade lines of its own. "
             "Columns may have other units, as in T_C or x_mm."},
    {AN_SECTION_BOUNDARY, "holes", AN_KEY_PATH, ANSWER | AN_KEY_IF_GIVEN, WALL | SLIP, B(holes),
     .size = AN_PATH, .standard_help = "none",
     .help = "CSV file of film-cooling holes that are not meshed; a line is a hole or a row of holes. Columns: x_m, y_m, z_m "
             "(centre of the exit); x2_m, y2_m, z2_m with count or pitch_m (last hole of a row); diameter_m; T0_K (relative "
             "to the wall); mass_flow_kg_s of each hole, or blowing_ratio, or p0_Pa with discharge (0.75); alpha_deg (30), "
             "beta_deg (0), along_x, along_y, along_z (1, 0, 0); lateral_deg, forward_deg (0), lateral_D, forward_D (3) of "
             "shaped exits. Columns may have other units, as in diameter_mm."},
    {AN_SECTION_BOUNDARY, "velocity", AN_KEY_VECTOR, ANSWER, WALL, B(wall.velocity), .unit = "m/s",
     .standard = "[0, 0, 0]",
     .help = "Velocity of the wall; its part along the normal of the wall has no effect."},
    {AN_SECTION_BOUNDARY, "omega", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_OMEGA, WALL, B(wall.omega), ANY,
     .unit = "rad/s", .standard = "0", .standard_help = "that of its row",
     .help = "Rotation of the wall about the x axis, positive from y to z, in addition to "
             "velocity; 0: the wall is at rest."},
    {AN_SECTION_BOUNDARY, "roughness", AN_KEY_NUMBER, ANSWER, WALL, B(wall.roughness), .min = 0, .max = 1e3,
     .unit = "m", .standard = "0",
     .help = "Equivalent height of sand grains of a rough wall, with turbulence.model sa or sst: typically 6 to 9 "
             "times the mean roughness Ra. 0: smooth."},

    {AN_SECTION_ROW, "zones", AN_KEY_NAMES, REQUIRED | ANSWER, ROW, R(zones),
     .help = "Zones of the mesh, or families of zones; * and ? match."},
    {AN_SECTION_ROW, "omega", AN_KEY_NUMBER, ANSWER, ROW, R(omega), ANY, .unit = "rad/s",
     .standard = "0", .help = "Rotation about the x axis, right-handed: positive from y to z."},
    {AN_SECTION_ROW, "rpm", AN_KEY_NUMBER, AN_KEY_ALIAS, ROW, R(rpm), ANY, .unit = "1/min",
     .standard = "0", .standard_help = "omega",
     .help = "Rotation in revolutions per minute, in place of omega."},
    {AN_SECTION_ROW, "blades", AN_KEY_INTEGER, 0, ROW, R(blades), .min = 0, .max = 100000,
     .standard = "0", .standard_help = "not compared",
     .help = "Number of blades in the full annulus; it is compared with the pitch of the periodic "
             "boundaries."},

    {AN_SECTION_SCALAR, "schmidt", AN_KEY_NUMBER, ANSWER | POSITIVE, SCALAR, T(schmidt), .min = 0, .max = 1e6,
     .unit = "-", .standard = "0.7",
     .help = "Schmidt number, mu / (rho D) with the diffusivity D."},
    {AN_SECTION_SCALAR, "schmidt_turbulent", AN_KEY_NUMBER, ANSWER | POSITIVE, SCALAR, T(schmidt_turbulent), .min = 0,
     .max = 1e6, .unit = "-", .standard = "0.9",
     .help = "Turbulent Schmidt number."},
    {AN_SECTION_SCALAR, "initial", AN_KEY_NUMBER, ANSWER, SCALAR, T(initial), ANY, .unit = "-", .standard = "0",
     .help = "Value of the scalar everywhere at the start."},

    {AN_SECTION_LEAKAGE, "from", AN_KEY_TEXT, REQUIRED | ANSWER, LEAK, L(from), .size = AN_NAME,
     .help = "Wall that the gas leaves through: the name of a boundary of type wall_slip or wall_viscous."},
    {AN_SECTION_LEAKAGE, "from_x", AN_KEY_NUMBERS, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(from_x), ANY, .unit = "m", .standard_help = "all of the wall",
     .help = "Least and largest x of the part of this wall: the faces whose centres lie there."},
    {AN_SECTION_LEAKAGE, "from_r", AN_KEY_NUMBERS, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(from_r), .min = 0, .max = INFINITY, .unit = "m",
     .standard_help = "all of the wall",
     .help = "Least and largest radius of the part of this wall."},
    {AN_SECTION_LEAKAGE, "to", AN_KEY_TEXT, REQUIRED | ANSWER, LEAK, L(to), .size = AN_NAME,
     .help = "Wall that the gas comes back through; it may be the same one."},
    {AN_SECTION_LEAKAGE, "to_x", AN_KEY_NUMBERS, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(to_x), ANY, .unit = "m", .standard_help = "all of the wall",
     .help = "Least and largest x of the part of the wall that the gas comes back through."},
    {AN_SECTION_LEAKAGE, "to_r", AN_KEY_NUMBERS, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(to_r), .min = 0, .max = INFINITY, .unit = "m",
     .standard_help = "all of the wall",
     .help = "Least and largest radius of the part of the wall that the gas comes back through."},
    {AN_SECTION_LEAKAGE, "mass_flow", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(mass_flow), .min = 0, .max = 1e9, .unit = "kg/s",
     .standard = "0", .standard_help = "from the seal",
     .help = "Mass flow of the leakage, of the full annulus if the mesh repeats by rotation; in place of a seal."},
    {AN_SECTION_LEAKAGE, "mass_fraction", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(mass_fraction), .min = 0, .max = 0.5, .unit = "-",
     .standard = "0", .standard_help = "from the seal",
     .help = "Mass flow of the leakage over that which enters through the inlets of the machine; in place of a seal."},
    {AN_SECTION_LEAKAGE, "clearance", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(clearance), .min = 0, .max = 10, .unit = "m",
     .standard = "0", .standard_help = "none: give mass_flow or mass_fraction",
     .help = "Radial clearance at the fins of a labyrinth seal. Its mass flow follows from the pressures at the two "
             "ends by Martin's formula."},
    {AN_SECTION_LEAKAGE, "fins", AN_KEY_INTEGER, ANSWER, LEAK, L(fins), .min = 1, .max = 1000, .standard = "1",
     .help = "Number of fins that the gas passes one after the other."},
    {AN_SECTION_LEAKAGE, "discharge", AN_KEY_NUMBER, ANSWER | POSITIVE, LEAK, L(discharge), .min = 0, .max = 2, .unit = "-",
     .standard = "0.7", .help = "Discharge coefficient of the seal: a factor on its mass flow."},
    {AN_SECTION_LEAKAGE, "carry_over", AN_KEY_NUMBER, ANSWER | POSITIVE, LEAK, L(carry_over), .min = 0, .max = 10, .unit = "-",
     .standard = "1",
     .help = "Carry-over factor of a straight-through seal, above 1, because the jet of a fin keeps a part of its "
             "speed; 1 for stepped seals. Another factor on the mass flow."},
    {AN_SECTION_LEAKAGE, "radius", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(radius), .min = 0, .max = 1e4, .unit = "m",
     .standard = "0", .standard_help = "mean radius of the part of the wall that the gas leaves through",
     .help = "Radius of the clearance."},
    {AN_SECTION_LEAKAGE, "windage", AN_KEY_NUMBER, ANSWER, LEAK, L(windage), .min = 0, .max = 1e12, .unit = "W",
     .standard = "0",
     .help = "Power that the walls of the cavity put into the leaking gas, of the full annulus."},
    {AN_SECTION_LEAKAGE, "swirl", AN_KEY_CHOICE, ANSWER, LEAK, L(swirl), .choice = swirls, .standard = "kept",
     .help = "kept: the gas comes back with the moment of momentum with which it left. fraction: its circumferential "
             "velocity is swirl_fraction times the speed of the row."},
    {AN_SECTION_LEAKAGE, "swirl_fraction", AN_KEY_NUMBER, ANSWER, LEAK, L(swirl_fraction), .min = -2, .max = 2, .unit = "-",
     .standard = "0", .help = "Circumferential velocity over omega r; with swirl: fraction."},
    {AN_SECTION_LEAKAGE, "speed_of", AN_KEY_TEXT, ANSWER | AN_KEY_IF_GIVEN, LEAK, L(speed_of), .size = AN_NAME,
     .standard_help = "the row that the gas leaves",
     .help = "Row whose speed swirl_fraction refers to, for example the row that turns beside a stator."},
    {AN_SECTION_LEAKAGE, "control_every", AN_KEY_INTEGER, ANSWER, LEAK, L(control_every), .min = 1, .max = 1e9,
     .unit = "iterations", .standard = "10",
     .help = "Iterations between two looks at the gas at both ends."},

    {AN_SECTION_SOLID, "mesh", AN_KEY_PATH, ANSWER | AN_KEY_IF_GIVEN, SOLID, S(mesh), .size = AN_PATH,
     .standard_help = "the file of the mesh",
     .help = "CGNS file of the solid, relative to the folder of the case file."},
    {AN_SECTION_SOLID, "base", AN_KEY_TEXT, ANSWER | AN_KEY_IF_GIVEN, SOLID, S(base), .size = AN_NAME,
     .standard_help = "Solid, or the only base of a file of its own",
     .help = "Base of that file that has the zones of the solid."},
    {AN_SECTION_SOLID, "metal", AN_KEY_TEXT, ANSWER | AN_KEY_IF_GIVEN, SOLID, S(metal), .size = AN_NAME,
     .standard_help = "conductivity",
     .help = "Metal of the program's list, in place of conductivity: astm_310, hastelloy_x or inconel_718."},
    {AN_SECTION_SOLID, "conductivity", AN_KEY_NUMBERS, ANSWER | AN_KEY_IF_GIVEN, SOLID, S(conductivity), ANY, .unit = "W/(m K)",
     .standard_help = "metal",
     .help = "Coefficients of powers of T in K, the constant first: [20] or [6.8, 0.0202]."},
    {AN_SECTION_SOLID, "T_range", AN_KEY_NUMBERS, ANSWER | POSITIVE | AN_KEY_IF_GIVEN, SOLID, S(T_range), .min = 0, .max = 1e5, .unit = "K",
     .standard_help = "250 to 1500",
     .help = "Lowest and highest temperature for which the conductivity is known. Beyond them it stays constant, and the run "
             "warns."},
    {AN_SECTION_SOLID, "T", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, SOLID, S(T), .min = 0, .max = 1e5, .unit = "K",
     .standard = "0", .standard_help = "mean of the initial gas and of the coolants",
     .help = "Temperature at the start."},
    {AN_SECTION_SOLID, "rho", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_GIVEN, SOLID, S(rho), .min = 0, .max = 1e6, .unit = "kg/m3",
     .standard_help = "none: unsteady runs keep the temperatures",
     .help = "Density; needs cp, too. With both the solid stores heat in an unsteady run, which needs march.method: dual, and its "
             "temperatures change in time."},
    {AN_SECTION_SOLID, "cp", AN_KEY_NUMBER, ANSWER | POSITIVE | AN_KEY_IF_GIVEN, SOLID, S(cp), .min = 0, .max = 1e6, .unit = "J/(kg K)",
     .standard_help = "none: unsteady runs keep the temperatures",
     .help = "Specific heat; needs rho, too."},

    {AN_SECTION_SOLID_WALL, "gas", AN_KEY_TEXT, ANSWER | AN_KEY_IF_GIVEN, METAL, W(gas), .size = AN_NAME,
     .standard_help = "none",
     .help = "Boundary of the flow, of type wall_viscous, that lies on this surface. Heat passes between both; their meshes need "
             "not match."},
    {AN_SECTION_SOLID_WALL, "T", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, METAL, W(T), .min = 0, .max = 1e5, .unit = "K",
     .standard = "0", .standard_help = "none",
     .help = "Temperature of the surface; with h that of the coolant, with mass_flow that of the coolant where it enters."},
    {AN_SECTION_SOLID_WALL, "h", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, METAL, W(h), .min = 0, .max = 1e9, .unit = "W/(m2 K)",
     .standard = "0", .standard_help = "none",
     .help = "Heat transfer coefficient of a coolant of temperature T."},
    {AN_SECTION_SOLID_WALL, "mass_flow", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, METAL, W(mass_flow), .min = 0, .max = 1e6, .unit = "kg/s",
     .standard = "0", .standard_help = "none",
     .help = "Mass flow through a channel of which this boundary is the wall; its heat transfer coefficient follows from "
             "Nu = 0.022 Re^0.8 Pr^0.5 with the properties of the gas of the case, and the coolant warms up on its way."},
    {AN_SECTION_SOLID_WALL, "factor", AN_KEY_NUMBER, ANSWER | POSITIVE, METAL, W(factor), .min = 0, .max = 100, .unit = "-",
     .standard = "1",
     .help = "Factor on that Nusselt number, above 1 in a short channel or one with ribs; with mass_flow."},
    {AN_SECTION_SOLID_WALL, "direction", AN_KEY_VECTOR, ANSWER | AN_KEY_IF_GIVEN, METAL, W(direction), ANY,
     .standard = "[0, 0, 0]", .standard_help = "away from the x axis, or along the greatest component",
     .help = "Direction in which the coolant passes the channel; with mass_flow."},
    {AN_SECTION_SOLID_WALL, "heat_flux", AN_KEY_NUMBER, ANSWER | AN_KEY_IF_GIVEN, METAL, W(heat_flux), ANY, .unit = "W/m2",
     .standard = "0",
     .help = "Heat into the solid."},

    {AN_SECTION_PROBE, "point", AN_KEY_VECTOR, AN_KEY_REQUIRED, PROBE, offsetof(struct an_case_probe, point),
     ANY, .unit = "m", .help = "Place of the probe; it does not move in its zone."},

    {"output", "folder", AN_KEY_PATH, 0, PLACE(output.folder), .standard = "out",
     .help = "Folder of all results, relative to the folder of the case file."},
    {"output", "every", AN_KEY_INTEGER, 0, PLACE(output.every), .min = 0, .max = 2147483647,
     .unit = "iterations", .standard = "1000",
     .help = "Iterations between snapshots; 0: at the end only."},
    {"output", "keep", AN_KEY_INTEGER, 0, PLACE(output.keep), .min = 0, .max = 1e6,
     .standard = "0",
     .help = "Number of the newest snapshots that stay on disk; 0: all. A map keeps all of them."},
    {"output", "history_every", AN_KEY_INTEGER, 0, PLACE(output.history_every), .min = 1,
     .max = 2147483647, .unit = "iterations", .standard = "10",
     .help = "Iterations between lines of the table and of history.csv."},
    {"output", "fields", AN_KEY_FIELDS, 0, PLACE(output.field), .standard = "[Pressure, Mach]",
     .help = "Fields to write in addition to the conserved ones."},
    {"output", "means_from", AN_KEY_INTEGER, 0, PLACE(output.means_from), .min = -1,
     .max = 2147483647, .unit = "iterations", .standard = "-1", .standard_help = "-1 (no means)",
     .help = "unsteady: the flow is averaged over time from this iteration on, each state with its "
             "time step for weight; means, and root mean squares of the fluctuations, are fields of the snapshots. -1: no "
             "means."},
    {"output", "modes", AN_KEY_INTEGER, 0, PLACE(output.modes), .min = 0, .max = AN_MOST_MODES, .standard = "0",
     .help = "unsteady: number of harmonics of each frequency, of which the files of viscous walls get amplitude and phase of "
             "the pressure, found in all steps. 0: none."},
    {"output", "mode_frequencies", AN_KEY_NUMBERS, POSITIVE | AN_KEY_IF_MODES, PLACE(output.mode_frequencies), .min = 0,
     .max = 1e9, .unit = "Hz", .standard_help = "the passing frequencies of the rows at the sliding planes",
     .help = "modes: the first harmonics [f1, f2, ...], in place of the frequencies at which the blades of the "
             "neighbouring rows pass a row."},
    {"output", "modes_from", AN_KEY_INTEGER, AN_KEY_IF_MODES, PLACE(output.modes_from), .min = 0, .max = 2147483647,
     .unit = "iterations", .standard = "0", .help = "modes: states count from this iteration on."},
    {"output", "walls", AN_KEY_BOOLEAN, AN_KEY_IF_VISCOUS, PLACE(output.walls), .standard = "true",
     .help = "true: the run writes wall_NNNNNNNN.cgns, the fields on viscous walls, beside each "
             "snapshot."},
    {"output", "heat_reference", AN_KEY_TEXT, AN_KEY_IF_GIVEN, PLACE(output.heat_reference),
     .standard_help = "T0_inlet; none without an inlet_total",
     .help = "Reference temperature of the heat transfer coefficient in wall_NNNNNNNN.cgns. T0_inlet: total temperature of the "
             "first inlet_total. recovery: recovery temperature of each face, by the pressure of the wall and the total state of "
             "the inlet. A number: K. Else the wall_NNNNNNNN.cgns of a run on the same mesh with adiabatic walls, "
             "relative to the folder of the case file."},
    {"output", "wall_forces", AN_KEY_BOOLEAN, AN_KEY_IF_VISCOUS, PLACE(output.wall_forces), .standard = "false",
     .help = "true: the run writes forces.csv, the forces, torque, power and heat of each viscous wall "
             "every history_every iterations; walls of passages that passage_copy made stand apart, blade by blade."},
    {"output", "embed_grid", AN_KEY_BOOLEAN, 0, PLACE(output.embed_grid), .standard = "false",
     .help = "true: each snapshot contains the coordinates, and can be moved without grid.cgns. "
             "false: it links to them, which saves 24 bytes for each node."},
    {"output", "measured_profiles", AN_KEY_PATH, AN_KEY_IF_GIVEN, PLACE(output.measured_profiles),
     .standard_help = "none",
     .help = "CSV file of a survey that `annulus report` draws into the spanwise profiles: a column "
             "span (0 at the hub, 1 at the casing) and columns of profile_NNNNNNNN.csv. A survey of several planes has a column "
             "plane: inlet, or the row that the plane lies behind."},
    {"output", "measured_map", AN_KEY_PATH, AN_KEY_IF_GIVEN, PLACE(output.measured_map),
     .standard_help = "none",
     .help = "CSV file of a speed line that `annulus report` draws: columns mass_flow_kg_s, "
             "pressure_ratio, efficiency."},
    {"output", "measured_blade", AN_KEY_PATH, AN_KEY_IF_GIVEN, PLACE(output.measured_blade),
     .standard_help = "none",
     .help = "CSV file that `annulus report` draws beside the isentropic Mach number on the blade of "
             "a plane cascade: columns side (SS or PS), x in mm, Mis."},
    {"output", "design_rows", AN_KEY_PATH, AN_KEY_IF_GIVEN, PLACE(output.design_rows),
     .standard_help = "none",
     .help = "CSV file of the designer's figures of the rows, which `annulus report` prints below its own: a column row and "
             "columns of stages.csv, such as pressure_ratio, deviation_deg, diffusion_factor."},
    {"output", "catalyst", AN_KEY_PATH, AN_KEY_IF_GIVEN, PLACE(output.catalyst),
     .standard_help = "none",
     .help = "Python script of ParaView Catalyst 2, which makes pictures while the run goes on. The program "
             "loads Catalyst when the run starts."},
    {"output", "catalyst_every", AN_KEY_INTEGER, AN_KEY_IF_CATALYST, PLACE(output.catalyst_every), .min = 1,
     .max = 2147483647, .unit = "iterations", .standard = "100",
     .help = "Iterations between calls of Catalyst. It is called at the end of the run, too."},
    {"output", "catalyst_library", AN_KEY_TEXT, AN_KEY_IF_CATALYST, PLACE(output.catalyst_library),
     .standard = "libcatalyst.so.3",
     .help = "Library of Catalyst: a name that the system's loader finds, or a file with its whole path."},
    {"output", "background", AN_KEY_CHOICE, 0, PLACE(output.background), .choice = backgrounds,
     .standard = "auto",
     .help = "yes: snapshots are written, and Catalyst is called, while the march goes on. auto: this is done if a GPU "
             "computes, and for the snapshots of a mesh of 128 zones or more."},

    {"mpi", "transport", AN_KEY_CHOICE, 0, PLACE(mpi.transport), .choice = transports,
     .standard = "auto",
     .help = "How ghost cells travel between ranks; auto measures the transports that are "
             "available and takes the fastest."},
    {"mpi", "multigrid_levels", AN_KEY_INTEGER, 0, PLACE(mpi.multigrid_levels), .min = 1, .max = 8,
     .standard = "1",
     .help = "Blocks are cut only at indices that are multiples of 2^(levels-1)."},
    {"mpi", "overlap", AN_KEY_BOOLEAN, 0, PLACE(mpi.overlap), .standard = "true",
     .help = "true: ghost cells travel while the interior cells are computed, where this pays."},
    {"mpi", "whole_below", AN_KEY_INTEGER, 0, PLACE(mpi.whole_below), .min = -1, .max = 10000000, .unit = "cells",
     .standard = "-1", .standard_help = "-1 (100000 on GPUs, 0 on CPUs)",
     .help = "Coarse multigrid levels of at most this many cells in all are computed whole by every rank, so that their steps "
             "need no exchange. Results stay the same, bit for bit. 0: no level. -1: 100000 on up to 16 GPUs, otherwise 0."},
    {"mpi", "timing", AN_KEY_BOOLEAN, 0, PLACE(mpi.timing), .standard = "false",
     .help = "true: the run measures how long GPUs wait for ghost cells of other ranks and prints "
             "this at its end. Iterations are then launched one by one."},
    {"mpi", "lost_after", AN_KEY_NUMBER, 0, PLACE(mpi.lost_after), .min = 0, .max = 1e6, .unit = "s",
     .standard = "30",
     .help = "Ranks on several hosts: the job ends with a message that names the host if a host has "
             "not answered for this time. 0: hosts are not watched, for example in a debugger."},

    {"gpu", "graph", AN_KEY_CHOICE, 0, PLACE(gpu.graph), .choice = graphs, .standard = "auto",
     .help = "auto: an iteration is recorded and then replayed as one launch, unless the host "
             "takes part in it; the start of a run says whether it is. off: kernels are launched "
             "one by one."},
    {"gpu", "tiles", AN_KEY_CHOICE, 0, PLACE(gpu.tiles), .choice = tile_sources,
     .standard = "table",
     .help = "Tile shapes of the large kernels. table: shapes that were measured on known GPUs. "
             "tune: the shapes are measured once on this GPU and kept in $XDG_CACHE_HOME/annulus "
             "or ~/.cache/annulus. Results have the same bits."},
    {NULL}};
/* clang-format on */

_Static_assert(sizeof an_case_keys / sizeof *an_case_keys <= AN_CASE_NKEY, "AN_CASE_NKEY");
_Static_assert(sizeof(enum an_bc_type) == sizeof(int) && sizeof(enum an_precision) == sizeof(int),
               "choices are stored as int");

const struct an_named an_case_named[] = {
    {AN_SECTION_ROW, "rows", AN_KEY_ROW, C(row), C(nrow), sizeof(struct an_case_row), R(line)},
    {AN_SECTION_SCALAR, "scalars", AN_KEY_SCALAR, C(scalar), C(nscalar),
     sizeof(struct an_case_scalar), T(line)},
    {AN_SECTION_LEAKAGE, "leakages", AN_KEY_LEAKAGE, C(leakage), C(nleakage),
     sizeof(struct an_case_leakage), L(line)},
    {AN_SECTION_SOLID, "solids", AN_KEY_SOLID, C(solid), C(nsolid), sizeof(struct an_case_solid),
     S(line)},
    {AN_SECTION_SOLID_WALL, "solid_walls", AN_KEY_SOLID_WALL, C(solid_wall), C(nsolid_wall),
     sizeof(struct an_case_solid_wall), W(line)},
    {AN_SECTION_PROBE, "probes", AN_KEY_PROBE, C(probe), C(nprobe), sizeof(struct an_case_probe),
     offsetof(struct an_case_probe, line)},
    {NULL}};

const struct an_section *an_case_section_find(const char *name)
{
    for (const struct an_section *s = an_case_sections; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

int an_key_find(const char *section, const char *name, int bc)
{
    for (int i = 0; an_case_keys[i].section; i++)
        if (strcmp(an_case_keys[i].section, section) == 0 &&
            strcmp(an_case_keys[i].name, name) == 0 &&
            (bc < 0 || (an_case_keys[i].bc & (1u << bc))))
            return i;
    return -1;
}

void an_key_path(const struct an_key *key, char *buf, size_t size)
{
    snprintf(buf, size, "%s%s%s", key->section, *key->section ? "." : "", key->name);
}

const char *an_key_unit(const struct an_key *key, const struct an_case *c)
{
    static const char *const setting[] = {
        [AN_VARY_BACK_PRESSURE] = "Pa", [AN_VARY_MASS_FLOW] = "kg/s", [AN_VARY_THROTTLE] = ""};
    if (!key->unit || strcmp(key->unit, "-") == 0)
        return "";
    return c && strcmp(key->unit, AN_UNIT_OF_SETTINGS) == 0 ? setting[c->map.vary] : key->unit;
}

void an_key_range(const struct an_key *key, char *buf, size_t size)
{
    const char *above = key->flags & AN_KEY_ABOVE_MIN ? ">" : ">=";
    int low = isfinite(key->min), high = isfinite(key->max);
    buf[0] = '\0';
    if (key->type != AN_KEY_NUMBER && key->type != AN_KEY_INTEGER && key->type != AN_KEY_NUMBERS)
        return;
    if (low && high)
        snprintf(buf, size, "%s %.10g and <= %.10g", above, key->min, key->max);
    else if (low)
        snprintf(buf, size, "%s %.10g", above, key->min);
    else if (high)
        snprintf(buf, size, "<= %.10g", key->max);
}

int an_key_choice(const struct an_key *key, int i, const char **name, int *value)
{
    assert(key->type == AN_KEY_CHOICE);
    if (key->choice) {
        *name = key->choice[i].name;
        *value = key->choice[i].value;
        return *name != NULL;
    }
    *value = AN_BC_NONE + 1 + i;
    if (*value >= AN_BC_NTYPE)
        return 0;
    *name = an_bc_type_name((enum an_bc_type) * value);
    return 1;
}

void an_key_choices(const struct an_key *key, const char *between, char *buf, size_t size)
{
    const char *name;
    int value;
    size_t used = 0;
    buf[0] = '\0';
    for (int i = 0; an_key_choice(key, i, &name, &value) && used < size; i++)
        if (key->choice != devices || value != AN_DEVICE_EMULATED) /* only test programs have it */
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? between : "", name);
}

/* Does a value differ from that of a key without a default that was left out? */
static int is_given(const struct an_key *key, const void *value)
{
    double x[3] = {0};
    if (key->type == AN_KEY_TEXT || key->type == AN_KEY_PATH)
        return *(const char *)value != '\0';
    if (key->type == AN_KEY_NAMES)
        return ((const struct an_case_names *)value)->n > 0;
    if (key->type == AN_KEY_NUMBERS)
        return ((const struct an_case_numbers *)value)->n > 0;
    if (key->type == AN_KEY_INTEGER)
        return *(const int *)value != 0;
    assert(key->type == AN_KEY_NUMBER || key->type == AN_KEY_VECTOR);
    memcpy(x, value, key->type == AN_KEY_NUMBER ? sizeof x[0] : sizeof x);
    return x[0] != 0 || x[1] != 0 || x[2] != 0;
}

/* Is the condition of the key one on the turbulence model? Then *applies says whether it holds. */
static int turbulence_applies(const struct an_key *key, const struct an_case *c, int *applies)
{
    const enum an_turbulence model = c->turbulence.model;
    if (key->flags & AN_KEY_IF_SA)
        *applies = model == AN_TURBULENCE_SA;
    else if (key->flags & AN_KEY_IF_DES)
        *applies = model == AN_TURBULENCE_SA && c->turbulence.des != AN_DES_NONE &&
                   c->scheme.flux == AN_SCHEME_MATRIX;
    else if (key->flags & AN_KEY_IF_TRANSITION)
        *applies = an_case_has_transition(c);
    else if (key->flags & AN_KEY_IF_GAMMA_MODEL)
        *applies = an_case_has_intermittency(c);
    else if (key->flags & AN_KEY_IF_SST)
        *applies = model == AN_TURBULENCE_SST;
    else if (key->flags & AN_KEY_IF_INTENSITY)
        *applies = model == AN_TURBULENCE_SST || an_case_has_bcm(c);
    else if (key->flags & AN_KEY_IF_TURBULENT)
        *applies = an_case_has_transport(c) && (!(key->flags & AN_KEY_IF_STEADY) ||
                                                (an_case_is_implicit(c) && !an_case_is_dual(c)));
    else if (key->flags & AN_KEY_IF_MIXING)
        *applies = model == AN_TURBULENCE_MIXING_LENGTH;
    else
        return 0;
    return 1;
}

/* The same for conditions on the march and the start of the flow. */
static int march_applies(const struct an_key *key, const struct an_case *c, int *applies)
{
    if (key->flags & AN_KEY_IF_STEADY)
        *applies = an_case_is_implicit(c) && !an_case_is_dual(c);
    else if (key->flags & AN_KEY_IF_DUAL)
        *applies = an_case_is_dual(c);
    else if (key->flags & AN_KEY_IF_PATTERN)
        *applies = c->pattern != AN_PATTERN_UNIFORM;
    else if (key->flags & AN_KEY_IF_SMOOTHED)
        *applies = c->march.residual_smoothing != AN_SMOOTHING_NONE;
    else if (key->flags & AN_KEY_IF_CFL)
        *applies = c->march.time_step <= 0 || an_case_is_dual(c);
    else
        return 0;
    return 1;
}

/* The same for conditions on the gas. */
static int gas_applies(const struct an_key *key, const struct an_case *c, int *applies)
{
    if (key->flags & AN_KEY_IF_CP)
        *applies = c->gas.cp.n > 0;
    else if (key->flags & AN_KEY_IF_GAMMA)
        *applies = c->gas.cp.n == 0 && !*c->gas.table;
    else if (key->flags & AN_KEY_IF_LAW)
        *applies = !*c->gas.table;
    else if (key->flags & AN_KEY_IF_VISCOUS)
        *applies = c->gas.viscosity != AN_VISCOSITY_NONE;
    else
        return 0;
    return 1;
}

int an_key_applies(const struct an_key *key, const struct an_case *c,
                   const struct an_case_boundary *b)
{
    const struct an_case_state *state = b ? &b->state : &c->initial;
    if ((key->bc != 0) != (b != NULL) || (key->flags & AN_KEY_ALIAS))
        return 0;
    if (b && !(key->bc & (1u << b->type)))
        return 0;
    if (key->flags & AN_KEY_IF_SCALARS)
        return c->nscalar > 0;
    if (key->flags & AN_KEY_IF_CATALYST)
        return *c->output.catalyst != '\0';
    if (key->flags & AN_KEY_IF_MODES)
        return c->output.modes > 0;
    if (key->flags & AN_KEY_IF_OMEGA)
        return b->wall.has_omega;
    if (key->flags & AN_KEY_IF_GIVEN)
        return is_given(key, (b ? (const char *)b : (const char *)c) + key->offset);
    if (key->flags & AN_KEY_IF_VELOCITY)
        return state->has_velocity;
    if (key->flags & AN_KEY_IF_MACH)
        return !state->has_velocity;
    int applies = 1;
    (void)(gas_applies(key, c, &applies) || turbulence_applies(key, c, &applies) ||
           march_applies(key, c, &applies));
    return applies;
}

int an_case_has_output(const struct an_case *c, enum an_output field)
{
    int has = 0;
    for (int f = 0; f < c->output.nfield; f++)
        has |= strcmp(c->output.field[f], an_output_fields[field].name) == 0;
    return has;
}

int an_case_has_transport(const struct an_case *c)
{
    return an_model_variables((int)c->turbulence.model) > 0;
}

int an_case_has_roughness(const struct an_case *c)
{
    for (int b = 0; b < c->nboundary; b++)
        if (c->boundary[b].type == AN_BC_WALL_VISCOUS && c->boundary[b].wall.roughness > 0)
            return 1;
    return 0;
}

int an_case_has_bcm(const struct an_case *c)
{
    return c->turbulence.model == AN_TURBULENCE_SA && c->turbulence.transition == AN_TRANSITION_BCM;
}

int an_case_has_intermittency(const struct an_case *c)
{
    return c->turbulence.model == AN_TURBULENCE_SST &&
           (c->turbulence.transition == AN_TRANSITION_GAMMA ||
            c->turbulence.transition == AN_TRANSITION_RE_THETA);
}

int an_case_has_re_theta(const struct an_case *c)
{
    return an_case_has_intermittency(c) && c->turbulence.transition == AN_TRANSITION_RE_THETA;
}

int an_case_has_transition(const struct an_case *c)
{
    return an_case_has_bcm(c) || an_case_has_intermittency(c);
}

int an_case_is_laminar_at(const struct an_case *c, int64_t iteration)
{
    return an_case_has_transition(c) && iteration <= c->turbulence.laminar_start;
}

double an_case_plain_cfl(const struct an_case *c)
{
    return c->march.method == AN_METHOD_SCREE ? AN_CFL_SCREE : 0.5 * c->march.stages;
}

int an_case_has_cooling(const struct an_case *c)
{
    int some = c->nleakage > 0;
    for (int b = 0; b < c->nboundary; b++)
        some |= an_bc_type_has(c->boundary[b].type, AN_BC_PATCH) || *c->boundary[b].holes;
    return some;
}

int an_case_has_monitors(const struct an_case *c)
{
    return c->monitors.performance == AN_SWITCH_ON ||
           (c->monitors.performance == AN_SWITCH_AUTO &&
            (c->nrow > 0 || c->monitors.stations.n || c->monitors.station_lines.n));
}

int an_case_has_means(const struct an_case *c)
{
    return c->march.mode == AN_MARCH_UNSTEADY && c->output.means_from >= 0;
}

int an_case_has_modes(const struct an_case *c)
{
    return c->march.mode == AN_MARCH_UNSTEADY && c->output.modes > 0;
}

int an_case_has_damping(const struct an_case *c)
{
    return c->march.damping > 0 && an_case_is_implicit(c) && !an_case_is_dual(c);
}

int an_case_has_stop(const struct an_case *c)
{
    return c->stop.mass_flow > 0 || c->stop.pressure_ratio > 0 || c->stop.efficiency > 0 ||
           c->stop.force > 0 || c->stop.turbulence > 0 || c->stop.lift > 0 || c->stop.drag > 0 ||
           c->stop.moment > 0;
}

int an_key_applies_named(const struct an_key *key, const struct an_named *n, const void *element)
{
    if (!(key->bc & (1u << n->bit)) || (key->flags & AN_KEY_ALIAS))
        return 0;
    return !(key->flags & AN_KEY_IF_GIVEN) || is_given(key, (const char *)element + key->offset);
}

int an_named_count(const struct an_named *n, const struct an_case *c)
{
    return *(const int *)(const void *)((const char *)c + n->count);
}

void *an_named_at(const struct an_named *n, const struct an_case *c, int i)
{
    char *const *list = (char *const *)(const void *)((const char *)c + n->list);
    return i ? *list + (size_t)i * n->size : *list; /* no list has no element but may be freed */
}

const char *an_section_of_names(const char *prefix)
{
    if (strcmp(prefix, "boundaries") == 0)
        return AN_SECTION_BOUNDARY;
    for (const struct an_named *n = an_case_named; n->section; n++)
        if (strcmp(prefix, n->prefix) == 0)
            return n->section;
    return NULL;
}

int an_case_is_dual(const struct an_case *c)
{
    return c->march.mode == AN_MARCH_UNSTEADY && c->march.method == AN_METHOD_DUAL;
}

int an_case_is_implicit(const struct an_case *c)
{
    if (c->march.mode != AN_MARCH_STEADY)
        return an_case_is_dual(c);
    return c->march.method == AN_METHOD_IMPLICIT ||
           (c->march.method == AN_METHOD_AUTO &&
            (c->gas.viscosity != AN_VISCOSITY_NONE || c->multigrid.levels != 1));
}
