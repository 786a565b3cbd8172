// Blades and channel of pyturbo-aero (export_json):
//
//   {"channel": {"hub": {"x": [...], "r": [...]}, "shroud": {...}},
//    "blades": [{"sections": [{"suction": {"x": [...], "rth": [...], "r": [...]}, "pressure": {...}}, ...]}, ...]}
//
// The file has neither unit nor number of blades; `row_of_file` is the number of the blade in the list, from 1.
#include "row.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Points of an object with lists of one length into rows of a table. `of`: the object, for messages.
static int add_points(const char *path, const char *of, const json_t *object,
                      const char *const name[3], struct table *t, int line)
{
    const size_t n = json_array_size(json_object_get(object, name[0]));
    for (int c = 0; c < t->columns; c++)
        AN_CHECK(n > 1 && json_array_size(json_object_get(object, name[c])) == n, AN_INPUT,
                 "%s: error: %s has no lists x, %s%s of one length", path, of, name[1],
                 t->columns > 2 ? ", r" : "");
    for (size_t i = 0; i < n; i++) {
        double v[3];
        for (int c = 0; c < t->columns; c++) {
            const json_t *number = json_array_get(json_object_get(object, name[c]), i);
            AN_CHECK(json_is_number(number), AN_INPUT,
                     "%s: error: %s: point %zu of %s is no number", path, of, i + 1, name[c]);
            v[c] = json_number_value(number);
        }
        AN_TRY(table_row(t, v, line));
    }
    return AN_OK;
}

static int read_wall(const char *path, const json_t *root, const char *which, struct table *t)
{
    static const char *const name[3] = {"x", "r", ""};
    *t = (struct table){.columns = 2};
    AN_TRY(table_section(t, path, 1));
    AN_TRY(add_points(path, which, json_object_get(json_object_get(root, "channel"), which), name,
                      t, 1));
    table_finish(t);
    return AN_OK;
}

static int read_side(const char *path, const json_t *sections, const char *side, struct table *t)
{
    static const char *const name[3] = {"x", "rth", "r"};
    *t = (struct table){.columns = 3};
    for (size_t k = 0; k < json_array_size(sections); k++) {
        char of[60];
        snprintf(of, sizeof of, "section %zu, %s", k + 1, side);
        AN_TRY(table_section(t, path, (int)k + 1));
        AN_TRY(add_points(path, of, json_object_get(json_array_get(sections, k), side), name, t,
                          (int)k + 1));
    }
    table_finish(t);
    return AN_OK;
}

static int read_all(const json_t *root, struct row_input *in, struct table side[2])
{
    const char *path = in->geometry;
    const json_t *blades = json_object_get(root, "blades");
    const int count = (int)json_array_size(blades);
    const int which = *in->pick_row ? atoi(in->pick_row) : 1;
    AN_CHECK(count > 0, AN_INPUT, "%s: error: there is no list of blades", path);
    AN_CHECK(count == 1 || *in->pick_row, AN_INPUT,
             "%s: error: the file holds %d rows: say which one to mesh with 'row_of_file', from 1",
             path, count);
    AN_CHECK(which >= 1 && which <= count, AN_INPUT, "%s: error: there is no row '%s'; it has %d",
             path, in->pick_row, count);
    const json_t *sections = json_object_get(json_array_get(blades, (size_t)which - 1), "sections");
    AN_CHECK(json_array_size(sections) > 0, AN_INPUT, "%s: error: blade %d has no sections", path,
             which);
    AN_TRY(read_wall(path, root, "hub", &in->given[1]));
    AN_TRY(read_wall(path, root, "shroud", &in->given[2]));
    AN_TRY(read_side(path, sections, "suction", &side[0]));
    AN_TRY(read_side(path, sections, "pressure", &side[1]));
    AN_TRY(sides_join(path, side, &in->given[0]));
    in->columns = 3;
    in->column[0] = COLUMN_X;
    in->column[1] = COLUMN_RTHETA;
    in->column[2] = COLUMN_R;
    const int n = in->given[0].nsection;
    AN_TRY(columns_convert(&in->given[0], in));
    const size_t used = strlen(in->told);
    snprintf(in->told + used, sizeof in->told - used,
             "geometry             %s: blade %d of %d, %d sections, hub %d and casing %d points\n",
             path, which, count, n, in->given[1].nrow, in->given[2].nrow);
    return AN_OK;
}

int json_load(struct row_input *in)
{
    json_error_t error;
    struct table side[2] = {{0}};
    json_t *root = json_load_file(in->geometry, 0, &error);
    AN_CHECK(root, AN_INPUT, "%s:%d: error: %s", in->geometry, error.line, error.text);
    char *const name[3] = {in->sections, in->hub, in->casing}; // for messages
    const char *const part[3] = {"blade", "hub", "shroud"};
    for (int k = 0; k < 3; k++)
        snprintf(name[k], sizeof in->hub, "%.1000s (%s)", in->geometry, part[k]);
    const int status = read_all(root, in, side);
    for (int k = 0; k < 2; k++)
        table_free(&side[k]);
    json_decref(root);
    return status;
}
