#include "io/plausible.h"

#include "kernels/base/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Limits that a rule does not have are infinite. */
#define NONE INFINITY

static const struct rule {
    enum an_fact fact;
    double refuse_low, warn_low, warn_high, refuse_high;
    const char *says;      /* %s: what it is of; %.4g: the value; %s: more of it */
    const char *plausible; /* what would be */
} rules[] = {
    {AN_FACT_BACK_PRESSURE, -NONE, -NONE, NONE, 1,
     "%s is %.4g times the largest total pressure at the inlet%s, so gas would enter at the outlet",
     "below 1 where no row turns"},
    {AN_FACT_OVERPRESSURE, -NONE, -NONE, 0.7, 2,
     "%s asks for %.4g times the rise of pressure that the rows could make of the largest total "
     "pressure at the inlet%s",
     "below 0.3, else gas enters at the outlet; all pressures are in pascal, absolute, 1 bar is "
     "1e5"},
    {AN_FACT_EXPANSION, -NONE, 0.01, NONE, NONE,
     "%s is %.4g times the total pressure at the inlet%s",
     "0.05 to 1; all pressures are in pascal, 1 bar is 1e5"},
    {AN_FACT_ENCLOSED, -NONE, -NONE, 0.5, NONE,
     "%sno boundary lets gas in or out, because all boundaries are walls",
     "an inlet and an outlet"},
    {AN_FACT_COLDEST, -NONE, AN_FACT_COLD, NONE, NONE, "%s is %.6g K%s",
     "200 to 2500 K; temperatures are in kelvin, 15 degrees Celsius are 288.15 K"},
    {AN_FACT_HOTTEST, -NONE, -NONE, 4000, NONE, "%s is %.6g K", "200 to 2500 K"},
    {AN_FACT_SCALE, -NONE, NONE, NONE, NONE, "%s is %.6g K%s",
     "about the same temperature at the inlet and at the start; temperatures are in kelvin"},
    {AN_FACT_PRESSURE, -NONE, 300, NONE, NONE, "%s is %.6g Pa%s",
     "1e3 to 1e7 Pa; pressures are in pascal, 1 bar is 1e5"},
    {AN_FACT_PRESSURE_MOST, -NONE, -NONE, 1e8, NONE, "%s is %.6g Pa",
     "1e3 to 1e7 Pa; pressures are in pascal, 1 bar is 1e5"},
    {AN_FACT_LEVEL, -NONE, 0.02, NONE, NONE,
     "%s is %.3g times the level of the other pressures of the case%s",
     "0.05 to 20; pressures are in pascal, 1 bar is 1e5"},
    {AN_FACT_INFLOW_ANGLE, -NONE, -NONE, 80, NONE,
     "%s: the flow enters at %.4g degrees to the meridional plane or to the normal of the inlet",
     "below 75 degrees; an angle from the circumferential direction is 90 degrees less it"},
    {AN_FACT_INTENSITY, -NONE, -NONE, 0.4, NONE, "%s: the turbulence intensity is %.3g%s",
     "0.001 to 0.2; an intensity is a part of the speed, 4 % is 0.04, and k is in J/kg"},
    {AN_FACT_EDDIES, -NONE, -NONE, 1e5, 1.0000001e6,
     "%s: the eddy viscosity is %.4g times the viscosity%s",
     "0.1 to 1e4; k is in J/kg, and omega in 1/s"},
    {AN_FACT_INLET_FLOW, -NONE, 0.05, NONE, NONE,
     "%s is %.3g times the mass flow at which the inlet would be choked%s",
     "0.05 to 1; mass flows are in kg/s of the whole annulus"},
    {AN_FACT_INLET_CHOKED, -NONE, -NONE, 1.2, NONE,
     "%s is %.3g times the mass flow at which the inlet would be choked%s",
     "0.05 to 1; mass flows are in kg/s of the whole annulus"},
    {AN_FACT_ROW_SIGN, -NONE, -NONE, 15, NONE,
     "%s: the blades point by %.3g degrees in the direction of their rotation%s",
     "against it, in compressors and turbines, so the sign of the speed is probably wrong; a "
     "positive speed turns from y "
     "to z"},
    {AN_FACT_SHAFT, -NONE, -NONE, 1e-3, NONE,
     "%s: the speed differs by a part of %.3g from that of the rotor ahead%s",
     "the same speed of all rotors of a shaft"},
    {AN_FACT_INCIDENCE, -NONE, -NONE, 35, NONE,
     "%s: by the mean line the flow meets the blades at %.3g degrees from their angle%s",
     "below 15 degrees; the rows may stand in the wrong order, one may be missing, or turn the "
     "wrong "
     "way"},
    {AN_FACT_REACHED, -NONE, -NONE, 1.05, NONE,
     "%s is %.4g times the highest pressure that the mean line of the rows reaches%s", "below 1"},
    {AN_FACT_PASSED, -NONE, -NONE, 1.1, NONE,
     "%s is %.4g times the mass flow that the rows pass by their mean line%s", "below 1"},
    {AN_FACT_SETTING_PRESSURE, -NONE, 0.01, NONE, NONE,
     "%s is %.4g times the total pressure at the inlet%s",
     "0.05 to 1; all pressures are in pascal, 1 bar is 1e5"},
    {AN_FACT_SETTING_HIGH, -NONE, -NONE, 2, NONE,
     "%s is %.4g times the pressure that could be reached from the total pressure at the inlet%s",
     "below 1, from choke to stall; all pressures are in pascal, 1 bar is 1e5"},
    {AN_FACT_SETTING_FLOW, -NONE, 0.05, NONE, NONE,
     "%s is %.3g times the mass flow at which the inlet would be choked%s",
     "0.1 to 1; mass flows are in kg/s of the whole annulus"},
    {AN_FACT_SETTING_CHOKED, -NONE, -NONE, 1.2, NONE,
     "%s is %.3g times the mass flow at which the inlet would be choked%s",
     "0.1 to 1; mass flows are in kg/s of the whole annulus"},
    {AN_FACT_SETTING_THROTTLE, -NONE, 1e-3, NONE, NONE, "%s is a factor of %.4g on the throttle",
     "0.1 to 10 with 'map.vary: throttle', whose settings are factors on its resistance"},
    {AN_FACT_SETTING_THROTTLE_MOST, -NONE, -NONE, 1e3, NONE,
     "%s is a factor of %.4g on the throttle",
     "0.1 to 10 with 'map.vary: throttle', whose settings are factors on its resistance"},
    {AN_FACT_PASSING_STEPS, 1.9999, 19.9, NONE, NONE, "%s: a passing takes %.3g time steps%s",
     "50 to 100, and at least 20; with fewer than 2 no unsteady flow is resolved"},
    {AN_FACT_SERIES_STEPS, 1.9999, 19.9, NONE, NONE, "%s takes %.3g time steps%s",
     "50 to 100, and at least 20; times are in seconds"},
    {AN_FACT_LEFT, -NONE, 0.5, NONE, NONE, "%s: %.0f iterations are left for it",
     "a number well below that of the last iteration"},
    {AN_FACT_VISCOSITY, -NONE, 0.9, 1.1, NONE, "%s gives %.3g times the viscosity of gas.table%s",
     "0.95 to 1.05, or 'gas.viscosity: table'; mu, T_ref, S and exponent have to be those of the "
     "fluid"},
    {AN_FACT_AIR_VISCOSITY, -NONE, 0.92, 1.08, NONE,
     "%s has the constants of air, but the gas constant is %.3g times that of air%s",
     "gas.mu and gas.T_ref, gas.S or gas.exponent of the gas itself"},
    {AN_FACT_CP_COLDEST, -NONE, 1, NONE, NONE,
     "%s is %.4g times the lowest temperature of gas.T_range%s",
     "temperatures within gas.T_range; outside of it cp is constant"},
    {AN_FACT_CP_HOTTEST, -NONE, -NONE, 1, NONE,
     "%s is %.4g times the highest temperature of gas.T_range%s",
     "temperatures within gas.T_range; outside of it cp is constant"},
    {AN_FACT_LENGTH, -NONE, 1e-3, 80, NONE, "%s is %.4g m long",
     "1 mm to 50 m; perhaps the mesh is in millimetres and its file does not say so, or it is in "
     "metres and its file says millimetres"},
    {AN_FACT_RADIUS, -NONE, 2e-3, 5, NONE, "%s turns at a radius of %.4g m",
     "1 cm to 2 m; perhaps the mesh is in millimetres and its file does not say so, or it is in "
     "metres and its file says millimetres"},
    {AN_FACT_TIP_SPEED, -NONE, -NONE, 800, NONE, "%s turns with a tip speed of %.4g m/s",
     "100 to 600 m/s; look at rpm, at omega, which is in rad/s, and at the unit of the mesh"},
    {AN_FACT_TIP_MACH, -NONE, -NONE, NONE, 6,
     "%s turns with a tip speed of %.4g times the speed of sound",
     "0.1 to 1.8; look at rpm, at omega, which is in rad/s, and at the unit of the mesh"},
    {AN_FACT_STAGNATION, -NONE, -NONE, 1.02, NONE,
     "%s: the pressure is %.4g times the highest total pressure relative to the wall",
     "at most 1; the cells around that edge are too large along the wall or normal to it, or the "
     "flow has not settled"},
    {AN_FACT_LAG_MISSED, -NONE, -NONE, 0.02, NONE,
     "%s: the series of march.phase_lag miss %.3g of the energy of the signals",
     "below 0.02; the flow has not become periodic yet, needs more harmonics, or has a frequency "
     "of its "
     "own"},
    {AN_FACT_LAMINAR_YPLUS, -NONE, -NONE, 1, NONE,
     "%s: the centres of the first cells lie at y+ up to %.3g",
     "at most 1 with turbulence.transition; transition comes too early or too late on coarser "
     "cells"},
    {AN_FACT_LEADING_CELL, -NONE, -NONE, 1000, NONE,
     "%s begins with cells whose Reynolds number is %.3g",
     "below 1000 with turbulence.transition; the model takes longer cells for a thick boundary "
     "layer, so that the wall is turbulent from there on"},
    {AN_FACT_KEY_LENGTH, -NONE, -NONE, 2, NONE, "%s is %.4g times the length of the mesh",
     "below 1; lengths are in metres"},
    {AN_FACT_ROUGHNESS, -NONE, -NONE, 0.01, NONE, "%s is %.3g times the length of the mesh",
     "below 0.001; roughness is in metres, 20 micrometres are 2e-5"},
    {AN_FACT_WALL_OUTSIDE, -NONE, -NONE, 5, 99.9,
     "%s: %.3g %% of the area of the wall lies outside the places of the file, where the values of "
     "its ends hold",
     "at most 5 %; add lines, or look at the unit and the origin of the places"},
    {AN_FACT_WALL_BEYOND, -NONE, -NONE, 1.05, NONE,
     "%s: the arc lengths of the file reach to %.3g times the length of their side of the blade",
     "at most 1; look at their unit, and whether the file is of this blade"},
    {AN_FACT_COOLANT, -NONE, -NONE, 1, NONE,
     "%s is %.4g times the highest temperature of the gas%s",
     "below 1; the coolant of a solid is colder than the gas"},
    {AN_FACT_COOLANT_COLD, -NONE, 0.3, NONE, NONE,
     "%s is %.3g times the highest temperature of the gas%s",
     "0.3 to 1; temperatures are in kelvin"},
    {AN_FACT_CLEARANCE, -NONE, -NONE, 0.1, NONE, "%s is %.3g times the length of the mesh",
     "below 0.02; clearances are in metres, 0.3 mm are 3e-4"},
    {AN_FACT_SEAL_RADIUS, -NONE, -NONE, 1.5, NONE,
     "%s is %.3g times the largest radius of the mesh", "at most 1; radii are in metres"},
    {AN_FACT_PATTERN, -NONE, -NONE, 0.01, NONE,
     "%s: an edge of the box around the mesh is %.3g wave lengths away from a whole number of them",
     "a box with edges of 2 pi initial.length, or a multiple; in others the initial flow has a "
     "jump "
     "where the box repeats"},
    {AN_FACT_DES_LAYER, -NONE, 2, NONE, NONE, "%s has %.0f layer of cells in one direction",
     "20 or more with turbulence.des; eddies need three dimensions"},
    {AN_FACT_DES_STEP, -NONE, -NONE, 0.25, NONE,
     "%s: the flow crosses more than one cell in a step in %.3g of the cells that lie away from "
     "walls",
     "a CFL number of the flow's speed below 1 in wakes with turbulence.des; eddies of the size of "
     "cells are lost "
     "in longer steps"},
    {AN_FACT_HOLE_CELLS, -NONE, 1, NONE, NONE, "%s has %.3g cells of the wall across its diameter",
     "at least 2; the jets of smaller holes are as wide as the cells"},
    {AN_FACT_HOLE_SUPPLY, -NONE, 1, NONE, NONE,
     "%s: p0 of the supply is %.3g times the pressure of the stream beside the hole, so that no "
     "gas "
     "enters",
     "above 1; p0 is absolute, and relative to the wall"},
    {AN_FACT_HOLE_CHOKED, -NONE, -NONE, 1, NONE,
     "%s: the mass flow of the jet would need %.3g times the speed of sound at the exit of the "
     "hole",
     "below 1; mass flows are those of one hole, and the gas enters at the speed of sound here"},
    {AN_FACT_HOLE_TURN, -NONE, -NONE, 120, NONE,
     "%s: the jet blows against the stream, at %.3g degrees to it",
     "below 90; look at the sense of along_x, along_y, along_z and beta_deg"},
    {AN_FACT_HOLE_LIFTS, -NONE, -NONE, AN_HOLE_LIFTS, NONE,
     "%s: the jet has %.3g times the momentum flux of the stream, so that it lifts off the wall%s",
     "below 0.5; the model of the jets is for attached ones and predicts the effectiveness of "
     "others less exactly"},
    {AN_FACT_MASS_FLOW, -NONE, 1e-4, NONE, NONE,
     "%s passes %.3g times the mass flow at which it would be choked",
     "above 0.05; hardly any gas flows, so look at the pressures of inlet and outlet"},
};

void an_facts_init(struct an_facts *f)
{
    for (int n = 0; n < AN_NFACT; n++) {
        f->value[n] = NAN;
        f->of[n][0] = f->more[n][0] = '\0';
    }
}

static int set(struct an_facts *f, enum an_fact fact, double value, const char *of)
{
    f->value[fact] = value;
    snprintf(f->of[fact], sizeof f->of[fact], "%s", of);
    f->more[fact][0] = '\0';
    return 1;
}

int an_facts_least(struct an_facts *f, enum an_fact fact, double value, const char *of)
{
    return isnan(f->value[fact]) || value < f->value[fact] ? set(f, fact, value, of) : 0;
}

int an_facts_most(struct an_facts *f, enum an_fact fact, double value, const char *of)
{
    return isnan(f->value[fact]) || value > f->value[fact] ? set(f, fact, value, of) : 0;
}

void an_facts_more(struct an_facts *f, enum an_fact fact, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f->more[fact], sizeof f->more[fact], format, arguments);
    va_end(arguments);
}

const char *an_plausible_pressure(double p, double level, char *text)
{
    double least = log(3);
    *text = '\0';
    for (int n = 0; an_unit_row(n) && p < level / 30; n++) {
        const struct an_unit *unit = an_unit_row(n);
        if (unit->quantity != AN_PRESSURE || unit->factor == 1)
            continue;
        const double off = fabs(log(p * unit->factor / level));
        if (off < least)
            snprintf(text, 64, ", perhaps %.6g %s are meant", p, unit->word);
        least = fmin(least, off);
    }
    return text;
}

double an_plausible_temperature(double T, double level, char *text)
{
    double least = INFINITY;
    *text = '\0';
    for (int n = 0; an_unit_row(n); n++) {
        const struct an_unit *unit = an_unit_row(n);
        if (unit->quantity != AN_TEMPERATURE || (unit->factor == 1 && unit->offset == 0))
            continue;
        const int absolute = unit->offset == 0; /* Rankine: larger numbers than kelvin */
        const double off = fabs((unit->factor * T + unit->offset) / level - 1);
        const int holds = absolute ? T > level / 0.75 : T < 0.75 * level;
        if (!holds || !(off < (absolute ? 0.06 : 0.12) && off < least))
            continue;
        snprintf(text, 64, ", perhaps %.6g %s are meant", T, unit->word);
        least = off;
    }
    return least;
}

int an_plausible(int n, const struct an_facts *f, char *text)
{
    if (n < 0 || n >= (int)(sizeof rules / sizeof *rules))
        return -1;
    const struct rule *r = &rules[n];
    const double v = f->value[r->fact];
    int verdict = AN_PLAUSIBLE;
    *text = '\0';
    if (v < r->warn_low || v > r->warn_high)
        verdict = AN_DOUBTFUL;
    if (v <= r->refuse_low || v >= r->refuse_high)
        verdict = AN_REFUSED;
    if (isnan(v) || verdict == AN_PLAUSIBLE)
        return AN_PLAUSIBLE;
    char figure[AN_PLAUSIBLE_TEXT - 256];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(figure, sizeof figure, r->says, f->of[r->fact], v, f->more[r->fact]);
#pragma GCC diagnostic pop
    snprintf(text, AN_PLAUSIBLE_TEXT, "%s; plausible: %s", figure, r->plausible);
    return verdict;
}

int an_plausible_is_setting(int n)
{
    return rules[n].fact >= AN_FACT_SETTING_PRESSURE &&
           rules[n].fact <= AN_FACT_SETTING_THROTTLE_MOST;
}
