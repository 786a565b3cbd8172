/* CPU engine: the fused residual and Runge-Kutta stage.
 *
 * A tile of TI x TJ columns is marched in k. Five planes of the state (rho, u, v, w, p, H with two
 * ghosts around) stay in a ring in cache; each face's flux is computed once per tile: k faces are
 * kept from plane to plane, j faces from row to row. So is the shock sensor of a cell along a
 * direction, which both its faces there read.
 *
 *     ring:  plane k-2 .. k+2        fk, sk: faces below plane k, sensors of plane k
 *                                    fj, sj: faces below row j, sensors of row j
 *
 * All inner loops run along i and vectorise. They run over whole vectors of LANES cells, into the
 * padding of the ring and of rows in memory: what is computed there is not used. The rows needed
 * next are prefetched: a row is too short for the processor to notice by itself.
 *
 * The sums are ordered as in flux_sum.stencil, add_force.stencil (components 1 to 4) and update.stencil:
 * the result is theirs, bit for bit.
 */
#include "kernels/cpu/cpu_march.h"
#include "kernels/physics/flux.h"

/* Rows of the ring have LANES cells before cell 0, so that vectors of cells lie on whole lines of
 * cache, as in memory. */
enum { PI = TI + 3 * LANES, PJ = TJ + 4, NQ = AN_CELL_WORDS, NPLANE = 5 };

/* Bits of a variant of a tile beside its scheme and AN_ROTATING: prm->flux.low_mach > 0 without prm->flux.precondition, and with
 * it. What these parameters switch must be known when a loop over faces is compiled: GCC makes no vector code of a loop
 * that contains the preconditioned waves behind a condition. */
enum { LOW_MACH = 2 * AN_ROTATING, PRECONDITIONED = 4 * AN_ROTATING };

struct AN_FN(ring) {
    real q[NPLANE][PJ][NQ][PI]; /* cell (i,j) at [j + 2][..][i + LANES] */
    real fk[2][TJ][5][PI];
    real fj[2][5][PI];
    real fi[5][PI];
    real sk[2][TJ][PI], sj[2][PI], si[PI]; /* sensor of cell i there, too */
};

/* The state of plane k, rows -2 .. nj+2 of the tile. */
static void AN_FN(load_plane)(real (*restrict plane)[NQ][PI], const real *restrict W,
                              const real *restrict EOS, int64_t cs, const struct an_block *block,
                              const int lo[3], int ni, int nj, int k,
                              const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_prm) here = *prm;
    const int whole = LANES + WHOLE(ni + 2);
    (void)EOS, (void)here;
    for (int j = -2; j < nj + 2; j++) {
        const int64_t at = an_element(block, lo[0], lo[1] + j, k) - LANES;
        const real *w = W + at;
#if AN_CACHED
        const real *eos = EOS + at;
#endif
        real(*restrict row)[PI] = plane[j + 2];
        for (int c = 0; c < 5; c++)
            AN_FN(prefetch_row)(w + c * cs + block->stride[1], LANES + ni + 2);
        for (int v = 0; v < whole; v += LANES)
#pragma omp simd
            for (int i = v; i < v + LANES; i++) {
#if AN_CACHED
                struct AN_FN(an_cell) q = AN_FN(an_cell_of_flux)(
                    w[i], w[cs + i], w[2 * cs + i], w[3 * cs + i], w[4 * cs + i],
                    eos[AN_EOS_P * cs + i], eos[AN_EOS_KAPPA * cs + i], eos[AN_EOS_C2 * cs + i]);
                row[6][i] = q.kappa;
                row[7][i] = q.c2;
#else
                struct AN_FN(an_cell) q = AN_FN(an_cell_from_conserved)(
                    w[i], w[cs + i], w[2 * cs + i], w[3 * cs + i], w[4 * cs + i], &here);
#endif
                row[0][i] = q.rho;
                row[1][i] = q.u;
                row[2][i] = q.v;
                row[3][i] = q.w;
                row[4][i] = q.p;
                row[5][i] = q.H;
            }
    }
}

/* The sensors of n cells from first on; rows of pressures below, at and above them, of which the
 * outer two are shifted in i. */
AN_INLINE void AN_FN(sensor_row)(real *restrict sensor, const real *below, const real *at,
                                 const real *above, int shift, int first, int n,
                                 const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_prm) here = *prm;
    for (int i = LANES + first; i < LANES; i++) /* below the first whole vector */
        sensor[i] = AN_FN(an_sensor)(below[i - shift], at[i], above[i + shift], &here);
    for (int v = LANES; v < LANES + WHOLE(first + n); v += LANES)
#pragma omp simd
        for (int i = v; i < v + LANES; i++)
            sensor[i] = AN_FN(an_sensor)(below[i - shift], at[i], above[i + shift], &here);
}

/* The cell `at` of a row of the ring. */
AN_INLINE struct AN_FN(an_cell) AN_FN(ring_cell)(real (*row)[PI], int at)
{
    struct AN_FN(an_cell) q = AN_FN(an_cell_of_words)(row[0][at], row[1][at], row[2][at],
                                                      row[3][at], row[4][at], row[5][at]);
#if AN_CACHED
    q.kappa = row[6][at];
    q.c2 = row[7][at];
#endif
    return q;
}

/* Fluxes through n faces of one row; rows l2 .. r2 hold the cells, each with its own shift in i;
 * variant: scheme and the bits above; sl, sr: sensors of the cells left and right; g: what faces sweep,
 * where blocks turn. ahead: elements to the row needed next. */
AN_INLINE void AN_FN(flux_row)(const int variant, real (*restrict flux)[PI], real (*l2)[PI],
                               real (*l1)[PI], real (*r1)[PI], real (*r2)[PI], const int shift,
                               const real *sl, const real *sr, const real *restrict s,
                               const real *restrict g, int64_t cs, const real *restrict lam_l,
                               const real *restrict lam_r, int n, int64_t ahead,
                               const struct AN_FN(an_prm) * prm)
{
    const int scheme = variant & (2 * AN_ROTATING - 1);
    struct AN_FN(an_prm) here = *prm;
    here.flux.precondition = variant & PRECONDITIONED ? 1 : 0;
    if (!(variant & (LOW_MACH | PRECONDITIONED)))
        here.flux.low_mach = AN_R(0.0);
    const int whole = WHOLE(n);
    for (int c = 0; c < 3; c++)
        AN_FN(prefetch_row)(s + c * cs + ahead, n);
    AN_FN(prefetch_row)(lam_r + ahead, n);
    for (int v = 0; v < whole; v += LANES)
#pragma omp simd
        for (int i = v; i < v + LANES; i++) {
            const int at = i + LANES;
            struct AN_FN(an_cell) a = AN_FN(ring_cell)(l2, at - 2 * shift);
            struct AN_FN(an_cell) b = AN_FN(ring_cell)(l1, at - shift);
            struct AN_FN(an_cell) c = AN_FN(ring_cell)(r1, at);
            struct AN_FN(an_cell) d = AN_FN(ring_cell)(r2, at + shift);
            const real sensor = (scheme & (AN_ROTATING - 1)) == AN_SCHEME_ROE
                                    ? AN_R(0.0)
                                    : AN_FN(an_sensor_join)(sl[at - shift], sr[at], &here);
            struct AN_FN(an_five) f = AN_FN(an_face_flux_sensed)(
                scheme, &a, &b, &c, &d, s[i], s[cs + i], s[2 * cs + i],
                scheme & AN_ROTATING ? g[i] : AN_R(0.0), lam_l[i], lam_r[i], sensor, &here);
            flux[0][at] = f.m;
            flux[1][at] = f.x;
            flux[2][at] = f.y;
            flux[3][at] = f.z;
            flux[4][at] = f.e;
        }
}

/* What a tile reads and writes, from the first component and element on. */
struct AN_FN(operands) {
    const real *W, *EOS, *S, *LAM, *W0, *DT, *G, *VOL;
    const real *given; /* FORCE of residuals; NULL: none */
    real *out;         /* WN of a stage, else R */
    const struct an_block *block;
    int64_t cs;
    int lo[3], ni, nj;
    real omega;
};

AN_INLINE struct AN_FN(operands)
    AN_FN(operands_of)(const int rotating, const int stage, const struct an_block *block,
                       int64_t cs, const int lo[3], const int hi[3], const struct an_fields *f)
{
    struct AN_FN(operands) o;
    o.W = f->at[AN_F_W];
    o.EOS = f->at[AN_F_EOS];
    o.S = f->at[AN_F_S];
    o.LAM = f->at[AN_F_LAM];
    o.W0 = f->at[AN_F_W0];
    o.DT = f->at[AN_F_DT];
    o.G = rotating ? f->at[AN_F_G] : o.S;
    o.VOL = rotating ? f->at[AN_F_VOL] : o.S;
    o.given = stage ? NULL : f->at[AN_F_FORCE];
    o.out = f->at[stage ? AN_F_WN : AN_F_R];
    o.block = block;
    o.cs = cs;
    for (int d = 0; d < 3; d++)
        o.lo[d] = lo[d];
    o.ni = hi[0] - lo[0];
    o.nj = hi[1] - lo[1];
    o.omega = (real)block->omega;
    return o;
}

/* The fluxes of a row of cells through its faces; those of direction i have one face more. */
struct AN_FN(sides) {
    real (*i)[PI], (*south)[PI], (*north)[PI], (*below)[PI], (*above)[PI];
};

/* The sums of fluxes of a row of cells, and their stage; q: their states, at: the first one's element. */
AN_INLINE void AN_FN(sum_row)(const int rotating, const int stage, const struct AN_FN(sides) side,
                              real (*q)[PI], const struct AN_FN(operands) * o, int64_t at,
                              const struct AN_FN(an_prm) * prm)
{
    const int ni = o->ni;
    const int64_t cs = o->cs, s1 = o->block->stride[1];
    AN_FN(prefetch_row)(o->DT + at + s1, stage ? ni : 0);
    for (int c = 0; c < 5; c++) {
        const real *restrict fi = side.i[c] + LANES, *restrict n = side.north[c] + LANES,
                             *restrict so = side.south[c] + LANES,
                             *restrict t = side.above[c] + LANES,
                             *restrict b = side.below[c] + LANES;
        const real *w0 = o->W0 + c * cs + at, *dt = o->DT + at;
        real *w = o->out + c * cs + at;
        if (rotating && (c == 2 || c == 3)) { /* and the source: y has rho w, z has rho v */
            const real *restrict rho = q[0] + LANES;
            const real *restrict u = q[5 - c] + LANES, *volume = o->VOL + at;
            const real alpha = prm->march.alpha, omega = o->omega;
#pragma omp simd
            for (int i = 0; i < ni; i++) {
                real r = ((fi[i + 1] - fi[i]) + (n[i] - so[i])) + (t[i] - b[i]);
                r += c == 2 ? AN_FN(an_source_y)(rho[i], u[i], omega, volume[i])
                            : AN_FN(an_source_z)(rho[i], u[i], omega, volume[i]);
                w[i] = stage ? AN_FMA(-(alpha * dt[i]), r, w0[i]) : r;
            }
        } else if (stage) {
            const real alpha = prm->march.alpha;
            AN_FN(prefetch_row)(w0 + s1, ni);
            AN_FN(prefetch_row)(w + s1, ni);
#pragma omp simd
            for (int i = 0; i < ni; i++) {
                real r = ((fi[i + 1] - fi[i]) + (n[i] - so[i])) + (t[i] - b[i]);
                w[i] = AN_FMA(-(alpha * dt[i]), r, w0[i]);
            }
        } else {
            AN_FN(prefetch_row)(w + s1, ni);
#pragma omp simd
            for (int i = 0; i < ni; i++)
                w[i] = ((fi[i + 1] - fi[i]) + (n[i] - so[i])) + (t[i] - b[i]);
        }
        if (o->given && c > 0) {
            const real *restrict more = o->given + c * cs + at;
            AN_FN(prefetch_row)(more + s1, ni);
#pragma omp simd
            for (int i = 0; i < ni; i++)
                w[i] += more[i];
        }
    }
}

/* Fluxes through the faces above plane k; top: index of plane k + 1 in the ring. */
AN_INLINE void AN_FN(faces_above)(const int variant, struct AN_FN(ring) *restrict g,
                                  const struct AN_FN(operands) * o, int k, int top,
                                  const struct AN_FN(an_prm) * prm)
{
    const int sensed = (variant & (AN_ROTATING - 1)) != AN_SCHEME_ROE;
    const int64_t s1 = o->block->stride[1], s2 = o->block->stride[2];
    const real *lam = o->LAM + 2 * o->cs;
    real(*above)[5][PI] = g->fk[(k + 1 - o->lo[2]) & 1];
    real(*sensor_above)[PI] = g->sk[(k + 1 - o->lo[2]) & 1];
    real(*sensor_below)[PI] = g->sk[(k - o->lo[2]) & 1];
    for (int j = 0; j < o->nj; j++) {
        int64_t at = an_element(o->block, o->lo[0], o->lo[1] + j, k + 1);
        real(*l2)[PI] = g->q[(top + NPLANE - 2) % NPLANE][j + 2];
        real(*l1)[PI] = g->q[(top + NPLANE - 1) % NPLANE][j + 2];
        real(*r1)[PI] = g->q[top % NPLANE][j + 2];
        real(*r2)[PI] = g->q[(top + 1) % NPLANE][j + 2];
        if (sensed)
            AN_FN(sensor_row)(sensor_above[j], l1[4], r1[4], r2[4], 0, 0, o->ni, prm);
        AN_FN(flux_row)
        (variant, above[j], l2, l1, r1, r2, 0, sensor_below[j], sensor_above[j],
         o->S + 6 * o->cs + at, o->G + 2 * o->cs + at, o->cs, lam + at - s2, lam + at, o->ni, s1,
         prm);
    }
}

/* The cells of plane k, row by row: the faces between rows, those within the row, the sums. */
AN_INLINE void AN_FN(cells_of_plane)(const int variant, const int stage,
                                     struct AN_FN(ring) *restrict g,
                                     const struct AN_FN(operands) * o, int k, real (*plane)[NQ][PI],
                                     const struct AN_FN(an_prm) * prm)
{
    const int sensed = (variant & (AN_ROTATING - 1)) != AN_SCHEME_ROE;
    const int64_t cs = o->cs, s1 = o->block->stride[1];
    const int ni = o->ni;
    const real *lam_i = o->LAM, *lam_j = o->LAM + cs;
    real(*above)[5][PI] = g->fk[(k + 1 - o->lo[2]) & 1];
    real(*below)[5][PI] = g->fk[(k - o->lo[2]) & 1];
    if (sensed)
        AN_FN(sensor_row)(g->sj[1], plane[0][4], plane[1][4], plane[2][4], 0, 0, ni, prm);
    for (int j = -1; j < o->nj; j++) {
        /* faces above row j */
        real(*north)[PI] = g->fj[(j + 1) & 1], (*south)[PI] = g->fj[j & 1];
        real *sensor_north = g->sj[(j + 1) & 1], *sensor_south = g->sj[j & 1];
        int64_t up = an_element(o->block, o->lo[0], o->lo[1] + j + 1, k);
        if (sensed)
            AN_FN(sensor_row)
        (sensor_north, plane[j + 2][4], plane[j + 3][4], plane[j + 4][4], 0, 0, ni, prm);
        AN_FN(flux_row)
        (variant, north, plane[j + 1], plane[j + 2], plane[j + 3], plane[j + 4], 0, sensor_south,
         sensor_north, o->S + 3 * cs + up, o->G + cs + up, cs, lam_j + up - s1, lam_j + up, ni, s1,
         prm);
        if (j < 0)
            continue;
        int64_t at = up - s1;
        real(*here)[PI] = plane[j + 2];
        if (sensed)
            AN_FN(sensor_row)(g->si, here[4], here[4], here[4], 1, -1, ni + 2, prm);
        AN_FN(flux_row)
        (variant, g->fi, here, here, here, here, 1, g->si, g->si, o->S + at, o->G + at, cs,
         lam_i + at - 1, lam_i + at, ni + 1, s1, prm);
        const struct AN_FN(sides) side = {g->fi, south, north, below[j], above[j]};
        AN_FN(sum_row)((variant & AN_ROTATING) != 0, stage, side, here, o, at, prm);
    }
}

/* The tile lo <= cell < hi. stage: W0, DT -> WN; else R. */
AN_INLINE void AN_FN(fused_tile)(const int variant, const int stage, struct AN_FN(ring) *restrict g,
                                 const struct an_block *block, int64_t cs, const int lo[3],
                                 const int hi[3], const struct an_fields *f,
                                 const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(operands) o =
        AN_FN(operands_of)((variant & AN_ROTATING) != 0, stage, block, cs, lo, hi, f);
    const int ni = o.ni, nj = o.nj;
    for (int k = lo[2] - 2; k < lo[2] + 2; k++)
        AN_FN(load_plane)
    (g->q[(k - lo[2] + 2) % NPLANE], o.W, o.EOS, cs, block, lo, ni, nj, k, prm);
    if ((variant & (AN_ROTATING - 1)) != AN_SCHEME_ROE)
        for (int j = 0; j < nj; j++) /* sensors of plane lo - 1 */
            AN_FN(sensor_row)
    (g->sk[1][j], g->q[0][j + 2][4], g->q[1][j + 2][4], g->q[2][j + 2][4], 0, 0, ni, prm);
    for (int k = lo[2] - 1; k < hi[2]; k++) {
        const int top = k - lo[2] + 1 + 2; /* index of plane k + 1 in the ring */
        if (k >= lo[2])
            AN_FN(load_plane)
        (g->q[(top + 1) % NPLANE], o.W, o.EOS, cs, block, lo, ni, nj, k + 2, prm);
        AN_FN(faces_above)(variant, g, &o, k, top, prm);
        if (k >= lo[2])
            AN_FN(cells_of_plane)
        (variant, stage, g, &o, k, g->q[(top + NPLANE - 1) % NPLANE], prm);
    }
}

_Static_assert((int)AN_NSCHEME <= (int)AN_ROTATING, "AN_ROTATING is a bit beside the schemes");

/* Each flux has functions of its own: in one function all would take several times as long to
 * compile. */
#define VARIANTS(V)                     \
    SPEEDS(V, AN_SCHEME_JST, jst)       \
    SPEEDS(V, AN_SCHEME_ROE, roe)       \
    SPEEDS(V, AN_SCHEME_MATRIX, matrix) \
    SPEEDS(V, AN_SCHEME_KEP, kep)
#define SPEEDS(V, scheme, name)                  \
    ROTATING(V, scheme, name)                    \
    ROTATING(V, (scheme) | LOW_MACH, name##_low) \
    ROTATING(V, (scheme) | PRECONDITIONED, name##_preconditioned)
#define ROTATING(V, variant, name) \
    V(variant, name)               \
    V((variant) | AN_ROTATING, name##_rotating)
#define TILE(name, variant, stage)                                                         \
    static __attribute__((noinline)) void name(                                            \
        struct AN_FN(ring) * g, const struct an_block *block, int64_t cs, const int lo[3], \
        const int hi[3], const struct an_fields *f, const struct AN_FN(an_prm) * prm)      \
    {                                                                                      \
        AN_FN(fused_tile)(variant, stage, g, block, cs, lo, hi, f, prm);                   \
    }
#define TILES(variant, name)          \
    TILE(residual_##name, variant, 0) \
    TILE(stage_##name, variant, 1)
VARIANTS(TILES)

static int variant_of(int scheme, const struct AN_FN(an_prm) * prm)
{
    const int rotating = prm->flux.rotating ? AN_ROTATING : 0;
    if (prm->flux.precondition)
        return scheme | rotating | PRECONDITIONED;
    return scheme | rotating | (prm->flux.low_mach > AN_R(0.0) ? LOW_MACH : 0);
}

static void run(int scheme, int stage, void *buffer, const struct an_block *block, int64_t cs,
                const int lo[3], const int hi[3], const struct an_fields *f,
                const struct an_params *params)
{
    const struct AN_FN(an_prm) p = AN_FN(an_prm_from)(params), *prm = &p;
    const int variant = variant_of(scheme, prm);
    for (int j = lo[1]; j < hi[1]; j += TJ)
        for (int i = lo[0]; i < hi[0]; i += TI) {
            const int a[3] = {i, j, lo[2]};
            const int b[3] = {i + TI < hi[0] ? i + TI : hi[0], j + TJ < hi[1] ? j + TJ : hi[1],
                              hi[2]};
            switch (variant) {
#define CASE(variant, name)                                                        \
    case variant:                                                                  \
        (stage ? stage_##name : residual_##name)(buffer, block, cs, a, b, f, prm); \
        break;
                VARIANTS(CASE)
            }
        }
}

extern const struct an_cpu_fused AN_KERNEL(fused);
const struct an_cpu_fused AN_KERNEL(fused) = {sizeof(struct AN_FN(ring)), run};
