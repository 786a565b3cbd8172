#include "io/case_list.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/case_keys.h"

static void item(const char *section, const char *of, const struct an_key *key, const void *base,
                 FILE *out)
{
    fprintf(out, "%s%s", section, *section ? "." : "");
    fprintf(out, "%s%s%s: ", of, *of ? "." : "", key->name);
    an_key_write(key, base, 0, out);
    fputc('\n', out);
}

static void write_list(const struct an_case *c, FILE *out)
{
    for (const struct an_key *k = an_case_keys; k->section; k++)
        if ((k->flags & AN_KEY_ANSWER) && an_key_applies(k, c, NULL))
            item(k->section, "", k, c, out);
    for (int i = 0; i < c->nboundary; i++)
        for (const struct an_key *k = an_case_keys; k->section; k++)
            if ((k->flags & AN_KEY_ANSWER) && an_key_applies(k, c, &c->boundary[i]))
                item("boundaries", c->boundary[i].name, k, &c->boundary[i], out);
    for (const struct an_named *named = an_case_named; named->section; named++)
        for (int i = 0; i < an_named_count(named, c); i++) {
            const void *of = an_named_at(named, c, i); /* its name stands first */
            for (const struct an_key *k = an_case_keys; k->section; k++)
                if ((k->flags & AN_KEY_ANSWER) && an_key_applies_named(k, named, of))
                    item(named->prefix, of, k, of, out);
        }
}

char *an_case_list(const struct an_case *c)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t callers = uselocale(neutral);
    write_list(c, out);
    uselocale(callers);
    if (neutral)
        freelocale(neutral);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* The names and values of a list, in place. */
struct items {
    int n;
    char **name, **value;
    char *text;
};

static int split(const char *list, struct items *it)
{
    size_t lines = 1;
    for (const char *at = list; *at; at++)
        lines += *at == '\n';
    it->n = 0;
    it->text = strdup(list);
    it->name = calloc(2 * lines, sizeof *it->name);
    it->value = it->name ? it->name + lines : NULL;
    if (!it->text || !it->name)
        return 0;
    char *rest = NULL;
    for (char *line = strtok_r(it->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *value = strstr(line, ": ");
        if (!value)
            continue;
        *value = '\0';
        it->name[it->n] = line;
        it->value[it->n++] = value + 2;
    }
    return 1;
}

static void release(struct items *it)
{
    free(it->text);
    free(it->name);
}

static const char *value_of(const struct items *it, const char *name)
{
    for (int n = 0; n < it->n; n++)
        if (!strcmp(it->name[n], name))
            return it->value[n];
    return "";
}

int an_case_compare(const char *old, const char *new, an_case_difference *tell, void *context)
{
    struct items a = {0}, b = {0};
    int count = AN_CASE_NO_MEMORY;
    if (split(old, &a) && split(new, &b)) {
        count = 0;
        for (int n = 0; n < b.n; n++) {
            const char *was = value_of(&a, b.name[n]);
            if (!strcmp(was, b.value[n]))
                continue;
            tell(context, b.name[n], was, b.value[n]);
            count++;
        }
        for (int n = 0; n < a.n; n++)
            if (!*value_of(&b, a.name[n])) {
                tell(context, a.name[n], a.value[n], "");
                count++;
            }
    }
    release(&a);
    release(&b);
    return count;
}
