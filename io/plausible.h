/* Is what a case asks for, and what comes out of it, plausible? One table of rules (io/plausible.c).
 *
 * A rule looks at one figure. Outside the range that the rule refuses, nothing sensible can come
 * out; outside the range of its warning, the usual reason is a wrong unit. Each message says the
 * figure, what it is of, and what would be plausible. Rules on lengths, temperatures and pressures
 * hold for gases in SI units: they are left out where gas.R is below 50 J/(kg K), as in cases without
 * dimensions.
 */
#ifndef AN_IO_PLAUSIBLE_H
#define AN_IO_PLAUSIBLE_H

enum an_fact {
    AN_FACT_BACK_PRESSURE, /* largest outlet pressure over largest inlet p0, where nothing turns */
    AN_FACT_EXPANSION,     /* smallest outlet pressure over largest inlet p0 */
    AN_FACT_ENCLOSED,      /* 1: no boundary lets gas in or out, and there are walls */
    AN_FACT_COLDEST,       /* K, of the case's temperatures */
    AN_FACT_HOTTEST,       /* K */
    AN_FACT_PRESSURE,      /* Pa, smallest of the case's pressures */
    AN_FACT_LENGTH,        /* m, longest edge of the box around a mesh of internal flow */
    AN_FACT_RADIUS,        /* m, largest radius of what turns */
    AN_FACT_TIP_SPEED,     /* m/s */
    AN_FACT_TIP_MACH,      /* tip speed over the speed of sound at the inlet */
    AN_FACT_STAGNATION,    /* at the end: largest wall pressure over the most it can be */
    AN_FACT_LAG_MISSED,    /* at the end, with phase lag: part of the energy that series miss */
    AN_FACT_LAMINAR_YPLUS, /* at the end, with transition: largest y+ of the first cells' centres */
    AN_FACT_LEADING_CELL, /* with transition: largest Reynolds number of cells at sharp leading edges */
    AN_FACT_ROUGHNESS, /* largest roughness of a wall over the longest edge of the box around the mesh */
    AN_FACT_PATTERN, /* largest distance of an edge of that box, over the pattern's wave length, from a whole number */
    AN_FACT_DES_LAYER, /* with turbulence.des: cells of the thinnest direction of a zone */
    AN_FACT_DES_STEP, /* with turbulence.des: part of the cells away from walls that the flow crosses in one step */
    AN_FACT_MASS_FLOW, /* at the end: what enters over what the choked inlet area would pass */
    AN_NFACT
};

struct an_facts {
    double value[AN_NFACT]; /* NaN: not known, or without meaning */
    char of[AN_NFACT][80];  /* which key or boundary it is of; "" the case as a whole */
};

/* All facts unknown. */
void an_facts_init(struct an_facts *f);
/* Takes the value if it is below (above) what is known. */
void an_facts_least(struct an_facts *f, enum an_fact fact, double value, const char *of);
void an_facts_most(struct an_facts *f, enum an_fact fact, double value, const char *of);

enum an_verdict { AN_PLAUSIBLE, AN_DOUBTFUL, AN_REFUSED };
/* The n-th rule applied to the facts; text[size] gets one line unless it is AN_PLAUSIBLE. Returns -1
 * past the last rule. */
int an_plausible(int n, const struct an_facts *f, char *text, int size);

#endif
