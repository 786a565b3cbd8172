/* A gas from a table over X = ln p and Y = ln(p / rho): e, T, s, viscosity and conductivity (gas_table.h
 * says how they are interpolated). For hosts, in double; kernels get the same numbers in their
 * precision (an_gas_table_data). tools/gas_table makes tables, io/gas_file.h reads them. */
#ifndef AN_GAS_REAL_H
#define AN_GAS_REAL_H

#include "kernels/base/portable.h"

#include <stdint.h>

AN_EXTERN_C_BEGIN

/* J/kg, K, J/kg/K, kg/m/s, W/m/K */
enum an_table_field { AN_TABLE_E, AN_TABLE_T, AN_TABLE_S, AN_TABLE_MU, AN_TABLE_LAMBDA, AN_NTABLE };

/* Nodes a side of the table from which Newton's method starts, and words of a node. */
enum { AN_TABLE_START = 33, AN_TABLE_START_WORDS = 4 };

struct an_gas_table {
    int n[2];               /* nodes in X and Y, 4 or more */
    double low[2], step[2]; /* of X and Y */
    double *data; /* node[AN_NTABLE][n[1]][n[0]][4], start[START][START][4]: gas_table.h */
    unsigned char *outside; /* [n[1]][n[0]]: 1: the node is a continuation, not of the fluid */
    double start_low[2], start_step[2]; /* of ln rho and e */
    int newton[2];                      /* steps from there, single and double precision */
    double R;                           /* J/kg/K: of the dilute gas */
    double p_ref, T_ref;                /* a state in the middle of the valid nodes */
    double gamma_ref, s_ref, cv_ref, function_ref; /* rho c^2 / p, s, cv, p / rho^gamma there */
    double c2_most;                                /* m2/s2: largest c^2 of a valid node */
    double p_range[2], T_range[2];                 /* Pa, K: of the valid nodes */
    int transport;                                 /* 1: viscosity and conductivity are there */
    uint64_t checksum;                             /* of the numbers of the file */
    char fluid[64], source[160];                   /* words for messages */
};

/* Words of the nodes and of the whole of `data`. */
AN_INLINE int an_gas_table_nodes(const struct an_gas_table *t)
{
    return 4 * AN_NTABLE * t->n[0] * t->n[1];
}
AN_INLINE int an_gas_table_words(const struct an_gas_table *t)
{
    return an_gas_table_nodes(t) + AN_TABLE_START_WORDS * AN_TABLE_START * AN_TABLE_START;
}

/* A table of n[0] x n[1] nodes from their values and slopes per unit of X and Y, [field][n[1]][n[0]][4],
 * and whether they are a continuation. AN_INPUT with a text where kappa > 0 or c^2 > 0 does not hold, or
 * T does not rise with Y, on a net four times as fine. */
int an_gas_table_new(const int n[2], const double low[2], const double step[2], double R,
                     const double *nodes, const unsigned char *outside, struct an_gas_table **out);
void an_gas_table_destroy(struct an_gas_table *t);
/* `data` for a run's precision, 32 or 64: to `to`, of an_gas_table_words floats or doubles. */
void an_gas_table_data(const struct an_gas_table *t, int precision, void *to);

/* A state. */
struct an_gas_state_of {
    double rho, p, T;          /* kg/m3, Pa, K */
    double e, h, s, c;         /* J/kg, J/kg, J/kg/K, m/s */
    double kappa, chi, gamma;  /* gamma: rho c^2 / p */
    double cp, cv, mu, lambda; /* J/kg/K, kg/m/s, W/m/K */
    int valid;                 /* 0: outside the fluid's nodes or the box */
};
struct an_gas_state_of an_table_state(const struct an_gas_table *t, double rho, double p);
double an_table_density(const struct an_gas_table *t, double p, double T);
double an_table_pressure(const struct an_gas_table *t, double rho, double e);
/* Is (rho, p) inside the box and between nodes of the fluid? */
int an_table_valid(const struct an_gas_table *t, double rho, double p);

/* Along the isentrope of (rho, p): to the pressure p2; by an enthalpy dh; by dl = int dp / (rho c).
 * Gives density and pressure there. */
enum an_table_path { AN_TABLE_TO_P, AN_TABLE_BY_H, AN_TABLE_BY_L };
struct an_table_point {
    double rho, p, l; /* l: int dp / (rho c) from the state it began at */
};
struct an_table_point an_table_move(const struct an_gas_table *t, double rho, double p,
                                    enum an_table_path path, double value);
/* rho at p and enthalpy h; p at h and entropy s. */
double an_table_density_of_h(const struct an_gas_table *t, double p, double h);
double an_table_p_of_hs(const struct an_gas_table *t, double h, double s);

AN_EXTERN_C_END
#endif
