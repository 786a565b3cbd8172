// Periodic motions: "shift:DX,DY,DZ" (m) or "turn:DEGREES" about x.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

bool motion_is_none(const struct motion *m)
{
    return m->angle == 0 && m->shift[0] == 0 && m->shift[1] == 0 && m->shift[2] == 0;
}

void motion_apply(const struct motion *m, const double x[3], double to[3])
{
    const double c = cos(m->angle), s = sin(m->angle);
    to[0] = x[0] + m->shift[0];
    to[1] = c * x[1] - s * x[2] + m->shift[1];
    to[2] = s * x[1] + c * x[2] + m->shift[2];
}

int motion_parse(struct motion *m, const char *text)
{
    const bool turn = strncmp(text, "turn:", 5) == 0, shift = strncmp(text, "shift:", 6) == 0;
    const char *p = text + (turn ? 5 : shift ? 6 : 0);
    double v[3] = {0, 0, 0};
    int n = 0;
    *m = (struct motion){0};
    while ((turn || shift) && n < 3) {
        char *end;
        v[n] = strtod(p, &end);
        if (end == p || !isfinite(v[n]) || (*end && *end != ','))
            break;
        n++;
        p = end;
        if (!*p)
            break;
        p++;
    }
    if (*p || n == 0 || (turn && n != 1) || (shift && n < 2))
        return fail("--periodic %s: expected shift:DX,DY,DZ in metres, or turn:DEGREES about x",
                    text);
    if (turn)
        m->angle = v[0] * M_PI / 180;
    for (int d = 0; d < 3 && shift; d++)
        m->shift[d] = v[d];
    if (motion_is_none(m))
        return fail("--periodic %s: the motion is zero", text);
    return EXIT_DONE;
}
