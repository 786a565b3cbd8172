/* From the struct to YAML: one value, the effective case, and the hash of its text. */
#include "io/case_keys.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* The shortest text that reads back to the same bits. */
static void write_number(double x, FILE *out)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    fputs(text, out);
}

/* Double-quoted YAML. */
static void write_text(const char *s, FILE *out)
{
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

static void write_path(const char *path, int absolute, FILE *out)
{
    char here[AN_PATH], whole[2 * AN_PATH];
    if (absolute && *path != '/' && getcwd(here, sizeof here)) {
        snprintf(whole, sizeof whole, "%s/%s", strcmp(here, "/") == 0 ? "" : here, path);
        path = whole;
    }
    write_text(path, out);
}

static void write_fields(const struct an_case *c, FILE *out)
{
    fputc('[', out);
    for (int i = 0; i < c->output.nfield; i++)
        fprintf(out, "%s%s", i ? ", " : "", c->output.field[i]);
    fputc(']', out);
}

static void write_names(const struct an_case_names *names, FILE *out)
{
    fputc('[', out);
    for (int i = 0; i < names->n; i++) {
        fputs(i ? ", " : "", out);
        write_text(names->name[i], out);
    }
    fputc(']', out);
}

static void write_numbers(const struct an_case_numbers *numbers, FILE *out)
{
    fputc('[', out);
    for (int i = 0; i < numbers->n; i++) {
        fputs(i ? ", " : "", out);
        write_number(numbers->x[i], out);
    }
    fputc(']', out);
}

/* The first of the names it has. */
static void write_choice(const struct an_key *key, int value, FILE *out)
{
    const char *name;
    int v;
    for (int i = 0; an_key_choice(key, i, &name, &v); i++)
        if (v == value) {
            fputs(name, out);
            return;
        }
}

void an_key_write(const struct an_key *key, const void *base, int absolute, FILE *out)
{
    const void *from = (const char *)base + key->offset;
    const double *x = from;
    switch (key->type) {
    case AN_KEY_NUMBER:
        write_number(*x, out);
        break;
    case AN_KEY_INTEGER:
        fprintf(out, "%d", *(const int *)from);
        break;
    case AN_KEY_BOOLEAN:
        fputs(*(const int *)from ? "true" : "false", out);
        break;
    case AN_KEY_TEXT:
        write_text(from, out);
        break;
    case AN_KEY_PATH:
        write_path(from, absolute, out);
        break;
    case AN_KEY_CHOICE:
        write_choice(key, *(const int *)from, out);
        break;
    case AN_KEY_VECTOR:
        for (int m = 0; m < 3; m++) {
            fputs(m ? ", " : "[", out);
            write_number(x[m], out);
        }
        fputc(']', out);
        break;
    case AN_KEY_FIELDS:
        write_fields(base, out);
        break;
    case AN_KEY_NAMES:
        write_names(from, out);
        break;
    case AN_KEY_NUMBERS:
        write_numbers(from, out);
        break;
    }
}

/* One line, "  key: value # unit". */
static void echo_key(const struct an_key *key, const void *base, const char *indent, FILE *out)
{
    fprintf(out, "%s%s: ", indent, key->name);
    an_key_write(key, base, 1, out);
    const int setting =
        key->unit && strcmp(key->unit, AN_UNIT_OF_SETTINGS) == 0; /* base: the case */
    const char *unit = setting ? an_key_unit(key, base) : key->unit;
    if (unit && *unit)
        fprintf(out, " # %s", unit);
    fputc('\n', out);
}

static void echo_boundaries(const struct an_case *c, FILE *out)
{
    fputs(c->nboundary ? "boundaries:\n" : "boundaries: {}\n", out);
    for (int i = 0; i < c->nboundary; i++) {
        const struct an_case_boundary *b = &c->boundary[i];
        fputs("  ", out);
        write_text(b->name, out);
        fputs(":\n", out);
        for (const struct an_key *k = an_case_keys; k->section; k++)
            if (an_key_applies(k, c, b))
                echo_key(k, b, "    ", out);
    }
}

static void echo_named(const struct an_case *c, const struct an_named *named, FILE *out)
{
    const int n = an_named_count(named, c);
    fprintf(out, n ? "%s:\n" : "%s: {}\n", named->prefix);
    for (int i = 0; i < n; i++) {
        const char *element = an_named_at(named, c, i);
        fputs("  ", out);
        write_text(element, out); /* begins with its name */
        fputs(":\n", out);
        for (const struct an_key *k = an_case_keys; k->section; k++)
            if (an_key_applies_named(k, named, element))
                echo_key(k, element, "    ", out);
    }
}

void an_case_echo(const struct an_case *c, FILE *out)
{
    locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t callers = uselocale(neutral);
    fputs("# The case as it is run: every key with its value.\n", out);
    for (const struct an_section *s = an_case_sections; s->name; s++) {
        if (strcmp(s->name, AN_SECTION_BOUNDARY) == 0) {
            echo_boundaries(c, out);
            continue;
        }
        const struct an_named *named = an_case_named;
        while (named->section && strcmp(s->name, named->section) != 0)
            named++;
        if (named->section) {
            echo_named(c, named, out);
            continue;
        }
        if (*s->name)
            fprintf(out, "%s:\n", s->name);
        for (const struct an_key *k = an_case_keys; k->section; k++)
            if (strcmp(k->section, s->name) == 0 && an_key_applies(k, c, NULL))
                echo_key(k, c, *s->name ? "  " : "", out);
    }
    uselocale(callers);
    if (neutral)
        freelocale(neutral);
}

static void canonical(const struct an_key *key, const void *base, FILE *out)
{
    fprintf(out, "%s.%s=", key->section, key->name);
    an_key_write(key, base, 0, out);
    fputc('\n', out);
}

/* 0 when there is no memory for the text. */
uint64_t an_case_hash(const struct an_case *c)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return 0;
    for (const struct an_key *k = an_case_keys; k->section; k++)
        if ((k->flags & AN_KEY_ANSWER) && an_key_applies(k, c, NULL))
            canonical(k, c, out);
    for (int i = 0; i < c->nboundary; i++) {
        fprintf(out, "%s\n", c->boundary[i].name);
        for (const struct an_key *k = an_case_keys; k->section; k++)
            if ((k->flags & AN_KEY_ANSWER) && an_key_applies(k, c, &c->boundary[i]))
                canonical(k, &c->boundary[i], out);
    }
    for (const struct an_named *named = an_case_named; named->section; named++)
        for (int i = 0; i < an_named_count(named, c); i++) {
            const char *element = an_named_at(named, c, i);
            fprintf(out, "%s\n", element);
            for (const struct an_key *k = an_case_keys; k->section; k++)
                if ((k->flags & AN_KEY_ANSWER) && an_key_applies_named(k, named, element))
                    canonical(k, element, out);
        }
    uint64_t hash = 0;
    if (fclose(out) == 0)
        hash = XXH64(text, length, 0);
    free(text);
    return hash;
}
