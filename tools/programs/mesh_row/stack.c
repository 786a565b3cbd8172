// The whole mesh: counts, keys, layers from them.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double HOPELESS = 6 * M_PI / 180, // angle of keys up to which fewer levels are tried
    POOR = 20 * M_PI / 180,                    // and of meshes below which other keys are
    DEGREE = M_PI / 180;

static void keys_free(struct plane *key, int n)
{
    for (int k = 0; k < n; k++)
        plane_free(&key[k]);
}

// Key number k on the way from both ends of the span, where the worst angle mostly is, to the middle.
static int key_at(const struct row *r, int k)
{
    return k % 2 ? r->nkey - 1 - k / 2 : k / 2;
}

struct keys {
    struct row *r;
    int from;
};

static int make_key(void *of, int k)
{
    const struct keys *s = of;
    return plane_key(&s->r->key[key_at(s->r, s->from + k)], s->r);
}

// *worst: the smallest angle of all keys, or of the first ones if one of these has no more than `enough`: the
// others then are not made. like: keys with the same counts, whose places on the blade are taken; NULL: none.
static int keys_make(struct row *r, const struct plane *like, double enough, double *worst)
{
    for (r->nkey = 0; r->nkey < r->in.keys; r->nkey++) {
        struct plane *q = &r->key[r->nkey];
        AN_TRY(like ? plane_sigma_like(q, r, &like[r->nkey])
                    : plane_sigma(q, r, (double)r->nkey / (r->in.keys - 1)));
    }
    if (!like)
        AN_TRY(around_agree(r));
    *worst = M_PI;
    for (int from = 0, n; from<r->nkey && * worst> enough; from += n) {
        n = side_room() < r->nkey - from ? side_room() : r->nkey - from;
        AN_TRY(side_by_side(n, make_key, &(struct keys){r, from}));
        for (int k = from; k<from + n && * worst> enough; k++)
            *worst = fmin(*worst, r->key[key_at(r, k)].worst.angle);
    }
    return AN_OK;
}

// The smallest angle of the keys with other counts, which stay if it is larger than *worst.
static int try_counts(struct row *r, const struct choice *other, double *worst)
{
    struct choice before;
    const int n = r->nkey;
    double got = 0;
    struct plane key[MAX_KEYS];
    memcpy(key, r->key, sizeof key);
    memset(r->key, 0, sizeof r->key);
    memcpy(before.n, r->n, sizeof r->n);
    memcpy(r->n, other->n, sizeof r->n);
    const int rc = keys_make(r, NULL, *worst, &got);
    fprintf(row_out(r),
            "corners of the ring  searched: smallest angle at the keys %.1f deg, %.1f deg before\n",
            got * 180 / M_PI, *worst * 180 / M_PI);
    // several blades: what gains next to nothing in the plane meshes may cost the layers between them more
    if (rc || got > *worst + (r->set > 1 ? 0.01 : 0)) {
        *worst = got;
        keys_free(key, n);
        return rc;
    }
    keys_free(r->key, MAX_KEYS);
    memcpy(r->key, key, sizeof key);
    memcpy(r->n, before.n, sizeof r->n);
    return AN_OK;
}

// Where the first counts give a small angle, others are searched and kept if their keys are better: the best
// ones, and where quick meshes promised too much, the next ones. *worst: the smallest angle of the keys.
static int choose_corners(struct row *r, double *worst)
{
    const double good = 30 * M_PI / 180, fair = 20 * M_PI / 180;
    struct choice other[CHOICES];
    int n;
    const bool search = r->in.shift < 0;
    AN_TRY(keys_make(r, NULL, search ? HOPELESS : -M_PI, worst));
    if (!search || *worst >= good)
        return AN_OK;
    struct choice first;
    memcpy(first.n, r->n, sizeof r->n);
    const double before = *worst, y[4] = {r->y_in, r->y_out, r->y_in_slope, r->y_out_slope};
    const bool fewer = r->in.levels > 2; // may follow
    AN_TRY(search_corners(r, other, &n, r->set > 1 && *worst < 0 && fewer));
    for (int k = 0; k < n && (k == 0 || *worst < fair); k++)
        AN_TRY(try_counts(r, &other[k], worst));
    if (*worst > before)
        return AN_OK;
    if (before > HOPELESS) { // the first keys, which have lines to the end planes of their own
        r->y_in = y[0];
        r->y_out = y[1];
        r->y_in_slope = y[2];
        r->y_out_slope = y[3];
        return AN_OK;
    }
    if (fewer) // choose_counts begins again
        return AN_OK;
    keys_free(r->key, MAX_KEYS); // some of them were never made
    memcpy(r->n, first.n, sizeof r->n);
    return keys_make(r, NULL, -M_PI, worst);
}

// Drops the mesh of a row: counts, keys and layers begin anew, with that many multigrid levels.
static void begin_again(struct row *r, int levels)
{
    r->in.levels = levels;
    blocks_drop(r);
    keys_free(r->key, MAX_KEYS);
    free(r->layer);
    free(r->w);
    r->layer = NULL;
    r->w = NULL;
    r->y_in_slope = r->y_out_slope = 0;
}

static int follow_key(void *of, int k)
{
    struct row *r = of;
    return r->set == 1 ? plane_follow(&r->key[k], r, &r->found->key[k]) : plane_key(&r->key[k], r);
}

// Counts and keys from the row that this one varies. They serve if their smallest angle is not poor, or not much smaller than
// that of the mesh that they were found for.
static int reuse(struct row *r, double *worst, bool *serves)
{
    const struct found *found = r->found;
    const int levels = r->in.levels;
    *serves = false;
    if (!found)
        return AN_OK;
    r->in.levels = found->levels;
    AN_TRY(counts_choose(r));
    memcpy(r->n, found->n, sizeof r->n);
    AN_TRY(span_layers(r));
    if (found->leaned)
        AN_TRY(lean_ends(r));
    for (r->nkey = 0; r->nkey < found->nkey; r->nkey++)
        AN_TRY(plane_sigma_like(&r->key[r->nkey], r, &found->key[r->nkey]));
    AN_TRY(side_by_side(r->nkey, follow_key, r));
    *worst = M_PI;
    for (int k = 0; k < r->nkey; k++)
        *worst = fmin(*worst, r->key[k].worst.angle);
    *serves = *worst >= fmin(POOR, found->worst - 4 * DEGREE);
    if (*serves)
        r->enough = fmin(POOR, found->worst - 2 * DEGREE);
    fprintf(row_out(r),
            "corners of the ring  those found before: smallest angle at the keys %.1f deg%s\n",
            *worst * 180 / M_PI, *serves ? "" : ", not taken");
    found_free(r);
    if (*serves)
        return AN_OK;
    r->in.levels = levels + 1;
    begin_again(r, r->in.levels - 1);
    return AN_OK;
}

// Counts, layers and keys. Where no counts with as many multigrid levels as wanted give a mesh, one level
// less allows finer steps of the counts.
static int choose_counts(struct row *r)
{
    bool serves;
    double worst;
    AN_TRY(reuse(r, &worst, &serves));
    while (!serves) {
        AN_TRY(counts_choose(r));
        AN_TRY(span_layers(r));
        AN_TRY(choose_corners(r, &worst));
        if (worst > HOPELESS || r->in.levels <= 2 || r->in.shift >= 0)
            return AN_OK;
        fprintf(row_out(r), "multigrid            no mesh with %d levels: the counts allow %d\n",
                r->in.levels, r->in.levels - 1);
        begin_again(r, r->in.levels - 1);
    }
    return AN_OK;
}

static const double FAIR = 6;

// The smallest angle; a ratio of volumes that is larger than FAIR by one counts as one degree.
static double worth(const struct figures *f)
{
    return f->least - fmax(0, f->ratio - FAIR) * DEGREE;
}

// Is a mesh with smaller or larger angles worth more?
static bool worth_more(const struct figures *now, const struct figures *was)
{
    if (now->folded + now->negative > 0)
        return false;
    if (was->folded + was->negative > 0)
        return true;
    if (figures_low(now, was) || (was->ratio < FAIR && now->ratio >= FAIR))
        return false;
    return worth(now) > worth(was) + DEGREE;
}

// mix_choose knows the angles within the layers only. Where lines along the span lean so much against the layers that
// the mesh has small angles, all ways from the keys to the layers are compared by the angles of the whole mesh.
static int mix_in_space(struct row *r, struct figures *f)
{
    static const double LEAN = 2 * M_PI / 180;
    const double before = f->least;
    const int first = r->mix, lines = r->lines;
    int best = first, best_lines = lines, now_made = first;
    if (f->least >= r->enough || f->plane_least < f->least + LEAN)
        return AN_OK;
    for (int way = 0; way < MIX_ALL; way++) {
        struct figures now;
        double angle;
        if (way == first)
            continue;
        r->mix = way;
        r->lines = lines;
        AN_TRY(mix_least(r, &angle));
        if (angle <= f->least)
            continue;
        AN_TRY(lines_choose(r));
        AN_TRY(layers_again(r));
        AN_TRY(figures_of(&now, r));
        now_made = way;
        if (worth_more(&now, f)) {
            *f = now;
            best = way;
            best_lines = r->lines;
        }
    }
    r->mix = best;
    r->lines = best_lines;
    if (best != first) {
        r->mix_stays = true;
        fprintf(
            row_out(r),
            "angles               lines along the span lean less: smallest angle %.2f deg, %.2f "
            "before\n",
            f->least * 180 / M_PI, before * 180 / M_PI);
    }
    return now_made == best ? AN_OK : layers_again(r);
}

// The mesh from the keys.
static int finish(struct row *r, struct figures *f)
{
    r->lines = LINES_THROUGH;
    r->widen = 0;
    r->mix_stays = false;
    AN_TRY(mix_choose(r));
    AN_TRY(lines_choose(r));
    AN_TRY(layers_again(r));
    AN_TRY(figures_of(f, r));
    AN_TRY(mix_in_space(r, f));
    return even_choose(r, f);
}

static const double VERY_POOR =
    10 * M_PI / 180; // the same, where keys have been polished behind a barrier

// Are other keys tried? A mesh whose lines along the span had to be chosen anew must have fair ratios of volumes, too.
static bool poor(const struct row *r, const struct figures *f)
{
    return f->least < r->enough || (r->mix_stays && worth(f) < r->enough);
}

// Where the mesh has small angles, keys are made that are polished behind a barrier, for the same counts.
static int try_barrier(struct row *r, struct figures *f)
{
    struct plane key[MAX_KEYS];
    struct figures now;
    double worst;
    if (!poor(r, f) || fillet_wanted(r) || r->barrier)
        return AN_OK;
    const int n = r->nkey, mix = r->mix, lines = r->lines;
    const bool stays = r->mix_stays;
    const double widen = r->widen, before = f->least;
    memcpy(key, r->key, sizeof key);
    memset(r->key, 0, sizeof r->key);
    r->barrier = true;
    int rc = keys_make(r, key, -M_PI, &worst);
    r->barrier = false;
    rc = rc ? rc : finish(r, &now);
    if (!rc && worth_more(&now, f)) {
        keys_free(key, n);
        *f = now;
        fprintf(
            row_out(r),
            "angles               plane meshes polished behind a barrier: smallest angle %.2f deg, "
            "%.2f before\n",
            f->least * 180 / M_PI, before * 180 / M_PI);
        return AN_OK;
    }
    keys_free(r->key, MAX_KEYS);
    memcpy(r->key, key, sizeof key);
    r->nkey = n;
    r->mix = mix;
    r->mix_stays = stays;
    r->lines = lines;
    r->widen = widen;
    return rc ? rc : layers_again(r);
}

static void mesh_drop(struct row *r)
{
    keys_free(r->key, MAX_KEYS);
    blocks_drop(r);
    free(r->layer);
    free(r->w);
    r->layer = NULL;
    r->w = NULL;
}

// Makes a second mesh from the first step on, with that many multigrid levels, and with or without a barrier. *r becomes this
// mesh if it is worth more and its smallest angle is at least `enough`. The two rows share the walls and the blades.
static int try_other(struct row *r, struct figures *f, int levels, bool barrier, double enough,
                     bool *kept)
{
    struct row *other = malloc(sizeof *other);
    AN_CHECK(other, AN_FAIL, "out of memory");
    *other = *r;
    memset(other->key, 0, sizeof other->key);
    memset(other->inside, 0, sizeof other->inside);
    other->grid.nblock = 0;
    other->layer = NULL;
    other->w = NULL;
    other->y_in_slope = other->y_out_slope = 0;
    other->barrier = barrier;
    other->in.levels = levels;
    struct figures now;
    int rc = choose_counts(other);
    rc = rc ? rc : finish(other, &now);
    rc = rc ? rc : try_barrier(other, &now);
    other->barrier = r->barrier;
    *kept = !rc && worth_more(&now, f) && now.least >= enough;
    if (*kept) {
        mesh_drop(r);
        *r = *other;
        *f = now;
    } else {
        mesh_drop(other);
    }
    free(other);
    return rc;
}

// Where the mesh still has small angles, and not in a gap, the counts are searched again with trials that are polished
// behind a barrier; with splitters, whose trials were polished so, and angles that are smaller still, with trials that
// are not.
static int try_search(struct row *r, struct figures *f)
{
    int zone;
    bool kept;
    const double before = f->least;
    zone_blade(r, f->zone, &zone);
    const bool again = r->barrier ? f->least < VERY_POOR : poor(r, f) && zone < ZONE_RING;
    if (!again || fillet_wanted(r) || r->in.shift >= 0)
        return AN_OK;
    AN_TRY(try_other(r, f, r->in.levels, !r->barrier, 0, &kept));
    if (kept)
        fprintf(row_out(r),
                "angles               corners searched again with%s a barrier: smallest angle %.2f "
                "deg, %.2f before\n",
                r->barrier ? "out" : "", f->least * 180 / M_PI, before * 180 / M_PI);
    return AN_OK;
}

// With many multigrid levels the counts come in large steps, which leaves the search few choices. Where the mesh still has
// small angles, one level less is tried, but no fewer than three; it must lead to fair angles.
static int try_levels(struct row *r, struct figures *f)
{
    enum { FEWEST = 3 };
    bool kept;
    const int levels = r->in.levels;
    const double before = f->least;
    if (!poor(r, f) || levels <= FEWEST || fillet_wanted(r) || r->in.shift >= 0)
        return AN_OK;
    AN_TRY(try_other(r, f, levels - 1, r->barrier, POOR, &kept));
    if (kept)
        fprintf(row_out(r),
                "multigrid            small angles with %d levels: the counts allow %d; smallest "
                "angle %.2f deg, %.2f "
                "before\n",
                levels, r->in.levels, f->least * 180 / M_PI, before * 180 / M_PI);
    return AN_OK;
}

int stack_build(struct row *r)
{
    // between splitters the plane meshes need it nearly always
    r->barrier = r->set > 1 && !fillet_wanted(r);
    const int levels = r->in.levels;
    for (;;) {
        struct figures f;
        r->enough = POOR;
        AN_TRY(choose_counts(r));
        AN_TRY(fillet_room(r));
        AN_TRY(finish(r, &f));
        AN_TRY(try_barrier(r, &f));
        AN_TRY(try_search(r, &f));
        AN_TRY(try_levels(r, &f));
        if (f.folded + f.negative == 0)
            return AN_OK;
        if (r->in.levels > 2 && r->in.shift < 0 && !r->calm) {
            fprintf(row_out(r),
                    "multigrid            %ld cells are folded with %d levels: tried again with "
                    "%d\n",
                    f.folded, r->in.levels, r->in.levels - 1);
            begin_again(r, r->in.levels - 1);
        } else if (!r->calm) {
            fprintf(row_out(r),
                    "normals              %ld cells are folded: tried again with smoothed normals "
                    "of the blade\n",
                    f.folded);
            r->calm = true;
            begin_again(r, levels);
        } else {
            return AN_OK;
        }
    }
}

void row_free(struct row *r)
{
    for (int k = 0; k <= r->nkey && k < MAX_KEYS; k++)
        plane_free(&r->key[k]);
    found_free(r);
    blocks_drop(r);
    metal_free(r);
    free(r->layer);
    free(r->w);
    meridian_free(&r->meridian);
    for (int b = 0; b < MAX_SET; b++)
        blade_free(&r->blade[b]);
    *r = (struct row){0};
}
