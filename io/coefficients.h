/* Forces on the walls of a body as coefficients, over the dynamic pressure and the area of the
 * reference (moments over its length, too): in the table, history.csv and run.json. */
#ifndef AN_IO_COEFFICIENTS_H
#define AN_IO_COEFFICIENTS_H

#include <stdio.h>

enum an_coefficient {
    AN_C_LIFT,
    AN_C_DRAG,
    AN_C_SIDE,
    AN_C_MOMENT,   /* pitching moment about the reference point, nose up */
    AN_C_MOMENT_X, /* moment about axes through the point */
    AN_C_MOMENT_Y,
    AN_C_MOMENT_Z,
    AN_NCOEFFICIENT
};
/* Of all forces; their parts by pressure (less that of the reference) and by friction. */
enum { AN_C_ALL, AN_C_PRESSURE, AN_C_FRICTION, AN_NC_PART };
typedef double an_coefficients[AN_NCOEFFICIENT][AN_NC_PART];

/* "lift", "drag", ...: columns of history.csv are lift, lift_pressure and lift_friction. */
const char *an_coefficient_name(enum an_coefficient c);
/* ",lift,lift_pressure,..." and values for them; NULL: empty. */
void an_coefficients_header(FILE *csv);
void an_coefficients_csv(const an_coefficients *value, FILE *csv);
/* A line beneath that of the table. */
void an_coefficients_line(const an_coefficients *value, FILE *out);

/* What coefficients are made with. */
struct an_reference_report {
    double p, T, rho, speed, mach, reynolds; /* reynolds: 0 in inviscid flow */
    double alpha, beta;                      /* degrees */
    double q, length, area, point[3];        /* Pa, m, m2, m */
};
/* One line: "Mach 0.15, Re 6e+06 over 1 m, ...". */
void an_reference_print(const struct an_reference_report *r, FILE *out);
/* The table at the end of a run. */
void an_coefficients_print(const an_coefficients *value, FILE *out);

#endif
