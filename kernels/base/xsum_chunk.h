/* The sum of a chunk of terms in vectors of AN_CHUNK_BYTES; included by xsum_many.c once per
 * instruction set.
 *
 * Adding and subtracting a large power of two rounds a term to multiples of a unit so coarse that the
 * sum of a whole chunk of such multiples is exact in double precision. What the rounding took away is
 * exact, too, and is rounded to multiples of a finer unit in the same way. The two sums are the sum
 * of the chunk if nothing is left then. (Rump, Ogita and Oishi, SIAM J. Sci. Comput. 31, 2008.)
 *
 * sum: of n terms, a multiple of GROUP up to CHUNK. Returns 0 if something is left, if a term is not
 * finite, or if a term is so large or small that the limbs would not keep all of it. */
AN_CHUNK_TARGET static int AN_CHUNK_NAME(int n, const double *v, double sum[2])
{
    enum { LANES = AN_CHUNK_BYTES / 8, VECTORS = GROUP / LANES };
    typedef double vector __attribute__((vector_size(AN_CHUNK_BYTES)));
    typedef int64_t words __attribute__((vector_size(AN_CHUNK_BYTES)));
    words most[VECTORS];
    vector high[VECTORS], low[VECTORS], left[VECTORS];
    memset(most, 0, sizeof most);
    memset(high, 0, sizeof high);
    memset(low, 0, sizeof low);
    memset(left, 0, sizeof left);
    for (int t = 0; t < n; t += GROUP)
        for (int k = 0; k < VECTORS; k++) {
            words x;
            memcpy(&x, v + t + k * LANES, sizeof x);
            x &= INT64_MAX; /* the absolute value */
            const words more = (vector)x > (vector)most[k];
            most[k] = (more & x) | (~more & most[k]);
        }
    int64_t top = 0;
    for (int k = 0; k < VECTORS; k++)
        for (int l = 0; l < LANES; l++)
            top = most[k][l] > top ? most[k][l] : top;
    const int e = (int)(top >> 52) - 1022; /* all terms are below 2^e */
    if (e > HIGHEST || e < LOWEST)
        return 0;
    const double coarse = 1.5 * power(e + LOG_CHUNK), fine = 1.5 * power(e + LOG_CHUNK - FINER);
    for (int t = 0; t < n; t += GROUP)
        for (int k = 0; k < VECTORS; k++) {
            vector x;
            memcpy(&x, v + t + k * LANES, sizeof x);
            const vector a = (x + coarse) - coarse, rest = x - a, b = (rest + fine) - fine;
            high[k] += a;
            low[k] += b;
            left[k] += (vector)((words)(rest - b) & INT64_MAX);
        }
    double remains = 0;
    sum[0] = sum[1] = 0;
    for (int k = 0; k < VECTORS; k++)
        for (int l = 0; l < LANES; l++) {
            sum[0] += high[k][l];
            sum[1] += low[k][l];
            remains += left[k][l];
        }
    return remains == 0; /* 0 for a NaN */
}
#undef AN_CHUNK_NAME
#undef AN_CHUNK_BYTES
#undef AN_CHUNK_TARGET
