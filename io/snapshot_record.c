#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/snapshot_file.h"

static const char first_line[] = "annulus snapshot 1\n";

/* Names and titles come from outside: a line end in them would make a line of its own. */
static void one_line(const char *from, char *to, size_t size)
{
    size_t n = 0;
    for (; from[n] && n + 1 < size; n++)
        to[n] = (unsigned char)from[n] < ' ' ? ' ' : from[n];
    to[n] = '\0';
}

/* A name without blanks. */
static void control_name(const char *from, char to[64])
{
    one_line(from, to, 64);
    for (; *to; to++)
        *to = *to == ' ' ? '_' : *to;
}

int an_snapshot_control_add(struct an_snapshot_meta *m, const char *name, double value)
{
    if (!m->controls)
        m->controls = calloc(1, sizeof *m->controls);
    AN_CHECK(m->controls, AN_FAIL, "out of memory for a snapshot");
    struct an_snapshot_controls *k = m->controls;
    if (k->n == k->room) {
        const int room = 2 * k->room + 64;
        struct an_snapshot_control *list = realloc(k->list, (size_t)room * sizeof *list);
        AN_CHECK(list, AN_FAIL, "out of memory for a snapshot");
        k->list = list;
        k->room = room;
    }
    control_name(name, k->list[k->n].name);
    k->list[k->n++].value = value;
    return AN_OK;
}

int an_snapshot_array_add(struct an_snapshot_meta *m, const char *name, int64_t n, double **value)
{
    if (!m->controls)
        m->controls = calloc(1, sizeof *m->controls);
    AN_CHECK(m->controls, AN_FAIL, "out of memory for a snapshot");
    struct an_snapshot_controls *k = m->controls;
    struct an_snapshot_array *array = realloc(k->array, ((size_t)k->narray + 1) * sizeof *array);
    AN_CHECK(array, AN_FAIL, "out of memory for a snapshot");
    k->array = array;
    array += k->narray;
    control_name(name, array->name);
    array->n = n;
    array->value = calloc((size_t)n + 1, sizeof *array->value);
    AN_CHECK(array->value, AN_FAIL, "out of memory for a snapshot");
    k->narray++;
    *value = array->value;
    return AN_OK;
}

const double *an_snapshot_array_get(const struct an_snapshot_meta *m, const char *name, int64_t n)
{
    for (int a = 0; m->controls && a < m->controls->narray; a++)
        if (!strcmp(m->controls->array[a].name, name) && m->controls->array[a].n == n)
            return m->controls->array[a].value;
    return NULL;
}

void an_snapshot_controls_free(struct an_snapshot_meta *m)
{
    for (int a = 0; m->controls && a < m->controls->narray; a++)
        free(m->controls->array[a].value);
    if (m->controls) {
        free(m->controls->array);
        free(m->controls->list);
    }
    free(m->controls);
    free(m->notes);
    m->controls = NULL;
    m->notes = NULL;
}

int an_snapshot_note(struct an_snapshot_meta *m, const char *kind, const char *text)
{
    enum { LONGEST = 4096 };
    char line[LONGEST];
    one_line(text, line, sizeof line);
    const size_t old = m->notes ? strlen(m->notes) : 0;
    char *grown = realloc(m->notes, old + strlen(kind) + strlen(line) + 8);
    AN_CHECK(grown, AN_FAIL, "out of memory for a snapshot");
    sprintf(grown + old, "%s = %s\n", kind, line);
    m->notes = grown;
    return AN_OK;
}

double an_snapshot_control_get(const struct an_snapshot_meta *m, const char *name, double other)
{
    char stored[64];
    struct an_snapshot_controls *k = m->controls;
    control_name(name, stored);
    for (int n = 0; k && n < k->n; n++) {
        const int at = (k->next + n) % k->n;
        if (strcmp(k->list[at].name, stored) != 0)
            continue;
        k->next = at + 1;
        return k->list[at].value;
    }
    return other;
}

/* One line: the bits of the values, 16 hexadecimal digits each. */
static void print_array(FILE *f, const struct an_snapshot_array *a)
{
    static const char digit[] = "0123456789abcdef";
    fprintf(f, "array = %" PRId64 " %s ", a->n, a->name);
    for (int64_t n = 0; n < a->n; n++) {
        char text[17] = "";
        uint64_t bits;
        memcpy(&bits, &a->value[n], sizeof bits);
        for (int d = 15; d >= 0; d--, bits >>= 4)
            text[d] = digit[bits & 15];
        fputs(text, f);
    }
    fputc('\n', f);
}

char *an_snapshot_record_print(const struct an_snapshot_record *r)
{
    char *text = NULL, title[256], version[64];
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return NULL;
    const struct an_snapshot_meta *m = &r->meta;
    one_line(m->title, title, sizeof title);
    one_line(m->version, version, sizeof version);
    fputs(first_line, f);
    fprintf(f, "version = %s\ntitle = %s\n", version, title);
    fprintf(f, "iteration = %" PRId64 "\ntime = %a\n", m->iteration, m->time);
    fprintf(f, "precision = %s\n", m->precision == AN_SINGLE ? "single" : "double");
    for (int n = 0; n < 5; n++)
        fprintf(f, "residual_first = %a\n", m->residual_first[n]);
    for (int n = 0; m->controls && n < m->controls->n; n++)
        fprintf(f, "control = %a %s\n", m->controls->list[n].value, m->controls->list[n].name);
    for (int a = 0; m->controls && a < m->controls->narray; a++)
        print_array(f, &m->controls->array[a]);
    fprintf(f, "mesh_hash = %016" PRIx64 "\ncase_hash = %016" PRIx64 "\n", m->mesh_hash,
            m->case_hash);
    fprintf(f, "coordinates = %016" PRIx64 "\n", m->coordinates);
    fputs(m->notes ? m->notes : "", f);
    fprintf(f, "zones = %d\n", r->nzone);
    for (int n = 0; n < r->nfield; n++)
        fprintf(f, "field = %016" PRIx64 " %s\n", r->checksum[n], r->field[n]);
    if (fflush(f)) {
        fclose(f);
        free(text);
        return NULL;
    }
    uint64_t hash = XXH64(text, length, 0);
    fprintf(f, "check = %016" PRIx64 "\n", hash);
    if (fclose(f)) {
        free(text);
        return NULL;
    }
    return text;
}

static int take_control(struct an_snapshot_meta *m, const char *text)
{
    double value;
    char name[64];
    return sscanf(text, "%la %63s", &value, name) == 2 &&
           an_snapshot_control_add(m, name, value) == AN_OK;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int take_array(struct an_snapshot_meta *m, const char *text)
{
    char name[64];
    int64_t n;
    int begin = 0;
    double *value;
    if (sscanf(text, "%" SCNd64 " %63s %n", &n, name, &begin) != 2 || !begin || n < 0 ||
        (uint64_t)n != strlen(text + begin) / 16 || strlen(text + begin) % 16 ||
        an_snapshot_array_add(m, name, n, &value) != AN_OK)
        return 0;
    for (int64_t v = 0; v < n; v++) {
        uint64_t bits = 0;
        for (int d = 0; d < 16; d++) {
            const int digit = digit_of(text[begin + 16 * v + d]);
            if (digit < 0)
                return 0;
            bits = bits << 4 | (uint64_t)digit;
        }
        memcpy(&value[v], &bits, sizeof bits);
    }
    return 1;
}

/* One `key = value` line into the record; 0 when it cannot be read. Keys of later versions pass. */
static int take_entry(struct an_snapshot_record *r, int *nresidual, const char *key,
                      const char *value)
{
    struct an_snapshot_meta *m = &r->meta;
    if (!strcmp(key, "version"))
        return snprintf(m->version, sizeof m->version, "%s", value) >= 0;
    if (!strcmp(key, "title"))
        return snprintf(m->title, sizeof m->title, "%s", value) >= 0;
    if (!strcmp(key, "iteration"))
        return sscanf(value, "%" SCNd64, &m->iteration) == 1;
    if (!strcmp(key, "time"))
        return sscanf(value, "%la", &m->time) == 1;
    if (!strcmp(key, "precision")) {
        m->precision = !strcmp(value, "single") ? AN_SINGLE : AN_DOUBLE;
        return 1;
    }
    if (!strcmp(key, "residual_first"))
        return *nresidual < 5 && sscanf(value, "%la", &m->residual_first[(*nresidual)++]) == 1;
    if (!strcmp(key, "control"))
        return take_control(m, value);
    if (!strcmp(key, "array"))
        return take_array(m, value);
    if (!strcmp(key, "mesh_hash"))
        return sscanf(value, "%" SCNx64, &m->mesh_hash) == 1;
    if (!strcmp(key, "case_hash"))
        return sscanf(value, "%" SCNx64, &m->case_hash) == 1;
    if (!strcmp(key, "coordinates"))
        return sscanf(value, "%" SCNx64, &m->coordinates) == 1;
    if (!strcmp(key, "case") || !strcmp(key, "warning"))
        return an_snapshot_note(m, key, value) == AN_OK;
    if (!strcmp(key, "zones"))
        return sscanf(value, "%d", &r->nzone) == 1;
    if (!strcmp(key, "field"))
        return r->nfield < AN_SNAPSHOT_FIELDS &&
               sscanf(value, "%" SCNx64 " %32[^\n]", &r->checksum[r->nfield],
                      r->field[r->nfield]) == 2 &&
               ++r->nfield;
    return 1;
}

int an_snapshot_record_parse(const char *path, const char *text, size_t length,
                             struct an_snapshot_record *r)
{
    memset(r, 0, sizeof *r);
    const size_t closing = strlen("check = ") + 16 + 1;
    char want[64];
    AN_CHECK(length > closing && length < AN_SNAPSHOT_LONGEST, AN_INPUT,
             "%s: the record of the run is missing or damaged", path);
    snprintf(want, sizeof want, "check = %016" PRIx64 "\n", XXH64(text, length - closing, 0));
    AN_CHECK(memcmp(text + length - closing, want, closing) == 0, AN_INPUT,
             "%s: the record of the run is damaged (its checksum does not fit)", path);
    AN_CHECK(strncmp(text, first_line, strlen(first_line)) == 0, AN_INPUT,
             "%s: written by a version of annulus that this one cannot read", path);
    char *copy = strndup(text, length - closing);
    AN_CHECK(copy, AN_FAIL, "out of memory");
    int good = 1, nresidual = 0;
    char *rest = NULL;
    strtok_r(copy, "\n", &rest);
    for (char *line; good && (line = strtok_r(NULL, "\n", &rest));) {
        char *split = strstr(line, " = ");
        if (split)
            *split = '\0';
        good = split && take_entry(r, &nresidual, line, split + 3);
    }
    free(copy);
    if (good && nresidual == 5 && r->nfield > 0 && r->nzone > 0 && r->meta.precision &&
        r->meta.iteration >= 0)
        return AN_OK;
    an_snapshot_controls_free(&r->meta);
    return an_error_set(AN_INPUT, "%s: the record of the run cannot be understood", path);
}
