#include "tests/unit/case_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const char *const case_lines[CASE_LINES] = {
    "case: LS89 MUR47",
    "mesh: ls89.cgns",
    "gas: {gamma: 1.4, R: 287.0}",
    "precision: single",
    "scheme: {flux: roe, k2: 0.5, k4: 0.02}",
    "march: {mode: steady, cfl: 3.0, iterations: 5000, residual_drop: 1e-6}",
    "initial: {p: 1.0e5, T: 400, mach: 0.2, direction: [3, 0, 4]}",
    "boundaries:",
    "  inlet:  {type: inlet_total, p0: 1.596e5, T0: 420, direction: [1, 0, 0]}",
    "  outlet: {type: outlet_static, p: 0.8235e5}",
    "  blade*: {type: wall_slip}",
    "  far:    {type: farfield, p: 1e5, T: 300, velocity: [1, 2, 0.1]}",
    "output: {folder: out, every: 1000, fields: [Mach, Entropy]}"};

char case_folder[64];
static char file[80];

int case_setup(void **state)
{
    (void)state;
    strcpy(case_folder, "/tmp/annulus_case_XXXXXX");
    if (!mkdtemp(case_folder))
        return -1;
    snprintf(file, sizeof file, "%s/case.yaml", case_folder);
    return 0;
}

int case_teardown(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(case_folder);
}

char *case_text(int line, const char *with)
{
    size_t length = 1;
    for (int i = 0; i < CASE_LINES; i++)
        length += strlen(i == line - 1 ? with : case_lines[i]) + 1;
    char *text = malloc(length);
    assert_non_null(text);
    *text = '\0';
    for (int i = 0; i < CASE_LINES; i++) {
        strcat(text, i == line - 1 ? with : case_lines[i]);
        strcat(text, "\n");
    }
    return text;
}

int case_read_bytes(const void *bytes, size_t length, int nset, char *const *set, struct an_case *c,
                    struct an_diag *d)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
    an_diag_init(d);
    return an_case_read(file, nset, set, c, d);
}

int case_read_text(const char *text, struct an_case *c, struct an_diag *d)
{
    return case_read_bytes(text, strlen(text), 0, NULL, c, d);
}

void case_print(const struct an_diag *d)
{
    for (int i = 0; i < d->nline; i++)
        print_message("    %s\n", d->line[i]);
}

void case_read_with(struct an_case *c, const char *const *set)
{
    struct an_diag d;
    char *text = case_text(0, NULL), *copy[16];
    int n = 0, status;
    for (; set && set[n]; n++)
        copy[n] = strdup(set[n]);
    status = case_read_bytes(text, strlen(text), n, copy, c, &d);
    case_print(&d);
    assert_int_equal(status, AN_OK);
    assert_int_equal(d.nline, 0);
    while (n > 0)
        free(copy[--n]);
    free(text);
    an_diag_free(&d);
}

int case_has(const struct an_diag *d, const char *fragment)
{
    for (int i = 0; i < d->nline; i++)
        if (strstr(d->line[i], fragment))
            return 1;
    return 0;
}

char *case_echo_text(const struct an_case *c)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    assert_non_null(f);
    an_case_echo(c, f);
    assert_int_equal(fclose(f), 0);
    return text;
}
