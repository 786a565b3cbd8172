/* The case file: YAML in, a checked struct out.
 *
 * One table (io/case_keys.c) declares every key: path, type, unit, range, default, help. The same
 * table reads and validates, prints `annulus help-case`, and echoes the effective case.
 *
 *     case: LS89 MUR47
 *     mesh: ls89.cgns
 *     gas: {gamma: 1.4, R: 287.0}
 *     precision: double
 *     scheme: {flux: jst, k2: 0.5, k4: 0.02}
 *     march: {mode: steady, cfl: 3.0, iterations: 5000, residual_drop: 1e-6}
 *     initial: {p: 1.0e5, T: 400, mach: 0.2, direction: [1, 0, 0]}
 *     boundaries:
 *       inlet:  {type: inlet_total, p0: 1.596e5, T0: 420, direction: [1, 0, 0]}
 *       outlet: {type: outlet_static, p: 0.8235e5}
 *       blade:  {type: wall_slip}
 *     rows:
 *       rotor: {zones: [r37*], rpm: -17188, blades: 36}
 *     output: {folder: out, every: 1000}
 *
 * All faults are reported at once, each "file:line:column: error: ..." with the nearest known key
 * for an unknown one. Unknown and duplicate keys, anchors, aliases, tags, several documents, and
 * values of the wrong kind are refused. A number must consume its whole scalar and be finite.
 */
#ifndef AN_IO_CASE_H
#define AN_IO_CASE_H

#include <stdio.h>

#include "io/output_fields.h"
#include "kernels/base/error.h"
#include "kernels/base/portable.h"
#include "kernels/base/topology.h"
#include "kernels/physics/gas_model.h"
#include "kernels/physics/models.h"

#define AN_PATH 1024

/* Stable CFL number of Denton's scree scheme (duct and cascade tests); its default. */
#define AN_CFL_SCREE 0.4
/* CFL number from which implicit runs of blade rows are ramped up, by default to 50 within 100
 * iterations: chosen on Rotor 37 from a uniform state. */
#define AN_CFL_SOFT 2
/* Largest nu tilde / nu of what enters with turbulence.transition: bcm. */
#define AN_BCM_RATIO 0.2
#define AN_TEXT_(x)  #x
#define AN_TEXT(x)   AN_TEXT_(x)

enum an_march { AN_MARCH_STEADY = 0, AN_MARCH_UNSTEADY = 1 };
enum an_method {
    AN_METHOD_AUTO = 0,
    AN_METHOD_RUNGE_KUTTA,
    AN_METHOD_IMPLICIT,
    AN_METHOD_SCREE,
    AN_METHOD_DUAL
};
/* How the dual method takes the derivative in time (solver/march/dual.h). */
enum an_time_scheme { AN_TIME_BDF2 = 0, AN_TIME_BLEND };
enum an_smoothing { AN_SMOOTHING_NONE = 0, AN_SMOOTHING_JACOBI };
enum an_acceleration_kind { AN_ACCELERATION_NONE = 0, AN_ACCELERATION_AUTO };
enum an_background { AN_BACKGROUND_AUTO = 0, AN_BACKGROUND_YES, AN_BACKGROUND_NO };
/* Visits to the next coarser level in a multigrid cycle: one, two, or a first F cycle and a V cycle. */
enum an_cycle { AN_CYCLE_V = 0, AN_CYCLE_W = 1, AN_CYCLE_F = 2 };
#define AN_CYCLE_LETTERS "VWF"
enum an_transition {
    AN_TRANSITION_NONE = 0,
    AN_TRANSITION_BCM,
    AN_TRANSITION_GAMMA,
    AN_TRANSITION_RE_THETA
};
enum an_wall_function { AN_WALL_FUNCTION_OFF = 0, AN_WALL_FUNCTION_AUTO = 1 };
enum an_equilibrium {
    AN_EQUILIBRIUM_NONE = 0,
    AN_EQUILIBRIUM_HUB,
    AN_EQUILIBRIUM_MID,
    AN_EQUILIBRIUM_CASING
};
/* How differences from the mean around the axis pass a boundary (non_reflecting). */
enum an_waves { AN_WAVES_REFLECTED = 0, AN_WAVES_ONE_D, AN_WAVES_TWO_D };
/* What the three numbers of a direction are along: x, y, z, or x, r, theta (from y to z). */
enum an_direction_axes { AN_AXES_CARTESIAN = 0, AN_AXES_CYLINDRICAL };
/* Circumferential velocity of what a leakage brings back: r Vt as it left, or a part of the speed of a wall. */
enum an_swirl { AN_SWIRL_KEPT = 0, AN_SWIRL_FRACTION };
enum an_frame { AN_FRAME_RELATIVE = 0, AN_FRAME_ABSOLUTE };
enum an_vary { AN_VARY_BACK_PRESSURE = 0, AN_VARY_MASS_FLOW, AN_VARY_THROTTLE };
/* Axes of the averages of rows, machine and stations. */
enum an_averages { AN_AVERAGES_AUTO = 0, AN_AVERAGES_CYLINDRICAL, AN_AVERAGES_CARTESIAN };
enum an_up { AN_UP_Y = 0, AN_UP_Z };
/* The initial state: uniform, or a flow that depends on the place (solver/march/start.c). */
enum an_pattern { AN_PATTERN_UNIFORM = 0, AN_PATTERN_TAYLOR_GREEN };
enum an_switch { AN_SWITCH_AUTO = 0, AN_SWITCH_ON, AN_SWITCH_OFF };
/* Most lines of the table that a stop rule looks back over. */
enum { AN_STOP_SAMPLES = 64 };
enum an_device { AN_DEVICE_AUTO = 0, AN_DEVICE_CPU, AN_DEVICE_CUDA, AN_DEVICE_EMULATED };
enum an_transport_choice {
    AN_TRANSPORT_AUTO = 0,
    AN_TRANSPORT_HOST,
    AN_TRANSPORT_CUDA_AWARE,
    AN_TRANSPORT_STAGED,
    AN_TRANSPORT_NCCL,
    AN_TRANSPORT_PEER
};

/* A state of the gas given by the user. Velocity is either `velocity`, or mach and direction. */
struct an_case_state {
    double p, T;         /* Pa, K */
    int has_velocity;    /* 1: velocity was given, 0: mach and direction */
    double velocity[3];  /* m/s */
    double mach;         /* - */
    double direction[3]; /* normalised by the reader */
};

/* A list of numbers. */
/* Modes of the pressure that one row can have. */
enum { AN_MOST_MODES = 20 };

/* What the gas is mixed of. */
enum an_mixture { AN_MIXTURE_NONE, AN_MIXTURE_AIR };

struct an_case_numbers {
    int n;
    double x[64];
};

struct an_case_boundary {
    char name[AN_NAME];   /* family or BC name in the mesh, exact; or a shell pattern (* and ?) */
    enum an_bc_type type; /* never AN_BC_NONE: the case file has to say it */
    double p0, T0;        /* inlet_total: Pa, K; cooling: p0 0 where mach is given */
    double direction[3];  /* inlet_total, cooling: normalised by the reader */
    enum an_direction_axes axes; /* inlet_total: of the direction */
    char profile
        [AN_PATH]; /* inlet_total: CSV of a profile, bc/profile.h; wall_viscous: bc/wall_profile.h; "": none */
    char holes
        [AN_PATH]; /* wall_viscous, wall_slip: CSV of film-cooling holes, bc/hole_file.h; "": none */
    double profile_omega;  /* rad/s about the x axis, of what varies around the axis */
    double profile_period; /* s: its series in time repeats; 0: it does not */
    int profile_station;   /* of a profile that a run wrote, from 1; 0: its only one */
    double p;              /* outlet_static: Pa */
    struct {
        double mass_flow;          /* kg/s of the full annulus; 0: p as given; of inlet_total too */
        double throttle_mass_flow; /* kg/s at which a throttle has the pressure p; 0: none */
        double throttle_p;         /* Pa behind the throttle */
        int control_every;         /* iterations between changes of the pressure; inlet: of means */
        double control_gain;       /* of inlet_total too */
        enum an_waves non_reflecting;    /* of inlet_total and mixing_plane too */
        enum an_equilibrium equilibrium; /* where the pressure is p, if it varies along the span */
    } outlet;                            /* outlet_static: solver/boundary/control.h */
    char with[AN_NAME];                  /* mixing_plane, sliding_plane: the other side */
    double gain;                         /* mixing_plane; 0, not given: by the number of planes */
    struct {
        double mass_flow;           /* kg/s of the full annulus */
        double mach;                /* of what comes out, relative to the wall; 0: from p0 */
        int has_direction;          /* 1: `direction`, 0: along the normal into the gas */
        enum an_frame frame;        /* T0 is relative to the wall, or of a supply at rest */
    } patch;                        /* cooling (with T0), bleed: solver/boundary/coolant.h */
    struct an_case_numbers scalars; /* what flow that enters brings, in the order of
                                       an_case.scalar; none: zero */
    struct an_case_state state;     /* inlet_supersonic, farfield */
    struct {
        double T;           /* K; 0: not given */
        double heat_flux;   /* W/m2 into the gas; with T = 0: adiabatic when 0 */
        double velocity[3]; /* m/s */
        int has_omega;      /* 1: omega was given, 0: it turns with the row of its zones */
        double omega;       /* rad/s about the x axis */
        double roughness;   /* m: equivalent height of sand grains; 0: smooth */
    } wall;                 /* wall_viscous */
    int line;               /* of the case file, for messages */
};

/* Names, or patterns of names. */
struct an_case_names {
    int n;
    char name[32][AN_NAME];
};

/* A point whose flow an unsteady run records (solver/monitor/probes.h). */
struct an_case_probe {
    char name[AN_NAME];
    double point[3]; /* m */
    int line;        /* of the case file, for messages */
};

/* A passive scalar that the flow carries along (solver/march/scalars.h). */
enum { AN_MOST_SCALARS = 8 };
struct an_case_scalar {
    char name[AN_NAME];
    double schmidt, schmidt_turbulent; /* mu and mu_t over rho times its diffusivities */
    double initial;                    /* everywhere at the start */
    int line;                          /* of the case file, for messages */
};

/* A leakage path outside the mesh, from a part of a wall to another one (solver/boundary/leakage.h). */
struct an_case_leakage {
    char name[AN_NAME];
    char from[AN_NAME], to[AN_NAME]; /* walls, as the boundaries are called */
    struct an_case_numbers from_x, from_r, to_x,
        to_r;                        /* m: least and largest of the part; none: all */
    double mass_flow, mass_fraction; /* kg/s of the full annulus; of what enters the machine */
    double clearance;                /* m, of a labyrinth seal */
    int fins;                        /* that the gas passes one after the other */
    double discharge, carry_over;    /* - */
    double radius;                   /* m, of the seal; 0: mean radius of the part of `from` */
    double windage;                  /* W of the full annulus, into the gas */
    enum an_swirl swirl;
    double swirl_fraction;
    char speed_of[AN_NAME]; /* row whose speed that is; "": the row of `from` */
    int control_every;      /* iterations between two looks at the ends */
    int line;               /* of the case file, for messages */
};

/* A solid that conducts heat (solver/boundary/solids.h): structured zones in a base or a file of its own. */
struct an_case_solid {
    char name[AN_NAME];
    char mesh[AN_PATH], base[AN_NAME];   /* "": the file of the case's mesh; its only other base */
    char metal[AN_NAME];                 /* of the program's list; "": conductivity */
    struct an_case_numbers conductivity; /* coefficients of powers of T, W/(m K) */
    struct an_case_numbers T_range;      /* where they hold: two temperatures, K; none: not known */
    double T;                            /* K, at the start; 0: between gas and coolants */
    double rho, cp; /* kg/m3, J/(kg K); 0: unsteady runs keep its temperatures */
    int line;       /* of the case file, for messages */
};

/* What a boundary of a solid exchanges heat with. */
struct an_case_solid_wall {
    char name[AN_NAME];
    char gas[AN_NAME]; /* viscous wall of the flow; "": none */
    double T;          /* K: of the surface, or with h or mass_flow of the coolant; 0: not given */
    double h;          /* W/(m2 K) */
    double mass_flow, factor; /* kg/s through a channel; on the Nusselt number of a smooth tube */
    double direction[3];      /* of the flow through a channel; 0: away from the x axis */
    double heat_flux;         /* W/m2, into the solid */
    int line;                 /* of the case file, for messages */
};

/* A blade row: zones of the mesh that turn together. */
struct an_case_row {
    char name[AN_NAME];
    struct an_case_names zones; /* zones or families of zones in the mesh */
    double omega; /* rad/s about the x axis, right-handed: from y to z; also given as rpm */
    double rpm;
    int blades; /* in the whole annulus; 0: not given */
    int line;   /* of the case file, for messages */
};

struct an_case {
    char file[AN_PATH];   /* the case file as given */
    char folder[AN_PATH]; /* folder of the case file; relative paths in it start there */
    char title[256];      /* case */
    char mesh[AN_PATH];   /* mesh, resolved against folder */
    char base[AN_NAME];   /* base of the mesh file; "": the only one */
    enum an_precision precision;
    enum an_device device;

    struct {
        double gamma, R;
        struct an_case_numbers cp;      /* coefficients of powers of T, J/kg/K; none: gamma */
        struct an_case_numbers T_range; /* where they hold: two temperatures, K */
        enum an_mixture mixture;        /* air: cp, T_range and R are made from what follows */
        double specific_humidity,
            relative_humidity;          /* kg of vapour per kg; part of saturation at */
        struct an_case_numbers ambient; /* pressure and temperature, Pa and K */
        double fuel_air_ratio;          /* kg of fuel per kg of dry air */
        struct an_case_numbers fuel;    /* atoms of carbon and of hydrogen */
        double vapour, mixture_error;   /* of a mixture: kg of vapour per kg of dry air; largest
                                         relative error of cp */
        char fraction[AN_NAME];         /* scalar: mass fraction of a second gas; "": one gas */
        double fraction_R;              /* of the second gas */
        struct an_case_numbers fraction_cp;
        double fraction_fuel_air_ratio, fraction_specific_humidity; /* of a mixture: the same */
        char table[AN_PATH];     /* file of a gas table, io/gas_file.h; "": none */
        char table_checksum[20]; /* of its numbers, 16 hexadecimal digits */
        struct an_gas model;     /* of these, when read without faults; owns its table and ends */
        enum an_viscosity_law viscosity;
        double mu, T_ref, S, exponent;
        double prandtl, prandtl_turbulent;
    } gas;
    struct {
        enum an_scheme flux;
        double k2, k4;           /* JST 2nd and 4th difference coefficients */
        double aspect_exponent;  /* Martinelli's z, 0 = unscaled sum is not used */
        enum an_limiter limiter; /* Roe: MUSCL slope limiter */
        double limiter_floor;    /* Roe: (difference over reference)^2 that is not limited */
        double entropy_fix;      /* Roe: fraction of |u_n| + c */
        enum an_low_mach_choice low_mach;
        double
            des_dissipation; /* matrix with turbulence.des: part left where turbulence is resolved */
        int boundary_order;  /* slip walls: what is extrapolated linearly: 0 nothing, 1 p, 2 p rho u
                             */
    } scheme;
    struct {
        enum an_turbulence model;
        double inlet_viscosity_ratio; /* of what flows in: sa: nu tilde / nu; sst: mu_t / mu */
        double
            intensity; /* sst: sqrt(2 k / 3) over the speed of what flows in; bcm: of the stream */
        enum an_transition transition; /* sa: bcm; sst: gamma, gamma_re_theta */
        int laminar_start;             /* transition: iterations without production of turbulence */
        double length_scale;           /* sst: m, gives the ratio; 0: inlet_viscosity_ratio does */
        double decay_length;           /* sst: m from the inlet to where intensity and ratio hold */
        int ambient;                   /* gamma: the turbulence of the stream does not decay */
        double transition_intensity;   /* gamma: of the stream, for the onset; 0: the local one */
        int order;                     /* of the advection of turbulence variables */
        enum an_correction rotation_correction; /* sa */
        enum an_des des;                        /* sa, unsteady */
        int sweeps; /* steady, first order: along the lines, after each iteration */
        int across; /* implicit: sweeps along segments across the lines, too */
        int linear; /* the solves of a sweep share a residual, which follows the changes */
        double mixing_length; /* mixing_length: the largest, over `length` */
        double length;        /* mixing_length: m */
        enum an_wall_function wall_function;
        int qcr;       /* sa, sst: quadratic constitutive relation QCR2000 */
        int curvature; /* sst: rotation and curvature (SST-RC) */
    } turbulence;
    struct {
        enum an_march mode;
        int planes;            /* 1: mixing planes of the case and of the mesh are sliding planes */
        enum an_method method; /* steady runs */
        int stages;            /* 4 or 5 Runge-Kutta stages */
        double cfl, cfl_start;
        double cfl_finest; /* implicit: of the finest level, at most; 0: as of the others */
        int cfl_ramp;      /* iterations from cfl_start to cfl, geometric */
        double cfl_min; /* implicit: down to which it falls where the residual does not; 0: never */
        int cfl_window; /* iterations over which the residual has to fall */
        enum an_acceleration_kind acceleration; /* implicit: mixed cycles where the march stalls */
        double damping; /* implicit: part of what differs from the running mean; 0: none */
        int damping_window, damping_start;    /* iterations: of the mean, before it begins */
        enum an_smoothing residual_smoothing; /* explicit steady runs */
        double smoothing_coefficient;         /* 0: from the CFL number */
        int smoothing_sweeps;
        int smooth_start;         /* iterations over which extra dissipation fades; 0 = none */
        int iterations;           /* steps in all, from 0; a restart goes on to this number */
        double time_step;         /* unsteady: s, 0 = from cfl */
        double end_time;          /* unsteady: s, 0 = none */
        int steps_per_revolution; /* dual: of the row that turns fastest; 0 = not given */
        int steps_per_passing;    /* dual: of a blade of that row; 0 = not given */
        enum an_time_scheme time_scheme;
        int phase_lag;          /* dual: harmonics of phase-lagged sliding planes; 0 = none */
        int inner_iterations;   /* dual: of a step; 0 = by inner_tolerance */
        double inner_tolerance; /* dual: error that they leave over the step's own */
        int inner_limit;        /* dual: the most that inner_tolerance leads to */
        double residual_drop;   /* stop rule, relative to the first residual; 0 = off */
        double mass_imbalance;  /* stop rule, |m_in - m_out| / m_in; 0 = off */
        double wall_time;       /* s, 0 = off: write a snapshot and stop, exit code 4 */
    } march;
    struct { /* rules on how little the machine's figures change; all that are on must hold */
        int window;                /* iterations looked back over */
        double mass_flow;          /* relative; 0 = off */
        double pressure_ratio;     /* relative; 0 = off */
        double efficiency;         /* absolute: 0.001 is 0.1 point; 0 = off */
        double force;              /* on all walls, over the size of the total; 0 = off */
        double turbulence;         /* norm of the residual over its largest; 0 = off */
        double lift, drag, moment; /* absolute, of the coefficients; 0 = off */
        double period_change;      /* unsteady: from one period to the next; 0 = off */
        int period;                /* unsteady: iterations; 0 = steps_per_passing */
        int periods;               /* unsteady: in a row */
    } stop;
    struct {
        enum an_switch performance; /* auto: with rows, stations, or a cascade */
        enum an_averages averages;
        struct an_case_numbers stations; /* m: x of planes that spanwise profiles are taken at */
        struct an_case_numbers
            station_lines; /* m: the same of lines: x, r at hub, x, r at casing */
        int bands;         /* of a profile, over the span */
        int volume;        /* means over the volume in history.csv */
    } monitors;
    struct {
        int levels; /* 0: as many as the mesh allows */
        enum an_cycle cycle;
        int full;              /* start on the coarsest level */
        int across;            /* plane meshes: every other step across the lines */
        int pre, post, coarse; /* steps before and after the coarser level, on the coarsest */
        int stages;            /* of a step of the coarser levels; 0: march.stages */
        int thin_layer;        /* viscous terms of the coarser levels without gradients */
    } multigrid;
    struct {
        char outlet[AN_NAME]; /* static outlet that is varied; "": the only one */
        enum an_vary vary;
        struct an_case_numbers values; /* settings, from choke to stall; or ... */
        struct an_case_numbers
            speeds; /* parts of the speeds of all rows, a line each; none: one line */
        double from, to, step;
        double least_step;                /* 0: an eighth of the step that failed first */
        int chains;                       /* of a line, each of which begins from the start */
        int first_iterations, iterations; /* most of the first point (0: as others), of others */
    } map;                                /* `annulus map` */
    struct {
        double length, area;          /* m, m2; 0: not given */
        double point[3];              /* m: moments are about it */
        double pressure, temperature; /* Pa, K */
        double velocity, mach;        /* m/s, -: one of them, or neither */
        double reynolds;              /* of length; in place of the pressure */
        double alpha, beta;           /* degrees: angle of attack, sideslip */
        enum an_up up;                /* the direction of lift at no angle */
        struct an_case_names walls;   /* of the body; none: viscous walls, else slip walls */
        struct an_case_state state;   /* made of these; p = 0: they do not give a whole state */
    } reference;
    struct an_case_state initial;
    enum an_pattern pattern; /* of the initial state, whose speed is that of `initial` */
    double pattern_length;   /* m: box of the Taylor-Green vortex over 2 pi */
    int mean_line; /* 1: steady flow of several rows starts from a mean line through them */
    int nboundary;
    struct an_case_boundary *boundary; /* owned */
    int nrow;
    struct an_case_row *row; /* owned */
    int nscalar;
    struct an_case_scalar *scalar; /* owned */
    int nleakage;
    struct an_case_leakage *leakage; /* owned */
    int nsolid;
    struct an_case_solid *solid; /* owned */
    int nsolid_wall;
    struct an_case_solid_wall *solid_wall; /* owned */
    int nprobe;
    struct an_case_probe *probe; /* owned */
    struct {
        char folder[AN_PATH]; /* resolved against the case's folder */
        int every;            /* iterations between snapshots, 0 = at the end only */
        int keep;             /* snapshots kept on disk, 0 = all */
        int means_from; /* unsteady: iteration behind which means over time begin; < 0: none */
        int modes;      /* unsteady: harmonics of the pressure on walls; 0: none */
        int modes_from; /* iteration behind which their sums begin */
        struct an_case_numbers mode_frequencies; /* Hz; none: passing frequencies of the rows */
        int history_every; /* iterations between lines of the table and history.csv */
        int nfield;
        char field[32][AN_NAME];      /* fields: derived ones to add, e.g. Pressure */
        int walls;                    /* viscous runs: wall fields beside the snapshots */
        char heat_reference[AN_PATH]; /* solver/output/heat_transfer.h; "": by the inlet */
        int wall_forces;              /* forces.csv: on each viscous wall and each copy of it */
        int embed_grid;               /* coordinates in each snapshot, not a link to grid.cgns */
        char measured_profiles
            [AN_PATH]; /* CSV files that the report draws beside results; "": none */
        char measured_map[AN_PATH], measured_blade[AN_PATH], design_rows[AN_PATH];
        char catalyst[AN_PATH];         /* script of ParaView Catalyst; "": none */
        char catalyst_library[AN_PATH]; /* name or path of libcatalyst */
        int catalyst_every;             /* iterations between its calls */
        enum an_background background;  /* are snapshots written while the march goes on? */
    } output;
    struct {
        enum an_transport_choice transport;
        int multigrid_levels; /* cuts of blocks keep 2^(levels-1) divisibility */
        int overlap;          /* 1: shell first, exchange behind the interior */
        int whole_below; /* cells of the largest coarse level that every rank computes whole; < 0: as
                          * the engine says */
        int timing;      /* 1: measure how long devices wait for halos */
        double lost_after; /* s without a sign of life: a host is lost; 0: hosts are not watched */
    } mpi;
    struct {
        int graph; /* 1: iterations are recorded and replayed where that can be */
        int tiles; /* 1: tile shapes are measured, 0: as the program's table says */
    } gpu;
    /* XXH64 of the values that affect the answer: not title, mesh (it has its own hash), device,
     * output, mpi, gpu and what only decides when to stop */
    uint64_t hash;
};

/* Independent of the locale. Not collective: call it on one rank, or on all.
 *
 * Reads and checks the file `path`, then applies `set[nset]` ("march.cfl=2",
 * "boundaries.inlet.p0=1e5"), each reported as "--set march.cfl=2: error: ...". All faults go to
 * diag. AN_INPUT when any, and nothing is left to free. The value of a set is a YAML scalar, list
 * or mapping; a mapping changes the keys it names and leaves the others. */
int an_case_read(const char *path, int nset, char *const *set, struct an_case *c,
                 struct an_diag *diag);
void an_case_free(struct an_case *c);
/* The type of a boundary that the mesh or the case file says, after march.planes. */
enum an_bc_type an_case_plane(const struct an_case *c, enum an_bc_type type);
/* Is a state, Pa and K, one of the gas of the case? With gas.table it has to be within the table, and no
 * liquid; other gases have all states. AN_INPUT, with a text that begins with `of`, the place where the
 * user gave the state. */
int an_case_gas_holds(const struct an_case *c, const char *of, double p, double T);
/* The same for a static pressure, Pa, whose temperature is not known. */
int an_case_gas_reaches(const struct an_case *c, const char *of, double p);
/* Does the run march with an implicit operator along lines: a steady or a dual march? */
int an_case_is_implicit(const struct an_case *c);
/* Does the run march in time with implicit physical steps (solver/march/dual.h)? */
int an_case_is_dual(const struct an_case *c);
/* The physical time step of a dual march, s; 0: the case does not give it. */
double an_case_time_step(const struct an_case *c);
/* Are rows and machine watched (solver/monitor/performance.h)? */
int an_case_has_monitors(const struct an_case *c);
/* Does gas come out of walls, or is it sucked through them? */
int an_case_has_cooling(const struct an_case *c);
/* The metal of a solid: AN_INPUT, in a sentence, where its conductivity is not positive. */
struct an_metal;
int an_case_metal(const struct an_case_solid *q, struct an_metal *m);
/* The highest temperature that the case gives the gas, K: that of the start or a total one of a boundary. */
double an_case_hottest_gas(const struct an_case *c);
/* What a boundary of a solid touches: that of its own name, else the first pattern that matches; NULL: nothing. */
const struct an_case_solid_wall *an_case_solid_wall_find(const struct an_case *c, const char *name);
/* Iterations of the period of stop.period_change; 0: the case does not give it. */
int an_case_period(const struct an_case *c);
/* Does the run average its flow over time (solver/march/time_means.h)? */
int an_case_has_means(const struct an_case *c);
/* Does the run damp what differs from a running mean (solver/march/damping.h)? */
int an_case_has_damping(const struct an_case *c);
/* Is the key of a --set (key=value) one that --set march.mode=unsteady with march.end_time takes out of
 * the case's file? Then it cannot be given to the unsteady run either. */
int an_case_set_is_steady(const struct an_case *c, const char *set);
/* Is one of the rules of `stop` on? */
int an_case_has_stop(const struct an_case *c);
/* Is the field among those of output.fields? */
int an_case_has_output(const struct an_case *c, enum an_output field);
/* Does its turbulence model have variables of its own? */
int an_case_has_transport(const struct an_case *c);
/* Does it have a model of laminar-turbulent transition? */
int an_case_has_transition(const struct an_case *c);
/* Does that model not act yet at an iteration, so that all boundary layers are laminar? */
int an_case_is_laminar_at(const struct an_case *c, int64_t iteration);
/* Is it the algebraic SA-BCM? Does it transport an intermittency, alone or with Re_theta? */
int an_case_has_bcm(const struct an_case *c);
int an_case_has_intermittency(const struct an_case *c);
int an_case_has_re_theta(const struct an_case *c);
/* Does it give a roughness to a viscous wall? */
int an_case_has_modes(const struct an_case *c);
int an_case_has_roughness(const struct an_case *c);
/* Do its reference values give a whole state: a speed, and a pressure or a Reynolds number? Then
 * initial and far-field states that are not given are that state. */
int an_case_has_reference(const struct an_case *c);
/* Index of the scalar that is the mass fraction of a mixture (gas.fraction); -1: none. */
int an_case_fraction(const struct an_case *c);
/* Its value in the gas that enters through a boundary, in the initial state if b is NULL; 0 without a mixture. */
double an_case_fraction_at(const struct an_case *c, const struct an_case_boundary *b);
/* The gas there. */
struct an_gas an_case_gas_of(const struct an_case *c, const struct an_case_boundary *b);
/* Speed of the flow of a state, m/s; the gas is known. */
double an_case_speed(const struct an_case *c, const struct an_case_state *s);
/* Viscosity at a temperature, kg/(m s); 0 in inviscid flow. */
double an_case_viscosity(const struct an_case *c, double p, double T);
/* Viscosity ratio that belongs to turbulence.length_scale, else turbulence.inlet_viscosity_ratio. */
double an_case_inflow_ratio(const struct an_case *c);
/* Intensity and viscosity ratio of the turbulence that flows in with sst (turbulence.decay_length). 0: nothing that
 * flows in decays to what is asked for. */
int an_case_inflow(const struct an_case *c, double turbulence[2]);
/* Unit vectors of drag, lift and side force at an angle of attack and a sideslip, degrees. Drag is
 * along the flow; lift is across it, in the plane of x and `up`; side = (x, up, x x up turned with the flow).
 *
 *     up: y   drag (cos a cos b, sin a cos b, sin b), lift (-sin a, cos a, 0)
 *     up: z   drag (cos a cos b, sin b, sin a cos b), lift (-sin a, 0, cos a) */
void an_case_wind(enum an_up up, double alpha, double beta, double axis[3][3]);
/* The CFL number that an explicit march bears without residual smoothing: its default. */
double an_case_plain_cfl(const struct an_case *c);

/* What the case says about the boundary `name` of the mesh: the entry of exactly that name, else
 * the first pattern (* any letters, ? one letter) that matches it; NULL: take what the mesh says.
 */
const struct an_case_boundary *an_case_boundary_find(const struct an_case *c, const char *name);

/* Where a section of the case stands, for messages: "FILE:LINE", or "FILE, --set" for one that an option made (line 0). The text
 * lives until the fourth call after this one on the same thread. */
const char *an_case_at(const struct an_case *c, int line);
/* Does the shell pattern (* and ?) match the name? */
int an_case_matches(const char *pattern, const char *name);
/* The case as it will be run, every key with its value, valid YAML that reads back to the same
 * values and the same hash. Paths are made absolute, so that the echo may be kept anywhere. */
void an_case_echo(const struct an_case *c, FILE *out);

/* `annulus help-case`: all keys (`key` NULL or ""), one key "march.cfl", or all beneath "march".
 * AN_INPUT for an unknown key, with the nearest one in the error text. */
int an_case_help(const char *key, FILE *out);

#endif
