#include "io/case_keys.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 64 };

static int replace_cost(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? 1 : 2;
}

static int min2(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance of two words: insertion, deletion, substitution and swap of neighbours cost 2, a
 * change of case 1. Words are compared up to 64 characters. */
static int edit_distance(const char *a, const char *b)
{
    /* d[m % 3][n]: cost of turning the first m letters of a into the first n of b */
    int d[3][WORD + 1];
    int na = (int)strnlen(a, WORD), nb = (int)strnlen(b, WORD);
    for (int n = 0; n <= nb; n++)
        d[0][n] = 2 * n;
    for (int m = 1; m <= na; m++) {
        int *row = d[m % 3], *above = d[(m + 2) % 3], *above2 = d[(m + 1) % 3];
        row[0] = 2 * m;
        for (int n = 1; n <= nb; n++) {
            int best = above[n - 1] + replace_cost(a[m - 1], b[n - 1]);
            best = min2(best, 2 + min2(above[n], row[n - 1]));
            if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1])
                best = min2(best, above2[n - 2] + 2);
            row[n] = best;
        }
    }
    return d[na % 3][nb];
}

void an_nearest_init(struct an_nearest *n, const char *word)
{
    n->word = word;
    n->best = NULL;
    n->distance = INT_MAX;
}

/* Near enough: a third of the letters changed, and not all of them. */
void an_nearest_offer(struct an_nearest *n, const char *candidate)
{
    int length = (int)strnlen(candidate, WORD);
    int limit = length < 6 ? 2 : 2 * (length / 3);
    int distance = edit_distance(n->word, candidate);
    if (distance <= limit && distance < 2 * length && distance < n->distance) {
        n->distance = distance;
        n->best = candidate;
    }
}

/* What stands in the case file for a section: "rows" for "rows.NAME". */
static const char *prefix_of(const struct an_section *s)
{
    for (const struct an_named *n = an_case_named; n->section; n++)
        if (strcmp(s->name, n->section) == 0)
            return n->prefix;
    return strcmp(s->name, AN_SECTION_BOUNDARY) == 0 ? "boundaries" : s->name;
}

static void offer_section(struct an_nearest *n, const char *section)
{
    for (const struct an_key *k = an_case_keys; k->section; k++)
        if (!section || strcmp(k->section, section) == 0)
            an_nearest_offer(n, k->name);
    if (!section || *section)
        return;
    for (const struct an_section *s = an_case_sections; s->name; s++)
        an_nearest_offer(n, prefix_of(s));
}

void an_key_nearest(const char *section, const char *name, char *buf, size_t size)
{
    struct an_nearest n;
    buf[0] = '\0';
    an_nearest_init(&n, name);
    offer_section(&n, section);
    if (n.best) {
        snprintf(buf, size, "%s", n.best);
        return;
    }
    /* a known key in the wrong section: only an exact name, a near one would be a guess */
    for (const struct an_key *k = an_case_keys; k->section; k++) {
        if (strcmp(k->name, name) == 0) {
            an_key_path(k, buf, size);
            return;
        }
    }
}
