// FIELDVIEW's boundary file (.fvbnd), which ember and others write beside a PLOT3D grid:
//
//   FVBND 1 4
//   inlet                          names of the boundaries, a line for each
//   BOUNDARIES
//   1 1 1 1 1 33 1 17 F 0          number of the name, block, I, I, J, J, K, K (from 1), flags, for each part
//
// Indices of zero and below count from the last node: ember writes 0 for the last one, -1 for the one before.
// The parts become texts as --bc has them, so they are judged as those of the command line.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "kernels/base/text.h"

enum { NAMES = 1000, LINE = 1000 };

// The line without blanks at its ends; NULL at the end of the file.
static char *next(FILE *f, char line[LINE], int *number)
{
    if (!fgets(line, LINE, f))
        return NULL;
    ++*number;
    char *text = line + strspn(line, " \t");
    for (size_t n = strlen(text); n > 0 && strchr(" \t\r\n", text[n - 1]); n--)
        text[n - 1] = 0;
    return text;
}

// A part as a text of --bc; the grid has the nodes of the file.
static int part(const struct grid *g, int line, const char *text, char name[][32], int names,
                struct options *o)
{
    const char *path = o->fvbnd;
    int what, block, v[6], dir = -1;
    if (sscanf(text, "%d %d %d %d %d %d %d %d", &what, &block, &v[0], &v[1], &v[2], &v[3], &v[4],
               &v[5]) != 8)
        return fail(
            "%s:%d: a part has the number of its name, its block, and two indices along i, j "
            "and k",
            path, line);
    if (what < 1 || what > names)
        return fail("%s:%d: there is no name of number %d, from 1 to %d", path, line, what, names);
    char range[120] = "", *to = range;
    for (int d = 0; d < 3; d++) {
        for (int e = 2 * d; e < 2 * d + 2; e++)
            if (v[e] < 1 && block >= 1 && block <= g->blocks)
                v[e] += g->block[block - 1].n[d];
        const int lo = v[2 * d] < v[2 * d + 1] ? v[2 * d] : v[2 * d + 1];
        const int hi = v[2 * d] + v[2 * d + 1] - lo;
        if (lo == hi && dir < 0)
            dir = d;
        else
            to += snprintf(to, 40, "%s%d-%d", to > range ? "," : "", lo, hi);
    }
    if (dir < 0)
        return fail("%s:%d: the part of block %d is no part of a face", path, line, block);
    char **grown = realloc(o->listed, ((size_t)o->listings + 1) * sizeof *grown);
    char *bc = malloc(250);
    if (grown)
        o->listed = grown;
    if (!grown || !bc) {
        free(bc);
        return no_memory();
    }
    snprintf(bc, 250, "%d:%cm%s:%s=%s", block, "ijk"[dir], v[2 * dir] == 1 ? "in" : "ax", range,
             name[what - 1]);
    o->listed[o->listings++] = bc;
    return EXIT_DONE;
}

int fvbnd_read(const struct grid *g, struct options *o)
{
    static char name[NAMES][32];
    char line[LINE], *text;
    int number = 0, names = 0, parts = 0, rc = EXIT_DONE;
    FILE *f = an_text_open(o->fvbnd);
    if (!f)
        return fail("%s: %s", o->fvbnd, strerror(errno));
    text = next(f, line, &number);
    if (!text || strncmp(text, "FVBND", 5) != 0)
        rc = fail("%s:1: the file does not begin with FVBND", o->fvbnd);
    while (!rc && (text = next(f, line, &number))) {
        if (strcmp(text, "BOUNDARIES") == 0)
            parts = 1;
        else if (*text && parts)
            rc = part(g, number, text, name, names, o);
        else if (*text && (strlen(text) > 31 || names == NAMES))
            rc = fail("%s:%d: names have at most 31 characters, and a file %d of them", o->fvbnd,
                      number, NAMES);
        else if (*text) {
            snprintf(name[names], sizeof name[names], "%s", text);
            for (char *c = name[names]; *c; c++)
                *c = strchr(" \t/=:", *c) ? '_' : *c;
            names++;
        }
    }
    fclose(f);
    if (!rc && !o->listings)
        rc = fail("%s: there are no parts behind a line BOUNDARIES", o->fvbnd);
    return rc;
}
