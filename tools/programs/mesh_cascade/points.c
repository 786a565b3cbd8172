// The points of a profile from a text file: "x y" lines, or a table with a heading that names its
// columns. '#' starts a comment; commas and semicolons count as blanks; lines of words before the first
// point are headings. Names are read word by word: x or y, the side (ss, suction, upper; ps, pressure,
// lower; or xs, ys, xp, yp), the unit (m, cm, mm, in, ft).
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mesh.h"

#include "kernels/base/text.h"
#include "kernels/base/units.h"

enum { COLUMNS = 16, LINE = 1000 };

struct heading {
    int columns;           // 0: there is none that names x and y
    int x[2], y[2];        // columns of the loop, or of suction and pressure side; -1: not there
    double scale;          // of the unit that the names hold, 0: none
    char text[LINE], word; // the last line of words
};

static int out_of_memory(const char *path)
{
    fprintf(stderr, "%s: error: out of memory\n", path);
    return EXIT_INPUT;
}

static bool is_word(const char *token, const char *list)
{
    const size_t n = strlen(token);
    for (const char *p = list; *p; p += strcspn(p, " "), p += *p == ' ')
        if (strcspn(p, " ") == n && strncasecmp(p, token, n) == 0)
            return true;
    return false;
}

// What the name of a column says: which coordinate (0 x, 1 y, -1 none), side (0 suction, 1 pressure, -1
// none), unit.
static void read_name(const char *name, int *coordinate, int *side, double *scale)
{
    char token[40];
    *coordinate = *side = -1;
    while (*name) {
        size_t n = 0;
        while (isalpha((unsigned char)*name) && n < sizeof token - 1)
            token[n++] = *name++;
        token[n] = 0;
        const int first = tolower((unsigned char)token[0]);
        if (is_word(token, "x xs xss xu xp xps xl"))
            *coordinate = 0;
        if (is_word(token, "y ys yss yu yp yps yl"))
            *coordinate = 1;
        const bool named = first == 'x' || first == 'y'; // the token is not empty
        if (is_word(token, "ss suction upper us") || (named && is_word(token + 1, "s ss u")))
            *side = 0;
        if (is_word(token, "ps pressure lower ls") || (named && is_word(token + 1, "p ps l")))
            *side = 1;
        const struct an_unit *unit = an_unit_find(AN_LENGTH, token);
        if (unit)
            *scale = unit->factor;
        while (*name && !isalpha((unsigned char)*name))
            name++;
    }
}

void heading_close(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++) {
        const bool unit = strchr("[(/", *p) != NULL;
        while (unit && to > text && to[-1] == ' ')
            to--;
        if (*p != ' ' || to == text || !strchr("[(/", to[-1]))
            *to++ = *p;
    }
    *to = '\0';
}

static void read_heading(struct heading *h)
{
    char text[LINE], *save = NULL;
    memcpy(text, h->text, sizeof text);
    int columns = 0;
    h->columns = 0;
    h->scale = 0;
    h->x[0] = h->x[1] = h->y[0] = h->y[1] = -1;
    for (char *name = strtok_r(text, " \t\r\n", &save); name;
         name = strtok_r(NULL, " \t\r\n", &save)) {
        int coordinate, side;
        double scale = 0;
        read_name(name, &coordinate, &side, &scale);
        if (coordinate >= 0 && scale > 0)
            h->scale = scale;
        if (coordinate >= 0) {
            int *to = coordinate ? h->y : h->x;
            to[side < 0 ? 0 : side] = columns;
        }
        columns++;
    }
    if (h->x[1] >= 0 && h->x[0] < 0) { // x of one side only
        h->x[0] = h->x[1];
        h->x[1] = -1;
    }
    if (h->x[0] >= 0 && h->y[0] >= 0)
        h->columns = columns;
}

struct list {
    struct vec2 *x;
    int *line;
    int n, capacity;
};

static int append(struct list *l, struct vec2 x, int line, const char *path)
{
    if (l->n == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 256;
        struct vec2 *grown = realloc(l->x, (size_t)l->capacity * sizeof *grown);
        l->x = grown ? grown : l->x;
        int *lines = realloc(l->line, (size_t)l->capacity * sizeof *lines);
        l->line = lines ? lines : l->line;
        if (!grown || !lines)
            return out_of_memory(path);
    }
    l->x[l->n] = x;
    l->line[l->n++] = line;
    return EXIT_DONE;
}

static void list_free(struct list *l)
{
    free(l->x);
    free(l->line);
}

// The numbers of a line; returns their count, -1 when it begins with anything else, -2 when other text
// follows a number.
static int numbers(const char *p, double v[COLUMNS])
{
    int n = 0;
    for (;; n++) {
        char *end;
        while (isspace((unsigned char)*p))
            p++;
        if (!*p)
            return n;
        const double a = strtod(p, &end);
        if (end == p || (*end && !isspace((unsigned char)*end)) || !isfinite(a))
            return n == 0 ? -1 : -2;
        if (n < COLUMNS)
            v[n] = a;
        p = end;
    }
}

static int add_line(struct list side[2], const struct heading *h, const char *path, int line, int n,
                    const double *v)
{
    if (n != (h->columns ? h->columns : 2)) {
        if (h->columns)
            fprintf(stderr,
                    "%s:%d: error: expected %d finite numbers, as many as the heading has names\n",
                    path, line, h->columns);
        else
            fprintf(stderr,
                    "%s:%d: error: expected two finite numbers, x and y, and nothing else (or a "
                    "heading "
                    "that names the columns x and y)\n",
                    path, line);
        return EXIT_INPUT;
    }
    if (h->columns > COLUMNS) {
        fprintf(stderr, "%s: error: the heading has %d columns, more than %d\n", path, h->columns,
                COLUMNS);
        return EXIT_INPUT;
    }
    if (!h->columns)
        return append(&side[0], (struct vec2){v[0], v[1]}, line, path);
    int rc = append(&side[0], (struct vec2){v[h->x[0]], v[h->y[0]]}, line, path);
    if (!rc && h->y[1] >= 0)
        rc = append(&side[1], (struct vec2){v[h->x[1] >= 0 ? h->x[1] : h->x[0]], v[h->y[1]]}, line,
                    path);
    return rc;
}

static int read_lines(FILE *f, const char *path, struct list side[2], struct heading *h)
{
    char text[LINE];
    int rc = EXIT_DONE;
    for (int line = 1; !rc && fgets(text, sizeof text, f); line++) {
        double v[COLUMNS] = {0};
        if (strlen(text) == sizeof text - 1) {
            fprintf(stderr,
                    "%s:%d: error: the line is too long for a table: is this a text file?\n", path,
                    line);
            return EXIT_INPUT;
        }
        char *comment = strchr(text, '#');
        if (comment)
            *comment = 0;
        for (char *p = text; *p; p++)
            if (*p == ',' || *p == ';')
                *p = ' ';
        const int n = numbers(text, v);
        if (n == 0)
            continue;
        if (n == -1 && side[0].n == 0) {
            heading_close(text);
            memcpy(h->text, text, sizeof text);
            read_heading(h);
            continue;
        }
        rc = add_line(side, h, path, line, n, v);
    }
    return rc;
}

// Puts the second side behind the first one, from the end that is nearer to the first side's last point: as a
// rule both run from the leading to the trailing edge.
static int join_sides(struct list side[2], const char *path)
{
    const int m = side[1].n;
    if (m == 0)
        return EXIT_DONE;
    const struct vec2 end = side[0].x[side[0].n - 1];
    const bool on = norm(sub(side[1].x[0], end)) < norm(sub(side[1].x[m - 1], end));
    int rc = EXIT_DONE;
    for (int i = 0; i < m && !rc; i++) {
        const int k = on ? i : m - 1 - i;
        rc = append(&side[0], side[1].x[k], side[1].line[k], path);
    }
    return rc;
}

int points_read(struct points *to, const char *path)
{
    *to = (struct points){0};
    FILE *f = an_text_open(path);
    if (!f) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        return EXIT_INPUT;
    }
    struct list side[2] = {{0}, {0}};
    struct heading h = {.x = {-1, -1}, .y = {-1, -1}};
    int rc = read_lines(f, path, side, &h);
    fclose(f);
    const bool sides = side[1].n > 0;
    if (!rc)
        rc = join_sides(side, path);
    list_free(&side[1]);
    if (rc) {
        list_free(&side[0]);
        return rc;
    }
    *to = (struct points){side[0].x, side[0].line, side[0].n, h.scale, sides};
    return EXIT_DONE;
}

void points_free(struct points *p)
{
    free(p->x);
    free(p->line);
    *p = (struct points){0};
}

int drop_repeats(struct vec2 *x, int n, double tol)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (k == 0 || norm(sub(x[i], x[k - 1])) > tol)
            x[k++] = x[i];
    while (k > 1 && norm(sub(x[k - 1], x[0])) <= tol)
        k--;
    return k;
}
