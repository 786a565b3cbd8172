/* Is what a case asks for, and what comes out of it, plausible? One table of rules (io/plausible.c).
 *
 * A rule looks at one figure. Outside the range that the rule refuses, nothing sensible can come
 * out; outside the range of its warning, the usual reason is a wrong unit. Each message says the
 * figure, what it is of, and what would be plausible. Rules on lengths, temperatures and pressures
 * hold for gases in SI units: they are left out where gas.R is below 50 J/(kg K), as in cases without
 * dimensions.
 *
 * A value is judged in the same way wherever the user gave it: by a key, by --set, by a line of a
 * profile, or as a setting of a map. The message names that place.
 */
#ifndef AN_IO_PLAUSIBLE_H
#define AN_IO_PLAUSIBLE_H

/* Bytes of the texts of a fact, and of a message. */
enum { AN_FACT_TEXT = 256, AN_PLAUSIBLE_TEXT = 1200 };

enum an_fact {
    AN_FACT_BACK_PRESSURE, /* largest outlet pressure over largest inlet p0, where nothing turns */
    AN_FACT_EXPANSION,     /* smallest outlet pressure over largest inlet p0 */
    AN_FACT_ENCLOSED,      /* 1: no boundary lets gas in or out, and there are walls */
    AN_FACT_OVERPRESSURE, /* largest rise from inlet p0 to an outlet pressure over what rows that turn could do */
    AN_FACT_COLDEST, /* K, of the case's temperatures */
    AN_FACT_HOTTEST, /* K */
    AN_FACT_SCALE, /* K, of an inlet or the start, which would be the other one in another scale */
    AN_FACT_PRESSURE,      /* Pa, smallest of the case's pressures */
    AN_FACT_PRESSURE_MOST, /* Pa, largest of them */
    AN_FACT_LEVEL,         /* smallest total pressure that enters over the level of all pressures */
    AN_FACT_INFLOW_ANGLE,  /* degrees, largest between what enters and the normal of its inlet */
    AN_FACT_INTENSITY,     /* largest turbulence intensity of what enters */
    AN_FACT_EDDIES,        /* largest ratio of the eddy viscosity to the viscosity of what enters */
    AN_FACT_INLET_FLOW, /* smallest mass flow that is wanted over what the choked inlet would pass */
    AN_FACT_INLET_CHOKED, /* largest of them */
    AN_FACT_ROW_SIGN, /* largest angle at which blades that turn end, degrees, in the direction of their rotation */
    AN_FACT_SHAFT, /* largest relative difference of speeds of rotors that seem to share a shaft */
    AN_FACT_INCIDENCE, /* degrees, largest between the flow of the mean line and the blades that it meets */
    AN_FACT_REACHED, /* largest outlet pressure over the highest that the mean line reaches */
    AN_FACT_PASSED,  /* largest mass flow that is wanted over the one that chokes the mean line */
    AN_FACT_SETTING_PRESSURE, /* smallest pressure of a map over largest inlet p0 */
    AN_FACT_SETTING_HIGH,     /* first pressure of a map over the most that could be reached */
    AN_FACT_SETTING_FLOW,     /* largest mass flow of a map over what the choked inlet would pass */
    AN_FACT_SETTING_CHOKED,   /* smallest of them */
    AN_FACT_SETTING_THROTTLE, /* smallest factor of a map on the resistance of a throttle */
    AN_FACT_SETTING_THROTTLE_MOST, /* largest of them */
    AN_FACT_PASSING_STEPS, /* unsteady: least time steps of a blade passing, or of a pattern that passes */
    AN_FACT_SERIES_STEPS, /* unsteady: least time steps of a period of a series in time */
    AN_FACT_LEFT,         /* least iterations that are left for something that begins late */
    AN_FACT_VISCOSITY,    /* viscosity of the law over that of the gas table, at the start */
    AN_FACT_AIR_VISCOSITY, /* gas constant over that of air, where the viscosity has constants of air */
    AN_FACT_CP_COLDEST,    /* coldest temperature over the lowest one at which cp(T) holds */
    AN_FACT_CP_HOTTEST,    /* hottest temperature over the highest one */
    AN_FACT_LENGTH,        /* m, longest edge of the box around a mesh of internal flow */
    AN_FACT_RADIUS,        /* m, largest radius of what turns */
    AN_FACT_TIP_SPEED,     /* m/s */
    AN_FACT_TIP_MACH,      /* tip speed over the speed of sound at the inlet */
    AN_FACT_STAGNATION,    /* at the end: largest wall pressure over the most it can be */
    AN_FACT_LAG_MISSED,    /* at the end, with phase lag: part of the energy that series miss */
    AN_FACT_LAMINAR_YPLUS, /* at the end, with transition: largest y+ of the first cells' centres */
    AN_FACT_LEADING_CELL, /* with transition: largest Reynolds number of cells at sharp leading edges */
    AN_FACT_KEY_LENGTH, /* largest length that a key gives, over the longest edge of the box around the mesh */
    AN_FACT_ROUGHNESS, /* largest roughness of a wall over the longest edge of the box around the mesh */
    AN_FACT_PATTERN, /* largest distance of an edge of that box, over the pattern's wave length, from a whole number */
    AN_FACT_DES_LAYER, /* with turbulence.des: cells of the thinnest direction of a zone */
    AN_FACT_DES_STEP, /* with turbulence.des: part of the cells away from walls that the flow crosses in one step */
    AN_FACT_COOLANT, /* largest temperature of a coolant of a solid over the highest of the gas */
    AN_FACT_COOLANT_COLD, /* smallest of them */
    AN_FACT_CLEARANCE,    /* largest clearance of a leakage over the longest edge */
    AN_FACT_SEAL_RADIUS, /* largest radius of a leakage over the reach of the mesh (monitor/extent.h) */
    AN_FACT_WALL_OUTSIDE, /* largest part of a wall beyond the ends of its profile, % */
    AN_FACT_WALL_BEYOND,  /* largest arc length of a profile over that of the side of the blade */
    AN_FACT_HOLE_CELLS,   /* least cells of the wall across the diameter of a hole */
    AN_FACT_HOLE_SUPPLY, /* at the end: least p0 of a supply over the pressure of the stream beside the hole */
    AN_FACT_HOLE_CHOKED, /* at the end: largest speed that a given mass flow would need over that of sound */
    AN_FACT_HOLE_TURN, /* at the end: degrees, largest between a jet along the wall and the stream */
    AN_FACT_HOLE_LIFTS, /* at the end: largest momentum ratio of the jet of a hole */
    AN_FACT_MASS_FLOW,  /* at the end: what enters over what the choked inlet area would pass */
    AN_NFACT
};

/* K: a case with lower temperatures is doubted. */
#define AN_FACT_COLD 150.0
/* Momentum ratio above which the jet of a hole lifts off: its gas passes over the wall. */
#define AN_HOLE_LIFTS 0.5

struct an_facts {
    double value[AN_NFACT]; /* NaN: not known, or without meaning */
    char of[AN_NFACT]
           [AN_FACT_TEXT]; /* the key, boundary or line of a file; "" the case as a whole */
    char more[AN_NFACT][AN_FACT_TEXT]; /* what else the message says of it */
};

/* All facts unknown. */
void an_facts_init(struct an_facts *f);
/* Takes the value if it is below (above) what is known; returns 1 then, with `more` empty. */
int an_facts_least(struct an_facts *f, enum an_fact fact, double value, const char *of);
int an_facts_most(struct an_facts *f, enum an_fact fact, double value, const char *of);
void an_facts_more(struct an_facts *f, enum an_fact fact, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* ", perhaps 118 kPa are meant": the unit in which p would be near `level`, Pa; "" if p is not far below
 * it, or no unit fits. text[64] */
const char *an_plausible_pressure(double p, double level, char *text);
/* The same for a temperature in degrees Celsius, Fahrenheit or Rankine near `level`, K. Returns how far off it then is,
 * relative; infinite: no scale fits. text[64] */
double an_plausible_temperature(double T, double level, char *text);

enum an_verdict { AN_PLAUSIBLE, AN_DOUBTFUL, AN_REFUSED };
/* The n-th rule applied to the facts; text[AN_PLAUSIBLE_TEXT] gets one line unless it is AN_PLAUSIBLE.
 * Returns -1 past the last rule. */
int an_plausible(int n, const struct an_facts *f, char *text);
/* Is the n-th rule on the settings of a map? A map with settings that are doubtful is not begun. */
int an_plausible_is_setting(int n);

#endif
