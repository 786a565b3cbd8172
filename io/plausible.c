#include "io/plausible.h"

#include <math.h>
#include <stdio.h>

/* Limits that a rule does not have are infinite. */
#define NONE INFINITY

static const struct rule {
    enum an_fact fact;
    double refuse_low, warn_low, warn_high, refuse_high;
    const char *says;      /* %s: what it is of; %.4g: the value */
    const char *plausible; /* what would be */
} rules[] = {
    {AN_FACT_BACK_PRESSURE, -NONE, -NONE, NONE, 1,
     "%s is %.4g times the largest total pressure at the inlet, so gas would enter at the outlet",
     "below 1 where no row turns"},
    {AN_FACT_EXPANSION, -NONE, 0.01, NONE, NONE, "%s is %.4g times the total pressure at the inlet",
     "0.05 to 1; all pressures are in pascal, 1 bar is 1e5"},
    {AN_FACT_ENCLOSED, -NONE, -NONE, 0.5, NONE,
     "%sno boundary lets gas in or out, because all boundaries are walls",
     "an inlet and an outlet"},
    {AN_FACT_COLDEST, -NONE, 150, NONE, NONE, "%s is %.6g K",
     "200 to 2500 K; temperatures are in kelvin, 15 degrees Celsius are 288.15 K"},
    {AN_FACT_HOTTEST, -NONE, -NONE, 4000, NONE, "%s is %.6g K", "200 to 2500 K"},
    {AN_FACT_PRESSURE, -NONE, 300, NONE, NONE, "%s is %.6g Pa",
     "1e3 to 1e7 Pa; pressures are in pascal, 1 bar is 1e5"},
    {AN_FACT_LENGTH, -NONE, 1e-3, 80, NONE, "%s is %.4g m long",
     "1 mm to 50 m; perhaps the mesh is in millimetres and its file does not say so, or it is in "
     "metres and its file says millimetres"},
    {AN_FACT_RADIUS, -NONE, 2e-3, 5, NONE, "%s turns at a radius of %.4g m",
     "1 cm to 2 m; perhaps the mesh is in millimetres and its file does not say so, or it is in "
     "metres and its file says millimetres"},
    {AN_FACT_TIP_SPEED, -NONE, -NONE, 800, NONE, "%s turns with a tip speed of %.4g m/s",
     "100 to 600 m/s; look at rpm and at the unit of the mesh"},
    {AN_FACT_TIP_MACH, -NONE, -NONE, NONE, 6,
     "%s turns with a tip speed of %.4g times the speed of sound",
     "0.1 to 1.8; look at rpm and at the unit of the mesh"},
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
    {AN_FACT_ROUGHNESS, -NONE, -NONE, 0.01, NONE, "%s is %.3g times the length of the mesh",
     "below 0.001; roughness is in metres, 20 micrometres are 2e-5"},
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
    {AN_FACT_MASS_FLOW, -NONE, 1e-4, NONE, NONE,
     "%s passes %.3g times the mass flow at which it would be choked",
     "above 0.05; hardly any gas flows, so look at the pressures of inlet and outlet"},
};

void an_facts_init(struct an_facts *f)
{
    for (int n = 0; n < AN_NFACT; n++) {
        f->value[n] = NAN;
        f->of[n][0] = '\0';
    }
}

static void set(struct an_facts *f, enum an_fact fact, double value, const char *of)
{
    f->value[fact] = value;
    snprintf(f->of[fact], sizeof f->of[fact], "%s", of);
}

void an_facts_least(struct an_facts *f, enum an_fact fact, double value, const char *of)
{
    if (isnan(f->value[fact]) || value < f->value[fact])
        set(f, fact, value, of);
}

void an_facts_most(struct an_facts *f, enum an_fact fact, double value, const char *of)
{
    if (isnan(f->value[fact]) || value > f->value[fact])
        set(f, fact, value, of);
}

int an_plausible(int n, const struct an_facts *f, char *text, int size)
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
    char figure[256];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(figure, sizeof figure, r->says, f->of[r->fact], v);
#pragma GCC diagnostic pop
    snprintf(text, (size_t)size, "%s; plausible: %s", figure, r->plausible);
    return verdict;
}
