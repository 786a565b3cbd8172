/* The reference of the benchmark: stencil definitions run by plain loops with a type that counts. The
 * definitions are compiled group by group (count_group.h). */
#include "bench/counted.h"

#include "kernels/physics/flux.h"
#include "kernels/physics/implicit.h"

namespace count
{
#define CELL(name) cell_function name;
#define FACE(name) face_function name;
#define LINE(name) extern const struct Line name;
AN_STENCIL_LIST(CELL, CELL, FACE, LINE)
#undef CELL
#undef FACE
#undef LINE
} // namespace count

namespace
{
using namespace count;

const int wide[AN_NFIELD] = {
#define WORD_real                 0
#define WORD_double               1
#define AN_F(name, n, type, help) WORD_##type,
    AN_FIELD_LIST(AN_F)
#undef AN_F
};
#define NONE(name)        nullptr,
#define FUNCTION(name)    count::name,
#define ADDRESS(name)     &count::name,
#define CELL(name)        AN_KIND_CELL,
#define DIRECTIONAL(name) AN_KIND_DIRECTIONAL,
#define FACE(name)        AN_KIND_FACE,
#define LINE(name)        AN_KIND_LINE,
cell_function *const cells[AN_NSTENCIL] = {AN_STENCIL_LIST(FUNCTION, FUNCTION, NONE, NONE)};
face_function *const faces[AN_NSTENCIL] = {AN_STENCIL_LIST(NONE, NONE, FUNCTION, NONE)};
const struct Line *const lines[AN_NSTENCIL] = {AN_STENCIL_LIST(NONE, NONE, NONE, ADDRESS)};
const enum an_bench_kind kinds[AN_NSTENCIL] = {AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)};

/* ---- accounts ---- */

void start(Run &run, const struct an_layout *l, const struct an_layout *other,
           const struct an_bench_memory *f, const struct an_params *p, struct an_bench_account *a)
{
    run.f = f;
    run.cs = l->ncell;
    run.ocs = other ? other->ncell : 0;
    run.prm = AN_FN(an_prm_from)(p);
    memset(run.reads, 0, sizeof run.reads);
    memset(run.writes, 0, sizeof run.writes);
    memset(&an_tally, 0, sizeof an_tally);
    if (a)
        memset(a, 0, sizeof *a);
}

/* Moves what was touched to the account, `weight` points of it. */
void book_words(Run &run, number weight, struct an_bench_account *a)
{
    for (int f = 0; f < AN_NFIELD; f++)
        for (int slot = 0; slot < SLOTS; slot++) {
            const int r = __builtin_popcountll(run.reads[f][slot]);
            const int w = __builtin_popcountll(run.writes[f][slot]);
            (wide[f] ? a->wide_read : a->read) += weight * r;
            (wide[f] ? a->wide_written : a->written) += weight * w;
            a->reads[f] |= run.reads[f][slot];
            a->writes[f] |= run.writes[f][slot];
        }
    memset(run.reads, 0, sizeof run.reads);
    memset(run.writes, 0, sizeof run.writes);
}

void book_operations(struct an_bench_account *a)
{
    a->op.add += an_tally.add;
    a->op.multiply += an_tally.multiply;
    a->op.divide += an_tally.divide;
    a->op.root += an_tally.root;
    a->op.power += an_tally.power;
    a->op.compare += an_tally.compare;
    memset(&an_tally, 0, sizeof an_tally);
}

int finish(Run &run, const char *name, number points, struct an_bench_account *a)
{
    if (a) {
        for (int f = 0; f < AN_NFIELD; f++)
            for (size_t n = 0; n < run.touched[f].size(); n++)
                (wide[f] ? a->wide_read : a->read) += run.touched[f][n];
        for (int f = 0; f < AN_NFIELD; f++)
            a->both[f] = run.both[f];
        a->other = run.other;
        a->reduces = run.reduces;
        a->points = points;
        a->op.add /= points;
        a->op.multiply /= points;
        a->op.divide /= points;
        a->op.root /= points;
        a->op.power /= points;
        a->op.compare /= points;
        a->read /= points;
        a->written /= points;
        a->wide_read /= points;
        a->wide_written /= points;
    }
    AN_CHECK(!run.outside, AN_FAIL, "%s: %d accesses beyond the memory of its fields", name,
             run.outside);
    return AN_OK;
}
} // namespace

enum an_bench_kind an_bench_kind(enum an_stencil s)
{
    return kinds[s];
}

int an_bench_field_components(enum an_field f)
{
    return components[f];
}

int an_bench_field_is_double(enum an_field f)
{
    return wide[f];
}

int an_bench_count_cells(enum an_stencil s, const struct an_layout *l,
                         const struct an_layout *other, const struct an_bench_memory *f,
                         const struct an_params *p, struct an_reduction *red,
                         struct an_bench_account *a)
{
    Run run = {};
    const int ndir = kinds[s] == AN_KIND_DIRECTIONAL ? 3 : 1;
    struct an_bench_account trash;
    start(run, l, other, f, p, a);
    run.red = red;
    if (red) {
        memset(red, 0, sizeof *red);
        red->min[0] = red->min[1] = static_cast<number>(INFINITY);
    }
    for (int dir = 0; dir < ndir; dir++) {
        for (int b = 0; b < l->nblock; b++) {
            const struct an_block *block = &l->block[b], *from = other ? &other->block[b] : block;
            int hi[3] = {block->n[0], block->n[1], block->n[2]};
            if (ndir == 3)
                hi[dir]++;
            for (int k = 0; k < hi[2]; k++)
                for (int j = 0; j < hi[1]; j++)
                    for (int i = 0; i < hi[0]; i++) {
                        cells[s](run, block, from, dir, i, j, k);
                        const bool inside = i < block->n[0] && j < block->n[1] && k < block->n[2];
                        book_operations(a && inside ? a : &trash);
                    }
        }
        /* a kernel for each direction: what two of them read counts twice */
        if (a)
            book_words(run, static_cast<number>(l->interior), a);
    }
    return finish(run, an_stencil_name(s), static_cast<number>(l->interior), a);
}

/* Block elimination from the first cell of a line to the last, and back; row: n rows of the system,
 * in the end E and g; x: n N unknowns. */
static void solve_line(int N, int n, an_counted *row, an_counted *x)
{
    const int words = AN_LINE_WORDS(N);
    an_counted e[6][5];
    for (int m = 0; m < n; m++) {
        an_counted *const cell = row + m * words;
        an_counted y[6][5], far[5][5];
        for (int c = 0; c <= N; c++) {
            for (int r = 0; r < N; r++)
                y[c][r] = c < N ? cell[AN_LINE_DIAG(N) + N * r + c] : cell[AN_LINE_RIGHT(N) + r];
            if (m > 0)
                AN_FN(an_line_reduce)(N, cell + AN_LINE_NEAR(N), 1, e[c], y[c]);
        }
        for (int c = 0; c < N; c++)
            for (int r = 0; r < N; r++)
                far[c][r] = cell[AN_LINE_FAR(N) + N * r + c];
        for (int p = 0; p < N; p++) {
            const an_counted inverse = 1 / y[p][p];
            for (int c = p + 1; c <= N; c++)
                AN_FN(an_line_pivot)(N, p, y[p], inverse, y[c]);
            for (int c = 0; c < N; c++)
                AN_FN(an_line_pivot)(N, p, y[p], inverse, far[c]);
        }
        for (int r = 0; r < N; r++) {
            for (int c = 0; c < N; c++)
                cell[AN_LINE_FAR(N) + N * r + c] = e[c][r] = far[c][r];
            x[N * m + r] = e[N][r] = y[N][r];
        }
    }
    for (int m = n - 2; m >= 0; m--)
        AN_FN(an_line_reduce)
    (N, row + m * words + AN_LINE_FAR(N), 1, x + N * (m + 1), x + N * m);
}

int an_bench_count_lines(enum an_stencil s, int dir, const struct an_layout *l,
                         const struct an_bench_memory *f, const struct an_params *p,
                         struct an_bench_account *a)
{
    Run run = {};
    const int t1 = (dir + 1) % 3, t2 = (dir + 2) % 3, N = lines[s]->unknowns;
    start(run, l, nullptr, f, p, a);
    for (int b = 0; b < l->nblock; b++) {
        const struct an_block *block = &l->block[b];
        const int n = block->n[dir], count = lines[s]->systems(&run.prm);
        std::vector<an_counted> row(static_cast<size_t>(n * AN_LINE_WORDS(N)));
        std::vector<an_counted> x(static_cast<size_t>(n * N));
        for (int line = 0; line < block->n[t1] * block->n[t2] * count; line++) {
            const int system = line % count, at1 = line / count % block->n[t1];
            const int64_t first = block->origin + at1 * block->stride[t1] +
                                  line / count / block->n[t1] * block->stride[t2];
            for (int m = 0; m < n; m++)
                lines[s]->row(run, block, dir, m, first + m * block->stride[dir], system,
                              &row[static_cast<size_t>(m * AN_LINE_WORDS(N))]);
            solve_line(N, n, row.data(), x.data());
            for (int m = 0; m < n; m++)
                lines[s]->solution(run, dir, first + m * block->stride[dir], system,
                                   &x[static_cast<size_t>(m * N)]);
        }
    }
    if (a) {
        book_operations(a);
        book_words(run, static_cast<number>(l->interior), a);
    }
    return finish(run, an_stencil_name(s), static_cast<number>(l->interior), a);
}

int an_bench_count_faces(enum an_stencil s, enum an_scheme scheme, const struct an_layout *l,
                         int nwindow, const struct an_face_window *window,
                         const struct an_bc_value *value, const struct an_bench_memory *f,
                         const struct an_params *p, struct an_xsum *sum, struct an_bench_account *a)
{
    Run run = {};
    struct an_bench_account trash;
    number points = 0;
    start(run, l, nullptr, f, p, a);
    for (int w = 0; w < nwindow; w++) {
        const struct an_window *win = &window[w].window;
        const struct an_block *block = &l->block[win->block];
        const struct an_bc_value *given = &value[window[w].boundary];
        const int dir = win->dir, t1 = (dir + 1) % 3, t2 = (dir + 2) % 3;
        struct AN_FN(an_bc) bc;
        bc.type = given->type;
        bc.varies = 0;
        for (int v = 0; v < AN_BC_NVALUE; v++)
            bc.v[v] = an_counted(given->v[v]);
        int64_t face = window[w].first;
        run.sums = sum ? sum + window[w].boundary * AN_NINTEGRAL : nullptr;
        for (int y = win->lo[t2]; y < win->hi[t2]; y++)
            for (int x = win->lo[t1]; x < win->hi[t1]; x++, face++, points++) {
                const int64_t at = block->origin + x * block->stride[t1] + y * block->stride[t2] +
                                   (win->side ? block->n[dir] - 1 : 0) * block->stride[dir];
                faces[s](run, block, win, at, face, &bc, scheme);
                book_operations(a ? a : &trash);
                book_words(run, 1, a ? a : &trash);
            }
    }
    return finish(run, an_stencil_name(s), points, a);
}

int an_bench_count_fused(enum an_scheme scheme, int stage, const struct an_layout *l,
                         const struct an_bench_memory *f, const struct an_params *p,
                         struct an_bench_account *a)
{
    typedef struct AN_FN(an_five) five;
    typedef struct AN_FN(an_cell) cell;
    Run run = {};
    struct an_bench_account trash;
    start(run, l, nullptr, f, p, a);
    const Field W(run, AN_F_W, AN_ROLE_NEAR), S(run, AN_F_S, AN_ROLE_NEAR);
    const Field LAM(run, AN_F_LAM, AN_ROLE_NEAR), W0(run, AN_F_W0, AN_ROLE_IN);
    const Field DT(run, AN_F_DT, AN_ROLE_IN), R(run, AN_F_R, AN_ROLE_OUT);
    const Field WN(run, AN_F_WN, AN_ROLE_OUT);
    const auto state = [&](int64_t at) {
        return AN_FN(an_cell_from_conserved)(W.read(0, at), W.read(1, at), W.read(2, at),
                                             W.read(3, at), W.read(4, at), &run.prm);
    };
    const bool radii = scheme != AN_SCHEME_ROE || p->fluid.viscosity;
    const auto flux = [&](int dir, int64_t at, int64_t step) {
        const cell l2 = state(at - 2 * step), l1 = state(at - step), r1 = state(at),
                   r2 = state(at + step);
        const an_counted left = radii ? LAM.read(dir, at - step) : an_counted(0);
        const an_counted right = radii ? LAM.read(dir, at) : an_counted(0);
        memset(&an_tally, 0, sizeof an_tally); /* the states are counted by their own cells */
        return AN_FN(an_face_flux)(scheme, &l2, &l1, &r1, &r2, S.read(3 * dir, at),
                                   S.read(3 * dir + 1, at), S.read(3 * dir + 2, at), an_counted(0),
                                   left, right, &run.prm);
    };
    for (int b = 0; b < l->nblock; b++) {
        const struct an_block *block = &l->block[b];
        for (int k = 0; k < block->n[2]; k++)
            for (int j = 0; j < block->n[1]; j++)
                for (int i = 0; i < block->n[0]; i++) {
                    const int64_t at = an_element(block, i, j, k);
                    five low[3], high[3];
                    for (int dir = 0; dir < 3; dir++) {
                        high[dir] = flux(dir, at + block->stride[dir], block->stride[dir]);
                        book_operations(&trash); /* the upper neighbour's */
                        low[dir] = flux(dir, at, block->stride[dir]);
                        book_operations(a ? a : &trash);
                    }
                    state(at);
                    for (int c = 0; c < 5; c++) {
                        an_counted five::*const part[5] = {&five::m, &five::x, &five::y, &five::z,
                                                           &five::e};
                        const an_counted five::*q = part[c];
                        const an_counted r = ((high[0].*q - low[0].*q) + (high[1].*q - low[1].*q)) +
                                             (high[2].*q - low[2].*q);
                        if (stage)
                            WN.write(
                                c, at,
                                AN_FMA(-(run.prm.march.alpha * DT.read(0, at)), r, W0.read(c, at)));
                        else
                            R.write(c, at, r);
                    }
                    book_operations(a ? a : &trash);
                }
    }
    if (a)
        book_words(run, static_cast<number>(l->interior), a);
    return finish(run, "fused", static_cast<number>(l->interior), a);
}
