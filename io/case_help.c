#include "io/case_keys.h"
#include "io/output_fields.h"
#include "io/screen.h"

#include <string.h>

enum { INDENT = 6, WIDTH = 96 };

/* Words of `text`, broken into lines of WIDTH, or of the terminal where it is narrower. */
static void write_folded(const char *text, FILE *out)
{
    const int width = an_screen_is_narrow(out, WIDTH) ? an_screen_columns(out) : WIDTH;
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column && column + 1 + length > width) {
            fputc('\n', out);
            column = 0;
        }
        if (column)
            column += fprintf(out, " ");
        else
            column = fprintf(out, "%*s", INDENT, "");
        column += fprintf(out, "%.*s", length, text);
        text += length;
        text += *text == ' ';
    }
    fputc('\n', out);
}

static void describe_kind(const struct an_key *key, char *buf, size_t size)
{
    static const char *const kinds[] = {[AN_KEY_NUMBER] = "number",
                                        [AN_KEY_INTEGER] = "whole number",
                                        [AN_KEY_BOOLEAN] = "true | false",
                                        [AN_KEY_TEXT] = "text",
                                        [AN_KEY_PATH] = "path",
                                        [AN_KEY_CHOICE] = "",
                                        [AN_KEY_VECTOR] = "[x, y, z]",
                                        [AN_KEY_FIELDS] = "[name, ...]",
                                        [AN_KEY_NAMES] = "[name, ...]",
                                        [AN_KEY_NUMBERS] = "[number, ...]"};
    if (key->type == AN_KEY_CHOICE)
        an_key_choices(key, " | ", buf, size);
    else
        snprintf(buf, size, "%s", kinds[key->type]);
}

/* The types of boundary that have the key; nothing for a key that all have. */
static void describe_types(const struct an_key *key, char *buf, size_t size)
{
    int all = 1;
    buf[0] = '\0';
    for (int t = AN_BC_NONE + 1; t < AN_BC_NTYPE; t++)
        all &= (key->bc >> t) & 1u;
    for (int t = AN_BC_NONE + 1; t < AN_BC_NTYPE && !all && key->bc; t++) {
        size_t used = strlen(buf);
        if (key->bc & (1u << t))
            snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
                     an_bc_type_name((enum an_bc_type)t));
    }
}

static void write_fields(FILE *out)
{
    char line[200];
    for (const struct an_output_field *f = an_output_fields; f < an_output_fields + AN_NOUTPUT;
         f++) {
        snprintf(line, sizeof line, "%s (%s): %s%s.", f->name, f->unit, f->help,
                 f->needs == AN_NEEDS_TURBULENCE   ? "; needs a turbulence model"
                 : f->needs == AN_NEEDS_DES        ? "; needs turbulence.des"
                 : f->needs == AN_NEEDS_TRANSITION ? "; needs turbulence.transition"
                 : f->needs == AN_NEEDS_VISCOSITY  ? "; needs viscous flow"
                                                   : "");
        write_folded(line, out);
    }
}

/* What each type of boundary is. */
static void write_types(FILE *out)
{
    char line[200];
    for (int t = AN_BC_NONE + 1; t < AN_BC_NTYPE; t++) {
        snprintf(line, sizeof line, "%s: %s.", an_bc_type_name((enum an_bc_type)t),
                 an_bc_type_help((enum an_bc_type)t));
        write_folded(line, out);
    }
}

static void write_key(const struct an_key *key, FILE *out)
{
    char path[80], kind[300], range[100], line[1200], types[200], standard[500];
    an_key_path(key, path, sizeof path);
    describe_kind(key, kind, sizeof kind);
    an_key_range(key, range, sizeof range);
    describe_types(key, types, sizeof types);
    const int has_default = an_key_default(key, standard, sizeof standard);
    fprintf(out, "  %s\n", path);
    snprintf(line, sizeof line, "%s%s%s%s%s; %s%s", kind, *range ? " " : "", range,
             *an_key_unit(key, NULL) ? ", in " : "", an_key_unit(key, NULL),
             key->flags & AN_KEY_REQUIRED ? "required"
             : has_default                ? "default "
                                          : "no default",
             key->flags & AN_KEY_REQUIRED ? "" : standard);
    write_folded(line, out);
    if (*types) {
        snprintf(line, sizeof line, "For %s.", types);
        write_folded(line, out);
    }
    write_folded(key->help, out);
    if (key->type == AN_KEY_FIELDS)
        write_fields(out);
    if (strcmp(key->section, AN_SECTION_BOUNDARY) == 0 && strcmp(key->name, "type") == 0)
        write_types(out);
}

static void write_section(const struct an_section *s, FILE *out)
{
    an_screen_line(out, 0, "%s%s%s", s->name, *s->name ? ": " : "", s->help);
    for (const struct an_key *k = an_case_keys; k->section; k++)
        if (strcmp(k->section, s->name) == 0)
            write_key(k, out);
}

/* Splits "march.cfl" into section and name; any boundary's name stands for NAME. */
static void split_key(const char *key, char *section, size_t size, const char **name)
{
    const char *dot = strrchr(key, '.');
    *name = dot ? dot + 1 : key;
    snprintf(section, size, "%.*s", dot ? (int)(dot - key) : 0, key);
    char prefix[40];
    snprintf(prefix, sizeof prefix, "%.*s", (int)strcspn(section, "."), section);
    const char *names = an_section_of_names(prefix);
    if (names)
        snprintf(section, size, "%s", names);
}

/* The key of any section whose own name is nearest to `name`, or "". */
static void nearest_of_all(const char *name, char *buf, size_t size)
{
    struct an_nearest n;
    buf[0] = '\0';
    an_nearest_init(&n, name);
    for (const struct an_key *k = an_case_keys; k->section; k++)
        an_nearest_offer(&n, k->name);
    for (const struct an_key *k = an_case_keys; k->section && n.best && !buf[0]; k++)
        if (!strcmp(k->name, n.best))
            an_key_path(k, buf, size);
}

/* "; sections: gas, scheme, ...". */
static void name_sections(char *buf, size_t size)
{
    size_t used = (size_t)snprintf(buf, size, "; the sections are");
    for (const struct an_section *s = an_case_sections; s->name && used < size; s++)
        if (*s->name)
            used += (size_t)snprintf(buf + used, size - used, "%s %s",
                                     s == an_case_sections + 1 ? "" : ",", s->name);
}

/* Words that a key can have as its value, behind each other with `between`. */
static void describe_values(const struct an_key *key, const char *between, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    if (key->type == AN_KEY_CHOICE)
        an_key_choices(key, between, buf, size);
    for (int f = 0; key->type == AN_KEY_FIELDS && f < AN_NOUTPUT && used < size; f++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? between : "",
                                 an_output_fields[f].name);
}

/* Those of the key's values in which `word` occurs: "inlet_total, inlet_supersonic". */
static void values_with(const struct an_key *key, const char *word, char *buf, size_t size)
{
    char all[1200], *next = NULL;
    size_t used = 0;
    buf[0] = '\0';
    describe_values(key, " ", all, sizeof all);
    for (char *w = strtok_r(all, " ", &next); w && used < size; w = strtok_r(NULL, " ", &next))
        if (strstr(w, word))
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", w);
}

/* A line "    boundaries.NAME.type: inlet_total, inlet_supersonic" for each key in whose values or
 * name `word` occurs, the first MOST of them; returns how many there are. */
static int keys_with(const char *word, char *buf, size_t size)
{
    enum { SHORTEST = 3, MOST = 12 };
    char path[80], last[80] = "", values[300];
    size_t used = 0;
    int n = 0;
    for (int of_name = 0; of_name < 2 && strlen(word) >= SHORTEST; of_name++) {
        for (const struct an_key *k = an_case_keys; k->section; k++) {
            values_with(k, word, values, sizeof values);
            an_key_path(k, path, sizeof path);
            const int here = of_name ? !*values && strstr(k->name, word) != NULL : *values != '\0';
            if (!here || !strcmp(path, last)) /* a key stands once for each type of boundary */
                continue;
            snprintf(last, sizeof last, "%s", path);
            if (n++ < MOST && used < size)
                used += (size_t)snprintf(buf + used, size - used, "\n    %s%s%s", path,
                                         *values ? ": " : "", values);
        }
    }
    if (n > MOST && used < size)
        snprintf(buf + used, size - used, "\n    and %d more", n - MOST);
    return n;
}

/* Is there a key of that very name? */
static int is_name(const char *word)
{
    for (const struct an_key *k = an_case_keys; k->section; k++)
        if (strcmp(k->name, word) == 0)
            return 1;
    return 0;
}

int an_case_help(const char *key, FILE *out)
{
    char section[120], near[80], word[80], sections[400] = "", with[1000];
    const char *name;
    int found = 0;
    if (!key || !*key) {
        for (const struct an_section *s = an_case_sections; s->name; s++) {
            fputs(s == an_case_sections ? "" : "\n", out);
            write_section(s, out);
        }
        return AN_OK;
    }
    const char *names = an_section_of_names(key);
    const struct an_section *whole = an_case_section_find(names ? names : key);
    if (whole) {
        write_section(whole, out);
        return AN_OK;
    }
    split_key(key, section, sizeof section, &name);
    for (const struct an_key *k = an_case_keys; k->section; k++) {
        if (strcmp(k->section, section) == 0 && strcmp(k->name, name) == 0) {
            write_key(k, out);
            found = 1;
        }
    }
    if (found)
        return AN_OK;
    if (!is_name(key) && keys_with(key, with, sizeof with))
        return an_error_set(AN_INPUT, "unknown key '%s'; it occurs in the values or names of:%s",
                            an_printable(key, word, sizeof word), with);
    int known = an_case_section_find(section) != NULL;
    an_key_nearest(known ? section : "", known ? name : section, near, sizeof near);
    int beneath = known && *section && *near && an_key_find(section, near, -1) >= 0;
    if (!*near)
        nearest_of_all(name, near, sizeof near);
    if (!*near)
        name_sections(sections, sizeof sections);
    return an_error_set(AN_INPUT, "unknown key '%s'%s%s%s%s%s%s",
                        an_printable(key, word, sizeof word), *near ? "; did you mean '" : "",
                        beneath ? section : "", beneath ? "." : "", near, *near ? "'?" : "",
                        sections);
}
