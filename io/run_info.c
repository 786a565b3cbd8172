#include <jansson.h>
#include <math.h>
#include <string.h>

#include "io/atomic.h"
#include "io/history.h"

/* JSON has no NaN and no infinity. */
static json_t *number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

/* Text that is not UTF-8 (a file name may be any bytes) would be refused: other bytes become '?'.
 */
static json_t *text(const char *s)
{
    if (!s)
        return json_null();
    json_t *j = json_string(s);
    if (j)
        return j;
    char plain[1024];
    size_t n = 0;
    for (; s[n] && n + 1 < sizeof plain; n++)
        plain[n] = (unsigned char)s[n] < 128 ? s[n] : '?';
    plain[n] = '\0';
    return json_string(plain);
}

static json_t *line_json(const struct an_history_line *l)
{
    json_t *residual = json_array();
    for (int m = 0; m < 5; m++)
        json_array_append_new(residual, number(l->residual[m]));
    json_t *j = json_object();
    json_object_set_new(j, "iteration", json_integer(l->iteration));
    json_object_set_new(j, "time_s", number(l->time));
    json_object_set_new(j, "cfl", number(l->cfl));
    json_object_set_new(j, "residual", residual);
    json_object_set_new(j, "residual_drop", number(l->residual_drop));
    json_object_set_new(j, "mass_in_kg_s", number(l->mass_in));
    json_object_set_new(j, "mass_out_kg_s", number(l->mass_out));
    json_object_set_new(j, "imbalance", number(l->imbalance));
    json_object_set_new(j, "pressure_ratio", number(l->pressure_ratio));
    json_object_set_new(j, "temperature_ratio", number(l->temperature_ratio));
    json_object_set_new(j, "efficiency", number(l->efficiency));
    json_object_set_new(j, "iterations_per_s", number(l->rate));
    return j;
}

static json_t *vector(const double v[3])
{
    json_t *j = json_array();
    for (int c = 0; c < 3; c++)
        json_array_append_new(j, number(v[c]));
    return j;
}

/* An array with one object for each of the n elements of a list. */
static json_t *list_json(int n, const void *list, size_t size, json_t *(*object)(const void *))
{
    json_t *all = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(all, object((const char *)list + (size_t)i * size));
    return all;
}

static json_t *wall_json(const void *element)
{
    const struct an_wall_report *wall = element;
    json_t *j = json_object();
    json_object_set_new(j, "name", text(wall->name));
    json_object_set_new(j, "area", number(wall->area));
    json_object_set_new(j, "force", vector(wall->force));
    json_object_set_new(j, "friction", vector(wall->friction));
    json_object_set_new(j, "torque_x", number(wall->torque));
    json_object_set_new(j, "heat", number(wall->heat));
    json_object_set_new(j, "yplus_max", number(wall->yplus));
    return j;
}

/* The averages at a plane, of each kind. */
static json_t *plane_json(const double plane[4][3])
{
    static const char *const kind[4] = {"mass", "entropy", "area", "mixed_out"};
    json_t *j = json_object();
    for (int k = 0; k < 4; k++) {
        json_t *mean = json_object();
        json_object_set_new(mean, "p0_Pa", number(plane[k][0]));
        json_object_set_new(mean, "T0_K", number(plane[k][1]));
        json_object_set_new(mean, "p_Pa", number(plane[k][2]));
        json_object_set_new(j, kind[k], mean);
    }
    return j;
}

static json_t *row_json(const void *element)
{
    const struct an_row_report *row = element;
    const int whole = (int)row->sectors;
    json_t *j = json_object();
    json_object_set_new(j, "name", text(row->name));
    json_object_set_new(j, "sectors",
                        row->sectors == whole ? json_integer(whole) : json_real(row->sectors));
    for (int v = 0; v < AN_NROW_VALUE; v++)
        if (an_row_value_applies((enum an_row_value)v, row->cascade))
            json_object_set_new(j, an_row_value_name((enum an_row_value)v), number(row->value[v]));
    json_object_set_new(j, "averages", text(row->cascade ? "cartesian" : "cylindrical"));
    if (row->cascade) {
        json_object_set_new(j, "pitch_m", number(row->pitch));
        json_object_set_new(j, "span_m", number(row->span));
    }
    json_object_set_new(j, "in", plane_json(row->plane[0]));
    json_object_set_new(j, "out", plane_json(row->plane[1]));
    return j;
}

static json_t *control_json(const void *element)
{
    const struct an_control_report *control = element;
    json_t *j = json_object();
    json_object_set_new(j, "boundary", text(control->boundary));
    json_object_set_new(j, "quantity", text(control->quantity));
    json_object_set_new(j, "start_Pa", number(control->start));
    json_object_set_new(j, "value_Pa", number(control->value));
    json_object_set_new(j, "mass_flow_kg_s", number(control->mass));
    json_object_set_new(j, "wanted_kg_s", number(control->wanted));
    return j;
}

static json_t *leak_json(const void *element)
{
    const struct an_leak_report *leak = element;
    json_t *j = json_object();
    json_object_set_new(j, "name", text(leak->name));
    json_object_set_new(j, "mass_flow_kg_s", number(leak->mass));
    json_object_set_new(j, "p_from_Pa", number(leak->p_from));
    json_object_set_new(j, "p_to_Pa", number(leak->p_to));
    json_object_set_new(j, "h0_from_J_kg", number(leak->h0_from));
    json_object_set_new(j, "h0_to_J_kg", number(leak->h0_to));
    json_object_set_new(j, "T0_to_K", number(leak->T0_to));
    json_object_set_new(j, "moment_from_m2_s", number(leak->moment_from));
    json_object_set_new(j, "moment_to_m2_s", number(leak->moment_to));
    json_object_set_new(j, "torque_N_m", number(leak->torque));
    json_object_set_new(j, "windage_W", number(leak->windage));
    json_object_set_new(j, "chokes", json_boolean(leak->choked));
    return j;
}

static json_t *solid_json(const void *element)
{
    const struct an_solid_report *q = element;
    json_t *j = json_object();
    json_object_set_new(j, "solid", text(q->solid));
    if (q->surface)
        json_object_set_new(j, "surface", text(q->surface));
    if (q->surface)
        json_object_set_new(j, "area_m2", number(q->area));
    json_object_set_new(j, "T_min_K", number(q->T[0]));
    json_object_set_new(j, "T_mean_K", number(q->T[1]));
    json_object_set_new(j, "T_max_K", number(q->T[2]));
    json_object_set_new(j, "heat_W", number(q->heat));
    if (q->h > 0) {
        json_object_set_new(j, "h_W_m2_K", number(q->h));
        json_object_set_new(j, "coolant_in_K", number(q->coolant[0]));
        json_object_set_new(j, "coolant_out_K", number(q->coolant[1]));
    }
    return j;
}

static json_t *reference_json(const struct an_reference_report *r)
{
    const struct {
        const char *name;
        double value;
    } list[] = {{"p_Pa", r->p},          {"T_K", r->T},         {"rho_kg_m3", r->rho},
                {"speed_m_s", r->speed}, {"mach", r->mach},     {"reynolds", r->reynolds},
                {"alpha_deg", r->alpha}, {"beta_deg", r->beta}, {"q_Pa", r->q},
                {"length_m", r->length}, {"area_m2", r->area}};
    json_t *j = json_object();
    for (size_t n = 0; n < sizeof list / sizeof *list; n++)
        json_object_set_new(j, list[n].name, number(list[n].value));
    json_object_set_new(j, "point_m", vector(r->point));
    return j;
}

static json_t *coefficients_json(const an_coefficients *value)
{
    static const char *const part[AN_NC_PART] = {"all", "pressure", "friction"};
    json_t *j = json_object();
    for (int c = 0; c < AN_NCOEFFICIENT; c++) {
        json_t *one = json_object();
        for (int p = 0; p < AN_NC_PART; p++)
            json_object_set_new(one, part[p], number((*value)[c][p]));
        json_object_set_new(j, an_coefficient_name((enum an_coefficient)c), one);
    }
    return j;
}

/* Figures that the run does not have are left out. */
static json_t *figures_json(int n, const struct an_figure_report *figure)
{
    json_t *all = json_object();
    for (int f = 0; f < n; f++) {
        if (isnan(figure[f].moves) && isnan(figure[f].mean))
            continue;
        json_t *j = json_object();
        json_object_set_new(j, "moves", number(figure[f].moves));
        json_object_set_new(j, "mean", number(figure[f].mean));
        json_object_set_new(j, "amplitude", number(figure[f].amplitude));
        json_object_set_new(all, figure[f].name, j);
    }
    return all;
}

int an_run_info_write(const char *folder, const struct an_run_info *info)
{
    char path[1024];
    AN_CHECK(snprintf(path, sizeof path, "%s/run.json", folder) < (int)sizeof path, AN_INPUT,
             "output folder '%.60s...': the name is too long", folder);
    json_t *j = json_object();
    json_object_set_new(j, "title", text(info->title));
    json_object_set_new(j, "status", text(info->status));
    json_object_set_new(j, "exit_code", json_integer(info->exit_code));
    json_object_set_new(j, "message", text(info->message));
    json_t *warnings = json_array();
    for (int n = 0; info->warnings && n < info->warnings->n; n++)
        json_array_append_new(warnings, text(info->warnings->list[n].text));
    json_object_set_new(j, "warnings", warnings);
    json_object_set_new(j, "settled",
                        info->settled ? json_boolean(info->settled > 0) : json_null());
    json_object_set_new(j, "state", text(info->state));
    json_object_set_new(j, "swings", text(info->swings));
    json_object_set_new(j, "period", info->period > 0 ? json_real(info->period) : json_null());
    if (info->nfigure)
        json_object_set_new(j, "figures", figures_json(info->nfigure, info->figure));
    json_object_set_new(j, "case_file", text(info->case_file));
    json_object_set_new(j, "mesh_file", text(info->mesh_file));
    if (info->gas_table && *info->gas_table)
        json_object_set_new(j, "gas_table_checksum", text(info->gas_table));
    json_object_set_new(j, "version", text(info->version));
    json_object_set_new(j, "engine", text(info->engine));
    json_object_set_new(j, "transport", text(info->transport));
    json_object_set_new(j, "transport_reason", text(info->transport_reason));
    if (info->tiles && *info->tiles)
        json_object_set_new(j, "tiles", text(info->tiles));
    json_object_set_new(j, "graph", text(info->graph));
    json_object_set_new(j, "recorded", json_integer(info->recorded));
    json_object_set_new(j, "replayed", json_integer(info->replayed));
    json_object_set_new(j, "launches", json_integer(info->launches));
    json_object_set_new(j, "precision", text(info->precision));
    json_object_set_new(j, "ranks", json_integer(info->ranks));
    json_object_set_new(j, "threads", json_integer(info->threads));
    json_object_set_new(j, "cells", json_integer(info->cells));
    json_object_set_new(j, "iteration", json_integer(info->iteration));
    json_object_set_new(j, "seconds", number(info->seconds));
    json_object_set_new(j, "snapshot", text(info->snapshot));
    json_object_set_new(j, "snapshot_bytes_per_s", number(info->snapshot_rate));
    json_object_set_new(j, "snapshot_waited_s", number(info->snapshot_waited));
    json_object_set_new(j, "snapshot_iterations", json_integer(info->snapshot_passed));
    json_object_set_new(j, "snapshot_how", text(info->snapshot_how));
    json_object_set_new(j, "mesh_bytes_per_s", number(info->mesh_rate));
    json_object_set_new(j, "last", line_json(&info->last));
    if (info->nwall > 0)
        json_object_set_new(j, "walls",
                            list_json(info->nwall, info->wall, sizeof *info->wall, wall_json));
    if (info->reference)
        json_object_set_new(j, "reference", reference_json(info->reference));
    if (info->last.coefficients)
        json_object_set_new(j, "coefficients", coefficients_json(info->last.coefficients));
    if (info->nrow > 0)
        json_object_set_new(j, "rows",
                            list_json(info->nrow, info->row, sizeof *info->row, row_json));
    if (info->ncontrol > 0)
        json_object_set_new(
            j, "controls",
            list_json(info->ncontrol, info->control, sizeof *info->control, control_json));
    if (info->nleak > 0)
        json_object_set_new(j, "leakages",
                            list_json(info->nleak, info->leak, sizeof *info->leak, leak_json));
    if (info->nsolid > 0)
        json_object_set_new(j, "solids",
                            list_json(info->nsolid, info->solid, sizeof *info->solid, solid_json));
    struct an_atomic a;
    int status = an_atomic_begin(path, &a);
    if (status == AN_OK && json_dumpf(j, a.f, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) != 0) {
        an_atomic_abort(&a);
        status = an_error_set(AN_FAIL, "%s cannot be written: is the disk full?", path);
    } else if (status == AN_OK) {
        fputc('\n', a.f);
        status = an_atomic_commit(&a);
    }
    json_decref(j);
    return status;
}
