// Round coolant holes from a table with a heading: x, y, diameter with units (x_cm), and perhaps name or hole. '#' starts
// a comment; commas and semicolons count as blanks.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "solid.h"

#include "kernels/base/text.h"
#include "kernels/base/units.h"

enum { LINE = 1000, COLUMNS = 24 };
enum { X, Y, DIAMETER, NAME, NUMBER, KINDS };

struct heading {
    int columns, column[KINDS]; // -1: not there
    double factor[KINDS];       // to metres; 0: the heading names no unit
};

static int fail(const char *path, int line, const char *what)
{
    fprintf(stderr, "%s:%d: error: %s\n", path, line, what);
    return EXIT_INPUT;
}

static int split(char *text, char *word[COLUMNS])
{
    int n = 0;
    char *save = NULL;
    for (char *w = strtok_r(text, " \t\r\n,;", &save); w; w = strtok_r(NULL, " \t\r\n,;", &save)) {
        if (n < COLUMNS)
            word[n] = w;
        n++;
    }
    return n;
}

// A heading as "diameter_cm" or "d[mm]": its first word and its unit.
static void read_heading(struct heading *h, char *word[COLUMNS], int n)
{
    static const char *const names[KINDS][3] = {
        {"x"}, {"y"}, {"diameter", "d", "dia"}, {"name"}, {"hole"}};
    h->columns = n;
    for (int k = 0; k < KINDS; k++)
        h->column[k] = -1;
    for (int c = 0; c < n && c < COLUMNS; c++) {
        size_t first = 0;
        while (isalpha((unsigned char)word[c][first]))
            first++;
        char unit[16] = "";
        sscanf(word[c] + first, "%*[^A-Za-z]%15[A-Za-z]", unit);
        const struct an_unit *u = an_unit_find(AN_LENGTH, unit);
        for (int k = 0; k < KINDS; k++)
            for (int l = 0; l < 3 && names[k][l]; l++)
                if (strlen(names[k][l]) == first && !strncasecmp(word[c], names[k][l], first)) {
                    h->column[k] = c;
                    h->factor[k] = u ? u->factor : 0;
                }
    }
}

// The family: the name, or hole_N where the table gives a number or no name.
static int read_family(struct holes *h, struct hole *to, const char *word)
{
    if (!word)
        snprintf(to->name, sizeof to->name, "hole_%d", h->n + 1);
    else
        snprintf(to->name, sizeof to->name, "%s%s", word[strspn(word, "0123456789")] ? "" : "hole_",
                 word);
    if (hole_name_fits(h, to->name))
        return EXIT_DONE;
    fprintf(stderr, "%s:%d: error: '%s' cannot be the name of a hole: " HOLE_NAMES "\n", h->path,
            to->line, to->name, LONGEST_HOLE);
    return EXIT_INPUT;
}

static int read_hole(struct holes *h, const struct heading *head, char *word[COLUMNS], int n,
                     int line, const struct options *o)
{
    double v[DIAMETER + 1];
    char what[120];
    if (n != head->columns) {
        snprintf(what, sizeof what, "%d columns, where the heading has %d", n, head->columns);
        return fail(h->path, line, what);
    }
    if (h->n == MAX_HOLES) {
        snprintf(what, sizeof what, "more than %d holes", MAX_HOLES);
        return fail(h->path, line, what);
    }
    for (int k = 0; k <= DIAMETER; k++) {
        char *end;
        v[k] = strtod(word[head->column[k]], &end);
        if (*end || !isfinite(v[k]) || (k == DIAMETER && !(v[k] > 0))) {
            snprintf(what, sizeof what, "'%.40s' is no %s", word[head->column[k]],
                     k == DIAMETER ? "diameter above 0" : "finite number");
            return fail(h->path, line, what);
        }
        v[k] *= head->factor[k] > 0 ? head->factor[k] * o->resized : o->factor;
    }
    const double cs = cos(o->stagger), sn = sin(o->stagger);
    struct hole *to = &h->hole[h->n];
    *to = (struct hole){.at = {cs * v[X] - sn * v[Y], sn * v[X] + cs * v[Y]},
                        .radius = 0.5 * v[DIAMETER],
                        .line = line};
    const int named = head->column[NAME] >= 0 ? NAME : NUMBER;
    const int rc = read_family(h, to, head->column[named] < 0 ? NULL : word[head->column[named]]);
    h->n += !rc;
    return rc;
}

static int read_lines(struct holes *h, FILE *f, const struct options *o)
{
    struct heading head = {0};
    char text[LINE], *word[COLUMNS];
    int rc = EXIT_DONE, line = 0;
    while (!rc && fgets(text, sizeof text, f)) {
        line++;
        if (strlen(text) == sizeof text - 1)
            return fail(h->path, line, "the line is too long for a table: is this a text file?");
        text[strcspn(text, "#")] = 0;
        if (!head.columns)
            heading_close(text);
        const int n = split(text, word);
        if (n > COLUMNS)
            return fail(h->path, line, "too many columns");
        if (n && head.columns) {
            rc = read_hole(h, &head, word, n, line, o);
        } else if (n) {
            read_heading(&head, word, n);
            for (int k = 0; k <= DIAMETER; k++)
                if (head.column[k] < 0)
                    return fail(h->path, line,
                                "expected a heading that names the columns x, y and diameter "
                                "(x_mm,y_mm,diameter_mm), and perhaps name or hole");
        }
    }
    if (!rc && !head.columns)
        return fail(h->path, line, "no heading that names the columns x, y and diameter");
    return rc;
}

int holes_read(struct holes *h, const struct options *o)
{
    *h = (struct holes){.path = o->holes};
    FILE *f = an_text_open(h->path);
    if (!f) {
        fprintf(stderr, "%s: error: %s\n", h->path, strerror(errno));
        return EXIT_INPUT;
    }
    const int rc = read_lines(h, f, o);
    fclose(f);
    return rc;
}

int holes_check(struct holes *h, const struct curve *c)
{
    struct hole_wall w;
    const enum hole_fault fault = holes_fit(&w, h, c);
    const struct hole *a = &h->hole[w.a];
    if (fault == HOLE_OUTSIDE) {
        fprintf(stderr, "%s:%d: error: %s, centre (%g, %g) m, lies outside the blade\n", h->path,
                a->line, a->name, a->at.x, a->at.y);
        return EXIT_INPUT;
    }
    if (h->n)
        hole_wall_name(&w, h, h->where);
    h->least = w.thick;
    if (fault == HOLES_FIT)
        return EXIT_DONE;
    fprintf(stderr,
            "%s:%d: error: %s %s: the wall between them is %.3g mm thick; a mesh needs %.3g mm\n",
            h->path, w.b < 0 ? a->line : h->hole[w.b].line, h->where,
            w.thick > 0 ? "nearly touch" : "overlap", 1e3 * w.thick, 1e3 * w.enough);
    return EXIT_INPUT;
}
