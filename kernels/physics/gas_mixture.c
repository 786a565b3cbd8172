#include "kernels/physics/gas_mixture.h"

#include "kernels/base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N2, O2, AR, CO2, H2O, NSPECIES, TERMS = 7, NODES = 256 };

static const double gas_constant = 8.314462618; /* J/mol/K, CODATA 2018 */
static const double carbon_mass = 12.0107, hydrogen_mass = 1.00794;

/* g/mol; cp / Ru over T^-2, T^-1, ... T^4, below and above 1000 K; moles in a mole of dry air, ISO 2533
 * (gases of less than 1e-4 with argon). */
static const struct {
    double mass, low[TERMS], high[TERMS], in_air;
} species[NSPECIES] = {[N2] = {28.0134,
                               {2.210371497e+04, -3.81846182e+02, 6.08273836, -8.53091441e-03,
                                1.384646189e-05, -9.62579362e-09, 2.519705809e-12},
                               {5.87712406e+05, -2.239249073e+03, 6.06694922, -6.1396855e-04,
                                1.491806679e-07, -1.923105485e-11, 1.061954386e-15},
                               0.78084},
                       [O2] = {31.9988,
                               {-3.42556342e+04, 4.84700097e+02, 1.119010961, 4.29388924e-03,
                                -6.83630052e-07, -2.0233727e-09, 1.039040018e-12},
                               {-1.037939022e+06, 2.344830282e+03, 1.819732036, 1.267847582e-03,
                                -2.188067988e-07, 2.053719572e-11, -8.19346705e-16},
                               0.209476},
                       [AR] = {39.948, {0, 0, 2.5}, {0, 0, 2.5}, 0.00937},
                       [CO2] = {44.0095,
                                {4.94365054e+04, -6.26411601e+02, 5.30172524, 2.503813816e-03,
                                 -2.127308728e-07, -7.68998878e-10, 2.849677801e-13},
                                {1.176962419e+05, -1.788791477e+03, 8.29152319, -9.22315678e-05,
                                 4.86367688e-09, -1.891053312e-12, 6.33003659e-16},
                                0.000314},
                       [H2O] = {18.01528,
                                {-3.94796083e+04, 5.75573102e+02, 9.31782653e-01, 7.22271286e-03,
                                 -7.34255737e-06, 4.95504349e-09, -1.336933246e-12},
                                {1.034972096e+06, -2.412698562e+03, 4.64611078, 2.291998307e-03,
                                 -6.83683048e-07, 9.42646893e-11, -4.82238053e-15},
                                0}};

static double mass_of(const double *mole)
{
    double sum = 0;
    for (int s = 0; s < NSPECIES; s++)
        sum += mole[s] * species[s].mass;
    return sum;
}

static void dry_air(double *mole) /* of 1 kg, kmol */
{
    for (int s = 0; s < NSPECIES; s++)
        mole[s] = species[s].in_air;
    const double mass = mass_of(mole);
    for (int s = 0; s < NSPECIES; s++)
        mole[s] /= mass;
}

double an_gas_stoichiometric(const struct an_gas_air *air)
{
    double mole[NSPECIES];
    dry_air(mole);
    return mole[O2] * (air->carbon * carbon_mass + air->hydrogen * hydrogen_mass) /
           (air->carbon + 0.25 * air->hydrogen);
}

double an_gas_saturation(double T)
{
    const double critical = 647.096, x = 1 - T / critical, root = sqrt(x), x3 = x * x * x;
    const double sum = -7.85951783 * x + 1.84408259 * x * root - 11.7866497 * x3 +
                       22.6807411 * x3 * root - 15.9618719 * x * x3 +
                       1.80122502 * x3 * x3 * x * root;
    return 22.064e6 * exp(critical / T * sum);
}

int an_gas_vapour(double part, double p, double T, double *vapour)
{
    double mole[NSPECIES];
    AN_CHECK(T >= 273.15 && T <= 373.15, AN_INPUT,
             "%.6g K is outside of 273.15 to 373.15 K, where the pressure of saturation is known",
             T);
    const double pressure = part * an_gas_saturation(T);
    AN_CHECK(pressure < p, AN_INPUT,
             "the vapour would have %.6g Pa at %.6g K, which must be below the pressure, %.6g Pa",
             pressure, T, p);
    dry_air(mole);
    const double moles = mole[N2] + mole[O2] + mole[AR] + mole[CO2];
    *vapour = species[H2O].mass * moles * pressure / (p - pressure);
    return AN_OK;
}

/* cp / Ru of a mole of the mixture. */
static double heat(const double *part, double T)
{
    double sum = 0;
    for (int s = 0; s < NSPECIES; s++) {
        const double *const c = T < 1000 ? species[s].low : species[s].high;
        double value = c[TERMS - 1];
        for (int n = TERMS - 2; n >= 0; n--)
            value = value * T + c[n];
        sum += part[s] * value / (T * T);
    }
    return sum;
}

/* The Chebyshev series of R heat(T), cut off, in powers of T. */
static void fit(const double *part, double R, double lo, double hi, double *cp)
{
    const double pi = acos(-1.0), mid = 0.5 * (lo + hi), half = 0.5 * (hi - lo);
    double value[NODES], before[TERMS] = {1}, here[TERMS] = {-mid / half, 1 / half};
    for (int k = 0; k < NODES; k++)
        value[k] = R * heat(part, mid + half * cos(pi * (k + 0.5) / NODES));
    memset(cp, 0, TERMS * sizeof *cp);
    for (int m = 0; m < TERMS; m++) { /* before: T_m as a polynomial of T; here: T_(m+1) */
        double sum = 0, next[TERMS];
        for (int k = 0; k < NODES; k++)
            sum += value[k] * cos(pi * m * (k + 0.5) / NODES) * (m ? 2.0 : 1.0) / NODES;
        for (int k = 0; k < TERMS; k++) {
            cp[k] += sum * before[k];
            next[k] = 2 / half * ((k ? here[k - 1] : 0) - mid * here[k]) - before[k];
        }
        memcpy(before, here, sizeof before);
        memcpy(here, next, sizeof here);
    }
}

/* To 12 digits, so that the last bits of a library's cosine do not count. */
static double rounded(double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.11e", x);
    return strtod(text, NULL);
}

int an_gas_mixture(const struct an_gas_air *air, double lo, double hi, struct an_gas_mixed *out)
{
    double mole[NSPECIES], sum = 0;
    AN_CHECK(lo >= 200 && hi <= 6000 && lo < hi, AN_INPUT,
             "%.6g to %.6g K must be two temperatures from 200 to 6000 K, the lower first", lo, hi);
    AN_CHECK(air->fuel <= 0 || air->fuel <= an_gas_stoichiometric(air), AN_INPUT,
             "%.6g kg of fuel per kg of dry air are more than its oxygen can burn, %.6g kg",
             air->fuel, an_gas_stoichiometric(air));
    dry_air(mole);
    mole[H2O] += air->vapour / species[H2O].mass;
    if (air->fuel > 0) {
        const double fuel = air->fuel / (air->carbon * carbon_mass + air->hydrogen * hydrogen_mass);
        mole[CO2] += air->carbon * fuel;
        mole[H2O] += 0.5 * air->hydrogen * fuel;
        mole[O2] -= (air->carbon + 0.25 * air->hydrogen) * fuel;
    }
    for (int s = 0; s < NSPECIES; s++)
        sum += mole[s];
    out->R = rounded(1000 * gas_constant * sum / mass_of(mole));
    for (int s = 0; s < NSPECIES; s++)
        mole[s] /= sum;
    fit(mole, out->R, lo, hi, out->cp);
    for (int n = 0; n < TERMS; n++)
        out->cp[n] = rounded(out->cp[n]);
    out->off = 0;
    for (int k = 0; k <= 1000; k++) {
        const double T = lo + (hi - lo) * k / 1000, cp = out->R * heat(mole, T);
        double value = out->cp[TERMS - 1];
        for (int n = TERMS - 2; n >= 0; n--)
            value = value * T + out->cp[n];
        out->off = fmax(out->off, fabs(value / cp - 1));
    }
    return AN_OK;
}
