/* Rows of simple stencils in AN_ELEMENT (no include guard: for both precisions). Point i of a row
 * is u[i]; the sums have the order of the definitions. */

AN_INLINE void AN_ROW(star7)(AN_ELEMENT *restrict out, const AN_ELEMENT *restrict u, int64_t s1,
                             int64_t s2, int lo, int hi, const AN_ELEMENT *c)
{
    const AN_ELEMENT c0 = c[0], c1 = c[1];
#pragma omp simd
    for (int i = lo; i < hi; i++)
        out[i] = c0 * u[i] +
                 c1 * (((u[i - 1] + u[i + 1]) + (u[i - s1] + u[i + s1])) + (u[i - s2] + u[i + s2]));
}

AN_INLINE void AN_ROW(box27s)(AN_ELEMENT *restrict out, const AN_ELEMENT *restrict u, int64_t s1,
                              int64_t s2, int lo, int hi, const AN_ELEMENT *c)
{
    const AN_ELEMENT c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    const AN_ELEMENT *a = u - s2, *b = u + s2;
#pragma omp simd
    for (int i = lo; i < hi; i++) {
        const AN_ELEMENT faces = ((u[i - 1] + u[i + 1]) + (u[i - s1] + u[i + s1])) + (a[i] + b[i]);
        const AN_ELEMENT edges =
            ((u[i - s1 - 1] + u[i - s1 + 1]) + (u[i + s1 - 1] + u[i + s1 + 1])) +
            (((a[i - 1] + a[i + 1]) + (a[i - s1] + a[i + s1])) +
             ((b[i - 1] + b[i + 1]) + (b[i - s1] + b[i + s1])));
        const AN_ELEMENT corners =
            ((a[i - s1 - 1] + a[i - s1 + 1]) + (a[i + s1 - 1] + a[i + s1 + 1])) +
            ((b[i - s1 - 1] + b[i - s1 + 1]) + (b[i + s1 - 1] + b[i + s1 + 1]));
        out[i] = (c0 * u[i] + c1 * faces) + (c2 * edges + c3 * corners);
    }
}

AN_INLINE void AN_ROW(box27)(AN_ELEMENT *restrict out, const AN_ELEMENT *restrict u, int64_t s1,
                             int64_t s2, int lo, int hi, const AN_ELEMENT *c)
{
#pragma omp simd
    for (int i = lo; i < hi; i++) {
        AN_ELEMENT sum = 0;
        for (int m = 0; m < 9; m++) {
            const AN_ELEMENT *r = u + i + (m % 3 - 1) * s1 + (m / 3 - 1) * s2;
            sum += (c[3 * m] * r[-1] + c[3 * m + 1] * r[0]) + c[3 * m + 2] * r[1];
        }
        out[i] = sum;
    }
}

AN_INLINE void AN_ROW(star25)(AN_ELEMENT *restrict out, const AN_ELEMENT *restrict u, int64_t s1,
                              int64_t s2, int lo, int hi, const AN_ELEMENT *c)
{
#pragma omp simd
    for (int i = lo; i < hi; i++) {
        AN_ELEMENT sum = c[0] * u[i];
        for (int r = 1; r <= 4; r++)
            sum += c[r] * (((u[i - r] + u[i + r]) + (u[i - r * s1] + u[i + r * s1])) +
                           (u[i - r * s2] + u[i + r * s2]));
        out[i] = sum;
    }
}

/* Row j of plane k, by way of `buffer` where that is given. */
AN_INLINE void AN_ROW(any_row)(const struct problem *p, int j, int k, int inner, int radius,
                               char *buffer)
{
    const struct grid *g = &p->g;
    const AN_ELEMENT *u = (const AN_ELEMENT *)p->from + j * g->pitch + k * g->plane;
    AN_ELEMENT *out = (AN_ELEMENT *)p->to + j * g->pitch + k * g->plane;
    AN_ELEMENT *row = buffer ? (AN_ELEMENT *)(void *)buffer : out;
    const int lo = radius, hi = g->n - radius;
    AN_ELEMENT c[27];
    const double *given = an_bench_coefficients(p->stencil);
    if (!inner) {
        memcpy(out, u, (size_t)g->n * sizeof *u);
        return;
    }
    for (int m = 0; m < (p->stencil == AN_BENCH_BOX27 ? 27 : 5); m++)
        c[m] = m < (p->stencil == AN_BENCH_STAR7    ? 2
                    : p->stencil == AN_BENCH_BOX27S ? 4
                                                    : 27)
                   ? (AN_ELEMENT)given[m]
                   : 0;
    if (p->stencil == AN_BENCH_STAR7)
        AN_ROW(star7)(row, u, g->pitch, g->plane, lo, hi, c);
    else if (p->stencil == AN_BENCH_BOX27S)
        AN_ROW(box27s)(row, u, g->pitch, g->plane, lo, hi, c);
    else if (p->stencil == AN_BENCH_BOX27)
        AN_ROW(box27)(row, u, g->pitch, g->plane, lo, hi, c);
    else
        AN_ROW(star25)(row, u, g->pitch, g->plane, lo, hi, c);
    for (int i = 0; i < radius; i++) {
        row[i] = u[i];
        row[g->n - 1 - i] = u[g->n - 1 - i];
    }
    if (buffer)
        an_bench_cpu_stream(p->b->isa, out, row, (size_t)((g->n * (int)sizeof *u + 63) / 64 * 64));
}
