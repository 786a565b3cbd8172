// Profiles that are no doubt meant otherwise: wrong units, points that wave.
#include <math.h>
#include <stdio.h>

#include "mesh.h"

#include "kernels/base/units.h"

enum { MANY_WAVES = 10 };
#define MOST_AWAY 1e6 // chords: double precision leaves ten digits

// The unit in which the points would have to be for a usual pitch; NULL: none.
static const char *likely_unit(double pitch_over_chord, double *scale)
{
    static const char *const name[] = {"mm", "cm", "in", "km"};
    for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
        const struct an_unit *unit = an_unit_find(AN_LENGTH, name[k]);
        const double size = unit ? unit->factor : 1e3, r = pitch_over_chord / size;
        if (r > 0.25 && r < 4) {
            *scale = size;
            return unit ? unit->word : "kilometres, or the pitch in millimetres";
        }
    }
    return NULL;
}

static int check_units(const char *path, double chord, double pitch)
{
    const double ratio = pitch / chord;
    double scale = 1;
    if (ratio > 1.0 / 15 && ratio < 30)
        return EXIT_DONE;
    const bool refused = ratio <= 1.0 / 15 || ratio >= 200;
    const char *unit = likely_unit(ratio, &scale);
    fprintf(stderr, "%s: %s: the pitch of %g m is %.3g chords of %g m", path,
            refused ? "error" : "warning", pitch, ratio, chord);
    if (unit)
        fprintf(stderr, ": are the points in %s? Then give --scale %g", unit, scale);
    else
        fprintf(stderr, ": check --pitch and --scale");
    fprintf(stderr, "\n");
    return refused ? EXIT_INPUT : EXIT_DONE;
}

// Refuses points that lie so far from the origin that the differences of their coordinates have lost
// most of their digits.
static int check_digits(const char *path, const struct vec2 *x, int n, double chord)
{
    double away = 0;
    for (int i = 0; i < n; i++)
        away = fmax(away, norm(x[i]));
    if (away < MOST_AWAY * chord)
        return EXIT_DONE;
    fprintf(stderr,
            "%s: error: the points lie %.3g m from the origin, %.3g chords of %g m: their "
            "coordinates have too few digits for the shape; move the points to the origin\n",
            path, away, away / chord, chord);
    return EXIT_INPUT;
}

// Warns when the outline turns left and right again and again: the spline would follow the errors of
// the points.
static void warn_waves(const char *path, const struct vec2 *x, int n)
{
    int changes = 0, last = 0, first_at = 0;
    for (int i = 0; i < n; i++) {
        const struct vec2 a = sub(x[(i + 1) % n], x[i]), b = sub(x[(i + 2) % n], x[(i + 1) % n]);
        const double turn = atan2(cross(a, b), dot(a, b));
        if (fabs(turn) < 2e-3)
            continue;
        const int sign = turn > 0 ? 1 : -1;
        if (last && sign != last && changes++ == 1)
            first_at = (i + 1) % n;
        last = sign;
    }
    if (changes > MANY_WAVES)
        fprintf(stderr,
                "%s: warning: the profile waves: it changes from convex to concave and back %d "
                "times, for "
                "one at its point (%g, %g); smooth the points or give more digits\n",
                path, changes, x[first_at].x, x[first_at].y);
}

// Warns of a corner that points into the blade, as a misprinted point makes one beside it.
static void warn_dent(const char *path, const struct vec2 *x, int n)
{
    const double most = 10 * M_PI / 180;
    double area = 0, worst = 0;
    int at = -1;
    for (int i = 0; i < n; i++)
        area += cross(sub(x[i], x[0]), sub(x[(i + 1) % n], x[0]));
    for (int i = 0; i < n; i++) {
        const struct vec2 a = sub(x[(i + 1) % n], x[i]), b = sub(x[(i + 2) % n], x[(i + 1) % n]);
        const double inwards = atan2(cross(a, b), dot(a, b)) * (area > 0 ? -1 : 1);
        if (inwards > fmax(worst, most)) {
            worst = inwards;
            at = (i + 1) % n;
        }
    }
    if (at >= 0)
        fprintf(
            stderr,
            "%s: warning: the profile has a dent of %.0f degrees at (%g, %g) m: is this point or "
            "one beside it, (%g, %g) or (%g, %g), misprinted?\n",
            path, worst * 180 / M_PI, x[at].x, x[at].y, x[(at + n - 1) % n].x,
            x[(at + n - 1) % n].y, x[(at + 1) % n].x, x[(at + 1) % n].y);
}

int profile_suspect(const char *path, const struct vec2 *x, int n, double pitch)
{
    double chord = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            chord = fmax(chord, norm(sub(x[i], x[j])));
    if (check_units(path, chord, pitch) || check_digits(path, x, n, chord))
        return EXIT_INPUT;
    warn_waves(path, x, n);
    warn_dent(path, x, n);
    return EXIT_DONE;
}
