/* What a run tells while it runs: the table on the screen, history.csv and run.json. Rank 0 only.
 */
#ifndef AN_IO_HISTORY_H
#define AN_IO_HISTORY_H

#include <stdio.h>

#include "io/coefficients.h"
#include "io/warnings.h"
#include "kernels/base/error.h"

/* What is told of a blade row. Torques are on the gas, about +x; full annulus. The figures of cascades,
 * whose averages are Cartesian, are those of what is meshed. */
enum an_row_value {
    AN_ROW_MASS_IN, /* kg/s */
    AN_ROW_MASS_OUT,
    AN_ROW_IMBALANCE,      /* (in - out) / in */
    AN_ROW_MASS_CORRECTED, /* kg/s: in, at 288.15 K and 101325 Pa */
    AN_ROW_P0_RATIO,       /* of mass-averaged total pressures, out / in */
    AN_ROW_T0_RATIO,       /* of energy fluxes */
    AN_ROW_EFFICIENCY,     /* isentropic, of these two */
    AN_ROW_POLYTROPIC,
    AN_ROW_POWER,        /* W: mass flow times rise of total enthalpy */
    AN_ROW_POWER_WALLS,  /* W: torque of walls that turn, times their rotation */
    AN_ROW_TORQUE_EULER, /* N m: moment of momentum out less in */
    AN_ROW_TORQUE_WALLS, /* N m: of all walls */
    AN_ROW_ALPHA_IN,     /* degrees: absolute and relative flow angles */
    AN_ROW_ALPHA_OUT,
    AN_ROW_BETA_IN,
    AN_ROW_BETA_OUT,
    AN_ROW_MACH_IN, /* relative */
    AN_ROW_MACH_OUT,
    AN_ROW_LOSS,    /* of relative total pressure */
    AN_ROW_ENTROPY, /* J/kg/K, rise */
    AN_ROW_REACTION,
    AN_ROW_COOLANT, /* kg/s, part of what comes in */
    AN_ROW_BLEED,   /* kg/s, part of what goes out */
    /* cascades only */
    AN_ROW_P0_IN,       /* Pa, by mass */
    AN_ROW_P0_OUT,      /* Pa, by mass */
    AN_ROW_P0_MIXED,    /* Pa, of the mixed-out flow at the outlet */
    AN_ROW_P_OUT,       /* Pa, by area */
    AN_ROW_ALPHA_MIXED, /* degrees: angle of the mixed-out flow at the outlet */
    AN_ROW_MACH_IS,     /* isentropic Mach number of p0 at the inlet and p at the outlet */
    AN_ROW_LOSS_MASS,   /* (p01 - p02) / (p01 - p), p the lower of p1 and p2; by mass, p by area */
    AN_ROW_LOSS_MIXED,  /* the same of the mixed-out flows */
    AN_ROW_FORCE_X,     /* N per m of span, on the walls: along the axis ... */
    AN_ROW_FORCE_T,     /* ... and along the pitch */
    AN_ROW_LOST_X,      /* N per m of span: momentum flux in less out, pressure included, ... */
    AN_ROW_LOST_T,      /* ... which is that force in a steady flow */
    AN_NROW_VALUE
};
/* As columns of history.csv, without the row's name before it: "mass_in_kg_s". */
const char *an_row_value_name(enum an_row_value v);
/* Has it a meaning for a cascade (1), for rows around an axis (0)? */
int an_row_value_applies(enum an_row_value v, int cascade);

/* Rows of a run, the last one the whole machine. */
struct an_row_report {
    const char *name;
    double sectors;        /* pieces like the meshed one in the annulus */
    int cascade;           /* 1: averages are Cartesian */
    double pitch, span;    /* m, of a cascade: what is meshed */
    const double *value;   /* [AN_NROW_VALUE] */
    double plane[2][4][3]; /* in, out; averaged by mass, entropy, area, mixed out; p0, T0, p */
};

/* Means over the volume: kinetic energy, J/m3; enstrophy rho |curl u|^2 / 2, kg/(m3 s2), NaN in inviscid
 * flow. */
enum { AN_VOLUME_ENERGY, AN_VOLUME_ENSTROPHY, AN_NVOLUME };

/* A boundary whose pressure the run changes by itself. */
struct an_control_report {
    const char *boundary, *quantity; /* name in the mesh; "p": static pressure */
    double start, value;             /* Pa: of the case, and now */
    double mass;                     /* kg/s that passed when last measured, full annulus */
    double wanted;                   /* kg/s; NaN: no mass flow is wanted, as with a throttle */
    double line;    /* Pa: what a throttle would stand at with that mass flow; NaN: no throttle */
    double sonic;   /* kg/s that would pass at Mach number 1 in all of its area, from the same total
                   * conditions */
    int every;      /* iterations between changes of the pressure */
    double sectors; /* how often the meshed part fits into the annulus */
};

/* A leakage past a seal. Figures of the full annulus, means over the areas of its ends. */
struct an_leak_report {
    const char *name;
    double mass;                   /* kg/s */
    double p_from, p_to;           /* Pa: where the gas leaves, where it comes back */
    double h0_from, h0_to, T0_to;  /* J/kg, J/kg, K: of what leaves, of what comes back */
    double moment_from, moment_to; /* m2/s: r Vt */
    double torque, windage;        /* N m about +x, W: of the cavity's walls on the gas */
    int choked, sonic;             /* the last fin chokes; what comes back has the speed of sound */
    int seal;                      /* 1: the mass flow follows from a seal */
};

/* A solid or a surface of one. */
struct an_solid_report {
    const char *solid, *surface; /* surface: a boundary; NULL: the whole solid */
    double area;                 /* m2 */
    double T
        [3]; /* K: lowest, mean and highest; means over the surface, or over the unknowns of the solid */
    double heat;       /* W into the solid; of the whole solid the sum of all surfaces */
    double h;          /* W/(m2 K) of a coolant; 0: none */
    double coolant[2]; /* K: of a coolant where it enters and where it leaves; 0: none */
};

/* Figures of a solid for tables: highest temperature, K, and the heat that the gas gives it, W. */
enum { AN_SOLID_T_MAX, AN_SOLID_GAS_HEAT, AN_NSOLID_FIGURE };
/* As text in the names of columns: "T_max_K". */
const char *an_solid_figure_name(int figure);

/* What has columns of its own in history.csv. */
struct an_history_columns {
    int nrow;
    const char *const *row; /* [nrow] names of rows */
    int cascade;            /* 1: rows have the figures of cascades */
    int ncontrol;
    const struct an_control_report *control; /* [ncontrol] */
    int coefficients;                        /* 1: forces as coefficients */
    int nsolid;
    const char *const *solid; /* [nsolid] names of solids */
    int volume;               /* 1: means over the volume */
};

/* One line. NaN prints as "-" and is empty in the CSV. */
struct an_history_line {
    int64_t iteration;
    double time; /* s, unsteady runs */
    double cfl;
    double residual[5];         /* norms: density, momentum x y z, energy */
    double residual_turbulence; /* norm of the first turbulence variable, m2/s2; NaN: no model */
    double residual_drop;       /* density norm over that of the first iteration */
    double mass_in, mass_out, imbalance; /* kg/s, kg/s, (in - out) / in */
    double pressure_ratio;               /* mass-averaged total pressure, out / in */
    double temperature_ratio;
    double efficiency;    /* isentropic; NaN without work */
    double back_pressure; /* Pa: of the first static outlet */
    double rate;          /* iterations per second */
    double time_left;     /* s, estimated to the last iteration */
    /* sums over all viscous walls, or over the slip walls if there are none; NaN without walls */
    double wall_force[3], wall_friction[3]; /* N: on the walls, friction included; friction */
    double wall_torque, wall_heat;          /* N m about the x axis; W into the walls */
    double wall_yplus;                      /* the largest; NaN without viscous walls */
    double (*row)[AN_NROW_VALUE];           /* of the rows named to an_history_new; NULL: none */
    const double *control; /* Pa: of the boundaries named to an_history_new; NULL: none */
    const an_coefficients *coefficients;     /* NULL: none */
    const double *volume;                    /* [AN_NVOLUME], NULL: none */
    const double (*solid)[AN_NSOLID_FIGURE]; /* of the solids named to an_history_new; NULL: none */
};

struct an_history;

/* Opens folder/history.csv. On a restart at iteration n > 0 the lines after n are cut away and the
 * file goes on. `progress`: rewrite one line with \r between table lines. `more` may be NULL; the
 * names in it are copied. */
int an_history_new(const char *folder, int64_t start, int unsteady, int progress,
                   const struct an_history_columns *more, FILE *screen, struct an_history **h);
/* A line on the screen (header every 20 lines), one more for each row, and in the CSV (flushed). */
int an_history_add(struct an_history *h, const struct an_history_line *line);
/* Between table lines, when progress was asked for. */
void an_history_progress(struct an_history *h, int64_t iteration, int64_t last, double rate);
void an_history_destroy(struct an_history *h);

/* What a wall of the mesh feels at the end; as in the line above. y+ of slip walls: NaN. */
struct an_wall_report {
    const char *name;
    double area; /* m2 */
    double force[3], friction[3], torque, heat, yplus;
};
/* A table with a line per wall; nothing for none. */
void an_wall_report_print(int n, const struct an_wall_report *wall, FILE *out);

/* A block for each row; nothing for none. */
void an_row_report_print(int n, const struct an_row_report *row, FILE *out);

/* What a figure of a steady run did at the end; NaN: not known. */
struct an_figure_report {
    const char *name;
    double moves;           /* over the last stop.window iterations, relative to its scale */
    double mean, amplitude; /* over the last period of a swing, or the lines of an irregular one */
};

/* run.json: what ran, where and how it ended; rewritten (atomically) at start, snapshots and end.
 */
struct an_run_info {
    const struct an_warnings *warnings; /* NULL: none */
    int settled;                        /* 1: yes, -1: no, 0: not judged */
    const char *state;  /* settled, swings, stalls, creeps, stopped, diverged; NULL: not known */
    const char *swings; /* how, in words; NULL: the flow does not swing */
    double period;      /* iterations, of a swing; 0: none */
    int nfigure;
    const struct an_figure_report *figure;                        /* [nfigure] */
    const char *title, *case_file, *mesh_file, *version, *status; /* "running", "converged", ... */
    const char *gas_table; /* checksum of the gas table; "": none */
    const char *engine, *transport, *precision;
    const char *transport_reason; /* why that one */
    const char *tiles;            /* shapes and where they come from; "" where there are none */
    const char *graph;            /* are iterations replayed, or why not */
    int64_t recorded, replayed;   /* iterations */
    int64_t launches;             /* of kernels, replayed ones not counted */
    int ranks, threads;
    int64_t cells, iteration;
    double seconds;
    double snapshot_rate, snapshot_waited; /* bytes/s, s that the march waited; 0: none yet */
    int64_t snapshot_passed;               /* most iterations done while one was written */
    const char *snapshot_how;              /* in the background or not, and why */
    double mesh_rate;                      /* bytes/s at which coordinates were read; 0: unknown */
    const char *snapshot;                  /* last whole snapshot, or NULL */
    struct an_history_line last;
    int nwall;
    const struct an_wall_report *wall; /* [nwall] */
    int nrow;
    const struct an_row_report *row; /* [nrow] */
    int ncontrol;
    const struct an_control_report *control; /* [ncontrol] */
    int nleak;
    const struct an_leak_report *leak; /* [nleak] */
    int nsolid;
    const struct an_solid_report *solid;         /* [nsolid] */
    const struct an_reference_report *reference; /* NULL: none */
    int exit_code;
    const char *message; /* NULL or the error text */
};
int an_run_info_write(const char *folder, const struct an_run_info *info);

#endif
