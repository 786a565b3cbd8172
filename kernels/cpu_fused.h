/* CPU engine: the fused residual and Runge-Kutta stage.
 *
 * A tile of TI x TJ columns is marched in k. Five planes of the state (rho, u, v, w, p, H with two
 * ghosts around) stay in a ring in cache; each face's flux is computed once per tile: k faces are
 * kept from plane to plane, j faces from row to row.
 *
 *     ring:  plane k-2 .. k+2        fk: faces below plane k      fj: faces below row j
 *
 * All inner loops run along i and vectorise. The sums are ordered as in flux_sum.stencil and
 * update.stencil: the result is theirs, bit for bit.
 */
enum { TI = 128, TJ = 8, PI = TI + 16, PJ = TJ + 4, NQ = 6, NPLANE = 5 };

struct AN_FN(ring) {
    real q[NPLANE][PJ][NQ][PI]; /* cell (i,j) at [j + 2][..][i + 8] */
    real fk[2][TJ][5][PI];
    real fj[2][5][PI];
    real fi[5][PI];
};

/* The state of plane k, rows -2 .. nj+2 of the tile. */
static void AN_FN(load_plane)(real (*restrict plane)[NQ][PI], const real *restrict W, int64_t cs,
                              const struct an_block *block, const int lo[3], int ni, int nj, int k,
                              const struct AN_FN(an_prm) * prm)
{
    for (int j = -2; j < nj + 2; j++) {
        const real *w = W + an_element(block, lo[0], lo[1] + j, k);
        real(*restrict row)[PI] = plane[j + 2];
#pragma omp simd
        for (int i = -2; i < ni + 2; i++) {
            struct AN_FN(an_cell) q = AN_FN(an_cell_from_conserved)(
                w[i], w[cs + i], w[2 * cs + i], w[3 * cs + i], w[4 * cs + i], prm);
            row[0][i + 8] = q.rho;
            row[1][i + 8] = q.u;
            row[2][i + 8] = q.v;
            row[3][i + 8] = q.w;
            row[4][i + 8] = q.p;
            row[5][i + 8] = q.H;
        }
    }
}

#define RING_CELL(row, at)                                                     \
    {                                                                          \
        row[0][at], row[1][at], row[2][at], row[3][at], row[4][at], row[5][at] \
    }

/* Fluxes through n faces of one row; rows l2 .. r2 hold the cells, each with its own shift in i. */
AN_INLINE void AN_FN(flux_row)(const int scheme, real (*restrict flux)[PI], real (*l2)[PI],
                               real (*l1)[PI], real (*r1)[PI], real (*r2)[PI], const int shift,
                               const real *restrict s, int64_t cs, const real *restrict lam_l,
                               const real *restrict lam_r, int n, const struct AN_FN(an_prm) * prm)
{
#pragma omp simd
    for (int i = 0; i < n; i++) {
        const int at = i + 8;
        struct AN_FN(an_cell) a = RING_CELL(l2, at - 2 * shift);
        struct AN_FN(an_cell) b = RING_CELL(l1, at - shift);
        struct AN_FN(an_cell) c = RING_CELL(r1, at);
        struct AN_FN(an_cell) d = RING_CELL(r2, at + shift);
        struct AN_FN(an_five) f = AN_FN(an_face_flux)(scheme, &a, &b, &c, &d, s[i], s[cs + i],
                                                      s[2 * cs + i], lam_l[i], lam_r[i], prm);
        flux[0][at] = f.m;
        flux[1][at] = f.x;
        flux[2][at] = f.y;
        flux[3][at] = f.z;
        flux[4][at] = f.e;
    }
}

/* The tile lo <= cell < hi. stage: W0, DT -> WN; else R. */
AN_INLINE void AN_FN(fused_tile)(const int scheme, const int stage, struct AN_FN(ring) *restrict g,
                                 const struct an_block *block, int64_t cs, const int lo[3],
                                 const int hi[3], const struct an_fields *f,
                                 const struct AN_FN(an_prm) * prm)
{
    const real *W = f->at[AN_F_W], *S = f->at[AN_F_S], *LAM = f->at[AN_F_LAM];
    const real *W0 = f->at[AN_F_W0], *DT = f->at[AN_F_DT];
    real *out = f->at[stage ? AN_F_WN : AN_F_R];
    const int64_t s1 = block->stride[1], s2 = block->stride[2];
    const int ni = hi[0] - lo[0], nj = hi[1] - lo[1];
    const real *lam_i = LAM, *lam_j = LAM + cs, *lam_k = LAM + 2 * cs;

    for (int k = lo[2] - 2; k < lo[2] + 2; k++)
        AN_FN(load_plane)(g->q[(k - lo[2] + 2) % NPLANE], W, cs, block, lo, ni, nj, k, prm);
    for (int k = lo[2] - 1; k < hi[2]; k++) {
        /* faces above plane k */
        const int top = k - lo[2] + 1 + 2; /* ring index of plane k + 1 */
        if (k >= lo[2])
            AN_FN(load_plane)(g->q[(top + 1) % NPLANE], W, cs, block, lo, ni, nj, k + 2, prm);
        real(*above)[5][PI] = g->fk[(k + 1 - lo[2]) & 1];
        real(*below)[5][PI] = g->fk[(k - lo[2]) & 1];
        for (int j = 0; j < nj; j++) {
            int64_t at = an_element(block, lo[0], lo[1] + j, k + 1);
            AN_FN(flux_row)
            (scheme, above[j], g->q[(top + NPLANE - 2) % NPLANE][j + 2],
             g->q[(top + NPLANE - 1) % NPLANE][j + 2], g->q[top % NPLANE][j + 2],
             g->q[(top + 1) % NPLANE][j + 2], 0, S + 6 * cs + at, cs, lam_k + at - s2, lam_k + at,
             ni, prm);
        }
        if (k < lo[2])
            continue;
        real(*plane)[NQ][PI] = g->q[(top + NPLANE - 1) % NPLANE];
        for (int j = -1; j < nj; j++) {
            /* faces above row j */
            real(*north)[PI] = g->fj[(j + 1) & 1], (*south)[PI] = g->fj[j & 1];
            int64_t up = an_element(block, lo[0], lo[1] + j + 1, k);
            AN_FN(flux_row)
            (scheme, north, plane[j + 1], plane[j + 2], plane[j + 3], plane[j + 4], 0,
             S + 3 * cs + up, cs, lam_j + up - s1, lam_j + up, ni, prm);
            if (j < 0)
                continue;
            int64_t at = up - s1;
            AN_FN(flux_row)
            (scheme, g->fi, plane[j + 2], plane[j + 2], plane[j + 2], plane[j + 2], 1, S + at, cs,
             lam_i + at - 1, lam_i + at, ni + 1, prm);
            for (int c = 0; c < 5; c++) {
                const real *restrict fi = g->fi[c] + 8, *restrict n = north[c] + 8,
                                     *restrict so = south[c] + 8, *restrict t = above[j][c] + 8,
                                     *restrict b = below[j][c] + 8;
                const real *w0 = W0 + c * cs + at, *dt = DT + at;
                real *w = out + c * cs + at;
                if (stage) {
#pragma omp simd
                    for (int i = 0; i < ni; i++) {
                        real r = ((fi[i + 1] - fi[i]) + (n[i] - so[i])) + (t[i] - b[i]);
                        w[i] = AN_FMA(-(prm->alpha * dt[i]), r, w0[i]);
                    }
                } else {
#pragma omp simd
                    for (int i = 0; i < ni; i++)
                        w[i] = ((fi[i + 1] - fi[i]) + (n[i] - so[i])) + (t[i] - b[i]);
                }
            }
        }
    }
}

static void AN_FN(fused)(int scheme, int stage, void *buffer, const struct an_block *block,
                         int64_t cs, const int lo[3], const int hi[3], const struct an_fields *f,
                         const struct an_params *params)
{
    const struct AN_FN(an_prm) p = AN_FN(an_prm_from)(params), *prm = &p;
    for (int j = lo[1]; j < hi[1]; j += TJ)
        for (int i = lo[0]; i < hi[0]; i += TI) {
            const int a[3] = {i, j, lo[2]};
            const int b[3] = {i + TI < hi[0] ? i + TI : hi[0], j + TJ < hi[1] ? j + TJ : hi[1],
                              hi[2]};
            if (scheme == AN_SCHEME_MATRIX && stage)
                AN_FN(fused_tile)(AN_SCHEME_MATRIX, 1, buffer, block, cs, a, b, f, prm);
            else if (scheme == AN_SCHEME_MATRIX)
                AN_FN(fused_tile)(AN_SCHEME_MATRIX, 0, buffer, block, cs, a, b, f, prm);
            else if (scheme == AN_SCHEME_ROE && stage)
                AN_FN(fused_tile)(AN_SCHEME_ROE, 1, buffer, block, cs, a, b, f, prm);
            else if (scheme == AN_SCHEME_ROE)
                AN_FN(fused_tile)(AN_SCHEME_ROE, 0, buffer, block, cs, a, b, f, prm);
            else if (stage)
                AN_FN(fused_tile)(AN_SCHEME_JST, 1, buffer, block, cs, a, b, f, prm);
            else
                AN_FN(fused_tile)(AN_SCHEME_JST, 0, buffer, block, cs, a, b, f, prm);
        }
}
